/* period.c - how long m takes to go round in the body, and how fast that carries the body
 * about m in space.
 *
 * After a period, w = 4K, m is in its place again, and the turn of docs/exact.md is one about
 * m alone. The axis 3 that m encircles has then gone about m in space by
 *
 *   A <= C   j3 tau + sign (integral) + one turn,   A > C   j1 tau - sign (integral)
 *
 * with the integral of the third kind over two half periods: in the first form the frame of
 * m, which is single valued, lags behind the axis by a turn.
 */
#include <math.h>
#include <string.h>

#include "motion/motion.h"

/* The period in units of 1/rate; infinite where m stays or goes along the separatrix. */
static double scaled_period(const free_motion *f)
{
    return f->kind == TURNING && f->kc > 0.0 ? 4.0 * f->jacobi.quarter / fabs(f->lambda)
                                             : INFINITY;
}

double ph_motion_period(const ph_motion *motion)
{
    free_motion f;
    memcpy(&f, motion, sizeof f);
    const double tau = scaled_period(&f);
    return tau < INFINITY ? ldexp(tau / f.rate, -f.time_unit) : tau;
}

double ph_motion_precession(const ph_motion *motion)
{
    free_motion f;
    memcpy(&f, motion, sizeof f);
    if (f.kind == AT_REST)
        return 0.0;
    const double tau = scaled_period(&f), turns = copysign(1.0, f.lambda),
                 integral = f.sign * turns * 2.0 * f.half_period_angle;
    const double in_rate = !(tau < INFINITY) ? 1.0
                           : f.A2 <= f.C2
                               ? f.j3 + (integral + f.sign * turns * 2.0 * PH_PI) / tau
                               : f.j1 - integral / tau;
    return ldexp(in_rate * f.rate, f.time_unit);
}
