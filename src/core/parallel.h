/* parallel.h - loops whose passes may run at the same time.
 *
 *     PARALLEL_FOR
 *     for (size_t block = 0; block < blocks; block++)
 *
 * and PARALLEL_FOR_IF(blocks > 1), where waking the threads may take longer than the work.
 * With OpenMP the passes are shared out, else they follow one another. Who is done takes
 * the next; PARALLEL_SHARES_IF instead gives each thread the same share every time, whose
 * data then stay in its cache: for passes of one length, step after step. A pass writes what
 * no other pass touches, and sums are formed afterwards in a fixed order: so the result
 * is the same bits for any number of threads. PARALLEL_ALONE before a statement: one pass
 * at a time, in no fixed order.
 *
 * Only for files that a flow or a method does not need: who calls one body's step links
 * with libc and libm alone.
 */
#pragma once

#ifdef _OPENMP
#define PARALLEL_PRAGMA(words) _Pragma(#words)
#define PARALLEL_FOR_IF(worth)                                                           \
    PARALLEL_PRAGMA(omp parallel for schedule(dynamic) if (worth))
#define PARALLEL_SHARES_IF(worth)                                                        \
    PARALLEL_PRAGMA(omp parallel for schedule(static) if (worth))
#define PARALLEL_FOR   _Pragma("omp parallel for schedule(dynamic)")
#define PARALLEL_ALONE _Pragma("omp critical")
#else
#define PARALLEL_FOR_IF(worth)
#define PARALLEL_SHARES_IF(worth)
#define PARALLEL_FOR
#define PARALLEL_ALONE
#endif
