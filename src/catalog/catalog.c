/* catalog.c - the lists, written from the folders by the build, and look-up by name. */
#include <string.h>

#include "polhode/polhode.h"

#include "catalog_flow.h"
#include "catalog_problem.h"

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
LISTED(problem, problem_rows)

bool ph_integrator_named(ph_integrator *out, const char *name)
{
    enum { LONGEST = 64 };
    char flow_name[LONGEST];
    const char *colon = strchr(name, ':');
    const size_t length = colon ? (size_t)(colon - name) : strlen(name);
    if (length >= LONGEST)
        return false;
    memcpy(flow_name, name, length);
    flow_name[length] = '\0';
    const ph_integrator i = {ph_flow_named(flow_name),
                             colon ? ph_composition_named(colon + 1) : NULL};
    if (i.flow == NULL || (colon && i.composition == NULL))
        return false;
    if (colon && !(i.flow->order == 2 && (i.flow->keeps & PH_SYMMETRIC)))
        return false;
    *out = i;
    return true;
}
