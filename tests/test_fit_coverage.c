/* test_fit_coverage.c - a short version of slow_fit_coverage.c: states together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "support/fit_cells.h"

/* Some fits of some states, as one cell. What is determined and what is not must be told apart in all
 * but some doubtful ones. */
static void assert_pooled(int kind, const int *states, size_t count, int fits, int doubtful)
{
    cell_result all = {0};
    for (size_t k = 0; k < count; k++) {
        const cell_result r = cell_run(kind, states[k], 0, fits, false);
        all.fits += r.fits, all.failed += r.failed;
        all.one += r.one * r.bodies, all.two += r.two * r.bodies, all.bodies += r.bodies;
        all.numbers += r.numbers, all.beyond += r.beyond;
        all.claimed += r.claimed, all.missed += r.missed, all.unphysical += r.unphysical;
    }
    all.one /= all.bodies, all.two /= all.bodies;
    if (!cell_good(&all) || all.failed > 0 || all.beyond > 0.01 * all.numbers ||
        all.claimed + all.missed > doubtful)
        fail_msg(
            "%s: of %d fits %d failed, shares %.3f and %.3f, %.0f of %.0f beyond, %d claimed, %d "
            "missed, %d unphysical",
            cell_kinds[kind], all.fits, all.failed, all.one, all.two, all.beyond, all.numbers,
            all.claimed, all.missed, all.unphysical);
}

static void test_tumbling(void **state)
{
    (void)state;
    static const int states[] = {CELL_ABOUT_LARGEST, CELL_ABOUT_SMALLEST, CELL_SEPARATRIX,
                                 CELL_NEARLY_SYMMETRIC, CELL_SYMMETRIC};
    for (int kind = 0; kind < CELL_KINDS; kind++)
        assert_pooled(kind, states, kind == CELL_AXIS ? 3 : 5, 3, 0);
}

static void test_uniform(void **state)
{
    (void)state;
    static const int states[] = {CELL_SPIN_LARGEST, CELL_SPIN_SMALLEST};
    for (int kind = 0; kind < CELL_KINDS; kind++) {
        if (kind != CELL_AXIS) /* which shows nothing of such a body but its axis */
            assert_pooled(kind, states, 2, 3, 0);
    }
}

static void test_short_arcs(void **state)
{
    (void)state;
    static const int states[] = {CELL_SHORT};
    assert_pooled(CELL_RATES, states, 1, 16, 3);
}

static void test_outliers(void **state)
{
    (void)state;
    static const int states[] = {CELL_OUTLIERS};
    assert_pooled(CELL_ATTITUDE, states, 1, 10, 0);
    assert_pooled(CELL_RATES, states, 1, 10, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tumbling),
        cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_short_arcs),
        cmocka_unit_test(test_outliers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
