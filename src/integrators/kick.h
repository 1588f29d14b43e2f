/* kick.h - what a torque does to the momentum between two drifts. */
#pragma once

#include "motion/vec.h"

/* m + h tau */
static inline ph_vec3 kicked(ph_vec3 m, ph_vec3 tau, double h)
{
    return add(m, scale(h, tau));
}

/* With D the derivative of the torque tau, and g = J^-1 tau:
 *
 *   m + 2 h3 ( D g - tau x g )
 *
 * This is a nested bracket of kick, drift and kick, for any torque. Where there is a
 * potential, D g - tau x g = D^T g, and it is the kick of V = tau . J^-1 tau over -h3. */
static inline ph_vec3 kicked_by_gradient(ph_vec3 m, ph_vec3 tau, ph_vec3 J, ph_mat3 D, double h3)
{
    const ph_vec3 g = over(tau, J);
    return add(m, scale(2.0 * h3, sub(apply(D, g), cross(tau, g))));
}
