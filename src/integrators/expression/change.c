/* change.c - the times at which the torque of a problem of expressions has a kink or jumps.
 *
 * They are zeros of functions of the time. An interval of time has none where the range of the
 * function leaves zero out, and at most one where that of its derivative does. Other intervals are
 * halved.
 */
#include <math.h>
#include <string.h>

#include "base/extremes.h"
#include "integrators/expression/expression.h"

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
    return left == 0 || fabs(from - t) < WORTH * fabs(end - t) ? end : from;
}

/* The time at which a step ends before or after a zero. */
static double around(double t, double zero, double direction, bool jump)
{
    if (!jump)
        return zero;
    const double margin = FROM_JUMP * fabs(zero), before = zero - direction * margin;
    return direction * (before - t) > margin ? before : zero + direction * margin;
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
