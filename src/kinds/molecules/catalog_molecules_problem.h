/* Written by scripts/lists. */
/* clang-format off */
#ifndef PH_KINDS
#define PH_KINDS 1
#endif
/* NOLINTBEGIN(readability-redundant-declaration) */
#if PH_KINDS
extern const ph_molecules_problem ph_molecules_problem_dipolar_spheres;
extern const ph_molecules_problem ph_molecules_problem_rigid_molecule;
extern const ph_molecules_problem ph_molecules_problem_water;
#endif
/* NOLINTEND(readability-redundant-declaration) */

static const ph_molecules_problem *const molecules_problem_rows[] = {
#if PH_KINDS
    &ph_molecules_problem_dipolar_spheres,
    &ph_molecules_problem_rigid_molecule,
    &ph_molecules_problem_water,
#endif
};
