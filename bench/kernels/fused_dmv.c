/* fused_dmv.c - the kernel of `dmv2` to `dmv10` with products fused where the compiler can. */
#define batch_dmv batch_fused_dmv
#include "src/motion/flows/dmv.c" // NOLINT(bugprone-suspicious-include): the flow itself, fused
