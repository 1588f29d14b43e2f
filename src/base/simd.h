/* simd.h - vectors of doubles, as wide as the instruction set a kernel is compiled for.
 *
 * A vdouble is a vector of LANES doubles, with + - * / and comparisons lane by lane (the
 * vector extensions of GCC and Clang); a comparison gives a vmask, all ones or all zeros in
 * each lane. What the extensions lack is here. Every operation rounds as for one number, and
 * nothing is fused, so that results are the same on every instruction set.
 *
 * This in files that are compiled as kernels (isa.h); elsewhere the same names stand for
 * single numbers (simd_scalar.h). A kernel that defines SIMD_FLOAT has vectors of floats under
 * these names, twice as many in each: formulas serve both if their constants are exact in float.
 */
#pragma once

#include "base/portable.h"

/* A part of a formula that is done for two vectors at the same time, or once: never called. */
#define PART static inline __attribute__((always_inline))

#ifndef SIMD_VECTORS
#include "base/simd_scalar.h"
#else

#if defined __AVX512F__ || defined __AVX2__ || defined __SSE2__
#include <immintrin.h>
#elif defined __ARM_NEON && defined __aarch64__
#include <arm_neon.h>
#elif defined __wasm_simd128__
#include <wasm_simd128.h>
#endif

#if defined __AVX512F__
enum { VECTOR_BYTES = 64 };
#elif defined __AVX2__
enum { VECTOR_BYTES = 32 };
#else
enum { VECTOR_BYTES = 16 };
#endif

/* A number of a lane, and the integer of its size. */
#ifdef SIMD_FLOAT
typedef float lane_number;
typedef int32_t lane_bits;
#define LANE_SIGN INT32_MIN
#else
typedef double lane_number;
typedef int64_t lane_bits;
#define LANE_SIGN INT64_MIN
#endif
enum { LANES = VECTOR_BYTES / sizeof(lane_number) };

typedef lane_number vdouble __attribute__((vector_size(VECTOR_BYTES)));
typedef lane_bits vmask __attribute__((vector_size(VECTOR_BYTES)));
typedef vmask vint; /* integers */

typedef struct vdouble3 {
    vdouble x, y, z;
} vdouble3;

typedef struct vdouble4 {
    vdouble w, x, y, z;
} vdouble4;

/* ---- memory: any alignment ------------------------------------------------------- */

static inline vdouble vload(const lane_number *from)
{
    vdouble x;
    memcpy(&x, from, sizeof x);
    return x;
}

static inline void vstore(lane_number *to, vdouble x)
{
    memcpy(to, &x, sizeof x);
}

#ifndef SIMD_FLOAT
typedef uint64_t vword __attribute__((vector_size(VECTOR_BYTES)));

static inline vword vload_words(const uint64_t *from)
{
    vword x;
    memcpy(&x, from, sizeof x);
    return x;
}
#endif

/* One number in every lane. */
static inline vdouble vsplat(double x)
{
    return (lane_number)x - (vdouble){0};
}

/* ---- arithmetic ------------------------------------------------------------------ */

static inline vdouble vsqrt(vdouble x)
{
#ifdef SIMD_FLOAT
    for (int i = 0; i < LANES; i++) /* the compiler makes one instruction of it */
        x[i] = sqrtf(x[i]);
    return x;
#elif defined __AVX512F__
    return (vdouble)_mm512_sqrt_pd((__m512d)x);
#elif defined __AVX2__
    return (vdouble)_mm256_sqrt_pd((__m256d)x);
#elif defined __SSE2__
    return (vdouble)_mm_sqrt_pd((__m128d)x);
#elif defined __ARM_NEON && defined __aarch64__
    return (vdouble)vsqrtq_f64((float64x2_t)x);
#elif defined __wasm_simd128__
    return (vdouble)wasm_f64x2_sqrt((v128_t)x);
#else
    for (int i = 0; i < LANES; i++)
        x[i] = sqrt(x[i]);
    return x;
#endif
}

/* ---- masks ----------------------------------------------------------------------- */

/* a where the mask is set, b elsewhere. Choose between vectors with this, not with a condition that is one
 * number: gcc 12 and 13 with AVX-512 take `one != 0.0 ? a - b : a` for a mask that has the first lane alone
 * (scripts/masks searches for such masks). */
static inline vdouble vselect(vmask where, vdouble a, vdouble b)
{
#ifdef SIMD_FLOAT
    return (vdouble)((where & (vmask)a) | (~where & (vmask)b));
#elif defined __AVX2__ && !defined __AVX512F__
    return (vdouble)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)where);
#elif defined __wasm_simd128__
    return (vdouble)wasm_v128_bitselect((v128_t)a, (v128_t)b, (v128_t)where);
#else
    return (vdouble)((where & (vmask)a) | (~where & (vmask)b));
#endif
}

static inline vdouble vabs(vdouble x)
{
    return (vdouble)((vmask)x & ~LANE_SIGN);
}

/* |x| with the sign of s */
static inline vdouble vcopysign(vdouble x, vdouble s)
{
    return (vdouble)(((vmask)x & ~LANE_SIGN) | ((vmask)s & LANE_SIGN));
}

/* a > b ? a : b and a < b ? a : b, which is what x86's instructions do, also with a NaN or with zeros. */
#if defined __AVX512F__ && !defined SIMD_FLOAT
#define EXTREME_OF(name, where, a, b) (vdouble) _mm512_##name##_pd((__m512d)(a), (__m512d)(b))
#elif defined __AVX2__ && !defined SIMD_FLOAT
#define EXTREME_OF(name, where, a, b) (vdouble) _mm256_##name##_pd((__m256d)(a), (__m256d)(b))
#else
#define EXTREME_OF(name, where, a, b) vselect(where, a, b)
#endif

static inline vdouble vmax(vdouble a, vdouble b)
{
    return EXTREME_OF(max, a > b, a, b);
}

static inline vdouble vmin(vdouble a, vdouble b)
{
    return EXTREME_OF(min, a < b, a, b);
}

static inline vmask vnot(vmask where)
{
    return ~where;
}

static inline bool vany(vmask where)
{
#if defined __AVX512F__
    return _mm512_test_epi64_mask((__m512i)where, (__m512i)where) != 0;
#elif defined __AVX2__
    return !_mm256_testz_si256((__m256i)where, (__m256i)where);
#else
    lane_bits all = 0;
    for (int i = 0; i < LANES; i++)
        all |= where[i];
    return all != 0;
#endif
}

/* ---- what a number is made of ---------------------------------------------------- */

static inline vint vbits(vdouble x)
{
    return (vint)x;
}

static inline vdouble vfrom_bits(vint i)
{
    return (vdouble)i;
}

/* The bit of the sign, and that bit set where bit 1 of i is. */
static inline vint vsign_bit(vdouble x)
{
    return (vint)x & LANE_SIGN;
}

static inline vint vbit1_to_sign(vint i)
{
    return (i << (8 * sizeof(lane_bits) - 2)) & LANE_SIGN;
}

#endif
