/* munthe_kaas.h - a Munthe-Kaas Runge-Kutta step on spheres, for any tableau. */
#pragma once

#include "integrators/tableau.h"
#include "polhode/spheres.h"

/* One step of a problem of first or second order; q and w are untouched unless PH_OK. The
 * truncated dexp^-1(u) W = W - u x W/2 + u x (u x W)/12 is enough for order 4. */
ph_status ph_spheres_munthe_kaas(const tableau *table, bool truncated, ph_spheres *s,
                                 ph_vec3 *q, ph_vec3 *w, double h);
