/* peak.c - as many fused multiply-adds as a core can do: CHAINS independent ones at a
 * time, enough to hide the latency, in registers alone. */
#include "peak.h"
#include "core/simd.h"

double KERNEL(peak)(long rounds)
{
    const vdouble a = vsplat(1.0 - 0x1p-40), b = vsplat(0x1p-41);
    vdouble x[PEAK_CHAINS];
    for (int i = 0; i < PEAK_CHAINS; i++)
        x[i] = vsplat(i);
    for (long round = 0; round < rounds; round++) {
#pragma GCC unroll 16
        for (int i = 0; i < PEAK_CHAINS; i++)
            x[i] = vmadd(x[i], a, b);
    }
    double sum = 0.0;
    for (int i = 0; i < PEAK_CHAINS; i++)
        sum += x[i][0];
    return sum;
}

int KERNEL(peak_lanes)(void)
{
    return LANES;
}
