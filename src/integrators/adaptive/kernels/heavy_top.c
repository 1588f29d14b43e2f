/* heavy_top.c - the torque of a top in vectors: src/integrators/problems/heavy_top.c has the formulas.
 *
 * With g/2 = u/2 + w u x v + v x (v x u), q = (w, v), and C = 2 s c:  torque = g/2 x C.
 */
#include "integrators/extrapolation.h"

enum { STRENGTH, UP, CENTRE = UP + 3 };

/* C, u, and whether u is e3. */
static void set_constants(const ph_problem *p, double c[LANE_CONSTANTS])
{
    const double *up = p->value + UP;
    for (int i = 0; i < 3; i++) {
        c[i] = 2.0 * p->value[STRENGTH] * p->value[CENTRE + i];
        c[3 + i] = up[i];
    }
    c[6] = up[0] == 0.0 && up[1] == 0.0 && up[2] == 1.0;
}

ALWAYS_INLINE void add_torque(const double *c, const vdouble *q, vdouble k, vdouble *m)
{
    const vdouble w = q[0], x = q[1], y = q[2], z = q[3];
    vdouble g[3] = {x * z - w * y, y * z + w * x, 0.5 - (x * x + y * y)};
    if (c[6] == 0.0) {
        const vdouble a = y * c[5] - z * c[4], b = z * c[3] - x * c[5],
                      d = x * c[4] - y * c[3]; /* v x u */
        g[0] = (0.5 * c[3] - w * a) + (y * d - z * b);
        g[1] = (0.5 * c[4] - w * b) + (z * a - x * d);
        g[2] = (0.5 * c[5] - w * d) + (x * b - y * a);
    }
    m[0] = m[0] + ((k * c[2]) * g[1] - (k * c[1]) * g[2]);
    m[1] = m[1] + ((k * c[0]) * g[2] - (k * c[2]) * g[0]);
    m[2] = m[2] + ((k * c[1]) * g[0] - (k * c[0]) * g[1]);
}

LANE_KERNELS(heavy_top)
