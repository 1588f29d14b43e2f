/* fused_mr.c - the kernel of `mr` with products fused where the compiler can. */
#define batch_mr batch_fused_mr
#include "motion/flows/mr.c" // NOLINT(bugprone-suspicious-include): the flow itself, fused
