/* elliptic_reference.h - the elliptic functions in multiprecision, with error bounds:
 * Arb's Carlson and Legendre integrals, and Jacobi's functions from theta functions. */
#ifndef TESTS_SUPPORT_ELLIPTIC_REFERENCE_H
#define TESTS_SUPPORT_ELLIPTIC_REFERENCE_H

#include <arb.h>
#include <stdbool.h>

/* Sets f to the function at x with about prec bits. */
typedef void elliptic_reference(arb_t f, arb_srcptr x, slong prec);

/* The reference of a row of elliptic_bounds.h; NULL if there is none of that name. */
elliptic_reference *elliptic_reference_of(const char *name);

/* Sets f to the value at x[0] ... x[count - 1] with an error below 2^-100 |f|. False if
 * that was not reached. */
bool elliptic_value(arb_t f, elliptic_reference *reference, const double *x, int count);

/* Also sets condition to the sum of |x_i f_i / f|, by difference quotients. In x[angle],
 * if angle >= 0, the function is periodic, and differences are small compared to 1. */
bool elliptic_value_and_condition(arb_t f, double *condition, elliptic_reference *reference,
                                  const double *x, int count, int angle);

#endif
