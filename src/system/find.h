/* find.h - the lists of the catalog, and descriptors by name: also as expressions, for names that are
 * known to be there. These are NULL if one is not. */
#pragma once

#include "motion/composition.h"
#include "polhode/system.h"

/* ---- lists --------------------------------------------------------------------------- */

/* Returns a static array of all flows, in the order of their files, and stores its length in
 * *count. */
const ph_flow *const *ph_flows(size_t *count);

/* Stores the scheme called `name` in *out. Returns PH_OK or PH_UNKNOWN_NAME, as
 * ph_flow_named() does. */
ph_status ph_scheme_named(const char *name, const ph_scheme **out);

/* Returns a static array of all schemes, in the order of their files, and stores its length in
 * *count. Thermostats are not among them. */
const ph_scheme *const *ph_schemes(size_t *count);

/* Stores the thermostat called `name` in *out. Returns PH_OK or PH_UNKNOWN_NAME, as
 * ph_flow_named() does. */
ph_status ph_thermostat_named(const char *name, const ph_thermostat **out);

/* Returns a static array of all thermostats, in the order of their files, and stores its
 * length in *count. */
const ph_thermostat *const *ph_thermostats(size_t *count);

/* Stores the method called `name` in *out. Returns PH_OK or PH_UNKNOWN_NAME, as
 * ph_flow_named() does. */
ph_status ph_method_named(const char *name, const ph_method **out);

/* Returns a static array of all methods of one body, in the order of their files, and stores
 * its length in *count. */
const ph_method *const *ph_methods(size_t *count);

/* Returns a static array of all problems of one body, in the order of their files, and stores
 * its length in *count. */
const ph_problem *const *ph_problems(size_t *count);

/* ---- expressions --------------------------------------------------------------------- */

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
