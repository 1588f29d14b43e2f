/* dmv.cl - the flows `dmv2` to `dmv10`: src/motion/dmv.h, and divided steps, in a program of
 * their own, by src/motion/moser_veselov.c. */
#include "device/cl/flow_begin.cl"
#include "rotation/newton.h"
#include "motion/dmv.h"
#include "motion/moser_veselov.h"
#ifdef FINISH
/* As in src/motion/flows/dmv.c. */
static bool plan_of(const ph_flow *flow, const scaled *z, double h, ph_dmv_plan *plan)
{
    const ph_vec3 j = dmv_inverses(FLOW_ORDER, z->j, z->m, h);
    plan->I = vec3(1.0 / j.x, 1.0 / j.y, 1.0 / j.z);
    plan->h = h;
    return j.x > 0.0 && j.y > 0.0 && j.z > 0.0;
}
#define planner(flow, z, h, plan) plan_of(flow, z, h, plan)
#include "motion/moser_veselov.c"
#undef planner
#endif

PART ph_status step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    if (h != 0.0 && ordinary_units(s->m, J)) {
        dmv_bodies w[VECTORS];
        w[0].s = one_body(s, J, h);
        dmv_move(w, flow);
        if (take(s, &w[0].out))
            return PH_OK;
    }
#ifdef FINISH
    return ph_dmv_step(flow, s, J, h);
#else
    return LEFT;
#endif
}

#define FLOW_DATA const ph_dmv_rule data = {0, DMV_LARGEST_ANGLE(FLOW_ORDER)}
#include "device/cl/flow_end.cl"
