/* test_ensemble.c - many bodies: each has the bits of its run alone, by every method and in every
 * problem, whatever its neighbours, its place and the number of threads. */
/* Needs kinds. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "polhode/batch.h"
#include "polhode/ensemble.h"
#include "polhode/expression.h"

#include "base/counter_random.h"
#include "base/extremes.h"
#include "support/quick.h"
#include "support/skip.h"
#include "system/find.h"
#include "system/kind.h"

enum { BODIES = 21, ROWS = 4, NUMBERS = 7 };

typedef double body_rows[ROWS][NUMBERS];

static const double UNREACHED = -1e99;

static void keep(double *to, const ph_system *s)
{
    const ph_state now = ph_system_state(s);
    const double all[NUMBERS] = {now.q.w, now.q.x, now.q.y, now.q.z, now.m.x, now.m.y, now.m.z};
    memcpy(to, all, sizeof all);
}

static bool keep_row(void *context, size_t body, size_t row, ph_system *s)
{
    body_rows *rows = context;
    assert_true(row < ROWS);
    keep(rows[body][row], s);
    return true;
}

typedef struct one_run {
    body_rows *rows;
    size_t row;
} one_run;

static bool keep_one(void *context, ph_system *s)
{
    one_run *one = context;
    keep((*one->rows)[one->row++], s);
    return true;
}

static void forget(body_rows *rows, size_t count)
{
    double *x = &rows[0][0][0];
    for (size_t i = 0; i < count * ROWS * NUMBERS; i++)
        x[i] = UNREACHED;
}

/* Bodies that differ in their velocity, and the last in its sign. */
static void velocities(const char *problem, double (*w)[3])
{
    ph_system *s;
    assert_int_equal(system_by_names(&s, problem, NULL, 1.0), PH_OK);
    const ph_array *f = find_field(s, "velocity");
    for (size_t i = 0; i < BODIES; i++) {
        for (int k = 0; k < 3; k++)
            w[i][k] = *f->data[k] * (1.0 + 0.01 * (double)i) + 1e-5 * (double)(i * (i + 3) % 7);
    }
    ph_system_destroy(s);
}

/* Tensors whose axes differ from body to body. */
static void tensors(double (*J)[6])
{
    static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (size_t i = 0; i < BODIES; i++) {
        const ph_mat3 A = ph_quat_matrix(ph_rotation_exp((ph_vec3){0.1 * (double)i, 0.2, -0.3}));
        for (int k = 0; k < 6; k++) {
            const double *a = A.a[at[k][0]], *b = A.a[at[k][1]];
            J[i][k] = a[0] * b[0] + 1.3 * a[1] * b[1] + 1.6 * a[2] * b[2];
        }
    }
}

/* Runs them together, and one after the other, and compares; of a problem of the catalog, or one's
 * own; of its body, or of tensors. */
typedef struct comparison {
    const char *problem, *method;
    double tolerance, h, end;
    const ph_problem *own;
    bool by_tensor;
} comparison;

static void compare(const comparison *c)
{
    static body_rows together[BODIES], alone[BODIES];
    double w[BODIES][3], J[BODIES][6];
    const double end = c->end, times[ROWS] = {0.0, 0.4 * end, 0.5 * end, end};
    const char *problem = c->problem, *method = c->method;
    const ph_system_settings all = {c->own ? NULL : problem, .integrator = method, .step = c->h,
                                    .tolerance = c->tolerance, .own_problem = c->own};
    const ph_each each[] = {{"velocity", w[0], 3, 3, 1}, {"tensor", J[0], 6, 6, 1}};
    const size_t each_count = c->by_tensor ? 2 : 1;
    const ph_ensemble_observer o = {
        .observe = keep_row, .context = together, .times = times, .count = ROWS};
    ph_ensemble *e;
    size_t failed = 0;
    velocities(problem, w);
    tensors(J);
    forget(together, BODIES);
    forget(alone, BODIES);
    if (ph_ensemble_create(&all, each, each_count, BODIES, NULL, &e) != PH_OK)
        fail_msg("%s by %s cannot be made", problem, method);
    const ph_status first = ph_ensemble_run(e, end, &o);
    for (size_t i = 0; i < BODIES; i++) {
        ph_system_settings one = all;
        const ph_setting own[] = {{"velocity", w[i], 3}, {"tensor", J[i], 6}};
        one_run run = {&alone[i], 0};
        const ph_observer rows = {keep_one, &run, 0, times, ROWS};
        ph_system *s;
        one.settings = own;
        one.setting_count = each_count;
        assert_int_equal(ph_system_create(&one, &s), PH_OK);
        const ph_status status = ph_system_run_until(s, end, &rows);
        const ph_system *same = ph_ensemble_system(e, i);
        assert_int_equal(ph_ensemble_status(e)[i], status);
        assert_true(ph_system_time(same) == ph_system_time(s));
        assert_int_equal(ph_system_steps(same), ph_system_steps(s));
        if (ph_system_is_adaptive(s)) /* others may keep the last torque of a step */
            assert_int_equal(ph_system_evaluations(same), ph_system_evaluations(s));
        failed += status != PH_OK;
        ph_system_destroy(s);
    }
    assert_int_equal(first != PH_OK, failed > 0);
    if (memcmp(together, alone, sizeof together) != 0)
        fail_msg("%s by %s: other bits", problem, method);
    ph_ensemble_destroy(e);
}

/* Every problem of one body, by every method that chooses its steps, by the recommended one and by
 * each method of the catalog that suits it. */
static void bits_of_single_runs(void **state)
{
    (void)state;
    const size_t by = is_emulated() ? 300 : 1; /* few methods */
    ph_problem_facts p;
    int runs = 0;
    for (size_t i = 0; ph_problem_at(i, &p); i++) {
        if (strcmp(p.kind, "body") != 0 && strcmp(p.kind, "orbiter") != 0)
            continue;
        ph_system *s;
        assert_int_equal(system_by_names(&s, p.name, NULL, 1.0), PH_OK);
        const ph_array *w = find_field(s, "velocity");
        const double speed = hypot(hypot(*w->data[0], *w->data[1]), *w->data[2]), h = 0.05 / speed;
        ph_method_facts m;
        compare(&(comparison){p.name, p.integrator, 0.0, h, 10.0 * h, NULL, false});
        if (ph_integrator_suits("dop853", p.name) == PH_OK)
            compare(&(comparison){p.name, "dop853", 1e-7, h, 100.0 * h, NULL, true});
        if (ph_integrator_suits("s4_6+exact", p.name) == PH_OK) {
            compare(&(comparison){p.name, "s4_6+exact", 0.0, h, 10.0 * h, NULL, true});
            compare(&(comparison){p.name, "s4_6+exact", 1e-4, 0.0, 10.0 * h, NULL, false});
        }
        for (size_t k = i % by; ph_method_at(k, &m); k += by) {
            if (ph_integrator_suits(m.name, p.name) != PH_OK)
                continue;
            compare(&(comparison){p.name, m.name, m.adaptive ? 1e-7 : 0.0, h,
                                  (m.adaptive ? 200.0 : 10.0) * h, NULL, false});
            runs++;
        }
        ph_system_destroy(s);
    }
    assert_true(runs * (int)by > 100);
}

/* Expressions, with and without the velocity. */
static void bits_of_expressions(void **state)
{
    (void)state;
    const ph_expressions of[] = {
        {.potential = "0.7*R33 + 0.1*sin(R11 + t) + exp(-R22^2)/(2 + cos(40*R12))"},
        {.potential = "R33^3", .torque = {"-0.1*w1*abs(w1)", "tanh(m1)", "min(t, 1)"}}};
    for (int i = 0; i < 2; i++) {
        ph_problem p;
        assert_int_equal(ph_problem_from_expressions(&of[i], &p, NULL), PH_OK);
        for (int k = 0; k < 2; k++) {
            compare(&(comparison){"free", "dop853", 1e-8, 0.0, 12.0, &p, k == 1});
            if (i == 0)
                compare(&(comparison){"free", "s4_6+exact", 0.0, 0.1, 2.0, &p, k == 1});
        }
        ph_problem_release(&p);
    }
}

/* A spacecraft with everything, parameters of its own, and moments. */
static ph_status spacecraft(double (*x)[8], size_t count, double eccentricity, ph_ensemble **out)
{
    const double e[] = {eccentricity}, dipole[] = {1.0, -2.0, 0.5};
    const ph_setting same[] = {{"eccentricity", e, 1}, {"dipole", dipole, 3}};
    const ph_system_settings all = {"spacecraft", .integrator = "dop853", .tolerance = 1e-9,
                                    .settings = same, .setting_count = 2};
    const ph_each each[] = {{"velocity", x[0], 3, 8, 1},
                            {"inertia", x[0] + 3, 3, 8, 1},
                            {"damping", x[0] + 6, 1, 8, 1},
                            {"anomaly", x[0] + 7, 1, 8, 1}};
    return ph_ensemble_create(&all, each, 4, count, NULL, out);
}

static void draw(double (*x)[8], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double z[8];
        for (uint64_t k = 0; k < 8; k += 2)
            normal_pair(3, (const uint64_t[]){i, k}, z + k);
        for (int k = 0; k < 3; k++) {
            x[i][k] = 1e-3 * z[k];
            x[i][3 + k] = 100.0 + 5.0 * z[3 + k];
        }
        x[i][6] = i % 3 == 0 ? 0.0 : 1e-3 * fabs(z[6]);
        x[i][7] = 1e5 * z[7]; /* many turns */
    }
}

/* The order of the bodies and the number of threads change nothing. */
static void order_and_threads(void **state)
{
    (void)state;
    enum { N = 70 };
    static double x[N][8], mixed[N][8];
    static body_rows one[N], other[N];
    const double times[ROWS] = {0.0, 100.0, 5000.0, 20000.0};
    ph_ensemble *e;
    draw(x, N);
    for (size_t i = 0; i < N; i++)
        memcpy(mixed[i * 33 % N], x[i], sizeof x[i]);
    for (int turn = 0; turn < 2; turn++) {
        body_rows *rows = turn == 0 ? one : other;
        const ph_ensemble_observer o = {
            .observe = keep_row, .context = rows, .times = times, .count = ROWS};
        ph_set_threads(turn == 0 ? 1 : 3);
        assert_int_equal(spacecraft(turn == 0 ? x : mixed, N, 0.3, &e), PH_OK);
        assert_int_equal(ph_ensemble_run(e, times[ROWS - 1], &o), PH_OK);
        ph_ensemble_destroy(e);
    }
    ph_set_threads(0);
    for (size_t i = 0; i < N; i++)
        assert_memory_equal(one[i], other[i * 33 % N], sizeof one[i]);
}

/* ---- a body that fails ---------------------------------------------------------------- */

/* Not defined after the time in the parameter. */
static ph_vec3 ending_torque(const ph_problem *p, const ph_instant *now)
{
    return now->t < p->value[0] ? (ph_vec3){now->R.a[2][0], 0.1, 0.0} : (ph_vec3){NAN, 0.0, 0.0};
}

static void one_body_fails(void **state)
{
    (void)state;
    static const ph_parameter parameter = {"last", 0, 1, "t", "", PH_RANGE_ANY};
    static const char *const methods[] = {"dop853", "gbs", "verlet+exact"};
    const ph_problem own = {.name = "ending",
                            .body = {{1, 2, 3}, {1, 0, 0, 0}, true},
                            .q = {1, 0, 0, 0},
                            .w = {0.3, 0.4, 0.5},
                            .parameters = &parameter,
                            .parameter_count = 1,
                            .nonconservative = true,
                            .value = {100.0},
                            .torque = ending_torque};
    double last[BODIES], none[BODIES];
    static body_rows with[BODIES], without[BODIES];
    const double times[ROWS] = {0.0, 1.0, 2.0, 8.0};
    for (size_t i = 0; i < BODIES; i++) {
        none[i] = 100.0 + (double)i;
        last[i] = i == 5 ? 3.0 : none[i];
    }
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
        for (int turn = 0; turn < 2; turn++) {
            body_rows *rows = turn == 0 ? with : without;
            const ph_each each = {"last", turn == 0 ? last : none, 1, 1, 1};
            const ph_system_settings all = {
                .own_problem = &own, .integrator = methods[k], .step = 0.125};
            const ph_ensemble_observer o = {
                .observe = keep_row, .context = rows, .times = times, .count = ROWS};
            ph_ensemble *e;
            forget(rows, BODIES);
            assert_int_equal(ph_ensemble_create(&all, &each, 1, BODIES, NULL, &e), PH_OK);
            const ph_status ended = ph_ensemble_run(e, 8.0, &o);
            assert_int_equal(ended != PH_OK, turn == 0);
            for (size_t i = 0; i < BODIES; i++)
                assert_int_equal(ph_ensemble_status(e)[i],
                                 turn == 0 && i == 5 ? (int)ended : (int)PH_OK);
            assert_true(turn == 1 || ph_system_time(ph_ensemble_system(e, 5)) <= 3.0);
            ph_ensemble_destroy(e);
        }
        assert_true(with[5][3][0] == UNREACHED);
        assert_memory_equal(with[5][2], without[5][2], sizeof with[5][2]);
        for (size_t i = 0; i < BODIES; i++) {
            if (i != 5)
                assert_memory_equal(with[i], without[i], sizeof with[i]);
        }
    }
}

/* ---- what is wrong --------------------------------------------------------------------- */

static void wrong_bodies_are_named(void **state)
{
    (void)state;
    double damping[] = {0.0, 0.1, -1.0, 0.0}, inertia[4][3] = {{1, 2, 2}, {1, 1, 1}, {2, 2, 3}};
    const ph_setting same = {"tensor", (const double[]){1, 1, 1, 0, 0, 0}, 6};
    ph_message why;
    const ph_system_settings all = {"spacecraft", .integrator = "gbs", .settings = &same,
                                    .setting_count = 1, .message = &why};
    const ph_each each[] = {{"inertia", inertia[0], 3, 3, 1}, {"damping", damping, 1, 1, 1}};
    ph_ensemble *e = NULL;
    size_t wrong = 99;
    assert_int_equal(ph_ensemble_create(&all, each, 2, 4, &wrong, &e), PH_BAD_PARAMETER);
    assert_int_equal(wrong, 2);
    assert_int_equal(why.setting, 2); /* the second of each, after one of all */
    damping[2] = 0.0;
    assert_int_equal(ph_ensemble_create(&all, each, 2, 4, &wrong, &e), PH_BAD_INERTIA);
    assert_int_equal(wrong, 3);
    assert_int_equal(why.setting, 1);
    assert_int_equal(ph_ensemble_create(&all, each, 2, 3, &wrong, &e), PH_OK);
    assert_int_equal(ph_ensemble_count(e), 3);
    assert_null(ph_ensemble_system(e, 3));
    const double past[] = {-1.0};
    const ph_ensemble_observer o = {.observe = keep_row, .times = past, .count = 1};
    assert_int_equal(ph_ensemble_run(e, 10.0, &o), PH_TIME_PASSED);
    assert_int_equal(ph_ensemble_run(NULL, 10.0, &o), PH_NULL_ARGUMENT);
    ph_ensemble_destroy(e);
    ph_ensemble_destroy(NULL);
}

static void refuses_doubled_names(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 4, 5, 6};
    ph_message why;
    const ph_setting twice[] = {{"velocity", x, 3}, {"velocity", x + 3, 3}};
    ph_system_settings all = {"free", .integrator = "dop853", .tolerance = 1e-9, .message = &why};
    const ph_each each[] = {{"velocity", x, 3, 3, 1}, {"velocity", x, 3, 3, 1}};
    ph_ensemble *e = NULL;
    size_t wrong = 9;
    assert_int_equal(ph_ensemble_create(&all, each, 2, 2, &wrong, &e), PH_BAD_PARAMETER);
    assert_int_equal(wrong, 0);
    assert_int_equal(why.setting, 1);
    assert_string_equal(why.text, "velocity is given twice: remove one");
    all.settings = twice;
    all.setting_count = 2;
    assert_int_equal(ph_ensemble_create(&all, NULL, 0, 2, &wrong, &e), PH_BAD_PARAMETER);
    assert_int_equal(ph_ensemble_create(&all, each, 1, 2, &wrong, &e), PH_BAD_PARAMETER);
    assert_null(e);
}

/* The body that a thermostat is refused for is the first. */
static void thermostats_are_refused(void **state)
{
    (void)state;
    const double one = 1.0;
    const ph_setting bath[] = {{"temperature", &one, 1}, {"friction", &one, 1}};
    ph_message why;
    const ph_system_settings all = {"heavy_top",      .integrator = "baoab+exact", .step = 0.1,
                                    .settings = bath, .setting_count = 2,          .message = &why};
    ph_ensemble *e = NULL;
    size_t wrong = 9;
    assert_int_equal(ph_ensemble_create(&all, NULL, 0, 3, &wrong, &e), PH_NOT_APPLICABLE);
    assert_int_equal(wrong, 0);
    assert_int_equal(why.setting, PH_SETTING_INTEGRATOR);
    assert_null(e);
}

/* Sizes that wrap, and lists that cannot be. */
static void impossible_sizes(void **state)
{
    (void)state;
    static const size_t many[] = {SIZE_MAX,     SIZE_MAX - 1,
                                  SIZE_MAX / 2, SIZE_MAX / 4 + 1,
                                  SIZE_MAX / 8, (size_t)1 << (sizeof(size_t) * 4)};
    const ph_system_settings all = {"free", .integrator = "dop853", .tolerance = 1e-9};
    const double x[4] = {1, 0, 0, 1}, *const none = NULL;
    double out[4] = {5, 5, 5, 5};
    ph_ensemble *e = NULL;
    size_t wrong;
    for (size_t k = 0; k < 4; k++) {
        const ph_each each = {"velocity", x, many[k], 0, 0}, fine = {"velocity", x, 3, 0, 1};
        ph_system_settings with = all;
        assert_int_equal(ph_ensemble_create(&all, NULL, 0, many[k], &wrong, &e), PH_NO_MEMORY);
        assert_int_equal(ph_ensemble_create(&all, &each, 1, 1, &wrong, &e), PH_NO_MEMORY);
        assert_int_equal(ph_ensemble_create(&all, &fine, many[k], 1, &wrong, &e), PH_NO_MEMORY);
        with.settings = &(ph_setting){"velocity", x, 3};
        with.setting_count = many[k];
        assert_int_equal(ph_ensemble_create(&with, NULL, 0, 1, &wrong, &e), PH_NO_MEMORY);
    }
    for (size_t k = 0; k < sizeof many / sizeof *many; k++)
        assert_int_equal(ph_draw_normal(x, many[k], 1, 2, 0, out), PH_NO_MEMORY);
    assert_true(out[0] == 5 && out[3] == 5);
    const ph_setting nothing[] = {{"velocity", none, 3}, {NULL, x, 3}};
    for (int k = 0; k < 2; k++) {
        ph_system_settings with = all;
        with.settings = &nothing[k];
        with.setting_count = 1;
        assert_int_equal(ph_ensemble_create(&with, NULL, 0, 1, &wrong, &e), PH_NULL_ARGUMENT);
    }
    assert_null(e);
}

/* Warnings by turns come once each; those that differ in numbers alone are one. */
static void count_warning(void *context, const ph_message *w)
{
    int *counts = context;
    counts[strstr(w->text, "no rigid body can have") != NULL]++;
}

static void warnings_come_once(void **state)
{
    (void)state;
    double altitude[] = {1e6, 7e6, 1e6, 7e6, 1e6, 7e6};
    double inertia[6][3] = {{1, 2, 3}, {1, 2, 9}, {1, 2, 3}, {1, 2, 90}, {1, 2, 3}, {1, 3, 4.5e7}};
    int counts[2] = {0, 0};
    const ph_system_settings all = {"spacecraft", .integrator = "gbs", .tolerance = 1e-9,
                                    .warn = count_warning, .context = counts};
    const ph_each each[] = {{"inertia", inertia[0], 3, 3, 1},
                            {"semi_major_axis", altitude, 1, 1, 1}};
    ph_ensemble *e;
    assert_int_equal(ph_ensemble_create(&all, each, 2, 6, NULL, &e), PH_OK);
    assert_int_equal(counts[0], 1);
    assert_int_equal(counts[1], 1);
    ph_ensemble_destroy(e);
}

/* ---- times that cannot be reached ------------------------------------------------------- */

typedef struct counted_ends {
    atomic_size_t ended; /* threads count at once */
} counted_ends;

static void count_end(void *context, size_t body, ph_status status)
{
    (void)body;
    assert_int_equal(status, PH_OK);
    ((counted_ends *)context)->ended++;
}

static bool see_nothing(void *context, size_t body, size_t row, ph_system *s)
{
    (void)context;
    (void)body;
    (void)row;
    (void)s;
    return true;
}

/* A wrong time is an error of the call: it changes nothing, and no body fails by it. */
static void check_wrong_times(const char *method, double step, double tolerance)
{
    const bool fixed = step != 0.0;
    double w[BODIES][3], first[BODIES], mean[2];
    uint64_t count[BODIES], bodies[2];
    static const char *const of[] = {"w1"};
    const ph_system_settings all = {"heavy_top", .integrator = method, .step = step,
                                    .tolerance = tolerance};
    const ph_each each = {"velocity", w[0], 3, 3, 1};
    ph_ensemble *e, *fresh;
    velocities("heavy_top", w);
    assert_int_equal(ph_ensemble_create(&all, &each, 1, BODIES, NULL, &e), PH_OK);
    assert_int_equal(ph_ensemble_create(&all, &each, 1, BODIES, NULL, &fresh), PH_OK);
    const struct {
        double until;
        ph_status status;
    } wrong[] = {{NAN, PH_BAD_TIME},          {INFINITY, PH_BAD_TIME},    {-INFINITY, PH_BAD_TIME},
                 {0.123, PH_NOT_WHOLE_STEPS}, {-0.1, PH_NOT_WHOLE_STEPS}, {1e300, PH_BAD_TIME}};
    for (size_t k = 0; k < (fixed ? sizeof wrong / sizeof *wrong : 3); k++) {
        const double until = wrong[k].until, zero = 0.0;
        const ph_reduction r = {of, 1, &zero, 1, bodies, mean, .low = NULL};
        counted_ends c = {0};
        const ph_ensemble_observer o = {.ended = count_end, .context = &c};
        for (size_t i = 0; i < BODIES; i++) {
            first[i] = UNREACHED;
            count[i] = 77;
        }
        assert_int_equal(ph_ensemble_run(e, until, &o), wrong[k].status);
        assert_int_equal(ph_ensemble_events(e, until, "R33 < 5", &o, first, count, NULL),
                         wrong[k].status);
        assert_true(first[0] == UNREACHED && count[BODIES - 1] == 77);
        mean[0] = UNREACHED;
        assert_int_equal(ph_ensemble_reduce(e, until, &r, &o, NULL, NULL), wrong[k].status);
        assert_true(mean[0] == UNREACHED);
        assert_int_equal(c.ended, 0);
    }
    const double orders[][2] = {{NAN, 1.0}, {0.0, NAN}, {0.5, 0.2}, {-0.5, 0.2}};
    for (size_t k = 0; k < 4; k++) {
        const ph_ensemble_observer o = {.observe = see_nothing, .times = orders[k], .count = 2};
        assert_int_equal(ph_ensemble_run(e, 1.0, &o), k < 2 ? PH_BAD_TIME : PH_TIME_PASSED);
    }
    ph_ensemble_observer o = {.observe = see_nothing, .count = 1};
    assert_int_equal(ph_ensemble_run(e, 1.0, &o), PH_NULL_ARGUMENT);
    o.times = orders[0];
    o.count = SIZE_MAX;
    assert_int_equal(ph_ensemble_run(e, 1.0, &o), PH_NO_MEMORY);
    counted_ends c = {0};
    const ph_ensemble_observer ends = {.ended = count_end, .context = &c};
    assert_int_equal(ph_ensemble_run(e, 0.3, &ends), PH_OK); /* not 3 * 0.1 */
    assert_int_equal(c.ended, BODIES);
    assert_int_equal(ph_ensemble_run(fresh, 0.3, NULL), PH_OK);
    for (size_t i = 0; i < BODIES; i++) {
        const ph_state a = ph_system_state(ph_ensemble_system(e, i)),
                       b = ph_system_state(ph_ensemble_system(fresh, i));
        assert_int_equal(ph_ensemble_status(e)[i], PH_OK);
        assert_memory_equal(&a, &b, sizeof a);
    }
    ph_ensemble_destroy(e);
    ph_ensemble_destroy(fresh);
}

static void wrong_times_change_nothing(void **state)
{
    (void)state;
    check_wrong_times("verlet+exact", 0.1, 0.0); /* in groups */
    check_wrong_times("rk4", 0.1, 0.0);          /* one by one */
    check_wrong_times("dop853", 0.0, 1e-9);      /* in lanes */
    check_wrong_times("gbs", 0.0, 1e-9);
    ph_ensemble *e; /* a step found for a tolerance leads to any time, but not to this one */
    const ph_system_settings all = {"heavy_top", .integrator = "verlet+exact", .tolerance = 1e-6};
    assert_int_equal(ph_ensemble_create(&all, NULL, 0, 2, NULL, &e), PH_OK);
    assert_int_equal(ph_ensemble_run(e, 1e300, NULL), PH_BAD_TIME);
    assert_int_equal(ph_ensemble_run(e, 0.123, NULL), PH_OK);
    assert_true(fabs(ph_system_time(ph_ensemble_system(e, 1)) - 0.123) < 1e-15);
    ph_ensemble_destroy(e);
    assert_int_equal(ph_ensemble_create(&all, NULL, 0, 0, NULL, &e), PH_OK);
    assert_int_equal(ph_ensemble_run(e, NAN, NULL), PH_BAD_TIME);
    assert_int_equal(ph_ensemble_run(e, 1.0, NULL), PH_OK);
    ph_ensemble_destroy(e);
}

/* ---- events ---------------------------------------------------------------------------- */

/* With fixed steps the run with events has the bits of one without. The events are those of the
 * same bodies by steps that are chosen. */
static void events_of_fixed_steps(void **state)
{
    (void)state;
    if (is_emulated()) /* minutes; polhode bits has their numbers */
        skip_because("too slow under emulation");
    static const char *const methods[] = {"s6_10+exact", "dop853"};
    double w[BODIES][3], first[2][BODIES];
    uint64_t count[2][BODIES], events = 0;
    const ph_each each = {"velocity", w[0], 3, 3, 1};
    velocities("heavy_top", w);
    for (int k = 0; k < 2; k++) {
        const ph_system_settings all = {"heavy_top", .integrator = methods[k],
                                        .step = k == 0 ? 0.01 : 0.0,
                                        .tolerance = k == 0 ? 0.0 : 1e-12};
        ph_ensemble *e, *plain;
        assert_int_equal(ph_ensemble_create(&all, &each, 1, BODIES, NULL, &e), PH_OK);
        assert_int_equal(ph_ensemble_create(&all, &each, 1, BODIES, NULL, &plain), PH_OK);
        assert_int_equal(ph_ensemble_events(e, 40.0, "w1 > 0", NULL, first[k], count[k], NULL),
                         PH_OK);
        assert_int_equal(ph_ensemble_run(plain, 40.0, NULL), PH_OK);
        for (size_t i = 0; i < BODIES && k == 0; i++) {
            const ph_state a = ph_system_state(ph_ensemble_system(e, i)),
                           b = ph_system_state(ph_ensemble_system(plain, i));
            assert_memory_equal(&a, &b, sizeof a);
            events += count[0][i];
        }
        ph_ensemble_destroy(e);
        ph_ensemble_destroy(plain);
    }
    assert_true(events > 3 * BODIES);
    for (size_t i = 0; i < BODIES; i++) {
        assert_int_equal(count[0][i], count[1][i]);
        assert_true(fabs(first[0][i] - first[1][i]) < 1e-8);
    }
}

/* A body that turns about its axis at the rate w is upside down w T/(2 pi) times. */
static void events_are_counted(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846, end = 20.0;
    double w[BODIES][3] = {{0}}, first[BODIES];
    uint64_t count[BODIES];
    const ph_system_settings all = {"free", .integrator = "dop853", .tolerance = 1e-10};
    const ph_each each = {"velocity", w[0], 3, 3, 1};
    ph_ensemble *e;
    for (size_t i = 0; i < BODIES; i++)
        w[i][0] = 0.1 * (double)i;
    assert_int_equal(ph_ensemble_create(&all, &each, 1, BODIES, NULL, &e), PH_OK);
    ph_expression_error why;
    assert_int_not_equal(ph_ensemble_events(e, end, "R33 <", NULL, first, count, &why), PH_OK);
    assert_int_equal(ph_ensemble_events(e, end, "R33 < 0", NULL, first, count, &why), PH_OK);
    for (size_t i = 0; i < BODIES; i++) {
        const double turns = w[i][0] * end / (2.0 * pi);
        assert_int_equal(count[i], turns < 0.25 ? 0 : (int)floor(turns - 0.25) + 1);
        if (count[i] == 0)
            assert_true(isnan(first[i]));
        else
            assert_true(fabs(first[i] * w[i][0] - 0.5 * pi) < 1e-8);
    }
    ph_ensemble_destroy(e);
}

/* ---- reductions ------------------------------------------------------------------------ */

/* Those of bodies one after the other, in two passes; a body that fails is left out; the same bits
 * by any number of threads. */
static void reductions(void **state)
{
    (void)state;
    if (is_emulated()) /* minutes; polhode bits has their numbers */
        skip_because("too slow under emulation");
    enum { N = 1500, TIMES = 3, COLUMNS = 2, BINS = 5 };
    static const char *const of[COLUMNS] = {"w1", "w2*R33"};
    static const double low[COLUMNS] = {-1e-3, -1e-3}, high[COLUMNS] = {1e-3, 2e-3};
    static double x[N][8], value[TIMES][COLUMNS][N];
    const double times[TIMES] = {0.0, 40.0, 100.0};
    uint64_t bodies[2][TIMES], histogram[2][TIMES][COLUMNS][BINS],
        expected[TIMES][COLUMNS][BINS] = {{{0}}};
    double mean[2][TIMES][COLUMNS], covariance[2][TIMES][COLUMNS][COLUMNS];
    ph_ensemble *e;
    ph_expression_error why;
    size_t wrong = 9;
    draw(x, N);
    for (int turn = 0; turn < 2; turn++) {
        const ph_reduction r = {of,
                                COLUMNS,
                                times,
                                TIMES,
                                bodies[turn],
                                mean[turn][0],
                                covariance[turn][0][0],
                                histogram[turn][0][0],
                                BINS,
                                low,
                                high};
        ph_set_threads(turn == 0 ? 1 : 2);
        assert_int_equal(spacecraft(x, N, 0.1, &e), PH_OK);
        assert_int_equal(ph_ensemble_reduce(e, times[TIMES - 1], &r, NULL, &why, &wrong), PH_OK);
        ph_ensemble_destroy(e);
    }
    ph_set_threads(0);
    assert_memory_equal(mean[0], mean[1], sizeof mean[0]);
    assert_memory_equal(covariance[0], covariance[1], sizeof covariance[0]);
    assert_memory_equal(histogram[0], histogram[1], sizeof histogram[0]);
    for (int part = 0; part < 3; part++) { /* without a mean, and one array alone */
        const ph_reduction r = {of,
                                COLUMNS,
                                times,
                                TIMES,
                                bodies[1],
                                NULL,
                                part == 0 ? covariance[1][0][0] : NULL,
                                part == 1 ? histogram[1][0][0] : NULL,
                                BINS,
                                low,
                                high};
        memset(covariance[1], 0, sizeof covariance[1]);
        memset(histogram[1], 0, sizeof histogram[1]);
        assert_int_equal(spacecraft(x, N, 0.1, &e), PH_OK);
        assert_int_equal(ph_ensemble_reduce(e, times[TIMES - 1], &r, NULL, NULL, NULL), PH_OK);
        ph_ensemble_destroy(e);
        assert_memory_equal(bodies[0], bodies[1], sizeof bodies[0]);
        if (part == 0)
            assert_memory_equal(covariance[0], covariance[1], sizeof covariance[0]);
        if (part == 1)
            assert_memory_equal(histogram[0], histogram[1], sizeof histogram[0]);
    }
    assert_int_equal(spacecraft(x, N, 0.1, &e), PH_OK);
    for (int t = 0; t < TIMES; t++) {
        assert_int_equal(ph_ensemble_run(e, times[t], NULL), PH_OK);
        for (size_t i = 0; i < N; i++) {
            ph_system *s = ph_ensemble_system(e, i);
            const ph_mat3 R = ph_quat_matrix(ph_system_state(s).q);
            const ph_array *w = find_field(s, "velocity");
            value[t][0][i] = *w->data[0];
            value[t][1][i] = *w->data[1] * R.a[2][2];
            for (int k = 0; k < COLUMNS && t == 0; k++) {
                const double place = (value[t][k][i] - low[k]) / (high[k] - low[k]) * BINS;
                expected[t][k][place < 0 ? 0 : place >= BINS ? BINS - 1 : (int)place]++;
            }
        }
    }
    ph_ensemble_destroy(e);
    assert_memory_equal(histogram[0][0], expected[0], sizeof expected[0]);
    for (int t = 0; t < TIMES; t++) {
        double m[COLUMNS] = {0.0};
        assert_int_equal(bodies[0][t], N);
        for (int k = 0; k < COLUMNS; k++) {
            for (size_t i = 0; i < N; i++)
                m[k] += value[t][k][i] / N;
            assert_true(fabs(m[k] - mean[0][t][k]) < 1e-9);
        }
        for (int k = 0; k < COLUMNS * COLUMNS; k++) {
            const int a = k / COLUMNS, b = k % COLUMNS;
            double sum = 0.0;
            for (size_t i = 0; i < N; i++)
                sum += (value[t][a][i] - m[a]) * (value[t][b][i] - m[b]) / (N - 1);
            assert_true(fabs(sum - covariance[0][t][a][b]) < 1e-11);
        }
    }
    /* what is wrong, and a body that fails */
    static const char *const bad[] = {"w1", "w4"};
    const ph_reduction r = {bad, 2, times, TIMES, bodies[0], mean[0][0], NULL, NULL, 0, NULL, NULL};
    assert_int_equal(spacecraft(x, 3, 0.1, &e), PH_OK);
    assert_int_equal(ph_ensemble_reduce(e, 100.0, &r, NULL, &why, &wrong), PH_BAD_EXPRESSION);
    assert_int_equal(wrong, 1);
    ph_ensemble_destroy(e);
}

/* The width of a histogram has to be a positive number, though its ends may have no finite sum. */
static void histogram_widths(void **state)
{
    (void)state;
    static const char *const of[] = {"w1"};
    static const struct {
        double low, high;
        size_t bins;
        ph_status status;
    } all[] = {{0.0, 1.0, 2, PH_OK},
               {1e308, 1.5e308, 2, PH_OK},
               {-1.5e308, -1e308, 2, PH_OK},
               {0.0, 1.0, 1, PH_OK},
               {0.0, 1.0, 0, PH_BAD_PARAMETER},
               {-1e308, 1e308, 2, PH_BAD_PARAMETER},
               {1.0, 1.0, 2, PH_BAD_PARAMETER},
               {1.0, 0.0, 2, PH_BAD_PARAMETER},
               {NAN, 1.0, 2, PH_BAD_PARAMETER},
               {0.0, INFINITY, 2, PH_BAD_PARAMETER}};
    const ph_system_settings one = {"free", .integrator = "exact", .step = 0.1};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        uint64_t bodies, histogram[2] = {0, 0};
        ph_ensemble *e;
        const ph_reduction r = {
            of,   1,         (const double[]){0.0}, 1,           &bodies,     NULL,
            NULL, histogram, all[i].bins,           &all[i].low, &all[i].high};
        assert_int_equal(ph_ensemble_create(&one, NULL, 0, 1, NULL, &e), PH_OK);
        assert_int_equal(ph_ensemble_reduce(e, 0.0, &r, NULL, NULL, NULL), all[i].status);
        assert_int_equal(histogram[0] + histogram[1], all[i].status == PH_OK);
        ph_ensemble_destroy(e);
    }
}

/* ---- steps that others take ------------------------------------------------------------- */

/* Rows that were seen of each body: how often, and at which time. */
typedef struct rows_seen {
    int count;
    double time[2][3];
} rows_seen;

static bool note_row(void *context, size_t body, size_t row, ph_system *s)
{
    rows_seen *seen = context;
    seen->count++;
    seen->time[body][row] = ph_system_time(s);
    return true;
}

/* Takes the steps of one body after the other. */
static ph_status move_each(void *context, double end, const lane_feed *feed,
                           bool (*go_on)(void *feed_context, double part))
{
    (void)context;
    (void)go_on;
    ph_observer o;
    for (ph_system *s; (s = feed->next(feed->context, 0, &o)) != NULL;)
        feed->ended(feed->context, 0, ph_system_run_until(s, end, &o));
    return PH_OK;
}

/* A mover shows each row of each body, the one at the start too. */
static void rows_of_a_mover(void **state)
{
    (void)state;
    enum { N = 2, EACH_ROWS = 3 };
    static const double times[EACH_ROWS] = {0.0, 0.2, 0.5};
    const ph_system_settings one = {"heavy_top", .integrator = "verlet+exact", .step = 0.1};
    const ensemble_mover by = {move_each, NULL, 1};
    rows_seen seen = {0};
    const ph_ensemble_observer o = {
        .observe = note_row, .context = &seen, .times = times, .count = EACH_ROWS};
    ph_ensemble *e;
    assert_int_equal(ph_ensemble_create(&one, NULL, 0, N, NULL, &e), PH_OK);
    assert_int_equal(ph_ensemble_move(e, 0.5, &o, &by), PH_OK);
    assert_int_equal(seen.count, N * EACH_ROWS);
    for (int i = 0; i < N * EACH_ROWS; i++)
        assert_true(seen.time[i / EACH_ROWS][i % EACH_ROWS] == times[i % EACH_ROWS]);
    ph_ensemble_destroy(e);
}

/* Draws have the covariance that is asked for, also one without a direction. */
static void draws(void **state)
{
    (void)state;
    enum { N = 3, SAMPLES = 20000 };
    const double C[N][N] = {{4.0, 2.0, 2.0}, {2.0, 2.0, 1.0}, {2.0, 1.0, 1.0}};
    double sum[N][N] = {{0.0}}, x[N];
    for (uint64_t k = 0; k < SAMPLES; k++) {
        assert_int_equal(ph_draw_normal(C[0], N, 5, k, 0, x), PH_OK);
        assert_true(fabs(x[2] - 0.5 * x[0]) < 1e-12); /* no variance is left */
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++)
                sum[i][j] += x[i] * x[j] / SAMPLES;
        }
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            assert_true(fabs(sum[i][j] - C[i][j]) < 0.15);
    }
    const double indefinite[2][2] = {{1.0, 2.0}, {2.0, 1.0}}, none[1] = {NAN};
    assert_int_equal(ph_draw_normal(indefinite[0], 2, 5, 0, 0, x), PH_BAD_PARAMETER);
    assert_int_equal(ph_draw_normal(none, 1, 5, 0, 0, x), PH_BAD_PARAMETER);
}

/* ---- in the mean ----------------------------------------------------------------------- */

/* A motion that is chaotic: the bodies themselves are lost, their moments are not. The deviation of
 * a mean of N numbers is that of one over sqrt(N); four of it are allowed. */
static void chaotic_moments(void **state)
{
    (void)state;
    enum { N = 600 };
    if (is_emulated())
        skip_because("too slow under emulation");
    const double end = 300000.0;
    static double x[N][8];
    double sum[2][3] = {{0}}, square[2][3] = {{0}}, apart = 0.0;
    static double ends[2][N][3];
    draw(x, N);
    for (size_t i = 0; i < N; i++)
        x[i][6] = x[i][7] = 0.0;
    for (int tight = 0; tight < 2; tight++) {
        for (size_t i = 0; i < N; i++) {
            for (int k = 0; k < 3; k++)
                ends[tight][i][k] = 0.0;
        }
        ph_ensemble *e;
        const size_t count = tight ? N / 3 : N;
        assert_int_equal(spacecraft(x, N, 0.2, &e), PH_OK);
        if (!tight)
            assert_int_equal(ph_ensemble_run(e, end, NULL), PH_OK);
        for (size_t i = 0; i < count; i++) {
            ph_system *s = ph_ensemble_system(e, i);
            if (tight) {
                const ph_setting own[] = {{"velocity", x[i], 3},
                                          {"inertia", x[i] + 3, 3},
                                          {"eccentricity", (const double[]){0.2}, 1},
                                          {"dipole", (const double[]){1.0, -2.0, 0.5}, 3}};
                const ph_system_settings one = {"spacecraft", .integrator = "gbs",
                                                .tolerance = 1e-12, .settings = own,
                                                .setting_count = 4};
                assert_int_equal(ph_system_create(&one, &s), PH_OK);
                assert_int_equal(ph_system_run_until(s, end, NULL), PH_OK);
            }
            const ph_vec3 m = ph_system_state(s).m;
            const double all[3] = {m.x, m.y, m.z};
            for (int k = 0; k < 3; k++) {
                ends[tight][i][k] = all[k];
                sum[tight][k] += all[k] / (double)count;
                square[tight][k] += all[k] * all[k] / (double)count;
            }
            if (tight)
                ph_system_destroy(s);
        }
        ph_ensemble_destroy(e);
    }
    for (size_t i = 0; i < N / 3; i++)
        apart = larger_or_nan(apart, fabs(ends[0][i][0] - ends[1][i][0]));
    for (int k = 0; k < 3; k++) {
        const double variance = square[1][k] - sum[1][k] * sum[1][k],
                     allowed = 4.0 * sqrt(variance / (N / 3.0));
        assert_true(fabs(sum[0][k] - sum[1][k]) < allowed);
        assert_true(fabs(square[0][k] / square[1][k] - 1.0) < 4.0 * sqrt(3.0 / (N / 3.0)));
        assert_true(k > 0 || apart > 0.1 * sqrt(variance)); /* it is chaotic */
    }
}

/* ---- random numbers --------------------------------------------------------------------- */

/* The test vectors of Random123, threefry2x64_R(20). */
static void counter_random_numbers(void **state)
{
    (void)state;
    static const uint64_t vectors[][6] = {
        {0, 0, 0, 0, 0xc2b6e3a8c2c69865, 0x6f81ed42f350084d},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, 0xe02cb7c4d95d277a, 0xd06633d0893b8b68},
        {0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89,
         0x263c7d30bb0f0af1, 0x56be8361d3311526}};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        uint64_t x = vectors[i][0], y = vectors[i][1];
        threefry(vectors[i] + 2, &x, &y);
        assert_int_equal(x, vectors[i][4]);
        assert_int_equal(y, vectors[i][5]);
    }
    double sum[4] = {0};
    const double n = 200000.0;
    for (uint64_t i = 0; i < (uint64_t)n / 2; i++) {
        double z[2];
        normal_pair(7, (const uint64_t[]){i, 1}, z);
        for (int k = 0; k < 2; k++) {
            double power = z[k];
            for (int j = 0; j < 4; j++, power *= z[k])
                sum[j] += power / n;
        }
    }
    assert_true(fabs(sum[0]) < 4.0 / sqrt(n) && fabs(sum[1] - 1.0) < 4.0 * sqrt(2.0 / n));
    assert_true(fabs(sum[2]) < 4.0 * sqrt(15.0 / n));
    assert_true(fabs(sum[3] - 3.0) < 4.0 * sqrt(96.0 / n));
}

/* Those in lanes are those one by one, however many. */
static void normals_in_lanes(void **state)
{
    (void)state;
    enum { MOST = 40 };
    const uint64_t key[2] = {11, 1};
    for (size_t n = 0; n < MOST; n++) {
        uint64_t second[MOST];
        double a[MOST + 1] = {0}, b[MOST + 1] = {0};
        for (size_t i = 0; i < n; i++)
            second[i] = UINT64_C(0x9e3779b97f4a7c15) * (MOST * n + i);
        ph_normals(key, n, second, n, a, b);
        for (size_t i = 0; i < n; i++) {
            double z[2];
            normal_pair_of(key, (const uint64_t[]){n, second[i]}, z);
            assert_memory_equal(&a[i], &z[0], sizeof z[0]);
            assert_memory_equal(&b[i], &z[1], sizeof z[1]);
        }
        assert_true(a[n] == 0.0 && b[n] == 0.0); /* nothing beyond the end */
    }
}

/* ---- callbacks ----------------------------------------------------------------------- */

/* What a callback runs: another ensemble, and a batch. */
typedef struct nested_run {
    ph_ensemble *outer;
    atomic_int wrong, calls;
} nested_run;

static bool run_another(void *context, double done)
{
    (void)done;
    nested_run *n = context;
    const ph_system_settings with = {"heavy_top", .integrator = "vlv", .step = 0.1};
    const ph_ensemble_observer seen = {.go_on = NULL};
    ph_ensemble *e = NULL;
    n->calls++;
    if (ph_ensemble_create(&with, NULL, 0, 5, NULL, &e) != PH_OK ||
        ph_ensemble_run(e, 1.0, &seen) != PH_OK)
        n->wrong++;
    ph_ensemble_destroy(e);
    if (n->outer != NULL && ph_ensemble_run(n->outer, 3.0, NULL) != PH_IN_OBSERVER)
        n->wrong++;
    return true;
}

static void end_another(void *context, size_t body, ph_status status)
{
    (void)body;
    (void)status;
    (void)run_another(context, 0.0);
}

/* Callbacks may run other ensembles; that which calls them is refused. */
static void callbacks_run_others(void **state)
{
    (void)state;
    enum { SECONDS = 100, N = 9 };
    (void)alarm(SECONDS); /* ends the test if it waits for itself */
    const ph_system_settings with = {"heavy_top", .integrator = "vlv", .step = 0.1};
    for (int threads = 1; threads <= 3; threads++) {
        nested_run n = {0};
        const ph_ensemble_observer o = {.go_on = run_another, .ended = end_another, .context = &n};
        ph_set_threads(threads);
        assert_int_equal(PH_OK, ph_ensemble_create(&with, NULL, 0, N, NULL, &n.outer));
        assert_int_equal(PH_OK, ph_ensemble_run(n.outer, 2.0, &o));
        assert_int_equal(PH_OK, ph_ensemble_run(n.outer, 3.0, NULL));
        ph_ensemble_destroy(n.outer);
        assert_int_equal(0, atomic_load(&n.wrong));
        assert_true(atomic_load(&n.calls) > N);

        double q[4][N] = {{0}}, m[3][N], J[3][N];
        for (int i = 0; i < N; i++) {
            q[0][i] = 1.0;
            for (int k = 0; k < 3; k++) {
                m[k][i] = 1.0 + i;
                J[k][i] = 1.0 + 0.1 * k;
            }
        }
        const ph_batch b = {N, {q[0], q[1], q[2], q[3]}, {m[0], m[1], m[2]}, {J[0], J[1], J[2]}};
        ph_integrator by;
        nested_run of_batch = {0};
        assert_int_equal(PH_OK, ph_integrator_named("mr", &by));
        assert_int_equal(PH_OK, ph_batch_run(&by, &b, 0.1, 3, run_another, &of_batch).status);
        assert_int_equal(0, atomic_load(&of_batch.wrong));
        assert_int_equal(3, atomic_load(&of_batch.calls));
    }
    (void)alarm(0);
    ph_set_threads(0);
}

/* The start of an observable is that of the first run, whether or not it is watched. */
static void observables_have_their_start(void **state)
{
    (void)state;
    static const struct {
        const char *problem, *method;
        double step, tolerance;
    } runs[] = {{"heavy_top", "s6_10+exact", 0.1, 0.0},
                {"heavy_top", "gbs", 0.0, 1e-9},
                {"spacecraft", "dop853", 0.0, 1e-9},
                {"well", "vlv", 0.1, 0.0}};
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        const ph_system_settings with = {runs[i].problem, .integrator = runs[i].method,
                                         .step = runs[i].step, .tolerance = runs[i].tolerance};
        ph_system *one = NULL;
        ph_ensemble *many = NULL;
        size_t count;
        assert_int_equal(PH_OK, ph_system_create(&with, &one));
        assert_int_equal(PH_OK, ph_ensemble_create(&with, NULL, 0, 5, NULL, &many));
        ph_system_watch(one, true);
        const double energy = ph_system_energy(one);
        assert_int_equal(PH_OK, ph_system_run_until(one, 2.0, NULL));
        assert_int_equal(PH_OK, ph_ensemble_run(many, 1.0, NULL));
        assert_int_equal(PH_OK, ph_ensemble_run(many, 2.0, NULL));
        const ph_observable *right = ph_system_observables(one, &count);
        assert_true(right[0].start[0] == energy);
        for (size_t body = 0; body < 5; body++) {
            const ph_observable *o = ph_system_observables(ph_ensemble_system(many, body), &count);
            for (size_t k = 0; k < count; k++)
                assert_memory_equal(o[k].start, right[k].start, sizeof o[k].start);
        }
        /* a snapshot has it */
        ph_system *body = ph_ensemble_system(many, 3), *again = NULL;
        const size_t size = ph_system_save(body, NULL, 0);
        unsigned char *bytes = calloc(size, 1);
        assert_int_equal(size, ph_system_save(body, bytes, size));
        assert_int_equal(PH_OK, ph_system_from_snapshot(bytes, size, &again));
        assert_int_equal(PH_OK, ph_system_run_until(again, 3.0, NULL));
        assert_true(ph_system_observables(again, &count)[0].start[0] == energy);
        free(bytes);
        ph_system_destroy(again);
        ph_system_destroy(one);
        ph_ensemble_destroy(many);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_of_single_runs),
        cmocka_unit_test(bits_of_expressions),
        cmocka_unit_test(order_and_threads),
        cmocka_unit_test(one_body_fails),
        cmocka_unit_test(wrong_bodies_are_named),
        cmocka_unit_test(events_are_counted),
        cmocka_unit_test(events_of_fixed_steps),
        cmocka_unit_test(wrong_times_change_nothing),
        cmocka_unit_test(refuses_doubled_names),
        cmocka_unit_test(thermostats_are_refused),
        cmocka_unit_test(impossible_sizes),
        cmocka_unit_test(warnings_come_once),
        cmocka_unit_test(reductions),
        cmocka_unit_test(histogram_widths),
        cmocka_unit_test(rows_of_a_mover),
        cmocka_unit_test(draws),
        cmocka_unit_test(chaotic_moments),
        cmocka_unit_test(callbacks_run_others),
        cmocka_unit_test(observables_have_their_start),
        cmocka_unit_test(counter_random_numbers),
        cmocka_unit_test(normals_in_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
