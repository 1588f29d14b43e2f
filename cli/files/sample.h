/* sample.h - a body at an instant, as an object of JSON, and its tables. */
#pragma once

#include <stdbool.h>

#include "cli/files/columns.h"
#include "cli/files/json.h"
#include "polhode/polhode.h"

typedef struct sample {
    double t;
    ph_state state;
    ph_vec3 velocity; /* in the body frame */
    double energy;
} sample;

sample sample_of(const ph_body *b, const ph_state *s, double t);

/* Whether attitude, momentum and velocity are finite. */
bool sample_finite(const sample *x);

/* The fields of a sample, which point to it and to the body; named as those of a system. */
enum { SAMPLE_FIELDS = 5 };
void sample_fields(sample *x, ph_body *b, ph_array field[SAMPLE_FIELDS]);

/* {"time","attitude","momentum","velocity","phase_digits"}, the last if it is not negative.
 * NULL without memory. */
json_t *sample_json(const sample *x, double phase_digits);
