/* jacobi.c - Jacobi's elliptic functions sn, cn, dn and am, by the transformations of
 * Gauss and Landen.
 *
 * Both run on an arithmetic-geometric mean: with a, b, c of level i-1, level i has
 *
 *   a_i = (a + b)/2,   b_i = sqrt(a b),   c_i = (a - b)/2 = c^2/(4 a_i).
 *
 * Away from m = 1, to smaller moduli (DLMF 22.7.2-4): a_0 = 1, b_0 = sqrt(m1), c_0 =
 * sqrt(m), and level i has the modulus c_i/a_i and the argument a_i u. From s = sn/a_i,
 * c = cn and d = dn of level i follow those of level i-1, with q = c_i a_i:
 *
 *   s' = s/(1 + q s^2),   c' = c d/(1 + q s^2),   d' = (1 - q s^2)/(1 + q s^2)
 *
 * At the bottom are the functions of the circle, and K = pi/(2 a_N) (DLMF 19.8.5). The
 * common denominator w is carried along, which leaves one division to the end; as w = 1 +
 * v, which keeps round-off from adding up:
 *
 *   s' = s w,   c' = c d,   d' = w^2 - q s^2,   w' = w^2 + q s^2
 *
 * Next to m = 1, to larger moduli (DLMF 22.7.6-8): a_0 = 1, b_0 = sqrt(m), c_0 =
 * sqrt(m1), and level i has the complementary modulus c_i/a_i and the argument a_i u.
 * From D = a_i dn of level i follow, with h = c_{i-1}/2, those of level i-1:
 *
 *   D' = D + h^2/D,   cn' = (D - h^2/D)/b_{i-1},   sn' = (a_{i-1}/a_i) sn cn/dn
 *
 * At the top, for |u| <= K, are tanh and sech, and K = log(2 a_N/h_N)/(2^(N-1) a_N) (DLMF
 * 19.8.12, 19.12.1). Nothing cancels but cn, at its zero; cn and dn keep their digits
 * down to the smallest m1, where cos(am) would have none.
 *
 * In the end the smaller of sn and cn is taken from here, and the larger from sn^2 + cn^2
 * = 1: the least round-off, and the identities hold.
 */
#include <math.h>

#include "base/elementary.h"
#include "base/jacobi.h"

#define HALF_PI 1.57079632679489661923
#define TWO_PI  6.28318530717958647693

/* Below this m1, to larger moduli. */
#define NEXT_TO_ONE 0.125

/* The circle is good for moduli below this (k^2/4 < 2^-55), the hyperbola for
 * complementary moduli below that. */
#define CIRCULAR   1e-8
#define HYPERBOLIC 0x1p-53

/* Below this sn u = am u = u and cn u = dn u = 1 to the last digit. */
#define JACOBI_TINY 0x1p-28

/* ---- the levels -------------------------------------------------------------------- */

static void prepare_circular(ph_jacobi *j)
{
    double a = 1.0, b = sqrt(j->m1), c, q = 0.25 * j->m;
    int i = 0;
    do {
        const double mean = 0.5 * (a + b);
        j->q[i++] = q;
        b = sqrt(a * b);
        a = mean;
        c = q / a;
        q = 0.25 * c * c;
    } while (c > CIRCULAR * a && i < PH_JACOBI_LEVELS);
    j->levels = i;
    j->mean = a;
    j->quarter = HALF_PI / a;
}

/* kc = sqrt(m1) */
static void prepare_hyperbolic(ph_jacobi *j, double kc)
{
    double a = 1.0, b = sqrt(j->m), c = kc, h, power = 2.0;
    int i = 0;
    do {
        const double mean = 0.5 * (a + b);
        h = 0.5 * c;
        j->q[i] = h;
        j->r[i] = a / b;
        i++;
        b = sqrt(a * b);
        a = mean;
        c = h * h / a;
        power *= 0.5;
    } while (c > HYPERBOLIC * a && i < PH_JACOBI_LEVELS);
    j->levels = i;
    j->mean = a;
    if (h > 0.0)
        j->quarter = power * (ph_real_log(2.0 * a) - ph_real_log(h)) / a;
    else
        j->quarter = INFINITY;
}

/* q and r beyond the last level are left as they are. */
static void prepare_jacobi(ph_jacobi *j, double m, double m1)
{
    if (!(m >= 0.0 && m1 >= 0.0)) {
        *j = (ph_jacobi){.m = m, .m1 = m1, .mean = NAN, .quarter = NAN};
        return;
    }
    j->m = m;
    j->m1 = m1;
    if (m1 < NEXT_TO_ONE)
        prepare_hyperbolic(j, sqrt(m1));
    else
        prepare_circular(j);
}

ph_jacobi ph_jacobi_prepare(double m)
{
    ph_jacobi j;
    prepare_jacobi(&j, m, 1.0 - m);
    return j;
}

ph_jacobi ph_jacobi_prepare_c(double m1)
{
    ph_jacobi j;
    prepare_jacobi(&j, 1.0 - m1, m1);
    return j;
}

ph_jacobi ph_jacobi_of_kc(double kc)
{
    ph_jacobi j = {.m = 1.0 - kc * kc, .m1 = kc * kc};
    prepare_hyperbolic(&j, kc);
    return j;
}

/* ---- the functions ----------------------------------------------------------------- */

/* All three, from sn^2 <= 1/2 and the sign of cn. */
static ph_sncndn from_sn(const ph_jacobi *j, double sn, double sign)
{
    const double sn2 = sn * sn;
    return (ph_sncndn){sn, copysign(sqrt(1.0 - sn2), sign), sqrt(1.0 - j->m * sn2)};
}

static ph_sncndn circular(const ph_jacobi *j, double u)
{
    const double angle = j->mean * u;
    double s, c, d = 1.0, v = 0.0, w = 1.0;
    ph_sincos(angle, &s, &c);
    s /= j->mean;
    for (int i = j->levels; i-- > 0;) {
        const double w2 = w * w, q = j->q[i] * (s * s);
        s += s * v;
        c *= d;
        d = w2 - q;
        v = q + v * (2.0 + v);
        w = 1.0 + v;
    }
    if (2.0 * s * s <= w * w)
        return from_sn(j, s / w, c);
    const double cn = c / w, cn2 = cn * cn;
    return (ph_sncndn){copysign(sqrt(1.0 - cn2), s), cn, sqrt(j->m1 + j->m * cn2)};
}

static ph_sncndn hyperbolic(const ph_jacobi *j, double u)
{
    int turns = 0;
    const double x = fabs(u) <= j->quarter ? u : remquo(u, 2.0 * j->quarter, &turns);
    const double sign = turns % 2 ? -1.0 : 1.0;
    const double v = j->mean * fabs(x), e = ph_real_exp(-v);
    double d = j->mean * (2.0 * e / (1.0 + e * e)), ratio = 1.0; /* cn/dn of all levels */
    for (int i = j->levels - 1; i > 0; i--) {
        const double part = j->q[i] / d * j->q[i], below = d - part;
        d += part;
        ratio *= j->r[i] * below / d;
    }
    const double part = d > 0.0 ? j->q[0] / d * j->q[0] : 0.0;
    const double cn = (d - part) * j->r[0], cn2 = cn * cn;
    if (cn2 > 0.5)
        return from_sn(j, copysign(ph_tanh(v) / j->mean * ratio, sign * x), sign);
    return (ph_sncndn){copysign(sqrt(1.0 - cn2), sign * x), sign * cn, d + part};
}

ph_sncndn ph_jacobi_at(const ph_jacobi *j, double u)
{
    if (!(j->mean > 0.0))
        return (ph_sncndn){NAN, NAN, NAN};
    if (fabs(u) < JACOBI_TINY)
        return (ph_sncndn){u, 1.0, 1.0};
    if (j->m1 < NEXT_TO_ONE)
        return hyperbolic(j, u);
    return circular(j, u);
}

/* am u and pi u/(2K) pass the multiples of pi/2 together: they are never pi/2 apart. */
double ph_jacobi_am(const ph_jacobi *j, double u)
{
    if (fabs(u) < JACOBI_TINY && j->mean > 0.0)
        return u;
    const ph_sncndn e = ph_jacobi_at(j, u);
    const double angle = ph_atan2(e.sn, e.cn);
    return angle + TWO_PI * rint((HALF_PI * (u / j->quarter) - angle) / TWO_PI);
}

ph_sncndn ph_jacobi_sncndn(double u, double m)
{
    ph_jacobi j;
    prepare_jacobi(&j, m, 1.0 - m);
    return ph_jacobi_at(&j, u);
}

ph_sncndn ph_jacobi_sncndn_c(double u, double m1)
{
    ph_jacobi j;
    prepare_jacobi(&j, 1.0 - m1, m1);
    return ph_jacobi_at(&j, u);
}
