/* splitting.h - the one loop that runs every scheme, over any drift and any kick: one
 * body here, many bodies or spheres elsewhere. */
#pragma once

#include "polhode/polhode.h"

/* What is split: the system a scheme moves. */
typedef struct splitting {
    /* free motion over the time h */
    ph_status (*drift)(void *system, double h);
    /* torque at the time t for the time h, and h3 times the force gradient */
    ph_status (*kick)(void *system, double t, double h, double h3);
} splitting;

/* One step of h from the time t; the system is left where a failure found it. `end` is
 * the time after the step, that of a last kick: t + h as the caller counts, so that this
 * kick and the first of the next step are at one time to the last bit. */
ph_status ph_splitting_step(const ph_scheme *scheme, const splitting *parts, void *system,
                            double t, double h, double end);

/* The same with the scheme of an integrator, composed as a whole where it says so. */
ph_status ph_splitting_run(const ph_integrator *i, const splitting *parts, void *system,
                           double t, double h, double end);
