/* adaptive.h - what methods share that choose their steps: the equations of motion for the
 * unknowns y = (q, m), measures of an error, and the length of the next step.
 */
#pragma once

#include <stdint.h>
#include <string.h>

#include "integrators/field.h"
#include "polhode/adaptive.h"

/* The problem in principal axes. */
static inline const ph_problem *principal_problem(const ph_adaptive_run *r)
{
    return r->problem->body.principal ? r->problem : &r->principal;
}

/* y' at the time t; what a function of the attitude sees is of unit length, whatever q
 * is. Adds to the evaluations. */
void ph_motion_rate(ph_adaptive_run *r, double t, const double y[PH_UNKNOWNS],
                    double rate[PH_UNKNOWNS]);

/* Ends the last step at a time within it, in the state there, in principal axes. */
void ph_adaptive_cut(ph_adaptive_run *r, double t, const ph_state *s);

/* The parts of a step towards the time `end`, which ph_adaptive_step() and steps in lanes share:
 * once, the longest step; then for each attempt the time *then after it; whether it is accepted, by
 * what its method says of it; and the step itself. */
ph_status ph_step_begin(ph_adaptive_run *r, double end, double *longest);
ph_status ph_step_choose(const ph_adaptive_run *r, double end, double longest,
                         double *then);
bool ph_step_judge(ph_adaptive_run *r, double then, double error, double factor,
                   bool whole);
void ph_step_take(ph_adaptive_run *r, double then, const double change[PH_UNKNOWNS],
                  const double rest[PH_UNKNOWNS]);

/* The size of m before or after a change. */
static inline double momentum_size(const double y[PH_UNKNOWNS],
                                   const double change[PH_UNKNOWNS])
{
    double size = 0x1p-1000;
    for (int i = 4; i < PH_UNKNOWNS; i++)
        size = larger_or_nan(size, larger_or_nan(fabs(y[i]), fabs(y[i] + change[i])));
    return size;
}

/* |e|, of the attitude, and of m relative to its size before or after a change. */
static inline double error_size(const double e[PH_UNKNOWNS], const double y[PH_UNKNOWNS],
                                const double change[PH_UNKNOWNS])
{
    const double size = momentum_size(y, change);
    double q2 = 0.0, m2 = 0.0;
    for (int i = 0; i < 4; i++)
        q2 += e[i] * e[i];
    for (int i = 4; i < PH_UNKNOWNS; i++)
        m2 += (e[i] / size) * (e[i] / size);
    return sqrt(q2 + m2);
}

/* x^p to some per cent, for positive normal x and |p| <= 1: the bits of a double are nearly
 * its logarithm, in units of 2^-52. The same on every machine. */
static inline double rough_power(double x, double p)
{
    const int64_t one = 0x3ff0000000000000;
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = one + (int64_t)((double)(bits - one) * p);
    memcpy(&x, &bits, sizeof bits);
    return x;
}

/* How much longer than the last one a step may be, and how much shorter. */
static const double STEP_LONGER = 2.0, STEP_SHORTER = 0.2;

/* What an error in units of the tolerance says of the next step, for a method whose error
 * grows like the step to the power `order`; NaN: much shorter. */
static inline double step_factor(double error, int order)
{
    static const double SAFETY = 0.9, LEAST = 1e-300, MOST = 1e300;
    if (!(error < MOST))
        return STEP_SHORTER;
    const double factor =
        SAFETY * rough_power(larger_or_nan(error, LEAST), -1.0 / (double)order);
    return factor > STEP_LONGER ? STEP_LONGER : larger_or_nan(factor, STEP_SHORTER);
}
