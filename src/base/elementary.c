/* elementary.c - elementary functions of one number, in order: sine, cosine and tangent, of which the
 * polynomials are in reduced_angle.h; angles; the exponential; the logarithm; powers; the hypotenuse.
 *
 * An argument is reduced to a small one, where a polynomial gives what is left after the
 * first terms. These, and what is lost in rounding them, are carried as sums of two numbers
 * (Dekker 1971), as far as a result needs them.
 */
#include "base/elementary.h"
#include "base/choice.h"
#include "base/extremes.h"
#include "base/reduced_angle.h"
#include "base/simd_atan.h"
#include "base/simd_log.h"

/* ---- numbers as sums of two: the second is what rounding lost of the first ------------------- */

/* Arguments below this are their own sine, tangent and so on, to the last digit. */
FILE_CONSTANT double TINY = 0x1p-27;

typedef vsum_of_two sum2;

/* a + b for |a| >= |b|, and for any. */
static inline sum2 sum_ordered(double a, double b)
{
    const double s = a + b;
    return (sum2){s, (a - s) + b};
}

static inline sum2 sum_of(double a, double b)
{
    const double s = a + b, b_in = s - a;
    return (sum2){s, (a - (s - b_in)) + (b - b_in)};
}

static inline sum2 product_of(double a, double b)
{
    const double p = a * b;
    return (sum2){p, product_error(a, b, p)};
}

static inline sum2 plus(sum2 a, sum2 b)
{
    const sum2 s = sum_of(a.hi, b.hi);
    return sum_ordered(s.hi, s.lo + (a.lo + b.lo));
}

static inline sum2 product2(sum2 a, sum2 b)
{
    const sum2 p = product_of(a.hi, b.hi);
    return sum_ordered(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline sum2 quotient2(sum2 a, sum2 b)
{
    const double q = a.hi / b.hi;
    const sum2 p = product_of(q, b.hi);
    return sum_ordered(q, (((a.hi - p.hi) - p.lo) + (a.lo - q * b.lo)) / b.hi);
}

static inline sum2 root2(sum2 a)
{
    const double r = sqrt(a.hi);
    const sum2 p = product_of(r, r);
    if (r > 0.0)
        return sum_ordered(r, (((a.hi - p.hi) - p.lo) + a.lo) / (2.0 * r));
    return a;
}

static inline double rounded(sum2 a)
{
    return a.hi + a.lo;
}

FILE_CONSTANT sum2 QUARTER_TURN = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

/* ---- sine, cosine and tangent ---------------------------------------------------------------- */

/* The binary digits of 2/pi, as many as the largest double needs. */
FILE_CONSTANT uint32_t TWO_OVER_PI[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046};

/* |x| beyond SINCOS_LARGEST less n quarter turns (Payne and Hanek 1983): of the binary
 * digits of 2/pi, those that a finite |x| makes whole multiples of four are left out, and
 * as many follow that the fraction, of which a double can make no fewer than 2^-62, has 128. */
static reduced_angle reduce_large_angle(double x)
{
    enum { WORDS = 7, MANTISSA = 53, WORD = 32 };
    int exponent;
    const uint64_t mantissa = (uint64_t)ldexp(frexp(fabs(x), &exponent), MANTISSA);
    exponent -= MANTISSA;
    const int first = larger_int(exponent - 2, 0) / WORD;
    /* mantissa times WORDS words, the smallest part first */
    uint32_t product[WORDS + 3] = {0};
    const uint64_t parts[2] = {mantissa & UINT32_MAX, mantissa >> WORD};
    for (int i = 0; i < 2; i++) {
        uint64_t carry = 0;
        for (int k = 0; k < WORDS; k++) {
            carry += parts[i] * TWO_OVER_PI[first + WORDS - 1 - k] + product[i + k];
            product[i + k] = (uint32_t)carry;
            carry >>= WORD;
        }
        product[i + WORDS] = (uint32_t)carry;
    }
    /* from the place of the quarter turns down: these, and the fraction in four words */
    const int units = WORD * (first + WORDS) - exponent;
    uint32_t word[5];
    for (int i = 0; i < 5; i++) {
        const int place = units - i * WORD;
        const uint64_t two = (uint64_t)product[place / WORD + 1] << WORD | product[place / WORD];
        word[i] = (uint32_t)(two >> place % WORD);
    }
    /* the fraction from -1/2 to 1/2 */
    uint32_t negative = 0; /* or all bits */
    double sign = 1.0;
    if (word[1] >> (WORD - 1)) {
        negative = UINT32_MAX;
        sign = -1.0;
    }
    double part[4];
    for (int i = 0; i < 4; i++)
        part[i] = sign * ldexp((double)(word[i + 1] ^ negative), -WORD * (i + 1));
    const sum2 high = sum_ordered(part[0], part[1]);
    const sum2 fraction = sum_ordered(high.hi, high.lo + (part[2] + part[3]));
    const sum2 r = product2(fraction, QUARTER_TURN);
    return (reduced_angle){r.hi, r.lo, (vint)(word[0] + (negative & 1))};
}

static inline reduced_angle reduced(double x)
{
    if (fabs(x) <= SINCOS_LARGEST)
        return reduce_angle(x);
    return reduce_large_angle(x);
}

void ph_sincos(double x, double *sine, double *cosine)
{
    if (fabs(x) <= SINCOS_LARGEST) {
        sincos_of_one(x, sine, cosine);
    } else if (isfinite(x)) {
        const reduced_angle a = reduce_large_angle(x);
        sincos_reduced(x, &a, sine, cosine);
    } else {
        *sine = *cosine = x - x;
    }
}

double ph_sin(double x)
{
    double sine, cosine;
    ph_sincos(x, &sine, &cosine);
    return sine;
}

double ph_cos(double x)
{
    double sine, cosine;
    ph_sincos(x, &sine, &cosine);
    return cosine;
}

double ph_tan(double x)
{
    if (!isfinite(x))
        return x - x;
    if (fabs(x) < TINY)
        return x;
    const reduced_angle a = reduced(x);
    const double r = a.r;
    const sum2 zz = product_of(r, r), most = sum_ordered(1.0, -0.5 * zz.hi);
    const double z = zz.hi, z2 = z * z, z4 = z2 * z2;
    const sum2 s = sum_ordered(r, (r * z) * sine_rest(z, z2, z4) + (a.rest - 0.5 * (z * a.rest)));
    const sum2 c =
        sum_ordered(most.hi, most.lo + (z2 * cosine_rest(z, z2, z4) - (r * a.rest + 0.5 * zz.lo)));
    double size;
    if ((a.quadrant & 1) != 0)
        size = rounded(quotient2((sum2){-c.hi, -c.lo}, s));
    else
        size = rounded(quotient2(s, c));
    if (x < 0.0)
        return -size;
    return size;
}

/* x 2^n, rounded once. */
static double times_power(double x, int n)
{
    const int most = 1000;
    if (n > -most && n < most)
        return x * vfrom_bits((vint)(n + 1023) << 52);
    return ldexp(x, n);
}

/* ---- angles ------------------------------------------------------------------------ */

FILE_CONSTANT sum2 HALF_TURN = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

/* The angle of the point x, y, y >= 0, whose larger coordinate is of order 1. */
static sum2 angle_of(double y, double x)
{
    const bool steep = y > fabs(x);
    sum2 a, base;
    if (steep) {
        a = atan_of_quotient(fabs(x), y);
        base = QUARTER_TURN;
    } else {
        a = atan_of_quotient(y, fabs(x));
        base = HALF_TURN;
    }
    if (!steep && x >= 0.0)
        return a;
    if (steep == (x >= 0.0))
        a = (sum2){-a.hi, -a.lo};
    const sum2 s = sum_ordered(base.hi, a.hi);
    return (sum2){s.hi, s.lo + (base.lo + a.lo)};
}

double ph_atan2(double y, double x)
{
    if (isnan(x) || isnan(y))
        return x + y;
    if (isinf(x) || isinf(y)) { /* along an axis, or half way between two */
        y = copysign(isinf(y) != 0, y);
        x = copysign(isinf(x) != 0, x);
    }
    const double ay = fabs(y), larger = larger_or_nan(fabs(x), ay);
    if (larger == 0.0)
        return copysign(signbit(x) ? HALF_TURN.hi : 0.0, y);
    if (x > 0.0 && ay < TINY * x)
        return y / x;
    if (larger > 0x1p500 || larger < 0x1p-500) {
        const int exponent = ilogb(larger);
        return copysign(rounded(angle_of(ldexp(ay, -exponent), ldexp(x, -exponent))), y);
    }
    return copysign(rounded(angle_of(ay, x)), y);
}

double ph_atan(double x)
{
    return ph_atan2(x, 1.0);
}

/* sqrt(1 - x^2) */
static sum2 other_side(double x)
{
    const sum2 less = sum_of(1.0, -x), more = sum_of(1.0, x);
    return root2(product2(less, more));
}

/* The angle of a point on the circle, one coordinate of which is a sum. */
double ph_asin(double x)
{
    const double size = fabs(x);
    if (!(size <= 1.0))
        return NAN;
    if (size < TINY)
        return x;
    const sum2 c = other_side(size), a = angle_of(size, c.hi);
    return copysign(a.hi + (a.lo - size * c.lo), x);
}

double ph_acos(double x)
{
    if (!(fabs(x) <= 1.0))
        return NAN;
    const sum2 s = other_side(x), a = angle_of(s.hi, x);
    return a.hi + (a.lo + x * s.lo);
}

/* ---- the exponential --------------------------------------------------------------- */

/* exp(x) beyond these is infinite or vanishes. */
FILE_CONSTANT double EXP_LARGEST = 711.0, EXP_SMALLEST = -746.0;

/* exp(x) = 2^n (1 + less). */
typedef struct power {
    sum2 less;
    int n;
} power;

static power power_of(sum2 x)
{
    const double to_whole = 0x1.8p52, n = (x.hi * 1.44269504088896340736 + to_whole) - to_whole;
    const sum2 a = sum_of(x.hi - n * LOG2, -(n * LOG2_REST));
    const double r = a.hi, rest = a.lo + x.lo;
    /* (exp r - 1 - r - r^2/2)/r^3 */
    const double r2 = r * r, r4 = r2 * r2;
    const double E01 = r * 4.166666666666666723312e-2 + 0.1666666666666666745984,
                 E23 = r * 1.388888888888653563842e-3 + 8.333333333330038197333e-3,
                 E45 = r * 2.480158731722872214416e-5 + 1.984126986317155602639e-4,
                 E67 = r * 2.75572828388004829715e-7 + 2.755726827690569618691e-6,
                 E89 = r * 2.091129876594019822709e-9 + 2.510047250569499600313e-8;
    const double E = r4 * (r4 * E89 + (r2 * E67 + E45)) + (r2 * E23 + E01);
    const sum2 s = sum_ordered(r, r2 * (0.5 + r * E));
    return (power){{s.hi, s.lo + (rest + rest * s.hi)}, (int)n};
}

/* 2^shift exp(x), for x that is no NaN. */
static double exp_times_power(sum2 x, int shift)
{
    if (x.hi > EXP_LARGEST)
        return INFINITY;
    if (x.hi < EXP_SMALLEST)
        return 0.0;
    const power p = power_of(x);
    const sum2 one_more = sum_ordered(1.0, p.less.hi);
    return times_power(one_more.hi + (one_more.lo + p.less.lo), p.n + shift);
}

/* exp(x) - 1, for x from 0 to 50. */
static sum2 exp_less_one(double x)
{
    const power p = power_of((sum2){x, 0.0});
    const double scale = times_power(1.0, p.n);
    const sum2 s = sum_of(scale - 1.0, scale * p.less.hi);
    return sum_ordered(s.hi, s.lo + scale * p.less.lo);
}

double ph_real_exp(double x)
{
    if (isnan(x))
        return x;
    return exp_times_power((sum2){x, 0.0}, 0);
}

/* Beyond this exp(-2 x) is nothing beside 1. */
FILE_CONSTANT double HYPERBOLIC_LARGE = 22.0;

double ph_tanh(double x)
{
    const double size = fabs(x);
    if (size < TINY || isnan(x))
        return x;
    if (size > HYPERBOLIC_LARGE)
        return copysign(1.0, x);
    const sum2 e = exp_less_one(2.0 * size);
    return copysign(rounded(quotient2(e, plus((sum2){2.0, 0.0}, e))), x);
}

double ph_sinh(double x)
{
    const double size = fabs(x);
    if (size < TINY || isnan(x))
        return x;
    if (size > HYPERBOLIC_LARGE)
        return copysign(exp_times_power((sum2){size, 0.0}, -1), x);
    const sum2 e = exp_less_one(size);
    return copysign(0.5 * rounded(plus(e, quotient2(e, plus((sum2){1.0, 0.0}, e)))), x);
}

double ph_cosh(double x)
{
    const double size = fabs(x);
    if (isnan(x))
        return x;
    if (size > HYPERBOLIC_LARGE)
        return exp_times_power((sum2){size, 0.0}, -1);
    const sum2 one = {1.0, 0.0}, e = plus(one, exp_less_one(size));
    return 0.5 * rounded(plus(e, quotient2(one, e)));
}

/* ---- the logarithm ----------------------------------------------------------------- */

/* x > 0 as 2^n (1 + f), 1 + f between 1/sqrt 2 and sqrt 2. */
static double split(double x, double *n)
{
    if (!(x < 0x1p-1022))
        return log_split(x, n);
    const double f = log_split(0x1p54 * x, n);
    *n -= 54.0;
    return f;
}

double ph_real_log(double x)
{
    if (!(x > 0.0) || isinf(x)) {
        if (x == 0.0)
            return -INFINITY;
        if (x > 0.0 || isnan(x))
            return x;
        return NAN;
    }
    double n;
    const double f = split(x, &n);
    return log_of_split(f, n);
}

/* log(1 + f) to some 65 bits, for 1 + f between 1/sqrt 2 and sqrt 2: twice
 * artanh(s) = s (1 + z (1/3 + z/5 + z^2 L)). */
static sum2 log_one_plus(sum2 f)
{
    const sum2 third = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
    const sum2 s = quotient2(f, plus((sum2){2.0, 0.0}, f)), z = product2(s, s);
    double L = z.hi * 5.856686925819320863677e-2 + 5.853675321959895573577e-2;
    L = z.hi * L + 6.667377079197251271874e-2;
    L = z.hi * L + 7.692298063065152410101e-2;
    L = z.hi * L + 9.090909160553145300935e-2;
    L = z.hi * L + 0.1111111111087264073509;
    L = z.hi * L + 0.142857142857145616122;
    const sum2 fifth = sum_of(0.2, z.hi * L);
    const double fifth_rest = -0x1.999999999999ap-57; /* 1/5 - 0.2 */
    const sum2 inner = plus(third, product2(z, (sum2){fifth.hi, fifth.lo + fifth_rest}));
    const sum2 more = product2(s, product2(z, inner)), sum = plus(s, more);
    return (sum2){2.0 * sum.hi, 2.0 * sum.lo};
}

/* log of 2^n (1 + f). */
static sum2 log_of(sum2 f, double n)
{
    const sum2 whole = {n * LOG2, n * LOG2_REST};
    return plus(whole, log_one_plus(f));
}

double ph_asinh(double x)
{
    const double size = fabs(x), large = 0x1p30;
    if (size < TINY || !isfinite(x))
        return x;
    double n;
    if (size > large) {
        const double f = split(size, &n);
        return copysign(rounded(log_of((sum2){f, 0.0}, n + 1)), x);
    }
    /* log(1 + t), t = x + x^2/(1 + sqrt(1 + x^2)) */
    const sum2 one = {1.0, 0.0}, x2 = product_of(size, size), root = root2(plus(one, x2));
    const sum2 t = plus((sum2){size, 0.0}, quotient2(x2, plus(one, root)));
    const double most = 0.4142135623730950488017;
    if (t.hi <= most)
        return copysign(rounded(log_one_plus(t)), x);
    const sum2 sum = plus(one, t);
    const double f = split(sum.hi, &n);
    return copysign(rounded(log_of(sum_of(f, times_power(sum.lo, -(int)n)), n)), x);
}

/* ---- powers ------------------------------------------------------------------------ */

/* Whether y is whole, and whether it is odd. */
static bool is_whole(double y)
{
    return y == rint(y);
}

static bool is_odd(double y)
{
    return is_whole(y) && fabs(y) < 0x1p53 && fmod(y, 2.0) != 0.0;
}

double ph_pow(double x, double y)
{
    if (y == 0.0 || x == 1.0)
        return 1.0;
    if (isnan(x) || isnan(y))
        return x + y;
    const double size = fabs(x), sign = x < 0.0 && is_odd(y) ? -1.0 : 1.0;
    if (x == 0.0 || isinf(x)) {
        const double to = (x == 0.0) == (y > 0.0) ? 0.0 : INFINITY;
        if (is_odd(y))
            return copysign(to, x);
        return to;
    }
    if (size == 1.0 && isinf(y))
        return 1.0;
    if (x < 0.0 && !is_whole(y))
        return NAN;
    if (size == 1.0)
        return sign;
    if (fabs(y) > 0x1p64) { /* |log x| is above 2^-54 */
        if ((size > 1.0) == (y > 0.0))
            return sign * INFINITY;
        return sign * 0.0;
    }
    double n;
    const double f = split(size, &n);
    const sum2 l = log_of((sum2){f, 0.0}, n), p = product_of(y, l.hi);
    return sign * exp_times_power(sum_ordered(p.hi, p.lo + y * l.lo), 0);
}

/* ---- the hypotenuse ---------------------------------------------------------------- */

/* h, and what h^2 is above x^2 + y^2 in forms without cancellation: Borges, ACM Trans. Math.
 * Softw. 47 (2020); x >= y, squares far from overflow and underflow. */
static double hypotenuse(double x, double y)
{
    const double h = sqrt(x * x + y * y);
    double over;
    if (h <= 2.0 * y) {
        const double d = h - y;
        over = x * (2.0 * d - x) + (d - 2.0 * (x - y)) * d;
    } else {
        const double d = h - x;
        over = 2.0 * d * (x - 2.0 * y) + ((4.0 * d - y) * y + d * d);
    }
    return h - over / (2.0 * h);
}

double ph_hypot(double x, double y)
{
    const double ax = fabs(x), ay = fabs(y);
    const double larger = larger_or_nan(ax, ay), smaller = smaller_or_nan(ax, ay);
    if (isinf(x) || isinf(y))
        return INFINITY;
    if (isnan(x) || isnan(y))
        return x + y;
    if (smaller <= TINY * larger)
        return larger;
    if (larger < 0x1p500 && smaller > 0x1p-450)
        return hypotenuse(larger, smaller);
    const int n = ilogb(larger);
    return ldexp(hypotenuse(ldexp(larger, -n), ldexp(smaller, -n)), n);
}
