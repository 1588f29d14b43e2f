/* ewald.h - the dipoles of a periodic box with all their images, in conducting
 * surroundings, by Ewald's sum: slow, plain and accurate to 1e-8 or so. */
#ifndef TESTS_SUPPORT_EWALD_H
#define TESTS_SUPPORT_EWALD_H

#include "kinds/molecules/molecule_bodies.h"

/* How far the forces, torques and energy of a system without soft part are off: root mean
 * squares over the bodies, relative to those of the sum; the energy relative to its
 * size. */
typedef struct ewald_errors {
    double force, torque, energy;
} ewald_errors;

ewald_errors ewald_errors_of(const ph_molecules *s);

#endif
