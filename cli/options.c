/* options.c - options and their values. */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/number.h"
#include "report.h"

#define MESSAGE 256 /* bytes of a part of it */

static size_t option_count(const option *options)
{
    size_t n = 0;
    while (options[n].name != NULL)
        n++;
    return n;
}

/* The index of the option that a word names, its value (after `=`) not counted. */
static size_t option_named(const option *options, const char *word)
{
    const size_t length = strcspn(word, "=");
    size_t i = 0;
    while (options[i].name != NULL && (strlen(options[i].name) != length ||
                                       memcmp(options[i].name, word, length) != 0))
        i++;
    return i;
}

static int unknown_option(const char *command, const option *options, const char *word)
{
    nearest near_by = {.wrong = word};
    for (const option *o = options; o->name != NULL; o++)
        nearest_add(&near_by, "%s", o->name);
    char help[MESSAGE];
    (void)snprintf(help, sizeof help, "`polhode %s --help`", command);
    return fail_unknown("", "option", &near_by, help);
}

int arguments_read(arguments *a, const char *command, const option *options, int argc,
                   char **argv)
{
    const size_t words = (size_t)argc + 1;
    a->options = options;
    a->count = 0;
    a->operands = 0;
    a->given = calloc(words, sizeof *a->given);
    a->operand = calloc(words, sizeof *a->operand);
    if (a->given == NULL || a->operand == NULL)
        return fail_memory();

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
        const size_t which = option_named(options, word);
        if (which == option_count(options))
            return unknown_option(command, options, word);

        const option *o = &options[which];
        const char *equals = strchr(word, '='), *value = "";
        if (o->value == NULL && equals != NULL)
            return fail_usage("%s takes no value: write just %s", o->name, o->name);
        if (o->value != NULL) {
            if (equals != NULL)
                value = equals + 1;
            else if (i + 1 < argc && strncmp(argv[i + 1], "--", 2) != 0)
                value = argv[++i];
            if (*value == '\0')
                return fail_usage("%s needs a value: write %s %s", o->name, o->name,
                                  o->value);
        }
        a->given[a->count].option = which;
        a->given[a->count++].value = value;
    }
    return 0;
}

void arguments_free(arguments *a)
{
    free(a->given);
    free(a->operand);
}

const char *argument(const arguments *a, size_t which)
{
    for (size_t i = a->count; i-- > 0;) {
        if (a->given[i].option == which)
            return a->given[i].value;
    }
    return NULL;
}

int refuse_operands(const arguments *a, const char *command)
{
    if (a->operands == 0)
        return 0;
    return fail_usage("`" WORDS "` belongs to no option: write polhode %s --help for the "
                      "options",
                      a->operand[0], command);
}

int refuse_both(const arguments *a, size_t one, size_t other)
{
    if (argument(a, one) == NULL || argument(a, other) == NULL)
        return 0;
    return fail_usage("%s and %s are both given: leave one out", a->options[one].name,
                      a->options[other].name);
}

int refuse_missing(const option *options, const need *needs, size_t count)
{
    char what[MESSAGE] = "", add[MESSAGE] = "";
    size_t described = 0, added = 0;
    for (size_t i = 0; i < count && described < sizeof what && added < sizeof add; i++) {
        if (needs[i].is_set)
            continue;
        const option *o = &options[needs[i].option];
        const char *name = o->name + strspn(o->name, "-");
        described += (size_t)snprintf(what + described, sizeof what - described,
                                      "%sno %s", described == 0 ? "" : ", ", name);
        added += (size_t)snprintf(add + added, sizeof add - added, " %s %s", o->name,
                                  o->value);
    }
    return described == 0 ? 0 : fail_usage("%s: add%s", what, add);
}

size_t list_length(const char *text)
{
    size_t count = 1;
    for (; *text != '\0'; text++)
        count += *text == ',';
    return count;
}

int read_numbers(const char *name, const char *form, const char *text, size_t n,
                 double *x)
{
    for (size_t i = 0; i < n; i++) {
        const char *at = text;
        const number_status status = number_read(&at, &x[i]);
        const char next = i + 1 < n ? ',' : '\0';
        const size_t length = strcspn(text, ",");
        if (status != NUMBER_OK || (*at != ',' && *at != '\0'))
            return fail_usage("%s: `%.*s` %s: write %s %s", name,
                              (int)(length < 100 ? length : 100), text,
                              number_problem(status), name, form);
        if (*at != next)
            return fail_usage("%s takes %zu number%s, not %s: write %s %s", name, n,
                              n == 1 ? "" : "s", next == ',' ? "fewer" : "more", name,
                              form);
        text = at + 1;
    }
    return 0;
}

int argument_numbers(const arguments *a, size_t which, size_t n, double *x)
{
    return read_numbers(a->options[which].name, a->options[which].value,
                        argument(a, which), n, x);
}
