/* run.c - the run of any system: its time, steps, events and observers, and what is watched.
 *
 * The time after n steps is n h, never a sum. The energy is watched in one pass, with x = t and
 * y = E - E0 (Welford): both sums are built from differences to the means so far, so that nothing
 * cancels however long the run is.
 *
 *   dx = x - mean_x;   mean_x += dx/n,  mean_y += (y - mean_y)/n
 *   Sxx += dx (x - mean_x),   Sxy += dx (y - mean_y),   slope = Sxy/Sxx
 */
#include "system/events.h"

#include <math.h>
#include <string.h>

#include "base/arguments.h"
#include "base/array.h"
#include "base/choice.h"
#include "base/extremes.h"
#include "base/named.h"
#include "integrators/lane_steps.h"
#include "motion/checked.h"

double ph_system_energy(ph_system *s)
{
    ph_system_read(s);
    return s->readings[0].value[0];
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
    const double down = ldexp(1.0, smaller_int(-exponent, 1000));
    for (int k = 0; k < 3; k++) {
        const double d = a[k] * down - b[k] * down;
        sum += d * d;
    }
    if (sum == 0.0)
        return 0.0;
    return sqrt(sum) / (size == 0.0 ? down : fabs(size) * down);
}

static double length(const double v[3])
{
    static const double zero[3];
    return deviation(v, zero, 1.0);
}

/* How far what is watched is from its start, or from 0 if it is a defect. */
static double error_of(const ph_observable *o, const reading *now)
{
    double size = 1.0;
    if (o->defect)
        return fabs(now->value[0]);
    if (o->relative)
        size = now->size;
    if (size == 0.0)
        size = length(o->start);
    return deviation(o->now, o->start, size);
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
    const double t = ph_system_clock(s);
    ph_system_read(s);
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
        o->error = larger_or_nan(o->error, error_of(o, now));
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

static void observe(ph_system *s, const ph_observer *o)
{
    ph_system_show(s);
    s->stopped = !ph_system_call(s, o->observe, o->context);
}

/* Two times are equal if they differ by at most SAME_TIME |h| + ROUND_OFF |t|; the first term is
 * left out if the method is adaptive. */
static const double SAME_TIME = 1e-9, ROUND_OFF = 0x1p-50;

/* Calls the observer for the rows that are due. With fixed steps these are the times in [now, end),
 * or, if `end` is now, the times equal to now. With an adaptive method they are the times in
 * (from, now], which are within its last step. Earlier times are left out. */
static ph_status look(ph_system *s, const ph_observer *o, size_t *next, double from, double end,
                      bool forward)
{
    const bool chosen = s->adaptive != NULL;
    const double now = chosen ? end : ph_system_clock(s), length = fabs(end - now);
    double same = ROUND_OFF * fabs(now);
    ph_status status = PH_OK;
    if (!chosen)
        same += SAME_TIME * fabs(s->h);
    for (; status == PH_OK && !s->stopped && *next < o->count; ++*next) {
        const double time = o->times[*next], ahead = forward ? time - now : now - time;
        const bool after = forward ? time > from : time < from;
        if (!(ahead <= same || ahead < length - same))
            break;
        if (fabs(ahead) <= same && !chosen)
            observe(s, o);
        else if (fabs(ahead) <= same)
            status = ph_system_observe_at(s, now, o->observe, o->context);
        else if ((chosen && after) || (!chosen && ahead > 0.0))
            status = ph_system_observe_at(s, time, o->observe, o->context);
    }
    return status;
}

/* ---- a run ----------------------------------------------------------------------- */

static void begin_course(ph_system *s, course *c)
{
    s->stopped = false;
    ph_system_note_start(s);
    if (s->watching && s->energy.count == 0)
        watch(s);
    if (c->o != NULL && c->o->every > 0)
        observe(s, c->o);
}

/* Begins the search for the events of a run. */
static ph_status begin_searches(ph_system *s, const course *c)
{
    ph_status status = PH_OK;
    if (c->end != NULL)
        status = ph_search_begin(s, c->end);
    for (size_t i = 0; i < c->watched_count && status == PH_OK; i++)
        status = ph_search_begin(s, &c->watched[i]);
    return status;
}

/* Searches the step of `length` from a time; *to, its end, becomes the time of the event at which the
 * run ends, if it is before. */
static ph_status search_step(ph_system *s, const course *c, double from, double length, double *to)
{
    ph_status status = PH_OK;
    if (length == 0.0)
        return PH_OK;
    if (c->end != NULL)
        status = ph_search_step(s, c->end, from, length, *to);
    if (status == PH_OK && c->end != NULL && c->end->stopped)
        *to = c->end->stop;
    for (size_t i = 0; i < c->watched_count && status == PH_OK; i++)
        status = ph_search_step(s, &c->watched[i], from, length, *to);
    return status;
}

static bool has_ended(const course *c)
{
    return c->end != NULL && c->end->stopped;
}

/* After a step, or the part of one to an event. */
static void end_step(ph_system *s, const course *c)
{
    const bool met = has_ended(c);
    s->steps++;
    if (s->adaptive != NULL || met)
        s->origin_steps = s->steps;
    if (s->watching)
        watch(s);
    if (!s->stopped && c->o != NULL && c->o->every > 0 && (met || s->steps % c->o->every == 0))
        observe(s, c->o);
}

/* One step of h, or as much of it as there is before an event. */
static ph_status fixed_step(ph_system *s, course *c)
{
    const double t = ph_system_clock(s), end = time_after(s, 1);
    double until = end;
    ph_status status = ok_if(isfinite(end), PH_BAD_TIME);
    if (status == PH_OK)
        status = search_step(s, c, t, s->h, &until);
    if (status == PH_OK && c->o != NULL)
        status = look(s, c->o, &c->next, t, until, s->h >= 0.0);
    if (status != PH_OK || s->stopped)
        return status;
    thermostat *bath = bath_of(s), before;
    if (bath != NULL)
        before = *bath;
    status = s->kind->step(s->self, t, has_ended(c) ? until - t : s->h, until);
    if (status != PH_OK && bath != NULL)
        *bath = before;
    if (status != PH_OK)
        return status;
    if (has_ended(c))
        s->origin = until;
    end_step(s, c);
    return PH_OK;
}

/* What follows a step of a system that chose it. */
static ph_status after_chosen_step(ph_system *s, course *c, double t)
{
    const double whole = t, from = s->adaptive->from;
    s->origin = t;
    s->origin_steps = s->steps;
    ph_status status = search_step(s, c, from, whole - from, &t);
    if (status == PH_OK && c->o != NULL)
        status = look(s, c->o, &c->next, from, t, t > from);
    if (status == PH_OK && t != whole)
        status = s->kind->within(s->self, t, true);
    if (status != PH_OK)
        return status;
    s->origin = t;
    end_step(s, c);
    return PH_OK;
}

/* One step of a system that chooses it, towards a time. */
static ph_status chosen_step(ph_system *s, course *c, double end)
{
    double t = ph_system_clock(s);
    const ph_status status = s->kind->advance(s->self, &t, end);
    if (status == PH_OK)
        return after_chosen_step(s, c, t);
    return status;
}

/* What is shown is finite, attitudes are of unit length, and the system is where it was
 * to go, unless it was stopped on the way. */
static inline bool system_holds(const ph_system *s, uint64_t left, double end, bool stopped)
{
    static const double NEAR = 1e-9;
    bool holds = isfinite(ph_system_clock(s)) &&
                 (stopped || left == 0 || (s->adaptive && ph_system_clock(s) == end));
    for (size_t i = 0; i < s->field_count; i++) {
        const ph_array *f = &s->fields[i];
        const bool attitude = f->width == 4 && (f->use & PH_ARRAY_PLACE);
        for (size_t n = 0;
             n < f->count && (f->use & PH_ARRAY_SHOWN) && !(f->use & PH_ARRAY_DERIVED); n++) {
            double square = 0.0;
            for (int k = 0; k < f->width; k++) {
                const double x = f->data[k][n * f->stride];
                holds = holds && isfinite(x);
                square += x * x;
            }
            holds = holds && (!attitude || fabs(square - 1.0) <= NEAR);
        }
    }
    return holds;
}

/* An observer without NULLs and NaNs. */
static ph_status check_observer(const ph_observer *o)
{
    if (o == NULL)
        return PH_OK;
    if (o->observe == NULL || (o->times == NULL && o->count > 0))
        return PH_NULL_ARGUMENT;
    if (!array_possible(o->count, sizeof *o->times))
        return PH_NO_MEMORY;
    for (size_t k = 0; k < o->count; k++) {
        if (isnan(o->times[k]))
            return PH_BAD_TIME;
    }
    return PH_OK;
}

/* The rows at the start of a run, and what it needs. */
static ph_status begin_run(ph_system *s, course *c, double end)
{
    if (s == NULL)
        return PH_NULL_ARGUMENT;
    ph_status status = check_observer(c->o);
    if (status == PH_OK)
        status = s->observed ? PH_IN_OBSERVER : s->refused;
    if (status != PH_OK)
        return status;
    status = begin_searches(s, c);
    if (status != PH_OK)
        return status;
    begin_course(s, c);
    const double begun = ph_system_clock(s);
    if (c->o != NULL && s->adaptive != NULL)
        return look(s, c->o, &c->next, begun, begun, end > begun);
    return PH_OK;
}

static const double MOST_STEPS = 9e15; /* of a run to a time: doubles count them */

/* Finds how many fixed steps there are to a time; of a system that chooses its steps 0. Returns
 * PH_BAD_TIME if the time is not finite or too far away, PH_NOT_WHOLE_STEPS if it is no whole
 * number of steps ahead. */
static ph_status steps_to(const ph_system *s, double time, uint64_t *out)
{
    const double tolerance = 1e-9, left = time - ph_system_clock(s);
    const double exactly = left / s->h, steps = rint(exactly);
    *out = 0;
    if (!isfinite(left) || (s->adaptive == NULL && s->h != 0.0 && exactly > MOST_STEPS))
        return PH_BAD_TIME;
    if (left == 0.0 || s->adaptive != NULL)
        return PH_OK;
    if (!(fabs(exactly - steps) <= tolerance * larger_or_nan(1.0, fabs(exactly)) && steps >= 0.0))
        return PH_NOT_WHOLE_STEPS;
    const double size = larger_or_nan(fabs(time), fabs(ph_system_clock(s)));
    if (steps == 0.0 && fabs(time - ph_system_clock(s)) > tolerance * size)
        return PH_NOT_WHOLE_STEPS; /* not now, however long a step is */
    *out = (uint64_t)steps;
    return PH_OK;
}

ph_status ph_system_can_reach(const ph_system *s, double time)
{
    uint64_t steps;
    const double longest = ph_system_has_parts(s) ? s->parts.longest : s->longest;
    if (longest == 0.0)
        return steps_to(s, time, &steps);
    return ok_if(fabs(time - ph_system_clock(s)) / longest <= MOST_STEPS, PH_BAD_TIME);
}

bool ph_system_is_at(const ph_system *s, double time)
{
    uint64_t steps;
    return ph_system_clock(s) == time ||
           (s->adaptive == NULL && steps_to(s, time, &steps) == PH_OK && steps == 0);
}

/* Shortens a step that was found for a tolerance, so that a whole number of them leads to a
 * time. A step that divides the caller's stays, if it leads there. */
static void divide(ph_system *s, double time)
{
    const double left = time - ph_system_clock(s), longest = s->longest,
                 wanted = ceil(fabs(left) / longest * (1.0 - SAME_TIME));
    uint64_t steps;
    if (longest == 0.0 || left == 0.0 ||
        (steps_to(s, time, &steps) == PH_OK && (s->divides || (double)steps == wanted)))
        return;
    ph_system_go_by(s, left / larger_or_nan(wanted, 1.0));
    s->divides = false;
}

/* Takes steps, up to *steps of them, towards a time. */
static ph_status take_steps(ph_system *s, uint64_t *steps, double end, course *c)
{
    ph_status status = PH_OK;
    for (; status == PH_OK && !s->stopped && *steps > 0; --*steps) {
        if (has_ended(c) || (s->adaptive != NULL && ph_system_clock(s) == end))
            break;
        if (s->adaptive)
            status = chosen_step(s, c, end);
        else
            status = fixed_step(s, c);
    }
    return status;
}

/* Notes the size of the steps of a part, unless it is that across a jump of the torque. */
static void note_size(ph_system *s)
{
    const double size = fabs(s->h), smallest = s->parts.smallest;
    if (size > ACROSS_JUMP * fabs(ph_system_clock(s)) && !(smallest > 0.0 && smallest <= size))
        s->parts.smallest = size;
}

/* The same as take_steps(), divided at the times at which the torque or the wheels change: whole equal
 * steps in each part. */
static ph_status take_parts(ph_system *s, uint64_t *steps, double end, course *c)
{
    const double direction = sign_of(s->h);
    ph_status status = PH_OK;
    while (*steps > 0 && !s->stopped && !has_ended(c) && ph_system_clock(s) != end) {
        if (!(direction * (s->parts.end - ph_system_clock(s)) > 0.0))
            status = ph_part_begin(s, direction);
        if (status != PH_OK)
            return status;
        s->longest = s->parts.longest;
        const double to = direction * (end - s->parts.end) > 0.0 ? s->parts.end : end;
        uint64_t whole = UINT64_MAX;
        if (isfinite(to)) {
            divide(s, to);
            status = steps_to(s, to, &whole);
        } else if (fabs(s->h) != s->longest) {
            ph_system_go_by(s, copysign(s->longest, direction));
        }
        const uint64_t part = whole < *steps ? whole : *steps;
        uint64_t left = part;
        if (status == PH_OK)
            status = take_steps(s, &left, to, c);
        *steps -= part - left;
        if (part != left)
            note_size(s);
        if (status != PH_OK)
            return status;
        if (left == 0 && part == whole && !has_ended(c)) {
            s->origin = to; /* without the round-off of its steps */
            s->origin_steps = s->steps;
        }
    }
    return PH_OK;
}

static ph_status run_course(ph_system *s, uint64_t steps, double end, course *c)
{
    ph_status status = begin_run(s, c, end);
    if (status != PH_OK)
        return status;
    const bool parts = ph_system_has_parts(s);
    if (parts)
        status = take_parts(s, &steps, end, c);
    else
        status = take_steps(s, &steps, end, c);
    if (status == PH_OK && c->o != NULL && s->adaptive == NULL)
        status = look(s, c->o, &c->next, 0.0, ph_system_clock(s), s->h >= 0.0);
    ph_system_show(s);
    for (size_t i = 0; i < c->watched_count; i++) {
        const ph_status ended = ph_search_end(&c->watched[i]);
        if (status == PH_OK)
            status = ended;
    }
    CHECKED(s->integrator,
            status != PH_OK || system_holds(s, parts ? 0 : steps, end, s->stopped || has_ended(c)));
    return status;
}

ph_status ph_system_run(ph_system *s, uint64_t steps, const ph_observer *o)
{
    const bool back = s != NULL && s->h < 0.0;
    return run_course(s, steps, back ? -INFINITY : INFINITY, &(course){.o = o});
}

static ph_status run_to(ph_system *s, double time, course *c)
{
    uint64_t steps = UINT64_MAX;
    if (s == NULL)
        return PH_NULL_ARGUMENT;
    ph_status status = ph_system_can_reach(s, time);
    if (status == PH_OK && s->observed)
        status = PH_IN_OBSERVER;
    if (status != PH_OK)
        return status;
    if (ph_system_has_parts(s)) {
        if ((time < ph_system_clock(s)) != (s->h < 0.0))
            ph_system_go_by(s, -s->h);
        return run_course(s, steps, time, c);
    }
    divide(s, time);
    if (s->adaptive == NULL)
        status = steps_to(s, time, &steps);
    if (status == PH_OK)
        return run_course(s, steps, time, c);
    return status;
}

ph_status ph_system_run_until(ph_system *s, double time, const ph_observer *o)
{
    return run_to(s, time, &(course){.o = o});
}

ph_status ph_system_search(ph_system *s, double time, const ph_observer *o, event_search *end,
                           event_search *watched, size_t count)
{
    return run_to(s, time,
                  &(course){.o = o, .end = end, .watched = watched, .watched_count = count});
}

ph_status ph_system_run_event(ph_system *s, double time, const ph_observer *o, ph_event *event)
{
    if (event == NULL || (event->value == NULL && event->condition == NULL))
        return PH_NULL_ARGUMENT;
    event_search search = {.event = event, .stops = true};
    event->met = false;
    return ph_system_search(s, time, o, &search, NULL, 0);
}

ph_status ph_system_events(ph_system *s, double time, const ph_observer *o, ph_event *events,
                           size_t count, ph_window_list *list)
{
    if (ANY_NULL(s, list) || (events == NULL && count > 0))
        return PH_NULL_ARGUMENT;
    event_search *search = array_create(count, sizeof *search);
    ph_status status = ok_if(search != NULL, PH_NO_MEMORY);
    for (size_t i = 0; i < count && status == PH_OK; i++) {
        if (events[i].value == NULL && events[i].condition == NULL)
            status = PH_NULL_ARGUMENT;
        events[i].met = false;
        search[i] = (event_search){.event = &events[i], .number = i, .list = list};
    }
    if (status == PH_OK)
        status = ph_system_search(s, time, o, NULL, search, count);
    free(search);
    return status;
}

/* ---- several at once ---------------------------------------------------------------- */

bool ph_system_has_lanes(const ph_system *s)
{
    const ph_adaptive_run *r = NULL;
    if (s->kind->adaptive_run != NULL)
        r = s->kind->adaptive_run(s->self);
    return r != NULL && s->adaptive != NULL && ph_lanes_can(r);
}

/* A system in a lane. */
typedef struct lane_course {
    size_t lane; /* as its feed counts */
    ph_system *s;
    ph_observer o;
    course c;
} lane_course;

/* Puts systems into a lane until one has a step to take; those that are at their time, or cannot
 * begin, end at once. False where no more come. */
static bool fill_lane(lane_group *g, lane_course *all, int lane, double end, const lane_feed *feed)
{
    lane_course *l = &all[lane];
    for (;;) {
        l->s = feed->next(feed->context, (size_t)lane, &l->o);
        if (l->s == NULL) {
            (void)ph_lanes_put(g, lane, NULL);
            return false;
        }
        l->c = (course){.o = &l->o};
        ph_status status = begin_run(l->s, &l->c, end);
        if (status == PH_OK && !l->s->stopped && ph_system_clock(l->s) != end) {
            if (ph_lanes_put(g, lane, l->s->kind->adaptive_run(l->s->self)))
                return true;
            while (status == PH_OK && !l->s->stopped && ph_system_clock(l->s) != end)
                status = chosen_step(l->s, &l->c, end); /* of another sort: alone */
        }
        ph_system_show(l->s);
        feed->ended(feed->context, (size_t)lane, status);
    }
}

void ph_system_run_lanes(double end, const lane_feed *feed)
{
    lane_group g = {.like = NULL};
    lane_course all[PH_LANES];
    int busy = 0;
    for (int i = 0; i < PH_LANES; i++)
        busy += fill_lane(&g, all, i, end, feed);
    while (busy > 0) {
        bool done[PH_LANES];
        ph_status status[PH_LANES];
        ph_lanes_try(&g, end, done, status);
        for (int i = 0; i < PH_LANES; i++) {
            ph_system *s = all[i].s;
            if (!done[i] || g.run[i] == NULL)
                continue;
            s->kind->advanced(s->self);
            if (status[i] == PH_OK)
                status[i] = after_chosen_step(s, &all[i].c, s->adaptive->t);
            if (status[i] == PH_OK && !s->stopped && ph_system_clock(s) != end)
                continue;
            ph_system_show(s);
            feed->ended(feed->context, (size_t)i, status[i]);
            busy -= !fill_lane(&g, all, i, end, feed);
        }
    }
}

bool ph_system_has_group(const ph_system *s)
{
    return s->kind->grouped != NULL && s->adaptive == NULL && s->kind->grouped(s->self);
}

/* Ends the run of a system of a group, in whose place the last one comes. */
static void leave_group(lane_course *all, size_t i, size_t *count, ph_status status,
                        const lane_feed *feed)
{
    lane_course *l = &all[i], *last = &all[--*count];
    ph_system *s = l->s;
    if (status == PH_OK && !s->stopped)
        status = look(s, &l->o, &l->c.next, 0.0, ph_system_clock(s), s->h >= 0.0);
    ph_system_show(s);
    feed->ended(feed->context, l->lane, status);
    *l = *last;
    l->c.o = &l->o;
}

/* One step of all, those that are stopped or fail left out. */
static void step_all(lane_course *all, size_t *count, const lane_feed *feed)
{
    ph_status status[PH_BATCH_GROUP];
    void *self[PH_BATCH_GROUP];
    const double t = ph_system_clock(all[0].s), h = all[0].s->h, end = time_after(all[0].s, 1);
    for (size_t i = *count; i-- > 0;) {
        lane_course *l = &all[i];
        ph_status seen = PH_BAD_TIME;
        if (isfinite(end))
            seen = look(l->s, &l->o, &l->c.next, t, end, h >= 0.0);
        if (seen != PH_OK || l->s->stopped)
            leave_group(all, i, count, seen, feed);
    }
    for (size_t i = 0; i < *count; i++)
        self[i] = all[i].s->self;
    if (*count > 0)
        all[0].s->kind->step_group(self, *count, t, h, end, status);
    for (size_t i = *count; i-- > 0;) {
        if (status[i] == PH_OK)
            end_step(all[i].s, &all[i].c);
        if (status[i] != PH_OK || all[i].s->stopped)
            leave_group(all, i, count, status[i], feed);
    }
}

void ph_system_run_groups(double end, const lane_feed *feed)
{
    lane_course all[PH_BATCH_GROUP];
    size_t count;
    do {
        uint64_t steps = 0;
        for (count = 0; count < PH_BATCH_GROUP; count++) {
            lane_course *l = &all[count];
            l->lane = count;
            l->s = feed->next(feed->context, l->lane, &l->o);
            if (l->s == NULL)
                break;
            l->c = (course){.o = &l->o};
        }
        const bool more = count == PH_BATCH_GROUP;
        for (size_t i = count; i-- > 0;) {
            ph_system *s = all[i].s;
            ph_status status = steps_to(s, end, &steps);
            if (status == PH_OK)
                status = begin_run(s, &all[i].c, end);
            if (status != PH_OK || s->stopped)
                leave_group(all, i, &count, status, feed);
        }
        for (; steps > 0 && count > 0; steps--)
            step_all(all, &count, feed);
        while (count > 0)
            leave_group(all, count - 1, &count, PH_OK, feed);
        if (!more)
            break;
    } while (true);
}

/* ---- steps that others take ------------------------------------------------------------- */

ph_status ph_course_begin(ph_system *s, course *c, double end, uint64_t *steps)
{
    ph_status status = steps_to(s, end, steps);
    if (status == PH_OK)
        status = begin_run(s, c, end);
    if (status == PH_OK && s->adaptive == NULL)
        return ph_course_after_steps(s, c, 0, *steps == 0);
    return status;
}

ph_status ph_course_after_steps(ph_system *s, course *c, uint64_t steps, bool last)
{
    ph_status status = PH_OK;
    if (s->adaptive != NULL && steps > 0) {
        s->kind->advanced(s->self);
        s->steps += steps - 1;
        status = after_chosen_step(s, c, s->adaptive->t);
    } else if (s->adaptive == NULL) {
        s->steps += steps;
        const double t = ph_system_clock(s);
        status = look(s, c->o, &c->next, t, last ? t : time_after(s, 1), s->h >= 0.0);
    }
    ph_system_show(s);
    return status;
}

ph_status ph_course_alone(ph_system *s, course *c, uint64_t steps)
{
    ph_status status = PH_OK;
    for (; status == PH_OK && !s->stopped && steps > 0; steps--)
        status = fixed_step(s, c);
    ph_system_show(s);
    return status;
}

double ph_course_next(const course *c, double end)
{
    if (c->next < c->o->count)
        return c->o->times[c->next];
    return end;
}
