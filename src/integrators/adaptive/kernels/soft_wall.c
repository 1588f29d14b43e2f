/* soft_wall.c - the torque of the soft wall in vectors: src/integrators/problems/soft_wall.c has the
 * formulas. g/2 is half the third row of R. */
#include "integrators/extrapolation.h"

enum { OFFSET, WALL };

static void set_constants(const ph_problem *p, double c[LANE_CONSTANTS])
{
    c[0] = p->value[OFFSET];
    c[1] = 10.0 * p->value[WALL];
}

ALWAYS_INLINE void add_torque(const double *c, const vdouble *q, vdouble k, vdouble *m)
{
    const vdouble w = q[0], x = q[1], y = q[2], z = q[3];
    const vdouble g0 = x * z - w * y, g1 = y * z + w * x, g2 = 0.5 - (x * x + y * y);
    const vdouble r = c[0] + 2.0 * g2, over = vselect(r > 0.0, 1.0 / r, vsplat(NAN));
    const vdouble over2 = over * over, over3 = over2 * over,
                  over9 = over3 * over3 * over3;
    const vdouble slope = over2 * (c[1] * over9 - 1.0), d = (2.0 * k) * slope;
    m[0] = m[0] + d * g1;
    m[1] = m[1] - d * g0;
}

LANE_KERNELS(soft_wall)
