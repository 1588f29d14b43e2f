/* kinds.c - systems of every kind by the names of their problem and integrator, and from
 * snapshots. */
#include <stdio.h>
#include <string.h>

#include "system/system.h"

#include "catalog_kind.h"

const ph_kind *const *ph_kinds(size_t *count)
{
    *count = sizeof kind_rows / sizeof kind_rows[0];
    return kind_rows;
}

ph_status ph_system_create(ph_system **out, const char *problem, const char *integrator,
                           double h)
{
    size_t count;
    const ph_kind *const *kinds = ph_kinds(&count);
    system_source from = {.h = h};
    if (out == NULL || problem == NULL || integrator == NULL)
        return PH_NULL_ARGUMENT;
    (void)snprintf(from.problem, sizeof from.problem, "%s", problem);
    (void)snprintf(from.integrator, sizeof from.integrator, "%s", integrator);
    ph_status status = PH_UNKNOWN_NAME;
    for (size_t i = 0; i < count && status == PH_UNKNOWN_NAME; i++)
        status = kinds[i]->open(out, &from);
    return status;
}

ph_status ph_system_open_problem(ph_system **out, const ph_problem *p, const void *from,
                                 size_t size)
{
    size_t count;
    const ph_kind *const *kinds = ph_kinds(&count);
    system_source s;
    ph_system *system = NULL;
    if (out == NULL || from == NULL)
        return PH_NULL_ARGUMENT;
    ph_status status = ph_snapshot_read(&s, from, size);
    if (status != PH_OK)
        return status;
    s.own = p;
    status = PH_OTHER_SNAPSHOT;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(s.kind, kinds[i]->name) == 0)
            status = kinds[i]->open(&system, &s);
    }
    if (status == PH_OK)
        status = ph_system_restore(system, from, size);
    if (status == PH_OK)
        *out = system;
    else
        ph_system_free(system);
    return status;
}

ph_status ph_system_open(ph_system **out, const void *from, size_t size)
{
    return ph_system_open_problem(out, NULL, from, size);
}
