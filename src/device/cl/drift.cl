/* drift.cl - drift() from the step of the flow, whose file in src/motion/flows stands before it:
 *     static ph_status step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
 */
#ifdef FINISH
#include "device/cl/library.cl"
#include "motion/step.c"
#include "motion/units.c"
#endif

PART ph_status drift(ph_state *s, ph_vec3 J, double h)
{
    const ph_flow flow = {.order = FLOW_ORDER};
#ifdef FINISH
    const ph_body body = {J, {1, 0, 0, 0}, true};
    const ph_status checked = ph_check(&body, s);
    if (checked != PH_OK)
        return checked;
    if (!isfinite(h))
        return PH_BAD_STEP;
    const ph_status status = step(&flow, s, J, h);
    return status == LEFT ? ph_step_in_units(&flow, s, J, h) : status;
#else
    return step(&flow, s, J, h);
#endif
}
