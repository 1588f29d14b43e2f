/* jacobi.c - Jacobi's elliptic functions sn, cn, dn and am by Gauss's transformation.
 *
 * DLMF 22.7.2-4, the transformation to a smaller modulus, and 19.8.5 for K, in terms of
 * the arithmetic-geometric mean of a_0 = 1 and b_0 = sqrt(m1): with a, b of level i-1,
 *
 *   a_i = (a + b)/2,   b_i = sqrt(a b),   c_i = (a - b)/2.
 *
 * Level i has the modulus k_i = c_i/a_i and the argument a_i u. From s = sn/a_i, c = cn,
 * d = dn of level i follow those of level i-1, with q = c_i a_i:
 *
 *   s' = s/(1 + q s^2),   c' = c d/(1 + q s^2),   d' = (1 - q s^2)/(1 + q s^2)
 *
 * At the bottom, where k_N^2/4 is below round-off, the functions are those of the circle
 * at the angle a_N u, and K = pi/(2 a_N). On the way up the common denominator w is
 * carried along, which leaves one division to the end (w stays below 2^270):
 *
 *   s' = s w,   c' = c d,   d' = w^2 - q s^2,   w' = w^2 + q s^2
 *
 * Where d' would cancel it is c^2 + r s^2 with r = b a_i, which is the same and a sum of
 * positive terms (DLMF 22.7.4 has the difference d^2 - (1 - k_i)). So cn and dn keep
 * their digits where they are small, next to m = 1 too, unlike cos(am).
 *
 * Round-off is kept from adding up from level to level in three ways. As long as sn^2 is
 * below 1/2, w = 1 + v is carried as v, and c is left out, being sqrt(w^2 - (q + r) s^2)
 * when it is needed. In the end only the smaller of sn and cn is taken from here; the
 * larger, and dn, are sqrt(1 - sn^2) and sqrt(1 - m sn^2), or sqrt(1 - cn^2) and
 * sqrt(m1 + m cn^2). And the mean carries the round-off of each sum to the next.
 */
#include <math.h>

#include "polhode/elliptic.h"

#define HALF_PI 1.57079632679489661923
#define TWO_PI  6.28318530717958647693

/* The circle is good for moduli below this: k^2/4 < 2^-55. */
#define CIRCULAR 1e-8

/* Below this sn u = am u = u and cn u = dn u = 1 to the last digit. */
#define TINY 0x1p-28

/* Squares above this have not lost digits. */
#define SQUARE_SMALL 0x1p-900

/* q and r beyond the last level are left as they are. */
static void prepare(ph_jacobi *j, double m, double m1)
{
    j->levels = 0;
    j->m = m;
    j->m1 = m1;
    j->mean = j->quarter = NAN;
    if (!(m >= 0.0 && m1 >= 0.0))
        return;
    if (m1 == 0.0) {
        j->mean = 0.0;
        j->quarter = INFINITY;
        return;
    }
    double a = 1.0, b = sqrt(m1), c, carry = 0.0;
    int i = 0;
    do {
        const double sum = a + (b + carry), mean = 0.5 * sum;
        carry = 0.5 * (b + carry - (sum - a));
        c = 0.5 * (a - b);
        j->q[i] = c * mean;
        j->r[i] = b * mean;
        i++;
        b = sqrt(a * b);
        a = mean;
    } while (c > CIRCULAR * a && i < PH_JACOBI_LEVELS);
    j->levels = i;
    j->mean = a;
    j->quarter = HALF_PI / a;
}

ph_jacobi ph_jacobi_of(double m)
{
    ph_jacobi j;
    prepare(&j, m, 1.0 - m);
    return j;
}

ph_jacobi ph_jacobi_of_c(double m1)
{
    ph_jacobi j;
    prepare(&j, 1.0 - m1, m1);
    return j;
}

/* m = 1: tanh and sech, where cosh would overflow before sech underflows. */
static ph_sncndn hyperbolic(double u)
{
    const double e = exp(-0.5 * fabs(u)), e2 = e * e;
    const double sech = 2.0 * e / (1.0 + e2 * e2) * e;
    return (ph_sncndn){tanh(u), sech, sech};
}

ph_sncndn ph_jacobi_at(const ph_jacobi *j, double u)
{
    if (!(j->mean > 0.0))
        return j->mean == 0.0 ? hyperbolic(u) : (ph_sncndn){NAN, NAN, NAN};
    if (fabs(u) < TINY)
        return (ph_sncndn){u, 1.0, 1.0};
    const double angle = j->mean * u;
    double s = sin(angle) / j->mean, c = cos(angle), d = 1.0, w = 1.0;

    /* As long as sn^2 <= 1/2, without c. */
    double v = 0.0, c2_below = 1.0, d_below = 1.0;
    int i = j->levels;
    for (; i > 0; i--) {
        const double s2 = s * s, w2 = w * w, q = j->q[i - 1] * s2;
        const double sn2 = q + j->r[i - 1] * s2;
        if (sn2 + sn2 > w2)
            break;
        c2_below = w2 - sn2;
        d_below = d;
        s += s * v;
        d = w2 - q;
        v = q + v * (2.0 + v);
        w = 1.0 + v;
    }
    if (i == 0 && 2.0 * s * s <= w * w) {
        const double sn = s / w, sn2 = sn * sn;
        return (ph_sncndn){sn, copysign(sqrt(1.0 - sn2), c), sqrt(1.0 - j->m * sn2)};
    }
    if (i < j->levels)
        c = copysign(sqrt(c2_below) * d_below, c);

    for (; i > 0; i--) {
        const double s2 = s * s, c2 = c * c, w2 = w * w, q = j->q[i - 1] * s2;
        s *= w;
        c *= d;
        d = q + q <= w2 ? w2 - q : c2 + j->r[i - 1] * s2;
        w = w2 + q;
    }
    const double cn = c / w, cn2 = cn * cn;
    const double dn = cn2 > SQUARE_SMALL ? sqrt(j->m1 + j->m * cn2) : d / w;
    return (ph_sncndn){copysign(sqrt(1.0 - cn2), s), cn, dn};
}

/* am and a_N u pass the multiples of pi/2 together, so their difference is below pi/2. */
double ph_jacobi_am(const ph_jacobi *j, double u)
{
    if (!(j->mean > 0.0))
        return j->mean == 0.0 ? atan(sinh(u)) : NAN;
    if (fabs(u) < TINY)
        return u;
    const ph_sncndn e = ph_jacobi_at(j, u);
    const double angle = atan2(e.sn, e.cn);
    return angle + TWO_PI * rint((j->mean * u - angle) / TWO_PI);
}

ph_sncndn ph_jacobi_sncndn(double u, double m)
{
    ph_jacobi j;
    prepare(&j, m, 1.0 - m);
    return ph_jacobi_at(&j, u);
}

ph_sncndn ph_jacobi_sncndn_c(double u, double m1)
{
    ph_jacobi j;
    prepare(&j, 1.0 - m1, m1);
    return ph_jacobi_at(&j, u);
}
