/* Written by scripts/lists. */
/* clang-format off */
#ifndef PH_DEVICE
#define PH_DEVICE 1
#endif
#ifndef PH_LAB
#define PH_LAB 0
#endif
/* NOLINTBEGIN(readability-redundant-declaration) */
#if PH_DEVICE
extern const list_kind list_kind_device;
#endif
#if PH_LAB
extern const list_kind list_kind_figure;
#endif
/* NOLINTEND(readability-redundant-declaration) */

static const list_kind *const list_kind_rows[] = {
#if PH_DEVICE
    &list_kind_device,
#endif
#if PH_LAB
    &list_kind_figure,
#endif
    NULL,
};
