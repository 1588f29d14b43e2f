/* sums.h - numbers as sums of two, for elementary functions: the second is what rounding lost
 * of the first (Dekker 1971). */
#pragma once

#include "base/simd_atan.h"

/* Arguments below this are their own sine, tangent and so on, to the last digit. */
FILE_CONSTANT double TINY = 0x1p-27;

typedef vsum_of_two sum2;

/* a + b for |a| >= |b|, and for any. */
static inline sum2 sum_ordered(double a, double b)
{
    const double s = a + b;
    return (sum2){s, (a - s) + b};
}

static inline sum2 sum_of(double a, double b)
{
    const double s = a + b, b_in = s - a;
    return (sum2){s, (a - (s - b_in)) + (b - b_in)};
}

static inline sum2 product_of(double a, double b)
{
    const double p = a * b;
    return (sum2){p, product_error(a, b, p)};
}

static inline sum2 plus(sum2 a, sum2 b)
{
    const sum2 s = sum_of(a.hi, b.hi);
    return sum_ordered(s.hi, s.lo + (a.lo + b.lo));
}

static inline sum2 product2(sum2 a, sum2 b)
{
    const sum2 p = product_of(a.hi, b.hi);
    return sum_ordered(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline sum2 quotient2(sum2 a, sum2 b)
{
    const double q = a.hi / b.hi;
    const sum2 p = product_of(q, b.hi);
    return sum_ordered(q, (((a.hi - p.hi) - p.lo) + (a.lo - q * b.lo)) / b.hi);
}

static inline sum2 root2(sum2 a)
{
    const double r = sqrt(a.hi);
    const sum2 p = product_of(r, r);
    return r > 0.0 ? sum_ordered(r, (((a.hi - p.hi) - p.lo) + a.lo) / (2.0 * r)) : a;
}

static inline double rounded(sum2 a)
{
    return a.hi + a.lo;
}

FILE_CONSTANT sum2 QUARTER_TURN = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
