#include "support/stepping.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/measure/properties.h"
#include "motion/vec.h"

ph_integrator integrator_of(const char *name)
{
    ph_integrator i = {0};
    if (ph_integrator_named(name, &i) != PH_OK)
        fail_msg("there is no %s", name);
    return i;
}

ph_state by(const char *name, const ph_problem *p, ph_state s, double t, double h)
{
    const ph_integrator i = integrator_of(name);
    const ph_status status = ph_integrator_step(&i, p, &s, t, h);
    if (status != PH_OK)
        fail_msg("%s on %s: %s", name, p->name, ph_status_text(status));
    return s;
}

ph_problem free_problem_of(ph_body b)
{
    return (ph_problem){.name = "free", .body = b, .q = {1, 0, 0, 0}};
}

ph_state after_steps(const ph_integrator *i, const ph_problem *p, ph_state s, double h,
                     uint64_t steps)
{
    uint64_t taken;
    const ph_status status = ph_run_body(i, p, &s, h, steps, 0, NULL, &taken);
    char name[PH_INTEGRATOR_NAME];
    if (status != PH_OK || taken != steps)
        fail_msg("%s on %s, %llu steps of %g: %s", ph_integrator_name(i, name),
                 p->name ? p->name : "a problem", (unsigned long long)taken, h,
                 ph_status_text(status));
    return s;
}

double relative_distance(ph_state a, ph_state b)
{
    const double unit = 1 / norm_max(b.m);
    a.m = scale(unit, a.m);
    b.m = scale(unit, b.m);
    return ph_state_distance(&a, &b);
}
