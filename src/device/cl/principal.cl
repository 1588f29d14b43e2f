/* principal.cl - the torque of a problem in principal axes, and its derivative, as
 * integrators/problem.c has them; torque() and, WITH_GRADIENT, derivative() stand before it. */
#include "motion/state.h"

PART ph_instant in_body_frame(const ph_problem *p, const ph_instant *now)
{
    const ph_body *b = &p->body;
    const ph_state s = from_principal(b, (ph_state){now->q, now->m});
    const ph_instant seen = {now->t, s.q, ph_quat_matrix(s.q), s.m, rotate(b->axes, now->w)};
    return seen;
}

PART ph_vec3 principal_torque(const ph_problem *p, const ph_instant *now)
{
    if (p->body.principal)
        return torque(p, now);
    const ph_instant seen = in_body_frame(p, now);
    return rotate(inverse(p->body.axes), torque(p, &seen));
}

#ifdef WITH_GRADIENT
PART ph_mat3 principal_derivative(const ph_problem *p, const ph_instant *now)
{
    if (p->body.principal)
        return derivative(p, now);
    const ph_instant seen = in_body_frame(p, now);
    const ph_mat3 A = ph_quat_matrix(p->body.axes);
    return matmul(transpose(A), matmul(derivative(p, &seen), A));
}
#endif
