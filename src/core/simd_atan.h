/* simd_atan.h - the arctangent of a quotient of vectors, without a branch.
 *
 * atan(y/x) for |y| <= x. Beyond tan(pi/8) it is pi/4 + atan((y - x)/(y + x)), for
 * y >= 0; what is left, |t| <= tan(pi/8), is t + t^3 P(t^2), P by Chebyshev interpolation
 * on that range (error below 1e-17 relative).
 */
#pragma once

#include "core/simd.h"

static inline vdouble simd_atan(vdouble y, vdouble x)
{
    const vdouble size = vabs(y);
    const vmask beyond = size > 0.4142135623730950488017 * x;
    const vdouble t = vselect(beyond, size - x, size) / vselect(beyond, size + x, x);
    const vdouble z = t * t;
    vdouble P =
        vmadd(z, vsplat(-0.0191768871190622589893), vsplat(0.03923165829558719130283));
    P = vmadd(z, P, vsplat(-0.05085449737940259861323));
    P = vmadd(z, P, vsplat(0.05858148912802209881646));
    P = vmadd(z, P, vsplat(-0.06664511447381948000098));
    P = vmadd(z, P, vsplat(0.07692183190826086563693));
    P = vmadd(z, P, vsplat(-0.09090904578123901890479));
    P = vmadd(z, P, vsplat(0.1111111101525636172749));
    P = vmadd(z, P, vsplat(-0.1428571428466654292249));
    P = vmadd(z, P, vsplat(0.1999999999999552067782));
    P = vmadd(z, P, vsplat(-0.3333333333333333015966));
    const vdouble a = vmadd(t * z, P, t);
    return vcopysign(vselect(beyond, 0.7853981633974483096157 + a, a), y);
}
