/* vertical.c - a triaxial body in a field that is symmetric about the vertical alone.
 *
 * The momentum about the vertical is constant, and nothing else but the energy is: who
 * keeps it here keeps the momentum map. The field is not linear in g = R^T e3, unlike
 * that of a top. With s = b . g, and g' = g x xi along the body's axis xi:
 *
 *   U = a . g + s^2 + exp(s)/3
 *   torque = g x c,   c = a + (2 s + exp(s)/3) b
 *   derivative xi = g' x c + (2 + exp(s)/3) (b . g') g x b
 *
 * Body and start are those of `generic`.
 */
#include "polhode/body.h"
#ifdef SIMD_VECTORS
#include "base/elementary.h"
#include "integrators/lane_kernels.h"
#else
#include "motion/vec.h"
#endif

FILE_CONSTANT ph_vec3 A = {0.7, -0.4, 1.1}, B = {0.5, 0.9, -0.3};

#ifdef SIMD_VECTORS /* in lanes, with the bits of one body */

EACH_KERNEL(vertical)
{
    const vdouble3 a = {vsplat(A.x), vsplat(A.y), vsplat(A.z)},
                   b = {vsplat(B.x), vsplat(B.y), vsplat(B.z)};
    (void)p;
    for (int r = 0; r < PH_LANES; r += LANES) {
        vdouble3 column[3];
        matrix_columns(lane_quaternion(&at->q[0][r]), column);
        const vdouble3 g = {column[0].z, column[1].z, column[2].z};
        const vdouble s = dot(b, g);
        vdouble e = s;
        for (int i = 0; i < LANES; i++)
            e[i] = ph_real_exp(s[i]);
        store_vector(&at->torque[0][r], cross(g, add(a, scale(2.0 * s + e / 3.0, b))));
    }
}

#else /* of one body */

static ph_vec3 vertical(ph_mat3 R)
{
    return vec3(R.a[2][0], R.a[2][1], R.a[2][2]);
}

static ph_vec3 force(double s)
{
    return add(A, scale(2 * s + ph_real_exp(s) / 3, B));
}

static double potential(const ph_problem *p, const ph_instant *now)
{
    (void)p;
    const ph_vec3 g = vertical(now->R);
    const double s = dot(B, g);
    return dot(A, g) + s * s + ph_real_exp(s) / 3;
}

static ph_vec3 torque(const ph_problem *p, const ph_instant *now)
{
    (void)p;
    const ph_vec3 g = vertical(now->R);
    return cross(g, force(dot(B, g)));
}

static ph_vec3 torque_along(ph_vec3 g, ph_vec3 xi)
{
    const double s = dot(B, g), curvature = 2 + ph_real_exp(s) / 3;
    const ph_vec3 change = cross(g, xi);
    return add(cross(change, force(s)), scale(curvature * dot(B, change), cross(g, B)));
}

static ph_mat3 derivative(const ph_problem *p, const ph_instant *now)
{
    (void)p;
    const ph_vec3 g = vertical(now->R);
    return columns(torque_along(g, vec3(1, 0, 0)), torque_along(g, vec3(0, 1, 0)),
                   torque_along(g, vec3(0, 0, 1)));
}

#ifndef __OPENCL_VERSION__
const ph_problem ph_problem_vertical = {
    .name = "vertical",
    .title = "Triaxial body in a field symmetric about the vertical",
    .cite = "ours, to measure on",
    .equations = "U = a.g + s^2 + exp(s)/3, s = b.g, g = R^T e3, a and b constant.",
    .body = PH_MOMENTS(1.3, 2.1, 2.9),
    .q = {0.8799807056103828548, 0.1439495950537319562, -0.3838655868099518832,
          0.239915991756219927},
    .w = {0.9 / 1.3, -1.4 / 2.1, 1.7 / 2.9},
    .potential = potential,
    .torque = torque,
    .derivative = derivative,
};
#endif
#endif
