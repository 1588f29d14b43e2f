/* bounds.c - the range of a program where its variables lie in intervals (Moore, Interval Analysis,
 * 1966).
 *
 * The range of each instruction follows from those of its operands. It is often too wide, as
 * operands are taken for independent, and never too narrow but for round-off: the ends are not
 * rounded outwards, and callers allow for that.
 */
#include <math.h>

#include "base/elementary.h"
#include "base/extremes.h"
#include "integrators/expression/expression.h"
#include "motion/vec.h"

#define ALL   ((interval){-INFINITY, INFINITY})
#define EMPTY ((interval){INFINITY, -INFINITY})

static interval hull(const double *x, int count)
{
    interval out = {x[0], x[0]};
    for (int i = 1; i < count; i++) {
        out.low = smaller_or_nan(out.low, x[i]);
        out.high = larger_or_nan(out.high, x[i]);
    }
    return isnan(out.low) || isnan(out.high) ? ALL : out;
}

/* Of an operation that is monotone in each operand while the others stay. */
static interval at_corners(operation code, interval a, interval b)
{
    const double x[] = {operation_value(code, a.low, b.low), operation_value(code, a.low, b.high),
                        operation_value(code, a.high, b.low),
                        operation_value(code, a.high, b.high)};
    return hull(x, 4);
}

/* Most instructions are products: as at_corners(), in less time. */
static interval product(interval a, interval b)
{
    const double x[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high},
                 sum = x[0] + x[1] + x[2] + x[3];
    if (!isfinite(sum))
        return at_corners(LIMITED, a, b);
    interval out = {x[0], x[0]};
    for (int i = 1; i < 4; i++) {
        out.low = x[i] < out.low ? x[i] : out.low;
        out.high = x[i] > out.high ? x[i] : out.high;
    }
    return out;
}

static bool has_zero(interval a)
{
    return a.low <= 0.0 && a.high >= 0.0;
}

static interval absolute(interval a)
{
    return has_zero(a)    ? (interval){0.0, larger_or_nan(-a.low, a.high)}
           : a.high < 0.0 ? (interval){-a.high, -a.low}
                          : a;
}

/* The range of a function that is monotone where it is defined, from `low` to `high`. */
static interval defined_within(operation code, interval a, double low, double high,
                               range_kind *kind)
{
    const interval part = {larger_or_nan(a.low, low), smaller_or_nan(a.high, high)};
    if (a.low < low || a.high > high)
        *kind = RANGE_JUMP;
    return interval_is_empty(part) ? EMPTY : at_corners(code, part, part);
}

/* a^b. Where a may be negative it has a value for whole b only. */
static interval power(interval a, interval b, range_kind *kind)
{
    if (a.low > 0.0)
        return at_corners(POWER, a, b);
    *kind = RANGE_JUMP;
    return a.high < 0.0 && b.low == b.high && b.low != rint(b.low) ? EMPTY : ALL;
}

/* sin(a + shift): the ends, and -1 or 1 where an extremum lies between them. */
static interval sine(interval a, double shift)
{
    const double low = a.low + shift, high = a.high + shift;
    if (!(high - low < 2.0 * PH_PI && fabs(low) < 1e15))
        return (interval){-1.0, 1.0};
    const double x[] = {ph_sin(low), ph_sin(high)};
    interval out = hull(x, 2);
    const double top = floor((high - 0.5 * PH_PI) / (2.0 * PH_PI)) * 2.0 * PH_PI + 0.5 * PH_PI,
                 bottom = floor((high + 0.5 * PH_PI) / (2.0 * PH_PI)) * 2.0 * PH_PI - 0.5 * PH_PI;
    if (top >= low)
        out.high = 1.0;
    if (bottom >= low)
        out.low = -1.0;
    return out;
}

/* 1 or 0, or both where it is not decided, and then there is a kink. */
static interval decided(bool always, bool never, range_kind *kind)
{
    if (!always && !never)
        *kind = *kind == RANGE_SMOOTH ? RANGE_KINK : *kind;
    return (interval){always ? 1.0 : 0.0, never ? 0.0 : 1.0};
}

static interval range_of(operation code, interval a, interval b, bool same, range_kind *kind)
{
    switch (code) {
    case NEGATE:
        return (interval){-a.high, -a.low};
    case ADD:
        return (interval){a.low + b.low, a.high + b.high};
    case SUBTRACT:
        return (interval){a.low - b.high, a.high - b.low};
    case MULTIPLY:
    case LIMITED:
        return product(same ? absolute(a) : a, same ? absolute(a) : b);
    case DIVIDE:
        return has_zero(b) ? ALL : at_corners(DIVIDE, a, b);
    case POWER:
        return power(a, b, kind);
    case SIN:
        return sine(a, 0.0);
    case COS:
        return sine(a, 0.5 * PH_PI);
    case TAN:
        return floor(a.low / PH_PI + 0.5) == floor(a.high / PH_PI + 0.5) ? at_corners(TAN, a, a)
                                                                         : ALL;
    case ASIN:
    case ACOS:
        return defined_within(code, a, -1.0, 1.0, kind);
    case LOG:
    case SQRT:
        return defined_within(code, a, 0.0, INFINITY, kind);
    case ATAN:
    case SINH:
    case TANH:
    case EXP:
    case MIN:
    case MAX:
    case KEPLER:
        return at_corners(code, a, b);
    case COSH:
    case SECH2:
        return at_corners(code, absolute(a), absolute(a));
    case ABS:
        return absolute(a);
    case ATAN2: /* it jumps where a changes its sign and b is negative */
        if (b.low < 0.0 && a.low < 0.0 && a.high >= 0.0)
            *kind = RANGE_JUMP;
        return *kind == RANGE_JUMP || (has_zero(a) && has_zero(b)) ? (interval){-PH_PI, PH_PI}
                                                                   : at_corners(ATAN2, a, b);
    case SIGN: {
        const interval above = decided(a.low > 0.0, !(a.high > 0.0), kind),
                       below = decided(a.high < 0.0, !(a.low < 0.0), kind);
        return (interval){above.low - below.high, above.high - below.low};
    }
    case LESS:
        return decided(a.high < b.low, a.low >= b.high, kind);
    case AT_MOST:
        return decided(a.high <= b.low, a.low > b.high, kind);
    case WHEN:
        return !has_zero(a) ? b
               : a.low == 0.0 && a.high == 0.0
                   ? a
                   : (interval){smaller_or_nan(b.low, 0.0), larger_or_nan(b.high, 0.0)};
    case VARIABLE:
    case PARAMETER:
    case CONSTANT:
        break;
    }
    return ALL;
}

/* The range where an operand is a NaN everywhere: what operation_value() makes of it. */
static interval range_of_undefined(operation code, interval a, interval b, range_kind *kind)
{
    switch (code) {
    case LESS:
    case AT_MOST:
        return (interval){0.0, 0.0};
    case WHEN:
        if (interval_is_empty(a))
            return b;
        if (a.low == 0.0 && a.high == 0.0)
            return a;
        break;
    case POWER: /* a NaN to the power 0, and 1 to that of a NaN, are 1 */
        if (!interval_is_empty(b) && !has_zero(b))
            return EMPTY;
        break;
    default:
        return EMPTY;
    }
    *kind = RANGE_JUMP;
    return code == WHEN && !has_zero(a) ? EMPTY : ALL;
}

range_kind ph_program_bounds(const program *p, const interval *variables, const double *parameters,
                             interval *out)
{
    interval slot[MOST_SLOTS];
    range_kind kind = RANGE_SMOOTH;
    for (int i = 0; i < p->loads; i++) {
        const load *l = &p->load[i];
        const double x = l->code == PARAMETER ? parameters[l->index] : l->value;
        slot[l->out] = l->code == VARIABLE ? variables[l->index] : (interval){x, x};
    }
    for (int i = 0; i < p->instructions; i++) {
        const instruction *in = &p->instruction[i];
        const operation code = (operation)in->code;
        const interval a = slot[in->a], b = slot[in->b];
        const interval found = interval_is_empty(a) || interval_is_empty(b)
                                   ? range_of_undefined(code, a, b, &kind)
                                   : range_of(code, a, b, in->a == in->b, &kind);
        slot[in->out] = isnan(found.low) || isnan(found.high) ? ALL : found;
    }
    for (int i = 0; i < p->outputs; i++)
        out[i] = slot[p->output[i]];
    return kind;
}
