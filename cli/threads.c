/* threads.c - no more threads than the system grants. */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <pthread.h>
#include <stddef.h>

enum { MOST = 1024 };

/* Of OpenMP, where the library was built with it. */
extern int omp_get_max_threads(void) __attribute__((weak));
extern void omp_set_num_threads(int count) __attribute__((weak));

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

/* Lasts until all others have been started. */
static void *wait_at_gate(void *nothing)
{
    (void)pthread_mutex_lock(&gate);
    (void)pthread_mutex_unlock(&gate);
    return nothing;
}

void threads_limit(void)
{
    if (omp_get_max_threads == NULL || omp_set_num_threads == NULL)
        return;
    pthread_t thread[MOST];
    const int wanted = omp_get_max_threads();
    int started = 1; /* this one */
    (void)pthread_mutex_lock(&gate);
    while (started < wanted && started < MOST &&
           pthread_create(&thread[started], NULL, wait_at_gate, NULL) == 0)
        started++;
    (void)pthread_mutex_unlock(&gate);
    for (int i = 1; i < started; i++)
        (void)pthread_join(thread[i], NULL);
    omp_set_num_threads(started);
}
