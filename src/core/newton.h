/* newton.h - the one Newton: three equations in three unknowns, solved to round-off.
 *
 * Inline, so that a step pays for no call through a pointer. Convergence is quadratic: an
 * update of relative size e leaves an error of the order e^2, so the update that falls
 * below CLOSE is the last one. No convergence is an error, never a wrong number.
 */
#ifndef POLHODE_CORE_NEWTON_H
#define POLHODE_CORE_NEWTON_H

#include "core/vec.h"
#include "polhode/polhode.h"

enum { NEWTON_ITERATIONS = 30 };
#define NEWTON_CLOSE 1e-9

/* The value of the equations at x and their derivative by rows. */
typedef void newton_system(const void *context, ph_vec3 x, ph_vec3 *F, ph_mat3 *dF);

/* x with A x = b, by cross products of the rows; not finite where A is singular. */
static inline ph_vec3 solve3(ph_mat3 A, ph_vec3 b)
{
    const ph_vec3 r0 = {A.a[0][0], A.a[0][1], A.a[0][2]},
                  r1 = {A.a[1][0], A.a[1][1], A.a[1][2]},
                  r2 = {A.a[2][0], A.a[2][1], A.a[2][2]};
    const ph_vec3 c0 = cross(r1, r2), c1 = cross(r2, r0), c2 = cross(r0, r1);
    const ph_vec3 sum = add(scale(b.x, c0), add(scale(b.y, c1), scale(b.z, c2)));
    return scale(1.0 / dot(r0, c0), sum);
}

/* Improves *x to a root, or leaves it and returns PH_NO_CONVERGENCE. */
static inline ph_status newton(newton_system *system, const void *context, ph_vec3 *x)
{
    ph_vec3 y = *x;
    for (int i = 0; i < NEWTON_ITERATIONS; i++) {
        ph_vec3 F;
        ph_mat3 dF;
        system(context, y, &F, &dF);
        const ph_vec3 update = solve3(dF, F);
        y = sub(y, update);
        if (!finite3(y))
            return PH_NO_CONVERGENCE;
        if (norm_max(update) <= NEWTON_CLOSE * norm_max(y)) {
            *x = y;
            return PH_OK;
        }
    }
    return PH_NO_CONVERGENCE;
}

#endif
