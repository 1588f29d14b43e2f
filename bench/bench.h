/* bench.h - races: the same calculation by several libraries, checked and then timed.
 *
 * A race draws its arguments and knows the right results; a contestant is one library's
 * way of running it. Each file of this folder but main.c holds one descriptor named after
 * it,
 *
 *     const bench_file bench_FILE = {.races = ..., .contestants = ...};
 *
 * with either or both, and the build finds it: adding a contestant is adding a row or a
 * file.
 */
#ifndef POLHODE_BENCH_H
#define POLHODE_BENCH_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_CALLS 512 /* calls in one pass */
#define BENCH_WIDTH 4   /* most arguments and most results of one call */

/* The arguments or the results of one call. */
typedef struct bench_row {
    double v[BENCH_WIDTH];
} bench_row;

typedef struct bench_race {
    const char *name;  /* as in the ratio gsl_over_ph_NAME */
    const char *title; /* one line for people */
    double tolerance;  /* of a result, relative to the largest of its call */

    /* The arguments of call number i and their right results; both come as zeros. */
    void (*draw)(size_t i, bench_row *arguments, bench_row *results);
} bench_race;

typedef struct bench_contestant {
    const char *race;
    const char *library; /* "ph" is Polhode, which the others are compared with */

    /* BENCH_CALLS calls. */
    void (*run)(const bench_row *arguments, bench_row *results);
} bench_contestant;

typedef struct bench_file {
    const bench_race *races;             /* up to one without a name, or NULL */
    const bench_contestant *contestants; /* up to one without a race, or NULL */
    const char *uses;                    /* the library and its version, or NULL */
    double pairs; /* in a call of these races: times are per pair then; 0: per call */
} bench_file;

/* Uniform between low and high, the same sequence everywhere. */
double bench_random(double low, double high);

/* Defines a contestant's run; the statement reads a[0]... and writes r[0]... of one
 * call. */
#define BENCH_RUN(name, statement)                                                       \
    static void name(const bench_row *arguments, bench_row *results)                     \
    {                                                                                    \
        for (size_t call = 0; call < BENCH_CALLS; call++) {                              \
            const double *a = arguments[call].v;                                         \
            double *r = results[call].v;                                                 \
            statement;                                                                   \
        }                                                                                \
    }

#ifdef __cplusplus
}
#endif

#endif
