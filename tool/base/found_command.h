/* Written by scripts/lists. */
/* clang-format off */
#ifndef PH_EXTRA
#define PH_EXTRA 1
#endif
#ifndef PH_LAB
#define PH_LAB 0
#endif
/* NOLINTBEGIN(readability-redundant-declaration) */
extern const command command_exact;
extern const command command_run;
extern const command command_resume;
#if PH_LAB
extern const command command_check;
extern const command command_compare;
#endif
extern const command command_fit;
#if PH_LAB
extern const command command_reproduce;
#endif
extern const command command_list;
extern const command command_plot;
#if PH_EXTRA
extern const command command_view;
#endif
extern const command command_convert;
#if PH_LAB
extern const command command_grade;
extern const command command_enclose;
#endif
#if PH_EXTRA
extern const command command_inertia;
#endif
#if PH_LAB
extern const command command_bits;
#endif
#if PH_EXTRA
extern const command command_completion;
extern const command command_man;
#endif
/* NOLINTEND(readability-redundant-declaration) */

static const command *const command_rows[] = {
    &command_exact,
    &command_run,
    &command_resume,
#if PH_LAB
    &command_check,
    &command_compare,
#endif
    &command_fit,
#if PH_LAB
    &command_reproduce,
#endif
    &command_list,
    &command_plot,
#if PH_EXTRA
    &command_view,
#endif
    &command_convert,
#if PH_LAB
    &command_grade,
    &command_enclose,
#endif
#if PH_EXTRA
    &command_inertia,
#endif
#if PH_LAB
    &command_bits,
#endif
#if PH_EXTRA
    &command_completion,
    &command_man,
#endif
};
