/* imr_series.c - the modified moments of the modifying midpoint rule, to order 8.
 *
 * Chartier, Hairer, Vilmart, Math. Comp. 76 (2007), introduce the rule; the coefficients
 * here were derived anew, from those of DMV by I_IMR = I_DMV/alpha, and checked by the
 * order they give. Since alpha is not a function of H and C, a third quadratic enters,
 * N = sum Y_i^2/I_i^2.
 *
 * Rows: powers of H, C, N, p1, p2, p3, and the coefficient.
 */
#include "motion/series.h"

static const ph_series_term S3[] = {
    PH_TERM(0, 1, 0, 0, 1, 0, 1, 6),
    PH_TERM(1, 0, 0, 1, 0, 0, -1, 3),
    PH_TERM(0, 0, 1, 0, 0, 0, 1, 4),
};

static const ph_series_term D3[] = {
    PH_TERM(0, 1, 0, 0, 0, 1, -1, 3),
    PH_TERM(1, 0, 0, 0, 1, 0, 1, 6),
};

static const ph_series_term S5[] = {
    PH_TERM(0, 2, 0, 1, 0, 1, 1, 15), PH_TERM(0, 2, 0, 0, 2, 0, 1, 30),
    PH_TERM(1, 1, 0, 1, 1, 0, -1, 5), PH_TERM(1, 1, 0, 0, 0, 1, -1, 5),
    PH_TERM(0, 1, 1, 0, 1, 0, 1, 6),  PH_TERM(2, 0, 0, 2, 0, 0, 1, 5),
    PH_TERM(2, 0, 0, 0, 1, 0, 1, 15), PH_TERM(1, 0, 1, 1, 0, 0, -1, 3),
    PH_TERM(0, 0, 2, 0, 0, 0, 1, 8),
};

static const ph_series_term D5[] = {
    PH_TERM(0, 2, 0, 0, 1, 1, -1, 10), PH_TERM(1, 1, 0, 1, 0, 1, 2, 15),
    PH_TERM(1, 1, 0, 0, 2, 0, 1, 15),  PH_TERM(0, 1, 1, 0, 0, 1, -1, 6),
    PH_TERM(2, 0, 0, 1, 1, 0, -1, 10), PH_TERM(2, 0, 0, 0, 0, 1, 1, 15),
    PH_TERM(1, 0, 1, 0, 1, 0, 1, 12),
};

static const ph_series_term S7[] = {
    PH_TERM(0, 3, 0, 1, 1, 1, 29, 630),    PH_TERM(0, 3, 0, 0, 3, 0, 17, 2520),
    PH_TERM(0, 3, 0, 0, 0, 2, 1, 35),      PH_TERM(1, 2, 0, 2, 0, 1, -29, 315),
    PH_TERM(1, 2, 0, 1, 2, 0, -109, 1260), PH_TERM(1, 2, 0, 0, 1, 1, -41, 210),
    PH_TERM(0, 2, 1, 1, 0, 1, 1, 12),      PH_TERM(0, 2, 1, 0, 2, 0, 11, 144),
    PH_TERM(2, 1, 0, 2, 1, 0, 23, 105),    PH_TERM(2, 1, 0, 1, 0, 1, 32, 105),
    PH_TERM(2, 1, 0, 0, 2, 0, 47, 630),    PH_TERM(1, 1, 1, 1, 1, 0, -7, 18),
    PH_TERM(1, 1, 1, 0, 0, 1, -1, 4),      PH_TERM(0, 1, 2, 0, 1, 0, 5, 32),
    PH_TERM(3, 0, 0, 3, 0, 0, -46, 315),   PH_TERM(3, 0, 0, 1, 1, 0, -38, 315),
    PH_TERM(3, 0, 0, 0, 0, 1, 1, 35),      PH_TERM(2, 0, 1, 2, 0, 0, 7, 18),
    PH_TERM(2, 0, 1, 0, 1, 0, 1, 12),      PH_TERM(1, 0, 2, 1, 0, 0, -5, 16),
    PH_TERM(0, 0, 3, 0, 0, 0, 5, 64),
};

static const ph_series_term D7[] = {
    PH_TERM(0, 3, 0, 1, 0, 2, -4, 105),  PH_TERM(0, 3, 0, 0, 2, 1, -17, 630),
    PH_TERM(1, 2, 0, 1, 1, 1, 29, 210),  PH_TERM(1, 2, 0, 0, 3, 0, 17, 840),
    PH_TERM(1, 2, 0, 0, 0, 2, 89, 630),  PH_TERM(0, 2, 1, 0, 1, 1, -47, 360),
    PH_TERM(2, 1, 0, 2, 0, 1, -29, 315), PH_TERM(2, 1, 0, 1, 2, 0, -109, 1260),
    PH_TERM(2, 1, 0, 0, 1, 1, -2, 21),   PH_TERM(1, 1, 1, 1, 0, 1, 19, 90),
    PH_TERM(1, 1, 1, 0, 2, 0, 7, 90),    PH_TERM(0, 1, 2, 0, 0, 1, -5, 48),
    PH_TERM(3, 0, 0, 2, 1, 0, 23, 315),  PH_TERM(3, 0, 0, 1, 0, 1, -17, 315),
    PH_TERM(3, 0, 0, 0, 2, 0, 13, 504),  PH_TERM(2, 0, 1, 1, 1, 0, -47, 360),
    PH_TERM(2, 0, 1, 0, 0, 1, 1, 20),    PH_TERM(1, 0, 2, 0, 1, 0, 5, 96),
};

const ph_series ph_imr_series[] = {
    PH_SERIES(S3, D3),
    PH_SERIES(S5, D5),
    PH_SERIES(S7, D7),
};
