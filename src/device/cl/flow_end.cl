/* flow_end.cl - drift() from the step of a flow, which stands before it,
 *     static ph_status step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
 * with FLOW_DATA what the data of its descriptor point to. */
#undef ph_step_in_units
#ifdef FINISH
#include "device/cl/uniform.cl"
#include "motion/step.c"
#define FLOW_STEP(flow) step
#include "motion/units.c"
#endif

PART ph_status drift(ph_state *s, ph_vec3 J, double h)
{
    FLOW_DATA;
    const ph_flow flow = {FLOW_ORDER, &data};
#ifdef FINISH
    const ph_status status = checked(s, J, h);
    if (status != PH_OK)
        return status;
    if (!ordinary_units(s->m, J))
        return ph_step_in_units(&flow, s, J, h);
#endif
    return step(&flow, s, J, h);
}
