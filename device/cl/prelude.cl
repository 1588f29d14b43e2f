/* prelude.cl - what every program begins with. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
#include "base/portable.h"
#include "polhode/body.h"
#include "rotation/vec.h"
