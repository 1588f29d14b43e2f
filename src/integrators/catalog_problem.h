/* Written by scripts/lists. */
/* clang-format off */
/* NOLINTBEGIN(readability-redundant-declaration) */
extern const ph_problem ph_problem_free[2];
extern const ph_problem ph_problem_generic;
extern const ph_problem ph_problem_gyrostat;
extern const ph_problem ph_problem_heavy_top[7];
extern const ph_problem ph_problem_satellite;
extern const ph_problem ph_problem_soft_wall;
extern const ph_problem ph_problem_spacecraft;
extern const ph_problem ph_problem_vertical;
extern const ph_problem ph_problem_well;
/* NOLINTEND(readability-redundant-declaration) */

static const ph_problem *const problem_rows[] = {
    &ph_problem_free[0],
    &ph_problem_free[1],
    &ph_problem_generic,
    &ph_problem_gyrostat,
    &ph_problem_heavy_top[0],
    &ph_problem_heavy_top[1],
    &ph_problem_heavy_top[2],
    &ph_problem_heavy_top[3],
    &ph_problem_heavy_top[4],
    &ph_problem_heavy_top[5],
    &ph_problem_heavy_top[6],
    &ph_problem_satellite,
    &ph_problem_soft_wall,
    &ph_problem_spacecraft,
    &ph_problem_vertical,
    &ph_problem_well,
};
