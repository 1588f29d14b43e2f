/* test_derivative.c - derivatives of the exact motion: against the equations of variation in
 * multiprecision, and identities that hold for every motion. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "motion/vec.h"
#include "polhode/batch.h"
#include "support/chosen_isa.h"
#include "support/derivative_tests.h"
#include "support/quick.h"
#include "support/stack.h"

static const double U = 0x1p-53;

static ph_body body_of(const oracle_case *c)
{
    ph_body b;
    assert_int_equal(PH_OK, ph_body_from_moments(&b, c->J));
    return b;
}

static void fail_case(const oracle_case *c, int kind, const char *what, double error)
{
    const ph_vec3 J = c->J, m = c->start.m;
    print_error("J %a %a %a  m %a %a %a  t %a\n", J.x, J.y, J.z, m.x, m.y, m.z, c->t);
    fail_msg("%s: %s off by %g", derivative_kind_text(kind), what, error);
}

static void test_variation(void **state)
{
    (void)state;
    const int each = is_emulated() ? 1 : 6;
    for (int kind = 0; kind < DERIVATIVE_KIND_COUNT; kind++) {
        uint64_t seed = 1 + (uint64_t)kind;
        double worst = 0.0;
        for (int i = 0; i < each; i++) {
            const oracle_case c = derivative_motion(kind, &seed, 14.0);
            const double error = derivative_error(&c);
            worst = larger_or_nan(worst, error);
            if (!(error <= derivative_promise(kind)))
                fail_case(&c, kind, "derivative", error);
        }
        print_message("%3d %-40s worst %.2f u (1 + condition)\n", each, derivative_kind_text(kind),
                      worst);
    }
}

/* ---- identities ------------------------------------------------------------------ */

/* The derivative of a step that s takes. */
static ph_derivative stepped(const ph_body *b, ph_state *s, double h)
{
    ph_derivative d;
    assert_int_equal(PH_OK, ph_flow_derivative(b, s, h, &d));
    return d;
}

static ph_mat3 block(const double x[3][PH_DERIVATIVE_COLUMNS], int first)
{
    ph_mat3 a;
    for (int i = 0; i < 3; i++)
        memcpy(a.a[i], x[i] + first, sizeof a.a[i]);
    return a;
}
#define BLOCK(x, first) block((const double(*)[PH_DERIVATIVE_COLUMNS])(x), first)

static double size_of(ph_mat3 a)
{
    double most = 0.0;
    for (int i = 0; i < 9; i++)
        most = larger_or_nan(most, fabs((&a.a[0][0])[i]));
    return most;
}

static ph_mat3 difference(ph_mat3 a, ph_mat3 b)
{
    return add_to(a, -1.0, b);
}

static ph_vec3 column(const double x[3][PH_DERIVATIVE_COLUMNS], int k)
{
    return vec3(x[0][k], x[1][k], x[2][k]);
}
#define COLUMN(x, k) column((const double(*)[PH_DERIVATIVE_COLUMNS])(x), k)

/* The tensor of a column. */
static ph_mat3 unit_tensor(int k)
{
    static const int entry[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    ph_mat3 E = {{{0}}};
    const int *e = entry[k - PH_BY_INERTIA];
    E.a[e[0]][e[1]] = E.a[e[1]][e[0]] = 1.0;
    return E;
}

/* A motion in units in which its momentum, and the largest moment, are next to 1. */
static oracle_case in_units(oracle_case c)
{
    const int of_m = ilogb(norm_max(c.start.m)), of_J = ilogb(norm_max(c.J));
    c.start.m = scale(ldexp(1.0, -of_m), c.start.m);
    c.J = scale(ldexp(1.0, -of_J), c.J);
    c.t = ldexp(c.t, of_m - of_J);
    return c;
}

typedef void check_motion(const oracle_case *c, int kind);

/* Of a stationary rotation about the middle axis, and on the separatrix, the derivatives grow
 * exponentially, and those of a long motion are beyond double. */
static void each_motion(check_motion *check, double angle, int count)
{
    for (int kind = 0; kind < DERIVATIVE_KIND_COUNT; kind++) {
        if (angle > 100.0 && (kind == PLACE_ON_AXIS || kind == PLACE_ON_SEPARATRIX))
            continue;
        uint64_t seed = 100 + (uint64_t)kind;
        for (int i = 0; i < count; i++) {
            const oracle_case c = in_units(derivative_motion(kind, &seed, angle));
            check(&c, kind);
        }
    }
}

/* D^T Omega(m+) D = Omega(m), Omega(m) = (hat(m), -1; 1, 0) on (theta, m): the blocks of
 * which are M = T^T + hat(m+) P and that P^T M is symmetric up to P^T hat(m+) P. And the
 * step back has -P^T in place of P. */
static void check_symplectic(const oracle_case *c, int kind)
{
    const ph_body b = body_of(c);
    ph_state s = c->start;
    const ph_derivative d = stepped(&b, &s, c->t);
    const ph_mat3 T = transpose(BLOCK(d.attitude, PH_BY_ATTITUDE)),
                  P = BLOCK(d.attitude, PH_BY_MOMENTUM), M = BLOCK(d.momentum, PH_BY_MOMENTUM),
                  m = ph_hat(s.m), PM = matmul(transpose(P), M);
    const double size = 1.0 + size_of(P) + size_of(M);
    const double first =
        size_of(difference(M, add_to(transpose(T), 1.0, matmul(m, P)))) / (U * size);
    const ph_mat3 skew = difference(PM, transpose(PM));
    const double second =
        size_of(difference(skew, matmul(transpose(P), matmul(m, P)))) / (U * size * size);
    if (!(first <= 32.0 && second <= 32.0))
        fail_case(c, kind, "symplectic form", larger_or_nan(first, second));
}

/* T (theta+ x m+ + dm+) = theta x m + dm, and w+ . dm+ = w . dm with 1/2 w . dJ w less. */
static void check_conserved(const oracle_case *c, int kind)
{
    const ph_body b = body_of(c);
    ph_state s = c->start;
    const ph_vec3 w0 = ph_body_velocity(&b, s.m), m0 = s.m;
    const ph_derivative d = stepped(&b, &s, c->t);
    const ph_vec3 w1 = ph_body_velocity(&b, s.m);
    const ph_mat3 T = transpose(BLOCK(d.attitude, PH_BY_ATTITUDE));
    for (int k = 0; k < PH_BY_TIME; k++) {
        const ph_vec3 theta = COLUMN(d.attitude, k), dm = COLUMN(d.momentum, k);
        const ph_vec3 unit = vec3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
        const ph_vec3 zero = {0, 0, 0},
                      before = k < PH_BY_MOMENTUM  ? cross(unit, m0)
                               : k < PH_BY_INERTIA ? unit
                                                   : zero,
                      after = apply(T, add(cross(theta, s.m), dm));
        double energy = dot(w1, dm), lost = k < PH_BY_MOMENTUM ? 0.0 : dot(w0, before);
        if (k >= PH_BY_INERTIA) {
            const ph_mat3 E = unit_tensor(k);
            energy -= 0.5 * dot(w1, apply(E, w1));
            lost = -0.5 * dot(w0, apply(E, w0));
        }
        const double size = 1.0 + norm(theta) + norm(dm),
                     wide = norm(w0) + norm(w1) + dot(w0, w0) + dot(w1, w1),
                     away = norm(sub(after, before)) / (U * size),
                     gained = fabs(energy - lost) / (U * size * (1.0 + wide));
        if (!(away <= 32.0 && gained <= 32.0))
            fail_case(c, kind, ph_derivative_column(k), larger_or_nan(away, gained));
    }
}

/* Motions that have no digit left are not compared. */
static const double NO_DIGITS = 0x1p40;

/* The step back from the end: -P^T. */
static void check_back(const oracle_case *c, int kind)
{
    const ph_body b = body_of(c);
    ph_state s = c->start;
    const ph_derivative d = stepped(&b, &s, c->t);
    const ph_mat3 P = BLOCK(d.attitude, PH_BY_MOMENTUM);
    oracle_case end = *c;
    end.start = s;
    const ph_derivative back = stepped(&b, &s, -c->t);
    const ph_mat3 sum = add_to(BLOCK(back.attitude, PH_BY_MOMENTUM), 1.0, transpose(P));
    const double size = 1.0 + size_of(P) + derivative_condition(c) + derivative_condition(&end);
    if (!(size > NO_DIGITS) && !(size_of(sum) <= 16.0 * U * size))
        fail_case(c, kind, "step back", size_of(sum) / (U * size));
}

/* D(t) = D(t2) D(t1), and the columns of J: those of t2 are added. */
static void check_group(const oracle_case *c, int kind)
{
    const ph_body b = body_of(c);
    ph_state s = c->start, whole = c->start;
    oracle_case first = *c, second = *c;
    first.t = 0.375 * c->t;
    second.t = c->t - first.t;
    const ph_derivative d = stepped(&b, &whole, c->t), d1 = stepped(&b, &s, first.t);
    second.start = s;
    double size1 = 0.0;
    const ph_state middle = s;
    for (int k = 0; k < PH_BY_TIME; k++)
        size1 = larger_or_nan(size1, norm(COLUMN(d1.attitude, k)) + norm(COLUMN(d1.momentum, k)));
    const double size = derivative_condition(c) + (1.0 + derivative_condition(&second)) *
                                                      (1.0 + size1) *
                                                      (1.0 + derivative_condition(&first));
    for (int k = 0; k < PH_BY_TIME; k++) {
        ph_state at = middle;
        ph_tangent v = {.attitude = COLUMN(d1.attitude, k), .momentum = COLUMN(d1.momentum, k)};
        if (k >= PH_BY_INERTIA)
            v.inertia[k - PH_BY_INERTIA] = 1.0;
        assert_int_equal(PH_OK, ph_flow_tangent(&b, &at, second.t, &v));
        const double away = norm(sub(v.attitude, COLUMN(d.attitude, k))) +
                            norm(sub(v.momentum, COLUMN(d.momentum, k)));
        if (!(size > NO_DIGITS) && !(away <= 16.0 * U * (1.0 + size)))
            fail_case(c, kind, ph_derivative_column(k), away / (U * (1.0 + size)));
    }
}

/* Products are those of the matrices, and the transposed is the transposed. */
static void check_products(const oracle_case *c, int kind)
{
    const ph_body b = body_of(c);
    uint64_t seed = (uint64_t)kind + 7;
    ph_state s = c->start, moved = c->start;
    const ph_derivative d = stepped(&b, &s, c->t);
    double x[PH_DERIVATIVE_COLUMNS], y[6], sum = 0.0, sizes = 0.0, forward = 0.0;
    for (int k = 0; k < PH_DERIVATIVE_COLUMNS; k++)
        x[k] = between(&seed, -1.0, 1.0);
    for (int k = 0; k < 6; k++)
        y[k] = between(&seed, -1.0, 1.0);
    ph_tangent v, w = {.attitude = {y[0], y[1], y[2]}, .momentum = {y[3], y[4], y[5]}};
    assert_int_equal(sizeof x, sizeof v);
    memcpy(&v, x, sizeof v);
    assert_int_equal(PH_OK, ph_flow_cotangent(&b, &c->start, c->t, &w));
    assert_int_equal(PH_OK, ph_flow_tangent(&b, &moved, c->t, &v));
    assert_memory_equal(&s, &moved, sizeof s);
    const double *result = &v.attitude.x, *gradient = &w.attitude.x;
    for (int i = 0; i < 6; i++) {
        const double *row = i < 3 ? d.attitude[i] : d.momentum[i - 3];
        forward += y[i] * result[i];
        for (int k = 0; k < PH_DERIVATIVE_COLUMNS; k++) {
            sum += y[i] * row[k] * x[k];
            sizes += fabs(y[i] * row[k] * x[k]);
        }
    }
    double back = 0.0;
    for (int k = 0; k < PH_DERIVATIVE_COLUMNS; k++)
        back += gradient[k] * x[k];
    sizes += 1.0;
    if (!(fabs(forward - sum) <= 32.0 * U * sizes && fabs(back - sum) <= 32.0 * U * sizes))
        fail_case(c, kind, "product",
                  larger_or_nan(fabs(forward - sum), fabs(back - sum)) / (U * sizes));
}

/* In the axes of a tensor: those of the principal axes, turned; and the velocity is J^-1 m. */
static void check_tensor(const oracle_case *c, int kind)
{
    const ph_mat3 A = ph_quat_matrix(c->start.q);
    const ph_vec3 J = c->J;
    const ph_mat3 D = rows(vec3(J.x, 0, 0), vec3(0, J.y, 0), vec3(0, 0, J.z)),
                  tensor = matmul(matmul(A, D), transpose(A));
    ph_body b;
    assert_int_equal(PH_OK, ph_body_from_tensor(&b, tensor));
    const ph_body principal = PH_MOMENTS(b.J.x, b.J.y, b.J.z);
    const ph_quat to = {b.axes.w, -b.axes.x, -b.axes.y, -b.axes.z};
    ph_state s = c->start;
    const ph_state start = {ph_quat_product(s.q, b.axes), ph_quat_rotate(to, s.m)};
    const ph_derivative d = stepped(&b, &s, c->t);
    const ph_mat3 R = ph_quat_matrix(b.axes);
    for (int k = 0; k < PH_DERIVATIVE_COLUMNS; k++) {
        ph_tangent v = {0};
        ph_state p = start;
        const ph_vec3 unit = apply(transpose(R), vec3(k % 3 == 0, k % 3 == 1, k % 3 == 2));
        ph_vec3 of_J = {0, 0, 0};
        if (k < PH_BY_MOMENTUM) {
            v.attitude = unit;
        } else if (k < PH_BY_INERTIA) {
            v.momentum = unit;
        } else if (k < PH_BY_TIME) {
            const ph_mat3 E = matmul(matmul(transpose(R), unit_tensor(k)), R);
            const double e[6] = {E.a[0][0], E.a[1][1], E.a[2][2], E.a[0][1], E.a[0][2], E.a[1][2]};
            memcpy(v.inertia, e, sizeof e);
            of_J = apply(unit_tensor(k), ph_body_velocity(&b, s.m));
        } else {
            v.t = 1.0;
        }
        assert_int_equal(PH_OK, ph_flow_tangent(&principal, &p, c->t, &v));
        const ph_vec3 dm = COLUMN(d.momentum, k), dw = COLUMN(d.velocity, k),
                      right = ph_body_velocity(&b, sub(dm, of_J)), theta = COLUMN(d.attitude, k);
        const double away = norm(sub(theta, apply(R, v.attitude))) / (1.0 + norm(theta)) +
                            norm(sub(dm, apply(R, v.momentum))) / (1.0 + norm(dm)) +
                            norm(sub(dw, right)) / (1.0 + norm(right) + norm(dw));
        if (!(away <= 256.0 * U * (1.0 + norm(ph_body_velocity(&b, s.m)))))
            fail_case(c, kind, ph_derivative_column(k), away / U);
    }
}

/* The product with a change of the start alone, whatever the stack has at first. */
static ph_tangent product_by_start(const ph_body *b, const oracle_case *c, ph_tangent v,
                                   double on_stack)
{
    ph_state s = c->start;
    stack_fill(on_stack);
    assert_int_equal(PH_OK, ph_flow_tangent(b, &s, c->t, &v));
    return v;
}

/* Derivatives by the start alone have the bits of those by everything, and zeros by J. What was
 * not asked for is not computed, and is not read either: a stack of NaN changes nothing. */
static void check_start_alone(const oracle_case *c, int kind)
{
    const ph_body b = body_of(c);
    ph_state s = c->start, moved = c->start;
    const ph_derivative d = stepped(&b, &s, c->t);
    ph_derivative by_start;
    stack_fill(NAN);
    assert_int_equal(PH_OK, ph_flow_derivative_by_start(&b, &moved, c->t, &by_start));
    assert_memory_equal(&s, &moved, sizeof s);
    for (int k = 0; k < PH_DERIVATIVE_COLUMNS; k++) {
        const bool asked = k < PH_BY_INERTIA || k >= PH_BY_TIME;
        for (int i = 0; i < 3; i++) {
            assert_true(by_start.attitude[i][k] == (asked ? d.attitude[i][k] : 0.0));
            assert_true(by_start.momentum[i][k] == (asked ? d.momentum[i][k] : 0.0));
            assert_true(by_start.velocity[i][k] == (asked ? d.velocity[i][k] : 0.0));
        }
        if (!asked)
            continue;
        double change[PH_DERIVATIVE_COLUMNS] = {0};
        ph_tangent v;
        change[k] = 1.0;
        memcpy(&v, change, sizeof v);
        const ph_tangent x = product_by_start(&b, c, v, NAN), y = product_by_start(&b, c, v, 0.0);
        assert_memory_equal(&x, &y, sizeof x);
        const ph_vec3 theta = COLUMN(d.attitude, k), dm = COLUMN(d.momentum, k);
        const double away = norm(sub(theta, x.attitude)) / (1.0 + norm(theta)) +
                            norm(sub(dm, x.momentum)) / (1.0 + norm(dm));
        if (!(away <= 32.0 * U))
            fail_case(c, kind, ph_derivative_column(k), away / U);
    }
}

static void test_symplectic(void **state)
{
    (void)state;
    each_motion(check_symplectic, 14.0, 200);
}

static void test_conserved(void **state)
{
    (void)state;
    each_motion(check_conserved, 14.0, 200);
}

static void test_back(void **state)
{
    (void)state;
    each_motion(check_back, 14.0, 100);
    each_motion(check_back, 3e6, 20);
}

static void test_group(void **state)
{
    (void)state;
    each_motion(check_group, 14.0, 100);
    each_motion(check_group, 3e6, 20);
}

static void test_products(void **state)
{
    (void)state;
    each_motion(check_products, 14.0, 100);
}

static void test_start_alone(void **state)
{
    (void)state;
    each_motion(check_start_alone, 14.0, 20);
}

static void test_tensor(void **state)
{
    (void)state;
    each_motion(check_tensor, 14.0, 30);
}

/* ---- batches ----------------------------------------------------------------------- */

enum { BODIES = 777, COLUMNS = PH_BATCH_DERIVATIVE_COLUMNS };

/* Every kind of motion, bodies at rest and in extreme units in between: the bits of single
 * steps, with every instruction set, by m alone or by m and J. */
static void test_batch(void **state)
{
    (void)state;
    static double column[10][BODIES], result[2][3][COLUMNS][BODIES];
    static oracle_case motion[BODIES];
    const double h = 1.7;
    uint64_t seed = 5;
    for (int i = 0; i < BODIES; i++) {
        motion[i] = in_units(derivative_motion(i % DERIVATIVE_KIND_COUNT, &seed, 14.0));
        if (i % 50 == 0)
            motion[i].start.m = vec3(0, 0, 0);
        if (i % 51 == 0)
            motion[i].J = scale(0x1p300, motion[i].J);
    }
    for (int set = 0; set < 2 * isa_all(); set++) {
        const bool moments = set % 2 == 0;
        choose_isa(set / 2);
        ph_batch_derivative d = {0};
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < (moments ? COLUMNS : 3); c++) {
                d.attitude[k][c] = result[0][k][c];
                d.momentum[k][c] = result[1][k][c];
            }
        }
        for (int i = 0; i < BODIES; i++) {
            const double x[10] = {motion[i].start.q.w, motion[i].start.q.x, motion[i].start.q.y,
                                  motion[i].start.q.z, motion[i].start.m.x, motion[i].start.m.y,
                                  motion[i].start.m.z, motion[i].J.x,       motion[i].J.y,
                                  motion[i].J.z};
            for (int k = 0; k < 10; k++)
                column[k][i] = x[k];
        }
        const ph_batch b = {BODIES,
                            {column[0], column[1], column[2], column[3]},
                            {column[4], column[5], column[6]},
                            {column[7], column[8], column[9]}};
        assert_int_equal(PH_OK, ph_batch_step_derivative(&b, h, &d, NULL));
        for (int i = 0; i < BODIES; i++) {
            const ph_body body = body_of(&motion[i]);
            ph_state s = motion[i].start;
            const ph_derivative one = stepped(&body, &s, h);
            const ph_state many = {{column[0][i], column[1][i], column[2][i], column[3][i]},
                                   {column[4][i], column[5][i], column[6][i]}};
            assert_memory_equal(&s, &many, sizeof s);
            for (int k = 0; k < 3; k++) {
                for (int c = 0; c < (moments ? COLUMNS : 3); c++) {
                    assert_memory_equal(&one.attitude[k][PH_BY_MOMENTUM + c], &d.attitude[k][c][i],
                                        sizeof(double));
                    assert_memory_equal(&one.momentum[k][PH_BY_MOMENTUM + c], &d.momentum[k][c][i],
                                        sizeof(double));
                }
            }
        }
    }
    choose_isa(0);
}

/* Moments that all bodies share: the bits of the same moments in arrays. */
static void test_batch_sharing(void **state)
{
    enum { MANY = 100 };
    static double column[2][10][MANY], result[2][2][3][COLUMNS][MANY];
    static const double shared[3] = {1.2, 0.7, 1.6};
    (void)state;
    for (int set = 0; set < isa_all(); set++) {
        uint64_t seed = 8;
        choose_isa(set);
        for (int i = 0; i < MANY; i++) {
            for (int k = 0; k < 10; k++)
                column[0][k][i] = k < 4 ? 0.5 : k < 7 ? between(&seed, -1.0, 1.0) : shared[k - 7];
        }
        memcpy(column[1], column[0], sizeof column[0]);
        for (int which = 0; which < 2; which++) {
            double(*x)[MANY] = column[which];
            ph_batch_derivative d;
            for (int k = 0; k < 3; k++) {
                for (int c = 0; c < COLUMNS; c++) {
                    d.attitude[k][c] = result[which][0][k][c];
                    d.momentum[k][c] = result[which][1][k][c];
                }
            }
            ph_batch b = {MANY, {x[0], x[1], x[2], x[3]}, {x[4], x[5], x[6]}, {shared}};
            for (int k = 0; k < 3 && which == 1; k++)
                b.J[k] = x[7 + k];
            assert_int_equal(PH_OK, ph_batch_step_derivative(&b, 0.7, &d, NULL));
        }
        assert_memory_equal(column[0], column[1], sizeof column[0]);
        assert_memory_equal(result[0], result[1], sizeof result[0]);
    }
    choose_isa(0);
}

/* ---- units, rest, and what is refused -------------------------------------------------- */

/* In other units, powers of two, the same bits. */
static void test_units(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 50; i++) {
        const oracle_case c = in_units(derivative_motion(i % 7, &seed, 14.0));
        const ph_body b = body_of(&c),
                      large = PH_MOMENTS(ldexp(c.J.x, 500), ldexp(c.J.y, 500), ldexp(c.J.z, 500));
        ph_state s = c.start, t = {s.q, scale(0x1p-400, s.m)};
        const ph_derivative d = stepped(&b, &s, c.t), e = stepped(&large, &t, ldexp(c.t, 900));
        for (int k = 0; k < 3; k++) {
            for (int col = 0; col < PH_BY_TIME; col++) {
                const int by = col < PH_BY_MOMENTUM ? 0 : col < PH_BY_INERTIA ? 400 : -500;
                assert_true(e.attitude[k][col] == ldexp(d.attitude[k][col], by));
                if (col >= PH_BY_MOMENTUM)
                    assert_true(e.momentum[k][col] == ldexp(d.momentum[k][col], by - 400));
            }
        }
    }
}

/* ---- any units --------------------------------------------------------------------------- */

/* A motion in units in which its moments are 2^of_J times as large, and its rates 2^of_w times. */
static oracle_case scaled_by(oracle_case c, int of_J, int of_w)
{
    double *J = &c.J.x, *m = &c.start.m.x;
    for (int k = 0; k < 3; k++) {
        J[k] = ldexp(J[k], of_J);
        m[k] = ldexp(m[k], of_J + of_w);
    }
    c.t = ldexp(c.t, -of_w);
    return c;
}

/* The rows of a derivative: of attitude, momentum and velocity. */
enum { DERIVATIVE_ROWS = 9 };

static double *row_of(ph_derivative *d, int i)
{
    return i < 3 ? d->attitude[i] : i < 6 ? d->momentum[i - 3] : d->velocity[i - 6];
}

/* The power of two by which these units multiply a row, and a column. */
static int power_of_row(int i, int of_J, int of_w)
{
    return i < 3 ? 0 : i < 6 ? of_J + of_w : of_w;
}

static int power_of_column(int k, int of_J, int of_w)
{
    return k < PH_BY_MOMENTUM ? 0 : k < PH_BY_INERTIA ? of_J + of_w : k < PH_BY_TIME ? of_J : -of_w;
}

/* The derivatives of a sphere in closed form. m stays, w = m/J, and with E the unit tensor of a column
 *
 *   by theta   dtheta+ = exp(-h w^)
 *   by m       dtheta+ = (h/J) (s + (1 - s) a a^T - v a^),   dm+ = 1,   dw+ = 1/J
 *   by J       dtheta+ = -(h/J) E w,   dm+ = -h w x E w,   dw+ = (dm+ - E w)/J
 *   by t       dtheta+ = w
 *
 * where x = h |w|, a = w/|w|, s = sin x/x, v = (1 - cos x)/x. */
static ph_derivative derivative_of_sphere(double J, ph_vec3 velocity, double h)
{
    const long double w[3] = {velocity.x, velocity.y, velocity.z},
                      rate = sqrtl(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), x = h * rate,
                      s = sinl(x) / x, half = sinl(0.5L * x), v = 2.0L * half * half / x;
    const long double hat[3][3] = {{0, -w[2], w[1]}, {w[2], 0, -w[0]}, {-w[1], w[0], 0}};
    ph_derivative d = {.momentum = {{0}}};
    for (int i = 0; i < 3; i++) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        for (int k = 0; k < 3; k++) {
            const long double one = i == k, along = w[i] * w[k] / (rate * rate),
                              across = hat[i][k] / rate;
            d.attitude[i][k] = (double)(one - v * x * (one - along) - s * x * across);
            d.attitude[i][PH_BY_MOMENTUM + k] =
                (double)(h / J * (s * one + (1.0L - s) * along - v * across));
            d.momentum[i][PH_BY_MOMENTUM + k] = (double)one;
            d.velocity[i][PH_BY_MOMENTUM + k] = (double)(one / J);
        }
        for (int k = PH_BY_INERTIA; k < PH_BY_TIME; k++) {
            const ph_mat3 E = unit_tensor(k);
            long double Ew[3];
            for (int n = 0; n < 3; n++)
                Ew[n] = E.a[n][0] * w[0] + E.a[n][1] * w[1] + E.a[n][2] * w[2];
            const long double dm = -h * (w[a] * Ew[b] - w[b] * Ew[a]);
            d.attitude[i][k] = (double)(-h / J * Ew[i]);
            d.momentum[i][k] = (double)dm;
            d.velocity[i][k] = (double)((dm - Ew[i]) / J);
        }
        d.attitude[i][PH_BY_TIME] =
            velocity.x * (i == 0) + velocity.y * (i == 1) + velocity.z * (i == 2);
    }
    return d;
}

/* The largest error of a row and a column of derivatives in such units. */
static double error_in_units(ph_derivative *d, ph_derivative *right, int of_J, int of_w)
{
    double most = 0.0;
    for (int n = 0; n < DERIVATIVE_ROWS * PH_DERIVATIVE_COLUMNS; n++) {
        const int i = n / PH_DERIVATIVE_COLUMNS, k = n % PH_DERIVATIVE_COLUMNS,
                  power = power_of_row(i, of_J, of_w) - power_of_column(k, of_J, of_w);
        most = larger_or_nan(most, fabs(ldexp(row_of(d, i)[k], -power) - row_of(right, i)[k]));
    }
    return most;
}

/* Spheres with moments from 2^-330 to 2^330: single steps have the derivatives of the closed form, and
 * batches the bits of single steps. */
static void test_spheres(void **state)
{
    (void)state;
    enum { MOST = 330, SPHERES = 2 * MOST + 1, APART = 22 };
    static double column[10][SPHERES], result[2][3][COLUMNS][SPHERES];
    const oracle_case unit = {
        {1.375, 1.375, 1.375}, {{0.5, -0.5, 0.5, 0.5}, {0.6875, -1.71875, 1.03125}}, 0.7};
    ph_derivative right = derivative_of_sphere(1.375, vec3(0.5, -1.25, 0.75), unit.t);
    for (int of_w = -MOST; of_w <= MOST; of_w += APART) {
        ph_batch_derivative many;
        for (int k = 0; k < 3 * COLUMNS; k++) {
            many.attitude[k / COLUMNS][k % COLUMNS] = result[0][k / COLUMNS][k % COLUMNS];
            many.momentum[k / COLUMNS][k % COLUMNS] = result[1][k / COLUMNS][k % COLUMNS];
        }
        for (int i = 0; i < SPHERES; i++) {
            const oracle_case c = scaled_by(unit, i - MOST, of_w);
            const double x[10] = {c.start.q.w, c.start.q.x, c.start.q.y, c.start.q.z, c.start.m.x,
                                  c.start.m.y, c.start.m.z, c.J.x,       c.J.y,       c.J.z};
            for (int k = 0; k < 10; k++)
                column[k][i] = x[k];
        }
        const ph_batch b = {SPHERES,
                            {column[0], column[1], column[2], column[3]},
                            {column[4], column[5], column[6]},
                            {column[7], column[8], column[9]}};
        assert_int_equal(PH_OK, ph_batch_step_derivative(&b, ldexp(unit.t, -of_w), &many, NULL));
        for (int i = 0; i < SPHERES; i++) {
            const oracle_case c = scaled_by(unit, i - MOST, of_w);
            const ph_body body = body_of(&c);
            ph_state s = c.start;
            ph_derivative d = stepped(&body, &s, c.t);
            const double error = error_in_units(&d, &right, i - MOST, of_w);
            if (!(error <= 8.0 * U))
                fail_case(&c, PLACE_A_SPHERE, "derivative", error / U);
            for (int k = 0; k < 3 * COLUMNS; k++) {
                const int row = k / COLUMNS, by = k % COLUMNS;
                assert_memory_equal(&d.attitude[row][PH_BY_MOMENTUM + by], &result[0][row][by][i],
                                    sizeof(double));
                assert_memory_equal(&d.momentum[row][PH_BY_MOMENTUM + by], &result[1][row][by][i],
                                    sizeof(double));
            }
        }
    }
}

/* Whether a result is 2^power times the ordinary one. Nothing is compared where that is no normal
 * number. */
static bool same_in_units(double x, double ordinary, int power)
{
    const double right = ldexp(ordinary, power);
    return x == right || (ordinary != 0.0 && fabs(right) < DBL_MIN);
}

/* The numbers of a tangent. */
static double *numbers_of(ph_tangent *v)
{
    return &v->attitude.x;
}

/* Products with a vector from either side, in units in which that is 2^of_v times as large. */
static bool same_products(const oracle_case *c, const oracle_case *other, int of_J, int of_w,
                          int of_v, uint64_t *seed)
{
    const ph_body b = body_of(c), in_units = body_of(other);
    ph_state s = c->start, t = other->start;
    ph_tangent v, w, V, W;
    for (int k = 0; k < PH_DERIVATIVE_COLUMNS; k++) {
        const int power = power_of_column(k, of_J, of_w);
        numbers_of(&v)[k] = between(seed, -1.0, 1.0);
        numbers_of(&w)[k] = k < PH_BY_INERTIA ? between(seed, -1.0, 1.0) : 0.0;
        numbers_of(&V)[k] = ldexp(numbers_of(&v)[k], of_v + power);
        numbers_of(&W)[k] = ldexp(numbers_of(&w)[k], of_v - power);
        if (abs(of_v + power) > 1000 || abs(of_v - power) > 1000)
            return true;
    }
    assert_int_equal(PH_OK, ph_flow_cotangent(&b, &s, c->t, &w));
    assert_int_equal(PH_OK, ph_flow_cotangent(&in_units, &t, other->t, &W));
    assert_int_equal(PH_OK, ph_flow_tangent(&b, &s, c->t, &v));
    assert_int_equal(PH_OK, ph_flow_tangent(&in_units, &t, other->t, &V));
    bool same = true;
    for (int k = 0; k < PH_DERIVATIVE_COLUMNS; k++) {
        const int power = power_of_column(k, of_J, of_w);
        same = same && same_in_units(numbers_of(&V)[k], numbers_of(&v)[k], of_v + power) &&
               same_in_units(numbers_of(&W)[k], numbers_of(&w)[k], of_v - power);
    }
    return same;
}

/* A motion in random units, as long as the numbers that describe it are normal ones, and its
 * derivatives finite: these have the same bits. So have the products. Where m stays, the step may be
 * one by other formulas, which has other bits. */
static void check_any_units(const oracle_case *c, int kind)
{
    static uint64_t seed = 9;
    const ph_body b = body_of(c);
    ph_state s = c->start;
    ph_derivative d = stepped(&b, &s, c->t);
    for (int n = 0; n < 20; n++) {
        const int of_J = (int)between(&seed, -1000.0, 1000.0),
                  of_w = (int)between(&seed, -400.0, 400.0),
                  of_v = (int)between(&seed, -300.0, 300.0);
        const oracle_case other = scaled_by(*c, of_J, of_w);
        bool normal = abs(of_J + of_w) < 1000, same = true;
        for (int k = 0; k < 3; k++)
            normal = normal && isnormal((&other.J.x)[k]) &&
                     (fabs((&other.start.m.x)[k]) < DBL_MIN) == ((&c->start.m.x)[k] == 0.0);
        for (int i = 0; i < DERIVATIVE_ROWS; i++) {
            for (int k = 0; k < PH_DERIVATIVE_COLUMNS; k++)
                normal =
                    normal && isfinite(ldexp(row_of(&d, i)[k], power_of_row(i, of_J, of_w) -
                                                                   power_of_column(k, of_J, of_w)));
        }
        if (!normal)
            continue;
        const ph_body in_units = body_of(&other);
        ph_state t = other.start;
        ph_derivative e = stepped(&in_units, &t, other.t);
        if (memcmp(&s.q, &t.q, sizeof s.q) != 0) {
            const double error = derivative_error(&other);
            if (!(error <= derivative_promise(kind)))
                fail_case(&other, kind, "derivative in other units", error);
            continue;
        }
        for (int i = 0; i < DERIVATIVE_ROWS; i++) {
            for (int k = 0; k < PH_DERIVATIVE_COLUMNS; k++)
                same = same &&
                       same_in_units(row_of(&e, i)[k], row_of(&d, i)[k],
                                     power_of_row(i, of_J, of_w) - power_of_column(k, of_J, of_w));
        }
        if (!same)
            fail_case(&other, kind, "derivative in other units",
                      error_in_units(&e, &d, of_J, of_w));
        if (!same_products(c, &other, of_J, of_w, of_v, &seed))
            fail_case(&other, kind, "product in other units", NAN);
    }
}

static void test_any_units(void **state)
{
    (void)state;
    each_motion(check_any_units, 14.0, 60);
}

static void test_rest(void **state)
{
    (void)state;
    const ph_body b = PH_MOMENTS(1, 2, 4);
    ph_state s = {{1, 0, 0, 0}, {0, 0, 0}};
    const ph_derivative d = stepped(&b, &s, 3.0);
    const double J[3] = {1, 2, 4};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < PH_DERIVATIVE_COLUMNS; k++) {
            assert_true(d.attitude[i][k] == (k == i ? 1.0 : k == 3 + i ? 3.0 / J[i] : 0.0));
            assert_true(d.momentum[i][k] == (k == 3 + i ? 1.0 : 0.0));
            assert_true(d.velocity[i][k] == (k == 3 + i ? 1.0 / J[i] : 0.0));
        }
    }
}

static void test_refused(void **state)
{
    (void)state;
    const ph_body b = PH_MOMENTS(1, 2, 4), bad = PH_MOMENTS(1, 0, 4),
                  far = PH_MOMENTS(0x1p-60, 1, 0x1p60);
    const ph_state good = {{1, 0, 0, 0}, {1, 2, 3}}, lost = {{1, 0, 0, 0}, {NAN, 0, 0}};
    ph_derivative d, before;
    ph_tangent v = {0};
    ph_state s = good;
    memset(&d, 1, sizeof d);
    before = d;
    assert_int_equal(PH_NULL_ARGUMENT, ph_flow_derivative(NULL, &s, 1.0, &d));
    assert_int_equal(PH_NULL_ARGUMENT, ph_flow_tangent(&b, &s, 1.0, NULL));
    assert_int_equal(PH_NULL_ARGUMENT, ph_flow_cotangent(&b, NULL, 1.0, &v));
    assert_int_equal(PH_NULL_ARGUMENT, ph_motion_derivative_at(NULL, 1.0, &s, &d));
    assert_int_equal(PH_BAD_INERTIA, ph_flow_derivative(&bad, &s, 1.0, &d));
    assert_int_equal(PH_NOT_APPLICABLE, ph_flow_derivative(&far, &s, 1.0, &d));
    assert_int_equal(PH_BAD_STEP, ph_flow_derivative(&b, &s, NAN, &d));
    assert_int_equal(PH_NOT_FINITE, ph_flow_derivative(&b, &s, 1e308, &d));
    assert_memory_equal(&good, &s, sizeof s);
    s = lost;
    assert_int_equal(PH_BAD_STATE, ph_flow_derivative(&b, &s, 1.0, &d));
    assert_memory_equal(&before, &d, sizeof d);
    assert_null(ph_derivative_column(-1));
    assert_null(ph_derivative_column(PH_DERIVATIVE_COLUMNS));
    assert_string_equal("J12", ph_derivative_column(9));
    size_t failed = 7;
    double x = 1.0;
    const ph_batch one = {1, {&x, &x, &x, &x}, {&x, &x, &x}, {&x, &x, &x}};
    const ph_batch_derivative none = {0};
    assert_int_equal(PH_NULL_ARGUMENT, ph_batch_step_derivative(&one, 1.0, &none, &failed));
    assert_int_equal(PH_NULL_ARGUMENT, ph_batch_step_derivative(&one, 1.0, NULL, &failed));
    assert_int_equal(7, failed);
    /* what is good names no body that failed; a step that is none has the first, if one asks */
    double y[10] = {1, 0, 0, 0, 1, 2, 3, 1, 2, 4}, of[2][3][3];
    const ph_batch body = {
        1, {&y[0], &y[1], &y[2], &y[3]}, {&y[4], &y[5], &y[6]}, {&y[7], &y[8], &y[9]}};
    ph_batch_derivative by = {0};
    for (int k = 0; k < 9; k++) {
        by.attitude[k / 3][k % 3] = &of[0][k / 3][k % 3];
        by.momentum[k / 3][k % 3] = &of[1][k / 3][k % 3];
    }
    assert_int_equal(PH_OK, ph_batch_step_derivative(&body, 0.5, &by, &failed));
    assert_int_equal(7, failed);
    assert_int_equal(PH_BAD_STEP, ph_batch_step_derivative(&body, NAN, &by, NULL));
    assert_int_equal(PH_BAD_STEP, ph_batch_step_derivative(&body, NAN, &by, &failed));
    assert_int_equal(0, failed);
}

/* Derivatives that are no numbers are refused, and nothing is changed, also where the momentum or the
 * moments alone are far from 1: dw/dJ is about m/J^2, and the acceleration about m^2/J^2. */
static void test_beyond_the_range(void **state)
{
    (void)state;
    static const double size[][2] = {{1.0, 0x1p-1000}, {0x1p1000, 1.0}}; /* of m, of J */
    for (int k = 0; k < 2; k++) {
        const double m = size[k][0], J = size[k][1], h = J / m;
        ph_body b;
        assert_int_equal(PH_OK, ph_body_from_moments(&b, scale(J, vec3(1.0, 1.3, 1.9))));
        const ph_state start = {{1, 0, 0, 0}, scale(m, vec3(1.0, 0.5, -0.6))};
        ph_state s = start;
        ph_derivative d, before;
        memset(&d, 7, sizeof d);
        before = d;
        assert_int_equal(PH_NOT_FINITE, ph_flow_derivative(&b, &s, h, &d));
        assert_memory_equal(&s, &start, sizeof s);
        assert_memory_equal(&d, &before, sizeof d);
    }
}

/* The derivatives by the tensor grow with the time: they are refused where they are above 2^500, whichever
 * of them. */
static void test_long_steps(void **state)
{
    (void)state;
    uint64_t seed = 12;
    for (int k = 0; k < 40; k++) {
        const oracle_case c = random_motion(BODY_TRIAXIAL, &seed, 1.0);
        ph_body b;
        ph_state s = c.start;
        ph_derivative d;
        assert_int_equal(PH_OK, ph_body_from_moments(&b, c.J));
        assert_int_equal(PH_NOT_FINITE, ph_flow_derivative(&b, &s, 0x1p520, &d));
    }
}

/* A tangent of which one part alone becomes too large is refused, and nothing is changed. */
static void test_tangents_beyond_the_range(void **state)
{
    (void)state;
    const ph_body b = PH_MOMENTS(1.0, 1.5, 2.0);
    const ph_state start = {{1, 0, 0, 0}, {0.3, 0.5, 0.7}};
    const ph_vec3 large = scale(1.7e308, vec3(1, 1, 1)), zero = {0, 0, 0};
    for (int part = 0; part < 2; part++) {
        int refused = 0;
        for (int k = 1; k <= 20; k++) {
            ph_tangent v = {.attitude = part ? zero : large, .momentum = part ? large : zero};
            const ph_tangent before = v;
            ph_state s = start;
            const ph_status status = ph_flow_tangent(&b, &s, 0.2 * k, &v);
            assert_true(status == PH_OK || status == PH_NOT_FINITE);
            refused += status == PH_NOT_FINITE;
            if (status == PH_OK)
                assert_true(finite3(v.attitude) && finite3(v.momentum));
            else
                assert_true(memcmp(&v, &before, sizeof v) == 0 &&
                            memcmp(&s, &start, sizeof s) == 0);
        }
        assert_true(refused > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tangents_beyond_the_range),
        cmocka_unit_test(test_long_steps),
        cmocka_unit_test(test_variation),
        cmocka_unit_test(test_symplectic),
        cmocka_unit_test(test_conserved),
        cmocka_unit_test(test_back),
        cmocka_unit_test(test_group),
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_tensor),
        cmocka_unit_test(test_batch),
        cmocka_unit_test(test_batch_sharing),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_rest),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_spheres),
        cmocka_unit_test(test_any_units),
        cmocka_unit_test(test_start_alone),
        cmocka_unit_test(test_beyond_the_range),
    };
    return cmocka_run_group_tests_name("derivative", tests, NULL, NULL);
}
