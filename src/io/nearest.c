/* nearest.c - the names nearest to a wrong one. */
#include "io/nearest.h"

#include <string.h>

#define LONGEST_NAME 64 /* names are read up to here */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t edit_distance(const char *a, const char *b)
{
    const size_t na = least(strlen(a), LONGEST_NAME), nb = least(strlen(b), LONGEST_NAME);
    size_t d[LONGEST_NAME + 1][LONGEST_NAME + 1];
    for (size_t j = 0; j <= nb; j++)
        d[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        d[i][0] = i;
        for (size_t j = 1; j <= nb; j++) {
            const size_t replaced = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            d[i][j] = least(replaced, least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[na][nb];
}

size_t nearest_names(const char *wrong, const char *const *names, size_t count,
                     const char *nearest[NEAREST_MOST], size_t *distance)
{
    size_t best = LONGEST_NAME + 1, chosen = 0;
    for (size_t i = 0; i < count; i++)
        best = least(best, edit_distance(wrong, names[i]));
    for (size_t d = best; d <= best + 1; d++) {
        for (size_t i = 0; i < count && chosen < NEAREST_MOST; i++) {
            if (edit_distance(wrong, names[i]) == d)
                nearest[chosen++] = names[i];
        }
    }
    *distance = best;
    return chosen;
}
