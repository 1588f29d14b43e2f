/* fused_exact.c - the kernel of `exact` with products fused where the compiler can. */
#define batch_exact batch_fused_exact
#include "motion/flows/exact.c" // NOLINT(bugprone-suspicious-include): the flow itself, fused
