/* bbtrap.c - the trapezoidal rule of Bottasso and Borri, dexp^-1 truncated to 1.
 *
 * K06  Krysl, 2006, section 4, Algorithm BBTRAP; Bottasso, Borri 1998.
 *
 *   R+ = R exp(h v),   v = (w + w+)/2,   w = J^-1 m
 *   m+ = exp(-h v) ( m + h/2 T ) + h/2 T+,   T = T(t, R),  T+ = T(t + h, R+)
 *
 *   F(v) = v - w/2 - J^-1 m+(v)/2
 *   dF   = 1 - h/2 J^-1 ( (exp(-h v) (m + h/2 T))^ + h/2 DT+ ) dexp_(-h v)
 *
 * Step and step back satisfy the same equations, hence symmetric. In space pi+ = pi + h/2
 * (R T + R+ T+), which keeps what the torque has no component along. Without torque m+ is
 * m turned about v, so that  2 (K+ - K) = 2 v.(m+ - m) = 0: the energy is kept.
 */
#include "integrators/lie.h"

static void system_of(const void *context, ph_vec3 v, ph_vec3 *F, ph_mat3 *dF)
{
    const trapezoid *e = context;
    const ph_vec3 J = e->p->body.J, x = scale(e->h, v);
    const double half = 0.5 * e->h;
    const ph_quat turn = ph_exp(x), q = mul(e->s->q, turn);
    const ph_vec3 turned = rotate(inverse(turn), e->kicked);
    const ph_vec3 m = add(turned, scale(half, torque_at(e->p, e->t, q)));
    *F = sub(v, scale(0.5, over(add(e->s->m, m), J)));
    const ph_mat3 slope = add_to(ph_hat(turned), half, torque_derivative(e->p, e->t, q));
    *dF = one_plus(-half, J, matmul(slope, matrix_of(ph_dexp, scale(-1, x))));
}

static ph_status step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                      double h)
{
    (void)method;
    return trapezoid_step(system_of, p, s, t, h);
}

const ph_method ph_method_bbtrap = {
    .name = "bbtrap",
    .title = "Trapezoidal rule of Bottasso and Borri",
    .cite = "K06 section 4, BBTRAP",
    .order = 2,
    .keeps = PH_SYMMETRIC | PH_MOMENTUM,
    .keeps_free = PH_SYMMETRIC | PH_MOMENTUM | PH_CASIMIR | PH_ENERGY,
    .step = step,
};
