/* test_spheres_methods.c - methods on spheres: reference values, identities between them,
 * the lift, failures. */
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
#include "support/random.h"
#include "support/references.h"
#include "support/sphere_runs.h"
#include "system/find.h"

static const ph_spheres_problem *named(const char *name)
{
    const ph_spheres_problem *p = find_spheres_problem(name);
    assert_non_null(p);
    return p;
}

/* ---- reference values ------------------------------------------------------------ */

static void test_steps(void **state)
{
    (void)state;
    static const char *const methods[][2] = {{"ELN", "eln"},         {"RKMK4", "rkmk4"},
                                             {"RKMKGL4", "rkmkgl4"}, {"RATTLE", "rattle"},
                                             {"RATTLE", "llm"},      {"ELN", "verlet+circle"}};
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
        for (int n = 1; n <= 10; n += 9) {
            const sphere_reference r = sphere_steps_record(methods[k][0], n);
            sphere_run run = sphere_run_new(methods[k][1], r.problem);
            sphere_run_steps(&run, r.t / n, (uint64_t)n);
            const double error = sphere_reference_error(&r, run.q, run.w);
            if (!(error < 1e-14)) /* asked for: 2e-11 */
                fail_msg("%s, %d steps: off by %g", methods[k][1], n, error);
            sphere_run_free(&run);
        }
    }
}

/* 2e-9 for rkmkgl4 at h = 5e-4; the schemes, of order 6, to round-off. */
static void check_reference(const sphere_reference *r, void *context)
{
    static const struct {
        const char *name;
        double h, right;
    } by[] = {{"rkmkgl4", 5e-4, 2e-9}, {"rkmkgl6", 2e-3, 2e-9}, {"s6_10+circle", 1e-3, 5e-12}};
    (void)context;
    for (size_t k = 0; k < sizeof by / sizeof by[0]; k++) {
        ph_integrator i;
        assert_int_equal(PH_OK, ph_spheres_integrator_named(by[k].name, &i));
        if (!ph_spheres_applicable(&i, r->problem))
            continue;
        sphere_run run = sphere_run_new(by[k].name, r->problem);
        memcpy(run.q, r->q0, sizeof r->q0);
        memcpy(run.w, r->w0, sizeof r->w0);
        sphere_run_steps(&run, by[k].h, (uint64_t)round(r->t / by[k].h));
        const double error = sphere_reference_error(r, run.q, run.w);
        if (!(error < by[k].right))
            fail_msg("%s by %s: off by %g", r->id, by[k].name, error);
        sphere_run_free(&run);
    }
}

static void test_references(void **state)
{
    (void)state;
    sphere_references_each(check_reference, NULL);
}

/* O11 Figures 7.3, 7.6, 7.9: errors of q and w at T = 1 with h = 2^-9, Euclidean, within
 * a fifth of the values known. */
static double euclidean(int n, const ph_vec3 *a, const ph_vec3 *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += dot(sub(a[i], b[i]), sub(a[i], b[i]));
    return sqrt(sum);
}

static void check_errors(const sphere_reference *r, void *context)
{
    static const struct {
        const char *id, *method;
        double q, w;
    } known[] = {
        {"spherical_pendulum_t1", "eln", 1.7e-6, 6.1e-6},
        {"spherical_pendulum_t1", "rkmk4", 4.2e-12, 6.1e-12},
        {"spherical_pendulum_t1", "rkmkgl4", 3.9e-13, 1.1e-12},
        {"spherical_pendulum_t1", "rattle", 6.2e-6, 1.8e-5},
        {"double_pendulum_t1", "eln", 5.1e-5, 3.5e-4},
        {"double_pendulum_t1", "rkmk4", 9.0e-10, 1.0e-8},
        {"double_pendulum_t1", "rkmkgl4", 2.4e-10, 2.5e-9},
        {"double_pendulum_t1", "rattle", 1.3e-4, 5.3e-4},
        {"dipoles4x4_t1", "eln", 3.0e-4, 5.0e-3},
        {"dipoles4x4_t1", "rkmk4", 7.9e-8, 1.1e-6},
        {"dipoles4x4_t1", "rkmkgl4", 1.4e-8, 1.9e-7},
        {"dipoles4x4_t1", "rattle", 6.9e-4, 1.1e-2},
    };
    int *seen = context;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        if (strcmp(known[k].id, r->id) != 0)
            continue;
        sphere_run run = sphere_run_new(known[k].method, r->problem);
        sphere_run_steps(&run, 0x1p-9, 512);
        const double q = euclidean(r->n, run.q, r->q), w = euclidean(r->n, run.w, r->w);
        if (!(fabs(q / known[k].q - 1) < 0.2 && fabs(w / known[k].w - 1) < 0.2))
            fail_msg("%s by %s: errors %.2g and %.2g, known %.2g and %.2g", r->id, known[k].method,
                     q, w, known[k].q, known[k].w);
        sphere_run_free(&run);
        ++*seen;
    }
}

static void test_errors(void **state)
{
    (void)state;
    int seen = 0;
    sphere_references_each(check_errors, &seen);
    assert_int_equal(12, seen);
}

/* ---- identities ------------------------------------------------------------------ */

static double distance_after(const char *a, const char *b, const ph_spheres_problem *p, double h,
                             uint64_t steps)
{
    sphere_run x = sphere_run_new(a, p), y = sphere_run_new(b, p);
    sphere_run_steps(&x, h, steps);
    sphere_run_steps(&y, h, steps);
    const double distance = sphere_distance(&x, &y);
    sphere_run_free(&x);
    sphere_run_free(&y);
    return distance;
}

/* llm is rattle, its equations solved in other unknowns; eln with a diagonal mass matrix
 * is kick, great circle, kick. */
static void test_identities(void **state)
{
    (void)state;
    const ph_spheres_problem *const *all = sphere_trials();
    assert_true(distance_after("llm", "rattle", all[0], 0.01, 20) < 1e-12);
    assert_true(distance_after("llm", "rattle", all[1], 0.02, 50) < 1e-11);
    assert_true(distance_after("llm", "rattle", all[4], 0.02, 50) < 1e-11);
    assert_true(distance_after("eln", "verlet+circle", all[0], 0.01, 20) < 1e-12);
    assert_true(distance_after("eln", "rattle", all[0], 0.01, 20) > 1e-4);
}

/* O11 (7.1d) holds to round-off with a coupled mass matrix, at a long step. */
static void test_eln_equation(void **state)
{
    (void)state;
    const double h = 0.1;
    sphere_run r = sphere_run_new("eln", named("chain"));
    const sphere_run start = r;
    ph_vec3 before[SPHERE_RUN_MOST], after[SPHERE_RUN_MOST];
    assert_int_equal(PH_OK, ph_spheres_accelerations(r.s, r.q, r.w, before));
    assert_int_equal(PH_OK, ph_spheres_step(r.s, r.q, r.w, h));
    assert_int_equal(PH_OK, ph_spheres_accelerations(r.s, r.q, r.w, after));
    for (int i = 0; i < r.n; i++) {
        const ph_vec3 w = add(start.w[i], scale(0.5 * h, add(before[i], after[i])));
        assert_true(norm_max(sub(w, r.w[i])) < 1e-14);
    }
    sphere_run_free(&r);
}

/* The rotations of the steps, one after the other, take the start to the end; and where
 * they are not the smallest ones they turn about q as the method does. */
static void check_lift(const char *name, const ph_integrator *i, const ph_spheres_problem *p)
{
    (void)i;
    sphere_run r = sphere_run_new(name, p);
    const sphere_run start = r;
    ph_quat R[SPHERE_RUN_MOST], turn[SPHERE_RUN_MOST];
    for (int k = 0; k < r.n; k++)
        R[k] = (ph_quat){1, 0, 0, 0};
    for (int n = 0; n < 200; n++) {
        assert_int_equal(PH_OK, ph_spheres_step(r.s, r.q, r.w, 0.01 * sphere_moment(p)));
        ph_spheres_turns(r.s, turn);
        for (int k = 0; k < r.n; k++)
            R[k] = mul(turn[k], R[k]);
    }
    for (int k = 0; k < r.n; k++) {
        const double error = norm_max(sub(rotate(R[k], start.q[k]), r.q[k]));
        if (!(error < 1e-13))
            fail_msg("%s on %s: the lift of sphere %d is off by %g", name, p->name, k, error);
    }
    sphere_run_free(&r);
}

static void test_lift(void **state)
{
    (void)state;
    assert_true(sphere_each(sphere_trials(), check_lift) > 25);
}

/* O11 (6.7), the lifted equations of the pendulum, by the classical Runge-Kutta method in
 * the algebra, written down once more: R' = hat(W) R, W' = (g/l) k x (R q0). */
static void test_lifted_pendulum(void **state)
{
    (void)state;
    const double h = 0.01, a[4] = {0, 0.5, 0.5, 1}, b[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    sphere_run r = sphere_run_new("rkmk4", named("pendulum"));
    const ph_vec3 q0 = r.q[0], k = {0, 0, 1};
    ph_quat R = {1, 0, 0, 0};
    ph_vec3 W = r.w[0];
    for (int n = 0; n < 100; n++) {
        ph_vec3 u = {0, 0, 0}, V = W, turn = u, change = u;
        for (int stage = 0; stage < 4; stage++) {
            const ph_vec3 q = rotate(mul(ph_rotation_exp(u), R), q0), uV = cross(u, V);
            const ph_vec3 K = add(sub(V, scale(0.5, uV)), scale(1. / 12, cross(u, uV))),
                          A = scale(9.81 / 2, cross(k, q));
            turn = add(turn, scale(h * b[stage], K));
            change = add(change, scale(h * b[stage], A));
            if (stage < 3) {
                u = scale(h * a[stage + 1], K);
                V = add(W, scale(h * a[stage + 1], A));
            }
        }
        R = mul(ph_rotation_exp(turn), R);
        W = add(W, change);
    }
    sphere_run_steps(&r, h, 100);
    assert_true(norm_max(sub(rotate(R, q0), r.q[0])) < 1e-13);
    assert_true(norm_max(sub(W, r.w[0])) < 1e-13);
    sphere_run_free(&r);
}

/* ---- small steps, and masses of any size ------------------------------------------- */

/* No step is too small: the equations of an implicit one are solved in what changes. */
static void check_small_steps(const char *name, const ph_integrator *i, const ph_spheres_problem *p)
{
    (void)i;
    for (double part = 1e-2; part > 1e-12; part /= 10) {
        sphere_run r = sphere_run_new(name, p);
        const sphere_run start = r;
        sphere_run_steps(&r, part * sphere_moment(p), 10);
        const double moved = sphere_q_distance(&r, &start);
        if (!(moved < 100 * part)) /* some radians in that moment */
            fail_msg("%s on %s moves by %g in ten steps of %g", name, p->name, moved, part);
        sphere_run_free(&r);
    }
}

static void test_small_steps(void **state)
{
    (void)state;
    assert_true(sphere_each(sphere_trials(), check_small_steps) > 20);
}

/* A double pendulum with masses and lengths up to 12 decades apart. */
static ph_spheres_problem extreme_pendulum(uint64_t *seed)
{
    ph_spheres_problem p = *named("double_pendulum");
    for (int k = 0; k < 4; k++) /* two masses, two lengths */
        p.value[k] *= log_between(seed, 1e-6, 1e6);
    return p;
}

/* What is done stays on the spheres; and rattle does what llm, the same map, does. */
static void test_extreme_masses(void **state)
{
    (void)state;
    uint64_t seed = 5;
    int compared = 0;
    for (int k = 0; k < 2000; k++) {
        const ph_spheres_problem p = extreme_pendulum(&seed);
        ph_spheres *s;
        if (ph_spheres_create(&p, NULL, &s) != PH_OK)
            continue; /* a mass matrix that is singular to round-off */
        ph_spheres_destroy(s);
        const double h = log_between(&seed, 1e-6, 1.0) *
                         sqrt(smaller_or_nan(p.value[2], p.value[3]) / p.value[4]);
        sphere_run rattle = sphere_run_new("rattle", &p), llm = sphere_run_new("llm", &p);
        const ph_status status = ph_spheres_step(rattle.s, rattle.q, rattle.w, h),
                        other = ph_spheres_step(llm.s, llm.q, llm.w, h);
        if (status != PH_OK && other == PH_OK)
            fail_msg("rattle, masses %a %a, lengths %a %a, h %a: %s", p.value[0], p.value[1],
                     p.value[2], p.value[3], h, ph_status_text(status));
        const double length = ph_spheres_defect(2, rattle.q, rattle.w).length;
        if (!(length <= 4 * 0x1p-53))
            fail_msg("rattle, masses %a %a, lengths %a %a, h %a: |q| off by %g", p.value[0],
                     p.value[1], p.value[2], p.value[3], h, length);
        if (status == PH_OK && other == PH_OK) {
            const double *v = p.value; /* how far the mass matrix is from singular */
            const double condition = (1 + v[1] / v[0]) * (v[2] / v[3] + v[3] / v[2]);
            assert_true(sphere_q_distance(&rattle, &llm) < 64 * 0x1p-53 * condition);
            compared++;
        }
        sphere_run_free(&rattle);
        sphere_run_free(&llm);
    }
    assert_true(compared > 500);
}

/* ---- failures -------------------------------------------------------------------- */

/* Dipoles at h = 2^-4: no real multiplier, at a step that the run tells; the state is
 * that of the last good step. */
static void test_no_root(void **state)
{
    (void)state;
    static const char *const methods[] = {"rattle", "llm"};
    for (int k = 0; k < 2; k++) {
        sphere_run r = sphere_run_new(methods[k], named("magnets"));
        ph_system *s = sphere_system(&r, 0x1p-4);
        assert_int_equal(PH_NO_ROOT, ph_system_run(s, 16, NULL));
        const uint64_t taken = ph_system_steps(s);
        assert_in_range(taken, 1, 15);
        sphere_run_steps(&r, 0x1p-4, taken);
        assert_memory_equal(r.q, find_field(s, "q")->data[0], (size_t)r.n * sizeof *r.q);
        ph_system_destroy(s);
        sphere_run_free(&r);
        r = sphere_run_new(methods[k], named("double_pendulum"));
        assert_int_equal(PH_NO_ROOT, ph_spheres_step(r.s, r.q, r.w, 10.0));
        sphere_run_free(&r);
    }
}

/* A step that fails leaves the state alone; here no number comes out. */
static void check_failure(const char *name, const ph_integrator *i, const ph_spheres_problem *p)
{
    (void)i;
    sphere_run r = sphere_run_new(name, p);
    const sphere_run start = r;
    assert_int_equal(PH_BAD_STEP, ph_spheres_step(r.s, r.q, r.w, NAN));
    assert_true(sphere_distance(&r, &start) == 0.0);
    const ph_status status = ph_spheres_step(r.s, r.q, r.w, 1e200);
    if (status == PH_OK || sphere_distance(&r, &start) != 0.0)
        fail_msg("%s on %s: %s", name, p->name, ph_status_text(status));
    sphere_run_free(&r);
}

/* A method of one's own that leaves a velocity without bound. */
static ph_status runaway(const ph_method *method, ph_spheres *s, ph_vec3 *q, ph_vec3 *w, double h)
{
    (void)method;
    (void)h;
    memcpy(s->next_q, q, (size_t)s->n * sizeof *q);
    memcpy(s->next_w, w, (size_t)s->n * sizeof *w);
    s->next_w[s->n - 1].y = INFINITY;
    return ph_spheres_commit_step(s, q, w);
}

static void test_runaway(void **state)
{
    (void)state;
    const sphere_method by = {PH_SPHERES_SECOND_ORDER, runaway, NULL};
    const ph_method method = {.name = "runaway", .order = 1, .data = &by};
    const ph_integrator i = {.method = &method};
    ph_spheres *s = NULL;
    ph_vec3 q[2], w[2], q0[2], w0[2];
    assert_int_equal(PH_OK, ph_spheres_create(named("double_pendulum"), &i, &s));
    ph_spheres_start(s, q0, w0);
    ph_spheres_start(s, q, w);
    assert_int_equal(PH_NOT_FINITE, ph_spheres_step(s, q, w, 0.1));
    assert_memory_equal(q, q0, sizeof q);
    assert_memory_equal(w, w0, sizeof w);
    ph_spheres_destroy(s);
}

static double steep(const ph_spheres_problem *p, double *memory, const ph_vec3 *q,
                    ph_vec3 *gradient)
{
    (void)memory;
    (void)q;
    for (int i = 0; i < p->count(p); i++)
        gradient[i] = vec3(INFINITY, 0, 0);
    return 0.0;
}

/* An acceleration that is not finite is what a step fails by, and not an equation that is then not
 * solved. */
static void test_steep_potential(void **state)
{
    (void)state;
    static const char *const methods[] = {"eln", "rkmk4"};
    ph_spheres_problem p = *named("double_pendulum");
    p.potential = steep;
    for (size_t k = 0; k < 2; k++) {
        ph_integrator i;
        ph_spheres *s = NULL;
        ph_vec3 q[2], w[2], q0[2], w0[2];
        assert_int_equal(PH_OK, ph_spheres_integrator_named(methods[k], &i));
        assert_int_equal(PH_OK, ph_spheres_create(&p, &i, &s));
        ph_spheres_start(s, q0, w0);
        ph_spheres_start(s, q, w);
        assert_int_equal(PH_NOT_FINITE, ph_spheres_step(s, q, w, 0.1));
        assert_memory_equal(q, q0, sizeof q);
        assert_memory_equal(w, w0, sizeof w);
        ph_spheres_destroy(s);
    }
}

static void test_failures(void **state)
{
    (void)state;
    const ph_spheres_problem *const *all = sphere_trials();
    const ph_spheres_problem *some[] = {all[1], NULL};
    assert_true(sphere_each(some, check_failure) > 4);
    ph_spheres *s = NULL;
    const ph_integrator scheme = {.scheme = find_scheme("s6_10")},
                        eln = {.method = find_spheres_method("eln")};
    assert_int_equal(PH_NOT_APPLICABLE, ph_spheres_create(all[1], &scheme, &s));
    assert_int_equal(PH_NOT_APPLICABLE, ph_spheres_create(all[2], &eln, &s));
    const ph_integrator nystrom = {.scheme = find_scheme("nystrom4")};
    ph_spheres_problem p = *named("pendulum");
    p.hessian = NULL;
    assert_int_equal(PH_NOT_APPLICABLE, ph_spheres_create(&p, &nystrom, &s));
}

/* Symmetric and finite, but not positive. */
static double indefinite_mass(const ph_spheres_problem *p, int i, int j)
{
    (void)p;
    return i == j ? 1.0 : 2.0;
}

static double lopsided_mass(const ph_spheres_problem *p, int i, int j)
{
    (void)p;
    return i == j ? 3.0 : 0.5 * i;
}

static void test_bad_mass(void **state)
{
    (void)state;
    ph_spheres *s = NULL;
    ph_spheres_problem p = *named("double_pendulum");
    p.mass = indefinite_mass;
    assert_int_equal(PH_BAD_MASS, ph_spheres_create(&p, NULL, &s));
    p.mass = lopsided_mass;
    assert_int_equal(PH_BAD_MASS, ph_spheres_create(&p, NULL, &s));
    assert_null(s);
}

/* Schemes that need no second derivatives do not ask for them. */
static void test_without_hessian(void **state)
{
    (void)state;
    ph_spheres_problem p = *named("pendulum");
    ph_vec3 q[2], w[2];
    for (int with = 0; with < 2; with++) {
        ph_spheres *s = NULL;
        const ph_integrator i = {.scheme = find_scheme("s6_10")};
        p.hessian = with ? named("pendulum")->hessian : NULL;
        assert_int_equal(PH_OK, ph_spheres_create(&p, &i, &s));
        ph_spheres_start(s, &q[with], &w[with]);
        for (int k = 0; k < 5; k++)
            assert_int_equal(PH_OK, ph_spheres_step(s, &q[with], &w[with], 0.1));
        ph_spheres_destroy(s);
    }
    assert_memory_equal(&q[0], &q[1], sizeof q[0]);
    assert_memory_equal(&w[0], &w[1], sizeof w[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),           cmocka_unit_test(test_references),
        cmocka_unit_test(test_errors),          cmocka_unit_test(test_identities),
        cmocka_unit_test(test_eln_equation),    cmocka_unit_test(test_lift),
        cmocka_unit_test(test_lifted_pendulum), cmocka_unit_test(test_no_root),
        cmocka_unit_test(test_failures),        cmocka_unit_test(test_small_steps),
        cmocka_unit_test(test_extreme_masses),  cmocka_unit_test(test_runaway),
        cmocka_unit_test(test_without_hessian), cmocka_unit_test(test_bad_mass),
        cmocka_unit_test(test_steep_potential),
    };
    return cmocka_run_group_tests_name("methods on spheres", tests, NULL, NULL);
}
