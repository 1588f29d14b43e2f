/* sphere_tangent.h - the derivative of a step on spheres, and what it leaves of the
 * symplectic form.
 *
 * Second order: with v_i = w_i x q_i the form of two tangent vectors is
 * sum_ij M_ij (dq1_i.dv2_j - dv1_i.dq2_j). First order: sum_i G_i q_i.(dq1_i x dq2_i), G
 * the strengths of the vortices, 1 for spins. */
#ifndef TESTS_SUPPORT_SPHERE_TANGENT_H
#define TESTS_SUPPORT_SPHERE_TANGENT_H

#include "kinds/spheres/stepping.h"
#include "support/sphere_runs.h"

/* The largest change of the form of any two directions by one step of h from the state of
 * r, which stays as it is; relative to the largest of the form before. */
double sphere_symplectic_defect(const sphere_run *r, const ph_spheres_problem *p, double h);

#endif
