/* Written by scripts/lists. */
/* clang-format off */
#ifndef PH_KINDS
#define PH_KINDS 1
#endif
/* NOLINTBEGIN(readability-redundant-declaration) */
#if PH_KINDS
extern const ph_method ph_spheres_method_eln;
extern const ph_method ph_spheres_method_llm;
extern const ph_method ph_spheres_method_rattle;
extern const ph_method ph_spheres_method_rkmk[3];
extern const ph_method ph_spheres_method_spherical_midpoint;
#endif
/* NOLINTEND(readability-redundant-declaration) */

static const ph_method *const spheres_method_rows[] = {
#if PH_KINDS
    &ph_spheres_method_eln,
    &ph_spheres_method_llm,
    &ph_spheres_method_rattle,
    &ph_spheres_method_rkmk[0],
    &ph_spheres_method_rkmk[1],
    &ph_spheres_method_rkmk[2],
    &ph_spheres_method_spherical_midpoint,
#endif
};
