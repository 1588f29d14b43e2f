/* check_output.h - what was measured of integrators: in words, as a sheet of one, as a table with
 * a line for each, as JSON. */
#pragma once

#include <jansson.h>

#include "cli/files/outfile.h"
#include "cli/input/custom.h"
#include "cli/tool/command.h"
#include "polhode/measure.h"

/* What an integrator is checked as: the headings of the table. */
typedef enum check_kind {
    CHECK_METHODS,
    CHECK_SCHEMES,
    CHECK_FLOWS,
    CHECK_PAIRS,
    CHECK_COMPOSITIONS,
    CHECK_KINDS
} check_kind;

typedef struct check_row {
    check_kind kind;
    const char *name, *title, *cite;
    ph_integrator integrator;
    ph_measurement sheet;
} check_row;

typedef struct check_list {
    size_t count, measured; /* rows, and how many of them have their sheet */
    check_row *row;
} check_list;

const char *check_answer(ph_answer answer);      /* yes, no, ? */
const char *check_momentum(ph_answer answer);    /* exact, no */
const char *check_energy(ph_energy_kind energy); /* exact, bounded, drift */

/* The same as JSON, null for what is not known. */
json_t *answer_json(ph_answer answer);
json_t *energy_json(ph_energy_kind energy);

/* The order as a whole number, "exact", or "?". */
const char *check_order(const ph_measurement *s);

/* Which claims of its descriptor are not what was measured: their names, or "". */
const char *check_mismatches(const check_row *row);

/* Prints what it is: name, title and source. */
void check_title(outfile *out, const check_row *row);

/* Prints everything about one, for people. */
void check_sheet(outfile *out, const check_row *row);

/* Prints a line for each. */
void check_table(outfile *out, const check_list *list, bool markdown);

/* An array of all. */
json_t *check_json(const check_list *list);

/* Prints them. */
void check_papers(outfile *out, const check_list *list, bool markdown);

/* check --drift and check --steps, of these methods on a problem. */
int check_drift(const arguments *given, const method_list *named, outfile *out);
int check_steps(const arguments *given, const method_list *named, outfile *out);
