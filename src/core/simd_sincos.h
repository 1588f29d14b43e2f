/* simd_sincos.h - sine and cosine of a vector, without a branch.
 *
 * x = n pi/2 + r, |r| <= pi/4, pi/2 in three parts of which the first two have 33 bits, so
 * that their products with n < 2^20 are exact; then a polynomial in r^2 each, by Chebyshev
 * interpolation on that range (errors below 2e-17), and the quadrant by the last two bits
 * of n. For |x| <= SINCOS_LARGEST; beyond it, and for what is not finite, the caller takes
 * another way.
 */
#pragma once

#include "core/simd.h"

#define SINCOS_LARGEST 0x1p20

static inline void simd_sincos(vdouble x, vdouble *sine, vdouble *cosine)
{
    const vdouble to_whole = vsplat(0x1.8p52); /* adding it rounds to a whole number */
    const vdouble shifted = vmadd(x, vsplat(0.6366197723675813430755), to_whole);
    const vdouble n = shifted - to_whole;
    const vint quadrant = vbits(shifted);
    vdouble r = vnmadd(n, vsplat(0x1.921fb544p+0), x);
    r = vnmadd(n, vsplat(0x1.0b4611a6p-34), r);
    r = vnmadd(n, vsplat(0x1.3198a2e037073p-69), r);

    const vdouble z = r * r;
    vdouble S = vmadd(z, vsplat(1.591810123167727862064e-10),
                      vsplat(-2.505113145544742713222e-8));
    S = vmadd(z, S, vsplat(2.755731610068312262403e-6));
    S = vmadd(z, S, vsplat(-1.98412698367549701942e-4));
    S = vmadd(z, S, vsplat(8.333333333330946102977e-3));
    S = vmadd(z, S, vsplat(-0.1666666666666666462109));
    const vdouble s = vmadd(r * z, S, r);
    vdouble C =
        vmadd(z, vsplat(-1.138261486943412829146e-11), vsplat(2.08761460247019328735e-9));
    C = vmadd(z, C, vsplat(-2.755731727056038254766e-7));
    C = vmadd(z, C, vsplat(2.480158729876343327662e-5));
    C = vmadd(z, C, vsplat(-1.388888888888739574624e-3));
    C = vmadd(z, C, vsplat(4.166666666666666538722e-2));
    const vdouble half = 0.5 * z, most = 1.0 - half;
    const vdouble c = most + vmadd(z * z, C, (1.0 - most) - half);

    const vmask odd = (quadrant & 1) != 0;
    const vint sine_minus = (quadrant & 2) << 62, cosine_minus = ((quadrant + 1) & 2)
                                                                 << 62;
    *sine = vfrom_bits(vbits(vselect(odd, c, s)) ^ sine_minus);
    *cosine = vfrom_bits(vbits(vselect(odd, s, c)) ^ cosine_minus);
}
