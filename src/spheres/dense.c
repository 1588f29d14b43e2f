/* dense.c - Cholesky, elimination with row pivots, Newton. */
#include "spheres/dense.h"

#include <math.h>
#include <string.h>

#include "core/newton.h"

static double *row(double *A, int n, int i)
{
    return A + (size_t)i * (size_t)n;
}

bool ph_cholesky(int n, double *A)
{
    for (int i = 0; i < n; i++) {
        double *Li = row(A, n, i);
        const double before = Li[i];
        for (int j = 0; j <= i; j++) {
            const double *Lj = row(A, n, j);
            double sum = Li[j];
            for (int k = 0; k < j; k++)
                sum -= Li[k] * Lj[k];
            if (j < i)
                Li[j] = sum / Lj[j];
            else if (sum > 1e-14 * before) /* what is less is round-off */
                Li[i] = sqrt(sum);
            else
                return false;
        }
    }
    return true;
}

void ph_cholesky_solve(int n, const double *L, double *b)
{
    for (int i = 0; i < n; i++) {
        const double *Li = L + (size_t)i * (size_t)n;
        for (int k = 0; k < i; k++)
            b[i] -= Li[k] * b[k];
        b[i] /= Li[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *Li = L + (size_t)i * (size_t)n;
        b[i] /= Li[i];
        for (int k = 0; k < i; k++)
            b[k] -= Li[k] * b[i];
    }
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

ph_status ph_dense_newton(dense_system *system, void *context, int n, double *x,
                          double *memory)
{
    double *dF = memory, *F = dF + (size_t)n * (size_t)n, *y = F + n;
    const double start = norm_max_n(n, x);
    memcpy(y, x, (size_t)n * sizeof *y);
    for (int i = 0; i < NEWTON_ITERATIONS; i++) {
        NEWTON_OBSERVE;
        system(context, y, F, dF);
        if (!isfinite(norm_max_n(n, F)))
            return PH_NOT_FINITE;
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
