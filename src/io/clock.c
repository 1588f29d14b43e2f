/* clock.c - seconds that only grow. */
#define _POSIX_C_SOURCE 200809L
#include "io/clock.h"

#include <time.h>

double clock_now(void)
{
    struct timespec t = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
