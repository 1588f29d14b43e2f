/* check_output.h - what `polhode check` measures of methods, and how it is stated: in words, as a
 * sheet of one method, as a table with a line for each. */
#pragma once

#include "lab/measure/properties.h"
#include "tool/base/rendering.h"
#include "tool/input/own_coefficients.h"

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

/* What is asked for: methods by their names and, unless something is measured on one problem, the
 * integrators that they are. */
typedef struct check_job {
    const arguments *given;
    const method_list *named;
    const scenario *input;
    check_list list;
    rendering r;
    ph_system_settings on; /* the problem and its settings, without an integrator */
    uint64_t samples;      /* of an ensemble */
    size_t done, count;    /* methods */
    size_t shown;          /* of these, those to which a measurement applies */
    int status;            /* the exit status if nothing fails */
} check_job;

/* Measures method number i and states what was found; returns the exit status. */
typedef int check_one(check_job *j, size_t i);

/* Does so with all methods. JSON is printed after the last one: as one object if `single` and there
 * is one method, else as an array. */
int check_each(check_job *j, check_one *one, bool single);

/* Returns the settings of a system by method number i; `why` receives the reason if it cannot be
 * created. */
ph_system_settings check_settings(const check_job *j, size_t i, ph_message *why);

/* Reports the status of a measurement of method number i; returns 0 for PH_OK. */
int check_refused(const check_job *j, size_t i, ph_status status, const ph_message *why);

/* Returns the words for what was measured: yes, no, ?; exact, no, ?; exact, bounded, drift, ?. */
const char *check_answer(ph_answer answer);
const char *check_momentum(ph_answer answer);
const char *check_energy(ph_energy_kind energy);

/* Returns the order as a whole number, "exact", or "?". */
const char *check_order(const ph_measurement *s);

/* Returns a measured power with two decimals, or "?"; an order as the nearest whole number, or null. */
const char *check_power(double power);
json_t *check_order_json(double order);

/* Returns the names of the claims of its descriptor that are not what was measured, or "". */
const char *check_mismatches(const check_row *row);

/* States what an integrator is: name, title and source; of which JSON has the name. */
void check_title(rendering *r, const check_row *row);

/* States everything about one. */
void check_sheet(rendering *r, const check_row *row);

/* Prints tables with a line for each, and the tables of the papers. */
void check_table(outfile *out, const check_list *list, bool markdown);
void check_papers(outfile *out, const check_list *list, bool markdown);

/* check --drift, check --steps and check --ensemble, on a problem. */
int check_drift(check_job *j);
int check_steps(check_job *j);
int check_thermal(check_job *j);
