/* fused_step.c - one body's step of `exact` with products fused where the compiler can. */
#define ph_motion_step bench_fused_step
#include "motion/step.c"
