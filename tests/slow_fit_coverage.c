/* slow_fit_coverage.c - whether the errors of fits are right: 300 fits for each kind of observation and
 * each state of motion, by a generator of the test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "support/fit_cells.h"

/* The shares of intervals that contain the truth are right in each cell, and of all intervals at most
 * one of a thousand is off by more than six sigma. */
static void test_cells(void **state)
{
    (void)state;
    enum { FITS = 300 };
    double numbers = 0.0, beyond = 0.0;
    int bad = 0;
    for (int kind = 0; kind < CELL_KINDS; kind++) {
        for (int motion = 0; motion < CELL_STATES; motion++) {
            const cell_result r = cell_run(kind, motion, 0, FITS, false);
            const bool good = cell_good(&r);
            (void)printf("| %s | %s | %.0f | %.3f | %.3f | %d | %d | %.2f s |%s\n",
                         cell_kinds[kind], cell_states[motion], r.bodies, r.one, r.two, r.claimed,
                         r.missed, r.seconds, good ? "" : " bad");
            numbers += r.numbers, beyond += r.beyond;
            bad += !good;
        }
    }
    (void)printf("%.0f of %.0f intervals are off by more than six sigma\n", beyond, numbers);
    assert_int_equal(bad, 0);
    assert_true(beyond <= 1e-3 * numbers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cells)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
