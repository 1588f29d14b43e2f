/* data.h - the data of figures, as the papers print them, and what was used; and numbers that
 * figures must give.
 *
 * A verdict rests on its data. Each number that a figure uses stands in data.c as the paper
 * prints it, with its place: those of its problem, steps, times, numbers of bodies and runs,
 * ranges of random numbers, and coefficients. A figure that uses another one is not
 * reproduced, whatever its claims say.
 */
#pragma once

#include "lab/papers/figure.h"

enum { DATUM_VALUES = 24, DATA_MOST = 48 };

typedef struct datum {
    const char *name, *printed, *where;
    size_t count;
    double used[DATUM_VALUES];
} datum;

/* The problem of a figure; NULL: it has none. */
const char *figure_problem(const ph_figure *f);

/* The ledger of a figure: what it uses itself, read from where it uses it, the numbers of its
 * problem, and its tables of coefficients. Returns how many there are. What is printed is empty
 * if the list has no such row, and what is used is NaN if the figure does not use it. */
size_t figure_data(const ph_figure *f, datum out[DATA_MOST]);

/* The largest difference of what is used from what is printed, over half a digit after the last
 * one or 0.4 %, whichever is less: at most 1 if they agree. Infinite if there are not as many. */
double datum_difference(const datum *d);

/* Claims that this is what is printed: `measured` is the difference. */
void claim_datum(const datum *d, claims *out);

/* Judges the numbers of a figure, and its data; the claims are begun anew. */
void figure_judge(const ph_figure *f, const table *t, claims *out);
