/* orbiter.h - a rigid body whose centre of mass moves, inside. */
#pragma once

#include "polhode/polhode.h"

/* Its state: attitude and angular momentum in principal axes, the centre in space. */
typedef struct orbit_state {
    ph_state s;
    ph_vec3 x, v;
} orbit_state;

/* A body in a field. Torque and force are kept: where a scheme ends with a kick and begins
 * with one, the two that meet between steps need them once. */
typedef struct orbiter {
    ph_problem problem;
    double mass;
    uint64_t evaluations; /* unless the problem counts them */
    ph_integrator integrator;
    orbit_state now;
    bool known; /* torque and force at the time t in the state `now` */
    double t;
    ph_vec3 torque, force; /* in principal axes; in space */
} orbiter;

/* The point mass: central.c. */
extern const ph_problem ph_orbiter_central;

/* Whether an integrator can move a body in a field: a scheme over a flow without derivatives
 * of the force; or any tableau of Munthe-Kaas, also where the velocity matters. */
bool ph_orbiter_applies(const ph_integrator *i, const ph_problem *p);

/* One step of h from the time t to `end`; the state is untouched unless PH_OK. */
ph_status ph_orbiter_step(orbiter *o, double t, double h, double end);

/* A problem's instant in a state; without velocities unless they matter. */
ph_instant ph_orbiter_instant(const orbiter *o, double t, const orbit_state *at);
