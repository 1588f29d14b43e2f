/* system_output.h - a system by its tables: lines for people, JSON. */
#pragma once

#include <jansson.h>

#include "cli/files/rows.h"

/* Prints lines for people: the state; which invariants a motion has, and how well they were
 * kept, vectors with that many digits. */
void print_state(outfile *out, ph_system *s);
void print_invariants(outfile *out, const ph_observable *all, size_t count, int digits);

/* The state of a system, and the start values and errors of invariants; NULL without
 * memory. */
json_t *state_json(ph_system *s);
json_t *invariants_json(const ph_observable *all, size_t count);
