/* Written by scripts/lists. */
/* clang-format off */
#ifndef PH_KINDS
#define PH_KINDS 1
#endif
/* NOLINTBEGIN(readability-redundant-declaration) */
#if PH_KINDS
extern const ph_spheres_problem ph_spheres_problem_chain;
extern const ph_spheres_problem ph_spheres_problem_double_pendulum;
extern const ph_spheres_problem ph_spheres_problem_magnets;
extern const ph_spheres_problem ph_spheres_problem_pendulum;
extern const ph_spheres_problem ph_spheres_problem_spins;
extern const ph_spheres_problem ph_spheres_problem_vortices;
#endif
/* NOLINTEND(readability-redundant-declaration) */

static const ph_spheres_problem *const spheres_problem_rows[] = {
#if PH_KINDS
    &ph_spheres_problem_chain,
    &ph_spheres_problem_double_pendulum,
    &ph_spheres_problem_magnets,
    &ph_spheres_problem_pendulum,
    &ph_spheres_problem_spins,
    &ph_spheres_problem_vortices,
#endif
};
