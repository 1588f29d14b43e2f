/* state.c - checks of what a caller hands in, and a flow taken over one step. */
#include "motion/state.h"
#include "base/arguments.h"
#include "motion/checked.h"

/* How far a quaternion that turns may be from unit length. */
FILE_CONSTANT double TURNED_UNIT = 1e-12;

ph_status ph_check(const ph_body *b, const ph_state *s)
{
    const ph_vec3 J = b->J;
    const bool axes = b->principal || fabs(dot4(b->axes, b->axes) - 1.0) < TURNED_UNIT;
    if (!(axes && J.x > 0.0 && J.y > 0.0 && J.z > 0.0 && finite3(J)))
        return PH_BAD_INERTIA;
    const bool zero = s->q.w == 0.0 && norm_max(vec(s->q)) == 0.0;
    if (zero || !finite4(s->q) || !finite3(s->m))
        return PH_BAD_STATE;
    return PH_OK;
}

#ifndef __OPENCL_VERSION__
/* A step in the principal axes of a body that has others. */
static ph_status step_turned(const ph_flow *flow, const ph_body *b, ph_state *s, double h)
{
    ph_state next = to_principal(b, *s);
    const ph_status status = flow->step(flow, &next, b->J, h);
    if (status == PH_OK)
        *s = from_principal(b, next);
    return status;
}

ph_status ph_flow_step(const ph_flow *flow, const ph_body *b, ph_state *s, double h)
{
    if (ANY_NULL(flow, b, s))
        return PH_NULL_ARGUMENT;
    const ph_status checked = ph_check(b, s);
    if (checked != PH_OK)
        return checked;
    if (!isfinite(h))
        return PH_BAD_STEP;
    const ph_quat before = s->q; // NOLINT(clang-analyzer-deadcode.DeadStores) ; CHECKED
    ph_status status;
    if (b->principal)
        status = flow->step(flow, s, b->J, h);
    else
        status = step_turned(flow, b, s, h);
    CHECKED(flow->name, status != PH_OK || state_holds(s, before));
    return status;
}
#endif
