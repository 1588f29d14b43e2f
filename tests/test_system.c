/* test_system.c - systems: every kind, problem and integrator stops and goes on, is asked
 * without being changed, fails without losing its state, and takes one that is written. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "kinds/spheres/spheres_list.h"
#include "motion/vec.h"
#include "support/molecules.h"
#include "support/random.h"
#include "support/sphere_runs.h"
#include "support/stepping.h"
#include "support/systems.h"
#include "system/find.h"
#include "system/kind.h"
#include "system/run_body.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { STEPS = 7 };

/* ---- stopping and going on ------------------------------------------------------- */

static void stops_and_goes_on(const any_system *a)
{
    ph_system *whole = system_made(a), *parts = system_made(a), *again = system_made(a);
    ph_system_watch(whole, true);
    ph_system_watch(parts, true);
    run_system(a, whole, 2, NULL);
    run_system(a, parts, 2, NULL);
    assert_int_equal(PH_OK, ph_system_set_step(whole, 0.5 * a->h));
    assert_int_equal(PH_OK, ph_system_set_step(parts, 0.5 * a->h));
    run_system(a, whole, 2 * STEPS, NULL);
    run_system(a, parts, STEPS, NULL);
    const bytes b = snapshot_of(parts);
    run_system(a, parts, STEPS, NULL);
    assert_same_system(a, "n and n steps are not 2n", whole, parts);
    assert_int_equal(PH_OK, ph_system_restore(again, b.at, b.size));
    assert_int_equal(2 + STEPS, ph_system_steps(again));
    run_system(a, again, STEPS, NULL);
    assert_same_system(a, "a restored system goes on otherwise", whole, again);
    ph_system_destroy(again);
    again = NULL;
    const ph_status status = ph_system_from_snapshot(b.at, b.size, &again);
    assert_int_equal(a->named ? PH_OK : PH_UNKNOWN_NAME, status);
    if (again != NULL) {
        run_system(a, again, STEPS, NULL);
        assert_same_system(a, "an opened system goes on otherwise", whole, again);
    }
    free(b.at);
    ph_system_destroy(whole);
    ph_system_destroy(parts);
    ph_system_destroy(again);
}

static void test_stopping(void **state)
{
    (void)state;
    assert_true(every_system(stops_and_goes_on) > 400);
}

/* ---- observers ------------------------------------------------------------------- */

/* What an observer saw. */
enum { MOST_SEEN = 64 };
typedef struct seen {
    int count, stop_after; /* views; 0: it never ends the run */
    double t[MOST_SEEN];
    uint64_t step[MOST_SEEN];
    ph_state s[MOST_SEEN];
} seen;

static bool see(void *context, ph_system *s)
{
    seen *x = context;
    assert_true(x->count < MOST_SEEN);
    x->t[x->count] = ph_system_time(s);
    x->step[x->count] = ph_system_steps(s);
    x->s[x->count] = ph_system_state(s);
    assert_true(isfinite(ph_system_energy(s)));
    size_t observables;
    (void)ph_system_observables(s, &observables);
    return ++x->count != x->stop_after;
}

static bool count_views(void *context, ph_system *s)
{
    (void)s;
    ++*(int *)context;
    return true;
}

static void is_not_changed_by_questions(const any_system *a)
{
    ph_system *asked = system_made(a), *left_alone = system_made(a);
    const double h = a->h;
    const double times[] = {0, 0.3 * h, 2 * h, 2.5 * h, 2.75 * h, STEPS * h};
    seen x = {.count = 0};
    const ph_observer o = {see, &x, 1, times, COUNT(times)};
    run_system(a, left_alone, STEPS, NULL);
    run_system(a, asked, STEPS, &o);
    assert_int_equal(STEPS + 1 + COUNT(times), x.count);
    assert_same_system(a, "an observer changes the run", left_alone, asked);
    assert_int_equal(PH_OK, ph_system_observe_at(asked, (STEPS + 0.5) * h, see, &x));
    assert_same_system(a, "a look changes the system", left_alone, asked);
    ph_system_destroy(asked);
    ph_system_destroy(left_alone);
}

static void test_asking(void **state)
{
    (void)state;
    every_system(is_not_changed_by_questions);
}

/* The start of each run and multiples of `every`, counted from the beginning. */
static void test_every(void **state)
{
    (void)state;
    static const uint64_t expected[] = {0, 3, 6, 7, 9, 12};
    ph_system *s = system_named("heavy_top", "vlv", 0.1);
    seen x = {.count = 0};
    const ph_observer o = {.observe = see, .context = &x, .every = 3};
    assert_int_equal(PH_OK, ph_system_run(s, 7, &o));
    assert_int_equal(PH_OK, ph_system_run(s, 7, &o));
    assert_int_equal(COUNT(expected), x.count);
    assert_memory_equal(expected, x.step, sizeof expected);
    for (int i = 0; i < x.count; i++)
        assert_true(x.t[i] == (double)x.step[i] / 10.0);
    const ph_observer none = {.observe = see, .context = &x};
    x.count = 0;
    assert_int_equal(PH_OK, ph_system_run(s, 7, &none));
    assert_int_equal(0, x.count);
    ph_system_destroy(s);
}

/* Times as people write them: some are a rounding before a step or the end, some after. */
static void check_times(double sign)
{
    static const double decimal[] = {0, 0.03, 0.1, 0.1, 0.25, 0.3, 0.7, 0.71, 1.1, 1.15};
    enum { TIMES = COUNT(decimal), AFTER_END = 1 };
    double times[TIMES];
    for (int i = 0; i < TIMES; i++)
        times[i] = sign * decimal[i];
    ph_system *s = system_named("free", "exact", sign * 0.1);
    const ph_state start = ph_system_state(s);
    ph_motion motion;
    assert_int_equal(PH_OK, ph_motion_prepare(&motion, &find_problem("free")->body, &start));
    seen x = {.count = 0};
    const ph_observer o = {see, &x, 0, times, TIMES};
    assert_int_equal(PH_OK, ph_system_run(s, 11, &o));
    assert_int_equal(TIMES - AFTER_END, x.count);
    for (int i = 0; i < x.count; i++) {
        const ph_state right = ph_motion_at(&motion, x.t[i]);
        assert_true(fabs(x.t[i] - times[i]) < 1e-15);
        assert_true(relative_distance(x.s[i], right) < 1e-14);
    }
    ph_system_destroy(s);
}

static void test_times(void **state)
{
    (void)state;
    check_times(1);
    check_times(-1);
    ph_system *s = system_named("free", "exact", 0.01);
    for (int n = 1; n < 1000; n++) { /* n h is below, above or at the time */
        char decimal[16];
        (void)snprintf(decimal, sizeof decimal, "%d.%02d", n / 100, n % 100);
        const double time = strtod(decimal, NULL);
        seen x = {.count = 0};
        const ph_observer o = {see, &x, 0, &time, 1};
        assert_int_equal(PH_OK, ph_system_run_until(s, time, &o));
        assert_int_equal(n, ph_system_steps(s));
        assert_int_equal(1, x.count);
        assert_int_equal(n, x.step[0]); /* the state of that step, not one before */
    }
    ph_system_destroy(s);
}

/* A run that was ended goes on: what is over is not seen again. */
static void test_ending(void **state)
{
    (void)state;
    static const double times[] = {0.05, 0.15, 0.35, 0.55, 0.95};
    ph_system *whole = system_named("heavy_top", "vlv", 0.1),
              *parts = system_named("heavy_top", "vlv", 0.1);
    assert_int_equal(PH_OK, ph_system_run(whole, 10, NULL));
    seen x = {.stop_after = 3};
    const ph_observer at_times = {see, &x, 0, times, COUNT(times)},
                      at_steps = {.observe = see, .context = &x, .every = 2};
    assert_int_equal(PH_OK, ph_system_run(parts, 10, &at_times));
    assert_int_equal(3, x.count);
    assert_int_equal(3, ph_system_steps(parts)); /* the last before 0.35 */
    x = (seen){.stop_after = 3};
    assert_int_equal(PH_OK, ph_system_run(parts, 7, &at_steps));
    assert_int_equal(6, ph_system_steps(parts));
    x = (seen){.count = 0};
    assert_int_equal(PH_OK, ph_system_run_until(parts, 1.0, &at_times));
    assert_int_equal(1, x.count);
    assert_true(x.t[0] == 0.95);
    const any_system a = {.name = "heavy_top by vlv"};
    assert_same_system(&a, "an ended run goes on otherwise", whole, parts);
    x = (seen){.stop_after = 1};
    assert_int_equal(PH_OK, ph_system_run(parts, 10, &at_steps));
    assert_int_equal(10, ph_system_steps(parts)); /* ended where it began */
    ph_system_destroy(whole);
    ph_system_destroy(parts);
}

/* Times between the steps of a free body, against the exact motion: by `exact` to
 * round-off, by dmv8 as near as its steps are. */
static void test_dense(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double tolerance;
    } rows[] = {{"exact", 1e-13}, {"dmv8", 1e-9}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        double times[MOST_SEEN] = {0};
        uint64_t seed = 3;
        for (int i = 1; i < MOST_SEEN; i++)
            times[i] = times[i - 1] + between(&seed, 0, 0.2);
        ph_system *s = system_named("free", rows[k].name, 0.1);
        const ph_state start = ph_system_state(s);
        ph_motion motion;
        assert_int_equal(PH_OK, ph_motion_prepare(&motion, &find_problem("free")->body, &start));
        seen x = {.count = 0};
        const ph_observer o = {see, &x, 0, times, MOST_SEEN};
        assert_int_equal(PH_OK, ph_system_run(s, 2 * MOST_SEEN, &o));
        assert_int_equal(MOST_SEEN, x.count);
        for (int i = 0; i < x.count; i++) {
            const ph_state right = ph_motion_at(&motion, times[i]);
            if (!(x.t[i] == times[i] && relative_distance(x.s[i], right) < rows[k].tolerance))
                fail_msg("%s at %.17g: off by %g", rows[k].name, times[i],
                         relative_distance(x.s[i], right));
        }
        ph_system_destroy(s);
    }
}

/* An observer may look ahead from a step, but not from a time between two steps, where it
 * also cannot save. */
static bool look_and_save(void *context, ph_system *s)
{
    seen *x = context, inside = {.count = 0};
    const double now = ph_system_time(s);
    const bool between_steps = now != (double)ph_system_steps(s) * ph_system_step(s);
    const ph_status status = ph_system_observe_at(s, now + 0.01, see, &inside);
    assert_int_equal(between_steps ? PH_IN_OBSERVER : PH_OK, status);
    assert_int_equal(between_steps ? 0 : 1, inside.count);
    assert_true(ph_system_time(s) == now);
    assert_true((ph_system_save(s, NULL, 0) == 0) == between_steps);
    return see(x, s);
}

static void test_looking(void **state)
{
    (void)state;
    static const double times[] = {0.0, 0.05, 0.2, 0.25};
    ph_system *s = system_named("heavy_top", "vlv", 0.1),
              *left_alone = system_named("heavy_top", "vlv", 0.1);
    seen x = {.count = 0};
    const ph_observer o = {look_and_save, &x, 2, times, COUNT(times)};
    assert_int_equal(PH_OK, ph_system_run(s, 4, &o));
    assert_int_equal(3 + COUNT(times), x.count);
    assert_int_equal(PH_OK, ph_system_run(left_alone, 4, NULL));
    const any_system a = {.name = "heavy_top by vlv"};
    assert_same_system(&a, "looks change the run", left_alone, s);
    assert_int_equal(PH_BAD_TIME, ph_system_observe_at(s, NAN, see, &x));
    ph_system_destroy(s);
    ph_system_destroy(left_alone);
    s = system_named("pendulum", "rkmk4", 0.1);
    const uint64_t before = ph_system_evaluations(s);
    int views = 0;
    assert_int_equal(PH_OK, ph_system_observe_at(s, 0.0, count_views, &views));
    assert_int_equal(1, views);
    assert_true(ph_system_evaluations(s) == before); /* now: no step at all */
    ph_system_destroy(s);
}

/* What an observer, or an event, tries in vain. */
typedef struct meddler {
    const unsigned char *saved;
    size_t size;
    int calls;
} meddler;

static bool meddle(void *context, ph_system *s)
{
    meddler *m = context;
    const double step = ph_system_step(s), until = ph_system_time(s) + 1.0;
    m->calls++;
    assert_int_equal(PH_IN_OBSERVER, ph_system_run(s, 1, NULL));
    assert_int_equal(PH_IN_OBSERVER, ph_system_run_until(s, until, NULL));
    assert_int_equal(PH_IN_OBSERVER, ph_system_set_step(s, 2.0 * step));
    assert_int_equal(PH_IN_OBSERVER, ph_system_restore(s, m->saved, m->size));
    assert_true(ph_system_step(s) == step);
    return true;
}

static double meddling_value(void *context, ph_system *s)
{
    (void)meddle(context, s);
    return -1.0;
}

/* An observer cannot run its system, by fixed steps and others, at a step and between two. */
static void test_observers_do_not_run(void **state)
{
    (void)state;
    enum { SIZE = 1 << 16, SECONDS = 100 };
    static unsigned char saved[SIZE];
    static const double times[] = {0.0, 0.25, 0.7};
    static const char *const methods[] = {"vlv", "gbs", "s6_10+exact", "dop853"};
    (void)alarm(SECONDS); /* ends a run that runs itself */
    for (size_t k = 0; k < COUNT(methods); k++) {
        ph_system *s = system_named("heavy_top", methods[k], 0.1),
                  *alone = system_named("heavy_top", methods[k], 0.1);
        meddler m = {saved, ph_system_save(s, saved, SIZE), 0};
        const ph_observer o = {meddle, &m, 1, times, COUNT(times)};
        ph_event event = {.value = meddling_value, .context = &m};
        assert_int_equal(PH_OK, ph_system_run_until(s, 1.0, &o));
        assert_true(m.calls > (int)COUNT(times));
        assert_int_equal(PH_OK, ph_system_run_event(s, 2.0, NULL, &event));
        assert_int_equal(PH_OK, ph_system_run_until(alone, 1.0, NULL));
        assert_int_equal(PH_OK, ph_system_run_until(alone, 2.0, NULL));
        const ph_state end = ph_system_state(s), right = ph_system_state(alone);
        assert_memory_equal(&end, &right, sizeof end);
        assert_int_equal(PH_OK, ph_system_observe_at(s, 2.05, meddle, &m));
        assert_int_equal(PH_OK, ph_system_restore(s, saved, m.size)); /* afterwards it can */
        ph_system_destroy(s);
        ph_system_destroy(alone);
    }
    (void)alarm(0);
}

/* ---- up to a time ---------------------------------------------------------------- */

/* A time over a step is whole to a part of its size: 9999 (1 + 1e-13) steps are 9999. */
static void test_until_many(void **state)
{
    (void)state;
    const uint64_t steps = 9999;
    ph_system *s = system_named("free", "mr", 0.1);
    assert_int_equal(PH_OK, ph_system_run_until(s, 0.1 * (double)steps * (1.0 + 1e-13), NULL));
    assert_int_equal(steps, ph_system_steps(s));
    ph_system_destroy(s);
}

static void test_until(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        ph_system *s = system_named("heavy_top", "vlv", sign * 0.1);
        const double refused[] = {0.75, 0.7001, 0.6, -0.1, NAN, INFINITY, 1e300};
        const size_t whole = 4; /* before these, no whole number of steps ahead */
        assert_int_equal(PH_OK, ph_system_run_until(s, sign * 0.3, NULL));
        assert_int_equal(3, ph_system_steps(s));
        assert_int_equal(PH_OK, ph_system_run_until(s, sign * 0.7, NULL));
        assert_int_equal(7, ph_system_steps(s));
        const bytes b = snapshot_of(s);
        for (size_t i = 0; i < COUNT(refused); i++)
            assert_int_equal(i < whole ? PH_NOT_WHOLE_STEPS : PH_BAD_TIME,
                             ph_system_run_until(s, sign * refused[i], NULL));
        seen x = {.count = 0};
        const ph_observer o = {.observe = see, .context = &x, .every = 1};
        assert_int_equal(PH_OK, ph_system_run_until(s, ph_system_time(s), &o));
        assert_int_equal(1, x.count);
        assert_as_saved("a refused time changes the system", b, s);
        free(b.at);
        ph_system_destroy(s);
    }
    ph_system *still = system_named("heavy_top", "vlv", 0.0);
    assert_int_equal(PH_NOT_WHOLE_STEPS, ph_system_run_until(still, 1.0, NULL));
    assert_int_equal(PH_OK, ph_system_run_until(still, 0.0, NULL));
    ph_system_destroy(still);
}

/* Steps of 64 bits: beyond 2^32, and as many as an observer lets pass. */
static void test_many_steps(void **state)
{
    (void)state;
    const uint64_t many = (uint64_t)1 << 40;
    ph_system *s = system_named("free", "exact", 0x1p-10),
              *again = system_named("free", "exact", 1);
    s->steps = many - 1;
    seen x = {.stop_after = 3};
    const ph_observer o = {.observe = see, .context = &x, .every = many};
    assert_int_equal(PH_OK, ph_system_run(s, 3, &o));
    assert_int_equal(2, x.count);
    assert_true(x.step[1] == many && x.t[1] == 0x1p30);
    assert_true(ph_system_steps(s) == many + 2);
    const bytes b = snapshot_of(s);
    assert_int_equal(PH_OK, ph_system_restore(again, b.at, b.size));
    assert_true(ph_system_steps(again) == many + 2);
    assert_true(ph_system_time(again) == 0x1p30 + 0x1p-9);
    assert_int_equal(PH_OK, ph_system_run_until(again, 0x1p30 + 1, NULL));
    assert_true(ph_system_steps(again) == many + 1024);
    const ph_observer each = {.observe = see, .context = &x, .every = 1};
    const uint64_t enough[] = {(uint64_t)1 << 32, UINT64_MAX};
    for (size_t i = 0; i < COUNT(enough); i++) {
        x = (seen){.stop_after = 4};
        assert_int_equal(PH_OK, ph_system_run(s, enough[i], &each));
        assert_true(ph_system_steps(s) == many + 2 + 3 * (i + 1));
    }
    free(b.at);
    ph_system_destroy(s);
    ph_system_destroy(again);
}

/* ---- failing steps --------------------------------------------------------------- */

static size_t failures[3]; /* of bodies, spheres, molecules */

/* A step too long by far: whoever fails is where it was, and goes on from there. */
static void fails_and_goes_on(const any_system *a)
{
    static const double lengths[] = {1e5, 1e200};
    ph_system *s = system_made(a), *spared = system_made(a);
    ph_system_watch(s, true);
    ph_system_watch(spared, true);
    run_system(a, s, 3, NULL);
    run_system(a, spared, 3, NULL);
    const double t = ph_system_time(s);
    for (size_t k = 0; k < COUNT(lengths); k++) {
        int views = 0;
        if (ph_system_observe_at(s, t + lengths[k], count_views, &views) == PH_OK)
            continue;
        assert_int_equal(0, views);
        assert_same_system(a, "a look that fails changes the system", spared, s);
        assert_int_equal(PH_OK, ph_system_set_step(s, lengths[k]));
        assert_int_equal(PH_OK, ph_system_set_step(spared, lengths[k]));
        const ph_status status = ph_system_run(s, 5, NULL);
        assert_true(status == PH_NO_CONVERGENCE || status == PH_NOT_FINITE ||
                    status == PH_NO_ROOT || status == PH_EXPLODED);
        assert_int_equal(3, ph_system_steps(s));
        assert_true(ph_system_time(s) == t);
        assert_same_system(a, "a step that fails changes the system", spared, s);
        const char *kind = ph_system_kind(s);
        failures[kind[0] == 'b' ? 0 : kind[0] == 's' ? 1 : 2]++;
    }
    assert_int_equal(PH_OK, ph_system_set_step(s, a->h));
    assert_int_equal(PH_OK, ph_system_set_step(spared, a->h));
    run_system(a, s, 3, NULL);
    run_system(a, spared, 3, NULL);
    assert_same_system(a, "after a step that fails it goes on otherwise", spared, s);
    ph_system_destroy(s);
    ph_system_destroy(spared);
}

static void test_failing(void **state)
{
    (void)state;
    every_system(fails_and_goes_on);
    print_message("%zu steps of bodies, %zu of spheres, %zu of molecules failed\n", failures[0],
                  failures[1], failures[2]);
    assert_true(failures[0] > 50 && failures[1] > 30 && failures[2] > 10);
}

/* In the midst of a run: the status, the step and the time. */
static void test_failing_midway(void **state)
{
    (void)state;
    ph_system *s = system_named("magnets", "rattle", 0x1p-4);
    seen x = {.count = 0};
    const ph_observer o = {.observe = see, .context = &x, .every = 1};
    assert_int_equal(PH_NO_ROOT, ph_system_run(s, 16, &o));
    const uint64_t taken = ph_system_steps(s);
    assert_in_range(taken, 1, 15);
    assert_int_equal(taken + 1, x.count);
    assert_true(ph_system_time(s) == (double)taken * 0x1p-4);
    ph_system_destroy(s);
}

/* A flow that does not say what it has done. */
static ph_status endless(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    (void)flow, (void)J;
    s->m.x += h > 1 ? INFINITY : h;
    return PH_OK;
}

static void test_not_finite(void **state)
{
    (void)state;
    const ph_flow flow = {.name = "endless", .order = 1, .step = endless};
    const ph_integrator i = {.flow = &flow};
    const ph_problem *p = find_problem("free");
    ph_system *s = NULL;
    assert_int_equal(PH_OK, ph_system_from_problem(p, &i, NULL, 0.1, 0, &s));
    assert_int_equal(PH_OK, ph_system_run(s, 2, NULL));
    assert_int_equal(PH_OK, ph_system_set_step(s, 2.0));
    const bytes b = snapshot_of(s);
    assert_int_equal(PH_NOT_FINITE, ph_system_run(s, 1, NULL));
    assert_as_saved("a step that is not finite changes the system", b, s);
    free(b.at);
    ph_system_destroy(s);
}

/* ---- what is refused ------------------------------------------------------------- */

static void test_refused(void **state)
{
    (void)state;
    const ph_problem *rest = find_problem("free"), *top = find_problem("heavy_top");
    const ph_spheres_problem *pendulum = find_spheres_problem("pendulum");
    const ph_integrator zero = {0}, no_flow = {.scheme = find_scheme("verlet")},
                        verlet = integrator_of("verlet+exact"), vlv = integrator_of("vlv"),
                        exact = integrator_of("exact");
    const ph_integrator none = {0}, eln = {.method = find_spheres_method("eln")};
    ph_system *s = NULL;
    assert_int_equal(PH_NOT_APPLICABLE, ph_system_from_problem(rest, &zero, NULL, 1, 0, &s));
    assert_int_equal(PH_NOT_APPLICABLE, ph_system_from_problem(top, &zero, NULL, 1, 0, &s));
    assert_int_equal(PH_NOT_APPLICABLE, ph_system_from_problem(rest, &no_flow, NULL, 1, 0, &s));
    assert_int_equal(PH_NOT_APPLICABLE, ph_system_from_problem(top, &exact, NULL, 1, 0, &s));
    assert_int_equal(PH_NOT_APPLICABLE, system_from_spheres(pendulum, &none, NULL, NULL, 1, &s));
    const ph_vec3 q = {0, 0, 2}, w = {0, 0, 0};
    assert_int_equal(PH_NOT_ON_SPHERE, system_from_spheres(pendulum, &eln, &q, &w, 1, &s));
    assert_int_equal(PH_BAD_STEP, system_from_spheres(pendulum, &eln, NULL, NULL, NAN, &s));
    assert_int_equal(PH_BAD_STEP, ph_system_from_problem(top, &vlv, NULL, INFINITY, 0, &s));
    const ph_state nothing = {{0, 0, 0, 0}, {1, 2, 3}};
    assert_int_equal(PH_BAD_STATE, ph_system_from_problem(top, &vlv, &nothing, 1, 0, &s));
    ph_molecules *m = unequal_molecules(0.0);
    assert_int_equal(PH_NOT_APPLICABLE, system_from_molecules(m, &zero, 1, &s));
    assert_int_equal(PH_NOT_APPLICABLE, system_from_molecules(m, &no_flow, 1, &s));
    assert_int_equal(PH_NOT_APPLICABLE, system_from_molecules(m, &vlv, 1, &s));
    assert_int_equal(PH_BAD_STEP, system_from_molecules(m, &verlet, NAN, &s));
    m->mass[3] = 0;
    assert_int_equal(PH_BAD_INERTIA, system_from_molecules(m, &verlet, 1, &s));
    m->mass[3] = 1;
    for (int k = 0; k < 3; k++)
        m->x[k][5] = m->x[k][6];
    assert_int_equal(PH_OVERLAP, system_from_molecules(m, &verlet, 1, &s));
    ph_molecules_destroy(m);
    assert_int_equal(PH_UNKNOWN_NAME, system_by_names(&s, "hevy_top", "vlv", 1));
    assert_int_equal(PH_UNKNOWN_NAME, system_by_names(&s, "heavy_top", "vvl", 1));
    assert_int_equal(PH_UNKNOWN_NAME, system_by_names(&s, "pendulum", "vlv", 1));
    assert_int_equal(PH_NULL_ARGUMENT, system_by_names(NULL, "pendulum", "vlv", 1));
    assert_int_equal(PH_NULL_ARGUMENT, system_by_names(&s, NULL, "vlv", 1));
    assert_int_equal(PH_NULL_ARGUMENT, ph_system_create(NULL, &s));
    const ph_system_settings no_settings = {"free", .step = 1.0, .setting_count = 1};
    assert_int_equal(PH_NULL_ARGUMENT, ph_system_create(&no_settings, &s));
    assert_null(s);
    ph_system_destroy(NULL);
}

/* ---- a state that the caller writes ---------------------------------------------- */

/* Every system takes its own state, as if it had begun there; what is wrong with a state
 * is told until another was written, and meanwhile nothing moves. */
static void takes_a_state(const any_system *a)
{
    ph_system *s = system_made(a);
    run_system(a, s, 3, NULL);
    assert_int_equal(PH_OK, ph_system_changed(s));
    const ph_state before = ph_system_state(s);
    bytes b = snapshot_of(s);
    assert_int_equal(PH_OK, ph_system_changed(s));
    if (find_field(s, "attitude") != NULL) { /* which is brought to unit length once more */
        assert_true(relative_distance(ph_system_state(s), before) < 1e-15);
        free(b.at);
        b = snapshot_of(s);
    }
    assert_as_saved("a state that was taken twice is another", b, s);
    size_t count;
    const ph_array *f = ph_system_arrays(s, &count);
    for (; count > 0; f++, count--) {
        if ((f->use & (PH_ARRAY_SHOWN | PH_ARRAY_DERIVED)) != PH_ARRAY_SHOWN)
            continue;
        double *const last = &f->data[f->width - 1][(f->count - 1) * f->stride];
        *last = NAN;
        const ph_status status = ph_system_changed(s);
        if (status == PH_OK) /* velocities of a first-order problem follow from q */
            continue;
        seen x = {.count = 0};
        assert_int_equal(status, ph_system_changed(s));
        assert_int_equal(status, ph_system_run(s, 1, NULL));
        assert_int_equal(status, ph_system_observe_at(s, 0.5 * a->h, see, &x));
        assert_int_equal(3, ph_system_steps(s));
        assert_int_equal(PH_OK, ph_system_restore(s, b.at, b.size));
        run_system(a, s, 1, NULL);
        assert_int_equal(PH_OK, ph_system_restore(s, b.at, b.size));
        assert_as_saved("a refused state leaves its traces", b, s);
    }
    free(b.at);
    ph_system_destroy(s);
}

static void test_changed(void **state)
{
    (void)state;
    some_systems(takes_a_state);
}

static void write_state(ph_system *s, ph_state to)
{
    const ph_array *q = find_field(s, "attitude"), *m = find_field(s, "momentum");
    *q->data[0] = to.q.w, *q->data[1] = to.q.x, *q->data[2] = to.q.y;
    *q->data[3] = to.q.z;
    *m->data[0] = to.m.x, *m->data[1] = to.m.y, *m->data[2] = to.m.z;
}

/* The state of a body, of any length of q: that of a system which begins there. */
static void test_changed_body(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"free", "dmv8"}, {"heavy_top", "vlv"}, {"heavy_top", "verlet+exact"}};
    const ph_state to = {{1, 2, -3, 0.5}, {0.3, 0.2, 0.1}};
    for (size_t k = 0; k < COUNT(names); k++) {
        const ph_problem *p = find_problem(names[k][0]);
        const ph_integrator i = integrator_of(names[k][1]);
        ph_system *begun = NULL, *s = system_named(names[k][0], names[k][1], 0.1);
        assert_int_equal(PH_OK, ph_system_from_problem(p, &i, &to, 0.1, 0, &begun));
        assert_int_equal(PH_OK, ph_system_run(s, 5, NULL));
        write_state(s, to);
        assert_int_equal(PH_OK, ph_system_changed(s));
        const ph_state shown = ph_system_state(s), first = ph_system_state(begun);
        assert_memory_equal(&first, &shown, sizeof shown);
        assert_true(fabs(dot4(shown.q, shown.q) - 1) < 1e-15);
        const ph_vec3 w = ph_problem_velocity(p, 0, shown.m);
        assert_true(*find_field(s, "velocity")->data[1] == w.y);
        assert_int_equal(PH_OK, ph_system_run(s, 5, NULL));
        assert_int_equal(PH_OK, ph_system_run(begun, 5, NULL));
        const ph_state after = ph_system_state(s), right = ph_system_state(begun);
        assert_memory_equal(&right, &after, sizeof after);
        ph_system_destroy(s);
        ph_system_destroy(begun);
    }
}

/* Spheres: what is next to them is brought onto them, and what follows from q follows. */
static void test_changed_spheres(void **state)
{
    (void)state;
    ph_system *s = system_named("vortices", "spherical_midpoint", 0.01),
              *begun = system_named("vortices", "spherical_midpoint", 0.01);
    assert_int_equal(PH_OK, ph_system_run(begun, 9, NULL));
    const ph_array *q = find_field(s, "q"), *w = find_field(s, "w");
    const size_t size = q->count * sizeof(ph_vec3);
    memcpy(q->data[0], find_field(begun, "q")->data[0], size);
    assert_int_equal(PH_OK, ph_system_changed(s));
    const ph_array *right = find_field(begun, "w");
    for (size_t i = 0; i < 3 * w->count; i++)
        assert_true(fabs(w->data[0][i] - right->data[0][i]) < 1e-14);
    q->data[0][0] *= 1 + 1e-9;
    q->data[1][0] *= 1 + 1e-9;
    q->data[2][0] *= 1 + 1e-9;
    assert_int_equal(PH_OK, ph_system_changed(s));
    const ph_vec3 first = *(const ph_vec3 *)(const void *)q->data[0];
    assert_true(fabs(norm(first) - 1) < 1e-15);
    q->data[0][0] += 0.1;
    assert_int_equal(PH_NOT_ON_SPHERE, ph_system_changed(s));
    ph_system_destroy(s);
    ph_system_destroy(begun);
}

/* Molecules: an overlap, and places that make none. */
static void test_changed_molecules(void **state)
{
    (void)state;
    ph_system *s = system_of_molecules(0.0, 0.01);
    const ph_array *x = find_field(s, "positions");
    const double before = ph_system_energy(s), kept = x->data[0][1];
    for (int k = 0; k < 3; k++)
        x->data[k][1] = x->data[k][0] + 0.1;
    assert_int_equal(PH_OVERLAP, ph_system_changed(s));
    assert_int_equal(PH_OVERLAP, ph_system_run(s, 1, NULL));
    x->data[0][1] = kept + 0.1;
    assert_int_equal(PH_OK, ph_system_changed(s));
    assert_int_equal(PH_OK, ph_system_run(s, 1, NULL));
    assert_true(fabs(ph_system_energy(s) - before) > 1e-3);
    ph_system_destroy(s);
}

/* Time goes on from where a step was changed, and so does the motion. */
static void test_set_step(void **state)
{
    (void)state;
    ph_system *s = system_named("free", "exact", 0.1);
    const ph_state start = ph_system_state(s);
    ph_motion motion;
    assert_int_equal(PH_OK, ph_motion_prepare(&motion, &find_problem("free")->body, &start));
    assert_int_equal(PH_OK, ph_system_run(s, 5, NULL));
    assert_int_equal(PH_OK, ph_system_set_step(s, 0.25));
    assert_true(ph_system_time(s) == 0.5 && ph_system_step(s) == 0.25);
    assert_int_equal(PH_OK, ph_system_run_until(s, 1.5, NULL));
    assert_int_equal(9, ph_system_steps(s));
    const ph_state there = ph_motion_at(&motion, 1.5);
    assert_true(relative_distance(ph_system_state(s), there) < 1e-14);
    assert_int_equal(PH_OK, ph_system_set_step(s, -0.5));
    assert_int_equal(PH_OK, ph_system_run(s, 3, NULL));
    assert_true(ph_system_time(s) == 0 && ph_system_steps(s) == 12);
    assert_true(relative_distance(ph_system_state(s), start) < 1e-14);
    assert_int_equal(PH_BAD_STEP, ph_system_set_step(s, NAN));
    assert_true(ph_system_step(s) == -0.5);
    ph_system_destroy(s);
}

/* ---- what is watched ------------------------------------------------------------- */

/* The same by definition: every value is kept, and all are summed at the end. */
enum { WATCHED = 16, WATCHED_STEPS = 40 };
typedef struct kept {
    size_t count;
    double t[WATCHED_STEPS + 1];
    ph_vec3 value[WATCHED_STEPS + 1][WATCHED];
    double size[WATCHED_STEPS + 1][WATCHED]; /* of the terms of a sum, or 0 */
} kept;

static ph_vec3 entry(const ph_array *f, size_t i)
{
    return vec3(f->data[0][i], f->data[1][i], f->data[2][i]);
}

static double size_of(const ph_system *s, const ph_observable *o)
{
    const ph_array *x = find_field(s, "positions"), *p = find_field(s, "momenta"),
                   *m = find_field(s, "angular_momenta");
    const ph_array *centre = find_field(s, "position"), *v = find_field(s, "centre_velocity"),
                   *spin = find_field(s, "momentum");
    const bool linear = strcmp(o->name, "momentum") == 0;
    const ph_parameter *mass;
    const double *kg;
    double sum = 0;
    if (o->width == 3 && centre != NULL &&
        ph_system_parameter_named(s, "mass", &mass, &kg) == PH_OK)
        return *kg * norm(cross(entry(centre, 0), entry(v, 0))) + norm(entry(spin, 0));
    if (p == NULL || o->width == 1)
        return 0;
    for (size_t i = 0; i < p->count; i++)
        sum +=
            linear ? norm(entry(p, i)) : norm(cross(entry(x, i), entry(p, i))) + norm(entry(m, i));
    return sum;
}

static bool keep(void *context, ph_system *s)
{
    kept *k = context;
    size_t count;
    const ph_observable *o = ph_system_observables(s, &count);
    assert_true(count <= WATCHED && k->count <= WATCHED_STEPS);
    for (size_t i = 0; i < count; i++) {
        k->value[k->count][i] = vec3(o[i].now[0], o[i].now[1], o[i].now[2]);
        k->size[k->count][i] = size_of(s, &o[i]);
    }
    k->t[k->count++] = ph_system_time(s);
    return true;
}

static double slope(const kept *k)
{
    long double t = 0, e = 0, tt = 0, te = 0;
    for (size_t i = 0; i < k->count; i++) {
        t += k->t[i] / (long double)k->count;
        e += k->value[i][0].x / (long double)k->count;
    }
    for (size_t i = 0; i < k->count; i++) {
        tt += (k->t[i] - t) * (k->t[i] - t);
        te += (k->t[i] - t) * (k->value[i][0].x - e);
    }
    return (double)(te / tt);
}

/* The largest deviation of observable i. */
static double deviation(const kept *k, const ph_observable *o, size_t i)
{
    const ph_vec3 first = k->value[0][i];
    double worst = 0;
    for (size_t n = 0; n < k->count; n++) {
        const ph_vec3 v = k->value[n][i];
        const double off = o->defect ? fabs(v.x) : norm(sub(v, first)), size = !o->relative ? 1.0
                                                                               : k->size[n][i] == 0
                                                                                   ? norm(first)
                                                                                   : k->size[n][i];
        worst = larger_or_nan(worst, off / size);
    }
    return worst;
}

static void watches(const any_system *a)
{
    static kept k;
    k.count = 0;
    const ph_observer o = {.observe = keep, .context = &k, .every = 1};
    ph_system *s = system_made(a);
    run_system(a, s, 2, NULL); /* not watched */
    ph_system_watch(s, true);
    run_system(a, s, WATCHED_STEPS, &o);
    assert_int_equal(WATCHED_STEPS + 1, k.count);
    const ph_energy_record e = ph_system_energy_record(s);
    double largest = 0;
    for (size_t n = 0; n < k.count; n++)
        largest = larger_or_nan(largest, fabs(k.value[n][0].x - k.value[0][0].x));
    assert_true(e.first == k.value[0][0].x);
    assert_true(e.last == k.value[k.count - 1][0].x);
    assert_true(e.largest_error == largest);
    const double right = slope(&k), noise = 0x1p-50 * fabs(e.first) / a->h;
    if (!(fabs(e.slope - right) <= 1e-10 * fabs(right) + noise * 1e-3))
        fail_msg("%s: slope %.17g, not %.17g", a->name, e.slope, right);
    size_t count;
    const ph_observable *of = ph_system_observables(s, &count);
    for (size_t i = 0; i < count; i++) {
        const double off = deviation(&k, &of[i], i);
        if (!of[i].watched)
            assert_true(of[i].error == 0);
        else if (!(fabs(of[i].error - off) <= 1e-12 * off))
            fail_msg("%s: %s off by %.17g, not %.17g", a->name, of[i].name, of[i].error, off);
    }
    assert_true(ph_system_finite(s));
    ph_system_destroy(s);
}

static void test_watching(void **state)
{
    (void)state;
    some_systems(watches);
}

/* ---- settings ---------------------------------------------------------------------- */

static double number_of(const ph_system *s, const char *field)
{
    const ph_array *f = find_field(s, field);
    assert_non_null(f);
    return *f->data[0];
}

/* Whether rounding errors are kept is of the settings, and a snapshot keeps it. */
static void test_options(void **state)
{
    (void)state;
    for (unsigned options = 0; options <= PH_SYSTEM_UNCOMPENSATED; options++) {
        const ph_system_settings with = {"free", .integrator = "exact", .step = 0.1,
                                         .options = options};
        ph_system *s, *again = NULL;
        assert_int_equal(PH_OK, ph_system_create(&with, &s));
        const bytes b = snapshot_of(s);
        assert_int_equal(PH_OK, ph_system_from_snapshot(b.at, b.size, &again));
        assert_true(number_of(s, "options") == (double)options);
        assert_true(number_of(again, "options") == (double)options);
        free(b.at);
        ph_system_destroy(s);
        ph_system_destroy(again);
    }
}

/* A longest step alone leaves the tolerance as it is without it; either is as it is given. */
static void test_longest_step_alone(void **state)
{
    (void)state;
    static const double given[][2] = {{0.0, 0.0}, {0.0, 0.5}, {1e-7, 0.0}, {1e-7, 0.5}};
    double tolerance[4];
    for (int k = 0; k < 4; k++) {
        const ph_system_settings with = {"heavy_top", .integrator = "gbs", .step = 0.1,
                                         .tolerance = given[k][0], .longest_step = given[k][1]};
        ph_system *s;
        assert_int_equal(PH_OK, ph_system_create(&with, &s));
        tolerance[k] = number_of(s, "tolerance");
        ph_system_destroy(s);
    }
    assert_true(tolerance[0] > 0.0 && tolerance[1] == tolerance[0]);
    assert_true(tolerance[2] == 1e-7 && tolerance[3] == 1e-7);
}

static ph_vec3 no_torque_known(const ph_problem *p, const ph_instant *now)
{
    (void)p;
    return now->t == 0.0 ? vec3(0, 0, 0) : vec3(NAN, NAN, NAN);
}

/* No step of a splitting is short enough for any tolerance where the torque is no number. */
static void test_no_step_for_a_tolerance(void **state)
{
    (void)state;
    ph_problem p = *find_problem("free");
    ph_system *s = NULL;
    ph_message why;
    p.torque = no_torque_known;
    const ph_system_settings with = {
        .own_problem = &p, .integrator = "verlet+exact", .tolerance = 1e-6, .message = &why};
    assert_int_equal(PH_NO_CONVERGENCE, ph_system_create(&with, &s));
    assert_null(s);
    assert_int_equal(PH_SETTING_TOLERANCE, why.setting);
    assert_string_equal("no step is short enough for the tolerance 1e-06: use a larger tolerance",
                        why.text);
}

/* A system without attitude and momentum has a state of zeros. */
static void test_no_state(void **state)
{
    (void)state;
    ph_system *s;
    assert_int_equal(PH_OK, system_by_names(&s, "pendulum", "rattle", 0.01));
    const ph_state x = ph_system_state(s);
    const double all[] = {x.q.w, x.q.x, x.q.y, x.q.z, x.m.x, x.m.y, x.m.z};
    for (int k = 0; k < 7; k++)
        assert_true(all[k] == 0.0);
    ph_system_destroy(s);
}

static ph_status no_exact(const ph_problem *p, const ph_state *start, double t, ph_state *end)
{
    (void)p;
    (void)start;
    end->m = vec3(t, t, t);
    return PH_NOT_APPLICABLE;
}

/* A problem whose exact motion is not known at a time says so, and is left where it is. */
static void test_exact_motion_fails(void **state)
{
    (void)state;
    ph_problem p = *find_problem("lagrange_top");
    for (int fails = 0; fails < 2; fails++) {
        ph_system *s;
        const ph_system_settings with = {
            .own_problem = &p, .integrator = "verlet+exact", .step = 0.1};
        assert_int_equal(PH_OK, ph_system_create(&with, &s));
        const ph_state before = ph_system_state(s);
        assert_int_equal(!fails, ph_kind_of(s)->exact(s, 0.5));
        const ph_state after = ph_system_state(s);
        assert_int_equal(fails, memcmp(&before, &after, sizeof before) == 0);
        ph_system_destroy(s);
        p.exact = no_exact;
    }
}

static int torques_counted;
static ph_vec3 (*torque_counted)(const ph_problem *p, const ph_instant *now);

static ph_vec3 counting(const ph_problem *p, const ph_instant *now)
{
    torques_counted++;
    return torque_counted(p, now);
}

/* What a splitting spends its time on: as many torques as are asked for, or free motions, which have none.
 * Nothing else can be divided, nor a motion without a torque. */
static void test_spending(void **state)
{
    (void)state;
    static const struct {
        const char *problem, *integrator;
        bool spends;
    } cases[] = {{"heavy_top", "verlet+exact", true},
                 {"heavy_top", "vlv", false},
                 {"heavy_top", "gbs", false},
                 {"free", "verlet+exact", false},
                 {"free", "exact", false}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        ph_problem p = *find_problem(cases[k].problem);
        ph_system *s;
        torque_counted = p.torque;
        if (p.torque != NULL)
            p.torque = counting;
        const ph_system_settings with = {
            .own_problem = &p, .integrator = cases[k].integrator, .step = 0.1};
        assert_int_equal(PH_OK, ph_system_create(&with, &s));
        for (int torques = 0; torques < 2; torques++) {
            torques_counted = 0;
            assert_int_equal(cases[k].spends, ph_kind_of(s)->spend(s, torques, 0.1, 7));
            assert_int_equal(torques_counted, cases[k].spends && torques ? 7 : 0);
        }
        ph_system_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stopping),
        cmocka_unit_test(test_asking),
        cmocka_unit_test(test_every),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_ending),
        cmocka_unit_test(test_dense),
        cmocka_unit_test(test_looking),
        cmocka_unit_test(test_observers_do_not_run),
        cmocka_unit_test(test_until),
        cmocka_unit_test(test_until_many),
        cmocka_unit_test(test_many_steps),
        cmocka_unit_test(test_failing),
        cmocka_unit_test(test_failing_midway),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_changed),
        cmocka_unit_test(test_changed_body),
        cmocka_unit_test(test_changed_spheres),
        cmocka_unit_test(test_changed_molecules),
        cmocka_unit_test(test_set_step),
        cmocka_unit_test(test_watching),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_longest_step_alone),
        cmocka_unit_test(test_no_state),
        cmocka_unit_test(test_exact_motion_fails),
        cmocka_unit_test(test_spending),
        cmocka_unit_test(test_no_step_for_a_tolerance),
    };
    return cmocka_run_group_tests_name("system", tests, NULL, NULL);
}
