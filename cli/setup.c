/* setup.c - a problem with its parameters, its body and its start, as told. */
#include "setup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report.h"
#include "start.h"

static int find_problem(const scenario *told, ph_problem *problem)
{
    char place[PLACE];
    const setting *said = &told->value[SAY_PROBLEM];
    const ph_problem *found = ph_problem_named(said->text);
    if (found != NULL) {
        *problem = *found;
        return 0;
    }
    size_t count;
    const ph_problem *const *problems = ph_problems(&count);
    const char **names = calloc(count + 1, sizeof *names);
    if (names == NULL)
        return fail_memory();
    for (size_t i = 0; i < count; i++)
        names[i] = problems[i]->name;
    const int status = fail_unknown(told_line(told, said, place), "problem", said->text,
                                    names, count, "`polhode list problems`");
    free(names);
    return status;
}

/* The names of the parameters of a problem, "a, b and c" without the and. */
#define NAMES 200
static const char *parameter_names(const ph_problem *p, char text[NAMES])
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < p->parameter_count && used < NAMES; i++)
        used += (size_t)snprintf(text + used, NAMES - used, "%s%s", i == 0 ? "" : ", ",
                                 p->parameters[i].name);
    return text;
}

static int set_parameter(ph_problem *p, const scenario *told, const parameter *given)
{
    char place[PLACE], names[NAMES];
    const ph_parameter *found = ph_problem_parameter(p, given->name);
    const char *line = told_line(told, &given->value, place);
    if (found == NULL && p->parameter_count == 0)
        return fail_usage("%sproblem %s has no parameter %s: leave it out", line, p->name,
                          given->name);
    if (found == NULL)
        return fail_usage("%sproblem %s has no parameter %s: it has %s", line, p->name,
                          given->name, parameter_names(p, names));
    if (given->value.count != (size_t)found->count)
        return fail_usage("%sparameter %s takes %d number%s, not %zu", line, found->name,
                          found->count, found->count == 1 ? "" : "s", given->value.count);
    for (int i = 0; i < found->count; i++) {
        if (!isfinite(given->value.x[i]))
            return fail_usage("%sparameter %s is not finite: write a number", line,
                              found->name);
        p->value[found->first + i] = given->value.x[i];
    }
    return 0;
}

int setup_make(setup *s, const scenario *told)
{
    ph_problem *p = &s->problem;
    int status = find_problem(told, p);
    for (size_t i = 0; i < told->parameters && status == 0; i++)
        status = set_parameter(p, told, &told->parameter[i]);
    if (status != 0)
        return status;
    if (p->prepare != NULL)
        p->prepare(p);
    const ph_status made = ph_body_from_moments(&s->body, p->J);
    if (made != PH_OK)
        return fail_run("problem %s has a body that cannot be used: %s", p->name,
                        ph_status_text(made));
    status = start_body(told, &s->body);
    if (status != 0)
        return status;
    p->J = s->body.J;
    if (!s->body.principal && p->torque != NULL)
        return fail_usage("the field of %s is given in principal axes: write --inertia "
                          "instead of --tensor",
                          p->name);
    s->start = (ph_state){.q = p->q, .m = ph_momentum(&s->body, p->w)};
    status = start_state(told, &s->body, &s->start);
    if (status == 0 && !isfinite(setup_energy(s, &s->start)))
        status = fail_usage("the start is outside the domain of the potential of %s: "
                            "choose another attitude",
                            p->name);
    return status;
}

static bool flow_alone(const ph_integrator *integrator)
{
    return integrator->method == NULL && integrator->scheme == NULL;
}

int setup_accepts(const setup *s, const char *place, const char *name,
                  const ph_integrator *integrator)
{
    const ph_problem *p = &s->problem;
    const ph_scheme *scheme = integrator->scheme;
    if (p->torque != NULL && flow_alone(integrator))
        return fail_usage("%s`" WORDS
                          "` is a flow, for a free body, and %s has a torque: "
                          "write verlet+%s, or another scheme",
                          place, name, p->name, name);
    if (p->torque != NULL && scheme != NULL && scheme->gradient != NULL &&
        p->derivative == NULL)
        return fail_usage(
            "%s%s needs the derivative of the torque, and %s has none: take "
            "another scheme",
            place, scheme->name, p->name);
    if (!s->body.principal && !flow_alone(integrator))
        return fail_usage("%s`" WORDS
                          "` works in principal axes: write --inertia instead "
                          "of --tensor, or take a flow",
                          place, name);
    return 0;
}

bool setup_in_field(const setup *s)
{
    return s->problem.torque != NULL;
}

double setup_energy(const setup *s, const ph_state *state)
{
    return s->problem.potential ? ph_problem_energy(&s->problem, state)
                                : ph_energy(&s->body, state);
}

ph_status setup_run(const setup *s, const ph_integrator *integrator, ph_state *state,
                    double h, long steps, ph_observer *observer, void *context,
                    long *taken)
{
    if (s->problem.torque == NULL && flow_alone(integrator))
        return ph_run(integrator, &s->body, state, h, steps, observer, context, taken);
    return ph_run_problem(integrator, &s->problem, state, h, steps, observer, context,
                          taken);
}
