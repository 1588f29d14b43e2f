/* simd_sincos.h - sine and cosine of a vector, without a branch.
 *
 * x = n pi/2 + r, |r| <= pi/4, pi/2 in three parts of which the first two have 33 bits, so
 * that their products with n < 2^20 are exact; then a polynomial in r^2 each, by Chebyshev
 * interpolation on that range (errors below 2e-17), and the quadrant by the last two bits
 * of n. For |x| <= SINCOS_LARGEST; beyond it, and for what is not finite, the caller takes
 * another way.
 */
#ifndef POLHODE_CORE_SIMD_SINCOS_H
#define POLHODE_CORE_SIMD_SINCOS_H

#include "core/simd.h"

#define SINCOS_LARGEST 0x1p20

static inline void simd_sincos(lanes x, lanes *sine, lanes *cosine)
{
    const lanes to_whole = splat(0x1.8p52); /* adding it rounds to a whole number */
    const lanes shifted = madd(x, splat(0.6366197723675813430755), to_whole);
    const lanes n = shifted - to_whole;
    const whole quadrant = bits_of(shifted);
    lanes r = nmadd(n, splat(0x1.921fb544p+0), x);
    r = nmadd(n, splat(0x1.0b4611a6p-34), r);
    r = nmadd(n, splat(0x1.3198a2e037073p-69), r);

    const lanes z = r * r;
    lanes S =
        madd(z, splat(1.591810123167727862064e-10), splat(-2.505113145544742713222e-8));
    S = madd(z, S, splat(2.755731610068312262403e-6));
    S = madd(z, S, splat(-1.98412698367549701942e-4));
    S = madd(z, S, splat(8.333333333330946102977e-3));
    S = madd(z, S, splat(-0.1666666666666666462109));
    const lanes s = madd(r * z, S, r);
    lanes C =
        madd(z, splat(-1.138261486943412829146e-11), splat(2.08761460247019328735e-9));
    C = madd(z, C, splat(-2.755731727056038254766e-7));
    C = madd(z, C, splat(2.480158729876343327662e-5));
    C = madd(z, C, splat(-1.388888888888739574624e-3));
    C = madd(z, C, splat(4.166666666666666538722e-2));
    const lanes half = 0.5 * z, most = 1.0 - half;
    const lanes c = most + madd(z * z, C, (1.0 - most) - half);

    const choice odd = (quadrant & 1) != 0;
    const whole sine_minus = (quadrant & 2) << 62, cosine_minus = ((quadrant + 1) & 2)
                                                                  << 62;
    *sine = of_bits(bits_of(select(odd, c, s)) ^ sine_minus);
    *cosine = of_bits(bits_of(select(odd, s, c)) ^ cosine_minus);
}

#endif
