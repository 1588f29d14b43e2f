/* invariants.h - what a free motion keeps, and how well a computed one does. */
#ifndef POLHODE_CLI_INVARIANTS_H
#define POLHODE_CLI_INVARIANTS_H

#include <stdbool.h>

#include <jansson.h>

#include "io/outfile.h"
#include "polhode/polhode.h"

/* The invariants at the start and how far they were from that, relatively, at most. */
typedef struct invariants {
    double energy, length;
    ph_vec3 space;
    double energy_error, length_error, space_error;
    double unit, scaled_length; /* a power of two, and length times that */
} invariants;

invariants invariants_of(const ph_state *start, double energy);
void invariants_watch(invariants *v, const ph_state *s, double energy);

/* Lines for people, each with its value and how well it was kept: the energy, and of a
 * free body the momentum. */
void invariants_print(outfile *out, const invariants *v, bool free_body);

/* {"energy","momentum","space_momentum","largest_relative_error"}; NULL without
 * memory. */
json_t *invariants_json(const invariants *v);

#endif
