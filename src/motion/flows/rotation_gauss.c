/* rotation_gauss.c - semi-exact: exact momentum, attitude as a product of three rotation
 * matrices with its angle by Gauss quadrature of order 6, 8, 10.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU, section 3.1.
 *
 * The form of `rotation`, the third-kind integral of its angle by (39) with 3, 4 or 5
 * points on the whole of the step: src/motion/celledoni.c.
 *
 * Not defined, and handed over to `exact`: next to every principal axis, where m'
 * vanishes; next to the separatrix, where n tends to 1; for symmetric bodies; without
 * momentum.
 *
 * The momentum is exact, hence its length, the energy and the Poisson structure are kept.
 * The frames take m to e3 whatever the angle between them, hence the momentum in space is
 * kept. The nodes are symmetric in the step, hence the step is. The error of the angle
 * depends on the phase, hence the attitude is symplectic only to the order of the
 * quadrature.
 */
#include "motion/gauss.h"

FLOW_KERNEL(rotation_gauss, gauss_bodies, gauss_move)

#ifndef SIMD_VECTORS
#include "motion/celledoni.h"
#ifdef FINISH /* the second program of a device */
#include "motion/celledoni.c"
#endif

CELLEDONI_STEP(celledoni_step, ph_celledoni_matrices)

static ph_status step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    if (ordinary_units(s->m, J) && moved(flow, s, J, h))
        return PH_OK;
    return LONGER_WAY(celledoni_step(flow, s, J, h));
}

#ifndef __OPENCL_VERSION__
#define MEMBER(key, p)                                                                   \
    {                                                                                    \
        .name = (key),                                                                   \
        .title = "Semi-exact, three rotation matrices, quadrature of order " #p,         \
        .cite = "CFSZ (39), Prop. 2.2", .order = (p),                                    \
        .keeps = PH_KEEPS_ALL & ~PH_SYMPLECTIC, .step = step, .batch = batch             \
    }

const ph_flow ph_flow_rotation_gauss[3] = {
    MEMBER("rotation_gauss6", 6),
    MEMBER("rotation_gauss8", 8),
    MEMBER("rotation_gauss10", 10),
};
#endif
#endif
