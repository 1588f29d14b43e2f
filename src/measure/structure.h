/* structure.h - Poisson structures of the momenta, and derivatives of a step. */
#pragma once

#include "polhode/measure.h"

/* max |D22 g(m) hat(m) D22^T - g(m+) hat(m+)|, the bracket of a scaled hat(m). */
ph_status ph_scaled_poisson_defect(double *defect, const ph_integrator *i,
                                   const ph_problem *p, const ph_state *s, double h,
                                   double (*scale)(const void *context, ph_vec3 m),
                                   const void *context);

/* The derivative D of a step from the time t, which leads to *after, in left-trivialised
 * coordinates; by differences over delta. */
ph_status ph_step_derivative(double D[6][6], ph_state *after, const ph_integrator *i,
                             const ph_problem *p, const ph_state *s, double t, double h,
                             double delta);
