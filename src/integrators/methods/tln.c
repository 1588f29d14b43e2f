/* tln.c - trapezoidal Lie-Newmark, with the Cayley map or the exponential.
 *
 * O11  Ortolan, thesis, Padova 2011, (4.3); Simo, Vu-Quoc 1988, gamma = 1/2, beta = 1/4.
 *
 *   O11 (4.3a)  J w+ + h/2 w+ x J w+ - h/2 tau(R+) = J w - h/2 w x J w + h/2 tau(R)
 *   O11 (4.3b)  R+ = R cay(P),   P = h (w + w+)/2
 *
 * solved for w+ by Newton, divided by J:
 *
 *   f  = w+ - h/2 J^-1 (J w+ x w+ + tau(R+)) - w - h/2 J^-1 (J w x w + tau(R))
 *   df = 1 - h/2 J^-1 ( (J w+)^ - w+^ J + h/2 Dtau(R+) dcay_-P )
 *
 * Corrected: of its Jacobian, that of -J f, O11 prints the part with the velocity as
 * -h/2 ( (J w)^ + w^ J ), and the first term of Dtau for its potential with the sign +.
 *
 * Exchanging the ends of the step and the sign of h leaves both equations as they are,
 * hence symmetric. Neither momentum nor energy is kept, not even without torque.
 */
#include "integrators/field.h"
#include "integrators/half_steps.h"
#include "rotation/retraction.h"

typedef struct equation {
    const ph_problem *p;
    const retraction *r;
    ph_quat q;
    ph_vec3 w,
        known; /* the velocity before, and J times what of f does not depend on w+ */
    double t, h;
} equation;

static ph_vec3 turn_of(const equation *e, ph_vec3 next)
{
    return scale(0.5 * e->h, add(e->w, next));
}

static void system_of(const void *context, ph_vec3 next, ph_vec3 *F, ph_mat3 *dF)
{
    const equation *e = context;
    const double half = 0.5 * e->h, t = e->t + e->h;
    const ph_vec3 J = e->p->body.J, P = turn_of(e, next);
    const ph_quat q = mul(e->q, e->r->map(P));
    const ph_vec3 rate = add(cross(times(J, next), next), torque_at(e->p, t, q));
    *F = sub(next, over(add(e->known, scale(half, rate)), J));
    const tangent c = e->r->at(dot(P, P));
    const ph_mat3 D =
        matmul(torque_derivative(e->p, t, q), tangent_matrix(&c, scale(-1.0, P)));
    *dF = one_plus(-half, J, add_to(gyration_slope(J, next), half, D));
}

static ph_status step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                      double h)
{
    const retraction *r = method->data;
    const ph_vec3 w = over(s->m, p->body.J),
                  rate = add(cross(s->m, w), torque_at(p, t, s->q));
    const equation e = {p, r, s->q, w, add(s->m, scale(0.5 * h, rate)), t, h};
    ph_vec3 next = w;
    const ph_status status = newton(system_of, &e, &next);
    if (status != PH_OK)
        return status;
    return commit_step(s, mul(s->q, r->map(turn_of(&e, next))), times(p->body.J, next));
}

#define ROW(key, words, map)                                                             \
    {                                                                                    \
        .name = (key), .title = "Trapezoidal Lie-Newmark" words, .cite = "O11 (4.3)",    \
        .order = 2, .keeps = PH_SYMMETRIC, .keeps_free = PH_SYMMETRIC, .step = step,     \
        .data = (map)                                                                    \
    }

const ph_method ph_method_tln[2] = {
    ROW("tln", "", &CAYLEY),
    ROW("tln_exp", " with the exponential", &EXPONENTIAL),
};
