/* extremes.h - the larger and the smaller of two numbers, and NaN if one of them is: fmax
 * and fmin lose it. */
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
