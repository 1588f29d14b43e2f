/* well.c - the torque of the well in vectors: src/integrators/problems/well.c has the formulas.
 *
 * For a turn p = (c, v) of any length, with o = 1/(|v| |p|): d = sqrt(8) |v|^2 o, and
 * c n = c o v.
 */
#include "integrators/extrapolation.h"

enum { ALPHA, TARGET };

static const double ROOT2 = 1.414213562373095048802;

/* The target as a quaternion, and alpha. */
static void set_constants(const ph_problem *p, double c[LANE_CONSTANTS])
{
    const double *x = p->value + TARGET;
    const ph_quat target = ph_exp((ph_vec3){x[0], x[1], x[2]});
    c[0] = target.w;
    c[1] = target.x;
    c[2] = target.y;
    c[3] = target.z;
    c[4] = p->value[ALPHA];
}

ALWAYS_INLINE void add_torque(const double *c, const vdouble *q, vdouble k, vdouble *m)
{
    const vdouble w = q[0], x = q[1], y = q[2], z = q[3];
    const vdouble near2 = x * x + y * y + z * z, size2 = w * w + near2,
                  near = 1.0 / vsqrt(near2 * size2), d = (2.0 * ROOT2 * near2) * near;
    const vdouble a = c[0] * w + (c[1] * x + c[2] * y + c[3] * z), /* target^-1 q */
        e = c[0] * x - c[1] * w - (c[2] * z - c[3] * y),
                  f = c[0] * y - c[2] * w - (c[3] * x - c[1] * z),
                  g = c[0] * z - c[3] * w - (c[1] * y - c[2] * x);
    const vdouble far2 = e * e + f * f + g * g, all2 = a * a + far2,
                  far = 1.0 / vsqrt(far2 * all2), over_d2 = all2 / (8.0 * far2);
    const vdouble kn = (-2.0 * ROOT2 * k) * (d - 1.0) * (w * near),
                  kf = (-ROOT2 * k) * (c[4] * over_d2) * (a * far);
    m[0] = m[0] + (kn * x + kf * e);
    m[1] = m[1] + (kn * y + kf * f);
    m[2] = m[2] + (kn * z + kf * g);
}

LANE_KERNELS(well)
