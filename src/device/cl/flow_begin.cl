/* flow_begin.cl - what stands before the step of a flow. In the first program, for all bodies,
 * angles beyond SINCOS_LARGEST and units that are not ordinary are left to the second. */
#include "base/simd_atan.h"
#include "base/simd_sincos.h"
#include "motion/motion.h"
#include "motion/units.h"
#ifdef FINISH
#include "device/cl/elementary.cl"
#else
PART void sincos_or_nan(double x, double *sine, double *cosine)
{
    simd_sincos(fabs(x) <= SINCOS_LARGEST ? x : NAN, sine, cosine);
}
#define vsincos sincos_or_nan
#endif
/* the units of a body are changed outside of the step, which cannot be called from itself */
#define ph_step_in_units(flow, s, J, h) LEFT
