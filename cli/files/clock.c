/* clock.c - seconds that only grow. */
#define _POSIX_C_SOURCE 200809L
#include "cli/files/clock.h"

#include <time.h>

static double seconds_of(clockid_t id)
{
    struct timespec t = {0};
    (void)clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double clock_now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double clock_work(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

double clock_thread(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}
