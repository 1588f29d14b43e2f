/* Written by scripts/lists. */
/* clang-format off */
#ifndef PH_EXTRA
#define PH_EXTRA 1
#endif
#if PH_EXTRA
extern const film_maker film_maker_ffmpeg;
#endif

static const film_maker *const film_maker_rows[] = {
#if PH_EXTRA
    &film_maker_ffmpeg,
#endif
    NULL,
};
