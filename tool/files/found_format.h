/* Written by scripts/lists. */
/* clang-format off */
#ifndef PH_EXTRA
#define PH_EXTRA 1
#endif
/* NOLINTBEGIN(readability-redundant-declaration) */
#if PH_EXTRA
extern const file_format format_aem;
#endif
extern const file_format format_csv;
#if PH_EXTRA
extern const file_format format_glb;
extern const file_format format_gro;
extern const file_format format_h5;
extern const file_format format_lammpstrj;
#endif
extern const file_format format_npy;
extern const file_format format_npz;
#if PH_EXTRA
extern const file_format format_pdb;
extern const file_format format_xyz;
#endif
/* NOLINTEND(readability-redundant-declaration) */

static const file_format *const format_rows[] = {
#if PH_EXTRA
    &format_aem,
#endif
    &format_csv,
#if PH_EXTRA
    &format_glb,
    &format_gro,
    &format_h5,
    &format_lammpstrj,
#endif
    &format_npy,
    &format_npz,
#if PH_EXTRA
    &format_pdb,
    &format_xyz,
#endif
};
