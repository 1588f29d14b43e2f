/* digits.c - until when the digits hold that a tolerance asks for: a companion run shows the error. */
#include "system/digits.h"

#include <math.h>
#include <stdio.h>

#include "base/arguments.h"
#include "base/choice.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/random.h"
#include "polhode/system.h"

/* ---- a system next to another one ------------------------------------------------ */

bool ph_array_is_state(const ph_array *f)
{
    return (f->use & PH_ARRAY_SHOWN) != 0 && (f->use & PH_ARRAY_DERIVED) == 0;
}

double ph_array_size(const ph_array *f)
{
    double sum = 0.0;
    for (size_t n = 0; n < field_numbers(f); n++)
        sum += *field_number(f, n) * *field_number(f, n);
    const double mean = sqrt(sum / (double)f->count);
    return positive_or_one(mean);
}

enum { SEED = 3 };

ph_status ph_displace(const ph_system *from, ph_system *to, double by, bool places_only)
{
    uint64_t seed = SEED;
    size_t count;
    const ph_array *of_to = ph_system_arrays(to, &count), *of_from = ph_system_arrays(from, &count);
    for (size_t f = 0; f < count; f++) {
        const ph_array *a = &of_from[f];
        const bool moved = !places_only || (a->use & PH_ARRAY_PLACE) != 0;
        const double unit = moved ? by * ph_array_size(a) : 0.0;
        for (size_t n = 0; ph_array_is_state(a) && n < field_numbers(a); n++)
            *field_number(&of_to[f], n) = *field_number(a, n) + unit * between(&seed, -1.0, 1.0);
    }
    return ph_system_changed(to);
}

/* ---- the companion --------------------------------------------------------------- */

/* The promise of a tolerance: so many tolerances for each turn of the body. This far apart, nothing
 * is left of the digits. */
static const double EACH_TURN = 20.0, APART = 0.5, ROUND_OFF = 0x1p-52, WITH_COMPANION = 1.5;
enum { COMPARISONS = 512 };

static double tolerance_of(const ph_system *s)
{
    const ph_array *tolerance;
    if (ph_system_array_named(s, "tolerance", &tolerance) == PH_OK)
        return *tolerance->data[0];
    return NAN;
}

/* The angular velocity, in radians per time. */
static double rate_of(const ph_system *s)
{
    const ph_array *w;
    double sum = 0.0;
    for (size_t n = 0; ph_system_array_named(s, "velocity", &w) == PH_OK && n < field_numbers(w);
         n++)
        sum += *field_number(w, n) * *field_number(w, n);
    return sqrt(sum);
}

ph_status ph_digits_begin(ph_digits *d, ph_system *companion, double end)
{
    if (ANY_NULL(d, companion))
        return PH_NULL_ARGUMENT;
    const double now = ph_system_clock(companion);
    *d = (ph_digits){companion,   now,         end,
                     .next = now, .held = now, .tolerance = tolerance_of(companion),
                     .last = now};
    const ph_observable *estimate; /* a method that has it does not follow the attitude */
    if (ph_system_adaptive(companion) == NULL || isnan(d->tolerance) ||
        ph_system_observable_named(companion, "error_estimate", &estimate) == PH_OK)
        return PH_NOT_APPLICABLE;
    /* Its steps are not those of the run where the longest step limits both: what happens between the
     * times at which the run looks, the companion may see. */
    static const double GOLDEN = 1.6180339887498948482;
    if (companion->kind->own_run != NULL)
        companion->kind->own_run(companion->self)->divided = GOLDEN;
    return PH_OK;
}

/* Where the companion is to meet the run. */
typedef struct meeting {
    ph_digits *d;
    const ph_system *run;
    double time;
} meeting;

static bool is_before(const ph_digits *d, double a, double b)
{
    if (d->begin < d->end)
        return a < b;
    return a > b;
}

static bool is_behind(void *context, ph_system *companion)
{
    const meeting *m = context;
    return is_before(m->d, ph_system_clock(companion), m->time);
}

static bool compare(void *context, ph_system *companion)
{
    const meeting *m = context;
    double errors[ERROR_COUNT];
    (void)ph_system_errors(companion, m->run, errors);
    m->d->apart =
        larger_or_nan(2.0 * errors[ERROR_PLACE], errors[ERROR_SPEED]); /* radians: 2 |dq| */
    return true;
}

ph_status ph_digits_follow(ph_digits *d, const ph_system *s)
{
    if (ANY_NULL(d, s))
        return PH_NULL_ARGUMENT;
    meeting m = {d, s, ph_system_clock(s)};
    d->turned += rate_of(s) * fabs(m.time - d->last);
    d->last = m.time;
    if (m.time != d->end && is_before(d, m.time, d->next))
        return PH_OK;
    d->next = m.time + (d->end - d->begin) / COMPARISONS;
    const ph_observer met = {is_behind, &m, 1, NULL, 0};
    ph_status status = ph_system_run_until(d->companion, d->end, &met);
    if (status == PH_OK)
        status = ph_system_observe_at(d->companion, m.time, compare, &m);
    if (status != PH_OK)
        return status;
    /* The companion has an error too, a part of that of the run. Round-off of a step changes m,
     * and the sum of these changes is that of a random walk. */
    const double turns = larger_or_nan(1.0, d->turned / (2.0 * PH_PI)),
                 round_off = ROUND_OFF * sqrt((double)ph_system_steps(s)) * d->turned,
                 error = WITH_COMPANION * d->apart + round_off,
                 most = EACH_TURN * tolerance_of(s) * turns;
    d->lost = d->lost || !(error <= most && d->apart <= APART);
    if (!d->lost)
        d->held = m.time;
    return PH_OK;
}

/* Whether the error has grown much faster than the square of the time since the digits were lost, as
 * it does if the motion multiplies errors. */
static bool amplifies(const ph_digits *d)
{
    static const double FASTER = 10.0;
    const double part = (d->held - d->begin) / (d->last - d->begin), turned = part * d->turned,
                 turns = larger_or_nan(1.0, turned / (2.0 * PH_PI)),
                 then = EACH_TURN * d->tolerance / PH_COMPANION * turns;
    return d->apart > APART && FASTER * then / (part * part) < d->apart;
}

bool ph_digits_warning(const ph_digits *d, char text[PH_MESSAGE])
{
    if (d == NULL || text == NULL || !d->lost)
        return false;
    char error[PH_MESSAGE / 4];
    if (d->apart > APART)
        (void)snprintf(error, sizeof error, "the attitude is wholly unknown");
    else
        (void)snprintf(error, sizeof error, "it is about %.1g rad", d->apart);
    (void)snprintf(text, PH_MESSAGE,
                   "the requested digits are correct until t = %.4g: later the error of the "
                   "attitude exceeds 20 tolerances per turn, and at t = %.4g %s: %s",
                   d->held, d->last, error,
                   amplifies(d) ? "this motion multiplies every error, as a chaotic one does, so "
                                  "that a smaller tolerance helps little"
                                : "use a smaller tolerance");
    return true;
}
