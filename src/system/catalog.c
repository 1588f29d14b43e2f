/* catalog.c - flows, methods, problems, schemes: the lists, written from the folders by the
 * build. */
#include "polhode/adaptive.h"
#include "system/list.h"

#include "catalog_adaptive.h"
#include "catalog_flow.h"
#include "catalog_method.h"
#include "catalog_problem.h"
#include "catalog_scheme.h"
#include "catalog_thermostat.h"

LISTED(adaptive, adaptive_rows)
LISTED(flow, flow_rows)
LISTED(method, method_rows)
LISTED(problem, problem_rows)
LISTED(scheme, scheme_rows)
LISTED(thermostat, thermostat_rows)
