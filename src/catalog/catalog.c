/* catalog.c - the lists, written from the folders by the build, and look-up by name. */
#include <string.h>

#include "polhode/molecules.h"
#include "polhode/polhode.h"
#include "polhode/spheres.h"

#include "catalog_flow.h"
#include "catalog_method.h"
#include "catalog_molecule_problem.h"
#include "catalog_problem.h"
#include "catalog_scheme.h"
#include "catalog_sphere_method.h"
#include "catalog_sphere_problem.h"

/* Look-up in a list of descriptors that begin with their names. */
#define LISTED(kind, rows)                                                               \
    const ph_##kind *const *ph_##kind##s(size_t *count)                                  \
    {                                                                                    \
        *count = sizeof(rows) / sizeof(rows)[0];                                         \
        return rows;                                                                     \
    }                                                                                    \
    const ph_##kind *ph_##kind##_named(const char *name)                                 \
    {                                                                                    \
        for (size_t i = 0; i < sizeof(rows) / sizeof(rows)[0]; i++) {                    \
            if (strcmp((rows)[i]->name, name) == 0)                                      \
                return (rows)[i];                                                        \
        }                                                                                \
        return NULL;                                                                     \
    }

LISTED(flow, flow_rows)
LISTED(method, method_rows)
LISTED(problem, problem_rows)
LISTED(scheme, scheme_rows)
LISTED(molecule_problem, molecule_problem_rows)
LISTED(sphere_method, sphere_method_rows)
LISTED(sphere_problem, sphere_problem_rows)

/* The part of a name before a mark, copied; and what follows the mark, NULL without
 * it. */
enum { LONGEST = 64 };

static bool split(char part[LONGEST], const char **rest, const char *name, char mark)
{
    const char *at = strchr(name, mark);
    const size_t length = at ? (size_t)(at - name) : strlen(name);
    if (length >= LONGEST)
        return false;
    memcpy(part, name, length);
    part[length] = '\0';
    *rest = at ? at + 1 : NULL;
    return true;
}

/* `flow` or `flow:composition` */
static bool drift_named(ph_integrator *out, const char *name)
{
    char flow[LONGEST];
    const char *composition;
    if (!split(flow, &composition, name, ':'))
        return false;
    out->flow = ph_flow_named(flow);
    out->composition = composition ? ph_composition_named(composition) : NULL;
    if (out->flow == NULL || (composition && out->composition == NULL))
        return false;
    return !composition || (out->flow->order == 2 && (out->flow->keeps & PH_SYMMETRIC));
}

bool ph_integrator_named(ph_integrator *out, const char *name)
{
    ph_integrator i = {.method = ph_method_named(name)};
    char scheme[LONGEST];
    const char *drift;
    if (i.method == NULL) {
        if (!split(scheme, &drift, name, '+'))
            return false;
        i.scheme = drift ? ph_scheme_named(scheme) : NULL;
        if ((drift && i.scheme == NULL) || !drift_named(&i, drift ? drift : name))
            return false;
    }
    *out = i;
    return true;
}

/* `method` or `scheme+circle` */
bool ph_sphere_integrator_named(ph_sphere_integrator *out, const char *name)
{
    ph_sphere_integrator i = {.method = ph_sphere_method_named(name)};
    char scheme[LONGEST];
    const char *drift;
    if (i.method == NULL) {
        if (!split(scheme, &drift, name, '+') || !drift || strcmp(drift, "circle") != 0)
            return false;
        i.scheme = ph_scheme_named(scheme);
        if (i.scheme == NULL)
            return false;
    }
    *out = i;
    return true;
}
