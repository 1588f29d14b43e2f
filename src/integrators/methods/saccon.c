/* saccon.c - Saccon's variational midpoint rule.
 *
 * S09  Saccon, Midpoint rule for variational integrators on Lie groups, 2009. O11 names
 *      it without printing it. These are the discrete Euler-Poincare equations of
 *
 *   L_d = h/2 (P/h) . J (P/h) - h U(R exp(P/2)),   R+ = R exp(P)
 *
 * with tau the torque at t + h/2 and R exp(P/2), and [] = J P/h + h/2 dexp_{P/2} tau:
 *
 *   m = dexp^-1_{-P} [] - h exp(P/2) tau,   m+ = dexp^-1_P []
 *
 * With dexp_{-P} exp(P/2) = (dexp_{P/2} + dexp_{-P/2})/2 the first becomes an equation
 * without inverses for w = P/h, solved by Newton, and the second a turn of m with the
 * body:
 *
 *   f  = w - J^-1 ( dexp_{-P} m + h/2 dexp_{-P/2} tau )
 *   df = 1 + h J^-1 ( d(dexp_x m)/dx
 *                     + h/4 ( d(dexp_y tau)/dy - dexp_y Dtau dexp_y ) )
 *        at x = -P, y = -P/2
 *   m+ = exp(-P) m + h exp(-P/2) tau
 *
 * Discrete Euler-Lagrange equations, hence symplectic; L_d shares the symmetry of the
 * field, hence the momentum is kept; L_d is its own adjoint, hence symmetric.
 */
#include "integrators/field.h"
#include "rotation/newton.h"
#include "rotation/retraction.h"

typedef struct equation {
    const ph_problem *p;
    ph_state s;
    double t, h; /* t is the time in the middle */
} equation;

static ph_quat attitude_between(const equation *e, ph_vec3 w)
{
    return mul(e->s.q, ph_exp(scale(0.5 * e->h, w)));
}

static void system_of(const void *context, ph_vec3 w, ph_vec3 *F, ph_mat3 *dF)
{
    const equation *e = context;
    const double h = e->h;
    const ph_vec3 J = e->p->body.J, x = scale(-h, w), y = scale(-0.5 * h, w);
    const ph_quat q = attitude_between(e, w);
    const ph_vec3 m = e->s.m, tau = torque_at(e->p, e->t, q);
    const tangent cx = exp_tangent(dot(x, x)), cy = exp_tangent(dot(y, y));
    const ph_vec3 impulse = scale(0.5 * h, tangent_of(&cy, y, tau));
    *F = sub(w, over(add(tangent_of(&cx, x, m), impulse), J));
    const ph_mat3 d = tangent_matrix(&cy, y),
                  D = matmul(d, matmul(torque_derivative(e->p, e->t, q), d));
    const ph_mat3 A =
        add_to(tangent_slope(&cx, x, m), 0.25 * h, tangent_slope(&cy, y, tau));
    *dF = one_plus(h, J, add_to(A, -0.25 * h, D));
}

static ph_status step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                      double h)
{
    (void)method;
    const equation e = {p, *s, t + 0.5 * h, h};
    ph_vec3 w = over(s->m, p->body.J);
    const ph_status status = newton(system_of, &e, &w);
    if (status != PH_OK)
        return status;
    const ph_vec3 tau = torque_at(p, e.t, attitude_between(&e, w));
    const ph_quat half = ph_exp(scale(0.5 * h, w)), turn = ph_exp(scale(h, w));
    const ph_vec3 m = add(s->m, scale(h, rotate(half, tau)));
    return commit_step(s, mul(s->q, turn), rotate(inverse(turn), m));
}

#define KEEPS (PH_SYMMETRIC | PH_MOMENTUM | PH_POISSON | PH_SYMPLECTIC)

const ph_method ph_method_saccon = {
    .name = "saccon",
    .title = "Saccon's variational midpoint rule",
    .cite = "S09",
    .order = 2,
    .keeps = KEEPS,
    .keeps_free = KEEPS | PH_CASIMIR,
    .step = step,
};
