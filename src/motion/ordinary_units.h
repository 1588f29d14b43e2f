/* ordinary_units.h - whether bodies are in units in which formulas are evaluated as they
 * stand. */
#pragma once

#include "rotation/algebra.h"
#include "rotation/ordinary.h"

/* Whether a momentum and moments are within the bounds of rotation/ordinary.h; not if one is
 * NaN, nor for moments that are not positive. */
PART vmask ordinary_units(vdouble3 m, vdouble3 J)
{
    const vdouble m2 = dot(m, m), sum = J.x + J.y + J.z,
                  smallest = vmin(J.x, vmin(J.y, J.z));
    return (m2 >= 1.0 / (ORDINARY_MOMENTUM * ORDINARY_MOMENTUM)) &
           (m2 <= ORDINARY_MOMENTUM * ORDINARY_MOMENTUM) &
           (smallest >= 1.0 / ORDINARY_MOMENTS) & (sum <= ORDINARY_MOMENTS) &
           (sum <= ORDINARY_RATIO * smallest);
}
