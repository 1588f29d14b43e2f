/* statistics.h - the middle and the spread of many numbers, and their extremes. */
#ifndef POLHODE_EVIDENCE_STATISTICS_H
#define POLHODE_EVIDENCE_STATISTICS_H

#include <stddef.h>

/* The larger and the smaller of two; unlike fmax and fmin, NaN if one of them is. */
double larger(double a, double b);
double smaller(double a, double b);

/* The median, which sorts x; NaN of nothing, and where one of them is NaN. */
double median(double *x, size_t count);

/* The standard deviation about the mean. */
double deviation(const double *x, size_t count);

#endif
