/* quick.h - whether a test is to take little time: POLHODE_QUICK is set by mutation testing and for
 * tests with a sanitizer, and is `emulated` where the program runs under emulation, some thirty times
 * slower. */
#ifndef TESTS_SUPPORT_QUICK_H
#define TESTS_SUPPORT_QUICK_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool is_quick(void)
{
    return getenv("POLHODE_QUICK") != NULL;
}

static inline bool is_emulated(void)
{
    const char *quick = getenv("POLHODE_QUICK");
    return quick != NULL && strcmp(quick, "emulated") == 0;
}

static inline bool is_sanitized(void)
{
    const char *quick = getenv("POLHODE_QUICK");
    return quick != NULL && strcmp(quick, "sanitized") == 0;
}

#endif
