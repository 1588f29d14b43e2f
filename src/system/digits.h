/* digits.h - systems next to each other: what of their fields is the state, and how large it is. */
#pragma once

#include <string.h>

#include "system/kind.h"

/* The companion of a run: its tolerance and its integrator. Two runs of dop853 to different tolerances
 * may have almost the same error. */
static inline double companion_tolerance(double of_run)
{
    const double smaller = PH_COMPANION * of_run;
    if (smaller >= PH_TOLERANCE_LEAST)
        return smaller;
    return of_run / PH_COMPANION;
}

static inline const char *companion_integrator(const char *of_run)
{
    return strcmp(of_run, "dop853") == 0 ? "gbs" : of_run;
}

/* Returns true for a field that a system shows and that it does not derive from other fields. */
bool ph_array_is_state(const ph_array *f);

/* Returns the root of the mean square of a field, or 1 if it is zero. */
double ph_array_size(const ph_array *f);

/* Puts the system `to` next to the system `from`, which has the same fields and may be the same system. Each field
 * of the state changes at random by up to `by` times its size. `places_only`: only positions and attitudes change,
 * for systems whose velocities have to fit them. */
ph_status ph_displace(const ph_system *from, ph_system *to, double by, bool places_only);
