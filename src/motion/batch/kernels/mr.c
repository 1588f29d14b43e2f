/* mr.c - the flow `mr` for many bodies: src/motion/mr.h. */
#include "motion/batch/lanes.h"

#include "motion/mr.h"

BATCH_LANES(mr, mr_bodies, mr_move)
