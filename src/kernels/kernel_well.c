/* Written by scripts/lists. */
/* clang-format off */
#ifndef SIMD_VECTORS
#define SIMD_VECTORS
#define PH_ISA baseline
#endif
#include "integrators/problems/well.c" /* NOLINT(bugprone-suspicious-include) */
