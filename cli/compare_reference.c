/* compare_reference.c - the state that the methods of a comparison are held against. */
#include <math.h>
#include <stdlib.h>

#include "compare.h"
#include "core/extremes.h"
#include "interrupt.h"
#include "report.h"

static bool go_on(void *context, long step, double t)
{
    (void)context;
    (void)step;
    (void)t;
    return !interrupted;
}

static double largest(const compare_request *r)
{
    double errors[ERROR_COUNT], most = 0.0;
    r->space->errors(r->world, errors);
    for (int i = 0; i < ERROR_COUNT; i++)
        most = larger_or_nan(most, errors[i]);
    return most;
}

/* Steps are halved as long as that brings two runs closer to each other. */
static ph_status refine(const compare_request *r, const void *fine, double *floor)
{
    const space *of = r->space;
    const double rounding = of->rounding(r->world, r->time);
    const long fewest = 500, most = 1L << 19;
    double best = INFINITY;
    for (long steps = fewest; steps <= most && !interrupted; steps *= 2) {
        const ph_status status =
            of->run(r->world, fine, r->time / (double)steps, steps, go_on, NULL, NULL);
        if (status != PH_OK)
            return status;
        if (steps > fewest) {
            const double difference = largest(r);
            if (!isfinite(difference))
                return PH_NOT_FINITE;
            if (difference >= best && best < 1e-6)
                break;
            best = difference;
        }
        of->keep(r->world);
        if (best < rounding)
            break;
    }
    *floor = larger_or_nan(rounding, best);
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
    const space *of = r->space;
    out->exact = of->exact != NULL && of->exact(r->world, r->time);
    if (out->exact) {
        of->keep(r->world);
        out->floor = of->rounding(r->world, r->time);
        return isfinite(largest(r)) && isfinite(out->floor)
                   ? 0
                   : fail_reference(r, PH_NOT_FINITE);
    }
    void *fine = NULL;
    const int chosen = of->choose(r->world, "", of->fine(r->world), &fine);
    if (chosen != 0)
        return chosen;
    const ph_status status = refine(r, fine, &out->floor);
    free(fine);
    return status == PH_OK ? 0 : fail_reference(r, status);
}
