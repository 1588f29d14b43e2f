/* test_changes.c - torques and wheels that change on the way: when they do, and that steps end there.
 *
 * On a sphere without other torques the momentum of the body is the sum of the impulses exactly, if the
 * pulses are along the axis about which it rotates.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "integrators/changes.h"
#include "integrators/expression/expression.h"
#include "integrators/table.h"
#include "motion/vec.h"
#include "polhode/ensemble.h"
#include "polhode/expression.h"
#include "polhode/system.h"
#include "system/digits.h"
#include "system/find.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { ROW = 4 };
static const double HOUR = 3600.0;

/* ---- times of change --------------------------------------------------------------- */

static void test_times_of_tables(void **state)
{
    (void)state;
    /* the rows at 3 and 4 are within a constant stretch, whatever is between rows */
    static const double rows[][ROW] = {{1, 0, 0, 0}, {2, 0, 0, 0}, {3, 0, 0, 0}, {4, 0, 0, 0},
                                       {5, 0, 0, 0}, {6, 0, 0, 0}, {7, 1, 0, 0}, {9, 0, 0, 0}};
    static const double right[][2] = {{0, 5}, {5, 6}, {5.5, 6}, {6, 7}, {7, 9}, {8.5, 9}};
    ph_problem p = *find_problem("spacecraft");
    assert_false(ph_changes_any(&p));
    assert_int_equal(PH_OK, ph_problem_set_table(&p, "torque_cubic", &rows[0][0], COUNT(rows)));
    assert_true(ph_changes_any(&p));
    for (size_t i = 0; i < COUNT(right); i++) {
        assert_true(ph_change_next(&p, right[i][0], INFINITY) == right[i][1]);
        assert_true(ph_change_next(&p, right[i][0], right[i][1]) == right[i][1]);
    }
    assert_true(ph_change_next(&p, 9.0, INFINITY) == INFINITY);
    assert_true(ph_change_next(&p, 20.0, -INFINITY) == 9.0);
    assert_true(ph_change_next(&p, 9.0, -INFINITY) == 7.0);
    assert_true(ph_change_next(&p, 9.0, 7.5) == 7.5);
    assert_true(ph_change_next(&p, 5.0, -INFINITY) == -INFINITY);
    ph_problem_release(&p);
}

/* Where the slopes are those of parabolas, a cubic is exact for a parabola. */
static void test_cubic(void **state)
{
    (void)state;
    static const double times[] = {-2, 0, 1, 4, 5, 5.5};
    double rows[COUNT(times)][ROW];
    for (size_t count = 1; count <= COUNT(times); count++) {
        for (size_t i = 0; i < count; i++) {
            const double t = times[i], bend = count > 2 ? 0.25 : 0.0;
            const double row[ROW] = {t, 1.0 + t + bend * t * t, 2.0 * t, -bend * t * t};
            memcpy(rows[i], row, sizeof row);
        }
        ph_problem p = *find_problem("spacecraft");
        assert_int_equal(PH_OK, ph_problem_set_table(&p, "wheels_cubic", &rows[0][0], count));
        for (double t = -3.0; t < 6.0; t += 0.125) {
            const double bend = count > 2 ? 0.25 : 0.0, last = times[count - 1],
                         at = t < times[0] ? times[0]
                              : t > last   ? last
                                           : t;
            const ph_vec3 H = p.internal(&p, t);
            assert_true(fabs(H.x - (1.0 + at + bend * at * at)) < 1e-14);
            assert_true(fabs(H.y - 2.0 * at) < 1e-14 && fabs(H.z + bend * at * at) < 1e-14);
        }
        ph_problem_release(&p);
    }
}

static ph_problem of_torque(const char *torque)
{
    ph_problem p;
    const ph_expressions from = {.torque = {torque, "0", "0"}};
    assert_int_equal(PH_OK, ph_problem_from_expressions(&from, &p, NULL));
    return p;
}

static void test_times_of_expressions(void **state)
{
    (void)state;
    static const struct {
        const char *torque;
        double from, right, near;
    } cases[] = {
        {"pulse(t, 1040, 1080)", 0, 1040, 1e-12},
        {"pulse(t, 1040, 1080)", 1050, 1080, 1e-12},
        {"pulse(t, 1040, 1080)", 1081, INFINITY, 0},
        {"pulse(t, 1040, 1080)", 2000, INFINITY, 0},
        {"step(t - 7.5)", 0, 7.5, 1e-14},
        {"max(0, 1 - abs((t - 100)/20))", 0, 80, 1e-12},
        {"max(0, 1 - abs((t - 100)/20))", 90, 100, 1e-12},
        {"max(0, 1 - abs((t - 100)/20))", 110, 120, 1e-12},
        {"step(sin(t))", 1, PH_PI, 1e-14},
        {"step(sin(t))", 4, 2 * PH_PI, 1e-14},
        {"step(exp(t/10) - 2)", 0, 6.9314718055994531, 1e-14},
        {"sin(t)", 0, INFINITY, 0},
        {"abs(R11)*sin(t)", 0, INFINITY, 0}, /* at a time that depends on the motion */
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        ph_problem p = of_torque(cases[i].torque);
        const double found = ph_change_next(&p, cases[i].from, INFINITY);
        assert_true(found == cases[i].right || fabs(found - cases[i].right) <= cases[i].near);
        ph_problem_release(&p);
    }
    /* before and after a jump */
    ph_problem p = of_torque("step(t - 7.5)");
    const double before = ph_change_next(&p, 0.0, 10.0), after = ph_change_next(&p, before, 10.0);
    assert_true(before < 7.5 && after > 7.5 && after - before < 1e-13);
    assert_true(ph_change_next(&p, after, 10.0) == 10.0);
    const double back = ph_change_next(&p, 10.0, 0.0), beyond = ph_change_next(&p, back, 0.0);
    assert_true(back > 7.5 && beyond < 7.5 && back - beyond < 1e-13);
    assert_true(ph_change_next(&p, beyond, 0.0) == 0.0);
    ph_problem_release(&p);
}

/* ---- runs ---------------------------------------------------------------------------- */

enum { MOST_PULSES = 4 };

/* A sphere that rotates about x, where there are triangular pulses. */
typedef struct pulses {
    double rows[3 * MOST_PULSES][ROW];
    size_t count;
    double impulse; /* of all */
} pulses;

static pulses draw_pulses(uint64_t *seed)
{
    pulses p = {.count = 0};
    const int n = 1 + (int)between(seed, 0.0, (double)MOST_PULSES - 0.001);
    double t = 0.0;
    for (int i = 0; i < n; i++) {
        const double rise = between(seed, 0.5, 60.0), fall = between(seed, 0.5, 60.0),
                     height = between(seed, -2e-3, 2e-3);
        t += between(seed, 1.0, 600.0);
        const double more[3][ROW] = {
            {t, 0, 0, 0}, {t + rise, height, 0, 0}, {t + rise + fall, 0, 0, 0}};
        memcpy(p.rows[p.count], more, sizeof more);
        p.count += 3;
        p.impulse += 0.5 * height * (rise + fall);
        t += rise + fall;
    }
    return p;
}

static ph_system *create_sphere(const pulses *of, const char *method, double tolerance,
                                double longest)
{
    static const double sphere[] = {10, 10, 10}, off[] = {0}, velocity[] = {1e-4, 0, 0};
    const ph_setting settings[] = {{"inertia", sphere, 3},
                                   {"gravity_gradient", off, 1},
                                   {"velocity", velocity, 3},
                                   {"torque_table", of->rows[0], ROW * of->count}};
    const ph_system_settings with = {.problem = "spacecraft",
                                     .integrator = method,
                                     .tolerance = tolerance,
                                     .longest_step = longest,
                                     .settings = settings,
                                     .setting_count = COUNT(settings)};
    ph_system *s = NULL;
    assert_int_equal(PH_OK, ph_system_create(&with, &s));
    return s;
}

/* The momentum, and the angle about x: the integral of the momentum. */
static void test_random_pulses(void **state)
{
    (void)state;
    static const char *const methods[] = {NULL,  "srkn6_14a+exact", "verlet+exact",
                                          "gbs", "dop853",          "gauss16"};
    uint64_t seed = 8;
    for (int n = 0; n < 20; n++) {
        const pulses p = draw_pulses(&seed);
        double angle = 1e-4 * HOUR;
        for (size_t i = 0; i < p.count; i += 3) {
            const double a = p.rows[i][0], b = p.rows[i + 1][0], c = p.rows[i + 2][0],
                         height = p.rows[i + 1][1];
            angle += 0.5 * height * (c - a) * (HOUR - (a + b + c) / 3.0) / 10.0;
        }
        for (size_t k = 0; k < COUNT(methods); k++) {
            const double tolerance = k == 2 ? 1e-7 : 1e-11, most = 100.0 * tolerance;
            ph_system *s = create_sphere(&p, methods[k], tolerance, 0.0);
            assert_int_equal(PH_OK, ph_system_run_until(s, HOUR, NULL));
            const ph_state end = ph_system_state(s);
            assert_true(fabs(end.m.x - (1e-3 + p.impulse)) < 1e-13);
            assert_true(fabs(end.q.w - cos(0.5 * angle)) < most &&
                        fabs(end.q.x - sin(0.5 * angle)) < most);
            ph_system_destroy(s);
        }
    }
}

/* The same backward, and in parts of a run with a snapshot between them. */
static void test_snapshots_and_back(void **state)
{
    (void)state;
    uint64_t seed = 5;
    const pulses p = draw_pulses(&seed);
    static const char *const methods[] = {"aba10_6_4+exact", "gbs"};
    for (size_t k = 0; k < COUNT(methods); k++) {
        ph_system *s = create_sphere(&p, methods[k], 1e-10, 0.0), *again = NULL;
        assert_int_equal(PH_OK, ph_system_run(s, 3, NULL));
        const size_t size = ph_system_save(s, NULL, 0);
        void *bytes = malloc(size);
        assert_non_null(bytes);
        (void)ph_system_save(s, bytes, size);
        assert_int_equal(PH_OK, ph_system_from_snapshot(bytes, size, &again));
        assert_int_equal(PH_OK, ph_system_run_until(s, HOUR, NULL));
        assert_int_equal(PH_OK, ph_system_run_until(again, HOUR, NULL));
        assert_true(ph_system_steps(s) == ph_system_steps(again));
        assert_true(ph_system_step(s) == ph_system_step(again));
        ph_state a = ph_system_state(s), b = ph_system_state(again);
        assert_memory_equal(&a, &b, sizeof a);
        assert_int_equal(PH_OK, ph_system_run_until(s, 0.0, NULL));
        a = ph_system_state(s);
        assert_true(fabs(a.m.x - 1e-3) < 1e-13 && fabs(a.q.w - 1.0) < 1e-9);
        free(bytes);
        ph_system_destroy(s);
        ph_system_destroy(again);
    }
}

/* Whole equal steps in each part: the times of all steps have those of the rows among them. */
typedef struct seen {
    const pulses *p;
    size_t next;
} seen;

static bool see(void *context, ph_system *s)
{
    seen *x = context;
    const double now = ph_system_time(s);
    while (x->next < x->p->count && x->p->rows[x->next][0] < now * (1.0 - 1e-12))
        fail_msg("a step goes beyond t = %g", x->p->rows[x->next][0]);
    if (x->next < x->p->count && fabs(x->p->rows[x->next][0] - now) <= 1e-12 * now)
        x->next++;
    return true;
}

static void test_steps_end_at_rows(void **state)
{
    (void)state;
    static const char *const methods[] = {"srkn6_14a+exact", "gbs", "dop853", "gauss16"};
    uint64_t seed = 77;
    for (int n = 0; n < 10; n++) {
        const pulses p = draw_pulses(&seed);
        for (size_t k = 0; k < COUNT(methods); k++) {
            ph_system *s = create_sphere(&p, methods[k], 1e-9, 0.0);
            seen x = {.p = &p};
            assert_int_equal(PH_OK,
                             ph_system_run_until(s, HOUR, &(ph_observer){see, &x, 1, NULL, 0}));
            assert_int_equal(p.count, x.next);
            ph_system_destroy(s);
        }
    }
}

/* A ramp of the wheels takes few torques more than constant wheels. */
static void test_wheels(void **state)
{
    (void)state;
    static const double moments[] = {10, 12, 8}, velocity[] = {1e-4, 2e-3, 1e-3},
                        ramp[][ROW] = {{1040, 0, 0, 0}, {1080, 0, 0.04, 0}};
    const ph_setting settings[] = {
        {"inertia", moments, 3}, {"velocity", velocity, 3}, {"wheels_table", ramp[0], 2 * ROW}};
    ph_state end[2];
    for (int k = 0; k < 2; k++) {
        const ph_system_settings with = {.problem = "spacecraft",
                                         .integrator = k == 0 ? "gbs" : "gauss16",
                                         .tolerance = k == 0 ? 1e-10 : 1e-14,
                                         .settings = settings,
                                         .setting_count = COUNT(settings)};
        ph_system *s = NULL;
        assert_int_equal(PH_OK, ph_system_create(&with, &s));
        assert_int_equal(PH_OK, ph_system_run_until(s, HOUR, NULL));
        assert_true(k == 1 || ph_system_evaluations(s) < 1500);
        end[k] = ph_system_state(s);
        ph_system_destroy(s);
    }
    assert_true(norm(sub(end[0].m, end[1].m)) < 1e-9 * norm(end[1].m));
    assert_true(fabs(end[0].q.w - end[1].q.w) < 1e-9 && fabs(end[0].q.z - end[1].q.z) < 1e-9);
}

/* After a short step gbs comes back to long ones, also where the round-off of the time decides how long
 * a step is: at t = 1040 steps of 4e-6 have 2e7 units of its last place. */
static void test_steps_become_longer(void **state)
{
    (void)state;
    const pulses p = {
        .rows = {{1040, 0, 0, 0}, {1040.001, 1e-3, 0, 0}, {1079.999, 1e-3, 0, 0}, {1080, 0, 0, 0}},
        .count = 4};
    static const double tolerances[] = {1e-12, 1e-14, 1e-15};
    for (size_t i = 0; i < COUNT(tolerances); i++) {
        ph_system *s = create_sphere(&p, "gbs", tolerances[i], 1.0);
        const ph_array *w;
        assert_int_equal(PH_OK, ph_system_array_named(s, "velocity", &w));
        *w->data[0] = 0.0;
        const ph_array *m;
        assert_int_equal(PH_OK, ph_system_array_named(s, "momentum", &m));
        *m->data[0] = 0.0;
        assert_int_equal(PH_OK, ph_system_changed(s));
        assert_int_equal(PH_OK, ph_system_run(s, 6000, NULL));
        assert_true(ph_system_time(s) > 4000.0);
        ph_system_destroy(s);
    }
}

/* A body at rest, and a torque that begins with a jump. */
static void test_jumps(void **state)
{
    (void)state;
    static const char *const methods[] = {"gbs", "dop853", "gauss16", "s6_10+exact"};
    static const double moments[] = {10, 10, 10}, rest[] = {0, 0, 0};
    const ph_setting settings[] = {{"inertia", moments, 3}, {"velocity", rest, 3}};
    uint64_t seed = 3;
    for (int n = 0; n < 20; n++) {
        const double begin = between(&seed, 0.0, 2000.0), length = between(&seed, 1e-3, 400.0);
        char torque[100];
        (void)snprintf(torque, sizeof torque, "0.001*pulse(t, %.17g, %.17g)", begin,
                       begin + length);
        ph_problem p = of_torque(torque);
        for (size_t k = 0; k < COUNT(methods); k++) {
            const ph_system_settings with = {.own_problem = &p,
                                             .integrator = methods[k],
                                             .tolerance = 1e-11,
                                             .settings = settings,
                                             .setting_count = COUNT(settings)};
            ph_system *s = NULL;
            assert_int_equal(PH_OK, ph_system_create(&with, &s));
            assert_int_equal(PH_OK, ph_system_run_until(s, HOUR, NULL));
            const double right = 1e-3 * length;
            assert_true(fabs(ph_system_state(s).m.x - right) < 1e-11 * right + 1e-14);
            ph_system_destroy(s);
        }
        ph_problem_release(&p);
    }
}

/* Bodies of an ensemble take the steps of single runs. */
static bool keep_end(void *context, size_t body, size_t row, ph_system *s)
{
    (void)row;
    ((ph_state *)context)[body] = ph_system_state(s);
    return true;
}

static void test_ensembles(void **state)
{
    (void)state;
    enum { BODIES = 11 };
    uint64_t seed = 21;
    const pulses p = draw_pulses(&seed);
    static const double moments[] = {10, 14, 8};
    double velocity[BODIES][3];
    for (int i = 0; i < BODIES; i++) {
        for (int k = 0; k < 3; k++)
            velocity[i][k] = between(&seed, -2e-3, 2e-3);
    }
    static const char *const methods[] = {"dop853", "srkn6_14a+exact"};
    for (size_t k = 0; k < COUNT(methods); k++) {
        const ph_setting settings[] = {{"inertia", moments, 3},
                                       {"torque_table", p.rows[0], ROW * p.count}};
        ph_system_settings with = {.problem = "spacecraft",
                                   .integrator = methods[k],
                                   .tolerance = 1e-9,
                                   .settings = settings,
                                   .setting_count = COUNT(settings)};
        const ph_each each = {
            .name = "velocity", .values = velocity[0], .count = 3, .along = 3, .across = 1};
        ph_ensemble *e = NULL;
        ph_state end[BODIES];
        assert_int_equal(PH_OK, ph_ensemble_create(&with, &each, 1, BODIES, NULL, &e));
        const double times[] = {HOUR};
        const ph_ensemble_observer o = {
            .observe = keep_end, .context = end, .times = times, .count = 1};
        assert_int_equal(PH_OK, ph_ensemble_run(e, HOUR, &o));
        for (int i = 0; i < BODIES; i++) {
            const ph_setting own[] = {settings[0], settings[1], {"velocity", velocity[i], 3}};
            with.settings = own;
            with.setting_count = COUNT(own);
            ph_system *s = NULL;
            assert_int_equal(PH_OK, ph_system_create(&with, &s));
            assert_int_equal(PH_OK, ph_system_run_until(s, HOUR, NULL));
            const ph_state right = ph_system_state(s);
            assert_memory_equal(&right, &end[i], sizeof right);
            ph_system_destroy(s);
        }
        ph_ensemble_destroy(e);
    }
}

/* ---- the companion, and the default tolerance ------------------------------------------ */

/* Where the longest step limits both, the companion takes other steps than the run. */
static void test_companion(void **state)
{
    (void)state;
    const pulses none = {.rows = {{0, 0, 0, 0}}, .count = 1};
    ph_system *s = create_sphere(&none, "gbs", 1e-6, 0.0),
              *companion = create_sphere(&none, "gbs", 1e-7, 0.0);
    ph_digits d;
    assert_int_equal(PH_OK, ph_digits_begin(&d, companion, HOUR));
    assert_int_equal(PH_OK, ph_system_run_until(s, HOUR, NULL));
    assert_int_equal(PH_OK, ph_digits_follow(&d, s));
    assert_true(ph_system_steps(companion) > ph_system_steps(s) * 3 / 2);
    ph_system_destroy(s);
    ph_system_destroy(companion);
}

static void count_warning(void *context, const ph_message *w)
{
    if (w->setting == PH_SETTING_STEP)
        ++*(int *)context;
}

static ph_system *create_top(const char *problem, const char *method, double step, double tolerance,
                             int *warnings)
{
    const ph_system_settings with = {.problem = problem,
                                     .integrator = method,
                                     .step = step,
                                     .tolerance = tolerance,
                                     .warn = count_warning,
                                     .context = warnings};
    ph_system *s = NULL;
    assert_int_equal(PH_OK, ph_system_create(&with, &s));
    return s;
}

static void test_default_tolerance(void **state)
{
    (void)state;
    static const struct {
        const char *problem, *method;
        double step, tolerance;
        bool finds, warns;
    } cases[] = {
        {"heavy_top", NULL, 0.0, 0.0, true, false},
        {"heavy_top", "verlet+exact", 0.0, 0.0, true, false},
        {"heavy_top", "verlet+exact", 0.1, 0.0, false, false},
        {"heavy_top", "verlet+exact", 1.5, 0.0, false, true},
        {"heavy_top", "vlv", 1.5, 0.0, false, true},
        {"heavy_top", "vlv", 0.0, 0.0, false, false},
        {"heavy_top", "verlet+exact", 1.5, 1e-6, true, false},
        {"free", "verlet+exact", 0.0, 0.0, false, false},
        {"free", "mr", 3.0, 0.0, false, false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        int warnings = 0;
        ph_system *s = create_top(cases[i].problem, cases[i].method, cases[i].step,
                                  cases[i].tolerance, &warnings);
        if (cases[i].finds && cases[i].step == 0.0) {
            int more;
            ph_system *same =
                create_top(cases[i].problem, cases[i].method, 0.0, PH_TOLERANCE_DEFAULT, &more);
            assert_true(ph_system_step(s) > 0.0 && ph_system_step(s) == ph_system_step(same));
            ph_system_destroy(same);
        } else if (!cases[i].finds) {
            assert_true(ph_system_step(s) == cases[i].step);
        }
        assert_int_equal(cases[i].warns, warnings);
        ph_system_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_of_tables),
        cmocka_unit_test(test_cubic),
        cmocka_unit_test(test_times_of_expressions),
        cmocka_unit_test(test_random_pulses),
        cmocka_unit_test(test_snapshots_and_back),
        cmocka_unit_test(test_steps_end_at_rows),
        cmocka_unit_test(test_wheels),
        cmocka_unit_test(test_steps_become_longer),
        cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_ensembles),
        cmocka_unit_test(test_companion),
        cmocka_unit_test(test_default_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
