/* isa.c - the instruction set of the kernels. The compiler's run-time library asked the
 * processor when the program was loaded. */
#include "base/isa.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/choice.h"

#if defined __ARM_NEON && defined __aarch64__
#define BASELINE "neon"
#elif defined __wasm_simd128__
#define BASELINE "simd128"
#else
#define BASELINE "baseline"
#endif

static const char *const NAMES[ISA_COUNT] = {
    [ISA_BASELINE] = BASELINE,
#ifdef PH_KERNELS_X86
    [ISA_AVX2] = "avx2",
    [ISA_AVX512] = "avx512",
#endif
};

static isa best(void)
{
#ifdef PH_KERNELS_X86
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return ISA_AVX512;
    if (__builtin_cpu_supports("avx2"))
        return ISA_AVX2;
#endif
    return ISA_BASELINE;
}

/* The one that POLHODE_ISA names, or the last one. */
static isa allowed(void)
{
    const char *name = getenv("POLHODE_ISA");
    if (name != NULL && strcmp(name, "baseline") == 0)
        return ISA_BASELINE;
    for (int i = 0; name != NULL && i < ISA_COUNT; i++) {
        if (strcmp(name, NAMES[i]) == 0)
            return (isa)i;
    }
    return (isa)(ISA_COUNT - 1);
}

isa ph_isa(void)
{
    static atomic_int known; /* 1 more than it is; 0: not yet */
    int now = atomic_load_explicit(&known, memory_order_relaxed);
    if (now == 0) {
        now = 1 + smaller_int((int)allowed(), (int)best());
        atomic_store_explicit(&known, now, memory_order_relaxed);
    }
    return (isa)(now - 1);
}

const char *ph_isa_name(void)
{
    return NAMES[ph_isa()];
}
