/* sr.c - the flow `sr2` for many bodies: src/motion/sr.h. */
#include "motion/batch/lanes.h"

#include "motion/sr.h"

BATCH_LANES(sr, sr_bodies, sr_move)
