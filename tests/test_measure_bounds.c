/* test_measure_bounds.c - where the verdicts of a measurement turn over: steps whose energy
 * is a given function of time, and steps that are wrong by a given amount. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/measure/convergence.h"
#include "lab/measure/properties.h"
#include "motion/vec.h"
#include "support/generic.h"
#include "support/stepping.h"
#include "system/find.h"

/* ---- energies as told ------------------------------------------------------------ */

/* The energy relative to the start, less 1, after a step of h to the time t. */
typedef struct energy {
    double slope, wave, frequency; /* slope t + wave sin(frequency t) */
    double flip;                   /* and after every second step */
    double above, longest;         /* and in steps longer than that */
} energy;
static energy told;

static double told_at(double t, double h)
{
    const long step = lround(t / h);
    return told.slope * t + told.wave * sin(told.frequency * t) +
           (step % 2 != 0 ? told.flip : 0.0) + (h > told.longest ? told.above : 0.0);
}

static ph_status scaled(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                        double h)
{
    (void)method;
    const ph_state start = ph_problem_start(p);
    s->m = scale(sqrt(1.0 + told_at(t + h, h)), start.m);
    return PH_OK;
}

static const ph_method as_told = {.name = "as told", .order = 1, .step = scaled};
static const ph_integrator AS_TOLD = {.method = &as_told};

/* 2^(k/4), k = -20 ... 12: the last at which the energy stays within 10 %. */
static void test_stable_step(void **state)
{
    (void)state;
    told = (energy){.above = 0.101};
    for (int k = -20; k <= 12; k++) {
        told.longest = 1.01 * exp2(k / 4.0);
        assert_true(ph_stable_step(&AS_TOLD, &free_problem, 3) == exp2(k / 4.0));
    }
    told.longest = 0.0;
    assert_true(ph_stable_step(&AS_TOLD, &free_problem, 3) == 0.0);
    told.above = -0.099;
    assert_true(ph_stable_step(&AS_TOLD, &free_problem, 3) == 8.0);
}

/* The slope of all steps, and its standard error from PH_BLOCKS means, as measure.h and
 * trend.c state them. */
static void check_trend(const ph_trend *d, double h, uint64_t steps)
{
    enum { K = PH_BLOCKS };
    const double initial = d->initial;
    long double te = 0, tt = 0, T[K] = {0}, E[K] = {0}, n[K] = {0}, mt = 0, me = 0;
    for (uint64_t k = 0; k <= steps; k++) {
        const long double t = ((long double)k - (long double)steps / 2) * h;
        const long double e = k == 0 ? 0.0 : told_at((double)k * h, h) * initial;
        const uint64_t block = k * K / (steps + 1);
        te += t * e;
        tt += t * t;
        T[block] += t;
        E[block] += e;
        n[block] += 1;
    }
    assert_true(fabs(d->slope - (double)(te / tt)) <= 1e-9 * fabs(d->slope) + 1e-14);
    te = tt = 0;
    for (int k = 0; k < K; k++) {
        T[k] /= n[k];
        E[k] /= n[k];
        mt += T[k] / K;
        me += E[k] / K;
    }
    for (int k = 0; k < K; k++) {
        te += (T[k] - mt) * (E[k] - me);
        tt += (T[k] - mt) * (T[k] - mt);
    }
    long double rr = 0;
    for (int k = 0; k < K; k++) {
        const long double r = E[k] - me - te / tt * (T[k] - mt);
        rr += r * r;
    }
    const double right = (double)sqrtl(rr / (K - 2) / tt);
    assert_true(fabs(d->standard_error - right) <= 1e-6 * right + 1e-14);
}

/* Slopes in small ratios, from none to plain: the verdict is what measure.h says of the
 * numbers beside it. Returns how many drift. */
static int check_slopes(double first, double last, double h, uint64_t steps)
{
    int drifting = 0;
    for (double slope = first; slope < last; slope *= 1.2) {
        ph_trend d;
        told.slope = slope;
        assert_int_equal(PH_OK, ph_energy_trend(&AS_TOLD, &free_problem, h, steps, &d));
        check_trend(&d, h, steps);
        const double total = fabs(d.slope) * (double)steps * h,
                     round_off = 1e-15 * (double)steps * fabs(d.initial);
        assert_true(d.drifts == (fabs(d.slope) > 6 * d.standard_error &&
                                 total > 0.02 * d.max_error && total > round_off));
        assert_true(d.exceeds_tenth == (d.max_error > 0.1 * fabs(d.initial)));
        assert_true(d.h == h && d.taken == steps);
        drifting += d.drifts;
    }
    return drifting;
}

static void test_drift(void **state)
{
    (void)state;
    /* the standard error decides, then the share of the largest error, then round-off */
    told = (energy){.wave = 0.01, .frequency = 0.77};
    int drifting = check_slopes(1e-7, 1e-2, 0.1, 2000);
    assert_true(drifting > 5 && drifting < 60);
    told = (energy){.flip = 0.01};
    drifting = check_slopes(1e-9, 1e-3, 0.1, 1999);
    assert_true(drifting > 5 && drifting < 70);
    told = (energy){0};
    drifting = check_slopes(1e-17, 1e-11, 0.1, 1999);
    assert_true(drifting > 5 && drifting < 70);
    /* too few steps for a slope */
    ph_trend d;
    assert_int_equal(PH_OK, ph_energy_trend(&AS_TOLD, &free_problem, 0.1, 19, &d));
    assert_true(isnan(d.slope) && isnan(d.standard_error) && d.drifts && d.taken == 19);
    assert_int_equal(PH_OK, ph_energy_trend(&AS_TOLD, &free_problem, 0.1, 20, &d));
    assert_true(isfinite(d.slope) != 0);
}

/* ---- steps wrong by a given amount ----------------------------------------------- */

static double wrong_by;
static uint64_t steps_made;

static ph_status beside(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                        double h)
{
    static const ph_vec3 direction = {0.6, -0.5, 0.4};
    const ph_integrator *i = method->data;
    const ph_status status = ph_integrator_step(i, p, s, t, h);
    s->m = add(s->m, scale(wrong_by, direction));
    steps_made++;
    return status;
}

static ph_method method_beside(const ph_integrator *i)
{
    return (ph_method){.name = "beside", .order = 2, .step = beside, .data = i};
}

/* What measure.c says of the numbers beside a verdict. `free` is that without torque, or NULL if
 * this is: in a field the step is never nearly exact, and what cannot be told of the free
 * motion cannot be told there. The step is that of a method, not of a flow with an error of
 * its own, so that below 1e-13 it is the motion. Returns how many of the verdicts are yes. */
static int check_conduct(const ph_properties *c, const ph_properties *free)
{
    const ph_answer resolved = c->step_error < 1e-13  ? PH_ANSWER_YES
                               : c->step_error < 1e-8 ? PH_ANSWER_UNRESOLVED
                                                      : PH_ANSWER_NO;
    const bool field = free != NULL;
    const ph_answer symplectic =
        resolved == PH_ANSWER_NO && c->symplectic_defect < 2e-11 ? PH_ANSWER_YES : resolved;
    const bool open = field && free->symplectic == PH_ANSWER_UNRESOLVED;
    assert_int_equal(c->symmetric, c->symmetry_defect < 1e-11 ? PH_ANSWER_YES : PH_ANSWER_NO);
    assert_int_equal(c->reversible, c->reversal_defect < 1e-11 ? PH_ANSWER_YES : PH_ANSWER_NO);
    assert_int_equal(c->symplectic,
                     symplectic == PH_ANSWER_YES && open ? PH_ANSWER_UNRESOLVED : symplectic);
    assert_int_equal(c->momentum, c->momentum_error < 1e-11 ? PH_ANSWER_YES : PH_ANSWER_NO);
    assert_true((c->energy == PH_ENERGY_EXACT) ==
                (c->energy_error[0] < 1e-11 && c->energy_error[1] < 1e-11));
    if (!field) {
        const bool poisson = c->poisson_defect < 2e-11;
        assert_int_equal(c->poisson,
                         resolved == PH_ANSWER_NO && poisson ? PH_ANSWER_YES : resolved);
        assert_int_equal(c->casimir, c->casimir_error < 1e-11 ? PH_ANSWER_YES : PH_ANSWER_NO);
    }
    return (c->symmetric == PH_ANSWER_YES) + (c->reversible == PH_ANSWER_YES) +
           (c->symplectic == PH_ANSWER_YES) + (c->momentum == PH_ANSWER_YES);
}

static int check_errors(const char *name, double first, double last)
{
    const ph_measure_settings little = {
        .states = 2, .steps = 20, .drift_time = 5, .drift_torques = 1, .stable_steps = 2};
    const ph_integrator right = integrator_of(name);
    const ph_method wrong = method_beside(&right);
    const ph_integrator i = {.method = &wrong};
    int kept = 0;
    for (wrong_by = first; wrong_by < last; wrong_by *= 1.3) {
        ph_measurement s;
        assert_true(ph_measure(&i, &little, &s));
        kept += check_conduct(&s.free, NULL) + check_conduct(&s.field, &s.free);
    }
    return kept;
}

static void test_verdicts(void **state)
{
    (void)state;
    int kept = check_errors("verlet+exact", 1e-14, 1e-9);
    assert_true(kept > 20 && kept < 300);
    kept = check_errors("verlet+exact", 1e-9, 1e-7);
    assert_int_equal(0, kept);
}

/* ---- orders ---------------------------------------------------------------------- */

/* 4, 5 and 6 steps, and all of them times 2, 4 ... up to 256; the slope of the last. */
static void test_order(void **state)
{
    (void)state;
    const ph_integrator right = integrator_of("verlet+exact");
    const ph_method counting = method_beside(&right);
    const ph_integrator i = {.method = &counting};
    double slope, coarsest, fine[3];
    wrong_by = 0.0;
    steps_made = 0;
    assert_int_equal(PH_OK, ph_order_slope(&i, &ph_problem_generic, 1.0, &slope, &coarsest));
    assert_int_equal((4 + 5 + 6) * (1 + 2 + 4 + 8 + 16 + 32) + 256, steps_made);
    static const uint64_t steps[] = {4, 192, 256};
    for (int k = 0; k < 3; k++)
        assert_int_equal(PH_OK, ph_error_after(&i, &ph_problem_generic, 1.0, steps[k], &fine[k]));
    assert_true(coarsest == fine[0]);
    assert_true(fabs(slope - log(fine[1] / fine[2]) / log(256.0 / 192.0)) < 1e-12);
}

/* ---- energies of runs ------------------------------------------------------------ */

static double clock_potential(const ph_problem *p, const ph_instant *now)
{
    (void)p;
    return 3.0 + now->t;
}

/* A potential that is the time: the energy of a free motion changes by the time of the run. */
static void test_energy_at_the_start(void **state)
{
    (void)state;
    ph_problem p = free_problem;
    ph_integrator exact;
    ph_invariant_errors out;
    p.potential = clock_potential;
    assert_int_equal(PH_OK, ph_integrator_named("exact", &exact));
    assert_int_equal(PH_OK, ph_measure_invariants(&exact, &p, 0.0625, 8, &out));
    assert_true(fabs(out.energy - 0.5) < 1e-13);
    assert_true(out.casimir < 1e-14 && out.taken == 8);
}

/* A step of order 1 that multiplies the energy by 1 + a h^2 + b h^3. It fails where a step is that of
 * the runs that are measured. */
static const double of_h2 = 0.03, of_h3 = -0.07, measured_step = 0.25;
static ph_status by_powers(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                           double h)
{
    (void)method;
    (void)p;
    (void)t;
    if (fabs(h) == measured_step)
        return PH_NO_CONVERGENCE;
    s->m = scale(sqrt(1.0 + h * h * (of_h2 + h * of_h3)), s->m);
    return PH_OK;
}

/* The energy of a free motion then drifts by E (a h + b h^2) in the unit of time. */
static void test_predicted_drift(void **state)
{
    (void)state;
    static const ph_method powers = {.name = "powers", .order = 1, .step = by_powers};
    const ph_integrator i = {.method = &powers};
    const ph_system_settings with = {.own_problem = &free_problem, .own_integrator = &i};
    ph_drift_measurement out;
    const ph_state start = ph_problem_start(&free_problem);
    const double E = ph_problem_energy(&free_problem, 0.0, &start), h = measured_step;
    assert_int_equal(PH_NO_CONVERGENCE, ph_measure_drift(&with, h, &out));
    assert_int_equal(1, out.order);
    assert_int_equal(1, out.predicted_power);
    assert_true(fabs(out.predicted - E * h * (of_h2 + h * of_h3)) < 1e-10 * E);
    assert_true(out.predicted_error < 1e-6 * E * h);
}

/* ---- how long digits hold -------------------------------------------------------- */

typedef struct followed {
    ph_digits digits;
    int lost; /* how often */
} followed;

static bool follow(void *context, ph_system *s)
{
    followed *f = context;
    assert_int_equal(PH_OK, ph_digits_follow(&f->digits, s));
    f->lost += f->digits.lost;
    return true;
}

/* A companion that starts elsewhere has lost the digits from the first comparison on, and they stay
 * lost; one of the same start holds them to the end. */
static void test_lost_digits(void **state)
{
    (void)state;
    const double other[3] = {0.5, -0.4, 0.5}, end = 2.0;
    const ph_setting velocity = {"velocity", other, 3};
    for (int far = 0; far < 2; far++) {
        ph_system_settings with = {"heavy_top", .integrator = "gbs", .tolerance = 1e-10};
        ph_system *s, *companion;
        followed f = {.lost = 0};
        const ph_observer o = {follow, &f, 1, NULL, 0};
        assert_int_equal(PH_OK, ph_system_create(&with, &s));
        with.tolerance = PH_COMPANION * 1e-10;
        with.settings = &velocity;
        with.setting_count = (size_t)far;
        assert_int_equal(PH_OK, ph_system_create(&with, &companion));
        assert_int_equal(PH_OK, ph_digits_begin(&f.digits, companion, end));
        assert_int_equal(PH_OK, ph_system_run_until(s, end, &o));
        assert_int_equal(far, f.digits.lost);
        assert_int_equal(far, f.lost > 1);
        assert_true(f.digits.held == (far ? 0.0 : end));
        assert_true(far ? f.digits.apart > 1e-3 : f.digits.apart < 1e-5);
        ph_system_destroy(s);
        ph_system_destroy(companion);
    }
}

/* ---- scans of steps --------------------------------------------------------------- */

static const double SCANNED_FROM = 1e-3;

/* The error of the energy in row k of a scan, of order 2 at first. It is larger in row 20, grows no
 * further from row 30 on, is next to a tenth from row 58 on, and above a tenth in rows 70 to 74 and from
 * row 79 on. */
static double scanned_error(long k)
{
    const double below = 0.05, above = 0.2, saturated = 30.03;
    if (k >= 58)
        return k >= 79 ? 1.5 * above : k >= 70 && k <= 74 ? above : below;
    return 1e-8 * exp2(2.0 / 16.0 * (k < 30 ? (double)k : saturated)) * (k == 20 ? 30.0 : 1.0);
}

static ph_status scanned(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                         double h)
{
    (void)method, (void)t;
    const ph_state start = ph_problem_start(p);
    s->m = scale(sqrt(1.0 + scanned_error(lround(16.0 * log2(h / SCANNED_FROM)))), start.m);
    return PH_OK;
}

/* The order is lost from row 39 on, where the error has not doubled within an octave; tongues are the peak
 * in row 20, and the rows above a tenth after which there are some below it. */
static void test_scan(void **state)
{
    (void)state;
    static const ph_method method = {.name = "scanned", .order = 2, .step = scanned};
    const ph_integrator i = {.method = &method};
    const ph_system_settings with = {
        .own_problem = &free_problem, .own_integrator = &i, .step = SCANNED_FROM};
    const ph_state start = ph_problem_start(&free_problem);
    const double speed = norm(ph_problem_velocity(&free_problem, 0.0, start.m));
    ph_step_scan out;
    assert_int_equal(PH_OK, ph_scan_steps(&with, &out));
    assert_int_equal(out.order, 2);
    assert_int_equal(out.tongues, 2);
    assert_true(fabs(out.rate - speed) < 1e-14 * speed);
    for (int k = 0; k < PH_SCAN_STEPS; k++) {
        const ph_scan_row *r = &out.row[k];
        const double h = SCANNED_FROM * exp2(k / 16.0), error = scanned_error(k);
        assert_true(fabs(r->step - h) < 1e-14 * h && fabs(r->turn - h * speed) < 1e-13 * h * speed);
        assert_true(fabs(r->error - error) < 1e-14);
        assert_int_equal(r->tongue, k == 20 || (k >= 70 && k <= 74));
        if (k < 16)
            assert_true(isnan(r->power));
        else
            assert_true(fabs(r->power - log2(error / scanned_error(k - 16))) < 1e-5);
    }
    assert_true(out.bounded == out.row[69].step && out.reduced == out.row[39].step);
}

/* ---- refusals ---------------------------------------------------------------------- */

#define REFUSED(call) assert_int_equal(PH_NULL_ARGUMENT, call)

static void test_null_arguments(void **state)
{
    (void)state;
    const ph_problem *p = &free_problem;
    const ph_integrator i = AS_TOLD;
    const ph_state start = ph_problem_start(p);
    const ph_system_settings with = {.own_problem = p, .own_integrator = &i, .step = 0.1};
    ph_state end = start;
    ph_structure_defects defects;
    ph_invariant_errors errors;
    ph_trend trend;
    ph_lyapunov lyapunov;
    ph_modified_measurement modified;
    ph_problem_measurement measured;
    ph_drift_measurement drift;
    ph_step_scan scan;
    ph_thermal thermal;
    ph_precision precision;
    ph_system *s;
    double x, energies[PH_TRUNCATIONS];
    assert_int_equal(PH_OK, ph_system_create(&with, &s));
    REFUSED(ph_reference_solution(NULL, 1.0, &end));
    REFUSED(ph_reference_solution(p, 1.0, NULL));
    REFUSED(ph_measure_modified(NULL, &modified));
    REFUSED(ph_measure_modified(&i, NULL));
    REFUSED(ph_measure_problem(NULL, &measured));
    REFUSED(ph_measure_problem(&with, NULL));
    REFUSED(ph_measure_drift(NULL, 0.1, &drift));
    REFUSED(ph_measure_drift(&with, 0.1, NULL));
    REFUSED(ph_scan_steps(NULL, &scan));
    REFUSED(ph_scan_steps(&with, NULL));
    REFUSED(ph_measure_thermal(NULL, 1, NULL, NULL, &thermal));
    REFUSED(ph_measure_thermal(&with, 1, NULL, NULL, NULL));
    REFUSED(ph_measure_precisely(NULL, &precision));
    REFUSED(ph_measure_precisely(&i, NULL));
    REFUSED(ph_system_energy_trend(NULL, 1, &trend));
    REFUSED(ph_system_energy_trend(s, 1, NULL));
    REFUSED(ph_system_lyapunov(NULL, s, 1, &lyapunov));
    REFUSED(ph_system_lyapunov(s, NULL, 1, &lyapunov));
    REFUSED(ph_system_lyapunov(s, s, 1, NULL));
    for (int null = 0; null < 3; null++) { /* which of three is */
        const ph_integrator *by = null == 0 ? NULL : &i;
        const ph_problem *on = null == 1 ? NULL : p;
        const bool out = null != 2;
        REFUSED(ph_error_after(by, on, 1.0, 1, out ? &x : NULL));
        REFUSED(ph_order_slope(by, on, 1.0, out ? &x : NULL, &x));
        REFUSED(ph_measure_invariants(by, on, 0.1, 1, out ? &errors : NULL));
        REFUSED(ph_energy_trend(by, on, 0.1, 1, out ? &trend : NULL));
        REFUSED(ph_measure_lyapunov(by, on, 0.1, 1, out ? &lyapunov : NULL));
    }
    for (int null = 0; null < 4; null++) {
        const ph_integrator *by = null == 0 ? NULL : &i;
        const ph_problem *on = null == 1 ? NULL : p;
        const ph_state *from = null == 3 ? NULL : &start;
        const bool out = null != 2;
        REFUSED(ph_symmetry_defect(by, on, from, 0.1, out ? &x : NULL));
        REFUSED(ph_reversal_defect(by, on, from, 0.1, out ? &x : NULL));
        REFUSED(ph_measure_structure(by, on, from, 0.1, out ? &defects : NULL));
        REFUSED(ph_modified_energies(by, on, from, 0.1, out ? energies : NULL));
    }
    ph_system_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stable_step),
        cmocka_unit_test(test_drift),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_energy_at_the_start),
        cmocka_unit_test(test_predicted_drift),
        cmocka_unit_test(test_lost_digits),
        cmocka_unit_test(test_scan),
        cmocka_unit_test(test_null_arguments),
    };
    return cmocka_run_group_tests_name("bounds of what is measured", tests, NULL, NULL);
}
