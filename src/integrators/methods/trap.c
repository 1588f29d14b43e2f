/* trap.c - Krysl's trapezoidal rule: half a step of forward Euler, half of backward
 * Euler.
 *
 * K06  Krysl, Dynamically equivalent implicit algorithms for the integration of rigid
 *      body rotations, 2006, (14), Algorithm TRAP.
 *
 *   R+ = R exp(h/2 w) exp(h/2 w+),   w = J^-1 m
 *   m+ = m + h/2 ( m x w + T + m+ x w+ + T+ ),   T = T(t, R),  T+ = T(t + h, R+)
 *
 * The two halves are each other's adjoint, hence symmetric. fE(h/2) TRAP = IMID fE(h/2):
 * without torque it keeps the energy and |m| of the midpoints, not those of its own
 * states.
 */
#include "integrators/lie.h"

static ph_status step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                      double h)
{
    (void)method;
    const double half = 0.5 * h;
    const ph_vec3 w0 = over(s->m, p->body.J);
    const ph_vec3 rate = add(cross(s->m, w0), torque_at(p, t, s->q));
    const backward_step b = {p, mul(s->q, ph_exp(scale(half, w0))),
                             add(s->m, scale(half, rate)), t + h, half};
    ph_vec3 w;
    const ph_status status = solve_rate(&b, &w);
    if (status != PH_OK)
        return status;
    return commit_step(s, mul(b.q, ph_exp(scale(half, w))), times(p->body.J, w));
}

const ph_method ph_method_trap = {
    .name = "trap",
    .title = "Trapezoidal rule (Krysl)",
    .cite = "K06 (14)",
    .order = 2,
    .keeps = PH_SYMMETRIC,
    .keeps_free = PH_SYMMETRIC,
    .step = step,
};
