/* turns.h - what splittings into turns share. */
#pragma once

#include "base/simd_sincos.h"
#include "motion/bodies.h"

/* Whether half the angle by which a body turns, however its momentum points, is one that
 * vsincos() can do. */
PART vmask sincos_can_all(const bodies *s)
{
#ifndef SIMD_VECTORS
    (void)s;
    return true;
#else
    const vdouble3 J = s->J;
    const vdouble hm2 = (s->h * s->h) * dot(s->m, s->m),
                  bound = SINCOS_LARGEST * vmin(J.x, vmin(J.y, J.z));
    return hm2 <= bound * bound;
#endif
}
