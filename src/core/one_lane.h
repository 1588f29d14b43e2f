/* one_lane.h - the vocabulary of simd.h for one number: formulas written once serve a step
 * of one body and a kernel for many. Included through simd.h by files that define
 * SIMD_ONE_LANE. Products and sums are rounded twice here, on every machine.
 */
#ifndef POLHODE_CORE_ONE_LANE_H
#define POLHODE_CORE_ONE_LANE_H

enum { LANES = 1 };

typedef double lanes;
typedef bool choice;
typedef int64_t whole;

static inline lanes splat(double x)
{
    return x;
}

static inline lanes madd(lanes a, lanes b, lanes c)
{
    return a * b + c;
}

static inline lanes nmadd(lanes a, lanes b, lanes c)
{
    return c - a * b;
}

/* 1/x, 1/y, 1/z */
static inline void invert(lanes *x, lanes *y, lanes *z)
{
    *x = 1.0 / *x;
    *y = 1.0 / *y;
    *z = 1.0 / *z;
}

/* a/x, b/x, c/y: the quotients do not wait for each other. */
static inline void divide(lanes *a, lanes *b, lanes x, lanes *c, lanes y)
{
    *a = *a / x;
    *b = *b / x;
    *c = *c / y;
}

static inline lanes root(lanes x)
{
    return sqrt(x);
}

static inline lanes select(choice where, lanes a, lanes b)
{
    return where ? a : b;
}

static inline lanes magnitude(lanes x)
{
    return fabs(x);
}

static inline lanes with_sign(lanes x, lanes s)
{
    return copysign(x, s);
}

static inline lanes larger(lanes a, lanes b)
{
    return a > b ? a : b;
}

static inline bool any(choice where)
{
    return where;
}

static inline whole bits_of(lanes x)
{
    whole i;
    memcpy(&i, &x, sizeof i);
    return i;
}

static inline lanes of_bits(whole i)
{
    lanes x;
    memcpy(&x, &i, sizeof x);
    return x;
}

#endif
