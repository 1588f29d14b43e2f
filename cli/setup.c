/* setup.c - a problem with its parameters, its body and its start, as told. */
#include "setup.h"

#include <math.h>

#include "report.h"
#include "space.h"
#include "start.h"

int setup_make(setup *s, const scenario *told)
{
    ph_problem *p = &s->problem;
    *p = *ph_problem_named(told->value[SAY_PROBLEM].text);
    int status =
        space_parameters(told, p->name, p->parameters, p->parameter_count, p->value);
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
        status = fail_usage("the start is outside the domain of the potential of %s, or "
                            "its energy overflows: choose another attitude or other "
                            "parameters",
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
