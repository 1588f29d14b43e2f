/* generic.h - the problems without any symmetry, and with one about the vertical alone,
 * that the library measures on; and two more of the tests' own, with the same body. */
#ifndef TESTS_SUPPORT_GENERIC_H
#define TESTS_SUPPORT_GENERIC_H

#include "polhode/polhode.h"

/* The attitude R at the time t, as functions of these alone see it. */
#define AT(time, attitude) (&(const ph_instant){.t = (time), .R = (attitude)})

extern const ph_problem ph_problem_generic, ph_problem_vertical;

/* The torque of the first times 1 + sin(3 t)/2, and a torque in the body that turns with
 * time. */
extern const ph_problem timed_problem;

/* No torque. */
extern const ph_problem free_problem;

#endif
