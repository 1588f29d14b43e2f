/* json.h - JSON as the tool writes it; what a file of rows is about, as JSON. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "polhode/polhode.h"
#include "polhode/system.h"
#include "tool/files/columns.h"
#include "tool/files/outfile.h"

/* ---- JSON as the tool writes it --------------------------------------------------- */

/* A number, or null where it is not finite. */
json_t *json_finite(double x);

/* Adds a value, which is dropped, to an array; to an object; and all those of another. */
static inline void json_add(json_t *array, json_t *value)
{
    (void)json_array_append_new(array, value);
}

static inline void json_put(json_t *object, const char *key, json_t *value)
{
    (void)json_object_set_new(object, key, value);
}

static inline void json_join(json_t *object, json_t *other)
{
    (void)json_object_update_new(object, other);
}

/* Drops a value; for memory_at_end(). */
static inline void json_drop(void *value)
{
    json_decref(value);
}

/* Numbers that are so far apart, as an array. */
json_t *json_numbers(const double *x, size_t count, size_t stride);

/* A parameter: one number as itself, several as an array. */
json_t *json_values(const double *x, size_t count);

/* A text, with a question mark for every byte that is no UTF-8; NULL for NULL and without memory. */
json_t *json_text(const char *text);

/* Writes a value, laid out by jansson's flags, and drops its reference. False without
 * memory, which a value of NULL stands for. */
bool json_write(outfile *out, json_t *value, size_t flags);

/* ---- what a file of rows is about, as JSON, for formats that have room for it ----- */

/* {"program", "version", "command", "problem", "method", "step", "epoch",
 *  "object", "object_id", "frame", "parameters": {NAME: value}, "constants": {NAME: value}, "units": {COLUMN: unit}}; what is not
 * known is left out. Constants are those fields of the first instant. NULL without memory. */
struct record;
json_t *about_json(const struct record *r);

/* The numbers of a field, as they are at this instant: a number, an array, or an array of
 * arrays. */
json_t *field_json(const ph_array *f);

/* ---- a body at an instant, its tables, and as an object of JSON ------------------- */

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

/* What a free motion keeps, as observables with the names that a system has for them. */
enum { SAMPLE_ENERGY, SAMPLE_LENGTH, SAMPLE_SPACE_MOMENTUM, SAMPLE_INVARIANTS };
typedef struct sample_invariants {
    ph_observable all[SAMPLE_INVARIANTS];
    double unit, scaled_length; /* a power of two, and the length of the momentum times that */
} sample_invariants;

/* Takes the values at the start of a motion. */
void sample_invariants_begin(sample_invariants *v, const sample *start);

/* Takes the values of a later sample of the motion, and the largest errors so far. */
void sample_invariants_at(sample_invariants *v, const sample *x);

/* {"time","attitude","momentum","velocity","phase_digits"}, the last if it is not negative.
 * NULL without memory. */
json_t *sample_json(const sample *x, double phase_digits);
