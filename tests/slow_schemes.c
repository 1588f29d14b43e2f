/* slow_schemes.c - every scheme with every flow: the order of the two together; and long
 * runs in a field, whose energy does not drift. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/vec.h"
#include "support/generic.h"
#include "support/slopes.h"

/* The order of the pair, or above where the flow's own error is not seen beside the
 * scheme's; or errors that are at round-off already. */
static void check_pair(const ph_scheme *scheme, const ph_flow *flow)
{
    const ph_integrator i = {.flow = flow, .scheme = scheme};
    const int order = ph_integrator_order(&i);
    const double slope = measured_slope(&i, &generic_problem, 1.0),
                 fine = error_after(&i, &generic_problem, 1.0, 256);
    if (!(slope > order - 0.4) && !(fine < 1e-11 && order > 6))
        fail_msg("%s+%s: order %g, not %d; error %g in 256 steps", scheme->name,
                 flow->name, slope, order, fine);
    if (!(fine < (order == 2 ? 1e-4 : 1e-7)))
        fail_msg("%s+%s: error %g in 256 steps", scheme->name, flow->name, fine);
}

static void test_every_pair(void **state)
{
    (void)state;
    size_t scheme_count, flow_count;
    const ph_scheme *const *schemes = ph_schemes(&scheme_count);
    const ph_flow *const *flows = ph_flows(&flow_count);
    for (size_t s = 0; s < scheme_count; s++) {
        for (size_t f = 0; f < flow_count; f++)
            check_pair(schemes[s], flows[f]);
    }
}

/* The least-squares slope of the energy's error in time, and the largest error. */
typedef struct trend {
    const ph_problem *p;
    double start, worst;
    double n, t, tt, e, te;
} trend;

static bool watch(void *context, long step, double t, const ph_state *s)
{
    trend *d = context;
    const double now = ph_problem_energy(d->p, s);
    if (step == 0)
        d->start = now;
    const double error = now - d->start;
    d->worst = fmax(d->worst, fabs(error));
    d->n += 1, d->t += t, d->tt += t * t, d->e += error, d->te += t * error;
    return true;
}

static trend energy_trend(const char *name, const char *problem, double h, long steps)
{
    ph_integrator i = {.flow = NULL};
    trend d = {.p = ph_problem_named(problem)};
    assert_true(ph_integrator_named(&i, name));
    ph_state s = problem_start(d.p);
    assert_int_equal(PH_OK, ph_run_problem(&i, d.p, &s, h, steps, watch, &d, NULL));
    return d;
}

static double slope_of(const trend *d)
{
    return (d->n * d->te - d->t * d->e) / (d->n * d->tt - d->t * d->t);
}

/* The well over [0, 10^4]: O11 figure 4.1. */
static void test_no_drift(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"verlet+exact", "verlet+mr", "verlet+dmv2"};
    for (size_t n = 0; n < sizeof NAMES / sizeof NAMES[0]; n++) {
        const trend fine = energy_trend(NAMES[n], "well", 0.125, 80000),
                    coarse = energy_trend(NAMES[n], "well", 0.25, 40000);
        print_message("%-13s slope %.1e, %.1e, error %.2e, %.2e\n", NAMES[n],
                      slope_of(&fine), slope_of(&coarse), fine.worst, coarse.worst);
        assert_true(fabs(fine.start - 0.670245380281135) < 1e-14);
        assert_true(fabs(slope_of(&fine)) < 1e-10 && fabs(slope_of(&coarse)) < 1e-9);
        assert_true(fine.worst < 1.6e-3 && coarse.worst < 6.4e-3);
    }
}

/* The soft wall at h = 0.5, 40000 steps: K06 figure 5 has bounded errors for the printed
 * torque. */
static void test_soft_wall(void **state)
{
    (void)state;
    const trend d = energy_trend("verlet+mr", "soft_wall", 0.5, 40000);
    print_message("soft wall, verlet+mr: error of H/H0 %.3f\n", d.worst / d.start);
    assert_true(d.worst / d.start < 0.05);
}

/* 10^6 steps of order 6: what is left is round-off. */
static void test_roundoff(void **state)
{
    (void)state;
    const trend d = energy_trend("srkn6_14a+exact", "heavy_top", 0.01, 1000000);
    print_message("10^6 steps of srkn6_14a+exact: energy to %.1e\n", d.worst);
    assert_true(d.worst < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_pair),
        cmocka_unit_test(test_no_drift),
        cmocka_unit_test(test_soft_wall),
        cmocka_unit_test(test_roundoff),
    };
    return cmocka_run_group_tests_name("schemes", tests, NULL, NULL);
}
