/* test_integrable.c - motions that are known: Lagrange's top in elliptic functions, the
 * integral of Kovalevskaya, gyrostats, relative equilibria, and the sleeping top. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "lab/measure/properties.h"
#include "motion/vec.h"
#include "polhode/system.h"
#include "support/random.h"
#include "support/stepping.h"
#include "system/find.h"
#include "system/run_body.h"

/* ---- Lagrange's top -------------------------------------------------------------- */

static ph_problem top_of(double A, double C, double c)
{
    ph_problem p = *find_problem("lagrange_top");
    p.body = (ph_body){{A, A, C}, {1, 0, 0, 0}, true};
    p.value[0] = c;
    return p;
}

/* Random tops, forward and back, against steps of order 6. */
static void test_lagrange(void **state)
{
    (void)state;
    const ph_integrator steps = integrator_of("s6_10+exact");
    uint64_t seed = 11;
    for (int n = 0; n < 40; n++) {
        const double across = between(&seed, 0.5, 2), along = between(&seed, 0.2, 2);
        ph_problem p = top_of(across, along, between(&seed, 0.1, 3));
        /* the same top by other parameters: their product counts */
        p.value[ph_problem_parameter(&p, "up")->first + 2] = n % 3 + 1;
        p.value[ph_problem_parameter(&p, "centre")->first + 2] /= n % 3 + 1;
        const ph_vec3 turn = random_vector(&seed, -2, 2),
                      m = times(random_vector(&seed, -1, 1), vec3(2, 2, 3));
        const ph_state start = {ph_rotation_exp(turn), m};
        const double T = n % 2 == 0 ? 6.0 : -6.0;
        const ph_state by_steps = after_steps(&steps, &p, start, T / 1200, 1200);
        ph_state known;
        assert_int_equal(PH_OK, p.exact(&p, &start, T, &known));
        if (!(ph_state_distance(&known, &by_steps) < 2e-11))
            fail_msg("top %d: %g away", n, ph_state_distance(&known, &by_steps));
        ph_state same;
        assert_int_equal(PH_OK, p.exact(&p, &start, 0.0, &same));
        assert_true(ph_state_distance(&same, &start) < 1e-13);
    }
}

/* Tops that are let go where their nutation turns, at its highest or its lowest place, or that have none:
 * forward and back alike in height, and with the energy of the start. */
static void test_lagrange_turns(void **state)
{
    (void)state;
    uint64_t seed = 12;
    for (int n = 0; n < 300; n++) {
        const double A = between(&seed, 0.5, 2), C = between(&seed, 0.2, 2),
                     strength = between(&seed, 0.1, 3), tilt = between(&seed, 0.1, 3.0),
                     precession = n % 3 ? between(&seed, -3, 3) : 0.0, spin = between(&seed, -3, 3);
        const ph_problem p = top_of(A, C, strength);
        /* regular: L3 precession = strength + A precession^2 cos(tilt) */
        const double L3 =
            n % 3 < 2 ? spin : (strength + A * precession * precession * ph_cos(tilt)) / precession;
        const ph_state start = {ph_rotation_exp(vec3(tilt, 0, 0)),
                                {0, A * precession * ph_sin(tilt), L3}};
        ph_state side[2];
        for (int k = 0; k < 2; k++)
            assert_int_equal(PH_OK, p.exact(&p, &start, k ? -0.7 : 0.7, &side[k]));
        const double up[2] = {rotate(side[0].q, vec3(0, 0, 1)).z,
                              rotate(side[1].q, vec3(0, 0, 1)).z},
                     energy = ph_problem_energy(&p, 0.0, &start);
        assert_true(fabs(up[0] - up[1]) < 1e-12);
        for (int k = 0; k < 2; k++)
            assert_true(fabs(ph_problem_energy(&p, 0.0, &side[k]) - energy) <
                        1e-12 * (1.0 + fabs(energy)));
    }
}

/* What is no top of Lagrange, or stands upright, is refused. */
static void test_not_lagrange(void **state)
{
    (void)state;
    ph_problem p = top_of(1, 0.5, 1);
    ph_state s = ph_problem_start(&p), out;
    for (int k = 0; k < 2; k++) {
        p.body.J.y = k == 0 ? 1.1 : 0.9;
        assert_int_equal(PH_NOT_APPLICABLE, p.exact(&p, &s, 1, &out));
    }
    p = top_of(1, 0.5, 1);
    p.body.principal = false;
    assert_int_equal(PH_NOT_APPLICABLE, p.exact(&p, &s, 1, &out));
    p = top_of(1, 0.5, -1);
    assert_int_equal(PH_NOT_APPLICABLE, p.exact(&p, &s, 1, &out));
    p = top_of(1, 0.5, 1);
    s.q = (ph_quat){1, 0, 0, 0};
    assert_int_equal(PH_NOT_APPLICABLE, p.exact(&p, &s, 1, &out));
    s = ph_problem_start(&p);
    static const char *const names[] = {"up", "centre"};
    for (int k = 0; k < 8; k++) {
        p = top_of(1, 0.5, 1);
        p.value[ph_problem_parameter(&p, names[k / 4])->first + k % 2] = k % 4 < 2 ? 0.1 : -0.1;
        assert_int_equal(PH_NOT_APPLICABLE, p.exact(&p, &s, 1, &out));
    }
}

/* Regular precession: theta stays where A phi'^2 cos(theta) - p phi' + c = 0. */
static void test_precession(void **state)
{
    (void)state;
    const double A = 1.2, C = 0.7, c = 0.9, theta = 0.8, spin = 4.0,
                 root = sqrt(spin * spin - 4 * A * c * cos(theta));
    const ph_problem p = top_of(A, C, c);
    for (int slow = 0; slow < 2; slow++) {
        const double phi = (spin + (slow ? -root : root)) / (2 * A * cos(theta));
        const ph_state start = {ph_rotation_exp(vec3(theta, 0, 0)),
                                {0, A * phi * sin(theta), spin}};
        ph_state end;
        assert_int_equal(PH_OK, p.exact(&p, &start, 7.3, &end));
        assert_true(fabs(rotate(end.q, vec3(0, 0, 1)).z - cos(theta)) < 1e-12);
        static const char *const names[] = {"s6_10+exact", "rattle@kahan_li6"};
        for (int k = 0; k < 2; k++) {
            const ph_integrator i = integrator_of(names[k]);
            const ph_state s = after_steps(&i, &p, start, 0.005, 1460);
            if (!(ph_state_distance(&s, &end) < 1e-9))
                fail_msg("%s: %g away", names[k], ph_state_distance(&s, &end));
            assert_true(fabs(rotate(s.q, vec3(0, 0, 1)).z - cos(theta)) < 1e-10);
        }
    }
}

/* ---- the sleeping top ------------------------------------------------------------ */

/* Upright it is stable for p^2 > 4 A c; below, it falls as exp(t sqrt(4 A c - p^2)/2A). */
static void test_sleeping_top(void **state)
{
    (void)state;
    const double A = 1.0, C = 0.5, c = 1.0, threshold = sqrt(4 * A * c);
    const ph_integrator i = integrator_of("s6_10+exact");
    for (int fast = 0; fast < 2; fast++) {
        const double spin = threshold * (fast ? 1.05 : 0.8);
        ph_problem p = top_of(A, C, c);
        ph_state s = {ph_rotation_exp(vec3(1e-6, 0, 0)), {0, 0, spin}};
        double lowest = 1.0;
        for (int n = 0; n < 60; n++) {
            s = after_steps(&i, &p, s, 0.05, 10);
            lowest = smaller_or_nan(lowest, rotate(s.q, vec3(0, 0, 1)).z);
        }
        if (fast)
            assert_true(lowest > 1.0 - 1e-9);
        else
            assert_true(lowest < 0.5);
        p.q = (ph_quat){1, 0, 0, 0};
        p.w = vec3(0, 0, spin / C);
        ph_lyapunov found;
        assert_int_equal(PH_OK, ph_measure_lyapunov(&i, &p, 0.05, 4000, &found));
        const double rate = sqrt(larger_or_nan(0.0, 4 * A * c - spin * spin)) / (2 * A);
        if (!(fabs(found.exponent - rate) < 0.05))
            fail_msg("spin %g: %g, not %g", spin, found.exponent, rate);
    }
}

/* ---- Kovalevskaya's top ---------------------------------------------------------- */

static double integral_error(const ph_problem *p, const char *name, double h)
{
    const ph_integrator i = integrator_of(name);
    ph_system *s = NULL;
    const ph_observable *found = NULL;
    assert_int_equal(PH_OK, ph_system_from_problem(p, &i, NULL, h, 0, &s));
    ph_system_watch(s, true);
    assert_int_equal(PH_OK, ph_system_run_until(s, 8.0, NULL));
    assert_int_equal(PH_OK, ph_system_observable_named(s, "kovalevskaya", &found));
    const double error = found->error;
    assert_true(found->conserved && found->watched);
    assert_int_equal(PH_OK, ph_system_observable_named(s, "vertical", &found));
    assert_true(found->error < 1e-12);
    ph_system_destroy(s);
    return error;
}

/* Kept by the motion, hence by a method to its order; not for other moments, nor with the
 * centre elsewhere. */
static void test_kovalevskaya(void **state)
{
    (void)state;
    ph_problem p = *find_problem("kovalevskaya_top");
    assert_true(integral_error(&p, "s6_10+exact", 0.02) < 1e-12);
    const double slope =
        log2(integral_error(&p, "verlet+exact", 0.02) / integral_error(&p, "verlet+exact", 0.01));
    assert_true(fabs(slope - 2) < 0.05);
    p.value[0] = 2.5;
    p.body.J = scale(1.7, p.body.J);
    assert_true(integral_error(&p, "s6_10+exact", 0.02) < 1e-11);
    p.body.J.x *= 1.01;
    assert_true(integral_error(&p, "s6_10+exact", 0.02) > 1e-4);
    p = *find_problem("kovalevskaya_top");
    p.value[6] = 0.1;
    assert_true(integral_error(&p, "s6_10+exact", 0.02) > 1e-4);
}

/* ---- gyrostats ------------------------------------------------------------------- */

/* Permanent rotations: (lambda - J) w = H. */
static void test_permanent_rotations(void **state)
{
    (void)state;
    const ph_problem p = *find_problem("gyrostat");
    const ph_vec3 J = p.body.J, H = {p.value[0], p.value[1], p.value[2]};
    static const double LAMBDA[] = {-0.5, 3.5}; /* outside the moments: stable */
    static const char *const names[] = {"mkrk_gl6", "mkrk_rk4", "crouch_grossman3"};
    for (int n = 0; n < 2; n++) {
        const double l = LAMBDA[n];
        const ph_vec3 w = over(H, sub(vec3(l, l, l), J)), m = add(times(J, w), H);
        assert_true(norm(cross(m, w)) < 1e-15);
        for (int k = 0; k < 3; k++) {
            const ph_integrator i = integrator_of(names[k]);
            const ph_state start = {{1, 0, 0, 0}, m}, s = after_steps(&i, &p, start, 0.02, 500);
            assert_true(norm(sub(s.m, m)) < 1e-12);
            const ph_state turned = {ph_rotation_exp(scale(10.0, w)), m};
            assert_true(ph_state_distance(&s, &turned) < 1e-11);
        }
    }
}

/* J1 = J2 and the rotor on the third axis: w3 stays, and m goes round the axis at the rate
 * m3/A - w3. */
static void test_symmetric_gyrostat(void **state)
{
    (void)state;
    ph_problem p = *find_problem("gyrostat");
    p.body = (ph_body)PH_MOMENTS(1.3, 1.3, 2.1);
    p.value[0] = p.value[1] = 0.0;
    p.value[2] = 0.7;
    p.w = vec3(0.6, 0, 1.1);
    const ph_integrator i = integrator_of("mkrk_gl6");
    const ph_state s = after_steps(&i, &p, ph_problem_start(&p), 0.01, 500);
    const double m3 = 2.1 * 1.1 + 0.7, angle = 5.0 * (m3 / 1.3 - 1.1);
    const ph_vec3 right = {1.3 * 0.6 * cos(angle), 1.3 * 0.6 * sin(angle), m3};
    assert_true(norm(sub(s.m, right)) < 1e-11);
}

static void test_gyrostat_invariants(void **state)
{
    (void)state;
    ph_system *s = NULL;
    size_t count;
    assert_int_equal(PH_OK, system_by_names(&s, "gyrostat", "mkrk_gl6", 0.01));
    ph_system_watch(s, true);
    assert_int_equal(PH_OK, ph_system_run(s, 2000, NULL));
    const ph_observable *o = ph_system_observables(s, &count);
    assert_int_equal(3, count);
    for (size_t k = 0; k < count; k++)
        assert_true(o[k].conserved && o[k].error < 1e-12);
    ph_system_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lagrange),
        cmocka_unit_test(test_not_lagrange),
        cmocka_unit_test(test_lagrange_turns),
        cmocka_unit_test(test_precession),
        cmocka_unit_test(test_sleeping_top),
        cmocka_unit_test(test_kovalevskaya),
        cmocka_unit_test(test_permanent_rotations),
        cmocka_unit_test(test_symmetric_gyrostat),
        cmocka_unit_test(test_gyrostat_invariants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
