/* nearest.c - the names nearest to a wrong one. */
#include "base/nearest.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/choice.h"
#include "base/text.h"

enum { LONGEST_NAME = NEAREST_NAME - 1 }; /* letters that count */

static size_t edit_distance(const char *a, const char *b)
{
    const size_t na = smaller_size(strlen(a), LONGEST_NAME),
                 nb = smaller_size(strlen(b), LONGEST_NAME);
    size_t d[LONGEST_NAME + 1][LONGEST_NAME + 1];
    for (size_t j = 0; j <= nb; j++)
        d[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        d[i][0] = i;
        for (size_t j = 1; j <= nb; j++) {
            const size_t replaced = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            d[i][j] = smaller_size(replaced, smaller_size(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = smaller_size(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[na][nb];
}

void ph_nearest_add(nearest *n, const char *format, ...)
{
    char name[NEAREST_NAME];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < n->count; i++)
        if (strcmp(n->name[i], name) == 0)
            return;
    const size_t distance = edit_distance(n->wrong, name);
    size_t at = n->count;
    for (; at > 0 && n->distance[at - 1] > distance; at--) {
        n->distance[at] = n->distance[at - 1];
        memcpy(n->name[at], n->name[at - 1], NEAREST_NAME);
    }
    n->distance[at] = distance;
    memcpy(n->name[at], name, NEAREST_NAME);
    n->count++;
    while (n->count > NEAREST_MOST || n->distance[n->count - 1] > n->distance[0] + 1)
        n->count--;
}

const char *ph_nearest_text(const nearest *n, const char *what, const char *help, char *text,
                            size_t size)
{
    const bool near_enough = n->count > 0 && 2 * n->distance[0] <= strlen(n->wrong) + 1;
    char list[NEAREST_MOST * NEAREST_NAME] = "";
    const char *before = "", *after = "see";
    if (near_enough) {
        before = "did you mean ";
        after = "? See";
    }
    for (size_t i = 0; near_enough && i < n->count; i++)
        text_add(list, sizeof list, n->name[i]);
    (void)snprintf(text, size, "there is no %s `" WORDS "`: %s%s%s %s", what, n->wrong, before,
                   list, after, help);
    return text;
}
