/* ordinary_units.h - the range of moments and momenta in which formulas are evaluated as they
 * stand. */
#pragma once

#include "motion/algebra.h"

/* Momenta and moments within these bounds and their inverses: powers of them up to the
 * fourth, and quotients of these, are numbers. */
#ifdef SIMD_FLOAT /* squares alone */
#define ORDINARY_MOMENTUM 0x1p30
#define ORDINARY_MOMENTS  0x1p30
#define ORDINARY_RATIO    0x1p15
#else
#define ORDINARY_MOMENTUM 0x1p200
#define ORDINARY_MOMENTS  0x1p200

/* The largest ratio of two moments: farther apart are those of no body, and the formulas
 * of a flow that is not exact would overflow or lose all digits. */
#define ORDINARY_RATIO    0x1p100
#endif

/* Whether momenta and moments are within these bounds; not if one is NaN, nor for moments that
 * are not positive. */
PART vmask ordinary_units(vdouble3 m, vdouble3 J)
{
    const vdouble m2 = dot(m, m), sum = J.x + J.y + J.z, smallest = vmin(J.x, vmin(J.y, J.z));
    const vdouble least = vsplat(1.0 / (ORDINARY_MOMENTUM * ORDINARY_MOMENTUM)),
                  most = vsplat(ORDINARY_MOMENTUM * ORDINARY_MOMENTUM),
                  least_moment = vsplat(1.0 / ORDINARY_MOMENTS);
    return (m2 >= least) & (m2 <= most) & (smallest >= least_moment) & (sum <= ORDINARY_MOMENTS) &
           (sum <= ORDINARY_RATIO * smallest);
}
