/* series.h - moments of inertia modified in powers of the step.
 *
 *   1/I~_j = (1 + h^2 s3 + h^4 s5 + ...)/I_j + h^2 d3 + h^4 d5 + ...               HV (6)
 *
 * with s_k, d_k polynomials in invariants of the momentum and of the moments,
 *
 *   H = sum y_i^2/(2 I_i),  C = |y|^2/2,  N = sum y_i^2/I_i^2
 *   p1 = sum 1/I_i,  p2 = sum 1/(I_i I_j),  p3 = 1/(I1 I2 I3)
 *
 * In scaled units, where all of these are of order 1.
 */
#pragma once

#include <stdbool.h>

#include "rotation/vec.h"

enum { SERIES_H, SERIES_C, SERIES_N, SERIES_P1, SERIES_P2, SERIES_P3, SERIES_VARIABLES };

/* Numerator and denominator are integers, exactly; the steps use their rounded
 * quotient. */
typedef struct ph_series_term {
    signed char power[SERIES_VARIABLES];
    double coefficient, numerator, denominator;
} ph_series_term;

/* Powers of H, C, N, p1, p2, p3, and the coefficient n/d. */
#define PH_TERM(H, C, N, p1, p2, p3, n, d)                                               \
    {                                                                                    \
        {(H), (C), (N), (p1), (p2), (p3)}, (double)(n) / (d), (n), (d)                   \
    }

/* s_k and d_k of one power of h. */
typedef struct ph_series {
    const ph_series_term *s, *d;
    int s_terms, d_terms;
} ph_series;

#define PH_SERIES(S, D)                                                                  \
    {                                                                                    \
        S, D, (int)(sizeof(S) / sizeof(S)[0]), (int)(sizeof(D) / sizeof(D)[0])           \
    }

extern const ph_series ph_dmv_series[], ph_imr_series[];

/* 1/I~ = s/I + d, and the derivatives of s by H, C, N. */
typedef struct ph_modified {
    double s, d, s_by[3];
} ph_modified;

/* The invariants of the moments, their inverses being j. */
typedef struct ph_series_at {
    double value[SERIES_VARIABLES];
} ph_series_at;

ph_series_at ph_series_invariants(ph_vec3 j, ph_vec3 y);

/* The first `orders` powers h^2, h^4, ... of a series; derivatives only if asked for. */
ph_modified ph_series_modified(const ph_series *series, int orders,
                               const ph_series_at *at, double h, bool derivatives);
