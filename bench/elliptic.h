/* elliptic.h - the elliptic functions of several libraries, for the group `elliptic`.
 *
 * A library is a file of bench/libraries with one array of descriptors named after it, up
 * to a row without a name. */
#ifndef POLHODE_BENCH_ELLIPTIC_H
#define POLHODE_BENCH_ELLIPTIC_H

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

/* BENCH_CALLS calls. */
typedef void bench_calls(const bench_row *arguments, bench_row *results);

typedef enum bench_function {
    BENCH_RF,
    BENCH_RD,
    BENCH_RJ,
    BENCH_ELLIPTIC_K,
    BENCH_ELLIPTIC_PI_INC,
    BENCH_SNCNDN,
    BENCH_FUNCTIONS
} bench_function;

typedef struct bench_library {
    const char *name; /* "ph" is Polhode, which the others are compared with */
    const char *uses; /* the library and its version */
    bench_calls *function[BENCH_FUNCTIONS];
} bench_library;

/* Defines such calls; the statement reads a[0]... and writes r[0]... of one call. */
#define BENCH_RUN(name, statement)                                                                 \
    static void name(const bench_row *arguments, bench_row *results)                               \
    {                                                                                              \
        for (size_t call = 0; call < BENCH_CALLS; call++) {                                        \
            const double *a = arguments[call].v;                                                   \
            double *r = results[call].v;                                                           \
            statement;                                                                             \
        }                                                                                          \
    }

#ifdef __cplusplus
}
#endif

#endif
