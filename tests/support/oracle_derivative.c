/* oracle_derivative.c - the equations of variation by Taylor series in Arb. With j = 1/J, and dj
 * the unit tensor of a column, twice in it for a product,
 *
 *   m_i' = (j_l - j_k) m_k m_l                                        (i, k, l cyclic)
 *   dm_i' = (j_l - j_k) (m_k dm_l + m_l dm_k) + (m x dj m)_i
 *   dtheta_i' = dtheta_k w_l - dtheta_l w_k + j_i dm_i + (dj m)_i */
#include "support/oracle_derivative.h"

#include <math.h>

enum { PRECISION = 128, ORDER = 28, DIRECTIONS = ORACLE_DERIVATIVE_COLUMNS };
static const double STEP = 0.35;

/* The entries of j of the columns after those of m. */
static const int ENTRY[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

typedef struct variation {
    arb_ptr m[3], w[3], dm[DIRECTIONS][3], theta[DIRECTIONS][3];
    arb_t j[3], difference[3], product[3][3], h, sum;
} variation;

static int dj(int direction, int i, int k)
{
    const int *e = ENTRY[direction < 3 ? 0 : direction - 3];
    return direction >= 3 && ((e[0] == i && e[1] == k) || (e[0] == k && e[1] == i));
}

/* sum +- the coefficient n of the product of two series. */
static void convolve(arb_t sum, int subtract, arb_srcptr a, arb_srcptr b, slong n)
{
    /* arb_dot(initial - dot) is initial less the sum */
    arb_dot(sum, sum, subtract, a, 1, b + n, -1, n + 1, PRECISION);
}

static void integrated(arb_ptr coefficients, variation *y, slong n)
{
    arb_mul(y->sum, y->sum, y->h, PRECISION);
    arb_div_ui(coefficients + n + 1, y->sum, (ulong)n + 1, PRECISION);
}

static void expand_direction(variation *y, int d, slong n)
{
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, l = (i + 2) % 3;
        arb_zero(y->sum);
        convolve(y->sum, 0, y->m[k], y->dm[d][l], n);
        convolve(y->sum, 0, y->m[l], y->dm[d][k], n);
        arb_mul(y->sum, y->sum, y->difference[i], PRECISION);
        for (int b = 0; b < 3; b++) {
            if (dj(d, l, b))
                arb_add(y->sum, y->sum, y->product[k][b], PRECISION);
            if (dj(d, k, b))
                arb_sub(y->sum, y->sum, y->product[l][b], PRECISION);
        }
        integrated(y->dm[d][i], y, n);
        arb_mul(y->sum, y->j[i], y->dm[d][i] + n, PRECISION);
        for (int b = 0; b < 3; b++) {
            if (dj(d, i, b))
                arb_add(y->sum, y->sum, y->m[b] + n, PRECISION);
        }
        convolve(y->sum, 0, y->theta[d][k], y->w[l], n);
        convolve(y->sum, 1, y->theta[d][l], y->w[k], n);
        integrated(y->theta[d][i], y, n);
    }
}

static void expand(variation *y)
{
    for (slong n = 0; n < ORDER; n++) {
        for (int i = 0; i < 3; i++) {
            arb_mul(y->w[i] + n, y->j[i], y->m[i] + n, PRECISION);
            for (int k = 0; k < 3; k++) {
                arb_zero(y->product[i][k]);
                convolve(y->product[i][k], 0, y->m[i], y->m[k], n);
            }
        }
        for (int i = 0; i < 3; i++) {
            arb_mul(y->sum, y->difference[i], y->product[(i + 1) % 3][(i + 2) % 3], PRECISION);
            integrated(y->m[i], y, n);
        }
        for (int d = 0; d < DIRECTIONS; d++)
            expand_direction(y, d, n);
    }
}

/* The series at the end of the step is the start of the next. */
static void advance(arb_ptr coefficients)
{
    for (slong n = ORDER - 1; n >= 0; n--)
        arb_add(coefficients + n, coefficients + n, coefficients + n + 1, PRECISION);
    arb_get_mid_arb(coefficients, coefficients);
}

/* All series of a variation. */
static void each(variation *y, void (*visit)(arb_ptr *))
{
    for (int i = 0; i < 3; i++) {
        visit(&y->m[i]);
        visit(&y->w[i]);
        for (int d = 0; d < DIRECTIONS; d++) {
            visit(&y->dm[d][i]);
            visit(&y->theta[d][i]);
        }
    }
}

static void create_series(arb_ptr *x)
{
    *x = _arb_vec_init(ORDER + 1);
}

static void clear_series(arb_ptr *x)
{
    _arb_vec_clear(*x, ORDER + 1);
}

static void advance_series(arb_ptr *x)
{
    advance(*x);
}

/* The constants of the body, made or freed. */
static void each_number(variation *y, void (*visit)(arb_t))
{
    for (int i = 0; i < 3; i++) {
        visit(y->j[i]);
        visit(y->difference[i]);
        for (int k = 0; k < 3; k++)
            visit(y->product[i][k]);
    }
    visit(y->h);
    visit(y->sum);
}

/* x times 2^-exponent as a double. */
static double scaled(arb_t x, int exponent)
{
    arb_mul_2exp_si(x, x, -exponent);
    return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

oracle_derivative oracle_derivative_of(const oracle_case *c, double angle, int of_m, int of_J)
{
    const double J[3] = {c->J.x, c->J.y, c->J.z}, m[3] = {c->start.m.x, c->start.m.y, c->start.m.z};
    oracle_derivative out;
    variation y;
    each(&y, create_series);
    each_number(&y, arb_init);
    for (int i = 0; i < 3; i++) {
        arb_set_d(y.sum, J[i]);
        arb_inv(y.j[i], y.sum, PRECISION);
        arb_set_d(y.m[i], m[i]);
        arb_one(y.dm[i][i]);
    }
    for (int i = 0; i < 3; i++)
        arb_sub(y.difference[i], y.j[(i + 2) % 3], y.j[(i + 1) % 3], PRECISION);
    const ulong steps = (ulong)ceil(angle / STEP) + 1;
    arb_set_d(y.h, c->t);
    arb_div_ui(y.h, y.h, steps, PRECISION);
    for (ulong s = 0; s < steps; s++) {
        expand(&y);
        each(&y, advance_series);
    }
    for (int d = 0; d < DIRECTIONS; d++) {
        arb_one(y.sum);
        if (d >= 3) { /* dj = -j dJ j */
            arb_mul(y.sum, y.j[ENTRY[d - 3][0]], y.j[ENTRY[d - 3][1]], PRECISION);
            arb_neg(y.sum, y.sum);
        }
        for (int i = 0; i < 3; i++) {
            const int by = d < 3 ? of_m : of_J;
            arb_mul(y.dm[d][i], y.dm[d][i], y.sum, PRECISION);
            arb_mul(y.theta[d][i], y.theta[d][i], y.sum, PRECISION);
            out.momentum[i][d] = scaled(y.dm[d][i], of_m - by);
            out.attitude[i][d] = scaled(y.theta[d][i], -by);
        }
    }
    each(&y, clear_series);
    each_number(&y, arb_clear);
    return out;
}
