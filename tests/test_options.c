/* test_options.c - the tables of options: every option of every command, and every part of the
 * start of every kind of system, can be given. */
/* Needs kinds, device, lab, extra. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/named.h"
#include "system/kind.h"
#include "tool/base/command.h"
#include "tool/base/tool.h"
#include "tool/files/memory.h"
#include "tool/files/scenario.h"

#include "tool/base/found_command.h"

static const option *option_of(const option *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    }
    return NULL;
}

static bool has_start(const command *c)
{
    return strstr(c->help, "\n    --inertia ") != NULL &&
           strstr(c->help, "\n    --problem ") != NULL;
}

/* No option of a command has the name of another; each part of a start that is not a list is an
 * option of the commands that take the start of any problem. */
static void test_commands(void **state)
{
    (void)state;
    size_t kinds, with_start = 0;
    const ph_kind *const *kind = ph_kinds(&kinds);
    for (size_t i = 0; i < COUNT(command_rows); i++) {
        const command *c = command_rows[i];
        size_t count;
        const option *list = options_read(c, &count);
        for (size_t n = 0; n < count; n++) {
            if (option_of(list, n, list[n].name) != NULL)
                fail_msg("polhode %s has two options %s", c->name, list[n].name);
        }
        with_start += has_start(c);
        for (size_t k = 0; has_start(c) && k < kinds; k++) {
            for (size_t n = 0; n < kind[k]->start_count; n++) {
                const ph_start_array *f = &kind[k]->start[n];
                char *name = memory_text("--%s", f->name);
                for (char *at = name; *at != '\0'; at++)
                    *at = *at == '_' ? '-' : *at;
                const option *o = option_of(list, count, name);
                if (f->list || f->field == NULL)
                    continue;
                if (o == NULL)
                    fail_msg("polhode %s has no option %s for `%s` of %s", c->name, name, f->name,
                             kind[k]->name);
                if (list_length(o->value) != (size_t)f->width)
                    fail_msg("polhode %s %s %s: `%s` of %s has %d numbers", c->name, name, o->value,
                             f->name, kind[k]->name, f->width);
            }
        }
    }
    assert_true(with_start >= 2);
    memory_free();
}

/* Whether what is given for one part of a start can be given for another of its name, too. */
static bool alike(const ph_start_array *a, const ph_start_array *b)
{
    return a->width == b->width && a->list == b->list && strcmp(a->unit, b->unit) == 0;
}

/* Kinds of system share the options and keys of parts of the start that have the same name, so
 * these must have the same form. A part that has the name of a key of scenarios is read by that
 * key, so the key must be one of a start, with as many numbers. */
static void test_starts(void **state)
{
    (void)state;
    size_t kinds;
    const ph_kind *const *kind = ph_kinds(&kinds);
    for (size_t i = 0; i < kinds; i++) {
        for (size_t n = 0; n < kind[i]->start_count; n++) {
            const ph_start_array *f = &kind[i]->start[n];
            for (size_t k = 0; k < i; k++) {
                const ph_start_array *other =
                    ROW_NAMED(kind[k]->start, kind[k]->start_count, f->name);
                if (other != NULL && !alike(f, other))
                    fail_msg("`%s` of %s has another form than `%s` of %s: give it "
                             "another name",
                             f->name, kind[i]->name, f->name, kind[k]->name);
            }
            for (scenario_key key = 0; key < KEY_COUNT; key++) {
                if (strcmp(f->name, scenario_keys[key].name) != 0)
                    continue;
                fail_msg("`%s` of %s has the name of another key of scenarios: give it "
                         "another name",
                         f->name, kind[i]->name);
            }
        }
    }
}

static void test_alike(void **state)
{
    (void)state;
    const ph_start_array first = {"momenta", NULL, "I/t", "Momenta", "x,y,z", 3, true, "momenta"};
    ph_start_array other = first;
    assert_true(alike(&first, &other));
    other.list = false;
    assert_false(alike(&first, &other));
    other = first;
    other.width = 2;
    assert_false(alike(&first, &other));
    other = first;
    other.unit = "m l/t";
    assert_false(alike(&first, &other));
}

/* A command may have any number of options: none is dropped. */
static void test_many(void **state)
{
    (void)state;
    enum { MANY = 300 };
    const char *help = "polhode many - has many options\n\nOptions:\n"
                       "    --inertia A,B,C\n            Its moments.\n"
                       "    --problem NAME\n            Its problem.\n";
    for (int i = 0; i < MANY; i++)
        help = memory_text("%s    --number%d X\n            Number %d,\n            as text.\n",
                           help, i, i);
    help = memory_text("%s    --help\n            Help.\n", help);
    const command many = {.name = "many", .help = help};
    size_t count, kinds, starts = 0;
    const option *list = options_read(&many, &count);
    const ph_kind *const *kind = ph_kinds(&kinds);
    for (size_t k = 0; k < kinds; k++) {
        for (size_t n = 0; n < kind[k]->start_count; n++) {
            const ph_start_array *f = &kind[k]->start[n];
            bool known = strcmp(f->name, "inertia") == 0;
            for (size_t i = 0; i < k; i++)
                known = known || ROW_NAMED(kind[i]->start, kind[i]->start_count, f->name) != NULL;
            starts += !f->list && f->field != NULL && !known;
        }
    }
    assert_true(starts > 0);
    assert_int_equal(2 + MANY + starts, count);
    const option *last = option_of(list, count, memory_text("--number%d", MANY - 1));
    assert_non_null(last);
    assert_string_equal("X", last->value);
    assert_string_equal(memory_text("Number %d, as text.", MANY - 1), last->text);
    assert_null(option_of(list, count, "--help"));
    memory_free();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_starts),
        cmocka_unit_test(test_alike),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
