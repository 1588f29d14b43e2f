/* collocation.h - the nodes of a Gauss method in lanes: what gauss16.c and its kernels
 * share. Arrays have a row for each unknown and a column for each node. */
#pragma once

#include "base/isa.h"
#include "polhode/adaptive.h"

/* sum[i][l] = sum over j of matrix[j][l] x[i][j] */
typedef void collocation_sums(const double (*matrix)[PH_LANES],
                              const double (*x)[PH_LANES], double (*sum)[PH_LANES]);

/* product = h (matrix + rest), rounded once: the error of a step is then one of round-off,
 * another one in every step, not that of rounded coefficients, always the same. */
typedef void collocation_products(double h, const double (*matrix)[PH_LANES],
                                  const double (*rest)[PH_LANES],
                                  double (*product)[PH_LANES]);

typedef struct free_body {
    double half[3],
        euler[3]; /* 1/(2 J1) ..., and 1/J3 - 1/J2, 1/J1 - 1/J3, 1/J2 - 1/J1 */
} free_body;

/* rate = y' at all nodes without torque, plus the torque. */
typedef void collocation_rates(const free_body *b, const double (*y)[PH_LANES],
                               const double (*torque)[PH_LANES],
                               double (*rate)[PH_LANES]);

KERNEL_DECLARE(collocation_products, collocation_product);
KERNEL_DECLARE(collocation_sums, collocation_sum);
KERNEL_DECLARE(collocation_rates, collocation_rate);
