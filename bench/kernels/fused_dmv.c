/* fused_dmv.c - the kernel of `dmv2` to `dmv10` with products fused where the compiler can. */
#include "motion/batch/lanes.h"

#include "motion/dmv.h"

BATCH_LANES(fused_dmv, dmv_bodies, dmv_move)
