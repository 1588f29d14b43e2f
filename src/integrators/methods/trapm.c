/* trapm.c - Krysl's momentum-conserving trapezoidal rule.
 *
 * K06  Krysl, 2006, (20), Algorithm TRAPM.
 *
 *   R+ = R exp(h/2 w) exp(h/2 w+),   w = J^-1 m
 *   m+ = R+^T R ( m + h/2 T ) + h/2 T+,   T = T(t, R),  T+ = T(t + h, R+)
 *
 * Forward and backward Euler steps that are each other's adjoint, hence symmetric. In
 * space it reads  pi+ = pi + h/2 (R T + R+ T+): the momentum changes by torques only,
 * hence is kept about an axis the torque has no component along.
 */
#include "integrators/lie.h"

static ph_status step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                      double h)
{
    (void)method;
    const double half = 0.5 * h;
    const ph_quat first = ph_exp(scale(half, over(s->m, p->body.J)));
    const ph_vec3 kicked = add(s->m, scale(half, torque_at(p, t, s->q)));
    const backward_step b = {p, mul(s->q, first), rotate(inverse(first), kicked), t + h,
                             half};
    ph_vec3 w;
    const ph_status status = solve_momentum(&b, &w);
    if (status != PH_OK)
        return status;
    const ph_quat second = ph_exp(scale(half, w)), q = mul(b.q, second);
    return commit_step(
        s, q, add(rotate(inverse(second), b.m), scale(half, torque_at(p, b.t, q))));
}

const ph_method ph_method_trapm = {
    .name = "trapm",
    .title = "Momentum-conserving trapezoidal rule (Krysl)",
    .cite = "K06 (20)",
    .order = 2,
    .keeps = PH_SYMMETRIC | PH_MOMENTUM,
    .keeps_free = PH_SYMMETRIC | PH_MOMENTUM | PH_CASIMIR,
    .step = step,
};
