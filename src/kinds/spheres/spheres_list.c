/* spheres_list.c - methods and problems on spheres: the lists, written from the folders by the
 * build, and integrators by name. */
#include "kinds/spheres/spheres_list.h"
#include "base/named.h"
#include "kinds/spheres/stepping.h"
#include "system/system_list.h"

#include "catalog_spheres_method.h"
#include "catalog_spheres_problem.h"

LISTED(spheres_method, spheres_method_rows)
LISTED(spheres_problem, spheres_problem_rows)

/* `method` or `scheme+circle` */
ph_status ph_spheres_step_named(custom_parts *own, const char *name, ph_integrator *out)
{
    char scheme[LONGEST_PART];
    const char *drift;
    ph_status status = ph_spheres_method_named(name, &out->method);
    if (status != PH_OK && split_name(scheme, &drift, name, '+') && drift != NULL &&
        strcmp(drift, "circle") == 0)
        status = ph_custom_scheme(own, scheme, &out->scheme);
    return status;
}

ph_status ph_spheres_integrator_named(const char *name, ph_integrator *out)
{
    return ph_custom_whole(NULL, ph_spheres_step_named, name, out);
}

const ph_parameter *ph_spheres_problem_parameter(const ph_spheres_problem *p, const char *name)
{
    return ROW_NAMED(p->parameters, p->parameter_count, name);
}

bool ph_spheres_applicable(const ph_integrator *i, const ph_spheres_problem *p)
{
    const int kind = p->angular_velocity ? PH_SPHERES_FIRST_ORDER : PH_SPHERES_SECOND_ORDER;
    if (i->method != NULL) {
        const sphere_method *by = sphere_method_of(i->method);
        return by != NULL && (by->applies_to & kind) != 0;
    }
    return i->scheme != NULL && i->flow == NULL && kind == PH_SPHERES_SECOND_ORDER && !p->coupled &&
           (i->scheme->gradient == NULL || p->hessian != NULL);
}
