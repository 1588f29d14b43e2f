/* step_size.c - how far two systems are apart, and the step of a splitting for a tolerance.
 *
 * A splitting keeps the structure of the motion as long as its step is constant. So the step is
 * chosen before the run: steps of h and twice as many of h/2 from the start are to be apart by
 * no more than the tolerance, which is the error of the former. There are STRETCH of them, or
 * as many, up to MOST, as the state needs to change by CHANGE: about half a radian. It is the
 * largest such step up to RATIO, found by steps that become longer or shorter and then by
 * halving the interval in which it is.
 *
 * Where it is known at which times the torque or the wheels change, the run is divided there. Each
 * part has its own step, found where the part begins, and a whole number of these steps.
 */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/choice.h"
#include "base/extremes.h"
#include "integrators/changes.h"
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
    if (relative && size > 0.0)
        return sqrt(off / size);
    return sqrt(off) * largest;
}

/* Errors of fields against the right ones. */
static double errors_of(const ph_kind *kind, const ph_array *f, const ph_array *right, size_t count,
                        double error[ERROR_COUNT])
{
    error[ERROR_SPEED] = error[ERROR_PLACE] = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (!(f[i].use & PH_ARRAY_SHOWN) || (f[i].use & PH_ARRAY_DERIVED))
            continue;
        const bool place = (f[i].use & PH_ARRAY_PLACE) != 0;
        double *largest = &error[place ? ERROR_PLACE : ERROR_SPEED];
        *largest = larger_or_nan(*largest,
                                 field_error(&f[i], &right[i], !(place && kind->absolute_places)));
    }
    return larger_or_nan(error[ERROR_SPEED], error[ERROR_PLACE]);
}

double ph_system_errors(const ph_system *s, const ph_system *right, double error[ERROR_COUNT])
{
    size_t count;
    const ph_array *f = ph_system_arrays(s, &count), *g = ph_system_arrays(right, &count);
    return errors_of(ph_kind_of(s), f, g, count, error);
}

/* ---- what a system shows, copied ---------------------------------------------------- */

static bool is_copied(const ph_array *f)
{
    return (f->use & PH_ARRAY_SHOWN) != 0;
}

/* The fields of a system, with numbers of their own; to be freed, NULL without memory. */
static ph_array *create_copy(const ph_system *s)
{
    size_t numbers = 0;
    for (size_t i = 0; i < s->field_count; i++) {
        if (is_copied(&s->fields[i]))
            numbers += field_numbers(&s->fields[i]);
    }
    const size_t arrays = size_product(s->field_count, sizeof(ph_array)),
                 bytes = size_sum(arrays, size_product(numbers, sizeof(double)));
    ph_array *copy = array_create(bytes, 1);
    if (copy == NULL)
        return NULL;
    double *to = (double *)(copy + s->field_count);
    for (size_t i = 0; i < s->field_count; i++) {
        ph_array *f = &copy[i];
        *f = s->fields[i];
        f->stride = 1;
        for (int k = 0; k < f->width && is_copied(f); k++, to += f->count)
            f->data[k] = to;
    }
    return copy;
}

static void keep_shown(const ph_system *s, ph_array *copy)
{
    for (size_t i = 0; i < s->field_count; i++) {
        for (size_t n = 0; is_copied(&copy[i]) && n < field_numbers(&copy[i]); n++)
            *field_number(&copy[i], n) = *field_number(&s->fields[i], n);
    }
}

/* ---- the step -------------------------------------------------------------------- */

enum { STRETCH = 8, MOST = 512, TRIALS = 80 };
static const double CHANGE = 0.5, RATIO = 1.1, LONGER = 16.0, LEAST = 1e-14, LONGEST = 0x1p60;

/* Steps that a system takes from where it is, to which it goes back. */
typedef struct trial {
    ph_system *s;
    double now;
    double length;            /* of the time that steps may take, or infinite */
    ph_array *start, *coarse; /* what the system shows, there and after steps of h */
} trial;

/* Takes `count` steps of h, of which `taken` are behind. */
static ph_status take_steps(const trial *t, double h, uint64_t taken, uint64_t count)
{
    ph_status status = PH_OK;
    for (uint64_t n = taken; status == PH_OK && n < taken + count; n++) {
        const double from = t->now + (double)n * h, end = t->now + (double)(n + 1) * h;
        status = ok_if(isfinite(end), PH_BAD_TIME);
        if (status == PH_OK)
            status = t->s->kind->step(t->s->self, from, h, end);
    }
    return status;
}

/* How far steps of h come from the start in `taken` steps. */
static double distance(const trial *t, const ph_array *from, double h, uint64_t taken)
{
    double errors[ERROR_COUNT];
    ph_system *s = t->s;
    if (s->kind->show != NULL)
        s->kind->show(s->self, t->now + (double)taken * h);
    return errors_of(s->kind, s->fields, from, s->field_count, errors);
}

/* Infinite where a step fails. */
static double apart(const trial *t, double h)
{
    const double whole = rint(t->length / fabs(h));
    const uint64_t all = whole < MOST ? (uint64_t)whole : MOST;
    uint64_t steps = 0;
    ph_status status = PH_OK;
    while (status == PH_OK && steps < all &&
           (steps < STRETCH || distance(t, t->start, h, steps) < CHANGE)) {
        const uint64_t more = all - steps < STRETCH ? all - steps : STRETCH;
        status = take_steps(t, h, steps, more);
        steps += more;
    }
    (void)distance(t, t->start, h, steps);
    keep_shown(t->s, t->coarse);
    ph_system_put_aside(t->s, true);
    if (status == PH_OK)
        status = take_steps(t, 0.5 * h, 0, 2 * steps);
    double error = NAN;
    if (status == PH_OK)
        error = distance(t, t->coarse, h, steps);
    ph_system_put_aside(t->s, true);
    return isnan(error) ? INFINITY : error;
}

/* The longest step, up to h, of which the time has a whole number. */
static double whole_part(const trial *t, double h)
{
    static const double SAME = 1e-9;
    if (isinf(t->length))
        return h;
    return t->length / larger_or_nan(ceil(t->length / h * (1.0 - SAME)), 1.0);
}

/* The largest step that is good enough, 0: none was found. */
static double largest_step(const trial *t, double sign, double h, double tolerance)
{
    double good = 0.0, bad = INFINITY;
    h = whole_part(t, h);
    for (int n = 0; n < TRIALS && h != good && h != bad && h < LONGEST; n++) {
        if (apart(t, copysign(h, sign)) <= tolerance)
            good = h;
        else
            bad = h;
        if (bad <= RATIO * good)
            break;
        double next = sqrt(good) * sqrt(bad);
        if (good == 0.0)
            next = bad / LONGER;
        else if (isinf(bad))
            next = good * LONGER;
        h = whole_part(t, next);
    }
    return good;
}

ph_status ph_system_find_step(ph_system *s, double sign, double length, double first,
                              double tolerance, double *found)
{
    uint64_t *const evaluations = (uint64_t *)s->evaluations; /* a counter of the kind */
    const uint64_t counted = evaluations != NULL ? *evaluations : 0;
    trial t = {s, ph_system_clock(s), length, create_copy(s), create_copy(s)};
    const ph_status status = ok_if(t.start != NULL && t.coarse != NULL, PH_NO_MEMORY);
    if (status == PH_OK) {
        ph_system_show(s);
        keep_shown(s, t.start);
        ph_system_put_aside(s, false);
        *found = largest_step(&t, sign, first, larger_or_nan(tolerance, LEAST));
        if (evaluations != NULL)
            *evaluations = counted;
    }
    free(t.start);
    free(t.coarse);
    return status;
}

/* ---- a run in parts ------------------------------------------------------------------ */

ph_status ph_part_begin(ph_system *s, double direction)
{
    run_parts *p = &s->parts;
    const double now = ph_system_clock(s),
                 end = ph_change_next(s->kind->field(s->self), now, direction * INFINITY),
                 length = fabs(end - now), before = larger_or_nan(p->longest, p->smallest);
    double found = 0.0;
    ph_status status = PH_OK;
    if (length <= ACROSS_JUMP * fabs(now))
        found = length;
    else
        status = ph_system_find_step(s, direction, length, positive_or_one(before), p->tolerance,
                                     &found);
    if (status == PH_OK && found == 0.0)
        status = PH_NO_CONVERGENCE;
    if (status != PH_OK)
        return status;
    p->end = end;
    p->longest = found;
    return PH_OK;
}
