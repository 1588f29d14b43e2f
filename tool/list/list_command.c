/* list_command.c - what there is: flows, compositions, schemes, methods, problems, figures, devices. */
#include <string.h>

#include "list.help.h"
#include "list_command.h"
#include "system/body_start.h"
#include "system/find.h"
#include "system/kind.h"
#include "tool/base/rendering.h"
#include "tool/base/tool.h"
#include "tool/files/memory.h"

#include "found_list_kind.h"

/* ---- the lists -------------------------------------------------------------------- */

/* The facts of descriptors, as the members of an entry. */
#define ENTRY_INTEGRATOR(d, kept, kept_free)                                                       \
    ENTRY_NAMES(d), .ordered = true, .integrator = true, .order = (d)->order, .keeps = (kept),     \
                    .keeps_free = (kept_free)

/* Defines the list `function` of what a list of the library has, `all(&count)`; members are
 * those of an entry, of the descriptor d. */
#define ENTRY_LIST(function, type, all, ...)                                                       \
    static entry function(size_t i)                                                                \
    {                                                                                              \
        size_t count;                                                                              \
        const type *const *list = all(&count);                                                     \
        if (i >= count)                                                                            \
            return (entry){0};                                                                     \
        const type *d = list[i];                                                                   \
        return (entry){__VA_ARGS__};                                                               \
    }

/* With the flow exact; without torque a scheme is that flow. */
#define SCHEME_KEEPS (PH_MOMENTUM | PH_SYMMETRIC | PH_POISSON | PH_SYMPLECTIC)

ENTRY_LIST(flow_entry, ph_flow, ph_flows, ENTRY_INTEGRATOR(d, d->keeps, d->keeps))
ENTRY_LIST(scheme_entry, ph_scheme, ph_schemes, ENTRY_INTEGRATOR(d, SCHEME_KEEPS, PH_KEEPS_ALL))
ENTRY_LIST(thermostat_entry, ph_thermostat, ph_thermostats, ENTRY_INTEGRATOR(d, 0, 0))

static entry method_entry(size_t i)
{
    ph_method_facts m;
    if (ph_method_at(i, &m))
        return (entry){ENTRY_INTEGRATOR(&m, m.keeps, m.keeps_free), .space = m.kind,
                       .adaptive = m.adaptive};
    return (entry){0};
}

static entry problem_entry(size_t i)
{
    ph_problem_facts p;
    if (ph_problem_at(i, &p))
        return (entry){ENTRY_NAMES(&p),
                       .space = p.kind,
                       .parameters = p.parameters,
                       .parameter_count = p.parameter_count,
                       .value = p.value,
                       .tables = p.tables,
                       .table_count = p.table_count,
                       .equations = p.equations,
                       .method = p.integrator};
    return (entry){0};
}

static entry composition_entry(size_t i)
{
    size_t count;
    const ph_composition *c = ph_compositions(&count);
    if (i < count)
        return (entry){ENTRY_NAMES(&c[i]), .ordered = true, .order = c[i].order};
    return (entry){0};
}

static const list_kind list_kinds[] = {
    {"flow", "flows", "integrators of the free body", flow_entry, NULL},
    {"composition", "compositions", "flow:composition or INTEGRATOR@composition raises the order",
     composition_entry, NULL},
    {"scheme", "schemes", "scheme+flow: motion and kicks alternate; with exact", scheme_entry,
     NULL},
    {"thermostat", "thermostats", "thermostat+flow, with --temperature", thermostat_entry, NULL},
    {"method", "methods", "integrators of a body in a field", method_entry, NULL},
    {"problem", "problems", "a body or bodies, an initial state and a field", problem_entry, NULL},
};

/* Those of folders beside the core follow. */
const list_kind *list_kind_at(size_t i)
{
    const size_t core = COUNT(list_kinds);
    if (i < core)
        return &list_kinds[i];
    if (i - core < COUNT(list_kind_rows))
        return list_kind_rows[i - core];
    return NULL;
}

static const char *const keeps_names[PH_KEEPS_COUNT] = {
#define NAME(code, text) text,
    PH_KEEPS_LIST(NAME)
#undef NAME
};

/* A letter for each, in a list for people. */
static const char keeps_letters[PH_KEEPS_COUNT] = {
    [PH_INDEX_MOMENTUM] = 'M',  [PH_INDEX_CASIMIR] = 'C', [PH_INDEX_ENERGY] = 'E',
    [PH_INDEX_SYMMETRIC] = 'S', [PH_INDEX_POISSON] = 'P', [PH_INDEX_SYMPLECTIC] = 'Y'};

/* ---- all that is known of one thing ------------------------------------------------ */

/* A parameter of a problem in words, or a table over time that it takes. */
typedef struct parameter_words {
    const ph_parameter *is;
    bool table;
    const char *value; /* its default, as it is written for --set */
} parameter_words;

/* The i-th of them; false past the last. */
static bool parameter_at(const entry *e, int i, parameter_words *p)
{
    p->table = i >= e->parameter_count;
    if (i >= e->parameter_count + e->table_count)
        return false;
    if (p->table)
        p->is = &e->tables[i - e->parameter_count];
    else
        p->is = &e->parameters[i];
    p->value = "";
    for (int k = 0; !p->table && k < p->is->count; k++)
        p->value =
            memory_text("%s%s%.10g", p->value, text_if(k > 0, ","), e->value[p->is->first + k]);
    return true;
}

/* The method that is recommended with some parameters, to which that of the defaults does not
 * apply, after these, "gbs with damping, wheels"; empty: there is none. */
static const char *other_method(const entry *e)
{
    static const double row[] = {0.5, 0.5, 0.5, 0.5}; /* of a table; in most ranges */
    const char *text = "";
    parameter_words p;
    for (int i = 0; parameter_at(e, i, &p); i++) {
        ph_system *s = NULL;
        const ph_setting set = {p.is->name, row, p.table ? 4 : (size_t)p.is->count};
        ph_system_settings with = {e->name, .integrator = e->method, .step = 1.0, .settings = &set,
                                   .setting_count = 1};
        const bool refused =
            set.count <= COUNT(row) && ph_system_create(&with, &s) == PH_NOT_APPLICABLE;
        with.integrator = NULL;
        if (refused && ph_system_create(&with, &s) == PH_OK) {
            if (*text == '\0')
                text = memory_text("; %s with %s", ph_system_integrator_name(s), p.is->name);
            else
                text = memory_text("%s, %s", text, p.is->name);
        }
        ph_system_destroy(s);
    }
    return text;
}

/* States the other method that the initial state may choose, if there is one. */
static void print_other_start(rendering *r, const entry *e)
{
    const bool markdown = r->as == AS_MARKDOWN;
    size_t count;
    const ph_problem *const *all = ph_problems(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(all[i]->name, e->name) != 0)
            continue;
        const char *other = ph_body_recommended_weak(all[i]), *limit = "at most";
        if (other == NULL)
            continue;
        if (strcmp(other, e->method) == 0) {
            limit = "more than";
            other = ph_body_recommended(all[i], NULL);
        }
        render_text(r,
                    markdown ? " If the torque is %s %g %% of the kinetic energy: `%s`."
                             : "  with a torque of %s %g %% of the kinetic energy: %s\n",
                    limit, 100.0 * PH_BODY_WEAK, other);
    }
}

/* Prints the lines of a text, each after a beginning. */
static void print_lines(rendering *r, const char *begin, const char *text)
{
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        render_text(r, "%s%.*s\n", begin, (int)length, text);
        text += length + (text[length] == '\n');
    }
}

/* Prints what an integrator is: its order, and what it keeps. */
static void print_integrator(rendering *r, const entry *e)
{
    const char *const when[] = {"keeps", "without torque"};
    const unsigned kept[] = {e->keeps, e->keeps_free};
    if (e->ordered && e->order == PH_ORDER_EXACT)
        render_text(r, "  order: exact, only round-off\n");
    else if (e->ordered)
        render_text(r, "  order: %d%s\n", e->order,
                    text_if(e->adaptive, ", and the method chooses its steps"));
    for (int k = 0; k < 2 && e->integrator; k++) {
        const char *list = "";
        for (size_t i = 0; i < PH_KEEPS_COUNT; i++) {
            if ((kept[k] >> i & 1U) != 0)
                list = memory_list(list, keeps_names[i]);
        }
        if (k == 0 || kept[0] != kept[1])
            render_text(r, "  %s: %s\n", when[k], *list ? list : "nothing");
    }
}

/* Prints the parameters of a problem: a table, or two lines each. */
static void print_parameters(rendering *r, const entry *e)
{
    const bool markdown = r->as == AS_MARKDOWN;
    parameter_words p;
    if (markdown)
        render_words(r, "parameter\tunit\tdefault\trange\tmeaning");
    else
        render_text(r, "\n  Parameters, their defaults, units and ranges:\n");
    for (int i = 0; parameter_at(e, i, &p); i++) {
        const char *unit = "";
        if (strcmp(p.is->unit, "1") != 0)
            unit = memory_text(" %s", p.is->unit);
        if (markdown && p.table)
            render_words(r, "`%s`\t%s\tnone\ta file, rows t,x,y,z\t%s", p.is->name, p.is->unit,
                         p.is->text);
        else if (markdown)
            render_words(r, "`%s`\t%s\t%s\t%s\t%s", p.is->name, p.is->unit, p.value,
                         ph_range_text(p.is->range), p.is->text);
        else if (p.table)
            render_text(r, "    %s=FILE.csv, rows t,x,y,z in s and %s\n        %s\n", p.is->name,
                        p.is->unit, p.is->text);
        else
            render_text(r, "    %s=%s%s, %s\n        %s\n", p.is->name, p.value, unit,
                        ph_range_text(p.is->range), p.is->text);
    }
    render_table(r);
    render_text(r, "%s", text_if(markdown, "\n"));
}

/* Prints the recommended method, and in another line the words that do not fit. */
static void print_recommended(rendering *r, const char *method, const char *other)
{
    enum { WIDTH = 80 };
    const char *line = memory_text("  recommended method: %s%s", method, other);
    size_t length = strlen(line);
    if (length > WIDTH) {
        length = WIDTH;
        while (length > 0 && line[length] != ' ')
            length--;
    }
    render_text(r, "%.*s\n", (int)length, line);
    if (line[length] != '\0')
        render_text(r, "    %s\n", line + length + 1);
}

/* Prints all that is known of one thing. */
static void print_reference(rendering *r, const list_kind *kind, const entry *e)
{
    const bool markdown = r->as == AS_MARKDOWN;
    if (markdown)
        render_text(r, "## `%s`\n\n%s (%s); %s.", e->name, e->title, text_or(e->space, "any"),
                    e->cite);
    else
        render_text(r, "%s - %s\n  %s%s%s; %s\n", e->name, e->title, kind->name,
                    text_if(e->space != NULL, " of the space "), text_or(e->space, ""), e->cite);
    if (!markdown)
        print_integrator(r, e);
    if (e->method != NULL && markdown)
        render_text(r, " Recommended method: `%s`%s.", e->method, other_method(e));
    else if (e->method != NULL)
        print_recommended(r, e->method, other_method(e));
    if (e->method != NULL)
        print_other_start(r, e);
    render_text(r, "%s", text_if(markdown, "\n\n"));
    if (e->equations != NULL) {
        render_text(r, "%s", text_if(!markdown, "\n"));
        print_lines(r, markdown ? "    " : "  ", e->equations);
        render_text(r, "%s", text_if(markdown, "\n"));
    }
    if (e->parameter_count > 0)
        print_parameters(r, e);
}

/* ---- lists ------------------------------------------------------------------------- */

/* What is asked for: one kind, or all of them for NULL; and of methods and problems those
 * of one kind of system, or of all for NULL. */
typedef struct choice {
    const list_kind *kind;
    const char *space;
    const char *name; /* of one thing, or NULL */
    bool reference;   /* all that is known of each */
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

/* Returns what an integrator keeps, a letter each, small where that is without torque alone. */
static const char *letters_of(const entry *e)
{
    char *letters = memory_new(PH_KEEPS_COUNT + 1, 1);
    for (size_t k = 0; k < PH_KEEPS_COUNT; k++) {
        const char letter = keeps_letters[k];
        letters[k] = '.';
        if ((e->keeps >> k & 1U) != 0)
            letters[k] = letter;
        else if ((e->keeps_free >> k & 1U) != 0)
            letters[k] = (char)(letter - 'A' + 'a');
    }
    return letters;
}

static json_t *names_of(unsigned keeps)
{
    json_t *names = json_array();
    for (size_t i = 0; i < PH_KEEPS_COUNT; i++) {
        if ((keeps >> i & 1U) != 0)
            json_add(names, json_string(keeps_names[i]));
    }
    return names;
}

static json_t *parameters_json(const entry *e)
{
    json_t *array = json_array();
    parameter_words p;
    for (int i = 0; parameter_at(e, i, &p); i++) {
        const ph_parameter *is = p.is;
        json_t *value = json_null();
        const char *range = "a CSV file t,x,y,z";
        if (!p.table && is->count == 1)
            value = json_real(e->value[is->first]);
        else if (!p.table)
            value = json_numbers(e->value + is->first, (size_t)is->count, 1);
        if (!p.table)
            range = ph_range_text(is->range);
        json_add(array, json_pack("{ss ss so ss ss}", "name", is->name, "unit", is->unit, "default",
                                  value, "text", is->text, "range", range));
    }
    return array;
}

/* The columns of a table: those that its first entry has. */
typedef struct list_columns {
    bool spaces, orders, marks, letters;
} list_columns;

/* Opens the table of a kind. */
static list_columns begin_kind(rendering *r, const choice *c, const entry *first)
{
    const bool markdown = r->as == AS_MARKDOWN;
    const list_columns have = {.spaces = first->space != NULL && c->space == NULL,
                               .orders = first->ordered,
                               .marks = first->integrator && markdown,
                               .letters = first->integrator && !markdown};
    r->table = (grid){.indent = 2, .width = 80, .right = have.orders ? 2U << have.spaces : 0};
    const char *head =
        memory_text("name%s%s%s", text_if(have.spaces, "\tspace"), text_if(have.orders, "\torder"),
                    text_if(have.letters, "\tkeeps"));
    for (size_t k = 0; have.marks && k < PH_KEEPS_COUNT; k++) {
        head = memory_text("%s\t%s", head, text_or(paper_names[k], keeps_names[k]));
        r->table.marks |= 4U << have.spaces << k;
    }
    render_words(r, "%s\t%s", head, markdown ? "title\tsource" : "title (source)");
    return have;
}

/* Adds an entry to the table: a line, or an object. */
static void render_entry(rendering *r, const list_columns *have, const list_kind *kind,
                         const entry *e)
{
    const bool markdown = r->as == AS_MARKDOWN;
    const bool exact = e->order == PH_ORDER_EXACT;
    const char *quote = text_if(markdown, "`");
    render_item(r, NULL);
    render_cells(r, "name", "%s", memory_text("%s%s%s", quote, e->name, quote));
    render_data(r, "kind title cite", "%s %s %s", kind->name, e->title, e->cite);
    if (have->spaces)
        render_words(r, "%s", e->space);
    if (have->orders && exact)
        render_words(r, "exact");
    else if (have->orders)
        render_words(r, "%d", e->order);
    for (size_t k = 0; have->marks && k < PH_KEEPS_COUNT; k++) {
        const char *without = text_if((e->keeps_free >> k & 1U) != 0, "free");
        render_words(r, "%s", (e->keeps >> k & 1U) != 0 ? "✓" : without);
    }
    if (have->letters)
        render_words(r, "%s", letters_of(e));
    render_words(r, markdown ? "%s\t%s" : "%s (%s)", e->title, e->cite);
    render_value(r, "space", json_text(e->space));
    if (e->ordered && exact)
        render_value(r, "order", json_null());
    else if (e->ordered)
        render_value(r, "order", json_integer(e->order));
    if (strcmp(kind->name, "problem") == 0)
        render_value(r, "parameters", parameters_json(e));
    render_value(r, "equations", json_text(e->equations));
    render_value(r, "method", json_text(e->method));
    if (e->adaptive)
        render_value(r, "adaptive", json_true());
    if (e->integrator)
        render_value(r, "keeps", names_of(e->keeps));
    if (e->integrator && e->keeps_free != e->keeps)
        render_value(r, "keeps_free", names_of(e->keeps_free));
    render_close(r);
}

static int render_tables(rendering *r, const choice *c)
{
    bool any = false;
    const list_kind *kind;
    for (size_t k = 0; (kind = list_kind_at(k)) != NULL; k++) {
        entry e;
        size_t i = 0;
        if (!next_entry(c, kind, &i, &e))
            continue;
        render_text(r, "%s", text_if(any, "\n"));
        if (r->as == AS_TEXT)
            render_text(r, "%s - %s\n", kind->plural, kind->heading);
        else if (c->kind == NULL)
            render_text(r, "## %s\n\n", kind->plural);
        const list_columns have = begin_kind(r, c, &e);
        for (; next_entry(c, kind, &i, &e); i++)
            render_entry(r, &have, kind, &e);
        render_table(r);
        if (have.letters)
            render_text(r, "  keeps: Momentum, Casimirs, Energy, Symmetric, Poisson, sYmplectic;\n "
                           " a small letter: only without torque\n");
        any = true;
    }
    if (!any && r->as == AS_TEXT)
        render_text(r, "There are no %s in this version.\n",
                    c->kind == NULL ? "such things" : c->kind->plural);
    return render_end(r, false, JSON_INDENT(2));
}

/* Prints all that is known of each. */
static int print_references(rendering *r, const choice *c)
{
    bool any = false;
    const list_kind *kind;
    for (size_t k = 0; (kind = list_kind_at(k)) != NULL; k++) {
        entry e;
        for (size_t i = 0; next_entry(c, kind, &i, &e); i++, any = true) {
            render_text(r, "%s", text_if(any && r->as == AS_TEXT, "\n"));
            print_reference(r, kind, &e);
        }
    }
    return EXIT_DONE;
}

/* One thing, by its name. */
static int find_name(const char *name, choice *c, nearest *near_by)
{
    const list_kind *kind;
    for (size_t k = 0; (kind = list_kind_at(k)) != NULL; k++) {
        for (size_t i = 0; kind->at(i).name != NULL; i++) {
            ph_nearest_add(near_by, "%s", kind->at(i).name);
            if (strcmp(kind->at(i).name, name) == 0)
                c->name = name;
        }
    }
    c->reference = true;
    if (c->name != NULL)
        return 0;
    return fail_unknown("", "list or thing", near_by, "`polhode list --help`");
}

static int read_choice(const arguments *given, choice *c)
{
    c->space = argument(given, "--space");
    TRY(refuse_both(given, "--json", "--markdown"));
    REFUSE_IF(given->operands > 1, "`" WORDS "` is a second list: name one, or none for all",
              given->operand[1]);
    nearest lists = {.wrong = ""}, spaces = {.wrong = text_or(c->space, "")};
    if (given->operands == 1)
        lists.wrong = given->operand[0];
    const list_kind *kind;
    for (size_t k = 0; (kind = list_kind_at(k)) != NULL; k++) {
        if (strcmp(lists.wrong, kind->plural) == 0)
            c->kind = kind;
        ph_nearest_add(&lists, "%s", kind->plural);
    }
    if (given->operands == 1 && c->kind == NULL)
        TRY(find_name(given->operand[0], c, &lists));
    bool found = c->space == NULL;
    size_t count;
    const ph_kind *const *kinds = ph_kinds(&count);
    for (size_t i = 0; i < count; i++) {
        found = found || strcmp(c->space, kinds[i]->name) == 0;
        ph_nearest_add(&spaces, "%s", kinds[i]->name);
    }
    if (found)
        return 0;
    return fail_unknown("", "space", &spaces, "`polhode list --help`");
}

/* docs/which_method.md has the reasons. */
static void print_advice(outfile *out)
{
    static const struct {
        const char *method, *task;
    } advice[] = {
        {"exact", "a free body, at any time in one step"},
        {"srkn6_14a+exact", "a body in a potential or a torque of time and attitude"},
        {"aba10_6_4+exact", "the same, if the torque is weak"},
        {"gbs", "any torque, also with wheels or damping, to a tolerance"},
        {"gauss16", "the same to the last digits, for long times"},
        {"srkn6_14a+circle", "pendulums of one mass each, needles"},
        {"rkmkgl6", "coupled pendulums, vortices, spins"},
        {"verlet+exact", "molecules"},
        {"rk4, dop853", "well-known baselines, which conserve nothing"},
    };
    outfile_print(out, "which method to use; polhode check NAME measures what it conserves\n");
    for (size_t i = 0; i < COUNT(advice); i++)
        outfile_print(out, "  %-17s %s\n", advice[i].method, advice[i].task);
    outfile_print(out, "\n");
}

static int list_run(const arguments *given, outfile *out)
{
    choice c = {.reference = argument(given, "--reference") != NULL};
    TRY(read_choice(given, &c));
    rendering r = render_begin(given, out);
    if (given->operands == 0 && r.as == AS_TEXT && !c.reference && c.space == NULL)
        print_advice(out);
    if (c.kind != NULL && c.kind->print != NULL)
        return c.kind->print(&r);
    if (c.reference && r.as != AS_JSON)
        return print_references(&r, &c);
    return render_tables(&r, &c);
}

const command command_list = {"list", list_help, list_run};
