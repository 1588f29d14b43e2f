/* body_start.h - bodies and their starts from settings; kinds with a rigid body share them. */
#pragma once

#include "system/kind.h"

/* The settings of the start of one body, for tables of ph_start_array. */
#define BODY_START_FIELDS                                                                \
    {"inertia",  "tensor", "I",   "Principal moments of inertia",                        \
     "I1,I2,I3", 3,        false, "moments"},                                            \
        {"tensor",                                                                       \
         "inertia",                                                                      \
         "I",                                                                            \
         "Inertia tensor in the body frame, J_xy = -integral of x y dm",                 \
         "Ixx,Iyy,Izz,Ixy,Ixz,Iyz",                                                      \
         6,                                                                              \
         false,                                                                          \
         NULL},                                                                          \
        {"momentum", "velocity", "I/t", "Angular momentum in the body frame",            \
         "m1,m2,m3", 3,          false, "momentum"},                                     \
        {"velocity", "momentum", "rad/t", "Angular velocity in the body frame",          \
         "w1,w2,w3", 3,          false,   "velocity"},                                   \
        {"attitude",    "rotvec", "1",   "Attitude, body to space, scalar first",        \
         "q0,q1,q2,q3", 4,        false, "attitude"},                                    \
    {                                                                                    \
        "rotvec", "attitude", "rad", "Attitude as axis times angle", "r1,r2,r3", 3,      \
            false, NULL                                                                  \
    }

/* A problem of one body and its start by the settings, `own_problem` or one of the catalog. The
 * problem's data and context are copies, the data in *memory, to be let go also on failure;
 * without `memory` they stay the caller's, and tables are only checked. */
ph_status ph_settings_problem(const ph_system_settings *s, const ph_kind *kind,
                              ph_problem *p, ph_state *start, double **memory);

/* Gives a copied problem data and a context of its own, the data in *memory; and their end,
 * after which they are no more. */
ph_status ph_problem_own(ph_problem *p, double **memory);
void ph_problem_let_go(ph_problem *p, double *memory);

/* The name of the method that is recommended for a problem from a start. */
const char *ph_body_recommended(const ph_problem *p, const ph_state *start);

/* The facts of a problem of one body. */
ph_problem_facts ph_body_problem_facts(const ph_problem *p);
