/* stepping.h - many steps of a flow one after the other, and how right they are. */
#ifndef POLHODE_BENCH_STEPPING_H
#define POLHODE_BENCH_STEPPING_H

#include "polhode/polhode.h"

#include "bench.h"

/* A body, its start, and a flow that steps it; what a contestant works on. */
typedef struct stepping {
    const ph_flow *flow;
    ph_vec3 J;
    ph_state start;
    double h;
    int steps; /* in a pass */
} stepping;

/* The body that Hairer and Vilmart (2006) step, at the start of their figure 1. */
stepping stepping_hairer_vilmart(const char *flow, double h, int steps);

/* A pass: each step from where the last one ended, the first from the start. For .run */
double stepping_pass(void *work);

/* The state after so many steps; NaN if one fails. */
ph_state stepping_end(const stepping *s, int steps);

/* The attitude error: |q - q'| or |q + q'|, what is smaller, for q and q' made of unit
 * length. */
double attitude_error(ph_quat q, ph_quat right);

/* That error after so many steps, against the exact motion asked for at that time. */
double stepping_attitude_error(const stepping *s, int steps);

/* The largest over the steps of |E/E0 - 1|, of | |m|^2/|m0|^2 - 1 |, of | |q| - 1 |. */
typedef struct stepping_drift {
    double energy, momentum, unit;
} stepping_drift;
stepping_drift stepping_drift_over(const stepping *s, int steps);

#endif
