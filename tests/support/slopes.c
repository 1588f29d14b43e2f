/* slopes.c - errors of an integrator on a problem, and the order they show. */
#include "support/slopes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/stepping.h"

static void assert_ok(ph_status status, const ph_problem *p)
{
    if (status != PH_OK)
        fail_msg("%s: %s", p->name, ph_status_text(status));
}

ph_state end_after(const ph_integrator *i, const ph_problem *p, double T, uint64_t steps)
{
    return after_steps(i, p, ph_problem_start(p), T / (double)steps, (uint64_t)steps);
}

ph_state converged_end(const ph_problem *p, double T)
{
    ph_state s = ph_problem_start(p);
    assert_ok(ph_reference_solution(p, T, &s), p);
    return s;
}

double error_after(const ph_integrator *i, const ph_problem *p, double T, uint64_t steps)
{
    double error = NAN;
    assert_ok(ph_error_after(i, p, T, steps, &error), p);
    return error;
}

double measured_slope(const ph_integrator *i, const ph_problem *p, double T)
{
    double slope = NAN;
    assert_ok(ph_order_slope(i, p, T, &slope, NULL), p);
    return isnan(slope) ? 0.0 : slope;
}
