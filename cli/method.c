/* method.c - the integrator that a name stands for. */
#include "method.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/find.h"
#include "report.h"

#define NAME 64 /* bytes of a name */

static bool composable(const ph_flow *flow)
{
    return flow->order == 2 && (flow->keeps & PH_SYMMETRIC) != 0;
}

/* What keeps a flow from being composed. */
static const char *obstacle(const ph_flow *flow)
{
    return flow->order == PH_EXACT ? "is exact"
           : flow->order != 2      ? "is not of order 2"
                                   : "is not symmetric";
}

/* The flow before the colon of a name, after the plus if there is one, or NULL. */
static const ph_flow *composed_flow(const char *name)
{
    char flow[NAME];
    const char *plus = strchr(name, '+');
    if (plus != NULL)
        name = plus + 1;
    const size_t length = strcspn(name, ":");
    if (name[length] == '\0' || length >= sizeof flow)
        return NULL;
    memcpy(flow, name, length);
    flow[length] = '\0';
    return find_flow(flow);
}

static int fail_composed(const char *place, const char *name, const ph_flow *flow)
{
    char able[NAME * 4] = "";
    size_t used = 0, count;
    const ph_flow *const *flows = ph_flows(&count);
    for (size_t i = 0; i < count && used < sizeof able; i++) {
        if (composable(flows[i]))
            used += (size_t)snprintf(able + used, sizeof able - used, "%s%s",
                                     used == 0 ? "" : ", ", flows[i]->name);
    }
    return fail_usage("%s`" WORDS "`: %s %s, and only a symmetric flow of order 2 can be "
                      "composed: take one of %s",
                      place, name, flow->name, obstacle(flow), able);
}

/* Every name there is: methods, flows, their compositions, and schemes with each of the
 * flows. The second time round the names are written. */
static size_t all_names(char (*text)[NAME])
{
    size_t flow_count, composition_count, method_count, scheme_count, count = 0;
    const ph_flow *const *flows = ph_flows(&flow_count);
    const ph_method *const *methods = ph_methods(&method_count);
    const ph_scheme *const *schemes = ph_schemes(&scheme_count);
    const ph_composition *compositions = ph_compositions(&composition_count);
    for (size_t i = 0; i < method_count; i++, count++) {
        if (text != NULL)
            (void)snprintf(text[count], NAME, "%s", methods[i]->name);
    }
    for (size_t i = 0; i < flow_count; i++) {
        if (text != NULL)
            (void)snprintf(text[count], NAME, "%s", flows[i]->name);
        count++;
        for (size_t k = 0; k < composition_count && composable(flows[i]); k++, count++) {
            if (text != NULL)
                (void)snprintf(text[count], NAME, "%s:%s", flows[i]->name,
                               compositions[k].name);
        }
        for (size_t k = 0; k < scheme_count; k++, count++) {
            if (text != NULL)
                (void)snprintf(text[count], NAME, "%s+%s", schemes[k]->name,
                               flows[i]->name);
        }
    }
    return count;
}

static int fail_with_nearest(const char *place, const char *wrong)
{
    const size_t count = all_names(NULL);
    char(*text)[NAME] = calloc(count + 1, sizeof *text);
    const char **names = calloc(count + 1, sizeof *names);
    int status = EXIT_FAILED;
    if (text == NULL || names == NULL) {
        status = fail_memory();
    } else {
        (void)all_names(text);
        for (size_t i = 0; i < count; i++)
            names[i] = text[i];
        status = fail_unknown(place, "method", wrong, names, count, "`polhode list`");
    }
    free(text);
    free(names);
    return status;
}

int method_find(const char *place, const char *name, ph_integrator *out)
{
    if (ph_integrator_named(name, out) == PH_OK)
        return 0;
    const ph_flow *flow = composed_flow(name);
    if (flow != NULL && !composable(flow))
        return fail_composed(place, name, flow);
    return fail_with_nearest(place, name);
}
