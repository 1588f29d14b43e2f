/* Written by scripts/lists. */
/* clang-format off */
#ifndef PH_KINDS
#define PH_KINDS 1
#endif
/* NOLINTBEGIN(readability-redundant-declaration) */
extern const ph_kind ph_kind_body;
#if PH_KINDS
extern const ph_kind ph_kind_spheres;
extern const ph_kind ph_kind_molecules;
extern const ph_kind ph_kind_orbiter;
extern const ph_kind ph_kind_averaged;
#endif
/* NOLINTEND(readability-redundant-declaration) */

static const ph_kind *const kind_rows[] = {
    &ph_kind_body,
#if PH_KINDS
    &ph_kind_spheres,
    &ph_kind_molecules,
    &ph_kind_orbiter,
    &ph_kind_averaged,
#endif
};
