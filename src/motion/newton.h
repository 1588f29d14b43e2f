/* newton.h - the one Newton: three equations in three unknowns, or as many as a method
 * with stages or a problem with many parts has, solved to round-off.
 *
 * That of three is inline, so that a step pays for no call through a pointer. Convergence is quadratic: an
 * update of relative size e leaves an error of the order e^2, so the update that falls
 * below CLOSE is the last one. Sizes are relative to the root or, where that happens to
 * vanish, to the start. No convergence is an error, never a wrong number; equations that
 * are not finite where the unknowns are, as with a torque that is not, are PH_NOT_FINITE.
 */
#pragma once

#include "motion/vec.h"
#include "polhode/body.h"

enum { NEWTON_ITERATIONS = 30 };
#define NEWTON_CLOSE 1e-9

/* Done once an iteration; a build that counts them says how. */
#ifndef NEWTON_OBSERVE
#define NEWTON_OBSERVE ((void)0)
#endif

/* Done once the equations and their derivative are known; a build that compares the derivative with
 * differences of the equations says how. */
#ifndef NEWTON_SEE
#define NEWTON_SEE(system, context, x, F, dF)      ((void)0)
#define NEWTON_SEE_N(system, context, n, x, F, dF) ((void)0)
#endif

/* The value of the equations at x and their derivative by rows. */
typedef void newton_system(const void *context, ph_vec3 x, ph_vec3 *F, ph_mat3 *dF);

/* x with A x = b, by cross products of the rows; not finite where A is singular. */
static inline ph_vec3 solve3(ph_mat3 A, ph_vec3 b)
{
    const ph_vec3 r0 = {A.a[0][0], A.a[0][1], A.a[0][2]}, r1 = {A.a[1][0], A.a[1][1], A.a[1][2]},
                  r2 = {A.a[2][0], A.a[2][1], A.a[2][2]};
    const ph_vec3 c0 = cross(r1, r2), c1 = cross(r2, r0), c2 = cross(r0, r1);
    const ph_vec3 sum = add(scale(b.x, c0), add(scale(b.y, c1), scale(b.z, c2)));
    return scale(1.0 / dot(r0, c0), sum);
}

/* Whether an update was the last one; `root` and `start` are sizes of the unknowns. */
static inline bool newton_done(double update, double root, double start)
{
    return update <= NEWTON_CLOSE * larger_or_nan(root, start);
}

/* Improves *x to a root, or leaves it and returns PH_NO_CONVERGENCE or PH_NOT_FINITE. */
static inline ph_status newton(newton_system *system, const void *context, ph_vec3 *x)
{
    const double start = norm_max(*x);
    ph_vec3 y = *x;
    for (int i = 0; i < NEWTON_ITERATIONS; i++) {
        ph_vec3 F;
        ph_mat3 dF;
        NEWTON_OBSERVE;
        system(context, y, &F, &dF);
        if (!finite3(F))
            return PH_NOT_FINITE;
        NEWTON_SEE(system, context, y, F, dF);
        const ph_vec3 update = solve3(dF, F);
        y = sub(y, update);
        if (!finite3(y))
            return PH_NO_CONVERGENCE;
        if (newton_done(norm_max(update), norm_max(y), start)) {
            *x = y;
            return PH_OK;
        }
    }
    return PH_NO_CONVERGENCE;
}

/* ---- as many unknowns as there are, in the caller's memory ----------------------- */

/* The value of n equations at x and their derivative, row after row. */
typedef void newton_system_n(void *context, const double *x, double *F, double *dF);

/* How many doubles that takes. */
#define NEWTON_MEMORY(n) ((n) * (n) + 2 * (n))

ph_status ph_newton_n(newton_system_n *system, void *context, int n, double *x, double *memory);

/* ---- without derivatives, where the unknowns are too many for them ---------------------- */

/* When an iteration x -> f(x) has converged: at round-off, or where round-off keeps it from
 * getting nearer. */
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
    if (f->count > 0 && !(change < 0.5 * f->before))
        f->stalled = f->stalled + 1;
    else
        f->stalled = 0;
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
