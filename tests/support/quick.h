/* quick.h - whether a test is to take little time, as mutation testing has it. */
#ifndef TESTS_SUPPORT_QUICK_H
#define TESTS_SUPPORT_QUICK_H

#include <stdbool.h>
#include <stdlib.h>

static inline bool is_quick(void)
{
    return getenv("POLHODE_QUICK") != NULL;
}

#endif
