/* span.c - a time in steps. */
#include "span.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/extremes.h"
#include "report.h"

#define TOLERANCE 1e-9             /* of the number of steps, relative from 1 on */
#define MOST      9007199254740992 /* 2^53: up to here doubles count exactly */
#define NUMBER    32               /* bytes */

static double most_steps(void)
{
    return (double)LONG_MAX < (double)MOST ? (double)LONG_MAX : (double)MOST;
}

/* A number with as few digits as read back the same. */
static const char *shortest(char text[NUMBER], double x)
{
    const int most = 17;
    for (int digits = 6; digits <= most; digits++) {
        (void)snprintf(text, NUMBER, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    return text;
}

/* The nearest larger and the nearest smaller step; from the whole time on, the two
 * largest. */
static int fail_uneven(const char *place, double step, double time)
{
    char h[NUMBER], t[NUMBER], larger[NUMBER], smaller[NUMBER];
    const double few = larger_or_nan(1.0, floor(time / step));
    return fail_usage(
        "%sa time of %s is no whole number of steps of %s: take steps of %s or "
        "%s",
        place, shortest(t, time), shortest(h, step), shortest(larger, time / few),
        shortest(smaller, time / (few + 1.0)));
}

int span_steps(const char *place, double step, double time, long *steps)
{
    char number[NUMBER];
    if (step == 0.0)
        return fail_usage(
            "%sthe step is zero: take a positive one, or a negative one to go "
            "back",
            place);
    if ((step > 0.0 && time < 0.0) || (step < 0.0 && time > 0.0))
        return fail_usage(
            "%sthe time %s is not in the direction of the step: give both the "
            "same sign",
            place, shortest(number, time));
    const double ratio = time / step, whole = round(ratio);
    if (!(ratio <= most_steps()))
        return fail_usage(
            "%sthe step %s is too small, it takes more than 2^53: take a larger "
            "one",
            place, shortest(number, step));
    if (fabs(ratio - whole) > TOLERANCE * larger_or_nan(1.0, ratio))
        return fail_uneven(place, step, time);
    *steps = (long)whole;
    return 0;
}

int span_every(const char *name, double x, long *every)
{
    if (!(x >= 1.0) || x != floor(x) || x > most_steps())
        return fail_usage(
            "%s %g: only every n-th step can be written, n from 1: write a whole "
            "number",
            name, x);
    *every = (long)x;
    return 0;
}
