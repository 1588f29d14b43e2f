/* exact.c - the exact free motion as a flow: no truncation error at any step.
 *
 * The uniformly accurate solution of src/motion/motion.c, taken over one step;
 * docs/exact.md derives it. A solution of Hamilton's equations, hence symplectic,
 * symmetric, and keeping every invariant, to round-off.
 */
#include "polhode/polhode.h"

#include "motion/motion.h"

static ph_status step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    (void)flow;
    return ph_motion_step(s, J, h);
}

const ph_flow ph_flow_exact = {
    .name = "exact",
    .title = "Exact free motion, uniformly accurate",
    .cite = "docs/exact.md",
    .order = PH_EXACT,
    .keeps = PH_KEEPS_ALL,
    .step = step,
};
