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
 * The target x turns by J(x) dx along the axes of T, with a = |x| (Rodrigues):
 *
 *   J = 1 - (1 - cos a)/a^2 hat(x) + (a - sin a)/a^3 hat(x)^2
 *
 * which moves the turn p from there as a turn of the body by -R(p)^T J dx does.
 *
 * In vectors, for a turn p = (c, v) of any length, with o = 1/(|v| |p|): d = sqrt(8) |v|^2 o, and
 * c n = c o v.
 */
#include "polhode/body.h"

enum { ALPHA, TARGET };

#define ROOT2 1.414213562373095048802

#ifdef SIMD_VECTORS /* the torque in vectors */
#include "integrators/extrapolation.h"
#include "integrators/tangent_kernels.h"

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

PART vdouble larger(vdouble a, vdouble b)
{
    return vselect((b <= a) | (a != a), a, b); // NOLINT(misc-redundant-expression): NaN
}

PART vdouble4 quat_where(vmask where, vdouble4 a, vdouble4 b)
{
    return (vdouble4){vselect(where, a.w, b.w), vselect(where, a.x, b.x), vselect(where, a.y, b.y),
                      vselect(where, a.z, b.z)};
}

/* As ph_quat_from_matrix(). */
PART vdouble4 attitude_of(const vdouble3 *column)
{
    const vdouble xx = column[0].x, yy = column[1].y, zz = column[2].z,
                  xy = column[1].x + column[0].y, xz = column[2].x + column[0].z,
                  yz = column[2].y + column[1].z;
    const vdouble3 axis = {column[1].z - column[2].y, column[2].x - column[0].z,
                           column[0].y - column[1].x};
    vdouble4 q = {axis.z, xz, yz, 1.0 - xx - yy + zz};
    q = quat_where(yy >= zz, (vdouble4){axis.y, xy, 1.0 - xx + yy - zz, yz}, q);
    q = quat_where((xx >= yy) & (xx >= zz), (vdouble4){axis.x, 1.0 + xx - yy - zz, xy, xz}, q);
    q = quat_where(xx + yy + zz >= larger(xx, larger(yy, zz)), quat(1.0 + xx + yy + zz, axis), q);
    const vdouble largest = larger(vabs(q.w), larger(larger(vabs(q.x), vabs(q.y)), vabs(q.z)));
    const vdouble4 r = {q.w / largest, q.x / largest, q.y / largest, q.z / largest};
    const vdouble n = vsqrt(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z);
    q = renormalize((vdouble4){r.w / n, r.x / n, r.y / n, r.z / n});
    return quat_where(q.w < 0.0, (vdouble4){-q.w, -q.x, -q.y, -q.z}, q);
}

/* The torque towards a minimum, whose f' follows from alpha, or without that for the well. */
PART vdouble3 torque_from(vdouble4 there, vdouble4 q, const vdouble *alpha)
{
    const vdouble4 turn = mul(inverse(there), q);
    const vdouble length = norm(vec(turn)), d = (2.0 * ROOT2) * length,
                  f1 = alpha != NULL ? *alpha / (d * d) : 2.0 * (d - 1.0);
    return scale(-ROOT2 * f1 * turn.w / length, vec(turn));
}

EACH_KERNEL(well)
{
    const vdouble4 identity = {vsplat(1.0), vsplat(0.0), vsplat(0.0), vsplat(0.0)};
    for (int r = 0; r < PH_LANES; r += LANES) {
        vdouble3 column[3];
        vdouble4 target = identity;
        matrix_columns(lane_quaternion(&at->q[0][r]), column);
        for (int i = 0; i < LANES; i++) {
            const double *x = &p->value[TARGET][r + i];
            const ph_quat t =
                ph_rotation_exp((ph_vec3){x[0], x[PH_LANES], x[(size_t)2 * PH_LANES]});
            target.w[i] = t.w, target.x[i] = t.x, target.y[i] = t.y, target.z[i] = t.z;
        }
        const vdouble4 q = attitude_of(column);
        const vdouble alpha = vload(&p->value[ALPHA][r]);
        store_vector(&at->torque[0][r],
                     add(torque_from(identity, q, NULL), torque_from(target, q, &alpha)));
    }
}

/* Adds the derivative of the torque of f(d) at the turn p to the columns of a matrix. */
PART void add_slopes(vdouble4 p, vdouble f1, vdouble f2, vdouble3 *column)
{
    const vdouble length = norm(vec(p)), c = p.w, slope = f1 * (1.0 / ROOT2),
                  across = -slope * (c * c) / length,
                  along = (slope * length - 2.0 * f2 * (c * c)) - across;
    const vdouble3 n = scale(1.0 / length, vec(p)), turn = scale(-slope * c, n),
                   bent = scale(along, n);
    column[0] = add(column[0], add(scale(n.x, bent), vec3(across, turn.z, -turn.y)));
    column[1] = add(column[1], add(scale(n.y, bent), vec3(-turn.z, across, turn.x)));
    column[2] = add(column[2], add(scale(n.z, bent), vec3(turn.y, -turn.x, across)));
}

/* J(x) e_k, in the same lanes. */
static ph_vec3 target_turn(const double *x, ph_quat T, int k)
{
    static const double SMALL = 1e-5;
    const double a = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    double first = 0.5, second = 1.0 / 6;
    if (a > SMALL) {
        const double sine = (T.x * x[0] + T.y * x[1] + T.z * x[2]) / a;
        first = 2.0 * (sine / a) * (sine / a);
        second = (a - 2.0 * T.w * sine) / (a * a * a);
    }
    const double e[3] = {k == 0, k == 1, k == 2};
    const double u[3] = {x[1] * e[2] - x[2] * e[1], x[2] * e[0] - x[0] * e[2],
                         x[0] * e[1] - x[1] * e[0]};
    const double v[3] = {x[1] * u[2] - x[2] * u[1], x[2] * u[0] - x[0] * u[2],
                         x[0] * u[1] - x[1] * u[0]};
    return (ph_vec3){e[0] - first * u[0] + second * v[0], e[1] - first * u[1] + second * v[1],
                     e[2] - first * u[2] + second * v[2]};
}

SLOPES_KERNEL(well)
{
    const double *value = x->p->value, *target = value + TARGET, alpha = value[ALPHA];
    const ph_quat T = ph_rotation_exp((ph_vec3){target[0], target[1], target[2]});
    const vdouble4 back = {vsplat(T.w), vsplat(-T.x), vsplat(-T.y), vsplat(-T.z)};
    const vdouble3 none = vec3(vsplat(0.0), vsplat(0.0), vsplat(0.0));
    torque_slopes *to = &x->slopes;
    for (int r = 0; r < x->count; r += LANES) {
        const vdouble4 q = {vload(&x->q[0][r]), vload(&x->q[1][r]), vload(&x->q[2][r]),
                            vload(&x->q[3][r])},
                       p = mul(back, q);
        const vdouble near = 2.0 * ROOT2 * norm(vec(q)), far = 2.0 * ROOT2 * norm(vec(p)),
                      f1 = alpha / (far * far);
        vdouble3 D[3] = {none, none, none}, of_far[3] = {none, none, none};
        add_slopes(p, f1, -2.0 * f1 / far, of_far);
        add_slopes(q, 2.0 * (near - 1.0), vsplat(2.0), D);
        for (int k = 0; k < 3; k++)
            D[k] = add(D[k], of_far[k]);
        store_point_matrix(to->attitude, r, D);
        if (!(x->wanted & PH_DERIVATIVES_PARAMETERS))
            continue;
        store_point_vector(to->value[ALPHA], r, scale(-4.0 * p.w / (far * (far * far)), vec(p)));
        for (int k = 0; k < 3; k++) {
            const ph_vec3 turn = target_turn(target, T, k);
            const vdouble3 e =
                rotate_back(p, vec3(vsplat(-turn.x), vsplat(-turn.y), vsplat(-turn.z)));
            store_point_vector(
                to->value[TARGET + k], r,
                add(add(scale(e.x, of_far[0]), scale(e.y, of_far[1])), scale(e.z, of_far[2])));
        }
    }
}

#else /* of one body */
#include "motion/vec.h"

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
