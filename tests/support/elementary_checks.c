/* elementary_checks.c - the elementary functions against Arb at random arguments of every
 * size, next to where they vanish or turn, and at their special values. */
#include "support/elementary_checks.h"

#include <arb.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/elementary.h"
#include "motion/vec.h"
#include "support/random.h"

static long arguments_each;

/* ---- the functions and their references -------------------------------------------- */

typedef void reference(arb_t f, const arb_t x, slong precision);

static double sine_of_both(double x)
{
    double s, c;
    ph_sincos(x, &s, &c);
    return s;
}

static double cosine_of_both(double x)
{
    double s, c;
    ph_sincos(x, &s, &c);
    return c;
}

static const struct {
    const char *name;
    double (*ours)(double x);
    double (*libm)(double x); /* for special values */
    reference *exact;
} FUNCTIONS[] = {
    {"sin", ph_sin, sin, arb_sin},
    {"cos", ph_cos, cos, arb_cos},
    {"sincos, first", sine_of_both, sin, arb_sin},
    {"sincos, second", cosine_of_both, cos, arb_cos},
    {"tan", ph_tan, tan, arb_tan},
    {"asin", ph_asin, asin, arb_asin},
    {"acos", ph_acos, acos, arb_acos},
    {"atan", ph_atan, atan, arb_atan},
    {"exp", ph_real_exp, exp, arb_exp},
    {"log", ph_real_log, log, arb_log},
    {"sinh", ph_sinh, sinh, arb_sinh},
    {"cosh", ph_cosh, cosh, arb_cosh},
    {"tanh", ph_tanh, tanh, arb_tanh},
    {"asinh", ph_asinh, asinh, arb_asinh},
};

typedef void reference2(arb_t f, const arb_t x, const arb_t y, slong precision);

static void hypotenuse(arb_t f, const arb_t x, const arb_t y, slong precision)
{
    arb_hypot(f, x, y, precision);
}

static const struct {
    const char *name;
    double (*ours)(double x, double y);
    double (*libm)(double x, double y);
    reference2 *exact;
} FUNCTIONS2[] = {
    {"atan2", ph_atan2, atan2, arb_atan2},
    {"pow", ph_pow, pow, arb_pow},
    {"hypot", ph_hypot, hypot, hypotenuse},
};

enum { COUNT = sizeof FUNCTIONS / sizeof FUNCTIONS[0] };
enum { COUNT2 = sizeof FUNCTIONS2 / sizeof FUNCTIONS2[0] };

/* ---- errors ------------------------------------------------------------------------ */

enum { PRECISION = 140 };

/* |x - exact| in units of the last place of the exact value; what overflows rounds to
 * infinity. */
static double ulps(double x, const arb_t exact)
{
    const double value = arf_get_d(arb_midref(exact), ARF_RND_NEAR);
    if (isinf(value) || isinf(x))
        return x == value || (isinf(x) && fabs(value) == 0x1.fffffffffffffp1023) ? 0.0 : INFINITY;
    arb_t difference;
    arb_init(difference);
    arb_set_d(difference, x);
    arb_sub(difference, exact, difference, PRECISION);
    int exponent;
    frexp(arf_get_d(arb_midref(exact), ARF_RND_DOWN), &exponent);
    const slong ulp = exponent - 53 < -1074 ? -1074 : exponent - 53;
    arb_mul_2exp_si(difference, difference, -ulp);
    const double error = fabs(arf_get_d(arb_midref(difference), ARF_RND_NEAR));
    arb_clear(difference);
    return error;
}

/* An argument of any size, of order one, next to a multiple of pi/4, or next to 1. */
static double argument(uint64_t *seed)
{
    double x;
    switch (random_bits(seed) >> 61) {
    case 0:
        return signed_log_between(seed, 1e-310, 1e308);
    case 1:
        return signed_log_between(seed, 1e-8, 1e22);
    case 2:
        return between(seed, -750.0, 750.0);
    case 3:
    case 4:
        return between(seed, -4.0, 4.0);
    case 5:
        x = floor(between(seed, -1e3, 1e3)) * (PH_PI / 4);
        return x * (1.0 + between(seed, -1e-15, 1e-15));
    case 6:
        x = random_sign(seed);
        return x * (1.0 + signed_log_between(seed, 1e-17, 1.0));
    default:
        return between(seed, -1.0, 1.0);
    }
}

static void errors_of_one_argument(void **state)
{
    (void)state;
    arb_t x, f;
    arb_init(x);
    arb_init(f);
    for (int k = 0; k < COUNT; k++) {
        uint64_t seed = 1;
        double worst = 0.0, at = NAN;
        long tried = 0;
        for (long i = 0; i < arguments_each; i++) {
            const double a = argument(&seed), ours = FUNCTIONS[k].ours(a);
            arb_set_d(x, a);
            slong extra = PRECISION + 1100;
            FUNCTIONS[k].exact(f, x, fabs(a) > 1e6 ? extra : PRECISION);
            if (!arb_is_finite(f) && !(fabs(FUNCTIONS[k].libm(a)) < INFINITY)) {
                assert_true(isnan(ours) || isinf(FUNCTIONS[k].libm(a)));
                continue;
            }
            tried++;
            const double error = ulps(ours, f);
            if (!(error <= worst)) {
                worst = error;
                at = a;
            }
        }
        if (!(worst < 1.0) || tried < arguments_each / 10)
            fail_msg("%s is off by %.3f ulp at %a (%ld arguments)", FUNCTIONS[k].name, worst, at,
                     tried);
        print_message("%s: at most %.3f ulp, at %.17g\n", FUNCTIONS[k].name, worst, at);
    }
    arb_clear(x);
    arb_clear(f);
}

/* Two arguments, or two of nearly the same size. */
static void errors_of_two_arguments(void **state)
{
    (void)state;
    arb_t x, y, f;
    arb_init(x);
    arb_init(y);
    arb_init(f);
    for (int k = 0; k < COUNT2; k++) {
        uint64_t seed = 2;
        double worst = 0.0, at[2] = {NAN, NAN};
        long tried = 0;
        for (long i = 0; i < arguments_each; i++) {
            double a = argument(&seed), b = argument(&seed);
            if (FUNCTIONS2[k].ours == ph_pow)
                a = fabs(a);
            if (random_bits(&seed) >> 63) {
                b = a * between(&seed, -4.0, 4.0);
                if (FUNCTIONS2[k].ours == ph_pow) /* a power of order one, or next to the ends */
                    b = between(&seed, -746.0, 711.0) / log(a);
            }
            const double libm = FUNCTIONS2[k].libm(a, b), ours = FUNCTIONS2[k].ours(a, b);
            if (!isfinite(b) || !isfinite(libm) || libm == 0.0 || (a == 0.0 && b == 0.0)) {
                if (isfinite(a) && isfinite(b))
                    assert_true(ours == libm || (isnan(ours) && isnan(libm)));
                continue;
            }
            arb_set_d(x, a);
            arb_set_d(y, b);
            FUNCTIONS2[k].exact(f, x, y, 2 * PRECISION);
            tried++;
            const double error = ulps(ours, f);
            if (!(error <= worst)) {
                worst = error;
                at[0] = a;
                at[1] = b;
            }
        }
        if (!(worst < 1.0) || tried < arguments_each / 10)
            fail_msg("%s is off by %.3f ulp at %a, %a (%ld arguments)", FUNCTIONS2[k].name, worst,
                     at[0], at[1], tried);
        print_message("%s: at most %.3f ulp, at %.17g, %.17g\n", FUNCTIONS2[k].name, worst, at[0],
                      at[1]);
    }
    arb_clear(x);
    arb_clear(y);
    arb_clear(f);
}

/* ---- special values ---------------------------------------------------------------- */

static const double SPECIAL[] = {0.0,    -0.0,   1.0,      -1.0,      0.5,        -0.5,   2.0,
                                 -2.0,   3.0,    -3.0,     2.5,       -2.5,       1e300,  -1e300,
                                 1e-300, 5e-324, -5e-324,  0x1p53,    0x1p53 + 2, 0x1p60, -0x1p60,
                                 800.0,  -800.0, INFINITY, -INFINITY, NAN};
enum { SPECIALS = sizeof SPECIAL / sizeof SPECIAL[0] };

/* As C has it: the same infinity, zero with its sign, NaN, or next to the same number. */
static bool alike(double ours, double libm)
{
    if (isnan(libm))
        return isnan(ours);
    if (libm == 0.0 || isinf(libm))
        return ours == libm && signbit(ours) == signbit(libm);
    return fabs(ours - libm) <= 4e-16 * fabs(libm) + 1e-323;
}

static void special_values(void **state)
{
    (void)state;
    for (int i = 0; i < SPECIALS; i++) {
        for (int k = 0; k < COUNT; k++) {
            const double x = SPECIAL[i], ours = FUNCTIONS[k].ours(x), libm = FUNCTIONS[k].libm(x);
            if (!alike(ours, libm))
                fail_msg("%s(%g) is %a, not %a", FUNCTIONS[k].name, x, ours, libm);
        }
        for (int j = 0; j < SPECIALS; j++) {
            for (int k = 0; k < COUNT2; k++) {
                const double x = SPECIAL[i], y = SPECIAL[j], ours = FUNCTIONS2[k].ours(x, y),
                             libm = FUNCTIONS2[k].libm(x, y);
                if (!alike(ours, libm))
                    fail_msg("%s(%g, %g) is %a, not %a", FUNCTIONS2[k].name, x, y, ours, libm);
            }
        }
    }
}

int elementary_checks(long arguments)
{
    arguments_each = arguments;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_of_one_argument),
        cmocka_unit_test(errors_of_two_arguments),
        cmocka_unit_test(special_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
