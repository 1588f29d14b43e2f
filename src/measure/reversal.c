/* reversal.c - a step there and back: with the time reversed, and with the momentum. */
#include "base/arguments.h"
#include "polhode/measure.h"
#include "rotation/vec.h"

static ph_state reversed(ph_state s)
{
    return (ph_state){s.q, scale(-1, s.m)};
}

ph_status ph_symmetry_defect(double *defect, const ph_integrator *i, const ph_problem *p,
                             const ph_state *s, double h)
{
    if (ANY_NULL(defect, i, p, s))
        return PH_NULL_ARGUMENT;
    ph_state there = *s;
    ph_status status = ph_integrator_step(i, p, &there, 0.0, h);
    if (status == PH_OK)
        status = ph_integrator_step(i, p, &there, h, -h);
    if (status == PH_OK)
        *defect = ph_state_distance(&there, s);
    return status;
}

ph_status ph_reversal_defect(double *defect, const ph_integrator *i, const ph_problem *p,
                             const ph_state *s, double h)
{
    if (ANY_NULL(defect, i, p, s))
        return PH_NULL_ARGUMENT;
    ph_state there = *s;
    ph_status status = ph_integrator_step(i, p, &there, 0.0, h);
    there = reversed(there);
    if (status == PH_OK)
        status = ph_integrator_step(i, p, &there, 0.0, h);
    there = reversed(there);
    if (status == PH_OK)
        *defect = ph_state_distance(&there, s);
    return status;
}
