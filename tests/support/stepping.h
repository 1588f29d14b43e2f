/* stepping.h - integrators by their names, and how far two states are apart. */
#ifndef TESTS_SUPPORT_STEPPING_H
#define TESTS_SUPPORT_STEPPING_H

#include "polhode/polhode.h"

/* Fails the test if there is none. */
ph_integrator integrator_of(const char *name);

/* One step of anything by its name; fails the test if it fails. */
ph_state by(const char *name, const ph_problem *p, ph_state s, double t, double h);

/* Largest difference of rotations and momenta, the latter in units of one. */
double relative_distance(ph_state a, ph_state b);

#endif
