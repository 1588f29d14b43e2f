/* sr.cl - the flow `sr2`: src/motion/sr.h. */
#include "device/cl/flow_begin.cl"
#include "motion/sr.h"

PART ph_status step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    if (!ordinary_units(s->m, J))
        return LEFT;
    sr_bodies w[VECTORS];
    w[0].s = one_body(s, J, h);
    sr_move(w, flow);
    return take(s, &w[0].out) ? PH_OK : PH_NOT_FINITE;
}

#define FLOW_DATA const int data = 0
#include "device/cl/flow_end.cl"
