/* convergence.h - the order that errors show. */
#pragma once

#include <stdbool.h>

/* Returns p of errors = steps^p, for a ratio of two errors and the ratio of their steps. */
double ph_power_of(double errors, double steps);

/* The order that errors show: the slope between the two smallest steps whose errors are above the
 * floor. Begins with NaN for the order and the error. */
typedef struct order_shown {
    double floor, order;
    double error; /* the last that was added */
} order_shown;

/* Adds the error of a step that is `finer` times smaller than the one before. Returns false, and
 * adds nothing, if the error is not above the floor. */
bool ph_order_add(order_shown *o, double finer, double error);
