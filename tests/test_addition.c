/* test_addition.c - the series and the doublings that the exact step begins with, against
 * elliptic functions and integrals; one term less is seen. The step of every ordinary body is
 * by them, and is that of the uniform solution. */
#include "base/extremes.h"
#include "motion/exact.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "motion/motion.h"
#include "polhode/elliptic.h"
#include "support/random.h"

static const double U = 0x1p-53;

/* Relative; sums of positive and negative terms, the first of which is the largest. */
static void assert_near(const char *what, double a, double right, double bound)
{
    if (!(fabs(a - right) <= bound * U * fabs(right)))
        fail_msg("%s: %.17g is off by %g u", what, a, (a - right) / (U * right));
}

/* Arguments up to where the step doubles, most of them next to it: there the last terms
 * count. */
static void test_series(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int n = 0; n < 20000; n++) {
        const double k2 = uniform(&seed), nu = between(&seed, 0.0, 1.0),
                     u2 = ADDITION_SERIES * (1.0 - pow(uniform(&seed), 4)), z = u2, u = sqrt(u2);
        assert_near("sn", u * sn_over_u(u * u, k2), ph_jacobi_sncndn(u, k2).sn, 8.0);
        /* int_0^s t^2/((1 + nu t^2) ...) = s^3/3 RJ(1 - s^2, 1 - k2 s^2, 1, 1 + nu s^2) */
        assert_near("third kind", third_kind_over_s3(z, k2, nu),
                    ph_rj(1.0 - z, 1.0 - k2 * z, 1.0, 1.0 + nu * z) / 3.0, 8.0);
    }
}

/* sn, cn, dn after as many doublings as it takes: the error doubles with each. */
static void test_doublings(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int n = 0; n < 20000; n++) {
        const double k2 = uniform(&seed), w = between(&seed, -1.7, 1.7);
        const vint needed = doublings(w * w);
        doubled x = undoubled(w, k2, 0.0, needed);
        for (int i = 0; i < needed; i++)
            double_up(&x, k2, 1.0 - k2, 0.0, 0.0, needed, i);
        const ph_sncndn right = ph_jacobi_sncndn(w, k2);
        assert_true(ldexp(fabs(w), -(int)needed) <= sqrt(ADDITION_SERIES));
        assert_true(needed == 0 || ldexp(fabs(w), -(int)needed) > 0.49 * sqrt(ADDITION_SERIES));
        assert_near("sn", x.s, right.sn, 24.0);
        assert_near("dn", x.d, right.dn, 24.0);
        assert_true(fabs(x.c - right.cn) < 24.0 * U);
        assert_true(fabs(x.c2 - x.c * x.c) < 2.0 * U);
        /* by formulas that lose no digits in short steps */
        assert_near("1 - cn", x.less_c, right.sn * right.sn / (1.0 + right.cn), 48.0);
        assert_near("1 - dn", x.less_d, k2 * right.sn * right.sn / (1.0 + right.dn), 48.0);
    }
}

/* Next to the separatrix cn and dn are as small as exp(-w), and right in proportion to
 * that; beyond a quarter of a period the change of the argument by round-off counts. */
static void test_doublings_next_to_the_separatrix(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (int n = 0; n < 20000; n++) {
        const double kc2 = exp2(between(&seed, -30.0, -4.0)), k2 = 1.0 - kc2, exact_kc2 = 1.0 - k2,
                     w = between(&seed, 1.0, 300.0);
        const vint needed = doublings(w * w);
        doubled x = undoubled(w, k2, 0.0, needed);
        for (int i = 0; i < needed; i++)
            double_up(&x, k2, exact_kc2, 0.0, 0.0, needed, i);
        const ph_sncndn right = ph_jacobi_sncndn(w, k2);
        const double bound = 64.0 * w * U; /* of 200000 the worst has 27 w U */
        assert_true(fabs(x.d - right.dn) < bound * right.dn);
        assert_true(fabs(x.c - right.cn) < bound * right.dn);
        assert_true(fabs(x.s - right.sn) < bound * right.dn + 8.0 * U);
    }
}

/* Boxes of all shapes, symmetric ones and spheres, that turn by up to 10 radians about any
 * direction, next to and about each axis, within 1e-4 of the unstable one about it alone: none
 * leaves the fast formulas. */
static void test_every_ordinary_body(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int n = 0; n < 40000; n++) {
        double edge[3], m[3];
        for (int k = 0; k < 3; k++)
            edge[k] = exp2(between(&seed, 0.0, 3.3));
        if (n % 4 > 0)
            edge[1] = edge[0];
        if (n % 4 == 3)
            edge[2] = edge[0];
        const double a = edge[0] * edge[0], b = edge[1] * edge[1], c = edge[2] * edge[2];
        const double tilts[] = {1.0, 0.03, 1e-4, 0.0}, tilt = tilts[n / 4 % 4];
        const int axis = n / 16 % 3;
        for (int k = 0; k < 3; k++) {
            m[k] = k == axis ? 1.0 : tilt * between(&seed, 0.5, 1.0);
            m[k] *= k == axis ? 1.0 : random_sign(&seed);
        }
        const ph_vec3 J = {b + c, a + c, a + b};
        const double rate = sqrt(pow(m[0] / J.x, 2) + pow(m[1] / J.y, 2) + pow(m[2] / J.z, 2)),
                     angle = exp2(between(&seed, -7.0, 3.3)), h = angle / rate;
        ph_state s = {{0.5, -0.5, 0.5, 0.5}, {m[0], m[1], m[2]}};
        exact_bodies w[VECTORS];
        w[0].s = one_body(&s, J, h);
        exact_move(w, NULL);
        if (!w[0].out.good)
            fail_msg("J %g %g %g, m %g %g %g, h %g: the longer way", J.x, J.y, J.z, m[0], m[1],
                     m[2], h);
        assert_int_equal(ph_motion_step_uniform(&s, J, h), PH_OK);
        const ph_quat q = w[0].out.q;
        const ph_vec3 end = w[0].out.m;
        const double off = fabs(q.w - s.q.w) + fabs(q.x - s.q.x) + fabs(q.y - s.q.y) +
                           fabs(q.z - s.q.z) + fabs(end.x - s.m.x) + fabs(end.y - s.m.y) +
                           fabs(end.z - s.m.z);
        /* next to the unstable axis round-off grows with exp(angle), up to the tilt */
        if (!(off <= 400.0 * U * (1.0 + angle) * (tilt == 1.0 ? 4.0 : exp(angle))))
            fail_msg("J %g %g %g, m %g %g %g, h %g: off by %g u", J.x, J.y, J.z, m[0], m[1], m[2],
                     h, off / U);
    }
}

/* 1/|x| to 1e-3, over the whole range. */
static void test_rough_reciprocal(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int n = 0; n < 20000; n++) {
        const double sign = random_sign(&seed), x = sign * exp2(between(&seed, -1000.0, 1000.0));
        assert_true(fabs(rough_reciprocal(x) * fabs(x) - 1.0) < 2e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_series), cmocka_unit_test(test_doublings),
        cmocka_unit_test(test_doublings_next_to_the_separatrix),
        cmocka_unit_test(test_every_ordinary_body), cmocka_unit_test(test_rough_reciprocal)};
    return cmocka_run_group_tests_name("addition", tests, NULL, NULL);
}
