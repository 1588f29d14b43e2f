/* diagonal.h - what llm and rattle have in common where the mass matrix is diagonal: the
 * way onto the sphere, and the last kick.
 *
 *   q+ = d + (1 - |d|^2)^(1/2) q,   d tangential; there is none for |d| > 1
 *   w+ = w' - h/(2M) q+ x V(q+),    V = dV/dq
 */
#pragma once

#include "spheres/solve.h"

/* From d to q+. */
static inline ph_status reach_sphere(ph_vec3 q, ph_vec3 d, ph_vec3 *next)
{
    const double rest = 1.0 - dot(d, d);
    if (isnan(rest))
        return PH_NOT_FINITE;
    if (rest < 0.0)
        return PH_NO_ROOT;
    *next = renormalize_direction(add(d, scale(sqrt(rest), q)));
    return PH_OK;
}

/* From w' to w+, both in next_w; q+ is in next_q. */
static inline void kick_last(ph_spheres *s, double h)
{
    const ph_vec3 *q = s->next_q, *V = ph_spheres_gradient(s, q);
    for (int i = 0; i < s->n; i++) {
        const ph_vec3 kick = scale(0.5 * h / s->mass[i], cross(q[i], V[i]));
        s->next_w[i] = tangential(q[i], sub(s->next_w[i], kick));
    }
}
