/* spheres.h - a problem on spheres with its parameters and its start, as told; and the
 * integrators for it. */
#ifndef POLHODE_CLI_SPHERES_H
#define POLHODE_CLI_SPHERES_H

#include "polhode/spheres.h"

#include "told.h"

enum { SPHERES_KEPT = 8 }; /* invariants of a problem, at most */

typedef struct spheres_world {
    ph_sphere_problem problem;
    int n;
    size_t bytes;       /* of n vectors */
    ph_spheres *asked;  /* for questions before a run */
    ph_spheres *moving; /* for the run by the integrator `by`, or NULL */
    ph_sphere_integrator by;
    ph_vec3 *vectors; /* all that follow */
    ph_vec3 *start_q, *start_w, *q, *w, *right_q, *right_w;
    char *columns; /* their names */
    double *row;
    unsigned long long *kicks; /* counted there, or NULL */

    /* What is kept: at the start, and the largest deviations. */
    bool watched;
    double energy, energy_error;
    double kept[SPHERES_KEPT], kept_error[SPHERES_KEPT];
    ph_sphere_defect worst;
} spheres_world;

/* As the space has them: see space.h. */
int spheres_make(const scenario *told, void **world);
bool spheres_takes(scenario_key key);
void spheres_discard(void *world);
int spheres_choose(const void *world, const char *place, const char *name,
                   void **integrator);

#endif
