/* compare_reference.c - the state that the methods of a comparison are held against. */
#include <math.h>
#include <stdlib.h>

#include "compare.h"
#include "core/extremes.h"
#include "interrupt.h"
#include "report.h"
#include "show.h"

static bool go_on(void *context, ph_system *s)
{
    (void)context;
    (void)s;
    return !interrupted;
}

static double largest(const ph_system *s, const ph_system *right)
{
    double errors[ERROR_COUNT], most = 0.0;
    show_errors(s, right, errors);
    for (int i = 0; i < ERROR_COUNT; i++)
        most = larger_or_nan(most, errors[i]);
    return most;
}

/* The system at the end of a run. */
static ph_status run_to_end(const compare_request *r, const void *integrator, long steps,
                            ph_system **out)
{
    const ph_observer o = {go_on, NULL, 1, NULL, 0};
    const ph_status made =
        r->kind->make(r->input, integrator, r->time / (double)steps, 0, out);
    return made == PH_OK ? ph_system_run(*out, (uint64_t)steps, &o) : made;
}

/* Steps are halved as long as that brings two runs closer to each other. */
static ph_status refine(const compare_request *r, const void *integrator,
                        compare_reference *out)
{
    const long fewest = 500, most = 1L << 19;
    double best = INFINITY, rounding = 0.0;
    for (long steps = fewest; steps <= most && !interrupted; steps *= 2) {
        ph_system *end = NULL;
        ph_status status = run_to_end(r, integrator, steps, &end);
        const double difference =
            status == PH_OK && out->end != NULL ? largest(end, out->end) : 0.0;
        if (status == PH_OK && !isfinite(difference))
            status = PH_NOT_FINITE;
        if (status != PH_OK) {
            ph_system_free(end);
            return status;
        }
        if (out->end != NULL) {
            if (difference >= best && best < 1e-6) {
                ph_system_free(end);
                break;
            }
            best = difference;
        }
        ph_system_free(out->end);
        out->end = end;
        rounding = r->kind->round_off(r->input, end, r->time);
        if (best < rounding)
            break;
    }
    out->floor = larger_or_nan(rounding, best);
    return PH_OK;
}

static int fail_reference(const compare_request *r, ph_status status)
{
    return fail_run("no reference solution of %s was found, %s: take a shorter time, or "
                    "other units",
                    r->problem, ph_status_text(status));
}

int compare_find_reference(const compare_request *r, compare_reference *out)
{
    const system_kind *of = r->kind;
    out->end = of->exact != NULL ? of->exact(r->input, r->time) : NULL;
    out->exact = out->end != NULL;
    if (out->exact) {
        out->floor = of->round_off(r->input, out->end, r->time);
        return isfinite(largest(out->end, out->end)) && isfinite(out->floor)
                   ? 0
                   : fail_reference(r, PH_NOT_FINITE);
    }
    void *integrator = NULL;
    const int chosen =
        of->choose(r->input, "", of->reference_integrator(r->input), &integrator);
    if (chosen != 0)
        return chosen;
    const ph_status status = refine(r, integrator, out);
    free(integrator);
    return status == PH_OK ? 0 : fail_reference(r, status);
}
