/* lie_euler.c - forward and backward Euler steps, the halves of trap, imid, trapm and
 * imidm.
 *
 * K06  Krysl, 2006, sections 3.2 and 3.6; the backward ones, (12) and (19), are in
 *      src/integrators/lie.h.
 *
 *   both forward ones   R+ = R exp(h w),   w = J^-1 (m - H)
 *   K06 (11)  lie_euler_forward    m+ = m + h ( m x w + T )
 *   K06 (18)  lie_euler_forwardm   m+ = exp(-h w) ( m + h T )
 *
 * (12) is the adjoint of (11), (19) that of (18). In space (18) and (19) read
 * pi+ = pi + h R T  and  pi+ = pi + h R+ T+, which keeps what the torque has no component
 * along.
 */
#include "integrators/lie.h"

static ph_status forward(const ph_method *method, const ph_problem *p, ph_state *s,
                         double t, double h)
{
    (void)method;
    const ph_vec3 w = velocity_at(p, t, s->m);
    const ph_vec3 rate = add(cross(s->m, w), torque_moving(p, t, s->q, s->m, w));
    return commit_step(s, mul(s->q, ph_exp(scale(h, w))), add(s->m, scale(h, rate)));
}

static ph_status forward_momentum(const ph_method *method, const ph_problem *p,
                                  ph_state *s, double t, double h)
{
    (void)method;
    const ph_vec3 w = velocity_at(p, t, s->m);
    const ph_quat turn = ph_exp(scale(h, w));
    const ph_vec3 kicked = add(s->m, scale(h, torque_moving(p, t, s->q, s->m, w)));
    return commit_step(s, mul(s->q, turn), rotate(inverse(turn), kicked));
}

static ph_status backward(const ph_method *method, const ph_problem *p, ph_state *s,
                          double t, double h)
{
    (void)method;
    const backward_step b = {p, s->q, s->m, t + h, h};
    ph_vec3 w;
    const ph_status status = solve_rate(&b, &w);
    if (status != PH_OK)
        return status;
    return commit_step(s, mul(s->q, ph_exp(scale(h, w))), momentum_at(p, b.t, w));
}

static ph_status backward_momentum(const ph_method *method, const ph_problem *p,
                                   ph_state *s, double t, double h)
{
    (void)method;
    const backward_step b = {p, s->q, s->m, t + h, h};
    ph_vec3 w;
    const ph_status status = solve_momentum(&b, &w);
    if (status != PH_OK)
        return status;
    const ph_quat turn = ph_exp(scale(h, w)), q = mul(s->q, turn);
    const ph_vec3 torque = torque_at_velocity(p, b.t, q, w);
    return commit_step(s, q, add(rotate(inverse(turn), s->m), scale(h, torque)));
}

#define ROW(key, words, where, kept, kept_free, function)                                \
    {                                                                                    \
        .name = "lie_euler_" key, .title = (words), .cite = (where), .order = 1,         \
        .any_torque = true, .keeps = (kept), .keeps_free = (kept_free),                  \
        .step = (function)                                                               \
    }
#define FREE (PH_MOMENTUM | PH_CASIMIR)

const ph_method ph_method_lie_euler[4] = {
    ROW("forward", "Forward Euler on the group", "K06 (11)", 0, 0, forward),
    ROW("backward", "Backward Euler on the group", "K06 (12)", 0, 0, backward),
    ROW("forwardm", "Forward Euler on the group, momentum-conserving", "K06 (18)",
        PH_MOMENTUM, FREE, forward_momentum),
    ROW("backwardm", "Backward Euler on the group, momentum-conserving", "K06 (19)",
        PH_MOMENTUM, FREE, backward_momentum),
};
