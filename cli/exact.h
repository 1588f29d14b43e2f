/* exact.h - the two forms of `polhode exact`, and the table of the first. */
#ifndef POLHODE_CLI_EXACT_H
#define POLHODE_CLI_EXACT_H

#include <stdbool.h>

#include "instants.h"
#include "invariants.h"
#include "io/sample.h"

/* ---- one body at many instants: exact_states.c ----------------------------------- */

typedef struct states_request {
    ph_body body;
    ph_motion motion;
    instants times;
    bool json;
    const char *out;         /* a file for the CSV, "-" for standard output, or NULL */
    size_t plots;            /* pictures wanted */
    const char *const *plot; /* their files */
} states_request;

int exact_states(const states_request *r);

/* ---- many bodies at one instant each: exact_cases.c ------------------------------ */

/* The file of cases, "-" for standard input; the file to write, or NULL. */
int exact_cases(const char *cases, const char *out, bool json);

/* ---- the table for people: exact_table.c ----------------------------------------- */

void table_head(outfile *out);
void table_row(outfile *out, const sample *x, const invariants *scales);
void table_foot(outfile *out, const invariants *v);

#endif
