/* test_modified.c - modified Hamiltonians: the parts of splittings, the series in words, and
 * that every truncation is kept, or followed, to its order; and Lyapunov exponents against
 * known ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lab/measure/common.h"
#include "motion/series.h"
#include "motion/vec.h"
#include "polhode/system.h"
#include "support/quick.h"
#include "support/skip.h"
#include "support/stepping.h"
#include "system/find.h"

/* ---- series in words ------------------------------------------------------------- */

static double word(const bch_series *w, int length, size_t number)
{
    return w->of[ph_bch_begin(w, length) + number];
}

/* log(exp(A) exp(B)) = A + B + [A,B]/2 + [A,[A,B]]/12 + [B,[B,A]]/12 - [B,[A,[A,B]]]/24 ... */
static void test_baker_campbell_hausdorff(void **state)
{
    (void)state;
    bch_series a = {.letters = 2}, b = {.letters = 2}, ea, eb, z, back;
    a.of[1] = b.of[2] = 1.0;
    ph_bch_exp(&ea, &a);
    ph_bch_exp(&eb, &b);
    ph_bch_log(&back, &ea);
    for (size_t k = 0; k < ph_bch_begin(&a, BCH_DEGREE + 1); k++)
        assert_true(fabs(back.of[k] - a.of[k]) < 1e-15);
    ph_bch_multiply(&ea, &eb);
    ph_bch_log(&z, &ea);
    static const struct {
        int length;
        size_t number; /* A is 0, B is 1, first letter first */
        double value;
    } known[] = {
        {1, 0, 1.0},       {1, 1, 1.0},        {2, 1, 0.5},        {2, 2, -0.5},
        {3, 1, 1.0 / 12},  {3, 2, -1.0 / 6},   {3, 3, 1.0 / 12},   {3, 5, -1.0 / 6},
        {4, 3, 1.0 / 24},  {4, 12, -1.0 / 24}, {5, 1, -1.0 / 720}, {5, 15, -1.0 / 720},
        {4, 5, -1.0 / 12}, {4, 10, 1.0 / 12},
    };
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        const double found = word(&z, known[k].length, known[k].number);
        if (!(fabs(found - known[k].value) < 1e-15))
            fail_msg("word %zu of %d letters: %g", known[k].number, known[k].length, found);
    }
}

/* ---- parts ----------------------------------------------------------------------- */

static void check_parts(const char *name)
{
    const ph_integrator i = integrator_of(name);
    if (!ph_is_splitting(&i) || (i.scheme != NULL && i.scheme->gradient != NULL))
        return;
    const ph_problem *p = find_problem(i.scheme ? "generic" : "free");
    ph_state s = ph_problem_start(p), parts = s;
    assert_int_equal(PH_OK, ph_integrator_step(&i, p, &s, 0.0, 0.3));
    assert_int_equal(PH_OK, ph_splitting_by_parts(&i, p, &parts, 0.3));
    if (!(ph_state_distance(&s, &parts) < 1e-13))
        fail_msg("%s: by parts %g away", name, ph_state_distance(&s, &parts));
}

/* The parts of every splitting, one after the other, are its step. */
static void test_parts(void **state)
{
    (void)state;
    size_t flows, schemes;
    const ph_flow *const *flow = ph_flows(&flows);
    const ph_scheme *const *scheme = ph_schemes(&schemes);
    char name[PH_INTEGRATOR_NAME];
    for (size_t k = 0; k < flows; k++) {
        check_parts(flow[k]->name);
        for (size_t n = 0; n < schemes; n++) {
            (void)snprintf(name, sizeof name, "%s+%s", scheme[n]->name, flow[k]->name);
            check_parts(name);
        }
    }
    static const char *const more[] = {"mr:yoshida6", "sr2:suzuki4", "verlet+mr:yoshida4",
                                       "verlet+sr2@suzuki4", "sr2@yoshida4"};
    for (size_t k = 0; k < sizeof more / sizeof more[0]; k++) {
        const ph_integrator i = integrator_of(more[k]);
        assert_true(ph_is_splitting(&i));
        check_parts(more[k]);
    }
    static const char *const others[] = {"dmv2", "imr2", "jem2", "vlv", "verlet+dmv2"};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        const ph_integrator i = integrator_of(others[k]);
        assert_false(ph_is_splitting(&i));
    }
}

/* ---- orders ---------------------------------------------------------------------- */

static ph_modified_measurement sheet_of(const char *name)
{
    const ph_integrator i = integrator_of(name);
    ph_modified_measurement sheet;
    const ph_status status = ph_measure_modified(&i, &sheet);
    if (status != PH_OK)
        fail_msg("%s: %s", name, ph_status_text(status));
    return sheet;
}

/* H is kept to the order of the method, and with the terms to h^2 and h^4 to 4 and 6. */
static void test_truncations(void **state)
{
    (void)state;
    static const char *const names[] = {"sr2",
                                        "mr",
                                        "sr4",
                                        "mr:suzuki4",
                                        "verlet+exact",
                                        "verlet_drift+exact",
                                        "verlet+sr2",
                                        "s4_6+exact",
                                        "srkn4_6b+exact",
                                        "nystrom4+exact",
                                        "verlet+exact@suzuki4",
                                        "dmv2",
                                        "imr2"};
    if (is_emulated()) /* test_bracket has a sheet */
        skip_because("too slow under emulation");
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        const ph_integrator i = integrator_of(names[n]);
        const ph_modified_measurement sheet = sheet_of(names[n]);
        for (int k = 0; k < PH_TRUNCATIONS; k++) {
            const int own = ph_integrator_order(&i), with = 2 * k + 2,
                      order = own > with ? own : with;
            if (!(fabs(sheet.slope[k] - order) < 0.2))
                fail_msg("%s: truncation %d has order %.2f, not %d", names[n], k, sheet.slope[k],
                         order);
        }
    }
}

/* The note to Table 2 of HV: the midpoint rule keeps another bracket, one step to h^3, and
 * with each term better by h^2. */
static void test_bracket(void **state)
{
    (void)state;
    const ph_modified_measurement sheet = sheet_of("imr2");
    assert_true(sheet.bracket);
    assert_true(fabs(sheet.bracket_slope[0] - 3) < 0.2);
    assert_true(fabs(sheet.bracket_slope[1] - 5) < 0.2);
    assert_true(sheet.bracket_defect[2][2] < 0.01 * sheet.bracket_defect[1][2]);
    if (!is_emulated())
        assert_false(sheet_of("dmv2").bracket);
}

/* HV (12) against HV (6): to first order one undoes the other; and the derivatives of K are
 * those of the velocity. */
static void test_inverse_series(void **state)
{
    (void)state;
    const ph_vec3 J = {0.6, 0.8, 1.0}, j = {1 / 0.6, 1 / 0.8, 1.0}, m = {1.8, 0.4, -0.9};
    const double h = 0.1;
    const ph_series_at at = ph_series_invariants(j, m);
    const modified_equation both[] = {MODIFIED_DMV, MODIFIED_IMR};
    const ph_series *const series[] = {ph_dmv_series, ph_imr_series};
    for (int k = 0; k < 2; k++) {
        const modified_terms c = ph_modified_terms(both[k], J, m, 1, h);
        const ph_modified p = ph_series_modified(series[k], 1, &at, h, false);
        assert_true(fabs(c.s + p.s - 2.0) < 1e-15);
        assert_true(fabs(c.d + p.d) < 1e-15);
    }
    /* along m, H and C grow alike: d K(m e^x)/dx = 2 (K_H H + K_C C) */
    const double x = 1e-4;
    const modified_terms c = ph_modified_terms(MODIFIED_DMV, J, m, 2, h),
                         more = ph_modified_terms(MODIFIED_DMV, J, scale(1 + x, m), 2, h),
                         less = ph_modified_terms(MODIFIED_DMV, J, scale(1 - x, m), 2, h);
    const double slope = (more.value - less.value) / (2 * x),
                 right = 2 * (c.s * at.value[SERIES_H] + c.d * at.value[SERIES_C]);
    assert_true(fabs(slope / right - 1) < 1e-7);
}

static void test_unknown(void **state)
{
    (void)state;
    static const char *const names[] = {"vlv", "verlet+dmv2", "dmv4", "imr2:suzuki4", "jem2"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const ph_integrator i = integrator_of(names[k]);
        ph_modified_measurement sheet;
        assert_int_equal(PH_NOT_APPLICABLE, ph_measure_modified(&i, &sheet));
    }
}

/* ---- Lyapunov exponents ---------------------------------------------------------- */

/* Next to the middle axis the vector grows as exp(t w sqrt((I2 - I1)(I3 - I2)/(I1 I3))), until
 * round-off has led the body away. */
static void test_middle_axis(void **state)
{
    (void)state;
    ph_problem p = *find_problem("free");
    p.body = (ph_body)PH_MOMENTS(1.0, 2.0, 3.0);
    p.w = vec3(0, 1.5, 0);
    static const char *const names[] = {"exact", "vlv", "verlet+mr", "dmv2"};
    const double right = 1.5 * sqrt((2.0 - 1.0) * (3.0 - 2.0) / (1.0 * 3.0));
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const ph_integrator i = integrator_of(names[k]);
        ph_lyapunov found;
        assert_int_equal(PH_OK, ph_measure_lyapunov(&i, &p, 0.02, 1500, &found));
        if (!(fabs(found.exponent / right - 1) < 0.01))
            fail_msg("%s: %g, not %g", names[k], found.exponent, right);
    }
}

/* A regular motion shows nothing above its error, a chaotic one the same by two methods. */
static void test_chaos(void **state)
{
    (void)state;
    if (is_emulated())
        skip_because("too slow under emulation");
    static const char *const names[] = {"s6_10+exact", "vlv", "rattle@suzuki4", "gbs", "dop853"};
    const uint64_t steps = 40000;
    ph_lyapunov first = {0};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const ph_integrator i = integrator_of(names[k]);
        ph_lyapunov regular, chaotic;
        assert_int_equal(PH_OK,
                         ph_measure_lyapunov(&i, find_problem("well"), 0.05, steps, &regular));
        assert_true(fabs(regular.exponent) < regular.error && regular.error < 0.01);
        assert_int_equal(PH_OK,
                         ph_measure_lyapunov(&i, find_problem("generic"), 0.05, steps, &chaotic));
        assert_true(chaotic.exponent > 5 * chaotic.error);
        first = k == 0 ? chaotic : first;
        assert_true(fabs(chaotic.exponent - first.exponent) < 4 * (chaotic.error + first.error));
    }
}

static ph_lyapunov of_system(const char *problem, const char *integrator, double h, uint64_t steps)
{
    ph_system *s = NULL, *twin = NULL;
    ph_lyapunov found = {0};
    assert_int_equal(PH_OK, system_by_names(&s, problem, integrator, h));
    assert_int_equal(PH_OK, system_by_names(&twin, problem, integrator, h));
    assert_int_equal(PH_OK, ph_system_lyapunov(s, twin, steps, &found));
    ph_system_destroy(s);
    ph_system_destroy(twin);
    return found;
}

/* Other kinds of system; a method that leaves the tangent planes too. */
static void test_spheres(void **state)
{
    (void)state;
    const ph_lyapunov regular = of_system("pendulum", "rattle", 0.01, 20000),
                      chaotic = of_system("double_pendulum", "rattle", 0.01, 20000),
                      other = of_system("double_pendulum", "rkmk4", 0.01, 20000);
    const ph_lyapunov needles = of_system("magnets", "verlet+circle", 0.001, 20000);
    assert_true(needles.exponent > 5 * needles.error);
    assert_true(fabs(regular.exponent) < regular.error);
    assert_true(chaotic.exponent > 5 * chaotic.error);
    assert_true(other.exponent > 5 * other.error);
}

static void test_too_short(void **state)
{
    (void)state;
    const ph_integrator i = integrator_of("vlv");
    ph_lyapunov found;
    assert_int_equal(PH_TOO_FEW_STEPS,
                     ph_measure_lyapunov(&i, find_problem("well"), 0.05, 175, &found));
    assert_int_equal(PH_OK, ph_measure_lyapunov(&i, find_problem("well"), 0.05, 176, &found));
}

/* ---- at the time 0 ----------------------------------------------------------------- */

static ph_vec3 torque_at_0(const ph_problem *p, const ph_instant *now)
{
    const ph_vec3 right = find_problem("heavy_top")->torque(p, now);
    return now->t == 0.0 ? right : vec3(NAN, NAN, NAN);
}

/* A modified Hamiltonian is that of the torque at the time 0, whatever it is later. */
static void test_time_0(void **state)
{
    (void)state;
    ph_problem p = *find_problem("heavy_top");
    const ph_state s = ph_problem_start(&p);
    ph_integrator i;
    double energy[2][PH_TRUNCATIONS];
    assert_int_equal(PH_OK, ph_integrator_named("verlet+exact", &i));
    for (int k = 0; k < 2; k++) {
        assert_int_equal(PH_OK, ph_modified_energies(&i, &p, &s, 0.1, energy[k]));
        p.torque = torque_at_0;
    }
    assert_memory_equal(energy[0], energy[1], sizeof energy[0]);
    assert_true(energy[0][0] == ph_problem_energy(&p, 0.0, &s));
    assert_true(energy[0][1] != energy[0][0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_baker_campbell_hausdorff),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_truncations),
        cmocka_unit_test(test_bracket),
        cmocka_unit_test(test_inverse_series),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_middle_axis),
        cmocka_unit_test(test_chaos),
        cmocka_unit_test(test_spheres),
        cmocka_unit_test(test_too_short),
        cmocka_unit_test(test_time_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
