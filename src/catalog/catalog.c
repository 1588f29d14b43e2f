/* catalog.c - flows, methods, problems, schemes: the lists, written from the folders by the
 * build, and integrators put together by name. */
#include "catalog/list.h"
#include "core/composition.h"
#include "polhode/polhode.h"

#include "catalog_flow.h"
#include "catalog_method.h"
#include "catalog_problem.h"
#include "catalog_scheme.h"

LISTED(flow, flow_rows)
LISTED(method, method_rows)
LISTED(problem, problem_rows)
LISTED(scheme, scheme_rows)

/* `flow` or `flow:composition` */
static ph_status drift_named(const char *name, ph_integrator *out)
{
    char flow[LONGEST_PART];
    const char *composition;
    if (!split_name(flow, &composition, name, ':'))
        return PH_UNKNOWN_NAME;
    ph_status status = ph_flow_named(flow, &out->flow);
    if (status != PH_OK || composition == NULL)
        return status;
    status = ph_composition_named(composition, &out->composition);
    return status == PH_OK && !may_be_composed(out->flow->order, out->flow->keeps)
               ? PH_NOT_APPLICABLE
               : status;
}

/* `method`, or a drift after `scheme+` or not */
static ph_status step_named(const char *name, ph_integrator *out)
{
    char scheme[LONGEST_PART];
    const char *drift;
    ph_status status = ph_method_named(name, &out->method);
    if (status != PH_OK && split_name(scheme, &drift, name, '+')) {
        status = drift ? ph_scheme_named(scheme, &out->scheme) : PH_OK;
        if (status == PH_OK)
            status = drift_named(drift ? drift : name, out);
    }
    return status;
}

ph_status ph_integrator_named(const char *name, ph_integrator *out)
{
    if (name == NULL || out == NULL)
        return PH_NULL_ARGUMENT;
    ph_integrator i = {0};
    char step[LONGEST_NAME];
    const char *composition;
    if (!split_whole(step, &composition, name))
        return PH_UNKNOWN_NAME;
    ph_status status = step_named(step, &i);
    const bool able = status == PH_OK &&
                      may_be_composed(ph_integrator_order(&i), ph_integrator_keeps(&i));
    if (status == PH_OK && composition != NULL)
        status = ph_composition_named(composition, &i.whole);
    if (status == PH_OK && composition != NULL && !able)
        status = PH_NOT_APPLICABLE;
    if (status == PH_OK)
        *out = i;
    return status;
}
