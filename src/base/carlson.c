/* carlson.c - Carlson's symmetric elliptic integrals RC, RF, RD, RG and RJ.
 *
 * C95   B. C. Carlson, Numerical computation of real or complex elliptic integrals,
 *       Numerical Algorithms 10 (1995) 13-26.
 * DLMF  NIST Digital Library of Mathematical Functions, chapter 19.
 *
 *   DLMF 19.16.1  RF(x,y,z)   = 1/2 int_0^inf dt/S,  S = sqrt((t+x)(t+y)(t+z))
 *   DLMF 19.16.2  RJ(x,y,z,p) = 3/2 int_0^inf dt/(S (t+p))
 *   DLMF 19.16.5  RD(x,y,z)   = RJ(x,y,z,z)
 *   DLMF 19.16.6  RC(x,y)     = RF(x,y,y)
 *   DLMF 19.16.3  RG(x,y,z)   = mean of sqrt(x u1^2 + y u2^2 + z u3^2), u on the sphere
 *
 * Duplication (DLMF 19.26(iii), C95 section 2): with lambda = sqrt(x y) + sqrt(x z) +
 * sqrt(y z) and x' = (x + lambda)/4, the same for y, z, p,
 *
 *   RF(x,y,z)   = RF(x',y',z')
 *   RD(x,y,z)   = RD(x',y',z')/4 + 3/(sqrt z (z + lambda))
 *   RJ(x,y,z,p) = RJ(x',y',z',p')/4 + 6/d RC(1, 1 + e)
 *                 d = (sqrt p + sqrt x)(sqrt p + sqrt y)(sqrt p + sqrt z)
 *                 1 + e = 2 sqrt p (p + lambda)/d
 *
 * Each step brings the arguments four times closer to their mean A. Once all are within a
 * small part of it, the Taylor series about the mean (DLMF 19.19.7, here to the ninth
 * degree) ends the matter. The deviations A - x shrink by four exactly and are not
 * computed anew.
 *
 * All sums are of positive terms, so round-off is nowhere magnified. C95 gives e as the
 * product of (sqrt p - sqrt x)/(sqrt p + sqrt x), and 1 + e loses digits where p is
 * small; in the form above it does not.
 *
 * Arguments far from 1 take the first step with square roots, times a power of two s that
 * makes the largest about 2^100: (x + lambda)/4 = ((sqrt x + sqrt y)/2) ((sqrt x +
 * sqrt z)/2). What follows has half the range of exponents, with room on either side.
 */
#include <math.h>
#include <stdbool.h>

#include "base/elementary.h"
#include "polhode/elliptic.h"

/* Where the sum of x, y, z, and p, are between these the plain loops neither over- nor
 * underflow. */
#define CARLSON_SMALL 0x1p-400
#define CARLSON_LARGE 0x1p400

/* Parts of the mean within which the series leave out less than 2^-55. */
#define NEAR_RF 0.034
#define NEAR_RJ 0.027

/* A large p comes down by no more than four in each step; beyond this many times the
 * others it is not brought down. */
#define FAR_P 0x1p60

#define HALF_PI 1.57079632679489661923

static double max2(double a, double b)
{
    return a > b ? a : b;
}

static double min2(double a, double b)
{
    return a < b ? a : b;
}

static double max3(double a, double b, double c)
{
    return max2(max2(a, b), c);
}

typedef struct sorted {
    double low, mid, high;
} sorted;

static sorted sort(double x, double y, double z)
{
    const double low = min2(x, y), high = max2(y, x);
    if (z < low)
        return (sorted){z, low, high};
    if (z > high)
        return (sorted){low, high, z};
    return (sorted){low, z, high};
}

/* x, y, z >= 0, at most one of them zero; not NaN. */
static bool in_domain(double x, double y, double z)
{
    return x >= 0.0 && y >= 0.0 && z >= 0.0 && x + y > 0.0 && x + z > 0.0 && y + z > 0.0;
}

/* In the domain, and good for the plain loops. */
static bool in_range(double x, double y, double z, double p)
{
    const double sum = x + y + z;
    return in_domain(x, y, z) && sum >= CARLSON_SMALL && p >= CARLSON_SMALL &&
           sum + p <= CARLSON_LARGE;
}

/* The power of two that brings v into [2^99, 2^100). */
static double scale_for(double v)
{
    int exponent;
    frexp(v, &exponent);
    return ldexp(1.0, 100 - exponent);
}

/* (x + lambda)/4 from the square roots of x and of the two others. */
static double duplicated(double sx, double sy, double sz)
{
    return (0.5 * (sx + sy)) * (0.5 * (sx + sz));
}

/* ---- the elementary case ----------------------------------------------------------- */

/* DLMF 19.2.18-19, as atan2 and asinh: nothing cancels next to x = y. */
double ph_rc(double x, double y)
{
    if (!(x >= 0.0 && y > 0.0))
        return NAN;
    if (x == y)
        return 1.0 / sqrt(x);
    if (isinf(x) || isinf(y))
        return 0.0;
    if (x < y) {
        const double r = sqrt(y - x);
        return ph_atan2(r, sqrt(x)) / r;
    }
    const double r = sqrt(x - y), sy = sqrt(y);
    if (r < 0x1p500 * sy)
        return ph_asinh(r / sy) / r;
    return 2.0 * ph_real_log(sqrt(2.0 * r) / sqrt(sy)) / r; /* where r/sy might overflow */
}

/* RC(1, y) for 0 < y < 2; where y is next to 1, by the series sum (1-y)^k/(2k+1). */
static double rc_of_one(double y)
{
    const double e = 1.0 - y, e2 = e * e;
    if (e2 > 0x1p-8)
        return ph_rc(1.0, y);
    if (e2 > 0x1p-20) {
        const double e4 = e2 * e2;
        const double even =
            1. + e2 * (1. / 5) +
            e4 * (1. / 9 + e2 * (1. / 13) + e4 * (1. / 17 + e2 * (1. / 21) + e4 * (1. / 25)));
        const double odd = 1. / 3 + e2 * (1. / 7) +
                           e4 * (1. / 11 + e2 * (1. / 15) + e4 * (1. / 19 + e2 * (1. / 23)));
        return even + e * odd;
    }
    return 1. + e * (1. / 3 + e * (1. / 5 + e * (1. / 7 + e * (1. / 9 + e * (1. / 11)))));
}

/* ---- first kind -------------------------------------------------------------------- */

static double rf_loop(double x, double y, double z)
{
    double A = (x + y + z) / 3.0, f = 1.0;
    const double dx = A - x, dy = A - y, dz = A - z;
    double far = max3(fabs(dx), fabs(dy), fabs(dz)) * (1.0 / NEAR_RF);
    while (far > A) {
        const double sx = sqrt(x), sy = sqrt(y), sz = sqrt(z);
        const double lambda = sx * (sy + sz) + sy * sz;
        x = 0.25 * (x + lambda);
        y = 0.25 * (y + lambda);
        z = 0.25 * (z + lambda);
        A = 0.25 * (A + lambda);
        far *= 0.25;
        f *= 0.25;
    }
    const double g = f / A, X = dx * g, Y = dy * g, Z = -(X + Y);
    const double E2 = X * Y - Z * Z, E3 = X * Y * Z;
    const double sum = 1. +
                       E2 * (-1. / 10 + E2 * (1. / 24 + E2 * (-5. / 208 + E2 * (35. / 2176)))) +
                       E3 * (1. / 14 + E2 * (-3. / 44 + E2 * (1. / 16 - E2 * (35. / 608))) +
                             E3 * (3. / 104 - E2 * (15. / 272) + E3 * (5. / 304)));
    return sum / sqrt(A);
}

double ph_rf(double x, double y, double z)
{
    if (in_range(x, y, z, 1.0))
        return rf_loop(x, y, z);
    if (!in_domain(x, y, z))
        return NAN;
    if (isinf(max3(x, y, z)))
        return 0.0;
    const double s = scale_for(sqrt(max3(x, y, z)));
    const double sx = s * sqrt(x), sy = s * sqrt(y), sz = s * sqrt(z);
    return s * rf_loop(duplicated(sx, sy, sz), duplicated(sy, sx, sz), duplicated(sz, sx, sy));
}

/* ---- second kind ------------------------------------------------------------------- */

/* DLMF 19.19.7 for RJ: E2 to E5 are the elementary symmetric functions of the relative
 * deviations from the mean A of x, y, z, p, p; their first, the sum, is zero. */
static double rj_series(double A, double E2, double E3, double E4, double E5)
{
    const double sum =
        1. + E2 * (-3. / 14 + E2 * (9. / 88 + E2 * (-1. / 16 + E2 * (105. / 2432)))) +
        E3 * (1. / 6 + E2 * (-9. / 52 + E2 * (45. / 272 - E2 * (5. / 32))) +
              E3 * (3. / 40 - E2 * (45. / 304) + E3 * (5. / 112))) +
        E4 * (-3. / 22 + E2 * (3. / 20 - E2 * (45. / 304)) + E3 * (-9. / 68 + E2 * (15. / 56)) +
              E4 * (9. / 152)) +
        E5 * (3. / 26 + E2 * (-9. / 68 + E2 * (15. / 112)) + E3 * (9. / 76) - E4 * (3. / 28));
    return sum / (A * sqrt(A));
}

static double rd_loop(double x, double y, double z)
{
    double A = 0.2 * (x + y + 3.0 * z), f = 1.0, sum = 0.0;
    const double dx = A - x, dy = A - y, dz = A - z;
    double far = max3(fabs(dx), fabs(dy), fabs(dz)) * (1.0 / NEAR_RJ);
    while (far > A) {
        const double sx = sqrt(x), sy = sqrt(y), sz = sqrt(z);
        const double lambda = sx * (sy + sz) + sy * sz;
        sum += f / (sz * (z + lambda));
        x = 0.25 * (x + lambda);
        y = 0.25 * (y + lambda);
        z = 0.25 * (z + lambda);
        A = 0.25 * (A + lambda);
        far *= 0.25;
        f *= 0.25;
    }
    const double g = f / A, X = dx * g, Y = dy * g, Z = -(X + Y) / 3.0;
    const double XY = X * Y, Z2 = Z * Z;
    const double E2 = XY - 6.0 * Z2, E3 = (3.0 * XY - 8.0 * Z2) * Z;
    const double E4 = 3.0 * (XY - Z2) * Z2, E5 = XY * Z2 * Z;
    return 3.0 * sum + f * rj_series(A, E2, E3, E4, E5);
}

double ph_rd(double x, double y, double z)
{
    if (in_range(x, y, z, z))
        return rd_loop(x, y, z);
    if (!(in_domain(x, y, z) && z > 0.0))
        return NAN;
    if (isinf(max3(x, y, z)))
        return 0.0;
    const double sx = sqrt(min2(x, y)), sy = sqrt(max2(x, y)), sz = sqrt(z);

    /* The largest and the smallest factor first: this overflows with the result only. */
    const double first = 3.0 / (sz * (sz + sy)) / (sz + sx);
    const double s = scale_for(max2(sy, sz)), tx = s * sx, ty = s * sy, tz = s * sz;
    const double rest =
        rd_loop(duplicated(tx, ty, tz), duplicated(ty, tx, tz), duplicated(tz, tx, ty));
    return first + 0.25 * rest * s * s * s;
}

/* DLMF 19.21.10, 2 RG = z RF - (x-z)(y-z) RD/3 + sqrt(x y/z): with z between x and y all
 * terms are positive. With z below 2^-70 y, RG is sqrt(y)/2 to the last digit. */
double ph_rg(double x, double y, double z)
{
    if (!(x >= 0.0 && y >= 0.0 && z >= 0.0))
        return NAN;
    sorted v = sort(x, y, z);
    if (v.mid <= 0x1p-70 * v.high)
        return 0.5 * sqrt(v.high);
    double s = 1.0;
    if (v.high > CARLSON_LARGE)
        s = 0x1p-300;
    else if (v.high < CARLSON_SMALL)
        s = 0x1p300;
    v.low *= s * s;
    v.mid *= s * s;
    v.high *= s * s;
    const double sum = v.mid * ph_rf(v.low, v.high, v.mid) +
                       (v.mid - v.low) * (v.high - v.mid) * ph_rd(v.low, v.high, v.mid) / 3.0 +
                       sqrt(v.low / v.mid) * sqrt(v.high);
    return 0.5 * sum / s;
}

/* ---- third kind -------------------------------------------------------------------- */

static double rj_loop(double x, double y, double z, double p)
{
    double A = 0.2 * (x + y + z + 2.0 * p), f = 1.0, sum = 0.0;
    const double dx = A - x, dy = A - y, dz = A - z, dp = A - p;
    double far = max2(max3(fabs(dx), fabs(dy), fabs(dz)), fabs(dp)) * (1.0 / NEAR_RJ);
    while (far > A) {
        const double sx = sqrt(x), sy = sqrt(y), sz = sqrt(z), sp = sqrt(p);
        const double lambda = sx * (sy + sz) + sy * sz;
        const double inverse = 1.0 / ((sp + sx) * (sp + sy) * (sp + sz));
        sum += f * inverse * rc_of_one(2.0 * sp * (p + lambda) * inverse);
        x = 0.25 * (x + lambda);
        y = 0.25 * (y + lambda);
        z = 0.25 * (z + lambda);
        p = 0.25 * (p + lambda);
        A = 0.25 * (A + lambda);
        far *= 0.25;
        f *= 0.25;
    }
    const double g = f / A, X = dx * g, Y = dy * g, Z = dz * g, P = -0.5 * (X + Y + Z);
    const double XYZ = X * Y * Z, P2 = P * P;
    const double E2 = X * (Y + Z) + Y * Z - 3.0 * P2, E3 = XYZ + 2.0 * P * (E2 + 2.0 * P2);
    const double E4 = P * (2.0 * XYZ + P * (E2 + 3.0 * P2)), E5 = XYZ * P2;
    return 6.0 * sum + f * rj_series(A, E2, E3, E4, E5);
}

double ph_rj(double x, double y, double z, double p)
{
    if (p > FAR_P * (x + y + z)) /* DLMF 19.27(v); the next term is below 2^-58 */
        return 3.0 * (ph_rf(x, y, z) - HALF_PI / sqrt(p)) / p;
    if (in_range(x, y, z, p))
        return rj_loop(x, y, z, p);
    if (!(in_domain(x, y, z) && p > 0.0))
        return NAN;
    if (isinf(max2(max3(x, y, z), p)))
        return 0.0;
    const sorted v = sort(sqrt(x), sqrt(y), sqrt(z));
    const double sp = sqrt(p), s = scale_for(max2(v.high, sp));
    const double tx = s * v.low, ty = s * v.mid, tz = s * v.high, tp = s * sp;
    const double p_lambda = tp * tp + tx * (ty + tz) + ty * tz;

    const double rc = ph_rc(1.0, 2.0 * tp / (tp + tx) * (p_lambda / ((tp + ty) * (tp + tz))));
    const double first = 6.0 * rc / ((sp + v.high) * (sp + v.low)) / (sp + v.mid);
    const double rest = rj_loop(duplicated(tx, ty, tz), duplicated(ty, tx, tz),
                                duplicated(tz, tx, ty), 0.25 * p_lambda);
    return first + 0.25 * rest * s * s * s;
}
