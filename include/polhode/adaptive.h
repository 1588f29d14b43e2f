/* adaptive.h - a body in any torque, to a tolerance, in steps as long as that allows.
 *
 *     ph_adaptive_run run;
 *     const ph_adaptive *gbs;
 *     ph_adaptive_named("gbs", &gbs);
 *     if (ph_adaptive_prepare(&run, gbs, &problem, NULL, 0.0, 1e-12) == PH_OK &&
 *         ph_adaptive_advance(&run, 10.0) == PH_OK)
 *         ph_state s = ph_adaptive_state(&run);
 *
 * A run is a value: all its memory is in it, and a copy goes on as it would. Runs of
 * systems (system.h) are made of the same methods, with rows, events and snapshots.
 */
#ifndef POLHODE_ADAPTIVE_H
#define POLHODE_ADAPTIVE_H

#include "polhode/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The unknowns y of the equations of motion: q, scalar first, and m, in principal axes. */
enum { PH_UNKNOWNS = 7, PH_ADAPTIVE_MEMORY = 62 };

/* All that a run depends on beside its problem, method and tolerance. All members are
 * doubles. */
typedef struct ph_adaptive_numbers {
    double t, y[PH_UNKNOWNS];          /* where it is */
    double lost[PH_UNKNOWNS];          /* what rounding lost of y */
    double from, start[PH_UNKNOWNS];   /* where the last step began */
    double next;                       /* how long the next one would be */
    double scale;                      /* of time, at the start */
    double steps, rejected;            /* taken, and tried in vain */
    double evaluations;                /* of the torque */
    double memory[PH_ADAPTIVE_MEMORY]; /* of the method, about the last step */
    double begun,
        interval; /* its start, and the longest time from it, for the longest step */
} ph_adaptive_numbers;

typedef struct ph_adaptive_run {
    const struct ph_adaptive *method;
    const ph_problem *problem; /* the caller's, which must last */
    ph_problem principal;      /* the same in principal axes, where those are others */
    double tolerance;
    double longest_step; /* 0: see ph_adaptive_step(); infinite: none */
    ph_adaptive_numbers now;
} ph_adaptive_run;

/* A step that was tried. */
typedef struct ph_trial_step {
    double change[PH_UNKNOWNS]; /* of y */
    double rest[PH_UNKNOWNS];   /* what rounding lost of that; 0 at first */
    double error;               /* above 1, or NaN: it is to be rejected */
    double factor;              /* by which a step may be longer, or must be shorter */
    bool whole; /* `factor` is about the method's longest step, not about a short one */
    double memory[PH_ADAPTIVE_MEMORY]; /* for the run, if it is not rejected */
} ph_trial_step;

#ifndef __OPENCL_VERSION__ /* which has no pointers to functions */
struct ph_adaptive {
    const char *name, *title, *cite;
    int order;
    unsigned keeps, keeps_free; /* bits of ph_keeps */

    /* How many times the first step is as long as the time in which the body turns by a
     * radian, and the memory at the start. */
    double (*prepare)(ph_adaptive_run *r);
    /* A step of h from where the run is, which stays as it is but for its counts. */
    void (*attempt)(ph_adaptive_run *r, double h, ph_trial_step *out);
    /* y at a time within the last step, to the order of the method. */
    void (*at)(ph_adaptive_run *r, double t, double y[PH_UNKNOWNS]);
};

/* The tolerances that there are, and the one that is meant where none is given. */
#define PH_TOLERANCE_LEAST   1e-15
#define PH_TOLERANCE_MOST    0.1
#define PH_TOLERANCE_DEFAULT 1e-10

PH_API ph_status ph_adaptive_named(const char *name, const ph_adaptive **out);
PH_API const ph_adaptive *const *ph_adaptives(size_t *count);

/* A run of a problem from a start (NULL: the problem's own; the attitude is normalised) at
 * the time t. The tolerance is the error allowed in a step, of the attitude and of m
 * relative to its size; infinite: every step is as long as it can be. PH_BAD_INERTIA,
 * PH_BAD_STATE; PH_BAD_TIME if the time is not finite, PH_BAD_TOLERANCE if the tolerance is not
 * positive. */
PH_API ph_status ph_adaptive_prepare(ph_adaptive_run *r, const ph_adaptive *method,
                                     const ph_problem *p, const ph_state *start, double t,
                                     double tolerance);

/* One step towards the time `end`, not beyond it; none where it is there. It is no longer
 * than r->longest_step, which the caller may set after ph_adaptive_prepare(). The default
 * has no limit where the torque cannot depend on time: without one, or that of a potential
 * that conserves the energy. Else it is 1/PH_LONGEST_STEPS of the time from the start to
 * `end`, so that a torque that comes and goes is seen. PH_NO_CONVERGENCE where no step is
 * short enough, at a wall or a singularity of the torque: the run stays where it is,
 * r->now.t. PH_BAD_TIME where the time after the step is not finite, PH_BAD_STEP where the
 * longest step is negative or NaN, PH_STEP_TOO_SHORT where it is too short to change the time. */
enum { PH_LONGEST_STEPS = 32 };
PH_API ph_status ph_adaptive_step(ph_adaptive_run *r, double end);

/* Steps until a time is reached, earlier or later than now. PH_BAD_TIME if it is not finite, or
 * what ph_adaptive_step() returns. */
PH_API ph_status ph_adaptive_advance(ph_adaptive_run *r, double end);

/* The state where the run is; and at any time within its last step, to the order of the
 * method: PH_OUTSIDE_STEP for others. In the frame of the problem's body. */
PH_API ph_state ph_adaptive_state(const ph_adaptive_run *r);
PH_API ph_status ph_adaptive_at(ph_adaptive_run *r, double t, ph_state *s);
#endif

#ifdef __cplusplus
}
#endif

#endif
