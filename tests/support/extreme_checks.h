/* extreme_checks.h - steps, batches and runs of the flows on extreme motions: nothing off
 * the sphere, no invariant lost that a flow claims, nothing refused that can be done. */
#ifndef TESTS_SUPPORT_EXTREME_CHECKS_H
#define TESTS_SUPPORT_EXTREME_CHECKS_H

#include <stdbool.h>
#include <stdint.h>

#include "polhode/polhode.h"

/* How many motions, for `exact`, and for each other flow, kernel and instruction set; a
 * tenth of them over 100 steps. */
typedef struct extreme_sizes {
    uint64_t exact, others;
    uint64_t series; /* of `exact` against Taylor series in multiprecision */
    bool details;    /* print what was done, also where nothing failed */
} extreme_sizes;

/* Checks a flow in every way; the number of motions that failed, of which the first of each
 * kind is printed as arguments of extreme_case(). */
uint64_t extreme_flow(const ph_flow *flow, const extreme_sizes *sizes);

/* The same for the steps of a method without torque. */
uint64_t extreme_method(const ph_method *method, const extreme_sizes *sizes);

/* The exact motion, by one step and by ph_motion, against Taylor series: 4 u (1 +
 * condition). */
uint64_t extreme_series(const extreme_sizes *sizes);

/* One motion again: NAME WAY J1 J2 J3 q0 q1 q2 q3 m1 m2 m3 h, as words or in a line. Sets
 * how much of it fails; the words print all that is measured. False if it cannot be read. */
bool extreme_case(int words, char **word, uint64_t *failed);
bool extreme_line(const char *line, uint64_t *failed);

#endif
