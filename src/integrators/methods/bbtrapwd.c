/* bbtrapwd.c - the trapezoidal rule of Bottasso and Borri with dexp^-1.
 *
 * K06  Krysl, 2006, section 4, Algorithm BBTRAPWD: Munthe-Kaas with the trapezoidal
 *      tableau.
 *
 *   R+ = R exp(h v),   v = ( w + dexp_(-h v)^-1 w+ )/2,   w = J^-1 m
 *   m+ = exp(-h v) ( m + h/2 T ) + h/2 T+,   T = T(t, R),  T+ = T(t + h, R+)
 *
 *   F(v) = v - w/2 - dexp_(-h v)^-1 w+(v) / 2
 *   dF   = 1 - h/2 ( dexp_(-h v)^-1 J^-1
 *                    ( (exp(-h v) (m + h/2 T))^ + h/2 DT+ ) dexp_(-h v)
 *                    - d(dexp_x^-1 w+)/dx at -h v )
 *
 * In space  pi+ = pi + h/2 (R T + R+ T+), which keeps what the torque has no component
 * along. The turn favours the old frame by its dexp^-1, hence neither symmetric nor
 * energy-conserving.
 */
#include "integrators/lie.h"

static void system_of(const void *context, ph_vec3 v, ph_vec3 *F, ph_mat3 *dF)
{
    const trapezoid *e = context;
    const ph_vec3 J = e->p->body.J, x = scale(e->h, v), back = scale(-1, x);
    const double half = 0.5 * e->h;
    const ph_quat turn = ph_exp(x), q = mul(e->s->q, turn);
    const ph_vec3 turned = rotate(inverse(turn), e->kicked);
    const ph_vec3 w = over(add(turned, scale(half, torque_at(e->p, e->t, q))), J);
    *F = sub(v, scale(0.5, add(over(e->s->m, J), ph_dexp_inverse(back, w))));
    const ph_mat3 slope = add_to(ph_hat(turned), half, torque_derivative(e->p, e->t, q));
    const ph_mat3 inertial =
        matmul(matrix_of(ph_dexp_inverse, back),
               over_rows(matmul(slope, matrix_of(ph_dexp, back)), J));
    *dF = one_plus(-half, vec3(1, 1, 1),
                   add_to(inertial, -1.0, dexp_inverse_slope(back, w)));
}

static ph_status step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                      double h)
{
    (void)method;
    return trapezoid_step(system_of, p, s, t, h);
}

const ph_method ph_method_bbtrapwd = {
    .name = "bbtrapwd",
    .title = "Trapezoidal rule of Bottasso and Borri, with dexp^-1",
    .cite = "K06 section 4, BBTRAPWD",
    .order = 2,
    .keeps = PH_MOMENTUM,
    .keeps_free = PH_MOMENTUM | PH_CASIMIR,
    .step = step,
};
