/* own_field.h - what a scenario gives of a field of its own: expressions, a problem that they extend,
 * facets in sunlight, a control; and wheels.
 *
 * The functions return 0, or the exit status of the error they reported. */
#pragma once

#include "polhode/expression.h"
#include "tool/files/scenario.h"

typedef struct own_field {
    const char *kind, *extends; /* names, or NULL */
    ph_expressions of;
    double epoch; /* what of.epoch points to */
} own_field;

/* Reads the mapping of a problem, or with `tree` NULL the name of one that is extended, and the keys
 * that belong to it. *out is all zero. */
int own_field_read(scenario *input, const setting *problem, own_field *out);

/* Whether the scenario gives something that makes a problem of the catalog one of its own. */
bool own_field_is(const scenario *input);

/* Adds up the momenta of wheels: inertia times speed along the axis. */
int wheels_read(scenario *input, double momentum[3]);
