/* prelude.cl - what every program begins with. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
#define PH_API static /* a program is one translation unit */
#include "base/portable.h"
#include "polhode/body.h"
#include "rotation/vec.h"
