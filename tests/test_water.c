/* test_water.c - rigid water: its potential by the formulas, forces and torques as derivatives of it,
 * the energy in a box, shapes, times with units, and what is refused. */
/* Needs extra, lab. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "kinds/molecules/system.h"
#include "motion/vec.h"
#include "support/molecules.h"
#include "support/quick.h"
#include "tests/support/run_tool.h"
#include "tests/support/thermal.h"

static double *value(ph_molecules_problem *p, const char *name)
{
    const ph_parameter *found = ph_molecules_problem_parameter(p, name);
    assert_non_null(found);
    return &p->value[found->first];
}

/* Some molecules of a model out of order, with a cut-off, 0: the usual one. */
static ph_molecules *water(double molecules, double model, double cutoff)
{
    ph_molecules_problem p = *find_molecules_problem("water");
    ph_molecules *s = NULL;
    *value(&p, "molecules") = molecules;
    *value(&p, "model") = model;
    *value(&p, "noise") = 0.05;
    *value(&p, "cutoff") = cutoff;
    assert_int_equal(ph_molecules_from_problem(&p, &s), PH_OK);
    assert_int_equal(ph_molecules_prepare(s, NULL), PH_OK);
    return s;
}

/* ---- the law -------------------------------------------------------------------------- */

enum { MODELS = 3 };

/* As packages of molecular dynamics have them, in kcal/mol and Angstrom but for SPC/E: LAMMPS,
 * doc/src/Howto_tip3p.rst and Howto_tip4p.rst; SPC/E: NIST, SPC/E water reference calculations. */
typedef struct published {
    double bond, angle, minus, charge, sigma, epsilon;
} published;
static const published PUBLISHED[MODELS] = {
    {0.1, 109.47, 0.0, 0.4238, 0.316555789, 78.19743111 * 0.00831446261815324},
    {0.09572, 104.52, 0.0, 0.417, 0.31507, 0.1521 * 4.184},
    {0.09572, 104.52, 0.015, 0.52, 0.31536, 0.1550 * 4.184},
};

/* Sites of molecule i: oxygen, hydrogens, the negative charge. */
static void sites_of(const ph_molecules *s, const published *m, size_t i, ph_vec3 out[4])
{
    const double half = 0.5 * m->angle * PH_PI / 180, along = m->bond * cos(half),
                 across = m->bond * sin(half), O = -along * 2 * 1.008 / (15.9994 + 2.016);
    const ph_vec3 at[4] = {vec3(0, 0, O), vec3(across, 0, O + along), vec3(-across, 0, O + along),
                           vec3(0, 0, O + m->minus)};
    for (int k = 0; k < 4; k++)
        out[k] = add(vec3_at(s->x, i), rotate(quat_at(s->q, i), at[k]));
}

/* The energy of two molecules, written down as in sites/water.c. */
static double pair_energy(const ph_molecules *s, const published *m, size_t i, size_t j)
{
    const double charge[4] = {0, m->charge, m->charge, -2 * m->charge}, c = s->cutoff,
                 k = 0.5 / (c * c * c), box = s->box.x;
    const ph_vec3 d = sub(vec3_at(s->x, i), vec3_at(s->x, j)),
                  image =
                      vec3(box * round(d.x / box), box * round(d.y / box), box * round(d.z / box));
    const double R = norm(sub(d, image)), least = 0.81 * c * c;
    ph_vec3 a[4], b[4];
    sites_of(s, m, i, a);
    sites_of(s, m, j, b);
    double V = 0;
    for (int n = 0; n < 16; n++) {
        const double r = norm(sub(sub(a[n / 4], b[n % 4]), image));
        V += 138.935458 * charge[n / 4] * charge[n % 4] * (1 / r + k * r * r);
        if (n == 0)
            V += 4 * m->epsilon * (pow(m->sigma / r, 12) - pow(m->sigma / r, 6));
    }
    const double y = R * R < least ? 0 : (R * R - least) / (c * c - least);
    return R >= c ? 0 : V * (1 - y * y * y * (10 - 15 * y + 6 * y * y));
}

/* In a box for cells and in one too small for them. TIP3P and TIP4P differ in the fifth digit of
 * sigma, as they were rounded by whoever wrote them down. */
static void test_potential(void **state)
{
    (void)state;
    for (int n = 0; n < 2 * MODELS; n++) {
        const published *m = &PUBLISHED[n % MODELS];
        ph_molecules *s = water(216, n % MODELS, n < MODELS ? 0 : 0.6);
        double V = 0, of_V = 0;
        for (size_t i = 0; i < s->n; i++) {
            for (size_t j = 0; j < i; j++) {
                const double one = pair_energy(s, m, i, j);
                V += one;
                of_V += fabs(one);
            }
        }
        assert_int_equal(work_of(s)->law.kind, n < MODELS ? PAIRS_IMAGES : PAIRS_CUT);
        assert_true(fabs(molecules_potential(s) - V) < (n % MODELS == 0 ? 1e-7 : 1e-4) * of_V);
        ph_molecules_destroy(s);
    }
}

/* Forces and torques are derivatives of the potential: of all models, in both kinds of box. */
static void test_forces(void **state)
{
    (void)state;
    for (int n = 0; n < 2 * MODELS; n++) {
        ph_molecules *s = water(216, n % MODELS, n < MODELS ? 0 : 0.6);
        assert_forces(s, is_quick() ? 200 : 50);
        ph_molecules_destroy(s);
    }
}

/* The pressure by the law of the ideal gas and the derivative of the potential by the volume: places
 * of molecules and the box grow together, attitudes stay. Of all models, in both kinds of box. */
static void test_pressure(void **state)
{
    (void)state;
    const double d = 1e-6, bar = 1e25 / 6.02214076e23;
    for (int n = 0; n < 2 * MODELS; n++) {
        ph_molecules *s = water(216, n % MODELS, n < MODELS ? 0.85 : 0.6);
        double V[2], kinetic = 0;
        for (size_t i = 0; i < s->n; i++) {
            for (int k = 0; k < 3; k++) {
                s->p[k][i] = (double)((i * 7 + (size_t)k) % 13) - 6;
                kinetic += s->p[k][i] * s->p[k][i] / 18.0154;
            }
        }
        const ph_vec3 box = s->box;
        const double found = ph_molecules_pressure(s);
        assert_int_equal(work_of(s)->law.kind, n < MODELS ? PAIRS_IMAGES : PAIRS_CUT);
        double before[3][216];
        for (int k = 0; k < 3; k++)
            memcpy(before[k], s->x[k], sizeof before[k]);
        for (int side = 0; side < 2; side++) {
            const double grown = 1 + (2 * side - 1) * d;
            s->box = scale(grown, box);
            for (size_t i = 0; i < s->n; i++) {
                for (int k = 0; k < 3; k++)
                    s->x[k][i] = grown * before[k][i];
            }
            V[side] = molecules_potential(s);
        }
        const double expected =
            bar * (kinetic - (V[1] - V[0]) / (2 * d)) / (3 * box.x * box.y * box.z);
        assert_true(fabs(expected) > 100 && fabs(found - expected) < 1e-3);
        ph_molecules_destroy(s);
    }
}

/* Moments of SPC/E and the edge of the box, from masses and places of its sites. */
static void test_shape(void **state)
{
    (void)state;
    ph_molecules *s = water(216, 0, 0);
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
        ph_molecules *s = water(27, 2, 0);
        ph_integrator i;
        const double h = k == 0 ? 5e-4 : 2.5e-4, before = ph_molecules_energies(s).total;
        assert_int_equal(ph_integrator_named("verlet+exact", &i), PH_OK);
        change[k] = 0.0;
        for (int n = 0; n < (k + 1) * 40; n++) {
            assert_int_equal(ph_molecules_step(s, &i, h), PH_OK);
            change[k] = larger_or_nan(change[k], fabs(ph_molecules_energies(s).total - before));
        }
        ph_molecules_destroy(s);
    }
    assert_true(change[1] < 1.0 && change[0] / change[1] > 3.0);
}

#define WATER "run", "--problem", "water", "--method", "baoab+exact", "--set", "molecules=27"

/* A femtosecond is a thousandth of the unit of time. */
static void test_tool(void **state)
{
    (void)state;
    tool_run a = RUN(WATER, "--temperature", "300", "--seed", "2", "--set", "model=tip4p", "--step",
                     "1fs", "--time", "0.02ps", "--out", "-"),
             b = RUN(WATER, "--temperature", "300", "--seed", "2", "--set", "model=2", "--step",
                     "0.001", "--time", "0.02", "--out", "-");
    assert_done(&a);
    assert_string_equal(a.out, b.out);
    tool_run_free(&a);
    tool_run_free(&b);
    assert_refused(RUN(WATER, "--set", "model=tip9p", "--temperature", "300", "--step", "1fs",
                       "--time", "1fs"),
                   "model=tip9p: write one of spce|tip3p|tip4p");
    assert_refused(
        RUN(WATER, "--set", "model=3", "--temperature", "300", "--step", "1fs", "--time", "1fs"),
        "model must be 0, 1 or 2");
    assert_refused(
        RUN(WATER, "--set", "noise=0.5", "--temperature", "300", "--step", "1fs", "--time", "1fs"),
        "counted from 0, overlap");
    assert_refused(
        RUN(WATER, "--set", "cutoff=1", "--temperature", "300", "--step", "1fs", "--time", "1fs"),
        "box 0.932225, 0.932225, 0.932225 with cutoff 1 ");
    a = RUN(WATER, "--set", "box=3,3,3", "--temperature", "300", "--seed", "1", "--step", "1fs",
            "--time", "1fs");
    assert_int_equal(a.status, 0);
    assert_non_null(strstr(a.error, "box has no effect with water, whose number of molecules and"));
    tool_run_free(&a);
    assert_refused(RUN(WATER, "--temperature", "300", "--step", "1fs", "--time", "30fs", "--rdf",
                       "/tmp/none.csv"),
                   "--rdf needs at least 31 steps");
    assert_refused(RUN(WATER, "--temperature", "300", "--seed", "1", "--step", "1fs", "--time",
                       "64fs", "--rdf", "/tmp/none.csv", "--checkpoint", "/tmp/none.snapshot"),
                   "--rdf cannot be used with --checkpoint");
    assert_refused(RUN("run", "--problem", "dipolar_spheres", "--step", "0.01", "--time", "1",
                       "--set", "lattice=2", "--rdf", "/tmp/none.csv"),
                   "--rdf needs several molecules in a periodic box");
    assert_refused(
        RUN("run", "--problem", "free", "--step", "0.01", "--time", "1", "--rdf", "/tmp/none.csv"),
        "--rdf needs several molecules in a periodic box");
}

/* The model determines mass, moments and dipole: lists that say something else are refused. */
static void test_other_model(void **state)
{
    (void)state;
    static const double waters = 8.0;
    for (int model = 0; model < 3; model++) {
        const double number = model;
        const ph_setting own[] = {{"molecules", &waters, 1}, {"model", &number, 1}};
        const ph_system_settings with = {"water", .integrator = "verlet+exact", .step = 0.001,
                                         .settings = own, .setting_count = 2};
        ph_system *s = NULL;
        const ph_array *J;
        assert_int_equal(PH_OK, ph_system_create(&with, &s));
        assert_int_equal(PH_OK, ph_system_array_named(s, "inertias", &J));
        const double inertia[3] = {J->data[0][0], J->data[1][0], J->data[2][0]};
        ph_system_destroy(s);
        for (int other = 0; other < 3; other++) {
            const double name = other;
            ph_message wrong = {0};
            const ph_setting given[] = {
                {"molecules", &waters, 1}, {"model", &name, 1}, {"inertia", inertia, 3}};
            const ph_system_settings mixed = {
                "water",           .integrator = "verlet+exact", .step = 0.001,
                .settings = given, .setting_count = 3,           .message = &wrong};
            const bool same = (model == 0) == (other == 0); /* TIP3P and TIP4P have one shape */
            const ph_status status = ph_system_create(&mixed, &s);
            assert_int_equal(same ? PH_OK : PH_BAD_STATE, status);
            if (same)
                ph_system_destroy(s);
            else
                assert_non_null(strstr(wrong.text, "inertia of body 0, counted from 0, differ"));
        }
        for (int k = 0; k < 4; k++) { /* a thousandth of the largest is allowed */
            const double largest = larger_or_nan(inertia[0], larger_or_nan(inertia[1], inertia[2])),
                         off = (k % 2 == 0 ? 1.0 : -1.0) * (k < 2 ? 0.99e-3 : 1.01e-3) * largest,
                         rounded[3] = {inertia[0] + off, inertia[1], inertia[2]};
            const ph_setting given[] = {
                {"molecules", &waters, 1}, {"model", &number, 1}, {"inertia", rounded, 3}};
            const ph_system_settings near = {"water", .integrator = "verlet+exact", .step = 0.001,
                                             .settings = given, .setting_count = 3};
            assert_int_equal(k < 2 ? PH_OK : PH_BAD_STATE, ph_system_create(&near, &s));
            if (k < 2)
                ph_system_destroy(s);
        }
    }
}

#define ENSEMBLE                                                                                   \
    "check", "--ensemble", "baoab+exact", "--problem", "water", "--temperature", "300", "--step",  \
        "4fs"

/* Parameters and the number of steps of a measurement. */
static void test_ensemble(void **state)
{
    (void)state;
    tool_run a =
        RUN(ENSEMBLE, "--set", "molecules=8", "--set", "model=tip4p", "--samples", "100", "--json");
    assert_int_equal(a.status, 1); /* it is too short to have the temperature */
    assert_non_null(strstr(a.out, "\"samples\": 100"));
    assert_non_null(strstr(a.out, "\"step\": 0.0030000000000000001"));
    tool_run_free(&a);
    assert_refused(RUN(ENSEMBLE, "--set", "molecules=0"), "molecules is 0");
    assert_refused(RUN(ENSEMBLE, "--set", "density=3s"), "cannot have a unit");
    assert_refused(RUN(ENSEMBLE, "--samples", "-1"), "--samples -1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_potential),   cmocka_unit_test(test_forces),
        cmocka_unit_test(test_pressure),    cmocka_unit_test(test_shape),
        cmocka_unit_test(test_energy),      cmocka_unit_test(test_tool),
        cmocka_unit_test(test_other_model), cmocka_unit_test(test_ensemble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
