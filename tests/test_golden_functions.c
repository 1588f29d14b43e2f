/* test_golden_functions.c - elementary and elliptic functions, the maps of rotations, exact
 * motions and the steps of all flows, against the bits they gave before, with arguments
 * over their whole range and at its ends. Written anew by
 *
 *     build/tests/test_golden_functions write >tests/vectors/golden_functions.txt
 */
/* Needs lab. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "motion/retraction.h"
#include "motion/vec.h"
#include "polhode/batch.h"
#include "polhode/elliptic.h"
#include "support/bodies.h"
#include "support/golden.h"
#include "system/find.h"

/* ---- arguments --------------------------------------------------------------------- */

/* Where functions change their formula, overflow, or end. */
static const double SPECIAL[] = {
    0.0,     DBL_TRUE_MIN, 1e-310, DBL_MIN,  1e-280,  1e-154,  1e-20,  0x1p-54, 0x1p-27,
    0x1p-20, 1e-4,         0.125,  0.25,     0.4375,  0.5,     0.6875, 1.0,     1.1875,
    2.0,     2.4375,       3.0,    20.0,     36.0,    40.0,    100.0,  700.0,   709.78,
    710.47,  720.0,        744.4,  745.2,    750.0,   65536.,  1e7,    0x1p27,  0x1p53,
    1e22,    1e100,        1e154,  0x1p1023, DBL_MAX, HUGE_VAL};
enum { SPECIAL_COUNT = sizeof SPECIAL / sizeof SPECIAL[0], AROUND = 6, RANDOM = 600 };
enum { ARGUMENTS = SPECIAL_COUNT * AROUND + RANDOM };

/* The k-th of these: the special ones and their neighbours, with both signs; then some of
 * the usual size, and of any. */
static double argument(int k, uint64_t *seed)
{
    if (k < SPECIAL_COUNT * AROUND) {
        const double x = SPECIAL[k / AROUND], sign = k % 2 == 0 ? 1.0 : -1.0,
                     towards[] = {x, HUGE_VAL, -1.0};
        return sign * nextafter(x, towards[k % AROUND / 2]);
    }
    const double x = between(seed, -4.0, 4.0);
    const int most = k % 3 == 0 ? 0 : k % 3 == 1 ? 20 : 1000;
    return x * ldexp(1.0, (int)between(seed, -most, most));
}

/* ---- elementary functions ---------------------------------------------------------- */

static double sine_of_both(double x)
{
    double s, c;
    ph_sincos(x, &s, &c);
    return s + 3.0 * c;
}

static void test_elementary(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double (*of)(double x);
    } one[] = {{"sin", ph_sin},         {"cos", ph_cos},      {"tan", ph_tan},
               {"asin", ph_asin},       {"acos", ph_acos},    {"atan", ph_atan},
               {"exp", ph_real_exp},    {"log", ph_real_log}, {"sinh", ph_sinh},
               {"cosh", ph_cosh},       {"tanh", ph_tanh},    {"asinh", ph_asinh},
               {"sincos", sine_of_both}};
    static const struct {
        const char *name;
        double (*of)(double x, double y);
    } two[] = {{"atan2", ph_atan2}, {"pow", ph_pow}, {"hypot", ph_hypot}};
    uint64_t seed = 1;
    for (size_t f = 0; f < sizeof one / sizeof one[0]; f++) {
        checksum c = {0};
        for (int k = 0; k < ARGUMENTS; k++)
            take(&c, one[f].of(argument(k, &seed)));
        take(&c, one[f].of(NAN));
        for (int n = 0; n < 1024; n++) /* every word of 2/pi */
            take(&c, one[f].of(ldexp(between(&seed, 0.5, 1.0), n)));
        golden(&c, "%s", one[f].name);
    }
    for (size_t f = 0; f < sizeof two / sizeof two[0]; f++) {
        checksum c = {0};
        for (int k = 0; k < ARGUMENTS; k++) {
            const double x = argument(k, &seed);
            for (int j = k % 7; j < ARGUMENTS; j += 7)
                take(&c, two[f].of(x, argument(j, &seed)));
            take(&c, two[f].of(x, NAN));
            take(&c, two[f].of(NAN, x));
        }
        golden(&c, "%s", two[f].name);
    }
}

/* ---- elliptic functions ------------------------------------------------------------ */

static void test_carlson(void **state)
{
    (void)state;
    uint64_t seed = 2;
    checksum c = {0};
    for (int k = 0; k < 20 * ARGUMENTS; k++) {
        double x[4];
        for (int i = 0; i < 4; i++)
            x[i] = fabs(argument(i == k % 4 ? k % ARGUMENTS : ARGUMENTS - k % 3, &seed));
        if (k % 5 == 0) /* next to each other, where the series begins at once */
            x[1] = x[0] * between(&seed, 0.9, 1.1), x[2] = x[0] * between(&seed, 0.9, 1.1);
        take(&c, ph_rc(x[0], x[1]));
        take(&c, ph_rf(x[0], x[1], x[2]));
        take(&c, ph_rd(x[0], x[1], x[2]));
        take(&c, ph_rg(x[0], x[1], x[2]));
        take(&c, ph_rj(x[0], x[1], x[2], x[3]));
        if (k % ARGUMENTS == ARGUMENTS - 1)
            golden(&c, "Carlson %d", k / ARGUMENTS);
    }
}

static void test_legendre(void **state)
{
    (void)state;
    uint64_t seed = 3;
    checksum c = {0};
    for (int k = 0; k < 10 * ARGUMENTS; k++) {
        const double u = argument(k % ARGUMENTS, &seed), x = uniform(&seed);
        const double by_kind[] = {x,   1.0 - ph_pow(x, 12.0),      ph_pow(x, 12.0), 0.0,
                                  1.0, -argument(ARGUMENTS, &seed)};
        const double m = by_kind[k % 6], n = k % 2 ? argument(ARGUMENTS, &seed) : x;
        take(&c, ph_elliptic_k(m));
        take(&c, ph_elliptic_k_c(m));
        take(&c, ph_elliptic_e(m));
        take(&c, ph_elliptic_pi(n, m));
        take(&c, ph_elliptic_f_inc(u, m));
        take(&c, ph_elliptic_e_inc(u, m));
        take(&c, ph_elliptic_pi_inc(n, u, m));
        const ph_jacobi j[] = {ph_jacobi_prepare(m), ph_jacobi_prepare_c(m)};
        for (int i = 0; i < 2; i++) {
            const ph_sncndn e = ph_jacobi_at(&j[i], u);
            take_vector(&c, vec3(e.sn, e.cn, e.dn));
            take(&c, ph_jacobi_am(&j[i], u));
            take(&c, j[i].quarter);
        }
        if (k % ARGUMENTS == ARGUMENTS - 1)
            golden(&c, "Legendre and Jacobi %d", k / ARGUMENTS);
    }
}

/* ---- rotations --------------------------------------------------------------------- */

static void take_quaternion(checksum *c, ph_quat q)
{
    take(c, q.w);
    take_vector(c, vec(q));
}

static void take_tangent(checksum *c, tangent t)
{
    take_vector(c, vec3(t.c0, t.c1, t.c2));
    take_vector(c, vec3(t.by_t0, t.by_t1, t.by_t2));
}

static void test_rotation(void **state)
{
    (void)state;
    uint64_t seed = 4;
    checksum c = {0};
    for (int k = 0; k < 5 * ARGUMENTS; k++) {
        double x[7];
        for (int i = 0; i < 7; i++)
            x[i] = argument(ARGUMENTS + 3 * (k % 4 > 0), &seed);
        const double size = argument(k % ARGUMENTS, &seed);
        const ph_vec3 a = scale(size, vec3(x[0], x[1], x[2])), v = {x[3], x[4], x[5]};
        const ph_quat q = ph_rotation_exp(a), p = ph_cay(a);
        take_quaternion(&c, q);
        take_quaternion(&c, p);
        take_quaternion(&c, ph_quat_unit((ph_quat){x[6], a.x, a.y, a.z}));
        take_vector(&c, ph_rotation_log(q));
        take_vector(&c, ph_cay_inverse(q));
        take_vector(&c, ph_dexp(a, v));
        take_vector(&c, ph_dexp_inverse(a, v));
        take_vector(&c, ph_dcay(a, v));
        take_vector(&c, ph_dcay_inverse(a, v));
        take_matrix(&c, dexp_inverse_slope(a, v));
        const ph_mat3 R = ph_quat_matrix(q);
        take_matrix(&c, R);
        take_quaternion(&c, ph_quat_from_matrix(R));
        take_vector(&c, ph_rotation_log_matrix(R));
        take_vector(&c, ph_quat_rotate(q, v));
        take_vector(&c, ph_quat_unrotate(p, v));
        take_tangent(&c, exp_tangent(fabs(size)));
        take_tangent(&c, cay_tangent(fabs(size)));
        if (k % ARGUMENTS == ARGUMENTS - 1)
            golden(&c, "rotations %d", k / ARGUMENTS);
    }
}

/* A tensor of inertia turned out of its axes, or one that is none. */
static void test_tensors(void **state)
{
    (void)state;
    uint64_t seed = 5;
    checksum c = {0};
    for (int k = 0; k < ARGUMENTS; k++) {
        double x[6];
        for (int i = 0; i < 6; i++)
            x[i] = argument(i == k % 6 ? k : ARGUMENTS, &seed);
        const double lift = k % 2 ? 0.0 : 20.0;
        const ph_mat3 A = {{{fabs(x[0]) + lift, x[3], x[4]},
                            {x[3], fabs(x[1]) + lift, x[5]},
                            {x[4], x[5], fabs(x[2]) + lift}}};
        ph_body b = {0};
        take(&c, ph_body_from_tensor(&b, A));
        take_vector(&c, b.J);
        take_quaternion(&c, b.axes);
        take(&c, ph_body_from_moments(&b, vec3(A.a[0][0], A.a[1][1], A.a[2][2])));
        take_vector(&c, ph_body_velocity(&b, vec3(x[3], x[4], x[5])));
    }
    golden(&c, "tensors of inertia");
}

/* ---- motions ----------------------------------------------------------------------- */

static void test_motions(void **state)
{
    (void)state;
    enum { BODIES = 40, TIMES = 9 };
    uint64_t seed = 6;
    for (int kind = 0; kind < BODY_KIND_COUNT; kind++) {
        checksum c = {0};
        for (int i = 0; i < BODIES; i++) {
            const oracle_case b = random_motion((enum body_kind)kind, &seed, ldexp(0.01, i % 20));
            const ph_body body = {b.J, {1, 0, 0, 0}, true};
            double t[TIMES], q[4 * TIMES], m[3 * TIMES];
            ph_motion motion;
            take(&c, ph_motion_prepare(&motion, &body, &b.start));
            for (int k = 0; k < TIMES; k++) {
                t[k] = 0.3 * (k - 2) * b.t;
                const ph_state s = ph_motion_at(&motion, t[k]);
                take_state(&c, &s);
                take(&c, ph_motion_phase_digits(&motion, t[k]));
            }
            ph_motion_fill_fast(&motion, t, TIMES, q, m);
            for (int k = 0; k < 4 * TIMES; k++)
                take(&c, q[k]);
            for (int k = 0; k < 3 * TIMES; k++)
                take(&c, m[k]);
            take(&c, ph_motion_period(&motion));
            take(&c, ph_motion_precession(&motion));
        }
        golden(&c, "motions of bodies %s", body_kind_text((enum body_kind)kind));
    }
}

/* Lagrange's top, also without nutation, next to the vertical, and where it is none. */
static void test_tops(void **state)
{
    (void)state;
    uint64_t seed = 8;
    checksum c = {0};
    ph_problem p = *find_problem("lagrange_top");
    for (int k = 0; k < 400; k++) {
        double x[6];
        for (int i = 0; i < 6; i++)
            x[i] = argument(ARGUMENTS + (i < 3 ? 0 : k % 2), &seed);
        const double slow = k % 5 == 0 ? 0.0 : 1.0, tilt = k % 7 == 0 ? 1e-7 : 1.0;
        const ph_state start = {ph_rotation_exp(vec3(tilt * x[0], tilt * x[1], x[2])),
                                {slow * x[3], slow * x[4], x[5]}};
        const double A = between(&seed, -0.2, 3.0), C = between(&seed, -0.1, 3.0),
                     strength = between(&seed, -0.2, 4.0), t = between(&seed, -9.0, 9.0);
        ph_state s = {0};
        p.body = (ph_body){{A, A, C}, {1, 0, 0, 0}, true};
        p.value[0] = strength;
        take(&c, p.exact(&p, &start, t, &s));
        take_state(&c, &s);
    }
    golden(&c, "Lagrange's top");
}

/* Steps of every length, short ones and some that have to be divided. */
static void test_flows(void **state)
{
    (void)state;
    enum { BODIES = 24 };
    size_t count;
    const ph_flow *const *flows = ph_flows(&count);
    for (size_t f = 0; f < count; f++) {
        uint64_t seed = 7;
        for (int kind = 0; kind < BODY_KIND_COUNT; kind++) {
            checksum c = {0};
            for (int i = 0; i < BODIES; i++) {
                const oracle_case b =
                    random_motion((enum body_kind)kind, &seed, ldexp(0.02, i % 12));
                const ph_body body = {b.J, {1, 0, 0, 0}, true};
                ph_state s = b.start;
                take(&c, ph_flow_step(flows[f], &body, &s, b.t));
                take_state(&c, &s);
                take(&c, ph_flow_step(flows[f], &body, &s, i % 2 ? 0.0 : 1.0));
                take_state(&c, &s);
            }
            golden(&c, "%s, bodies %s", flows[f]->name, body_kind_text((enum body_kind)kind));
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elementary), cmocka_unit_test(test_carlson),
        cmocka_unit_test(test_legendre),   cmocka_unit_test(test_rotation),
        cmocka_unit_test(test_tensors),    cmocka_unit_test(test_motions),
        cmocka_unit_test(test_tops),       cmocka_unit_test(test_flows),
    };
    return golden_main(argc, argv, "golden_functions.txt", tests, sizeof tests / sizeof tests[0]);
}
