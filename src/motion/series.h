/* series.h - moments of inertia modified in powers of the step.
 *
 *   1/I~_j = (1 + h^2 s3 + h^4 s5 + ...)/I_j + h^2 d3 + h^4 d5 + ...               HV (6)
 *
 * with s_k, d_k polynomials in invariants of the momentum and of the moments,
 *
 *   H = sum y_i^2/(2 I_i),  C = |y|^2/2,  N = sum y_i^2/I_i^2
 *   p1 = sum 1/I_i,  p2 = sum 1/(I_i I_j),  p3 = 1/(I1 I2 I3)
 *
 * In scaled units, where all of these are of order 1. A term of h^2r is
 *
 *   H^a C^b N^c p1^i p2^j p3^k,   a + b + c = r,   i + j + k <= r - c
 *   i + 2j + 3k = r + b - c in s, and 1 more in d
 *
 * so that numerators say all, in the order of ph_series_powers().
 */
#pragma once

#include <stdbool.h>

#include "motion/vec.h"

enum { SERIES_H, SERIES_C, SERIES_N, SERIES_P1, SERIES_P2, SERIES_P3, SERIES_VARIABLES };

/* The order of the terms: by H or C first, falling or rising; without N if H falls. */
typedef enum series_order { H_FALLS, C_FALLS, H_RISES } series_order;

/* s and d of h^2r; numerators and denominator are integers, exactly. */
typedef struct ph_series {
    int r;
    series_order order;
    double denominator;
    const int *s, *d;
} ph_series;

extern const ph_series ph_dmv_series[], ph_imr_series[];

/* The most powers of h^2, and the most terms of one. */
enum { SERIES_ORDERS = 7, SERIES_TERMS = 80 };

/* The powers of the terms of s, or of d; how many. */
int ph_series_powers(const ph_series *p, bool of_d, unsigned char (*power)[SERIES_VARIABLES]);

/* 1/I~ = s/I + d, and the derivatives of s by H, C, N; 0 where they are not asked for. */
typedef struct ph_modified {
    double s, d, s_by[3];
} ph_modified;

/* The invariants of the moments, their inverses being j. */
typedef struct ph_series_at {
    double value[SERIES_VARIABLES];
} ph_series_at;

ph_series_at ph_series_invariants(ph_vec3 j, ph_vec3 y);

/* The first `orders` powers h^2, h^4, ... of a series: s, and d or the derivatives of s. */
ph_modified ph_series_modified(const ph_series *series, int orders, const ph_series_at *at,
                               double h, bool derivatives);
