/* test_rotation.c - the maps of SO(3) against their definitions in multiprecision, for
 * angles from 1e-300 to pi, and by identities. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arb.h>

#include "base/extremes.h"
#include "motion/retraction.h"
#include "motion/vec.h"
#include "support/page.h"
#include "support/random.h"

enum { PRECISION = 256, SAMPLES = 2000 };

/* Normwise relative error of every map: a few ulp. */
static const double ULP = 0x1p-52, FEW = 3.0;

static ph_vec3 direction(uint64_t *seed)
{
    ph_vec3 v;
    do
        v = random_vector(seed, -1, 1);
    while (norm(v) > 1 || norm(v) < 0.1);
    return scale(1 / norm(v), v);
}

/* A rotation vector: a third each of tiny, ordinary and nearly half-turn angles. */
static ph_vec3 rotation_vector(int i, uint64_t *seed)
{
    const double angle = i % 3 == 0   ? log_between(seed, 1e-300, 1)
                         : i % 3 == 1 ? between(seed, 0, PH_PI)
                                      : PH_PI * (1 - log_between(seed, 1e-15, 1e-2));
    return scale(angle, direction(seed));
}

/* Of any binary exponent from 1e-300 to the largest double. */
static double any_size(uint64_t *seed)
{
    const double fraction = 1.0 + uniform(seed);
    return ldexp(fraction, -1000 + (int)(uniform(seed) * 2024.0));
}

/* ---- vectors of arbs ------------------------------------------------------------- */

static void set3(arb_ptr a, ph_vec3 v)
{
    arb_set_d(a, v.x);
    arb_set_d(a + 1, v.y);
    arb_set_d(a + 2, v.z);
}

static void cross3(arb_ptr out, arb_srcptr a, arb_srcptr b)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        arb_mul(out + i, a + j, b + k, PRECISION);
        arb_submul(out + i, a + k, b + j, PRECISION);
    }
}

/* |a|, or |a - b|. */
static void norm_n(arb_t out, arb_srcptr a, arb_srcptr b, slong n)
{
    arb_t d;
    arb_init(d);
    arb_zero(out);
    for (slong i = 0; i < n; i++) {
        if (b != NULL)
            arb_sub(d, a + i, b + i, PRECISION);
        else
            arb_set(d, a + i);
        arb_addmul(out, d, d, PRECISION);
    }
    arb_get_mid_arb(out, out);
    arb_sqrt(out, out, PRECISION);
    arb_clear(d);
}

/* |got - want| / |want| in ulps. */
static double error_in_ulps(arb_srcptr want, const double *got, slong n)
{
    arb_ptr g = _arb_vec_init(n);
    arb_t d, size;
    arb_init(d);
    arb_init(size);
    for (slong i = 0; i < n; i++)
        arb_set_d(g + i, got[i]);
    norm_n(d, g, want, n);
    norm_n(size, want, NULL, n);
    arb_div(d, d, size, PRECISION);
    const double error = arf_get_d(arb_midref(d), ARF_RND_NEAR) / ULP;
    arb_clear(d);
    arb_clear(size);
    _arb_vec_clear(g, n);
    return error;
}

static double error3(arb_srcptr want, ph_vec3 got)
{
    return error_in_ulps(want, (double[]){got.x, got.y, got.z}, 3);
}

static double error4(arb_srcptr want, ph_quat got)
{
    return error_in_ulps(want, (double[]){got.w, got.x, got.y, got.z}, 4);
}

static void check(const char *what, ph_vec3 x, double error)
{
    if (!(error <= FEW))
        fail_msg("%s at (%a, %a, %a): %g ulp", what, x.x, x.y, x.z, error);
}

/* ---- the definitions ------------------------------------------------------------- */

/* exp: cos(theta/2), sin(theta/2)/theta x */
static void exp_reference(arb_ptr out, ph_vec3 x)
{
    arb_ptr v = _arb_vec_init(3);
    arb_t theta, s;
    arb_init(theta);
    arb_init(s);
    set3(v, x);
    norm_n(theta, v, NULL, 3);
    arb_mul_2exp_si(s, theta, -1);
    arb_sin_cos(s, out, s, PRECISION);
    arb_div(s, s, theta, PRECISION);
    _arb_vec_scalar_mul(out + 1, v, 3, s, PRECISION);
    arb_clear(theta);
    arb_clear(s);
    _arb_vec_clear(v, 3);
}

/* dexp_x v = sum_k (x^)^k v/(k+1)!: the series that defines it, no closed form. */
static void dexp_reference(arb_ptr out, arb_srcptr x, arb_srcptr v)
{
    arb_ptr term = _arb_vec_init(3), next = _arb_vec_init(3);
    _arb_vec_set(term, v, 3);
    _arb_vec_set(out, v, 3);
    for (ulong k = 1; k < 80; k++) {
        cross3(next, x, term);
        for (int i = 0; i < 3; i++)
            arb_div_ui(term + i, next + i, k + 1, PRECISION);
        _arb_vec_add(out, out, term, 3, PRECISION);
    }
    _arb_vec_clear(term, 3);
    _arb_vec_clear(next, 3);
}

/* ---- tests ----------------------------------------------------------------------- */

static void test_exp_and_log(void **state)
{
    (void)state;
    uint64_t seed = 1;
    arb_ptr q = _arb_vec_init(4), v = _arb_vec_init(3);
    arb_t angle, size;
    arb_init(angle);
    arb_init(size);
    for (int i = 0; i < SAMPLES; i++) {
        const ph_vec3 x = rotation_vector(i, &seed);
        exp_reference(q, x);
        const ph_quat e = ph_rotation_exp(x);
        check("exp", x, error4(q, e));

        /* log of that double quaternion: 2 atan(|v|/w)/|v| v */
        set3(v, vec(e));
        norm_n(size, v, NULL, 3);
        arb_set_d(angle, e.w);
        arb_atan2(angle, size, angle, PRECISION);
        arb_div(angle, angle, size, PRECISION);
        arb_mul_2exp_si(angle, angle, 1);
        _arb_vec_scalar_mul(v, v, 3, angle, PRECISION);
        check("log", x, error3(v, ph_rotation_log(e)));
        check("log of -q", x, error3(v, ph_rotation_log(negate(e))));

        /* a matrix knows its rotation vector to round-off of its elements */
        set3(v, x);
        check("log of a matrix", x, error3(v, ph_rotation_log_matrix(ph_quat_matrix(e))) / 2);
    }
    arb_clear(angle);
    arb_clear(size);
    _arb_vec_clear(q, 4);
    _arb_vec_clear(v, 3);
}

static void test_cay(void **state)
{
    (void)state;
    uint64_t seed = 2;
    arb_ptr q = _arb_vec_init(4), v = _arb_vec_init(3);
    arb_t size, c;
    arb_init(size);
    arb_init(c);
    for (int i = 0; i < SAMPLES; i++) {
        const double length = i % 2 ? any_size(&seed) : log_between(&seed, 1e-300, 10);
        const ph_vec3 x = scale(length, direction(&seed));
        /* (1, x/2)/sqrt(1 + |x|^2/4) */
        set3(v, x);
        norm_n(size, v, NULL, 3);
        arb_mul_2exp_si(size, size, -1);
        arb_mul(size, size, size, PRECISION + 2200);
        arb_add_ui(size, size, 1, PRECISION + 2200);
        arb_rsqrt(q, size, PRECISION);
        arb_mul_2exp_si(c, q, -1);
        _arb_vec_scalar_mul(q + 1, v, 3, c, PRECISION);
        const ph_quat k = ph_cay(x);
        check("cay", x, error4(q, k));
        if (length < 1e3) { /* beyond, w has lost x */
            set3(v, vec(k));
            arb_set_d(c, k.w);
            arb_inv(c, c, PRECISION);
            arb_mul_2exp_si(c, c, 1);
            _arb_vec_scalar_mul(v, v, 3, c, PRECISION);
            check("cay inverse", x, error3(v, ph_cay_inverse(k)));
            check("cay inverse of -q", x, error3(v, ph_cay_inverse(negate(k))));
        }
    }
    arb_clear(size);
    arb_clear(c);
    _arb_vec_clear(q, 4);
    _arb_vec_clear(v, 3);
}

static void test_dexp(void **state)
{
    (void)state;
    uint64_t seed = 3;
    arb_ptr x = _arb_vec_init(3), v = _arb_vec_init(3), d = _arb_vec_init(3);
    for (int i = 0; i < SAMPLES; i++) {
        const ph_vec3 dx = rotation_vector(i, &seed), dv = direction(&seed);
        set3(x, dx);
        set3(v, dv);
        dexp_reference(d, x, v);
        check("dexp", dx, error3(d, ph_dexp(dx, dv)));

        /* dexp of dexp^-1 v is v; dexp is off by at most pi/2 in size */
        set3(d, ph_dexp_inverse(dx, dv));
        dexp_reference(v, x, d);
        check("dexp inverse", dx, error3(v, dv) / (PH_PI / 2));
    }
    _arb_vec_clear(x, 3);
    _arb_vec_clear(v, 3);
    _arb_vec_clear(d, 3);
}

/* The derivative of cay, (1 - x^/2) hat(dcay_x v) (1 + x^/2) = hat(v), with matrices. */
static void test_dcay(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int i = 0; i < SAMPLES; i++) {
        const double angle = log_between(&seed, 1e-300, 10);
        const ph_vec3 x = scale(angle, direction(&seed)), v = direction(&seed);
        const ph_mat3 one = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, X = ph_hat(x);
        ph_mat3 left = one, right = one;
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++) {
                left.a[r][c] -= 0.5 * X.a[r][c];
                right.a[r][c] += 0.5 * X.a[r][c];
            }
        }
        const ph_mat3 back = matmul(matmul(left, ph_hat(ph_dcay(x, v))), right);
        const ph_vec3 got = vec3(back.a[2][1], back.a[0][2], back.a[1][0]);
        const double size = 1 + dot(x, x); /* of the products that were summed */
        check("dcay", x, norm(sub(got, v)) / (ULP * size));
        check("dcay inverse", x, norm(sub(ph_dcay_inverse(x, ph_dcay(x, v)), v)) / (ULP * size));
    }
}

/* exp of vectors up to the largest, whose angle is known to the last bit; cos and sin of it
 * in multiprecision. */
static void test_exp_of_any_size(void **state)
{
    (void)state;
    uint64_t seed = 7;
    arb_ptr q = _arb_vec_init(4);
    for (int i = 0; i < SAMPLES; i++) {
        const double angle = any_size(&seed);
        const ph_vec3 x = i % 3 == 0   ? vec3(angle, 0, 0)
                          : i % 3 == 1 ? vec3(0, -angle, 0)
                                       : vec3(0, 0, angle);
        exp_reference(q, x);
        check("exp", x, error4(q, ph_rotation_exp(x)));
    }
    const ph_vec3 corner = {DBL_MAX, DBL_MAX, -DBL_MAX}; /* longer than any double */
    const ph_quat e = ph_rotation_exp(corner), c = ph_cay(corner);
    assert_true(fabs(dot4(e, e) - 1) < 4 * ULP);
    assert_true(fabs(dot4(c, c) - 1) < 4 * ULP && c.w < DBL_MIN);
    _arb_vec_clear(q, 4);
}

/* dcay_x v = (v + x/2 x v)/(1 + |x/2|^2), and back, for x and v of any size; x x v and
 * x . v may cancel. */
static void test_dcay_of_any_size(void **state)
{
    (void)state;
    uint64_t seed = 8;
    const slong precision = PRECISION + 4400; /* for sums of the largest and the smallest */
    arb_ptr x = _arb_vec_init(3), v = _arb_vec_init(3), d = _arb_vec_init(3);
    arb_t size;
    arb_init(size);
    for (int i = 0; i < SAMPLES; i++) {
        const ph_vec3 axis = direction(&seed), unit = direction(&seed);
        const ph_vec3 dx = scale(any_size(&seed), axis), dv = scale(any_size(&seed), unit);
        set3(x, dx);
        set3(v, dv);
        _arb_vec_scalar_mul_2exp_si(x, x, 3, -1);
        arb_one(size);
        for (int k = 0; k < 3; k++) {
            arb_mul(d + k, x + (k + 1) % 3, v + (k + 2) % 3, precision);
            arb_submul(d + k, x + (k + 2) % 3, v + (k + 1) % 3, precision);
            arb_add(d + k, d + k, v + k, precision);
            arb_addmul(size, x + k, x + k, precision);
        }
        for (int k = 0; k < 3; k++)
            arb_div(d + k, d + k, size, PRECISION);
        const ph_vec3 got = ph_dcay(dx, dv);
        if (norm_max(got) > 1e-290) /* else it is rounded to a subnormal */
            check("dcay", dx, error3(d, got) * norm(cross(axis, unit)));
        const ph_vec3 back = ph_dcay_inverse(dx, dv);
        if (norm_max(dx) > 1e150 && norm_max(dv) > 1e10) {
            assert_true(!finite3(back));
            continue;
        }
        /* v - x/2 x v + x/2 (x/2 . v) */
        arb_dot(size, NULL, 0, x, 1, v, 1, 3, precision);
        for (int k = 0; k < 3; k++) {
            arb_mul(d + k, x + (k + 2) % 3, v + (k + 1) % 3, precision);
            arb_submul(d + k, x + (k + 1) % 3, v + (k + 2) % 3, precision);
            arb_add(d + k, d + k, v + k, precision);
            arb_addmul(d + k, x + k, size, precision);
        }
        if (finite3(back) && norm_max(back) > 1e-290)
            check("dcay inverse", dx, error3(d, back) * fabs(dot(axis, unit)));
    }
    arb_clear(size);
    _arb_vec_clear(x, 3);
    _arb_vec_clear(v, 3);
    _arb_vec_clear(d, 3);
}

/* dexp and its inverse are linear in v, of any size. */
static void test_dexp_of_any_size(void **state)
{
    (void)state;
    uint64_t seed = 9;
    for (int i = 0; i < SAMPLES; i++) {
        const ph_vec3 x = rotation_vector(i, &seed), v = direction(&seed);
        const int exponent = -900 + (int)(uniform(&seed) * 1923.0);
        const ph_vec3 large = scale(ldexp(1.0, exponent), v);
        const ph_vec3 there = scale(ldexp(1.0, -exponent), ph_dexp(x, large)),
                      back = scale(ldexp(1.0, -exponent), ph_dexp_inverse(x, large));
        assert_true(norm(sub(there, ph_dexp(x, v))) <= 4 * ULP);
        assert_true(norm(sub(back, ph_dexp_inverse(x, v))) <= 4 * ULP);
    }
}

/* Tangents are derivatives: central differences of exp and cay, right-trivialised. This
 * is what the thesis's footnote 4, theta sin(theta) for theta - sin(theta), does not
 * survive. */
static void test_tangents_are_derivatives(void **state)
{
    (void)state;
    uint64_t seed = 5;
    const double delta = 1e-5;
    double off = 0;
    for (int i = 0; i < 200; i++) {
        const double angle = between(&seed, 0.1, 3);
        const ph_vec3 x = scale(angle, direction(&seed)), v = direction(&seed);
        const ph_vec3 up = add(x, scale(delta, v)), down = sub(x, scale(delta, v));
        const ph_vec3 by_exp =
            ph_rotation_log(mul(ph_rotation_exp(up), inverse(ph_rotation_exp(down))));
        const ph_vec3 by_cay = ph_rotation_log(mul(ph_cay(up), inverse(ph_cay(down))));
        assert_true(norm(sub(scale(0.5 / delta, by_exp), ph_dexp(x, v))) < 1e-9);
        assert_true(norm(sub(scale(0.5 / delta, by_cay), ph_dcay(x, v))) < 1e-9);

        const double t = norm(x);
        if (t < 1.4 || t > 2.1) /* the two curves cross near 1 and 2.4 */
            continue;
        const ph_vec3 xv = cross(x, v);
        const ph_vec3 printed = add(v, add(scale((1 - cos(t)) / (t * t), xv),
                                           scale(t * sin(t) / (t * t * t), cross(x, xv))));
        off = larger_or_nan(off, norm(sub(printed, ph_dexp(x, v))));
        if (norm(xv) > 0.5 * t) /* unless v is along x */
            assert_true(norm(sub(printed, ph_dexp(x, v))) > 1e-3);
    }
    /* the most, for v across x, where theta is least */
    const double least = 1.4, most = sin(least) - (least - sin(least)) / least;
    assert_true(off > 0.98 * most && off <= most);
    page_says("errata.md", "up to %.2f for unit vectors and 1.4 < theta < 2.1", most);
}

/* The derivative of dexp_x^-1 u by x against central differences, near 0 and far from it. */
static void test_dexp_inverse_slope(void **state)
{
    (void)state;
    uint64_t seed = 9;
    const double delta = 1e-5;
    for (int i = 0; i < 200; i++) {
        const double angle = between(&seed, 0.005, 4);
        const ph_vec3 x = scale(angle, direction(&seed)), e = direction(&seed),
                      u = direction(&seed);
        const ph_vec3 up = ph_dexp_inverse(add(x, scale(delta, e)), u),
                      down = ph_dexp_inverse(sub(x, scale(delta, e)), u),
                      slope = apply(dexp_inverse_slope(x, u), e);
        assert_true(norm(sub(scale(0.5 / delta, sub(up, down)), slope)) < 1e-9);
    }
}

static void test_algebra(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < SAMPLES; i++) {
        const ph_quat a = ph_rotation_exp(rotation_vector(1, &seed)),
                      b = ph_rotation_exp(rotation_vector(2, &seed));
        const ph_vec3 v = direction(&seed);
        const ph_vec3 twice = ph_quat_rotate(a, ph_quat_rotate(b, v));
        assert_true(norm(sub(twice, ph_quat_rotate(ph_quat_product(a, b), v))) < 8 * ULP);
        assert_true(norm(sub(twice, apply(matmul(ph_quat_matrix(a), ph_quat_matrix(b)), v))) <
                    8 * ULP);
        assert_true(norm(sub(v, ph_quat_unrotate(a, ph_quat_rotate(a, v)))) < 8 * ULP);
        assert_true(norm(sub(apply(ph_hat(v), twice), cross(v, twice))) < 2 * ULP);
        const ph_quat c = ph_quat_from_matrix(ph_quat_matrix(a));
        assert_true(c.w >= 0.0 && fabs(fabs(dot4(c, a)) - 1) < 8 * ULP);
        const double size = log_between(&seed, 1e-300, 1e300);
        const ph_quat u = ph_quat_unit((ph_quat){size * a.w, size * a.x, size * a.y, size * a.z});
        assert_true(fabs(dot4(u, a) - 1) < 8 * ULP);
    }
    assert_true(isnan(ph_quat_unit((ph_quat){0, 0, 0, 0}).w));
}

/* The tangent maps are linear: a vector that is a power of two as long has an image that is. */
static void test_tangents_are_linear(void **state)
{
    (void)state;
    ph_vec3 (*const maps[])(ph_vec3, ph_vec3) = {ph_dexp, ph_dexp_inverse, ph_dcay};
    uint64_t seed = 12;
    for (int n = 0; n < 60; n++) {
        const double angle = log_between(&seed, 1e-3, 5.0);
        const ph_vec3 x = scale(angle, direction(&seed)), v = direction(&seed);
        for (size_t k = 0; k < sizeof maps / sizeof maps[0]; k++) {
            const ph_vec3 image = maps[k](x, v);
            for (int power = -900; power <= 900; power += 100) {
                const double unit = ldexp(1.0, power);
                const ph_vec3 of_it = maps[k](x, scale(unit, v)), right = scale(unit, image);
                assert_true(norm(scale(1.0 / unit, sub(of_it, right))) <= 1e-15 * norm(image));
            }
        }
    }
}

static void test_nothing_turns(void **state)
{
    (void)state;
    const ph_vec3 zero = {0, 0, 0}, v = {1, -2, 3};
    assert_true(ph_rotation_exp(zero).w == 1.0 && ph_cay(zero).w == 1.0);
    assert_true(norm(ph_rotation_log((ph_quat){1, 0, 0, 0})) == 0.0);
    assert_true(norm(ph_rotation_log((ph_quat){-1, 0, 0, 0})) == 0.0);
    assert_true(norm(sub(ph_dexp(zero, v), v)) == 0.0);
    assert_true(norm(sub(ph_dexp_inverse(zero, v), v)) == 0.0);
    assert_true(norm(sub(ph_dcay(zero, v), v)) == 0.0);
    assert_true(norm(sub(ph_dcay_inverse(zero, v), v)) == 0.0);
    assert_true(isnan(ph_rotation_exp((ph_vec3){NAN, 0, 0}).w) &&
                isnan(ph_rotation_log((ph_quat){1, NAN, 0, 0}).x));
}

static int close_arb(void **state)
{
    (void)state;
    flint_cleanup();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exp_and_log),
        cmocka_unit_test(test_cay),
        cmocka_unit_test(test_dexp),
        cmocka_unit_test(test_dcay),
        cmocka_unit_test(test_exp_of_any_size),
        cmocka_unit_test(test_dcay_of_any_size),
        cmocka_unit_test(test_dexp_of_any_size),
        cmocka_unit_test(test_tangents_are_derivatives),
        cmocka_unit_test(test_dexp_inverse_slope),
        cmocka_unit_test(test_algebra),
        cmocka_unit_test(test_tangents_are_linear),
        cmocka_unit_test(test_nothing_turns),
    };
    return cmocka_run_group_tests_name("rotation", tests, NULL, close_arb);
}
