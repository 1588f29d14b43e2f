/* fused_mr.c - the kernel of `mr` with products fused where the compiler can. */
#include "motion/batch/lanes.h"

#include "motion/mr.h"

BATCH_LANES(fused_mr, mr_bodies, mr_move)
