/* peak.c - as many fused multiply-adds as a core can do: CHAINS independent ones at a
 * time, enough to hide the latency, in registers alone. */
#include "peak.h"
#include "base/simd.h"

/* a b + c, rounded once where there is an instruction for it. */
static inline vdouble fused(vdouble a, vdouble b, vdouble c)
{
#if defined __AVX512F__
    return (vdouble)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif defined __AVX2__ && defined __FMA__
    return (vdouble)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#elif defined __ARM_NEON && defined __aarch64__
    return (vdouble)vfmaq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
#else
    return a * b + c;
#endif
}

double KERNEL(peak)(long rounds)
{
    const vdouble a = vsplat(1.0 - 0x1p-40), b = vsplat(0x1p-41);
    vdouble x[PEAK_CHAINS]; /* in registers, as all its loops are unrolled */
#pragma GCC unroll 16
    for (int i = 0; i < PEAK_CHAINS; i++)
        x[i] = vsplat(i);
    for (long round = 0; round < rounds; round++) {
#pragma GCC unroll 16
        for (int i = 0; i < PEAK_CHAINS; i++)
            x[i] = fused(a, b, x[i]); /* into its own register everywhere */
    }
    vdouble sum = vsplat(0.0);
#pragma GCC unroll 16
    for (int i = 0; i < PEAK_CHAINS; i++)
        sum += x[i];
    return sum[0];
}

int KERNEL(peak_lanes)(void)
{
    return LANES;
}
