/* step_energy.h - the energy that polhode_stepf keeps in many steps of several bodies. */
#ifndef TESTS_SUPPORT_STEP_ENERGY_H
#define TESTS_SUPPORT_STEP_ENERGY_H

#include <stddef.h>
#include <stdint.h>

/* w.Jw/2, in principal axes. */
double step_energy(const double J[3], const double w[3]);

extern const size_t step_energy_bodies;

/* The energy's relative error after so many steps of 1/60, the velocity in space or in the
 * body. */
double step_energy_float_error(size_t body, int world, uint64_t steps);

#endif
