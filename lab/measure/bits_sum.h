/* bits_sum.h - checksums of numbers, line by line, and the bodies that they are computed with. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "polhode/polhode.h"

typedef struct bits {
    bool (*seen)(void *context, const char *name, uint64_t sum);
    void *context;
    uint64_t steps;
    uint64_t sum, all;
    bool stopped;
} bits;

/* FNV-1a on words of 64 bits, with a shift so that high bits reach low ones. */
static inline void add_word(uint64_t *sum, uint64_t word)
{
    *sum = (*sum ^ word) * HASH_PRIME;
    *sum ^= *sum >> 29;
}

static inline void add_number(bits *b, double x)
{
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    add_word(&b->sum, isnan(x) ? 1 : word); /* a NaN has no sign nor payload */
}

static inline void add_numbers(bits *b, const double *x, size_t count)
{
    for (size_t k = 0; k < count; k++)
        add_number(b, x[k]);
}

static inline void add_vector(bits *b, ph_vec3 v)
{
    add_numbers(b, (const double[]){v.x, v.y, v.z}, 3);
}

static inline void add_quat(bits *b, ph_quat q)
{
    add_number(b, q.w);
    add_vector(b, (ph_vec3){q.x, q.y, q.z});
}

static inline void add_state(bits *b, const ph_state *s)
{
    add_quat(b, s->q);
    add_vector(b, s->m);
}

/* Ends the line of a name, "KIND NAME". */
static inline void tell(bits *b, const char *kind, const char *name)
{
    char line[2 * PH_INTEGRATOR_NAME];
    (void)snprintf(line, sizeof line, "%s %s", kind, name);
    add_word(&b->all, b->sum);
    if (!b->stopped)
        b->stopped = !b->seen(b->context, line, b->sum);
    b->sum = HASH_BEGIN;
}

/* Triaxial, symmetric, and next to the separatrix. */
static const struct {
    ph_vec3 J, m;
} BODIES[] = {
    {{0.9, 1.4, 2.1}, {0.3, 0.9, -0.6}},
    {{1.0, 1.0, 1.7}, {0.5, -0.4, 0.8}},
    {{0.6, 1.0, 1.5}, {1e-9, 1.1, -2e-9}},
};
enum { BODY_COUNT = sizeof BODIES / sizeof BODIES[0] };

static inline ph_body body_of(int k)
{
    ph_body body;
    (void)ph_body_from_moments(&body, BODIES[k].J);
    return body;
}

static inline ph_state start_of(int k)
{
    return (ph_state){ph_quat_unit((ph_quat){0.7, -0.1, 0.5, 0.3}), BODIES[k].m};
}
