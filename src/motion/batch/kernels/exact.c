/* exact.c - the flow `exact` for many bodies: src/motion/exact.h. */
#include "motion/batch/lanes.h"

#include "motion/exact.h"

BATCH_LANES(exact, exact_bodies, exact_move)
