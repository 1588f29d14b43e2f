/* random.h - reproducible random numbers for the tests. */
#ifndef TESTS_SUPPORT_RANDOM_H
#define TESTS_SUPPORT_RANDOM_H

#include <math.h>

#include "base/elementary.h"
#include "base/random.h"

/* Uniform in the exponent. */
static inline double log_between(uint64_t *seed, double low, double high)
{
    return ph_real_exp(between(seed, ph_real_log(low), ph_real_log(high)));
}

static inline double random_sign(uint64_t *seed)
{
    return random_bits(seed) >> 63 ? 1.0 : -1.0;
}

#endif
