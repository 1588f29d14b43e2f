/* tangent.h - derivatives of a motion in a field by its start, the inertia and the parameters,
 * carried along with the steps.
 */
#pragma once

#include "integrators/tangent_kernels.h"

/* The columns of bits of ph_derivatives, and the tangents at the start. Or a single vector,
 * which the caller sets. */
enum { TANGENT_VECTOR = 8 };
void ph_tangent_begin(tangent_run *g, const ph_problem *p, unsigned derivatives);
void ph_tangent_reset(tangent_run *g);

/* The name of a column: "theta1", "m1", "J12", "strength", "up3". */
void ph_tangent_name(const tangent_run *g, int column, char *name, size_t size);

/* States are in principal axes from here on. How the angular velocity changes with a
 * column: */
ph_vec3 ph_tangent_velocity(const tangent_run *g, double t, const ph_state *s, int column);

/* The free motion over h from a state. */
ph_status ph_tangent_drift(tangent_run *g, const ph_state *s, double h);

/* A kick over h at the time t, with h3 times the force gradient, in a state before it. */
void ph_tangent_kick(tangent_run *g, const ph_state *s, double t, double h, double h3);

/* The tangents after the last step of a run of an adaptive method, or at a time t within it, from
 * g->start where the step began. `points` are those of the step; NULL: they are not known. */
void ph_tangent_follow(tangent_run *g, const ph_adaptive_run *r, double t,
                       const step_points *points);
