/* references.h - reference solutions of bodies in a field,
 * tests/vectors/references.json: binary128, two formulations that agree to at least 22
 * digits. */
#ifndef TESTS_SUPPORT_REFERENCES_H
#define TESTS_SUPPORT_REFERENCES_H

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

/* How far a state is from the end of a reference: the largest error of an element of R,
 * and that of Pi relative to its largest component; the larger of the two. */
double reference_error(const reference *r, const ph_state *s);

#endif
