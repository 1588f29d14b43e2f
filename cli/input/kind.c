/* kind.c - the kinds of system: the list, and what is common to all. */
#include "kind.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tool.h"
#include "found_kind.h"
#include "problem_file.h"
#include "rotation/vec.h"

enum { KINDS = sizeof kind_rows / sizeof kind_rows[0] };

const system_kind *kind_at(size_t i)
{
    return i < KINDS ? kind_rows[i] : NULL;
}

static const system_kind *kind_named(const char *name)
{
    size_t i = 0;
    while (i < KINDS && strcmp(kind_rows[i]->name, name) != 0)
        i++;
    return kind_at(i);
}

const system_kind *kind_of(const ph_system *s)
{
    return kind_named(ph_system_kind(s));
}

static entry of_all(size_t i, bool methods)
{
    for (size_t k = 0; k < KINDS; k++) {
        entry (*const of_one)(size_t) =
            methods ? kind_rows[k]->method : kind_rows[k]->problem;
        size_t n = 0;
        if (of_one == NULL)
            continue;
        for (entry e = of_one(0); e.name != NULL; e = of_one(++n)) {
            e.space = kind_rows[k]->name;
            if (i-- == 0)
                return e;
        }
    }
    return (entry){0};
}

entry kind_problem(size_t i)
{
    return of_all(i, false);
}

entry kind_method(size_t i)
{
    return of_all(i, true);
}

/* Nothing is set that belongs to another kind. */
static int refuse_foreign(const scenario *input, const system_kind *s,
                          const char *problem)
{
    for (scenario_key key = 0; key < KEY_COUNT; key++) {
        const bool of_start = key < KEY_START_COUNT || key >= KEY_OPTION_COUNT;
        if (input->value[key].is_set && of_start && !s->accepts_key(key))
            return fail_usage("%s does not belong to %s, which is about %s: leave it out",
                              input_place(input, key), problem, s->what);
    }
    return 0;
}

int kind_find(const scenario *input, const system_kind **found, const char **problem)
{
    const setting *given = &input->value[KEY_PROBLEM];
    nearest near_by = {.wrong = given->text};
    entry e;
    if (given->tree != NULL || problem_file_is(given->text)) { /* the user's own */
        const system_kind *body = kind_named("body");
        if (body == NULL)
            return fail_usage("there are no problems of one body: name another problem");
        *found = body;
        *problem = given->text;
        return refuse_foreign(input, body, given->text);
    }
    for (size_t i = 0; (e = kind_problem(i)).name != NULL; i++) {
        const system_kind *kind = kind_named(e.space);
        ph_nearest_add(&near_by, "%s", e.name);
        if (kind == NULL || strcmp(e.name, given->text) != 0)
            continue;
        *found = kind;
        *problem = e.name;
        return refuse_foreign(input, kind, e.name);
    }
    return fail_unknown(input_line(input, given), "problem", &near_by,
                        "`polhode list problems`");
}

static const ph_parameter *find_parameter(const kind_parameter_rows *rows,
                                          const char *name)
{
    for (int i = 0; i < rows->count; i++) {
        if (strcmp(rows->parameters[i].name, name) == 0)
            return &rows->parameters[i];
    }
    return NULL;
}

/* The values of a parameter. */
static int take_values(const scenario *input, const parameter *given,
                       const ph_parameter *p, double *value)
{
    const char *line = input_line(input, &given->value);
    REFUSE_IF(given->value.count != (size_t)p->count,
              "%sparameter %s takes %d number%s, not %zu: write as many", line, p->name,
              p->count, p->count == 1 ? "" : "s", given->value.count);
    for (int k = 0; k < p->count; k++) {
        const double x = given->value.x[k];
        REFUSE_IF(!isfinite(x), "%sparameter %s is not finite: write a number", line,
                  p->name);
        REFUSE_IF(!ph_range_has(p->range, x),
                  "%sparameter %s is %g, and must be %s: choose another value", line,
                  p->name, x, ph_range_text(p->range));
        const bool angle = p->unit != NULL && strcmp(p->unit, "rad") == 0;
        value[p->first + k] = (input->degrees && angle ? PH_PI / 180.0 : 1.0) * x;
    }
    return 0;
}

int kind_parameters(const scenario *input, const char *problem,
                    const kind_parameter_rows *rows, double *value)
{
    char names[400] = "";
    for (size_t i = 0; i < input->parameters; i++) {
        const parameter *given = &input->parameter[i];
        const ph_parameter *p = find_parameter(rows, given->name);
        bool table = false;
        for (int k = 0; k < rows->table_count; k++)
            table = table || strcmp(rows->tables[k].name, given->name) == 0;
        if (table)
            continue;
        for (int k = 0; p == NULL && k < rows->count; k++)
            text_add(names, sizeof names, rows->parameters[k].name);
        for (int k = 0; p == NULL && k < rows->table_count; k++)
            text_add(names, sizeof names, rows->tables[k].name);
        REFUSE_IF(p == NULL, "%sproblem %s has no parameter %s: %s%s",
                  input_line(input, &given->value), problem, given->name,
                  rows->count == 0 ? "leave it out" : "it has ", names);
        TRY(take_values(input, given, p, value));
    }
    return 0;
}

int kind_copy(const void *found, size_t size, void **integrator)
{
    *integrator = malloc(size);
    if (*integrator == NULL)
        return fail_memory();
    memcpy(*integrator, found, size);
    return 0;
}
