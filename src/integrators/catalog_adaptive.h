/* Written by scripts/lists. */
/* clang-format off */
extern const ph_adaptive ph_adaptive_dop853;
extern const ph_adaptive ph_adaptive_gauss16;
extern const ph_adaptive ph_adaptive_gbs;

static const ph_adaptive *const adaptive_rows[] = {
    &ph_adaptive_dop853,
    &ph_adaptive_gauss16,
    &ph_adaptive_gbs,
};
