/* generic.h - a problem of the tests' own, without any symmetry: a triaxial body,
 *
 *   U = tr(A^T R) + b^2/2 + exp(b)/5,  b = tr(B^T R),
 *
 * the same with torques that depend on the time, one that counts its torques, one with a
 * symmetry about the vertical alone, and the same body without any torque. */
#ifndef TESTS_SUPPORT_GENERIC_H
#define TESTS_SUPPORT_GENERIC_H

#include "polhode/polhode.h"

extern const ph_problem generic_problem;

/* Its torque times 1 + sin(3 t)/2, and a torque in the body that turns with time. */
extern const ph_problem timed_problem;

/* U = a.g + s^2 + exp(s)/3, s = b.g, g = R^T e3: symmetric about the vertical; it gives
 * no derivative. */
extern const ph_problem vertical_problem;

/* No torque. */
extern const ph_problem free_problem;

/* A problem that adds one to *count for every torque of p. */
typedef struct counter {
    const ph_problem *p;
    long *count;
} counter;

ph_problem counted_problem(const counter *c);

/* The start of a problem. */
ph_state problem_start(const ph_problem *p);

#endif
