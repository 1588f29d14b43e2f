/* list.c - what there is: flows, compositions, schemes, methods, problems, figures. */
#include "list.h"

#include <string.h>

#include "cli/files/json.h"
#include "cli/tool/command.h"
#include "cli/tool/figure_list.h"
#include "cli/tool/grid.h"
#include "cli/tool/tool.h"
#include "list.help.h"
#include "reference.h"
#include "system/kind.h"

/* With the flow exact; without torque a scheme is that flow. */
#define SCHEME_KEEPS (PH_MOMENTUM | PH_SYMMETRIC | PH_POISSON | PH_SYMPLECTIC)

ENTRY_LIST(flow_entry, ph_flow, ph_flows, ENTRY_INTEGRATOR(d, d->keeps, d->keeps))
ENTRY_LIST(scheme_entry, ph_scheme, ph_schemes,
           ENTRY_INTEGRATOR(d, SCHEME_KEEPS, PH_KEEPS_ALL))
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
    {"method", "methods", "integrators of a body in a field, of spheres", method_entry},
    {"problem", "problems", "what moves, its start and its field", problem_entry},
    {"figure", "figures", "figures and tables of the papers", figure_entry},
    {0},
};

static const char *const keeps_names[PH_KEEPS_COUNT] = {
#define NAME(code, text) text,
    PH_KEEPS_LIST(NAME)
#undef NAME
};

/* A letter for each, in a list for people. */
static const char keeps_letters[PH_KEEPS_COUNT] = {
    [PH_INDEX_MOMENTUM] = 'M',  [PH_INDEX_CASIMIR] = 'C', [PH_INDEX_ENERGY] = 'E',
    [PH_INDEX_SYMMETRIC] = 'S', [PH_INDEX_POISSON] = 'P', [PH_INDEX_SYMPLECTIC] = 'Y'};

/* What is asked for: one kind, or all of them for NULL; and of methods and problems those
 * of one kind of system, or of all for NULL. */
typedef struct choice {
    const list_kind *kind;
    const char *space;
    const char *name; /* of one thing, or NULL */
    bool reference;   /* all that is known of each */
    bool devices;     /* instead */
} choice;

/* The first entry of a kind, from number *i on, that is asked for; *i is its number. False
 * if there is none. */
static bool next_entry(const choice *c, const list_kind *kind, size_t *i, entry *e)
{
    if (c->kind != NULL && c->kind != kind)
        return false;
    for (*e = kind->at(*i); e->name != NULL; *e = kind->at(++*i)) {
        if (c->name != NULL && strcmp(e->name, c->name) != 0)
            continue;
        if (c->space == NULL || (e->space != NULL && strcmp(e->space, c->space) == 0))
            return true;
    }
    return false;
}

/* Properties as the papers head their columns. */
static const char *const paper_names[PH_KEEPS_COUNT] = {
    [PH_INDEX_MOMENTUM] = "Qy",     [PH_INDEX_CASIMIR] = "C",
    [PH_INDEX_ENERGY] = "H",        [PH_INDEX_SYMMETRIC] = "symmetric",
    [PH_INDEX_POISSON] = "Poisson", [PH_INDEX_SYMPLECTIC] = "symplectic",
};

/* What an integrator keeps, a letter each, small where that is without torque alone. */
static void add_letters(grid *g, const entry *e)
{
    char letters[PH_KEEPS_COUNT + 1] = "";
    for (size_t k = 0; k < PH_KEEPS_COUNT; k++) {
        const char letter = keeps_letters[k];
        letters[k] = (e->keeps >> k & 1U) != 0        ? letter
                     : (e->keeps_free >> k & 1U) != 0 ? (char)(letter - 'A' + 'a')
                                                      : '.';
    }
    grid_add(g, "%s", letters);
}

/* One line an entry. False without memory. */
static bool print_kind(outfile *out, const choice *c, const list_kind *kind,
                       const entry *first, bool markdown)
{
    const bool spaces = first->space != NULL && c->space == NULL;
    const size_t marks = first->integrator && markdown ? PH_KEEPS_COUNT : 0;
    const bool letters = first->integrator && !markdown;
    grid g = {.columns = 2 + (size_t)markdown + (size_t)spaces + (size_t)first->ordered +
                         marks + (size_t)letters,
              .indent = 2,
              .width = 80};
    grid_add(&g, "name");
    if (spaces)
        grid_add(&g, "space");
    if (first->ordered) {
        g.right = 1U << g.count;
        grid_add(&g, "order");
    }
    for (size_t k = 0; k < marks; k++) {
        g.marks |= 1U << g.count;
        grid_add(&g, "%s", paper_names[k] != NULL ? paper_names[k] : keeps_names[k]);
    }
    if (letters)
        grid_add(&g, "keeps");
    grid_add(&g, markdown ? "title" : "title (source)");
    if (markdown)
        grid_add(&g, "source");
    entry e;
    for (size_t i = 0; next_entry(c, kind, &i, &e); i++) {
        grid_add(&g, markdown ? "`%s`" : "%s", e.name);
        if (spaces)
            grid_add(&g, "%s", e.space);
        if (first->ordered && e.order == PH_EXACT)
            grid_add(&g, "exact");
        else if (first->ordered)
            grid_add(&g, "%d", e.order);
        for (size_t k = 0; k < marks; k++)
            grid_add(&g, "%s",
                     (e.keeps >> k & 1U) != 0        ? "✓"
                     : (e.keeps_free >> k & 1U) != 0 ? "free"
                                                     : "");
        if (letters)
            add_letters(&g, &e);
        if (markdown) {
            grid_add(&g, "%s", e.title);
            grid_add(&g, "%s", e.cite);
        } else {
            grid_add(&g, "%s (%s)", e.title, e.cite);
        }
    }
    if (!markdown)
        outfile_print(out, "%s - %s\n", kind->plural, kind->heading);
    const bool whole = grid_print(&g, out, markdown);
    if (letters)
        outfile_print(out, "  keeps: Momentum, Casimirs, Energy, Symmetric, Poisson, "
                           "sYmplectic;\n  small letters: without torque alone\n");
    return whole;
}

static int print_tables(outfile *out, const choice *c, bool markdown)
{
    bool any = false;
    for (const list_kind *kind = list_kinds; kind->name != NULL; kind++) {
        entry first;
        size_t i = 0;
        if (!next_entry(c, kind, &i, &first))
            continue;
        outfile_print(out, "%s", any ? "\n" : "");
        if (markdown && c->kind == NULL)
            outfile_print(out, "## %s\n\n", kind->plural);
        if (!print_kind(out, c, kind, &first, markdown))
            return fail_memory();
        any = true;
    }
    if (!any && !markdown)
        outfile_print(out, "There are no %s in this version.\n",
                      c->kind == NULL ? "such things" : c->kind->plural);
    return EXIT_DONE;
}

static json_t *names_of(unsigned keeps)
{
    json_t *names = json_array();
    for (size_t i = 0; i < PH_KEEPS_COUNT; i++) {
        if ((keeps >> i & 1U) != 0)
            (void)json_array_append_new(names, json_string(keeps_names[i]));
    }
    return names;
}

/* All that is known of each. */
static int print_references(outfile *out, const choice *c, bool markdown)
{
    bool any = false;
    for (const list_kind *kind = list_kinds; kind->name != NULL; kind++) {
        entry e;
        for (size_t i = 0; next_entry(c, kind, &i, &e); i++, any = true) {
            if (any && !markdown)
                outfile_print(out, "\n");
            if (!markdown)
                reference_print(out, kind, &e, keeps_names);
            else if (!reference_markdown(out, &e))
                return fail_memory();
        }
    }
    return EXIT_DONE;
}

/* The default of a parameter: a number, or as many as it has. */
static json_t *default_json(const ph_parameter *p, const double *value)
{
    if (p->count == 1)
        return json_real(value[p->first]);
    json_t *array = json_array();
    for (int k = 0; k < p->count; k++)
        (void)json_array_append_new(array, json_real(value[p->first + k]));
    return array;
}

static json_t *parameters_json(const entry *e)
{
    json_t *array = json_array();
    for (int i = 0; i < e->parameter_count; i++) {
        const ph_parameter *p = &e->parameters[i];
        (void)json_array_append_new(
            array, json_pack("{sssssossss}", "name", p->name, "unit", p->unit, "default",
                             default_json(p, e->value), "text", p->text, "range",
                             ph_range_text(p->range)));
    }
    for (int i = 0; i < e->table_count; i++) {
        const ph_parameter *p = &e->tables[i];
        (void)json_array_append_new(
            array, json_pack("{sssssnssss}", "name", p->name, "unit", p->unit, "default",
                             "text", p->text, "range", "a CSV file t,x,y,z"));
    }
    return array;
}

static json_t *entry_json(const list_kind *kind, const entry *e)
{
    json_t *object = json_pack("{ssssssss}", "name", e->name, "kind", kind->name, "title",
                               e->title, "cite", e->cite);
    if (e->space != NULL)
        (void)json_object_set_new(object, "space", json_string(e->space));
    if (e->ordered)
        (void)json_object_set_new(
            object, "order", e->order == PH_EXACT ? json_null() : json_integer(e->order));
    if (strcmp(kind->name, "problem") == 0)
        (void)json_object_set_new(object, "parameters", parameters_json(e));
    if (e->equations != NULL)
        (void)json_object_set_new(object, "equations", json_string(e->equations));
    if (e->method != NULL)
        (void)json_object_set_new(object, "method", json_string(e->method));
    if (!e->integrator)
        return object;
    if (e->adaptive)
        (void)json_object_set_new(object, "adaptive", json_true());
    (void)json_object_set_new(object, "keeps", names_of(e->keeps));
    if (e->keeps_free != e->keeps)
        (void)json_object_set_new(object, "keeps_free", names_of(e->keeps_free));
    return object;
}

static int print_json(outfile *out, const choice *c)
{
    json_t *array = json_array();
    for (const list_kind *kind = list_kinds; kind->name != NULL; kind++) {
        entry e;
        for (size_t i = 0; next_entry(c, kind, &i, &e); i++)
            (void)json_array_append_new(array, entry_json(kind, &e));
    }
    return put_json(out, array, JSON_INDENT(2));
}

/* One thing, by its name. */
static int find_name(const char *name, choice *c, nearest *near_by)
{
    for (const list_kind *kind = list_kinds; kind->name != NULL; kind++) {
        for (size_t i = 0; kind->at(i).name != NULL; i++) {
            ph_nearest_add(near_by, "%s", kind->at(i).name);
            if (strcmp(kind->at(i).name, name) == 0)
                c->name = name;
        }
    }
    c->reference = true;
    return c->name != NULL
               ? 0
               : fail_unknown("", "list or thing", near_by, "`polhode list --help`");
}

static int read_choice(const arguments *given, choice *c)
{
    c->space = argument(given, "--space");
    TRY(refuse_both(given, "--json", "--markdown"));
    if (given->operands > 1)
        return fail_usage("`" WORDS "` is one list too many: name one, or none for all",
                          given->operand[1]);
    nearest lists = {.wrong = given->operands == 1 ? given->operand[0] : ""},
            spaces = {.wrong = c->space == NULL ? "" : c->space};
    for (const list_kind *k = list_kinds; k->name != NULL; k++) {
        if (strcmp(lists.wrong, k->plural) == 0)
            c->kind = k;
        ph_nearest_add(&lists, "%s", k->plural);
    }
    ph_nearest_add(&lists, "devices");
    c->devices = strcmp(lists.wrong, "devices") == 0;
    if (given->operands == 1 && c->kind == NULL && !c->devices)
        TRY(find_name(given->operand[0], c, &lists));
    bool found = c->space == NULL;
    size_t count;
    const ph_kind *const *kinds = ph_kinds(&count);
    for (size_t i = 0; i < count; i++) {
        found = found || strcmp(c->space, kinds[i]->name) == 0;
        ph_nearest_add(&spaces, "%s", kinds[i]->name);
    }
    return found ? 0 : fail_unknown("", "space", &spaces, "`polhode list --help`");
}

static int run(const arguments *given, outfile *out)
{
    choice c = {.reference = argument(given, "--reference") != NULL};
    TRY(read_choice(given, &c));
    const bool markdown = argument(given, "--markdown") != NULL;
    const bool json = argument(given, "--json") != NULL;
    return c.devices     ? list_devices(out, json, markdown)
           : json        ? print_json(out, &c)
           : c.reference ? print_references(out, &c, markdown)
                         : print_tables(out, &c, markdown);
}

const command command_list = {
    .name = "list",
    .help = list_help,
    .run = run,
};
