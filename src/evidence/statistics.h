/* statistics.h - the middle and the spread of many numbers; and extremes.h. */
#ifndef POLHODE_EVIDENCE_STATISTICS_H
#define POLHODE_EVIDENCE_STATISTICS_H

#include <stddef.h>

#include "core/extremes.h"

/* The median, which sorts x; NaN of nothing, and where one of them is NaN. */
double median(double *x, size_t count);

/* The standard deviation about the mean. */
double deviation(const double *x, size_t count);

#endif
