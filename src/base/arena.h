/* arena.h - one block of memory for many arrays. */
#pragma once

#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/isa.h"

/* A bump allocator. If `base` is NULL it only sums the sizes. */
typedef struct arena {
    char *base;
    size_t used;
} arena;

/* An array of zeros that begins with a line of the cache. */
static inline void *arena_take(arena *a, size_t count, size_t size)
{
    void *part = a->base ? a->base + a->used : NULL;
    const size_t lines = size_sum(size_product(count, size), CACHE_LINE - 1) / CACHE_LINE;
    a->used = size_sum(a->used, size_product(lines, CACHE_LINE));
    return part;
}

/* Calls lay_out() twice: to measure the arrays, and to set the pointers of `owner` to them. Returns
 * the block of zeros, which the caller frees with free(), or NULL if there is no memory. */
static inline void *arena_block(void (*lay_out)(arena *a, void *owner), void *owner)
{
    arena a = {NULL, 0};
    lay_out(&a, owner);
    char *block = array_create(size_sum(a.used, CACHE_LINE), 1);
    if (block == NULL)
        return NULL;
    a = (arena){block + CACHE_LINE - (uintptr_t)block % CACHE_LINE, 0};
    lay_out(&a, owner);
    return block;
}
