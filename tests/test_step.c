/* test_step.c - polhode_step.h, the file for engines, against the library's exact motion. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "polhode_step.h"

#include "base/extremes.h"
#include "motion/vec.h"
#include "support/bodies.h"
#include "support/step_energy.h"

enum { BODIES = 20000, EXTREMES = 8000 };

static double momentum_squared(const double J[3], const double w[3])
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        sum += J[i] * w[i] * (J[i] * w[i]);
    return sum;
}

static double relative(double x, double y)
{
    return x == y ? 0.0 : fabs(x - y) / fabs(y);
}

/* The largest errors: of the attitude in radians, of energy and |m|^2 relative. The velocity of
 * a needle is as exact as 1/J allows, so the momentum is compared. */
typedef struct errors {
    double attitude, momentum, energy, square;
} errors;

static void compare(errors *e, const oracle_case *c)
{
    const double J[3] = {c->J.x, c->J.y, c->J.z};
    const ph_state s = c->start;
    double q[4] = {s.q.w, s.q.x, s.q.y, s.q.z};
    double w[3] = {s.m.x / J[0], s.m.y / J[1], s.m.z / J[2]};
    /* from the momentum of the rounded velocity */
    ph_state end = {s.q, {J[0] * w[0], J[1] * w[1], J[2] * w[2]}};
    const double energy = step_energy(J, w), square = momentum_squared(J, w);
    const double size = sqrt(square);
    ph_body body;
    assert_int_equal(ph_body_from_moments(&body, c->J), PH_OK);
    assert_int_equal(ph_flow_step(&ph_flow_exact, &body, &end, c->t), PH_OK);
    polhode_step(q, w, J, c->t);
    const ph_quat apart = mul(inverse(end.q), (ph_quat){q[0], q[1], q[2], q[3]});
    const double turn = 2.0 * sqrt(apart.x * apart.x + apart.y * apart.y + apart.z * apart.z);
    const double off[3] = {J[0] * w[0] - end.m.x, J[1] * w[1] - end.m.y, J[2] * w[2] - end.m.z};
    e->attitude = larger_or_nan(e->attitude, turn);
    for (int i = 0; i < 3 && size > 0.0; i++)
        e->momentum = larger_or_nan(e->momentum, fabs(off[i]) / size);
    e->energy = larger_or_nan(e->energy, relative(step_energy(J, w), energy));
    e->square = larger_or_nan(e->square, relative(momentum_squared(J, w), square));
}

/* 1e-13 for rotations up to 1 rad is what the file says; 5e-15 are twenty roundings. */
static void test_exact(void **state)
{
    (void)state;
    uint64_t seed = 35;
    for (enum body_kind kind = 0; kind < BODY_KIND_COUNT; kind++) {
        errors e = {0.0, 0.0, 0.0, 0.0};
        for (int i = 0; i < BODIES; i++) {
            const oracle_case c = random_motion(kind, &seed, i % 2 == 0 ? 1.0 : 0.1);
            compare(&e, &c);
        }
        print_message("%s: attitude %.1e, momentum %.1e, energy %.1e, |m|^2 %.1e\n",
                      body_kind_text(kind), e.attitude, e.momentum, e.energy, e.square);
        assert_true(e.attitude < 1e-13);
        assert_true(e.momentum < 1e-13);
        assert_true(e.energy < 5e-15);
        assert_true(e.square < 5e-15);
    }
}

/* A step of 300 rad is divided; the error grows with the angle. */
static void test_long_step(void **state)
{
    (void)state;
    uint64_t seed = 7;
    errors e = {0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < BODIES / 10; i++) {
        const oracle_case c = random_motion(BODY_TRIAXIAL, &seed, 300.0);
        compare(&e, &c);
    }
    assert_true(e.attitude < 1e-10 && e.energy < 1e-13 && e.square < 1e-13);
}

/* Momentum in space, from a velocity in space. */
static ph_vec3 space_momentum(const double q[4], const double w[3], const double J[3])
{
    const ph_quat p = {q[0], q[1], q[2], q[3]};
    const ph_vec3 v = rotate_back(p, (ph_vec3){w[0], w[1], w[2]});
    return rotate(p, (ph_vec3){J[0] * v.x, J[1] * v.y, J[2] * v.z});
}

static void test_world(void **state)
{
    (void)state;
    const double J[3] = {1.0, 2.0, 3.0};
    double q[4] = {0.5, -0.5, 0.5, 0.5}, w[3] = {0.4, 0.2, 2.0};
    double p[4] = {0.5, -0.5, 0.5, 0.5}, v[3];
    const ph_vec3 before = space_momentum(q, w, J);
    const ph_quat start = {p[0], p[1], p[2], p[3]};
    const ph_vec3 body = rotate_back(start, (ph_vec3){w[0], w[1], w[2]});
    v[0] = body.x, v[1] = body.y, v[2] = body.z;
    for (int i = 0; i < 100; i++) {
        polhode_step_world(q, w, J, 0.1);
        polhode_step(p, v, J, 0.1);
    }
    const ph_vec3 after = space_momentum(q, w, J);
    const ph_vec3 same = rotate((ph_quat){p[0], p[1], p[2], p[3]}, (ph_vec3){v[0], v[1], v[2]});
    assert_true(norm(sub(after, before)) < 1e-13 * norm(before));
    assert_true(norm(sub(same, (ph_vec3){w[0], w[1], w[2]})) < 1e-12);
    for (int i = 0; i < 4; i++)
        assert_true(fabs(q[i] - p[i]) < 1e-12);
}

/* A number over the whole range of double, sometimes zero or an end of the range. */
static double extreme(uint64_t *seed, bool positive)
{
    enum { ENDS = 7 };
    static const double ends[ENDS] = {0.0, 1.0, 1e300, 1e-300, DBL_MIN, 0x1p-1074, DBL_MAX};
    const double kind = uniform(seed);
    double x = log_between(seed, 1e-300, 1e300);
    if (kind < 0.3)
        x = ends[(size_t)(uniform(seed) * ENDS)];
    else if (kind < 0.6)
        x = log_between(seed, 1e-3, 1e3);
    if (positive)
        return x > 0.0 ? x : 1.0;
    return random_sign(seed) * x;
}

static void test_extremes(void **state)
{
    (void)state;
    uint64_t seed = 300;
    for (int n = 0; n < EXTREMES; n++) {
        double q[4], w[3], J[3], size = 0.0, length = 0.0;
        for (int i = 0; i < 3; i++) {
            J[i] = extreme(&seed, true);
            w[i] = extreme(&seed, false);
        }
        do
            for (int i = 0; i < 4; i++)
                size += fabs(q[i] = extreme(&seed, false));
        while (size == 0.0);
        const double dt = extreme(&seed, false);
        if (n % 2 == 0)
            polhode_step(q, w, J, dt);
        else
            polhode_step_world(q, w, J, dt);
        for (int i = 0; i < 3; i++)
            assert_true(isfinite(w[i]));
        for (int i = 0; i < 4; i++)
            length += q[i] * q[i];
        assert_true(fabs(length - 1.0) < 1e-14);
    }
}

/* Calls a step of double or of float, with w in the body or in space. */
static void step_by(int which, double x[7], const double J[3], double dt)
{
    float q[4], w[3];
    const float K[3] = {(float)J[0], (float)J[1], (float)J[2]};
    for (int i = 0; i < 7; i++)
        *(i < 4 ? q + i : w + i - 4) = (float)x[i];
    if (which < 2)
        (which == 0 ? polhode_step : polhode_step_world)(x, x + 4, J, dt);
    else
        (which == 2 ? polhode_stepf : polhode_stepf_world)(q, w, K, (float)dt);
    for (int i = 0; i < 7 && which >= 2; i++)
        x[i] = i < 4 ? q[i] : w[i - 4];
}

/* What is no motion stays as it is: NaN or infinity in each of q, w and dt, NaN in J, and q = 0. */
static void test_no_motion(void **state)
{
    (void)state;
    static const double wrong[3] = {NAN, INFINITY, -INFINITY};
    for (int n = 0; n < 4 * 3 * 12; n++) {
        const int which = n / 36, at = n / 3 % 12;
        double x[11] = {0.5, -0.5, 0.5, 0.5, 0.25, 0.125, 2.0, 1.0, 2.0, 3.0, 0.125}, y[11];
        if (at < 11)
            x[at] = at >= 7 && at < 10 ? NAN : wrong[n % 3];
        for (int i = 0; i < 4 && at == 11; i++)
            x[i] = 0.0;
        for (int i = 0; i < 11; i++)
            y[i] = x[i];
        step_by(which, y, y + 7, y[10]);
        for (int i = 0; i < 7; i++)
            assert_true(y[i] == x[i] || (isnan(x[i]) && isnan(y[i])));
    }
}

/* Without a positive moment, or with an infinite one, as 1/0 and 1/-0 are, w stays and the body turns
 * about it. Another moment that is not positive counts as the smallest that there is. */
static void test_no_moments(void **state)
{
    (void)state;
    enum { NONE = 7 };
    static const double none[NONE][3] = {
        {0, 0, 0},          {-1, -2, -3},      {INFINITY, INFINITY, INFINITY}, {1, INFINITY, 2},
        {-1, 0, -INFINITY}, {1, 2, -INFINITY}, {INFINITY, -INFINITY, 0.5}};
    for (int n = 0; n < 4 * NONE; n++) {
        const double w[3] = {0.5, -0.25, 1.0};
        double x[7] = {1, 0, 0, 0, w[0], w[1], w[2]}, length = sqrt(1.3125);
        step_by(n / NONE, x, none[n % NONE], 0.5);
        assert_true(fabs(x[0] - cos(0.25 * length)) < 1e-7);
        for (int i = 0; i < 3; i++) {
            assert_true(fabs(x[1 + i] - w[i] / length * sin(0.25 * length)) < 1e-7);
            assert_true(fabs(x[4 + i] - w[i]) < 1e-7);
        }
    }
    for (int which = 0; which < 4; which++) {
        double x[7] = {1, 0, 0, 0, 0.5, -0.25, 1.0}, y[7] = {1, 0, 0, 0, 0.5, -0.25, 1.0};
        step_by(which, x, (const double[]){-1.0, 1.5, 1.5}, 0.5);
        step_by(which, y, (const double[]){3e-14, 1.5, 1.5}, 0.5);
        for (int i = 0; i < 7; i++)
            assert_true(fabs(x[i] - y[i]) < 1e-6 * (1.0 + fabs(y[i])));
    }
}

/* A velocity beyond the range of float, from one within. */
static void test_fastest_float(void **state)
{
    (void)state;
    const double J[3] = {1e-4, 1.0, 0.9};
    for (int which = 2; which < 4; which++) {
        double x[7] = {1, 0, 0, 0, 1e30, 3e38, 1e38};
        step_by(which, x, J, 1e-38);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(x[4 + i]) <= (double)FLT_MAX);
        assert_true(fabs(x[4]) == (double)FLT_MAX || which == 3);
    }
}

/* Rounding to float moves the energy at random, by 1e-7 times the square root of the number of
 * steps or less: ten times that is allowed. slow_step.c takes 10^9 steps. */
static void test_float(void **state)
{
    (void)state;
    for (size_t body = 0; body < step_energy_bodies; body++)
        for (int world = 0; world < 2; world++)
            assert_true(step_energy_float_error(body, world, 250000) < 1e-6 * 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),      cmocka_unit_test(test_long_step),
        cmocka_unit_test(test_world),      cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_float),      cmocka_unit_test(test_no_motion),
        cmocka_unit_test(test_no_moments), cmocka_unit_test(test_fastest_float),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
