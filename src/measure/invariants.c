/* invariants.c - how far what is to be constant moves over a run. */
#include "base/arguments.h"
#include "base/extremes.h"
#include "polhode/measure.h"
#include "rotation/vec.h"
#include "system/run_body.h"

typedef struct watched {
    double energy, casimir; /* at the start */
    ph_vec3 momentum;
    ph_invariant_errors *worst;
} watched;

static void raise_to(double *worst, double error)
{
    *worst = larger_or_nan(*worst, error);
}

static bool watch(void *context, ph_system *system)
{
    const watched *w = context;
    const ph_state now = ph_system_state(system), *s = &now;
    const ph_vec3 moved = sub(ph_state_space_momentum(s), w->momentum);
    raise_to(&w->worst->energy, fabs(ph_system_energy(system) - w->energy));
    raise_to(&w->worst->momentum, norm(moved));
    raise_to(&w->worst->vertical, fabs(moved.z));
    raise_to(&w->worst->casimir, fabs(norm(s->m) - w->casimir));
    raise_to(&w->worst->unit, fabs(sqrt(dot4(s->q, s->q)) - 1));
    return true;
}

ph_status ph_invariant_errors_of(ph_invariant_errors *out, const ph_integrator *i,
                                 const ph_problem *p, double h, long steps)
{
    if (ANY_NULL(out, i, p))
        return PH_NULL_ARGUMENT;
    if (steps < 0)
        return PH_BAD_STEP;
    ph_state s = ph_problem_start(p);
    *out = (ph_invariant_errors){0};
    watched w = {ph_problem_energy(p, 0.0, &s), norm(s.m), ph_state_space_momentum(&s),
                 out};
    const ph_observer o = {watch, &w, 1, NULL, 0};
    uint64_t taken;
    const ph_status status =
        ph_run_body(i, p, &s, h, (uint64_t)steps, PH_PLAIN, &o, &taken);
    out->taken = (long)taken;
    return status;
}
