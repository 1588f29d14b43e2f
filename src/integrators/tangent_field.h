/* tangent_field.h - the matrices of the variational equations at points of a step. */
#pragma once

#include "integrators/tangent_kernels.h"

/* Prepares what depends on the problem g->p alone. */
void ph_tangent_prepare(tangent_run *g);

/* The parameter that a number belongs to. */
const ph_parameter *ph_tangent_parameter(const ph_problem *p, int number);

/* Adds to x->count points `count` points of an attempt, in a lane of `from`, without the times and
 * lengths. */
void ph_tangent_add_points(tangent_points *x, const step_points *from, int lane, int count);

/* The field at the points, whose times, lengths, attitudes and momenta are set: these in principal
 * axes. */
void ph_tangent_field(const tangent_run *g, tangent_points *x);

/* The field in one state, in principal axes, with the length 1. */
void ph_tangent_point(const tangent_run *g, double t, const ph_state *s, tangent_points *x);

/* How the angular velocity changes with a column by inertia or a parameter, at constant m; and what
 * a kick by the force gradient adds to m, over h3, with anything (BY_...). */
ph_vec3 ph_tangent_direct_velocity(const tangent_run *g, double t, const ph_state *s, int by);
ph_vec3 ph_tangent_gradient(const tangent_run *g, double t, const ph_state *s, int by);

/* The unit of m in the size of a column, in a step of h from the first point. */
double ph_tangent_unit(const tangent_run *g, tangent_points *x, double h);
