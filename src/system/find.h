/* find.h - descriptors by name, as expressions: for names that are known to be there. NULL
 * if one is not. */
#pragma once

#include "polhode/system.h"

#define FIND(kind)                                                                                 \
    static inline const ph_##kind *find_##kind(const char *name)                                   \
    {                                                                                              \
        const ph_##kind *found = NULL;                                                             \
        return ph_##kind##_named(name, &found) == PH_OK ? found : NULL;                            \
    }

FIND(flow)
FIND(composition)
FIND(method)
FIND(problem)
FIND(scheme)
FIND(thermostat)

/* A field of a system. */
static inline const ph_array *find_field(const ph_system *s, const char *name)
{
    const ph_array *found = NULL;
    return ph_system_array_named(s, name, &found) == PH_OK ? found : NULL;
}

/* A system of these names with its defaults, in *out. */
static inline ph_status system_by_names(ph_system **out, const char *problem,
                                        const char *integrator, double step)
{
    return ph_system_create(&(ph_system_settings){problem, .integrator = integrator, .step = step},
                            out);
}
