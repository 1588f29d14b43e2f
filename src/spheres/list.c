/* list.c - methods and problems on spheres: the lists, written from the folders by the
 * build, and integrators by name. */
#include "system/list.h"
#include "polhode/spheres.h"
#include "spheres/list.h"

#include "catalog_spheres_method.h"
#include "catalog_spheres_problem.h"

LISTED(spheres_method, spheres_method_rows)
LISTED(spheres_problem, spheres_problem_rows)

/* `method` or `scheme+circle` */
static ph_status step_named(custom_parts *own, const char *name,
                            ph_spheres_integrator *out)
{
    char scheme[LONGEST_PART];
    const char *drift;
    ph_status status = ph_spheres_method_named(name, &out->method);
    if (status != PH_OK && split_name(scheme, &drift, name, '+') && drift != NULL &&
        strcmp(drift, "circle") == 0)
        status = ph_custom_scheme(own, scheme, &out->scheme);
    return status;
}

ph_status ph_spheres_custom(custom_parts *own, const char *name,
                            ph_spheres_integrator *out)
{
    if (name == NULL || out == NULL)
        return PH_NULL_ARGUMENT;
    ph_spheres_integrator i = {0};
    char step[LONGEST_NAME];
    const char *composition;
    if (!split_whole(step, &composition, name))
        return PH_UNKNOWN_NAME;
    ph_status status = step_named(own, step, &i);
    if (status == PH_OK)
        status = ph_custom_composition(own, CUSTOM_WHOLE, composition,
                                       ph_spheres_integrator_order(&i),
                                       ph_spheres_integrator_keeps(&i), &i.whole);
    if (status == PH_OK)
        *out = i;
    return status;
}

ph_status ph_spheres_integrator_named(const char *name, ph_spheres_integrator *out)
{
    return ph_spheres_custom(NULL, name, out);
}
