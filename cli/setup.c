/* setup.c - a problem with its parameters, its body and its start, as told. */
#include "setup.h"

#include <math.h>

#include "catalog/find.h"
#include "kind.h"
#include "report.h"
#include "start.h"

int setup_make(setup *s, const scenario *told)
{
    ph_problem *p = &s->problem;
    *p = *find_problem(told->value[SAY_PROBLEM].text);
    int status =
        kind_parameters(told, p->name, p->parameters, p->parameter_count, p->value);
    if (status != 0)
        return status;
    if (p->prepare != NULL)
        p->prepare(p);
    status = start_body(told, &p->body);
    if (status != 0)
        return status;
    s->start = ph_problem_start(p);
    status = start_state(told, p, &s->start);
    if (status == 0 && !isfinite(ph_problem_energy(p, 0.0, &s->start)))
        status = fail_usage("the start is outside the domain of the potential of %s, or "
                            "its energy overflows: choose another attitude or other "
                            "parameters",
                            p->name);
    return status;
}

int setup_accepts(const setup *s, const char *place, const char *name,
                  const ph_integrator *integrator)
{
    const ph_problem *p = &s->problem;
    if (ph_integrator_applies(integrator, p) == PH_OK)
        return 0;
    if (p->internal != NULL || p->velocity_dependent)
        return fail_usage("%s`" WORDS "` needs a torque of time and attitude alone, and "
                          "that of %s depends on the velocity: take mkrk_rk4, or another "
                          "method of Munthe-Kaas",
                          place, name, p->name);
    if (integrator->scheme == NULL)
        return fail_usage("%s`" WORDS
                          "` is a flow, for a free body, and %s has a torque: "
                          "write verlet+%s, or another scheme",
                          place, name, p->name, name);
    return fail_usage("%s%s needs the derivative of the torque, and %s has none: take "
                      "another scheme",
                      place, integrator->scheme->name, p->name);
}

bool setup_in_field(const setup *s)
{
    return s->problem.torque != NULL || s->problem.internal != NULL;
}
