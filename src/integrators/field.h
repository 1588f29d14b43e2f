/* field.h - what methods share that move a body in a field: the torque, its derivative,
 * the way to the new state, and the step kick, free motion, kick.
 */
#pragma once

#include "motion/vec.h"
#include "polhode/body.h"

/* ---- principal axes -------------------------------------------------------------- */

/* A problem whose body is given in other axes, as the same problem in principal axes, made
 * in *memory: p and *memory must outlive it. A problem in principal axes is returned as it
 * is. Integrators see nothing else. */
const ph_problem *ph_problem_principal(const ph_problem *p, ph_problem *memory);

/* The problem that one in principal axes, made so, stands for; any other: itself. */
const ph_problem *ph_problem_original(const ph_problem *p);

/* ---- velocity and momentum ------------------------------------------------------- */

/* m = J w + H at the time t, H the internal momentum. */
static inline ph_vec3 without_internal(const ph_problem *p, double t, ph_vec3 m)
{
    if (p->internal)
        return sub(m, p->internal(p, t));
    return m;
}

static inline ph_vec3 with_internal(const ph_problem *p, double t, ph_vec3 Jw)
{
    if (p->internal)
        return add(Jw, p->internal(p, t));
    return Jw;
}

static inline ph_vec3 velocity_at(const ph_problem *p, double t, ph_vec3 m)
{
    return over(without_internal(p, t, m), p->body.J);
}

static inline ph_vec3 momentum_at(const ph_problem *p, double t, ph_vec3 w)
{
    return with_internal(p, t, times(p->body.J, w));
}

/* ---- the torque ------------------------------------------------------------------ */

/* Whether torque and force are those of time and place alone, without internal momenta. */
static inline bool is_field(const ph_problem *p)
{
    return p->internal == NULL &&
           !((p->torque != NULL || p->force != NULL) && p->velocity_dependent);
}

/* The attitude q at the time t, for functions of these alone. */
static inline ph_instant instant_at(double t, ph_quat q)
{
    const ph_vec3 none = {NAN, NAN, NAN};
    return (ph_instant){t, q, ph_quat_matrix(q), none, none, none, none};
}

/* A torque of time, attitude, momentum and velocity; zero where there is no field. */
static inline ph_vec3 torque_moving(const ph_problem *p, double t, ph_quat q, ph_vec3 m, ph_vec3 w)
{
    if (p->torque == NULL)
        return vec3(0, 0, 0);
    ph_instant now = instant_at(t, q);
    if (p->velocity_dependent) {
        now.m = m;
        now.w = w;
    }
    if (p->evaluations != NULL)
        ++*p->evaluations;
    return (p->torque)(p, &now); /* without parentheses cppcheck sees a constructor */
}

/* The torque at an attitude and an angular velocity, from which m follows. */
static inline ph_vec3 torque_at_velocity(const ph_problem *p, double t, ph_quat q, ph_vec3 w)
{
    return torque_moving(p, t, q, momentum_at(p, t, w), w);
}

/* The part of the torque that depends on time and attitude alone: all but the damping. */
static inline ph_vec3 torque_at(const ph_problem *p, double t, ph_quat q)
{
    const ph_vec3 none = {NAN, NAN, NAN}, rest = {0, 0, 0};
    return torque_moving(p, t, q, none, p->damping == 0.0 ? none : rest);
}

/* Derivatives of the torque, column k along axis k: by differences over the angle that
 * balances their error against round-off, where the problem gives none. */
static const double DIFFERENCE_ANGLE = 6e-6;

static inline ph_vec3 difference_quotient(double d, ph_vec3 ahead, ph_vec3 behind)
{
    return scale(0.5 / d, sub(ahead, behind));
}

static inline ph_vec3 axis(int k)
{
    return vec3(k == 0, k == 1, k == 2);
}

/* By the attitude, at the velocity w where the torque depends on it. */
static inline ph_mat3 torque_by_attitude(const ph_problem *p, double t, ph_quat q, ph_vec3 w)
{
    if (p->torque == NULL)
        return (ph_mat3){{{0}}};
    if (p->derivative != NULL && !p->velocity_dependent) {
        const ph_instant now = instant_at(t, q);
        return p->derivative(p, &now);
    }
    ph_vec3 column[3];
    for (int k = 0; k < 3; k++) {
        const ph_quat turn = ph_rotation_exp(scale(DIFFERENCE_ANGLE, axis(k)));
        column[k] = difference_quotient(DIFFERENCE_ANGLE, torque_at_velocity(p, t, mul(q, turn), w),
                                        torque_at_velocity(p, t, mul(q, inverse(turn)), w));
    }
    return columns(column[0], column[1], column[2]);
}

/* The derivative of a torque of time and attitude alone. */
static inline ph_mat3 torque_derivative(const ph_problem *p, double t, ph_quat q)
{
    return torque_by_attitude(p, t, q, vec3(NAN, NAN, NAN));
}

/* By the velocity, in a step of h: over the velocity that turns by that angle in it. */
static inline ph_mat3 torque_by_velocity(const ph_problem *p, double t, ph_quat q, ph_vec3 w,
                                         double h)
{
    const double d = h == 0.0 ? DIFFERENCE_ANGLE : DIFFERENCE_ANGLE / h;
    ph_vec3 column[3];
    for (int k = 0; k < 3; k++) {
        const ph_vec3 more = scale(d, axis(k));
        column[k] = difference_quotient(d, torque_at_velocity(p, t, q, add(w, more)),
                                        torque_at_velocity(p, t, q, sub(w, more)));
    }
    return columns(column[0], column[1], column[2]);
}

/* Ends a step in the state q, m; PH_NOT_FINITE, and s untouched, if it is none. */
static inline ph_status commit_step(ph_state *s, ph_quat q, ph_vec3 m)
{
    if (!finite4(q) || !finite3(m))
        return PH_NOT_FINITE;
    *s = (ph_state){renormalize(q), m};
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

/* The data of a method that kicks, moves freely and kicks: the free step in principal axes,
 * s untouched unless PH_OK, and what that step differs in from others. */
typedef struct free_motion {
    ph_status (*step)(const void *data, ph_state *s, ph_vec3 J, double h);
    const void *data;
} free_motion;

/* The step of such a method: half the torque before a free step, half of it after. A kick
 * is symplectic and leaves the momentum about a symmetry axis of the field alone, and the
 * whole is a palindrome: what of symmetry, symplecticity and momentum the free step keeps,
 * the whole keeps. */
static inline ph_status kick_free_kick(const ph_method *method, const ph_problem *p, ph_state *s,
                                       double t, double h)
{
    const free_motion *between = method->data;
    ph_state next = *s;
    ph_status status = kick(p, &next, t, 0.5 * h);
    if (status == PH_OK)
        status = between->step(between->data, &next, p->body.J, h);
    if (status == PH_OK)
        status = kick(p, &next, t + h, 0.5 * h);
    if (status == PH_OK)
        *s = next;
    return status;
}
