/* look.c - a system at other times than now: its clock, its state put aside, and looks at it at any
 * time. */
#include <math.h>
#include <string.h>

#include "base/arguments.h"
#include "base/choice.h"
#include "base/even_times.h"
#include "base/named.h"
#include "system/kind.h"

/* ---- observables ----------------------------------------------------------------------- */

void ph_system_read(ph_system *s)
{
    const thermostat *bath = bath_of(s);
    reading *all = s->readings;
    s->kind->observe(s->self, ph_system_clock(s), all);
    if (bath != NULL)
        all[s->observable_count - 1] =
            (reading){{all[0].value[0] - (bath->heat[LINEAR] + bath->heat[ANGULAR])}, 0.0};
}

/* Makes the values that were just read those of the start; a defect has its own. */
static void take_start(ph_system *s)
{
    for (size_t i = 0; i < s->observable_count; i++) {
        if (!s->observables[i].defect)
            memcpy(s->observables[i].start, s->readings[i].value, sizeof s->readings[i].value);
    }
}

void ph_system_note_start(ph_system *s)
{
    if (s->begun)
        return;
    ph_system_read(s);
    take_start(s);
    s->begun = true;
}

const ph_observable *ph_system_observables(ph_system *s, size_t *count)
{
    ph_system_read(s);
    if (!s->begun)
        take_start(s);
    for (size_t i = 0; i < s->observable_count; i++)
        memcpy(s->observables[i].now, s->readings[i].value, sizeof s->readings[i].value);
    *count = s->observable_count;
    return s->observables;
}

ph_status ph_system_observable_named(ph_system *s, const char *name, const ph_observable **out)
{
    size_t count;
    if (ANY_NULL(s, name, out))
        return PH_NULL_ARGUMENT;
    const ph_observable *all = ph_system_observables(s, &count),
                        *found = ROW_NAMED(all, count, name);
    if (found != NULL)
        *out = found;
    return ok_if(found != NULL, PH_UNKNOWN_NAME);
}

/* ---- an observer ---------------------------------------------------------------------- */

bool ph_system_call(ph_system *s, bool (*observe)(void *context, ph_system *s), void *context)
{
    const bool before = s->observed;
    s->observed = true;
    const bool goes_on = observe(context, s);
    s->observed = before;
    return goes_on;
}

/* ---- time and numbers -------------------------------------------------------------- */

double ph_system_clock(const ph_system *s)
{
    if (s->between_steps)
        return s->shown_time;
    return time_after(s, 0);
}

double ph_system_time(const ph_system *s)
{
    if (s->between_steps)
        return s->shown_time;
    return even_time(s->origin, (double)(s->steps - s->origin_steps), s->h);
}

uint64_t ph_system_steps(const ph_system *s)
{
    return s->steps;
}

bool ph_system_has_parts(const ph_system *s)
{
    return s->parts.tolerance != 0.0 && s->parts.given == 0.0;
}

double ph_system_step(const ph_system *s)
{
    if (ph_system_has_parts(s) && s->parts.smallest > 0.0)
        return copysign(s->parts.smallest, s->h);
    return s->h;
}

uint64_t ph_system_evaluations(const ph_system *s)
{
    if (s->adaptive)
        return (uint64_t)s->adaptive->evaluations;
    return *s->evaluations;
}

const ph_adaptive_numbers *ph_system_adaptive(const ph_system *s)
{
    return s->adaptive;
}

bool ph_system_is_adaptive(const ph_system *s)
{
    return s->adaptive != NULL;
}

uint64_t ph_system_rejected(const ph_system *s)
{
    if (s->adaptive)
        return (uint64_t)s->adaptive->rejected;
    return 0;
}

ph_status ph_system_momentum(const ph_system *s, ph_vec3 velocity, ph_vec3 *momentum)
{
    if (ANY_NULL(s, momentum))
        return PH_NULL_ARGUMENT;
    if (s->kind->momentum == NULL)
        return PH_NOT_APPLICABLE;
    *momentum = s->kind->momentum(s->self, ph_system_clock(s), velocity);
    return PH_OK;
}

void ph_system_show(ph_system *s)
{
    if (s->kind->show != NULL)
        s->kind->show(s->self, ph_system_clock(s));
}

/* ---- the state put aside --------------------------------------------------------- */

void ph_system_put_aside(ph_system *s, bool back)
{
    double *saved = s->saved;
    for (size_t i = 0; i < s->field_count; i++) {
        const ph_array *f = &s->fields[i];
        if (!(f->use & PH_ARRAY_STATE))
            continue;
        for (int k = 0; k < f->width; k++) {
            for (size_t n = 0; n < f->count; n++, saved++) {
                double *now = &f->data[k][n * f->stride];
                if (back)
                    *now = *saved;
                else
                    *saved = *now;
            }
        }
    }
    if (back)
        ph_system_restored(s);
}

void ph_system_restored(ph_system *s)
{
    if (s->kind->restored != NULL)
        s->kind->restored(s->self);
    ph_system_show(s);
}

ph_status ph_system_changed(ph_system *s)
{
    if (s == NULL)
        return PH_NULL_ARGUMENT;
    s->begun = s->begun && s->steps > 0; /* before the first step it is another start */
    s->refused = s->kind->accept(s->self, ph_system_clock(s));
    return s->refused;
}

void ph_system_go_by(ph_system *s, double h)
{
    s->origin = ph_system_clock(s);
    s->origin_steps = s->steps;
    s->h = h;
}

ph_status ph_system_set_step(ph_system *s, double h)
{
    if (s == NULL)
        return PH_NULL_ARGUMENT;
    if (!isfinite(h))
        return PH_BAD_STEP;
    if (s->observed)
        return PH_IN_OBSERVER;
    ph_system_go_by(s, h);
    s->longest = 0.0;
    s->parts.given = s->parts.tolerance != 0.0;
    return PH_OK;
}

/* ---- looks ------------------------------------------------------------------------- */

/* Brings the state to a time, which need not be that of a step. */
static ph_status go_to(ph_system *s, double time)
{
    double t = ph_system_clock(s);
    const ph_adaptive_numbers *n = s->adaptive;
    if (time == t || time == ph_system_time(s))
        return PH_OK;
    if (n == NULL)
        return s->kind->step(s->self, t, time - t, time);
    if ((time < t) == (n->from < t) && fabs(time - t) <= fabs(n->from - t))
        return s->kind->within(s->self, time, false);
    ph_status status = PH_OK;
    while (status == PH_OK && t != time)
        status = s->kind->advance(s->self, &t, time);
    return status;
}

ph_status ph_system_observe_at(ph_system *s, double time,
                               bool (*observe)(void *context, ph_system *s), void *context)
{
    if (s == NULL || observe == NULL)
        return PH_NULL_ARGUMENT;
    if (s->refused != PH_OK)
        return s->refused;
    if (s->between_steps)
        return PH_IN_OBSERVER;
    if (!isfinite(time - ph_system_clock(s)))
        return PH_BAD_TIME;
    ph_system_note_start(s);
    ph_system_put_aside(s, false);
    const ph_status status = go_to(s, time);
    if (status == PH_OK) {
        s->between_steps = true;
        s->shown_time = time;
        ph_system_show(s);
        s->stopped = !ph_system_call(s, observe, context);
        s->between_steps = false;
    }
    const double evaluations = s->adaptive ? s->adaptive->evaluations : 0.0;
    ph_system_put_aside(s, true);
    if (s->adaptive != NULL)
        s->adaptive->evaluations = evaluations;
    return status;
}
