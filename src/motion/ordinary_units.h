/* ordinary_units.h - the range of moments and momenta in which formulas are evaluated as they
 * stand. */
#pragma once

#include "rotation/algebra.h"

/* Momenta and moments within these bounds and their inverses: powers of them up to the
 * fourth, and quotients of these, are numbers. */
#define ORDINARY_MOMENTUM 0x1p200
#define ORDINARY_MOMENTS  0x1p200

/* The largest ratio of two moments: farther apart are those of no body, and the formulas
 * of a flow that is not exact would overflow or lose all digits. */
#define ORDINARY_RATIO 0x1p100

/* Whether momenta and moments are within these bounds; not if one is NaN, nor for moments that
 * are not positive. */
PART vmask ordinary_units(vdouble3 m, vdouble3 J)
{
    const vdouble m2 = dot(m, m), sum = J.x + J.y + J.z, smallest = vmin(J.x, vmin(J.y, J.z));
    return (m2 >= 1.0 / (ORDINARY_MOMENTUM * ORDINARY_MOMENTUM)) &
           (m2 <= ORDINARY_MOMENTUM * ORDINARY_MOMENTUM) & (smallest >= 1.0 / ORDINARY_MOMENTS) &
           (sum <= ORDINARY_MOMENTS) & (sum <= ORDINARY_RATIO * smallest);
}
