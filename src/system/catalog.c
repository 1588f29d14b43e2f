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

bool ph_flow_at(size_t i, const ph_flow **out)
{
    const bool found = i < sizeof flow_rows / sizeof flow_rows[0];
    if (found)
        *out = flow_rows[i];
    return found;
}

bool ph_scheme_at(size_t i, const ph_scheme **out)
{
    const bool found = i < sizeof scheme_rows / sizeof scheme_rows[0];
    if (found)
        *out = scheme_rows[i];
    return found;
}
