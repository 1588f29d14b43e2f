/* exact.cl - the flow `exact`: src/motion/step.c, and for the bodies that it leaves, in a
 * program of their own, src/motion/motion.c. */
#include "core/roles.h"
#include "core/simd_sincos.h"
#include "motion/addition.h"
#include "motion/motion.h"
#include "motion/ordinary_units.h"
#ifdef FINISH
#include "device/cl/uniform.cl"
#else
ph_status ph_motion_step_uniform(ph_state *s, ph_vec3 J, double h)
{
    return LEFT;
}

/* Angles beyond SINCOS_LARGEST are left. */
static inline void sincos_or_nan(double x, double *sine, double *cosine)
{
    simd_sincos(fabs(x) <= SINCOS_LARGEST ? x : NAN, sine, cosine);
}
#define ph_sincos sincos_or_nan
#endif
#include "motion/step.c"
#undef ph_sincos

static ph_status drift(ph_state *s, ph_vec3 J, double h)
{
#ifdef FINISH
    const ph_status status = checked(s, J, h);
    if (status != PH_OK)
        return status;
#endif
    return ph_motion_step(s, J, h);
}
