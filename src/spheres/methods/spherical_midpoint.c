/* spherical_midpoint.c - the spherical midpoint method for first-order flows.
 *
 * MMV14  McLachlan, Modin, Verdier, Phys. Rev. E 89 (2014) 061301.
 *
 *   q+ = q + h g(m) x m,   m_i = (q_i + q_i+)/|q_i + q_i+|
 *
 * q+ - q is orthogonal to m, hence |q+| = |q|; linear invariants, as the moment of
 * vorticity and the total spin, are kept; symmetric, and symplectic when the flow is that
 * of an energy (MMV14). Solved for the q+ by fixed-point iteration down to round-off: n
 * may be large. PH_NO_CONVERGENCE where the step is too long for that.
 */
#include <math.h>
#include <string.h>

#include "rotation/fixed_point.h"
#include "spheres/solve.h"

/* One iteration for the increments d, so that q+ = q + d; returns the largest change. */
static double improve(ph_spheres *s, const ph_vec3 *q, double h, ph_vec3 *d)
{
    ph_vec3 *m = s->vectors[1];
    double largest = 0.0;
    for (int i = 0; i < s->n; i++) {
        const ph_vec3 sum = add(q[i], scale(0.5, d[i]));
        m[i] = scale(1.0 / norm(sum), sum);
    }
    const ph_vec3 *g = ph_spheres_angular_velocity(s, m);
    for (int i = 0; i < s->n; i++) {
        const ph_vec3 better = scale(h, cross(g[i], m[i]));
        const double change = norm_max(sub(better, d[i]));
        largest = change > largest || isnan(change) ? change : largest;
        d[i] = better;
    }
    return largest;
}

static ph_status solve(ph_spheres *s, const ph_vec3 *q, double h, ph_vec3 *d)
{
    fixed_point f = {0, 0, 0.0};
    ph_status status;
    memset(d, 0, (size_t)s->n * sizeof *d);
    while (fixed_point_goes_on(&f, improve(s, q, h, d), &status))
        ;
    return status;
}

static ph_status step(const ph_spheres_method *method, ph_spheres *s, ph_vec3 *q,
                      ph_vec3 *w, double h)
{
    (void)method;
    ph_vec3 *d = s->vectors[0];
    const ph_status status = solve(s, q, h, d);
    if (status != PH_OK)
        return status;
    for (int i = 0; i < s->n; i++)
        s->next_q[i] = renormalize_direction(add(q[i], d[i]));
    return ph_spheres_commit_step(s, q, w);
}

const ph_spheres_method ph_spheres_method_spherical_midpoint = {
    .name = "spherical_midpoint",
    .title = "Spherical midpoint",
    .cite = "MMV14",
    .order = 2,
    .keeps = PH_SYMMETRIC | PH_SYMPLECTIC | PH_MOMENTUM,
    .applies_to = PH_FIRST_ORDER,
    .step = step,
};
