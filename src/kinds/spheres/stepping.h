/* stepping.h - problems and methods on spheres by name, and one problem with its integrator and the
 * memory of a run. Programs use them through the systems of system.h.
 *
 *     const ph_spheres_problem *p;
 *     ph_integrator i;
 *     ph_spheres *s;
 *     if (ph_spheres_problem_named("magnets", &p) == PH_OK &&
 *         ph_spheres_integrator_named("s6_10+circle", &i) == PH_OK &&
 *         ph_spheres_create(p, &i, &s) == PH_OK) {
 *         ... ph_spheres_start(s, q, w); ph_spheres_step(s, q, w, 0.001);
 *         ph_spheres_destroy(s);
 *     }
 *
 * Arrays of n vectors belong to the caller. ph_spheres_create() allocates what a run needs; a step
 * allocates nothing. Only one thread at a time may use a ph_spheres. On failure a function that
 * returns a ph_status leaves its output unchanged.
 */
#pragma once

#include "polhode/spheres.h"

/* ---- problems -------------------------------------------------------------------- */

/* Stores the problem called `name` in *out. Returns PH_OK or PH_UNKNOWN_NAME, as ph_flow_named()
 * does. */
ph_status ph_spheres_problem_named(const char *name, const ph_spheres_problem **out);

/* Returns a static array of all problems on spheres, in the order of their files, and stores its
 * length in *count. */
const ph_spheres_problem *const *ph_spheres_problems(size_t *count);

/* Returns the parameter of a problem called `name`, or NULL if there is none. */
const ph_parameter *ph_spheres_problem_parameter(const ph_spheres_problem *p, const char *name);

/* ---- methods and integrators ----------------------------------------------------- */

/* A problem and an integrator with the memory for a run. Its members are private to the
 * library. */
typedef struct ph_spheres ph_spheres;

/* The kinds of problems that a method can solve, as bits. */
enum { PH_SPHERES_FIRST_ORDER = 1, PH_SPHERES_SECOND_ORDER = 2 };

/* What a method on spheres consists of beside its facts. Its ph_method has no step of a body, and
 * its `data` is one of these. */
typedef struct sphere_method {
    int applies_to; /* PH_SPHERES_FIRST_ORDER, PH_SPHERES_SECOND_ORDER or both */
    /* Advances q and w by the time h. `method` has this structure as `data`. On failure q and w are
     * unchanged. */
    ph_status (*step)(const ph_method *method, ph_spheres *s, ph_vec3 *q, ph_vec3 *w, double h);
    const void *data; /* data of this method, if several methods share a step function */
} sphere_method;

/* Returns what a method does on spheres, or NULL if it is a method of one body. */
static inline const sphere_method *sphere_method_of(const ph_method *m)
{
    return m->step == NULL ? (const sphere_method *)m->data : NULL;
}

/* Stores the method on spheres called `name` in *out. It preserves the momentum about a symmetry axis of the problem. Returns PH_OK or
 * PH_UNKNOWN_NAME, as ph_flow_named() does. */
ph_status ph_spheres_method_named(const char *name, const ph_method **out);

/* Returns a static array of all methods on spheres, in the order of their files, and stores its
 * length in *count. */
const ph_method *const *ph_spheres_methods(size_t *count);

/* Stores the integrator called `name` in *out. A name is `method` or `scheme+circle`, and a
 * following `@composition` composes the whole step. The drift of such a scheme is the free motion
 * for a diagonal mass matrix, a great circle.
 *
 * Returns PH_OK, or PH_UNKNOWN_NAME if a part of the name does not exist. Returns
 * PH_NOT_APPLICABLE if the integrator to be composed is not symmetric with order 2. */
ph_status ph_spheres_integrator_named(const char *name, ph_integrator *out);

/* Returns true if the integrator can solve the problem. A scheme needs a diagonal mass matrix. A
 * scheme with a force gradient also needs a hessian. */
bool ph_spheres_applicable(const ph_integrator *i, const ph_spheres_problem *p);

/* ---- a problem and an integrator with the memory for a run ----------------------- */

/* Copies a problem and an integrator, allocates the memory of a run and stores it in *out. Free it
 * with ph_spheres_destroy(). `i` may be NULL: the object then computes energies and accelerations
 * but takes no steps.
 *
 * Returns PH_OK. Returns PH_BAD_PARAMETER if a parameter is invalid. Returns PH_COINCIDENT if two
 * particles are at the same place. Returns PH_BAD_MASS if the mass matrix is not symmetric and
 * positive definite. Returns PH_NOT_APPLICABLE if the integrator cannot solve the problem. Returns
 * PH_NO_MEMORY if memory runs out. On failure *out is unchanged. */
ph_status ph_spheres_create(const ph_spheres_problem *p, const ph_integrator *i, ph_spheres **out);

/* Destroys a ph_spheres and frees its memory. `s` may be NULL. */
void ph_spheres_destroy(ph_spheres *s);

/* Returns the number of spheres, n. */
int ph_spheres_count(const ph_spheres *s);

/* Stores the default start of the problem in q and w, arrays of n vectors. */
void ph_spheres_start(ph_spheres *s, ph_vec3 *q, ph_vec3 *w);

/* Sets w to the angular velocities that belong to q in a first-order problem. It does nothing for
 * a second-order problem. */
void ph_spheres_derive(ph_spheres *s, const ph_vec3 *q, ph_vec3 *w);

/* The distance of a state from the spheres: the largest ||q_i| - 1|, and the largest |q_i.w_i|. */
typedef struct ph_spheres_defects {
    double length, orthogonality;
} ph_spheres_defects;

/* Returns the distance of the state q, w of n spheres from the spheres. */
ph_spheres_defects ph_spheres_defect(int n, const ph_vec3 *q, const ph_vec3 *w);

/* The largest defect that ph_spheres_project() corrects. That of the orthogonality is relative to
 * |w_i|. */
#define PH_SPHERES_TOLERANCE 1e-8

/* Normalises q to unit length and projects w onto the tangent planes. Stores the corrected defects
 * in *found; that of the orthogonality is relative to |w_i|. `found` may be NULL. If n is 0, `q`
 * may be NULL and `w` may be NULL.
 *
 * Returns PH_OK. Returns PH_BAD_PARAMETER if n is negative. Returns PH_NOT_ON_SPHERE if a defect
 * exceeds PH_SPHERES_TOLERANCE or a number is not finite. On failure nothing is changed. */
ph_status ph_spheres_project(int n, ph_vec3 *q, ph_vec3 *w, ph_spheres_defects *found);

/* Returns the energy of the state q, w. */
double ph_spheres_energy(ph_spheres *s, const ph_vec3 *q, const ph_vec3 *w);

/* Returns the value of an invariant of the problem, given by its number, at the state q, w. The
 * number must be below invariant_count. */
double ph_spheres_invariant_value(ph_spheres *s, int number, const ph_vec3 *q, const ph_vec3 *w);

/* Stores in a the angular accelerations of a second-order problem, or the angular velocities of a
 * first-order problem. `w` may be NULL for a first-order problem. Returns PH_OK, or PH_NOT_FINITE
 * if a result is not finite; a is then unchanged. */
ph_status ph_spheres_accelerations(ph_spheres *s, const ph_vec3 *q, const ph_vec3 *w, ph_vec3 *a);

/* Returns the number of evaluations of the forces so far. */
uint64_t ph_spheres_evaluations(const ph_spheres *s);

/* ---- steps ----------------------------------------------------------------------- */

/* Advances the state q, w by a step of h. The state must lie on the spheres.
 *
 * Returns PH_OK. Returns PH_BAD_STEP if h is not finite. Returns PH_NOT_APPLICABLE if there is no
 * integrator. Otherwise it returns the status of the step, such as PH_NO_CONVERGENCE. On failure
 * q and w are unchanged. */
ph_status ph_spheres_step(ph_spheres *s, ph_vec3 *q, ph_vec3 *w, double h);

/* Stores in `turn` the n rotations by which the last step rotated the spheres, the lift to SO(3)^n.
 * If R_i begins with 1 and each step multiplies it by turn_i from the left, q_i = R_i q_i(0)
 * remains true. For a Lie method these are the rotations of the method, else the smallest ones. */
void ph_spheres_turns(const ph_spheres *s, ph_quat *turn);
