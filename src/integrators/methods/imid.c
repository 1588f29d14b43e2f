/* imid.c - Krysl's midpoint rule: half a step of backward Euler, half of forward Euler.
 *
 * K06  Krysl, 2006, section 3.4, Algorithm IMID. Algo_1 of Simo and Wong (1991), the
 *      balance of momentum rates at mid-step with the turn h (w + w+)/2, is the same.
 *
 *   m' = m + h/2 ( m' x w' + T' ),   w' = J^-1 m',   T' = T(t + h/2, R exp(h/2 w'))
 *        corrected: K06 prints the time of T' as t_n + h/2, half a step after the end
 *   R+ = R exp(h w'),   m+ = m + h (m' x w' + T')
 *
 * The two halves are each other's adjoint, hence symmetric. Without torque it is the
 * midpoint rule for m, which keeps quadratic invariants: the energy and |m|. The momentum
 * in space is not kept, since the turn of R is not the one that takes m+ to m.
 */
#include "integrators/lie.h"

static ph_status step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                      double h)
{
    (void)method;
    const double half = 0.5 * h;
    const backward_step b = {p, s->q, s->m, t + half, half};
    ph_vec3 w;
    const ph_status status = solve_rate(&b, &w);
    if (status != PH_OK)
        return status;
    const ph_vec3 torque = torque_at(p, b.t, mul(s->q, ph_exp(scale(half, w))));
    const ph_vec3 rate = add(cross(times(p->body.J, w), w), torque);
    return commit_step(s, mul(s->q, ph_exp(scale(h, w))), add(s->m, scale(h, rate)));
}

const ph_method ph_method_imid = {
    .name = "imid",
    .title = "Midpoint rule (Krysl; Algo_1 of Simo and Wong)",
    .cite = "K06 section 3.4",
    .order = 2,
    .keeps = PH_SYMMETRIC,
    .keeps_free = PH_SYMMETRIC | PH_ENERGY | PH_CASIMIR,
    .step = step,
};
