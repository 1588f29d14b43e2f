/* weak_torques.h - weak torques on one body, averaged and directly. */
#pragma once

#include "polhode/system.h"

/* The torque is EPS times a sum of torques, each with a factor. ORBIT is the rate of an orbit over which
 * fields change, or 0. */
enum { EPS, LIGHT, DAMPING, FRICTION, EDDY, GRAVITY, ORBIT, TERMS };

ph_problem weak_problem(ph_vec3 J, double eps, const double factors[TERMS - 1]);

/* A system by `averaged` with a tolerance of 1e-10, or by another method with one of 1e-12. With "mean
 * start" it is `averaged`, and the short-period part is subtracted from the start. */
ph_system *weak_system(const ph_problem *p, const char *method, ph_vec3 m);

/* H in space and T of any system of one body. */
typedef struct slow {
    ph_vec3 H;
    double T;
} slow;

slow slow_of(const ph_system *s);

/* The slow variables at times in the second half of a run to `end`. */
enum { SLOW_TIMES = 48 };

typedef struct slow_record {
    slow at[SLOW_TIMES];
    int count;
} slow_record;

/* Appends the slow variables of a system to the slow_record `context`. */
bool slow_note(void *context, ph_system *s);

/* Runs the system to `end`. */
slow_record slow_run(ph_system *s, double end);

/* The largest difference in H and T, relative to the start. */
double slow_difference(const slow_record *x, const slow_record *y, const slow *start);

/* That of `averaged` and `gbs` over a time 1/eps. */
double weak_difference(ph_vec3 J, ph_vec3 m, const double factors[TERMS - 1], double eps);
