/* test_golden_runs.c - what is seen of running systems, against the bits it was before: by
 * observers every so many steps and at given times, forward and back, at events, in looks,
 * after stops, and in snapshots. Written anew by
 *
 *     build/tests/test_golden_runs write >tests/vectors/golden_runs.txt
 */
/* Needs kinds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "motion/vec.h"
#include "polhode/expression.h"
#include "polhode/system.h"
#include "support/bodies.h"
#include "support/generic.h"
#include "support/golden.h"
#include "support/molecules.h"
#include "support/quick.h"
#include "support/stepping.h"
#include "support/systems.h"
#include "system/find.h"
#include "system/kind.h"
#include "system/run_body.h"

/* ---- what is seen ------------------------------------------------------------------ */

typedef struct viewer {
    checksum c;
    int left; /* to be seen before it stops */
} viewer;

static void take_fields(checksum *c, ph_system *s)
{
    size_t count;
    const ph_array *f = ph_system_arrays(s, &count);
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
    take(&v->c, ph_system_clock(s));
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
    return ph_sin(*(const double *)context * ph_system_clock(s)) - 0.3;
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
    assert_int_equal(PH_OK, ph_system_from_problem(find_problem(problem), &i, NULL, h, 0, &s));
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
        take(&v.c, ph_system_run_until(s, (23.0 + 4.5e-9) * h, &o)); /* no whole number */
        take(&v.c, ph_system_run_until(s, (23.0 - 2.5e-9) * h, &o)); /* up to round-off */
        v.left = 3;                                                  /* is stopped, and goes on */
        take(&v.c, ph_system_run(s, 30, &o));
        take_system(&v.c, s);
        take(&v.c, ph_system_run(s, 2, NULL));
        take(&v.c, ph_system_observe_at(s, ph_system_clock(s) + 0.3 * h, see, &v));
        take(&v.c, ph_system_observe_at(s, ph_system_clock(s) - 0.3 * h, see, &v));
        take(&v.c, ph_system_observe_at(s, ph_system_clock(s), see, &v));
        take(&v.c, ph_system_observe_at(s, INFINITY, see, &v));
        take(&v.c, ph_system_set_step(s, -0.7 * h));
        take(&v.c, ph_system_run(s, 4, &o));
        take_system(&v.c, s);
        golden(&v.c, "%s by %s, steps of %g, seen every %d", problem, name, h, (int)every);
        ph_system_destroy(s);
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
        ph_event e = {.value = k < 4 ? wave : fallen, .context = &often[k % 4]};
        ph_system_watch(s, k % 2 == 0);
        for (int n = 0; n < 6; n++) {
            const double now = ph_system_clock(s);
            take(&v.c, ph_system_run_event(s, now + 30 * h, n % 2 ? &o : NULL, &e));
            take(&v.c, e.met);
            take_system(&v.c, s);
        }
        golden(&v.c, "%s by %s, steps of %g, event %zu", problem, name, h, k);
        ph_system_destroy(s);
    }
}

static void test_bodies(void **state)
{
    (void)state;
    static const char *const names[] = {"verlet+exact", "imid", "gbs", "gauss16", "dop853"};
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
    static const double rates[] = {0.0, 5e-324, 1e-310, 1e-150, 1e-90, 1e90, 1e150, 1e200, 1e307};
    for (size_t k = 0; k <= count; k++) {
        for (size_t n = 0; n < sizeof rates / sizeof rates[0]; n++) {
            const ph_integrator exact = integrator_of("exact"),
                                adaptive = {.adaptive = adaptives[k % count], .tolerance = 1e-9},
                                i = k < count ? adaptive : exact;
            const double size = rates[n], unit = size > 1.0 ? 1.0 / size : 1.0;
            const ph_state start = {{1, 0, 0, 0}, {size, 0.7 * size, -0.4 * size}};
            ph_system *s = NULL;
            checksum c = {0};
            const ph_status made = ph_system_from_problem(&free_problem, &i, &start, unit, 0, &s);
            take(&c, made);
            if (made == PH_OK) {
                ph_system_watch(s, true);
                take(&c, ph_system_run(s, 3, NULL));
                take_system(&c, s);
                take(&c, ph_system_run_until(s, ph_system_clock(s) - unit, NULL));
                take_system(&c, s);
            }
            ph_system_destroy(s);
            golden(&c, "%s, momentum %g", k < count ? adaptives[k]->name : "exact", size);
        }
    }
}

/* Every tolerance: the methods that choose their steps choose their order by it. */
static void test_tolerances(void **state)
{
    (void)state;
    size_t count;
    const ph_adaptive *const *adaptives = ph_adaptives(&count);
    static const char *const problems[] = {"generic", "satellite", "well", "spacecraft"};
    for (size_t k = 0; k < count; k++) {
        for (size_t p = 0; p < sizeof problems / sizeof problems[0]; p++) {
            checksum c = {0};
            for (int digits = 1; digits <= 15; digits++) {
                ph_integrator i = integrator_of(adaptives[k]->name);
                ph_system *s = NULL;
                i.tolerance = ph_pow(10.0, -digits);
                const ph_problem *of = find_problem(problems[p]);
                const ph_status made = ph_system_from_problem(of, &i, NULL, H, 0, &s);
                take(&c, made);
                if (made == PH_OK) {
                    take(&c, ph_system_run_until(s, 3.0, NULL));
                    take_system(&c, s);
                }
                ph_system_destroy(s);
            }
            golden(&c, "%s by %s, every tolerance", problems[p], adaptives[k]->name);
        }
    }
}

/* Steps that turn the body by more than half a circle, and by many; bodies of every kind. */
static void test_long_steps(void **state)
{
    (void)state;
    static const double lengths[] = {0.7, 2.0, 4.0, 60.0};
    size_t count;
    const ph_flow *const *flows = ph_flows(&count);
    for (size_t f = 0; f < count; f++) {
        uint64_t seed = 3;
        checksum c = {0};
        for (int kind = 0; kind < BODY_KIND_COUNT; kind++) {
            for (size_t n = 0; n < sizeof lengths / sizeof lengths[0]; n++) {
                const oracle_case b = random_motion((enum body_kind)kind, &seed, 1.0);
                const ph_integrator i = {.flow = flows[f]};
                ph_problem p = free_problem;
                ph_system *s = NULL;
                take(&c, ph_body_from_moments(&p.body, b.J));
                const ph_status made =
                    ph_system_from_problem(&p, &i, &b.start, lengths[n] * b.t, 0, &s);
                take(&c, made);
                if (made == PH_OK) {
                    ph_system_watch(s, true);
                    take(&c, ph_system_run(s, 6, NULL));
                    take_system(&c, s);
                }
                ph_system_destroy(s);
            }
        }
        golden(&c, "%s, long steps", flows[f]->name);
    }
}

/* Spheres and molecules are run by the same code; their steps are others. */
static void test_others(void **state)
{
    (void)state;
    static const char *const runs[][2] = {{"double_pendulum", "rattle"},
                                          {"magnets", "verlet+circle"},
                                          {"spins", "rkmk4"},
                                          {"molecules in a box", ""}};
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        ph_system *s = NULL;
        viewer v = {.left = -1};
        const double times[] = {0, 0.0011, 0.002, 0.0131, 0.1};
        const ph_observer o = {see, &v, 3, times, 5};
        ph_status status = PH_OK;
        if (runs[k][1][0] != '\0')
            status = system_by_names(&s, runs[k][0], runs[k][1], 0.002);
        else
            s = system_of_molecules(9.0, 0.002);
        take(&v.c, status);
        if (status == PH_OK) {
            ph_system_watch(s, true);
            take(&v.c, ph_system_run(s, 10, &o));
            take_system(&v.c, s);
            take(&v.c, ph_system_run_until(s, 0.05, &o));
            take_system(&v.c, s);
        }
        ph_system_destroy(s);
        golden(&v.c, "%s by %s", runs[k][0], runs[k][1]);
    }
}

/* ---- snapshots --------------------------------------------------------------------- */

static void take_bytes(checksum *c, const ph_system *s)
{
    const bytes b = snapshot_of(s);
    for (size_t n = 0; n < b.size; n++)
        take(c, b.at[n]);
    free(b.at);
}

static void test_snapshots(void **state)
{
    (void)state;
    static const char *const runs[][2] = {{"generic", "vlv"},    {"heavy_top", "gbs"},
                                          {"free", "exact"},     {"spacecraft", "mkrk_gl4"},
                                          {"magnets", "rattle"}, {"double_pendulum", "rattle"}};
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        ph_system *s = NULL;
        checksum c = {0};
        assert_int_equal(PH_OK, system_by_names(&s, runs[k][0], runs[k][1], 0.01));
        ph_system_watch(s, true);
        ph_system_set_note(s, "a note");
        take(&c, ph_system_run(s, 7, NULL));
        take_bytes(&c, s);
        ph_system_destroy(s);
        golden(&c, "snapshot of %s by %s", runs[k][0], runs[k][1]);
    }
}

/* Bytes that are altered and signed again: what is said of each, as a snapshot of the same
 * system and as one to be opened; and what the opened one is. */
static void check_altered(const char *name, ph_system *s)
{
    static const unsigned char by[] = {0x01, 0x80, 0xff};
    enum { ALL = 1200 }; /* beyond, where there is a number like those before, some */
    ph_system_set_note(s, "note");
    const bytes right = snapshot_of(s), b = snapshot_of(s);
    checksum c = {0};
    for (size_t at = 0; at + SNAPSHOT_CHECKSUM < b.size; at += at < ALL ? 1 : 97) {
        for (size_t k = 0; k < sizeof by; k++) {
            ph_system *opened = NULL;
            b.at[at] = (unsigned char)(b.at[at] ^ by[k]);
            sign_snapshot(b);
            take(&c, ph_system_restore(s, b.at, b.size));
            const ph_status status = ph_system_from_snapshot(b.at, b.size, &opened);
            take(&c, status);
            if (status == PH_OK) {
                take_bytes(&c, opened);
            }
            ph_system_destroy(opened);
            b.at[at] = right.at[at];
            assert_int_equal(PH_OK, ph_system_restore(s, right.at, right.size));
        }
    }
    golden(&c, "altered snapshots of %s", name);
    free(right.at);
    free(b.at);
    ph_system_destroy(s);
}

static void test_altered(void **state)
{
    (void)state;
    static const char *const runs[][2] = {{"heavy_top", "gbs"},
                                          {"free", "exact"},
                                          {"generic", "verlet+exact@suzuki4"},
                                          {"spacecraft", "mkrk_gl4"},
                                          {"pendulum", "rattle"}};
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k += is_emulated() ? 4 : 1) {
        ph_system *s = NULL;
        assert_int_equal(PH_OK, system_by_names(&s, runs[k][0], runs[k][1], 0.01));
        check_altered(runs[k][0], s);
    }
    if (is_emulated()) /* one is enough: which byte is wrong does not depend on the machine */
        return;
    check_altered("molecules", system_of_molecules(9.0, 0.01));
    const ph_expressions from = {.potential = "t*R33 + q1*q2"};
    const ph_integrator i = integrator_of("gauss16");
    ph_problem p = {0};
    ph_system *s = NULL;
    assert_int_equal(PH_OK, ph_problem_from_expressions(&from, &p, NULL));
    assert_int_equal(PH_OK, ph_system_from_problem(&p, &i, NULL, 0.01, 0, &s));
    ph_problem_release(&p);
    check_altered("an expression", s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies),     cmocka_unit_test(test_rates),
        cmocka_unit_test(test_tolerances), cmocka_unit_test(test_long_steps),
        cmocka_unit_test(test_others),     cmocka_unit_test(test_snapshots),
        cmocka_unit_test(test_altered),
    };
    return golden_main(argc, argv, "golden_runs.txt", tests, sizeof tests / sizeof tests[0]);
}
