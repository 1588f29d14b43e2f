/* slow_fit_coverage.c - whether the errors of fits are right: 300 fits for each kind of observation and
 * each state of motion, by a generator of the test's own; of brightness three for each state, all as one cell.
 *
 *   slow_fit_coverage [--seed N] [--cell NAME] [--count N] [--first N] [--trace]
 *
 * --seed takes other bodies, motions and noises; 0 without it. --cell takes the cells whose name begins
 * with this, such as "attitude" or "attitude, short arc"; several programs can run different cells at the
 * same time. --count takes that many fits for each cell, and --first begins at one of them. --trace prints
 * every fit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fit_cells.h"

static const char *wanted = "";
static uint64_t first;
static int fits;
static bool trace;

/* Prints a row of the table of docs/fit.md; returns whether the cell is good. Few fits may fail, or claim
 * too much or too little: of short arcs up to a fourth, as the prediction itself depends on the body. */
static bool report(const char *name, const cell_result *r, bool short_arc)
{
    const double few = 0.1 * r->fits, doubtful = short_arc ? 0.25 * r->fits : few;
    const bool good =
        cell_good(r) && r->failed <= few && r->claimed <= doubtful && r->missed <= doubtful;
    (void)printf("| %s | %d | %d | %.0f | %.3f | %.3f | %.0f of %.0f | %d | %d | %.2f s |%s\n",
                 name, r->fits, r->failed, r->bodies, r->one, r->two, r->beyond, r->numbers,
                 r->claimed, r->missed, r->seconds, good ? "" : " bad");
    (void)fflush(stdout);
    return good;
}

/* The shares of intervals that contain the truth are right in each cell, and of the intervals of all
 * cells at most one of a thousand is off by more than six sigma. */
static void test_cells(void **state)
{
    (void)state;
    enum { LIGHT = 3, OTHERS = 300 };
    cell_result all = {0};
    int bad = 0, cells = 0;
    for (int kind = 0; kind < CELL_KINDS; kind++) {
        cell_result pooled = {0};
        for (int motion = 0; motion < CELL_STATES; motion++) {
            const bool light = kind == CELL_BRIGHTNESS;
            char name[64];
            (void)snprintf(name, sizeof name, "%s, %s", cell_kinds[kind], cell_states[motion]);
            if (strncmp(name, wanted, strlen(wanted)) != 0)
                continue;
            const int count = fits > 0 ? fits : light ? LIGHT : OTHERS;
            const cell_result r = cell_run(kind, motion, first, count, trace);
            cell_add(&all, &r);
            if (light) {
                cell_add(&pooled, &r);
                (void)report(name, &r, true);
            } else {
                bad += !report(name, &r, motion == CELL_SHORT);
            }
            cells++;
        }
        if (pooled.fits > 0)
            bad += !report(cell_kinds[kind], &pooled, false);
    }
    assert_true(cells > 0); /* the name is one of a cell */
    (void)printf("%.0f of %.0f intervals are off by more than six sigma\n", all.beyond,
                 all.numbers);
    assert_int_equal(bad, 0);
    assert_true(all.beyond <= 1e-3 * all.numbers || *wanted != '\0');
}

int main(int argc, char **argv)
{
    for (int k = 1; k < argc; k++) {
        const char *value = k + 1 < argc ? argv[k + 1] : "";
        if (strcmp(argv[k], "--trace") == 0) {
            trace = true;
            continue;
        }
        if (strcmp(argv[k], "--seed") == 0)
            first += (uint64_t)strtoull(value, NULL, 10) << 32;
        else if (strcmp(argv[k], "--first") == 0)
            first += (uint64_t)strtoull(value, NULL, 10);
        else if (strcmp(argv[k], "--cell") == 0)
            wanted = value;
        else if (strcmp(argv[k], "--count") == 0)
            fits = (int)strtol(value, NULL, 10);
        else
            return EXIT_FAILURE;
        k++;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cells)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
