/* integrator.h - the one loop that runs every scheme, over any drift and any kick: one body
 * here, many bodies or spheres elsewhere; and a body in a field, carried from step to step of a
 * run. */
#pragma once

#include "polhode/body.h"

/* What is split: the system a scheme moves. */
typedef struct splitting {
    /* free motion over the time h */
    ph_status (*drift)(void *system, double h);
    /* torque at the time t for the time h, and h3 times the force gradient */
    ph_status (*kick)(void *system, double t, double h, double h3);
    /* part number `stage` of a thermostat, by its letter; NULL: there is none */
    ph_status (*bath)(void *system, char part, int stage, double h);
} splitting;

/* One step of h from the time t; the system is left where a failure found it. `end` is
 * the time after the step, that of a last kick: t + h as the caller counts, so that this
 * kick and the first of the next step are at one time to the last bit. */
ph_status ph_splitting_step(const ph_scheme *scheme, const splitting *parts, void *system, double t,
                            double h, double end);

/* The same with the scheme of an integrator, composed as a whole where it says so. */
ph_status ph_splitting_run(const ph_integrator *i, const splitting *parts, void *system, double t,
                           double h, double end);

/* The torque last computed is kept: where a scheme ends with a kick and begins with one,
 * the two that meet between steps have the same attitude and time, and need it once. */
typedef struct body_in_field {
    const ph_integrator *i;
    const ph_problem *p; /* in principal axes, as the state */
    ph_state s;
    bool known; /* whether there is one: tau at the time t in the attitude q */
    double t;
    ph_quat q;
    ph_vec3 tau;
    struct tangent_run *tangents; /* moved along; or NULL */
    struct thermostat *bath;      /* or NULL */
} body_in_field;

/* Returns true unless the integrator, or a part of it, has a member that the library does not
 * know. */
bool ph_integrator_known(const ph_integrator *i);

/* The free motion of an integrator over h: its flow, or the composition of it. */
ph_status ph_drift(const ph_integrator *i, ph_state *s, ph_vec3 J, double h);

/* One step of h from the time t; `end` is the time after it, t + h as the caller counts.
 * The state is untouched unless PH_OK. */
ph_status ph_body_step(body_in_field *b, double t, double h, double end);
