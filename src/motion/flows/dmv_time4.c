/* dmv_time4.c - Moser-Veselov with a transformed time and a modified turn, order 4.
 *
 * HV  Hairer, Vilmart, J. Phys. A 39 (2006), Remark 2.4; the momentum after McLachlan
 *     and Zanna 2005.
 *
 *   h~ = h (1 + h^2 s3)                                                            HV (8)
 *   e from a Moser-Veselov step of length h~ with the moments I, which carries y
 *   turn = (1, e~)/|(1, e~)|,  e~ = (h/2) I~^-1 Y = e + (h^3 d3/h~) I e,  Y = (2/h~) I e
 *
 * e~ - e is parallel to Y and so to y + y+, whence both turns carry y to the same y+: the
 * momentum in space is kept. H and C are, as by every Moser-Veselov step, and h~ depends
 * on them alone: hence symmetric, and Poisson in m.
 */
#include "motion/moser_veselov.h"
#include "motion/series.h"

static bool planner(const ph_flow *flow, const scaled *z, double h, ph_dmv_plan *plan)
{
    (void)flow;
    const ph_series_at at = ph_series_invariants(z->j, z->m);
    const ph_modified c = ph_series_modified(ph_dmv_series, 1, &at, h, false);
    *plan = (ph_dmv_plan){.I = z->I, .h = h * c.s, .share = c.d / c.s};
    return c.s > 0.0;
}

static ph_status step_dmv_time4(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    TAKE_DMV_STEPS(flow, s, J, h, planner, 0.8);
}

const ph_flow ph_flow_dmv_time4 = {
    .name = "dmv_time4",
    .title = "Discrete Moser-Veselov with transformed time, order 4",
    .cite = "HV Remark 2.4",
    .order = 4,
    .keeps = PH_MOMENTUM | PH_CASIMIR | PH_ENERGY | PH_SYMMETRIC | PH_POISSON,
    .step = step_dmv_time4,
};
