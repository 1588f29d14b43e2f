/* tangent.h - derivatives of a motion in a field by its start, the inertia and the parameters,
 * carried along with the steps.
 */
#pragma once

#include "integrators/adaptive_run.h"
#include "polhode/body.h"

/* What a motion may be differentiated by: a small rotation and the momentum of the start, the
 * tensor J11, J22, J33, J12, J13, J23, the numbers of the parameters. */
enum {
    BY_ROTATION,
    BY_MOMENTUM = 3,
    BY_INERTIA = 6,
    BY_PARAMETERS = 12,
    TANGENT_COLUMNS = BY_PARAMETERS + PH_PARAMETER_VALUES
};

/* For each column the small rotation of the attitude in the body, and the change of m. */
typedef struct tangent {
    ph_vec3 theta[TANGENT_COLUMNS], m[TANGENT_COLUMNS];
} tangent;

/* All in the frame of the problem's body, be it principal or not. */
typedef struct tangent_run {
    const ph_problem *p;
    int columns;
    int by[TANGENT_COLUMNS]; /* what a column is by */
    tangent now;
    tangent start; /* where the last step of a method began that chooses its steps */
} tangent_run;

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

/* From the tangents `from` in a state at the time t by the variational equations over h, to a
 * tolerance. */
void ph_tangent_follow(tangent_run *g, const tangent *from, const ph_state *s, double t, double h,
                       double tolerance);
