/* body_start.h - bodies and their starts from settings; kinds with a rigid body share them. */
#pragma once

#include "system/kind.h"

/* The settings of the start of one body, for tables of ph_start_field. */
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

/* The body of the settings, if they have one, with a warning if no matter has its moments;
 * `problem` is a name for messages. */
ph_status ph_settings_body(const ph_system_settings *s, const char *problem,
                           ph_body *body);

/* The attitude of the settings, if they have one, of any length but 0. */
ph_status ph_settings_attitude(const ph_system_settings *s, ph_quat *q);

/* A problem of one body and its start by the settings; *tables is to be freed after the
 * problem's last use. */
ph_status ph_settings_problem(const ph_system_settings *s, const ph_kind *kind,
                              ph_problem *p, ph_state *start, double **tables);

/* Gives a copied problem data and a context of its own, the data in *memory; and their end,
 * after which they are no more. */
ph_status ph_problem_own(ph_problem *p, double **memory);
void ph_problem_let_go(ph_problem *p, double *memory);

/* The problem of a snapshot with its parameters, data and body: `named` (NULL: there is none
 * of that name), one by expressions, or the caller's. It is to be let go in any case. */
ph_status ph_snapshot_problem(const system_source *from, const ph_problem *named,
                              ph_problem *p, double **memory);

/* The facts of a problem of one body. */
ph_problem_facts ph_body_problem_facts(const ph_problem *p);
