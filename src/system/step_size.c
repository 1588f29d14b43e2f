/* step_size.c - how far two systems are apart, and the step of a splitting for a tolerance.
 *
 * A splitting keeps the structure of the motion as long as its step is constant. So the step is
 * chosen before the run: steps of h and twice as many of h/2 from the start are to be apart by
 * no more than the tolerance, which is the error of the former. There are STRETCH of them, or
 * as many, up to MOST, as the state needs to change by CHANGE: about half a radian. It is the
 * largest such step up to RATIO, found by steps that become longer or shorter and then by
 * halving the interval in which it is.
 */
#include <math.h>
#include <stdlib.h>

#include "base/extremes.h"
#include "system/kind.h"

/* ---- errors ---------------------------------------------------------------------- */

/* Numbers count in units next to the largest. */
static double field_error(const ph_array *f, const ph_array *right, bool relative)
{
    double largest = 0.0, off = 0.0, size = 0.0;
    for (size_t n = 0; n < field_numbers(f); n++)
        largest = larger_or_nan(largest, fabs(*field_number(right, n)));
    if (largest == 0.0)
        largest = 1.0;
    for (size_t n = 0; n < field_numbers(f); n++) {
        const double x = *field_number(right, n) / largest,
                     d = (*field_number(f, n) - *field_number(right, n)) / largest;
        off += d * d;
        size += x * x;
    }
    return relative && size > 0.0 ? sqrt(off / size) : sqrt(off) * largest;
}

double ph_system_errors(const ph_system *s, const ph_system *right,
                        double error[ERROR_COUNT])
{
    size_t count;
    const ph_array *f = ph_system_arrays(s, &count), *g = ph_system_arrays(right, &count);
    const bool absolute = ph_kind_of(s)->absolute_places;
    error[ERROR_SPEED] = error[ERROR_PLACE] = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (!(f[i].use & PH_ARRAY_SHOWN) || (f[i].use & PH_ARRAY_DERIVED))
            continue;
        const bool place = (f[i].use & PH_ARRAY_PLACE) != 0;
        double *largest = &error[place ? ERROR_PLACE : ERROR_SPEED];
        *largest =
            larger_or_nan(*largest, field_error(&f[i], &g[i], !(place && absolute)));
    }
    return larger_or_nan(error[ERROR_SPEED], error[ERROR_PLACE]);
}

/* ---- the step -------------------------------------------------------------------- */

enum { STRETCH = 8, MOST = 512, TRIALS = 80 };
static const double CHANGE = 0.5, RATIO = 1.1, LONGER = 16.0, LEAST = 1e-14,
                    LONGEST = 0x1p60;

/* Systems with steps of h and of h/2, and one that stays in the start, as bytes too. */
enum { COARSE, FINE, START, SYSTEMS };
typedef struct trial {
    ph_system *system[SYSTEMS];
    size_t size;
    void *start;
} trial;

static ph_status begin(const trial *t, ph_system *s, double h)
{
    const ph_status status = ph_system_restore(s, t->start, t->size);
    return status == PH_OK ? ph_system_set_step(s, h) : status;
}

/* Infinite where a step fails. */
static double apart(const trial *t, double h)
{
    ph_system *const *s = t->system;
    double errors[ERROR_COUNT];
    uint64_t steps = 0;
    ph_status status = begin(t, s[COARSE], h);
    while (status == PH_OK &&
           (steps < STRETCH ||
            (steps < MOST && ph_system_errors(s[COARSE], s[START], errors) < CHANGE))) {
        status = ph_system_run(s[COARSE], STRETCH, NULL);
        steps += STRETCH;
    }
    if (status == PH_OK)
        status = begin(t, s[FINE], 0.5 * h);
    if (status == PH_OK)
        status = ph_system_run(s[FINE], 2 * steps, NULL);
    const double error =
        status == PH_OK ? ph_system_errors(s[COARSE], s[FINE], errors) : NAN;
    return isnan(error) ? INFINITY : error;
}

/* The largest step that is good enough, 0: none was found. */
static double largest_step(const trial *t, double h, double tolerance)
{
    double good = 0.0, bad = INFINITY;
    for (int n = 0; n < TRIALS && !(bad <= RATIO * good) && fabs(h) < LONGEST; n++) {
        if (apart(t, h) <= tolerance)
            good = fabs(h);
        else
            bad = fabs(h);
        const double next = good == 0.0  ? bad / LONGER
                            : isinf(bad) ? good * LONGER
                                         : sqrt(good) * sqrt(bad);
        h = copysign(next, h);
    }
    return good;
}

ph_status ph_settings_find_step(const ph_system_settings *settings, ph_system *s)
{
    ph_system_settings quiet = *settings;
    quiet.tolerance = 0.0;
    quiet.derivatives = 0;
    quiet.message = NULL;
    quiet.warn = NULL;
    quiet.step = settings->step < 0.0 ? -1.0 : 1.0;
    trial t = {.size = 0};
    ph_status status = PH_OK;
    for (int k = 0; k < SYSTEMS && status == PH_OK; k++)
        status = ph_system_create(&quiet, &t.system[k]);
    if (status == PH_OK) {
        t.size = ph_system_save(t.system[START], NULL, 0);
        t.start = malloc(t.size);
        status = t.start != NULL ? PH_OK : PH_NO_MEMORY;
    }
    if (status == PH_OK) {
        (void)ph_system_save(t.system[START], t.start, t.size);
        const double found = largest_step(&t, quiet.step,
                                          larger_or_nan(settings->tolerance, LEAST)),
                     whole = settings->step; /* is to be a whole number of steps */
        s->h = copysign(found, quiet.step);
        s->longest = found;
        if (whole != 0.0 && found > 0.0)
            s->h = whole / ceil(fabs(whole) / found);
        if (found == 0.0)
            status = ph_settings_refuse(
                settings, PH_NO_CONVERGENCE, PH_SETTING_TOLERANCE,
                "tolerance %g: no step is short enough for it: take a larger one",
                settings->tolerance);
    }
    free(t.start);
    for (int k = 0; k < SYSTEMS; k++)
        ph_system_destroy(t.system[k]);
    return status;
}
