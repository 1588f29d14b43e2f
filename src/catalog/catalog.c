/* catalog.c - the lists, written from the folders by the build, and look-up by name. */
#include <string.h>

#include "polhode/molecules.h"
#include "polhode/polhode.h"
#include "polhode/spheres.h"

#include "catalog_flow.h"
#include "catalog_method.h"
#include "catalog_molecules_problem.h"
#include "catalog_problem.h"
#include "catalog_scheme.h"
#include "catalog_spheres_method.h"
#include "catalog_spheres_problem.h"

/* A list of descriptors, and look-up by the names that they begin with. */
#define LISTED(kind, rows)                                                               \
    const ph_##kind *const *ph_##kind##s(size_t *count)                                  \
    {                                                                                    \
        *count = sizeof(rows) / sizeof(rows)[0];                                         \
        return rows;                                                                     \
    }                                                                                    \
    ph_status ph_##kind##_named(const char *name, const ph_##kind **out)                 \
    {                                                                                    \
        if (name == NULL || out == NULL)                                                 \
            return PH_NULL_ARGUMENT;                                                     \
        for (size_t i = 0; i < sizeof(rows) / sizeof(rows)[0]; i++) {                    \
            if (strcmp((rows)[i]->name, name) == 0) {                                    \
                *out = (rows)[i];                                                        \
                return PH_OK;                                                            \
            }                                                                            \
        }                                                                                \
        return PH_UNKNOWN_NAME;                                                          \
    }

LISTED(flow, flow_rows)
LISTED(method, method_rows)
LISTED(problem, problem_rows)
LISTED(scheme, scheme_rows)
LISTED(molecules_problem, molecules_problem_rows)
LISTED(spheres_method, spheres_method_rows)
LISTED(spheres_problem, spheres_problem_rows)

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
static ph_status drift_named(const char *name, ph_integrator *out)
{
    char flow[LONGEST];
    const char *composition;
    if (!split(flow, &composition, name, ':'))
        return PH_UNKNOWN_NAME;
    ph_status status = ph_flow_named(flow, &out->flow);
    if (status != PH_OK || composition == NULL)
        return status;
    status = ph_composition_named(composition, &out->composition);
    const bool may_be_composed =
        out->flow->order == 2 && (out->flow->keeps & PH_SYMMETRIC);
    return status == PH_OK && !may_be_composed ? PH_NOT_APPLICABLE : status;
}

ph_status ph_integrator_named(const char *name, ph_integrator *out)
{
    if (name == NULL || out == NULL)
        return PH_NULL_ARGUMENT;
    ph_integrator i = {0};
    char scheme[LONGEST];
    const char *drift;
    ph_status status = ph_method_named(name, &i.method);
    if (status != PH_OK && split(scheme, &drift, name, '+')) {
        status = drift ? ph_scheme_named(scheme, &i.scheme) : PH_OK;
        if (status == PH_OK)
            status = drift_named(drift ? drift : name, &i);
    }
    if (status == PH_OK)
        *out = i;
    return status;
}

/* `method` or `scheme+circle` */
ph_status ph_spheres_integrator_named(const char *name, ph_spheres_integrator *out)
{
    if (name == NULL || out == NULL)
        return PH_NULL_ARGUMENT;
    ph_spheres_integrator i = {0};
    char scheme[LONGEST];
    const char *drift;
    ph_status status = ph_spheres_method_named(name, &i.method);
    if (status != PH_OK && split(scheme, &drift, name, '+') && drift != NULL &&
        strcmp(drift, "circle") == 0)
        status = ph_scheme_named(scheme, &i.scheme);
    if (status == PH_OK)
        *out = i;
    return status;
}
