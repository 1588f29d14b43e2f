/* bounds.c - the range of a program where its variables lie in intervals (Moore, Interval Analysis,
 * 1966).
 *
 * The range of each instruction follows from those of its operands. It is often too wide, as
 * operands are taken for independent, and never too narrow but for round-off: the ends are not
 * rounded outwards, and callers allow for that. Then the zeros of functions of the time, which are found
 * by these ranges.
 */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/extremes.h"
#include "integrators/expression/expression.h"
#include "motion/vec.h"

/* ---- ranges ---------------------------------------------------------------------------------- */

#define ALL   ((interval){-INFINITY, INFINITY})
#define EMPTY ((interval){INFINITY, -INFINITY})

static interval hull(const double *x, int count)
{
    interval out = {x[0], x[0]};
    for (int i = 1; i < count; i++) {
        out.low = smaller_or_nan(out.low, x[i]);
        out.high = larger_or_nan(out.high, x[i]);
    }
    if (isnan(out.low) || isnan(out.high))
        return ALL;
    return out;
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
        if (x[i] < out.low)
            out.low = x[i];
        if (x[i] > out.high)
            out.high = x[i];
    }
    return out;
}

static bool has_zero(interval a)
{
    return a.low <= 0.0 && a.high >= 0.0;
}

static interval absolute(interval a)
{
    if (has_zero(a))
        return (interval){0.0, larger_or_nan(-a.low, a.high)};
    if (a.high < 0.0)
        return (interval){-a.high, -a.low};
    return a;
}

/* The range of a function that is monotone where it is defined, from `low` to `high`. */
static interval defined_within(operation code, interval a, double low, double high,
                               range_kind *kind)
{
    const interval part = {larger_or_nan(a.low, low), smaller_or_nan(a.high, high)};
    if (a.low < low || a.high > high)
        *kind = RANGE_JUMP;
    if (interval_is_empty(part))
        return EMPTY;
    return at_corners(code, part, part);
}

/* a^b. Where a may be negative it has a value for whole b only. */
static interval power(interval a, interval b, range_kind *kind)
{
    if (a.low > 0.0)
        return at_corners(POWER, a, b);
    *kind = RANGE_JUMP;
    if (a.high < 0.0 && b.low == b.high && b.low != rint(b.low))
        return EMPTY;
    return ALL;
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
    if (!always && !never) {
        if (*kind == RANGE_SMOOTH)
            *kind = RANGE_KINK;
    }
    interval range = {0.0, 1.0};
    if (always)
        range.low = 1.0;
    if (never)
        range.high = 0.0;
    return range;
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
        if (same)
            return product(absolute(a), absolute(a));
        return product(a, b);
    case DIVIDE:
        if (has_zero(b))
            return ALL;
        return at_corners(DIVIDE, a, b);
    case POWER:
        return power(a, b, kind);
    case SIN:
        return sine(a, 0.0);
    case COS:
        return sine(a, 0.5 * PH_PI);
    case TAN:
        if (floor(a.low / PH_PI + 0.5) == floor(a.high / PH_PI + 0.5))
            return at_corners(TAN, a, a);
        return ALL;
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
        if (*kind == RANGE_JUMP || (has_zero(a) && has_zero(b)))
            return (interval){-PH_PI, PH_PI};
        return at_corners(ATAN2, a, b);
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
        if (!has_zero(a))
            return b;
        if (a.low == 0.0 && a.high == 0.0)
            return a;
        return (interval){smaller_or_nan(b.low, 0.0), larger_or_nan(b.high, 0.0)};
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
    if (code == WHEN && !has_zero(a))
        return EMPTY;
    return ALL;
}

range_kind ph_program_bounds(const program *p, const interval *variables, const double *parameters,
                             interval *out)
{
    interval slot[MOST_SLOTS];
    range_kind kind = RANGE_SMOOTH;
    for (int i = 0; i < p->loads; i++) {
        const load *l = &p->load[i];
        const double x = l->code == PARAMETER ? parameters[l->index] : l->value;
        if (l->code == VARIABLE)
            slot[l->out] = variables[l->index];
        else
            slot[l->out] = (interval){x, x};
    }
    for (int i = 0; i < p->instructions; i++) {
        const instruction *in = &p->instruction[i];
        const operation code = (operation)in->code;
        const interval a = slot[in->a], b = slot[in->b];
        interval found;
        if (interval_is_empty(a) || interval_is_empty(b))
            found = range_of_undefined(code, a, b, &kind);
        else
            found = range_of(code, a, b, in->a == in->b, &kind);
        if (isnan(found.low) || isnan(found.high))
            slot[in->out] = ALL;
        else
            slot[in->out] = found;
    }
    for (int i = 0; i < p->outputs; i++)
        out[i] = slot[p->output[i]];
    return kind;
}

/* ---- zeros in time --------------------------------------------------------------------------- */

/* The times at which the torque of a problem of expressions has a kink or jumps.
 *
 * They are zeros of functions of the time. An interval of time has none where the range of the
 * function leaves zero out, and at most one where that of its derivative does. Other intervals are
 * halved.
 */

/* How many intervals are looked at in a search, and the shortest, relative to their times. */
enum { LOOKS = 512, DEPTH = 64 };
static const double SHORTEST = 0x1p-44;

/* Zeros closer to the start than this, relative to the time, are not sought; and as far from a jump
 * steps end. */
static const double NEAR = 0x1p-49, FROM_JUMP = 0x1p-50;

typedef struct search {
    const program *of; /* its outputs: each function, then its derivative */
    const double *parameters;
    int which;
    int looks; /* that are left */
} search;

static double value_at(const search *s, double t)
{
    double now[ALL_VARIABLES] = {[VARIABLE_T] = t}, out[2 * MOST_CHANGES];
    ph_program_run(s->of, now, s->parameters, out);
    return out[2 * (size_t)s->which];
}

/* The zero between two times at which the signs differ. */
static double zero_between(const search *s, double a, double b)
{
    const bool above = value_at(s, a) > 0.0;
    for (;;) {
        const double middle = 0.5 * a + 0.5 * b;
        if (!(middle > smaller_or_nan(a, b) && middle < larger_or_nan(a, b)))
            return b;
        if ((value_at(s, middle) > 0.0) == above)
            a = middle;
        else
            b = middle;
    }
}

typedef enum verdict { NO_ZERO, ONE_ZERO, UNDECIDED } verdict;

/* What is known of the zeros from a to b. */
static verdict look_at(const search *s, double a, double b)
{
    interval now[ALL_VARIABLES] = {{0.0, 0.0}}, range[2 * MOST_CHANGES];
    now[VARIABLE_T] = (interval){smaller_or_nan(a, b), larger_or_nan(a, b)};
    (void)ph_program_bounds(s->of, now, s->parameters, range);
    const interval *at = &range[2 * (size_t)s->which], value = at[0], slope = at[1];
    if (value.low > 0.0 || value.high < 0.0)
        return NO_ZERO;
    if (slope.low > 0.0 || slope.high < 0.0)
        return (value_at(s, a) > 0.0) == (value_at(s, b) > 0.0) ? NO_ZERO : ONE_ZERO;
    return UNDECIDED;
}

/* The first zero from t to `end`, or `end`. Where it takes too many looks, the time up to which there
 * is none, if that is worth a step. */
static double first_zero(search *s, double t, double end)
{
    static const double WORTH = 0x1p-6;
    double until[DEPTH]; /* ends of the intervals that are left, the next one last */
    int left = 1;
    double from = t;
    until[0] = end;
    while (left > 0 && s->looks-- > 0) {
        const double to = until[left - 1];
        const verdict found = look_at(s, from, to);
        if (found == ONE_ZERO)
            return zero_between(s, from, to);
        const double size = larger_or_nan(fabs(from), fabs(to));
        if (found == NO_ZERO || left == DEPTH || fabs(to - from) <= SHORTEST * size) {
            from = to;
            left--;
        } else {
            until[left++] = 0.5 * from + 0.5 * to;
        }
    }
    if (left == 0 || fabs(from - t) < WORTH * fabs(end - t))
        return end;
    return from;
}

/* The time at which a step ends before or after a zero. */
static double around(double t, double zero, double direction, bool jump)
{
    if (!jump)
        return zero;
    const double margin = FROM_JUMP * fabs(zero), before = zero - direction * margin;
    if (direction * (before - t) > margin)
        return before;
    return zero + direction * margin;
}

static double change_within(const program *of, const double *parameters, unsigned jumps, double t,
                            double end)
{
    const double direction = end > t ? 1.0 : -1.0;
    double next = end;
    for (int i = 0; i < of->outputs / 2; i++) {
        search s = {of, parameters, i, LOOKS};
        const bool jump = (jumps >> i & 1u) != 0;
        const double from = jump ? t : t + direction * NEAR * fabs(t);
        if (!(direction * (next - from) > 0.0))
            continue;
        const double zero = first_zero(&s, from, next);
        if (zero == next)
            continue;
        const double at = around(t, zero, direction, jump && s.looks > 0);
        if (direction * (at - t) > 0.0 && direction * (next - at) > 0.0)
            next = at;
    }
    return next;
}

double ph_program_change(const program *of, const double *parameters, unsigned jumps, double t,
                         double end)
{
    if (isfinite(end))
        return change_within(of, parameters, jumps, t, end);
    static const double FIRST = 0x1p-10, MOST = 0x1p60;
    const double direction = end > t ? 1.0 : -1.0;
    double from = t, length = larger_or_nan(FIRST, FIRST * fabs(t));
    while (length < MOST) {
        const double to = from + direction * length,
                     at = change_within(of, parameters, jumps, from, to);
        if (at != to)
            return at;
        from = to;
        length *= 2.0;
    }
    return end;
}
