/* list.c - methods and problems on spheres: the lists, written from the folders by the
 * build, and integrators by name. */
#include "catalog/list.h"
#include "polhode/spheres.h"

#include "catalog_spheres_method.h"
#include "catalog_spheres_problem.h"

LISTED(spheres_method, spheres_method_rows)
LISTED(spheres_problem, spheres_problem_rows)

/* `method` or `scheme+circle` */
ph_status ph_spheres_integrator_named(const char *name, ph_spheres_integrator *out)
{
    if (name == NULL || out == NULL)
        return PH_NULL_ARGUMENT;
    ph_spheres_integrator i = {0};
    char scheme[LONGEST_PART];
    const char *drift;
    ph_status status = ph_spheres_method_named(name, &i.method);
    if (status != PH_OK && split_name(scheme, &drift, name, '+') && drift != NULL &&
        strcmp(drift, "circle") == 0)
        status = ph_scheme_named(scheme, &i.scheme);
    if (status == PH_OK)
        *out = i;
    return status;
}
