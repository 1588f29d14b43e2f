/* peak.c - measures the peak of fused multiply-adds; the best of several turns, since
 * nothing makes it faster than it is. */
#include <math.h>

#include "bench.h"
#include "peak.h"
#include "report.h"

#define ROUNDS    100000L
#define FLOPS_FMA 2.0 /* a multiplication and an addition */

double bench_peak(bench *b)
{
    static peak_kernel *const kernels[ISA_COUNT] = KERNEL_TABLE(peak);
    static peak_width *const widths[ISA_COUNT] = KERNEL_TABLE(peak_lanes);
    const isa set = ph_isa();
    volatile double sink = 0.0;
    double best = 0.0;
    for (int i = 0; i < BENCH_REPEATS; i++) {
        const double start = bench_now();
        sink = sink + kernels[set](ROUNDS);
        const double flops = FLOPS_FMA * PEAK_CHAINS * widths[set]() * (double)ROUNDS;
        best = fmax(best, flops / (bench_now() - start));
    }
    report_machine_number(b, "fma_peak_gflops", best);
    report_machine_number(b, "fma_lanes", widths[set]());
    return best;
}
