/* even_times.h - the times start + n h as they are shown.
 *
 * Most steps are typed as decimal numbers. The double 0.1 is not one tenth, so that three times it,
 * rounded, is 0.30000000000000004. A start and a step that are the doubles nearest to decimal
 * numbers stand for these numbers here: the time is the double nearest to their sum, 0.3. It is
 * hence also the double that a reader of "0.3" gets. */
#pragma once

#include <math.h>

/* Returns start + n h, where n is a whole number. */
static inline double even_time(double start, double n, double h)
{
    enum { POWERS = 22 };                         /* up to 10^22 they are doubles */
    const double digits = 1e15, counted = 0x1p53; /* up to there whole numbers are doubles */
    double power = 1.0;
    for (int k = 0; k <= POWERS; k++) {
        const double from = rint(start * power), by = rint(h * power);
        if (!(fabs(from) < digits && fabs(by) < digits))
            break;
        if (from / power == start && by / power == h) {
            const double sum = n * by + from;
            if (!(fabs(n * by) < counted && fabs(sum) < counted))
                break;
            return sum / power;
        }
        power *= 10.0;
    }
    return start + n * h;
}
