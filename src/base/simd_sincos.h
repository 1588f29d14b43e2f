/* simd_sincos.h - sine and cosine of a vector or of one number: by the formulas of
 * reduced_angle.h, and of one number beyond SINCOS_LARGEST, or not finite, by ph_sincos(). */
#pragma once

#include "base/elementary.h"
#include "base/reduced_angle.h"

/* Of any number; of a vector where sincos_can(). */
PART void vsincos(vdouble x, vdouble *sine, vdouble *cosine)
{
#ifdef SIMD_VECTORS
    simd_sincos(x, sine, cosine);
#elif defined __OPENCL_VERSION__ && !defined FINISH
    simd_sincos(fabs(x) <= SINCOS_LARGEST ? x : NAN, sine, cosine);
#else
    if (fabs(x) <= SINCOS_LARGEST)
        sincos_of_one(x, sine, cosine);
    else
        ph_sincos(x, sine, cosine);
#endif
}

PART vmask sincos_can(vdouble x)
{
#ifndef SIMD_VECTORS
    (void)x;
    return true;
#else
    return vabs(x) <= SINCOS_LARGEST;
#endif
}
