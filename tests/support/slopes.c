/* slopes.c - errors of an integrator on a problem, and the order they show. */
#include "support/slopes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/vec.h"
#include "support/generic.h"

double state_distance(const ph_state *a, const ph_state *b)
{
    const ph_mat3 Ra = ph_matrix(a->q), Rb = ph_matrix(b->q);
    double worst = norm_max(sub(a->m, b->m));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            worst = fmax(worst, fabs(Ra.a[i][j] - Rb.a[i][j]));
    }
    return worst;
}

ph_state end_after(const ph_integrator *i, const ph_problem *p, double T, long steps)
{
    ph_state s = problem_start(p);
    const ph_status status =
        ph_run_problem(i, p, &s, T / (double)steps, steps, NULL, NULL, NULL);
    if (status != PH_OK)
        fail_msg("%s in %ld steps: %s", p->name, steps, ph_status_text(status));
    return s;
}

ph_state converged_end(const ph_problem *p, double T)
{
    ph_integrator i = {.flow = NULL};
    assert_true(ph_integrator_named(&i, "s6_10+exact"));
    return end_after(&i, p, T, (long)ceil(64 * fabs(T)));
}

double error_after(const ph_integrator *i, const ph_problem *p, double T, long steps)
{
    const ph_state right = converged_end(p, T), s = end_after(i, p, T, steps);
    return state_distance(&s, &right);
}

double measured_slope(const ph_integrator *i, const ph_problem *p, double T)
{
    const double resolved = 1e-12;
    const ph_state right = converged_end(p, T);
    double slope = 0.0, coarse = INFINITY;
    for (long steps = 2; steps <= 256; steps *= 2) {
        const ph_state s = end_after(i, p, T, steps);
        const double fine = state_distance(&s, &right);
        if (!(fine > resolved))
            break;
        slope = log2(coarse / fine);
        coarse = fine;
    }
    return slope;
}
