/* test_spheres_problems.c - problems on spheres: gradients by differences, accelerations
 * against the equation of motion, what is known in closed form, what was printed wrong,
 * bad input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "kinds/spheres/spheres_list.h"
#include "motion/vec.h"
#include "support/page.h"
#include "support/parameters.h"
#include "support/random.h"
#include "support/references.h"
#include "support/sphere_runs.h"
#include "system/find.h"

static ph_vec3 random_unit(uint64_t *seed)
{
    for (;;) {
        const double x = between(seed, -1, 1), y = between(seed, -1, 1);
        const ph_vec3 v = {x, y, between(seed, -1, 1)};
        if (norm(v) > 0.1 && norm(v) < 1.0)
            return scale(1.0 / norm(v), v);
    }
}

/* Any configuration. */
static void scatter(sphere_run *r, uint64_t *seed)
{
    for (int i = 0; i < r->n; i++) {
        r->q[i] = random_unit(seed);
        r->w[i] = scale(2.0, cross(r->q[i], random_unit(seed)));
    }
}

static void each_problem(void (*test)(const ph_spheres_problem *p))
{
    size_t count;
    const ph_spheres_problem *const *problems = ph_spheres_problems(&count);
    assert_true(count >= 6);
    for (size_t i = 0; i < count; i++)
        test(problems[i]);
}

/* Some integrator that can do the problem. */
static sphere_run any_run(const ph_spheres_problem *p)
{
    return sphere_run_new("rkmk4", p);
}

/* ---- the catalog ----------------------------------------------------------------- */

static void check_descriptor(const ph_spheres_problem *p)
{
    assert_null(ph_spheres_problem_parameter(p, "no such parameter"));
    assert_int_equal(p->angular_velocity == NULL, p->mass != NULL);
    check_parameters(p->name, p->parameters, p->parameter_count);
    for (int i = 0; i < p->parameter_count; i++)
        assert_ptr_equal(&p->parameters[i], ph_spheres_problem_parameter(p, p->parameters[i].name));
    sphere_run r = any_run(p);
    const ph_spheres_defects d = ph_spheres_defect(r.n, r.q, r.w);
    if (!(d.length < 1e-15 && d.orthogonality < 1e-15))
        fail_msg("%s starts off its spheres: %g, %g", p->name, d.length, d.orthogonality);
    sphere_run_free(&r);
}

static void test_catalog(void **state)
{
    (void)state;
    each_problem(check_descriptor);
}

/* ---- derivatives by differences -------------------------------------------------- */

/* dV along a direction x of the ambient space against the gradient, and the change of
 * the gradient against the hessian; V is smooth there. */
static void check_gradient(const ph_spheres_problem *p)
{
    if (p->angular_velocity != NULL)
        return;
    sphere_run r = any_run(p);
    uint64_t seed = 1;
    double *memory = calloc(1 + (p->memory_size ? p->memory_size(p) : 0), sizeof *memory);
    assert_non_null(memory);
    if (p->fill)
        p->fill(p, memory);
    for (int n = 0; n < 50; n++) {
        ph_vec3 x[SPHERE_RUN_MOST], gradient[SPHERE_RUN_MOST], moved[SPHERE_RUN_MOST],
            there[2][SPHERE_RUN_MOST];
        double V[2], claimed = 0.0, size = 0.0;
        const double d = 1e-4;
        scatter(&r, &seed);
        for (int i = 0; i < r.n; i++)
            x[i] = random_unit(&seed);
        (void)p->potential(p, memory, r.q, gradient);
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < r.n; i++)
                moved[i] = add(r.q[i], scale(side ? d : -d, x[i]));
            V[side] = p->potential(p, memory, moved, there[side]);
        }
        for (int i = 0; i < r.n; i++) {
            claimed += dot(gradient[i], x[i]);
            size += norm(gradient[i]);
        }
        if (!(fabs((V[1] - V[0]) / (2 * d) - claimed) < 1e-9 * size))
            fail_msg("%s: dV is %g, the gradient says %g", p->name, (V[1] - V[0]) / (2 * d),
                     claimed);
        if (p->hessian == NULL)
            continue;
        p->hessian(p, memory, r.q, x, moved);
        for (int i = 0; i < r.n; i++) {
            const ph_vec3 change = scale(0.5 / d, sub(there[1][i], there[0][i]));
            assert_true(norm_max(sub(change, moved[i])) < 1e-9 * size);
        }
    }
    free(memory);
    sphere_run_free(&r);
}

/* A first-order flow without damping keeps its energy: dE along g x q is zero. */
static void check_flow(const ph_spheres_problem *p)
{
    if (p->angular_velocity == NULL)
        return;
    sphere_run r = any_run(p), back = any_run(p), ahead = any_run(p);
    uint64_t seed = 2;
    for (int n = 0; n < 50; n++) {
        const double d = 1e-4;
        double speed = 0.0;
        scatter(&r, &seed);
        assert_int_equal(PH_OK, ph_spheres_accelerations(r.s, r.q, NULL, r.w));
        for (int i = 0; i < r.n; i++) {
            ahead.q[i] = rotate(ph_rotation_exp(scale(d, r.w[i])), r.q[i]);
            back.q[i] = rotate(ph_rotation_exp(scale(-d, r.w[i])), r.q[i]);
            speed += norm(r.w[i]);
        }
        const double change =
            ph_spheres_energy(r.s, ahead.q, r.w) - ph_spheres_energy(r.s, back.q, r.w);
        if (!(fabs(change) / (2 * d) < 1e-4 * speed * speed * speed * d))
            fail_msg("%s: the energy changes at the rate %g", p->name, change / (2 * d));
    }
    sphere_run_free(&r);
    sphere_run_free(&back);
    sphere_run_free(&ahead);
}

/* G_i g_i is the gradient of the energy of vortices, and -g_i that of spins, but for the
 * part along q_i. */
static void check_energy(const char *name, double sign)
{
    const ph_spheres_problem p = strcmp(name, "vortices") == 0
                                     ? sphere_problem_with(name, "ratio", -0.7)
                                     : sphere_problem_with(name, "exchange", 0.6);
    sphere_run r = any_run(&p);
    uint64_t seed = 7;
    ph_vec3 g[SPHERE_RUN_MOST];
    double strength = 1.0;
    scatter(&r, &seed);
    assert_int_equal(PH_OK, ph_spheres_accelerations(r.s, r.q, NULL, g));
    for (int i = 0; i < r.n; i++) {
        const ph_vec3 q = r.q[i], axis = random_unit(&seed);
        const double d = 1e-5;
        r.q[i] = rotate(ph_rotation_exp(scale(d, axis)), q);
        const double ahead = ph_spheres_energy(r.s, r.q, g);
        r.q[i] = rotate(ph_rotation_exp(scale(-d, axis)), q);
        const double slope = (ahead - ph_spheres_energy(r.s, r.q, g)) / (2 * d);
        r.q[i] = q;
        const double claimed = sign * strength * dot(g[i], cross(axis, q));
        if (!(fabs(slope - claimed) < 1e-7 * (1 + norm(g[i]))))
            fail_msg("%s: dE is %g, g says %g", name, slope, claimed);
        strength *= strcmp(name, "vortices") == 0 ? -0.7 : 1.0;
    }
    sphere_run_free(&r);
}

static void test_energies(void **state)
{
    (void)state;
    check_energy("vortices", 1.0);
    check_energy("spins", -1.0);
}

static void test_derivatives(void **state)
{
    (void)state;
    each_problem(check_gradient);
    each_problem(check_flow);
}

/* ---- accelerations --------------------------------------------------------------- */

/* O11 (6.5b) as corrected, to round-off; as printed, with w_j for w_j', it is far off. */
static void check_motion(const ph_spheres_problem *p)
{
    sphere_run r = any_run(p);
    uint64_t seed = 3;
    double *memory = calloc(1 + (p->memory_size ? p->memory_size(p) : 0), sizeof *memory);
    assert_non_null(memory);
    if (p->fill)
        p->fill(p, memory);
    for (int n = 0; n < 20; n++) {
        ph_vec3 a[SPHERE_RUN_MOST], V[SPHERE_RUN_MOST];
        double printed = 0.0;
        scatter(&r, &seed);
        (void)p->potential(p, memory, r.q, V);
        assert_int_equal(PH_OK, ph_spheres_accelerations(r.s, r.q, r.w, a));
        for (int i = 0; i < r.n; i++) {
            ph_vec3 sum = scale(-1.0, cross(r.q[i], V[i])), wrong = sum;
            double size = norm(sum);
            for (int j = 0; j < r.n; j++) {
                const double M = p->mass(p, i, j);
                if (j == i)
                    continue;
                const ph_vec3 second = scale(M * dot(r.w[j], r.w[j]), cross(r.q[i], r.q[j]));
                const ph_vec3 first = scale(M, cross(r.q[i], cross(r.q[j], a[j])));
                sum = add(sum, add(first, second));
                wrong = add(wrong, scale(M, cross(r.q[i], cross(r.q[j], r.w[j]))));
                size += norm(first) + norm(second);
            }
            const ph_vec3 left = scale(p->mass(p, i, i), a[i]);
            assert_true(norm_max(sub(left, sum)) < 1e-13 * (size + norm(left)));
            assert_true(fabs(dot(r.q[i], a[i])) < 1e-13 * norm(a[i]));
            printed = larger_or_nan(printed, norm_max(sub(left, wrong)));
        }
        if (p->coupled && r.n > 1)
            assert_true(printed > 1e-3);
    }
    free(memory);
    sphere_run_free(&r);
}

static void check_second_order(const ph_spheres_problem *p)
{
    if (p->angular_velocity == NULL)
        check_motion(p);
}

static void test_accelerations(void **state)
{
    (void)state;
    each_problem(check_second_order);
    for (int links = 1; links <= 12; links++) { /* 2: the block form, 3: Cholesky */
        const ph_spheres_problem chain = sphere_problem_with("chain", "count", links);
        check_motion(&chain);
    }
    /* The determinant of the block form has M12^2, printed M12: not the same unless 1. */
    ph_spheres_problem uneven = sphere_problem_with("double_pendulum", "mass2", 1.8);
    uneven.value[ph_spheres_problem_parameter(&uneven, "length2")->first] = 0.7;
    check_motion(&uneven);
    check_motion(sphere_trials()[5]);
}

/* O11 (7.5) has k x q, not k.q; (7.8) has mu0 nu nu/(4 pi r^3), and that of one pair in
 * the direction of x is the torque 1e-7 nu^2/r^3 of a needle across on one along. */
static void test_printed_wrong(void **state)
{
    (void)state;
    sphere_run r = any_run(find_spheres_problem("pendulum"));
    ph_vec3 a[2];
    assert_int_equal(PH_OK, ph_spheres_accelerations(r.s, r.q, r.w, a));
    assert_true(norm_max(sub(a[0], scale(9.81 / 2, cross(vec3(0, 0, 1), r.q[0])))) < 1e-15);
    sphere_run_free(&r);
    /* With k downward in the torque alone, the energy changes. */
    const ph_spheres_problem down = sphere_problem_with("pendulum", "gravity", -9.81);
    sphere_run right = sphere_run_new("rkmkgl4", find_spheres_problem("pendulum")),
               wrong = sphere_run_new("rkmkgl4", &down);
    const double start = ph_spheres_energy(right.s, right.q, right.w);
    double changed = 0;
    for (int n = 0; n < 1000; n++) {
        sphere_run_steps(&wrong, 0.01, 1);
        changed =
            larger_or_nan(changed, fabs(ph_spheres_energy(right.s, wrong.q, wrong.w) - start));
    }
    page_says("errata.md", "the opposite sign changes the energy by up to %.0f", changed);
    sphere_run_free(&right);
    sphere_run_free(&wrong);
    ph_spheres_problem two = sphere_problem_with("magnets", "rows", 1);
    two.value[ph_spheres_problem_parameter(&two, "columns")->first] = 2;
    r = any_run(&two);
    r.q[0] = vec3(1, 0, 0);
    r.q[1] = vec3(0, 0, 1);
    const double field = 1e-7 * 0.1 * 0.1 / (0.024 * 0.024 * 0.024), M = 0.05 * 0.02 * 0.02 / 12;
    assert_int_equal(PH_OK, ph_spheres_accelerations(r.s, r.q, r.w, a));
    assert_true(norm_max(sub(a[0], vec3(0, field / M, 0))) < 1e-13 * field / M);
    assert_true(norm_max(sub(a[1], vec3(0, 2 * field / M, 0))) < 1e-13 * field / M);
    sphere_run_free(&r);
}

/* ---- known motions --------------------------------------------------------------- */

/* A chain of one link is the pendulum turned upside down, a chain of two the double
 * pendulum with equal masses. */
static void test_chain(void **state)
{
    (void)state;
    ph_spheres_problem one = sphere_problem_with("chain", "count", 1);
    one.value[1] = one.value[2] = 2;
    one.value[3] = -9.81;
    sphere_run a = sphere_run_new("rkmkgl4", &one),
               b = sphere_run_new("rkmkgl4", find_spheres_problem("pendulum"));
    a.q[0] = b.q[0];
    a.w[0] = b.w[0];
    sphere_run_steps(&a, 0.01, 100);
    sphere_run_steps(&b, 0.01, 100);
    assert_true(sphere_distance(&a, &b) < 1e-12);
    sphere_run_free(&a);
    sphere_run_free(&b);

    const ph_spheres_problem pair = sphere_problem_with("chain", "count", 2),
                             equal = sphere_problem_with("double_pendulum", "mass1", 1);
    static const char *const names[] = {"eln", "rkmk4", "rattle", "llm"};
    for (int k = 0; k < 4; k++) {
        a = sphere_run_new(names[k], &pair);
        b = sphere_run_new(names[k], &equal);
        memcpy(a.q, b.q, sizeof a.q);
        memcpy(a.w, b.w, sizeof a.w);
        sphere_run_steps(&a, 0.01, 100);
        sphere_run_steps(&b, 0.01, 100);
        assert_true(sphere_distance(&a, &b) < 1e-12);
        sphere_run_free(&a);
        sphere_run_free(&b);
    }
}

/* Two vortices turn about G_1 q_1 + G_2 q_2 as a rigid body. */
static void test_two_vortices(void **state)
{
    (void)state;
    ph_spheres_problem p = sphere_problem_with("vortices", "count", 2);
    p.value[1] = 1.5;
    p.value[2] = -0.4;
    sphere_run r = sphere_run_new("rkmkgl6", &p);
    const ph_vec3 start[2] = {r.q[0], r.q[1]};
    const double apart = 1.0 - dot(start[0], start[1]);
    const ph_vec3 moment = add(scale(1.5, start[0]), scale(-0.6, start[1]));
    const ph_vec3 turn = scale(30.0 / (4 * PH_PI * apart), moment);
    sphere_run_steps(&r, 0.1, 300);
    for (int i = 0; i < 2; i++)
        assert_true(norm_max(sub(r.q[i], rotate(ph_rotation_exp(turn), start[i]))) < 1e-12);
    sphere_run_free(&r);
}

/* One spin turns about the field at the rate of its strength; and a damped one comes to
 * lie along it. */
static void test_one_spin(void **state)
{
    (void)state;
    ph_spheres_problem p = sphere_problem_with("spins", "count", 1);
    const int field = ph_spheres_problem_parameter(&p, "field")->first;
    p.value[field] = 0.3;
    p.value[field + 1] = -1.1;
    p.value[field + 2] = 0.7;
    const ph_vec3 B = {0.3, -1.1, 0.7};
    sphere_run r = sphere_run_new("rkmkgl6", &p);
    const ph_vec3 start = r.q[0];
    sphere_run_steps(&r, 0.05, 200);
    assert_true(norm_max(sub(r.q[0], rotate(ph_rotation_exp(scale(10, B)), start))) < 1e-12);
    sphere_run_free(&r);
    p.value[ph_spheres_problem_parameter(&p, "damping")->first] = 0.5;
    r = sphere_run_new("rkmk4", &p);
    sphere_run_steps(&r, 0.05, 2000);
    assert_true(norm_max(sub(r.q[0], scale(1.0 / norm(B), B))) < 1e-10);
    sphere_run_free(&r);
}

/* The field of a lattice by its table, against the sum over pairs, at odd sizes. */
static void test_lattice(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {1, 5}, {5, 1}, {3, 7}, {7, 9}, {4, 4}};
    uint64_t seed = 5;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        ph_spheres_problem p = sphere_problem_with("magnets", "rows", sizes[k][0]);
        p.value[1] = sizes[k][1];
        sphere_run r = any_run(&p);
        ph_vec3 a[SPHERE_RUN_MOST];
        scatter(&r, &seed);
        assert_int_equal(PH_OK, ph_spheres_accelerations(r.s, r.q, r.w, a));
        for (int i = 0; i < r.n; i++) {
            ph_vec3 field = {0, 0, 0};
            double size = 1e-30;
            for (int j = 0; j < r.n; j++) {
                const double x = 0.024 * (i % sizes[k][1] - j % sizes[k][1]),
                             y = 0.024 * (i / sizes[k][1] - j / sizes[k][1]);
                const ph_vec3 d = {x, y, 0};
                const double r2 = x * x + y * y, c = 1e-9 / (r2 * sqrt(r2));
                if (j == i)
                    continue;
                field = add(field, scale(c, sub(r.q[j], scale(3 * dot(r.q[j], d) / r2, d))));
                size += c;
            }
            const ph_vec3 torque = scale(-12 / (0.05 * 0.02 * 0.02), cross(r.q[i], field));
            assert_true(norm_max(sub(a[i], torque)) < 1e-13 * size / (0.05 * 0.02 * 0.02 / 12));
        }
        sphere_run_free(&r);
    }
}

/* ---- reference data and bad input ------------------------------------------------ */

/* Energies of the records, and the default starts. */
static void check_reference(const sphere_reference *r, void *context)
{
    (void)context;
    sphere_run run = any_run(r->problem);
    const double start = ph_spheres_energy(run.s, r->q0, r->w0),
                 end = ph_spheres_energy(run.s, r->q, r->w);
    assert_true(fabs(start / r->energy - 1) < 5e-14);
    assert_true(fabs(end / r->energy - 1) < 2e-13);
    for (int i = 0; strstr(r->id, "alt") == NULL && i < r->n; i++) {
        assert_true(norm_max(sub(run.q[i], r->q0[i])) < 2e-16);
        assert_true(norm_max(sub(run.w[i], r->w0[i])) < 2e-16);
    }
    sphere_run_free(&run);
}

static void test_references(void **state)
{
    (void)state;
    sphere_references_each(check_reference, NULL);
}

static ph_status status_with(const char *name, const char *parameter, double value)
{
    const ph_spheres_problem p = sphere_problem_with(name, parameter, value);
    ph_spheres *s = NULL;
    const ph_status status = ph_spheres_create(&p, NULL, &s);
    assert_int_equal(status == PH_OK, s != NULL);
    ph_spheres_destroy(s);
    return status;
}

static double indefinite(const ph_spheres_problem *p, int i, int j)
{
    (void)p;
    return i == j ? 1.0 : 2.0;
}

static double lopsided(const ph_spheres_problem *p, int i, int j)
{
    (void)p;
    return i == j ? 5.0 : i;
}

static void test_bad_input(void **state)
{
    (void)state;
    assert_int_equal(PH_OK, status_with("magnets", "rows", 64));
    assert_int_equal(PH_BAD_PARAMETER, status_with("magnets", "rows", 0));
    assert_int_equal(PH_BAD_PARAMETER, status_with("magnets", "rows", 2.5));
    assert_int_equal(PH_BAD_PARAMETER, status_with("chain", "count", -1));
    assert_int_equal(PH_BAD_PARAMETER, status_with("chain", "count", 1e9));
    assert_int_equal(PH_BAD_PARAMETER, status_with("chain", "mass", NAN));
    assert_int_equal(PH_COINCIDENT, status_with("magnets", "spacing", 0));
    assert_int_equal(PH_BAD_MASS, status_with("magnets", "mass", 0));
    assert_int_equal(PH_BAD_MASS, status_with("pendulum", "mass", -2));
    assert_int_equal(PH_BAD_MASS, status_with("double_pendulum", "mass2", 0));
    assert_int_equal(PH_BAD_MASS, status_with("double_pendulum", "mass1", 0));
    assert_int_equal(PH_BAD_MASS, status_with("chain", "length", 0));
    ph_spheres_problem p = *find_spheres_problem("chain");
    ph_spheres *s = NULL;
    p.mass = indefinite;
    assert_int_equal(PH_BAD_MASS, ph_spheres_create(&p, NULL, &s));
    p.mass = lopsided;
    assert_int_equal(PH_BAD_MASS, ph_spheres_create(&p, NULL, &s));
    assert_null(s);
}

/* m l_1 l_2 and m l_2 l_1 round differently. */
static double rounded(const ph_spheres_problem *p, int i, int j)
{
    const double length[] = {0.7, 1.3, 0.9, 1.1, 0.63};
    (void)p;
    return (5.1 - 0.3 * (i > j ? i : j)) * length[i] * length[j];
}

static void test_masses_of_decimals(void **state)
{
    (void)state;
    enum { DRAWS = 400, MOST_DECIMALS = 300 };
    uint64_t seed = 11;
    int differ = 0;
    for (int k = 0; k < DRAWS; k++) {
        ph_spheres_problem p = *find_spheres_problem(k % 2 == 0 ? "double_pendulum" : "chain");
        ph_spheres *s = NULL;
        for (int i = k % 2; i < 4 - k % 2; i++)
            p.value[i] = floor(between(&seed, 1, MOST_DECIMALS)) / 100.0;
        assert_int_equal(PH_OK, ph_spheres_create(&p, NULL, &s));
        assert_true(p.mass(&p, 0, 1) == p.mass(&p, 1, 0));
        ph_spheres_destroy(s);
    }
    ph_spheres_problem own = *find_spheres_problem("chain"); /* another's order of the factors */
    ph_spheres *s = NULL;
    own.mass = rounded;
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < i; j++)
            differ += rounded(&own, i, j) != rounded(&own, j, i);
    }
    assert_true(differ > 0);
    assert_int_equal(PH_OK, ph_spheres_create(&own, NULL, &s));
    ph_spheres_destroy(s);
}

/* What is within 1e-8 is corrected and reported, what is beyond is refused. */
static void test_project(void **state)
{
    (void)state;
    ph_vec3 q = {0, 0, 1 + 5e-9}, w = {2, 0, 1e-8};
    ph_spheres_defects d = {0, 0};
    assert_int_equal(PH_OK, ph_spheres_project(1, &q, &w, &d));
    assert_true(q.z == 1.0 && w.x == 2.0 && fabs(w.z) < 1e-23);
    assert_true(fabs(d.length - 5e-9) < 1e-15 && fabs(d.orthogonality - 5e-9) < 1e-15);
    ph_vec3 longer = {0, 0, 1 + 2e-8}, slanted = {1, 0, 2e-8}, zero = {0, 0, 0}, none = {NAN, 0, 0},
            endless = {INFINITY, 0, 0};
    assert_int_equal(PH_NOT_ON_SPHERE, ph_spheres_project(1, &longer, &w, NULL));
    assert_int_equal(PH_NOT_ON_SPHERE, ph_spheres_project(1, &q, &slanted, NULL));
    assert_int_equal(PH_NOT_ON_SPHERE, ph_spheres_project(1, &zero, &w, NULL));
    assert_int_equal(PH_NOT_ON_SPHERE, ph_spheres_project(1, &q, &none, NULL));
    assert_int_equal(PH_NOT_ON_SPHERE, ph_spheres_project(1, &q, &endless, NULL));
    /* one vector that is NaN, whichever it is, shows in the defect of all */
    for (int k = 0; k < 2; k++) {
        const ph_vec3 two[2] = {k == 0 ? none : q, k == 0 ? q : none};
        d = ph_spheres_defect(2, two, two);
        assert_true(isnan(d.length) && isnan(d.orthogonality));
    }
    assert_true(longer.z == 1 + 2e-8 && slanted.z == 2e-8);
    assert_int_equal(PH_OK, ph_spheres_project(1, &q, &zero, NULL));
}

/* ---- numbers of spheres ---------------------------------------------------------- */

/* What a problem says of the numbers that it takes is so, at the last of them too. */
static void test_counts(void **state)
{
    (void)state;
    size_t count;
    const ph_spheres_problem *const *problems = ph_spheres_problems(&count);
    for (size_t k = 0; k < count; k++) {
        if (problems[k]->counts == NULL)
            continue;
        const char *last = strstr(problems[k]->counts, "from 1 to ");
        assert_non_null(last);
        const long most = strtol(last + strlen("from 1 to "), NULL, 10);
        static const double bad[] = {0.0, -1.0, 1.5, NAN};
        ph_spheres_problem p = *problems[k];
        p.value[0] = (double)most;
        assert_int_equal(p.count(&p) % most, 0);
        assert_true(p.count(&p) >= most);
        p.value[0] = (double)most + 1.0;
        assert_int_equal(0, p.count(&p));
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            p.value[0] = bad[i];
            assert_int_equal(0, p.count(&p));
        }
    }
}

/* Needles at one place, as soon as there are two. */
static void test_needles_at_one_place(void **state)
{
    (void)state;
    static const double grids[][3] = {{1, 1, 0}, {1, 2, 1}, {2, 1, 1}, {3, 2, 1}};
    ph_spheres_problem p = *find_spheres_problem("magnets");
    double *rows = &p.value[ph_spheres_problem_parameter(&p, "rows")->first],
           *columns = &p.value[ph_spheres_problem_parameter(&p, "columns")->first],
           *spacing = &p.value[ph_spheres_problem_parameter(&p, "spacing")->first];
    for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++) {
        *rows = grids[i][0], *columns = grids[i][1], *spacing = 0.0;
        assert_int_equal(p.check(&p), grids[i][2] != 0.0 ? PH_COINCIDENT : PH_OK);
        *spacing = 0.1;
        assert_int_equal(p.check(&p), PH_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_catalog),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_energies),
        cmocka_unit_test(test_accelerations),
        cmocka_unit_test(test_printed_wrong),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_two_vortices),
        cmocka_unit_test(test_one_spin),
        cmocka_unit_test(test_lattice),
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_masses_of_decimals),
        cmocka_unit_test(test_project),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_needles_at_one_place),
    };
    return cmocka_run_group_tests_name("problems on spheres", tests, NULL, NULL);
}
