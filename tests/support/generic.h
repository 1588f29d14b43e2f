/* generic.h - a problem of the tests' own, without any symmetry: a triaxial body,
 *
 *   U = tr(A^T R) + b^2/2 + exp(b)/5,  b = tr(B^T R),
 *
 * the same with torques that depend on the time, and one that counts its torques. */
#ifndef TESTS_SUPPORT_GENERIC_H
#define TESTS_SUPPORT_GENERIC_H

#include "polhode/polhode.h"

extern const ph_problem generic_problem;

/* Its torque times 1 + sin(3 t)/2, and a torque in the body that turns with time. */
extern const ph_problem timed_problem;

/* A problem that adds one to *count for every torque of p. */
typedef struct counter {
    const ph_problem *p;
    long *count;
} counter;

ph_problem counted_problem(const counter *c);

/* The start of a problem. */
ph_state problem_start(const ph_problem *p);

#endif
