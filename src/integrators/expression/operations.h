/* operations.h - what expressions are made of: numbers, names, operators and functions, for the host
 * and for the programs of devices. */
#pragma once

#include "base/elementary.h"
#include "base/extremes.h"

/* a b, and 0 of 0 and infinity: of a factor that overflowed and one that vanishes faster. */
static inline double limited_product(double a, double b)
{
    const double product = a * b;
    if (isnan(product) && !isnan(a) && !isnan(b))
        return 0.0;
    return product;
}

/* 1 or -1; zeros and NaN as they are. */
static inline double signum(double a)
{
    if (a > 0.0)
        return 1.0;
    if (a < 0.0)
        return -1.0;
    return a;
}

/* 1/cosh(a)^2 */
static inline double sech_squared(double a)
{
    const double c = ph_cosh(a);
    return 1.0 / (c * c);
}

/* The eccentric anomaly E of a mean anomaly M: E - e sin E = M, 0 <= e < 1. From a point above the
 * solution Newton's iteration descends, as the function is convex where 0 <= M <= pi. */
static inline double kepler(double M, double e)
{
    enum { MOST = 60 };
    const double rest = remainder(M, 2.0 * PH_PI), part = fabs(rest),
                 first = e * ph_sin(part) / (1.0 - e * ph_cos(part));
    double E = part + smaller_or_nan(smaller_or_nan(first, e), PH_PI - part);
    for (int i = 0; i < MOST; i++) {
        const double slope = 1.0 - e * ph_cos(E), change = (E - e * ph_sin(E) - part) / slope;
        if (!(change > 0.0))
            break;
        E -= change;
        if (change * change * e <= 0x1p-54 * slope)
            break;
    }
    return (M - rest) + copysign(E, rest);
}

/* Operations of one or two operands, with the name of a function or NULL. LESS and AT_MOST
 * are 1 or 0; WHEN(c, x) is x where c is not 0, else 0: these come from derivatives, as
 * LIMITED and SECH2 do; KEPLER comes from places on an orbit. */
#define OPERATIONS(X)                                                                              \
    X(NEGATE, 1, NULL, -a)                                                                         \
    X(ADD, 2, NULL, a + b)                                                                         \
    X(SUBTRACT, 2, NULL, a - b)                                                                    \
    X(MULTIPLY, 2, NULL, a *b)                                                                     \
    X(LIMITED, 2, NULL, limited_product(a, b))                                                     \
    X(DIVIDE, 2, NULL, a / b)                                                                      \
    X(POWER, 2, NULL, ph_pow(a, b))                                                                \
    X(SIN, 1, "sin", ph_sin(a))                                                                    \
    X(COS, 1, "cos", ph_cos(a))                                                                    \
    X(TAN, 1, "tan", ph_tan(a))                                                                    \
    X(ASIN, 1, "asin", ph_asin(a))                                                                 \
    X(ACOS, 1, "acos", ph_acos(a))                                                                 \
    X(ATAN, 1, "atan", ph_atan(a))                                                                 \
    X(ATAN2, 2, "atan2", ph_atan2(a, b))                                                           \
    X(SINH, 1, "sinh", ph_sinh(a))                                                                 \
    X(COSH, 1, "cosh", ph_cosh(a))                                                                 \
    X(TANH, 1, "tanh", ph_tanh(a))                                                                 \
    X(EXP, 1, "exp", ph_real_exp(a))                                                               \
    X(LOG, 1, "log", ph_real_log(a))                                                               \
    X(SQRT, 1, "sqrt", sqrt(a))                                                                    \
    X(ABS, 1, "abs", fabs(a))                                                                      \
    X(MIN, 2, "min", smaller_or_nan(a, b))                                                         \
    X(MAX, 2, "max", larger_or_nan(a, b))                                                          \
    X(SECH2, 1, NULL, sech_squared(a))                                                             \
    X(KEPLER, 2, NULL, kepler(a, b))                                                               \
    X(SIGN, 1, NULL, signum(a))                                                                    \
    X(LESS, 2, NULL, (double)(a < b))                                                              \
    X(AT_MOST, 2, NULL, (double)(a <= b))                                                          \
    X(WHEN, 2, NULL, a != 0.0 ? b : 0.0)
