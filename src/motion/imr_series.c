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
    {{0, 1, 0, 0, 1, 0}, PH_RATIO(1, 6)},
    {{1, 0, 0, 1, 0, 0}, PH_RATIO(-1, 3)},
    {{0, 0, 1, 0, 0, 0}, PH_RATIO(1, 4)},
};

static const ph_series_term D3[] = {
    {{0, 1, 0, 0, 0, 1}, PH_RATIO(-1, 3)},
    {{1, 0, 0, 0, 1, 0}, PH_RATIO(1, 6)},
};

static const ph_series_term S5[] = {
    {{0, 2, 0, 1, 0, 1}, PH_RATIO(1, 15)}, {{0, 2, 0, 0, 2, 0}, PH_RATIO(1, 30)},
    {{1, 1, 0, 1, 1, 0}, PH_RATIO(-1, 5)}, {{1, 1, 0, 0, 0, 1}, PH_RATIO(-1, 5)},
    {{0, 1, 1, 0, 1, 0}, PH_RATIO(1, 6)},  {{2, 0, 0, 2, 0, 0}, PH_RATIO(1, 5)},
    {{2, 0, 0, 0, 1, 0}, PH_RATIO(1, 15)}, {{1, 0, 1, 1, 0, 0}, PH_RATIO(-1, 3)},
    {{0, 0, 2, 0, 0, 0}, PH_RATIO(1, 8)},
};

static const ph_series_term D5[] = {
    {{0, 2, 0, 0, 1, 1}, PH_RATIO(-1, 10)}, {{1, 1, 0, 1, 0, 1}, PH_RATIO(2, 15)},
    {{1, 1, 0, 0, 2, 0}, PH_RATIO(1, 15)},  {{0, 1, 1, 0, 0, 1}, PH_RATIO(-1, 6)},
    {{2, 0, 0, 1, 1, 0}, PH_RATIO(-1, 10)}, {{2, 0, 0, 0, 0, 1}, PH_RATIO(1, 15)},
    {{1, 0, 1, 0, 1, 0}, PH_RATIO(1, 12)},
};

static const ph_series_term S7[] = {
    {{0, 3, 0, 1, 1, 1}, PH_RATIO(29, 630)},    {{0, 3, 0, 0, 3, 0}, PH_RATIO(17, 2520)},
    {{0, 3, 0, 0, 0, 2}, PH_RATIO(1, 35)},      {{1, 2, 0, 2, 0, 1}, PH_RATIO(-29, 315)},
    {{1, 2, 0, 1, 2, 0}, PH_RATIO(-109, 1260)}, {{1, 2, 0, 0, 1, 1}, PH_RATIO(-41, 210)},
    {{0, 2, 1, 1, 0, 1}, PH_RATIO(1, 12)},      {{0, 2, 1, 0, 2, 0}, PH_RATIO(11, 144)},
    {{2, 1, 0, 2, 1, 0}, PH_RATIO(23, 105)},    {{2, 1, 0, 1, 0, 1}, PH_RATIO(32, 105)},
    {{2, 1, 0, 0, 2, 0}, PH_RATIO(47, 630)},    {{1, 1, 1, 1, 1, 0}, PH_RATIO(-7, 18)},
    {{1, 1, 1, 0, 0, 1}, PH_RATIO(-1, 4)},      {{0, 1, 2, 0, 1, 0}, PH_RATIO(5, 32)},
    {{3, 0, 0, 3, 0, 0}, PH_RATIO(-46, 315)},   {{3, 0, 0, 1, 1, 0}, PH_RATIO(-38, 315)},
    {{3, 0, 0, 0, 0, 1}, PH_RATIO(1, 35)},      {{2, 0, 1, 2, 0, 0}, PH_RATIO(7, 18)},
    {{2, 0, 1, 0, 1, 0}, PH_RATIO(1, 12)},      {{1, 0, 2, 1, 0, 0}, PH_RATIO(-5, 16)},
    {{0, 0, 3, 0, 0, 0}, PH_RATIO(5, 64)},
};

static const ph_series_term D7[] = {
    {{0, 3, 0, 1, 0, 2}, PH_RATIO(-4, 105)},  {{0, 3, 0, 0, 2, 1}, PH_RATIO(-17, 630)},
    {{1, 2, 0, 1, 1, 1}, PH_RATIO(29, 210)},  {{1, 2, 0, 0, 3, 0}, PH_RATIO(17, 840)},
    {{1, 2, 0, 0, 0, 2}, PH_RATIO(89, 630)},  {{0, 2, 1, 0, 1, 1}, PH_RATIO(-47, 360)},
    {{2, 1, 0, 2, 0, 1}, PH_RATIO(-29, 315)}, {{2, 1, 0, 1, 2, 0}, PH_RATIO(-109, 1260)},
    {{2, 1, 0, 0, 1, 1}, PH_RATIO(-2, 21)},   {{1, 1, 1, 1, 0, 1}, PH_RATIO(19, 90)},
    {{1, 1, 1, 0, 2, 0}, PH_RATIO(7, 90)},    {{0, 1, 2, 0, 0, 1}, PH_RATIO(-5, 48)},
    {{3, 0, 0, 2, 1, 0}, PH_RATIO(23, 315)},  {{3, 0, 0, 1, 0, 1}, PH_RATIO(-17, 315)},
    {{3, 0, 0, 0, 2, 0}, PH_RATIO(13, 504)},  {{2, 0, 1, 1, 1, 0}, PH_RATIO(-47, 360)},
    {{2, 0, 1, 0, 0, 1}, PH_RATIO(1, 20)},    {{1, 0, 2, 0, 1, 0}, PH_RATIO(5, 96)},
};

const ph_series ph_imr_series[] = {
    PH_SERIES(S3, D3),
    PH_SERIES(S5, D5),
    PH_SERIES(S7, D7),
};
