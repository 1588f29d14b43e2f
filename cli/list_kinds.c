/* list_kinds.c - what there is: flows, compositions, schemes, methods, problems,
 * figures. */
#include <stdio.h>
#include <string.h>

#include "figure_list.h"
#include "list.h"
#include "space.h"

static size_t flow_count(void)
{
    size_t count;
    (void)ph_flows(&count);
    return count;
}

static entry flow_entry(size_t i)
{
    size_t count;
    const ph_flow *f = ph_flows(&count)[i];
    return (entry){.name = f->name,
                   .title = f->title,
                   .cite = f->cite,
                   .ordered = true,
                   .integrator = true,
                   .order = f->order,
                   .keeps = f->keeps,
                   .keeps_free = f->keeps};
}

static size_t composition_count(void)
{
    size_t count;
    (void)ph_compositions(&count);
    return count;
}

static entry composition_entry(size_t i)
{
    size_t count;
    const ph_composition *c = &ph_compositions(&count)[i];
    return (entry){.name = c->name,
                   .title = c->title,
                   .cite = c->cite,
                   .ordered = true,
                   .order = c->order};
}

/* With the flow exact; without torque a scheme is that flow. */
#define SCHEME_KEEPS (PH_MOMENTUM | PH_SYMMETRIC | PH_POISSON | PH_SYMPLECTIC)

static size_t scheme_count(void)
{
    size_t count;
    (void)ph_schemes(&count);
    return count;
}

static entry scheme_entry(size_t i)
{
    size_t count;
    const ph_scheme *s = ph_schemes(&count)[i];
    return (entry){.name = s->name,
                   .title = s->title,
                   .cite = s->cite,
                   .ordered = true,
                   .integrator = true,
                   .order = s->order,
                   .keeps = SCHEME_KEEPS,
                   .keeps_free = PH_KEEPS_ALL};
}

/* Methods and problems are those of all spaces, one space after the other. */

static size_t method_count(void)
{
    size_t count = 0;
    for (const space *const *s = spaces; *s != NULL; s++)
        count += (*s)->methods();
    return count;
}

static entry method_entry(size_t i)
{
    const space *const *s = spaces;
    for (; i >= (*s)->methods(); s++)
        i -= (*s)->methods();
    return (*s)->method(i);
}

static size_t problem_count(void)
{
    size_t count = 0;
    for (const space *const *s = spaces; *s != NULL; s++)
        count += (*s)->problems();
    return count;
}

static entry problem_entry(size_t i)
{
    const space *const *s = spaces;
    for (; i >= (*s)->problems(); s++)
        i -= (*s)->problems();
    return (*s)->problem(i);
}

static size_t figure_count(void)
{
    size_t count;
    (void)figure_list(&count);
    return count;
}

static entry figure_entry(size_t i)
{
    size_t count;
    const ph_figure *f = figure_list(&count)[i];
    return (entry){.name = f->name, .title = f->title, .cite = f->cite};
}

const list_kind list_kinds[] = {
    {"flow", "flows", "integrators of the free body", flow_count, flow_entry},
    {"composition", "compositions",
     "flow:composition, a symmetric flow of order 2 made into one of higher order",
     composition_count, composition_entry},
    {"scheme", "schemes",
     "scheme+flow, the motion of a flow and kicks by turns; with exact", scheme_count,
     scheme_entry},
    {"method", "methods", "integrators of a body in a field, of spheres", method_count,
     method_entry},
    {"problem", "problems", "what moves, its start and its field", problem_count,
     problem_entry},
    {"figure", "figures", "figures and tables of the papers", figure_count, figure_entry},
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

bool list_next(const list_choice *choice, const list_kind *kind, size_t *i, entry *e)
{
    if (choice->kind != NULL && choice->kind != kind)
        return false;
    for (; *i < kind->count(); ++*i) {
        *e = kind->at(*i);
        if (choice->space == NULL ||
            (e->space != NULL && strcmp(e->space, choice->space) == 0))
            return true;
    }
    return false;
}
