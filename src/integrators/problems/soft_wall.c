/* soft_wall.c - a pinned body in a Coulomb potential with a soft wall.
 *
 * K06  Krysl, Dynamically equivalent implicit algorithms, 2006, section 5.4.
 *
 * With r = offset + R33, g = R^T e3 and n = g x e3, and a dash for d/dr:
 *
 *   K06 5.4   U = 1/r - wall r^-10
 *             U' = -r^-2 + 10 wall r^-11,  U'' = 2 r^-3 - 110 wall r^-12
 *             torque = U' n
 *             derivative = U' ( g3 1 - g e3^T ) - U'' n n^T
 *
 * The torque is the printed one, in the body frame. It repels as charges do and attracts
 * at the core; the words of the paper, "attractive Coulombic potential" and "repulsive"
 * wall, are the opposite of its formula. With the opposite sign the paper's figures are
 * not obtained.
 *
 * Defined for r > 0: everywhere if offset > 1.
 *
 * In vectors g/2 is half the third row of R.
 */
#include "polhode/body.h"

enum { OFFSET, WALL };

#ifdef SIMD_VECTORS /* the torque in vectors */
#include "integrators/extrapolation.h"
#include "integrators/tangent_kernels.h"

static void set_constants(const ph_problem *p, double c[LANE_CONSTANTS])
{
    c[0] = p->value[OFFSET];
    c[1] = 10.0 * p->value[WALL];
}

PART void add_torque(const double *c, const vdouble *q, vdouble k, vdouble *m)
{
    const vdouble w = q[0], x = q[1], y = q[2], z = q[3];
    const vdouble g0 = x * z - w * y, g1 = y * z + w * x, g2 = 0.5 - (x * x + y * y);
    const vdouble r = c[0] + 2.0 * g2, over = vselect(r > 0.0, 1.0 / r, vsplat(NAN));
    const vdouble over2 = over * over, over3 = over2 * over, over9 = over3 * over3 * over3;
    const vdouble slope = over2 * (c[1] * over9 - 1.0), d = (2.0 * k) * slope;
    m[0] = m[0] + d * g1;
    m[1] = m[1] - d * g0;
}

LANE_KERNELS(soft_wall)

EACH_KERNEL(soft_wall)
{
    for (int r = 0; r < PH_LANES; r += LANES) {
        vdouble3 column[3];
        matrix_columns(lane_quaternion(&at->q[0][r]), column);
        const vdouble distance = vload(&p->value[OFFSET][r]) + column[2].z,
                      x = vselect(distance > 0.0, 1.0 / distance, vsplat(NAN)), x3 = x * x * x,
                      slope = x * x * (10.0 * (vload(&p->value[WALL][r]) * (x3 * x3 * x3)) - 1.0);
        store_vector(&at->torque[0][r], scale(slope, vec3(column[1].z, -column[0].z, vsplat(0.0))));
    }
}

SLOPES_KERNEL(soft_wall)
{
    const double *value = x->p->value;
    const vdouble zero = vsplat(0.0);
    const vdouble3 none = vec3(zero, zero, zero);
    torque_slopes *to = &x->slopes;
    for (int r = 0; r < x->count; r += LANES) {
        vdouble3 column[3];
        const vdouble4 q = {vload(&x->q[0][r]), vload(&x->q[1][r]), vload(&x->q[2][r]),
                            vload(&x->q[3][r])};
        matrix_columns(q, column);
        const vdouble3 g = vec3(column[0].z, column[1].z, column[2].z), n = vec3(g.y, -g.x, zero);
        const vdouble distance = value[OFFSET] + g.z,
                      over = vselect(distance > 0.0, 1.0 / distance, vsplat(NAN)),
                      over2 = over * over, over3 = over2 * over, over9 = over3 * over3 * over3,
                      d1 = over2 * (10.0 * value[WALL] * over9 - 1.0),
                      d2 = over3 * (2.0 - 110.0 * value[WALL] * over9);
        const vdouble3 bent = scale(d2, n);
        store_point_vector(&to->attitude[0], r,
                           vec3(d1 * g.z - bent.x * n.x, -bent.x * n.y, -d1 * g.x));
        store_point_vector(&to->attitude[3], r,
                           vec3(-bent.y * n.x, d1 * g.z - bent.y * n.y, -d1 * g.y));
        store_point_vector(&to->attitude[6], r, none);
        if (x->wanted & PH_DERIVATIVES_PARAMETERS) {
            store_point_vector(to->value[OFFSET], r, bent);
            store_point_vector(to->value[WALL], r, scale(10.0 * (over2 * over9), n));
        }
    }
}

#else /* of one body */
#include "motion/vec.h"

/* 1/r, or NaN outside the domain */
static double inverse_distance(const ph_problem *p, ph_mat3 R)
{
    const double r = p->value[OFFSET] + R.a[2][2];
    if (r > 0.0)
        return 1.0 / r;
    return NAN;
}

/* wall x^9 */
static double wall9(const ph_problem *p, double x)
{
    const double x3 = x * x * x;
    return p->value[WALL] * (x3 * x3 * x3);
}

static double potential(const ph_problem *p, const ph_instant *now)
{
    const double x = inverse_distance(p, now->R);
    return x * (1.0 - wall9(p, x));
}

/* U' and U'' at r = 1/x */
static double slope(const ph_problem *p, double x)
{
    return x * x * (10.0 * wall9(p, x) - 1.0);
}

static double curvature(const ph_problem *p, double x)
{
    return x * x * x * (2.0 - 110.0 * wall9(p, x));
}

static ph_vec3 torque(const ph_problem *p, const ph_instant *now)
{
    return scale(slope(p, inverse_distance(p, now->R)), vec3(now->R.a[2][1], -now->R.a[2][0], 0));
}

static ph_mat3 derivative(const ph_problem *p, const ph_instant *now)
{
    const double x = inverse_distance(p, now->R), d1 = slope(p, x), d2 = curvature(p, x);
    const ph_vec3 g = vec3(now->R.a[2][0], now->R.a[2][1], now->R.a[2][2]), n = vec3(g.y, -g.x, 0);
    return rows(sub(vec3(d1 * g.z, 0, -d1 * g.x), scale(d2 * n.x, n)),
                sub(vec3(0, d1 * g.z, -d1 * g.y), scale(d2 * n.y, n)), vec3(0, 0, 0));
}

#ifndef __OPENCL_VERSION__
#include "base/named.h"

static const ph_parameter PARAMETERS[] = {
    {"offset", OFFSET, 1, "1", "added to R33 to give the distance r", PH_RANGE_ANY},
    {"wall", WALL, 1, "energy", "strength of the wall, at r = 1", PH_RANGE_ANY},
};

const ph_problem ph_problem_soft_wall = {
    .name = "soft_wall",
    .title = "Coulomb potential with a soft wall",
    .cite = "K06 section 5.4",
    .equations = "U = 1/r - wall r^-10, r = offset + R33.",
    .body = PH_MOMENTS(2, 3, 4.5),
    .q = {1, 0, 0, 0},
    .w = {1, 2.0 / 3.0, 2.0 / 4.5},
    TABLE(parameter, PARAMETERS),
    .value = {1.1, 0.001},
    .potential = potential,
    .torque = torque,
    .derivative = derivative,
};
#endif
#endif
