/* slow_adaptive.c - long times: the energy of gauss16 is a random walk of round-off, the error of gbs in a
 * weak torque grows like the time, and what a companion says of errors is true. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "integrators/adaptive_run.h"
#include "motion/vec.h"
#include "support/long_runs.h"
#include "support/random.h"
#include "system/find.h"

enum { STARTS = 10, BLOCKS = 20 };

/* The largest relative error of the energy over a time T; and the mean change over BLOCKS equal
 * parts, in units of its standard error. Changes of a random walk are independent. */
static double largest_error(const ph_problem *p, const ph_state *start, double T, double *deviation)
{
    const ph_adaptive *gauss = NULL;
    ph_adaptive_run r;
    assert_int_equal(PH_OK, ph_adaptive_named("gauss16", &gauss));
    assert_int_equal(PH_OK, ph_adaptive_prepare(&r, gauss, p, start, 0.0, 1e-15));
    ph_state s = ph_adaptive_state(&r);
    const double energy = ph_problem_energy(p, 0.0, &s);
    double worst = 0.0, at[BLOCKS + 1] = {0}, sum = 0.0, squares = 0.0;
    for (int k = 1; k <= BLOCKS; k++) {
        while (r.now.t < T * k / BLOCKS) {
            assert_int_equal(PH_OK, ph_adaptive_step(&r, T * k / BLOCKS));
            s = ph_adaptive_state(&r);
            at[k] = ph_problem_energy(p, r.now.t, &s) / energy - 1.0;
            worst = larger_or_nan(worst, fabs(at[k]));
        }
        sum += at[k] - at[k - 1];
    }
    for (int k = 1; k <= BLOCKS; k++) {
        const double from_mean = at[k] - at[k - 1] - sum / BLOCKS;
        squares += from_mean * from_mean;
    }
    *deviation = sum / BLOCKS / sqrt(squares / (BLOCKS - 1) / BLOCKS);
    return worst;
}

static void test_energy(void **state)
{
    (void)state;
    const ph_problem *p = find_problem("heavy_top");
    uint64_t seed = 5;
    int walks = 0, small = 0;
    for (int k = 0; k < STARTS; k++) {
        ph_state start = ph_problem_start(p);
        if (k > 0) {
            const ph_vec3 turn = random_vector(&seed, -0.4, 0.4);
            start.q = mul(start.q, ph_rotation_exp(turn));
            start.m = scale(between(&seed, 0.8, 1.2), start.m);
        }
        double deviation;
        const double error = largest_error(p, &start, 1e4, &deviation);
        print_message("start %d: energy to %.1e, drift %.1f standard errors\n", k, error,
                      deviation);
        walks += fabs(deviation) < 3.0;
        small += error < 1e-14;
        assert_true(error < 2e-14); /* a walk may be twice as long as others */
    }
    assert_true(walks >= 8 && small >= 8);
}

static void test_long_runs(void **state)
{
    (void)state;
    check_long_runs(20000.0);
}

static void test_claims(void **state)
{
    (void)state;
    check_claims(20000.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_energy),
                                       cmocka_unit_test(test_long_runs),
                                       cmocka_unit_test(test_claims)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
