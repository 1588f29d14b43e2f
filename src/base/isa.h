/* isa.h - the instruction sets a kernel is compiled for, and which of them this machine
 * has.
 *
 * A kernel is a file of a folder `kernels`, or one of a flow or a problem that has its kernel
 * in it (motion/bodies.h, integrators/lane_kernels.h). The build compiles it once for each
 * instruction set, with SIMD_VECTORS defined and PH_ISA its name; the kernel's function is KERNEL(pairs), which
 * becomes ph_pairs_avx2 and so on. A header that the kernel and its caller share has
 *
 *     typedef void pairs_kernel(const tile *t);
 *     KERNEL_DECLARE(pairs_kernel, pairs);
 *
 * and the caller chooses with
 *
 *     static pairs_kernel *const pairs[ISA_COUNT] = KERNEL_TABLE(pairs);
 *     pairs[ph_isa()](&tile);
 */
#pragma once

/* The better ones have the larger numbers. Without the build's word, or on another
 * platform, there is the baseline alone. */
typedef enum isa {
    ISA_BASELINE,
#ifdef PH_KERNELS_X86
    ISA_AVX2,
    ISA_AVX512,
#endif
    ISA_COUNT
} isa;

/* The best that this machine has; at most that in the environment variable POLHODE_ISA,
 * baseline, avx2 or avx512, which is looked at once. */
isa ph_isa(void);

/* Its name: avx512, avx2, or of the baseline neon, simd128 (WebAssembly), baseline. */
const char *ph_isa_name(void);

/* The bytes of a line of the cache. */
enum { CACHE_LINE = 64 };

/* For an array whose rows kernels take as vectors: none of these lies in two lines of the cache. */
#define VECTOR_ALIGNED _Alignas(CACHE_LINE)

#define KERNEL_PASTE(name, set)  ph_##name##_##set
#define KERNEL_EXPAND(name, set) KERNEL_PASTE(name, set)
#define KERNEL(name)             KERNEL_EXPAND(name, PH_ISA)

/* Whether this is the baseline: where a file of kernels has what there is but once. */
#define KERNEL_IS_ph_once_baseline 1
#define KERNEL_CHECK(name)         KERNEL_IS_##name
#define KERNEL_CHECKED(name)       KERNEL_CHECK(name)
#define KERNEL_IS_BASELINE         KERNEL_CHECKED(KERNEL(once))

#ifdef PH_KERNELS_X86
#define KERNEL_DECLARE(type, name)                                                                 \
    extern type ph_##name##_baseline;                                                              \
    extern type ph_##name##_avx2;                                                                  \
    extern type ph_##name##_avx512
#define KERNEL_TABLE(name)                                                                         \
    {                                                                                              \
        ph_##name##_baseline, ph_##name##_avx2, ph_##name##_avx512                                 \
    }
#else
#define KERNEL_DECLARE(type, name) extern type ph_##name##_baseline
#define KERNEL_TABLE(name)                                                                         \
    {                                                                                              \
        ph_##name##_baseline                                                                       \
    }
#endif
