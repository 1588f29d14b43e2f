/* Written by scripts/lists. */
/* clang-format off */
/* NOLINTBEGIN(readability-redundant-declaration) */
extern const ph_scheme ph_scheme_aba[2];
extern const ph_scheme ph_scheme_hoa[2];
extern const ph_scheme ph_scheme_nystrom4;
extern const ph_scheme ph_scheme_s[2];
extern const ph_scheme ph_scheme_srkn[2];
extern const ph_scheme ph_scheme_verlet[2];
/* NOLINTEND(readability-redundant-declaration) */

static const ph_scheme *const scheme_rows[] = {
    &ph_scheme_aba[0],
    &ph_scheme_aba[1],
    &ph_scheme_hoa[0],
    &ph_scheme_hoa[1],
    &ph_scheme_nystrom4,
    &ph_scheme_s[0],
    &ph_scheme_s[1],
    &ph_scheme_srkn[0],
    &ph_scheme_srkn[1],
    &ph_scheme_verlet[0],
    &ph_scheme_verlet[1],
};
