/* statistics.c - the middle and the spread of many numbers. */
#include "evidence/statistics.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(double *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (isnan(x[i]))
            return NAN;
    }
    qsort(x, count, sizeof *x, ascending);
    return count == 0 ? NAN : 0.5 * (x[(count - 1) / 2] + x[count / 2]);
}

double deviation(const double *x, size_t count)
{
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += x[i];
    const double mean = sum / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    return sqrt(squares / (double)count);
}
