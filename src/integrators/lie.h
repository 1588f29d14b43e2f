/* lie.h - tangents of exp and cay as matrices; backward Lie-Euler steps and trapezoids in
 * a field.
 *
 * Unknowns are angular velocities w, and equations are divided by J: derivatives are then
 * 1 and something of the order of the angle of the step, whatever the units.
 *
 * Derivatives in terms of the turn  R exp(a w):  R moves along  xi = a dexp_(-a w) dw,  a
 * torque by Dtau xi, and  exp(-a w) m  by  (exp(-a w) m) x xi.
 */
#pragma once

#include "integrators/field.h"
#include "polhode/polhode.h"
#include "rotation/newton.h"
#include "rotation/vec.h"

/* J^-1 A. */
static inline ph_mat3 over_rows(ph_mat3 A, ph_vec3 J)
{
    const double by[3] = {J.x, J.y, J.z};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            A.a[i][k] /= by[i];
    }
    return A;
}

/* The linear maps v -> dexp_x v, dexp_x^-1 v, dcay_x v as matrices. */
static inline ph_mat3 matrix_of(ph_vec3 (*map)(ph_vec3 x, ph_vec3 v), ph_vec3 x)
{
    return columns(map(x, vec3(1, 0, 0)), map(x, vec3(0, 1, 0)), map(x, vec3(0, 0, 1)));
}

/* The derivative of dexp_x^-1 u by x. With t = |x|^2, k = t^(1/2)/2 cot(t^(1/2)/2):
 * dexp_x^-1 u = u - x^ u/2 + c x^ x^ u, c = (1 - k)/t, dc/dt = (1/8 - 3c/2 + t c^2/2)/t.
 * Where they cancel, the first terms of c = 1/12 + t/720 + ... */
static inline ph_mat3 dexp_inverse_slope(ph_vec3 x, ph_vec3 u)
{
    const double small = 1e-4;
    const double t = dot(x, x), half = 0.5 * sqrt(t);
    const double c = t > small ? (1.0 - half / ph_tan(half)) / t : 1.0 / 12 + t / 720;
    const double dc = t > small ? (0.125 - 1.5 * c + 0.5 * t * c * c) / t : 1.0 / 720;
    const ph_vec3 xu = cross(x, u), xxu = scale(2.0 * dc, cross(x, xu));
    /* along e: -e x u/2 + (2 dc x.e) x^ x^ u + c (e x (x x u) + x x (e x u)) */
    ph_mat3 A = add_to(add_to((ph_mat3){{{0}}}, 0.5, ph_hat(u)), -c, ph_hat(xu));
    A = add_to(A, -c, matmul(ph_hat(x), ph_hat(u)));
    const ph_mat3 outer = rows(scale(xxu.x, x), scale(xxu.y, x), scale(xxu.z, x));
    return add_to(A, 1.0, outer);
}

/* ---- backward Euler -------------------------------------------------------------- */

/* Where a backward Euler step over the time h begins; t is the time at its end. */
typedef struct backward_step {
    const ph_problem *p;
    ph_quat q;
    ph_vec3 m;
    double t, h;
} backward_step;

/* The derivative of m+/h by w: what the torque adds to A where it depends on w. */
static inline ph_mat3 add_velocity_slope(ph_mat3 A, const backward_step *b, ph_quat q,
                                         ph_vec3 w)
{
    return b->p->velocity_dependent
               ? add_to(A, 1.0, torque_by_velocity(b->p, b->t, q, w, b->h))
               : A;
}

/* K06 (12)  m+ = m + h (m+ x w + T+),  w = J^-1 (m+ - H),  T+ at R exp(h w); J w for m+
 * as printed where the internal momentum H is 0 */
static inline void rate_system(const void *context, ph_vec3 w, ph_vec3 *F, ph_mat3 *dF)
{
    const backward_step *b = context;
    const ph_problem *p = b->p;
    const ph_vec3 J = p->body.J, x = scale(b->h, w);
    const ph_quat q = mul(b->q, ph_exp(x));
    const ph_vec3 m = momentum_at(p, b->t, w);
    const ph_vec3 rate = add(cross(m, w), torque_moving(p, b->t, q, m, w));
    *F = sub(w, velocity_at(p, b->t, add(b->m, scale(b->h, rate))));
    const ph_mat3 slope =
        matmul(torque_by_attitude(p, b->t, q, w), matrix_of(ph_dexp, scale(-1, x)));
    ph_mat3 dM = add_to(gyration_slope(J, w), b->h, slope);
    if (p->internal != NULL)
        dM = add_to(dM, 1.0, ph_hat(p->internal(p, b->t)));
    *dF = one_plus(-b->h, J, add_velocity_slope(dM, b, q, w));
}

/* K06 (19)  m+ = exp(-h w) m + h T+,  w = J^-1 m+,  T+ at R exp(h w) */
static inline void momentum_system(const void *context, ph_vec3 w, ph_vec3 *F,
                                   ph_mat3 *dF)
{
    const backward_step *b = context;
    const ph_vec3 x = scale(b->h, w);
    const ph_quat turn = ph_exp(x), q = mul(b->q, turn);
    const ph_vec3 turned = rotate(inverse(turn), b->m);
    const ph_vec3 m = add(turned, scale(b->h, torque_at_velocity(b->p, b->t, q, w)));
    *F = sub(w, velocity_at(b->p, b->t, m));
    const ph_mat3 slope =
        add_to(ph_hat(turned), b->h, torque_by_attitude(b->p, b->t, q, w));
    const ph_mat3 dM = matmul(slope, matrix_of(ph_dexp, scale(-1, x)));
    *dF = one_plus(-b->h, b->p->body.J, add_velocity_slope(dM, b, q, w));
}

/* The w of these. */
static inline ph_status solve_rate(const backward_step *b, ph_vec3 *w)
{
    *w = velocity_at(b->p, b->t, b->m);
    return newton(rate_system, b, w);
}

static inline ph_status solve_momentum(const backward_step *b, ph_vec3 *w)
{
    *w = velocity_at(b->p, b->t, b->m);
    return newton(momentum_system, b, w);
}

/* ---- trapezoids ------------------------------------------------------------------ */

/* A step that turns by h v and kicks before and after: v is what methods differ in. */
typedef struct trapezoid {
    const ph_problem *p;
    const ph_state *s;
    ph_vec3 kicked; /* m + h/2 T */
    double t, h;    /* t at the end */
} trapezoid;

/* m+ = exp(-h v) ( m + h/2 T ) + h/2 T+, with v the root of a system in a trapezoid */
static inline ph_status trapezoid_step(newton_system *system, const ph_problem *p,
                                       ph_state *s, double t, double h)
{
    const ph_vec3 kicked = add(s->m, scale(0.5 * h, torque_at(p, t, s->q)));
    const trapezoid e = {p, s, kicked, t + h, h};
    ph_vec3 v = over(s->m, p->body.J);
    const ph_status status = newton(system, &e, &v);
    if (status != PH_OK)
        return status;
    const ph_quat turn = ph_exp(scale(h, v)), q = mul(s->q, turn);
    return commit_step(
        s, q, add(rotate(inverse(turn), kicked), scale(0.5 * h, torque_at(p, e.t, q))));
}
