/* test_fill.c - one motion at many times, its period and its precession: against the state at
 * each time alone, for motions of every kind; with its bits, or in vector lanes to round-off. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "motion/renaming.h"
#include "motion/vec.h"
#include "polhode/batch.h"
#include "support/bodies.h"

enum { TIMES = 700, MOTIONS = 8 };
static const double U = 0x1p-53;

static double q[4 * TIMES], m[3 * TIMES], t[TIMES];

static ph_state filled(size_t i)
{
    return (ph_state){{q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]},
                      {m[3 * i], m[3 * i + 1], m[3 * i + 2]}};
}

static double distance(ph_state a, ph_state b, double length)
{
    const ph_vec3 dq = sub(vec(a.q), vec(b.q)), dm = sub(a.m, b.m);
    return larger_or_nan(larger_or_nan(fabs(a.q.w - b.q.w), norm_max(dq)), norm_max(dm) / length);
}

static ph_motion prepared(const oracle_case *c, bool tensor, uint64_t *seed)
{
    ph_body b;
    ph_motion motion;
    assert_int_equal(ph_body_from_moments(&b, c->J), PH_OK);
    if (tensor) {
        b.principal = false;
        b.axes = ph_rotation_exp(random_vector(seed, -1, 1));
    }
    assert_int_equal(ph_motion_prepare(&motion, &b, &c->start), PH_OK);
    return motion;
}

/* Each of the two ways is within 4 u (1 + condition) of the motion, and the condition grows
 * with the time. */
static void test_states(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int n = 0; n < MOTIONS * BODY_KIND_COUNT; n++) {
        const enum body_kind kind = (enum body_kind)(n % BODY_KIND_COUNT);
        const double angle = exp2(between(&seed, -3.0, 8.0));
        const oracle_case c = random_motion(kind, &seed, angle);
        const ph_motion motion = prepared(&c, n % 3 == 0, &seed);
        const double length =
            norm(scale(1.0 / binary_unit(c.start.m), c.start.m)) * binary_unit(c.start.m);
        for (size_t i = 0; i < TIMES; i++)
            t[i] = c.t * (n % 2 ? (double)i / TIMES : between(&seed, -1.0, 1.0));
        ph_motion_fill_fast(&motion, t, TIMES, q, m);
        const oracle_condition condition = oracle_condition_of(&c);
        const double bound = 8.0 * U * (1.0 + condition.q + condition.m);
        for (size_t i = 0; i < TIMES; i++) {
            const ph_state right = ph_motion_at(&motion, t[i]);
            const double off = distance(filled(i), right, length);
            if (!(off <= bound))
                fail_msg("%s, time %zu: off by %g, bound %g", body_kind_text(kind), i, off, bound);
        }
    }
}

/* A state depends on its time alone: not on others, nor on its place. */
static void test_alone(void **state)
{
    (void)state;
    uint64_t seed = 8;
    for (int n = 0; n < 3 * BODY_KIND_COUNT; n++) {
        const oracle_case c = random_motion((enum body_kind)(n % BODY_KIND_COUNT), &seed, 100.0);
        const ph_motion motion = prepared(&c, false, &seed);
        for (size_t i = 0; i < TIMES; i++)
            t[i] = c.t * between(&seed, -1.0, 1.0);
        ph_motion_fill_fast(&motion, t, TIMES, q, m);
        for (size_t i = 0; i < TIMES; i += 41) {
            double one_q[4], one_m[3];
            ph_motion_fill_fast(&motion, &t[i], 1, one_q, one_m);
            assert_memory_equal(one_q, &q[4 * i], sizeof one_q);
            assert_memory_equal(one_m, &m[3 * i], sizeof one_m);
        }
    }
}

/* Times over many decades, one by one and all at once: the same bits. */
static void test_bits(void **state)
{
    (void)state;
    uint64_t seed = 10;
    for (int n = 0; n < MOTIONS * BODY_KIND_COUNT; n++) {
        const oracle_case c = random_motion((enum body_kind)(n % BODY_KIND_COUNT), &seed, 100.0);
        const ph_motion motion = prepared(&c, n % 3 == 0, &seed);
        for (size_t i = 0; i < TIMES; i++)
            t[i] = c.t * exp2(between(&seed, -200.0, 60.0)) * (i % 2 ? 1.0 : -1.0);
        t[0] = 0.0, t[1] = -0.0, t[2] = NAN, t[3] = INFINITY;
        ph_motion_fill(&motion, t, TIMES, q, m);
        for (size_t i = 0; i < TIMES; i++) {
            const ph_state one = ph_motion_at(&motion, t[i]), all = filled(i);
            assert_memory_equal(&one, &all, sizeof one);
        }
    }
}

static void test_special_times(void **state)
{
    (void)state;
    const ph_body b = PH_MOMENTS(1, 2, 3);
    const ph_state start = {{1, 0, 0, 0}, {1, 1, 1}};
    const double times[] = {0.0, NAN, INFINITY, -INFINITY, 1e15, 1e18, 1e300, -0.0};
    enum { COUNT = sizeof times / sizeof times[0] };
    ph_motion motion;
    assert_int_equal(ph_motion_prepare(&motion, &b, &start), PH_OK);
    ph_motion_fill_fast(&motion, times, COUNT, q, m);
    for (size_t i = 0; i < COUNT; i++) {
        const ph_state right = ph_motion_at(&motion, times[i]);
        if (isnan(right.q.w))
            assert_true(isnan(filled(i).q.w) && isnan(filled(i).m.x));
        else if (fabs(times[i]) < 1e16)
            assert_true(distance(filled(i), right, 1.0) < 8.0 * U * (1.0 + fabs(times[i])));
        else
            assert_true(distance(filled(i), right, 1.0) == 0.0);
    }
    ph_motion_fill_fast(&motion, times, 0, NULL, NULL);
}

/* The angle by which axis 3 of a body goes about its momentum in space over a time. */
static double azimuth(const ph_motion *motion, double time, ph_vec3 axis)
{
    enum { PARTS = 4000 };
    double sum = 0.0;
    ph_vec3 before = {0, 0, 0};
    const ph_state s0 = ph_motion_at(motion, 0.0);
    const ph_vec3 pole = ph_state_space_momentum(&s0), e = scale(1.0 / norm(pole), pole);
    for (int i = 0; i <= PARTS; i++) {
        const ph_vec3 a = ph_quat_rotate(ph_motion_at(motion, time * i / PARTS).q, axis),
                      v = sub(a, scale(dot(a, e), e));
        if (i > 0)
            sum += atan2(dot(e, cross(before, v)), dot(before, v));
        before = v;
    }
    return sum;
}

static void test_period_and_precession(void **state)
{
    (void)state;
    uint64_t seed = 9;
    int tested = 0;
    while (tested < 100) {
        const ph_vec3 x = random_vector(&seed, -1, 1), J = {exp(x.x), exp(x.y), exp(x.z)};
        ph_body b;
        ph_motion motion;
        const ph_state start = {{1, 0, 0, 0}, random_vector(&seed, -1, 1)};
        assert_int_equal(ph_body_from_moments(&b, J), PH_OK);
        assert_int_equal(ph_motion_prepare(&motion, &b, &start), PH_OK);
        const double T = ph_motion_period(&motion);
        if (T * norm(start.m) > 300.0)
            continue;
        tested++;
        const ph_state end = ph_motion_at(&motion, T), half = ph_motion_at(&motion, T / 2);
        assert_true(norm(sub(end.m, start.m)) < 1e-12);
        assert_true(norm(sub(half.m, start.m)) > 1e-6);
        /* Which axis m encircles: that of the largest moment where |m|^2 > 2 E I2. */
        const renaming r = ascending(J);
        const double middle = in_order(&r, J).y;
        const bool high = dot(start.m, start.m) > 2.0 * ph_body_energy(&b, &start) * middle;
        const ph_vec3 axis = renamed_back(&r, vec3(!high, 0, high));
        const double precession = ph_motion_precession(&motion);
        assert_true(fabs(azimuth(&motion, T, axis) / T - precession) < 1e-11 * fabs(precession));
        /* the same motion in other units: no bit of the numbers changes */
        ph_motion other;
        const ph_body heavy = PH_MOMENTS(ldexp(J.x, 500), ldexp(J.y, 500), ldexp(J.z, 500));
        const ph_state slow = {start.q, scale(0x1p-480, start.m)};
        assert_int_equal(ph_motion_prepare(&other, &heavy, &slow), PH_OK);
        assert_true(ph_motion_period(&other) == ldexp(T, 980));
        assert_true(ph_motion_precession(&other) == ldexp(precession, -980));
    }
}

static void test_stationary(void **state)
{
    (void)state;
    const ph_body b = PH_MOMENTS(2, 2, 1);
    const struct {
        ph_vec3 m;
        double precession;
        bool stays;
    } cases[] = {{{0, 0, 0}, 0.0, true},
                 {{0, 0, 3}, 3.0, true},
                 {{0, 4, 0}, 2.0, true},
                 {{0.6, 0, 0.8}, 0.5, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ph_motion motion;
        const ph_state start = {{1, 0, 0, 0}, cases[i].m};
        assert_int_equal(ph_motion_prepare(&motion, &b, &start), PH_OK);
        assert_true(isinf(ph_motion_period(&motion)) == cases[i].stays);
        assert_true(fabs(ph_motion_precession(&motion) - cases[i].precession) < 4.0 * U);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_alone),
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_special_times),
        cmocka_unit_test(test_period_and_precession),
        cmocka_unit_test(test_stationary),
    };
    const int failed = cmocka_run_group_tests_name("fill", tests, NULL, NULL);
    oracle_close();
    return failed;
}
