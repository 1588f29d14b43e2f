/* molecules.h - many rigid bodies that push and turn each other: dipolar soft spheres.
 *
 * Each body has a place, a momentum, an attitude and an angular momentum; between any two
 * of them a law acts. That of dipolar_spheres is, r = x_i - x_j apart, with their dipoles
 * mu = R d in space,
 *
 *   V = 4 epsilon (sigma/r)^12 + mu_i . mu_j / r^3 - 3 (mu_i . r)(mu_j . r) / r^5
 *
 * in open space; in a periodic box, up to a cut-off, as docs/molecules.md says.
 *
 *     ph_molecules *s = ph_molecules_lattice(5, 3.0, 0.01, 1);
 *     ph_integrator i;
 *     if (s != NULL && ph_integrator_named("srkn6_14a+exact", &i) == PH_OK &&
 *         ph_molecules_prepare(s, NULL) == PH_OK)
 *         ph_molecules_step(s, &i, 0.1);
 *     ph_molecules_destroy(s);
 *
 * Runs of many steps: polhode/system.h. The arrays are made once, with all the memory that
 * steps need, and are yours to read and to write; after writing, call ph_molecules_prepare.
 * Two threads may step two of them. Boltzmann's constant is one.
 */
#ifndef POLHODE_MOLECULES_H
#define POLHODE_MOLECULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "polhode/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- problems -------------------------------------------------------------------- */

typedef struct ph_pair_law ph_pair_law; /* the law between two bodies: the library's */

/* Bodies with a law between them, and what a run begins with unless told otherwise. A
 * value: copy it, change a number. One file for each law, in src/molecules/laws. */
typedef struct ph_molecules_problem {
    const char *name, *title, *cite;
    const char *equations;          /* lines for people: what moves it */
    const ph_parameter *parameters; /* parameter_count of them; a static array */
    int parameter_count;
    double value[PH_PARAMETER_VALUES];
    const ph_pair_law *law;
} ph_molecules_problem;

/* The problem of that name; and all, in the order of their files. */
PH_API ph_status ph_molecules_problem_named(const char *name,
                                            const ph_molecules_problem **out);
PH_API const ph_molecules_problem *const *ph_molecules_problems(size_t *count);

/* The parameter of that name, or NULL. */
PH_API const ph_parameter *ph_molecules_problem_parameter(const ph_molecules_problem *p,
                                                          const char *name);

/* ---- systems --------------------------------------------------------------------- */

enum { PH_LAW_CONSTANTS = 8 };

/* Structure of arrays: component k of body i is x[k][i]. Made by the functions below alone, with
 * more of the library's behind it: no copy of it is one. */
typedef struct ph_molecules {
    size_t n;

    /* the state */
    double *x[3]; /* places, space frame; in a box they are not folded back into it */
    double *p[3]; /* momenta, space frame */
    double *q[4]; /* attitudes, scalar first, body to space */
    double *m[3]; /* angular momenta, body frame */

    /* the bodies, each its own */
    double *mass;
    double *J[3];      /* principal moments */
    double *dipole[3]; /* body frame */

    /* the law between them, and its constants: sigma and epsilon */
    const ph_pair_law *law;
    double constant[PH_LAW_CONSTANTS];

    /* the box; all edges zero: open space */
    ph_vec3 box;
    double cutoff;     /* at most half the shortest edge */
    double dielectric; /* of what lies beyond the cut-off, 1 or more; 0: a conductor */

    /* what the last evaluation of the forces found; yours to read */
    double *force[3];  /* space frame */
    double *torque[3]; /* body frame */
    double potential;
} ph_molecules;

/* A system of n bodies, n > 0, in open space, all at the origin and at rest, of the problem
 * dipolar_spheres: sigma, epsilon and the masses 1, moments 1, 1.88, 2.88 and dipoles 0, 1,
 * 1 (water, as in the paper). NULL if there is no memory for it. Free it. */
PH_API ph_molecules *ph_molecules_create(size_t n);
PH_API void ph_molecules_destroy(ph_molecules *s); /* NULL is allowed */

/* A system as ph_molecules_create makes it, of side^3 bodies on a cubic lattice, at rest in random attitudes:
 *
 *   x_i = spacing (1 + i mod side, 1 + (i div side) mod side, 1 + i div side^2)
 *         + noise spacing (three normals),   q_i = four normals, to unit length
 *
 * one body after the other from splitmix64 started with the seed: u = (bits >> 11) 2^-53,
 * normal = sqrt(-2 ln u1) cos(2 pi u2). */
PH_API ph_molecules *ph_molecules_lattice(size_t side, double spacing, double noise,
                                          uint64_t seed);

/* Gives a system the law and the box of a problem, and all its bodies the mass and the
 * dipole. */
PH_API void ph_molecules_set_problem(ph_molecules *s, const ph_molecules_problem *p);

/* The lattice that a problem begins with, of at most PH_LATTICE_MOST bodies along an edge.
 * PH_BAD_PARAMETER, PH_NO_MEMORY. Free it. */
#define PH_LATTICE_MOST 1000
PH_API ph_status ph_molecules_from_problem(const ph_molecules_problem *p,
                                           ph_molecules **out);

/* Two bodies, and how far apart they are. */
typedef struct ph_molecules_pair {
    size_t a, b;
    double distance;
} ph_molecules_pair;

/* Checks the system, normalises the attitudes, and evaluates the forces; needed after
 * every change of the arrays or the law, and before a step. PH_BAD_STATE, PH_BAD_INERTIA
 * (which is a mass, too), PH_BAD_LAW, PH_BAD_BOX; PH_OVERLAP with the first such pair in
 * *overlap, if not NULL. */
PH_API ph_status ph_molecules_prepare(ph_molecules *s, ph_molecules_pair *overlap);

/* ---- what can be asked ----------------------------------------------------------- */

typedef struct ph_molecules_energy {
    double translation, rotation, potential, total;
} ph_molecules_energy;

/* The energies; evaluates the forces, once, if the last step did not end with them. The
 * potential of a system that is not prepared is NaN. */
PH_API ph_molecules_energy ph_molecules_energies(ph_molecules *s);

/* Twice the kinetic energy, without that of the centre of mass, by 6 n - 3. */
PH_API double ph_molecules_temperature(const ph_molecules *s);

/* The sum of p; and of x cross p + R m, about the origin. */
PH_API ph_vec3 ph_molecules_momentum(const ph_molecules *s);
PH_API ph_vec3 ph_molecules_angular_momentum(const ph_molecules *s);

/* ---- steps ----------------------------------------------------------------------- */

/* The energy explodes when it leaves that of ph_molecules_prepare by more than this times
 * (kinetic energy + |potential energy| + n epsilon), all as they were there. */
#define PH_MOLECULES_EXPLOSION 10.0

/* One step of h with a scheme over a flow, composed or not; else, and for a scheme with a
 * force gradient, PH_NOT_APPLICABLE. PH_EXPLODED, PH_NOT_FINITE, or what the flow
 * returns; the state is as it was unless PH_OK. Allocates nothing. */
PH_API ph_status ph_molecules_step(ph_molecules *s, const ph_integrator *i, double h);

#ifdef __cplusplus
}
#endif

#endif
