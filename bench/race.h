/* race.h - the timing of a race, without words. */
#ifndef POLHODE_BENCH_RACE_H
#define POLHODE_BENCH_RACE_H

#include "bench.h"

/* Fills in the times of those that are not refused. */
void race_run(bench_contestant *field, int count);

/* Of BENCH_REPEATS values: the one at a fraction of the way, and the distance between the
 * quartiles relative to the median. */
double race_quantile(const double *values, double fraction);
double race_spread(const double *values);

#endif
