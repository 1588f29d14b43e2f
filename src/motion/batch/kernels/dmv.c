/* dmv.c - the flows `dmv2` to `dmv10` for many bodies: src/motion/dmv.h. */
#include "motion/batch/lanes.h"

#include "motion/dmv.h"

BATCH_LANES(dmv, dmv_bodies, dmv_move)
