/* integrators.c - integrators put together by name, of the catalog and of the caller's own
 * coefficients; and what is wrong with a name that stands for none. */
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/text.h"
#include "integrators/adaptive_run.h"
#include "motion/checked.h"
#include "motion/composition.h"
#include "system/find.h"
#include "system/kind.h"
#include "system/system_list.h"

/* `flow` or `flow:composition` */
static ph_status drift_named(custom_parts *own, const char *name, ph_integrator *out)
{
    char flow[LONGEST_PART];
    const char *composition;
    if (!split_name(flow, &composition, name, ':'))
        return PH_UNKNOWN_NAME;
    const ph_status status = ph_flow_named(flow, &out->flow);
    if (status == PH_OK)
        return ph_custom_composition(own, CUSTOM_COMPOSITION, composition, out->flow->order,
                                     out->flow->keeps, &out->composition);
    return status;
}

/* `method`, adaptive or not, or a drift after `scheme+` or not. `mkrk:TABLEAU`, K06 3.7, is the
 * method `mkrk_TABLEAU`. */
static ph_status body_step(custom_parts *own, const char *name, ph_integrator *out)
{
    static const char family[] = "mkrk:";
    char scheme[LONGEST_PART], method[LONGEST_NAME];
    const char *drift;
    if (strncmp(name, family, sizeof family - 1) == 0 &&
        snprintf(method, sizeof method, "mkrk_%s", name + sizeof family - 1) < (int)sizeof method)
        name = method;
    ph_status status = ph_custom_method(own, name, &out->method);
    if (status != PH_OK && ph_adaptive_named(name, &out->adaptive) == PH_OK) {
        out->tolerance = PH_TOLERANCE_DEFAULT;
        return PH_OK;
    }
    if (status != PH_OK && split_name(scheme, &drift, name, '+')) {
        status = PH_OK;
        if (drift)
            status = ph_custom_scheme(own, scheme, &out->scheme);
        if (status == PH_OK)
            status = drift_named(own, text_or(drift, name), out);
    }
    return status;
}

ph_status ph_custom_whole(custom_parts *own, named_step *step_named, const char *name,
                          ph_integrator *out)
{
    if (name == NULL || out == NULL)
        return PH_NULL_ARGUMENT;
    ph_integrator i = {0};
    char step[LONGEST_NAME];
    const char *composition;
    if (!split_whole(step, &composition, name))
        return PH_UNKNOWN_NAME;
    ph_status status = step_named(own, step, &i);
    if (status == PH_OK)
        status = ph_custom_composition(own, CUSTOM_WHOLE, composition, ph_integrator_order(&i),
                                       ph_integrator_keeps(&i), &i.whole);
    if (status == PH_OK)
        *out = i;
    return status;
}

ph_status ph_integrator_named(const char *name, ph_integrator *out)
{
    return ph_custom_whole(NULL, body_step, name, out);
}

/* The kind that alone has an integrator of that name, or NULL. */
static const ph_kind *kind_alone(const char *name)
{
    size_t count;
    ph_integrator i;
    const ph_kind *const *kinds = ph_kinds(&count);
    for (size_t k = 0; k < count; k++) {
        if (kinds[k]->step_named != NULL &&
            ph_custom_whole(NULL, kinds[k]->step_named, name, &i) == PH_OK)
            return kinds[k];
    }
    return NULL;
}

#ifdef POLHODE_CHECKED
bool ph_is_listed(const char *integrator)
{
    ph_integrator body;
    return integrator != NULL &&
           (ph_integrator_named(integrator, &body) == PH_OK || kind_alone(integrator) != NULL);
}
#endif

/* ---- names that stand for none ----------------------------------------------------- */

static bool composable(const ph_flow *flow)
{
    return may_be_composed(flow->order, flow->keeps);
}

static const char *not_composable(int order, unsigned keeps)
{
    if (may_be_composed(order, keeps))
        return NULL;
    if (order == PH_ORDER_EXACT)
        return "is exact";
    if (order != 2)
        return "does not have order 2";
    return "is not symmetric";
}

/* The flow before the colon of a name, after the plus if there is one, or NULL. */
static const ph_flow *composed_flow(const char *name)
{
    char flow[LONGEST_PART];
    const char *plus = strchr(name, '+'), *composition;
    if (split_name(flow, &composition, plus != NULL ? plus + 1 : name, ':') && composition != NULL)
        return find_flow(flow);
    return NULL;
}

#define SAY(...) (void)snprintf(text, PH_MESSAGE, __VA_ARGS__)

static void say_composed(char text[PH_MESSAGE], const char *name, const ph_flow *flow)
{
    char able[4 * LONGEST_PART] = "";
    size_t count;
    const ph_flow *const *flows = ph_flows(&count);
    for (size_t i = 0; i < count; i++) {
        if (composable(flows[i]))
            text_add(able, sizeof able, flows[i]->name);
    }
    SAY("`" WORDS "`: %s %s, but only a symmetric flow of order 2 can be composed: use one of %s",
        name, flow->name, not_composable(flow->order, flow->keeps), able);
}

static named_step *step_of(const ph_kind *kind)
{
    return kind->step_named ? kind->step_named : body_step;
}

/* Of an integrator with a composition that is none all compositions. Else every name there is:
 * methods of the kind, and schemes over its drift; of bodies flows, their compositions, and
 * schemes with each of the flows; of schemes over flows those of verlet composed. */
static void say_nearest(char text[PH_MESSAGE], const ph_kind *kind, const char *wrong)
{
    nearest near_by = {.wrong = wrong};
    size_t flows, compositions, schemes;
    ph_method_facts method;
    ph_integrator i = {0};
    char step[LONGEST_PART];
    const size_t length = strcspn(wrong, ":@");
    const ph_flow *const *flow = ph_flows(&flows);
    const ph_scheme *const *scheme = ph_schemes(&schemes);
    const ph_composition *composition = ph_compositions(&compositions);
    (void)snprintf(step, sizeof step, "%.*s", (int)length, wrong);
    if (wrong[length] != '\0' && step_of(kind)(NULL, step, &i) == PH_OK) {
        for (size_t k = 0; k < compositions; k++)
            ph_nearest_add(&near_by, "%s%c%s", step, wrong[length], composition[k].name);
        (void)ph_nearest_text(&near_by, "method", "`polhode list compositions`", text, PH_MESSAGE);
        return;
    }
    for (size_t n = 0; kind->method != NULL && kind->method(n, &method); n++) {
        ph_nearest_add(&near_by, "%s", method.name);
        for (size_t k = 0; k < compositions; k++) {
            if (may_be_composed(method.order, method.keeps))
                ph_nearest_add(&near_by, "%s@%s", method.name, composition[k].name);
        }
    }
    size_t thermostats;
    const ph_thermostat *const *warm = ph_thermostats(&thermostats);
    for (size_t k = 0; k < thermostats && kind->momenta != NULL; k++)
        ph_nearest_add(&near_by, "%s+%s", warm[k]->name, kind->drift);
    for (size_t k = 0; k < schemes && kind->step_named != NULL; k++)
        ph_nearest_add(&near_by, "%s+%s", scheme[k]->name, kind->drift);
    for (size_t n = 0; n < flows && kind->step_named == NULL; n++) {
        const ph_flow *f = flow[n];
        ph_nearest_add(&near_by, "%s", f->name);
        for (size_t k = 0; k < compositions && composable(f); k++)
            ph_nearest_add(&near_by, "%s:%s", f->name, composition[k].name);
        for (size_t k = 0; k < schemes; k++)
            ph_nearest_add(&near_by, "%s+%s", scheme[k]->name, f->name);
        for (size_t k = 0; k < compositions && (f->keeps & PH_SYMMETRIC); k++)
            ph_nearest_add(&near_by, "verlet+%s@%s", f->name, composition[k].name);
    }
    const char *what = "method", *list = "`polhode list`";
    if (kind->step_named != NULL) {
        (void)snprintf(step, sizeof step, "method on %s", kind->name);
        what = step;
        list = "`polhode list methods`";
    }
    (void)ph_nearest_text(&near_by, what, list, text, PH_MESSAGE);
}

ph_status ph_integrator_find(const ph_kind *kind, const char *name, custom_parts *own,
                             ph_integrator *out, char text[PH_MESSAGE])
{
    named_step *step_named = step_of(kind);
    const ph_status status = ph_custom_whole(own, step_named, name, out);
    ph_integrator step = {0};
    char word[LONGEST_NAME];
    const char *composition;
    if (status == PH_OK)
        return PH_OK;
    const ph_kind *other = kind->step_named ? NULL : kind_alone(name);
    const ph_flow *flow = composed_flow(name);
    if (other != NULL)
        SAY("`" WORDS "` is an integrator of %s, but the problem needs one of a body: use one of "
            "`polhode list methods --space body`",
            name, other->name);
    else if (split_whole(word, &composition, name) && composition != NULL &&
             ((own != NULL && own->has[CUSTOM_WHOLE]) || find_composition(composition) != NULL) &&
             step_named(own, word, &step) == PH_OK)
        SAY("`" WORDS "`: %s %s, but only a symmetric integrator of order 2 can be composed: use "
            "another, as in rattle@yoshida4",
            name, word, not_composable(ph_integrator_order(&step), ph_integrator_keeps(&step)));
    else if (flow != NULL && !composable(flow))
        say_composed(text, name, flow);
    else if (find_scheme(name) != NULL || find_thermostat(name) != NULL)
        SAY("`%s` is a scheme: write %s+%s", name, name, kind->drift);
    else if (find_composition(name) != NULL)
        SAY("`%s` is a composition: write sr2:%s or rattle@%s", name, name, name);
    else
        say_nearest(text, kind, name);
    return status;
}
