/* Written by scripts/lists. */
/* clang-format off */
#ifndef SIMD_VECTORS
#define SIMD_VECTORS
#define PH_ISA baseline
#endif
#include "kinds/spheres/problems/magnets.c" /* NOLINT(bugprone-suspicious-include) */
