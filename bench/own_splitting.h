/* own_splitting.h - a splitting into three rotations as users write it, to race against a batch. */
#ifndef POLHODE_BENCH_OWN_SPLITTING_H
#define POLHODE_BENCH_OWN_SPLITTING_H

#include "polhode/batch.h"

/* Advances all bodies by the time h; half the angle of each turn must be at most 1.2. */
void own_splitting_step(const ph_batch *b, double h);

#endif
