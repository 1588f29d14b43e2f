/* taylor.h - Taylor series of the unknowns of a field, and of their derivatives by the unknowns at the start.
 *
 * A series has a column for the unknowns, then one for the derivatives by each unknown but the quaternion, and
 * then one for the second derivatives by each pair of these. */
#pragma once

#include <arb.h>

enum { ENCLOSURE_MOST = 24, ENCLOSURE_PRODUCTS = 8, ENCLOSURE_TERMS = 160 };

/* x_out' = ... + c v w. */
typedef struct enclosure_term {
    int out, v, w;
    arb_t c;
} enclosure_term;

/* A differential equation. The variables are the n unknowns, then 1 (the variable n), then
 * products. */
typedef struct enclosure_field {
    int n;
    int products, product[ENCLOSURE_PRODUCTS][2]; /* of two unknowns */
    int terms;
    enclosure_term term[ENCLOSURE_TERMS];
    int degree;                /* of the terms, 2 or 3 */
    int group[ENCLOSURE_MOST]; /* unknowns of one group have one size s */
} enclosure_field;

/* Nothing is differentiated by the unknowns before this one, which are the quaternion. */
enum { FIRST_DERIVED = 4 };

/* Bounds of coefficients: |x_i,k| <= s_i z^k. */
typedef struct growth {
    double size[ENCLOSURE_MOST + 1 + ENCLOSURE_PRODUCTS]; /* s of each variable */
    double rate;                                          /* z */
    int group;                                            /* of the unknown that grows fastest */
} growth;

/* Chooses sizes: those of the box, and larger ones of groups that grow fast as long as that lowers the
 * rate. */
growth enclosure_growth(const enclosure_field *f, arb_srcptr box);

/* Coefficients 0 to `order` of every variable of a field, in columns. */
typedef struct enclosure_series {
    const enclosure_field *field;
    int variables, order;
    int unknowns; /* columns of first derivatives */
    int pairs;    /* columns of second derivatives */
    arb_ptr x;    /* [1 + unknowns + pairs][variables][order + 1] */
} enclosure_series;

/* Creates a series of zeros, with derivatives up to the second. Free it with enclosure_series_destroy(). */
enclosure_series enclosure_series_create(const enclosure_field *f, int order, int derivatives);
void enclosure_series_destroy(enclosure_series *s);

/* Returns the column of the second derivatives by the unknowns FIRST_DERIVED + j and FIRST_DERIVED + l. */
int enclosure_pair_column(const enclosure_field *f, int j, int l);

/* Returns the coefficients of a variable in a column. */
arb_ptr enclosure_series_of(const enclosure_series *s, int column, int variable);

/* Computes all coefficients from the coefficients 0 of the unknowns. */
void enclosure_series_compute(const enclosure_series *s, slong digits);

/* Stores the sum of the series of a variable at h, with the remainder. */
void enclosure_series_sum(const enclosure_series *s, int column, int variable, const arb_t h,
                          double remainder, arb_t out, slong digits);

/* Returns an upper bound, z <= 1/2, of sum_(k > order) z^k; with one derivative of sum (k + 1) z^k; with two of
 * sum 2k (2k + 1) z^k. */
double enclosure_tail(double z, int order, int derivatives);
