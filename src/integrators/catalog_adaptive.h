/* Written by scripts/lists. */
/* clang-format off */
/* NOLINTBEGIN(readability-redundant-declaration) */
extern const ph_adaptive ph_adaptive_dop853;
extern const ph_adaptive ph_adaptive_gauss16;
extern const ph_adaptive ph_adaptive_gbs;
/* NOLINTEND(readability-redundant-declaration) */

static const ph_adaptive *const adaptive_rows[] = {
    &ph_adaptive_dop853,
    &ph_adaptive_gauss16,
    &ph_adaptive_gbs,
};
