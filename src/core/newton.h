/* newton.h - the one Newton: three equations in three unknowns, or as many as a method
 * with stages has, solved to round-off.
 *
 * Inline, so that a step pays for no call through a pointer. Convergence is quadratic: an
 * update of relative size e leaves an error of the order e^2, so the update that falls
 * below CLOSE is the last one. Sizes are relative to the root or, where that happens to
 * vanish, to the start. No convergence is an error, never a wrong number; equations that
 * are not finite where the unknowns are, as with a torque that is not, are PH_NOT_FINITE.
 */
#ifndef POLHODE_CORE_NEWTON_H
#define POLHODE_CORE_NEWTON_H

#include "core/vec.h"
#include "polhode/polhode.h"

enum { NEWTON_ITERATIONS = 30, NEWTON_UNKNOWNS = 12 };
#define NEWTON_CLOSE 1e-9

/* Done once an iteration; a build that counts them says how. */
#ifndef NEWTON_OBSERVE
#define NEWTON_OBSERVE ((void)0)
#endif

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

/* Whether an update was the last one; `root` and `start` are sizes of the unknowns. */
static inline bool newton_done(double update, double root, double start)
{
    return update <= NEWTON_CLOSE * fmax(root, start);
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

/* The same for n unknowns, n <= NEWTON_UNKNOWNS; row i of the derivative is dF[i]. */
typedef double newton_matrix[NEWTON_UNKNOWNS][NEWTON_UNKNOWNS];
typedef void newton_system_n(const void *context, const double *x, double *F,
                             newton_matrix dF);

/* Overwrites b with the x that A x = b, and A, by elimination with row pivots. */
static inline void solve_n(int n, newton_matrix A, double *b)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
            if (fabs(A[i][k]) > fabs(A[pivot][k]))
                pivot = i;
        }
        for (int j = k; j < n; j++) {
            const double swap = A[k][j];
            A[k][j] = A[pivot][j];
            A[pivot][j] = swap;
        }
        const double swap = b[k];
        b[k] = b[pivot];
        b[pivot] = swap;
        for (int i = k + 1; i < n; i++) {
            const double c = A[i][k] / A[k][k];
            for (int j = k + 1; j < n; j++)
                A[i][j] -= c * A[k][j];
            b[i] -= c * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            b[k] -= A[k][j] * b[j];
        b[k] /= A[k][k];
    }
}

/* The largest modulus, NaN or infinity if one is not finite. */
static inline double norm_max_n(int n, const double *x)
{
    double largest = 0.0, nothing = 0.0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(x[i]));
        nothing += 0.0 * x[i]; /* NaN from what is not finite */
    }
    return largest + nothing;
}

static inline ph_status newton_n(newton_system_n *system, const void *context, int n,
                                 double *x)
{
    const double start = norm_max_n(n, x);
    double y[NEWTON_UNKNOWNS];
    for (int k = 0; k < n; k++)
        y[k] = x[k];
    for (int i = 0; i < NEWTON_ITERATIONS; i++) {
        double F[NEWTON_UNKNOWNS];
        newton_matrix dF;
        system(context, y, F, dF);
        if (!isfinite(norm_max_n(n, F)))
            return PH_NOT_FINITE;
        solve_n(n, dF, F);
        for (int k = 0; k < n; k++)
            y[k] -= F[k];
        const double size = norm_max_n(n, y);
        if (!isfinite(size))
            return PH_NO_CONVERGENCE;
        if (newton_done(norm_max_n(n, F), size, start)) {
            for (int k = 0; k < n; k++)
                x[k] = y[k];
            return PH_OK;
        }
    }
    return PH_NO_CONVERGENCE;
}

#endif
