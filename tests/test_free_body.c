/* test_free_body.c - the experiments of Celledoni et al. with free bodies: their
 * fixed-point iteration, their random bodies and errors, medians and deviations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "lab/papers/experiments.h"
#include "lab/papers/figure_table.h"
#include "motion/vec.h"

static const char *const FIXED_POINT[] = {"dmv6", "dmv8", "dmv10"};
static const char *const NEWTON[] = {"dmv6 by Newton", "dmv8 by Newton", "dmv10 by Newton"};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const ph_vec3 MOMENTS = {0.4, 0.7, 1.0};
static const ph_state START = {{1, 0, 0, 0}, {0.36, 0.48, 0.8}};

/* The same equation by another solver has the same solution. */
static void converges_to_the_library(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(FIXED_POINT); i++) {
        ph_state a = START, b = START;
        assert_true(free_run(FIXED_POINT[i], &a, MOMENTS, 0.1, 100));
        assert_true(free_run(NEWTON[i], &b, MOMENTS, 0.1, 100));
        const double round_off = 1e-14; /* of 100 steps */
        assert_true(norm_max(sub(a.m, b.m)) < round_off);
        assert_true(norm_max(sub(vec(a.q), vec(b.q))) < round_off);
    }
}

/* A thin body that turns by 1.5 rad in a step: only the library can do that, by dividing
 * it. */
static void fails_where_the_step_is_long(void **state)
{
    (void)state;
    const ph_vec3 thin = {0.03, 0.98, 1.0};
    const ph_state fast = {{1, 0, 0, 0}, {0.8, 0.36, 0.48}};
    for (size_t i = 0; i < COUNT(FIXED_POINT); i++) {
        ph_state a = fast, b = fast;
        assert_false(free_run(FIXED_POINT[i], &a, thin, 0.055, 10));
        assert_true(free_run(NEWTON[i], &b, thin, 0.055, 10));
    }
    ph_state s = fast;
    assert_false(free_run("none", &s, thin, 0.055, 1));
}

static void errors_are_of_the_attitude(void **state)
{
    (void)state;
    ph_state s = START;
    assert_true(free_run("exact", &s, MOMENTS, 2.0, 1));
    assert_true(free_error(MOMENTS, &START, 2.0, &s) < 1e-14);
    const ph_quat small = {1, 0, 0, 5e-7}; /* 1e-6 rad about the body's third axis */
    s.q = mul(s.q, small);
    const double error = free_error(MOMENTS, &START, 2.0, &s);
    assert_true(error > 0.5e-6 && error < 2e-6); /* sum of a row of 1e-6 hat(e3) */
    assert_true(fabs(free_digits(1e-6) - 6) < 1e-12);
    assert_true(free_digits(0) > 15.9 && free_digits(0) < 16.0);
    assert_true(isnan(free_digits(NAN)));
    s.q.w = NAN;
    assert_true(isnan(free_error(MOMENTS, &START, 2.0, &s)));
}

static void bodies_are_as_the_paper_has_them(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 1000; i++) {
        const ph_vec3 J = random_moments(&seed, UNIT_RANGE);
        assert_true(0 < J.x && J.x < J.y && J.y < J.z && J.z == 1.0);
        const ph_state s = random_start(&seed, UNIT_RANGE);
        assert_true(s.m.x > 0 && s.m.y > 0 && s.m.z > 0);
        assert_true(fabs(norm(s.m) - 1) < 1e-15);
    }
}

static void medians_and_deviations(void **state)
{
    (void)state;
    double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2}, bad[] = {1, NAN, 2};
    assert_true(median(odd, 3) == 3);
    assert_true(median(even, 4) == 2.5);
    assert_true(isnan(median(bad, 3)));
    assert_true(isnan(median(odd, 0)));
    double x[] = {2, 4, 4, 4, 5, 5, 7, 9};
    assert_true(deviation(x, COUNT(x)) == 2);
    assert_true(isnan(deviation(x, 0)));
    assert_true(isnan(deviation(bad, 3)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(converges_to_the_library),
        cmocka_unit_test(fails_where_the_step_is_long),
        cmocka_unit_test(errors_are_of_the_attitude),
        cmocka_unit_test(bodies_are_as_the_paper_has_them),
        cmocka_unit_test(medians_and_deviations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
