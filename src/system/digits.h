/* digits.h - systems next to each other: what of their fields is the state, and how large it is. */
#pragma once

#include "system/kind.h"

/* Returns true for a field that a system shows and that it does not derive from other fields. */
bool ph_array_is_state(const ph_array *f);

/* Returns the root of the mean square of a field, or 1 if it is zero. */
double ph_array_size(const ph_array *f);

/* Puts the system `to` next to the system `from`, which has the same fields and may be the same system. Each field
 * of the state changes at random by up to `by` times its size. `places_only`: only positions and attitudes change,
 * for systems whose velocities have to fit them. */
ph_status ph_displace(const ph_system *from, ph_system *to, double by, bool places_only);
