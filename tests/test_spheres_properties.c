/* test_spheres_properties.c - methods on spheres: the order of each, and every property it
 * claims, on every kind of problem. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "kinds/spheres/spheres_list.h"
#include "kinds/spheres/workspace.h"
#include "motion/vec.h"
#include "support/claims.h"
#include "support/sphere_runs.h"
#include "support/sphere_tangent.h"
#include "system/find.h"

static const ph_spheres_problem *named(const char *name)
{
    const ph_spheres_problem *p = find_spheres_problem(name);
    assert_non_null(p);
    return p;
}

/* ---- orders and properties, over all integrators and problems -------------------- */

static void check_order(const char *name, const ph_integrator *i, const ph_spheres_problem *p)
{
    const double T = sphere_moment(p), resolved = 2e-12;
    sphere_run right = sphere_run_new("rkmkgl6", p);
    sphere_run_steps(&right, T / 1000, 1000);
    const uint64_t first = ph_integrator_order(i) > 4 ? 4 : 16; /* above round-off */
    double coarse = INFINITY, slope = 0.0;
    for (uint64_t steps = first; steps <= 1024; steps *= 2) {
        sphere_run r = sphere_run_new(name, p);
        sphere_run_steps(&r, T / (double)steps, steps);
        const double fine = sphere_distance(&r, &right);
        sphere_run_free(&r);
        if (!(fine > resolved * (1 + norm(right.w[0]))))
            break;
        slope = log2(coarse / fine);
        coarse = fine;
    }
    sphere_run_free(&right);
    if (!(fabs(slope - ph_integrator_order(i)) < 0.4))
        fail_msg("%s on %s: order %.2f", name, p->name, slope);
}

static void test_orders(void **state)
{
    (void)state;
    assert_true(sphere_each(sphere_trials(), check_order) > 25);
}

/* The whole step composed, where it is symmetric and of order 2. */
static int composed;

static void check_composed_order(const char *name, const ph_integrator *i,
                                 const ph_spheres_problem *p)
{
    char of_all[PH_INTEGRATOR_NAME], again[PH_INTEGRATOR_NAME];
    ph_integrator whole;
    (void)snprintf(of_all, sizeof of_all, "%s@suzuki4", name);
    const ph_status status = ph_spheres_integrator_named(of_all, &whole);
    if (ph_integrator_order(i) != 2 || !(ph_integrator_keeps(i) & PH_SYMMETRIC)) {
        assert_int_equal(PH_NOT_APPLICABLE, status);
        return;
    }
    assert_int_equal(PH_OK, status);
    assert_string_equal(of_all, ph_integrator_name(&whole, again));
    assert_int_equal(4, ph_integrator_order(&whole));
    check_order(of_all, &whole, p);
    composed++;
}

static void test_composed_orders(void **state)
{
    (void)state;
    composed = 0;
    (void)sphere_each(sphere_trials(), check_composed_order);
    assert_true(composed > 12);
}

/* Any tableau through the same loop: the midpoint, Heun's of order 3, the trapezoid; and
 * RKMK4 as O11 prints it, with 1/2 1/2 in row 2, which is of order 1. */
static const tableau TABLEAUS[] = {
    {.stages = 2, .a = {{0}, {0.5}}, .b = {0, 1}, .c = {0, 0.5}},
    {.stages = 3,
     .a = {{0}, {1.0 / 3}, {0, 2.0 / 3}},
     .b = {0.25, 0, 0.75},
     .c = {0, 1.0 / 3, 2.0 / 3}},
    {.stages = 2, .a = {{0}, {0.5, 0.5}}, .b = {0.5, 0.5}, .c = {0, 1}},
    {.stages = 4,
     .a = {{0}, {0.5, 0.5}, {0, 0.5}, {0, 0, 1}},
     .b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
     .c = {0, 0.5, 0.5, 1}},
};

static double tableau_error(const tableau *table, const ph_spheres_problem *p, uint64_t steps)
{
    const double T = sphere_moment(p);
    ph_method method = *find_spheres_method("rkmk4");
    sphere_method by = *sphere_method_of(&method);
    sphere_run right = sphere_run_new("rkmkgl6", p), r = sphere_run_new("rkmk4", p);
    by.data = table;
    method.data = &by;
    sphere_run_steps(&right, T / 1000, 1000);
    for (uint64_t n = 0; n < steps; n++)
        assert_int_equal(PH_OK, by.step(&method, r.s, r.q, r.w, T / (double)steps));
    const double error = sphere_distance(&r, &right);
    sphere_run_free(&r);
    sphere_run_free(&right);
    return error;
}

static void test_tableaus(void **state)
{
    (void)state;
    static const double orders[] = {2, 3, 2, 1};
    const ph_spheres_problem *const *all = sphere_trials();
    for (int k = 0; k < 4; k++) {
        for (int p = 0; p < 3; p++) {
            const double slope = log2(tableau_error(&TABLEAUS[k], all[p], 128) /
                                      tableau_error(&TABLEAUS[k], all[p], 256));
            if (!(fabs(slope - orders[k]) < 0.2))
                fail_msg("tableau %d on %s: order %.2f", k, all[p]->name, slope);
        }
    }
}

static measured_properties measured;

static void check_symmetry(const char *name, const ph_integrator *i, const ph_spheres_problem *p)
{
    const double h = 0.1 * sphere_moment(p);
    sphere_run r = sphere_run_new(name, p);
    const sphere_run start = r;
    sphere_run_steps(&r, h, 1);
    assert_int_equal(PH_OK, ph_spheres_step(r.s, r.q, r.w, -h));
    const double defect = sphere_distance(&r, &start) / (1 + norm(r.w[0]));
    check_property(&measured, name, p->name, ph_integrator_keeps(i),
                   (property_defects){PH_SYMMETRIC, defect, 2e-14, defect, 1e-13});
    sphere_run_free(&r);
}

static void test_symmetry(void **state)
{
    (void)state;
    const ph_spheres_problem *const *all = sphere_trials();
    const ph_spheres_problem *two[] = {all[0], all[1], NULL}; /* second order */
    assert_true(sphere_each(two, check_symmetry) > 10);
    const ph_spheres_problem *first[] = {all[2], NULL};
    assert_true(sphere_each(first, check_symmetry) > 3);
}

static void check_symplectic(const char *name, const ph_integrator *i, const ph_spheres_problem *p)
{
    sphere_run r = sphere_run_new(name, p);
    const double defect = sphere_symplectic_defect(&r, p, 0.1 * sphere_moment(p));
    const bool resolved = ph_integrator_order(i) < 6; /* else next to round-off */
    check_property(
        &measured, name, p->name, ph_integrator_keeps(i),
        (property_defects){PH_SYMPLECTIC, defect, 1e-11, resolved ? defect : INFINITY, 1e-10});
    sphere_run_free(&r);
}

/* eln on a diagonal mass matrix is verlet+circle, hence more than it claims. */
static void test_symplectic(void **state)
{
    (void)state;
    const ph_spheres_problem *const *all = sphere_trials();
    const ph_spheres_problem *some[] = {all[1], all[2], all[3], NULL};
    assert_true(sphere_each(some, check_symplectic) > 10);
    size_t count;
    const ph_scheme *const *schemes = ph_schemes(&count);
    for (size_t k = 0; k < count; k++) {
        char name[64];
        const ph_integrator i = {.scheme = schemes[k]};
        (void)snprintf(name, sizeof name, "%s+circle", schemes[k]->name);
        check_symplectic(name, &i, all[0]);
    }
}

/* The invariants of a problem over 400 steps. */
static void check_momentum(const char *name, const ph_integrator *i, const ph_spheres_problem *p)
{
    sphere_run r = sphere_run_new(name, p);
    double before[3], worst = 0.0;
    assert_true(p->invariant_count <= 3);
    for (int k = 0; k < p->invariant_count; k++)
        before[k] = ph_spheres_invariant_value(r.s, k, r.q, r.w);
    sphere_run_steps(&r, 0.02 * sphere_moment(p), 400);
    for (int k = 0; k < p->invariant_count; k++)
        worst =
            larger_or_nan(worst, fabs(ph_spheres_invariant_value(r.s, k, r.q, r.w) - before[k]));
    const bool resolved = ph_integrator_order(i) < 6;
    check_property(
        &measured, name, p->name, ph_integrator_keeps(i),
        (property_defects){PH_MOMENTUM, worst, 1e-12, resolved ? worst : INFINITY, 1e-12});
    sphere_run_free(&r);
}

static void test_momentum(void **state)
{
    (void)state;
    const ph_spheres_problem *const *all = sphere_trials();
    const ph_spheres_problem *some[] = {all[1], all[2], all[3], all[4], NULL};
    assert_true(sphere_each(some, check_momentum) > 12);
}

/* After the tests above: energy, casimir and the Poisson structure of momenta have none. */
static void check_only(const char *name, const ph_integrator *i, const ph_spheres_problem *p)
{
    (void)p;
    check_only_measured(&measured, name, ph_integrator_keeps(i));
}

static void test_only_measured(void **state)
{
    (void)state;
    assert_true(sphere_each(sphere_trials(), check_only) > 25);
}

/* On the pendulum eln and the schemes keep it too; here over the run of O11, 7.2.1. */
static void test_pendulum_momentum(void **state)
{
    (void)state;
    static const char *const methods[] = {"rattle", "llm"};
    static const char *const problems[] = {"pendulum", "double_pendulum"};
    for (int k = 0; k < 4; k++) {
        sphere_run r = sphere_run_new(methods[k % 2], named(problems[k / 2]));
        const double before = ph_spheres_invariant_value(r.s, 0, r.q, r.w);
        sphere_run_steps(&r, 0.01, 5000);
        assert_true(fabs(ph_spheres_invariant_value(r.s, 0, r.q, r.w) - before) < 1e-12);
        sphere_run_free(&r);
    }
}

/* Without a field all of the total spin is kept. */
static void test_total_spin(void **state)
{
    (void)state;
    const ph_spheres_problem p = sphere_problem_with("spins", "exchange", 0.7);
    ph_spheres_problem bare = p;
    bare.value[ph_spheres_problem_parameter(&p, "field")->first + 2] = 0.0;
    sphere_run r = sphere_run_new("spherical_midpoint", &bare);
    ph_vec3 before = {0, 0, 0}, after = before;
    for (int i = 0; i < r.n; i++)
        before = add(before, r.q[i]);
    sphere_run_steps(&r, 0.1, 2000);
    for (int i = 0; i < r.n; i++)
        after = add(after, r.q[i]);
    assert_true(norm_max(sub(after, before)) < 1e-12);
    sphere_run_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),        cmocka_unit_test(test_composed_orders),
        cmocka_unit_test(test_tableaus),      cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_symplectic),    cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_only_measured), cmocka_unit_test(test_pendulum_momentum),
        cmocka_unit_test(test_total_spin),
    };
    return cmocka_run_group_tests_name("properties on spheres", tests, NULL, NULL);
}
