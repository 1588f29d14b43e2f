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

/* A setting of each body, a parameter or a part of the start: number k of body i is
 * values[i * along + k * across]. It stands instead of what all have of that name, or of the
 * name that sets the same in another way. The numbers are the caller's while it is created. */
typedef struct ph_each {
    const char *name;
    const double *values;
    size_t count; /* numbers of a body */
    size_t along, across;
} ph_each;

/* Makes the bodies. What ph_system_create() returns for the first that cannot be made, whose
 * number is *wrong (or NULL); a setting of the message that is not less than all->setting_count
 * counts `each` on. A warning comes once, for the first body that it is about. */
PH_API ph_status ph_ensemble_create(const ph_system_settings *all, const ph_each *each,
                                    size_t each_count, size_t bodies, ph_ensemble **out,
                                    size_t *wrong);
PH_API void ph_ensemble_destroy(ph_ensemble *e); /* NULL is allowed */

PH_API size_t ph_ensemble_count(const ph_ensemble *e);

/* A body, to be looked at, or NULL past the last. */
PH_API ph_system *ph_ensemble_system(const ph_ensemble *e, size_t body);

/* PH_OK, or what the last run of each body ended with. */
PH_API const ph_status *ph_ensemble_status(const ph_ensemble *e);

/* Sees the bodies at given times, in the order of the run, as an observer of a system does:
 * row `row` is at times[row]. Bodies are seen in any order, several at once by several threads;
 * false ends the run of that body. `go_on`, or NULL, is called now and then with the part that is
 * done, by one thread at a time, and ends the run of all by false. `ended`, or NULL, hears of each
 * body that came to the time, or failed. */
typedef struct ph_ensemble_observer {
    bool (*observe)(void *context, size_t body, size_t row, ph_system *s);
    bool (*go_on)(void *context, double done);
    void (*ended)(void *context, size_t body, ph_status status);
    void *context;
    const double *times;
    size_t count;
    bool one_thread; /* functions of the problem must not be called by several at once */
} ph_ensemble_observer;

/* Takes all bodies that have not failed to a time, a whole number of steps away unless they
 * choose their steps. Returns the first status that is not PH_OK, by the number of the body. */
PH_API ph_status ph_ensemble_run(ph_ensemble *e, double until,
                                 const ph_ensemble_observer *o);

/* The same with an event, an expression as of ph_system_run_event(): how often it becomes true on
 * the way, after each time of which the steps begin anew, and when it does first, NaN if never. */
PH_API ph_status ph_ensemble_events(ph_ensemble *e, double until, const char *condition,
                                    const ph_ensemble_observer *o, double *first,
                                    uint64_t *count, ph_expression_error *why);

/* ---- reductions ------------------------------------------------------------------------ */

/* What is found of some quantities over the bodies at given times, without keeping all bodies' rows:
 * expressions such as "w1" or "R33", with the names of ph_system_expression(). Arrays that are not
 * NULL are filled; that of the bodies is needed. Bodies that did not come to a time, or whose numbers
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

/* ph_ensemble_run() with these; of `o`, or NULL, go_on, ended and one_thread are taken.
 * PH_BAD_EXPRESSION and why, *wrong its number; both may be NULL. PH_BAD_PARAMETER,
 * PH_NULL_ARGUMENT, PH_NO_MEMORY; else as ph_ensemble_run(). */
PH_API ph_status ph_ensemble_reduce(ph_ensemble *e, double until, const ph_reduction *r,
                                    const ph_ensemble_observer *o,
                                    ph_expression_error *why, size_t *wrong);

/* Numbers drawn from the normal distribution of the mean 0 and a covariance [n][n], out[n] of
 * sample k: they depend on the seed, k and the attempt alone. Only the lower triangle is looked at.
 * PH_BAD_PARAMETER if it is not positive semidefinite, to round-off; PH_NO_MEMORY. */
PH_API ph_status ph_draw_normal(const double *covariance, size_t n, uint64_t seed,
                                uint64_t k, uint64_t attempt, double *out);

#ifdef __cplusplus
}
#endif

#endif
