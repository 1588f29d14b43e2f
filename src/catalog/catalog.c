/* catalog.c - the lists, written from the folders by the build, and look-up by name. */
#include <string.h>

#include "polhode/polhode.h"

#include "catalog_flow.h"

const ph_flow *const *ph_flows(size_t *count)
{
    *count = sizeof flow_rows / sizeof flow_rows[0];
    return flow_rows;
}

const ph_flow *ph_flow_named(const char *name)
{
    size_t count;
    const ph_flow *const *flows = ph_flows(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(flows[i]->name, name) == 0)
            return flows[i];
    }
    return NULL;
}
