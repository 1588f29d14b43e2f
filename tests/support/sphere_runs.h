/* sphere_runs.h - runs on spheres by the names of their integrators. */
#ifndef TESTS_SUPPORT_SPHERE_RUNS_H
#define TESTS_SUPPORT_SPHERE_RUNS_H

#include "kinds/spheres/stepping.h"
#include "polhode/system.h"

enum { SPHERE_RUN_MOST = 64 };

/* A state with what moves it; begins at the start of the problem. */
typedef struct sphere_run {
    ph_spheres *s;
    int n;
    ph_vec3 q[SPHERE_RUN_MOST], w[SPHERE_RUN_MOST];
} sphere_run;

/* Fails the test if there is no such integrator, or if it cannot do the problem. */
sphere_run sphere_run_new(const char *integrator, const ph_spheres_problem *p);
void sphere_run_free(sphere_run *r);

/* A system of spheres from q and w, or NULL and NULL: the problem's own start. What
 * ph_system_create() returns. */
ph_status system_from_spheres(const ph_spheres_problem *p, const ph_integrator *i, const ph_vec3 *q,
                              const ph_vec3 *w, double h, ph_system **out);

/* A system that begins in the state of the run; fails the test if it cannot be made. */
ph_system *sphere_system(const sphere_run *r, double h);

/* That many steps of h; fails the test if one fails. */
void sphere_run_steps(sphere_run *r, double h, uint64_t steps);

/* A copy of a problem with another value of a parameter. */
ph_spheres_problem sphere_problem_with(const char *name, const char *parameter, double value);

/* The largest difference of a component of q, of w, and of either. */
double sphere_q_distance(const sphere_run *a, const sphere_run *b);
double sphere_w_distance(const sphere_run *a, const sphere_run *b);
double sphere_distance(const sphere_run *a, const sphere_run *b);

/* Calls a test for each method and each scheme+circle, by its name, with each problem of
 * `problems` (up to NULL) that it can do. Returns how often. */
int sphere_each(const ph_spheres_problem *const *problems,
                void (*test)(const char *name, const ph_integrator *i,
                             const ph_spheres_problem *p));

/* Problems without the symmetries that would flatter a method, up to NULL: needles, a
 * chain, spins, vortices, the double pendulum, a chain with any masses. */
const ph_spheres_problem *const *sphere_trials(void);

/* A time in which such a problem moves by about a radian. */
double sphere_moment(const ph_spheres_problem *p);

#endif
