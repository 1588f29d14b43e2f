/* system.c - what all systems have in common: time, tables, the run loop, what is watched.
 *
 * The time after n steps is n h, never a sum. The energy is watched in one pass, with
 * x = t and y = E - E0 (Welford): both sums are built from differences to the means so far,
 * so that nothing cancels however long the run is.
 *
 *   dx = x - mean_x;   mean_x += dx/n,  mean_y += (y - mean_y)/n
 *   Sxx += dx (x - mean_x),   Sxy += dx (y - mean_y),   slope = Sxy/Sxx
 */
#include "system/system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/extremes.h"
#include "core/named.h"

/* ---- making and freeing ---------------------------------------------------------- */

static void *copied(const void *from, size_t count, size_t size)
{
    void *to = calloc(count + 1, size);
    if (to != NULL && count > 0)
        memcpy(to, from, count * size);
    return to;
}

static size_t state_doubles(const ph_system *s)
{
    size_t sum = 0;
    for (size_t i = 0; i < s->field_count; i++) {
        if (s->fields[i].use & PH_FIELD_STATE)
            sum += s->fields[i].count * (size_t)s->fields[i].width;
    }
    return sum;
}

ph_status ph_system_make(ph_system **out, const system_parts *parts)
{
    ph_system *s = isfinite(parts->h) ? calloc(1, sizeof *s) : NULL;
    if (s == NULL) {
        parts->type->free(parts->self);
        return isfinite(parts->h) ? PH_NO_MEMORY : PH_BAD_STEP;
    }
    s->type = parts->type;
    s->self = parts->self;
    s->h = parts->h;
    (void)snprintf(s->problem, sizeof s->problem, "%s", parts->problem);
    (void)snprintf(s->integrator, sizeof s->integrator, "%s", parts->integrator);
    s->parameters = parts->parameters;
    s->parameter_count = parts->parameter_count;
    s->values = parts->values;
    s->evaluations = parts->evaluations;
    s->fields = calloc(parts->field_count + 1, sizeof *s->fields);
    for (size_t i = 0; s->fields != NULL && i < parts->field_count; i++) {
        if (parts->fields[i].count > 0)
            s->fields[s->field_count++] = parts->fields[i];
    }
    s->observable_count = parts->observable_count;
    s->observables =
        copied(parts->observables, parts->observable_count, sizeof *s->observables);
    s->readings = calloc(parts->observable_count + 1, sizeof *s->readings);
    if (s->fields != NULL)
        s->saved = calloc(state_doubles(s) + 1, sizeof *s->saved);
    if (s->observables == NULL || s->readings == NULL || s->saved == NULL) {
        ph_system_free(s);
        return PH_NO_MEMORY;
    }
    *out = s;
    return PH_OK;
}

void ph_system_free(ph_system *s)
{
    if (s == NULL)
        return;
    s->type->free(s->self);
    free(s->fields);
    free(s->observables);
    free(s->readings);
    free(s->saved);
    free(s);
}

/* ---- tables and numbers ---------------------------------------------------------- */

const ph_field *ph_system_fields(const ph_system *s, size_t *count)
{
    *count = s->field_count;
    return s->fields;
}

const ph_observable *ph_system_observables(ph_system *s, size_t *count)
{
    s->type->observe(s->self, ph_system_time(s), s->readings);
    for (size_t i = 0; i < s->observable_count; i++)
        memcpy(s->observables[i].now, s->readings[i].value, sizeof s->readings[i].value);
    *count = s->observable_count;
    return s->observables;
}

const ph_parameter *ph_system_parameters(const ph_system *s, size_t *count,
                                         const double **values)
{
    *count = s->parameter_count;
    *values = s->values;
    return s->parameters;
}

ph_status ph_system_field_named(const ph_system *s, const char *name,
                                const ph_field **out)
{
    if (s == NULL || name == NULL || out == NULL)
        return PH_NULL_ARGUMENT;
    const ph_field *found = ROW_NAMED(s->fields, s->field_count, name);
    if (found != NULL)
        *out = found;
    return found ? PH_OK : PH_UNKNOWN_NAME;
}

ph_status ph_system_observable_named(ph_system *s, const char *name,
                                     const ph_observable **out)
{
    if (s == NULL || name == NULL || out == NULL)
        return PH_NULL_ARGUMENT;
    size_t count;
    const ph_observable *all = ph_system_observables(s, &count),
                        *found = ROW_NAMED(all, count, name);
    if (found != NULL)
        *out = found;
    return found ? PH_OK : PH_UNKNOWN_NAME;
}

ph_status ph_system_parameter_named(const ph_system *s, const char *name,
                                    const ph_parameter **out, const double **values)
{
    if (s == NULL || name == NULL || out == NULL || values == NULL)
        return PH_NULL_ARGUMENT;
    const ph_parameter *found = ROW_NAMED(s->parameters, s->parameter_count, name);
    if (found == NULL)
        return PH_UNKNOWN_NAME;
    *out = found;
    *values = &s->values[found->first];
    return PH_OK;
}

const char *ph_system_kind(const ph_system *s)
{
    return s->type->kind;
}

double ph_system_time(const ph_system *s)
{
    return s->between_steps ? s->shown_time
                            : s->origin + (double)(s->steps - s->origin_steps) * s->h;
}

uint64_t ph_system_steps(const ph_system *s)
{
    return s->steps;
}

double ph_system_step(const ph_system *s)
{
    return s->h;
}

uint64_t ph_system_evaluations(const ph_system *s)
{
    return *s->evaluations;
}

double ph_system_energy(ph_system *s)
{
    s->type->observe(s->self, ph_system_time(s), s->readings);
    return s->readings[0].value[0];
}

ph_state ph_system_state(const ph_system *s)
{
    const ph_field *q, *m;
    if (ph_system_field_named(s, "attitude", &q) != PH_OK ||
        ph_system_field_named(s, "momentum", &m) != PH_OK)
        return (ph_state){{0, 0, 0, 0}, {0, 0, 0}};
    return (ph_state){{*q->data[0], *q->data[1], *q->data[2], *q->data[3]},
                      {*m->data[0], *m->data[1], *m->data[2]}};
}

static void show(ph_system *s)
{
    if (s->type->show != NULL)
        s->type->show(s->self, ph_system_time(s));
}

/* ---- the state put aside --------------------------------------------------------- */

/* Copies the state to s->saved, or back. */
static void copy_state(ph_system *s, bool back)
{
    double *saved = s->saved;
    for (size_t i = 0; i < s->field_count; i++) {
        const ph_field *f = &s->fields[i];
        if (!(f->use & PH_FIELD_STATE))
            continue;
        for (int k = 0; k < f->width; k++) {
            for (size_t n = 0; n < f->count; n++, saved++) {
                double *now = &f->data[k][n * f->stride];
                *(back ? now : saved) = *(back ? saved : now);
            }
        }
    }
    if (back)
        ph_system_restored(s);
}

void ph_system_restored(ph_system *s)
{
    if (s->type->restored != NULL)
        s->type->restored(s->self);
    show(s);
}

ph_status ph_system_changed(ph_system *s)
{
    s->refused = s->type->accept(s->self, ph_system_time(s));
    return s->refused;
}

ph_status ph_system_set_step(ph_system *s, double h)
{
    if (!isfinite(h))
        return PH_BAD_STEP;
    s->origin = ph_system_time(s);
    s->origin_steps = s->steps;
    s->h = h;
    return PH_OK;
}

/* ---- what is watched ------------------------------------------------------------- */

void ph_system_watch(ph_system *s, bool on)
{
    s->watching = on;
}

/* |a - b| over a size, in units in which squares are in range. */
static double deviation(const double a[3], const double b[3], double size)
{
    double largest = fabs(size), sum = 0.0;
    for (int k = 0; k < 3; k++)
        largest = larger_or_nan(largest, larger_or_nan(fabs(a[k]), fabs(b[k])));
    const int exponent = largest > 0.0 && isfinite(largest) ? ilogb(largest) : 0;
    const double down = ldexp(1.0, exponent < -1000 ? 1000 : -exponent);
    for (int k = 0; k < 3; k++) {
        const double d = a[k] * down - b[k] * down;
        sum += d * d;
    }
    return sum == 0.0 ? 0.0 : sqrt(sum) / (size == 0.0 ? down : fabs(size) * down);
}

static double length(const double v[3])
{
    static const double zero[3];
    return deviation(v, zero, 1.0);
}

static void watch_energy(energy_sums *e, double t, double value)
{
    if (e->count++ == 0)
        e->first = value;
    e->last = value;
    const double change = value - e->first, n = (double)e->count;
    e->largest_error = larger_or_nan(e->largest_error, fabs(change));
    const double dt = t - e->mean_t;
    e->mean_t += dt / n;
    e->mean_e += (change - e->mean_e) / n;
    e->spread_t += dt * (t - e->mean_t);
    e->spread_both += dt * (change - e->mean_e);
}

static void watch(ph_system *s)
{
    const double t = ph_system_time(s);
    s->type->observe(s->self, t, s->readings);
    const bool first = s->energy.count == 0;
    watch_energy(&s->energy, t, s->readings[0].value[0]);
    for (size_t i = 0; i < s->observable_count; i++) {
        ph_observable *o = &s->observables[i];
        const reading *now = &s->readings[i];
        memcpy(o->now, now->value, sizeof o->now);
        if (!o->watched)
            continue;
        if (first && !o->defect)
            memcpy(o->start, o->now, sizeof o->start);
        const double size = !o->relative       ? 1.0
                            : now->size != 0.0 ? now->size
                                               : length(o->start);
        o->error = larger_or_nan(o->error, o->defect ? fabs(now->value[0])
                                                     : deviation(o->now, o->start, size));
    }
}

bool ph_system_finite(const ph_system *s)
{
    const ph_energy_record e = ph_system_energy_record(s);
    bool finite = isfinite(e.largest_error) && isfinite(e.slope);
    for (size_t i = 0; i < s->observable_count; i++)
        finite = finite && isfinite(s->observables[i].error);
    return finite;
}

ph_energy_record ph_system_energy_record(const ph_system *s)
{
    const energy_sums *e = &s->energy;
    return (ph_energy_record){e->first, e->last, e->largest_error,
                              e->spread_t == 0.0 ? 0.0 : e->spread_both / e->spread_t};
}

/* ---- running --------------------------------------------------------------------- */

static double time_after(const ph_system *s, uint64_t steps)
{
    return s->origin + (double)(s->steps + steps - s->origin_steps) * s->h;
}

ph_status ph_system_look(ph_system *s, double time,
                         bool (*see)(void *context, ph_system *s), void *context)
{
    const double t = ph_system_time(s);
    if (s->refused != PH_OK || s->between_steps || !isfinite(time))
        return s->refused != PH_OK ? s->refused : PH_BAD_STEP;
    copy_state(s, false);
    const ph_status status =
        time == t ? PH_OK : s->type->step(s->self, t, time - t, time);
    if (status == PH_OK) {
        s->between_steps = true;
        s->shown_time = time;
        show(s);
        s->stopped = !see(context, s);
        s->between_steps = false;
    }
    copy_state(s, true);
    return status;
}

static void see(ph_system *s, const ph_observer *o)
{
    show(s);
    s->stopped = !o->see(o->context, s);
}

/* How far a time may be from that of a step and still be it, relative to the step; and
 * relative to the time, where that is only known to round-off. */
static const double SAME_TIME = 1e-9, ROUND_OFF = 0x1p-50;

/* Shows the system to an observer at the times that come before the next step, or with
 * `last` at those that are now; times that are over are left out. */
static ph_status look_at_times(ph_system *s, const ph_observer *o, size_t *next,
                               bool last)
{
    const double now = ph_system_time(s), length = last ? 0.0 : fabs(s->h),
                 same = SAME_TIME * fabs(s->h) + ROUND_OFF * fabs(now);
    ph_status status = PH_OK;
    for (; status == PH_OK && !s->stopped && *next < o->count; ++*next) {
        const double time = o->times[*next], ahead = s->h < 0.0 ? now - time : time - now;
        if (!(ahead <= same || ahead < length - same))
            break;
        if (fabs(ahead) <= same)
            see(s, o);
        else if (ahead > 0.0)
            status = ph_system_look(s, time, o->see, o->context);
    }
    return status;
}

ph_status ph_system_run(ph_system *s, uint64_t steps, const ph_observer *o)
{
    ph_status status = s->refused;
    size_t next = 0;
    if (status != PH_OK)
        return status;
    s->stopped = false;
    if (s->watching && s->energy.count == 0)
        watch(s);
    if (o != NULL && o->every > 0)
        see(s, o);
    for (; !s->stopped && steps > 0; steps--) {
        if (o != NULL && next < o->count)
            status = look_at_times(s, o, &next, false);
        if (status != PH_OK || s->stopped)
            break;
        status = s->type->step(s->self, ph_system_time(s), s->h, time_after(s, 1));
        if (status != PH_OK)
            break;
        s->steps++;
        if (s->watching)
            watch(s);
        if (o != NULL && o->every > 0 && s->steps % o->every == 0)
            see(s, o);
    }
    if (status == PH_OK && o != NULL && !s->stopped)
        status = look_at_times(s, o, &next, true);
    show(s);
    return status;
}

ph_status ph_system_run_until(ph_system *s, double time, const ph_observer *o)
{
    const double tolerance = 1e-9, most = 9e15;
    const double exactly = (time - ph_system_time(s)) / s->h, steps = rint(exactly);
    if (time == ph_system_time(s))
        return ph_system_run(s, 0, o);
    if (!(fabs(exactly - steps) <= tolerance * larger_or_nan(1.0, fabs(exactly)) &&
          steps >= 0.0 && steps <= most))
        return PH_BAD_STEP;
    return ph_system_run(s, (uint64_t)steps, o);
}
