/* exact.cl - the flow `exact`: src/motion/step.c, and for the bodies that it leaves, in a
 * program of their own, src/motion/motion.c. */
#include "device/cl/flow_begin.cl"
#include "motion/exact.h"
#ifdef FINISH
#include "device/cl/uniform.cl"
#else
PART ph_status leave(ph_state *s, ph_vec3 J, double h)
{
    return LEFT;
}
#define ph_motion_step_uniform leave
#endif
PART ph_status exact_step(ph_state *s, ph_vec3 J, double h);
#define ph_motion_step exact_step
#include "motion/step.c"

PART ph_status drift(ph_state *s, ph_vec3 J, double h)
{
#ifdef FINISH
    const ph_status status = checked(s, J, h);
    if (status != PH_OK)
        return status;
#endif
    return ph_motion_step(s, J, h);
}
