/* timing.h - how long something takes: the best of several times, short things many times
 * at once. */
#ifndef POLHODE_EVIDENCE_TIMING_H
#define POLHODE_EVIDENCE_TIMING_H

#include "evidence/figure.h"

/* Seconds that the task takes; in a touch, of a single run. It must not ask to go on. */
double best_seconds(const figure_work *work, void (*task)(void *context), void *context);

/* The same for several tasks that are compared: one after the other, and again, so that
 * what else the machine does hits all alike. They are this share of the work, after what
 * was done before. False: stopped. */
typedef struct timed_task {
    void (*run)(void *context);
    void *context;
    double seconds; /* that it takes */
} timed_task;

bool best_of_rounds(figure_work *work, double before, double share, timed_task *task,
                    size_t count);

#endif
