/* simd_atan.h - the arctangent of a quotient of vectors, without a branch.
 *
 * atan(y/x) for |y| <= x. Beyond tan(pi/8) it is pi/4 + atan((y - x)/(y + x)), for
 * y >= 0; what is left, |t| <= tan(pi/8), is t + t^3 P(t^2), P by Chebyshev interpolation
 * on that range (error below 1e-17 relative).
 */
#ifndef POLHODE_CORE_SIMD_ATAN_H
#define POLHODE_CORE_SIMD_ATAN_H

#include "core/simd.h"

static inline lanes simd_atan(lanes y, lanes x)
{
    const lanes size = magnitude(y);
    const choice beyond = size > 0.4142135623730950488017 * x;
    const lanes t = select(beyond, size - x, size) / select(beyond, size + x, x);
    const lanes z = t * t;
    lanes P = madd(z, splat(-0.0191768871190622589893), splat(0.03923165829558719130283));
    P = madd(z, P, splat(-0.05085449737940259861323));
    P = madd(z, P, splat(0.05858148912802209881646));
    P = madd(z, P, splat(-0.06664511447381948000098));
    P = madd(z, P, splat(0.07692183190826086563693));
    P = madd(z, P, splat(-0.09090904578123901890479));
    P = madd(z, P, splat(0.1111111101525636172749));
    P = madd(z, P, splat(-0.1428571428466654292249));
    P = madd(z, P, splat(0.1999999999999552067782));
    P = madd(z, P, splat(-0.3333333333333333015966));
    const lanes a = madd(t * z, P, t);
    return with_sign(select(beyond, 0.7853981633974483096157 + a, a), y);
}

#endif
