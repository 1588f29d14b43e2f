/* scaled.h - one step of a free body without dimensions, and the way back.
 *
 * Axes renamed so that the moments ascend, moments in units of the middle one, momentum
 * of unit length, time in units of I2/|m|: what is left of a step are two ratios of
 * moments, a direction and an angle, and no formula can overflow, at moments of 1e-46 no
 * more than at 1e9.
 */
#pragma once

#include "motion/renaming.h"
#include "motion/vec.h"
#include "polhode/body.h"

typedef struct scaled {
    renaming roles;
    double length; /* |m|; 0 if there is nothing to turn */
    ph_vec3 m;     /* m/|m|, in role axes */
    ph_vec3 I;     /* moments over the middle one, ascending; I.y = 1 */
    ph_vec3 j;     /* their inverses */
    double h;      /* the step */
} scaled;

static inline scaled to_scaled(const ph_state *s, ph_vec3 J, double h)
{
    scaled z = {.roles = ascending(J)};
    const double largest = norm_max(s->m);
    if (largest == 0.0)
        return z;
    const ph_vec3 u = scale(1.0 / largest, s->m), I = in_order(&z.roles, J);
    const double n = norm(u);
    z.length = n * largest;
    z.m = scale(1.0 / n, renamed(&z.roles, u));
    z.I = vec3(I.x / I.y, 1.0, I.z / I.y);
    z.j = vec3(I.y / I.x, 1.0, I.y / I.z);
    z.h = h * (z.length / I.y);
    return z;
}

/* Turns a body: the attitude follows the turn, and the momentum keeps its place in
 * space. */
static inline ph_status apply_turn(ph_state *s, ph_quat turn)
{
    const ph_state next = {renormalize(mul(s->q, turn)), rotate(inverse(turn), s->m)};
    if (!finite4(next.q) || !finite3(next.m))
        return PH_NOT_FINITE;
    *s = next;
    return PH_OK;
}

/* Turns a body by a turn that is given in the role axes of z. */
static inline ph_status apply_scaled_turn(ph_state *s, const scaled *z, ph_quat turn)
{
    return apply_turn(s, quat(turn.w, renamed_back(&z->roles, vec(turn))));
}

/* The turn with vec/scalar = e, that is cay(2 e). */
static inline ph_quat turn_of_tangent(ph_vec3 e)
{
    const double w = 1.0 / sqrt(1.0 + dot(e, e));
    return quat(w, scale(w, e));
}
