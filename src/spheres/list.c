/* list.c - methods and problems on spheres: the lists, written from the folders by the
 * build, integrators by name, and what these say of themselves. */
#include <stdio.h>

#include "base/named.h"
#include "polhode/spheres.h"
#include "spheres/list.h"
#include "system/list.h"

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

const ph_parameter *ph_spheres_problem_parameter(const ph_spheres_problem *p,
                                                 const char *name)
{
    return ROW_NAMED(p->parameters, p->parameter_count, name);
}

const char *ph_spheres_integrator_name(const ph_spheres_integrator *i,
                                       char name[PH_INTEGRATOR_NAME])
{
    const char *first = i->method ? i->method->name : i->scheme ? i->scheme->name : "";
    (void)snprintf(name, PH_INTEGRATOR_NAME, "%s%s%s%s", first,
                   i->method || !i->scheme ? "" : "+circle", i->whole ? "@" : "",
                   i->whole ? i->whole->name : "");
    return name;
}

int ph_spheres_integrator_order(const ph_spheres_integrator *i)
{
    if (i->method == NULL && i->scheme == NULL)
        return PH_NO_ORDER;
    return i->whole ? i->whole->order : i->method ? i->method->order : i->scheme->order;
}

/* Drifts along great circles and kicks are flows of Hamiltonians with the symmetry of the
 * problem, and a scheme is a palindrome of them. */
unsigned ph_spheres_integrator_keeps(const ph_spheres_integrator *i)
{
    const unsigned scheme = PH_MOMENTUM | PH_SYMMETRIC | PH_SYMPLECTIC;
    return i->method ? i->method->keeps : i->scheme ? scheme : 0;
}

bool ph_spheres_applicable(const ph_spheres_integrator *i, const ph_spheres_problem *p)
{
    const int kind = p->angular_velocity ? PH_FIRST_ORDER : PH_SECOND_ORDER;
    if (i->method != NULL)
        return (i->method->applies_to & kind) != 0;
    return i->scheme != NULL && kind == PH_SECOND_ORDER && !p->coupled &&
           (i->scheme->gradient == NULL || p->hessian != NULL);
}
