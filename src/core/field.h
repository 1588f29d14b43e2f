/* field.h - what methods share that move a body in a field: the torque, its derivative,
 * the way to the new state, and the step kick, free motion, kick.
 */
#ifndef POLHODE_CORE_FIELD_H
#define POLHODE_CORE_FIELD_H

#include "core/vec.h"
#include "polhode/polhode.h"

/* The torque at the attitude q and the time t; zero where there is no field. */
static inline ph_vec3 torque_at(const ph_problem *p, double t, ph_quat q)
{
    return p->torque ? p->torque(p, t, ph_matrix(q)) : vec3(0, 0, 0);
}

/* Its derivative, column k along axis k; by central differences where the problem gives
 * none, over the angle that balances their error against round-off. */
static inline ph_mat3 torque_derivative(const ph_problem *p, double t, ph_quat q)
{
    static const double ANGLE = 6e-6;
    if (!p->torque)
        return (ph_mat3){{{0}}};
    if (p->derivative)
        return p->derivative(p, t, ph_matrix(q));
    ph_vec3 column[3];
    for (int k = 0; k < 3; k++) {
        const ph_quat turn = ph_exp(scale(ANGLE, vec3(k == 0, k == 1, k == 2)));
        const ph_vec3 ahead = torque_at(p, t, mul(q, turn)),
                      behind = torque_at(p, t, mul(q, inverse(turn)));
        column[k] = scale(0.5 / ANGLE, sub(ahead, behind));
    }
    return columns(column[0], column[1], column[2]);
}

/* Ends a step in the state q, m; PH_NOT_FINITE, and s untouched, if it is none. */
static inline ph_status arrive(ph_state *s, ph_quat q, ph_vec3 m)
{
    if (!finite4(q) || !finite3(m))
        return PH_NOT_FINITE;
    *s = (ph_state){tidy(q), m};
    return PH_OK;
}

/* m + h torque. */
static inline ph_status kick(const ph_problem *p, ph_state *s, double t, double h)
{
    const ph_vec3 m = add(s->m, scale(h, torque_at(p, t, s->q)));
    if (!finite3(m))
        return PH_NOT_FINITE;
    s->m = m;
    return PH_OK;
}

/* A step of a free body in principal axes; s is untouched unless PH_OK. */
typedef ph_status free_step(ph_state *s, ph_vec3 J, double h);

/* Half the torque before a free step, half of it after. A kick is symplectic and leaves
 * the momentum about a symmetry axis of the field alone, and the whole is a palindrome:
 * what of symmetry, symplecticity and momentum the free step keeps, the whole keeps. */
static inline ph_status kick_free_kick(const ph_problem *p, ph_state *s, double t,
                                       double h, free_step *free_motion)
{
    ph_state next = *s;
    ph_status status = kick(p, &next, t, 0.5 * h);
    if (status == PH_OK)
        status = free_motion(&next, p->J, h);
    if (status == PH_OK)
        status = kick(p, &next, t + h, 0.5 * h);
    if (status == PH_OK)
        *s = next;
    return status;
}

#endif
