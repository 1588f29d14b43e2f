/* nearest.h - the names nearest to a wrong one. */
#pragma once

#include <stddef.h>

enum { NEAREST_MOST = 3, NEAREST_NAME = 64 /* bytes */ };

/* Of the names added so far those at the least distance, then those one further, in the
 * order in which they came. The distance counts insertions, deletions, replacements and swaps
 * of neighbours. Begins with a struct of zeros and the wrong name. */
typedef struct nearest {
    const char *wrong;
    size_t count;
    size_t distance[NEAREST_MOST + 1];
    char name[NEAREST_MOST + 1][NEAREST_NAME];
} nearest;

__attribute__((format(printf, 2, 3))) void ph_nearest_add(nearest *n, const char *format, ...);

/* Says in `size` bytes that there is no such thing, `what` ("command"), with the nearest
 * names that there are if they are near enough; `help` names what lists them all. Returns
 * `text`. */
const char *ph_nearest_text(const nearest *n, const char *what, const char *help, char *text,
                            size_t size);
