/* bench.h - races: contestants that do the same work are checked, then timed by turns.
 *
 * A group, one file of bench/groups with one descriptor named after it, checks its
 * contestants, races them and states ratios:
 *
 *     static void run(bench *b)
 *     {
 *         bench_contestant field[] = {{.name = "mr", .run = ..., .units = ...}, ...};
 *         bench_check(b, &field[0], "attitude after 100 steps", error, 1e-12);
 *         bench_race(b, "step", field, 2);
 *         bench_ratio(b, "exact_over_mr", &field[1], &field[0]);
 *     }
 *
 *     const bench_group bench_group_FILE = {.name = "FILE", .title = ..., .run = run};
 *
 * A contestant that fails a check is not timed, its ratios are null, and the benchmark
 * ends with status 1 (unless it is a peer of ours that failed).
 */
#ifndef POLHODE_BENCH_H
#define POLHODE_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_REPEATS 31
#define BENCH_NAME    100 /* longest name */

/* The benchmark as it runs. */
typedef struct bench bench;

typedef struct bench_contestant {
    const char *name;          /* as in times_ns */
    double (*run)(void *work); /* one pass; its value is there to be needed */
    void *work;
    double units;  /* steps, calls, pairs in a pass: times are for one */
    bool peer;     /* not Polhode */
    bool parallel; /* in several threads, hence timed by the clock on the wall */

    bool refused;             /* by a check */
    int passes;               /* in a turn */
    double ns[BENCH_REPEATS]; /* for one unit, in the order of the turns */
    double median, least;
    double spread; /* between the quartiles, relative to the median */
} bench_contestant;

typedef struct bench_group {
    const char *name, *title;
    void (*run)(bench *b);
} bench_group;

/* Refuses the contestant unless error <= allowed, and says what was measured; NaN is too
 * large. */
bool bench_check(bench *b, bench_contestant *c, const char *what, double error, double allowed);

/* Times the contestants that passed their checks, by turns, and prints their rows. */
void bench_race(bench *b, const char *unit, bench_contestant *field, int count);

/* The fastest of those that were timed, or NULL. */
const bench_contestant *bench_fastest(const bench_contestant *field, int count);

/* The ratio of two times, the median over the turns, in which a slow moment of the
 * machine cancels. Of two contestants of the same race. */
void bench_ratio(bench *b, const char *name, const bench_contestant *over,
                 const bench_contestant *under);

/* A ratio that was counted, or found otherwise; NaN is stored as null. */
void bench_value(bench *b, const char *name, double value);

/* A time that no race gave; and a sentence for people, printed and stored. */
void bench_time(bench *b, const char *name, double ns);
void bench_note(bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What a library calls itself, for the description of the machine. */
void bench_uses(bench *b, const char *library);

/* A contestant whose unit is so many floating-point operations, done by fused
 * multiply-adds of the widest vectors: the peak of one core. After its race, tells the
 * description of the machine what it reached. */
bench_contestant bench_peak(const char *name, double operations);
void bench_peak_told(bench *b, const bench_contestant *peak, double operations);

/* Uniform between low and high; the same sequence everywhere, from its start on when asked
 * to begin again. */
double bench_random(double low, double high);
void bench_random_again(void);

/* The time that this thread has used the processor, in nanoseconds. */
double bench_now(void);

#ifdef __cplusplus
}
#endif

#endif
