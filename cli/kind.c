/* kind.c - the kinds of system: the list, and what is common to all. */
#include "kind.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

extern const system_kind kind_body, kind_spheres, kind_molecules;

const system_kind *const kinds[] = {&kind_body, &kind_spheres, &kind_molecules, NULL};

/* ---- what there is --------------------------------------------------------------- */

static entry of_all(size_t i, bool methods)
{
    for (const system_kind *const *s = kinds; *s != NULL; s++) {
        entry (*const of_one)(size_t) = methods ? (*s)->method : (*s)->problem;
        size_t n = 0;
        for (entry e = of_one(0); e.name != NULL; e = of_one(++n)) {
            e.space = (*s)->name;
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

/* ---- the problem ----------------------------------------------------------------- */

static int fail_problem(const scenario *told, const setting *said)
{
    char place[PLACE];
    size_t count = 0;
    while (kind_problem(count).name != NULL)
        count++;
    const char **names = calloc(count + 1, sizeof *names);
    if (names == NULL)
        return fail_memory();
    for (size_t i = 0; i < count; i++)
        names[i] = kind_problem(i).name;
    const int status = fail_unknown(told_line(told, said, place), "problem", said->text,
                                    names, count, "`polhode list problems`");
    free(names);
    return status;
}

static bool is_of_start(scenario_key key)
{
    return key < SAY_START_COUNT || key >= SAY_OPTION_COUNT;
}

/* Nothing is told that belongs to another kind. */
static int refuse_foreign(const scenario *told, const system_kind *s, const char *problem)
{
    char place[PLACE];
    for (scenario_key key = 0; key < SAY_COUNT; key++) {
        if (told->value[key].said && is_of_start(key) && !s->accepts_key(key))
            return fail_usage("%s does not belong to %s, which is about %s: leave it out",
                              told_place(told, key, place), problem, s->what);
    }
    return 0;
}

int kind_find(const scenario *told, const system_kind **found, const char **problem)
{
    const setting *said = &told->value[SAY_PROBLEM];
    for (const system_kind *const *s = kinds; *s != NULL; s++) {
        size_t i = 0;
        for (entry e = (*s)->problem(0); e.name != NULL; e = (*s)->problem(++i)) {
            if (strcmp(e.name, said->text) != 0)
                continue;
            *found = *s;
            *problem = e.name;
            return refuse_foreign(told, *s, e.name);
        }
    }
    return fail_problem(told, said);
}

const system_kind *kind_of(const ph_system *s)
{
    const system_kind *const *k = kinds;
    while (*k != NULL && strcmp((*k)->name, ph_system_kind(s)) != 0)
        k++;
    return *k;
}

/* ---- its parameters -------------------------------------------------------------- */

/* The names of the parameters of a problem, "a, b and c" without the and. */
#define NAMES 200
static const char *parameter_names(const ph_parameter *parameters, int count,
                                   char text[NAMES])
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count && used < NAMES; i++)
        used += (size_t)snprintf(text + used, NAMES - used, "%s%s", i == 0 ? "" : ", ",
                                 parameters[i].name);
    return text;
}

static const ph_parameter *find_parameter(const ph_parameter *parameters, int count,
                                          const char *name)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(parameters[i].name, name) == 0)
            return &parameters[i];
    }
    return NULL;
}

int kind_parameters(const scenario *told, const char *problem,
                    const ph_parameter *parameters, int count, double *value)
{
    char place[PLACE], names[NAMES];
    for (size_t i = 0; i < told->parameters; i++) {
        const parameter *given = &told->parameter[i];
        const ph_parameter *p = find_parameter(parameters, count, given->name);
        const char *line = told_line(told, &given->value, place);
        if (p == NULL && count == 0)
            return fail_usage("%sproblem %s has no parameter %s: leave it out", line,
                              problem, given->name);
        if (p == NULL)
            return fail_usage("%sproblem %s has no parameter %s: it has %s", line,
                              problem, given->name,
                              parameter_names(parameters, count, names));
        if (given->value.count != (size_t)p->count)
            return fail_usage("%sparameter %s takes %d number%s, not %zu: write as many",
                              line, p->name, p->count, p->count == 1 ? "" : "s",
                              given->value.count);
        for (int k = 0; k < p->count; k++) {
            if (!isfinite(given->value.x[k]))
                return fail_usage("%sparameter %s is not finite: write a number", line,
                                  p->name);
            value[p->first + k] = given->value.x[k];
        }
    }
    return 0;
}

/* ---- its integrators ------------------------------------------------------------- */

int kind_keep(const void *found, size_t size, void **integrator)
{
    *integrator = malloc(size);
    if (*integrator == NULL)
        return fail_memory();
    memcpy(*integrator, found, size);
    return 0;
}

int kind_order(const void *integrator)
{
    return ph_integrator_order(integrator);
}
