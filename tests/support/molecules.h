/* molecules.h - systems of molecules to test with, and what they should do: sums in long
 * double, written down as the formulas are. */
#ifndef TESTS_SUPPORT_MOLECULES_H
#define TESTS_SUPPORT_MOLECULES_H

#include "kinds/molecules/laws.h"
#include "kinds/molecules/molecule_bodies.h"
#include "support/systems.h"

/* A lattice, prepared; fails the test if it cannot be. */
ph_molecules *lattice_of(size_t side, double spacing, double noise);

/* Gives every body a mass, moments and a dipole of its own, and motion. */
void mix_bodies(ph_molecules *s, uint64_t seed);

/* In a box of these edges, prepared. */
void put_in_box(ph_molecules *s, ph_vec3 box, double cutoff, double dielectric);

/* A shuffled lattice of different bodies: in open space, in a box for cells, in a small
 * one. */
typedef struct place {
    size_t side;
    double spacing, noise, box, cutoff, dielectric;
    pair_kind kind;
} place;
enum { PLACE_COUNT = 10 };
extern const place places[PLACE_COUNT];
ph_molecules *system_of(const place *p);

/* Force, torque (body frame) and energy of body i with all others, and the sums of the
 * magnitudes of their terms. */
typedef struct pull {
    long double F[3], T[3], V;
    long double of_F, of_T, of_V;
} pull;
pull pull_on(const ph_molecules *s, size_t i);

/* The largest errors of forces and torques against that, over every `stride`-th body,
 * relative to those magnitudes. */
double pull_error(const ph_molecules *s, size_t stride);

/* The system of references.json, at its start, prepared; and the largest error of a
 * place, a momentum, an element of R or an angular momentum against its end. */
ph_molecules *reference_start(const char *id);
double reference_end_error(const char *id, const ph_molecules *s);

/* Molecules of unequal masses in a box, or with an edge of 0 in open space; NULL if there
 * is no memory. And a system of them by verlet+exact. */
ph_molecules *unequal_molecules(double edge);
ph_system *system_of_molecules(double edge, double h);

/* Calls a test for those systems by an integrator, in open space and in two boxes. */
void unequal_systems(void (*test)(const any_system *a), const char *integrator);

/* The nearest pair, by all pairs. */
ph_molecules_pair nearest_of_all(const ph_molecules *s);

/* Runs from the state as it is; a failure fails. */
void run_steps(ph_molecules *s, const char *integrator, double T, uint64_t steps);

/* A system of molecules, which are as they were before. What ph_system_create() returns. */
ph_status system_from_molecules(const ph_molecules *m, const ph_integrator *i, double h,
                                ph_system **out);

/* |H - H0| after a run of the default lattice over the time 1. */
double lattice_energy_error(const char *integrator, uint64_t steps);

/* Returns the potential energy where the molecules are now. */
double molecules_potential(ph_molecules *s);

/* Asserts that forces and torques on every molecule of number 0, stride, 2 stride ... are the derivatives
 * of the potential, in kJ/mol/nm; forces are some 1e3. */
void assert_forces(ph_molecules *s, size_t stride);

#endif
