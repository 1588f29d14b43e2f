/* data.h - the data of figures, as the papers print them, and what was used; and numbers that
 * figures must give.
 *
 * A verdict rests on its data. Each number of a problem, each step and time that a figure uses
 * stands here as the paper prints it, with its place. A figure that uses another one is not
 * reproduced, whatever its claims say.
 */
#pragma once

#include "lab/papers/figure.h"

enum { DATUM_VALUES = 8, DATA_MOST = 32 };

typedef struct datum {
    const char *name, *printed, *where;
    size_t count;
    double used[DATUM_VALUES];
} datum;

/* The problem of a figure; NULL: it has none. */
const char *figure_problem(const ph_figure *f);

/* What a figure uses, in the order of the list; how many. A value that the list has, and the
 * figure has not, is NaN. */
size_t figure_data(const ph_figure *f, datum out[DATA_MOST]);

/* Claims that this is what is printed: `measured` is the largest difference, of a digit after
 * the last one or of 0.4 %, whichever is less. */
void claim_datum(const datum *d, claims *out);

/* Judges the numbers of a figure, and its data; the claims are begun anew. */
void figure_judge(const ph_figure *f, const table *t, claims *out);
