/* events.c - the search for the times at which a condition becomes true or false along a motion.
 *
 * Let g(t) be positive where the condition is true, known with g' at the ends a and b of an interval
 * of length L. With |g'| <= D and |g''| <= B in it, g is at most
 *
 *   (g_a + g_b + D L)/2    and    min(g_a + g'_a s + B s^2/2, g_b - g'_b (L - s) + B (L - s)^2/2)
 *
 * at the place s. Both parabolas are convex and their difference is linear, so that the largest value
 * of the minimum is at an end or where they meet. If that is not positive, nor g_a and g_b, the
 * condition does not become true in between; likewise with -g. If g changes its sign and
 * |g'_a + g'_b| > B L, g is monotone, and the condition changes once. Otherwise the interval is
 * halved.
 *
 * Where g has no bounds, as next to a pole, the interval is halved until it is as short as the time is
 * known, but no more often than `unbounded` allows. Before, it is halved until the angles of the time
 * in the condition, as that of the orbit, change by TURN at most. An interval in which interval
 * arithmetic finds no value at all, as of sqrt(R33 - 2), is settled: there the condition is false.
 *
 * A free motion keeps |m| and the energy T. These bound each |w_k| by |m|/J_k and sqrt(2 T/J_k), and
 * so m', w' and their derivatives; the ranges of attitude and velocity within an interval follow, and
 * from these D and B (expression/bounds.c). This proves that nothing is missed. In a field the ranges
 * of m' and w' are estimated from their values at the ends. Of a function of the caller g' is found
 * by differences, and B is taken to be 0: it is convex or concave between evaluations.
 *
 * In order: evaluations; bounds; intervals; a run; derivatives of the time of an event.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arguments.h"
#include "base/array.h"
#include "base/choice.h"
#include "base/extremes.h"
#include "motion/vec.h"
#include "system/events.h"

static const double
    /* A time is found to this part of the step, or of the time of a radian if that is shorter. */
    EVENT_TIME = 1e-12,
    /* The body turns by at most this much between two evaluations. */
    TURN = 0.25,
    /* Bounds of a field are estimated by rates at the ends, times this. */
    MARGIN = 2.0,
    /* Bounds that are proved allow for round-off. */
    ROUNDED = 1.0 + 1e-9,
    /* The distance of differences, relative to the step. */
    DIFFERENCE = 0x1p-12;

enum {
    /* Times that an interval is halved in any case in which g has no bound, as at a pole. */
    UNBOUNDED_HALVES = 8,
    /* Such intervals that are halved beyond that: at most, and more for each step. */
    MOST_UNBOUNDED = 1 << 16,
    UNBOUNDED_OF_STEP = 512,
    /* Evaluations in one step, and more for each radian. */
    MOST_EVALUATIONS = 1 << 20,
    MOST_OF_RADIAN = 64
};

/* A step of more radians is not divided by how far the body turns. */
static const double MOST_TURN = 0x1p22;

/* The value of an event now. */
static double event_value(const ph_event *e, ph_system *s)
{
    if (e->condition != NULL)
        return ph_system_evaluate(s, e->condition);
    const bool before = s->observed;
    s->observed = true; /* it may only read the system */
    const double value = e->value(e->context, s);
    s->observed = before;
    return value;
}

/* ---- evaluations ------------------------------------------------------------------- */

/* Many bodies, and bodies with noise, are seen at their steps alone. */
static bool has_slopes(ph_system *s)
{
    return bath_of(s) == NULL && !s->kind->rows_of_each;
}

static bool has_rates(const ph_system *s, const event_search *e)
{
    return s->kind->rates != NULL && e->event->condition != NULL &&
           ph_condition_moves(e->event->condition);
}

/* The search is no better than this. */
static void weaken(event_search *e, ph_event_proof proof)
{
    if (e->event->proof < proof)
        e->event->proof = proof;
}

/* The angles of the time in the condition, in radians, by which they change in an interval at most. */
static double phase_turn(const ph_system *s, const event_search *e, double from, double to)
{
    const ph_expression *c = e->event->condition;
    if (c == NULL)
        return 0.0;
    return fabs(to - from) * ph_condition_phase_rate(c, from, to, s->values);
}

typedef struct look {
    const event_search *e;
    event_point *out;
} look;

static bool take_point(void *context, ph_system *s)
{
    const look *l = context;
    const ph_event *event = l->e->event;
    event_point *p = l->out;
    p->t = ph_system_clock(s);
    if (s->kind->rates != NULL)
        s->kind->rates(s->self, p->t, &p->motion);
    else
        p->motion = (motion_rates){.speed = 0.0};
    p->g = p->value = event_value(event, s);
    p->slope = 0.0;
    if (has_rates(s, l->e))
        ph_condition_rate(event->condition, p->motion.numbers, s->values, &p->g, &p->slope);
    p->slope *= l->e->direction;
    return true;
}

static ph_status evaluate(ph_system *s, event_search *e, double time, event_point *out)
{
    const bool stopped = s->stopped;
    look l = {e, out};
    const ph_status status = ph_system_observe_at(s, time, take_point, &l);
    s->stopped = stopped;
    e->left--;
    return status;
}

/* With the slope, of a function by differences within the step. */
static ph_status point_at(ph_system *s, event_search *e, double time, event_point *out)
{
    ph_status status = evaluate(s, e, time, out);
    if (status != PH_OK || has_rates(s, e) || !has_slopes(s) || e->length == 0.0)
        return status;
    const double d = DIFFERENCE * e->length, place = (time - e->from) / e->length;
    double times[2] = {time, time};
    event_point end[2] = {*out, *out};
    if (place > 0.5 * DIFFERENCE)
        times[0] = time - d;
    if (place < 1.0 - 0.5 * DIFFERENCE)
        times[1] = time + d;
    for (int k = 0; k < 2 && status == PH_OK; k++) {
        if (times[k] != time)
            status = evaluate(s, e, times[k], &end[k]);
    }
    out->slope = (end[1].g - end[0].g) / fabs(end[1].t - end[0].t);
    return status;
}

/* ---- bounds ------------------------------------------------------------------------ */

/* The largest of the rates at both ends. */
static double larger_rate(const event_point *a, const event_point *b, int k)
{
    return larger_or_nan(fabs(a->motion.numbers[k]), fabs(b->motion.numbers[k]));
}

/* Fills the largest |m'|, |w'|, |m''| and |w''|, and returns the largest |w|, in an interval. */
static double largest_rates(const event_point *a, const event_point *b, double *most)
{
    enum { RATES = VARIABLE_SECOND - VARIABLE_RATE };
    const double length = fabs(b->t - a->t);
    if (a->motion.is_free) {
        for (int k = 0; k < 2 * RATES; k++)
            most[k] = a->motion.most[k] * ROUNDED;
        return a->motion.most_speed * ROUNDED;
    }
    double turn = larger_or_nan(a->motion.speed, b->motion.speed);
    for (int part = 0; part < RATES; part += 3) {
        double first = 0.0, second = 0.0;
        for (int k = VARIABLE_RATE + part; k < VARIABLE_RATE + part + 3; k++) {
            const double change = fabs(b->motion.numbers[k] - a->motion.numbers[k]);
            first = larger_or_nan(first, larger_rate(a, b, k));
            second = larger_or_nan(second, change / length);
        }
        for (int k = part; k < part + 3; k++) {
            most[k] = MARGIN * first;
            most[RATES + k] = MARGIN * (second + turn * first);
        }
    }
    return turn + most[RATES - 1] * length;
}

/* The ranges of all numbers of a motion in an interval, in which the body turns by `turn` at most. */
static void ranges(const event_point *a, const event_point *b, const double *most, double turn,
                   interval x[MOTION_VARIABLES])
{
    const double length = fabs(b->t - a->t), *now = a->motion.numbers;
    for (int k = 0; k < VARIABLE_SECOND; k++) {
        double change = INFINITY, limit = INFINITY;
        if (k < VARIABLE_M) {
            if (k < VARIABLE_R)
                change = 0.5 * turn;
            else
                change = turn;
            limit = 1.0;
        } else if (k < VARIABLE_X) {
            change = most[k - VARIABLE_M] * length;
        } else if (k >= VARIABLE_RATE) {
            change = most[k - VARIABLE_RATE + 6] * length;
            limit = most[k - VARIABLE_RATE];
        }
        x[k] = (interval){larger_or_nan(now[k] - change, -limit),
                          smaller_or_nan(now[k] + change, limit)};
    }
    x[VARIABLE_T] = (interval){smaller_or_nan(a->t, b->t), larger_or_nan(a->t, b->t)};
    for (int k = VARIABLE_SECOND; k < MOTION_VARIABLES; k++)
        x[k] = (interval){-most[k - VARIABLE_RATE], most[k - VARIABLE_RATE]};
}

/* What is known of g in an interval: bounds of |g'| and |g''|, or that it is undefined. */
typedef struct range_of_g {
    double first, second;
    bool undefined;
} range_of_g;

static range_of_g bounds(const ph_system *s, const event_search *e, const event_point *a,
                         const event_point *b, const double *most, double turn)
{
    const ph_expression *c = e->event->condition;
    interval x[MOTION_VARIABLES];
    range_of_g g;
    ranges(a, b, most, turn, x);
    g.undefined = isnan(a->value) && isnan(b->value) && ph_condition_is_undefined(c, x, s->values);
    ph_condition_bounds(c, x, s->values, &g.first, &g.second);
    g.first *= ROUNDED;
    g.second *= ROUNDED;
    return g;
}

/* The largest value that g can have between two ends, where it is g[i] with these slopes. */
static double highest(const double g[2], const double slope[2], double length, double first,
                      double second)
{
    const double end = larger_or_nan(g[0], g[1]), line = 0.5 * (g[0] + g[1] + first * length),
                 over = slope[0] - slope[1] + second * length,
                 place = (g[1] - g[0] - slope[1] * length + 0.5 * second * length * length) / over;
    double curve = end;
    if (!(second < INFINITY))
        curve = INFINITY;
    else if (over > 0.0 && place > 0.0 && place < length)
        curve = g[0] + place * (slope[0] + 0.5 * second * place);
    return larger_or_nan(end, smaller_or_nan(line, curve));
}

/* ---- intervals ---------------------------------------------------------------------- */

typedef enum verdict { DIVIDE_IT, DIVIDE_UNBOUNDED, SETTLED } verdict;

static bool is_true(const event_point *p)
{
    return p->value > 0.0;
}

static double speed_in(const motion_rates *now)
{
    return now->is_free ? now->most_speed : now->speed;
}

/* The shortest interval that is divided. */
static double shortest(const event_search *e, const event_point *a)
{
    const double speed = speed_in(&a->motion), length = fabs(e->length);
    return EVENT_TIME * (speed * length > 1.0 ? 1.0 / speed : length);
}

/* Whether an interval is as short as times are known. */
static bool is_shortest(const event_search *e, const event_point *a, const event_point *b)
{
    const double length = fabs(b->t - a->t), middle = a->t + 0.5 * (b->t - a->t);
    return !(length > shortest(e, a)) || middle == a->t || middle == b->t;
}

/* The verdict by bounds of g; `top` is the largest value that g can have. */
static verdict by_bounds(const event_point *a, const event_point *b, const range_of_g *of,
                         double *top)
{
    const double length = fabs(b->t - a->t), g[2] = {a->g, b->g}, slope[2] = {a->slope, b->slope},
                 minus_g[2] = {-a->g, -b->g}, minus_slope[2] = {-a->slope, -b->slope};
    *top = highest(g, slope, length, of->first, of->second);
    bool settled = *top <= 0.0;
    if (is_true(a) != is_true(b))
        settled = fabs(slope[0] + slope[1]) > of->second * length;
    else if (is_true(a))
        settled = highest(minus_g, minus_slope, length, of->first, of->second) <= 0.0;
    if (settled)
        return SETTLED;
    const bool bounded = of->first < INFINITY || of->second < INFINITY;
    if (bounded && isfinite(a->value) && isfinite(b->value))
        return DIVIDE_IT;
    return DIVIDE_UNBOUNDED;
}

/* Whether the condition changes once or not at all between two points; `top` is then the largest
 * value that g can have. */
static verdict judge(ph_system *s, event_search *e, const event_point *a, const event_point *b,
                     double *top)
{
    double most[MOTION_VARIABLES - VARIABLE_RATE];
    range_of_g of = {.first = INFINITY};
    const double length = fabs(b->t - a->t);
    *top = INFINITY;
    if (is_shortest(e, a, b) || !has_slopes(s))
        return SETTLED;
    if (e->left <= 0) {
        weaken(e, PH_EVENT_UNFINISHED);
        return SETTLED;
    }
    if (s->kind->rates != NULL) {
        const double speed = largest_rates(a, b, most), turn = length * speed;
        if (turn > TURN && speed * fabs(e->length) <= MOST_TURN)
            return DIVIDE_IT;
        if (has_rates(s, e))
            of = bounds(s, e, a, b, most, turn);
    }
    if (of.undefined)
        return SETTLED;
    verdict v = by_bounds(a, b, &of, top);
    const bool unknown = v == DIVIDE_UNBOUNDED || !has_rates(s, e);
    if (unknown && phase_turn(s, e, a->t, b->t) > TURN && e->phases <= MOST_TURN)
        v = DIVIDE_IT;
    return v;
}

/* Halves the interval between two times until it is short; *to ends where the condition is as it is
 * there. */
static ph_status find_change(ph_system *s, event_search *e, const event_point *a, double *to,
                             bool becomes)
{
    ph_status status = PH_OK;
    double from = a->t;
    const double enough = shortest(e, a);
    while (status == PH_OK && fabs(*to - from) > enough) {
        const double middle = from + 0.5 * (*to - from);
        event_point p;
        if (middle == from || middle == *to)
            break;
        status = evaluate(s, e, middle, &p);
        if (is_true(&p) == becomes)
            *to = middle;
        else
            from = middle;
    }
    return status;
}

static void take_extremum(event_search *e, const event_point *p)
{
    if (p->g > e->extremum.g)
        e->extremum = *p;
}

/* Finds the largest g between two points by the sign of its derivative, which tells the time better
 * than g does. */
static ph_status find_extremum(ph_system *s, event_search *e, event_point a, event_point b)
{
    const double enough = shortest(e, &a), best = e->extremum.t;
    const bool here = best == a.t || best == b.t;
    while (fabs(b.t - a.t) > enough) {
        const double middle = a.t + 0.5 * (b.t - a.t);
        event_point p;
        if (middle == a.t || middle == b.t)
            break;
        const ph_status status = point_at(s, e, middle, &p);
        if (status != PH_OK)
            return status;
        if (p.slope > 0.0)
            a = p;
        else
            b = p;
    }
    if (here)
        e->extremum = a;
    else
        take_extremum(e, &a);
    return PH_OK;
}

static ph_status close_window(event_search *e, double leave)
{
    ph_window_list *l = e->list;
    if (l == NULL)
        return PH_OK;
    e->event->met = true;
    if (l->count == l->room) {
        const size_t room = l->room == 0 ? 16 : size_product(2, l->room);
        ph_window *more = array_resize(l->windows, room, sizeof *more);
        if (more == NULL)
            return PH_NO_MEMORY;
        l->windows = more;
        l->room = room;
    }
    const ph_expression *c = e->event->condition;
    double value = e->extremum.value;
    if (c != NULL)
        value = ph_condition_difference(c, value);
    l->windows[l->count++] = (ph_window){e->number, e->enter, leave, e->extremum.t, value};
    return PH_OK;
}

/* Passes over an interval in which the condition changes once or not at all. */
static ph_status pass(ph_system *s, event_search *e, const event_point *b, double top)
{
    const event_point a = e->last;
    const bool was_true = is_true(&a), becomes_true = is_true(b);
    ph_status status = PH_OK;
    double change = b->t;
    if (was_true != becomes_true)
        status = find_change(s, e, &a, &change, becomes_true);
    if (was_true && becomes_true) {
        take_extremum(e, b);
        if (a.slope > 0.0 && b->slope < 0.0 && top > e->extremum.g && e->list != NULL)
            status = find_extremum(s, e, a, *b);
    } else if (becomes_true) {
        e->enter = change;
        e->extremum = *b;
        e->event->met = true;
        if (e->count++ == 0)
            e->first = change;
        e->stopped = e->stops;
        e->stop = change;
    } else if (was_true && status == PH_OK) {
        status = close_window(e, change);
    }
    e->last = *b;
    return status;
}

/* Searches from where the search is to a point. */
static ph_status search_to(ph_system *s, event_search *e, const event_point *b, int unbounded)
{
    double top;
    const event_point a = e->last;
    const verdict v = judge(s, e, &a, b, &top);
    const bool beyond = v == DIVIDE_UNBOUNDED && unbounded == 0;
    if (beyond && e->unbounded == 0)
        weaken(e, PH_EVENT_UNFINISHED);
    if (v == SETTLED || (beyond && e->unbounded == 0))
        return pass(s, e, b, top);
    event_point middle;
    const int left = unbounded - (v == DIVIDE_UNBOUNDED && !beyond);
    e->unbounded -= beyond;
    ph_status status = point_at(s, e, a.t + 0.5 * (b->t - a.t), &middle);
    if (status == PH_OK)
        status = search_to(s, e, &middle, left);
    if (status == PH_OK && !e->stopped)
        return search_to(s, e, b, left);
    return status;
}

/* ---- a run --------------------------------------------------------------------------- */

ph_status ph_search_begin(ph_system *s, event_search *e)
{
    e->event->met = e->stopped = false;
    if (has_rates(s, e) && has_slopes(s))
        e->event->proof = PH_EVENT_PROVED;
    else
        e->event->proof = PH_EVENT_SAMPLED;
    e->unbounded = MOST_UNBOUNDED;
    e->length = 0.0;
    e->direction = sign_of(s->h);
    e->count = 0;
    e->first = NAN;
    const ph_status status = point_at(s, e, ph_system_clock(s), &e->last);
    e->enter = e->last.t;
    e->extremum = e->last;
    return status;
}

ph_status ph_search_step(ph_system *s, event_search *e, double from, double length, double to)
{
    const double direction = sign_of(length);
    const int points = s->adaptive != NULL ? PH_EVENT_POINTS : 1;
    const motion_rates *now = &e->last.motion;
    const double turn = fabs(length) * speed_in(now);
    const bool moved = has_rates(s, e) && ph_condition_depends_on_motion(e->event->condition);
    ph_status status = PH_OK;
    e->last.slope *= direction * e->direction;
    e->direction = direction;
    e->from = from;
    e->length = length;
    e->phases = phase_turn(s, e, from, from + length);
    const double phases = e->phases <= MOST_TURN ? e->phases : 0.0;
    const long more = (long)(MOST_OF_RADIAN * (smaller_or_nan(turn, MOST_TURN) + phases));
    e->left = MOST_EVALUATIONS + more;
    e->unbounded += UNBOUNDED_OF_STEP + more;
    if (e->unbounded > MOST_UNBOUNDED)
        e->unbounded = MOST_UNBOUNDED;
    if (moved && !now->is_free)
        weaken(e, PH_EVENT_ESTIMATED);
    if (!has_rates(s, e) && has_slopes(s)) /* now the step is known */
        status = point_at(s, e, e->last.t, &e->last);
    for (int i = 1; i <= points && status == PH_OK && !e->stopped; i++) {
        event_point p;
        const double time = i < points ? from + length * i / points : to;
        if ((to - time) * direction < 0.0 || (time - e->last.t) * direction <= 0.0)
            continue;
        status = point_at(s, e, time, &p);
        if (status == PH_OK)
            status = search_to(s, e, &p, UNBOUNDED_HALVES);
    }
    return status;
}

bool ph_event_warning(const ph_event *event, char text[PH_MESSAGE])
{
    if (ANY_NULL(event, text))
        return false;
    const ph_expression *c = event->condition;
    const char *why = NULL;
    if (c != NULL && ph_condition_warning(c, text, PH_MESSAGE))
        return true;
    if (event->proof == PH_EVENT_UNFINISHED)
        why = "the search for this condition reached its largest number of evaluations, so that "
              "short windows may be missing: use a smaller step, or write a condition that is "
              "smooth where it is defined";
    else if (c != NULL && ph_condition_is_too_large(c))
        why = "the derivatives of this condition are too large, so that short windows between "
              "two evaluations may be missing: write a shorter condition";
    if (why != NULL)
        (void)snprintf(text, PH_MESSAGE, "%s", why);
    return why != NULL;
}

ph_status ph_search_end(event_search *e)
{
    if (is_true(&e->last))
        return close_window(e, e->last.t);
    return PH_OK;
}

void ph_window_list_free(ph_window_list *list)
{
    if (list != NULL) {
        free(list->windows);
        *list = (ph_window_list){0};
    }
}

/* ---- derivatives of the time of an event ----------------------------------------------------- */

/* An event is where g(t, state) = 0. With x a number of the start, the tensor or the parameters
 *
 *   dt/dx = - g_x / g_t,   g_x along the column of derivatives by x, g_t along the motion
 *
 * both by differences of fourth order, over DISTANCE of a radian and of the size of m.
 */

static const double DISTANCE = 0x1p-11;

/* The value of an event on its way. */
typedef struct event_look {
    const ph_event *event;
    double value;
} event_look;

static bool take_value(void *context, ph_system *s)
{
    event_look *l = context;
    l->value = event_value(l->event, s);
    return true;
}

/* (8 (g(d) - g(-d)) - g(2d) + g(-2d)) / 12 d, of values at -2, -1, 1, 2 times d. */
static double by_differences(const double g[4], double d)
{
    return (8.0 * (g[2] - g[1]) - (g[3] - g[0])) / (12.0 * d);
}

static const double POINT[4] = {-2.0, -1.0, 1.0, 2.0};

static ph_status by_time(ph_system *s, const ph_event *e, double d, double *out)
{
    double g[4];
    for (int k = 0; k < 4; k++) {
        event_look l = {e, NAN};
        const ph_status status =
            ph_system_observe_at(s, ph_system_clock(s) + POINT[k] * d, take_value, &l);
        if (status != PH_OK)
            return status;
        g[k] = l.value;
    }
    *out = by_differences(g, d);
    return PH_OK;
}

/* A state in place of the present one. */
static ph_status set_state(ph_system *s, ph_state to)
{
    const ph_array *q, *m;
    if (ph_system_array_named(s, "attitude", &q) != PH_OK ||
        ph_system_array_named(s, "momentum", &m) != PH_OK)
        return PH_NOT_APPLICABLE;
    const double x[7] = {to.q.w, to.q.x, to.q.y, to.q.z, to.m.x, to.m.y, to.m.z};
    for (int k = 0; k < 7; k++)
        *(k < 4 ? q->data[k] : m->data[k - 4]) = x[k];
    return ph_system_changed(s);
}

/* The largest rate of turning about an axis, 1 at rest. */
static double speed_of(const ph_system *s)
{
    const ph_array *w;
    double speed = 0.0;
    for (int k = 0; ph_system_array_named(s, "velocity", &w) == PH_OK && k < 3; k++)
        speed = larger_or_nan(speed, fabs(*w->data[k]));
    return positive_or_one(speed);
}

static ph_status by_column(ph_system *s, const ph_event *e, const ph_system_column *c, double *out)
{
    const ph_state now = ph_system_state(s);
    const double m = positive_or_one(norm_max(now.m)),
                 size = larger_or_nan(norm_max(c->attitude), norm_max(c->momentum) / m),
                 d = quotient_or(DISTANCE, size, 1.0);
    double g[4];
    for (int k = 0; k < 4; k++) {
        const double by = POINT[k] * d;
        const ph_state moved = {mul(now.q, ph_rotation_exp(scale(by, c->attitude))),
                                add(now.m, scale(by, c->momentum))};
        const ph_status status = set_state(s, moved);
        if (status != PH_OK)
            return status;
        g[k] = event_value(e, s);
    }
    *out = by_differences(g, d);
    return set_state(s, now);
}

ph_status ph_system_event_derivative(ph_system *s, const ph_event *event, double *by)
{
    if (ANY_NULL(s, event, by) || (event->value == NULL && event->condition == NULL))
        return PH_NULL_ARGUMENT;
    const size_t columns = ph_system_derivative_count(s), size = ph_system_save(s, NULL, 0);
    if (columns == 0)
        return PH_NOT_APPLICABLE;
    void *saved = array_create(size, 1);
    ph_system_column *column = array_create(columns, sizeof *column);
    ph_status status = ok_if(saved && column, PH_NO_MEMORY);
    if (status == PH_OK) {
        double rate = 0.0;
        (void)ph_system_save(s, saved, size);
        for (size_t c = 0; c < columns; c++)
            (void)ph_system_derivative(s, c, &column[c]);
        status = by_time(s, event, DISTANCE / speed_of(s), &rate);
        for (size_t c = 0; c < columns && status == PH_OK; c++) {
            status = by_column(s, event, &column[c], &by[c]);
            by[c] /= -rate;
        }
        ph_system_return_to(s, saved, size);
    }
    free(saved);
    free(column);
    return status;
}
