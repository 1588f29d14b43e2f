/* ensemble.h - many bodies in the same problem.
 *
 * An ensemble runs many bodies in one problem. Each body has its own inertia, initial state and
 * parameters. Typical uses are Monte Carlo studies, catalogues of debris and uncertain initial
 * states.
 *
 *     double spin[1000][3]; // filled by the caller
 *     const ph_each each = {"velocity", spin[0], 3, 3, 1};
 *     const ph_system_settings all = {"spacecraft", .integrator = "dop853", .tolerance = 1e-10};
 *     ph_ensemble *e;
 *     if (ph_ensemble_create(&all, &each, 1, 1000, NULL, &e) == PH_OK) {
 *         ph_ensemble_run(e, 86400.0, NULL);
 *         ph_state s = ph_system_state(ph_ensemble_system(e, 7));
 *         ph_ensemble_destroy(e);
 *     }
 *
 * Reproducibility. The result for a body is bitwise identical to that of a single run with the
 * same method. It does not depend on the other bodies, on their order, on the vector width of the
 * machine or on the number of threads.
 *
 * Speed. An adaptive method chooses the step sizes of each body separately. With `dop853`, and in
 * problems whose torque is available in vector form, each body occupies one vector lane. When a
 * body has finished, the next body takes its lane.
 *
 * Failures. A body that fails keeps its last valid state and its status. The other bodies
 * continue.
 */
#ifndef POLHODE_ENSEMBLE_H
#define POLHODE_ENSEMBLE_H

#include "polhode/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An ensemble. Its members are private to the library. */
typedef struct ph_ensemble ph_ensemble;

/* A setting that differs from body to body: a parameter of the problem or a part of the initial
 * state. It overrides the shared setting with the same name, or the alternative that sets the
 * same quantity, such as `momentum` for `velocity`.
 *
 * Number k of body i is values[i * along + k * across]. `values` belongs to the caller, who may
 * free it once ph_ensemble_create() has returned. */
typedef struct ph_each {
    const char *name;
    const double *values;
    size_t count;         /* numbers per body */
    size_t along, across; /* strides of bodies and of numbers, in numbers */
} ph_each;

/* Creates an ensemble of `bodies` bodies and stores it in *out. Free it with
 * ph_ensemble_destroy(). `all` has the settings that all bodies share; `each` has the settings
 * that differ. `each` may be NULL if each_count is 0.
 *
 * Returns PH_OK. If a body cannot be created, it returns the status of ph_system_create() for
 * that body and stores the index of the body in *wrong. `wrong` may be NULL. In the message, a
 * setting number of all->setting_count or more refers to `each`. Returns PH_BAD_PARAMETER if a
 * name occurs twice in `each`. Returns PH_NOT_APPLICABLE if the integrator is a thermostat.
 * Returns PH_NO_MEMORY if memory runs out or a count is larger than any array can be. On failure
 * *out is unchanged.
 *
 * A warning that concerns several bodies is issued once, for the first of them. Warnings that
 * differ in their numbers only count as one. */
PH_API ph_status ph_ensemble_create(const ph_system_settings *all, const ph_each *each,
                                    size_t each_count, size_t bodies, size_t *wrong,
                                    ph_ensemble **out);

/* Destroys an ensemble and its bodies. `e` may be NULL. */
PH_API void ph_ensemble_destroy(ph_ensemble *e);

/* Returns the number of bodies of an ensemble. */
PH_API size_t ph_ensemble_count(const ph_ensemble *e);

/* Returns body number `body` as a system that the caller may read, or NULL if there is no such
 * body. The system belongs to the ensemble. */
PH_API ph_system *ph_ensemble_system(const ph_ensemble *e, size_t body);

/* Returns an array with the status of each body: PH_OK, or the error that ended its run. Later
 * runs skip bodies with an error. The array belongs to the ensemble. */
PH_API const ph_status *ph_ensemble_status(const ph_ensemble *e);

/* The callbacks of a run. Each of them may be NULL. The library holds no lock while it calls them:
 * they may wait for locks, and run other ensembles and systems. Functions that run the same
 * ensemble return PH_IN_OBSERVER. */
typedef struct ph_ensemble_observer {
    /* Called for each body at each of `times`; `row` is the index of the time. Calls come in any
     * order and, unless one_thread is set, from several threads at once. It must not change the
     * system. Return false to end the run of this body. */
    bool (*observe)(void *context, size_t body, size_t row, ph_system *s);
    /* Called from time to time with the completed fraction of the work, from 0 to 1. Calls never
     * overlap, but may come from different threads. Return false to end the run of all bodies. */
    bool (*go_on)(void *context, double done);
    /* Called once for each body, when it reaches the end of the run or fails. Calls may come from
     * several threads at once. */
    void (*ended)(void *context, size_t body, ph_status status);
    void *context; /* passed to every callback */
    /* Times in the direction of the run, none of them before its start. */
    const double *times;
    size_t count;    /* number of times */
    bool one_thread; /* set it if the functions of the problem are not thread-safe */
} ph_ensemble_observer;

/* Runs all bodies that have not failed to the time `until`. `o` may be NULL. With fixed steps,
 * `until` must be a whole number of steps ahead of each body.
 *
 * The function checks its arguments before any body moves. It returns PH_BAD_TIME if `until` is
 * not finite or too far away, or if a time of the observer is NaN. It returns PH_NOT_WHOLE_STEPS
 * if `until` is not a whole number of steps ahead. It returns PH_TIME_PASSED if the times of the
 * observer are not in the direction of the run. It returns PH_NO_MEMORY if o->count is larger than
 * any array can be. Nothing is then changed. Otherwise it returns PH_OK, or the status of the
 * failed body with the lowest index. */
PH_API ph_status ph_ensemble_run(ph_ensemble *e, double until, const ph_ensemble_observer *o);

/* Runs all bodies from their start as ph_ensemble_run() does, each with a companion (see PH_COMPANION
 * in system.h). Stores in held[i] the latest time until which the digits of body i are known to hold:
 * it is `until` if they hold to the end, and NaN if the companion failed. `held` has room for all
 * bodies; the numbers of bodies that do not run are unchanged. The steps are the same as without
 * companions, but they are not taken in vector lanes, and the companions take about as many.
 *
 * `o` may be NULL. Returns PH_NOT_APPLICABLE if a body that has not failed has taken steps, or if its
 * method does not choose the step sizes; nothing is then changed. Otherwise it returns the statuses
 * of ph_ensemble_run(). */
PH_API ph_status ph_ensemble_follow(ph_ensemble *e, double until, const ph_ensemble_observer *o,
                                    double *held);

/* Runs all bodies as ph_ensemble_run() does and counts the events of each body. An event occurs
 * when `condition`, an expression of ph_system_expression(), becomes true. The function stores the
 * time of the first event of body i in first[i], or NaN if there is none. It stores the number of
 * events in count[i]. The steps are the same as without events. The events are bitwise identical to
 * the results of ph_system_events().
 *
 * `o` may be NULL; only its go_on, ended and one_thread are used. Returns PH_BAD_EXPRESSION if
 * the condition cannot be compiled; *why then has the reason, and `why` may be NULL. Otherwise it
 * returns the statuses of ph_ensemble_run(). */
PH_API ph_status ph_ensemble_events(ph_ensemble *e, double until, const char *condition,
                                    const ph_ensemble_observer *o, double *first, uint64_t *count,
                                    ph_expression_error *why);

/* Does what ph_ensemble_events() does, but adds all windows of body i to lists[i]. In a window the
 * condition holds, see ph_system_events(). The caller frees each list with ph_window_list_free().
 * `o` may be NULL, and `why` may be NULL. Returns the statuses of ph_ensemble_events(). */
PH_API ph_status ph_ensemble_windows(ph_ensemble *e, double until, const char *condition,
                                     const ph_ensemble_observer *o, ph_window_list *lists,
                                     ph_expression_error *why);

/* Returns a sentence about what makes the last ph_ensemble_events() or ph_ensemble_windows() doubtful, as
 * ph_event_warning() writes it, or NULL if there is nothing. The text belongs to the ensemble. */
PH_API const char *ph_ensemble_warning(const ph_ensemble *e);

/* ---- reductions ------------------------------------------------------------------------ */

/* Statistics over all bodies at given times, computed without storing all states.
 *
 * The caller provides the arrays. `mean`, `covariance` and `histogram` may be NULL if they are not
 * wanted; the other arrays are required. A body that has not reached a time, or whose value is
 * not finite there, is left out at that time. Sums are taken in the order of the bodies, so that
 * the results do not depend on the number of threads. */
typedef struct ph_reduction {
    const char *const *of; /* expressions of ph_system_expression(): "w1", "R33" */
    size_t columns;        /* number of expressions */
    const double *times;   /* in the direction of the run */
    size_t count;          /* number of times */
    uint64_t *bodies;      /* [count]: number of bodies included */
    double *mean;          /* [count][columns] */
    /* [count][columns][columns]: the sums divided by bodies - 1, or 0 for fewer than two. */
    double *covariance;
    /* [count][columns][bins]: values outside the range count in the first or last bin. */
    uint64_t *histogram;
    size_t bins;
    const double *low, *high; /* [columns]: range of the histogram, low < high */
} ph_reduction;

/* Runs all bodies as ph_ensemble_run() does and fills the arrays of the reduction `r`. `o` may be
 * NULL; only its go_on, ended and one_thread are used.
 *
 * Returns PH_BAD_EXPRESSION if an expression cannot be compiled; *why then has the reason and
 * *wrong the index of the expression. `why` may be NULL, and `wrong` may be NULL. Returns
 * PH_BAD_PARAMETER if the histogram has no bins or an empty range. Returns PH_NO_MEMORY if memory
 * runs out. Otherwise it returns the statuses of ph_ensemble_run(). The arrays are unchanged
 * unless the run begins. */
PH_API ph_status ph_ensemble_reduce(ph_ensemble *e, double until, const ph_reduction *r,
                                    const ph_ensemble_observer *o, ph_expression_error *why,
                                    size_t *wrong);

/* Draws n numbers from the normal distribution with mean 0 and a covariance of n rows and n
 * columns, and stores them in out. The function reads the lower triangle only. The numbers depend
 * on the covariance, the seed, the number k of the sample and the attempt alone.
 *
 * Returns PH_OK. Returns PH_BAD_PARAMETER if the covariance is not positive semidefinite up to
 * round-off. Returns PH_NO_MEMORY if memory runs out. On failure out is unchanged. */
PH_API ph_status ph_draw_normal(const double *covariance, size_t n, uint64_t seed, uint64_t k,
                                uint64_t attempt, double *out);

#ifdef __cplusplus
}
#endif

#endif
