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

#include "base/array.h"
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

double ph_system_errors(const ph_system *s, const ph_system *right, double error[ERROR_COUNT])
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
        *largest = larger_or_nan(*largest, field_error(&f[i], &g[i], !(place && absolute)));
    }
    return larger_or_nan(error[ERROR_SPEED], error[ERROR_PLACE]);
}

/* ---- the step -------------------------------------------------------------------- */

enum { STRETCH = 8, MOST = 512, TRIALS = 80 };
static const double CHANGE = 0.5, RATIO = 1.1, LONGER = 16.0, LEAST = 1e-14, LONGEST = 0x1p60;

/* Systems with steps of h and of h/2, and one that stays in the start, as bytes too. */
enum { COARSE, FINE, START };
typedef struct trial {
    ph_system *const *system;
    size_t size;
    void *start;
} trial;

static ph_status begin_trial(const trial *t, ph_system *s, double h)
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
    ph_status status = begin_trial(t, s[COARSE], h);
    while (status == PH_OK &&
           (steps < STRETCH ||
            (steps < MOST && ph_system_errors(s[COARSE], s[START], errors) < CHANGE))) {
        status = ph_system_run(s[COARSE], STRETCH, NULL);
        steps += STRETCH;
    }
    if (status == PH_OK)
        status = begin_trial(t, s[FINE], 0.5 * h);
    if (status == PH_OK)
        status = ph_system_run(s[FINE], 2 * steps, NULL);
    const double error = status == PH_OK ? ph_system_errors(s[COARSE], s[FINE], errors) : NAN;
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
        double next = sqrt(good) * sqrt(bad);
        if (good == 0.0)
            next = bad / LONGER;
        else if (isinf(bad))
            next = good * LONGER;
        h = copysign(next, h);
    }
    return good;
}

ph_status ph_system_find_step(ph_system *const system[STEP_TRIALS], double sign, double tolerance,
                              double *found)
{
    trial t = {system, ph_system_save(system[START], NULL, 0), NULL};
    t.start = array_create(t.size, 1);
    if (t.start == NULL)
        return PH_NO_MEMORY;
    (void)ph_system_save(system[START], t.start, t.size);
    *found = largest_step(&t, sign, larger_or_nan(tolerance, LEAST));
    free(t.start);
    return PH_OK;
}
