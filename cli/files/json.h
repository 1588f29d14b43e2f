/* json.h - JSON as the tool writes it; what a file of rows is about, as JSON. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "cli/files/outfile.h"
#include "polhode/system.h"

/* ---- JSON as the tool writes it --------------------------------------------------- */

/* A number, or null where it is not finite. */
json_t *json_finite(double x);

/* Numbers that are so far apart, as an array. */
json_t *json_numbers(const double *x, size_t count, size_t stride);

/* A text, with a question mark for every byte that is no UTF-8; NULL for NULL and without memory. */
json_t *json_text(const char *text);

/* Writes a value, laid out by jansson's flags, and drops its reference. False without
 * memory, which a value of NULL stands for. */
bool json_write(outfile *out, json_t *value, size_t flags);

/* ---- what a file of rows is about, as JSON, for formats that have room for it ----- */

/* {"program", "version", "command", "problem", "method", "step", "epoch",
 *  "parameters": {NAME: value}, "constants": {NAME: value}, "units": {COLUMN: unit}}; what is not
 * known is left out. Constants are those fields of the first instant. NULL without memory. */
struct record;
json_t *about_json(const struct record *r);

/* The numbers of a field, as they are at this instant: a number, an array, or an array of
 * arrays. */
json_t *field_json(const ph_array *f);
