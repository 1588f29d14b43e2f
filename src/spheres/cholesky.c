/* cholesky.c - the factor of a positive definite matrix of any size, in the caller's
 * memory. */
#include "spheres/cholesky.h"

#include <math.h>
#include <stddef.h>

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
