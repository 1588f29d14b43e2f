/* Written by scripts/lists. */
/* clang-format off */
#ifndef PH_EXTRA
#define PH_EXTRA 1
#endif
/* NOLINTBEGIN(readability-redundant-declaration) */
#if PH_EXTRA
extern const film_maker film_maker_ffmpeg;
#endif
/* NOLINTEND(readability-redundant-declaration) */

static const film_maker *const film_maker_rows[] = {
#if PH_EXTRA
    &film_maker_ffmpeg,
#endif
    NULL,
};
