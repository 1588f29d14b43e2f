/* gauss.c - the flows `gauss6` to `gauss10` and `rotation_gauss6` to `rotation_gauss10` for many bodies: src/motion/gauss.h. */
#include "motion/batch/lanes.h"

#include "motion/gauss.h"

BATCH_LANES(gauss, gauss_bodies, gauss_move)
