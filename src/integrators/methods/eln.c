/* eln.c - explicit Lie-Newmark, with the Cayley map or the exponential.
 *
 * O11  Ortolan, thesis, Padova 2011, (4.1); Simo, Vu-Quoc 1988, gamma = 1/2, beta = 0.
 *
 *   O11 (4.1a)  w' = w + h/2 J^-1 ( J w x w + tau(R) )
 *   O11 (4.1b)  R+ = R cay(h w')
 *   O11 (4.1c)  w+ = w' + h/2 J^-1 ( J w+ x w+ + tau(R+) )        solved for w+ by Newton
 *
 * (c) is the adjoint of (a), and (b) of itself, hence symmetric, hence of order 2.
 * Nothing ties the turn of the body to that of m: neither momentum nor energy is kept,
 * not even without torque.
 */
#include "integrators/field.h"
#include "integrators/half_steps.h"
#include "rotation/retraction.h"

static ph_status step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                      double h)
{
    const retraction *r = method->data;
    const ph_vec3 w = over(s->m, p->body.J), tau = torque_at(p, t, s->q);
    const ph_vec3 m_half = add(s->m, scale(0.5 * h, add(cross(s->m, w), tau)));
    const ph_quat q = mul(s->q, r->map(scale(h, over(m_half, p->body.J))));
    const ph_vec3 v = add(m_half, scale(0.5 * h, torque_at(p, t + h, q)));
    ph_vec3 w_next;
    const ph_status status = backward_euler(p->body.J, v, h, &w_next);
    return status == PH_OK ? commit_step(s, q, times(p->body.J, w_next)) : status;
}

#define ROW(key, words, map)                                                             \
    {                                                                                    \
        .name = (key), .title = "Explicit Lie-Newmark" words, .cite = "O11 (4.1)",       \
        .order = 2, .keeps = PH_SYMMETRIC, .keeps_free = PH_SYMMETRIC, .step = step,     \
        .data = (map)                                                                    \
    }

const ph_method ph_method_eln[2] = {
    ROW("eln", "", &CAYLEY),
    ROW("eln_exp", " with the exponential", &EXPONENTIAL),
};
