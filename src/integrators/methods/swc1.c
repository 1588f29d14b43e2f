/* swc1.c - Algo_C1 of Simo and Wong, in Krysl's form.
 *
 * K06  Krysl, 2006, section 4, Algorithm SWC1; Simo, Wong 1991.
 *
 *   R+ = R exp(h v),   v = (w + w+)/2,   w = J^-1 m
 *   m+ = exp(-h v) m + h exp(-h/2 v) T',   T' = T(t + h/2, R exp(h/2 v))
 *
 *   F(v) = v - w/2 - J^-1 m+(v)/2,
 *   dF   = 1 - h/2 J^-1 ( (exp(-h v) m)^ dexp_(-h v)
 *                         + h/2 ( (exp(-h/2 v) T')^ + exp(-h/2 v) DT' ) dexp_(-h/2 v) )
 *
 * Step and step back satisfy the same equations, hence symmetric. In space  pi+ = pi + h
 * R' T', which keeps what the torque has no component along. Without torque m+ is m
 * turned about v, so that  2 (K+ - K) = (w + w+).(m+ - m) = 2 v.(m+ - m) = 0: the energy
 * is kept.
 */
#include "integrators/lie.h"

typedef struct equation {
    const ph_problem *p;
    const ph_state *s;
    double t, h; /* t at mid-step */
} equation;

static ph_vec3 momentum(const equation *e, ph_vec3 v)
{
    const ph_quat turn = ph_exp(scale(0.5 * e->h, v));
    const ph_vec3 torque = torque_at(e->p, e->t, mul(e->s->q, turn));
    const ph_vec3 m = add(rotate(inverse(turn), e->s->m), scale(e->h, torque));
    return rotate(inverse(turn), m);
}

static void system_of(const void *context, ph_vec3 v, ph_vec3 *F, ph_mat3 *dF)
{
    const equation *e = context;
    const ph_vec3 J = e->p->body.J, x = scale(e->h, v), y = scale(0.5 * e->h, v);
    const ph_quat back = inverse(ph_exp(y)), middle = mul(e->s->q, inverse(back));
    *F = sub(v, scale(0.5, over(add(e->s->m, momentum(e, v)), J)));
    const ph_vec3 turned = rotate(back, rotate(back, e->s->m)),
                  torque = rotate(back, torque_at(e->p, e->t, middle));
    const ph_mat3 direct = matmul(
        add_to(ph_hat(torque), 1.0,
               matmul(ph_quat_matrix(back), torque_derivative(e->p, e->t, middle))),
        matrix_of(ph_dexp, scale(-1, y)));
    const ph_mat3 inertial = matmul(ph_hat(turned), matrix_of(ph_dexp, scale(-1, x)));
    *dF = one_plus(-0.5 * e->h, J, add_to(inertial, 0.5 * e->h, direct));
}

static ph_status step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                      double h)
{
    (void)method;
    const equation e = {p, s, t + 0.5 * h, h};
    ph_vec3 v = over(s->m, p->body.J);
    const ph_status status = newton(system_of, &e, &v);
    if (status != PH_OK)
        return status;
    return commit_step(s, mul(s->q, ph_exp(scale(h, v))), momentum(&e, v));
}

const ph_method ph_method_swc1 = {
    .name = "swc1",
    .title = "Algo_C1 of Simo and Wong",
    .cite = "K06 section 4, SWC1",
    .order = 2,
    .keeps = PH_SYMMETRIC | PH_MOMENTUM,
    .keeps_free = PH_SYMMETRIC | PH_MOMENTUM | PH_CASIMIR | PH_ENERGY,
    .step = step,
};
