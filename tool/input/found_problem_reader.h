/* Written by scripts/lists. */
/* clang-format off */
#ifndef PH_EXTRA
#define PH_EXTRA 1
#endif
/* NOLINTBEGIN(readability-redundant-declaration) */
#if PH_EXTRA
extern const problem_reader problem_reader_c;
#endif
/* NOLINTEND(readability-redundant-declaration) */

static const problem_reader *const problem_reader_rows[] = {
#if PH_EXTRA
    &problem_reader_c,
#endif
    NULL,
};
