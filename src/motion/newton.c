/* newton.c - Newton for any number of unknowns, by elimination with row pivots. */
#include "motion/newton.h"
#include "base/extremes.h"

#include <math.h>
#include <string.h>

static double *row(double *A, int n, int i)
{
    return A + (size_t)i * (size_t)n;
}

/* Overwrites b with the x that A x = b, and A. Not finite where A is singular. */
static void eliminate(int n, double *A, double *b)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
            if (fabs(row(A, n, i)[k]) > fabs(row(A, n, pivot)[k]))
                pivot = i;
        }
        double *top = row(A, n, k), *from = row(A, n, pivot);
        for (int j = k; j < n; j++) {
            const double swap = top[j];
            top[j] = from[j];
            from[j] = swap;
        }
        const double swap = b[k];
        b[k] = b[pivot];
        b[pivot] = swap;
        for (int i = k + 1; i < n; i++) {
            double *Ai = row(A, n, i);
            const double c = Ai[k] / top[k];
            for (int j = k + 1; j < n; j++)
                Ai[j] -= c * top[j];
            b[i] -= c * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *Ak = row(A, n, k);
        for (int j = k + 1; j < n; j++)
            b[k] -= Ak[j] * b[j];
        b[k] /= Ak[k];
    }
}

/* The largest modulus; NaN if one is. */
static double norm_max_n(int n, const double *x)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++)
        largest = larger_or_nan(largest, fabs(x[i]));
    return largest;
}

ph_status ph_newton_n(newton_system_n *system, void *context, int n, double *x, double *memory)
{
    double *dF = memory, *F = dF + (size_t)n * (size_t)n, *y = F + n;
    const double start = norm_max_n(n, x);
    memcpy(y, x, (size_t)n * sizeof *y);
    for (int i = 0; i < NEWTON_ITERATIONS; i++) {
        NEWTON_OBSERVE;
        system(context, y, F, dF);
        if (!isfinite(norm_max_n(n, F)))
            return PH_NOT_FINITE;
        NEWTON_SEE_N(system, context, n, y, F, dF);
        eliminate(n, dF, F);
        for (int k = 0; k < n; k++)
            y[k] -= F[k];
        const double size = norm_max_n(n, y);
        if (!isfinite(size))
            return PH_NO_CONVERGENCE;
        if (newton_done(norm_max_n(n, F), size, start)) {
            memcpy(x, y, (size_t)n * sizeof *x);
            return PH_OK;
        }
    }
    return PH_NO_CONVERGENCE;
}
