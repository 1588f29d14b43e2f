/* satellite.c - a body in the gradient of gravity of an Earth that stands still.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU, 3.3.2.
 *
 * With k = 3 mu/radius^3 and u = R^T e3 the direction to the Earth's centre in the body:
 *
 *   CFSZ (44)   U = (k/2) u . J u
 *   CFSZ (45)   torque = k u x J u
 *               derivative: column i is  k ( (u x e_i) x J u + u x J (u x e_i) )
 *
 * SI units. The paper speaks of a circular orbit, and its formulas have the Earth at rest in
 * the direction of space z. Its radius, 150 km, lies inside the Earth; its results hold for
 * that radius. A body on an orbit is the problem spacecraft.
 *
 * In vectors u/2 is half the third row of R; principal axes.
 */
#include "polhode/body.h"

enum { MU, RADIUS };

#ifdef SIMD_VECTORS /* the torque in vectors */
#include "integrators/extrapolation.h"
#include "integrators/gravity_gradient.h"

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

PART void add_torque(const double *c, const vdouble *q, vdouble k, vdouble *m)
{
    const vdouble w = q[0], x = q[1], y = q[2], z = q[3];
    const vdouble u0 = x * z - w * y, u1 = y * z + w * x, u2 = 0.5 - (x * x + y * y);
    m[0] = m[0] + (k * c[0]) * (u1 * u2);
    m[1] = m[1] + (k * c[1]) * (u2 * u0);
    m[2] = m[2] + (k * c[2]) * (u0 * u1);
}

LANE_KERNELS(satellite)

EACH_KERNEL(satellite)
{
    for (int r = 0; r < PH_LANES; r += LANES) {
        vdouble3 column[3];
        matrix_columns(lane_quaternion(&at->q[0][r]), column);
        const vdouble3 u = vec3(column[0].z, column[1].z, column[2].z);
        const vdouble radius = vload(&p->value[RADIUS][r]),
                      k = vselect(radius > 0.0,
                                  3.0 * vload(&p->value[MU][r]) / (radius * radius * radius),
                                  vsplat(NAN));
        store_vector(&at->torque[0][r], scale(k, cross(u, lane_inertia_times(p, r, u))));
    }
}

SLOPES_KERNEL(satellite)
{
    const double *value = x->p->value, radius = value[RADIUS],
                 k = radius > 0.0 ? 3.0 * value[MU] / (radius * radius * radius) : NAN;
    const tensor J = tensor_of(&x->p->body);
    torque_slopes *to = &x->slopes;
    for (int r = 0; r < x->count; r += LANES) {
        vdouble3 column[3], by_attitude[3];
        const vdouble4 q = {vload(&x->q[0][r]), vload(&x->q[1][r]), vload(&x->q[2][r]),
                            vload(&x->q[3][r])};
        matrix_columns(q, column);
        const vdouble3 u = vec3(column[0].z, column[1].z, column[2].z), Ju = tensor_times(&J, u),
                       torque = scale(vsplat(k), cross(u, Ju));
        gradient_by_attitude(&J, vsplat(k), u, Ju, by_attitude);
        store_point_matrix(to->attitude, r, by_attitude);
        gradient_by_inertia(x, r, vsplat(k), u);
        if (x->wanted & PH_DERIVATIVES_PARAMETERS) {
            store_point_vector(to->value[MU], r, scale(vsplat(1.0 / value[MU]), torque));
            store_point_vector(to->value[RADIUS], r, scale(vsplat(-3.0 / radius), torque));
        }
    }
}

#else /* of one body */
#include "motion/vec.h"

/* 3 mu/radius^3, and NaN unless the radius is positive */
static double gradient(const ph_problem *p)
{
    const double radius = p->value[RADIUS];
    if (radius > 0.0)
        return 3.0 * p->value[MU] / (radius * radius * radius);
    return NAN;
}

static ph_vec3 centre_in_body(ph_mat3 R)
{
    return vec3(R.a[2][0], R.a[2][1], R.a[2][2]);
}

static double potential(const ph_problem *p, const ph_instant *now)
{
    const ph_vec3 u = centre_in_body(now->R);
    return 0.5 * gradient(p) * dot(u, ph_body_momentum(&p->body, u));
}

static ph_vec3 torque(const ph_problem *p, const ph_instant *now)
{
    const ph_vec3 u = centre_in_body(now->R);
    return scale(gradient(p), cross(u, ph_body_momentum(&p->body, u)));
}

static ph_mat3 derivative(const ph_problem *p, const ph_instant *now)
{
    const ph_vec3 u = centre_in_body(now->R), Ju = ph_body_momentum(&p->body, u);
    const ph_vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    ph_vec3 column[3];
    for (int i = 0; i < 3; i++) {
        const ph_vec3 du = cross(u, axes[i]);
        column[i] =
            scale(gradient(p), add(cross(du, Ju), cross(u, ph_body_momentum(&p->body, du))));
    }
    return transpose(rows(column[0], column[1], column[2]));
}

#ifndef __OPENCL_VERSION__
#include "base/named.h"

static const ph_parameter PARAMETERS[] = {
    {"mu", MU, 1, "m^3/s^2", "gravitational parameter of the Earth", PH_RANGE_POSITIVE},
    {"radius", RADIUS, 1, "m", "distance from the centre of the Earth", PH_RANGE_POSITIVE},
};

const ph_problem ph_problem_satellite = {
    .name = "satellite",
    .title = "Satellite of the paper, the Earth at rest at space z",
    .cite = "CFSZ (44)",
    .equations = "U = (3 mu/(2 radius^3)) u.J u, u = R^T e3; torque (3 mu/radius^3) u x J u.\n"
                 "The Earth is at rest, in the direction of space z: there is no orbit, and\n"
                 "the radius of the paper lies inside the Earth. spacecraft has an orbit.",
    .body = PH_MOMENTS(17000, 37000, 54000),
    .q = {1, 0, 0, 0},
    .w = {15, -15, 15},
    .caution = "the Earth is at rest in the direction of space z, only 150 km away, as in the "
               "paper: set radius and mu, or use spacecraft, which has an orbit",
    TABLE(parameter, PARAMETERS),
    .value = {3.986e14, 1.5e5},
    .potential = potential,
    .torque = torque,
    .derivative = derivative,
};
#endif
#endif
