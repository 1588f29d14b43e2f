/* state.c - checks of what a caller hands in, and a flow taken over one step. */
#include "motion/state.h"
#include "base/arguments.h"
#include "rotation/checked.h"

/* How far a quaternion that turns may be from unit length. */
FILE_CONSTANT double TURNED_UNIT = 1e-12;

ph_status ph_check(const ph_body *b, const ph_state *s)
{
    ph_body valid;
    const bool axes = b->principal || fabs(dot4(b->axes, b->axes) - 1.0) < TURNED_UNIT;
    if (!axes || ph_body_from_moments(&valid, b->J) != PH_OK)
        return PH_BAD_INERTIA;
    const bool zero = s->q.w == 0.0 && norm_max(vec(s->q)) == 0.0;
    if (zero || !finite4(s->q) || !finite3(s->m))
        return PH_BAD_STATE;
    return PH_OK;
}

#ifndef __OPENCL_VERSION__
ph_status ph_flow_step(const ph_flow *flow, const ph_body *b, ph_state *s, double h)
{
    if (ANY_NULL(flow, b, s))
        return PH_NULL_ARGUMENT;
    const ph_status checked = ph_check(b, s);
    if (checked != PH_OK)
        return checked;
    if (!isfinite(h))
        return PH_BAD_STEP;
    ph_state next = to_principal(b, *s);
    const ph_status stepped = flow->step(flow, &next, b->J, h);
    if (stepped != PH_OK)
        return stepped;
    next = from_principal(b, next);
    CHECKED(flow->name, state_holds(&next, s->q));
    *s = next;
    return PH_OK;
}
#endif
