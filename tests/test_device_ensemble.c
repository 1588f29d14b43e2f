/* test_device_ensemble.c - ensembles on a device: each body has the bits of the CPU, in every problem
 * of one body, given by moments or by a tensor, and in expressions; a body that fails; a stop. Skipped
 * where there is no device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motion/vec.h"
#include "polhode/device.h"
#include "polhode/expression.h"
#include "support/skip.h"
#include "system/find.h"

enum { BODIES = 37, ROWS = 5, NUMBERS = 8 };

typedef double body_rows[BODIES][ROWS][NUMBERS];

static ph_device *device;

static bool keep_row(void *context, size_t body, size_t row, ph_system *s)
{
    body_rows *rows = context;
    const ph_state now = ph_system_state(s);
    const double all[NUMBERS] = {ph_system_time(s), now.q.w, now.q.x, now.q.y,
                                 now.q.z,           now.m.x, now.m.y, now.m.z};
    memcpy((*rows)[body][row], all, sizeof all);
    return true;
}

/* What a test runs twice. */
typedef struct two_runs {
    ph_system_settings all;
    ph_each each[3];
    size_t each_count;
    double end;
} two_runs;

/* Runs bodies on the CPU and on the device, twice as far in two parts, and compares. */
static void compare(const two_runs *t)
{
    static body_rows here, there;
    double times[ROWS] = {0.0, 0.31 * t->end, 0.35 * t->end, 0.5 * t->end, t->end};
    ph_ensemble *e[2];
    for (int k = 0; k < 2; k++) {
        const ph_ensemble_observer o = {
            .observe = keep_row, .context = k == 0 ? &here : &there, .times = times, .count = ROWS};
        ph_status status = ph_ensemble_create(&t->all, t->each, t->each_count, BODIES, NULL, &e[k]);
        assert_int_equal(status, PH_OK);
        memset(o.context, 0, sizeof here);
        const ph_status takes = ph_device_takes(ph_ensemble_system(e[k], 0));
        if (takes != PH_OK)
            fail_msg("%s by %s is not taken", t->all.problem, t->all.integrator);
        for (int part = 1; part <= 2; part++) {
            const ph_ensemble_observer *seen = part == 1 ? &o : NULL;
            status = k == 0 ? ph_ensemble_run(e[k], part * t->end, seen)
                            : ph_device_run_ensemble(device, e[k], part * t->end, seen);
            if (status == PH_DEVICE_BUILD || status == PH_DEVICE_FAILED)
                fail_msg("%s by %s: %s", t->all.problem, t->all.integrator, ph_device_log(device));
        }
    }
    for (size_t i = 0; i < BODIES; i++) {
        const ph_system *a = ph_ensemble_system(e[0], i), *b = ph_ensemble_system(e[1], i);
        const ph_state s = ph_system_state(a), same = ph_system_state(b);
        assert_int_equal(ph_ensemble_status(e[0])[i], ph_ensemble_status(e[1])[i]);
        assert_int_equal(ph_system_steps(a), ph_system_steps(b));
        if (memcmp(here[i], there[i], sizeof here[i]) != 0 || memcmp(&s, &same, sizeof s) != 0)
            fail_msg("%s by %s: body %zu has other bits", t->all.problem, t->all.integrator, i);
    }
    ph_ensemble_destroy(e[0]);
    ph_ensemble_destroy(e[1]);
}

/* Velocities about that of a problem, and bodies about its own: their moments, or the tensor. */
typedef struct drawn {
    double velocity[BODIES][3], inertia[BODIES][3], tensor[BODIES][6], speed;
} drawn;

static void draw_bodies(const char *problem, drawn *d)
{
    ph_system *s;
    assert_int_equal(system_by_names(&s, problem, NULL, 1.0), PH_OK);
    const ph_array *w = find_field(s, "velocity"), *J = find_field(s, "moments");
    d->speed = hypot(hypot(*w->data[0], *w->data[1]), *w->data[2]);
    for (size_t i = 0; i < BODIES; i++) {
        const ph_mat3 A = ph_quat_matrix(ph_rotation_exp(vec3(0.1 * (double)i, 0.2, -0.3)));
        for (int k = 0; k < 3; k++) {
            d->velocity[i][k] =
                *w->data[k] * (1.0 + 0.01 * (double)i) + 1e-5 * (double)(i * (i + 3) % 7);
            d->inertia[i][k] = *J->data[k] * (1.0 + 0.001 * (double)i);
        }
        static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
        for (int k = 0; k < 6; k++) {
            d->tensor[i][k] = 0.0;
            for (int n = 0; n < 3; n++)
                d->tensor[i][k] += A.a[at[k][0]][n] * d->inertia[i][n] * A.a[at[k][1]][n];
        }
    }
    ph_system_destroy(s);
}

/* Every problem of one body by dop853, some by a scheme: programs take long to compile. */
static void test_catalog(void **state)
{
    (void)state;
    static drawn d;
    ph_problem_facts p;
    int count = 0;
    for (size_t i = 0; ph_problem_at(i, &p); i++) {
        if (strcmp(p.kind, "body") != 0)
            continue;
        draw_bodies(p.name, &d);
        const double h = 0.05 / d.speed;
        two_runs t = {{p.name, .integrator = "dop853", .tolerance = 1e-7},
                      {{"velocity", d.velocity[0], 3, 3, 1}, {"tensor", d.tensor[0], 6, 6, 1}},
                      i % 2 == 0 ? 1 : 2,
                      100.0 * h};
        compare(&t);
        t.all = (ph_system_settings){p.name, .integrator = "verlet+exact", .step = h};
        t.end = 20.0 * h;
        if (count % 4 == 2 && ph_integrator_suits(t.all.integrator, p.name) == PH_OK)
            compare(&t);
        count++;
    }
    assert_true(count > 8);
}

/* Bodies with wheels, damping and all else, with parameters of their own; and by a scheme with the
 * derivative of the torque. */
static void test_parameters(void **state)
{
    (void)state;
    static drawn d;
    double damping[BODIES];
    const double wheels[] = {0.01, -0.02, 0.03}, e[] = {0.3}, back = -3000.0;
    const ph_setting same[] = {{"eccentricity", e, 1}, {"wheels", wheels, 3}};
    draw_bodies("spacecraft", &d);
    for (size_t i = 0; i < BODIES; i++)
        damping[i] = i % 3 == 0 ? 0.0 : 1e-4 * (double)i;
    two_runs t = {{"spacecraft", .integrator = "dop853", .tolerance = 1e-9, .settings = same,
                   .setting_count = 2},
                  {{"velocity", d.velocity[0], 3, 3, 1},
                   {"damping", damping, 1, 1, 1},
                   {"inertia", d.inertia[0], 3, 3, 1}},
                  3,
                  20000.0};
    compare(&t);
    t.each[2] = (ph_each){"tensor", d.tensor[0], 6, 6, 1};
    compare(&t);
    t.end = back; /* in time */
    compare(&t);
    draw_bodies("heavy_top", &d);
    t = (two_runs){{"heavy_top", .integrator = "nystrom4+exact", .step = 0.01},
                   {{"velocity", d.velocity[0], 3, 3, 1}, {"tensor", d.tensor[0], 6, 6, 1}},
                   2,
                   0.2};
    compare(&t);
}

static void test_expressions(void **state)
{
    (void)state;
    static drawn d;
    static const ph_parameter parameters[] = {{"k", 0, 1, "1", "", PH_RANGE_ANY},
                                              {"b", 1, 2, "1", "", PH_RANGE_ANY}};
    const double value[] = {0.7, 0.01, 0.02};
    const ph_expressions of[] = {
        {.potential = "k*R33 + 0.1*sin(R11 + b1) + exp(-R22^2)/(2 + cos(t))",
         .parameters = parameters,
         .parameter_count = 2,
         .value = value},
        {.potential = "k*R33^3",
         .torque = {"-b1*w1*abs(w1)", "-b2*w2 + tanh(m1)*1e-3", "(1 - exp(-t))*b1"},
         .parameters = parameters,
         .parameter_count = 2,
         .value = value}};
    double k[BODIES];
    draw_bodies("free", &d);
    for (size_t i = 0; i < BODIES; i++)
        k[i] = 0.5 + 0.01 * (double)i;
    for (int i = 0; i < 2; i++) {
        ph_problem p;
        assert_int_equal(ph_problem_from_expressions(&of[i], &p, NULL), PH_OK);
        two_runs t = {{.own_problem = &p, .integrator = "dop853", .tolerance = 1e-8},
                      {{"velocity", d.velocity[0], 3, 3, 1},
                       {"k", k, 1, 1, 1},
                       {"tensor", d.tensor[0], 6, 6, 1}},
                      i == 0 ? 2 : 3,
                      12.0};
        compare(&t);
        t.all =
            (ph_system_settings){.own_problem = &p, .integrator = "nystrom4+exact", .step = 0.05};
        t.end = 1.0;
        if (i == 0)
            compare(&t);
        ph_problem_release(&p);
    }
}

/* A device takes no dop853 of a torque that has a kink in time: a step ends there. */
static void test_kinks(void **state)
{
    (void)state;
    const ph_expressions of = {.torque = {"min(t, 1)", "0", "0"}};
    ph_problem p;
    ph_system *s;
    assert_int_equal(ph_problem_from_expressions(&of, &p, NULL), PH_OK);
    const ph_system_settings with = {.own_problem = &p, .integrator = "dop853", .tolerance = 1e-8};
    assert_int_equal(ph_system_create(&with, &s), PH_OK);
    assert_int_equal(ph_device_takes(s), PH_NOT_APPLICABLE);
    ph_system_destroy(s);
    ph_problem_release(&p);
}

/* ---- what fails -------------------------------------------------------------------------- */

static bool stop(void *context, double done)
{
    int *left = context;
    (void)done;
    return --*left > 0;
}

static void test_failures(void **state)
{
    (void)state;
    static drawn d;
    static const ph_parameter parameter = {"last", 0, 1, "1", "", PH_RANGE_ANY};
    const double value = 100.0;
    const ph_expressions of = {.torque = {"sqrt(last - t)", "0.1", "0"},
                               .parameters = &parameter,
                               .parameter_count = 1,
                               .value = &value};
    static const char *const methods[] = {"dop853", "verlet+exact"};
    double last[BODIES];
    ph_problem p;
    draw_bodies("free", &d);
    for (size_t i = 0; i < BODIES; i++)
        last[i] = i == 5 ? 3.0 : value;
    assert_int_equal(ph_problem_from_expressions(&of, &p, NULL), PH_OK);
    for (int k = 0; k < 2; k++) {
        const two_runs t = {{.own_problem = &p, .integrator = methods[k], .step = 0.125},
                            {{"velocity", d.velocity[0], 3, 3, 1}, {"last", last, 1, 1, 1}},
                            2,
                            8.0};
        compare(&t);
        ph_ensemble *e;
        int calls = 40;
        const ph_ensemble_observer o = {.go_on = stop, .context = &calls};
        assert_int_equal(ph_ensemble_create(&t.all, t.each, 1, BODIES, NULL, &e), PH_OK);
        assert_int_equal(ph_device_run_ensemble(device, e, 8.0, &o), PH_OK);
        assert_true(ph_system_time(ph_ensemble_system(e, 1)) < 8.0);
        assert_int_equal(ph_device_run_ensemble(device, e, 8.0, NULL), PH_OK);
        assert_true(ph_system_time(ph_ensemble_system(e, 1)) == 8.0);
        assert_int_equal(ph_device_run_ensemble(device, NULL, 8.0, NULL), PH_NULL_ARGUMENT);
        ph_ensemble_destroy(e);
    }
    static const char *const others[] = {"gbs", "gauss16", "imr", "exact"};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        ph_system *s;
        if (system_by_names(&s, k < 3 ? "heavy_top" : "free", others[k], 0.1) != PH_OK)
            continue;
        assert_int_equal(ph_device_takes(s), PH_NOT_APPLICABLE);
        ph_system_destroy(s);
    }
    ph_problem_release(&p);
}

int main(void)
{
    const ph_status opened = ph_device_create("any", &device);
    if (opened == PH_NO_DEVICE)
        return skip_all("a driver of OpenCL is not installed");
    if (opened != PH_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_catalog), cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_expressions), cmocka_unit_test(test_kinks),
        cmocka_unit_test(test_failures)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ph_device_destroy(device);
    return failed;
}
