/* test_golden_measure.c - what is measured of integrators, against the bits it gave before:
 * modified Hamiltonians, structures, orders, trends, Lyapunov exponents, sheets. Written
 * anew by
 *
 *     build/tests/test_golden_measure write >tests/vectors/golden_measure.txt
 */
/* Needs kinds. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "lab/measure/common.h"
#include "lab/measure/properties.h"
#include "motion/vec.h"
#include "polhode/system.h"
#include "support/generic.h"
#include "support/golden.h"
#include "support/random.h"
#include "support/stepping.h"
#include "system/find.h"

/* An undecided verdict is the number 2 in the file. */
static double verdict_number(ph_energy_kind verdict)
{
    return verdict == PH_ENERGY_UNDECIDED ? 2 : verdict;
}

/* ---- modified equations ------------------------------------------------------------ */

static void check_modified(const char *name)
{
    const ph_integrator i = integrator_of(name);
    const ph_problem *p = i.scheme != NULL ? &ph_problem_generic : &free_problem;
    const ph_state s = ph_problem_start(p);
    checksum c = {0};
    for (double h = 0.05; h < 1.0; h *= 3) {
        double energy[PH_TRUNCATIONS] = {0};
        take(&c, ph_modified_energies(&i, p, &s, h, energy));
        for (int k = 0; k < PH_TRUNCATIONS; k++)
            take(&c, energy[k]);
        ph_state parts = s;
        take(&c, ph_splitting_by_parts(&i, p, &parts, h));
        take_state(&c, &parts);
    }
    golden(&c, "modified Hamiltonian of %s", name);
}

static void test_modified(void **state)
{
    (void)state;
    static const char *const names[] = {"exact",
                                        "mr",
                                        "sr2",
                                        "sr4",
                                        "sr6",
                                        "mr:suzuki4",
                                        "sr2@yoshida4",
                                        "mr:yoshida6",
                                        "verlet+exact",
                                        "verlet_drift+exact",
                                        "verlet+sr2",
                                        "s4_6+exact",
                                        "srkn4_6b+mr",
                                        "nystrom4+exact",
                                        "verlet+exact@suzuki4",
                                        "vlv",
                                        "verlet+dmv2"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        check_modified(names[k]);
}

static void take_modified_sheet(checksum *c, const char *name)
{
    const ph_integrator i = integrator_of(name);
    ph_modified_measurement s = {0};
    take(c, ph_measure_modified(&i, &s));
    take(c, s.motion + 2 * s.bracket);
    take(c, s.time);
    for (int n = 0; n < PH_TRUNCATIONS; n++) {
        take(c, s.slope[n]);
        take(c, s.bracket_slope[n]);
        for (int k = 0; k < PH_MODIFIED_STEPS; k++) {
            take(c, s.h[k]);
            take(c, s.error[n][k]);
            take(c, s.bracket_defect[n][k]);
        }
    }
}

static void test_backward(void **state)
{
    (void)state;
    static const char *const names[] = {"dmv2", "imr2", "sr2"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        checksum c = {0};
        take_modified_sheet(&c, names[k]);
        golden(&c, "modified sheet of %s", names[k]);
    }
    uint64_t seed = 1;
    checksum c = {0};
    for (int k = 0; k < 60; k++) {
        const modified_equation equation = k % 2 ? MODIFIED_DMV : MODIFIED_IMR;
        const ph_vec3 J = random_vector(&seed, 0.5, 2.0);
        double x[2];
        draw_each(&seed, -2.0, 2.0, 2, x);
        const ph_vec3 m = {x[0], x[1], 1.0};
        const double h = between(&seed, 0.05, 0.5);
        const int powers = k / 2 % 3;
        const modified_terms t = ph_modified_terms(equation, J, m, powers, h);
        take_vector(&c, vec3(t.value, t.s, t.d));
        const modified_motion motion = {equation, J, h, powers};
        ph_state s = {{1, 0, 0, 0}, m};
        ph_modified_run(&motion, &s, 0.7);
        take_state(&c, &s);
    }
    golden(&c, "modified equations");
}

/* exp and log of series in words, with coefficients of every size. */
static void test_words(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int letters = 1; letters <= BCH_LETTERS; letters++) {
        bch_series a = {.letters = letters}, e, l;
        const size_t count = ph_bch_begin(&a, BCH_DEGREE + 1);
        checksum c = {0};
        for (size_t k = 1; k < count; k++)
            a.of[k] = between(&seed, -1.0, 1.0);
        ph_bch_exp(&e, &a);
        ph_bch_multiply(&e, &e);
        ph_bch_log(&l, &e);
        for (size_t k = 0; k < count; k++) {
            take(&c, e.of[k]);
            take(&c, l.of[k]);
        }
        golden(&c, "words of %d letters", letters);
    }
}

/* What problems are compared with, and their end by it. */
static void test_references(void **state)
{
    (void)state;
    size_t count;
    const ph_problem *const *problems = ph_problems(&count);
    for (size_t k = 0; k < count; k++) {
        checksum c = {0};
        ph_state s = ph_problem_start(problems[k]);
        take_text(&c, ph_reference_integrator(problems[k]));
        take(&c, ph_reference_solution(problems[k], 0.1, &s));
        take_state(&c, &s);
        golden(&c, "reference of %s", problems[k]->name);
    }
}

/* ---- steps and runs ---------------------------------------------------------------- */

static void take_structure(checksum *c, const ph_integrator *i, const ph_problem *p)
{
    const ph_state s = ph_problem_start(p);
    ph_structure_defects d = {0};
    double x = 0.0, y = 0.0;
    take(c, ph_measure_structure(i, p, &s, 0.3, &d));
    take(c, d.symplectic);
    take(c, d.poisson);
    take(c, ph_symmetry_defect(i, p, &s, 0.3, &x));
    take(c, ph_reversal_defect(i, p, &s, 0.3, &y));
    take(c, x);
    take(c, y);
}

static void take_runs(checksum *c, const ph_integrator *i, const ph_problem *p)
{
    ph_invariant_errors e = {0};
    ph_trend t = {0};
    ph_lyapunov l = {0};
    double error = 0.0, slope = 0.0, coarsest = 0.0;
    take(c, ph_measure_invariants(i, p, 0.2, 50, &e));
    take_vector(c, vec3(e.energy, e.momentum, e.vertical));
    take_vector(c, vec3(e.casimir, e.unit, (double)e.taken));
    for (uint64_t steps = 19; steps < 100; steps += 40) {
        take(c, ph_energy_trend(i, p, 0.2, steps, &t));
        take_vector(c, vec3(t.h, t.initial, t.max_error));
        take_vector(c, vec3(t.slope, t.standard_error, (double)t.taken));
        take(c, t.drifts + 2 * t.exceeds_tenth);
    }
    take(c, ph_measure_lyapunov(i, p, 0.1, 400, &l));
    take_vector(c, vec3(l.exponent, l.error, l.time));
    take(c, ph_error_after(i, p, 1.0, 7, &error));
    take(c, ph_order_slope(i, p, 1.0, &slope, &coarsest));
    take_vector(c, vec3(error, slope, coarsest));
    if (p->torque != NULL)
        take(c, ph_stable_step(i, p, 100));
}

static void test_runs(void **state)
{
    (void)state;
    static const char *const names[] = {
        "vlv",    "imid",          "lie_euler_forward", "verlet+mr", "crouch_grossman3",
        "dop853", "nystrom4+exact"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const ph_integrator i = integrator_of(names[k]);
        checksum c = {0};
        take_structure(&c, &i, &ph_problem_generic);
        take_structure(&c, &i, &free_problem);
        take_runs(&c, &i, &ph_problem_generic);
        take_runs(&c, &i, find_problem("well"));
        take_runs(&c, &i, &free_problem);
        golden(&c, "steps and runs of %s", names[k]);
    }
    static const char *const flows[] = {"exact", "mr", "dmv2", "imr2", "jem4"};
    for (size_t k = 0; k < sizeof flows / sizeof flows[0]; k++) {
        const ph_integrator i = integrator_of(flows[k]);
        checksum c = {0};
        take_structure(&c, &i, &free_problem);
        take_runs(&c, &i, &free_problem);
        golden(&c, "steps and runs of %s", flows[k]);
    }
}

static void test_lyapunov_of_systems(void **state)
{
    (void)state;
    static const char *const runs[][2] = {
        {"double_pendulum", "rattle"}, {"magnets", "verlet+circle"}, {"pendulum", "rkmk4"}};
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        ph_system *s = NULL, *twin = NULL;
        ph_lyapunov l = {0};
        checksum c = {0};
        assert_int_equal(PH_OK, system_by_names(&s, runs[k][0], runs[k][1], 0.005));
        assert_int_equal(PH_OK, system_by_names(&twin, runs[k][0], runs[k][1], 0.005));
        take(&c, ph_system_lyapunov(s, twin, 300, &l));
        take_vector(&c, vec3(l.exponent, l.error, l.time));
        ph_system_destroy(s);
        ph_system_destroy(twin);
        golden(&c, "Lyapunov exponent of %s", runs[k][0]);
    }
}

/* What drifts is seen to in three segments, within so many torques. */
static void test_verdicts(void **state)
{
    (void)state;
    static const char *const names[] = {"mcg", "eln", "bbtrapwd", "tln", "vlv", "rk4", "mr"};
    const uint64_t torques = 100000;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const ph_integrator i = integrator_of(names[k]);
        const ph_energy_test t = ph_energy_verdict(&i, torques);
        checksum c = {0};
        take_vector(&c, vec3(verdict_number(t.verdict), t.slope, t.standard_error));
        take(&c, t.kinetic);
        take(&c, t.horizon);
        golden(&c, "verdict on %s in the field %s", names[k], t.problem);
    }
}

static void test_line(void **state)
{
    (void)state;
    uint64_t seed = 3;
    checksum c = {0};
    for (int count = 3; count < 30; count++) {
        double x[30], y[30];
        for (int k = 0; k < count; k++) {
            x[k] = k + uniform(&seed);
            y[k] = between(&seed, -1.0, 1.0) + 0.1 * x[k];
        }
        const regression_line line = ph_regression(x, y, count);
        take(&c, line.slope);
        take(&c, line.standard_error);
    }
    golden(&c, "lines");
}

/* ---- sheets ------------------------------------------------------------------------ */

static void take_properties(checksum *c, const ph_properties *p)
{
    take(c, p->applies);
    if (!p->applies)
        return;
    take(c, ph_properties_keep(p));
    take(c, p->symmetric + 3 * p->reversible + 9 * p->symplectic + 27 * p->momentum);
    take(c, (int)p->poisson + 3 * (int)p->casimir + 9 * (int)p->energy);
    take_vector(c, vec3(p->symmetry_defect, p->reversal_defect, p->symplectic_defect));
    take_vector(c, vec3(p->poisson_defect, p->step_error, p->momentum_error));
    take_vector(c, vec3(p->energy_error[0], p->energy_error[1], p->casimir_error));
}

static void check_sheet(const char *name, const ph_measure_settings *by)
{
    const ph_integrator i = integrator_of(name);
    ph_measurement s;
    checksum c = {0};
    assert_true(ph_measure(&i, by, &s));
    take(&c, s.order);
    take(&c, s.exact + 2 * s.candidate);
    take(&c, s.unit_error);
    take_properties(&c, &s.free);
    take_properties(&c, &s.field);
    for (int k = 0; s.field.applies && k < 2; k++) {
        take_vector(&c, vec3(s.drift[k].slope, s.drift[k].standard_error, s.drift[k].max_error));
        take(&c, s.drift[k].drifts + 2 * s.drift[k].exceeds_tenth);
    }
    if (s.field.applies) {
        take_vector(&c, vec3(verdict_number(s.test.verdict), s.test.slope, s.test.standard_error));
        take_vector(&c, vec3(s.test.kinetic, s.test.horizon, s.stable_step));
        take(&c, (double)strlen(s.test.problem));
        take(&c, s.torques);
    }
    for (unsigned claimed = 1; claimed <= PH_KEEPS_ALL; claimed *= 2) {
        take(&c, ph_measurement_mismatches(&s, true, claimed));
        take(&c, ph_measurement_mismatches(&s, false, claimed));
    }
    golden(&c, "sheet of %s", name);
}

static void test_sheets(void **state)
{
    (void)state;
    static const char *const names[] = {
        "exact", "mr", "dmv2", "imr2", "jem2", "trap", "rattle", "verlet_drift+exact", "mkrk_gl4"};
    const ph_measure_settings few = {
        .states = 2, .steps = 100, .drift_time = 40.0, .drift_torques = 40000, .stable_steps = 60};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        check_sheet(names[k], &few);
    size_t count;
    const ph_adaptive *const *adaptives = ph_adaptives(&count);
    const ph_measure_settings fewer = {
        .states = 1, .steps = 20, .drift_time = 10.0, .drift_torques = 3000, .stable_steps = 20};
    for (size_t k = 0; k < count; k++)
        check_sheet(adaptives[k]->name, &fewer);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modified), cmocka_unit_test(test_backward),
        cmocka_unit_test(test_words),    cmocka_unit_test(test_references),
        cmocka_unit_test(test_runs),     cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_line),     cmocka_unit_test(test_lyapunov_of_systems),
        cmocka_unit_test(test_sheets),
    };
    return golden_main(argc, argv, "golden_measure.txt", tests, sizeof tests / sizeof tests[0]);
}
