/* reference.c - runs over a time, and reference solutions. */
#include "lab/measure/reference.h"

#include <math.h>

#include "base/extremes.h"
#include "system/kind.h"

static ph_status create_by(const ph_system_settings *with, const char *integrator, double step,
                           ph_system **out)
{
    ph_system_settings s = *with;
    s.step = step;
    if (integrator != NULL) {
        s.integrator = integrator;
        s.own_integrator = NULL;
    }
    *out = NULL;
    return ph_system_create(&s, out);
}

ph_status ph_run_over(const ph_system_settings *with, const char *integrator, double T,
                      uint64_t steps, const ph_observer *o, ph_system **out)
{
    const ph_status status = create_by(with, integrator, T / (double)steps, out);
    if (status == PH_OK)
        return ph_system_run(*out, steps, o);
    return status;
}

/* Returns what rounding leaves of the motion to an end. */
static double round_off(const ph_system *start, const ph_system *end, double T)
{
    const double otherwise = 1e-13;
    if (start == NULL)
        return 0.0;
    if (ph_kind_of(start)->round_off)
        return ph_kind_of(start)->round_off(start, end, T);
    return otherwise;
}

/* Makes one run after the other, each of twice the steps, until they come no closer. */
static ph_status refine(const ph_system_settings *with, const reference_search *by, double T,
                        reference_solution *out)
{
    const double close = 1e-6;
    for (uint64_t steps = by->fewest; steps <= by->most && !(out->apart < out->floor); steps *= 2) {
        double errors[ERROR_COUNT], distance = INFINITY;
        ph_system *end;
        ph_status status = ph_run_over(with, by->integrator, T, steps, by->observer, &end);
        const bool ended = status == PH_OK && ph_system_steps(end) < steps; /* by the observer */
        if (status == PH_OK && out->end != NULL) {
            distance = ph_system_errors(end, out->end, errors);
            status = isfinite(distance) ? PH_OK : PH_NOT_FINITE;
        }
        if (status != PH_OK || ended || (distance >= out->apart && out->apart < close)) {
            ph_system_destroy(end);
            return status;
        }
        ph_system_destroy(out->end);
        out->end = end;
        out->apart = distance;
        out->floor = round_off(by->start, end, T);
    }
    return PH_OK;
}

ph_status ph_find_reference(const ph_system_settings *with, const reference_search *by, double T,
                            reference_solution *out)
{
    double errors[ERROR_COUNT];
    ph_status status;
    *out = (reference_solution){.apart = INFINITY};
    out->exact = by->exact && create_by(with, by->integrator, T, &out->end) == PH_OK &&
                 ph_kind_of(out->end)->exact != NULL && ph_kind_of(out->end)->exact(out->end, T);
    if (out->exact) {
        out->floor = round_off(by->start, out->end, T);
        if (isfinite(ph_system_errors(out->end, out->end, errors)) && isfinite(out->floor))
            status = PH_OK;
        else
            status = PH_NOT_FINITE;
    } else {
        ph_system_destroy(out->end);
        out->end = NULL;
        status = refine(with, by, T, out);
        out->floor = larger_or_nan(out->floor, out->apart);
    }
    if (status != PH_OK) {
        ph_system_destroy(out->end);
        out->end = NULL;
    }
    return status;
}
