/* dmv.c - the discrete Moser-Veselov algorithm, and preprocessed to order 16.
 *
 * HV  Hairer, Vilmart, J. Phys. A 39 (2006), Algorithm 2.2; V13 Algorithms 3 and 4.
 *
 *   A Moser-Veselov step (src/motion/moser_veselov.h) with the modified moments of
 *   src/motion/series.h, h^2 to h^(order - 2), from H and C at the start of the step
 *   (to order 10 written out, src/motion/dmv_moments.h).
 *
 * A step that would turn the body by more than 1.2 rad (0.9 for dmv2, whose equation has
 * no solution from about 1 rad on) is divided into equal ones that share their moments
 * (HV Remark 3.1). More than 2^16 of them are refused: PH_NO_CONVERGENCE.
 *
 * HV Prop. 2.3: each step is DMV for a body with constant moments, which keeps Qy, C and
 * its own H~, hence H; H and C kept make it symmetric; the modified equation of m is
 * Poisson. dmv2 is RATTLE, hence symplectic; the others are so in m alone. All of this for
 * a fixed number of parts: where the number changes, the step jumps (docs/flows.md).
 */
#include "motion/dmv.h"
#include "motion/batch/kernels.h"
#include "motion/moser_veselov.h"
#include "motion/series.h"
#include "rotation/vec.h"

/* The inverses of the modified moments: written out to order 10, beyond it from the table, in
 * units of p1 = j1 + j2 + j3. */
static ph_vec3 inverses(int order, const scaled *z, double h)
{
    const ph_vec3 j = z->j, y = z->m;
    if (order <= DMV_MOMENTS_ORDER)
        return dmv_inverses(order, j, y, h);
    const double p1 = j.x + j.y + j.z;
    const ph_series_at at = ph_series_invariants(scale(1.0 / p1, j), y);
    const ph_modified c =
        ph_series_modified(ph_dmv_series, order / 2 - 1, &at, h * p1, false);
    const double d = c.d * p1;
    return add(scale(c.s, j), vec3(d, d, d));
}

static bool planner(const ph_flow *flow, const scaled *z, double h, ph_dmv_plan *plan)
{
    const ph_vec3 j = inverses(flow->order, z, h);
    plan->I = vec3(1.0 / j.x, 1.0 / j.y, 1.0 / j.z);
    plan->h = h;
    return j.x > 0.0 && j.y > 0.0 && j.z > 0.0;
}

/* One Moser-Veselov step as for many bodies, or as many as it takes. */
static ph_status step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    if (flow->order <= DMV_MOMENTS_ORDER && h != 0.0 && ordinary_units(s->m, J)) {
        dmv_bodies w[VECTORS];
        w[0].s = one_body(s, J, h);
        dmv_move(w, flow);
        if (take(s, &w[0].out))
            return PH_OK;
    }
    return ph_dmv_step(flow, s, J, h);
}

BATCH_KERNEL(dmv)

#define DMV_KEEPS (PH_MOMENTUM | PH_CASIMIR | PH_ENERGY | PH_SYMMETRIC | PH_POISSON)

#define ROW(key, p, bits)                                                                \
    {                                                                                    \
        .name = (key), .title = "Discrete Moser-Veselov, order " #p,                     \
        .cite = "HV Algorithm 2.2", .order = (p), .keeps = (bits), .step = step,         \
        .data = &(const ph_dmv_rule){planner, DMV_LARGEST_ANGLE(p)},                     \
        .batch = (p) <= DMV_MOMENTS_ORDER ? batch : NULL                                 \
    }

const ph_flow ph_flow_dmv[8] = {
    ROW("dmv2", 2, DMV_KEEPS | PH_SYMPLECTIC),
    ROW("dmv4", 4, DMV_KEEPS),
    ROW("dmv6", 6, DMV_KEEPS),
    ROW("dmv8", 8, DMV_KEEPS),
    ROW("dmv10", 10, DMV_KEEPS),
    ROW("dmv12", 12, DMV_KEEPS),
    ROW("dmv14", 14, DMV_KEEPS),
    ROW("dmv16", 16, DMV_KEEPS),
};
