/* simd_atan.h - the arctangent of a quotient of vectors or of numbers, without a branch.
 *
 * atan(y/x) for |y| <= x. With c = 0, 1/2 or 1 next to |y|/x it is atan(c) + atan(u),
 * u = (|y| - c x)/(x + c |y|), |u| <= 1/4, whose numerator is exact. What the denominator
 * and the quotient lose in rounding is added in the end; atan(u) = u + u^3 P(u^2), P
 * interpolated where its error is smallest in atan(u) (below 5e-18 of it).
 */
#pragma once

#include "base/simd.h"

/* a b - p, where p is a b rounded: exactly, by halves of 26 bits (Dekker 1971). Not beyond
 * 2^995, nor where the result would be subnormal. */
PART vdouble product_error(vdouble a, vdouble b, vdouble p)
{
    const double split = 134217729.0; /* 2^27 + 1 */
    const vdouble sa = split * a, sb = split * b;
    const vdouble ah = sa - (sa - a), al = a - ah, bh = sb - (sb - b), bl = b - bh;
    return ((ah * bh - p) + ah * bl + al * bh) + al * bl;
}

/* A number as the sum of two. */
typedef struct vsum_of_two {
    vdouble hi, lo;
} vsum_of_two;

/* atan(u) - u for |u| <= 1/4. */
PART vdouble atan_rest(vdouble u)
{
    const vdouble z = u * u, z2 = z * z;
    const vdouble P01 = z * 0.1999999999957631370999 + -0.3333333333333251611921,
                  P23 = z * 0.1111110464251077804671 + -0.1428571421051237355477,
                  P45 = z * 7.68367506494453963512e-2 + -9.090600328613614589146e-2,
                  P67 = z * 4.605426600509780833584e-2 + -6.525241653716656363474e-2;
    return (u * z) * ((z2 * z2) * (z2 * P67 + P45) + (z2 * P23 + P01));
}

/* For 0 <= y <= x, x far from overflow and its square from underflow. */
PART vsum_of_two atan_of_quotient(vdouble y, vdouble x)
{
    const vmask half = y > 0.25 * x, one = y > 0.75 * x;
    const vdouble zero = vsplat(0.0);
    const vdouble c = vselect(one, vsplat(1.0), vselect(half, vsplat(0.5), zero));
    const vdouble base = vselect(one, vsplat(0x1.921fb54442d18p-1),
                                 vselect(half, vsplat(0x1.dac670561bb4fp-2), zero)),
                  base_rest = vselect(one, vsplat(0x1.1a62633145c07p-55),
                                      vselect(half, vsplat(0x1.a2b7f222f65e2p-56), zero));
    const vdouble cy = c * y, over = y - c * x, under = x + cy, under_rest = (x - under) + cy;
    const vdouble u = over / under, p = u * under;
    const vdouble u_rest = (((over - p) - product_error(u, under, p)) - u * under_rest) / under;
    const vdouble sum = base + u;
    return (vsum_of_two){sum, ((base - sum) + u) + (base_rest + (u_rest + atan_rest(u)))};
}

/* atan(y/x) for |y| <= x to 2 ulp. */
PART vdouble simd_atan(vdouble y, vdouble x)
{
    const vdouble size = vabs(y), zero = vsplat(0.0);
    const vmask half = size > 0.25 * x, one = size > 0.75 * x;
    const vdouble c = vselect(one, vsplat(1.0), vselect(half, vsplat(0.5), zero));
    const vdouble base = vselect(one, vsplat(0x1.921fb54442d18p-1),
                                 vselect(half, vsplat(0x1.dac670561bb4fp-2), zero));
    const vdouble u = (size - c * x) / (x + c * size);
    return vcopysign(base + (u + atan_rest(u)), y);
}
