/* spheres.h - problems of your own on two-spheres: pendulums, needles, vortices, spins.
 *
 * The systems of system.h run the problems of the catalog by their names, such as "magnets". This
 * header is for a program that has a problem of its own.
 *
 * A configuration consists of n unit vectors q_i. Each rotates with an angular velocity w_i that is
 * orthogonal to it: q_i' = w_i x q_i. There are two kinds of problems:
 *
 * - Second order: the kinetic energy is (1/2) sum M_ij q_i'.q_j' with a constant mass matrix M, and
 *   there is a potential V(q). The state is q and w.
 * - First order: q_i' = g_i(q) x q_i. The state is q, and w follows from g.
 *
 * Vectors are in space coordinates. The arrays of a system are called "q" and "w". Its integrators
 * are the methods on spheres, and the schemes over the flow `circle`, such as s6_10+circle.
 */
#ifndef POLHODE_SPHERES_H
#define POLHODE_SPHERES_H

#include "polhode/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A problem on spheres. */
typedef struct ph_spheres_problem ph_spheres_problem;

/* An invariant of the exact motion, beside the energy. */
typedef struct ph_spheres_invariant {
    const char *name;
    double (*value)(const ph_spheres_problem *p, const ph_vec3 *q, const ph_vec3 *w);
} ph_spheres_invariant;

/* A problem is a value: copy one and change its numbers. A problem of your own is such a struct
 * with your functions in it. It needs no registration. The argument `memory` of the functions
 * points to the memory that one system has for the problem: memory_size() doubles. */
struct ph_spheres_problem {
    const char *name, *title, *cite;
    const char *equations;          /* the equations of motion, in lines for people */
    const ph_parameter *parameters; /* static array of parameter_count rows */
    int parameter_count;
    double value[PH_PARAMETER_VALUES];
    void *context; /* for your own functions; the library does not read it */

    /* Returns the number of spheres for the parameters, or 0 if the parameters are invalid. */
    int (*count)(const ph_spheres_problem *p);
    /* A text for people that says which numbers of spheres are possible, or NULL. */
    const char *counts;
    /* Checks the parameters further: returns PH_OK or an error. May be NULL. */
    ph_status (*check)(const ph_spheres_problem *p);
    /* Stores the default start in q and w. w is NULL for a first-order problem. */
    void (*start)(const ph_spheres_problem *p, ph_vec3 *q, ph_vec3 *w);

    /* Returns the number of doubles of `memory`. NULL if the problem needs none. */
    size_t (*memory_size)(const ph_spheres_problem *p);
    /* Initializes the memory. NULL if the problem needs none. */
    void (*fill)(const ph_spheres_problem *p, double *memory);

    /* Returns the potential energy and, if `gradient` is not NULL, stores the n derivatives
     * dV/dq_i there. For a first-order problem it returns the energy and gives no gradient. The
     * result is not finite outside the domain. */
    double (*potential)(const ph_spheres_problem *p, double *memory, const ph_vec3 *q,
                        ph_vec3 *gradient);

    /* Second order: returns the element i, j of the mass matrix, which is symmetric up to
     * round-off. */
    double (*mass)(const ph_spheres_problem *p, int i, int j);
    /* Second order: true if the mass matrix is not diagonal. */
    bool coupled;
    /* Second order: stores the derivative of the gradient along x, sum_j d2V/dq_i dq_j x_j, in
     * `change`. May be NULL. */
    void (*hessian)(const ph_spheres_problem *p, double *memory, const ph_vec3 *q, const ph_vec3 *x,
                    ph_vec3 *change);

    /* First order: stores g_i(q), for which q_i' = g_i x q_i, in g. NULL for second order. */
    void (*angular_velocity)(const ph_spheres_problem *p, double *memory, const ph_vec3 *q,
                             ph_vec3 *g);

    const ph_spheres_invariant *invariants; /* invariant_count rows */
    int invariant_count;
    uint64_t reserved[PH_RESERVED];
};

/* Creates a system whose problem is your own, and stores it in *out. The function copies the
 * problem. It does what ph_system_create() does in all other respects, and returns the same
 * statuses. settings->problem and settings->own_problem have no effect. On failure *out is
 * unchanged. */
PH_API ph_status ph_system_create_on_spheres(const ph_system_settings *settings,
                                             const ph_spheres_problem *problem, ph_system **out);

#ifdef __cplusplus
}
#endif

#endif
