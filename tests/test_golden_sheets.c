/* test_golden_sheets.c - what is measured of integrators on single problems of every kind: as it
 * must be, and against the bits it gave before. Written anew by
 *
 *     build/tests/test_golden_sheets write >tests/vectors/golden_sheets.txt
 */
/* Needs kinds. */
#include <math.h>
#include <string.h>

#include "lab/measure/common.h"
#include "lab/measure/properties.h"
#include "support/golden.h"
#include "support/quick.h"
#include "system/find.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void take_trend(checksum *c, const ph_trend *t)
{
    take(c, t->drifts + 2 * t->exceeds_tenth);
    take(c, t->h);
    take(c, t->initial);
    take(c, (double)t->taken);
    take(c, t->slope);
    take(c, t->standard_error);
    take(c, t->max_error);
}

static void check(const char *problem, const char *integrator, int order, bool symmetric,
                  ph_energy_kind energy)
{
    ph_problem_measurement s;
    checksum c = {0};
    const ph_system_settings with = {problem, .integrator = integrator};
    assert_int_equal(PH_OK, ph_measure_problem(&with, &s));
    int exponent;
    assert_true(frexp(s.large_step, &exponent) == 0.5); /* a power of 2 */
    assert_true(s.step == s.large_step / 8.0);
    if (order > 0 && !(fabs(s.order - order) < 0.5))
        fail_msg("%s on %s: order %.2f", integrator, problem, s.order);
    if (order == 0 && !isnan(s.order))
        fail_msg("%s on %s: order %.2f", integrator, problem, s.order);
    assert_int_equal(symmetric ? PH_ANSWER_YES : PH_ANSWER_NO, s.symmetric);
    if (s.energy != energy)
        fail_msg("%s on %s: the energy is kept as %d, by %g", integrator, problem, s.energy,
                 s.energy_error);
    const double numbers[] = {s.large_step,   s.order,          s.symmetry_defect,
                              s.energy_error, s.momentum_error, s.momentum};
    for (size_t k = 0; k < COUNT(numbers); k++)
        take(&c, numbers[k]);
    take_trend(&c, &s.drift);
    golden(&c, "%s on %s", integrator, problem);
}

static void test_sheets(void **state)
{
    (void)state;
    check("heavy_top", "verlet+exact", 2, true, PH_ENERGY_BOUNDED);
    check("heavy_top", "mkrk_rk4", 4, false, PH_ENERGY_DRIFTS);
    check("free", "mr", 2, true, PH_ENERGY_BOUNDED);
    check("free", "exact", 0, true, PH_ENERGY_EXACT);
    check("pendulum", "verlet+circle", 2, true, PH_ENERGY_BOUNDED);
    check("pendulum", "rkmk4", 4, false, PH_ENERGY_DRIFTS);
    check("orbiter", "s4_6+exact", 4, true, PH_ENERGY_BOUNDED);
    check("gyrostat", "mkrk_gl4", 4, false, PH_ENERGY_DRIFTS);
}

/* ---- thermostats, drifts, and digits beyond those of double ------------------------------ */

static void take_mean(checksum *c, ph_mean m)
{
    take(c, m.value);
    take(c, m.error);
}

/* The power of the step in the bias is that of the means with h and h/2. */
static void check_thermal(const char *problem, const char *integrator, double step)
{
    const double T = 0.5;
    const ph_setting set = {"temperature", &T, 1};
    const ph_system_settings with = {problem, .integrator = integrator, .step = step,
                                     .settings = &set, .setting_count = 1};
    ph_thermal t;
    checksum c = {0};
    assert_int_equal(PH_OK, ph_measure_thermal(&with, 256, NULL, NULL, &t));
    take(&c, t.temperature);
    take(&c, t.exact);
    take(&c, (double)t.samples);
    for (int k = 0; k < PH_THERMAL_STEPS; k++) {
        const ph_thermal_row *r = &t.row[k];
        take(&c, r->step);
        for (int axis = 0; axis < PH_THERMAL_AXES; axis++)
            take_mean(&c, r->kinetic[axis]);
        take_mean(&c, r->within[0]);
        take_mean(&c, r->within[1]);
        take_mean(&c, r->potential);
        take(&c, r->time);
    }
    take(&c, t.kinetic_limit);
    take(&c, t.potential_limit);
    take_mean(&c, t.kinetic_bias);
    take_mean(&c, t.potential_bias);
    take_mean(&c, t.potential);
    take_mean(&c, t.potential_power);
    take(&c, t.verdict);
    golden(&c, "%s at a temperature of %s", integrator, problem);
    const ph_mean a = t.row[0].potential, b = t.row[2].potential;
    const double e = a.error / (a.value - t.exact), f = b.error / (b.value - t.exact),
                 power = log((a.value - t.exact) / (b.value - t.exact)) / log(2.0);
    if (isfinite(power)) {
        assert_true(fabs(t.potential_power.value - power) < 1e-12 * (1.0 + fabs(power)));
        assert_true(fabs(t.potential_power.error - sqrt(e * e + f * f) / log(2.0)) < 1e-12 * e * e);
    }
}

static void test_thermal(void **state)
{
    (void)state;
    check_thermal("heavy_top", "baoab+exact", 0.25);
    check_thermal("heavy_top", "obabo+exact", 0.0);
    check_thermal("orbiter", "nose_hoover+exact", 0.1);
}

static void check_drift(const char *problem, const char *integrator, double step)
{
    const ph_system_settings with = {problem, .integrator = integrator};
    ph_drift_measurement d;
    checksum c = {0};
    assert_int_equal(PH_OK, ph_measure_drift(&with, step, &d));
    take(&c, d.step);
    take(&c, d.predicted);
    take(&c, d.predicted_error);
    for (int k = 0; k < 2; k++) {
        take(&c, d.measured[k].step);
        take(&c, d.measured[k].slope);
        take(&c, d.measured[k].error);
        take(&c, (double)d.measured[k].steps);
        take(&c, d.measured[k].starts);
    }
    take(&c, d.power);
    take(&c, d.order);
    take(&c, d.predicted_power);
    golden(&c, "drift of %s on %s", integrator, problem);
}

static void test_drifts(void **state)
{
    (void)state;
    check_drift("free", "mkrk_rk4", 0.5);
    if (!is_emulated()) /* a minute */
        check_drift("pendulum", "rkmk4", 0.25);
}

static void test_precise(void **state)
{
    (void)state;
    static const char *const names[] = {"dmv2", "dmv4", "mr", "mr:suzuki4", "sr2", "imr2"};
    for (size_t k = 0; k < COUNT(names); k++) {
        ph_integrator i;
        ph_precision p;
        checksum c = {0};
        assert_int_equal(PH_OK, ph_integrator_named(names[k], &i));
        take(&c, ph_measure_precisely(&i, &p));
        take(&c, p.step);
        take(&c, p.symplectic + 4 * p.poisson + 16 * p.energy);
        take(&c, p.states);
        /* what is round-off of the longer numbers differs where these do */
        take(&c, p.symplectic_defect > 1e-15 ? (float)p.symplectic_defect : 0.0);
        take(&c, p.poisson_defect > 1e-15 ? (float)p.poisson_defect : 0.0);
        take(&c, p.energy_error > 1e-15 ? (float)p.energy_error : 0.0);
        golden(&c, "%s precisely", names[k]);
    }
}

static void test_refused(void **state)
{
    (void)state;
    ph_problem_measurement s;
    ph_system_settings with = {"heavy_top", .integrator = "gbs"};
    assert_int_equal(PH_NOT_APPLICABLE, ph_measure_problem(&with, &s));
    with.integrator = "nothing";
    assert_int_equal(PH_UNKNOWN_NAME, ph_measure_problem(&with, &s));
    with.integrator = "exact";
    assert_int_equal(PH_NOT_APPLICABLE, ph_measure_problem(&with, &s));
    assert_true(isnan(s.order) && s.symmetric == PH_ANSWER_UNRESOLVED &&
                s.momentum == PH_ANSWER_UNRESOLVED && s.energy == PH_ENERGY_UNDECIDED);
}

/* Where momentum inside the body breaks the reversal of time, a step and one back are told from a
 * step and one with the velocity reversed. */
static void test_reversal(void **state)
{
    (void)state;
    ph_integrator i;
    const ph_problem *gyrostat = find_problem("gyrostat"), *top = find_problem("heavy_top");
    const ph_state s = ph_problem_start(gyrostat), t = ph_problem_start(top);
    double back, reversed;
    assert_int_equal(PH_OK, ph_integrator_named("mkrk_rk4", &i));
    assert_int_equal(PH_OK, ph_symmetry_defect(&i, gyrostat, &s, 0.1, &back));
    assert_int_equal(PH_OK, ph_reversal_defect(&i, gyrostat, &s, 0.1, &reversed));
    assert_true(back < 1e-4 && reversed > 1e-3);
    assert_int_equal(PH_OK, ph_integrator_named("verlet+exact", &i));
    assert_int_equal(PH_OK, ph_symmetry_defect(&i, top, &t, 0.1, &back));
    assert_int_equal(PH_OK, ph_reversal_defect(&i, top, &t, 0.1, &reversed));
    assert_true(back < 1e-14 && reversed < 1e-14);
}

static void test_trend_refused(void **state)
{
    (void)state;
    ph_trend trend;
    ph_system *s = NULL;
    assert_int_equal(PH_OK, system_by_names(&s, "heavy_top", "verlet+exact", 0.1));
    assert_int_equal(PH_NULL_ARGUMENT, ph_system_energy_trend(s, 10, NULL));
    assert_int_equal(PH_NULL_ARGUMENT, ph_system_energy_trend(NULL, 10, &trend));
    ph_system_destroy(s);
}

/* ---- errors ---------------------------------------------------------------------- */

static ph_system *made(const char *problem, const char *integrator)
{
    ph_system *s = NULL;
    assert_int_equal(PH_OK, system_by_names(&s, problem, integrator, 0.1));
    return s;
}

/* The length of what is added to a field, over its own length where that counts. */
static void check_error(const char *problem, const char *integrator, const char *field, bool place,
                        bool relative)
{
    ph_system *right = made(problem, integrator), *s = made(problem, integrator);
    const ph_array *f = find_field(s, field), *g = find_field(right, field);
    double error[ERROR_COUNT], off = 0.0, size = 0.0;
    assert_true(ph_system_errors(s, right, error) == 0.0);
    for (int k = 0; k < f->width; k++) {
        for (size_t i = 0; i < f->count; i++) {
            const double d = 1e-3 * (1.0 + k) * (double)(i + 1), x = g->data[k][i * g->stride];
            f->data[k][i * f->stride] = x + d;
            off += d * d;
            size += x * x;
        }
    }
    const double expected = sqrt(off) / (relative ? sqrt(size) : 1.0),
                 all = ph_system_errors(s, right, error);
    assert_true(fabs(error[place ? ERROR_PLACE : ERROR_SPEED] / expected - 1.0) < 1e-10);
    assert_true(error[place ? ERROR_SPEED : ERROR_PLACE] == 0.0);
    assert_true(all == error[place ? ERROR_PLACE : ERROR_SPEED]);
    /* of what is zero the error is absolute */
    for (int k = 0; k < f->width; k++) {
        for (size_t i = 0; i < f->count; i++) {
            f->data[k][i * f->stride] = k == 0 && i == 0 ? 0.25 : 0.0;
            g->data[k][i * g->stride] = 0.0;
        }
    }
    assert_true(ph_system_errors(s, right, error) == 0.25);
    ph_system_destroy(right);
    ph_system_destroy(s);
}

static void test_errors(void **state)
{
    (void)state;
    check_error("heavy_top", "verlet+exact", "momentum", false, true);
    check_error("heavy_top", "verlet+exact", "attitude", true, false);
    check_error("double_pendulum", "rattle", "q", true, false);
    check_error("double_pendulum", "rattle", "w", false, true);
    check_error("orbiter", "verlet+exact", "position", true, false);
    check_error("orbiter", "verlet+exact", "centre_velocity", false, true);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sheets),        cmocka_unit_test(test_thermal),
        cmocka_unit_test(test_drifts),        cmocka_unit_test(test_precise),
        cmocka_unit_test(test_refused),       cmocka_unit_test(test_reversal),
        cmocka_unit_test(test_trend_refused), cmocka_unit_test(test_errors)};
    return golden_main(argc, argv, "golden_sheets.txt", tests, COUNT(tests));
}
