/* unit_names.h - the units that a user may write after a number. */
#pragma once

#include "polhode/expression.h"

/* Whether a unit belongs to a quantity. A length may be in a unit of the caller's own choice,
 * "l" or "length"; it takes the units of "m". */
bool ph_unit_is_of(const ph_unit *u, const char *of);

/* The unit with this name of so many characters, or NULL. `of` NULL: of any quantity. */
const ph_unit *ph_unit_find(const char *name, size_t length, const char *of);
