/* sky.h - the Sun, the orbit of `spacecraft`, the field and the shadow of the Earth as nodes of a
 * graph: functions of the time, of the values of the problem (integrators/orbit.h) and of R. */
#pragma once

#include "integrators/expression/graph.h"
#include "polhode/body.h"

/* Whether a problem has the orbit of `spacecraft` among its values, as one that extends it has. */
bool ph_sky_on_orbit(const ph_problem *p);

/* How many values of a problem are in use. */
int ph_sky_values(const ph_problem *base);

/* The unit vector to the Sun in space, in the mean equator and equinox of J2000; `epoch` are the days
 * from J2000.0 to t = 0. */
void ph_sky_sun(graph *g, double epoch, int out[3]);

/* The unit vector from the Earth, the place in metres and the velocity in metres per second, in
 * space. */
void ph_sky_up(graph *g, int out[3]);
void ph_sky_place(graph *g, int out[3]);
void ph_sky_velocity(graph *g, int out[3]);

/* The magnetic field of the Earth in tesla, in space. */
void ph_sky_field(graph *g, int out[3]);

/* A vector of space in the body frame: R^T v. */
void ph_sky_in_body(graph *g, const int v[3], int out[3]);

/* The part of the Sun's diameter that the Earth covers, below 0 and above 1 as the Sun is farther
 * outside or inside. */
int ph_sky_covered(graph *g, double epoch);

/* The same from 0 to 1. */
int ph_sky_eclipse(graph *g, int covered);

/* A flat facet in sunlight, in the body frame. */
typedef struct facet {
    double area, normal[3], centre[3], specular, diffuse;
} facet;

/* The torque of solar radiation pressure on facets, off in the shadow of the Earth. */
void ph_sky_radiation(graph *g, double epoch, const facet *facets, int count, int out[3]);

/* Sets the dipole of the Earth at t = 0 in space, in A m^2, and the rate at which it turns, among the
 * values of `spacecraft`. */
void ph_sky_earth_dipole(double epoch, double *values);
