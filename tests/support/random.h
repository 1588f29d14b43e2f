/* random.h - reproducible random numbers for the tests. */
#ifndef TESTS_SUPPORT_RANDOM_H
#define TESTS_SUPPORT_RANDOM_H

#include <math.h>

#include "base/elementary.h"
#include "base/random.h"
#include "motion/vec.h"

/* Uniform in the exponent. */
static inline double log_between(uint64_t *seed, double low, double high)
{
    return ph_real_exp(between(seed, ph_real_log(low), ph_real_log(high)));
}

static inline double random_sign(uint64_t *seed)
{
    return random_bits(seed) >> 63 ? 1.0 : -1.0;
}

/* Its components are drawn one after another; C leaves the order of arguments open. */
static inline ph_vec3 random_vector(uint64_t *seed, double low, double high)
{
    double x[3];
    draw_each(seed, low, high, 3, x);
    return vec3(x[0], x[1], x[2]);
}

/* A random sign and then a size, uniform in the exponent. */
static inline double signed_log_between(uint64_t *seed, double low, double high)
{
    const double sign = random_sign(seed);
    return sign * log_between(seed, low, high);
}

#endif
