/* setup.c - a problem with its parameters, its body and its start, as told. */
#include "setup.h"

#include <stdlib.h>

#include "report.h"
#include "start.h"

static int find_problem(const scenario *told, const ph_problem **problem)
{
    char place[PLACE];
    const setting *said = &told->value[SAY_PROBLEM];
    *problem = ph_problem_named(said->text);
    if (*problem != NULL)
        return 0;
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

/* The parameters of the problem: no problem has any. */
static int set_parameters(const setup *s, const scenario *told)
{
    char place[PLACE];
    if (told->parameters == 0)
        return 0;
    const parameter *p = &told->parameter[0];
    return fail_usage("%sproblem %s has no parameter %s: leave it out",
                      told_line(told, &p->value, place), s->problem->name, p->name);
}

int setup_make(setup *s, const scenario *told)
{
    int status = find_problem(told, &s->problem);
    if (status == 0)
        status = set_parameters(s, told);
    if (status != 0)
        return status;
    const ph_problem *p = s->problem;
    const ph_status made = ph_body_from_moments(&s->body, p->J);
    if (made != PH_OK)
        return fail_run("problem %s has a body that cannot be used: %s", p->name,
                        ph_status_text(made));
    status = start_body(told, &s->body);
    if (status != 0)
        return status;
    s->start = (ph_state){.q = p->q, .m = ph_momentum(&s->body, p->w)};
    return start_state(told, &s->body, &s->start);
}

double setup_energy(const setup *s, const ph_state *state)
{
    return ph_energy(&s->body, state);
}
