/* counter_random.h - random numbers each by a counter alone, so that any of them can be had in
 * any order, on any machine; in lanes (normals.c), and one pair.
 *
 * SMDS  Salmon, Moraes, Dror, Shaw, Parallel random numbers: as easy as 1, 2, 3, SC11.
 *
 * Threefry-2x64 of 20 rounds, SMDS 3.2: the counter is mixed with the key by additions, rotations
 * and exclusive or. Two uniform numbers make two normal ones (Box and Muller),
 *
 *   sqrt(-2 log u) (cos 2 pi v, sin 2 pi v),   u in (0, 1]
 */
#pragma once

#include "base/simd_log.h"
#include "base/simd_sincos.h"

PART vword rotated(vword x, unsigned by)
{
    return x << by | x >> (64 - by);
}

/* The two words of a counter of two words, x and y, in their place, for a key. */
PART void threefry(const uint64_t key[2], vword *x, vword *y)
{
    enum { INJECTIONS = 5, ROUNDS = 4 }; /* of a key, and between two of them */
    static const unsigned by[2][ROUNDS] = {{16, 42, 12, 31}, {16, 32, 24, 21}};
    const uint64_t keys[3] = {key[0], key[1], 0x1BD11BDAA9FC1A22U ^ key[0] ^ key[1]};
    *x += keys[0];
    *y += keys[1];
    for (unsigned s = 1; s <= INJECTIONS; s++) {
        for (int i = 0; i < ROUNDS; i++) {
            *x += *y;
            *y = rotated(*y, by[(s - 1) % 2][i]) ^ *x;
        }
        *x += keys[s % 3];
        *y += keys[(s + 1) % 3] + s;
    }
}

/* The first 53 bits, as a whole number: those from bit 32 on, and the others. */
PART vdouble first_bits(vword x)
{
    const vint bits = (vint)(x >> 11);
    const vdouble above = vfrom_bits((bits >> 32) | vbits(vsplat(0x1p84))),
                  below = vfrom_bits((bits & UINT32_MAX) | vbits(vsplat(0x1p52)));
    return (above - 0x1p84) + (below - 0x1p52);
}

/* Two normal numbers, of mean 0 and deviation 1, of a key and of the words x and y of a counter. */
PART void normal_lanes(const uint64_t key[2], vword x, vword y, vdouble *a, vdouble *b)
{
    vdouble n, sine, cosine;
    threefry(key, &x, &y);
    const vdouble f = log_split((first_bits(x) + 1.0) * 0x1p-53, &n),
                  r = vsqrt(-2.0 * log_of_split(f, n));
    vsincos(2.0 * PH_PI * (first_bits(y) * 0x1p-53), &sine, &cosine);
    *a = cosine * r;
    *b = sine * r;
}

/* Of n counters, whose first word they share. */
void ph_normals(const uint64_t key[2], uint64_t first, const uint64_t *second, size_t n, double *a,
                double *b);

#ifndef SIMD_VECTORS
/* One pair. */
static inline void normal_pair_of(const uint64_t key[2], const uint64_t counter[2], double out[2])
{
    normal_lanes(key, counter[0], counter[1], &out[0], &out[1]);
}

/* The same of a seed; keys with another second word are other streams. */
static inline void normal_pair(uint64_t seed, const uint64_t counter[2], double out[2])
{
    normal_pair_of((const uint64_t[]){seed, 0}, counter, out);
}
#endif
