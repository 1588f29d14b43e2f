/* body_start.h - what kinds of one rigid body share: bodies and their starts from settings,
 * and what is shown of them. */
#pragma once

#include "system/kind.h"

/* The settings of the start of one body, for tables of ph_start_array. */
#define BODY_START_FIELDS                                                                          \
    {"inertia", "tensor", "I", "Principal moments of inertia", "I1,I2,I3", 3, false, "moments"},   \
        {"tensor",                                                                                 \
         "inertia",                                                                                \
         "I",                                                                                      \
         "Inertia tensor in the body frame, J_xy = -integral of x y dm",                           \
         "Ixx,Iyy,Izz,Ixy,Ixz,Iyz",                                                                \
         6,                                                                                        \
         false,                                                                                    \
         NULL},                                                                                    \
        {"momentum", "velocity", "I/t", "Angular momentum in the body frame",                      \
         "m1,m2,m3", 3,          false, "momentum"},                                               \
        {"velocity", "momentum", "rad/t", "Angular velocity in the body frame",                    \
         "w1,w2,w3", 3,          false,   "velocity"},                                             \
        {"attitude",    "rotvec", "1",   "Attitude, body to space, scalar first",                  \
         "q0,q1,q2,q3", 4,        false, "attitude"},                                              \
        {"rotvec", "attitude", "rad", "Attitude as axis times angle", "r1,r2,r3", 3, false, NULL}, \
        THERMOSTAT_SETTINGS, THERMOSTAT_SEED

/* A problem of one body and its start by the settings, `own_problem` or one of the catalog. The
 * problem's data and context are copies, the data in *memory, to be let go also on failure;
 * without `memory` they stay the caller's, and tables are only checked. */
ph_status ph_settings_problem(const ph_system_settings *s, const ph_kind *kind, ph_problem *p,
                              ph_state *start, double **memory);

/* Copies the data of a problem to *memory and creates a context for them. */
ph_status ph_problem_own(ph_problem *p, double **memory);

/* Frees the copied data and the context. Do not use them afterwards. */
void ph_problem_let_go(ph_problem *p, double *memory);

/* The first member of a system of one. */
typedef struct rigid_body {
    ph_problem problem; /* the caller's, with data and context of its own */
    double *data;       /* of the problem */
    ph_state shown;     /* in the frame of the caller */
    ph_vec3 velocity;
} rigid_body;

/* Functions of their kinds. */
void ph_rigid_release(void *self);
ph_vec3 ph_rigid_momentum(const void *self, double t, ph_vec3 velocity);
const char *ph_rigid_reference(const ph_system *s);
const ph_problem *ph_rigid_problem(const void *self);

/* The state that is shown in principal axes, or what is wrong with it; and the other way. */
ph_status ph_rigid_accept(const rigid_body *r, ph_state *principal);
void ph_rigid_show(rigid_body *r, double t, ph_state principal);

/* The method for people who name none, with the parameters and the start that a problem has
 * now: docs/which_method.md. Without a start the torque is not asked how strong it is. */
const char *ph_body_recommended(const ph_problem *p, const ph_state *start);

/* The torque, relative to the kinetic energy, up to which that depends on the state and is
 * ph_body_recommended_weak(); NULL: the method of this problem does not depend on the state. */
#define PH_BODY_WEAK 0.01
const char *ph_body_recommended_weak(const ph_problem *p);

/* The facts of a problem of one body. */
ph_problem_facts ph_body_problem_facts(const ph_problem *p);
