/* options.c - options and their values. */
#include <assert.h>
#include <string.h>

#include "base/choice.h"
#include "command.h"
#include "system/kind.h"
#include "tool.h"
#include "tool/files/file_text.h"
#include "tool/files/memory.h"
#include "tool/files/scenario.h"

static option *add_option(option **options, size_t *count, option added)
{
    *options = memory_more(*options, *count + 1, sizeof **options);
    (*options)[*count] = added;
    return &(*options)[(*count)++];
}

const char *option_name(const char *key)
{
    char *name = memory_text("--%s", strcmp(key, "file") == 0 ? "out" : key);
    for (char *at = name; *at != '\0'; at++) {
        if (*at == '_')
            *at = '-';
    }
    return name;
}

/* Adds the parts of a start that are options beside those of the help: those that systems of
 * their kind show, if the command takes the start of any problem. Kinds whose parts have the same
 * name share the option; test_options.c checks that its value has the same form for all. */
static void add_start(const command *c, option **options, size_t *count)
{
    size_t all;
    const ph_kind *const *kinds = ph_kinds(&all);
    if (!strstr(c->help, "\n    --inertia ") || !strstr(c->help, "\n    --problem "))
        return;
    for (size_t k = 0; k < all; k++) {
        for (size_t n = 0; n < kinds[k]->start_count; n++) {
            const ph_start_array *f = &kinds[k]->start[n];
            const char *name = option_name(f->name);
            bool known =
                f->list || f->field == NULL || strstr(c->help, memory_text("\n    %s ", name));
            for (size_t i = 0; i < *count && !known; i++)
                known = strcmp((*options)[i].name, name) == 0;
            if (known)
                continue;
            add_option(options, count, (option){name, f->columns, f->text});
        }
    }
}

void options_print_start(const command *c, outfile *out, start_printer *print)
{
    option *options = NULL;
    size_t count = 0;
    add_start(c, &options, &count);
    for (size_t i = 0; i < count; i++)
        print(out, &options[i], options[i].text);
}

const option *options_read(const command *c, size_t *count)
{
    static const char begin[] = "\nOptions:\n", indent[] = "            ";
    const char *line = strstr(c->help, begin) + strlen(begin);
    option *options = memory_new(1, sizeof *options), *last = NULL; /* a command may have none */
    *count = 0;
    for (; *line == ' '; line += strcspn(line, "\n") + 1) {
        const int length = (int)strcspn(line, "\n"), name = (int)strcspn(line + 4, " \n");
        if (line[4] == '-') {
            const int value = 4 + name + (line[4 + name] == ' ');
            if (strncmp(line + 4, "--help", (size_t)name) == 0)
                last = NULL;
            else
                last = add_option(&options, count,
                                  (option){memory_text("%.*s", name, line + 4),
                                           memory_text("%.*s", length - value, line + value), ""});
        } else if (last != NULL && strncmp(line, indent, strlen(indent)) == 0 &&
                   line[strlen(indent)] != '@') {
            last->text = memory_text("%s%s%.*s", last->text, text_if(*last->text != '\0', " "),
                                     length - (int)strlen(indent), line + strlen(indent));
        }
    }
    add_start(c, &options, count);
    return options;
}

/* The option that a word names, its value (after `=`) not counted; or NULL. */
static const option *find_option(const arguments *a, const char *word)
{
    const size_t length = strcspn(word, "=");
    for (const option *o = a->option; o < a->option + a->options; o++) {
        if (strlen(o->name) == length && memcmp(o->name, word, length) == 0)
            return o;
    }
    return NULL;
}

const option *option_named(const arguments *a, const char *name)
{
    const option *o = find_option(a, name);
    assert(o != NULL);
    return o;
}

typedef struct left_out_word {
    const char *word, *by; /* by: the switch of CMake */
} left_out_word;

#include "left_out.h"

bool left_out(const char *word)
{
    const size_t length = strcspn(word, "=");
    for (const left_out_word *w = left_out_rows; w->word != NULL; w++) {
        if (strlen(w->word) != length || strncmp(w->word, word, length) != 0)
            continue;
        (void)fail_usage("%s is not part of this tool, which was built with %s=OFF: build it with "
                         "this switch ON",
                         w->word, w->by);
        return true;
    }
    return false;
}

static int unknown_option(const arguments *a, const char *word)
{
    if (left_out(word))
        return EXIT_USAGE;
    nearest near_by = {.wrong = word};
    for (size_t i = 0; i < a->options; i++)
        ph_nearest_add(&near_by, "%s", a->option[i].name);
    return fail_unknown("", "option", &near_by,
                        memory_text("`polhode %s --help`", a->command->name));
}

int arguments_read(arguments *a, const command *c, int argc, char **argv)
{
    *a = (arguments){.command = c};
    a->option = options_read(c, &a->options);
    a->given = memory_new((size_t)argc, sizeof *a->given);
    a->operand = memory_new((size_t)argc, sizeof *a->operand);

    bool options_over = false;
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (options_over || word[0] != '-' || word[1] == '\0') {
            a->operand[a->operands++] = word;
            continue;
        }
        if (strcmp(word, "--") == 0) {
            options_over = true;
            continue;
        }
        const option *o = find_option(a, word);
        if (o == NULL)
            return unknown_option(a, word);
        const char *equals = strchr(word, '='), *value = "";
        REFUSE_IF(o->value[0] == '\0' && equals != NULL, "%s does not take a value: write %s alone",
                  o->name, o->name);
        if (o->value[0] != '\0') {
            if (equals != NULL)
                value = equals + 1;
            else if (i + 1 < argc && strncmp(argv[i + 1], "--", 2) != 0)
                value = argv[++i];
            REFUSE_IF(*value == '\0', "%s needs a value: write %s %s", o->name, o->name, o->value);
        }
        a->given[a->count].option = o;
        a->given[a->count++].value = value;
    }
    return 0;
}

const char *argument(const arguments *a, const char *name)
{
    const option *o = option_named(a, name);
    for (size_t i = a->count; i-- > 0;) {
        if (a->given[i].option == o)
            return a->given[i].value;
    }
    return NULL;
}

const char *argument_added(const arguments *a, const char *name)
{
    if (find_option(a, name) != NULL)
        return argument(a, name);
    return NULL;
}

int refuse_operands(const arguments *a)
{
    if (a->operands == 0)
        return 0;
    return fail_usage("`" WORDS "` is an unexpected argument: run polhode %s --help for usage",
                      a->operand[0], a->command->name);
}

int refuse_both(const arguments *a, const char *one, const char *other)
{
    if (argument_added(a, one) == NULL || argument_added(a, other) == NULL)
        return 0;
    return fail_usage("%s cannot be used with %s: remove one", one, other);
}

int refuse_missing(const arguments *a, const need *needs, size_t count)
{
    const char *what = "", *add = "";
    for (size_t i = 0; i < count; i++) {
        if (needs[i].is_set)
            continue;
        const option *o = option_named(a, needs[i].option);
        what = memory_list(what, o->name);
        add = memory_text("%s %s %s", add, o->name, o->value);
    }
    REFUSE_IF(what[0] != '\0', "%s %s missing: add%s", what, strchr(what, ',') ? "are" : "is", add);
    return 0;
}

size_t list_length(const char *text)
{
    size_t count = 1;
    for (; *text != '\0'; text++)
        count += *text == ',';
    return count;
}

typedef enum number_kind { PURE_NUMBERS, DURATIONS, QUANTITIES } number_kind;

static number_status read_one(const char **text, number_kind what, size_t i, double *x,
                              const char **unit)
{
    if (what == QUANTITIES)
        return quantity_read(text, &x[i], &unit[i]);
    if (what == DURATIONS)
        return duration_read(text, &x[i]);
    return number_read(text, &x[i]);
}

/* With units after them where they are quantities. */
static int read_list(const char *name, const char *form, const char *text, size_t n, double *x,
                     number_kind what, const char **unit)
{
    for (size_t i = 0; i < n; i++) {
        const char *at = text;
        const number_status status = read_one(&at, what, i, x, unit);
        const bool more = i + 1 < n;
        const size_t length = strcspn(text, ",");
        REFUSE_IF(status != NUMBER_OK || (*at != ',' && *at != '\0'), "%s: `%.*s` %s: write %s %s",
                  name, (int)smaller_size(length, 100), text, number_problem(status), name, form);
        REFUSE_IF(more != (*at == ','), "%s needs %zu number%s, not %s: write %s %s", name, n,
                  plural(n), more ? "fewer" : "more", name, form);
        text = at + 1;
    }
    return 0;
}

int read_numbers(const char *name, const char *form, const char *text, size_t n, double *x)
{
    return read_list(name, form, text, n, x, PURE_NUMBERS, NULL);
}

int read_quantities(const char *name, const char *form, const char *text, size_t n, double *x,
                    const char **unit)
{
    return read_list(name, form, text, n, x, QUANTITIES, unit);
}

int argument_numbers(const arguments *a, const char *name, size_t n, double *x)
{
    return read_numbers(name, option_named(a, name)->value, argument(a, name), n, x);
}

int argument_durations(const arguments *a, const char *name, size_t n, double *x)
{
    return read_list(name, option_named(a, name)->value, argument(a, name), n, x, DURATIONS, NULL);
}
