/* fused_exact.c - the kernel of `exact` with products fused where the compiler can. */
#include "motion/batch/lanes.h"

#include "motion/exact.h"

BATCH_LANES(fused_exact, exact_bodies, exact_move)
