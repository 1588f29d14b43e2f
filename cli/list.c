/* list.c - what there is: flows, schemes, methods, problems, figures. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "polhode/polhode.h"

#include "command.h"
#include "report.h"
#include "standard.h"

enum { JSON };

static const option options[] = {
    [JSON] = {"--json", NULL, "One JSON document instead of text."},
    {0},
};

/* ---- the kinds: adding one is adding a row --------------------------------------------- */

typedef struct entry {
    const char *name, *title, *cite;
    bool integrator; /* order and keeps mean something */
    int order;
    unsigned keeps;
} entry;

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
                   .integrator = true,
                   .order = f->order,
                   .keeps = f->keeps};
}

static size_t none(void)
{
    return 0;
}

static const struct kind {
    const char *name, *plural, *heading;
    size_t (*count)(void);
    entry (*at)(size_t i);
} kinds[] = {
    {"flow", "flows", "integrators of the free body", flow_count, flow_entry},
    {"scheme", "schemes", "ways to put a flow and a field together", none, NULL},
    {"method", "methods", "integrators of a body in a field", none, NULL},
    {"problem", "problems", "bodies, starts and fields", none, NULL},
    {"figure", "figures", "figures and tables of the papers", none, NULL},
};

#define KIND_COUNT (sizeof kinds / sizeof kinds[0])

/* What an integrator can keep, in the order of its bits. */
static const char *const keeps_names[] = {
#define NAME(code, text) text,
    PH_KEEPS_LIST(NAME)
#undef NAME
};

#define KEEPS_COUNT (sizeof keeps_names / sizeof keeps_names[0])

/* ---- as JSON ----------------------------------------------------------------------------*/

static json_t *entry_json(const struct kind *kind, const entry *e)
{
    json_t *object = json_pack("{ssssssss}", "name", e->name, "kind", kind->name, "title",
                               e->title, "cite", e->cite);
    if (!e->integrator)
        return object;
    json_t *keeps = json_array();
    for (size_t i = 0; i < KEEPS_COUNT; i++) {
        if ((e->keeps >> i & 1U) != 0)
            (void)json_array_append_new(keeps, json_string(keeps_names[i]));
    }
    json_t *order = e->order == PH_EXACT ? json_null() : json_integer(e->order);
    (void)json_object_set_new(object, "order", order);
    (void)json_object_set_new(object, "keeps", keeps);
    return object;
}

static int print_json(outfile *out, const struct kind *only)
{
    json_t *array = json_array();
    for (const struct kind *kind = kinds; kind < kinds + KIND_COUNT; kind++) {
        for (size_t i = 0; (only == NULL || only == kind) && i < kind->count(); i++) {
            const entry e = kind->at(i);
            (void)json_array_append_new(array, entry_json(kind, &e));
        }
    }
    char *text = json_dumps(array, JSON_INDENT(2));
    json_decref(array);
    if (text == NULL)
        return fail_memory();
    outfile_write(out, text, strlen(text));
    outfile_print(out, "\n");
    free(text);
    return EXIT_DONE;
}

/* ---- as text --------------------------------------------------------------------------- */

#define HEAD 4 /* letters of a property's name above its column */

/* What the columns of marks are, before the rows and in words after them. */
static void print_marks_head(outfile *out)
{
    outfile_print(out, "  order");
    for (size_t k = 0; k < KEEPS_COUNT; k++)
        outfile_print(out, " %-*.*s", HEAD, HEAD, keeps_names[k]);
}

static void print_marks_foot(outfile *out)
{
    outfile_print(out, "  x: keeps");
    for (size_t k = 0; k < KEEPS_COUNT; k++)
        outfile_print(out, "%s %s", k == 0 ? "" : ",", keeps_names[k]);
    outfile_print(out, "\n");
}

static void print_marks(outfile *out, const entry *e)
{
    if (e->order == PH_EXACT)
        outfile_print(out, "  exact");
    else
        outfile_print(out, "  %5d", e->order);
    for (size_t k = 0; k < KEEPS_COUNT; k++)
        outfile_print(out, " %-*s", HEAD, (e->keeps >> k & 1U) != 0 ? "x" : ".");
}

static int widest(int width, const char *text)
{
    const int length = (int)strlen(text);
    return length > width ? length : width;
}

/* One line an entry, the columns as wide as they need to be. */
static void print_kind(outfile *out, const struct kind *kind)
{
    int name = widest(0, "name"), title = widest(0, "title");
    bool integrators = false;
    for (size_t i = 0; i < kind->count(); i++) {
        const entry e = kind->at(i);
        name = widest(name, e.name);
        title = widest(title, e.title);
        integrators = integrators || e.integrator;
    }
    outfile_print(out, "%s - %s\n  %-*s", kind->plural, kind->heading, name, "name");
    if (integrators)
        print_marks_head(out);
    outfile_print(out, "  %-*s  cite\n", title, "title");
    for (size_t i = 0; i < kind->count(); i++) {
        const entry e = kind->at(i);
        outfile_print(out, "  %-*s", name, e.name);
        if (e.integrator)
            print_marks(out, &e);
        outfile_print(out, "  %-*s  %s\n", title, e.title, e.cite);
    }
    if (integrators)
        print_marks_foot(out);
}

static void print_text(outfile *out, const struct kind *only)
{
    if (only != NULL && only->count() == 0) {
        outfile_print(out, "There are no %s in this version.\n", only->plural);
        return;
    }
    bool first = true;
    for (const struct kind *kind = kinds; kind < kinds + KIND_COUNT; kind++) {
        if ((only != NULL && only != kind) || kind->count() == 0)
            continue;
        if (!first)
            outfile_print(out, "\n");
        print_kind(out, kind);
        first = false;
    }
}

/* ---- the command ----------------------------------------------------------------------- */

/* The kind of that name, or NULL after saying that there is none. */
static const struct kind *find_kind(const char *word)
{
    const char *names[KIND_COUNT];
    for (size_t i = 0; i < KIND_COUNT; i++) {
        names[i] = kinds[i].plural;
        if (strcmp(word, names[i]) == 0)
            return &kinds[i];
    }
    (void)fail_unknown("list of", word, names, KIND_COUNT, "`polhode list --help`");
    return NULL;
}

static int run(const arguments *given)
{
    const struct kind *only = NULL;
    if (given->operands > 1)
        return fail_usage("`" WORDS "` is one list too many: name one, or none for all",
                          given->operand[1]);
    if (given->operands == 1) {
        only = find_kind(given->operand[0]);
        if (only == NULL)
            return EXIT_USAGE;
    }
    outfile *out = outfile_standard();
    if (out == NULL)
        return fail_memory();
    int status = EXIT_DONE;
    if (argument(given, JSON) != NULL)
        status = print_json(out, only);
    else
        print_text(out, only);
    return standard_close(out, status);
}

const command command_list = {
    .name = "list",
    .summary = "what there is: flows, schemes, methods, problems, figures",
    .usage = "list [flows|schemes|methods|problems|figures] [--json]",
    .notes =
        "Shows each with its title and where it is written down; an integrator also\n"
        "with the order of its error (exact: none but round-off) and what it keeps:\n"
        "momentum (angular, in space), casimir (its length), energy, symmetric (a step\n"
        "back undoes a step), poisson and symplectic (the structure of phase space).\n"
        "\nExamples:\n"
        "    polhode list\n"
        "    polhode list flows --json\n",
    .options = options,
    .run = run,
};
