/* space.c - what can move: the list, and what is common to all. */
#include "space.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

extern const space space_body, space_spheres, space_molecules;

const space *const spaces[] = {&space_body, &space_spheres, &space_molecules, NULL};

/* ---- what there is --------------------------------------------------------------- */

static entry of_all(size_t i, bool methods)
{
    for (const space *const *s = spaces; *s != NULL; s++) {
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

entry space_problem(size_t i)
{
    return of_all(i, false);
}

entry space_method(size_t i)
{
    return of_all(i, true);
}

/* ---- the problem ----------------------------------------------------------------- */

static int fail_problem(const scenario *told, const setting *said)
{
    char place[PLACE];
    size_t count = 0;
    while (space_problem(count).name != NULL)
        count++;
    const char **names = calloc(count + 1, sizeof *names);
    if (names == NULL)
        return fail_memory();
    for (size_t i = 0; i < count; i++)
        names[i] = space_problem(i).name;
    const int status = fail_unknown(told_line(told, said, place), "problem", said->text,
                                    names, count, "`polhode list problems`");
    free(names);
    return status;
}

static bool is_of_start(scenario_key key)
{
    return key < SAY_START_COUNT || key >= SAY_OPTION_COUNT;
}

/* Nothing is told that another space is told by. */
static int refuse_foreign(const scenario *told, const space *s, const char *problem)
{
    char place[PLACE];
    for (scenario_key key = 0; key < SAY_COUNT; key++) {
        if (told->value[key].said && is_of_start(key) && !s->takes(key))
            return fail_usage("%s does not belong to %s, which is about %s: leave it out",
                              told_place(told, key, place), problem, s->what);
    }
    return 0;
}

int space_find(const scenario *told, const space **found, const char **problem)
{
    const setting *said = &told->value[SAY_PROBLEM];
    for (const space *const *s = spaces; *s != NULL; s++) {
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

int space_parameters(const scenario *told, const char *problem,
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

int space_keep(const void *found, size_t size, void **integrator)
{
    *integrator = malloc(size);
    if (*integrator == NULL)
        return fail_memory();
    memcpy(*integrator, found, size);
    return 0;
}

int space_order(const void *integrator)
{
    return ph_integrator_order(integrator);
}

/* ---- what is shown --------------------------------------------------------------- */

void space_print_vector(outfile *out, const char *name, ph_vec3 v)
{
    outfile_print(out, "%-15s %.15g, %.15g, %.15g\n", name, v.x, v.y, v.z);
}

void space_print_kept(outfile *out, const char *name, const char *value, double error)
{
    outfile_print(out, "%-15s %-42s ", name, value);
    if (isfinite(error))
        outfile_print(out, "kept to %.1e\n", error);
    else
        outfile_print(out, "too large to compare\n");
}
