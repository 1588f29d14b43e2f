/* slopes.h - errors of an integrator on a problem, and the order they show; a failure of a
 * step fails the test. */
#ifndef TESTS_SUPPORT_SLOPES_H
#define TESTS_SUPPORT_SLOPES_H

#include "lab/measure/properties.h"

/* The state at the time T from the problem's start, after that many steps. */
ph_state end_after(const ph_integrator *i, const ph_problem *p, double T, uint64_t steps);

/* As ph_reference_solution, from the problem's start. */
ph_state converged_end(const ph_problem *p, double T);

/* As ph_error_after. */
double error_after(const ph_integrator *i, const ph_problem *p, double T, uint64_t steps);

/* As ph_order_slope; 0 where no order shows. */
double measured_slope(const ph_integrator *i, const ph_problem *p, double T);

#endif
