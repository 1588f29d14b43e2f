/* simd_log.h - the natural logarithm of a vector or of one number, positive and normal:
 *
 *   x = 2^n (1 + f),   1/sqrt 2 <= 1 + f < sqrt 2
 *   log(1 + f) = f - s f + 2 s z L,   s = f/(2 + f),   z = s^2
 *
 * with s f = f^2/2 - s f^2/2, whose first term counts most and is rounded once; L is a polynomial
 * in z.
 */
#pragma once

#include "base/simd.h"

/* log 2, the first part of 42 bits, so that its products with exponents are exact. */
FILE_CONSTANT double LOG2 = 0x1.62e42fefa3800p-1, LOG2_REST = 0x1.ef35793c76730p-45;

/* f and n of x. */
PART vdouble log_split(vdouble x, vdouble *n)
{
    const double root_half = 0.7071067811865475244008;
    const vint bits = vbits(x), one_half = vbits(vsplat(0.5)), large = vbits(vsplat(0x1p52));
    const vdouble mantissa = vfrom_bits((bits & 0xfffffffffffff) | one_half),
                  exponent = vfrom_bits((bits >> 52) | large) - (0x1p52 + 1022.0);
    const vmask upper = mantissa >= root_half;
    *n = vselect(upper, exponent, exponent - 1.0);
    return vselect(upper, mantissa, 2.0 * mantissa) - 1.0;
}

/* The logarithm, by f and n. */
PART vdouble log_of_split(vdouble f, vdouble n)
{
    const vdouble s = f / (2.0 + f), z = s * s, half = 0.5 * (f * f), z2 = z * z;
    const vdouble L01 = z * 0.1999999999970604871042 + 0.3333333333333367341272,
                  L23 = z * 0.1111109924029982146877 + 0.1428571437156475572753,
                  L45 = z * 7.65694326629451876819e-2 + 9.091784977475377884916e-2;
    const vdouble L = (z2 * z2) * (z2 * 7.39889141719569595176e-2 + L45) + (z2 * L23 + L01);
    return n * LOG2 - ((half - (s * (half + 2.0 * (z * L)) + n * LOG2_REST)) - f);
}
