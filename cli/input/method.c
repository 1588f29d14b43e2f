/* method.c - the integrator of a body that a name stands for. */
#include "input.h"

#include <stdio.h>
#include <string.h>

#include "cli/tool.h"
#include "motion/composition.h"
#include "polhode/spheres.h"
#include "system/find.h"

#define NAME 64 /* bytes of a name */

static bool composable(const ph_flow *flow)
{
    return may_be_composed(flow->order, flow->keeps);
}

const char *not_composable(int order, unsigned keeps)
{
    return may_be_composed(order, keeps) ? NULL
           : order == PH_EXACT           ? "is exact"
           : order != 2                  ? "is not of order 2"
                                         : "is not symmetric";
}

/* The integrator whose whole step a name composes, and which cannot be: why not; or NULL. */
static const char *whole_refused(const char *name, const custom_parts *own,
                                 char step[INTEGRATOR_WORD])
{
    ph_integrator i;
    const char *at = strchr(name, '@');
    const size_t length = at != NULL ? (size_t)(at - name) : 0;
    if (at == NULL || length >= INTEGRATOR_WORD ||
        !(own != NULL || find_composition(at + 1) != NULL))
        return NULL;
    (void)snprintf(step, INTEGRATOR_WORD, "%.*s", (int)length, name);
    if (ph_integrator_named(step, &i) != PH_OK)
        return NULL;
    return not_composable(ph_integrator_order(&i), ph_integrator_keeps(&i));
}

/* The flow before the colon of a name, after the plus if there is one, or NULL. */
static const ph_flow *composed_flow(const char *name)
{
    char flow[NAME];
    const char *plus = strchr(name, '+'), *colon = strchr(name, ':');
    const int read = sscanf(plus != NULL ? plus + 1 : name, "%63[^:]", flow);
    return colon != NULL && read == 1 ? find_flow(flow) : NULL;
}

static int fail_composed(const char *place, const char *name, const ph_flow *flow)
{
    char able[NAME * 4] = "";
    size_t count;
    const ph_flow *const *flows = ph_flows(&count);
    for (size_t i = 0; i < count; i++) {
        if (composable(flows[i]))
            text_add(able, sizeof able, flows[i]->name);
    }
    return fail_usage("%s`" WORDS "`: %s %s, and only a symmetric flow of order 2 can be "
                      "composed: take one of %s",
                      place, name, flow->name, not_composable(flow->order, flow->keeps),
                      able);
}

int fail_composed_whole(const char *place, const char *name, const char *step,
                        const char *why)
{
    return fail_usage("%s`" WORDS "`: %s %s, and only a symmetric integrator of order 2 "
                      "can be composed: take another, as in rattle@yoshida4",
                      place, name, step, why);
}

/* What a name stands for that is a part of an integrator alone. */
static int refuse_part(const char *place, const char *name)
{
    REFUSE_IF(find_scheme(name) != NULL, "%s`%s` is a scheme: write %s+exact", place,
              name, name);
    REFUSE_IF(find_composition(name) != NULL,
              "%s`%s` is a composition: write sr2:%s or rattle@%s", place, name, name,
              name);
    return 0;
}

/* A composition that is none, of an integrator that is one. */
static int refuse_composition(const char *place, const char *wrong)
{
    ph_integrator i;
    char step[INTEGRATOR_WORD];
    const size_t length = strcspn(wrong, ":@");
    (void)snprintf(step, sizeof step, "%.*s", (int)length, wrong);
    if (wrong[length] == '\0' || ph_integrator_named(step, &i) != PH_OK)
        return 0;
    size_t count;
    const ph_composition *composition = ph_compositions(&count);
    nearest near_by = {.wrong = wrong};
    for (size_t k = 0; k < count; k++)
        ph_nearest_add(&near_by, "%s%c%s", step, wrong[length], composition[k].name);
    return fail_unknown(place, "method", &near_by, "`polhode list compositions`");
}

/* Every name there is: methods, flows, their compositions, and schemes with each of the
 * flows; of schemes over flows those of verlet composed. */
static int fail_with_nearest(const char *place, const char *wrong)
{
    TRY(refuse_part(place, wrong));
    TRY(refuse_composition(place, wrong));
    nearest near_by = {.wrong = wrong};
    size_t flows, compositions, methods, schemes, adaptives;
    const ph_flow *const *flow = ph_flows(&flows);
    const ph_method *const *method = ph_methods(&methods);
    const ph_scheme *const *scheme = ph_schemes(&schemes);
    const ph_composition *composition = ph_compositions(&compositions);
    const ph_adaptive *const *adaptive = ph_adaptives(&adaptives);
    for (size_t i = 0; i < adaptives; i++)
        ph_nearest_add(&near_by, "%s", adaptive[i]->name);
    for (size_t i = 0; i < methods; i++) {
        ph_nearest_add(&near_by, "%s", method[i]->name);
        for (size_t k = 0; k < compositions; k++) {
            if (may_be_composed(method[i]->order, method[i]->keeps))
                ph_nearest_add(&near_by, "%s@%s", method[i]->name, composition[k].name);
        }
    }
    for (size_t i = 0; i < flows; i++) {
        ph_nearest_add(&near_by, "%s", flow[i]->name);
        for (size_t k = 0; k < compositions && composable(flow[i]); k++)
            ph_nearest_add(&near_by, "%s:%s", flow[i]->name, composition[k].name);
        for (size_t k = 0; k < schemes; k++)
            ph_nearest_add(&near_by, "%s+%s", scheme[k]->name, flow[i]->name);
        for (size_t k = 0; k < compositions && (flow[i]->keeps & PH_SYMMETRIC); k++)
            ph_nearest_add(&near_by, "verlet+%s@%s", flow[i]->name, composition[k].name);
    }
    return fail_unknown(place, "method", &near_by, "`polhode list`");
}

int method_find(const char *place, const char *name, custom_parts *own,
                ph_integrator *out)
{
    if (ph_custom_integrator(own, name, out) == PH_OK)
        return 0;
    ph_spheres_integrator of_spheres;
    REFUSE_IF(ph_spheres_integrator_named(name, &of_spheres) == PH_OK,
              "%s`" WORDS
              "` is an integrator of spheres, and one of a body is needed: take "
              "one of `polhode list methods --space body`",
              place, name);
    char step[INTEGRATOR_WORD];
    const char *refused = whole_refused(name, own, step);
    if (refused != NULL)
        return fail_composed_whole(place, name, step, refused);
    const ph_flow *flow = composed_flow(name);
    return flow != NULL && !composable(flow) ? fail_composed(place, name, flow)
                                             : fail_with_nearest(place, name);
}
