/* spheres.h - dynamics on products of two-spheres: pendulums, needles, vortices, spins.
 *
 * A configuration is n unit vectors q_i, each turning with an angular velocity w_i that
 * is orthogonal to it: q_i' = w_i x q_i. Two kinds of problem live here:
 *
 *   second order  kinetic energy (1/2) sum M_ij q_i'.q_j' with a constant mass matrix M,
 *                 and a potential V(q); the state is q and w
 *   first order   q_i' = g_i(q) x q_i; the state is q, and w is what g says
 *
 * Vectors are in space coordinates, arrays of n of them in the caller's memory. What a
 * run needs besides is allocated once, by ph_spheres_create; a step allocates nothing:
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
 * Runs of many steps: polhode/system.h. One ph_spheres belongs to one thread at a time. A
 * function that can fail returns a ph_status and, when that is not PH_OK, has left its
 * output as it was.
 */
#ifndef POLHODE_SPHERES_H
#define POLHODE_SPHERES_H

#include "polhode/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- problems -------------------------------------------------------------------- */

typedef struct ph_spheres_problem ph_spheres_problem;

/* A quantity that the exact motion keeps, beside the energy. */
typedef struct ph_spheres_invariant {
    const char *name;
    double (*value)(const ph_spheres_problem *p, const ph_vec3 *q, const ph_vec3 *w);
} ph_spheres_invariant;

/* A value: copy it, change a number. One of your own is such a struct with your functions
 * in it; it needs no registration. `memory` is the problem's own in a ph_spheres. */
struct ph_spheres_problem {
    const char *name, *title, *cite;
    const char *equations;          /* lines for people: what moves it */
    const ph_parameter *parameters; /* parameter_count of them; a static array */
    int parameter_count;
    double value[PH_PARAMETER_VALUES];
    void *context; /* yours, for your own functions */

    /* The number of spheres, from the parameters; 0 if there is none such, and in words
     * which there are, or NULL. */
    int (*count)(const ph_spheres_problem *p);
    const char *counts;
    /* What else may be wrong with the parameters; or NULL. */
    ph_status (*check)(const ph_spheres_problem *p);
    /* The start of a run unless told otherwise; w is NULL for a first-order problem. */
    void (*start)(const ph_spheres_problem *p, ph_vec3 *q, ph_vec3 *w);

    /* Tables and scratch of the problem: how many doubles, and their first filling;
     * NULL if it needs none. */
    size_t (*memory_size)(const ph_spheres_problem *p);
    void (*fill)(const ph_spheres_problem *p, double *memory);

    /* The potential energy and, if gradient is not NULL, its n derivatives dV/dq_i; or
     * the energy of a first-order problem, which gives no gradient. Not finite outside
     * its domain. */
    double (*potential)(const ph_spheres_problem *p, double *memory, const ph_vec3 *q,
                        ph_vec3 *gradient);

    /* Second order: an element of the mass matrix; whether any off the diagonal is not
     * zero; and the change of the gradient along x, sum_j d2V/dq_i dq_j x_j, or NULL. */
    double (*mass)(const ph_spheres_problem *p, int i, int j);
    bool coupled;
    void (*hessian)(const ph_spheres_problem *p, double *memory, const ph_vec3 *q,
                    const ph_vec3 *x, ph_vec3 *change);

    /* First order: g_i(q), for which q_i' = g_i x q_i; else NULL. */
    void (*angular_velocity)(const ph_spheres_problem *p, double *memory,
                             const ph_vec3 *q, ph_vec3 *g);

    const ph_spheres_invariant *invariants; /* invariant_count of them */
    int invariant_count;
};

/* The problem of that name; and all, in the order of their files. */
PH_API ph_status ph_spheres_problem_named(const char *name,
                                          const ph_spheres_problem **out);
PH_API const ph_spheres_problem *const *ph_spheres_problems(size_t *count);

/* The parameter of that name, or NULL. */
PH_API const ph_parameter *ph_spheres_problem_parameter(const ph_spheres_problem *p,
                                                        const char *name);

/* ---- methods and integrators ----------------------------------------------------- */

typedef struct ph_spheres ph_spheres;

/* The kinds of problem a method can do. */
enum { PH_SPHERES_FIRST_ORDER = 1, PH_SPHERES_SECOND_ORDER = 2 };

/* The method of that name; and all, in the order of their files. They have `applies_to` and
 * `step_spheres`, and keep the momentum about a symmetry axis of the problem. */
PH_API ph_status ph_spheres_method_named(const char *name, const ph_method **out);
PH_API const ph_method *const *ph_spheres_methods(size_t *count);

/* What makes the steps: a method; or a scheme without a flow, whose drift is the free motion
 * of a diagonal mass matrix, a great circle; the whole composed or not. */

/* The integrator called `method` or `scheme+circle`, perhaps followed by `@composition`;
 * PH_NOT_APPLICABLE if what is to be composed is not symmetric and of order 2. */
PH_API ph_status ph_spheres_integrator_named(const char *name, ph_integrator *out);

/* Whether the integrator can do the problem: a scheme needs a diagonal mass matrix, and
 * one with a force gradient a hessian. */
PH_API bool ph_spheres_applicable(const ph_integrator *i, const ph_spheres_problem *p);

/* ---- a problem and an integrator with the memory for a run ----------------------- */

/* Copies the problem and allocates. PH_BAD_PARAMETER, PH_COINCIDENT, PH_BAD_MASS (not
 * symmetric and positive definite), PH_NOT_APPLICABLE, PH_NO_MEMORY. Without an
 * integrator (NULL) it answers questions and makes no steps. */
PH_API ph_status ph_spheres_create(const ph_spheres_problem *p, const ph_integrator *i,
                                   ph_spheres **out);
PH_API void ph_spheres_destroy(ph_spheres *s);

/* The number of spheres. */
PH_API int ph_spheres_count(const ph_spheres *s);

/* The problem's own start. */
PH_API void ph_spheres_start(ph_spheres *s, ph_vec3 *q, ph_vec3 *w);

/* Sets w to the angular velocity that belongs to q in a first-order problem. */
PH_API void ph_spheres_derive(ph_spheres *s, const ph_vec3 *q, ph_vec3 *w);

/* How far a state is from what it should be: the largest ||q_i| - 1|, and the largest
 * |q_i.w_i|. */
typedef struct ph_spheres_defects {
    double length, orthogonality;
} ph_spheres_defects;

PH_API ph_spheres_defects ph_spheres_defect(int n, const ph_vec3 *q, const ph_vec3 *w);

/* The largest of either that ph_spheres_project corrects, the second relative to |w_i|. */
#define PH_SPHERES_TOLERANCE 1e-8

/* Brings q to unit length and w into the tangent planes; *found (if not NULL) is what was
 * corrected, the second relative to |w_i|. PH_NOT_ON_SPHERE beyond PH_SPHERES_TOLERANCE and
 * for what is not finite. */
PH_API ph_status ph_spheres_project(int n, ph_vec3 *q, ph_vec3 *w,
                                    ph_spheres_defects *found);

/* Energy, and an invariant of the problem by its number. */
PH_API double ph_spheres_energy(ph_spheres *s, const ph_vec3 *q, const ph_vec3 *w);
PH_API double ph_spheres_invariant_value(ph_spheres *s, int number, const ph_vec3 *q,
                                         const ph_vec3 *w);

/* The angular accelerations of a second-order problem, or the angular velocities of a
 * first-order one (w may be NULL then). PH_NOT_FINITE. */
PH_API ph_status ph_spheres_accelerations(ph_spheres *s, const ph_vec3 *q,
                                          const ph_vec3 *w, ph_vec3 *a);

/* How often the forces were computed so far. */
PH_API uint64_t ph_spheres_evaluations(const ph_spheres *s);

/* ---- steps ----------------------------------------------------------------------- */

/* One step. The state is untouched unless PH_OK; it must lie on the spheres. */
PH_API ph_status ph_spheres_step(ph_spheres *s, ph_vec3 *q, ph_vec3 *w, double h);

/* The lift to SO(3)^n: the rotation by which the last step turned each sphere, so that
 * R_i = turn_i R_i from R_i = 1 on keeps q_i = R_i q_i(0). For the Lie methods the
 * rotation they compose, else the smallest one. */
PH_API void ph_spheres_turns(const ph_spheres *s, ph_quat *turn);

#ifdef __cplusplus
}
#endif

#endif
