/* lagrange.c - Lagrange's symmetric top in elliptic functions.
 *
 * Whittaker, Analytical Dynamics, sections 71 and 72. In Euler's angles, R = Rz(phi) Rx(theta)
 * Rz(psi), with u = cos(theta), the momenta p = m3 about the axis and L about the vertical,
 * and the energy E:
 *
 *   u'^2 = f(u) = (2/A) (E - p^2/(2C) - c u) (1 - u^2) - ((L - p u)/A)^2
 *        = (2c/A) (u - u1) (u - u2) (u - u3),     -1 <= u1 <= u2 <= 1 <= u3
 *   u = u1 + (u2 - u1) sn^2(k t + d),   k^2 = c (u3 - u1)/(2A),   m = (u2 - u1)/(u3 - u1)
 *   phi' = (L - p u)/(A (1 - u^2)),     psi' = p/C - u phi'
 *
 * In partial fractions phi and psi are integrals of 1/(1 - u) and 1/(1 + u), each of the
 * third kind, with the characteristics n = (u2 - u1)/(1 - u1) and -(u2 - u1)/(1 + u1).
 */
#include "motion/lagrange.h"

#include "base/elementary.h"
#include "base/extremes.h"
#include "motion/vec.h"
#include "polhode/elliptic.h"

static const double UPRIGHT = 1e-12; /* of 1 - |u| */

static double clamp(double x, double least, double most)
{
    return larger_or_nan(least, smaller_or_nan(most, x));
}

/* The largest root of u^3 + b u^2 + c u + d, whose roots are all real; improved by Newton. */
static double largest_root(double b, double c, double d)
{
    enum { NEWTON = 3 };
    const double p = c - b * b / 3, q = 2 * b * b * b / 27 - b * c / 3 + d,
                 r = 2 * sqrt(larger_or_nan(0.0, -p / 3)),
                 cosine = r > 0.0 ? clamp(3 * q / (p * r), -1.0, 1.0) : 1.0;
    double u = r * ph_cos(ph_acos(cosine) / 3) - b / 3;
    for (int n = 0; n < NEWTON; n++) {
        const double f = ((u + b) * u + c) * u + d, slope = (3 * u + 2 * b) * u + c;
        if (fabs(f) < fabs(slope)) /* not at a double root */
            u -= f / slope;
    }
    return u;
}

/* weight times the integral of the third kind, nothing where the weight is: there n may be
 * 1. */
static double third_kind(double weight, double n, double from, double to, double m)
{
    return weight == 0.0 ? 0.0
                         : weight * (ph_elliptic_pi_inc(n, to, m) - ph_elliptic_pi_inc(n, from, m));
}

ph_status ph_lagrange_top(double A, double C, double c, const ph_state *start, double t,
                          ph_state *out)
{
    const ph_quat q = start->q;
    const ph_vec3 m = start->m, g = rotate(inverse(q), vec3(0, 0, 1));
    const double u0 = g.z, p = m.z, L = dot(g, m);
    if (!(A > 0.0 && C > 0.0 && c > 0.0 && 1.0 - fabs(u0) > UPRIGHT))
        return PH_NOT_APPLICABLE;
    const double nutation = 0.5 * (m.x * m.x + m.y * m.y) / A + c * u0, /* E - p^2/2C */
        a3 = 2 * c / A;
    /* The two others lie about their mean; how far, the start tells without cancellation:
     * u'^2 = a3 (u0 - u1) (u2 - u0) (u3 - u0). */
    const double b = (-2 * nutation / A - p * p / (A * A)) / a3,
                 rising = (m.y * g.x - m.x * g.y) / A, /* u' */
        u3 = largest_root(b, -1 + 2 * L * p / (A * A) / a3,
                          (2 * nutation / A - L * L / (A * A)) / a3),
                 mean = -0.5 * (b + u3), away = u0 - mean,
                 half = sqrt(away * away + rising * rising / (a3 * (u3 - u0))), u1 = mean - half,
                 span = 2 * half, k = 0.5 * sqrt(a3 * (u3 - u1)),
                 modulus = clamp(span / (u3 - u1), 0.0, 1.0);
    const double share = span > 0.0 ? clamp((u0 - u1) / span, 0.0, 1.0) : 0.0;
    const double from = copysign(ph_asin(sqrt(share)), rising),
                 argument = k * t + ph_elliptic_f_inc(from, modulus);
    const ph_jacobi j = ph_jacobi_prepare(modulus);
    const double to = ph_jacobi_am(&j, argument);
    const ph_sncndn e = ph_jacobi_at(&j, argument);
    const double now = u1 + span * e.sn * e.sn, slope = 2 * span * k * e.sn * e.cn * e.dn;

    const double less = third_kind(0.5 * (L - p) / (A * k * (1 - u1)), span / (1 - u1), from, to,
                                   modulus),
                 more = third_kind(0.5 * (L + p) / (A * k * (1 + u1)), -span / (1 + u1), from, to,
                                   modulus);
    const double phi = less + more, psi = (p / C - p / A) * t - (less - more);
    const double sum = 2 * ph_atan2(q.z, q.w) + phi + psi,
                 difference = 2 * ph_atan2(q.y, q.x) + phi - psi;
    const double cosine = sqrt(0.5 * (1 + now)), sine = sqrt(0.5 * (1 - now)),
                 of_theta = 2 * sine * cosine, spin = 0.5 * (sum - difference),
                 turning = (L - p * now) / A / of_theta, /* phi' sin(theta) A/A */
        nodding = -slope / of_theta;
    out->q = (ph_quat){cosine * ph_cos(0.5 * sum), sine * ph_cos(0.5 * difference),
                       sine * ph_sin(0.5 * difference), cosine * ph_sin(0.5 * sum)};
    out->m = vec3(A * (turning * ph_sin(spin) + nodding * ph_cos(spin)),
                  A * (turning * ph_cos(spin) - nodding * ph_sin(spin)), p);
    return PH_OK;
}
