/* result.h - the files of a figure in a folder: NAME.csv with its numbers and, written
 * last, NAME.json with where they come from and what they say.
 *
 * Reading judges anew: the verdict follows from the numbers in the CSV file and from
 * nothing else. The file NAME.json may be of another judge.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "lab/papers/figure.h"

enum { RESULT_WORD = 32 };

typedef struct result {
    const ph_figure *figure;
    bool finished; /* both files are there and can be read */
    char version[RESULT_WORD], effort[RESULT_WORD];
    bool same_seed;
    double seconds;        /* that it took */
    bool judged_otherwise; /* NAME.json says something else of the numbers */
    table numbers;
    claims claims;
} result;

/* The path of a figure's file. */
const char *result_path(const ph_figure *f, const char *folder, const char *ending);

/* Reads what there is. */
void result_read(result *r, const ph_figure *f, const char *folder);

/* Whether it need not be computed again. */
bool result_current(const result *r, figure_effort effort);

/* {"name","verdict","reason","effort","version","seed","seconds","findings":[...]};
 * NULL without memory. */
json_t *result_json(const result *r);

/* Writes NAME.json: the figure is finished. Returns 0, or errno. */
int result_finish(result *r, const char *folder, figure_effort effort, double seconds);

/* Writes the page about those results that are finished, in their order. It needs nothing
 * but the pictures beside it. */
void page_write(outfile *out, const result *results, size_t count);
