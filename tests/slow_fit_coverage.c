/* slow_fit_coverage.c - whether the errors of fits are right: 300 fits for each kind of observation and
 * each state of motion, by a generator of the test's own; of brightness three for each state, all as one cell.
 *
 *   slow_fit_coverage [--seed N] [--cell NAME] [--count N] [--first N] [--jobs N] [--trace]
 *
 * --seed takes other bodies, motions and noises; 0 without it. --cell takes the cells whose name begins
 * with this, such as "attitude" or "attitude, short arc". --count takes that many fits for each cell, and
 * --first begins at one of them. --jobs says how many processes fit at the same time: without it, one for
 * each processor. --trace prints every fit. */
#define _DEFAULT_SOURCE /* mmap without a file */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/fit_cells.h"

static const char *wanted = "";
static uint64_t first;
static int fits, jobs;
static bool trace;

enum { LIGHT = 3, OTHERS = 300, CELLS = CELL_KINDS * CELL_STATES };

/* What the processes share: which fit of which cell is the next one, and the results. */
typedef struct board {
    _Atomic int next, done[CELLS];
    cell_result result[]; /* of each fit of each cell */
} board;

static void name_of(int cell, char name[64])
{
    (void)snprintf(name, 64, "%s, %s", cell_kinds[cell / CELL_STATES],
                   cell_states[cell % CELL_STATES]);
}

/* How many fits are made for a cell: none if its name does not begin as the user wants. */
static int count_of(int cell)
{
    char name[64];
    name_of(cell, name);
    if (strncmp(name, wanted, strlen(wanted)) != 0)
        return 0;
    return fits > 0 ? fits : cell / CELL_STATES == CELL_BRIGHTNESS ? LIGHT : OTHERS;
}

/* Makes the next fit until all are made. */
static void work(board *b)
{
    int begin = 0, cell = 0;
    for (int n; cell < CELLS;) {
        for (n = b->next++; cell < CELLS && n >= begin + count_of(cell); cell++)
            begin += count_of(cell);
        if (cell < CELLS) {
            b->result[n] = cell_run(cell / CELL_STATES, cell % CELL_STATES,
                                    first + (uint64_t)(n - begin), 1, trace);
            b->done[cell]++;
        }
    }
}

/* Waits until all fits of a cell are made. Returns whether they are: a process that stopped made none. */
static bool wait_for(board *b, int cell)
{
    const struct timespec moment = {.tv_nsec = 50000000};
    int status = 0;
    bool well = true;
    while (b->done[cell] < count_of(cell) && well) {
        (void)nanosleep(&moment, NULL);
        while (waitpid(-1, &status, WNOHANG) > 0)
            well = well && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
    }
    return well;
}

/* Prints the numbers of a cell of the tables of docs/fit.md; returns whether the cell is good. Few fits may fail, or claim
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
    int most = 0, bad = 0;
    for (int cell = 0; cell < CELLS; cell++)
        most += count_of(cell);
    assert_true(most > 0); /* the name is one of a cell */
    board *b = mmap(NULL, sizeof *b + (size_t)most * sizeof b->result[0], PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(b, MAP_FAILED);
    (void)fflush(stdout);
    for (long k = 0; k < (jobs > 0 ? jobs : sysconf(_SC_NPROCESSORS_ONLN)); k++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            work(b);
            (void)fflush(stdout);
            _exit(EXIT_SUCCESS);
        }
    }
    cell_result all = {0}, pooled = {0};
    const cell_result *next = b->result;
    for (int cell = 0; cell < CELLS; cell++) {
        if (count_of(cell) == 0)
            continue;
        assert_true(wait_for(b, cell));
        cell_result r = *next++;
        for (int n = 1; n < count_of(cell); n++)
            cell_add(&r, next++);
        cell_add(&all, &r);
        char name[64];
        name_of(cell, name);
        if (cell / CELL_STATES == CELL_BRIGHTNESS) {
            cell_add(&pooled, &r);
            (void)report(name, &r, true);
        } else {
            bad += !report(name, &r, cell % CELL_STATES == CELL_SHORT);
        }
    }
    if (pooled.fits > 0)
        bad += !report(cell_kinds[CELL_BRIGHTNESS], &pooled, false);
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
        else if (strcmp(argv[k], "--jobs") == 0)
            jobs = (int)strtol(value, NULL, 10);
        else
            return EXIT_FAILURE;
        k++;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cells)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
