/* integrator.h - a body in a field, carried from step to step of a run. */
#pragma once

#include "polhode/polhode.h"

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
} body_in_field;

/* The free motion of an integrator over h: its flow, or the composition of it. */
ph_status ph_drift(const ph_integrator *i, ph_state *s, ph_vec3 J, double h);

/* One step of h from the time t; `end` is the time after it, t + h as the caller counts.
 * The state is untouched unless PH_OK. */
ph_status ph_body_step(body_in_field *b, double t, double h, double end);
