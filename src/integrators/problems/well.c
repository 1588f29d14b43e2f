/* well.c - a well about the identity and an attracting attitude.
 *
 * O11  Ortolan, thesis, Padova 2011, section 3.1.
 *
 * With T = exp(target):
 *
 *   O11 (3.1)   d(A, B) = sqrt(2 tr(1 - A^T B))
 *   O11 (3.2)   U = (d(R, 1) - 1)^2 - alpha/d(R, T)
 *
 * The distance is that of a turn: for A = B P, P of the unit quaternion (c, v), it is
 * sqrt(8) |v|, without cancellation. It grows at the rate sqrt(2) c n, n = v/|v|, along
 * the axes of the body, so that a potential f(d) has
 *
 *   O11 (3.5)   torque = -sqrt(2) f' c n
 *               derivative = -2 f'' c^2 n n^T
 *                            - f'/sqrt(2) ( c^2/|v| (1 - n n^T) - |v| n n^T + c hat(n) )
 *
 * In the thesis, with y = -4 c v, the torque is f'/d y. The third line of (3.5) is
 * printed with 2 (d - 1)/d^2 in the place of f'/d = 2 (d - 1)/d for the first term.
 *
 * U has a cone at the identity and a pole at the target: there the torque is NaN.
 *
 * In vectors, for a turn p = (c, v) of any length, with o = 1/(|v| |p|): d = sqrt(8) |v|^2 o, and
 * c n = c o v.
 */
#include "polhode/body.h"

enum { ALPHA, TARGET };

#define ROOT2 1.414213562373095048802

#ifdef SIMD_VECTORS /* the torque in vectors */
#include "integrators/extrapolation.h"

/* The target as a quaternion, and alpha. */
static void set_constants(const ph_problem *p, double c[LANE_CONSTANTS])
{
    const double *x = p->value + TARGET;
    const ph_quat target = ph_rotation_exp((ph_vec3){x[0], x[1], x[2]});
    c[0] = target.w;
    c[1] = target.x;
    c[2] = target.y;
    c[3] = target.z;
    c[4] = p->value[ALPHA];
}

PART void add_torque(const double *c, const vdouble *q, vdouble k, vdouble *m)
{
    const vdouble w = q[0], x = q[1], y = q[2], z = q[3];
    const vdouble near2 = x * x + y * y + z * z, size2 = w * w + near2,
                  near = 1.0 / vsqrt(near2 * size2), d = (2.0 * ROOT2 * near2) * near;
    const vdouble a = c[0] * w + (c[1] * x + c[2] * y + c[3] * z), /* target^-1 q */
        e = c[0] * x - c[1] * w - (c[2] * z - c[3] * y),
                  f = c[0] * y - c[2] * w - (c[3] * x - c[1] * z),
                  g = c[0] * z - c[3] * w - (c[1] * y - c[2] * x);
    const vdouble far2 = e * e + f * f + g * g, all2 = a * a + far2, far = 1.0 / vsqrt(far2 * all2),
                  over_d2 = all2 / (8.0 * far2);
    const vdouble kn = (-2.0 * ROOT2 * k) * (d - 1.0) * (w * near),
                  kf = (-ROOT2 * k) * (c[4] * over_d2) * (a * far);
    m[0] = m[0] + (kn * x + kf * e);
    m[1] = m[1] + (kn * y + kf * f);
    m[2] = m[2] + (kn * z + kf * g);
}

LANE_KERNELS(well)

#else /* of one body */
#include "rotation/vec.h"

/* Where the body is, seen from a minimum: the turn from there and the distance. */
typedef struct separation {
    double c;
    ph_vec3 v;
    double length; /* |v| */
    double d;
} separation;

static separation seen_from(ph_quat there, ph_quat q)
{
    const ph_quat turn = mul(inverse(there), q);
    const double length = norm(vec(turn));
    return (separation){turn.w, vec(turn), length, 2.0 * ROOT2 * length};
}

static separation from_identity(ph_quat q)
{
    return seen_from((ph_quat){1, 0, 0, 0}, q);
}

static separation from_target(const ph_problem *p, ph_quat q)
{
    const double *x = p->value + TARGET;
    return seen_from(ph_rotation_exp(vec3(x[0], x[1], x[2])), q);
}

static double potential(const ph_problem *p, const ph_instant *now)
{
    const ph_quat q = ph_quat_from_matrix(now->R);
    const double d = from_identity(q).d, far = from_target(p, q).d;
    return (d - 1.0) * (d - 1.0) - (far > 0.0 ? p->value[ALPHA] / far : NAN);
}

/* The torque of f(d), from f' */
static ph_vec3 torque_of(separation at, double f1)
{
    return scale(-ROOT2 * f1 * at.c / at.length, at.v);
}

/* The derivative of the torque of f(d), from f' and f''. */
static ph_mat3 derivative_of(separation at, double f1, double f2)
{
    const ph_vec3 n = scale(1.0 / at.length, at.v);
    const double across = -f1 / ROOT2 * at.c * at.c / at.length,
                 along = -2.0 * f2 * at.c * at.c + f1 / ROOT2 * at.length - across;
    const ph_vec3 turn = scale(-f1 / ROOT2 * at.c, n);
    return rows(add(vec3(across, -turn.z, turn.y), scale(along * n.x, n)),
                add(vec3(turn.z, across, -turn.x), scale(along * n.y, n)),
                add(vec3(-turn.y, turn.x, across), scale(along * n.z, n)));
}

static ph_vec3 torque(const ph_problem *p, const ph_instant *now)
{
    const ph_quat q = ph_quat_from_matrix(now->R);
    const separation near = from_identity(q), far = from_target(p, q);
    return add(torque_of(near, 2.0 * (near.d - 1.0)),
               torque_of(far, p->value[ALPHA] / (far.d * far.d)));
}

static ph_mat3 derivative(const ph_problem *p, const ph_instant *now)
{
    const ph_quat q = ph_quat_from_matrix(now->R);
    const separation near = from_identity(q), far = from_target(p, q);
    const double f1 = p->value[ALPHA] / (far.d * far.d);
    const ph_mat3 a = derivative_of(near, 2.0 * (near.d - 1.0), 2.0),
                  b = derivative_of(far, f1, -2.0 * f1 / far.d);
    ph_mat3 sum;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            sum.a[i][j] = a.a[i][j] + b.a[i][j];
    }
    return sum;
}

#ifndef __OPENCL_VERSION__
#include "base/named.h"

static const ph_parameter PARAMETERS[] = {
    {"alpha", ALPHA, 1, "energy", "strength of the attraction to the target", PH_RANGE_ANY},
    {"target", TARGET, 3, "rad", "rotation vector of the attracting attitude", PH_RANGE_ANY},
};

const ph_problem ph_problem_well = {
    .name = "well",
    .title = "Well with an attracting attitude",
    .cite = "O11 (3.2)",
    .equations = "U = (d(R, 1) - 1)^2 - alpha/d(R, exp(target)),\n"
                 "d(A, B) = sqrt(2 tr(1 - A^T B)).",
    .body = PH_MOMENTS(2, 2, 4),
    /* exp(0, 0.7227, 0) */
    .q = {0.9354204007716168744397, 0, 0.3535373725934327140700, 0},
    .w = {0, 0, 0.625},
    TABLE(parameter, PARAMETERS),
    /* alpha, and (2.5, 0, 2.5)/sqrt(2) */
    .value = {0.3, 1.767766952966368811002, 0, 1.767766952966368811002},
    .potential = potential,
    .torque = torque,
    .derivative = derivative,
};
#endif
#endif
