/* adaptive.h - what methods share that choose their steps: the equations of motion for the
 * unknowns y = (q, m), measures of an error, and the length of the next step.
 */
#pragma once

#include "base/portable.h"
#include "integrators/adaptive_run.h"
#include "motion/vec.h"
#ifndef __OPENCL_VERSION__
#include "integrators/field.h"

/* The problem in principal axes. */
static inline const ph_problem *principal_problem(const ph_adaptive_run *r)
{
    return r->problem->body.principal ? r->problem : &r->principal;
}

/* Ends the last step at a time within it, in the state there, in principal axes. */
void ph_adaptive_cut(ph_adaptive_run *r, double t, const ph_state *s);

/* Sets the longest step towards the time *end, and before the first step looks ahead. If the torque
 * or the wheels change before the next step can end, *end becomes the time of this change. */
ph_status ph_step_begin(ph_adaptive_run *r, double *end, double *longest);
#endif

/* y' at the time t; what a function of the attitude sees is of unit length, whatever q
 * is. Adds to the evaluations. */
void ph_motion_rate(ph_adaptive_run *r, double t, const double y[PH_UNKNOWNS],
                    double rate[PH_UNKNOWNS]);

/* The size of m before or after a change. */
static inline double momentum_size(const double y[PH_UNKNOWNS], const double change[PH_UNKNOWNS])
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
FILE_CONSTANT double STEP_LONGER = 2.0, STEP_SHORTER = 0.2;

/* What an error in units of the tolerance says of the next step, for a method whose error
 * grows like the step to the power `order`; NaN: much shorter. */
static inline double step_factor(double error, int order)
{
    const double SAFETY = 0.9, LEAST = 1e-300, MOST = 1e300;
    if (!(error < MOST))
        return STEP_SHORTER;
    const double factor = SAFETY * rough_power(larger_or_nan(error, LEAST), -1.0 / (double)order);
    if (factor > STEP_LONGER)
        return STEP_LONGER;
    return larger_or_nan(factor, STEP_SHORTER);
}

/* ---- the parts of a step towards a time, which steps of one, in lanes and on devices share ---- */

/* The shortest step, relative to the time and to how long the body takes at the start to
 * turn by a radian. */
FILE_CONSTANT double SHORTEST_STEP = 1e-14;

/* How far a step goes, of what is left. */
static inline double step_length(double natural, double left)
{
    if (natural >= fabs(left))
        return left;
    if (2.0 * natural > fabs(left))
        return 0.5 * left;
    return copysign(natural, left);
}

/* The time *then after the next attempt. */
static inline ph_status ph_step_choose(const ph_adaptive_run *r, double end, double longest,
                                       double *then)
{
    const ph_adaptive_numbers *n = &r->now;
    const double scale = smaller_or_nan(n->scale, longest),
                 shortest = SHORTEST_STEP * larger_or_nan(fabs(n->t), scale);
    if (!(n->next > shortest))
        return PH_NO_CONVERGENCE;
    const double left = end - n->t, length = step_length(smaller_or_nan(n->next, longest), left);
    if (length == left)
        *then = end;
    else
        *then = n->t + length;
    const double h = *then - n->t;
    if (!isfinite(*then) || !isfinite(h))
        return PH_BAD_TIME;
    return h == 0.0 ? PH_STEP_TOO_SHORT : PH_OK;
}

/* Returns true if the error is at most 1, in units of the allowed error. Updates the length of the
 * next step, and counts a rejection. A step that is shorter than any that can be chosen, as that
 * across a jump of the torque, is accepted, and says nothing of the next. */
static inline bool ph_step_judge(ph_adaptive_run *r, double then, double error, double factor,
                                 bool whole)
{
    ph_adaptive_numbers *n = &r->now;
    if (fabs(then - n->t) <= SHORTEST_STEP * fabs(n->t) && !isnan(error))
        return true;
    const bool accepted = error <= 1.0;
    const double length = fabs(then - n->t) * factor;
    if (!accepted || (whole && factor < STEP_LONGER) || (whole && length > n->next))
        n->next = length;
    n->rejected += !accepted;
    return accepted;
}

/* y + change, the quaternion of unit length. */
static inline void add_change(ph_adaptive_numbers *n, const double change[PH_UNKNOWNS],
                              const double rest[PH_UNKNOWNS])
{
    double q[4];
    for (int i = 0; i < 4; i++)
        q[i] = n->y[i] + change[i];
    const double defect = unit_defect((ph_quat){q[0], q[1], q[2], q[3]}),
                 length = sqrt(1.0 - defect), longer = defect / (length * (1.0 + length));
    for (int i = 0; i < PH_UNKNOWNS; i++) {
        const double small = n->lost[i] + rest[i] + (i < 4 ? longer * q[i] : 0.0),
                     large = change[i] + small, sum = n->y[i] + large;
        const double left = small - (large - change[i]); /* |change| > |small|, or little */
        n->lost[i] = left + (large - (sum - n->y[i]));
        n->y[i] = sum;
    }
}

/* Commits an accepted step: saves its start, adds `change` with compensation, and sets the time to
 * `then`. */
static inline void ph_step_commit(ph_adaptive_run *r, double then, const double change[PH_UNKNOWNS],
                                  const double rest[PH_UNKNOWNS])
{
    ph_adaptive_numbers *n = &r->now;
    n->from = n->t;
    for (int i = 0; i < PH_UNKNOWNS; i++)
        n->start[i] = n->y[i];
    add_change(n, change, rest);
    n->t = then;
    n->steps++;
}
