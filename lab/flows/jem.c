/* jem.c - Jacobi and Magnus: exact momentum, attitude by a truncated Magnus series of
 * order 2, 4.
 *
 * CS06  Celledoni, Saefstroem, J. Phys. A 39 (2006) 5463.
 * HV    Hairer, Vilmart, J. Phys. A 39 (2006) 13225, section 3: Jem2r.
 *
 *   q' = q (0, w)/2,  w = J^-1 m,  m at any time exactly: src/motion/motion.c
 *   q+ = q exp(x)
 *   jem2   x = h w(h/2)
 *   jem4   x = h (w1 + w2)/2 + sqrt(3)/12 h^2 w1 x w2,   w1, w2 = w((1/2 -+ sqrt(3)/6) h)
 *
 * HV names the method and prints no formula. w stands on the right of q; on its left the
 * commutator would have the other sign.
 *
 * The momentum is exact, hence its length, the energy and the Poisson structure are kept.
 * Back by -h the same velocities come in reverse order and x changes its sign, hence
 * symmetric. The attitude does not know where the momentum points: in space it is kept
 * only to the order, and the canonical form too.
 */
#include "polhode/body.h"

#include "motion/motion.h"
#include "motion/units.h"
#include "motion/vec.h"

/* h w at the time c h of the step. */
static ph_vec3 rotation_vector(const free_motion *f, ph_vec3 J, double h, double c)
{
    return scale(h, over(ph_motion_momentum(f, c * h), J));
}

static ph_vec3 magnus2(const free_motion *f, ph_vec3 J, double h)
{
    return rotation_vector(f, J, h, 0.5);
}

static ph_vec3 magnus4(const free_motion *f, ph_vec3 J, double h)
{
    const double offset = sqrt(3.0) / 6.0;
    const ph_vec3 x1 = rotation_vector(f, J, h, 0.5 - offset),
                  x2 = rotation_vector(f, J, h, 0.5 + offset);
    return add(scale(0.5, add(x1, x2)), scale(0.5 * offset, cross(x1, x2)));
}

static ph_status step_jem(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    if (!ordinary_units(s->m, J))
        return STEP_IN_UNITS(flow, s, J, h);
    free_motion f;
    ph_motion_orbit(&f, J, *s);
    const ph_vec3 m = ph_motion_momentum(&f, h);
    const ph_vec3 x = flow->order == 2 ? magnus2(&f, J, h) : magnus4(&f, J, h);
    const ph_quat q = mul(s->q, ph_rotation_exp(x));
    if (!finite4(q) || !finite3(m))
        return PH_NOT_FINITE;
    *s = (ph_state){renormalize(q), m};
    return PH_OK;
}

#define MEMBER(key, p)                                                                             \
    {                                                                                              \
        .name = (key), .title = "Exact momentum, Magnus series of order " #p,                      \
        .cite = "CS06; HV section 3", .order = (p),                                                \
        .keeps = PH_CASIMIR | PH_ENERGY | PH_SYMMETRIC | PH_POISSON, .step = step_jem              \
    }

const ph_flow ph_flow_jem[2] = {
    MEMBER("jem2", 2),
    MEMBER("jem4", 4),
};
