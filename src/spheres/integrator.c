/* integrator.c - what problems and integrators on spheres say of themselves. */
#include <stdio.h>

#include "base/named.h"
#include "polhode/spheres.h"

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
