/* slow_schemes.c - every scheme with every flow: the order of the two together; and long
 * runs in a field, whose energy does not drift. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "motion/vec.h"
#include "support/generic.h"
#include "support/slopes.h"
#include "system/find.h"

/* The order of the pair, or above where the flow's own error is not seen beside the
 * scheme's; or errors that are at round-off already. */
static void check_pair(const ph_scheme *scheme, const ph_flow *flow)
{
    const ph_integrator i = {.flow = flow, .scheme = scheme};
    const int order = ph_integrator_order(&i);
    const double slope = measured_slope(&i, &ph_problem_generic, 1.0),
                 fine = error_after(&i, &ph_problem_generic, 1.0, 256);
    if (!(slope > order - 0.4) && !(fine < 1e-11 && order > 6))
        fail_msg("%s+%s: order %g, not %d; error %g in 256 steps", scheme->name, flow->name, slope,
                 order, fine);
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

static ph_trend energy_trend(const char *name, const char *problem, double h, uint64_t steps)
{
    ph_integrator i = {.flow = NULL};
    ph_trend d;
    assert_int_equal(PH_OK, ph_integrator_named(name, &i));
    assert_int_equal(PH_OK, ph_energy_trend(&i, find_problem(problem), h, steps, &d));
    return d;
}

/* The well over [0, 10^4]: O11 figure 4.1. */
static void test_no_drift(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"verlet+exact", "verlet+mr", "verlet+dmv2"};
    for (size_t n = 0; n < sizeof NAMES / sizeof NAMES[0]; n++) {
        const ph_trend fine = energy_trend(NAMES[n], "well", 0.125, 80000),
                       coarse = energy_trend(NAMES[n], "well", 0.25, 40000);
        print_message("%-13s slope %.1e, %.1e, error %.2e, %.2e\n", NAMES[n], fine.slope,
                      coarse.slope, fine.max_error, coarse.max_error);
        assert_true(fabs(fine.initial - 0.670245380281135) < 1e-14);
        assert_true(fabs(fine.slope) < 1e-10 && fabs(coarse.slope) < 1e-9);
        assert_true(fine.max_error < 1.6e-3 && coarse.max_error < 6.4e-3);
    }
}

/* The soft wall at h = 0.5, 40000 steps: K06 figure 5 has bounded errors for the printed
 * torque. */
static void test_soft_wall(void **state)
{
    (void)state;
    const ph_trend d = energy_trend("verlet+mr", "soft_wall", 0.5, 40000);
    print_message("soft wall, verlet+mr: error of H/H0 %.3f\n", d.max_error / d.initial);
    assert_true(d.max_error / d.initial < 0.05);
}

/* 10^6 steps of order 6: what is left is round-off. */
static void test_roundoff(void **state)
{
    (void)state;
    const ph_trend d = energy_trend("srkn6_14a+exact", "heavy_top", 0.01, 1000000);
    print_message("10^6 steps of srkn6_14a+exact: energy to %.1e\n", d.max_error);
    assert_true(d.max_error < 1e-9);
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
