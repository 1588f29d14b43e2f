/* test_thermostats.c - systems at a temperature: the density of attitudes against Boltzmann's,
 * momenta against Maxwell's, what is conserved, runs that were stopped, and what is refused. */
/* Needs kinds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <jansson.h>

#include "integrators/thermostat.h"
#include "lab/measure/properties.h"
#include "support/quick.h"
#include "system/find.h"
#include "system/kind.h"
#include "tests/support/run_tool.h"
#include "tests/support/thermal.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *const PROBLEMS[] = {"heavy_top", "generic", "free", "orbiter",
                                       "dipolar_spheres"};

/* Calls `check` with every thermostat on problems of all kinds that have one. */
static void each(void check(const char *problem, const char *method))
{
    size_t count;
    const ph_thermostat *const *all = ph_thermostats(&count);
    assert_true(count >= 4);
    for (size_t i = 0; i < count; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s+exact", all[i]->name);
        for (size_t k = 0; k < COUNT(PROBLEMS); k++)
            check(PROBLEMS[k], name);
    }
}

/* ---- snapshots --------------------------------------------------------------------- */

static void assert_same(const ph_system *a, const ph_system *b)
{
    for (size_t k = 0; k < a->field_count; k++) {
        const ph_array *f = &a->fields[k], *g = &b->fields[k];
        for (size_t n = 0; n < field_numbers(f); n++)
            assert_memory_equal(field_number(f, n), field_number(g, n), sizeof(double));
    }
}

/* A run that was stopped, and continued by another system, has the bits of a whole one; another
 * seed has others, unless there is no noise. */
static void check_stopped(const char *problem, const char *method)
{
    ph_system *whole = warm(problem, method, 0.7, 1.5, 3, 0.01),
              *first = warm(problem, method, 0.7, 1.5, 3, 0.01), *second = NULL,
              *other = warm(problem, method, 0.7, 1.5, 4, 0.01);
    assert_int_equal(ph_system_run(whole, 20, NULL), PH_OK);
    assert_int_equal(ph_system_run(other, 20, NULL), PH_OK);
    assert_int_equal(ph_system_run(first, 9, NULL), PH_OK);
    const size_t size = ph_system_save(first, NULL, 0);
    void *bytes = malloc(size);
    assert_int_equal(ph_system_save(first, bytes, size), size);
    assert_int_equal(ph_system_from_snapshot(bytes, size, &second), PH_OK);
    assert_int_equal(ph_system_run(second, 11, NULL), PH_OK);
    assert_same(whole, second);
    const bool noise = find_field(whole, "seed") != NULL;
    const bool differ = ph_system_energy(whole) != ph_system_energy(other);
    assert_true(noise || whole->kind->rows_of_each /* a lattice has its seed */ ? differ : !differ);
    free(bytes);
    ph_system_destroy(whole);
    ph_system_destroy(first);
    ph_system_destroy(second);
    ph_system_destroy(other);
}

static void test_stopped(void **state)
{
    (void)state;
    each(check_stopped);
}

/* ---- limits and what is conserved -------------------------------------------------- */

/* Without friction each is verlet, but for the round-off of drifts in parts. */
static void check_without_friction(const char *problem, const char *method)
{
    ph_system *s = warm(problem, method, 0.7, 0.0, 1, 0.01), *verlet = NULL;
    assert_int_equal(system_by_names(&verlet, problem, "verlet+exact", 0.01), PH_OK);
    assert_int_equal(ph_system_run(s, 50, NULL), PH_OK);
    assert_int_equal(ph_system_run(verlet, 50, NULL), PH_OK);
    double errors[ERROR_COUNT];
    assert_true(ph_system_errors(s, verlet, errors) <= 1e-11);
    ph_system_destroy(s);
    ph_system_destroy(verlet);
}

static void test_without_friction(void **state)
{
    (void)state;
    each(check_without_friction);
}

/* The largest change of the energy less the heat, to the time 4. */
static double conserved_to(const char *problem, const char *method, double h)
{
    ph_system *s = warm(problem, method, 0.5, 1.0, 1, h);
    const ph_observable *o;
    ph_system_watch(s, true);
    assert_int_equal(ph_system_run(s, (uint64_t)lround(4.0 / h), NULL), PH_OK);
    assert_int_equal(ph_system_observable_named(s, "conserved_energy", &o), PH_OK);
    const double error = o->error;
    ph_system_destroy(s);
    return error;
}

/* Of Nose and Hoover it changes as the energy of verlet does, with the square of the step. */
/* With a thermostat its own energy alone is conserved. */
static void test_what_is_conserved(void **state)
{
    (void)state;
    ph_system *s = warm("heavy_top", "nose_hoover+exact", 0.7, 1.0, 1, 0.01);
    size_t count;
    const ph_observable *o = ph_system_observables(s, &count);
    assert_true(count > 1);
    for (size_t k = 0; k < count; k++)
        assert_false(o[k].conserved && strcmp(o[k].name, "conserved_energy") != 0);
    ph_system_destroy(s);
}

static void test_conserved(void **state)
{
    (void)state;
    static const char *const problems[] = {"heavy_top", "dipolar_spheres"};
    for (size_t k = 0; k < COUNT(problems); k++) {
        const double coarse = conserved_to(problems[k], "nose_hoover+exact", 0.01),
                     fine = conserved_to(problems[k], "nose_hoover+exact", 0.005);
        assert_true(fine < 0.02);
        assert_true(coarse / fine > 3.0 && coarse / fine < 5.0);
    }
    assert_true(conserved_to("heavy_top", "baoab+exact", 0.005) < 1e-3);
}

/* A chain acts on the momenta of bodies relative to their common motion: it keeps the sum, and
 * multiplies what is left by one factor. Its 3 n - 3 momenta alone count. */
static void test_common_motion(void **state)
{
    (void)state;
    enum { N = 3 };
    double y[3][N] = {{5.0, 4.0, -1.0}, {0.5, -3.0, 2.0}, {7.0, 1.0, 1.5}}, before[3][N],
           w[N] = {1.0, 2.0, 3.0};
    const momenta of = {LINEAR, N, {y[0], y[1], y[2]}, {w, w, w}};
    thermostat t = {.temperature = 0.7, .friction = 1.5, .boltzmann = 1.0}, plain = t;
    double sum[3] = {0.0, 0.0, 0.0}, own = 0.0, energy;
    memcpy(before, y, sizeof y);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < N; i++)
            sum[k] += y[k][i];
        for (int i = 0; i < N; i++) {
            const double relative = y[k][i] - sum[k] * w[i] / 6.0;
            own += relative * relative / w[i];
        }
    }
    const double factor =
        ph_chain_scale(plain.chain[LINEAR], 3.0 * N - 3.0, 0.7, 1.5, own, 0.1, &energy);
    assert_int_equal(ph_chain_act(&t, &of, 0.1), PH_OK);
    assert_true(factor < 0.99);
    for (int k = 0; k < 3; k++) {
        double now = 0.0;
        for (int i = 0; i < N; i++) {
            const double with_all = sum[k] * w[i] / 6.0;
            now += y[k][i];
            assert_true(fabs(y[k][i] - with_all - factor * (before[k][i] - with_all)) < 1e-13);
        }
        assert_true(fabs(now - sum[k]) < 1e-13);
    }
    assert_true(fabs(t.last[LINEAR] - own * factor * factor) < 1e-12 * own);
    assert_true(fabs(t.heat[LINEAR] + energy) < 1e-12 * fabs(energy));
}

static const double HIGHER = 1000.0;
static double (*low_potential)(const ph_problem *p, const ph_instant *now);

static double high_potential(const ph_problem *p, const ph_instant *now)
{
    return HIGHER + low_potential(p, now);
}

/* The mean potential of a top of strength s at the temperature T is T - s coth(s/T). In a well of
 * this depth the first two grids of attitudes do not agree; in one much deeper they agree on the bottom, which
 * is not the mean. In a shallow one all attitudes have nearly the same weight. */
static void test_exact_mean(void **state)
{
    (void)state;
    double T = 0.0625;
    const double strength = 1.0, friction = 1.0, seed = 1.0;
    const ph_setting settings[] = {{"temperature", &T, 1},
                                   {"friction", &friction, 1},
                                   {"seed", &seed, 1},
                                   {"strength", &strength, 1}};
    const ph_system_settings with = {"heavy_top", .integrator = "baoab+exact", .step = 0.01,
                                     .settings = settings, .setting_count = COUNT(settings)};
    ph_thermal out;
    assert_int_equal(ph_measure_thermal(&with, 20, NULL, NULL, &out), PH_OK);
    assert_true(fabs(out.exact - (T - strength / tanh(strength / T))) < 1e-3 * T);
    T = 1e-3;
    assert_int_equal(ph_measure_thermal(&with, 20, NULL, NULL, &out), PH_OK);
    assert_true(isnan(out.exact));
    T = 100.0;
    assert_int_equal(ph_measure_thermal(&with, 20, NULL, NULL, &out), PH_OK);
    assert_true(fabs(out.exact - (T - strength / tanh(strength / T))) < 1e-3);
    T = 0.0625;
    /* a potential that is larger by a constant */
    ph_problem high = *find_problem("heavy_top");
    low_potential = high.potential;
    high.potential = high_potential;
    const ph_system_settings above = {.own_problem = &high,
                                      .integrator = "baoab+exact",
                                      .step = 0.01,
                                      .settings = settings,
                                      .setting_count = COUNT(settings)};
    assert_int_equal(ph_measure_thermal(&above, 20, NULL, NULL, &out), PH_OK);
    assert_true(fabs(out.exact - (HIGHER + T - strength / tanh(strength / T))) < 1e-3 * T);
}

/* A chain goes back where it came from; noise does not. */
static void test_reversible(void **state)
{
    (void)state;
    ph_system *s = warm("dipolar_spheres", "nose_hoover+exact", 0.5, 1.0, 0, 0.01),
              *start = warm("dipolar_spheres", "nose_hoover+exact", 0.5, 1.0, 0, 0.01);
    double errors[ERROR_COUNT];
    assert_int_equal(ph_system_run(s, 100, NULL), PH_OK);
    assert_true(ph_system_errors(s, start, errors) > 1e-3);
    assert_int_equal(ph_system_set_step(s, -0.01), PH_OK);
    assert_int_equal(ph_system_run(s, 100, NULL), PH_OK);
    const ph_array *x = find_field(s, "positions"), *y = find_field(start, "positions");
    for (size_t n = 0; n < field_numbers(x); n++)
        assert_true(fabs(*field_number(x, n) - *field_number(y, n)) < 1e-9);
    ph_system_destroy(s);
    ph_system_destroy(start);
    s = warm("heavy_top", "baoab+exact", 0.5, 1.0, 0, 0.01);
    assert_int_equal(ph_system_set_step(s, -0.01), PH_OK);
    assert_int_equal(ph_system_run(s, 1, NULL), PH_BACKWARD);
    ph_system_destroy(s);
}

/* ---- densities --------------------------------------------------------------------- */

static void test_density(void **state)
{
    (void)state;
    check_density("baoab+exact", 4000);
    check_density("obabo+exact", 4000);
}

/* In a well that is nearly harmonic, with the frequency omega about an axis, momenta of BAOAB have
 * the variance J T (1 - (omega h)^2/4) at the end of steps and its places are exact; of OBABO it is
 * the other way about (langevin.c). */
static void test_harmonic(void **state)
{
    (void)state;
    const ph_problem *p = find_problem("heavy_top");
    const double T = 1e-3, h = 1.0, J[] = {p->body.J.x, p->body.J.y},
                 strength = p->value[ph_problem_parameter(p, "strength")->first];
    const ph_setting set = {"temperature", &T, 1};
    ph_system_settings with = {"heavy_top", .step = h, .settings = &set, .setting_count = 1};
    static const char *const methods[] = {"baoab+exact", "obabo+exact"};
    for (int places = 0; places < 2; places++) {
        ph_thermal t;
        double U = -strength;
        with.integrator = methods[places];
        assert_int_equal(ph_measure_thermal(&with, 1 << 17, NULL, NULL, &t), PH_OK);
        for (int k = 0; k < 2; k++) {
            const double less = 1.0 - 0.25 * h * h * strength / J[k];
            const ph_mean m = t.row[0].kinetic[3 + k];
            assert_true(fabs(m.value - (places ? T : less * T)) < 5.0 * m.error);
            U += 0.5 * T / (places ? less : 1.0);
        }
        const ph_mean m = t.row[0].potential;
        assert_true(fabs(m.value - U) < 5.0 * m.error && m.error < 0.02 * T);
    }
}

/* The measurement sees what is sampled, and what is not: a chain on one body is not ergodic
 * in a short run, and a step that is too large is biased. */
static void test_measured(void **state)
{
    (void)state;
    const double T = 1.0;
    const ph_setting set = {"temperature", &T, 1};
    ph_system_settings with = {"heavy_top", .integrator = "baoab+exact", .step = 0.5,
                               .settings = &set, .setting_count = 1};
    ph_thermal t;
    assert_int_equal(ph_measure_thermal(&with, 1 << 16, NULL, NULL, &t), PH_OK);
    assert_int_equal(t.verdict, PH_ANSWER_YES);
    assert_true(isnan(t.row[0].kinetic[0].value) && t.row[0].kinetic[3].error < 0.02);
    assert_true(fabs(t.row[2].potential.value - t.exact) < 5 * t.row[2].potential.error);
    const double baoab = t.row[0].potential.value - t.exact;
    with.integrator = "obabo+exact";
    assert_int_equal(ph_measure_thermal(&with, 1 << 16, NULL, NULL, &t), PH_OK);
    assert_true(fabs(t.row[0].potential.value - t.exact) > 3.0 * fabs(baoab));
    with.integrator = "nose_hoover+exact";
    with.step = 0.05;
    assert_int_equal(ph_measure_thermal(&with, 1 << 12, NULL, NULL, &t), PH_OK);
    assert_int_not_equal(t.verdict, PH_ANSWER_YES);
    with.integrator = "verlet+exact";
    assert_int_equal(ph_measure_thermal(&with, 1 << 12, NULL, NULL, &t), PH_NOT_APPLICABLE);
}

/* Means that are more than 4 errors off are wrong; errors above 0.03 T are too large to tell. A step that is too
 * large for a run is an error. */
static void test_verdicts(void **state)
{
    (void)state;
    static const struct {
        const char *integrator;
        double step;
        uint64_t samples;
        double kinetic, potential; /* how many errors they are off, to a hundredth */
        ph_answer verdict;
    } cases[] = {
        {"baoab+exact", 0.5, 16384, 2.93, 0.75, PH_ANSWER_UNRESOLVED},
        {"nose_hoover+exact", 0.05, 512, 0.75, 5.41, PH_ANSWER_NO},
        {"nose_hoover+exact", 0.05, 1024, 6.27, 0.97, PH_ANSWER_NO},
    };
    const double T = 1.0;
    const ph_setting set = {"temperature", &T, 1};
    ph_system_settings with = {"heavy_top", .settings = &set, .setting_count = 1};
    ph_thermal t;
    for (size_t k = 0; k < COUNT(cases); k++) {
        with.integrator = cases[k].integrator;
        with.step = cases[k].step;
        assert_int_equal(ph_measure_thermal(&with, cases[k].samples, NULL, NULL, &t), PH_OK);
        assert_true(fabs(t.kinetic_limit - cases[k].kinetic) < 0.01);
        assert_true(fabs(t.potential_limit - cases[k].potential) < 0.01);
        assert_int_equal(t.verdict, cases[k].verdict);
    }
    with.step = 1e200;
    assert_int_not_equal(ph_measure_thermal(&with, 20, NULL, NULL, &t), PH_OK);
}

/* Counts the questions, and ends when a part is done. */
typedef struct listener {
    double until, before;
    bool grows;
    int calls;
} listener;

static bool listen(void *context, double done)
{
    listener *l = context;
    l->grows = l->grows && done >= l->before && done <= 1.0;
    l->before = done;
    l->calls++;
    return done < l->until;
}

static bool stop_at_once(void *context, double done)
{
    *(double *)context = done;
    return false;
}

/* Without a number, 2^18 samples are taken of one body and 2^13 of many, in four runs. */
static void test_default_samples(void **state)
{
    (void)state;
    static const char *const problems[] = {"heavy_top", "dipolar_spheres"};
    const double T = 1.0, runs = 1.125 + (1.0 + 0.125 / 0.75) + 1.25 + 1.5;
    const ph_setting set = {"temperature", &T, 1};
    for (int k = 0; k < 2; k++) {
        const ph_system_settings with = {problems[k], .integrator = "baoab+exact", .step = 0.01,
                                         .settings = &set, .setting_count = 1};
        ph_thermal t;
        double done = 0.0;
        assert_int_equal(ph_measure_thermal(&with, 0, stop_at_once, &done, &t), PH_OK);
        assert_true(fabs(64.0 / done / ldexp(runs, k == 0 ? 18 : 13) - 1.0) < 1e-3);
    }
}

static void test_measurement_ends(void **state)
{
    (void)state;
    const double T = 1.0;
    const ph_setting set = {"temperature", &T, 1};
    for (int given = 0; given < 2; given++) { /* with a step, and where one is looked for */
        const ph_system_settings with = {"heavy_top", .integrator = "baoab+exact",
                                         .step = given ? 0.5 : 0.0, .settings = &set,
                                         .setting_count = 1};
        int calls = 0;
        for (int part = 1; part <= 10; part += 3) {
            ph_thermal t;
            listener l = {.until = part < 10 ? 0.1 * part : 2.0, .grows = true};
            assert_int_equal(ph_measure_thermal(&with, 1 << 12, listen, &l, &t), PH_OK);
            assert_int_equal(t.samples, part < 10 ? 0 : 1 << 12);
            assert_true(l.grows && l.before < l.until + 0.05);
            assert_true(part < 10 || l.before > 0.95);
            calls = l.calls;
        }
        /* every 64 steps: of four runs, which leave out the first steps, and before that of one */
        const double steps[] = {1.125, 1.0 + 0.125 / 0.75, 1.25, 1.5, given ? 0.0 : 1.125};
        double all = 0.0;
        for (int k = 0; k < 5; k++)
            all += floor(steps[k] * (1 << 12) / 64.0);
        assert_int_equal(calls, all);
    }
}

/* ---- the tool ---------------------------------------------------------------------- */

#define TOP "run", "--problem", "heavy_top", "--step", "0.1", "--time", "1", "--method"

static void test_refused(void **state)
{
    (void)state;
    assert_refused(RUN(TOP, "baoab+exact"), "has a thermostat: give its temperature");
    assert_refused(RUN(TOP, "baoab+exact", "--temperature", "0"),
                   "--temperature 0: write a positive");
    assert_refused(RUN(TOP, "baoab+exact", "--temperature", "1", "--friction", "-1"),
                   "--friction -1: ");
    assert_refused(RUN(TOP, "baoab+exact", "--temperature", "1", "--seed", "0.5"), "--seed 0.5: ");
    assert_refused(RUN(TOP, "verlet+exact", "--temperature", "1"),
                   "--temperature is a setting of a thermostat, but verlet+exact has none");
    assert_refused(RUN(TOP, "verlet+exact", "--seed", "1"), "--seed is a setting of a thermostat");
    assert_refused(RUN(TOP, "baoab+exact", "--temperature", "1", "--checkpoint", "a.snapshot"),
                   "needs a seed: add --seed");
    assert_refused(RUN(TOP, "baoab+exact@yoshida4", "--temperature", "1"), "is not symmetric");
    assert_refused(
        RUN(TOP, "baoab+exact", "--temperature", "1", "--scatter", "velocity=1%", "--samples", "2"),
        "a thermostat cannot be used for many bodies");
    assert_refused(RUN("check", "baoab+exact"), "measure it with --ensemble");
    assert_refused(RUN("check", "--ensemble", "baoab+exact", "--problem", "heavy_top"),
                   "add --problem NAME and --temperature T");
    assert_refused(RUN("run", "--problem", "pendulum", "--method", "baoab+circle", "--step", "0.1",
                       "--time", "1"),
                   "cannot be used with unit vectors on spheres");
}

#define WARM                                                                                       \
    "run", "--problem", "heavy_top", "--step", "0.1", "--time", "10", "--method", "baoab+exact",   \
        "--temperature", "2", "--seed", "3"

/* Averages over the second half are those of its rows, 3 in each of 16 blocks. */
static void test_averages(void **state)
{
    (void)state;
    enum { STEPS = 100, BLOCKS = 16, LENGTH = 3 };
    tool_run rows = RUN(WARM, "--show", "energy", "--out", "-"), run = RUN(WARM, "--json");
    assert_done(&rows);
    assert_done(&run);
    const char *at = strchr(rows.out, '\n') + 1;
    double block[BLOCKS] = {0}, mean = 0.0, square = 0.0;
    for (int i = 0; i <= STEPS; i++) {
        double energy;
        at = next_numbers(at, 1, &energy);
        const int left = STEPS - i; /* the last blocks end with the run */
        if (left < BLOCKS * LENGTH)
            block[left / LENGTH] += energy / LENGTH;
    }
    for (int k = 0; k < BLOCKS; k++)
        mean += block[k] / BLOCKS;
    for (int k = 0; k < BLOCKS; k++)
        square += (block[k] - mean) * (block[k] - mean);
    json_t *all = parse_json(run.out), *averages = json_object_get(all, "averages"),
           *energy = json_object_get(averages, "energy");
    assert_int_equal(BLOCKS * LENGTH, json_integer_value(json_object_get(averages, "steps")));
    assert_true(fabs(json_real_value(json_object_get(energy, "mean")) - mean) < 1e-12);
    assert_true(fabs(json_real_value(json_object_get(energy, "error")) -
                     sqrt(square / (BLOCKS * (BLOCKS - 1)))) < 1e-12);
    json_decref(all);
    tool_run_free(&rows);
    tool_run_free(&run);
    tool_run cold = RUN("run", "--problem", "heavy_top", "--method", "verlet+exact", "--step",
                        "0.1", "--time", "10");
    assert_done(&cold);
    assert_null(strstr(cold.out, "Averages"));
    tool_run_free(&cold);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stopped),          cmocka_unit_test(test_without_friction),
        cmocka_unit_test(test_conserved),        cmocka_unit_test(test_what_is_conserved),
        cmocka_unit_test(test_reversible),       cmocka_unit_test(test_density),
        cmocka_unit_test(test_harmonic),         cmocka_unit_test(test_measured),
        cmocka_unit_test(test_verdicts),         cmocka_unit_test(test_default_samples),
        cmocka_unit_test(test_measurement_ends), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_common_motion),    cmocka_unit_test(test_exact_mean),
        cmocka_unit_test(test_averages),
    };
    const struct CMUnitTest without_statistics[] = {
        cmocka_unit_test(test_stopped),    cmocka_unit_test(test_without_friction),
        cmocka_unit_test(test_conserved),  cmocka_unit_test(test_what_is_conserved),
        cmocka_unit_test(test_reversible), cmocka_unit_test(test_measurement_ends),
        cmocka_unit_test(test_refused),    cmocka_unit_test(test_common_motion),
        cmocka_unit_test(test_exact_mean), cmocka_unit_test(test_averages),
    };
    if (is_sanitized())
        return cmocka_run_group_tests_name("thermostats", without_statistics, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
