/* unit_names.h - the units that a user may write after a number. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct ph_unit {
    const char *name;
    /* The quantity, as the catalog names it: "t" is a time, "rad", "rad/t" and "m" are others. */
    const char *of;
    /* How many seconds, radians, radians per second or metres it is. */
    double factor;
} ph_unit;

/* Unit number i of the list, or NULL after the last one. */
const ph_unit *ph_unit_at(size_t i);

/* Whether a unit belongs to a quantity. A length may be in a unit of the caller's own choice,
 * "l" or "length"; it takes the units of "m". */
bool ph_unit_is_of(const ph_unit *u, const char *of);

/* The unit with this name of so many characters, or NULL. `of` NULL: of any quantity. */
const ph_unit *ph_unit_find(const char *name, size_t length, const char *of);
