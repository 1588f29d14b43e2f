/* sphere_case.h - a problem on two-spheres, at its own start, with a method for it. */
#ifndef POLHODE_EVIDENCE_SPHERE_CASE_H
#define POLHODE_EVIDENCE_SPHERE_CASE_H

#include "evidence/figure.h"
#include "polhode/spheres.h"

typedef struct sphere_case {
    ph_spheres *spheres;
    int count;
    ph_vec3 *q, *w; /* the state */
} sphere_case;

/* False, with the trouble named, if there is none such or no memory. Close it anyway. */
bool sphere_open(sphere_case *c, figure_work *work, const char *problem,
                 const char *method);
void sphere_close(sphere_case *c);

/* Back to the start. */
void sphere_restart(sphere_case *c);

#endif
