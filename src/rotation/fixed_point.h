/* fixed_point.h - when an iteration x -> f(x) has converged: at round-off, or where round-off
 * keeps it from getting nearer. Used where the unknowns are too many for Newton.
 */
#pragma once

#include <math.h>

#include "polhode/polhode.h"

typedef struct fixed_point {
    int count;   /* of iterations */
    int stalled; /* of them, one after the other, that did not halve the change */
    double before;
} fixed_point;

/* Whether to go on after an iteration that changed the unknowns by so much, relative to
 * their size. If not, *status says how it ended. */
static inline bool fixed_point_goes_on(fixed_point *f, double change, ph_status *status)
{
    enum { ITERATIONS = 200, PATIENCE = 3 };
    const double ulp = 0x1p-53, noise = 256 * ulp;
    f->stalled = f->count > 0 && !(change < 0.5 * f->before) ? f->stalled + 1 : 0;
    f->before = change;
    f->count++;
    const bool converged = change <= ulp || (change <= noise && f->stalled >= PATIENCE);
    if (converged)
        *status = PH_OK;
    else if (!isfinite(change))
        *status = PH_NOT_FINITE;
    else if (f->count >= ITERATIONS)
        *status = PH_NO_CONVERGENCE;
    else
        return true;
    return false;
}
