/* digits.c - until when the digits of a run hold that its tolerance asks for: a companion at a
 * larger tolerance, which begins that much beside it, shows how the motion magnifies errors. */
#include <math.h>

#include "base/arguments.h"
#include "base/extremes.h"
#include "measure/common.h"

/* Errors of steps add up. Beyond so many times their sum it is the motion that magnifies them;
 * this far apart, nothing is left of them. */
static const double MAGNIFIED = 100.0, APART = 0.5;
enum { COMPARISONS = 512 };

ph_status ph_digits_begin(ph_digits *d, ph_system *companion, double end)
{
    if (ANY_NULL(d, companion))
        return PH_NULL_ARGUMENT;
    const double now = ph_system_time(companion);
    *d = (ph_digits){companion, now, end, .next = now, .held = now};
    const ph_array *tolerance;
    if (ph_system_adaptive(companion) == NULL ||
        ph_system_array_named(companion, "tolerance", &tolerance) != PH_OK)
        return PH_NOT_APPLICABLE;
    d->tolerance = *tolerance->data[0];
    return ph_displace(companion, companion, d->tolerance, false);
}

/* Where the companion is to meet the run. */
typedef struct meeting {
    ph_digits *d;
    const ph_system *run;
    double time;
} meeting;

static bool is_before(const ph_digits *d, double a, double b)
{
    return d->begin < d->end ? a < b : a > b;
}

static bool is_behind(void *context, ph_system *companion)
{
    const meeting *m = context;
    return is_before(m->d, ph_system_time(companion), m->time);
}

static bool compare(void *context, ph_system *companion)
{
    const meeting *m = context;
    double errors[ERROR_COUNT];
    m->d->apart = ph_system_errors(companion, m->run, errors);
    return true;
}

ph_status ph_digits_follow(ph_digits *d, const ph_system *s)
{
    if (ANY_NULL(d, s))
        return PH_NULL_ARGUMENT;
    meeting m = {d, s, ph_system_time(s)};
    if (m.time != d->end && is_before(d, m.time, d->next))
        return PH_OK;
    d->next = m.time + (d->end - d->begin) / COMPARISONS;
    const ph_observer met = {is_behind, &m, 1, NULL, 0};
    ph_status status = ph_system_run_until(d->companion, d->end, &met);
    if (status == PH_OK)
        status = ph_system_observe_at(d->companion, m.time, compare, &m);
    if (status != PH_OK)
        return status;
    const double allowed = ((double)ph_system_steps(s) + 1.0) * d->tolerance,
                 most = smaller_or_nan(MAGNIFIED * allowed, APART);
    d->lost = d->lost || !(d->apart <= most);
    if (!d->lost)
        d->held = m.time;
    return PH_OK;
}
