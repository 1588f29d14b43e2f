/* rigid.h - what laws of rigid molecules of sites have in common.
 *
 * Lengths are in nm, times in ps, masses in u, charges in elementary charges, energies in kJ/mol,
 * temperatures in kelvin.
 */
#pragma once

#include "kinds/molecules/system.h"

static const double COULOMB = 138.93545764; /* kJ nm/mol */

/* The units of a law: Boltzmann's constant in kJ/mol/K, ps in s, kJ/mol/nm^3 in bar. */
#define MOLECULAR_UNITS                                                                            \
    .boltzmann = 0.00831446261815324, .time_unit = 1e-12, .bar = 16.605390671738466

/* The parameters of a liquid beside those of its molecules. */
#define LIQUID_PARAMETERS(density)                                                                 \
    {"density",        density, 1, "kg/m^3", "density; it determines the size of the box",         \
     PH_RANGE_POSITIVE},                                                                           \
        {"noise",                                                                                  \
         NOISE,                                                                                    \
         1,                                                                                        \
         "1",                                                                                      \
         "standard deviation of the first positions, over their distance",                         \
         PH_RANGE_NOT_NEGATIVE},                                                                   \
        {"seed", SEED, 1, "1", "seed of the noise", PH_RANGE_NOT_NEGATIVE},                        \
        {"cutoff",                                                                                 \
         CUTOFF,                                                                                   \
         1,                                                                                        \
         "nm",                                                                                     \
         "cut-off distance; 0: 0.9, or half the box",                                              \
         PH_RANGE_NOT_NEGATIVE},                                                                   \
    {                                                                                              \
        "dielectric", DIELECTRIC, 1, "1", "constant beyond the cut-off; 0: a conductor",           \
            PH_RANGE_NOT_NEGATIVE                                                                  \
    }

/* k of the reaction field (TSSB in sites/water.c). */
static inline double reaction_field(const pair_numbers *law, double dielectric)
{
    const double rc = law->cutoff, e = dielectric;
    return (e == 0.0 ? 0.5 : (e - 1.0) / (2.0 * e + 1.0)) / (rc * rc * rc);
}

/* R^2 from which on molecules fade, over the last tenth of the way to the cut-off. */
static inline double molecules_fade(const pair_numbers *law)
{
    const double taper = 0.9;
    return taper * taper * law->cutoff2;
}

/* Gives all molecules the same mass, moments and dipole, the box that the density in kg/m^3 makes,
 * and the default cut-off unless there is one. */
void ph_molecules_set_alike(ph_molecules *s, double mass, ph_vec3 J, ph_vec3 dipole,
                            double density);

/* Puts the molecules on a cubic lattice with noise, each opposite to its neighbours. */
void ph_molecules_place(ph_molecules *s, double noise, double seed);

/* A molecule of sites in its principal axes. */
typedef struct rigid_shape {
    double mass;
    ph_vec3 J, dipole;
    ph_vec3 at[PH_SITES_MOST];
} rigid_shape;

/* Finds the centre of mass and the principal axes. If the products of inertia are 0, the axes are those
 * in which the sites are given. Returns PH_BAD_INERTIA if there is no mass, or if it lies on a line. */
ph_status ph_sites_shape(const ph_site *site, size_t n, rigid_shape *out);
