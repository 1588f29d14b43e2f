/* dense.h - linear algebra of any size in the caller's memory, and Newton with it.
 *
 * Matrices are row-major, n x n. core/newton.h solves what has at most twelve unknowns;
 * here are the systems whose size the problem decides.
 */
#ifndef POLHODE_SPHERES_DENSE_H
#define POLHODE_SPHERES_DENSE_H

#include "polhode/polhode.h"

/* Overwrites the lower triangle of A with its Cholesky factor; false unless A is positive
 * definite to working precision. */
bool ph_cholesky(int n, double *A);

/* Overwrites b with the x that L L^T x = b. */
void ph_cholesky_solve(int n, const double *L, double *b);

/* The value of the equations at x and their derivative. */
typedef void dense_system(void *context, const double *x, double *F, double *dF);

/* How many doubles ph_dense_newton needs for n unknowns. */
#define DENSE_NEWTON(n) ((n) * (n) + 2 * (n))

/* Improves x to a root, or leaves it and returns PH_NO_CONVERGENCE or PH_NOT_FINITE. The
 * criteria are those of core/newton.h. */
ph_status ph_dense_newton(dense_system *system, void *context, int n, double *x,
                          double *memory);

#endif
