#include "support/stepping.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/vec.h"
#include "polhode/measure.h"

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

double relative_distance(ph_state a, ph_state b)
{
    const double unit = 1 / norm_max(b.m);
    a.m = scale(unit, a.m);
    b.m = scale(unit, b.m);
    return ph_state_distance(&a, &b);
}
