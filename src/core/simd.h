/* simd.h - vectors of doubles, as wide as the instruction set a kernel is compiled for.
 *
 * `lanes` is a vector, with + - * / and comparisons lane by lane (the vector extensions
 * of GCC and Clang); a comparison gives a `choice`, all ones or all zeros in each lane. What
 * the extensions lack is here: madd is a fused multiply-add where the instruction set has
 * one and two roundings elsewhere, so that results differ in the last bits between
 * instruction sets, never between machines with the same one.
 */
#ifndef POLHODE_CORE_SIMD_H
#define POLHODE_CORE_SIMD_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef SIMD_ONE_LANE
#include "core/one_lane.h"
#else

#if defined __AVX512F__ || defined __AVX2__ || defined __SSE2__
#include <immintrin.h>
#elif defined __ARM_NEON && defined __aarch64__
#include <arm_neon.h>
#endif

#if defined __AVX512F__
enum { LANES = 8 };
#elif defined __AVX2__
enum { LANES = 4 };
#else
enum { LANES = 2 };
#endif

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef int64_t choice __attribute__((vector_size(LANES * sizeof(int64_t))));
typedef choice whole; /* 64-bit integers */

/* ---- memory: any alignment ------------------------------------------------------- */

static inline lanes load(const double *from)
{
    lanes x;
    memcpy(&x, from, sizeof x);
    return x;
}

static inline void store(double *to, lanes x)
{
    memcpy(to, &x, sizeof x);
}

/* The same number in every lane. */
static inline lanes splat(double x)
{
    return x - (lanes){0};
}

/* ---- arithmetic ------------------------------------------------------------------ */

/* a b + c */
static inline lanes madd(lanes a, lanes b, lanes c)
{
#if defined __AVX512F__
    return (lanes)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif defined __AVX2__ && defined __FMA__
    return (lanes)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#elif defined __ARM_NEON && defined __aarch64__
    return (lanes)vfmaq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
#else
    return a * b + c;
#endif
}

/* c - a b */
static inline lanes nmadd(lanes a, lanes b, lanes c)
{
#if defined __AVX512F__
    return (lanes)_mm512_fnmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif defined __AVX2__ && defined __FMA__
    return (lanes)_mm256_fnmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#elif defined __ARM_NEON && defined __aarch64__
    return (lanes)vfmsq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
#else
    return c - a * b;
#endif
}

/* 1/x, 1/y, 1/z by one division, for the divider takes as long as many multipliers. */
static inline void invert(lanes *x, lanes *y, lanes *z)
{
    const lanes xy = *x * *y, over_all = 1.0 / (xy * *z), over_xy = *z * over_all,
                over_x = *y * over_xy;
    *y = *x * over_xy;
    *x = over_x;
    *z = xy * over_all;
}

/* a/x, b/x, c/y in the same way. */
static inline void divide(lanes *a, lanes *b, lanes x, lanes *c, lanes y)
{
    const lanes over_both = 1.0 / (x * y), over_x = y * over_both;
    *a = *a * over_x;
    *b = *b * over_x;
    *c = *c * (x * over_both);
}

static inline lanes root(lanes x)
{
#if defined __AVX512F__
    return (lanes)_mm512_sqrt_pd((__m512d)x);
#elif defined __AVX2__
    return (lanes)_mm256_sqrt_pd((__m256d)x);
#elif defined __SSE2__
    return (lanes)_mm_sqrt_pd((__m128d)x);
#elif defined __ARM_NEON && defined __aarch64__
    return (lanes)vsqrtq_f64((float64x2_t)x);
#else
    for (int i = 0; i < LANES; i++)
        x[i] = sqrt(x[i]);
    return x;
#endif
}

/* 1/sqrt(x) within an ulp or two, for x > 0 that is no subnormal, and not for infinity. The
 * divider takes longer over it than the multipliers where an instruction gives the first
 * 14 bits: with 1 - x u^2 = e of those, u times (1 - e)^(-1/2) by its series. */
static inline lanes inverse_root(lanes x)
{
#if defined __AVX512F__
    const lanes u = (lanes)_mm512_rsqrt14_pd((__m512d)x);
    const lanes e = nmadd(x * u, u, splat(1.0));
    const lanes high = madd(splat(35.0 / 128.0), e, splat(5.0 / 16.0));
    const lanes series = madd(madd(high, e, splat(3.0 / 8.0)), e, splat(0.5));
    return madd(u, series * e, u);
#else
    return 1.0 / root(x);
#endif
}

/* ---- choices --------------------------------------------------------------------- */

/* a where the choice is, b elsewhere */
static inline lanes select(choice where, lanes a, lanes b)
{
#if defined __AVX512F__
    const __mmask8 mask = _mm512_movepi64_mask((__m512i)where);
    return (lanes)_mm512_mask_blend_pd(mask, (__m512d)b, (__m512d)a);
#elif defined __AVX2__
    return (lanes)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)where);
#else
    return (lanes)((where & (choice)a) | (~where & (choice)b));
#endif
}

static inline lanes magnitude(lanes x)
{
    return (lanes)((choice)x & INT64_MAX);
}

/* the magnitude of x with the sign of s */
static inline lanes with_sign(lanes x, lanes s)
{
    return (lanes)(((choice)x & INT64_MAX) | ((choice)s & INT64_MIN));
}

static inline lanes larger(lanes a, lanes b)
{
    return select(a > b, a, b);
}

static inline lanes smaller(lanes a, lanes b)
{
    return select(a < b, a, b);
}

static inline bool any(choice where)
{
    int64_t all = 0;
    for (int i = 0; i < LANES; i++)
        all |= where[i];
    return all != 0;
}

/* The sum over the lanes: of neighbours first, in a fixed order. */
static inline double lane_sum(lanes x)
{
    double part[LANES];
    store(part, x);
    for (int width = LANES / 2; width > 0; width /= 2) {
        for (int i = 0; i < width; i++)
            part[i] += part[i + width];
    }
    return part[0];
}

/* ---- what a number is made of ---------------------------------------------------- */

static inline whole bits_of(lanes x)
{
    return (whole)x;
}

static inline lanes of_bits(whole i)
{
    return (lanes)i;
}

#endif
#endif
