/* integrators.c - integrators put together by name, of the catalog and of the caller's own
 * coefficients. */
#include "polhode/adaptive.h"
#include "polhode/spheres.h"
#include "rotation/checked.h"
#include "system/custom.h"
#include "system/list.h"

/* `flow` or `flow:composition` */
static ph_status drift_named(custom_parts *own, const char *name, ph_integrator *out)
{
    char flow[LONGEST_PART];
    const char *composition;
    if (!split_name(flow, &composition, name, ':'))
        return PH_UNKNOWN_NAME;
    const ph_status status = ph_flow_named(flow, &out->flow);
    return status == PH_OK ? ph_custom_composition(own, CUSTOM_COMPOSITION, composition,
                                                   out->flow->order, out->flow->keeps,
                                                   &out->composition)
                           : status;
}

/* `method`, adaptive or not, or a drift after `scheme+` or not */
static ph_status body_step(custom_parts *own, const char *name, ph_integrator *out)
{
    char scheme[LONGEST_PART];
    const char *drift;
    ph_status status = ph_custom_method(own, name, &out->method);
    if (status != PH_OK && ph_adaptive_named(name, &out->adaptive) == PH_OK) {
        out->tolerance = PH_TOLERANCE_DEFAULT;
        return PH_OK;
    }
    if (status != PH_OK && split_name(scheme, &drift, name, '+')) {
        status = drift ? ph_custom_scheme(own, scheme, &out->scheme) : PH_OK;
        if (status == PH_OK)
            status = drift_named(own, drift ? drift : name, out);
    }
    return status;
}

ph_status ph_custom_whole(custom_parts *own, named_step *step_named, const char *name,
                          ph_integrator *out)
{
    if (name == NULL || out == NULL)
        return PH_NULL_ARGUMENT;
    ph_integrator i = {0};
    char step[LONGEST_NAME];
    const char *composition;
    if (!split_whole(step, &composition, name))
        return PH_UNKNOWN_NAME;
    ph_status status = step_named(own, step, &i);
    if (status == PH_OK)
        status =
            ph_custom_composition(own, CUSTOM_WHOLE, composition, ph_integrator_order(&i),
                                  ph_integrator_keeps(&i), &i.whole);
    if (status == PH_OK)
        *out = i;
    return status;
}

ph_status ph_custom_integrator(custom_parts *own, const char *name, ph_integrator *out)
{
    return ph_custom_whole(own, body_step, name, out);
}

ph_status ph_integrator_named(const char *name, ph_integrator *out)
{
    return ph_custom_integrator(NULL, name, out);
}

#ifdef POLHODE_CHECKED
bool ph_is_listed(const char *integrator)
{
    ph_integrator body;
    ph_spheres_integrator spheres;
    return integrator != NULL &&
           (ph_integrator_named(integrator, &body) == PH_OK ||
            ph_spheres_integrator_named(integrator, &spheres) == PH_OK);
}
#endif
