#include "support/motion_tests.h"
#include "base/extremes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "motion/vec.h"
#include "support/bodies.h"
#include "support/vectors.h"
#include "system/find.h"

static const double U = 0x1p-53;

/* The library's promise: distance from the solution at most 4 u (1 + condition), a
 * quarter of the tolerance of the vectors; energy and space momentum to 2e-15. */
static const double PROMISE = 4.0, INVARIANTS = 2e-15;

static int bodies_of_each_kind;

static ph_body body_of(const oracle_case *c)
{
    ph_body body;
    assert_int_equal(PH_OK, ph_body_from_moments(&body, c->J));
    return body;
}

static ph_motion motion_of(const oracle_case *c)
{
    const ph_body body = body_of(c);
    ph_motion motion;
    assert_int_equal(PH_OK, ph_motion_prepare(&motion, &body, &c->start));
    return motion;
}

static ph_state solved(const oracle_case *c)
{
    const ph_motion motion = motion_of(c);
    return ph_motion_at(&motion, c->t);
}

/* The same by one step of the flow `exact`, which has formulas of its own. */
static ph_state stepped(const oracle_case *c)
{
    const ph_flow *exact = find_flow("exact");
    ph_state s = c->start;
    assert_int_equal(PH_OK, exact->step(exact, &s, c->J, c->t));
    return s;
}

static void print_case(const oracle_case *c)
{
    const ph_vec3 J = c->J, m = c->start.m;
    print_error("J %a %a %a  m %a %a %a  t %a\n", J.x, J.y, J.z, m.x, m.y, m.z, c->t);
}

/* ---- against references ---------------------------------------------------------- */

static void check_vector(const vector_case *v, void *context)
{
    const ph_state both[] = {solved(&v->c), stepped(&v->c)};
    for (int i = 0; i < 2; i++) {
        const oracle_condition d = oracle_distance(v->solution, &both[i]);
        if (!(d.m <= v->tol_m / 4 && d.q <= v->tol_q / 4))
            fail_msg("%s: m off by %g, q by %g", v->name, d.m, d.q);
    }
    ++*(int *)context;
}

static void test_vectors(void **state)
{
    (void)state;
    int count = 0;
    vectors_each("free.json", check_vector, &count);
    vectors_each("papers.json", check_vector, &count);
    assert_int_equal(56, count);
}

/* Relative change of the energy and of the angular momentum in space. */
static void check_invariants(const oracle_case *c, const ph_state *s)
{
    const ph_body b = body_of(c);
    const double energy = ph_body_energy(&b, &c->start), length = norm_max(c->start.m);
    const ph_vec3 change = sub(ph_state_space_momentum(s), ph_state_space_momentum(&c->start));
    const double lost = fabs(ph_body_energy(&b, s) - energy) / energy;
    const double turned = norm(scale(1.0 / length, change)) / norm(scale(1.0 / length, s->m));
    if (!(lost <= INVARIANTS && turned <= INVARIANTS && fabs(dot4(s->q, s->q) - 1) <= 8 * U)) {
        print_case(c);
        fail_msg("energy off by %g, momentum by %g, |q|^2 by %g", lost, turned,
                 dot4(s->q, s->q) - 1);
    }
}

static void test_random_motions(void **state)
{
    (void)state;
    const double angle = 14.0;
    arb_ptr solution = _arb_vec_init(ORACLE_OUTPUTS);
    for (int kind = 0; kind < BODY_KIND_COUNT; kind++) {
        uint64_t seed = 1 + (uint64_t)kind;
        oracle_condition worst = {0, 0};
        for (int i = 0; i < bodies_of_each_kind; i++) {
            const oracle_case c = random_motion((enum body_kind)kind, &seed, angle);
            oracle_solve(solution, &c);
            const oracle_condition condition = oracle_condition_of(&c);
            const ph_state both[] = {solved(&c), stepped(&c)};
            for (int way = 0; way < 2; way++) {
                check_invariants(&c, &both[way]);
                const oracle_condition d = oracle_distance(solution, &both[way]);
                const double em = d.m / (U * (1 + condition.m)), eq = d.q / (U * (1 + condition.q));
                if (!(em <= PROMISE && eq <= PROMISE)) {
                    print_case(&c);
                    fail_msg("%s, %s: m off by %g u (1 + condition), q by %g",
                             body_kind_text((enum body_kind)kind), way == 0 ? "motion" : "step", em,
                             eq);
                }
                worst.m = larger_or_nan(worst.m, em);
                worst.q = larger_or_nan(worst.q, eq);
            }
        }
        print_message("%6d %-38s worst %.2f (m) %.2f (q) u (1 + condition)\n", bodies_of_each_kind,
                      body_kind_text((enum body_kind)kind), worst.m, worst.q);
    }
    _arb_vec_clear(solution, ORACLE_OUTPUTS);
}

/* 10^9 turns: the phase of a motion so long answers to the last bit of every input, some
 * 10^10 times; the error stays in proportion. */
static void test_billion_turns(void **state)
{
    (void)state;
    const double turns = 1e9, amplification = 2.0 * PH_PI * turns;
    arb_ptr solution = _arb_vec_init(ORACLE_OUTPUTS);
    uint64_t seed = 77;
    for (int i = 0; i < 10; i++) {
        oracle_case c = random_motion(BODY_TRIAXIAL, &seed, 1.0);
        const ph_body b = body_of(&c);
        c.t = amplification / norm(ph_body_velocity(&b, c.start.m));
        const ph_state s = solved(&c);
        check_invariants(&c, &s);
        oracle_solve_periodic(solution, &c);
        const oracle_condition d = oracle_distance(solution, &s);
        if (!(d.m <= 16 * U * amplification && d.q <= 16 * U * amplification)) {
            print_case(&c);
            fail_msg("after 10^9 turns m is off by %g, q by %g", d.m, d.q);
        }
    }
    _arb_vec_clear(solution, ORACLE_OUTPUTS);
}

/* ---- what makes it a motion ------------------------------------------------------ */

static double distance(const ph_state *a, const ph_state *b)
{
    const ph_quat d = {a->q.w - b->q.w, a->q.x - b->q.x, a->q.y - b->q.y, a->q.z - b->q.z};
    const double length = norm_max(a->m);
    return sqrt(dot4(d, d)) + (length > 0 ? norm_max(sub(a->m, b->m)) / length : 0.0);
}

/* Forward and back along one object, and the step of the flow, agree. */
static void test_back_and_forth(void **state)
{
    (void)state;
    const ph_flow *exact = find_flow("exact");
    for (int kind = 0; kind < BODY_KIND_COUNT; kind++) {
        uint64_t seed = 5;
        for (int i = 0; i < 200; i++) {
            const oracle_case c = random_motion((enum body_kind)kind, &seed, 8.0);
            const ph_body b = body_of(&c);
            const ph_motion motion = motion_of(&c);
            const ph_state there = ph_motion_at(&motion, c.t);
            ph_state s = c.start;
            assert_int_equal(PH_OK, ph_flow_step(exact, &b, &s, c.t));
            if (!(distance(&s, &there) < 1e-12)) { /* test_random_motions asks for more */
                print_case(&c);
                fail_msg("step and motion differ by %g", distance(&s, &there));
            }
            assert_int_equal(PH_OK, ph_flow_step(exact, &b, &s, -c.t));
            if (!(distance(&s, &c.start) < 1e-8)) { /* 8 turns next to an unstable axis */
                print_case(&c);
                fail_msg("there and back misses by %g", distance(&s, &c.start));
            }
        }
    }
}

/* The quaternion never jumps to its negative, over several periods, both ways in time. */
static void test_continuous_sign(void **state)
{
    (void)state;
    for (int kind = 0; kind < BODY_KIND_COUNT; kind++) {
        uint64_t seed = 11;
        for (int i = 0; i < 60; i++) {
            const oracle_case c = random_motion((enum body_kind)kind, &seed, 1.0);
            const ph_motion motion = motion_of(&c);
            const ph_body b = body_of(&c);
            const double dt = 0.3 / norm(ph_body_velocity(&b, c.start.m));
            for (int sign = -1; sign <= 1; sign += 2) {
                ph_quat last = c.start.q;
                for (int k = 1; k < 400; k++) {
                    const ph_state s = ph_motion_at(&motion, sign * k * dt);
                    if (!(dot4(s.q, last) > 0.5)) {
                        print_case(&c);
                        fail_msg("the quaternion jumps at t = %g", sign * k * dt);
                    }
                    last = s.q;
                }
            }
        }
    }
}

/* Moments from 1e-46 to 1e9, any size of momentum, starts next to every axis and plane:
 * finite, and nothing lost. */
static void test_every_scale(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 20000; i++) {
        const double low = log_between(&seed, 1e-46, 1e8);
        const double middle = low * log_between(&seed, 1, 10);
        const ph_vec3 J = {low, middle, low * log_between(&seed, 1, 10)};
        const double size = log_between(&seed, 1e-60, 1e60);
        ph_vec3 m = random_vector(&seed, -1, 1);
        const double tiny = log_between(&seed, 1e-200, 1);
        switch (i % 6) {
        case 0:
            m.x *= tiny;
            break;
        case 1:
            m.y *= tiny;
            break;
        case 2:
            m.z *= tiny;
            break;
        case 3:
            m.x = m.z = 1e-150;
            break;
        case 4:
            m.y = 0;
            break;
        default:
            break;
        }
        const oracle_case c = {
            J, {{1, 0, 0, 0}, scale(size, m)}, signed_log_between(&seed, 1e-9, 1e9) * low / size};
        const ph_state s = solved(&c);
        check_invariants(&c, &s);
    }
}

/* However small a component is, next to the unstable axis it grows until the body flips:
 * m1 and m3 by the hyperbolic solution as long as they are small, and m2 returns turned
 * round after 2K, K = log(4/k'). The equator of a symmetric body is the other place where
 * squares of small components would vanish. */
static void test_tiny_components(void **state)
{
    (void)state;
    for (int exponent = -1000; exponent <= -40; exponent += 20) {
        const double tiny = ldexp(1, exponent), rate = 1 / sqrt(3);
        const double flip = 2 * log(4 / (tiny * 0.5 * sqrt(2.0 / 3) / sqrt(0.25)));
        const oracle_case early = {{1, 2, 3}, {{1, 0, 0, 0}, {0, 2, tiny}}, 0.25 * flip / rate};
        ph_state s = solved(&early);
        const double grown = tiny * cosh(0.25 * flip);
        assert_true(fabs(s.m.z / grown - 1) < 1e-3 * (1 + fabs(s.m.z)));
        assert_true(fabs(s.m.y - 2) < 1e-3);
        oracle_case late = early;
        late.t = flip / rate;
        s = solved(&late);
        assert_true(fabs(s.m.y + 2) < 1e-10);
        assert_true(fabs(s.m.z) < 100 * tiny);
        check_invariants(&late, &s);

        const oracle_case equator = {{2, 2, 1}, {{1, 0, 0, 0}, {1, 0, tiny}}, 0.7};
        s = solved(&equator);
        assert_true(fabs(s.q.w - cos(0.175)) < 4 * U);
        assert_true(fabs(s.q.x - sin(0.175)) < 4 * U);
        assert_true(fabs(s.m.y / (-0.35 * tiny) - 1) < 1e-6);
        check_invariants(&equator, &s);
    }
}

/* Digits of the phase: all at the start, one less for each decade of the angle, none in the
 * end. */
static void test_phase_digits(void **state)
{
    (void)state;
    static const ph_vec3 momenta[] = {{0, 0, 3}, {0.3, 1.2, 2}};
    for (size_t i = 0; i < 2; i++) {
        const ph_vec3 J = {1, 2, 3};
        ph_body b;
        ph_motion f;
        const ph_state start = {{1, 0, 0, 0}, momenta[i]};
        assert_int_equal(PH_OK, ph_body_from_moments(&b, J));
        assert_int_equal(PH_OK, ph_motion_prepare(&f, &b, &start));
        const double rate = norm(over(start.m, J)), all = 53 * log10(2);
        assert_true(fabs(ph_motion_phase_digits(&f, 0) - all) < 1e-12);
        for (int decade = 1; decade < 16; decade++)
            assert_true(fabs(ph_motion_phase_digits(&f, -pow(10, decade) / rate) - (all - decade)) <
                        1e-9);
        assert_true(ph_motion_phase_digits(&f, 1e17 / rate) == 0);
    }
    const ph_state rest = {{1, 0, 0, 0}, {0, 0, 0}};
    ph_body b;
    ph_motion f;
    assert_int_equal(PH_OK, ph_body_from_moments(&b, vec3(1, 2, 3)));
    assert_int_equal(PH_OK, ph_motion_prepare(&f, &b, &rest));
    assert_true(ph_motion_phase_digits(&f, 1e300) > 15);
}

/* A motion on the separatrix tends to the middle axis and stays there. */
static void test_separatrix_forever(void **state)
{
    (void)state;
    const oracle_case c = {{2.0, 4.25, 4.5}, {{1, 0, 0, 0}, {-1.0, 1.0, 4.5}}, 1e6};
    const ph_state s = solved(&c);
    assert_true(fabs(fabs(s.m.y) / norm(c.start.m) - 1) < 4 * U);
    check_invariants(&c, &s);
}

/* From next to the unstable axis until the body flips: at once, and in parts of which each begins where the
 * last one ended. */
static void test_leaving_the_unstable_axis(void **state)
{
    (void)state;
    enum { PARTS = 40 };
    static const ph_body body = PH_MOMENTS(1.0, 2.0, 3.0);
    for (int k = 0; k < 24; k++) {
        const double near = ldexp(1.0, -20 * (k / 4 + 2)), /* 2^-40 to 2^-140 */
            end = 1.4 * -log(near) / sqrt(1.0 / 12.0), part = end / PARTS;
        const ph_state start = {{1, 0, 0, 0},
                                {(k % 2 ? 0.7 : -0.7) * near, k % 4 < 2 ? 1.0 : -1.0, 0.4 * near}};
        ph_state s = start;
        ph_motion whole;
        assert_int_equal(PH_OK, ph_motion_prepare(&whole, &body, &start));
        double farthest = 0.0;
        for (int i = 1; i <= PARTS && farthest < 0.1; i++) {
            ph_motion one;
            assert_int_equal(PH_OK, ph_motion_prepare(&one, &body, &s));
            s = ph_motion_at(&one, part);
            const ph_state at = ph_motion_at(&whole, i * part);
            farthest = larger_or_nan(farthest, fabs(s.m.x));
            if (!(norm(sub(s.m, at.m)) < 1e-11 && fabs(fabs(dot4(s.q, at.q)) - 1.0) < 1e-11))
                fail_msg("2^%d, part %d: %g, %g", ilogb(near), i, norm(sub(s.m, at.m)),
                         fabs(dot4(s.q, at.q)) - 1.0);
        }
        assert_true(farthest > 0.1);
    }
}

static void test_rest(void **state)
{
    (void)state;
    oracle_case c = {{1, 2, 3}, {{0.5, 0.5, -0.5, 0.5}, {0, 0, 0}}, 1e9};
    ph_state s = solved(&c);
    assert_memory_equal(&c.start, &s, sizeof s);
    c.start.m = vec3(0.3, -0.2, 0.7);
    c.t = 0;
    s = solved(&c);
    assert_memory_equal(&c.start, &s, sizeof s);
}

/* Inputs that make other codes abort, divide by zero or answer with NaN. */
static void test_inputs_that_break_others(void **state)
{
    (void)state;
    static const oracle_case cases[] = {
        {{1, 2, 3}, {{1, 0, 0, 0}, {1e-8, 1, 1e-8}}, 10},
        {{1, 2, 3}, {{1, 0, 0, 0}, {0, 1, 0}}, 10},
        {{1, 1, 2}, {{1, 0, 0, 0}, {0.6, 0.8, 0}}, 10},
        {{2, 3, 3}, {{1, 0, 0, 0}, {0, 0.6, 0.8}}, 10},
        {{2, 2, 2}, {{1, 0, 0, 0}, {1, -2, 3}}, 10},
        {{1, 2, 3}, {{1, 0, 0, 0}, {0, 0, 1}}, 10},
        {{1, 2, 3}, {{1, 0, 0, 0}, {1e-9, 0, -1}}, 10},
        {{3, 1, 2}, {{1, 0, 0, 0}, {0.3, 0.4, 0.5}}, 10},
    };
    arb_ptr solution = _arb_vec_init(ORACLE_OUTPUTS);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const ph_state s = solved(&cases[i]);
        oracle_solve(solution, &cases[i]);
        const oracle_condition condition = oracle_condition_of(&cases[i]),
                               d = oracle_distance(solution, &s);
        assert_true(d.m <= PROMISE * U * (1 + condition.m));
        assert_true(d.q <= PROMISE * U * (1 + condition.q));
    }
    _arb_vec_clear(solution, ORACLE_OUTPUTS);
}

/* Steps one after the other, each rounded, as a splitting takes them: the energy walks and
 * does not drift. The nearly symmetric bodies take the uniform step, and are off by 1e-12
 * if it does not keep the length of m; so is the fourth if it takes that step next to the
 * unstable axis, and so are the symmetric ones if a step does not form what changes first.
 * In steps of 5, five doublings long, the walk is wider, and without the way back onto
 * the orbit the last is off by 6e-12. */
static void test_repeated_steps(void **state)
{
    (void)state;
    static const oracle_case cases[] = {
        {{1, 1.6, 2.2}, {{1, 0, 0, 0}, {0.5, -0.8, 1.1}}, 0.1},
        {{0.6, 0.6006, 1.1}, {{1, 0, 0, 0}, {0.7, 0.5, 0.01}}, 0.1},
        {{0.6, 1.0, 1.001}, {{1, 0, 0, 0}, {0.006, 0.5, 0.7}}, 0.1},
        {{0.6, 0.8, 1.1}, {{1, 0, 0, 0}, {1e-4, 1.0, 2e-4}}, 0.1},
        {{0.6, 0.6, 1.1}, {{1, 0, 0, 0}, {0.7, 0.5, 0.03}}, 0.1},
        {{0.7, 1.0, 1.0}, {{1, 0, 0, 0}, {0.1, 0.5, 0.4}}, 0.1},
        {{0.6, 0.8, 1.0}, {{1, 0, 0, 0}, {1.8, 0.4, -0.9}}, 5.0},
    };
    const ph_flow *exact = find_flow("exact");
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const oracle_case *c = &cases[k];
        const ph_body b = body_of(c);
        ph_state s = c->start;
        for (int i = 0; i < 200000; i++)
            assert_int_equal(PH_OK, exact->step(exact, &s, c->J, c->t));
        const double lost = fabs(ph_body_energy(&b, &s) / ph_body_energy(&b, &c->start) - 1),
                     longer = fabs(norm(s.m) / norm(c->start.m) - 1);
        const double bound = c->t > 1 ? 1e-12 : 1e-13;
        if (!(lost < bound && longer < bound)) {
            print_case(c);
            fail_msg("energy off by %g, |m| by %g", lost, longer);
        }
    }
}

/* The same with the bounds that a fast step must keep to: attitude against one long
 * motion, energy and length of the momentum, and of the quaternion at every step. */
static void test_drift(void **state)
{
    (void)state;
    const int steps = 2000;
    const double h = 0.1;
    oracle_case c = {{0.6, 0.8, 1.0}, {{1, 0, 0, 0}, {1.8, 0.4, -0.9}}, steps * h};
    uint64_t seed = 40;
    for (int i = 0; i <= 40; i++) { /* the given body, then random ones */
        const ph_body b = body_of(&c);
        const double energy = ph_body_energy(&b, &c.start), m2 = dot(c.start.m, c.start.m),
                     bound = i == 0 ? 3e-14 : 2e-13;
        oracle_case one = c;
        for (int k = 0; k < steps; k++) {
            one.t = c.t / steps;
            one.start = stepped(&one);
            assert_true(fabs(dot4(one.start.q, one.start.q) - 1) <= 2e-15);
        }
        const double lost = fabs(ph_body_energy(&b, &one.start) / energy - 1),
                     longer = fabs(dot(one.start.m, one.start.m) / m2 - 1);
        if (!(lost <= bound && longer <= bound)) {
            print_case(&c);
            fail_msg("energy off by %g, |m|^2 by %g", lost, longer);
        }
        if (i == 0) {
            const ph_state there = solved(&c);
            print_message("%d steps: state off by %.1e, energy by %.1e, |m|^2 by %.1e\n", steps,
                          distance(&there, &one.start), lost, longer);
            assert_true(distance(&there, &one.start) <= 1e-12); /* attitude, momentum */
        }
        c = random_motion(BODY_TRIAXIAL, &seed, 1.0);
        c.t = steps * h;
    }
}

/* ---- frames and bad input -------------------------------------------------------- */

/* The motion in a turned body frame is the turned motion. */
static void test_tensor(void **state)
{
    (void)state;
    uint64_t seed = 21;
    for (int i = 0; i < 1000; i++) {
        const oracle_case c = random_motion((enum body_kind)(i % BODY_KIND_COUNT), &seed, 6.0);
        const ph_quat a = ph_rotation_exp(random_vector(&seed, -2, 2)); /* principal to body */
        const ph_mat3 A = ph_quat_matrix(a);
        ph_mat3 AJ = A;
        for (int r = 0; r < 3; r++) {
            AJ.a[r][0] *= c.J.x;
            AJ.a[r][1] *= c.J.y;
            AJ.a[r][2] *= c.J.z;
        }
        ph_body turned;
        assert_int_equal(PH_OK, ph_body_from_tensor(&turned, matmul(AJ, transpose(A))));
        const ph_state start = {mul(c.start.q, inverse(a)), rotate(a, c.start.m)};
        ph_motion motion;
        assert_int_equal(PH_OK, ph_motion_prepare(&motion, &turned, &start));
        const double t = 1e-2 * c.t; /* short: the moments are known to round-off only */
        const ph_state s = ph_motion_at(&motion, t), body = {mul(s.q, a), rotate(inverse(a), s.m)};
        const ph_motion principal = motion_of(&c);
        const ph_state expected = ph_motion_at(&principal, t);
        /* a needle's smallest moment loses its ratio to the largest in the tensor */
        const double ratio = larger_or_nan(c.J.x, larger_or_nan(c.J.y, c.J.z)) /
                             smaller_or_nan(c.J.x, smaller_or_nan(c.J.y, c.J.z));
        if (!(distance(&body, &expected) < 4e-15 * ratio)) {
            print_case(&c);
            fail_msg("in another frame off by %g", distance(&body, &expected));
        }
    }
}

static void test_diagonal_tensor(void **state)
{
    (void)state;
    ph_body a, b;
    assert_int_equal(PH_OK, ph_body_from_moments(&a, vec3(3, 1, 2)));
    assert_int_equal(PH_OK, ph_body_from_tensor(&b, (ph_mat3){{{3, 0, 0}, {7, 1, 0}, {7, 7, 2}}}));
    assert_true(b.principal);
    assert_memory_equal(&a.J, &b.J, sizeof a.J);
}

static void test_bad_input(void **state)
{
    (void)state;
    const double bad[] = {0.0, -1.0, NAN, INFINITY};
    ph_body b = {{7, 7, 7}, {1, 0, 0, 0}, true};
    const ph_body before = b;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(PH_BAD_INERTIA, ph_body_from_moments(&b, vec3(bad[i], 1, 1)));
        assert_int_equal(PH_BAD_INERTIA, ph_body_from_moments(&b, vec3(1, bad[i], 1)));
        assert_int_equal(PH_BAD_INERTIA, ph_body_from_moments(&b, vec3(1, 1, bad[i])));
    }
    const ph_mat3 indefinite = {{{1, 2, 0}, {0, 1, 0}, {0, 0, 1}}},
                  nan = {{{1, NAN, 0}, {0, 1, 0}, {0, 0, 1}}};
    assert_int_equal(PH_BAD_INERTIA, ph_body_from_tensor(&b, indefinite));
    assert_int_equal(PH_BAD_INERTIA, ph_body_from_tensor(&b, nan));
    assert_memory_equal(&before, &b, sizeof b);

    ph_motion motion;
    memset(&motion, 0x55, sizeof motion);
    const ph_motion untouched = motion;
    const ph_state zero_q = {{0, 0, 0, 0}, {1, 2, 3}}, nan_m = {{1, 0, 0, 0}, {1, NAN, 3}},
                   inf_q = {{INFINITY, 0, 0, 0}, {1, 2, 3}}, good = {{1, 0, 0, 0}, {1, 2, 3}};
    const ph_body hollow = {{1, 0, 1}, {1, 0, 0, 0}, true};
    assert_int_equal(PH_BAD_STATE, ph_motion_prepare(&motion, &b, &zero_q));
    assert_int_equal(PH_BAD_STATE, ph_motion_prepare(&motion, &b, &nan_m));
    assert_int_equal(PH_BAD_STATE, ph_motion_prepare(&motion, &b, &inf_q));
    assert_int_equal(PH_BAD_INERTIA, ph_motion_prepare(&motion, &hollow, &good));
    assert_memory_equal(&untouched, &motion, sizeof motion);

    assert_int_equal(PH_OK, ph_motion_prepare(&motion, &b, &good));
    assert_true(isnan(ph_motion_at(&motion, NAN).q.w));
    assert_true(isnan(ph_motion_at(&motion, INFINITY).q.w));
    assert_string_equal("success", ph_status_text(PH_OK));
    assert_string_equal("unknown status", ph_status_text((ph_status)99));
}

static void test_physical(void **state)
{
    (void)state;
    ph_body b;
    assert_int_equal(PH_OK, ph_body_from_moments(&b, vec3(1, 2, 3)));
    assert_true(ph_body_physical(&b));
    assert_int_equal(PH_OK, ph_body_from_moments(&b, vec3(3.01, 1, 2)));
    assert_false(ph_body_physical(&b));
}

static int close_oracle(void **state)
{
    (void)state;
    oracle_close();
    return 0;
}

int motion_tests(int bodies)
{
    bodies_of_each_kind = bodies;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_random_motions),
        cmocka_unit_test(test_billion_turns),
        cmocka_unit_test(test_back_and_forth),
        cmocka_unit_test(test_continuous_sign),
        cmocka_unit_test(test_every_scale),
        cmocka_unit_test(test_tiny_components),
        cmocka_unit_test(test_phase_digits),
        cmocka_unit_test(test_separatrix_forever),
        cmocka_unit_test(test_leaving_the_unstable_axis),
        cmocka_unit_test(test_rest),
        cmocka_unit_test(test_repeated_steps),
        cmocka_unit_test(test_drift),
        cmocka_unit_test(test_inputs_that_break_others),
        cmocka_unit_test(test_tensor),
        cmocka_unit_test(test_diagonal_tensor),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_physical),
    };
    return cmocka_run_group_tests_name("motion", tests, NULL, close_oracle);
}
