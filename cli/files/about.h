/* about.h - what a file of rows is about, as JSON, for formats that have room for it. */
#pragma once

#include "cli/files/format.h"
#include "cli/files/json.h"

/* {"program", "version", "command", "problem", "method", "step", "epoch",
 *  "parameters": {NAME: value}, "constants": {NAME: value}, "units": {COLUMN: unit}}; what is not
 * known is left out. Constants are those fields of the first instant. NULL without memory. */
json_t *about_json(const record *r);

/* The numbers of a field, as they are at this instant: a number, an array, or an array of
 * arrays. */
json_t *field_json(const ph_field *f);
