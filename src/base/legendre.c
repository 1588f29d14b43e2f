/* legendre.c - Legendre's elliptic integrals, complete and incomplete, of three kinds.
 *
 * DLMF 19.2.4-8 with the parameter m = k^2 and the characteristic n = alpha^2,
 *
 *   F = int_0^phi dt/D,   E = int_0^phi D dt,   Pi = int_0^phi dt/(D (1 - n sin^2 t)),
 *   D = sqrt(1 - m sin^2 t),
 *
 * by Carlson's integrals of s = sin phi and c = cos phi. What is one minus something is
 * written as a sum of positive terms, m1 = 1 - m, D^2 = c^2 + m1 s^2, and so are they:
 *
 *   DLMF 19.25.5   F = s RF(c^2, D^2, 1)
 *   DLMF 19.25.10  E = s (m1 RF(c^2, D^2, 1) + m m1 s^2 RD(c^2, 1, D^2)/3 + m c/D)
 *   DLMF 19.25.14  Pi = s (RF(c^2, D^2, 1) + n s^2 RJ(c^2, D^2, 1, 1 - n s^2)/3)
 *
 * The last is a difference for n < 0. Where it would cancel, DLMF 19.21.12 with x = 1 (in
 * the order there) moves the fourth argument p = 1 - n s^2 to q = 1 - m s^2/n:
 *
 *   Pi = s (RC(c^2 D^2, p q) + (q - 1) RJ(c^2, D^2, 1, q)/3)
 *
 * Beyond pi/2 the integrals go on by DLMF 19.2.10: with phi = j pi + r and |r| <= pi/2,
 * each is 2 j times the complete one plus that of r.
 *
 *   DLMF 19.25.1   E = 2 RG(0, m1, 1); K as in jacobi.c; Pi as above with s = 1, c = 0
 */
#include <math.h>
#include <stdbool.h>

#include "base/elementary.h"
#include "polhode/elliptic.h"

#define PI 3.14159265358979323846

/* phi = turns pi + r with |r| <= pi/2; s = sin r, c = cos r. */
typedef struct angle {
    double turns, s, c;
} angle;

/* Where phi/pi is too coarse to tell, the sign of cos phi says whether turns is odd. */
static angle reduced(double phi)
{
    const double x = phi / PI;
    double s, c;
    ph_sincos(phi, &s, &c);
    double turns = rint(x);
    if ((turns != 0.0 && fmod(turns, 2.0) != 0.0) != (c < 0.0))
        turns += copysign(1.0, x - turns);
    if (c < 0.0)
        return (angle){turns, -s, -c};
    return (angle){turns, s, c};
}

static bool in_domain(double m)
{
    return m >= 0.0 && m <= 1.0;
}

/* ---- first kind -------------------------------------------------------------------- */

double ph_elliptic_k(double m)
{
    return ph_jacobi_prepare(m).quarter;
}

double ph_elliptic_k_c(double m1)
{
    return ph_jacobi_prepare_c(m1).quarter;
}

double ph_elliptic_f_inc(double phi, double m)
{
    if (!(in_domain(m) && isfinite(phi)))
        return NAN;
    const angle a = reduced(phi);
    const double s2 = a.s * a.s, c2 = a.c * a.c, d2 = c2 + (1.0 - m) * s2;
    const double part = a.s * ph_rf(c2, d2, 1.0);
    if (a.turns == 0.0)
        return part;
    return 2.0 * a.turns * ph_elliptic_k(m) + part;
}

/* ---- second kind ------------------------------------------------------------------- */

double ph_elliptic_e(double m)
{
    if (in_domain(m))
        return 2.0 * ph_rg(0.0, 1.0 - m, 1.0);
    return NAN;
}

double ph_elliptic_e_inc(double phi, double m)
{
    if (!(in_domain(m) && isfinite(phi)))
        return NAN;
    const angle a = reduced(phi);
    const double m1 = 1.0 - m, s2 = a.s * a.s, c2 = a.c * a.c, d2 = c2 + m1 * s2;
    const double rf = ph_rf(c2, d2, 1.0), rd = ph_rd(c2, 1.0, d2);
    const double part = a.s * (m1 * (rf + m * s2 * rd / 3.0) + m * a.c / sqrt(d2));
    if (a.turns == 0.0)
        return part;
    return 2.0 * a.turns * ph_elliptic_e(m) + part;
}

/* ---- third kind -------------------------------------------------------------------- */

/* From sine and cosine. NaN at and beyond the singularity, where p is not positive. */
static double third_kind(double n, double m, double s, double c)
{
    const double s2 = s * s, c2 = c * c, d2 = c2 + (1.0 - m) * s2, ns2 = n * s * s;
    if (ns2 < -0.1) {
        const double p = 1.0 - ns2, q1 = m * s2 / -n;
        return s * (ph_rc(c2 * d2, p * (1.0 + q1)) + q1 * ph_rj(c2, d2, 1.0, 1.0 + q1) / 3.0);
    }
    const double p = n > 0.0 && n < 2.0 ? c2 + (1.0 - n) * s2 : 1.0 - ns2;
    return s * (ph_rf(c2, d2, 1.0) + ns2 * ph_rj(c2, d2, 1.0, p) / 3.0);
}

double ph_elliptic_pi(double n, double m)
{
    if (!(in_domain(m) && isfinite(n) && n < 1.0))
        return NAN;
    if (m == 1.0)
        return INFINITY;
    return third_kind(n, m, 1.0, 0.0);
}

double ph_elliptic_pi_inc(double n, double phi, double m)
{
    if (!(in_domain(m) && isfinite(phi) && isfinite(n)))
        return NAN;
    const angle a = reduced(phi);
    const double part = third_kind(n, m, a.s, a.c);
    if (a.turns == 0.0)
        return part;
    return 2.0 * a.turns * ph_elliptic_pi(n, m) + part;
}
