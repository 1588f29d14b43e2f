/* sphere_case.c - a problem on two-spheres, at its own start, with a method. */
#include "evidence/sphere_case.h"
#include "catalog/find.h"

#include <stdlib.h>

bool sphere_open(sphere_case *c, figure_work *work, const char *problem,
                 const char *method)
{
    *c = (sphere_case){0};
    const ph_sphere_problem *p = find_sphere_problem(problem);
    ph_sphere_integrator i;
    if (p == NULL || ph_sphere_integrator_named(method, &i) != PH_OK ||
        ph_spheres_create(&c->spheres, p, &i) != PH_OK) {
        work->trouble = "a problem or method on spheres is missing";
        return false;
    }
    c->count = ph_spheres_count(c->spheres);
    c->q = calloc((size_t)c->count, sizeof *c->q);
    c->w = calloc((size_t)c->count, sizeof *c->w);
    if (c->q == NULL || c->w == NULL) {
        work->trouble = "there is no memory left";
        return false;
    }
    sphere_restart(c);
    return true;
}

void sphere_restart(sphere_case *c)
{
    ph_spheres_start(c->spheres, c->q, c->w);
}

void sphere_close(sphere_case *c)
{
    if (c->spheres != NULL)
        ph_spheres_free(c->spheres);
    free(c->q);
    free(c->w);
}
