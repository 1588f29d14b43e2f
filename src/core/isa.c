/* isa.c - the best instruction set that this machine has. The compiler's run-time library
 * asked the processor when the program was loaded. */
#include "core/isa.h"

isa ph_isa(void)
{
#ifdef PH_KERNELS_X86
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return ISA_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return ISA_AVX2;
#endif
    return ISA_BASELINE;
}
