/* adaptive_run.h - adaptive methods: a body in any torque, with step sizes chosen for a tolerance.
 *
 *     ph_adaptive_run run;
 *     const ph_adaptive *gbs;
 *     ph_adaptive_named("gbs", &gbs);
 *     if (ph_adaptive_prepare(&run, gbs, &problem, NULL, 0.0, 1e-12) == PH_OK &&
 *         ph_adaptive_advance(&run, 10.0) == PH_OK)
 *         ph_state s = ph_adaptive_state(&run);
 *
 * A run is a value that contains all its memory. A copy continues as the original would. Programs
 * use adaptive methods through the systems of system.h, which add output rows, events and
 * snapshots.
 */
#pragma once

#include "polhode/body.h"

/* PH_UNKNOWNS is the number of unknowns y of the equations of motion: q, scalar first, and m, in
 * principal axes. PH_ADAPTIVE_MEMORY is the number of doubles that a method may keep. */
enum { PH_UNKNOWNS = 7, PH_ADAPTIVE_MEMORY = 62, PH_STEP_POINTS = 16 };

/* Everything on which a run depends, beside its problem, method and tolerance. All members are
 * doubles, so that a snapshot can store them as an array. */
typedef struct ph_adaptive_numbers {
    double t, y[PH_UNKNOWNS];          /* present time and unknowns */
    double lost[PH_UNKNOWNS];          /* low-order parts of y */
    double from, start[PH_UNKNOWNS];   /* time and unknowns at the start of the last step */
    double next;                       /* proposed size of the next step */
    double scale;                      /* time scale at the start of the run */
    double steps, rejected;            /* number of accepted and of rejected steps */
    double evaluations;                /* number of evaluations of the torque */
    double memory[PH_ADAPTIVE_MEMORY]; /* data of the method about the last step */
    /* Time at which the run began, and the longest time from it so far; the default of the
     * longest step depends on them. */
    double begun, interval;
} ph_adaptive_numbers;

/* A run of an adaptive method. */
typedef struct ph_adaptive_run {
    const struct ph_adaptive *method;
    const ph_problem *problem; /* owned by the caller; valid while the run is used */
    ph_problem principal;      /* the problem in principal axes, if these differ */
    double tolerance;
    double longest_step; /* 0 for the default of ph_adaptive_step(); infinite for no limit */
    double divided;      /* the longest step is divided by this number; 0 stands for 1 */
    ph_adaptive_numbers now;
    struct step_points *points; /* where an attempt stores its points; NULL: nowhere */
} ph_adaptive_run;

/* A trial step, which the run then accepts or rejects. */
typedef struct ph_trial_step {
    double change[PH_UNKNOWNS]; /* change of y */
    double rest[PH_UNKNOWNS];   /* low-order parts of `change`; initially 0 */
    double error;               /* error estimate; the step is rejected unless it is <= 1 */
    double factor;              /* ratio of the best step size to this one */
    bool whole; /* `factor` refers to the longest step of the method, not to a short one */
    double memory[PH_ADAPTIVE_MEMORY]; /* data for the run if the step is accepted */
} ph_trial_step;

#ifndef __OPENCL_VERSION__ /* OpenCL C has no pointers to functions. */
/* The unknowns at the points where the last attempt evaluated the rates: of dop853 the stages,
 * y[stage][unknown][0], of gbs y[substep][unknown][column]. The quaternions are not of unit
 * length. */
typedef struct step_points {
    double y[PH_STEP_POINTS][PH_UNKNOWNS][PH_LANES];
    int columns, sequence; /* of gbs */
} step_points;

struct tangent_run;
struct tangent;

/* An adaptive method. */
struct ph_adaptive {
    const char *name, *title, *cite;
    int order;
    unsigned keeps, keeps_free; /* bits of ph_keeps, with and without torque */

    /* Initializes r->now.memory. Returns the size of the first step, in units of the time in
     * which the body rotates by a radian. */
    double (*prepare)(ph_adaptive_run *r);
    /* Computes a trial step of h from the present state. It changes only the counters of the
     * run. */
    void (*attempt)(ph_adaptive_run *r, double h, ph_trial_step *out);
    /* Stores in y the unknowns at a time t within the last step, to the order of the method. */
    void (*at)(ph_adaptive_run *r, double t, double y[PH_UNKNOWNS]);
    /* Stores in `rate` the rates of unknowns y of another meaning: four numbers of unit length and
     * three others. NULL if the unknowns are q and m of a body in the problem of the run. */
    void (*rate)(ph_adaptive_run *r, double t, const double y[PH_UNKNOWNS],
                 double rate[PH_UNKNOWNS]);
    /* Moves the columns of derivatives `from` over a step of h from the time t, with the points of
     * an attempt, and stores them in *to. Returns the largest error estimate of a column, relative
     * to the column. NULL if the method stores no points. */
    double (*tangents)(const struct tangent_run *g, double t, double h, const step_points *points,
                       const struct tangent *from, struct tangent *to);
};

/* Stores the adaptive method called `name` in *out. Returns PH_OK or PH_UNKNOWN_NAME, as
 * ph_flow_named() does. */
ph_status ph_adaptive_named(const char *name, const ph_adaptive **out);

/* Returns a static array of all adaptive methods, in the order of their files, and stores its
 * length in *count. */
const ph_adaptive *const *ph_adaptives(size_t *count);

/* Prepares a run of the problem `p` from the state `start` at the time t. `start` may be NULL
 * for the default start of the problem. The function copies the start and normalises its
 * attitude. It does not copy the problem, which must stay valid while the run is used.
 *
 * The tolerance is the error allowed in a step: of the attitude, and of m relative to its size.
 * If it is infinite, every step is as long as possible.
 *
 * Returns PH_OK and fills *r. Returns PH_BAD_INERTIA or PH_BAD_STATE if the body or the start is
 * invalid. Returns PH_BAD_TIME if t is not finite. Returns PH_BAD_TOLERANCE if the tolerance is
 * not positive. On failure r is unchanged. */
ph_status ph_adaptive_prepare(ph_adaptive_run *r, const ph_adaptive *method, const ph_problem *p,
                              const ph_state *start, double t, double tolerance);

/* Takes one step towards the time `end` and not beyond it. If the run is at `end`, it does
 * nothing.
 *
 * The step is not longer than r->longest_step, which the caller may set after
 * ph_adaptive_prepare(). By default there is no limit if the torque cannot depend on time: there
 * is no torque, or a potential conserves the energy. Otherwise the limit is 1/PH_LONGEST_STEPS
 * of the time from the start to `end`, so that a short pulse of the torque is not missed.
 *
 * Returns PH_OK, or one of these; the run is then unchanged:
 *
 * - PH_NO_CONVERGENCE if no step is short enough, at a wall or a singularity of the torque;
 * - PH_BAD_TIME if the time after the step is not finite;
 * - PH_BAD_LONGEST_STEP if r->longest_step is negative or NaN;
 * - PH_STEP_TOO_SHORT if r->longest_step is too short to change the time. */
ph_status ph_adaptive_step(ph_adaptive_run *r, double end);

/* Takes steps, forward or backward, until r->now.t is `end`. Returns PH_BAD_TIME if `end` is not
 * finite, else the status of the first step that fails, or PH_OK. After a failure the run is at
 * the end of its last valid step. */
ph_status ph_adaptive_advance(ph_adaptive_run *r, double end);

/* Returns the present state of a run in the body frame of its problem. */
ph_state ph_adaptive_state(const ph_adaptive_run *r);

/* Stores in *s the state at a time t within the last step, in the body frame, to the order of
 * the method. Returns PH_OK, PH_OUTSIDE_STEP if t is outside the last step, or PH_NOT_FINITE if
 * the interpolation gives a state that is not finite. On failure s is unchanged. */
ph_status ph_adaptive_at(ph_adaptive_run *r, double t, ph_state *s);
#endif
