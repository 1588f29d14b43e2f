/* ensemble_sequence.h - what can be done with an ensemble, in any order: the bytes of an input choose
 * the settings, the calls and their arguments, wrong ones too. What is promised is checked after
 * each call. The same bytes give the same bits, by any number of threads. To be included where
 * SEQUENCE_REQUIRE(holds, words) ends what does not hold. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "polhode/batch.h"
#include "polhode/ensemble.h"

enum { MOST_BODIES = 9, MOST_ROWS = 5, MOST_CALLS = 30 };

static int ensemble_runs, ensemble_refused; /* that were begun, or not, so far */

typedef struct ensemble_sequence {
    ph_ensemble *e;
    const uint8_t *bytes;
    size_t at, size;
    uint64_t hash;
    double h; /* of fixed steps, or 0 */
    /* of the run that is on */
    size_t ended[MOST_BODIES], rows[MOST_BODIES];
    const double *times;
    bool in_order, stops[MOST_BODIES];
    int asked, most_asked; /* how often whether to go on, and after which to stop; 0: never */
} ensemble_sequence;

static int ensemble_next(ensemble_sequence *q, int count)
{
    return q->at < q->size ? q->bytes[q->at++] % count : 0;
}

static void ensemble_hash(ensemble_sequence *q, const void *bytes, size_t size)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < size; i++)
        q->hash = (q->hash ^ b[i]) * 0x100000001b3u;
}

/* A checksum of states and statuses. */
static uint64_t ensemble_now(const ph_ensemble *e)
{
    ensemble_sequence sum = {.hash = 1};
    for (size_t i = 0; i < ph_ensemble_count(e); i++) {
        const ph_system *s = ph_ensemble_system(e, i);
        const ph_state now = ph_system_state(s);
        const double t = ph_system_time(s);
        const ph_status status = ph_ensemble_status(e)[i];
        SEQUENCE_REQUIRE(isfinite(now.q.w + now.q.x + now.q.y + now.q.z + t) &&
                             isfinite(now.m.x + now.m.y + now.m.z),
                         "states are finite");
        ensemble_hash(&sum, &now, sizeof now);
        ensemble_hash(&sum, &t, sizeof t);
        ensemble_hash(&sum, &status, sizeof status);
    }
    return sum.hash;
}

/* ---- creation ------------------------------------------------------------------------ */

static bool ensemble_make(ensemble_sequence *q)
{
    static const char *const problems[] = {"heavy_top", "free",     "spacecraft", "well",
                                           "orbiter",   "pendulum", "gyrostat",   "nothing"};
    static const char *const methods[] = {"verlet+exact", "vlv",         "dop853", "gbs",
                                          "exact",        "baoab+exact", NULL,     "nothing"};
    static const char *const names[] = {"velocity", "momentum", "inertia",
                                        "attitude", "strength", "nothing"};
    static const double steps[] = {0.1, 0.25, -0.1, 0.0, NAN, 1e300},
                        tolerances[] = {0.0, 1e-6, 1e-3, NAN, -1.0, 1.0},
                        numbers[] = {1.0, 2.0, 1.5, 0.7, 0.0, -1.0, NAN, 1e200};
    double values[2][4 * MOST_BODIES];
    ph_message why;
    ph_system_settings all = {problems[ensemble_next(q, 8)], .message = &why};
    all.integrator = methods[ensemble_next(q, 8)];
    all.step = steps[ensemble_next(q, 6)];
    all.tolerance = tolerances[ensemble_next(q, 6)];
    const size_t bodies = (size_t)ensemble_next(q, MOST_BODIES + 1),
                 each_count = (size_t)ensemble_next(q, 3);
    ph_each each[2];
    size_t wrong = 77;
    for (size_t k = 0; k < each_count; k++) {
        const int likely = ensemble_next(q, 4) > 0 ? 3 : 8;
        const char *const name = names[ensemble_next(q, 6)];
        const size_t width = (size_t)(1 + ensemble_next(q, 4));
        each[k] = (ph_each){name, values[k], width, 4, 1};
        for (size_t i = 0; i < 4 * MOST_BODIES; i++)
            values[k][i] = numbers[ensemble_next(q, likely)] * (1.0 + 0.01 * (double)(i % 7));
    }
    const ph_status status = ph_ensemble_create(&all, each, each_count, bodies, &wrong, &q->e);
    ensemble_hash(q, &status, sizeof status);
    SEQUENCE_REQUIRE((status == PH_OK) == (q->e != NULL), "an ensemble or an error");
    SEQUENCE_REQUIRE(status == PH_OK || wrong < bodies, "the wrong body is one of them");
    if (status == PH_OK && bodies > 0 && !ph_system_is_adaptive(ph_ensemble_system(q->e, 0)))
        q->h = ph_system_step(ph_ensemble_system(q->e, 0));
    return status == PH_OK;
}

/* ---- runs ---------------------------------------------------------------------------- */

static bool ensemble_see(void *context, size_t body, size_t row, ph_system *s)
{
    ensemble_sequence *q = context;
    const double apart = fabs(ph_system_time(s) - q->times[row]);
    SEQUENCE_REQUIRE(row == q->rows[body]++, "rows come in their order");
    SEQUENCE_REQUIRE(apart <= 1e-9 * (1.0 + fabs(q->times[row])), "rows are at their time");
    return !q->stops[body] || row == 0;
}

static bool ensemble_goes_on(void *context, double done)
{
    ensemble_sequence *q = context;
    SEQUENCE_REQUIRE(done >= 0.0 && done <= 1.0 + 1e-9, "the part done is one");
    return q->most_asked == 0 || ++q->asked < q->most_asked;
}

static void ensemble_ended(void *context, size_t body, ph_status status)
{
    ensemble_sequence *q = context;
    (void)status;
    SEQUENCE_REQUIRE(q->ended[body]++ == 0, "a body ends once");
}

/* A time: some steps ahead, mostly; or between steps, behind, or none. */
static double ensemble_time(ensemble_sequence *q)
{
    const size_t count = ph_ensemble_count(q->e);
    const double now = count > 0 ? ph_system_time(ph_ensemble_system(q->e, 0)) : 0.0,
                 h = q->h != 0.0 && fabs(q->h) < 1.0 ? q->h : 0.1;
    const int kind = ensemble_next(q, 16);
    const double odd[] = {NAN, INFINITY, -INFINITY, now + 0.123, now - h, now};
    return kind < 6 ? odd[kind] : now + h * (double)(kind - 5);
}

static void ensemble_run_once(ensemble_sequence *q)
{
    static const char *const conditions[] = {"R33 < 0", "w1 > 1", "t > 0.3", "R33 < -5",
                                             "R33 <",   "",       "w1 > w2"};
    static const char *const of[] = {"w1", "R33", "1/(w1-w1)", "nothing"};
    const size_t bodies = ph_ensemble_count(q->e);
    const uint64_t before = ensemble_now(q->e);
    const double until = ensemble_time(q);
    double times[MOST_ROWS], first[MOST_BODIES], mean[2 * MOST_ROWS],
        low[2] = {-1, -1}, high[2] = {1, 1}, covariance[4 * MOST_ROWS];
    uint64_t count[MOST_BODIES], in_sums[MOST_ROWS], histogram[6 * MOST_ROWS];
    const size_t rows = (size_t)ensemble_next(q, MOST_ROWS + 1);
    for (size_t i = 0; i < rows; i++)
        times[i] = i > 0 && ensemble_next(q, 8) > 0 ? times[i - 1] + 0.05 : ensemble_time(q);
    memset(q->ended, 0, sizeof q->ended);
    memset(q->rows, 0, sizeof q->rows);
    q->times = times;
    q->asked = 0;
    q->most_asked = ensemble_next(q, 16) == 0 ? 1 + ensemble_next(q, 20) : 0;
    for (size_t i = 0; i < MOST_BODIES; i++)
        q->stops[i] = ensemble_next(q, 16) == 1;
    const bool blind = ensemble_next(q, 4) == 1;
    const double *const seen_at = ensemble_next(q, 16) == 1 ? NULL : times;
    const bool last = ensemble_next(q, 2) == 1;
    const ph_ensemble_observer o = {
        blind ? NULL : ensemble_see, ensemble_goes_on, ensemble_ended, q, seen_at, rows, last};
    bool was_good[MOST_BODIES];
    for (size_t i = 0; i < bodies; i++)
        was_good[i] = ph_ensemble_status(q->e)[i] == PH_OK;
    const int what = ensemble_next(q, 4);
    ph_expression_error why;
    size_t wrong = 0;
    ph_status status;
    if (what == 0) {
        const char *const condition = conditions[ensemble_next(q, 7)];
        status = ph_ensemble_events(q->e, until, condition, &o, first, count, &why);
        for (size_t i = 0; i < bodies && q->ended[i] > 0; i++)
            SEQUENCE_REQUIRE(isnan(first[i]) == (count[i] == 0), "events have a first");
    } else if (what == 1) {
        const char *const one = of[ensemble_next(q, 4)], *const other = of[ensemble_next(q, 4)];
        const char *const two[] = {one, other};
        high[1] = ensemble_next(q, 8) == 1 ? -1.0 : 1.0;
        double *const means = ensemble_next(q, 3) == 1 ? NULL : mean;
        double *const covariances = ensemble_next(q, 2) == 1 ? covariance : NULL;
        uint64_t *const counts = ensemble_next(q, 2) == 1 ? histogram : NULL;
        const size_t bins = (size_t)ensemble_next(q, 4);
        const ph_reduction r = {two,         2,      o.times, rows, in_sums, means,
                                covariances, counts, bins,    low,  high};
        status = ph_ensemble_reduce(q->e, until, &r, &o, &why, &wrong);
        for (size_t i = 0; i < rows && status == PH_OK; i++)
            SEQUENCE_REQUIRE(in_sums[i] <= bodies, "no body is counted twice");
        if (status == PH_OK && q->most_asked == 0)
            ensemble_hash(q, in_sums, rows * sizeof *in_sums);
    } else {
        status = ph_ensemble_run(q->e, until, what == 2 ? &o : NULL);
    }
    bool body_failed = status == PH_OK;
    for (size_t i = 0; i < bodies; i++)
        body_failed = body_failed || ph_ensemble_status(q->e)[i] == status;
    *(body_failed ? &ensemble_runs : &ensemble_refused) += 1;
    if (!body_failed)
        SEQUENCE_REQUIRE(ensemble_now(q->e) == before, "a refused run changes nothing");
    for (size_t i = 0; i < bodies && body_failed && q->most_asked == 0; i++) {
        const ph_status now = ph_ensemble_status(q->e)[i];
        const double t = ph_system_time(ph_ensemble_system(q->e, i));
        const bool there = fabs(t - until) <= 1e-9 * (1.0 + fabs(until)),
                   stopped = what == 2 && !blind && q->stops[i];
        SEQUENCE_REQUIRE(now != PH_OK || there || stopped, "a good body came to the end");
        if (what < 3 && was_good[i] && !stopped)
            SEQUENCE_REQUIRE(q->ended[i] == 1, "the end of each body is told");
        if (!was_good[i])
            SEQUENCE_REQUIRE(q->ended[i] == 0 && now != PH_OK, "a failed body stays so");
    }
    if (q->most_asked == 0) {
        const uint64_t now = ensemble_now(q->e);
        ensemble_hash(q, &status, sizeof status);
        ensemble_hash(q, &now, sizeof now);
    } else { /* how often threads ask, and how far they come, depends on them: the same bits end here */
        q->at = q->size;
    }
}

/* A state that the caller writes into a body, good or bad. */
static void ensemble_write(ensemble_sequence *q)
{
    const size_t count = ph_ensemble_count(q->e);
    const ph_array *f = NULL;
    const size_t body = count > 0 ? (size_t)ensemble_next(q, MOST_BODIES) % count : 0;
    ph_system *s = ph_ensemble_system(q->e, body);
    if (s == NULL || ph_system_array_named(s, "momentum", &f) != PH_OK)
        return;
    const double before = *f->data[0];
    *f->data[0] = ensemble_next(q, 4) == 1 ? NAN : before + 0.1;
    if (ph_system_changed(s) != PH_OK) {
        *f->data[0] = before;
        SEQUENCE_REQUIRE(ph_system_changed(s) == PH_OK, "the state before is good");
    }
}

/* Plays the input; returns a checksum of all that came out. */
static uint64_t ensemble_play(const uint8_t *bytes, size_t size)
{
    ensemble_sequence q = {.bytes = bytes, .size = size, .hash = 1};
    if (!ensemble_make(&q))
        return q.hash;
    for (int k = 0; k < MOST_CALLS && q.at < q.size; k++) {
        if (ensemble_next(&q, 8) == 7)
            ensemble_write(&q);
        else
            ensemble_run_once(&q);
    }
    ph_ensemble_destroy(q.e);
    return q.hash;
}
