/* peak.c - fused multiply-adds of the widest vectors, as a contestant. */
#include "peak.h"
#include "bench.h"
#include "report.h"

#define ROUNDS    100000L
#define FLOPS_FMA 2.0 /* a multiplication and an addition */

static peak_kernel *const kernels[ISA_COUNT] = KERNEL_TABLE(peak);
static peak_width *const widths[ISA_COUNT] = KERNEL_TABLE(peak_lanes);

static double pass(void *work)
{
    (void)work;
    return kernels[ph_isa()](ROUNDS);
}

bench_contestant bench_peak(const char *name, double operations)
{
    const double all = FLOPS_FMA * PEAK_CHAINS * widths[ph_isa()]() * (double)ROUNDS;
    return (bench_contestant){.name = name, .run = pass, .units = all / operations, .peer = true};
}

void bench_peak_told(bench *b, const bench_contestant *peak, double operations)
{
    report_machine_number(b, "fma_peak_gflops", operations / peak->least);
    report_machine_number(b, "fma_lanes", widths[ph_isa()]());
}
