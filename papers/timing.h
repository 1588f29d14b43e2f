/* timing.h - how long something takes: the best of several times, short things many times
 * at once. */
#pragma once

#include "papers/figure.h"

/* Seconds of the processor that the task takes; with the least effort, of a single run. The
 * task must not report progress. */
double best_seconds(const figure_work *work, void (*task)(void *context), void *context);

/* What a step of a method costs; NaN where it fails. */
typedef struct method_cost {
    double evaluations; /* of torques or forces */
    double seconds;
} method_cost;

/* Measures that of methods that are compared, in runs of so many steps of h: one after the
 * other, and again, so that what else the machine does hits all alike. They are the current
 * part of the work. False: stopped. */
bool method_costs(figure_work *work, const char *problem, double h, long steps,
                  const char *const *methods, size_t count, method_cost *cost);
