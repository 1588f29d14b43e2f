/* units.h - steps in units in which no formula of a flow overflows or underflows.
 *
 * With moments times a, momenta times b and times times a/b the motion is the same, and for
 * powers of two nothing is rounded. A step begins with
 *
 *     if (!ordinary_units(s->m, J))
 *         return STEP_IN_UNITS(flow, s, J, h);
 */
#pragma once

#include "motion/ordinary_units.h"
#include "polhode/body.h"

/* Moments, momentum and time in ordinary units, in which the momentum is that many powers
 * of two smaller; false where there are none, for a body at rest or moments that are too
 * far apart. */
bool ph_to_ordinary_units(ph_vec3 *m, ph_vec3 *J, double *h, int *exponent);

/* The step of a flow in ordinary units; by `exact` for moments that are too far apart.
 * PH_NOT_FINITE where the momentum, or the angle of the step, is beyond the range of
 * double. */
ph_status ph_step_in_units(const ph_flow *flow, ph_state *s, ph_vec3 J, double h);

#ifdef __OPENCL_VERSION__ /* where no function may call itself: src/device/cl/drift.cl does it */
#define STEP_IN_UNITS(flow, s, J, h) LEFT
#else
#define STEP_IN_UNITS(flow, s, J, h) ph_step_in_units(flow, s, J, h)
#endif
