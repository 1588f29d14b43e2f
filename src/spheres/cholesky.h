/* cholesky.h - the factor of a positive definite matrix of any size, n x n and row-major,
 * in the caller's memory. */
#pragma once

#include <stdbool.h>

/* Overwrites the lower triangle of A with its Cholesky factor; false unless A is positive
 * definite to working precision. */
bool ph_cholesky(int n, double *A);

/* Overwrites b with the x that L L^T x = b. */
void ph_cholesky_solve(int n, const double *L, double *b);
