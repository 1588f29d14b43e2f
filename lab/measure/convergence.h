/* convergence.h - the error of an integrator against a reference solution, and the order that errors
 * show. On failure a function that returns a ph_status leaves its output unchanged. */
#pragma once

#include "polhode/body.h"

/* Returns the distance of two states: the largest difference of an element of R or a component of
 * m. */
double ph_state_distance(const ph_state *a, const ph_state *b);

/* Returns the name, a static string, of an integrator that solves a problem to round-off. It is
 * `exact` without torque, and `s6_10+exact` in a field. If the torque depends on the velocity or
 * there is an internal momentum, it is `mkrk_gl6`. */
const char *ph_reference_integrator(const ph_problem *p);

/* Advances the state s from the time 0 to the time T with the reference integrator. Returns PH_OK,
 * PH_BAD_TIME if |T| exceeds 1e12 or is NaN, or the status of a step that failed. */
ph_status ph_reference_solution(const ph_problem *p, double T, ph_state *s);

/* Stores in *error the distance from the reference solution after `steps` steps of T/steps from the
 * start of the problem. Returns PH_OK, PH_TOO_FEW_STEPS if `steps` is 0, the statuses of
 * ph_reference_solution(), or the status of a step that failed. */
ph_status ph_error_after(const ph_integrator *i, const ph_problem *p, double T, uint64_t steps,
                         double *error);

/* Measures the order of an integrator from runs of length T with 4, 5, 6, 8, 10, 12, 16, ..., 256
 * steps. The order is the slope of the errors of ph_error_after() between two of these runs: the
 * two with the most steps whose errors exceed 1e-12. If the first runs fail, their steps are too
 * long for the integrator, and the function begins with the first run that ends.
 *
 * Stores the slope in *slope, NaN if there are no two such numbers. Stores the error after the
 * fewest steps in *coarsest; `coarsest` may be NULL. Returns the statuses of ph_error_after(). On
 * failure nothing is changed. */
ph_status ph_order_slope(const ph_integrator *i, const ph_problem *p, double T, double *slope,
                         double *coarsest);

/* Returns p of errors = steps^p, for a ratio of two errors and the ratio of their steps. */
double ph_power_of(double errors, double steps);

/* The order that errors show: the slope between the two smallest steps whose errors are above the
 * floor. Begins with NaN for the order and the error. */
typedef struct order_shown {
    double floor, order;
    double error; /* the last that was added */
} order_shown;

/* Adds the error of a step that is `finer` times smaller than the one before. Returns false, and
 * adds nothing, if the error is not above the floor. */
bool ph_order_add(order_shown *o, double finer, double error);
