/* figure_list.c - all figures: the list is written from the folder by the build, and put
 * in the order of the papers here. */
#include "figure_list.h"

#include <ctype.h>
#include <stdlib.h>

#include "catalog_figure.h"

enum { FIGURES = sizeof figure_rows / sizeof figure_rows[0] };

/* By name, numbers by their value: figure7_2 before figure7_10. */
static int by_name(const void *a, const void *b)
{
    const char *x = (*(const ph_figure *const *)a)->name,
               *y = (*(const ph_figure *const *)b)->name;
    while (*x != '\0' && *y != '\0') {
        if (isdigit((unsigned char)*x) && isdigit((unsigned char)*y)) {
            char *x_end, *y_end;
            const unsigned long m = strtoul(x, &x_end, 10), n = strtoul(y, &y_end, 10);
            if (m != n)
                return m < n ? -1 : 1;
            x = x_end;
            y = y_end;
        } else if (*x != *y) {
            return *x < *y ? -1 : 1;
        } else {
            x++;
            y++;
        }
    }
    return (*x != '\0') - (*y != '\0');
}

const ph_figure *const *figure_list(size_t *count)
{
    static const ph_figure *sorted[FIGURES];
    if (sorted[0] == NULL) {
        for (size_t i = 0; i < FIGURES; i++)
            sorted[i] = figure_rows[i];
        qsort(sorted, FIGURES, sizeof *sorted, by_name);
    }
    *count = FIGURES;
    return sorted;
}
