/* ordinary_units.h - whether a body is in units in which formulas are evaluated as they
 * stand. */
#pragma once

#include <stdbool.h>

#include "core/ordinary.h"
#include "core/vec.h"

/* Whether a momentum and moments are within the bounds of core/ordinary.h; not if one is NaN. */
static inline bool ordinary_units(ph_vec3 m, ph_vec3 J)
{
    const double most = norm_max(m),
                 largest = larger_or_nan(J.x, larger_or_nan(J.y, J.z)),
                 smallest = smaller_or_nan(J.x, smaller_or_nan(J.y, J.z));
    return most >= 1.0 / ORDINARY_MOMENTUM && most <= ORDINARY_MOMENTUM &&
           smallest >= 1.0 / ORDINARY_MOMENTS && largest <= ORDINARY_MOMENTS &&
           largest <= ORDINARY_RATIO * smallest;
}
