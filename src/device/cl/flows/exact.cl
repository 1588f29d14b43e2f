/* exact.cl - the flow `exact`: src/motion/step.c, and for the bodies that it leaves, in a
 * program of their own, src/motion/motion.c. */
#include "motion/addition.h"
#include "core/roles.h"
#include "motion/motion.h"
#include "motion/ordinary_units.h"
#ifdef FINISH
#include "device/cl/uniform.cl"
#else
ph_status ph_motion_step_uniform(ph_state *s, ph_vec3 J, double h)
{
    return LEFT;
}
#endif
#include "motion/step.c"

static ph_status drift(ph_state *s, ph_vec3 J, double h)
{
    const ph_status status = checked(s, J, h);
    return status == PH_OK ? ph_motion_step(s, J, h) : status;
}
