/* slopes.h - errors of an integrator on a problem, and the order they show. */
#ifndef TESTS_SUPPORT_SLOPES_H
#define TESTS_SUPPORT_SLOPES_H

#include "polhode/polhode.h"

/* The largest difference of an element of R or a component of m. */
double state_distance(const ph_state *a, const ph_state *b);

/* The state at the time T from the problem's start, after that many steps; a failure
 * fails. */
ph_state end_after(const ph_integrator *i, const ph_problem *p, double T, long steps);

/* The same, converged to round-off: by the scheme s6_10 with exact drifts. */
ph_state converged_end(const ph_problem *p, double T);

/* The distance from there. */
double error_after(const ph_integrator *i, const ph_problem *p, double T, long steps);

/* The slope between the finest pair of steps, one half the other, whose errors are well
 * above round-off. */
double measured_slope(const ph_integrator *i, const ph_problem *p, double T);

#endif
