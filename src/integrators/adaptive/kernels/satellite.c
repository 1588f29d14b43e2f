/* satellite.c - the torque of the gradient of gravity in vectors: src/integrators/problems/satellite.c has
 * the formulas. u/2 is half the third row of R; principal axes. */
#include "integrators/extrapolation.h"

enum { MU, RADIUS };

/* 4 k (J3 - J2) and so on. */
static void set_constants(const ph_problem *p, double c[LANE_CONSTANTS])
{
    const double radius = p->value[RADIUS],
                 k = radius > 0.0 ? 3.0 * p->value[MU] / (radius * radius * radius) : NAN;
    const ph_vec3 J = p->body.J;
    c[0] = 4.0 * k * (J.z - J.y);
    c[1] = 4.0 * k * (J.x - J.z);
    c[2] = 4.0 * k * (J.y - J.x);
}

ALWAYS_INLINE void add_torque(const double *c, const vdouble *q, vdouble k, vdouble *m)
{
    const vdouble w = q[0], x = q[1], y = q[2], z = q[3];
    const vdouble u0 = x * z - w * y, u1 = y * z + w * x, u2 = 0.5 - (x * x + y * y);
    m[0] = m[0] + (k * c[0]) * (u1 * u2);
    m[1] = m[1] + (k * c[1]) * (u2 * u0);
    m[2] = m[2] + (k * c[2]) * (u0 * u1);
}

LANE_KERNELS(satellite)
