/* test_cli_list.c - what the tool lists, and the page of the documentation that is
 * made of it. */
/* Needs kinds, device, lab. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "polhode/system.h"
#include "support/run_tool.h"
#include "system/find.h"

/* The words of a text with one blank between them, as lines may be broken anywhere. */
static char *joined_words(const char *text)
{
    char *all = malloc(strlen(text) + 1), *to = all;
    assert_non_null(all);
    for (; *text != '\0'; text++) {
        const bool blank = *text == ' ' || *text == '\n';
        if (!blank || (to > all && to[-1] != ' '))
            *to++ = blank ? ' ' : *text;
    }
    *to = '\0';
    return all;
}

static void lists(void **state)
{
    (void)state;
    static const char *const keeps[] = {
#define TEXT(code, text) text,
        PH_KEEPS_LIST(TEXT)
#undef TEXT
    };
    size_t count;
    const ph_flow *const *flows = ph_flows(&count);
    tool_run run = RUN("list", "flows", "--json"), text = RUN("list");
    assert_done(&run);
    assert_done(&text);
    char *joined = joined_words(text.out);
    json_t *array = parse_json(run.out);
    tool_run_free(&run);
    assert_int_equal(json_array_size(array), count);
    for (size_t i = 0; i < count; i++) {
        const char *name, *kind, *title, *cite;
        json_t *order, *kept;
        assert_int_equal(json_unpack(json_array_get(array, i), "{ssssssssso so}", "name", &name,
                                     "kind", &kind, "title", &title, "cite", &cite, "order", &order,
                                     "keeps", &kept),
                         0);
        assert_string_equal(name, flows[i]->name);
        assert_string_equal(kind, "flow");
        assert_string_equal(title, flows[i]->title);
        assert_string_equal(cite, flows[i]->cite);
        if (flows[i]->order == PH_ORDER_EXACT)
            assert_true(json_is_null(order));
        else
            assert_int_equal(json_integer_value(order), flows[i]->order);
        unsigned bits = 0;
        for (size_t k = 0; k < json_array_size(kept); k++) {
            for (size_t bit = 0; bit < COUNT(keeps); bit++) {
                if (strcmp(json_string_value(json_array_get(kept, k)), keeps[bit]) == 0)
                    bits |= 1U << bit;
            }
        }
        assert_int_equal(bits, flows[i]->keeps);
        assert_contains(joined, flows[i]->title);
        assert_contains(joined, flows[i]->cite);
    }
    json_decref(array);
    free(joined);
    tool_run_free(&text);

    static const char *const others[] = {"compositions", "schemes", "methods", "problems",
                                         "figures"};
    for (size_t i = 0; i < COUNT(others); i++) {
        run = RUN("list", others[i], "--json");
        assert_done(&run);
        array = parse_json(run.out);
        assert_true(json_is_array(array));
        json_decref(array);
        tool_run_free(&run);
        run = RUN("list", others[i]);
        assert_done(&run);
        assert_contains(run.out, others[i]);
        tool_run_free(&run);
    }
}

/* Every parameter with its unit, its default and a line of text. */
static void check_parameters(const json_t *entry, const ph_problem *p)
{
    const json_t *parameters = json_object_get(entry, "parameters");
    assert_int_equal(json_array_size(parameters), p->parameter_count + p->table_count);
    for (int i = 0; i < p->parameter_count; i++) {
        const ph_parameter *a = &p->parameters[i];
        const json_t *one = json_array_get(parameters, (size_t)i),
                     *value = json_object_get(one, "default");
        assert_string_equal(json_string_value(json_object_get(one, "name")), a->name);
        assert_string_equal(json_string_value(json_object_get(one, "unit")), a->unit);
        assert_string_equal(json_string_value(json_object_get(one, "text")), a->text);
        assert_string_equal(json_string_value(json_object_get(one, "range")),
                            ph_range_text(a->range));
        for (int k = 0; k < a->count; k++) {
            const json_t *number = a->count == 1 ? value : json_array_get(value, (size_t)k);
            assert_true(json_is_real(number));
            assert_true(json_real_value(number) == p->value[a->first + k]);
        }
    }
}

static void compositions_and_problems(void **state)
{
    (void)state;
    size_t count;
    const ph_composition *compositions = ph_compositions(&count);
    tool_run run = RUN("list", "compositions", "--json");
    assert_done(&run);
    json_t *array = parse_json(run.out);
    tool_run_free(&run);
    assert_int_equal(json_array_size(array), count);
    for (size_t i = 0; i < count; i++) {
        const json_t *entry = json_array_get(array, i);
        assert_string_equal(json_string_value(json_object_get(entry, "name")),
                            compositions[i].name);
        assert_string_equal(json_string_value(json_object_get(entry, "kind")), "composition");
        assert_int_equal((int)json_at(entry, "order", 0), compositions[i].order);
    }
    json_decref(array);

    const ph_problem *const *problems = ph_problems(&count);
    run = RUN("list", "problems", "--json");
    assert_done(&run);
    array = parse_json(run.out);
    tool_run_free(&run);
    assert_true(json_array_size(array) > count); /* those of one body come first */
    for (size_t i = 0; i < count; i++) {
        const json_t *entry = json_array_get(array, i);
        assert_string_equal(json_string_value(json_object_get(entry, "name")), problems[i]->name);
        assert_string_equal(json_string_value(json_object_get(entry, "kind")), "problem");
        assert_string_equal(json_string_value(json_object_get(entry, "space")), "body");
        assert_null(json_object_get(entry, "order"));
        check_parameters(entry, problems[i]);
    }
    for (size_t i = count; i < json_array_size(array); i++)
        assert_true(json_array_size(json_object_get(json_array_get(array, i), "parameters")) > 0);
    json_decref(array);
}

/* The number of cells of a row of a table. */
static size_t cells(const char *row)
{
    size_t n = 0;
    for (; *row != '\n' && *row != '\0'; row++)
        n += *row == '|' && row[1] != '\n';
    return n;
}

static void markdown(void **state)
{
    (void)state;
    tool_run run = RUN("list", "flows", "--markdown");
    assert_done(&run);
    static const char head[] = "| name | order | Qy | C | H | symmetric | Poisson | symplectic | "
                               "title | source |\n";
    assert_int_equal(strncmp(run.out, head, sizeof head - 1), 0);
    size_t count, rows = 0;
    const ph_flow *const *flows = ph_flows(&count);
    for (const char *row = run.out; *row != '\0'; row = strchr(row, '\n') + 1, rows++)
        assert_int_equal(cells(row), cells(head));
    assert_int_equal(rows, count + 2);
    for (size_t i = 0; i < count; i++) {
        const char *row = run.out;
        for (size_t k = 0; k < i + 2; k++)
            row = strchr(row, '\n') + 1;
        size_t marks = 0, kept = 0;
        for (const char *c = row; *c != '\n'; c++)
            marks += strncmp(c, "✓", sizeof "✓" - 1) == 0;
        for (unsigned bits = flows[i]->keeps; bits != 0; bits >>= 1)
            kept += bits & 1U;
        assert_int_equal(marks, kept);
    }
    assert_contains(run.out, "| `imr2` | 2 | ✓ | ✓ | ✓ | ✓ |  |  |");
    assert_contains(run.out, "| `exact` | exact |");
    tool_run_free(&run);

    run = RUN("list", "--markdown");
    assert_done(&run);
    assert_contains(run.out, "## flows\n\n| name |");
    assert_contains(run.out,
                    "\n\n## problems\n\n| name | space | title | source |\n|---|---|---|---|\n");
    tool_run_free(&run);
    assert_refused(RUN("list", "--markdown", "--json"), "cannot be used with");
}

/* The marks stand below the heads of their columns. */
static void marks_of_flows(void **state)
{
    (void)state;
    size_t count;
    const ph_flow *const *flows = ph_flows(&count);
    tool_run run = RUN("list", "flows");
    assert_done(&run);
    static const char letters[PH_KEEPS_COUNT + 1] = "MCESPY";
    const char *row = strchr(run.out, '\n') + 1, *head = strstr(row, "keeps   title");
    assert_non_null(head);
    const size_t first = (size_t)(head - row);
    for (size_t i = 0; i < count; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "\n  %s ", flows[i]->name);
        row = strstr(run.out, name) + 1;
        for (size_t k = 0; k < PH_KEEPS_COUNT; k++)
            assert_int_equal(row[first + k], (flows[i]->keeps >> k & 1U) != 0 ? letters[k] : '.');
    }
    tool_run_free(&run);
}

/* The first ten lines say which method to take: each exists, and can do some problem. */
static void which_method(void **state)
{
    (void)state;
    tool_run run = RUN("list"), one = RUN("list", "flows");
    assert_done(&run);
    assert_int_equal(strncmp(run.out, "which method to use;", 20), 0);
    assert_null(strstr(one.out, "which method"));
    const char *line = run.out;
    size_t names = 0;
    for (int i = 1; i < 10; i++) {
        line = strchr(line, '\n') + 1;
        assert_int_equal(strncmp(line, "  ", 2), 0);
        for (const char *at = line + 2; *at != ' '; names++) {
            char name[32];
            ph_problem_facts p;
            bool suits = false;
            const size_t length = strcspn(at, ", ");
            (void)snprintf(name, sizeof name, "%.*s", (int)length, at);
            for (size_t k = 0; !suits && ph_problem_at(k, &p); k++)
                suits = ph_integrator_suits(name, p.name) == PH_OK;
            assert_true(suits);
            at += length + (at[length] == ',' ? 2 : 0);
        }
    }
    assert_true(names >= 9);
    assert_int_equal(strncmp(strchr(line, '\n'), "\n\nflows", 7), 0);
    tool_run_free(&run);
    tool_run_free(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists),
        cmocka_unit_test(marks_of_flows),
        cmocka_unit_test(compositions_and_problems),
        cmocka_unit_test(markdown),
        cmocka_unit_test(which_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
