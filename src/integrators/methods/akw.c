/* akw.c - the midpoint rule of Austin, Krishnaprasad and Wang, in Krysl's form.
 *
 * K06  Krysl, 2006, section 4, Algorithm AKW; Austin, Krishnaprasad, Wang 1993.
 *
 *   m' = (m + m+)/2,   w' = J^-1 m'
 *   m+ = m + h m' x w' + h/2 (T + T+),   T = T(t, R),  T+ = T(t + h, R+)
 *   R+ = R cay(h w')
 *
 *   F(w') = w' - J^-1 ( m + h/2 J w' x w' + h/4 (T + T+) )
 *
 * Step and step back satisfy the same equations, hence symmetric. Without torque it is
 * the midpoint rule for m, which keeps the energy and |m|, and m+ = cay(-h w') m, so that
 * the momentum in space is kept; in a field only where the torque is linear in R, as that
 * of the heavy top.
 */
#include "integrators/lie.h"

typedef struct equation {
    const ph_problem *p;
    const ph_state *s;
    ph_vec3 kicked; /* m + h/4 T */
    double t, h;    /* t at the end */
} equation;

static void system_of(const void *context, ph_vec3 w, ph_vec3 *F, ph_mat3 *dF)
{
    const equation *e = context;
    const ph_vec3 J = e->p->body.J, x = scale(e->h, w);
    const double half = 0.5 * e->h;
    const ph_quat q = mul(e->s->q, ph_cay(x));
    const ph_vec3 rate = add(cross(times(J, w), w), scale(0.5, torque_at(e->p, e->t, q)));
    *F = sub(w, over(add(e->kicked, scale(half, rate)), J));
    const ph_mat3 slope =
        matmul(torque_derivative(e->p, e->t, q), matrix_of(ph_dcay, scale(-1, x)));
    *dF = one_plus(-half, J, add_to(gyration_slope(J, w), half, slope));
}

static ph_status step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                      double h)
{
    (void)method;
    const ph_vec3 before = torque_at(p, t, s->q);
    const equation e = {p, s, add(s->m, scale(0.25 * h, before)), t + h, h};
    ph_vec3 w = over(s->m, p->body.J);
    const ph_status status = newton(system_of, &e, &w);
    if (status != PH_OK)
        return status;
    const ph_quat q = mul(s->q, ph_cay(scale(h, w)));
    const ph_vec3 torque = scale(0.5, add(before, torque_at(p, e.t, q)));
    return commit_step(s, q,
                       add(s->m, scale(h, add(cross(times(p->body.J, w), w), torque))));
}

const ph_method ph_method_akw = {
    .name = "akw",
    .title = "Midpoint rule of Austin, Krishnaprasad and Wang",
    .cite = "K06 section 4, AKW",
    .order = 2,
    .keeps = PH_SYMMETRIC,
    .keeps_free = PH_SYMMETRIC | PH_MOMENTUM | PH_CASIMIR | PH_ENERGY,
    .step = step,
};
