/* sample.h - a body at an instant, as a row of numbers or an object of JSON. */
#pragma once

#include <stdbool.h>

#include "io/outfile.h"
#include "polhode/polhode.h"

typedef struct sample {
    double t;
    ph_state state;
    ph_vec3 velocity; /* in the body frame */
    double energy;
} sample;

/* The columns of a row. */
#define SAMPLE_COLUMNS      "t,q0,q1,q2,q3,m1,m2,m3,w1,w2,w3,energy"
#define SAMPLE_COLUMN_COUNT 12

sample sample_of(const ph_body *b, const ph_state *s, double t);

/* Whether attitude, momentum and velocity are finite. */
bool sample_finite(const sample *x);

/* The row of a sample. */
void sample_row(const sample *x, double row[SAMPLE_COLUMN_COUNT]);

/* {"time","attitude","momentum","velocity","phase_digits"}, the last if it is not negative.
 * False without memory. */
bool sample_write_json(outfile *out, const sample *x, double phase_digits);
