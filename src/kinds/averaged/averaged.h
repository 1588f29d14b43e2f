/* averaged.h - a system whose weak torque is averaged over the free motion: what its parts share.
 *
 * The unknowns of the adaptive method, four numbers of unit length and three others, are
 *
 *   (cos s, sin s, 0, 0), H     s the level of spin.h
 *   (0, b), H                   of a sphere: b the direction of m in the body
 */
#pragma once

#include "base/elementary.h"
#include "integrators/adaptive.h"
#include "kinds/averaged/averages.h"
#include "system/body_start.h"

/* Everything that a run depends on beside the numbers of its method. */
typedef struct slow_state {
    double y[PH_UNKNOWNS];
    double side, above;  /* which axis m encircles: see spin.h */
    double phase, angle; /* of the motion that is shown */
    double stopped;      /* at the separatrix */
    node_counts nodes;   /* of the next average */
    double torque, slow; /* mean sizes of the torque in the last average: see averages */
    /* The resonance p, q of the frequencies that the run is in, since when, and the longest so far;
     * 0: none. */
    double p, q, since, longest_p, longest_q, longest;
    /* What resonances that the run passed may have changed, relative to |H| and T: the sum of all, and
     * the largest of them, at which time and with which p and q. */
    double passed, largest, passed_at, passed_p, passed_q;
} slow_state;

typedef struct averaged {
    rigid_body r;
    ph_problem principal; /* the problem in principal axes, if those are others */
    averaging of;
    ph_problem slow; /* what the method sees: a body in no torque */
    ph_adaptive_run run;
    slow_state now;
    ph_vec3 H; /* what is shown of it */
    double kinetic;
    double period;             /* of the torque; 0: none */
    double quality;            /* of friction inside; 0: there is none */
    double mean_start;         /* 1: the short-period part is subtracted from the start */
    ph_adaptive_numbers known; /* the step whose polynomial was computed last */
    int stage;                 /* of the attempt */
    node_counts least;         /* nodes of the stages after the first, at least */
    double noise; /* of averages that did not converge, in the last attempt: relative to |H| */
} averaged;

static inline bool is_sphere(const averaged *a)
{
    return a->of.body.range == 0.0;
}

static inline spin spin_of(const averaged *a, const double y[PH_UNKNOWNS])
{
    return (spin){.H = {y[4], y[5], y[6]},
                  .level = is_sphere(a) ? 0.0 : ph_atan2(y[1], y[0]),
                  .side = a->now.side,
                  .direction = {y[1], y[2], y[3]}};
}

static inline bool is_above(const averaged *a)
{
    return a->now.above != 0.0;
}

/* ---- the slow equations ------------------------------------------------------------------- */

extern const ph_adaptive ph_averaged_method;

/* Begins the run of the method at the unknowns a->now.y. */
void ph_averaged_begin(averaged *a, double t, double tolerance, double longest_step);

/* ---- where averages are valid -------------------------------------------------------------- */

frequencies ph_averaged_frequencies(const averaged *a);

/* Returns the small number of the average: the torque relative to |H| and to the slower frequency of the
 * free motion, its change over a period in time relative to |H| and to that frequency, and 1/Q. */
double ph_averaged_smallness(const averaged *a, const frequencies *f);

/* Returns an estimate of the error, relative to |H| and T: a bound of the short-period part at the start
 * and at the end, and what resonances may have changed. */
double ph_averaged_estimate(const averaged *a, const frequencies *f);

/* Ends the last step where the separatrix is near, if it is at its end. */
ph_status ph_averaged_stop(averaged *a);

/* Follows resonances of low order over the step from `since`, where the state was *before, to t. At
 * the start both times are the same. */
void ph_averaged_follow_resonance(averaged *a, const slow_state *before, double since, double t);

/* Returns the part of R torque, and of the power with the factor |H|/T, that goes with the angle
 * p u - q f of the phase u and the angle f about H, both in radians: the root of the mean square. That
 * part stays where p times the frequency of the polhode is q times that of the precession. */
double ph_resonant_torque(const averaging *a, const spin *s, bool above, double t, int p, int q,
                          const node_counts *n);

/* ---- the short-period part ------------------------------------------------------------------ */

/* Returns the spin without the short-period part of its motion from the state `start`, in principal
 * axes, at the time t. `mean` are the averages of s. */
spin ph_spin_mean(const averaging *a, const spin *s, bool above, double t, const ph_state *start,
                  const averages *mean);
