/* timing.h - how long something takes: the best of several, short things many times. */
#ifndef POLHODE_EVIDENCE_TIMING_H
#define POLHODE_EVIDENCE_TIMING_H

#include "evidence/figure.h"

/* Seconds that the task takes; in a touch, of a single run. It must not ask to go on. */
double best_seconds(const figure_work *work, void (*task)(void *context), void *context);

#endif
