/* slow_fit.c - fits without a first guess: 1000 random tumblers, ten light curves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "motion/vec.h"
#include "polhode/batch.h"
#include "support/fit_cases.h"
#include "support/page.h"

static void test_coverage(void **state)
{
    (void)state;
    const fit_coverage c = fit_cases_cover(1000);
    const double errors = 4.0; /* of counting */
    assert_true(c.failed < 10);
    assert_true(fabs(c.one - 0.6827) < errors * sqrt(0.6827 * 0.3173 / c.numbers));
    assert_true(fabs(c.two - 0.95) < errors * sqrt(0.95 * 0.05 / c.numbers));
    page_says("fit.md", "%d of 1000 fits fail", c.failed);
    page_says("fit.md", "%.3f and %.3f of the parameters", c.one, c.two);
}

/* The time is that of one thread. */
static void test_light_curves(void **state)
{
    (void)state;
    int found = 0;
    double seconds, all = 0.0;
    ph_set_threads(1);
    for (uint64_t k = 0; k < 10; k++) {
        found += fit_light_curve(k, &seconds);
        all += seconds;
    }
    (void)printf("%d of 10 light curves, %.1f s each\n", found, all / 10.0);
    ph_set_threads(0);
    assert_true(found >= 9);
    page_says("fit.md", "%d of 10 light curves", found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_light_curves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
