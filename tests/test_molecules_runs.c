/* test_molecules_runs.c - many bodies in motion: reference values, orders, what is kept,
 * what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "base/random.h"
#include "kinds/molecules/laws.h"
#include "kinds/molecules/system.h"
#include "motion/vec.h"
#include "support/claims.h"
#include "support/molecules.h"
#include "support/parameters.h"
#include "support/stepping.h"
#include "system/find.h"

/* ---- reference values --------------------------------------------------------------- */

static void test_lattice(void **state)
{
    (void)state;
    ph_molecules *s = lattice_of(5, 3.0, 0.01);
    assert_int_equal(125, s->n);
    assert_true(fabs(ph_molecules_energies(s).total + 0.558174436604) < 1e-12);
    assert_true(ph_molecules_temperature(s) == 0.0);
    ph_molecules_destroy(s);
    assert_null(ph_molecules_create(0));
    assert_null(ph_molecules_create(SIZE_MAX));
    assert_null(ph_molecules_lattice(0, 1.0, 0.0, 1));
    assert_null(ph_molecules_lattice(SIZE_MAX, 1.0, 0.0, 1));
    ph_molecules_destroy(NULL);
}

/* The error is the scheme's, 3.3e-11 at h = 0.02, and falls by 2^6 as the step is halved
 * until the round-off of places and turns shows. */
static void test_reference(void **state)
{
    (void)state;
    static const uint64_t steps[] = {50, 100};
    static const double bound[] = {4e-11, 1e-12};
    for (int i = 0; i < 2; i++) {
        ph_molecules *s = reference_start("dipolar8_t1");
        const double H0 = 0.229237419954541978014;
        assert_true(fabs(ph_molecules_energies(s).total - H0) < 1e-14);
        run_steps(s, "srkn6_14a+exact", 1.0, steps[i]);
        assert_true(reference_end_error("dipolar8_t1", s) < bound[i]);
        ph_molecules_destroy(s);
    }
}

/* |H(1) - H0| of the lattice at 10, 20, 40, 80 kicks or as many as make whole steps,
 * measured independently to two digits, some to three: 2 %, and a factor 2 where round-off
 * shows. V2 is `verlet_drift`. */
static void test_table(void **state)
{
    (void)state;
    static const struct {
        const char *integrator;
        uint64_t steps[4];
        double error[4];
    } rows[] = {
        {"verlet_drift+mr", {10, 20, 40, 80}, {7.8e-4, 1.95e-4, 4.9e-5, 1.2e-5}},
        {"s6_10+exact", {1, 2, 4, 8}, {1.9e-6, 4.1e-8, 6.8e-10, 1.1e-11}},
        {"s6_10+mr", {1, 2, 4, 8}, {1.65e-6, 8.2e-9, 5.5e-9, 1.4e-9}},
        {"srkn4_6b+exact", {2, 4, 7, 14}, {3.7e-7, 9.9e-9, 7.2e-10, 3.7e-11}},
        {"srkn4_6b+mr", {2, 4, 7, 14}, {2.45e-7, 2.2e-8, 9.9e-9, 2.6e-9}},
        {"srkn6_14a+exact", {1, 2, 3, 6}, {8.6e-8, 5.7e-10, 3.7e-11, 4.6e-13}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int k = 0; k < 4; k++) {
            const double right = rows[i].error[k];
            const double error = lattice_energy_error(rows[i].integrator, rows[i].steps[k]);
            if (!(right > 1e-10 ? fabs(error - right) <= 0.02 * right
                                : error < 2.0 * right && right < 2.0 * error))
                fail_msg("%s, %ld steps: %.3e, not %.2e", rows[i].integrator, rows[i].steps[k],
                         error, right);
        }
    }
}

/* ---- orders ------------------------------------------------------------------------- */

enum { END = 8 * STATE_ARRAYS };

/* The end of a run of eight bodies of different kinds. */
static void end_of(const char *integrator, uint64_t steps, double *out)
{
    ph_molecules *s = reference_start("dipolar8_t1");
    mix_bodies(s, 3);
    run_steps(s, integrator, 0.5, steps);
    double *arrays[STATE_ARRAYS];
    state_arrays(s, arrays);
    for (size_t k = 0; k < STATE_ARRAYS; k++)
        memcpy(out + k * s->n, arrays[k], s->n * sizeof(double));
    ph_molecules_destroy(s);
}

static double end_error(const char *integrator, uint64_t steps, const double *right)
{
    double end[END], worst = 0.0;
    end_of(integrator, steps, end);
    for (int i = 0; i < END; i++)
        worst = larger_or_nan(worst, fabs(end[i] - right[i]));
    return worst;
}

/* The order that an integrator shows by halving a step of 0.5/steps, or a longer one where the
 * error is no longer far above round-off. */
static double shown_order(const char *integrator, uint64_t steps, const double *right)
{
    double fine;
    while ((fine = end_error(integrator, 2 * steps, right)) < 1e-13 && steps > 1)
        steps /= 2;
    return log2(end_error(integrator, steps, right) / fine);
}

/* Calls a test for each scheme that molecules can have, with the right end. */
static void each_scheme(void (*test)(const ph_scheme *scheme, const double *right))
{
    double right[END];
    size_t count;
    const ph_scheme *const *schemes = ph_schemes(&count);
    end_of("srkn6_14a+exact", 200, right);
    for (size_t i = 0; i < count; i++)
        test(schemes[i], right);
}

/* The order of a scheme over a flow, as it is shown from this many steps on, within bounds. */
static void check_order(const ph_scheme *scheme, const char *rest, uint64_t steps,
                        const double *right, double least, double most)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%s+%s", scheme->name, rest);
    const double order = shown_order(name, steps, right);
    if (!(order > least && order < most))
        fail_msg("%s: order %.2f, not from %g to %g", name, order, least, most);
}

/* The claimed order with exact drifts; with mr at least the lower of its order and the
 * scheme's, as a scheme that composes whole steps raises both. */
static void check_orders(const ph_scheme *scheme, const double *right)
{
    const int order = scheme->order;
    const uint64_t steps = order > 4 ? 4 : order > 2 ? 20 : 80;
    check_order(scheme, "exact", steps, right, order - 0.25, order + 0.25);
    check_order(scheme, "mr", 200, right, (order < 2 ? order : 2) - 0.25, INFINITY);
}

static void test_orders(void **state)
{
    (void)state;
    each_scheme(check_orders);
}

/* The whole step composed: of schemes of order 2, with exact and rough drifts. A scheme of
 * higher order over mr has at least the order 4 by it. */
static void check_composed_orders(const ph_scheme *scheme, const double *right)
{
    const bool second = scheme->order == 2;
    if (second)
        check_order(scheme, "exact@suzuki4", 20, right, 3.75, 4.25);
    check_order(scheme, "mr@suzuki4", 20, right, 3.75, second ? 4.25 : INFINITY);
}

static void test_composed_orders(void **state)
{
    (void)state;
    each_scheme(check_composed_orders);
}

/* ---- what is kept ------------------------------------------------------------------- */

/* Forces come in pairs and torques balance them: both momenta stay, to the round-off of
 * their terms; in a box the first of them. */
static void test_momenta(void **state)
{
    (void)state;
    for (size_t c = 0; c < PLACE_COUNT; c++) {
        if (places[c].side > 9)
            continue;
        ph_molecules *s = system_of(&places[c]);
        const double size = (double)s->n; /* the sum of |p|, nearly */
        const ph_vec3 P = ph_molecules_momentum(s), L = ph_molecules_angular_momentum(s);
        run_steps(s, "srkn4_6b+exact", 0.5, 25);
        const double of_P = norm(sub(ph_molecules_momentum(s), P)),
                     of_L = norm(sub(ph_molecules_angular_momentum(s), L));
        assert_true(of_P < 1e-13 * size);
        assert_true(places[c].kind != PAIRS_OPEN || of_L < 1e-12 * size);
        ph_molecules_destroy(s);
    }
}

/* What schemes over flows claim, of molecules: momenta that are kept, and a step back that
 * undoes a step; the structure is not measured. */
static void check_claims(const ph_integrator *i)
{
    static measured_properties measured;
    char name[PH_INTEGRATOR_NAME];
    (void)ph_integrator_name(i, name);
    ph_molecules *s = system_of(&places[0]);
    const double h = 0.02, size = (double)s->n;
    double *arrays[STATE_ARRAYS], *start = malloc(STATE_ARRAYS * s->n * sizeof *start);
    assert_non_null(start);
    state_arrays(s, arrays);
    for (size_t k = 0; k < STATE_ARRAYS; k++)
        memcpy(start + k * s->n, arrays[k], s->n * sizeof *start);
    const ph_vec3 L = ph_molecules_angular_momentum(s);
    assert_int_equal(PH_OK, ph_molecules_step(s, i, h));
    const double moved = norm(sub(ph_molecules_angular_momentum(s), L)) / size;
    assert_int_equal(PH_OK, ph_molecules_step(s, i, -h));
    double back = 0.0;
    for (size_t k = 0; k < STATE_ARRAYS * s->n; k++)
        back = larger_or_nan(back, fabs(arrays[k / s->n][k % s->n] - start[k]));
    const unsigned keeps = ph_integrator_keeps(i);
    check_property(&measured, name, "molecules", keeps,
                   (property_defects){PH_MOMENTUM, moved, 1e-13, INFINITY, 0});
    check_property(&measured, name, "molecules", keeps,
                   (property_defects){PH_SYMMETRIC, back, 1e-12, INFINITY, 0});
    free(start);
    ph_molecules_destroy(s);
}

static void test_claims(void **state)
{
    (void)state;
    size_t count;
    const ph_flow *const *flows = ph_flows(&count);
    for (size_t k = 0; k < count; k++)
        check_claims(&(ph_integrator){.flow = flows[k], .scheme = find_scheme("verlet")});
    const ph_scheme *const *schemes = ph_schemes(&count);
    for (size_t k = 0; k < count; k++) { /* a gradient is a difference: test_gradient */
        if (schemes[k]->gradient == NULL)
            check_claims(&(ph_integrator){.flow = find_flow("exact"), .scheme = schemes[k]});
    }
}

/* A scheme with a force gradient is symmetric and keeps the momentum as others do. The gradient is a
 * difference, and the angular momentum has its error. */
static void test_gradient(void **state)
{
    (void)state;
    ph_molecules *s = reference_start("dipolar8_t1");
    mix_bodies(s, 3);
    double *arrays[STATE_ARRAYS], before[END];
    state_arrays(s, arrays);
    for (size_t k = 0; k < STATE_ARRAYS; k++)
        memcpy(before + k * s->n, arrays[k], s->n * sizeof(double));
    const ph_vec3 P = ph_molecules_momentum(s), L = ph_molecules_angular_momentum(s);
    run_steps(s, "nystrom4+exact", 0.5, 20);
    assert_true(norm(sub(ph_molecules_momentum(s), P)) < 1e-13);
    assert_true(norm(sub(ph_molecules_angular_momentum(s), L)) < 1e-8);
    run_steps(s, "nystrom4+exact", -0.5, 20);
    for (size_t i = 0; i < END; i++)
        assert_true(fabs(arrays[i / s->n][i % s->n] - before[i]) < 1e-11);
    ph_molecules_destroy(s);
}

/* In a box the energy error is that of the scheme: it falls by 4 as the step is halved,
 * which it would not do if the force were not the slope of the energy at the cut-off. */
static void test_box_energy(void **state)
{
    (void)state;
    double change[2];
    for (int i = 0; i < 2; i++) {
        ph_molecules *s = system_of(&places[6]);
        const double start = ph_molecules_energies(s).total;
        run_steps(s, "verlet+exact", 0.5, i ? 100 : 50);
        change[i] = ph_molecules_energies(s).total - start;
        ph_molecules_destroy(s);
    }
    assert_true(fabs(change[0] / change[1] - 4.0) < 0.1);
}

/* 3 n degrees of freedom turn, 3 n - 3 move. */
static void test_temperature(void **state)
{
    (void)state;
    ph_molecules *s = lattice_of(2, 3.0, 0.0);
    for (size_t i = 0; i < s->n; i++) {
        s->p[0][i] = 5.0 + (i % 2 ? 1.0 : -1.0); /* 5 is the motion of all */
        s->m[1][i] = 1.88;
    }
    assert_int_equal(PH_OK, ph_molecules_prepare(s, NULL));
    assert_true(fabs(ph_molecules_temperature(s) - (8.0 + 8.0 * 1.88) / 45.0) < 1e-14);
    const ph_molecules_energy e = ph_molecules_energies(s);
    assert_true(fabs(e.translation - 4.0 * 26.0) < 1e-12);
    assert_true(fabs(e.rotation - 4.0 * 1.88) < 1e-13);
    assert_true(e.total == e.translation + e.rotation + e.potential);
    ph_molecules_destroy(s);
}

/* ---- the catalog -------------------------------------------------------------------- */

static void test_problems(void **state)
{
    (void)state;
    size_t count;
    const ph_molecules_problem *const *problems = ph_molecules_problems(&count);
    assert_true(count > 0);
    static const struct {
        const char *name;
        double value;
    } wrong[] = {
        {"lattice", 2.5}, {"molecules", 2.5}, {"spacing", 0}, {"noise", -1}, {"seed", 0.5}};
    const ph_integrator verlet = integrator_of("verlet+exact");
    for (size_t i = 0; i < count; i++) {
        ph_molecules_problem p = *problems[i];
        ph_molecules *s = NULL;
        check_parameters(p.name, p.parameters, p.parameter_count);
        assert_int_equal(PH_OK, ph_molecules_from_problem(&p, &s));
        assert_int_equal(PH_OK, ph_molecules_prepare(s, NULL));
        assert_int_equal(PH_OK, ph_molecules_step(s, &verlet, 0.01));
        ph_molecules_destroy(s);
        s = NULL;
        for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
            p = *problems[i];
            const ph_parameter *found = ph_molecules_problem_parameter(&p, wrong[k].name);
            if (found == NULL) /* of molecules that are no lattice of bodies */
                continue;
            p.value[found->first] = wrong[k].value;
            assert_int_equal(PH_BAD_PARAMETER, ph_molecules_from_problem(&p, &s));
            assert_null(s);
        }
        assert_null(ph_molecules_problem_parameter(&p, "no such parameter"));
    }
    /* the default of the library is the first of them */
    ph_molecules *s = ph_molecules_create(2);
    assert_non_null(s);
    assert_ptr_equal(find_molecules_problem("dipolar_spheres")->law, s->law);
    assert_true(s->constant[0] == 1 && s->constant[1] == 1 && s->mass[1] == 1);
    ph_molecules_destroy(s);
}

/* ---- what is refused ---------------------------------------------------------------- */

static void test_checks(void **state)
{
    (void)state;
    ph_molecules *s = lattice_of(3, 2.0, 0.0);
    const struct {
        double *where, what;
        ph_status status;
    } wrong[] = {
        {&s->constant[0], 0.0, PH_BAD_LAW},    {&s->constant[0], NAN, PH_BAD_LAW},
        {&s->constant[1], -1.0, PH_BAD_LAW},   {&s->mass[4], 0.0, PH_BAD_INERTIA},
        {&s->J[1][5], -2.0, PH_BAD_INERTIA},   {&s->x[2][3], NAN, PH_BAD_STATE},
        {&s->p[0][1], INFINITY, PH_BAD_STATE}, {&s->dipole[2][26], NAN, PH_BAD_STATE},
        {&s->m[1][9], NAN, PH_BAD_STATE},      {&s->q[3][2], NAN, PH_BAD_STATE},
        {&s->constant[0], 9.0, PH_OVERLAP},
    };
    const ph_integrator verlet = integrator_of("verlet+exact");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const double kept = *wrong[i].where;
        *wrong[i].where = wrong[i].what;
        assert_int_equal(wrong[i].status, ph_molecules_prepare(s, NULL));
        assert_int_equal(PH_BAD_STATE, ph_molecules_step(s, &verlet, 0.1));
        assert_true(isnan(ph_molecules_energies(s).potential));
        *wrong[i].where = kept;
    }
    static const struct {
        ph_vec3 box;
        double cutoff, dielectric;
    } boxes[] = {
        {{6, 6, 0}, 2, 1},   {{6, 6, -6}, 2, 1},  {{6, 6, NAN}, 2, 1}, {{6, 6, 6}, 0, 1},
        {{6, 6, 6}, 3.1, 1}, {{6, 6, 6}, NAN, 1}, {{6, 6, 6}, 2, 0.5}, {{6, 6, 6}, 2, NAN},
    };
    for (size_t i = 0; i < sizeof boxes / sizeof boxes[0]; i++) {
        s->box = boxes[i].box;
        s->cutoff = boxes[i].cutoff;
        s->dielectric = boxes[i].dielectric;
        assert_int_equal(PH_BAD_BOX, ph_molecules_prepare(s, NULL));
    }
    ph_molecules_destroy(s);
}

/* Two bodies are put next to each other, directly or round the box. */
static void test_overlap(void **state)
{
    (void)state;
    ph_molecules_pair pair;
    ph_molecules *s = lattice_of(6, 2.0, 0.01);
    for (int k = 0; k < 3; k++)
        s->x[k][100] = s->x[k][17] + 0.2;
    assert_int_equal(PH_OVERLAP, ph_molecules_prepare(s, &pair));
    assert_int_equal(17, pair.a);
    assert_int_equal(100, pair.b);
    assert_true(fabs(pair.distance - sqrt(0.12)) < 1e-14);
    for (int k = 0; k < 3; k++)
        s->x[k][100] = s->x[k][17] + 0.3; /* 0.52 */
    assert_int_equal(PH_OK, ph_molecules_prepare(s, NULL));
    for (int k = 0; k < 3; k++)
        s->x[k][100] = s->x[k][17] + (k == 1 ? 24.1 : -12.0);
    put_in_box(s, vec3(14.0, 13.0, 13.0), 4.0, 0.0);
    s->box = vec3(12.0, 12.0, 12.0);
    assert_int_equal(PH_OVERLAP, ph_molecules_prepare(s, &pair));
    assert_true(pair.a == 17 && pair.b == 100 && fabs(pair.distance - 0.1) < 1e-12);
    ph_molecules_destroy(s);
}

/* Clouds in open space and in boxes, thin ones too: the nearest pair is found, wherever the
 * borders of cells lie, and none where there is none. */
static void test_nearest(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int trial = 0; trial < 300; trial++) {
        ph_molecules *s = ph_molecules_create(2 + (size_t)trial % 40);
        assert_non_null(s);
        double edge[3] = {0, 0, 1e-3};
        draw_each(&seed, 1.0, 9.0, trial % 5 ? 3 : 2, edge);
        if (trial % 2)
            s->box = vec3(edge[0], edge[1], edge[2]);
        for (int k = 0; k < 3; k++) {
            const double low = trial % 2 ? 0.0 : between(&seed, -9.0, 9.0);
            for (size_t i = 0; i < s->n; i++)
                s->x[k][i] = low + edge[k] * uniform(&seed);
        }
        const ph_molecules_pair right = nearest_of_all(s);
        ph_molecules_pair found = {0};
        for (double below = 1.001; below < 9.0; below *= 1.7) {
            assert_true(ph_molecules_nearest(s, below * right.distance, &found));
            assert_true(found.a == right.a && found.b == right.b);
            assert_true(fabs(found.distance - right.distance) < 1e-13);
        }
        assert_false(ph_molecules_nearest(s, 0.999 * right.distance, &found));
        ph_molecules_destroy(s);
    }
}

/* A failed step leaves every bit of the state. */
static void check_failure(ph_molecules *s, const char *integrator, double h, ph_status expected)
{
    const ph_integrator i = integrator_of(integrator);
    double *arrays[STATE_ARRAYS];
    state_arrays(s, arrays);
    double *before = malloc(STATE_ARRAYS * s->n * sizeof *before);
    assert_non_null(before);
    for (size_t k = 0; k < STATE_ARRAYS; k++)
        memcpy(before + k * s->n, arrays[k], s->n * sizeof *before);
    const double energy = ph_molecules_energies(s).total;
    assert_int_equal(expected, ph_molecules_step(s, &i, h));
    for (size_t k = 0; k < STATE_ARRAYS; k++)
        assert_memory_equal(before + k * s->n, arrays[k], s->n * sizeof *before);
    assert_true(ph_molecules_energies(s).total == energy);
    free(before);
}

static void test_failure(void **state)
{
    (void)state;
    ph_molecules *s = lattice_of(4, 1.2, 0.02);
    check_failure(s, "verlet+exact", 3.0, PH_EXPLODED);
    check_failure(s, "verlet_drift+mr", 1e200, PH_NOT_FINITE);
    check_failure(s, "verlet+exact", NAN, PH_BAD_STEP);
    check_failure(s, "exact", 0.1, PH_NOT_APPLICABLE);
    check_failure(s, "vlv", 0.1, PH_NOT_APPLICABLE);
    check_failure(s, "nystrom4+exact", 1e200, PH_NOT_FINITE);
    for (size_t i = 0; i < s->n; i++)
        s->m[2][i] = 1e3;
    assert_int_equal(PH_OK, ph_molecules_prepare(s, NULL));
    check_failure(s, "verlet+imr4", 10.0, PH_NO_CONVERGENCE);
    ph_molecules_destroy(s);
}

/* Composed flows drift too; and back by -h one is where one was. */
static void test_composed(void **state)
{
    (void)state;
    ph_molecules *s = lattice_of(2, 2.0, 0.05);
    mix_bodies(s, 5);
    const double x = s->x[0][3], q = s->q[1][2];
    run_steps(s, "s4_6+sr2:suzuki4", 1.0, 10);
    assert_true(fabs(s->x[0][3] - x) > 1e-3);
    run_steps(s, "s4_6+sr2:suzuki4", -1.0, 10);
    assert_true(fabs(s->x[0][3] - x) < 1e-13 && fabs(s->q[1][2] - q) < 1e-13);
    ph_molecules_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lattice),         cmocka_unit_test(test_reference),
        cmocka_unit_test(test_table),           cmocka_unit_test(test_orders),
        cmocka_unit_test(test_composed_orders), cmocka_unit_test(test_momenta),
        cmocka_unit_test(test_claims),          cmocka_unit_test(test_gradient),
        cmocka_unit_test(test_box_energy),      cmocka_unit_test(test_temperature),
        cmocka_unit_test(test_problems),        cmocka_unit_test(test_checks),
        cmocka_unit_test(test_overlap),         cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_failure),         cmocka_unit_test(test_composed),
    };
    return cmocka_run_group_tests_name("molecules_runs", tests, NULL, NULL);
}
