/* reduced_angle.h - sine and cosine of a vector or of one number up to SINCOS_LARGEST, without a
 * branch, from angles less their quarter turns.
 *
 * |x| = n pi/2 + r, |r| <= pi/4, pi/2 in three parts of which the first two have 37 bits,
 * so that their products with n < 2^16 are exact; r is a sum of two numbers, since what is
 * lost in rounding it is lost to the sine. Then a polynomial in r^2 each, interpolated where
 * their errors are smallest in the sine and the cosine (below 4e-18 of them), and the
 * quadrant by the last two bits of n.
 */
#pragma once

#include "base/simd.h"

#define SINCOS_LARGEST   0x1p16
#define SINCOS_UNREDUCED 0.78 /* below pi/4 */

#ifndef SIMD_FLOAT /* which has angles up to SINCOS_UNREDUCED alone: simd_sincos.h */
/* |x| less n quarter turns: r + rest, and n in the last bits of `quadrant`. */
typedef struct reduced_angle {
    vdouble r, rest;
    vint quadrant;
} reduced_angle;

PART reduced_angle reduce_angle(vdouble x)
{
    const vdouble to_whole = vsplat(0x1.8p52); /* adding it rounds to a whole number */
    const vdouble size = vabs(x), shifted = size * 0.6366197723675813430755 + to_whole;
    const vdouble n = shifted - to_whole, first = size - n * 0x1.921fb5444p+0,
                  second = n * 0x1.68c234c4cp-39, r = first - second;
    return (reduced_angle){r, ((first - r) - second) - n * 0x1.98a2e03707345p-77, vbits(shifted)};
}

/* (sin r - r)/r^3 and (cos r - 1 + r^2/2)/r^4 by z = r^2 and its powers. */
PART vdouble sine_rest(vdouble z, vdouble z2, vdouble z4)
{
    const vdouble low = z * 8.33333333332239070595e-3 + -0.1666666666666663193579,
                  mid = z * 2.755731368535635668653e-6 + -1.984126982978917671344e-4,
                  top = z * 1.589673428026092468806e-10 + -2.505075707223972885704e-8;
    return z4 * top + (z2 * mid + low);
}

PART vdouble cosine_rest(vdouble z, vdouble z2, vdouble z4)
{
    const vdouble low = z * -1.388888888888204387177e-3 + 4.166666666666664494094e-2,
                  mid = z * -2.755731575961817377768e-7 + 2.480158729440590955875e-5,
                  top = z * -1.136924833822411964741e-11 + 2.087591182269456289511e-9;
    return z4 * top + (z2 * mid + low);
}

/* Of an angle r + rest between -pi/4 and pi/4, whose rest may be known to be 0: adding it
 * would change no bit. */
PART void sincos_small(vdouble r, vdouble rest, bool has_rest, vdouble *sine, vdouble *cosine)
{
    const vdouble z = r * r, z2 = z * z, z4 = z2 * z2, half = 0.5 * z, most = 1.0 - half;
    const vdouble S = (r * z) * sine_rest(z, z2, z4), C = z2 * cosine_rest(z, z2, z4);
    *sine = r + (has_rest ? S + most * rest : S);
    *cosine = most + (((1.0 - most) - half) + (has_rest ? C - r * rest : C));
}

/* Of an angle with the sign of x that was reduced. */
PART void sincos_reduced(vdouble x, const reduced_angle *a, vdouble *sine, vdouble *cosine)
{
    vdouble s, c;
    sincos_small(a->r, a->rest, true, &s, &c);
    const vmask odd = (a->quadrant & 1) != 0;
    *sine = vfrom_bits(vbits(vselect(odd, c, s)) ^ vbit1_to_sign(a->quadrant) ^ vsign_bit(x));
    *cosine = vfrom_bits(vbits(vselect(odd, s, c)) ^ vbit1_to_sign(a->quadrant + 1));
}

/* For |x| <= SINCOS_LARGEST. */
PART void simd_sincos(vdouble x, vdouble *sine, vdouble *cosine)
{
    const reduced_angle a = reduce_angle(x);
    sincos_reduced(x, &a, sine, cosine);
}

/* The same for |x| <= SINCOS_UNREDUCED, sooner: such an angle is reduced to itself. */
PART void sincos_unreduced(vdouble x, vdouble *sine, vdouble *cosine)
{
    vdouble s;
    sincos_small(x, vsplat(0.0), false, &s, cosine);
    *sine = vcopysign(s, x); /* of -0 too */
}

#ifndef SIMD_VECTORS
PART void sincos_of_one(double x, double *sine, double *cosine)
{
    if (fabs(x) <= SINCOS_UNREDUCED) {
        sincos_unreduced(x, sine, cosine);
    } else {
        simd_sincos(x, sine, cosine);
    }
}
#endif
#endif
