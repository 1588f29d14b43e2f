/* list.c - what there is: flows, compositions, schemes, methods, problems, figures. */
#include <string.h>

#include "command.h"
#include "io/json.h"
#include "kind.h"
#include "list.h"
#include "report.h"
#include "standard.h"

#define MOST_KINDS 32

enum { SPACE, JSON, MARKDOWN };

static const option options[] = {
    [SPACE] = {"--space", "NAME",
               "Of methods and problems those that move one body, or spheres."},
    [JSON] = {JSON_OPTION},
    [MARKDOWN] = {MARKDOWN_OPTION},
    {0},
};

/* ---- as JSON --------------------------------------------------------------------- */

static json_t *names_of(unsigned keeps)
{
    json_t *names = json_array();
    for (size_t i = 0; i < PH_KEEPS_COUNT; i++) {
        if ((keeps >> i & 1U) != 0)
            (void)json_array_append_new(names, json_string(keeps_names[i]));
    }
    return names;
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
            array, json_pack("{sssssoss}", "name", p->name, "unit", p->unit, "default",
                             default_json(p, e->value), "text", p->text));
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
    if (!e->integrator)
        return object;
    (void)json_object_set_new(object, "keeps", names_of(e->keeps));
    if (e->keeps_free != e->keeps)
        (void)json_object_set_new(object, "keeps_free", names_of(e->keeps_free));
    return object;
}

static int print_json(outfile *out, const list_choice *choice)
{
    json_t *array = json_array();
    for (const list_kind *kind = list_kinds; kind->name != NULL; kind++) {
        entry e;
        for (size_t i = 0; list_next(choice, kind, &i, &e); i++)
            (void)json_array_append_new(array, entry_json(kind, &e));
    }
    if (!json_write(out, array, JSON_INDENT(2)))
        return fail_memory();
    outfile_print(out, "\n");
    return EXIT_DONE;
}

/* ---- the command ----------------------------------------------------------------- */

/* The kind of that name, or NULL after saying that there is none. */
static const list_kind *find_kind(const char *word)
{
    const char *names[MOST_KINDS];
    size_t count = 0;
    for (; count < MOST_KINDS && list_kinds[count].name != NULL; count++) {
        names[count] = list_kinds[count].plural;
        if (strcmp(word, names[count]) == 0)
            return &list_kinds[count];
    }
    (void)fail_unknown("", "list of", word, names, count, "`polhode list --help`");
    return NULL;
}

/* Whether there is a space of that name; says so if there is none. */
static int check_space(const char *word)
{
    const char *names[MOST_KINDS];
    size_t count = 0;
    for (; word != NULL && count < MOST_KINDS && kinds[count] != NULL; count++) {
        names[count] = kinds[count]->name;
        if (strcmp(word, names[count]) == 0)
            return 0;
    }
    return word == NULL
               ? 0
               : fail_unknown("", "space", word, names, count, "`polhode list --help`");
}

static int run(const arguments *given)
{
    list_choice choice = {.space = argument(given, SPACE)};
    const int both = refuse_both(given, JSON, MARKDOWN);
    if (both != 0)
        return both;
    if (given->operands > 1)
        return fail_usage("`" WORDS "` is one list too many: name one, or none for all",
                          given->operand[1]);
    if (given->operands == 1) {
        choice.kind = find_kind(given->operand[0]);
        if (choice.kind == NULL)
            return EXIT_USAGE;
    }
    const int unknown = check_space(choice.space);
    if (unknown != 0)
        return unknown;
    outfile *out = outfile_standard();
    if (out == NULL)
        return fail_memory();
    int status = EXIT_DONE;
    if (argument(given, JSON) != NULL)
        status = print_json(out, &choice);
    else if (argument(given, MARKDOWN) != NULL)
        list_markdown(out, &choice);
    else
        list_text(out, &choice);
    return standard_close(out, status);
}

const command command_list = {
    .name = "list",
    .summary = "what there is: flows, compositions, problems",
    .usage = "list [KIND] [--space NAME] [--json | --markdown]",
    .notes =
        "KIND is flows, compositions, schemes, methods, problems or figures.\n"
        "\nShows each with its title and where it is written down; an integrator also\n"
        "with the order of its error (exact: none but round-off) and what it keeps:\n"
        "momentum (angular, in space), casimir (its length), energy, symmetric (a step\n"
        "back undoes a step), poisson and symplectic (the structure of phase space).\n"
        "\nExamples:\n"
        "    polhode list\n"
        "    polhode list flows --json\n"
        "    polhode list methods --space spheres\n"
        "    polhode list flows --markdown\n",
    .options = options,
    .run = run,
};
