/* half_steps.h - the implicit half steps of a free body that methods have in common,
 * solved for the angular velocity w and divided by J.
 *
 *   backward Euler   w = J^-1 ( v + (h/2) J w x w )
 *   Lie midpoint     w = J^-1 exp(-(h/2) w) v
 */
#pragma once

#include "motion/scaled.h"
#include "rotation/newton.h"
#include "rotation/retraction.h"

typedef struct half_step {
    ph_vec3 J, v;
    double h;
} half_step;

static inline void backward_euler_system(const void *context, ph_vec3 w, ph_vec3 *F,
                                         ph_mat3 *dF)
{
    const half_step *e = context;
    const ph_vec3 J = e->J, rate = cross(times(J, w), w);
    *F = sub(w, over(add(e->v, scale(0.5 * e->h, rate)), J));
    *dF = one_plus(-0.5 * e->h, J, gyration_slope(J, w));
}

static inline ph_status backward_euler(ph_vec3 J, ph_vec3 v, double h, ph_vec3 *w)
{
    const half_step e = {J, v, h};
    *w = over(v, J);
    return newton(backward_euler_system, &e, w);
}

/* dF = 1 - (h/2) J^-1 y^ dexp_{-(h/2) w},   y = exp(-(h/2) w) v */
static inline void lie_midpoint_system(const void *context, ph_vec3 w, ph_vec3 *F,
                                       ph_mat3 *dF)
{
    const half_step *e = context;
    const ph_vec3 x = scale(-0.5 * e->h, w), y = rotate(ph_exp(x), e->v);
    const tangent c = exp_tangent(dot(x, x));
    *F = sub(w, over(y, e->J));
    *dF = one_plus(-0.5 * e->h, e->J, matmul(ph_hat(y), tangent_matrix(&c, x)));
}

static inline ph_status lie_midpoint(ph_vec3 J, ph_vec3 v, double h, ph_vec3 *w)
{
    const half_step e = {J, v, h};
    *w = over(v, J);
    return newton(lie_midpoint_system, &e, w);
}

/* The free step that turns a body by h w, w from the Lie midpoint. */
static inline ph_status lie_midpoint_turn(const void *data, ph_state *s, ph_vec3 J,
                                          double h)
{
    (void)data;
    ph_vec3 w;
    const ph_status status = lie_midpoint(J, s->m, h, &w);
    return status == PH_OK ? apply_turn(s, ph_exp(scale(h, w))) : status;
}
