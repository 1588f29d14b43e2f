/* entries.c - the lists of flows, compositions, schemes, methods, problems and figures. */
#include "entries.h"

#include "cli/tool/figure_list.h"

/* The facts of descriptors, as the members of an entry. */
#define ENTRY_NAMES(d) .name = (d)->name, .title = (d)->title, .cite = (d)->cite
#define ENTRY_INTEGRATOR(d, kept, kept_free)                                             \
    ENTRY_NAMES(d), .ordered = true, .integrator = true, .order = (d)->order,            \
                    .keeps = (kept), .keeps_free = (kept_free)

/* Defines the list `function` of what a list of the library has, `all(&count)`; members are
 * those of an entry, of the descriptor d. */
#define ENTRY_LIST(function, type, all, ...)                                             \
    static entry function(size_t i)                                                      \
    {                                                                                    \
        size_t count;                                                                    \
        const type *const *list = all(&count);                                           \
        if (i >= count)                                                                  \
            return (entry){0};                                                           \
        const type *d = list[i];                                                         \
        return (entry){__VA_ARGS__};                                                     \
    }

/* With the flow exact; without torque a scheme is that flow. */
#define SCHEME_KEEPS (PH_MOMENTUM | PH_SYMMETRIC | PH_POISSON | PH_SYMPLECTIC)

ENTRY_LIST(flow_entry, ph_flow, ph_flows, ENTRY_INTEGRATOR(d, d->keeps, d->keeps))
ENTRY_LIST(scheme_entry, ph_scheme, ph_schemes,
           ENTRY_INTEGRATOR(d, SCHEME_KEEPS, PH_KEEPS_ALL))
ENTRY_LIST(thermostat_entry, ph_thermostat, ph_thermostats, ENTRY_INTEGRATOR(d, 0, 0))
ENTRY_LIST(figure_entry, ph_figure, figure_list, ENTRY_NAMES(figure_text_of(d)))

static entry method_entry(size_t i)
{
    ph_method_facts m;
    return ph_method_at(i, &m) ? (entry){ENTRY_INTEGRATOR(&m, m.keeps, m.keeps_free),
                                         .space = m.kind, .adaptive = m.adaptive}
                               : (entry){0};
}

static entry problem_entry(size_t i)
{
    ph_problem_facts p;
    return ph_problem_at(i, &p) ? (entry){ENTRY_NAMES(&p),
                                          .space = p.kind,
                                          .parameters = p.parameters,
                                          .parameter_count = p.parameter_count,
                                          .value = p.value,
                                          .tables = p.tables,
                                          .table_count = p.table_count,
                                          .equations = p.equations,
                                          .method = p.integrator}
                                : (entry){0};
}

static entry composition_entry(size_t i)
{
    size_t count;
    const ph_composition *c = ph_compositions(&count);
    return i < count ? (entry){ENTRY_NAMES(&c[i]), .ordered = true, .order = c[i].order}
                     : (entry){0};
}

const list_kind list_kinds[] = {
    {"flow", "flows", "integrators of the free body", flow_entry},
    {"composition", "compositions",
     "flow:composition, INTEGRATOR@composition: of higher order", composition_entry},
    {"scheme", "schemes", "scheme+flow, motion and kicks by turns; with exact",
     scheme_entry},
    {"thermostat", "thermostats", "thermostat+flow, with --temperature",
     thermostat_entry},
    {"method", "methods", "integrators in a field, step by step", method_entry},
    {"problem", "problems", "what moves, its start and its field", problem_entry},
    {"figure", "figures", "figures and tables of the papers", figure_entry},
    {0},
};
