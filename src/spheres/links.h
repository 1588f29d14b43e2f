/* links.h - what pendulums that hang on one another have in common.
 *
 * Link i is a rod of length l_i with a mass m_i at its end; q_i is its direction, k = (0,
 * 0, 1) points down:
 *
 *   M_ij = (m_max(i,j) + ... + m_n) l_i l_j,   V = -sum_i (m_i + ... + m_n) g l_i k.q_i
 *
 * and the momentum about the vertical is k . sum_i q_i x sum_j M_ij q_j', O11 (7.6).
 */
#pragma once

#include "polhode/spheres.h"
#include "rotation/vec.h"

/* The potential from the weight (m_i + ... + m_n) g l_i of each link. */
static inline double links_potential(const ph_spheres_problem *p, const ph_vec3 *q,
                                     double (*weight)(const ph_spheres_problem *p, int i),
                                     ph_vec3 *gradient)
{
    const int n = p->count(p);
    double V = 0.0;
    for (int i = 0; i < n; i++) {
        const double weight_i = weight(p, i);
        V -= weight_i * q[i].z;
        if (gradient != NULL)
            gradient[i] = vec3(0, 0, -weight_i);
    }
    return V;
}

/* The momentum about the vertical. */
static inline double links_momentum(const ph_spheres_problem *p, const ph_vec3 *q,
                                    const ph_vec3 *w)
{
    const int n = p->count(p);
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        ph_vec3 momentum = {0, 0, 0};
        for (int j = 0; j < n; j++)
            momentum = add(momentum, scale(p->mass(p, i, j), cross(w[j], q[j])));
        sum += cross(q[i], momentum).z;
    }
    return sum;
}
