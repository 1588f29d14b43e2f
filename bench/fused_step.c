/* fused_step.c - one body's step of `exact`, src/motion/step.c, with products fused where
 * the compiler can. */
#define ph_motion_step bench_fused_step
#include "motion/step.c" /* NOLINT(bugprone-suspicious-include) */
