/* list_kinds.c - what there is: flows, compositions, schemes, methods, problems,
 * figures. */
#include <stdio.h>
#include <string.h>

#include "figure_list.h"
#include "kind.h"
#include "list.h"

static entry flow_entry(size_t i)
{
    size_t count;
    const ph_flow *const *flow = ph_flows(&count);
    if (i >= count)
        return (entry){0};
    return (entry){ENTRY_INTEGRATOR(flow[i], flow[i]->keeps, flow[i]->keeps)};
}

static entry composition_entry(size_t i)
{
    size_t count;
    const ph_composition *c = ph_compositions(&count);
    return i < count ? (entry){ENTRY_NAMES(&c[i]), .ordered = true, .order = c[i].order}
                     : (entry){0};
}

/* With the flow exact; without torque a scheme is that flow. */
#define SCHEME_KEEPS (PH_MOMENTUM | PH_SYMMETRIC | PH_POISSON | PH_SYMPLECTIC)

static entry scheme_entry(size_t i)
{
    size_t count;
    const ph_scheme *const *scheme = ph_schemes(&count);
    if (i >= count)
        return (entry){0};
    return (entry){ENTRY_INTEGRATOR(scheme[i], SCHEME_KEEPS, PH_KEEPS_ALL)};
}

static entry figure_entry(size_t i)
{
    size_t count;
    const ph_figure *const *figure = figure_list(&count);
    return i < count ? (entry){ENTRY_NAMES(figure_text_of(figure[i]))} : (entry){0};
}

const list_kind list_kinds[] = {
    {"flow", "flows", "integrators of the free body", flow_entry},
    {"composition", "compositions",
     "flow:composition, a symmetric flow of order 2 made into one of higher order",
     composition_entry},
    {"scheme", "schemes",
     "scheme+flow, the motion of a flow and kicks by turns; with exact", scheme_entry},
    {"method", "methods", "integrators of a body in a field, of spheres", kind_method},
    {"problem", "problems", "what moves, its start and its field", kind_problem},
    {"figure", "figures", "figures and tables of the papers", figure_entry},
    {0},
};

const char *const keeps_names[PH_KEEPS_COUNT] = {
#define NAME(code, text) text,
    PH_KEEPS_LIST(NAME)
#undef NAME
};

const char *order_text(const entry *e, char text[ORDER_TEXT])
{
    (void)snprintf(text, ORDER_TEXT, "%d", e->order);
    return e->order == PH_EXACT ? "exact" : text;
}

const char *keeps_mark(const entry *e, size_t i, const char *yes, const char *no)
{
    if ((e->keeps >> i & 1U) != 0)
        return yes;
    return (e->keeps_free >> i & 1U) != 0 ? "free" : no;
}

bool list_next(const list_choice *choice, const list_kind *kind, size_t *i, entry *e)
{
    if (choice->kind != NULL && choice->kind != kind)
        return false;
    for (*e = kind->at(*i); e->name != NULL; *e = kind->at(++*i)) {
        if (choice->space == NULL ||
            (e->space != NULL && strcmp(e->space, choice->space) == 0))
            return true;
    }
    return false;
}

bool list_next_kind(const list_choice *choice, const list_kind **kind, entry *first)
{
    for (; (*kind)->name != NULL; ++*kind) {
        size_t i = 0;
        if (list_next(choice, *kind, &i, first))
            return true;
    }
    return false;
}
