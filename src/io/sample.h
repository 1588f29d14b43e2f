/* sample.h - a body at an instant, as a row of CSV or an object of JSON. */
#ifndef POLHODE_IO_SAMPLE_H
#define POLHODE_IO_SAMPLE_H

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
#define SAMPLE_CSV_COLUMNS "t,q0,q1,q2,q3,m1,m2,m3,w1,w2,w3,energy"

sample sample_of(const ph_body *b, const ph_state *s, double t);

/* Whether attitude, momentum and velocity are finite. */
bool sample_finite(const sample *x);

/* Seventeen digits, so that every number reads back as it was. */
void sample_write_csv(outfile *out, const sample *x);

/* {"time","attitude","momentum","velocity"}. False without memory. */
bool sample_write_json(outfile *out, const sample *x);

#endif
