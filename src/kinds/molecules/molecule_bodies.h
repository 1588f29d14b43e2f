/* molecule_bodies.h - many rigid bodies that interact in pairs: dipolar soft spheres, water.
 *
 * Each body has a position, a momentum, an attitude and an angular momentum. A pair law acts
 * between any two bodies. In the problem dipolar_spheres, r = x_i - x_j is the distance vector of a
 * pair, and mu = R d is a dipole in space. The energy of a pair in open space is
 *
 *   V = 4 epsilon (sigma/r)^12 + mu_i . mu_j / r^3 - 3 (mu_i . r)(mu_j . r) / r^5
 *
 * In a periodic box the law is cut off, as docs/molecules.md describes.
 *
 *     ph_molecules *s = ph_molecules_lattice(5, 3.0, 0.01, 1);
 *     ph_integrator i;
 *     if (s != NULL && ph_integrator_named("srkn6_14a+exact", &i) == PH_OK &&
 *         ph_molecules_prepare(s, NULL) == PH_OK)
 *         ph_molecules_step(s, &i, 0.1);
 *     ph_molecules_destroy(s);
 *
 * The systems of system.h take many steps. The arrays are allocated once, with all the memory that
 * steps need. The caller may read and write them, and calls ph_molecules_prepare() afterwards. Two
 * threads may step two different systems. Boltzmann's constant is 1 unless the law has its own.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "polhode/body.h"

/* ---- problems -------------------------------------------------------------------- */

/* The law between two bodies. Its members are private to the library. */
typedef struct ph_pair_law ph_pair_law;

/* The largest number of sites of a molecule. */
enum { PH_SITES_MOST = 8 };

/* A site of a rigid molecule. Its mass may be 0. Two sites act on each other by their charges, and by
 * Lennard-Jones with the mean of their sigma and the geometric mean of their epsilon. */
typedef struct ph_site {
    double at[3]; /* in any frame that is fixed in the molecule */
    double mass, charge, sigma, epsilon;
} ph_site;

/* A problem of many bodies: the law between them and the parameters of the default start. It is a
 * value: copy one and change its numbers. */
typedef struct ph_molecules_problem {
    const char *name, *title, *cite;
    const char *equations;          /* the equations of motion, in lines for people */
    const ph_parameter *parameters; /* static array of parameter_count rows */
    int parameter_count;
    double value[PH_PARAMETER_VALUES];
    const ph_pair_law *law;
    ph_site site[PH_SITES_MOST]; /* of a molecule of sites, else none */
    size_t sites;
} ph_molecules_problem;

/* Stores the problem called `name` in *out. Returns PH_OK or PH_UNKNOWN_NAME, as ph_flow_named()
 * does. */
ph_status ph_molecules_problem_named(const char *name, const ph_molecules_problem **out);

/* Returns a static array of all problems of molecules, in the order of their files, and stores
 * its length in *count. */
const ph_molecules_problem *const *ph_molecules_problems(size_t *count);

/* Returns the parameter of a problem called `name`, or NULL if there is none. */
const ph_parameter *ph_molecules_problem_parameter(const ph_molecules_problem *p, const char *name);

/* ---- systems --------------------------------------------------------------------- */

/* The largest number of constants of a law. */
enum { PH_LAW_CONSTANTS = 8 };

/* A system of many bodies, as a structure of arrays: component k of body i is x[k][i]. Only the
 * functions below create one. It has private data in addition, so do not copy the structure. */
typedef struct ph_molecules {
    size_t n;

    /* The state. */
    double *x[3]; /* positions in space; in a box they are not folded back into it */
    double *p[3]; /* momenta in space */
    double *q[4]; /* attitudes, scalar first, body to space */
    double *m[3]; /* angular momenta in the body frames */

    /* The properties of each body. */
    double *mass;
    double *J[3];      /* principal moments */
    double *dipole[3]; /* in the body frame */

    /* The law between two bodies and its constants: sigma and epsilon. */
    const ph_pair_law *law;
    double constant[PH_LAW_CONSTANTS];
    ph_site site[PH_SITES_MOST];
    size_t sites;

    /* The edges of the periodic box. All of them are zero in open space. */
    ph_vec3 box;
    double cutoff; /* at most half the shortest edge */
    /* The dielectric constant beyond the cutoff, 1 or more; 0 for a conductor. */
    double dielectric;

    /* The results of the last evaluation of the forces, which the caller may read. */
    double *force[3];  /* in space */
    double *torque[3]; /* in the body frames */
    double potential;
} ph_molecules;

/* Creates a system of n bodies of the problem dipolar_spheres in open space. All bodies are at the
 * origin and at rest. sigma, epsilon and the masses are 1, the moments 1, 1.88 and 2.88, and the
 * dipoles (0, 1, 1).
 *
 * Returns the system, or NULL if memory runs out or n is 0 or too large. Free the system with
 * ph_molecules_destroy(). */
ph_molecules *ph_molecules_create(size_t n);

/* Destroys a system and frees its memory. `s` may be NULL. */
void ph_molecules_destroy(ph_molecules *s);

/* Creates a system as ph_molecules_create() does, with side^3 bodies on a cubic lattice. The bodies
 * are at rest and have random attitudes:
 *
 *   x_i = spacing (1 + i mod side, 1 + (i div side) mod side, 1 + i div side^2)
 *         + noise spacing (three normals),   q_i = four normals, to unit length
 *
 * The normals come from the sequence splitmix64 with the seed, one body after the other. With
 * u = (bits >> 11) 2^-53, a normal is sqrt(-2 ln u1) cos(2 pi u2).
 *
 * Returns the system, or NULL if memory runs out or `side` is 0 or too large. */
ph_molecules *ph_molecules_lattice(size_t side, double spacing, double noise, uint64_t seed);

/* Sets the law and the box of a system, and the mass and the dipole of all its bodies, to those of
 * a problem. Call ph_molecules_prepare() afterwards. */
void ph_molecules_set_problem(ph_molecules *s, const ph_molecules_problem *p);

/* The largest number of bodies along an edge of a lattice. */
#define PH_LATTICE_MOST 1000

/* Creates the default start of a problem and stores the system in *out. Free it with
 * ph_molecules_destroy(). Returns PH_OK, PH_BAD_PARAMETER if a parameter is out of its range, or
 * PH_NO_MEMORY if memory runs out. On failure *out is unchanged. */
ph_status ph_molecules_from_problem(const ph_molecules_problem *p, ph_molecules **out);

/* The indices of two bodies, and their distance. */
typedef struct ph_molecules_pair {
    size_t a, b;
    double distance;
} ph_molecules_pair;

/* Checks a system, normalises the attitudes and evaluates the forces. Call it before the first
 * step and after every change of the arrays or the law.
 *
 * Returns PH_OK. Returns PH_BAD_STATE if the state or its energy is not finite. Returns
 * PH_BAD_INERTIA if a mass or a moment is not positive. Returns PH_BAD_LAW if the constants of the
 * law are invalid. Returns PH_BAD_BOX if the box is invalid. Returns PH_OVERLAP if two bodies overlap, and stores the first such
 * pair in *overlap. `overlap` may be NULL. On failure the system cannot take steps. */
ph_status ph_molecules_prepare(ph_molecules *s, ph_molecules_pair *overlap);

/* ---- energy and momentum --------------------------------------------------------- */

/* The energies of a system. */
typedef struct ph_molecules_energy {
    double translation, rotation, potential, total;
} ph_molecules_energy;

/* Returns the energies of a system. It evaluates the forces if the last step did not end with an
 * evaluation. If the system is not prepared, the potential and the total are NaN. */
ph_molecules_energy ph_molecules_energies(ph_molecules *s);

/* Returns the temperature: twice the kinetic energy, without that of the centre of mass, divided by
 * 6 n - 3 and by Boltzmann's constant. */
double ph_molecules_temperature(const ph_molecules *s);

/* Returns the molecular pressure in bar of a system of the problem water: twice the energy of the
 * momenta plus the virial, the sum over pairs of d . F, divided by three times the volume. d is the
 * distance vector of two centres of mass, F the force between their molecules. */
double ph_molecules_pressure(ph_molecules *s);

/* Returns the total momentum in space, the sum of p. */
ph_vec3 ph_molecules_momentum(const ph_molecules *s);

/* Returns the total angular momentum about the origin in space, the sum of x cross p + R m. */
ph_vec3 ph_molecules_angular_momentum(const ph_molecules *s);

/* ---- steps ----------------------------------------------------------------------- */

/* A step fails with PH_EXPLODED if the energy has changed by more than this number times
 * (kinetic energy + |potential energy| + n epsilon) since ph_molecules_prepare(). */
#define PH_MOLECULES_EXPLOSION 10.0

/* Takes one step of h with a scheme whose drift is a flow, composed or not. It allocates nothing.
 *
 * Returns PH_OK. Returns PH_NOT_APPLICABLE for another integrator. Returns PH_BAD_STATE if the system is not prepared, and PH_BAD_STEP if h is not
 * finite. Returns PH_EXPLODED if the energy has exploded, PH_NOT_FINITE if the new state is not
 * finite, or the status of the flow. On failure the state is unchanged. */
ph_status ph_molecules_step(ph_molecules *s, const ph_integrator *i, double h);
