/* ensemble.c - many systems of one problem: made one by one, run by threads that take the next
 * body as they are done. */
#include "polhode/ensemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/array.h"
#include "base/choice.h"
#include "base/counter_random.h"
#include "base/named.h"
#include "base/parallel.h"
#include "polhode/batch.h"
#include "system/events.h"

struct ph_ensemble {
    size_t count;
    bool running; /* a function runs it: observers may not */
    ph_system **system;
    ph_status *status;
    ph_event_proof proof;     /* of the last search for events */
    char warning[PH_MESSAGE]; /* what makes it doubtful; "": nothing */
};

/* ---- making the bodies -------------------------------------------------------------- */

enum { WARNINGS = 32 }; /* different ones that are told apart: there are fewer */

/* The settings of one body: those of all, and its own. */
typedef struct own_settings {
    ph_setting *setting;
    int *number; /* of each as the caller counts them */
    double *value;
    const ph_system_settings *all;
    ph_message warned[WARNINGS]; /* the first of each */
    int warnings;
} own_settings;

/* Whether two names set the same part of a start in two ways. */
static bool exclude_each_other(const char *one, const char *other)
{
    size_t count;
    const ph_kind *const *kinds = ph_kinds(&count);
    for (size_t i = 0; i < count; i++) {
        const ph_start_array *row = ROW_NAMED(kinds[i]->start, kinds[i]->start_count, one);
        if (row != NULL && row->other != NULL && strcmp(row->other, other) == 0)
            return true;
    }
    return false;
}

/* Takes the settings of all that no body has of its own, then those of each, whose numbers come
 * later. */
static size_t begin_settings(own_settings *to, const ph_each *each, size_t each_count)
{
    const ph_system_settings *all = to->all;
    size_t count = 0, values = 0;
    for (size_t i = 0; i < all->setting_count; i++) {
        const char *name = all->settings[i].name;
        bool replaced = false;
        for (size_t k = 0; k < each_count; k++)
            replaced = replaced || strcmp(each[k].name, name) == 0 ||
                       exclude_each_other(each[k].name, name);
        to->number[count] = (int)i;
        to->setting[count] = all->settings[i];
        count += !replaced;
    }
    for (size_t k = 0; k < each_count; k++) {
        to->number[count] = (int)(all->setting_count + k);
        to->setting[count++] = (ph_setting){each[k].name, to->value + values, each[k].count};
        values += each[k].count;
    }
    return count;
}

static const char *past_number(const char *text)
{
    return text + strspn(text, "0123456789.e+-");
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether two texts differ in their numbers alone. */
static bool same_words(const char *a, const char *b)
{
    for (;;) {
        if (is_digit(*a) && is_digit(*b)) {
            a = past_number(a);
            b = past_number(b);
        } else if (*a != *b) {
            return false;
        } else if (*a == '\0') {
            return true;
        } else {
            a++, b++;
        }
    }
}

/* Forwards a warning unless one of the same words, perhaps with other numbers, came before. */
static void warn_once(void *context, const ph_message *w)
{
    own_settings *of = context;
    for (int i = 0; i < of->warnings; i++) {
        if (same_words(of->warned[i].text, w->text))
            return;
    }
    ph_message first = *w;
    if (w->setting >= 0)
        first.setting = of->number[w->setting];
    if (of->warnings < WARNINGS)
        of->warned[of->warnings++] = first;
    of->all->warn(of->all->context, &first);
}

static ph_status create_bodies(ph_ensemble *e, own_settings *of, const ph_each *each,
                               size_t each_count)
{
    ph_system_settings with = *of->all;
    with.settings = of->setting;
    with.setting_count = begin_settings(of, each, each_count);
    if (with.warn != NULL) {
        with.warn = warn_once;
        with.context = of;
    }
    const size_t bodies = e->count;
    for (e->count = 0; e->count < bodies; e->count++) {
        double *value = of->value;
        for (size_t k = 0; k < each_count; k++) {
            const double *from = each[k].values + e->count * each[k].along;
            for (size_t n = 0; n < each[k].count; n++)
                *value++ = from[n * each[k].across];
        }
        const ph_status status = ph_system_create(&with, &e->system[e->count]);
        if (status == PH_OK && bath_of(e->system[e->count]) != NULL) {
            ph_system_destroy(e->system[e->count]);
            return ph_settings_refuse(
                &with, PH_NOT_APPLICABLE, PH_SETTING_INTEGRATOR,
                "a thermostat cannot be used for many bodies, because all would have the same "
                "noise: run them one by one, each with its own seed");
        }
        if (status == PH_OK)
            continue;
        if (with.message != NULL && with.message->setting >= 0)
            with.message->setting = of->number[with.message->setting];
        return status;
    }
    return PH_OK;
}

ph_status ph_ensemble_create(const ph_system_settings *all, const ph_each *each, size_t each_count,
                             size_t bodies, size_t *wrong, ph_ensemble **out)
{
    size_t values = 0;
    if (ANY_NULL(all, out) || (each == NULL && each_count > 0))
        return PH_NULL_ARGUMENT;
    ph_status status = ph_settings_check(all);
    if (status == PH_OK && !array_possible(each_count, sizeof *each))
        status = PH_NO_MEMORY;
    for (size_t k = 0; k < each_count && status == PH_OK; k++) {
        values = size_sum(values, each[k].count);
        if (ANY_NULL(each[k].name, each[k].values))
            status = PH_NULL_ARGUMENT;
    }
    if (wrong != NULL)
        *wrong = 0;
    if (status != PH_OK)
        return status;
    const size_t most = size_sum(all->setting_count, each_count);
    own_settings *of = calloc(1, sizeof *of);
    ph_ensemble *e = calloc(1, sizeof *e);
    status = PH_NO_MEMORY;
    if (of != NULL && e != NULL) {
        *of = (own_settings){.setting = array_create(most, sizeof *of->setting),
                             .number = array_create(most, sizeof *of->number),
                             .value = array_create(values, sizeof *of->value),
                             .all = all};
        e->system = array_create(bodies, sizeof(ph_system *));
        e->status = array_create(bodies, sizeof *e->status);
        e->count = bodies;
        if (of->setting && of->number && of->value && e->system && e->status)
            status = create_bodies(e, of, each, each_count);
        else
            e->count = 0;
        free(of->setting);
        free(of->number);
        free(of->value);
    }
    free(of);
    if (status == PH_OK) {
        *out = e;
        return PH_OK;
    }
    if (wrong != NULL)
        *wrong = e ? e->count : 0;
    ph_ensemble_destroy(e);
    return status;
}

ph_status ph_ensemble_of(ph_system *const *systems, size_t count, ph_ensemble **out)
{
    ph_ensemble *e = calloc(1, sizeof *e);
    if (e != NULL) {
        e->system = array_create(count, sizeof(ph_system *));
        e->status = array_create(count, sizeof *e->status);
    }
    const bool made = e != NULL && e->system != NULL && e->status != NULL;
    for (size_t i = 0; i < count; i++) {
        if (made)
            e->system[e->count++] = systems[i];
        else
            ph_system_destroy(systems[i]);
    }
    if (made)
        *out = e;
    else
        ph_ensemble_destroy(e);
    return ok_if(made, PH_NO_MEMORY);
}

void ph_ensemble_destroy(ph_ensemble *e)
{
    if (e == NULL)
        return;
    for (size_t i = 0; i < e->count; i++)
        ph_system_destroy(e->system[i]);
    free((void *)e->system);
    free(e->status);
    free(e);
}

ph_event_proof ph_ensemble_event_proof(const ph_ensemble *e)
{
    return e->proof;
}

const char *ph_ensemble_warning(const ph_ensemble *e)
{
    if (e == NULL || e->warning[0] == '\0')
        return NULL;
    return e->warning;
}

size_t ph_ensemble_count(const ph_ensemble *e)
{
    return e->count;
}

ph_system *ph_ensemble_system(const ph_ensemble *e, size_t body)
{
    return body < e->count ? e->system[body] : NULL;
}

const ph_status *ph_ensemble_status(const ph_ensemble *e)
{
    return e->status;
}

/* ---- running ------------------------------------------------------------------------ */

typedef struct ensemble_run {
    ph_ensemble *e;
    const ph_ensemble_observer *o; /* or NULL */
    double until;
    size_t next;                /* body to be begun */
    parallel_progress progress; /* in bodies */
    bool in_lanes, in_groups;
    const ensemble_mover *by;   /* or NULL */
    ph_event_proof proof;       /* the worst of all bodies */
    const ph_expression *event; /* or NULL, with these: */
    double *first;
    uint64_t *count;
    ph_window_list *lists; /* or this */
    double *held;          /* until when the digits of each body hold; or NULL */
} ensemble_run;

enum { STEPS_BETWEEN_CHECKS = 1024 };

/* A body on its way. Its observer is called at the start and every so many steps, to see whether to
 * go on, and for rows in between. */
typedef struct ensemble_body {
    ensemble_run *r;
    size_t number, row;
    bool begun;
    uint64_t checked;  /* the step of the last check */
    ph_digits *digits; /* with a companion; or NULL */
} ensemble_body;

/* Whether all are to go on, after `done` more bodies are. */
static bool goes_on(ensemble_run *r, size_t done)
{
    return ph_parallel_go_on(&r->progress, (double)done, 0.0);
}

/* Moves the companion of a body, if it has one. */
static void follow(ensemble_body *b, const ph_system *s)
{
    if (b->digits != NULL && ph_digits_follow(b->digits, s) != PH_OK)
        b->digits = NULL;
}

static bool see_body(void *context, ph_system *s)
{
    ensemble_body *b = context;
    const ph_ensemble_observer *o = b->r->o;
    const uint64_t steps = ph_system_steps(s);
    if (b->r->by != NULL)
        return o->observe(o->context, b->number, b->row++, s);
    if (b->digits != NULL && steps != b->checked && steps % STEPS_BETWEEN_CHECKS != 0) {
        b->checked = steps;
        follow(b, s);
        return true;
    }
    if (!b->begun || b->r->event != NULL ||
        (steps % STEPS_BETWEEN_CHECKS == 0 && steps != b->checked)) {
        b->begun = true;
        b->checked = steps;
        follow(b, s);
        return goes_on(b->r, 0);
    }
    return o->observe(o->context, b->number, b->row++, s);
}

/* The next body that has not failed, or the count past the last; after `done` more are. */
static size_t next_body(ensemble_run *r, size_t done)
{
    const bool more = goes_on(r, done);
    ph_parallel_lock();
    while (r->next < r->e->count && r->e->status[r->next] != PH_OK)
        r->next++;
    const size_t body = more && r->next < r->e->count ? r->next++ : r->e->count;
    ph_parallel_unlock();
    return body;
}

/* A body came to its end, or was stopped on the way. */
static void end_body(const ensemble_run *r, size_t body, ph_status status)
{
    const ph_ensemble_observer *o = r->o;
    r->e->status[body] = status;
    if (o != NULL && o->ended != NULL &&
        (status != PH_OK || !r->e->system[body]->stopped ||
         ph_system_is_at(r->e->system[body], r->until)))
        o->ended(o->context, body, status);
}

/* The steps are those of a run without events. */
static ph_status run_events(ensemble_run *r, size_t body, ensemble_body *b)
{
    const ph_observer checks = {see_body, b, STEPS_BETWEEN_CHECKS, NULL, 0};
    ph_event event = {.condition = r->event};
    event_search search = {.event = &event, .number = body, .first = NAN};
    if (r->lists != NULL)
        search.list = &r->lists[body];
    const ph_status status =
        ph_system_search(r->e->system[body], r->until, &checks, NULL, &search, 1);
    if (r->first != NULL) {
        r->first[body] = search.first;
        r->count[body] = search.count;
    }
    ph_parallel_lock();
    if (r->proof < event.proof)
        r->proof = event.proof;
    ph_parallel_unlock();
    return status;
}

/* What sees a body. */
static ph_observer body_observer(ensemble_body *b)
{
    const ph_ensemble_observer *o = b->r->o;
    ph_observer seen = {see_body, b, STEPS_BETWEEN_CHECKS, NULL, 0};
    if (b->r->by)
        seen.every = 0;
    if (o != NULL && o->observe != NULL && o->count > 0) {
        seen.times = o->times;
        seen.count = o->count;
    }
    return seen;
}

/* Runs a body with its companion, and stores until when its digits hold. */
static ph_status run_with_companion(const ensemble_run *r, size_t body, ensemble_body *b)
{
    ph_system *s = r->e->system[body], *companion = NULL;
    ph_observer seen = body_observer(b);
    ph_digits digits = {0};
    const ph_status made = ph_system_companion(s, &companion);
    r->held[body] = NAN;
    if (made == PH_NO_MEMORY)
        return made;
    if (made == PH_OK && ph_digits_begin(&digits, companion, r->until) == PH_OK) {
        // cppcheck-suppress autoVariables ; it is forgotten below
        b->digits = &digits;
        seen.every = 1;
    }
    const ph_status status = ph_system_run_until(s, r->until, &seen);
    if (b->digits != NULL || digits.lost)
        r->held[body] = digits.held;
    b->digits = NULL;
    ph_system_destroy(companion);
    return status;
}

/* One body after the other. */
static void run_alone(ensemble_run *r)
{
    for (size_t body = next_body(r, 0); body < r->e->count; body = next_body(r, 1)) {
        ensemble_body b = {.r = r, .number = body};
        const ph_observer seen = body_observer(&b);
        if (r->event != NULL)
            end_body(r, body, run_events(r, body, &b));
        else if (r->held != NULL)
            end_body(r, body, run_with_companion(r, body, &b));
        else
            end_body(r, body, ph_system_run_until(r->e->system[body], r->until, &seen));
    }
}

/* The bodies in the lanes of a thread. */
typedef struct ensemble_lanes {
    ensemble_run *r;
    ensemble_body *body; /* of each lane */
    size_t done;         /* since the last that was taken */
    size_t moving;
} ensemble_lanes;

static ph_system *next_in_lane(void *context, size_t lane, ph_observer *o)
{
    ensemble_lanes *l = context;
    const size_t body = next_body(l->r, l->done);
    l->done = 0;
    l->moving = lane + 1;
    l->body[lane] = (ensemble_body){.r = l->r, .number = body};
    *o = body_observer(&l->body[lane]);
    return ph_ensemble_system(l->r->e, body);
}

static void end_in_lane(void *context, size_t lane, ph_status status)
{
    ensemble_lanes *l = context;
    l->done++;
    end_body(l->r, l->body[lane].number, status);
}

static void run_bodies(void *context, size_t pass)
{
    (void)pass;
    ensemble_run *r = context;
    ensemble_body body[PH_BATCH_GROUP]; /* of each lane, or of a group */
    ensemble_lanes lanes = {.r = r, .body = body};
    const lane_feed feed = {next_in_lane, end_in_lane, &lanes};
    if (r->in_lanes)
        ph_system_run_lanes(r->until, &feed);
    else if (r->in_groups)
        ph_system_run_groups(r->until, &feed);
    else
        run_alone(r);
}

static bool go_on_moving(void *context, double part)
{
    const ensemble_lanes *l = context;
    return ph_parallel_go_on(&l->r->progress, 0.0, part * (double)l->moving);
}

/* Times that are not in order would be left out, and the rows counted wrong. */
static bool times_are_ahead(const ph_ensemble_observer *o, const ph_system *s, double until)
{
    const double now = ph_system_clock(s);
    double before = ph_system_is_at(s, o->times[0]) ? o->times[0] : now;
    for (size_t i = 0; i < o->count; i++) {
        if (until >= now ? !(o->times[i] >= before) : !(o->times[i] <= before))
            return false;
        before = o->times[i];
    }
    return true;
}

/* What is wrong with the arguments of a run. It is found before any body moves, so that no body
 * fails by it. */
static ph_status check_run(const ensemble_run *r)
{
    const ph_ensemble_observer *o = r->o;
    const bool rows = o != NULL && o->observe != NULL && o->count > 0;
    if (r->e->running)
        return PH_IN_OBSERVER;
    if (rows && o->times == NULL)
        return PH_NULL_ARGUMENT;
    if (rows && !array_possible(o->count, sizeof *o->times))
        return PH_NO_MEMORY;
    if (!isfinite(r->until))
        return PH_BAD_TIME;
    for (size_t i = 0; rows && i < o->count; i++) {
        if (isnan(o->times[i]))
            return PH_BAD_TIME;
    }
    double now = NAN; /* of the body before */
    for (size_t i = 0; i < r->e->count; i++) {
        const ph_system *s = r->e->system[i];
        if (r->e->status[i] != PH_OK)
            continue;
        const ph_status status = ph_system_can_reach(s, r->until);
        if (status != PH_OK)
            return status;
        if (rows && ph_system_clock(s) != now && !times_are_ahead(o, s, r->until))
            return PH_TIME_PASSED;
        now = ph_system_clock(s);
    }
    return PH_OK;
}

static ph_status first_failure(const ph_ensemble *e)
{
    for (size_t i = 0; i < e->count; i++) {
        if (e->status[i] != PH_OK)
            return e->status[i];
    }
    return PH_OK;
}

/* The progress of a run, with the callback of its observer. */
static parallel_progress progress_of(const ensemble_run *r)
{
    parallel_progress progress = {.whole = (double)r->e->count};
    if (r->o != NULL) {
        progress.go_on = r->o->go_on;
        progress.context = r->o->context;
    }
    return progress;
}

static ph_status run_all(ensemble_run *r)
{
    enum { MOST_PASSES = 256 };
    const size_t count = r->e->count;
    r->progress = progress_of(r);
    r->in_lanes = r->in_groups = r->event == NULL && r->held == NULL;
    for (size_t i = 0; i < count; i++) {
        const ph_system *s = r->e->system[i];
        r->in_lanes = r->in_lanes && ph_system_has_lanes(s);
        r->in_groups = r->in_groups && ph_system_has_group(s) &&
                       ph_system_clock(s) == ph_system_clock(r->e->system[0]) &&
                       ph_system_step(s) == ph_system_step(r->e->system[0]) && s->longest == 0.0;
    }
    r->e->running = true;
    ph_parallel_for(smaller_size(count, MOST_PASSES), r->o == NULL || !r->o->one_thread, run_bodies,
                    r);
    r->e->running = false;
    return first_failure(r->e);
}

ph_status ph_ensemble_move(ph_ensemble *e, double until, const ph_ensemble_observer *o,
                           const ensemble_mover *by)
{
    ensemble_run r = {.e = e, .o = o, .until = until, .by = by};
    ph_status status = check_run(&r);
    if (status != PH_OK)
        return status;
    ensemble_lanes l = {.r = &r, .body = array_create(by->lanes, sizeof *l.body)};
    if (l.body == NULL)
        return PH_NO_MEMORY;
    const lane_feed feed = {next_in_lane, end_in_lane, &l};
    r.progress = progress_of(&r);
    e->running = true;
    while (status == PH_OK && r.next < e->count && goes_on(&r, 0))
        status = by->move(by->context, until, &feed, go_on_moving);
    e->running = false;
    free(l.body);
    if (status == PH_OK)
        return first_failure(e);
    return status;
}

ph_status ph_ensemble_run(ph_ensemble *e, double until, const ph_ensemble_observer *o)
{
    ensemble_run r = {.e = e, .o = o, .until = until};
    if (e == NULL)
        return PH_NULL_ARGUMENT;
    const ph_status status = check_run(&r);
    if (status == PH_OK)
        return run_all(&r);
    return status;
}

ph_status ph_ensemble_follow(ph_ensemble *e, double until, const ph_ensemble_observer *o,
                             double *held)
{
    if (ANY_NULL(e, held))
        return PH_NULL_ARGUMENT;
    ensemble_run r = {.e = e, .o = o, .until = until, .held = held};
    const ph_status status = check_run(&r);
    if (status != PH_OK)
        return status;
    for (size_t i = 0; i < e->count; i++) {
        if (e->status[i] == PH_OK &&
            (!ph_system_is_adaptive(e->system[i]) || ph_system_steps(e->system[i]) > 0))
            return PH_NOT_APPLICABLE;
    }
    return run_all(&r);
}

/* Runs with a condition, whose results are where r.first and r.lists point to. */
static ph_status run_condition(ensemble_run r, const char *condition, const ph_ensemble_observer *o,
                               ph_expression_error *why)
{
    ph_expression *event = NULL;
    ph_ensemble_observer no_rows;
    if (o != NULL) {
        no_rows = *o;
        no_rows.observe = NULL;
        r.o = &no_rows;
    }
    ph_status status = check_run(&r);
    if (status == PH_OK && r.e->count > 0)
        status =
            ph_system_expression(r.e->system[0], condition, PH_EXPRESSION_CONDITION, &event, why);
    r.event = event;
    if (status == PH_OK && r.e->count > 0)
        status = run_all(&r);
    r.e->proof = r.proof;
    const ph_event searched = {.condition = event, .proof = r.proof};
    if (!ph_event_warning(&searched, r.e->warning))
        r.e->warning[0] = '\0';
    ph_expression_destroy(event);
    return status;
}

ph_status ph_ensemble_events(ph_ensemble *e, double until, const char *condition,
                             const ph_ensemble_observer *o, double *first, uint64_t *count,
                             ph_expression_error *why)
{
    if (ANY_NULL(e, condition, first, count))
        return PH_NULL_ARGUMENT;
    const ensemble_run r = {.e = e, .until = until, .first = first, .count = count};
    return run_condition(r, condition, o, why);
}

ph_status ph_ensemble_windows(ph_ensemble *e, double until, const char *condition,
                              const ph_ensemble_observer *o, ph_window_list *lists,
                              ph_expression_error *why)
{
    if (ANY_NULL(e, condition, lists))
        return PH_NULL_ARGUMENT;
    const ensemble_run r = {.e = e, .until = until, .lists = lists};
    return run_condition(r, condition, o, why);
}

/* ---- reductions ------------------------------------------------------------------------ */

/* Bodies whose numbers are kept at once. */
enum { REDUCED = 1024 };

typedef struct reducing {
    const ph_reduction *r;
    const ph_ensemble_observer *o; /* or NULL */
    ph_expression **of;
    double *value;       /* [REDUCED][count][columns] */
    size_t first, total; /* body of the block, and all */
} reducing;

static bool reduce_row(void *context, size_t body, size_t row, ph_system *s)
{
    const reducing *g = context;
    double *to = g->value + (body * g->r->count + row) * g->r->columns;
    for (size_t k = 0; k < g->r->columns; k++)
        to[k] = ph_system_evaluate(s, g->of[k]);
    return true;
}

static size_t block_of(const reducing *g)
{
    return smaller_size(g->total - g->first, REDUCED);
}

static bool reducing_goes_on(void *context, double done)
{
    const reducing *g = context;
    const size_t block = block_of(g);
    return g->o->go_on(g->o->context, ((double)g->first + done * (double)block) / (double)g->total);
}

static void reducing_ended(void *context, size_t body, ph_status status)
{
    const reducing *g = context;
    g->o->ended(g->o->context, g->first + body, status);
}

static size_t bin_of(double place, size_t bins)
{
    if (place < 0.0)
        return 0;
    if (place < (double)bins)
        return (size_t)place;
    return bins - 1;
}

/* Adds the numbers x of a body at a time. With d = x - mean before, and the new mean after it:
 * C += d (x - mean)^T. */
static void add_numbers(const ph_reduction *r, size_t row, const double *x)
{
    const size_t n = r->columns;
    double sum = 0.0;
    for (size_t k = 0; k < n; k++)
        sum += 0.0 * x[k]; /* NaN unless all are finite */
    if (sum != 0.0)
        return;
    const double bodies = (double)++r->bodies[row];
    for (size_t k = 0; k < n && r->histogram != NULL; k++) {
        const double place = floor((x[k] - r->low[k]) / (r->high[k] - r->low[k]) * (double)r->bins);
        r->histogram[(row * n + k) * r->bins + bin_of(place, r->bins)]++;
    }
    double *mean = r->mean + row * n, *C = r->covariance ? r->covariance + row * n * n : NULL;
    for (size_t k = 0; k < n && C != NULL; k++) { /* d d^T (1 - 1/bodies) */
        for (size_t i = 0; i <= k; i++)
            C[k * n + i] += (x[k] - mean[k]) * (x[i] - mean[i]) * ((bodies - 1.0) / bodies);
    }
    for (size_t k = 0; k < n; k++)
        mean[k] += (x[k] - mean[k]) / bodies;
}

static void finish_sums(const ph_reduction *r)
{
    const size_t n = r->columns;
    for (size_t row = 0; row < r->count; row++) {
        for (size_t k = 0; k < n && r->bodies[row] == 0; k++)
            r->mean[row * n + k] = NAN;
        for (size_t k = 0; k < n * n && r->covariance != NULL; k++) {
            double *C = r->covariance + row * n * n;
            if (k % n > k / n)
                continue; /* the lower triangle is the upper one */
            if (r->bodies[row] > 1)
                C[k] /= (double)(r->bodies[row] - 1);
            C[k % n * n + k / n] = C[k];
        }
    }
}

static ph_status reduce_all(ph_ensemble *e, double until, reducing *g)
{
    const ph_reduction *r = g->r;
    const size_t row = r->columns, all = r->count * row;
    ph_ensemble_observer seen = {
        .observe = reduce_row, .context = g, .times = r->times, .count = r->count};
    if (g->o != NULL) {
        if (g->o->go_on != NULL)
            seen.go_on = reducing_goes_on;
        if (g->o->ended != NULL)
            seen.ended = reducing_ended;
        seen.one_thread = g->o->one_thread;
    }
    ph_status first = PH_OK;
    for (; g->first < g->total; g->first += REDUCED) {
        const size_t block = block_of(g);
        ph_ensemble part = {
            .count = block, .system = e->system + g->first, .status = e->status + g->first};
        ensemble_run run = {.e = &part, .o = &seen, .until = until};
        for (size_t i = 0; i < block * all; i++)
            g->value[i] = NAN;
        const ph_status status = run_all(&run);
        if (first == PH_OK)
            first = status;
        if (run.progress.stopped)
            break;
        for (size_t i = 0; i < block * r->count; i++)
            add_numbers(r, i % r->count, g->value + i * row);
    }
    finish_sums(r);
    return first;
}

/* Whether the caller can have arrays of these sizes. */
static bool arrays_are_possible(const ph_reduction *r)
{
    const size_t numbers = size_product(r->count, r->columns);
    return array_possible(r->count, sizeof *r->bodies) &&
           (r->covariance == NULL ||
            array_possible(size_product(numbers, r->columns), sizeof *r->covariance)) &&
           (r->histogram == NULL ||
            array_possible(size_product(numbers, r->bins), sizeof *r->histogram));
}

static ph_status check_reduction(ph_ensemble *e, double until, const ph_reduction *r)
{
    const ph_ensemble_observer rows = {.observe = reduce_row, .times = r->times, .count = r->count};
    const ensemble_run run = {.e = e, .o = &rows, .until = until};
    for (size_t k = 0; k < r->columns && r->histogram != NULL; k++) {
        if (r->bins == 0 || !(r->low[k] < r->high[k] && isfinite(r->high[k] - r->low[k])))
            return PH_BAD_PARAMETER;
    }
    return check_run(&run);
}

ph_status ph_ensemble_reduce(ph_ensemble *e, double until, const ph_reduction *r,
                             const ph_ensemble_observer *o, ph_expression_error *why, size_t *wrong)
{
    if (ANY_NULL(e, r) || ANY_NULL(r->of, r->times, r->bodies) ||
        (r->histogram != NULL && ANY_NULL(r->low, r->high)))
        return PH_NULL_ARGUMENT;
    const size_t n = r->columns, numbers = size_product(r->count, n);
    ph_reduction with = *r;
    reducing g = {.r = &with,
                  .o = o,
                  .of = array_create(n, sizeof(ph_expression *)),
                  .value = array_create(size_product(REDUCED, numbers), sizeof *g.value),
                  .total = e->count};
    double *own_mean = NULL;
    if (r->mean == NULL)
        with.mean = own_mean = array_create(numbers, sizeof *own_mean);
    ph_status status = ok_if(g.of && g.value && with.mean && arrays_are_possible(r), PH_NO_MEMORY);
    if (status == PH_OK)
        status = check_reduction(e, until, r);
    for (size_t k = 0; k < n && e->count > 0 && status == PH_OK; k++) {
        status = ph_system_expression(e->system[0], r->of[k], PH_EXPRESSION_TORQUE, &g.of[k], why);
        if (status != PH_OK && wrong != NULL)
            *wrong = k;
    }
    if (status == PH_OK) {
        memset(with.bodies, 0, with.count * sizeof *with.bodies);
        memset(with.mean, 0, numbers * sizeof *with.mean);
        if (with.covariance != NULL)
            memset(with.covariance, 0, numbers * n * sizeof *with.covariance);
        if (with.histogram != NULL)
            memset(with.histogram, 0, numbers * with.bins * sizeof *with.histogram);
        e->running = true;
        status = reduce_all(e, until, &g);
        e->running = false;
    }
    for (size_t k = 0; k < n && g.of != NULL; k++)
        ph_expression_destroy(g.of[k]);
    free((void *)g.of);
    free(g.value);
    free(own_mean);
    return status;
}

/* ---- draws ----------------------------------------------------------------------------- */

/* The columns of L, C = L L^T, each that of the unknown with the largest variance left, relative to
 * its own (Cholesky with pivots); a direction without a variance has none. */
static bool factor(const double *C, size_t n, double *L, double *left)
{
    static const double ROUND_OFF = 1e-7;
    for (size_t i = 0; i < n; i++) {
        if (!(C[i * n + i] >= 0.0 && isfinite(C[i * n + i])))
            return false;
        left[i] = C[i * n + i] > 0.0 ? 1.0 : 0.0;
    }
    for (size_t k = 0; k < n; k++) {
        size_t best = 0;
        for (size_t i = 0; i < n; i++) {
            if (left[i] > left[best])
                best = i;
            if (!(left[i] >= -ROUND_OFF))
                return false;
        }
        if (left[best] <= ROUND_OFF)
            return true;
        const double pivot = sqrt(left[best] * C[best * n + best]);
        for (size_t i = 0; i < n; i++) {
            double sum = i < best ? C[best * n + i] : C[i * n + best];
            for (size_t j = 0; j < k; j++)
                sum -= L[i * n + j] * L[best * n + j];
            L[i * n + k] = 0.0;
            if (left[i] != 0.0) {
                L[i * n + k] = sum / pivot;
                left[i] -= L[i * n + k] * L[i * n + k] / C[i * n + i];
            }
        }
        left[best] = 0.0;
    }
    return true;
}

ph_status ph_draw_normal(const double *covariance, size_t n, uint64_t seed, uint64_t k,
                         uint64_t attempt, double *out)
{
    if (ANY_NULL(covariance, out))
        return PH_NULL_ARGUMENT;
    const size_t square = size_product(n, n),
                 numbers = size_sum(square, size_sum(size_product(2, n), 2));
    double *L = array_create(numbers, sizeof *L);
    if (L == NULL)
        return PH_NO_MEMORY;
    double *z = L + square;
    const bool good = factor(covariance, n, L, z + n + 1);
    for (size_t i = 0; i < n && good; i += 2)
        normal_pair(seed, (const uint64_t[]){k, attempt << 32 | i}, z + i);
    for (size_t i = 0; i < n && good; i++) {
        out[i] = 0.0;
        for (size_t j = 0; j < n; j++)
            out[i] += L[i * n + j] * z[j];
    }
    free(L);
    return ok_if(good, PH_BAD_PARAMETER);
}
