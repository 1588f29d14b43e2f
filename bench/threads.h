/* threads.h - how many threads the library may use, where it was built with OpenMP. */
#ifndef POLHODE_BENCH_THREADS_H
#define POLHODE_BENCH_THREADS_H

#ifdef _OPENMP
#include <omp.h>
#endif

static inline void threads_use(int count)
{
#ifdef _OPENMP
    omp_set_num_threads(count);
#else
    (void)count;
#endif
}

/* Most that there can be at the same time. */
static inline int threads_there_are(void)
{
#ifdef _OPENMP
    return omp_get_num_procs();
#else
    return 1;
#endif
}

#endif
