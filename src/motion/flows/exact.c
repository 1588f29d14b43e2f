/* exact.c - the exact free motion as a flow: no truncation error at any step.
 *
 * src/motion/step.c: by addition and doubling (addition.h), and by the uniformly accurate
 * solution (motion.c) for bodies and steps where these would lose digits; docs/exact.md
 * derives both. A solution of Hamilton's equations, hence symplectic,
 * symmetric, and keeping every invariant, to round-off.
 */
#include "motion/exact.h"

#if defined SIMD_VECTORS || defined __OPENCL_VERSION__
FLOW_KERNEL(exact, exact_bodies, exact_move)
#endif

#ifndef SIMD_VECTORS
#include "motion/motion.h"

static ph_status step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
#ifdef __OPENCL_VERSION__ /* where ph_motion_step() is in the second kernel alone */
    if (ordinary_units(s->m, J) && moved(flow, s, J, h))
        return PH_OK;
    return LONGER_WAY(ph_motion_step_uniform(s, J, h));
#else
    (void)flow;
    return ph_motion_step(s, J, h);
#endif
}

#ifndef __OPENCL_VERSION__
const ph_flow ph_flow_exact = {
    .name = "exact",
    .title = "Exact free motion, uniformly accurate",
    .cite = "docs/exact.md",
    .order = PH_ORDER_EXACT,
    .keeps = PH_KEEPS_ALL,
    .step = step,
};
#endif
#endif
