/* test_molecules.c - forces and torques of many bodies: sums, slopes, threads. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "kinds/molecules/system.h"
#include "motion/vec.h"
#include "polhode/batch.h"
#include "support/molecules.h"
#include "support/quick.h"
#include "support/stepping.h"

/* Rounding of the sums, in terms of the sum of the terms' magnitudes. */
static const double ROUND_OFF = 1e-13;

/* With POLHODE_QUICK in the environment, as mutation testing has it, the places of 1000 bodies
 * are left out: of each kind one with fewer remains. */
static bool is_left_out(const place *p)
{
    return is_quick() && p->side > 9;
}

/* A new system: bodies at rest in the identity, each with a mass and moments. */
static void test_new(void **state)
{
    (void)state;
    ph_molecules *s = ph_molecules_create(3);
    assert_non_null(s);
    for (size_t i = 0; i < s->n; i++) {
        assert_true(s->q[0][i] == 1.0 && s->mass[i] == 1.0);
        for (int k = 0; k < 3; k++)
            assert_true(s->q[1 + k][i] == 0.0 && s->m[k][i] == 0.0 && s->p[k][i] == 0.0);
    }
    ph_molecules_destroy(s);
}

/* ---- forces ------------------------------------------------------------------------- */

/* Against sums in long double, with every instruction set this machine has. */
static void test_sums(void **state)
{
    (void)state;
    for (size_t i = 0; i < PLACE_COUNT; i++) {
        if (is_left_out(&places[i]))
            continue;
        ph_molecules *s = system_of(&places[i]);
        assert_int_equal(places[i].kind, work_of(s)->law.kind);
        long double V = 0, of_V = 0;
        for (size_t k = 0; k < s->n; k++) {
            const pull p = pull_on(s, k);
            V += p.V / 2;
            of_V += p.of_V / 2;
        }
        for (int set = 0; set <= (int)ph_isa(); set++) {
            work_of(s)->kernel = s->law->kernels[set];
            ph_molecules_forces(s);
            const double worst = pull_error(s, 1 + s->n / 200);
            if (!(s->n == 1 || worst < ROUND_OFF))
                fail_msg("place %zu, set %d: %g", i, set, worst);
            assert_true(fabsl(V - (long double)s->potential) <= ROUND_OFF * of_V);
        }
        ph_molecules_destroy(s);
    }
}

/* The energy of a system of which a coordinate of one body has moved: axes 0 to 2 are
 * places, 3 to 5 turns about the axes of the body. */
typedef long double energy_of(ph_molecules *s, size_t i);

static long double moved(energy_of *energy, ph_molecules *s, size_t i, int axis, double by)
{
    const ph_quat q = quat_at(s->q, i);
    const ph_vec3 turn = {axis == 3 ? by : 0, axis == 4 ? by : 0, axis == 5 ? by : 0};
    const ph_quat turned = ph_quat_product(q, ph_rotation_exp(turn));
    const double now[4] = {turned.w, turned.x, turned.y, turned.z}, then[4] = {q.w, q.x, q.y, q.z},
                 x = axis < 3 ? s->x[axis][i] : 0.0;
    for (int k = 0; k < 4; k++)
        s->q[k][i] = now[k];
    if (axis < 3)
        s->x[axis][i] += by;
    const long double V = energy(s, i);
    if (axis < 3)
        s->x[axis][i] = x;
    for (int k = 0; k < 4; k++)
        s->q[k][i] = then[k];
    return V;
}

/* The library's, and that of one body with the others in long double. */
static long double whole(ph_molecules *s, size_t i)
{
    (void)i;
    ph_molecules_forces(s);
    return (long double)s->potential;
}

static long double part(ph_molecules *s, size_t i)
{
    return pull_on(s, i).V;
}

static void check_slopes(const place *p, energy_of *energy, double e)
{
    ph_molecules *s = system_of(p);
    double size = 1.0, worst = 0.0;
    for (size_t i = 0; i < s->n; i += 1 + s->n / 7) {
        ph_molecules_forces(s);
        const double push[6] = {s->force[0][i],  s->force[1][i],  s->force[2][i],
                                s->torque[0][i], s->torque[1][i], s->torque[2][i]};
        for (int axis = 0; axis < 6; axis++) {
            const long double wide = moved(energy, s, i, axis, 2.0 * e) -
                                     moved(energy, s, i, axis, -2.0 * e),
                              narrow = moved(energy, s, i, axis, e) - moved(energy, s, i, axis, -e);
            const double slope = (double)((8 * narrow - wide) / (12 * (long double)e));
            size = larger_or_nan(size, fabs(push[axis]));
            worst = larger_or_nan(worst, fabs(slope + push[axis]));
        }
    }
    assert_true(worst < 1e-8 * size);
    ph_molecules_destroy(s);
}

/* Four-point differences of step e err by e^4/30 times the fifth derivative, and in double
 * by round-off over e. In a box the third derivative jumps where the dipoles begin to
 * fade: long double allows a small e, and test_sums holds the two energies against each
 * other. */
static void test_derivatives(void **state)
{
    (void)state;
    for (size_t i = 0; i < PLACE_COUNT; i++) {
        if (is_left_out(&places[i]))
            continue;
        if (places[i].kind == PAIRS_OPEN)
            check_slopes(&places[i], whole, 0x1p-11);
        check_slopes(&places[i], part, 0x1p-20);
    }
}

/* The same bits for any number of threads. */
static void test_threads(void **state)
{
    (void)state;
    static const size_t chosen[] = {1, 4, 5, 6, 8};
    for (size_t c = 0; c < sizeof chosen / sizeof chosen[0]; c++) {
        if (is_left_out(&places[chosen[c]]))
            continue;
        ph_molecules *one = system_of(&places[chosen[c]]);
        ph_molecules *many = system_of(&places[chosen[c]]);
        ph_set_threads(1);
        run_steps(one, "verlet+exact", 0.01, 4);
        for (int threads = 2; threads <= 4; threads++) {
            ph_set_threads(threads);
            ph_molecules_forces(one);
            if (threads == 3)
                run_steps(many, "verlet+exact", 0.01, 4);
        }
        assert_true(one->potential == many->potential);
        for (int k = 0; k < 3; k++) {
            assert_memory_equal(one->x[k], many->x[k], one->n * sizeof(double));
            assert_memory_equal(one->force[k], many->force[k], one->n * sizeof(double));
            assert_memory_equal(one->torque[k], many->torque[k], one->n * sizeof(double));
        }
        ph_molecules_destroy(one);
        ph_molecules_destroy(many);
    }
    ph_set_threads(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests_name("molecules", tests, NULL, NULL);
}
