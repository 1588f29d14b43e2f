/* counted.h - a problem that counts its torques. */
#ifndef POLHODE_BODY_COUNTED_H
#define POLHODE_BODY_COUNTED_H

#include "polhode/polhode.h"

/* What is counted, and where. */
typedef struct counter {
    const ph_problem *p;
    long *count;
} counter;

/* The problem of a counter, which must outlive it: the same, and every torque adds one to
 * *count. */
ph_problem ph_counted_problem(counter *c);

#endif
