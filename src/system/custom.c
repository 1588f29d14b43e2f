/* custom.c - coefficients of the caller's own, as numbers and as descriptors.
 *
 * One part after the other, each
 *
 *   kind, order, begins with a kick, stages, whether there is a gradient, coefficients
 *
 * where the coefficients are those of half a palindrome, once more as many for a gradient;
 * of a tableau a, b and c.
 */
#include "system/custom.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/choice.h"
#include "motion/composition.h"
#include "system/find.h"

enum { KIND, ORDER, KICK_FIRST, STAGES, GRADIENT, HEAD };

static const char TITLE[] = "Coefficients of the user";

static size_t half_of(int stages)
{
    return ((size_t)stages + 1) / 2;
}

/* How many numbers the coefficients of a part are. */
static size_t coefficients(custom_kind kind, int stages, bool gradient)
{
    const size_t n = (size_t)stages;
    if (kind == CUSTOM_TABLEAU)
        return n * n + 2 * n;
    return half_of(stages) * (gradient ? 2 : 1);
}

static int most_stages(custom_kind kind)
{
    return kind == CUSTOM_TABLEAU ? TABLEAU_STAGES : CUSTOM_STAGES;
}

static ph_composition *composition_of(custom_parts *c, custom_kind kind)
{
    return kind == CUSTOM_COMPOSITION ? &c->composition : &c->whole;
}

/* The descriptor of a part, which points to its numbers at a place. */
static void describe(custom_parts *c, custom_kind kind, const double *at)
{
    const int order = (int)at[ORDER], stages = (int)at[STAGES];
    const double *x = at + HEAD;
    ph_composition *composition = composition_of(c, kind);
    c->has[kind] = true;
    switch (kind) {
    case CUSTOM_SCHEME:
        c->scheme = (ph_scheme){.name = c->name[kind],
                                .title = TITLE,
                                .cite = "",
                                .order = order,
                                .kick_first = at[KICK_FIRST] != 0.0,
                                .stages = stages,
                                .half = x,
                                .gradient = at[GRADIENT] != 0.0 ? x + half_of(stages) : NULL};
        break;
    case CUSTOM_COMPOSITION:
    case CUSTOM_WHOLE:
        *composition = (ph_composition){.name = c->name[kind],
                                        .title = TITLE,
                                        .cite = "",
                                        .order = order,
                                        .stages = stages,
                                        .half = x};
        break;
    default:
        c->table = (tableau){.stages = stages};
        for (size_t k = 0, n = (size_t)stages; k < n; k++) {
            memcpy(c->table.a[k], x + k * n, n * sizeof *x);
            c->table.b[k] = x[n * n + k];
            c->table.c[k] = x[n * n + n + k];
        }
        c->method = *find_method("mkrk_rk4");
        c->method.name = c->name[kind];
        c->method.title = TITLE;
        c->method.order = order;
        c->method.data = &c->table;
        break;
    }
}

/* There is room for the most stages of every kind. */
static bool add(custom_parts *c, custom_kind kind, const char *name, const double *head,
                const double *first, const double *second)
{
    const int stages = (int)head[STAGES];
    const bool gradient = second != NULL;
    const size_t count = coefficients(kind, stages, gradient),
                 of_first = gradient ? count / 2 : count;
    double *at = c->numbers + c->count;
    if (stages > most_stages(kind))
        return false;
    memcpy(at, head, HEAD * sizeof *at);
    memcpy(at + HEAD, first, of_first * sizeof *at);
    if (gradient)
        memcpy(at + HEAD + of_first, second, of_first * sizeof *at);
    c->count += HEAD + count;
    /* a name that can be read back from that of the integrator */
    (void)snprintf(c->name[kind], CUSTOM_NAME, "%s", name && *name ? name : "own");
    for (char *sign = c->name[kind]; (sign = strpbrk(sign, "+:@")) != NULL;)
        *sign = '_';
    describe(c, kind, at);
    return true;
}

bool ph_custom_add_scheme(custom_parts *c, const ph_scheme *s)
{
    const double head[HEAD] = {CUSTOM_SCHEME, s->order, s->kick_first, s->stages,
                               s->gradient != NULL};
    return add(c, CUSTOM_SCHEME, s->name, head, s->half, s->gradient);
}

bool ph_custom_add_composition(custom_parts *c, custom_kind kind, const ph_composition *g)
{
    const double head[HEAD] = {kind, g->order, 0, g->stages, 0};
    return add(c, kind, g->name, head, g->half, NULL);
}

bool ph_custom_add_tableau(custom_parts *c, const char *name, int order, const tableau *table)
{
    double x[TABLEAU_STAGES * (TABLEAU_STAGES + 2)];
    const size_t n = (size_t)table->stages;
    const double head[HEAD] = {CUSTOM_TABLEAU, order, 0, table->stages, 0};
    for (size_t k = 0; k < n; k++) {
        memcpy(x + k * n, table->a[k], n * sizeof *x);
        x[n * n + k] = table->b[k];
        x[n * n + n + k] = table->c[k];
    }
    return add(c, CUSTOM_TABLEAU, name, head, x, NULL);
}

/* ---- copies ---------------------------------------------------------------------- */

/* Returns PH_OK, PH_BAD_PARAMETER if a part has no stages or too many, or PH_NULL_ARGUMENT if it has
 * no coefficients. */
static ph_status check_part(custom_kind kind, int stages, const void *numbers)
{
    if (stages < 1 || stages > most_stages(kind))
        return PH_BAD_PARAMETER;
    return ok_if(numbers != NULL, PH_NULL_ARGUMENT);
}

/* Whether a descriptor is none of the catalog. */
#define IS_OWN(type, d) ((d) != NULL && ((d)->name == NULL || find_##type((d)->name) != (d)))

ph_status ph_custom_copy(custom_parts *c, const ph_integrator *from, ph_integrator *out)
{
    ph_integrator i = *from;
    ph_status status = PH_OK;
    if (IS_OWN(scheme, i.scheme) && IS_OWN(thermostat, i.scheme)) {
        status = check_part(CUSTOM_SCHEME, i.scheme->stages, i.scheme->half);
        if (status != PH_OK)
            return status;
        (void)ph_custom_add_scheme(c, i.scheme);
        i.scheme = &c->scheme;
    }
    if (IS_OWN(composition, i.composition)) {
        status = check_part(CUSTOM_COMPOSITION, i.composition->stages, i.composition->half);
        if (status != PH_OK)
            return status;
        (void)ph_custom_add_composition(c, CUSTOM_COMPOSITION, i.composition);
        i.composition = &c->composition;
    }
    if (IS_OWN(composition, i.whole)) {
        status = check_part(CUSTOM_WHOLE, i.whole->stages, i.whole->half);
        if (status != PH_OK)
            return status;
        (void)ph_custom_add_composition(c, CUSTOM_WHOLE, i.whole);
        i.whole = &c->whole;
    }
    /* a step of the caller's own is no table of numbers */
    if (IS_OWN(method, i.method) && i.method->step == find_method("mkrk_rk4")->step) {
        const tableau *table = i.method->data;
        status = check_part(CUSTOM_TABLEAU, table != NULL ? table->stages : 1, table);
        if (status != PH_OK)
            return status;
        (void)ph_custom_add_tableau(c, i.method->name, i.method->order, table);
        i.method = &c->method;
    }
    *out = i;
    return PH_OK;
}

/* ---- from numbers ---------------------------------------------------------------- */

static bool whole_from(double x, int least, int most)
{
    return x >= least && x <= most && x == floor(x);
}

bool ph_custom_restore(custom_parts *c)
{
    size_t at = 0;
    const int most_order = 100;
    while (at < c->count) {
        const double *head = c->numbers + at;
        if (c->count - at < HEAD || !whole_from(head[KIND], 0, CUSTOM_KINDS - 1) ||
            !whole_from(head[ORDER], PH_ORDER_NONE, most_order) ||
            !whole_from(head[STAGES], 1, most_stages((custom_kind)head[KIND])))
            return false;
        const custom_kind kind = (custom_kind)head[KIND];
        const size_t size = HEAD + coefficients(kind, (int)head[STAGES], head[GRADIENT] != 0.0);
        if (size > c->count - at || c->has[kind])
            return false;
        describe(c, kind, head);
        at += size;
    }
    return true;
}

/* ---- by name --------------------------------------------------------------------- */

static bool takes(custom_parts *c, custom_kind kind, const char *name)
{
    if (c == NULL || !c->has[kind])
        return false;
    (void)snprintf(c->name[kind], CUSTOM_NAME, "%s", name);
    return true;
}

ph_status ph_custom_scheme(custom_parts *c, const char *name, const ph_scheme **out)
{
    if (!takes(c, CUSTOM_SCHEME, name)) {
        if (ph_scheme_named(name, out) == PH_OK)
            return PH_OK;
        return ph_thermostat_named(name, out);
    }
    *out = &c->scheme;
    return PH_OK;
}

ph_status ph_custom_composition(custom_parts *c, custom_kind kind, const char *name, int order,
                                unsigned keeps, const ph_composition **out)
{
    ph_status status = PH_OK;
    if (name == NULL)
        return PH_OK;
    if (takes(c, kind, name))
        *out = composition_of(c, kind);
    else
        status = ph_composition_named(name, out);
    if (status == PH_OK && !may_be_composed(order, keeps))
        return PH_NOT_APPLICABLE;
    return status;
}

ph_status ph_custom_method(custom_parts *c, const char *name, const ph_method **out)
{
    if (!takes(c, CUSTOM_TABLEAU, name))
        return ph_method_named(name, out);
    *out = &c->method;
    return PH_OK;
}
