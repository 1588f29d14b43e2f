/* extremes.h - the larger and the smaller of two numbers, and NaN if one of them is: fmax
 * and fmin lose it. What a sign decides. */
#pragma once

#include <math.h>

static inline double larger_or_nan(double a, double b)
{
    if (b <= a || isnan(a))
        return a;
    return b;
}

static inline double smaller_or_nan(double a, double b)
{
    if (b >= a || isnan(a))
        return a;
    return b;
}

/* The direction of a step: -1 backward, 1 forward and for 0 and NaN. */
static inline double sign_of(double h)
{
    if (h < 0.0)
        return -1.0;
    return 1.0;
}

/* A size to divide by: 1 in the place of 0, of negative numbers and of NaN. */
static inline double positive_or_one(double size)
{
    if (size > 0.0)
        return size;
    return 1.0;
}
