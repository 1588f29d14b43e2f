/* prelude.cl - what every program begins with. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
/* A program is one translation unit. The second program contains most of the library; a driver that inlines every
 * call in it takes a minute to compile it. */
#ifdef FINISH
#define PH_API static __attribute__((noinline))
#else
#define PH_API static
#endif
#include "base/portable.h"
#include "polhode/body.h"
#include "motion/vec.h"
