/* solve.h - what methods on spheres share: forces kept from call to call, the mass matrix
 * solved for accelerations, the end of a step.
 */
#pragma once

#include "spheres/workspace.h"

/* dV/dq at q: computed unless it was for the same q just before. And the rates g of a
 * first-order problem. The arrays live until the next call. */
const ph_vec3 *ph_spheres_gradient(ph_spheres *s, const ph_vec3 *q);
const ph_vec3 *ph_spheres_angular_velocity(ph_spheres *s, const ph_vec3 *q);

/* Prepares ph_spheres_solve for a configuration; false if it cannot be. */
bool ph_spheres_factor(ph_spheres *s, const ph_vec3 *q);

/* The tangential a_i with  P_i sum_j M_ij a_j = P_i r_i,  P_i = 1 - q_i q_i^T, at the q
 * that was prepared. a may be r. */
void ph_spheres_solve(ph_spheres *s, const ph_vec3 *q, const ph_vec3 *r, ph_vec3 *a);

/* sum_j M_ij x_j */
ph_vec3 ph_spheres_mass_times(const ph_spheres *s, int i, const ph_vec3 *x);

/* The slope of the state: angular velocity and acceleration where there are both; for a
 * first-order problem u = g and a is not touched. u and a of w and q themselves. */
ph_status ph_spheres_slope(ph_spheres *s, const ph_vec3 *q, const ph_vec3 *w, ph_vec3 *u,
                           ph_vec3 *a);

/* Makes next_q and next_w the state, PH_NOT_FINITE and the state untouched if they are
 * none. next_q is of unit length already: where the forces at it are known, they are
 * those of the next step. */
ph_status ph_spheres_commit_step(ph_spheres *s, ph_vec3 *q, ph_vec3 *w);

/* A step that leads to next_q and next_w. */
typedef ph_status sphere_stepper(ph_spheres *s, const ph_vec3 *q, const ph_vec3 *w,
                                 double h);

/* The data of a method with two of these, for coupled masses and for diagonal ones. */
typedef struct sphere_steppers {
    sphere_stepper *coupled, *diagonal;
} sphere_steppers;

/* The step of such a method. */
static inline ph_status step_by_masses(const ph_spheres_method *method, ph_spheres *s,
                                       ph_vec3 *q, ph_vec3 *w, double h)
{
    const sphere_steppers *by = method->data;
    if (h == 0.0)
        return PH_OK;
    const ph_status status = (s->coupled ? by->coupled : by->diagonal)(s, q, w, h);
    return status == PH_OK ? ph_spheres_commit_step(s, q, w) : status;
}

/* One step of the scheme of s, src/spheres/circle.c; q and w are untouched unless PH_OK. */
ph_status ph_spheres_scheme_step(ph_spheres *s, ph_vec3 *q, ph_vec3 *w, double h);
