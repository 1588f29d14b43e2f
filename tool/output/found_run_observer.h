/* Written by scripts/lists. */
/* clang-format off */
#ifndef PH_EXTRA
#define PH_EXTRA 1
#endif
/* NOLINTBEGIN(readability-redundant-declaration) */
#if PH_EXTRA
extern const run_observer run_observer_page;
extern const run_observer run_observer_rdf;
#endif
/* NOLINTEND(readability-redundant-declaration) */

static const run_observer *const run_observer_rows[] = {
#if PH_EXTRA
    &run_observer_page,
    &run_observer_rdf,
#endif
    NULL,
};
