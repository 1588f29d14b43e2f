/* peak.h - the kernel that measures how many floating-point operations a core can do. */
#ifndef POLHODE_BENCH_PEAK_H
#define POLHODE_BENCH_PEAK_H

#include "base/isa.h"

/* Vectors that are multiplied and added to at the same time. */
#define PEAK_CHAINS 12

/* So many rounds of PEAK_CHAINS fused multiply-adds of vectors; and how long these are. */
typedef double peak_kernel(long rounds);
typedef int peak_width(void);
KERNEL_DECLARE(peak_kernel, peak);
KERNEL_DECLARE(peak_width, peak_lanes);

#endif
