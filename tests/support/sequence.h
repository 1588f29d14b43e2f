/* sequence.h - what can be done with a system, in any order: the bytes of an input choose what
 * comes next. After each call the system is whole, or an error was returned and it is as it was.
 * The same bytes give the same bits. To be included where SEQUENCE_REQUIRE(holds, words) ends
 * what does not hold. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "polhode/system.h"
#include "system/kind.h"

typedef struct sequence {
    ph_system *s;
    const uint8_t *bytes;
    size_t at, size;
    uint64_t hash; /* of all that was seen, returned and saved */
    ph_status refused;
    unsigned char *saved; /* a snapshot, or NULL */
    size_t saved_size;
    int sightings; /* until an observer stops; 0: never */
    bool ended;    /* it has */
} sequence;

static int sequence_next(sequence *q, int count)
{
    return q->at < q->size ? q->bytes[q->at++] % count : 0;
}

static void sequence_hash(sequence *q, const void *bytes, size_t size)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < size; i++)
        q->hash = (q->hash ^ b[i]) * 0x100000001b3u;
}

static void sequence_number(sequence *q, double x)
{
    const double canonical = isnan(x) ? 0.0 : x; /* a NaN has no sign */
    sequence_hash(q, &canonical, sizeof canonical);
}

static unsigned char *sequence_snapshot(const ph_system *s, size_t *size)
{
    *size = ph_system_save(s, NULL, 0);
    unsigned char *bytes = malloc(*size + 1);
    SEQUENCE_REQUIRE(*size > 0 && bytes != NULL, "there is a snapshot");
    SEQUENCE_REQUIRE(ph_system_save(s, bytes, *size) == *size, "its size is known");
    return bytes;
}

/* ---- what is promised ------------------------------------------------------------ */

/* Shown numbers are finite, and attitudes of unit length. */
static void sequence_check_state(const ph_system *s)
{
    size_t count;
    const ph_array *f = ph_system_arrays(s, &count);
    SEQUENCE_REQUIRE(isfinite(ph_system_time(s)), "the time is finite");
    for (; count > 0; count--, f++) {
        for (size_t i = 0; i < f->count && (f->use & PH_ARRAY_SHOWN); i++) {
            double square = 0.0;
            for (int k = 0; k < f->width; k++) {
                const double x = f->data[k][i * f->stride];
                SEQUENCE_REQUIRE(isfinite(x) || (f->use & PH_ARRAY_DERIVED),
                                 "what is shown is finite");
                square += x * x;
            }
            SEQUENCE_REQUIRE(f->width != 4 || !(f->use & PH_ARRAY_PLACE) ||
                                 fabs(square - 1.0) < 1e-9,
                             "attitudes are of unit length");
        }
    }
}

/* A system that is whole can be saved, and restored to what it is. */
static void sequence_check(sequence *q, ph_status status)
{
    sequence_hash(q, &status, sizeof status);
    if (q->refused != PH_OK)
        return;
    size_t size, again;
    sequence_check_state(q->s);
    unsigned char *before = sequence_snapshot(q->s, &size);
    SEQUENCE_REQUIRE(ph_system_restore(q->s, before, size) == PH_OK, "it is restored");
    unsigned char *after = sequence_snapshot(q->s, &again);
    SEQUENCE_REQUIRE(size == again && memcmp(before, after, size) == 0,
                     "it is restored to what it is");
    sequence_hash(q, before, size);
    free(before);
    free(after);
}

/* ---- what is done ---------------------------------------------------------------- */

static bool sequence_see(void *context, ph_system *s)
{
    sequence *q = context;
    sequence_number(q, ph_system_time(s));
    sequence_number(q, ph_system_energy(s));
    sequence_check_state(s);
    SEQUENCE_REQUIRE(!q->ended, "an observer that ended a run is asked no more");
    q->ended = q->sightings > 0 && --q->sightings == 0;
    return !q->ended;
}

static double sequence_event(void *context, ph_system *s)
{
    const double *time = context;
    return time[1] * (ph_system_time(s) - time[0]);
}

/* A time next to that of the system, of a step or not. */
static double sequence_time(sequence *q, double unit)
{
    const int halves = sequence_next(q, 19) - 3;
    return ph_system_time(q->s) + unit * 0.5 * halves;
}

static void sequence_run(sequence *q, double unit)
{
    enum { TIMES = 3 };
    double times[TIMES], event_time[2];
    const int kind = sequence_next(q, 4), watched = sequence_next(q, 2);
    const uint64_t steps = (uint64_t)sequence_next(q, 6);
    const double end = sequence_time(q, unit), t = ph_system_time(q->s);
    for (int k = 0; k < TIMES; k++)
        times[k] =
            k == 0 ? sequence_time(q, unit) : times[k - 1] + unit * 0.25 * sequence_next(q, 5);
    const uint64_t every = (uint64_t)sequence_next(q, 3);
    ph_observer o = {sequence_see, q, every, times, (size_t)sequence_next(q, TIMES + 1)};
    if (sequence_next(q, 16) == 15)
        times[0] = NAN;
    q->sightings = sequence_next(q, 6);
    event_time[0] = sequence_time(q, unit);
    event_time[1] = sequence_next(q, 3) - 1;
    ph_event event = {.value = sequence_event, .context = event_time};
    const uint64_t before = ph_system_steps(q->s);
    const ph_observer *by = watched ? &o : NULL;
    const ph_status status = kind < 2    ? ph_system_run(q->s, steps, by)
                             : kind == 2 ? ph_system_run_until(q->s, end, by)
                                         : ph_system_run_event(q->s, end, by, &event);
    if (q->refused != PH_OK) {
        SEQUENCE_REQUIRE(status != PH_OK, "what was refused does not run");
    } else if (status == PH_OK) {
        const double now = ph_system_time(q->s);
        const bool stopped = q->ended;
        SEQUENCE_REQUIRE(kind >= 2 || stopped || ph_system_steps(q->s) == before + steps,
                         "all steps were made");
        SEQUENCE_REQUIRE(kind != 2 || stopped || fabs(now - end) <= 1e-6 * unit,
                         "the time is reached");
        SEQUENCE_REQUIRE(kind != 3 || stopped || event.met || fabs(now - end) <= 1e-6 * unit,
                         "the event or the time is reached");
        SEQUENCE_REQUIRE(ph_system_steps(q->s) > before || now == t, "time goes by steps");
    }
    q->sightings = 0;
    q->ended = false;
    sequence_check(q, status);
}

/* Writes a number into a field that can be written. */
static void sequence_write(sequence *q)
{
    static const double values[] = {0.3, -1.5, 0.0, 2.0, NAN, INFINITY, 1e300, -1e-300};
    const int modest = ph_system_is_adaptive(q->s) ? 4 : 8;
    size_t count;
    const ph_array *f = ph_system_arrays(q->s, &count);
    f += sequence_next(q, (int)count);
    const int k = sequence_next(q, f->width), value = sequence_next(q, modest);
    if (f->count == 0 || !(f->use & PH_ARRAY_SHOWN) ||
        (f->use & (PH_ARRAY_DERIVED | PH_ARRAY_CONSTANT)))
        return;
    f->data[k][(size_t)sequence_next(q, (int)(f->count < 256 ? f->count : 256)) * f->stride] =
        values[value];
    q->refused = ph_system_changed(q->s);
    sequence_check(q, q->refused);
}

static void sequence_restore(sequence *q)
{
    if (q->saved == NULL)
        return;
    size_t size;
    const bool altered = sequence_next(q, 4) == 0;
    if (altered) {
        const size_t at = (size_t)sequence_next(q, 256);
        q->saved[at % q->saved_size] ^= 1;
    }
    const ph_status status = ph_system_restore(q->s, q->saved, q->saved_size);
    SEQUENCE_REQUIRE((status == PH_OK) == !altered, "what is altered is no snapshot");
    if (altered) {
        free(q->saved);
        q->saved = NULL;
        return;
    }
    q->refused = PH_OK;
    unsigned char *now = sequence_snapshot(q->s, &size);
    SEQUENCE_REQUIRE(size == q->saved_size && memcmp(now, q->saved, size) == 0,
                     "it is what was saved");
    free(now);
    sequence_check(q, status);
}

/* Opens the system's own snapshot; both go on alike. */
static void sequence_open(sequence *q)
{
    size_t size, other_size;
    if (q->refused != PH_OK)
        return;
    ph_system *other = NULL;
    unsigned char *bytes = sequence_snapshot(q->s, &size);
    const ph_status status = ph_system_from_snapshot(bytes, size, &other);
    SEQUENCE_REQUIRE((status == PH_OK) == (other != NULL), "there is a system, or none");
    free(bytes);
    if (status != PH_OK) /* of a problem of the caller's own */
        return;
    SEQUENCE_REQUIRE(ph_system_run(q->s, 2, NULL) == ph_system_run(other, 2, NULL),
                     "both end alike");
    bytes = sequence_snapshot(q->s, &size);
    unsigned char *more = sequence_snapshot(other, &other_size);
    SEQUENCE_REQUIRE(size == other_size && memcmp(bytes, more, size) == 0, "both go on alike");
    free(bytes);
    free(more);
    ph_system_destroy(other);
    sequence_check(q, status);
}

static void sequence_set_step(sequence *q, double unit)
{
    const double steps[] = {unit, -unit, 0.5 * unit, 0.0, 1e308, -1e308, NAN, INFINITY};
    const double h = steps[sequence_next(q, 8)];
    const ph_status status = ph_system_set_step(q->s, h);
    SEQUENCE_REQUIRE((status == PH_OK) == isfinite(h), "steps are finite");
    sequence_check(q, status);
}

/* Does all that the bytes say, in steps of about `unit`; returns the hash of it. */
static uint64_t sequence_play(ph_system *s, double unit, const uint8_t *bytes, size_t size)
{
    sequence q = {.s = s, .bytes = bytes, .size = size, .hash = 0xcbf29ce484222325u};
    while (q.at < q.size) {
        switch (sequence_next(&q, 12)) {
        case 0:
        case 1:
        case 2:
        case 3:
            sequence_run(&q, unit);
            break;
        case 4:
            sequence_set_step(&q, unit);
            break;
        case 5:
            sequence_write(&q);
            break;
        case 6:
            if (q.refused == PH_OK) {
                free(q.saved);
                q.saved = sequence_snapshot(s, &q.saved_size);
            }
            break;
        case 7:
            sequence_restore(&q);
            break;
        case 8: {
            const double time = sequence_next(&q, 9) == 8 ? 1e308 : sequence_time(&q, unit);
            const ph_status status =
                q.refused == PH_OK && (fabs(time) < 1e300 || !ph_system_is_adaptive(s))
                    ? ph_system_observe_at(s, time, sequence_see, &q)
                    : PH_OK;
            sequence_check(&q, status);
            break;
        }
        case 9:
            ph_system_watch(s, sequence_next(&q, 2));
            break;
        case 10: {
            const ph_energy_record e = ph_system_energy_record(s);
            sequence_number(&q, e.first);
            sequence_number(&q, e.largest_error);
            sequence_number(&q, ph_system_finite(s));
            sequence_number(&q, (double)ph_system_evaluations(s));
            break;
        }
        default:
            sequence_open(&q);
        }
    }
    free(q.saved);
    return q.hash;
}
