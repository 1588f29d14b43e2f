/* catalog.c - flows, methods, problems, schemes: the lists, written from the folders by the
 * build. */
#include "integrators/adaptive_run.h"
#include "system/find.h"
#include "system/system_list.h"

#include "integrators/catalog_adaptive.h"
#include "integrators/catalog_method.h"
#include "integrators/catalog_problem.h"
#include "integrators/catalog_scheme.h"
#include "integrators/catalog_thermostat.h"
#include "motion/catalog_flow.h"

LISTED(adaptive, adaptive_rows)
LISTED(flow, flow_rows)
LISTED(method, method_rows)
LISTED(problem, problem_rows)
LISTED(scheme, scheme_rows)
LISTED(thermostat, thermostat_rows)

/* Stores row i of a list in *out, if there is one. */
#define ROW_AT(kind)                                                                               \
    bool ph_##kind##_at(size_t i, const ph_##kind **out)                                           \
    {                                                                                              \
        const bool found = i < sizeof kind##_rows / sizeof kind##_rows[0];                         \
        if (found)                                                                                 \
            *out = kind##_rows[i];                                                                 \
        return found;                                                                              \
    }

ROW_AT(flow)
ROW_AT(scheme)
