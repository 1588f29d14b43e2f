/* ensemble.h - many systems of one problem, each with an inertia, a start and parameters of its
 * own: Monte Carlo, catalogues, uncertain starts.
 *
 *     double spin[1000][3];
 *     const ph_each each = {"velocity", spin[0], 3, 3, 1};
 *     const ph_system_settings all = {"spacecraft", .integrator = "dop853", .tolerance = 1e-10};
 *     ph_ensemble *e;
 *     if (ph_ensemble_create(&all, &each, 1, 1000, &e, NULL) == PH_OK) {
 *         ph_ensemble_run(e, 86400.0, NULL);
 *         ph_state s = ph_system_state(ph_ensemble_system(e, 7));
 *         ph_ensemble_destroy(e);
 *     }
 *
 * A body has the bits of its run alone, by the same method, whatever its neighbours, its place,
 * the vectors of the machine and the number of threads. A method that chooses its steps does so
 * for each body; with dop853, in problems that have torques in vectors, a body has a lane, and a
 * lane that is done takes the next body. One body that fails keeps its last good state and its
 * status, and the others go on.
 */
#ifndef POLHODE_ENSEMBLE_H
#define POLHODE_ENSEMBLE_H

#include "polhode/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ph_ensemble ph_ensemble;

/* A setting that each body has of its own: a parameter, or a part of the start. Number k of
 * body i is values[i * along + k * across]. It replaces the setting of the same name that all
 * bodies share, or the one that sets the same in another way. The array is read by
 * ph_ensemble_create() alone. */
typedef struct ph_each {
    const char *name;
    const double *values;
    size_t count;         /* numbers of a body */
    size_t along, across; /* strides of bodies and numbers */
} ph_each;

/* Creates the bodies, and stores the ensemble in *out. If a body cannot be created, returns what
 * ph_system_create() does for it, and stores its number in *wrong (if `wrong` is not NULL). In the
 * message a setting that is not less than all->setting_count counts `each` on. `each` may be NULL
 * if each_count is 0. Each name is given once, or the function returns PH_BAD_PARAMETER.
 * PH_NOT_APPLICABLE with a thermostat; PH_NO_MEMORY, also for counts that no array can have.
 *
 * A warning is issued once, for the first body that it is about; warnings that differ in their
 * numbers alone are one. */
PH_API ph_status ph_ensemble_create(const ph_system_settings *all, const ph_each *each,
                                    size_t each_count, size_t bodies, ph_ensemble **out,
                                    size_t *wrong);
PH_API void ph_ensemble_destroy(ph_ensemble *e); /* NULL is allowed */

PH_API size_t ph_ensemble_count(const ph_ensemble *e);

/* A body, to be looked at, or NULL past the last. */
PH_API ph_system *ph_ensemble_system(const ph_ensemble *e, size_t body);

/* PH_OK, or what the last run of each body ended with. */
PH_API const ph_status *ph_ensemble_status(const ph_ensemble *e);

/* What a run calls. Each function may be NULL. */
typedef struct ph_ensemble_observer {
    /* Sees a body at times[row], as an observer of a system does. Bodies are seen in any order,
     * several at once by several threads. Returning false ends the run of this body. */
    bool (*observe)(void *context, size_t body, size_t row, ph_system *s);
    /* Is called now and then with the part of the work that is done, by one thread at a time.
     * Returning false ends the run of all bodies. */
    bool (*go_on)(void *context, double done);
    /* Is called once for each body, when it reaches the end of the run or fails. */
    void (*ended)(void *context, size_t body, ph_status status);
    void *context;
    /* In the order of the run: none before its start, none before the one that precedes it. */
    const double *times;
    size_t count;
    bool one_thread; /* functions of the problem must not be called by several at once */
} ph_ensemble_observer;

/* Runs all bodies that have not failed to the time `until`. Bodies that do not choose their steps
 * must be a whole number of steps before it. `o` may be NULL.
 *
 * Wrong arguments are found before any body moves, and change nothing: PH_BAD_TIME if `until` is not
 * finite or too far away, or one of the times NaN; PH_NOT_WHOLE_STEPS; PH_TIME_PASSED if the times
 * are not in the order of the run; PH_NULL_ARGUMENT. Else the function returns PH_OK, or the status
 * of the failed body with the lowest number. */
PH_API ph_status ph_ensemble_run(ph_ensemble *e, double until,
                                 const ph_ensemble_observer *o);

/* The same with a condition, an expression of ph_system_expression(). first[i] is the time at which
 * it first becomes true for body i, NaN if never, and count[i] how often it does on the way. Bodies
 * of fixed steps take the steps of ph_ensemble_run(); others begin anew after each event. Of `o`
 * (or NULL) only go_on, ended and one_thread are used. PH_BAD_EXPRESSION, and the reason in *why
 * (if `why` is not NULL); else as ph_ensemble_run(). */
PH_API ph_status ph_ensemble_events(ph_ensemble *e, double until, const char *condition,
                                    const ph_ensemble_observer *o, double *first,
                                    uint64_t *count, ph_expression_error *why);

/* ---- reductions ------------------------------------------------------------------------ */

/* What is found of some quantities over the bodies at given times, without keeping all bodies' rows:
 * expressions such as "w1" or "R33", with the names of ph_system_expression(). The arrays mean,
 * covariance and histogram may be NULL: they are then not computed; the others must not be. Bodies that did not come to a time, or whose numbers
 * there are not finite, are left out there. Sums are in the order of the bodies: the same bits by any
 * number of threads. */
typedef struct ph_reduction {
    const char *const *of;
    size_t columns; /* of them */
    const double *times;
    size_t count;     /* of times */
    uint64_t *bodies; /* [count] that are in the sums */
    double *mean;     /* [count][columns] */
    double
        *covariance; /* [count][columns][columns]: over bodies - 1, 0 of fewer than two */
    uint64_t
        *histogram; /* [count][columns][bins]; what lies outside counts in its ends */
    size_t bins;
    const double *low, *high; /* [columns] of the histogram: low < high */
} ph_reduction;

/* ph_ensemble_run() that fills these arrays. Of `o` (or NULL) only go_on, ended and one_thread are
 * used. PH_BAD_EXPRESSION, with the reason in *why and the number of the expression in *wrong; both
 * may be NULL. PH_BAD_PARAMETER if a histogram has no bins or no range, PH_NO_MEMORY; else as
 * ph_ensemble_run(). The arrays are changed only if the run begins. */
PH_API ph_status ph_ensemble_reduce(ph_ensemble *e, double until, const ph_reduction *r,
                                    const ph_ensemble_observer *o,
                                    ph_expression_error *why, size_t *wrong);

/* Numbers drawn from the normal distribution of the mean 0 and a covariance [n][n], out[n] of
 * sample k: they depend on the seed, k and the attempt alone. Only the lower triangle is looked at.
 * PH_BAD_PARAMETER if it is not positive semidefinite, to round-off; PH_NO_MEMORY. `out` is filled
 * only if the function returns PH_OK. */
PH_API ph_status ph_draw_normal(const double *covariance, size_t n, uint64_t seed,
                                uint64_t k, uint64_t attempt, double *out);

#ifdef __cplusplus
}
#endif

#endif
