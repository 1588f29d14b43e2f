/* Written by scripts/lists. */
/* clang-format off */
#ifndef PH_LAB
#define PH_LAB 0
#endif
/* NOLINTBEGIN(readability-redundant-declaration) */
#if PH_LAB
extern const method_reader method_reader_coefficients;
#endif
/* NOLINTEND(readability-redundant-declaration) */

static const method_reader *const method_reader_rows[] = {
#if PH_LAB
    &method_reader_coefficients,
#endif
    NULL,
};
