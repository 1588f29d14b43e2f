/* test_water.c - rigid water: forces and torques as derivatives of the potential, its energy in a
 * box, shapes, times with units, and what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "molecules/system.h"
#include "rotation/vec.h"
#include "tests/support/run_tool.h"
#include "tests/support/thermal.h"

static double *value(ph_molecules_problem *p, const char *name)
{
    const ph_parameter *found = ph_molecules_problem_parameter(p, name);
    assert_non_null(found);
    return &p->value[found->first];
}

static ph_molecules *water(double molecules, double model)
{
    ph_molecules_problem p = *find_molecules_problem("water");
    ph_molecules *s = NULL;
    *value(&p, "molecules") = molecules;
    *value(&p, "model") = model;
    *value(&p, "noise") = 0.05;
    assert_int_equal(ph_molecules_from_problem(&p, &s), PH_OK);
    assert_int_equal(ph_molecules_prepare(s, NULL), PH_OK);
    return s;
}

static double potential(ph_molecules *s)
{
    assert_int_equal(ph_molecules_prepare(s, NULL), PH_OK);
    return ph_molecules_energies(s).potential;
}

/* Of all models, of some molecules. */
static void test_forces(void **state)
{
    (void)state;
    const double d = 1e-6;
    for (int model = 0; model < 3; model++) {
        ph_molecules *s = water(27, model);
        (void)potential(s);
        const double scale_of_forces = 1e3;
        for (size_t i = 0; i < s->n; i += 5) {
            for (int k = 0; k < 3; k++) {
                const double x = s->x[k][i], F = s->force[k][i], T = s->torque[k][i];
                s->x[k][i] = x + d;
                const double ahead = potential(s);
                s->x[k][i] = x - d;
                const double behind = potential(s);
                s->x[k][i] = x;
                assert_true(fabs(F + (ahead - behind) / (2 * d)) <
                            1e-4 * scale_of_forces);
                const ph_quat q = quat_at(s->q, i),
                              turn = ph_exp(scale(d, vec3(k == 0, k == 1, k == 2)));
                set_quat(s->q, i, mul(q, turn));
                const double on = potential(s);
                set_quat(s->q, i, mul(q, inverse(turn)));
                const double back = potential(s);
                set_quat(s->q, i, q);
                (void)potential(s);
                assert_true(fabs(T + (on - back) / (2 * d)) < 1e-4 * scale_of_forces);
            }
        }
        ph_molecules_destroy(s);
    }
}

/* Moments of SPC/E and the edge of the box, from masses and places of its sites. */
static void test_shape(void **state)
{
    (void)state;
    ph_molecules *s = water(216, 0);
    const double x = 0.1 * sin(54.735 * PH_PI / 180), z = 0.1 * cos(54.735 * PH_PI / 180),
                 H = 1.008, O = 15.9994, mass = O + 2 * H, reduced = 2 * H * O / mass;
    assert_true(fabs(s->mass[0] - mass) < 1e-12);
    assert_true(fabs(s->J[0][0] - reduced * z * z) < 1e-12);
    assert_true(fabs(s->J[2][0] - 2 * H * x * x) < 1e-12);
    assert_true(fabs(s->J[1][0] - s->J[0][0] - s->J[2][0]) < 1e-12);
    assert_true(fabs(s->box.x - 1.8644) < 1e-3);
    ph_molecules_destroy(s);
}

/* Without a thermostat the energy stays, with the square of the step. */
static void test_energy(void **state)
{
    (void)state;
    double change[2];
    for (int k = 0; k < 2; k++) {
        ph_molecules *s = water(27, 2);
        ph_integrator i;
        const double h = k == 0 ? 5e-4 : 2.5e-4, before = ph_molecules_energies(s).total;
        assert_int_equal(ph_integrator_named("verlet+exact", &i), PH_OK);
        change[k] = 0.0;
        for (int n = 0; n < (k + 1) * 40; n++) {
            assert_int_equal(ph_molecules_step(s, &i, h), PH_OK);
            change[k] =
                larger_or_nan(change[k], fabs(ph_molecules_energies(s).total - before));
        }
        ph_molecules_destroy(s);
    }
    assert_true(change[1] < 1.0 && change[0] / change[1] > 3.0);
}

#define WATER                                                                            \
    "run", "--problem", "water", "--method", "baoab+exact", "--set", "molecules=27"

/* A femtosecond is a thousandth of the unit of time. */
static void test_tool(void **state)
{
    (void)state;
    tool_run a = RUN(WATER, "--temperature", "300", "--seed", "2", "--set", "model=tip4p",
                     "--step", "1fs", "--time", "0.02ps", "--out", "-"),
             b = RUN(WATER, "--temperature", "300", "--seed", "2", "--set", "model=2",
                     "--step", "0.001", "--time", "0.02", "--out", "-");
    assert_done(&a);
    assert_string_equal(a.out, b.out);
    tool_run_free(&a);
    tool_run_free(&b);
    assert_refused(RUN(WATER, "--set", "model=tip9p", "--temperature", "300", "--step",
                       "1fs", "--time", "1fs"),
                   "tip9p");
    assert_refused(RUN(WATER, "--set", "model=3", "--temperature", "300", "--step", "1fs",
                       "--time", "1fs"),
                   "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces),
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_tool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
