/* arguments.h - pointers that a caller must not leave out. */
#pragma once

#ifndef __OPENCL_VERSION__ /* which has no macros of any number of arguments */
#include <stdbool.h>
#include <stddef.h>

static inline bool any_null(const void *const *pointers, size_t count)
{
    bool some = false;
    for (size_t i = 0; i < count; i++)
        some = some || pointers[i] == NULL;
    return some;
}

/* Whether any of some pointers to objects is NULL. */
#define ANY_NULL(...)                                                                              \
    any_null((const void *const[]){__VA_ARGS__},                                                   \
             sizeof((const void *const[]){__VA_ARGS__}) / sizeof(const void *))
#endif
