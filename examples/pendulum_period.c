/* pendulum_period.c - the elliptic functions alone: the pendulum of one metre, exactly.
 *
 * Released at rest at the angle a, with w = sqrt(g/l), k = sin(a/2) and k' = cos(a/2):
 *
 *     period = 4 K / w,     angle(t) = 2 atan( k cn(w t) / k' )
 *
 * Near the top k is next to 1; the functions that take k'^2 instead, suffix _c, then lose
 * nothing. */
#include <math.h>
#include <stdio.h>

#include <polhode/polhode.h>

static const double RATE = 3.1320919526731651; /* w = sqrt(g/l): 9.81 m/s^2, 1 m */
static const double DEGREE = 3.14159265358979324 / 180.0;

static double angle_at(double amplitude, double t)
{
    const double k = sin(0.5 * amplitude), kc = cos(0.5 * amplitude);
    return 2.0 * atan2(k * ph_jacobi_sncndn_c(RATE * t, kc * kc).cn, kc);
}

/* By how much angle'' = -w^2 sin(angle) is missed, by differences, in units of w^2. */
static double residual(double amplitude, double t)
{
    const double h = 1e-3;
    const double before = angle_at(amplitude, t - h), now = angle_at(amplitude, t),
                 after = angle_at(amplitude, t + h);
    return (before - 2.0 * now + after) / (h * h * RATE * RATE) + sin(now);
}

int main(void)
{
    static const double amplitudes[] = {1, 10, 45, 90, 135, 170, 179, 179.9, 179.999};
    printf("amplitude    period, and in units of that of small swings    after an eighth\n");
    for (size_t i = 0; i < sizeof amplitudes / sizeof amplitudes[0]; i++) {
        const double a = amplitudes[i] * DEGREE, kc = cos(0.5 * a);
        const double period = 4.0 * ph_elliptic_k_c(kc * kc) / RATE;
        const double eighth = angle_at(a, period / 8.0);
        printf("%8.3f deg %14.10f s %20.10f %20.6f deg\n", amplitudes[i], period,
               period * RATE / (360.0 * DEGREE), eighth / DEGREE);

        const double lowest = angle_at(a, period / 4.0), other_side = angle_at(a, period / 2.0);
        if (fabs(lowest) > 1e-9 || fabs(other_side + a) > 1e-9 ||
            fabs(residual(a, period / 8.0)) > 1e-5)
            return 1;
    }
    return 0;
}
