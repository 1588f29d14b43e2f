/* imidm.c - Krysl's momentum-conserving midpoint rule, the implicit midpoint Lie method.
 *
 * K06  Krysl, 2006, section 3.6, Algorithm IMIDM.
 *
 *   w' = J^-1 ( exp(-h/2 w') m + h/2 T' ),   T' = T(t + h/2, R exp(h/2 w'))
 *        corrected: K06 prints the time of T' as t_n + h/2, half a step after the end
 *   R+ = R exp(h w'),   m+ = exp(-h w') m + h exp(-h/2 w') T'
 *
 * Backward and forward Euler steps that are each other's adjoint, hence symmetric. In
 * space it reads  pi+ = pi + h R' T': the momentum changes by torques only, hence is kept
 * about an axis the torque has no component along. K06 (section 3.7) supposes it to
 * be symplectic; it is not.
 */
#include "integrators/lie.h"

static ph_status step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                      double h)
{
    (void)method;
    const double half = 0.5 * h;
    const backward_step b = {p, s->q, s->m, t + half, half};
    ph_vec3 w;
    const ph_status status = solve_momentum(&b, &w);
    if (status != PH_OK)
        return status;
    const ph_quat turn = ph_exp(scale(half, w)), middle = mul(s->q, turn);
    const ph_vec3 m =
        add(rotate(inverse(turn), s->m), scale(h, torque_at(p, b.t, middle)));
    return commit_step(s, mul(middle, turn), rotate(inverse(turn), m));
}

const ph_method ph_method_imidm = {
    .name = "imidm",
    .title = "Momentum-conserving midpoint rule (Krysl)",
    .cite = "K06 section 3.6",
    .order = 2,
    .keeps = PH_SYMMETRIC | PH_MOMENTUM,
    .keeps_free = PH_SYMMETRIC | PH_MOMENTUM | PH_CASIMIR,
    .step = step,
};
