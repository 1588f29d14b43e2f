/* counter_random.h - random numbers each by a counter alone, so that any of them can be had in
 * any order, on any machine.
 *
 * SMDS  Salmon, Moraes, Dror, Shaw, Parallel random numbers: as easy as 1, 2, 3, SC11.
 *
 * Threefry-2x64 of 20 rounds, SMDS 3.2: the counter is mixed with the key by additions, rotations
 * and exclusive or. Two uniform numbers make two normal ones (Box and Muller),
 *
 *   sqrt(-2 log u) (cos 2 pi v, sin 2 pi v),   u in (0, 1]
 */
#pragma once

#include <math.h>
#include <stdint.h>

#include "base/elementary.h"

static inline uint64_t rotated(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

/* The two words of a counter of two words, for a key. */
static inline void threefry(const uint64_t key[2], const uint64_t counter[2],
                            uint64_t out[2])
{
    enum { ROUNDS = 20, CYCLE = 8, INJECTION = 4 };
    static const unsigned by[CYCLE] = {16, 42, 12, 31, 16, 32, 24, 21};
    const uint64_t keys[3] = {key[0], key[1], 0x1BD11BDAA9FC1A22U ^ key[0] ^ key[1]};
    uint64_t x = counter[0] + keys[0], y = counter[1] + keys[1];
    for (unsigned i = 0; i < ROUNDS; i++) {
        x += y;
        y = rotated(y, by[i % CYCLE]) ^ x;
        if (i % INJECTION == INJECTION - 1) {
            const unsigned s = i / INJECTION + 1;
            x += keys[s % 3];
            y += keys[(s + 1) % 3] + s;
        }
    }
    out[0] = x;
    out[1] = y;
}

/* Two normal numbers, of mean 0 and deviation 1, of a key and a counter. */
static inline void normal_pair_of(const uint64_t key[2], const uint64_t counter[2],
                                  double out[2])
{
    uint64_t x[2];
    threefry(key, counter, x);
    const double u = ((double)(x[0] >> 11) + 1.0) * 0x1p-53,
                 v = (double)(x[1] >> 11) * 0x1p-53, r = sqrt(-2.0 * ph_real_log(u));
    ph_sincos(2.0 * PH_PI * v, &out[1], &out[0]);
    out[0] *= r;
    out[1] *= r;
}

/* The same of a seed; keys with another second word are other streams. */
static inline void normal_pair(uint64_t seed, const uint64_t counter[2], double out[2])
{
    normal_pair_of((const uint64_t[]){seed, 0}, counter, out);
}
