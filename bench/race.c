/* race.c - times contestants by turns.
 *
 * Each turn is a pass or more, two milliseconds or more; BENCH_REPEATS turns of each,
 * the order rotating, so that a slow moment of the machine hits all alike. What counts is
 * the processor's time of the thread, in which other programs show only by the caches they
 * fill; the clock on the wall where threads work together.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/extremes.h"
#include "race.h"

#define SHORTEST_NS     2e6 /* of one turn */
#define NANOS_IN_SECOND 1e9
#define MOST_PASSES     1e6

static volatile double sink;

static uint64_t random_state;

void bench_random_again(void)
{
    random_state = 1;
}

double bench_random(double low, double high)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u; /* MMIX */
    return low + (high - low) * (double)(random_state >> 11) * 0x1p-53;
}

static double clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * NANOS_IN_SECOND + (double)t.tv_nsec;
}

double bench_now(void)
{
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* The time of so many passes, for one unit. */
static double turn(const bench_contestant *c, int passes)
{
    const clockid_t clock = c->parallel ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
    const double start = clock_ns(clock);
    for (int i = 0; i < passes; i++)
        sink = sink + c->run(c->work);
    return (clock_ns(clock) - start) / (passes * c->units);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double race_quantile(const double *values, double fraction)
{
    double sorted[BENCH_REPEATS];
    memcpy(sorted, values, sizeof sorted);
    qsort(sorted, BENCH_REPEATS, sizeof *sorted, ascending);
    return sorted[(int)lrint(fraction * (BENCH_REPEATS - 1))];
}

double race_spread(const double *values)
{
    return (race_quantile(values, 0.75) - race_quantile(values, 0.25)) / race_quantile(values, 0.5);
}

void race_run(bench_contestant *field, int count)
{
    for (int i = 0; i < count; i++) {
        bench_contestant *c = &field[i];
        if (c->refused)
            continue;
        (void)turn(c, 1); /* warms the caches */
        c->passes = 1 + (int)smaller_or_nan(SHORTEST_NS / (c->units * turn(c, 1)), MOST_PASSES);
    }
    for (int repeat = 0; repeat < BENCH_REPEATS; repeat++) {
        for (int i = 0; i < count; i++) {
            bench_contestant *c = &field[(repeat + i) % count];
            if (!c->refused)
                c->ns[repeat] = turn(c, c->passes);
        }
    }
    for (int i = 0; i < count; i++) {
        bench_contestant *c = &field[i];
        c->median = race_quantile(c->ns, 0.5);
        c->least = race_quantile(c->ns, 0.0);
        c->spread = race_spread(c->ns);
    }
}

const bench_contestant *bench_fastest(const bench_contestant *field, int count)
{
    const bench_contestant *best = NULL;
    for (int i = 0; i < count; i++) {
        if (!field[i].refused && (best == NULL || field[i].median < best->median))
            best = &field[i];
    }
    return best;
}
