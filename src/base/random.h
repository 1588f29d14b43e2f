/* random.h - reproducible random numbers: splitmix64, u = (x >> 11) 2^-53. */
#pragma once

#include <stdint.h>

static inline uint64_t random_bits(uint64_t *seed)
{
    uint64_t z = (*seed += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

/* Uniform in [0, 1). */
static inline double uniform(uint64_t *seed)
{
    return (double)(random_bits(seed) >> 11) * 0x1p-53;
}

static inline double between(uint64_t *seed, double low, double high)
{
    return low + (high - low) * uniform(seed);
}

/* Draws n numbers, the first one first. C leaves open in which order the arguments of a call,
 * the operands of an operator and the members of an initialiser are evaluated: never draw
 * twice in one of them. */
static inline void draw_each(uint64_t *seed, double low, double high, int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = between(seed, low, high);
}
