/* references.h - reference solutions of bodies in a field,
 * tests/vectors/references.json: binary128, two formulations that agree to at least 22
 * digits. */
#ifndef TESTS_SUPPORT_REFERENCES_H
#define TESTS_SUPPORT_REFERENCES_H

#include "kinds/spheres/stepping.h"
#include "polhode/polhode.h"

typedef struct reference {
    const char *id;
    ph_problem problem; /* with the moments and the start of the record */
    ph_vec3 J;
    ph_mat3 R0; /* at time 0 */
    ph_vec3 Pi0;
    double t;  /* and at the time t */
    ph_mat3 R; /* body to space */
    ph_vec3 Pi;
    double energy;
    ph_state start, end; /* the same as states; the attitude's sign is free */
} reference;

/* Calls visit for every record of one rigid body; fails the test where the file cannot
 * be read. */
void references_each(void (*visit)(const reference *r, void *context), void *context);

/* The record of steps.json for a method of the given name after that many steps of h, on
 * a problem that references.json begins its ids with: id, t = n h, R, Pi and end are
 * set. */
reference steps_record(const char *problem, const char *method, int n);

/* The same for spheres: a start, and the state at the time t or after `steps` steps. */
enum { SPHERES_MOST = 16 };

typedef struct sphere_reference {
    const char *id;
    const ph_spheres_problem *problem;
    int n;
    ph_vec3 q0[SPHERES_MOST], w0[SPHERES_MOST]; /* not in a record of steps */
    double t;
    ph_vec3 q[SPHERES_MOST], w[SPHERES_MOST];
    double energy;
} sphere_reference;

void sphere_references_each(void (*visit)(const sphere_reference *r, void *context), void *context);

/* The record of steps.json for the pendulum. */
sphere_reference sphere_steps_record(const char *method, int n);

/* How far a state is from the end of a reference: the largest error of a component of q
 * or w. */
double sphere_reference_error(const sphere_reference *r, const ph_vec3 *q, const ph_vec3 *w);

/* How far a state is from the end of a reference: the largest error of an element of R,
 * and that of Pi relative to its largest component; the larger of the two. */
double reference_error(const reference *r, const ph_state *s);

#endif
