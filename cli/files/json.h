/* json.h - JSON as the tool writes it: seventeen digits, no infinities. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "cli/files/outfile.h"

/* A number, or null where it is not finite. */
json_t *json_finite(double x);

/* A text, with a question mark for every byte that is no UTF-8; NULL for NULL and without memory. */
json_t *json_text(const char *text);

/* Writes a value, laid out by jansson's flags, and drops its reference. False without
 * memory, which a value of NULL stands for. */
bool json_write(outfile *out, json_t *value, size_t flags);
