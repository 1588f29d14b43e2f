/* test_arguments.c - what no function can do: pointers that are missing, numbers that are not
 * finite. An error is returned, and what there was is left alone. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/array.h"
#include "integrators/adaptive_run.h"
#include "integrators/expression/compiled.h"
#include "kinds/molecules/molecule_bodies.h"
#include "kinds/spheres/stepping.h"
#include "lab/measure/properties.h"
#include "polhode/device.h"
#include "polhode/ensemble.h"
#include "polhode/expression.h"
#include "polhode/system.h"
#include "support/stepping.h"
#include "system/find.h"
#include "system/run_body.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const ph_body BODY = PH_MOMENTS(1, 2, 3);
static const ph_state START = {{1, 0, 0, 0}, {0.1, 1, 0.2}};
static const double NOT_FINITE[] = {NAN, INFINITY, -INFINITY};

#define IS_NULL(call)  assert_int_equal(PH_NULL_ARGUMENT, call)
#define BAD_STEP(call) assert_int_equal(PH_BAD_STEP, call)
#define BAD_TIME(call) assert_int_equal(PH_BAD_TIME, call)

static void test_bodies(void **state)
{
    (void)state;
    const ph_flow *exact = find_flow("exact");
    const ph_problem *p = find_problem("heavy_top");
    const ph_integrator i = integrator_of("s6_10+exact"), none = {0};
    ph_state s = START;
    ph_quat q = {1, 0, 0, 0};
    IS_NULL(ph_body_from_moments(NULL, BODY.J));
    IS_NULL(ph_body_from_tensor(NULL, (ph_mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}));
    IS_NULL(ph_flow_step(NULL, &BODY, &s, 0.1));
    IS_NULL(ph_flow_step(exact, NULL, &s, 0.1));
    IS_NULL(ph_flow_step(exact, &BODY, NULL, 0.1));
    IS_NULL(ph_flow_turn(NULL, BODY.J, &q, START.m, 0.1, NULL));
    IS_NULL(ph_flow_turn(exact, BODY.J, NULL, START.m, 0.1, NULL));
    IS_NULL(ph_integrator_applies(NULL, p));
    IS_NULL(ph_integrator_applies(&i, NULL));
    IS_NULL(ph_integrator_step(NULL, p, &s, 0.0, 0.1));
    IS_NULL(ph_integrator_step(&i, NULL, &s, 0.0, 0.1));
    IS_NULL(ph_integrator_step(&i, p, NULL, 0.0, 0.1));
    assert_int_equal(PH_NOT_APPLICABLE, ph_integrator_step(&none, p, &s, 0.0, 0.1));
    BAD_TIME(ph_integrator_step(&i, p, &s, 1e308, 1e308));
    for (size_t k = 0; k < COUNT(NOT_FINITE); k++) {
        BAD_STEP(ph_flow_step(exact, &BODY, &s, NOT_FINITE[k]));
        BAD_STEP(ph_integrator_step(&i, p, &s, 0.0, NOT_FINITE[k]));
        BAD_TIME(ph_integrator_step(&i, p, &s, NOT_FINITE[k], 0.1));
    }
    assert_memory_equal(&s, &START, sizeof s);
}

static void test_batches(void **state)
{
    (void)state;
    enum { BODIES = 3, ARRAYS = 10 };
    double x[ARRAYS][BODIES] = {{1, 1, 1}}, h[BODIES] = {0.1, 0.1, 0.1};
    for (int k = 7; k < ARRAYS; k++)
        x[k][0] = x[k][1] = x[k][2] = k;
    const ph_batch b = {BODIES, {x[0], x[1], x[2], x[3]}, {x[4], x[5], x[6]}, {x[7], x[8], x[9]}},
                   none = {0};
    const ph_flow *exact = find_flow("exact");
    const ph_integrator i = {.flow = exact};
    const ph_batch_strided strided = {.n = 0};
    IS_NULL(ph_batch_step(NULL, &b, 0.1, NULL));
    IS_NULL(ph_batch_step(exact, NULL, 0.1, NULL));
    IS_NULL(ph_batch_step_each(NULL, &b, h, NULL));
    IS_NULL(ph_batch_step_each(exact, NULL, h, NULL));
    IS_NULL(ph_batch_step_each(exact, &b, NULL, NULL));
    IS_NULL(ph_batch_strided_step(NULL, &strided, 0.1, NULL));
    IS_NULL(ph_batch_strided_step(exact, NULL, 0.1, NULL));
    IS_NULL(ph_batch_run(NULL, &b, 0.1, 1, NULL, NULL).status);
    IS_NULL(ph_batch_run(&i, NULL, 0.1, 1, NULL, NULL).status);
    assert_int_equal(PH_OK, ph_batch_step(exact, &none, 0.1, NULL));
    for (int k = 0; k < ARRAYS; k++) {
        ph_batch part = b;
        *(k < 4 ? &part.q[k] : k < 7 ? &part.m[k - 4] : (double **)&part.J[k - 7]) = NULL;
        IS_NULL(ph_batch_step(exact, &part, 0.1, NULL));
        IS_NULL(ph_batch_step_each(exact, &part, h, NULL));
        IS_NULL(ph_batch_run(&i, &part, 0.1, 1, NULL, NULL).status);
    }
    for (size_t k = 0; k < COUNT(NOT_FINITE); k++) {
        BAD_STEP(ph_batch_step(exact, &b, NOT_FINITE[k], NULL));
        BAD_STEP(ph_batch_run(&i, &b, NOT_FINITE[k], 1, NULL, NULL).status);
    }
    assert_int_equal(PH_OK, ph_batch_run(&i, &b, 0.1, 2, NULL, NULL).status);
}

static bool go_on(void *context, ph_system *s)
{
    (void)context;
    (void)s;
    return true;
}

static double never(void *context, ph_system *s)
{
    (void)context;
    (void)s;
    return -1.0;
}

static void check_system(ph_system *s)
{
    static const double nan_time[] = {NAN}, late[] = {INFINITY};
    const ph_observer blind = {NULL, NULL, 1, NULL, 0}, none = {go_on, NULL, 0, NULL, 1},
                      nan = {go_on, NULL, 0, nan_time, 1}, inf = {go_on, NULL, 0, late, 1};
    ph_event event = {.value = never}, no_value = {.value = NULL};
    const size_t size = ph_system_save(s, NULL, 0);
    void *before = malloc(size), *after = malloc(size);
    assert_true(before != NULL && after != NULL);
    (void)ph_system_save(s, before, size);
    IS_NULL(ph_system_run(s, 1, &blind));
    IS_NULL(ph_system_run(s, 1, &none));
    BAD_TIME(ph_system_run(s, 1, &nan));
    IS_NULL(ph_system_run_event(s, 1.0, NULL, NULL));
    IS_NULL(ph_system_run_event(s, 1.0, NULL, &no_value));
    IS_NULL(ph_system_observe_at(s, 0.1, NULL, NULL));
    IS_NULL(ph_system_restore(s, NULL, size));
    assert_int_equal(PH_BAD_SNAPSHOT, ph_system_restore(s, before, 3));
    for (size_t k = 0; k < COUNT(NOT_FINITE); k++) {
        BAD_TIME(ph_system_run_until(s, NOT_FINITE[k], NULL));
        BAD_TIME(ph_system_run_event(s, NOT_FINITE[k], NULL, &event));
        BAD_TIME(ph_system_observe_at(s, NOT_FINITE[k], go_on, NULL));
        BAD_STEP(ph_system_set_step(s, NOT_FINITE[k]));
    }
    assert_int_equal(size, ph_system_save(s, after, size));
    assert_memory_equal(before, after, size);
    assert_int_equal(PH_OK, ph_system_run(s, 1, &inf));
    free(before);
    free(after);
}

static void test_systems(void **state)
{
    (void)state;
    static const char *const made[][2] = {{"heavy_top", "s6_10+exact"},
                                          {"heavy_top", "gbs"},
                                          {"free", "exact"},
                                          {"pendulum", "eln"},
                                          {"dipolar_spheres", "verlet+exact"}};
    ph_system *s = NULL;
    for (size_t k = 0; k < COUNT(made); k++) {
        IS_NULL(system_by_names(NULL, made[k][0], made[k][1], 0.01));
        IS_NULL(system_by_names(&s, NULL, made[k][1], 0.01));
        for (size_t n = 0; n < COUNT(NOT_FINITE); n++)
            BAD_STEP(system_by_names(&s, made[k][0], made[k][1], NOT_FINITE[n]));
        assert_null(s);
        assert_int_equal(PH_OK, system_by_names(&s, made[k][0], made[k][1], 0.001));
        check_system(s);
        ph_system_destroy(s);
        s = NULL;
    }
    const ph_problem *p = find_problem("heavy_top");
    const ph_integrator i = integrator_of("vlv");
    ph_event event = {.value = never};
    IS_NULL(ph_system_from_problem(p, &i, NULL, 0.1, 0, NULL));
    IS_NULL(ph_system_from_problem(NULL, &i, NULL, 0.1, 0, &s));
    IS_NULL(ph_system_from_problem(p, NULL, NULL, 0.1, 0, &s));
    IS_NULL(ph_system_run(NULL, 1, NULL));
    IS_NULL(ph_system_run_until(NULL, 1.0, NULL));
    IS_NULL(ph_system_run_event(NULL, 1.0, NULL, &event));
    IS_NULL(ph_system_observe_at(NULL, 1.0, go_on, NULL));
    IS_NULL(ph_system_changed(NULL));
    IS_NULL(ph_system_set_step(NULL, 0.1));
    IS_NULL(ph_system_restore(NULL, "", 1));
    IS_NULL(ph_system_from_snapshot("", 1, NULL));
    IS_NULL(ph_system_from_snapshot(NULL, 1, &s));
    IS_NULL(ph_system_from_snapshot_of(p, NULL, 100, &s));
    size_t length;
    assert_null(ph_snapshot_note(NULL, 100, &length));
    assert_null(s);
}

/* The time ends where doubles do, by steps of any kind. */
static void test_end_of_time(void **state)
{
    (void)state;
    static const char *const made[][2] = {{"free", "exact"}, {"free", "mr"}, {"pendulum", "eln"}};
    for (size_t k = 0; k < COUNT(made); k++) {
        ph_system *s;
        assert_int_equal(PH_OK, system_by_names(&s, made[k][0], made[k][1], 1e308));
        const ph_status status = ph_system_run(s, 5, NULL);
        assert_true(status != PH_OK && isfinite(ph_system_time(s)));
        const double t = ph_system_time(s);
        BAD_TIME(ph_system_observe_at(s, t > 0.0 ? -1.7e308 : NAN, go_on, NULL));
        assert_true(ph_system_time(s) == t && isfinite(ph_system_energy(s)));
        ph_system_destroy(s);
    }
}

static void test_adaptive(void **state)
{
    (void)state;
    const ph_problem *p = find_problem("heavy_top");
    size_t count;
    const ph_adaptive *method = ph_adaptives(&count)[0];
    ph_adaptive_run r;
    ph_state s;
    IS_NULL(ph_adaptive_prepare(NULL, method, p, NULL, 0.0, 1e-6));
    IS_NULL(ph_adaptive_prepare(&r, NULL, p, NULL, 0.0, 1e-6));
    IS_NULL(ph_adaptive_prepare(&r, method, NULL, NULL, 0.0, 1e-6));
    IS_NULL(ph_adaptive_step(NULL, 1.0));
    IS_NULL(ph_adaptive_advance(NULL, 1.0));
    IS_NULL(ph_adaptive_at(NULL, 1.0, &s));
    assert_int_equal(PH_OK, ph_adaptive_prepare(&r, method, p, NULL, 0.0, 1e-6));
    IS_NULL(ph_adaptive_at(&r, 0.0, NULL));
}

static void test_others(void **state)
{
    (void)state;
    const ph_spheres_problem *pendulum;
    const ph_molecules_problem *dipoles;
    ph_integrator eln;
    const ph_integrator verlet = integrator_of("verlet+exact");
    ph_spheres *spheres;
    ph_molecules *m;
    ph_vec3 q[2] = {{1, 0, 0}}, w[2] = {{0, 0, 0}};
    assert_int_equal(PH_OK, ph_spheres_problem_named("pendulum", &pendulum));
    assert_int_equal(PH_OK, ph_spheres_integrator_named("eln", &eln));
    assert_int_equal(PH_OK, ph_molecules_problem_named("dipolar_spheres", &dipoles));
    IS_NULL(ph_spheres_create(pendulum, &eln, NULL));
    IS_NULL(ph_spheres_create(NULL, &eln, &spheres));
    IS_NULL(ph_spheres_step(NULL, q, w, 0.1));
    IS_NULL(ph_spheres_accelerations(NULL, q, w, w));
    IS_NULL(ph_spheres_project(1, NULL, w, NULL));
    IS_NULL(ph_spheres_project(1, q, NULL, NULL));
    assert_int_equal(PH_BAD_PARAMETER, ph_spheres_project(-1, q, w, NULL));
    IS_NULL(ph_molecules_from_problem(dipoles, NULL));
    IS_NULL(ph_molecules_from_problem(NULL, &m));
    IS_NULL(ph_molecules_prepare(NULL, NULL));
    IS_NULL(ph_molecules_step(NULL, &verlet, 0.1));
    assert_null(ph_molecules_create(SIZE_MAX / 4));
    assert_null(ph_molecules_lattice(SIZE_MAX / 4, 1.0, 0.0, 0));
}

static void test_measures(void **state)
{
    (void)state;
    const ph_problem *p = find_problem("heavy_top");
    const ph_integrator i = integrator_of("vlv");
    double x, three[PH_TRUNCATIONS];
    ph_state s = START;
    ph_structure_defects d;
    ph_invariant_errors e;
    ph_trend t;
    ph_lyapunov l;
    ph_modified_measurement sheet;
    IS_NULL(ph_reference_solution(p, 1.0, NULL));
    IS_NULL(ph_reference_solution(NULL, 1.0, &s));
    IS_NULL(ph_error_after(&i, p, 1.0, 4, NULL));
    IS_NULL(ph_error_after(NULL, p, 1.0, 4, &x));
    IS_NULL(ph_error_after(&i, NULL, 1.0, 4, &x));
    IS_NULL(ph_order_slope(&i, p, 1.0, NULL, NULL));
    IS_NULL(ph_order_slope(NULL, p, 1.0, &x, NULL));
    IS_NULL(ph_order_slope(&i, NULL, 1.0, &x, NULL));
    IS_NULL(ph_symmetry_defect(&i, p, &s, 0.1, NULL));
    IS_NULL(ph_symmetry_defect(&i, p, NULL, 0.1, &x));
    IS_NULL(ph_reversal_defect(NULL, p, &s, 0.1, &x));
    IS_NULL(ph_measure_structure(&i, NULL, &s, 0.1, &d));
    IS_NULL(ph_measure_invariants(&i, NULL, 0.1, 1, &e));
    IS_NULL(ph_energy_trend(NULL, p, 0.1, 1, &t));
    IS_NULL(ph_system_lyapunov(NULL, NULL, 1000, &l));
    IS_NULL(ph_measure_lyapunov(&i, NULL, 0.1, 1000, &l));
    IS_NULL(ph_modified_energies(&i, p, NULL, 0.1, three));
    IS_NULL(ph_measure_modified(&i, NULL));
    IS_NULL(ph_measure_modified(NULL, &sheet));
    assert_int_equal(PH_TOO_FEW_STEPS, ph_error_after(&i, p, 1.0, 0, &x));
    BAD_TIME(ph_reference_solution(p, 1e300, &s));
    for (size_t k = 0; k < COUNT(NOT_FINITE); k++) {
        BAD_TIME(ph_reference_solution(p, NOT_FINITE[k], &s));
        BAD_TIME(ph_order_slope(&i, p, NOT_FINITE[k], &x, NULL));
        BAD_STEP(ph_symmetry_defect(&i, p, &s, NOT_FINITE[k], &x));
        BAD_STEP(ph_measure_invariants(&i, p, NOT_FINITE[k], 1, &e));
        BAD_STEP(ph_energy_trend(&i, p, NOT_FINITE[k], 1, &t));
        BAD_STEP(ph_measure_lyapunov(&i, p, NOT_FINITE[k], 1000, &l));
    }
    ph_system *body, *spheres; /* the twin is another */
    assert_int_equal(PH_OK, system_by_names(&body, "heavy_top", "vlv", 0.1));
    assert_int_equal(PH_OK, system_by_names(&spheres, "chain", "eln", 0.1));
    assert_int_equal(PH_NOT_APPLICABLE, ph_system_lyapunov(body, spheres, 1000, &l));
    ph_system_destroy(body);
    ph_system_destroy(spheres);
}

/* Parameters of expressions that are not there, or lie before their values. */
static void test_expressions(void **state)
{
    (void)state;
    const double values[] = {1.0, 2.0};
    const ph_parameter good = {.name = "k", .first = 0, .count = 2};
    ph_parameter wrong[] = {good, good, good, good};
    wrong[0].first = -1;
    wrong[1].count = -1;
    wrong[2].count = 0;
    wrong[3].name = NULL;
    ph_expression *e = NULL;
    ph_problem p;
    for (size_t k = 0; k < COUNT(wrong); k++) {
        const ph_expressions from = {
            .potential = "k1*R33", .parameters = &wrong[k], .parameter_count = 1, .value = values};
        assert_int_equal(PH_BAD_EXPRESSION, ph_problem_from_expressions(&from, &p, NULL));
        assert_int_not_equal(
            PH_OK, ph_expression_create("k1*R33", PH_EXPRESSION_POTENTIAL, &wrong[k], 1, &e, NULL));
    }
    ph_expressions from = {
        .potential = "k1*R33", .parameters = &good, .parameter_count = 1, .value = values};
    IS_NULL(ph_problem_from_expressions(&from, NULL, NULL));
    IS_NULL(ph_problem_from_expressions(NULL, &p, NULL));
    ph_surroundings seen;
    const ph_instant instant = {.t = 0.0};
    IS_NULL(ph_problem_surroundings(NULL, &instant, &seen));
    IS_NULL(ph_problem_surroundings(find_problem("spacecraft"), NULL, &seen));
    IS_NULL(ph_problem_surroundings(find_problem("spacecraft"), &instant, NULL));
    from.value = NULL;
    assert_int_equal(PH_BAD_EXPRESSION, ph_problem_from_expressions(&from, &p, NULL));
    from.value = values;
    from.parameters = NULL;
    assert_int_equal(PH_BAD_EXPRESSION, ph_problem_from_expressions(&from, &p, NULL));
    from.parameters = &good;
    from.parameter_count = -1;
    assert_int_equal(PH_BAD_EXPRESSION, ph_problem_from_expressions(&from, &p, NULL));
    from.parameter_count = 1;
    for (int missing = 0; missing < 3; missing++) {
        for (int k = 0; k < 3; k++)
            from.torque[k] = k == missing ? NULL : "t";
        assert_int_equal(PH_BAD_EXPRESSION, ph_problem_from_expressions(&from, &p, NULL));
    }
    IS_NULL(ph_expression_create("t", PH_EXPRESSION_POTENTIAL, NULL, 0, NULL, NULL));
    IS_NULL(ph_expression_create(NULL, PH_EXPRESSION_POTENTIAL, NULL, 0, &e, NULL));
    IS_NULL(ph_expression_create("t", PH_EXPRESSION_POTENTIAL, NULL, 1, &e, NULL));
    assert_int_equal(PH_BAD_PARAMETER,
                     ph_expression_create("t", PH_EXPRESSION_POTENTIAL, &good, -1, &e, NULL));
    assert_null(e);
}

static void test_devices(void **state)
{
    (void)state;
    ph_device *d;
    ph_device_bodies *b;
    const ph_device_run run = {0};
    const ph_device_reduction asked = {.expression = "1.0"};
    ph_device_statistics answer;
    IS_NULL(ph_device_create(NULL, &d));
    IS_NULL(ph_device_create("any", NULL));
    IS_NULL(ph_device_bodies_create(NULL, 1, NULL, &b));
    IS_NULL(ph_device_upload(NULL, NULL));
    IS_NULL(ph_device_download(NULL, NULL));
    IS_NULL(ph_device_kick(NULL, NULL, NULL, NULL, 0.1));
    IS_NULL(ph_device_applies(NULL));
    IS_NULL(ph_device_advance(NULL, &run).status);
    IS_NULL(ph_device_generate(NULL, "", 0, 1));
    IS_NULL(ph_device_reduce(NULL, &asked, &answer, NULL));
}

/* Sums and products of sizes do not wrap round. */
static void test_sizes(void **state)
{
    (void)state;
    const size_t most = SIZE_MAX, half = SIZE_MAX / 2;
    assert_true(size_sum(2, 3) == 5 && size_sum(most, 0) == most && size_sum(most - 7, 7) == most);
    assert_true(size_sum(most, 1) == most && size_sum(1, most) == most &&
                size_sum(half + 2, half + 2) == most);
    assert_true(size_product(2, 3) == 6 && size_product(most, 1) == most &&
                size_product(0, most) == 0 && size_product(most, 0) == 0);
    assert_true(size_product(half, 3) == most && size_product(3, half) == most &&
                size_product(most, most) == most && size_product(half, 2) == 2 * half);
    assert_true(array_create(half, sizeof(double)) == NULL &&
                !array_possible(half, sizeof(double)));
}

/* Times of an observer that no memory can hold are not read. */
static void test_too_many_times(void **state)
{
    (void)state;
    const double t = 1.0;
    ph_system *s;
    assert_int_equal(PH_OK, system_by_names(&s, "free", "exact", 0.1));
    const ph_observer o = {go_on, NULL, 0, &t, SIZE_MAX / 2};
    assert_int_equal(PH_NO_MEMORY, ph_system_run(s, 1, &o));
    assert_int_equal(PH_NO_MEMORY, ph_system_run_until(s, 1.0, &o));
    assert_true(ph_system_time(s) == 0.0);
    ph_system_destroy(s);
}

/* Reductions of an ensemble, without something that they need. */
static void test_reductions(void **state)
{
    (void)state;
    const double times[] = {0.0, 1.0}, low[] = {0.0}, high[] = {1.0};
    const char *const of[] = {"w1"};
    uint64_t bodies[2], histogram[8];
    const ph_system_settings with = {"free", .integrator = "exact", .step = 0.5};
    ph_ensemble *e = NULL;
    assert_int_equal(PH_OK, ph_ensemble_create(&with, NULL, 0, 3, NULL, &e));
    const ph_reduction good = {
        .columns = 1, .of = of, .count = 2, .times = times, .bodies = bodies};
    ph_reduction r = good;
    IS_NULL(ph_ensemble_reduce(NULL, 1.0, &r, NULL, NULL, NULL));
    IS_NULL(ph_ensemble_reduce(e, 1.0, NULL, NULL, NULL, NULL));
    r.of = NULL;
    IS_NULL(ph_ensemble_reduce(e, 1.0, &r, NULL, NULL, NULL));
    r = good, r.times = NULL;
    IS_NULL(ph_ensemble_reduce(e, 1.0, &r, NULL, NULL, NULL));
    r = good, r.bodies = NULL;
    IS_NULL(ph_ensemble_reduce(e, 1.0, &r, NULL, NULL, NULL));
    r = good, r.histogram = histogram, r.bins = 4, r.low = low;
    IS_NULL(ph_ensemble_reduce(e, 1.0, &r, NULL, NULL, NULL));
    r.low = NULL, r.high = high;
    IS_NULL(ph_ensemble_reduce(e, 1.0, &r, NULL, NULL, NULL));
    ph_ensemble_destroy(e);
}

static void note_warning(void *context, const ph_message *w)
{
    *(int *)context = w->setting;
}

/* Ensembles without something that they need; a message names a setting by its number among those of
 * the caller, whichever of them a body replaces. */
static void test_ensembles(void **state)
{
    (void)state;
    const double spin[] = {1, 2, 3}, angle = 100.0, damping = -1.0;
    const ph_setting settings[] = {
        {"velocity", spin, 3}, {"inclination", &angle, 1}, {"damping", &damping, 1}};
    ph_message why;
    int warned = PH_SETTING_NONE;
    ph_system_settings with = {"spacecraft",         .integrator = "dop853", .tolerance = 1e-6,
                               .settings = settings, .message = &why,        .warn = note_warning,
                               .context = &warned};
    ph_each each = {"momentum", spin, 3, 0, 1};
    ph_ensemble *e = NULL;
    IS_NULL(ph_ensemble_create(NULL, &each, 1, 1, NULL, &e));
    IS_NULL(ph_ensemble_create(&with, &each, 1, 1, NULL, NULL));
    IS_NULL(ph_ensemble_create(&with, NULL, 1, 1, NULL, &e));
    each.name = NULL;
    IS_NULL(ph_ensemble_create(&with, &each, 1, 1, NULL, &e));
    each.name = "momentum", each.values = NULL;
    IS_NULL(ph_ensemble_create(&with, &each, 1, 1, NULL, &e));
    each.values = spin;
    with.setting_count = 3;
    assert_int_equal(PH_BAD_PARAMETER, ph_ensemble_create(&with, &each, 1, 1, NULL, &e));
    assert_int_equal(2, why.setting);
    assert_null(e);
    with.setting_count = 2;
    each.count = 2;
    assert_int_equal(PH_BAD_PARAMETER, ph_ensemble_create(&with, &each, 1, 1, NULL, &e));
    assert_int_equal(2, why.setting); /* the first of each body */
    each.count = 3;
    const ph_each both[] = {each, {"damping", &damping, 1, 0, 1}};
    assert_int_equal(PH_BAD_PARAMETER, ph_ensemble_create(&with, both, 2, 1, NULL, &e));
    assert_int_equal(3, why.setting);
    warned = PH_SETTING_NONE;
    assert_int_equal(PH_OK, ph_ensemble_create(&with, &each, 1, 1, NULL, &e));
    assert_int_equal(1, warned);
    double first;
    uint64_t count;
    ph_window_list list = {0};
    IS_NULL(ph_ensemble_run(NULL, 1.0, NULL));
    IS_NULL(ph_ensemble_events(NULL, 1.0, "w1 > 0", NULL, &first, &count, NULL));
    IS_NULL(ph_ensemble_events(e, 1.0, NULL, NULL, &first, &count, NULL));
    IS_NULL(ph_ensemble_events(e, 1.0, "w1 > 0", NULL, NULL, &count, NULL));
    IS_NULL(ph_ensemble_events(e, 1.0, "w1 > 0", NULL, &first, NULL, NULL));
    IS_NULL(ph_ensemble_windows(NULL, 1.0, "w1 > 0", NULL, &list, NULL));
    IS_NULL(ph_ensemble_windows(e, 1.0, NULL, NULL, &list, NULL));
    IS_NULL(ph_ensemble_windows(e, 1.0, "w1 > 0", NULL, NULL, NULL));
    IS_NULL(ph_draw_normal(NULL, 1, 0, 0, 0, &first));
    IS_NULL(ph_draw_normal(spin, 1, 0, 0, 0, NULL));
    ph_ensemble_destroy(e);
}

static bool count_row(void *context, size_t body, size_t row, ph_system *s)
{
    (void)body, (void)row, (void)s;
    ++*(int *)context;
    return true;
}

/* The times of an observer are in the direction of the run, from where the bodies are. */
static void test_times_of_ensembles(void **state)
{
    (void)state;
    static const struct {
        double time[3];
        bool possible;
    } rows[] = {{{0.5, 0.5, 1.0}, true},    {{0.0, 0.25, 2.0}, true},   {{0.5, 0.25, 1.0}, false},
                {{0.25, 0.5, 0.25}, false}, {{-0.25, 0.5, 1.0}, false}, {{0.5, 0.75, -1.0}, false}};
    for (int sign = -1; sign <= 1; sign += 2) {
        for (size_t k = 0; k < COUNT(rows); k++) {
            const ph_system_settings with = {"free", .integrator = "exact", .step = sign * 0.25};
            ph_ensemble *e = NULL;
            int count = 0;
            double times[3];
            for (int i = 0; i < 3; i++)
                times[i] = sign * rows[k].time[i];
            const ph_ensemble_observer o = {.observe = count_row,
                                            .context = &count,
                                            .times = times,
                                            .count = 3,
                                            .one_thread = true};
            assert_int_equal(PH_OK, ph_ensemble_create(&with, NULL, 0, 2, NULL, &e));
            assert_int_equal(rows[k].possible ? PH_OK : PH_TIME_PASSED,
                             ph_ensemble_run(e, sign * 1.0, &o));
            int seen = 0; /* rows up to the end of the run */
            for (int i = 0; i < 3 && rows[k].possible; i++)
                seen += rows[k].time[i] <= 1.0;
            assert_int_equal(2 * seen, count);
            ph_ensemble_destroy(e);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies),         cmocka_unit_test(test_batches),
        cmocka_unit_test(test_systems),        cmocka_unit_test(test_end_of_time),
        cmocka_unit_test(test_adaptive),       cmocka_unit_test(test_others),
        cmocka_unit_test(test_measures),       cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_devices),        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_too_many_times), cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_ensembles),      cmocka_unit_test(test_times_of_ensembles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
