/* Written by scripts/lists. */
/* clang-format off */
#ifndef PH_KINDS
#define PH_KINDS 1
#endif
#ifndef PH_LAB
#define PH_LAB 0
#endif
/* NOLINTBEGIN(readability-redundant-declaration) */
#if PH_LAB
extern const ph_figure ph_figure_celledoni_figure1[1];
#endif
#if PH_LAB && PH_KINDS
extern const ph_figure ph_figure_celledoni_molecules[3];
#endif
#if PH_LAB
extern const ph_figure ph_figure_celledoni_perturbed[2];
extern const ph_figure ph_figure_celledoni_satellite[2];
extern const ph_figure ph_figure_celledoni_single_step[2];
extern const ph_figure ph_figure_celledoni_triangle[8];
extern const ph_figure ph_figure_dmv_tables[2];
extern const ph_figure ph_figure_hairer_vilmart_figure1[1];
extern const ph_figure ph_figure_hairer_vilmart_section4[1];
extern const ph_figure ph_figure_kept_tables[3];
extern const ph_figure ph_figure_krysl[5];
extern const ph_figure ph_figure_ortolan_potential[2];
extern const ph_figure ph_figure_ortolan_spheres[12];
extern const ph_figure ph_figure_ortolan_well[3];
extern const ph_figure ph_figure_vilmart_figure1[1];
#endif
/* NOLINTEND(readability-redundant-declaration) */

static const ph_figure *const figure_rows[] = {
#if PH_LAB
    &ph_figure_celledoni_figure1[0],
#endif
#if PH_LAB && PH_KINDS
    &ph_figure_celledoni_molecules[0],
    &ph_figure_celledoni_molecules[1],
    &ph_figure_celledoni_molecules[2],
#endif
#if PH_LAB
    &ph_figure_celledoni_perturbed[0],
    &ph_figure_celledoni_perturbed[1],
    &ph_figure_celledoni_satellite[0],
    &ph_figure_celledoni_satellite[1],
    &ph_figure_celledoni_single_step[0],
    &ph_figure_celledoni_single_step[1],
    &ph_figure_celledoni_triangle[0],
    &ph_figure_celledoni_triangle[1],
    &ph_figure_celledoni_triangle[2],
    &ph_figure_celledoni_triangle[3],
    &ph_figure_celledoni_triangle[4],
    &ph_figure_celledoni_triangle[5],
    &ph_figure_celledoni_triangle[6],
    &ph_figure_celledoni_triangle[7],
    &ph_figure_dmv_tables[0],
    &ph_figure_dmv_tables[1],
    &ph_figure_hairer_vilmart_figure1[0],
    &ph_figure_hairer_vilmart_section4[0],
    &ph_figure_kept_tables[0],
    &ph_figure_kept_tables[1],
    &ph_figure_kept_tables[2],
    &ph_figure_krysl[0],
    &ph_figure_krysl[1],
    &ph_figure_krysl[2],
    &ph_figure_krysl[3],
    &ph_figure_krysl[4],
    &ph_figure_ortolan_potential[0],
    &ph_figure_ortolan_potential[1],
    &ph_figure_ortolan_spheres[0],
    &ph_figure_ortolan_spheres[1],
    &ph_figure_ortolan_spheres[2],
    &ph_figure_ortolan_spheres[3],
    &ph_figure_ortolan_spheres[4],
    &ph_figure_ortolan_spheres[5],
    &ph_figure_ortolan_spheres[6],
    &ph_figure_ortolan_spheres[7],
    &ph_figure_ortolan_spheres[8],
    &ph_figure_ortolan_spheres[9],
    &ph_figure_ortolan_spheres[10],
    &ph_figure_ortolan_spheres[11],
    &ph_figure_ortolan_well[0],
    &ph_figure_ortolan_well[1],
    &ph_figure_ortolan_well[2],
    &ph_figure_vilmart_figure1[0],
#endif
};
