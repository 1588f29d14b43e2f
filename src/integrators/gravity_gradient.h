/* gravity_gradient.h - derivatives of the torque k u x J u, u at rest in space, in lanes.
 *
 * Along the axis e_i of the body u changes at the rate u x e_i = d_i:
 *
 *   by the attitude, column i   k ( d_i x J u + u x J d_i )
 *   by J_ij                     k ( u_j d_i + u_i d_j ),   half of it for i = j
 */
#pragma once

#include "integrators/tangent_kernels.h"
#include "motion/algebra.h"

/* J in the frame of the body, row by row. */
typedef struct tensor {
    double a[3][3];
} tensor;

static inline tensor tensor_of(const ph_body *b)
{
    tensor J;
    for (int k = 0; k < 3; k++) {
        const ph_vec3 column = ph_body_momentum(b, (ph_vec3){k == 0, k == 1, k == 2});
        J.a[0][k] = column.x;
        J.a[1][k] = column.y;
        J.a[2][k] = column.z;
    }
    return J;
}

PART vdouble3 tensor_times(const tensor *J, vdouble3 v)
{
    return vec3((J->a[0][0] * v.x + J->a[0][1] * v.y) + J->a[0][2] * v.z,
                (J->a[1][0] * v.x + J->a[1][1] * v.y) + J->a[1][2] * v.z,
                (J->a[2][0] * v.x + J->a[2][1] * v.y) + J->a[2][2] * v.z);
}

/* u x e_i for each axis. */
PART void moved_by_axes(vdouble3 u, vdouble3 *d)
{
    const vdouble zero = vsplat(0.0);
    d[0] = vec3(zero, u.z, -u.y);
    d[1] = vec3(-u.z, zero, u.x);
    d[2] = vec3(u.y, -u.x, zero);
}

PART void gradient_by_attitude(const tensor *J, vdouble k, vdouble3 u, vdouble3 Ju,
                               vdouble3 *column)
{
    vdouble3 d[3];
    moved_by_axes(u, d);
    for (int i = 0; i < 3; i++)
        column[i] = scale(k, add(cross(d[i], Ju), cross(u, tensor_times(J, d[i]))));
}

PART void gradient_by_inertia(tangent_points *x, int r, vdouble k, vdouble3 u)
{
    static const int ROW[6] = {0, 1, 2, 0, 0, 1}, COLUMN[6] = {0, 1, 2, 1, 2, 2};
    const vdouble a[3] = {k * u.x, k * u.y, k * u.z};
    vdouble3 d[3];
    moved_by_axes(u, d);
    x->by_inertia = true;
    for (int n = 0; n < 6 && (x->wanted & PH_DERIVATIVES_INERTIA); n++) {
        const int i = ROW[n], j = COLUMN[n];
        const vdouble3 one = scale(a[j], d[i]);
        store_point_vector(x->slopes.inertia[n], r, i == j ? one : add(one, scale(a[i], d[j])));
    }
}
