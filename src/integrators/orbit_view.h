/* orbit_view.h - what surrounds a body on the orbit of `spacecraft`: problems/spacecraft.c. */
#pragma once

#include "polhode/body.h"

/* The unit vector from the Earth and the magnetic field in the body frame, place and velocity in
 * space. */
typedef struct orbit_view {
    ph_vec3 up, field, position, velocity;
} orbit_view;

orbit_view ph_orbit_view(const ph_problem *p, const ph_instant *now);
