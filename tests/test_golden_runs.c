/* test_golden_runs.c - what is seen of running systems, against the bits it was before: by
 * observers every so many steps and at given times, forward and back, at events, in looks,
 * after stops, and in snapshots. Written anew by
 *
 *     build/tests/test_golden_runs write >tests/vectors/golden_runs.txt
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/find.h"
#include "core/elementary.h"
#include "core/vec.h"
#include "polhode/system.h"
#include "support/generic.h"
#include "support/golden.h"
#include "support/stepping.h"

/* ---- what is seen ------------------------------------------------------------------ */

typedef struct viewer {
    checksum c;
    int left; /* to be seen before it stops */
} viewer;

static void take_fields(checksum *c, ph_system *s)
{
    size_t count;
    const ph_field *f = ph_system_fields(s, &count);
    for (size_t k = 0; k < count; k++) {
        for (int j = 0; j < f[k].width; j++) {
            for (size_t i = 0; i < f[k].count; i++)
                take(c, f[k].data[j][i * f[k].stride]);
        }
    }
}

static bool see(void *context, ph_system *s)
{
    viewer *v = context;
    take(&v->c, ph_system_time(s));
    take(&v->c, (double)ph_system_steps(s));
    take(&v->c, ph_system_energy(s));
    take_fields(&v->c, s);
    return --v->left != 0;
}

static void take_system(checksum *c, ph_system *s)
{
    viewer v = {*c, 0};
    (void)see(&v, s);
    *c = v.c;
    const ph_energy_record e = ph_system_energy_record(s);
    take_vector(c, vec3(e.first, e.last, e.largest_error));
    take(c, e.slope);
    take(c, ph_system_finite(s));
    take(c, ph_system_step(s));
    take(c, (double)ph_system_evaluations(s));
    const ph_adaptive_numbers *n = ph_system_adaptive(s);
    if (n != NULL) {
        take_vector(c, vec3(n->t, n->from, n->evaluations));
        take_vector(c, vec3(n->next, n->scale, n->steps));
        take(c, n->rejected);
    }
    size_t count;
    const ph_observable *o = ph_system_observables(s, &count);
    for (size_t k = 0; k < count; k++) {
        take(c, o[k].error);
        for (int j = 0; j < o[k].width; j++)
            take(c, o[k].now[j]);
    }
}

/* ---- runs -------------------------------------------------------------------------- */

static double wave(void *context, ph_system *s)
{
    return ph_sin(*(const double *)context * ph_system_time(s)) - 0.3;
}

static double fallen(void *context, ph_system *s)
{
    (void)context;
    return ph_system_state(s).m.x;
}

static const double H = 0.05;

static ph_system *made(const char *problem, const char *name, double h)
{
    ph_integrator i = integrator_of(name);
    ph_system *s = NULL;
    if (i.adaptive != NULL)
        i.tolerance = 1e-8;
    assert_int_equal(PH_OK, ph_system_of_body(&s, find_problem(problem), &i, NULL, h, 0));
    return s;
}

/* Times that are those of steps, between them, next to them, before the run and after. */
static void check_times(const char *problem, const char *name, double h)
{
    enum { COUNT = 12 };
    double times[COUNT] = {-1, 0, 0.3, 1, 1 + 1e-10, 1.5, 2, 2.5, 2.75, 7, 20, 41};
    for (int k = 0; k < COUNT; k++)
        times[k] *= h;
    for (uint64_t every = 0; every < 4; every++) {
        ph_system *s = made(problem, name, h);
        viewer v = {.left = -1};
        const ph_observer o = {see, &v, every, times, COUNT};
        ph_system_watch(s, every > 1);
        take(&v.c, ph_system_run(s, 5, &o));
        take_system(&v.c, s);
        take(&v.c, ph_system_run_until(s, 20 * h, &o));
        take_system(&v.c, s);
        take(&v.c, ph_system_run_until(s, 20.5 * h, &o));
        v.left = 3; /* is stopped, and goes on */
        take(&v.c, ph_system_run(s, 30, &o));
        take_system(&v.c, s);
        take(&v.c, ph_system_run(s, 2, NULL));
        take(&v.c, ph_system_look(s, ph_system_time(s) + 0.3 * h, see, &v));
        take(&v.c, ph_system_look(s, ph_system_time(s) - 0.3 * h, see, &v));
        take(&v.c, ph_system_look(s, ph_system_time(s), see, &v));
        take(&v.c, ph_system_look(s, INFINITY, see, &v));
        take(&v.c, ph_system_set_step(s, -0.7 * h));
        take(&v.c, ph_system_run(s, 4, &o));
        take_system(&v.c, s);
        golden(&v.c, "%s by %s, steps of %g, seen every %d", problem, name, h,
               (int)every);
        ph_system_free(s);
    }
}

/* Slow events, and others that come and go within a step. */
static void check_events(const char *problem, const char *name, double h)
{
    double often[] = {1.0, 3.7, 11.0, 40.0};
    for (size_t k = 0; k < 5; k++) {
        ph_system *s = made(problem, name, h);
        viewer v = {.left = -1};
        double times[40];
        for (int n = 0; n < 40; n++)
            times[n] = 0.7 * n * h;
        const ph_observer o = {see, &v, k % 3, times, k % 2 ? 40 : 0};
        ph_event e = {k < 4 ? wave : fallen, &often[k % 4], false};
        ph_system_watch(s, k % 2 == 0);
        for (int n = 0; n < 6; n++) {
            const double now = ph_system_time(s);
            take(&v.c, ph_system_run_event(s, now + 30 * h, n % 2 ? &o : NULL, &e));
            take(&v.c, e.met);
            take_system(&v.c, s);
        }
        golden(&v.c, "%s by %s, steps of %g, event %zu", problem, name, h, k);
        ph_system_free(s);
    }
}

static void test_bodies(void **state)
{
    (void)state;
    static const char *const names[] = {"verlet+exact", "imid", "gbs", "gauss16",
                                        "dop853"};
    static const char *const problems[] = {"generic", "free", "heavy_top"};
    for (size_t p = 0; p < sizeof problems / sizeof problems[0]; p++) {
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            for (int sign = -1; sign <= 1; sign += 2) {
                check_times(problems[p], names[k], sign * H);
                check_events(problems[p], names[k], sign * H);
            }
        }
    }
    check_times("free", "exact", H);
    check_events("free", "mr", H);
}

/* Bodies that turn as slowly and as fast as numbers allow, or not at all. */
static void test_rates(void **state)
{
    (void)state;
    size_t count;
    const ph_adaptive *const *adaptives = ph_adaptives(&count);
    static const double rates[] = {0.0, 5e-324, 1e-310, 1e-150, 1e-90, 1e90, 1e150};
    for (size_t k = 0; k < count; k++) {
        for (size_t n = 0; n < sizeof rates / sizeof rates[0]; n++) {
            const ph_integrator i = {.adaptive = adaptives[k], .tolerance = 1e-9};
            const double size = rates[n], unit = size > 1.0 ? 1.0 / size : 1.0;
            const ph_state start = {{1, 0, 0, 0}, {size, 0.7 * size, -0.4 * size}};
            ph_system *s = NULL;
            checksum c = {0};
            const ph_status made =
                ph_system_of_body(&s, &free_problem, &i, &start, unit, 0);
            take(&c, made);
            if (made == PH_OK) {
                take(&c, ph_system_run(s, 3, NULL));
                take_system(&c, s);
                take(&c, ph_system_run_until(s, ph_system_time(s) - unit, NULL));
                take_system(&c, s);
            }
            ph_system_free(s);
            golden(&c, "%s, momentum %g", adaptives[k]->name, size);
        }
    }
}

/* Spheres and molecules are run by the same code; their steps are others. */
static void test_others(void **state)
{
    (void)state;
    static const char *const runs[][2] = {
        {"double_pendulum", "rattle"}, {"magnets", "verlet+circle"}, {"spins", "rkmk4"}};
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        ph_system *s = NULL;
        viewer v = {.left = -1};
        const double times[] = {0, 0.0011, 0.002, 0.0131, 0.1};
        const ph_observer o = {see, &v, 3, times, 5};
        const ph_status status = ph_system_create(&s, runs[k][0], runs[k][1], 0.002);
        take(&v.c, status);
        if (status == PH_OK) {
            ph_system_watch(s, true);
            take(&v.c, ph_system_run(s, 10, &o));
            take_system(&v.c, s);
            take(&v.c, ph_system_run_until(s, 0.05, &o));
            take_system(&v.c, s);
        }
        ph_system_free(s);
        golden(&v.c, "%s by %s", runs[k][0], runs[k][1]);
    }
}

/* ---- snapshots --------------------------------------------------------------------- */

/* Every byte. */
static void test_snapshots(void **state)
{
    (void)state;
    static const char *const runs[][2] = {
        {"generic", "vlv"},         {"heavy_top", "gbs"},  {"free", "exact"},
        {"spacecraft", "mkrk_gl4"}, {"magnets", "rattle"}, {"double_pendulum", "rattle"}};
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        ph_system *s = NULL;
        checksum c = {0};
        assert_int_equal(PH_OK, ph_system_create(&s, runs[k][0], runs[k][1], 0.01));
        ph_system_watch(s, true);
        ph_system_set_note(s, "a note");
        take(&c, ph_system_run(s, 7, NULL));
        const size_t size = ph_system_save(s, NULL, 0);
        unsigned char *bytes = malloc(size);
        assert_non_null(bytes);
        assert_int_equal(size, ph_system_save(s, bytes, size));
        for (size_t n = 0; n < size; n++)
            take(&c, bytes[n]);
        free(bytes);
        ph_system_free(s);
        golden(&c, "snapshot of %s by %s", runs[k][0], runs[k][1]);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_snapshots),
    };
    return golden_main(argc, argv, "golden_runs.txt", tests,
                       sizeof tests / sizeof tests[0]);
}
