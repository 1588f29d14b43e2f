/* Written by scripts/lists. */
/* clang-format off */
#ifndef SIMD_VECTORS
#define SIMD_VECTORS
#define PH_ISA baseline
#endif
#include "motion/batch/batch_derivative.c" /* NOLINT(bugprone-suspicious-include) */
