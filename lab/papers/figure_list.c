/* figure_list.c - all figures: the list is written from the folder by the build, and put
 * in the order of the papers here. */
#define _GNU_SOURCE /* strverscmp */
#include "figure_list.h"

#include <stdlib.h>
#include <string.h>

#include "catalog_figure.h"
#include "tool/list/list_command.h"

enum { FIGURES = sizeof figure_rows / sizeof figure_rows[0] };

/* By name, numbers by their value: figure7_2 before figure7_10. */
static int by_name(const void *a, const void *b)
{
    return strverscmp((*(const ph_figure *const *)a)->name, (*(const ph_figure *const *)b)->name);
}

const ph_figure *const *figure_list(size_t *count)
{
    static const ph_figure *sorted[FIGURES];
    if (sorted[0] == NULL) {
        memcpy(sorted, figure_rows, sizeof sorted);
        qsort(sorted, FIGURES, sizeof *sorted, by_name);
    }
    *count = FIGURES;
    return sorted;
}

static entry figure_entry(size_t i)
{
    size_t count;
    const ph_figure *const *all = figure_list(&count);
    if (i < count)
        return (entry){ENTRY_NAMES(figure_text_of(all[i]))};
    return (entry){0};
}

const list_kind list_kind_figure = {
    "figure", "figures", "figures and tables of the papers", figure_entry, NULL,
};
