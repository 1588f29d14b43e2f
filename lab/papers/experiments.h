/* experiments.h - what several figures compute: errors for smaller and smaller steps, the
 * energy in long runs, what a step costs, and random free bodies. */
#pragma once

#include "lab/papers/figure.h"
#include "motion/vec.h"

/* ---- errors at a time, for smaller and smaller steps ----------------------------- */

/* In which the papers measure. */
typedef enum convergence_norms {
    NORMS_KRYSL,   /* of m, and the 2-norm of R */
    NORMS_ORTOLAN, /* of w, and the Frobenius norm of R */
    NORMS_SPHERES, /* of q, and of w, over all spheres */
} convergence_norms;

typedef struct convergence {
    const char *problem;
    double time;
    const char *const *methods; /* up to a NULL */
    uint64_t coarsest;          /* steps in that time; then twice as many, and again */
    int halvings[FIGURE_EFFORTS];
    convergence_norms norms;
} convergence;

/* The computation of a figure whose context is or begins with a `convergence`: method, h,
 * error_momentum and error_attitude, of spheres error_position and error_velocity; NaN where a
 * run failed. The solution is that of a free body, or found by a method of order 6 with a
 * fourth of the smallest step. */
bool convergence_compute(figure_work *work, table *t);

/* For judges: the error at the smallest step; that of one method over that of another; the
 * smallest and the largest of several methods, up to a NULL. */
double final_error(const table *t, const char *method, const char *column);
double error_ratio(const table *t, const char *a, const char *b, const char *column);
double extreme_error(const table *t, const char *const *methods, const char *column,
                     double (*of)(double, double));
#define best_error(...)  extreme_error(__VA_ARGS__, smaller_or_nan)
#define worst_error(...) extreme_error(__VA_ARGS__, larger_or_nan)

/* The slope of log error over log h between the two smallest steps before the errors come
 * down to round-off. */
double final_order(const table *t, const char *method, const char *column);

/* Claims that `who`, these methods, are of order 2 in both columns. */
void claim_order_2(const table *t, claims *out, const char *who, const char *const *methods);

/* ---- the energy in long runs, in blocks that a picture can show ------------------- */

typedef struct long_run {
    const char *method, *name; /* in the column `run`; NULL: the method's */
    double h;                  /* 0: that of all */
    /* Not 0: an ensemble of so many neighbouring starts, of momenta or velocities times
     * 1 + 1e-8 k, k = 1, 2 ... (with the least effort: two of them). Each has one row: t is
     * k, low and high of the whole run, and mean its slope. */
    int starts;
    double times; /* as long as the others; 0: once */
} long_run;

/* Several runs, and what they share. */
typedef struct long_runs {
    const char *problem;
    double h, time[FIGURE_EFFORTS];
    uint64_t blocks;      /* rows of a run, which is cut into so many equal parts */
    const long_run *runs; /* up to one without a method */
    bool relative;        /* (E - E0)/|E0| instead of E - E0 */
    bool at_end;          /* the time of a row is that at the end of its block, not in its middle */

    /* Sets the numbers of a row after the five columns, at most LONG_RUN_MORE: called
     * after every step, `fresh` after the first of a block. NULL: there are none. */
    void (*measure)(ph_system *s, bool fresh, double *more);
    const char *more; /* their columns, each with a comma before it */
} long_runs;

/* The computation of a figure whose context is or begins with `long_runs`: run, t, low, mean,
 * high and `more`, for each block the lowest, mean and highest error of the energy. Once a run
 * fails or the error is above LONG_RUN_LOST (relative to E0) the rest of it is infinite. */
#define LONG_RUN_LOST 1e3
enum { LONG_RUN_MORE = 4 };
bool long_runs_compute(figure_work *work, table *t);

/* For judges: the largest |error| of a run, its range from lowest to highest, and the
 * least-squares slope of the means over the time. Infinite or NaN of a run that was lost. */
double run_error(const table *t, const char *run);
double run_range(const table *t, const char *run);
double run_slope(const table *t, const char *run);

/* What the slope makes of the run, over its largest error: 1 if it is nothing but a
 * steady drift, less than it in magnitude the more the energy oscillates. */
double run_drift(const table *t, const char *run);
#define BY_SLOPE ": what its slope makes of the run, over its largest error"

/* ---- chaos: the share of an ensemble that does what a paper saw ------------------- */

/* How many starts of an ensemble there are, and of how many the largest |error| is at most a
 * bound; of how many the slope makes at least a share of it in a run of that length. The 95 %
 * interval of the probability is Wilson's. */
typedef struct share {
    double of, count, low, high;
} ensemble_share;
ensemble_share share_within(const table *t, const char *run, double bound);
ensemble_share share_drifting(const table *t, const char *run, double time, double least);

/* The mean slope of an ensemble over its standard error: of no drift, within 3 of 0. */
double ensemble_drift(const table *t, const char *run);

/* Claims that most starts do so: the lower end of the interval is at least a half. */
void claim_most(claims *out, ensemble_share s, const char *what);

/* ---- costs ------------------------------------------------------------------------ */

/* Seconds of the processor that a task takes: the best of several times, short tasks many times
 * at once; with the least effort, of a single run. The task must not report progress. */
double best_seconds(const figure_work *work, void (*task)(void *context), void *context);

/* What a step of a method costs; NaN where it fails. */
typedef struct method_cost {
    double evaluations; /* of torques or forces */
    double seconds;
} method_cost;

/* Measures that of methods that are compared, in runs of so many steps of h: one after the
 * other, and again, so that what else the machine does hits all alike. They are the current
 * part of the work. False: stopped. */
bool method_costs(figure_work *work, const char *problem, double h, uint64_t steps,
                  const char *const *methods, size_t count, method_cost *cost);

/* ---- splittings ------------------------------------------------------------------- */

/* Schemes with the exact free motion and with one of second order ("RB" and "McL2"), as
 * Celledoni et al. compare them: "SCHEME+exact", "SCHEME+mr". */
enum { SPLIT_EXACT, SPLIT_ROTATIONS, SPLIT_FLOWS, SPLIT_NAME = 32 };
const char *split_name(char text[SPLIT_NAME], const char *scheme, int flow);

/* The kicks of a step in a long run, where the last and the first of two steps are one. */
int split_kicks(const char *scheme);

/* ---- random free bodies ------------------------------------------------------------- */

/* Random free bodies, integrated as Celledoni et al. do it.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU, section 3.2.
 * HV    Hairer, Vilmart, J. Phys. A 39 (2006), section 5.
 *
 * Their dmv6, dmv8 and dmv10 solve for the step by fixed-point iteration, which fails
 * where the step is long; the library's never do. So theirs are here, as HV writes them:
 *
 *   HV (18)   e = alpha (h/2) I~^-1 y + I~^-1 ( I~ e x e ),   alpha = 1 + |e|^2
 *   HV (17)   y+ = y + (4/(h alpha)) I~ e x e,   q+ = q (1, e)/sqrt(alpha)
 *
 * with the modified moments I~ of src/motion/series.h, from e = (h/2) I~^-1 y. Where the
 * body turns by more than a radian or so in a step it does not converge, or converges to
 * what is no motion of the body.
 */

/* Moments I1 < I2 < I3 = 1, the two others uniform in a range: CFSZ draws from (0, 1). */
extern const double UNIT_RANGE[2];
ph_vec3 random_moments(uint64_t *seed, const double range[2]);

/* Attitude 1, and a momentum of length 1 along a vector whose components are uniform in a
 * range. */
ph_state random_start(uint64_t *seed, const double range[2]);

/* So many steps of h of a flow, or of dmv6, dmv8 or dmv10 as above: "dmv6 by Newton" is that of
 * the library. False, and *s anything, where one of them fails. */
bool free_run(const char *method, ph_state *s, ph_vec3 J, double h, uint64_t steps);

/* The same from a start, to be timed. */
typedef struct timed_run {
    const char *method;
    ph_vec3 J;
    ph_state start;
    double h;
    uint64_t steps;
    ph_state end;
    bool good;
} timed_run;
void free_timed_run(void *timed_run);

/* A step of the discrete Moser-Veselov algorithm with these moments, which may be modified;
 * false where it is not solved. */
bool dmv_step(ph_vec3 I, ph_state *s, double h);

/* The exact motion at a time; false, and *s as it was, where there is none. */
bool free_exact(ph_vec3 J, const ph_state *start, double t, ph_state *s);

/* The infinity norm of Q - Q(t), exact motion; and minus its decimal logarithm, at most
 * the digits of a double. */
double free_error(ph_vec3 J, const ph_state *start, double t, const ph_state *s);
double free_digits(double error);
