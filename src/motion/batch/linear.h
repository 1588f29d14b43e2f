/* linear.h - linear bodies in a batch. */
#pragma once

#include "motion/batch/part.h"

#include "base/isa.h"

/* Advances the linear bodies of whole groups, and marks the others as not done. */
KERNEL_DECLARE(batch_kernel, batch_linear);

/* Advances one of them. Returns PH_BAD_INERTIA if the body is not linear, PH_BAD_STATE or PH_BAD_STEP
 * if state or time are not finite, PH_NOT_FINITE if the result is not; the state is then unchanged. */
ph_status ph_linear_step(ph_state *s, ph_vec3 J, double h);
