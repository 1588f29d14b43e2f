/* new3.c - the third algorithm of Koziara and Bicanic.
 *
 * O11  Ortolan, thesis, Padova 2011, (4.10); Koziara, Bicanic 2010.
 *
 *   O11 (4.10a)  R' = R exp(h/2 w)
 *   O11 (4.10b)  exp(h/2 w+) J w+ = exp(-h/2 w) J w + h tau(R')   solved for w+ by Newton
 *   O11 (4.10c)  R+ = R' exp(h/2 w+)
 *
 * The torque is that of the middle of the step. With u the right-hand side of (b), J w+ =
 * exp(-h/2 w+) u, the equation of the Lie midpoint.
 *
 * The second half of the step is the adjoint of the first, hence symmetric; m turns as
 * the body does, hence the momentum is kept. Conjugate to mcg, and like it not
 * symplectic.
 */
#include "integrators/field.h"
#include "integrators/half_steps.h"

static ph_status step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                      double h)
{
    (void)method;
    const double half = 0.5 * h;
    const ph_quat turn = ph_exp(scale(half, over(s->m, p->body.J))),
                  q = renormalize(mul(s->q, turn));
    const ph_vec3 tau = torque_at(p, t + half, q),
                  u = add(rotate(inverse(turn), s->m), scale(h, tau));
    ph_vec3 w;
    const ph_status status = lie_midpoint(p->body.J, u, h, &w);
    if (status != PH_OK)
        return status;
    const ph_quat rest = ph_exp(scale(half, w));
    return commit_step(s, mul(q, rest), rotate(inverse(rest), u));
}

const ph_method ph_method_new3 = {
    .name = "new3",
    .title = "Koziara and Bicanic's third algorithm",
    .cite = "O11 (4.10)",
    .order = 2,
    .keeps = PH_SYMMETRIC | PH_MOMENTUM,
    .keeps_free = PH_SYMMETRIC | PH_MOMENTUM | PH_CASIMIR,
    .step = step,
};
