/* array.h - memory for arrays. Every size that is a product or a sum is computed here, so that none
 * wraps: a size beyond the range of size_t becomes SIZE_MAX, for which there is no memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/choice.h"

/* a + b and a b, or SIZE_MAX if that is too large. */
static inline size_t size_sum(size_t a, size_t b)
{
    if (a > SIZE_MAX - b)
        return SIZE_MAX;
    return a + b;
}

static inline size_t size_product(size_t a, size_t b)
{
    if (b > 0 && a > SIZE_MAX / b)
        return SIZE_MAX;
    return a * b;
}

/* Whether an array of so many elements can exist: it has at most PTRDIFF_MAX bytes. A caller who
 * gives a larger count has no such array. */
static inline bool array_possible(size_t count, size_t size)
{
    return size_product(count, size) <= (size_t)PTRDIFF_MAX;
}

/* Returns an array of zero bytes, or NULL if there is no memory for it. One of no elements has the
 * size of one, so that NULL always says that there is no memory. The caller calls free(). */
static inline void *array_create(size_t count, size_t size)
{
    if (array_possible(count, size))
        return calloc(larger_size(count, 1), size);
    return NULL;
}

/* Changes the number of elements as realloc() does: NULL leaves the old array as it is. */
static inline void *array_resize(void *array, size_t count, size_t size)
{
    if (array_possible(count, size) && count > 0)
        return realloc(array, count * size);
    return NULL;
}
