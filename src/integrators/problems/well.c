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
 */
#include "base/named.h"
#include "integrators/lane_kernels.h"
#include "polhode/polhode.h"
#include "rotation/vec.h"

enum { ALPHA, TARGET };

static const ph_parameter PARAMETERS[] = {
    {"alpha", ALPHA, 1, "energy", "strength of the attraction to the target", PH_ANY},
    {"target", TARGET, 3, "rad", "rotation vector of the attracting attitude", PH_ANY},
};

static const double ROOT2 = 1.414213562373095048802;

/* Where the body is, seen from a minimum: the turn from there and the distance. */
typedef struct place {
    double c;
    ph_vec3 v;
    double length; /* |v| */
    double d;
} place;

static place seen_from(ph_quat there, ph_quat q)
{
    const ph_quat turn = mul(inverse(there), q);
    const double length = norm(vec(turn));
    return (place){turn.w, vec(turn), length, 2.0 * ROOT2 * length};
}

static place from_identity(ph_quat q)
{
    return seen_from((ph_quat){1, 0, 0, 0}, q);
}

static place from_target(const ph_problem *p, ph_quat q)
{
    const double *x = p->value + TARGET;
    return seen_from(ph_exp(vec3(x[0], x[1], x[2])), q);
}

static double potential(const ph_problem *p, const ph_instant *now)
{
    const ph_quat q = ph_quat_of_matrix(now->R);
    const double d = from_identity(q).d, far = from_target(p, q).d;
    return (d - 1.0) * (d - 1.0) - (far > 0.0 ? p->value[ALPHA] / far : NAN);
}

/* The torque of f(d), from f' */
static ph_vec3 torque_of(place at, double f1)
{
    return scale(-ROOT2 * f1 * at.c / at.length, at.v);
}

/* The derivative of the torque of f(d), from f' and f''. */
static ph_mat3 derivative_of(place at, double f1, double f2)
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
    const ph_quat q = ph_quat_of_matrix(now->R);
    const place near = from_identity(q), far = from_target(p, q);
    return add(torque_of(near, 2.0 * (near.d - 1.0)),
               torque_of(far, p->value[ALPHA] / (far.d * far.d)));
}

static ph_mat3 derivative(const ph_problem *p, const ph_instant *now)
{
    const ph_quat q = ph_quat_of_matrix(now->R);
    const place near = from_identity(q), far = from_target(p, q);
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

PROBLEM_KERNELS(well)

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
    .kernels = &kernels,
};
