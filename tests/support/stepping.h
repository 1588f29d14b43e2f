/* stepping.h - integrators by their names, runs of one body, and how far two states are
 * apart. */
#ifndef TESTS_SUPPORT_STEPPING_H
#define TESTS_SUPPORT_STEPPING_H

#include "system/run_body.h"

/* Fails the test if there is none. */
ph_integrator integrator_of(const char *name);

/* One step of anything by its name; fails the test if it fails. */
ph_state by(const char *name, const ph_problem *p, ph_state s, double t, double h);

/* A body without torque, as a problem. */
ph_problem free_problem_of(ph_body b);

/* The state after that many steps of h; fails the test if one fails. */
ph_state after_steps(const ph_integrator *i, const ph_problem *p, ph_state s, double h,
                     uint64_t steps);

/* Largest difference of rotations and momenta, the latter in units of one. */
double relative_distance(ph_state a, ph_state b);

#endif
