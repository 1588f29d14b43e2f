/* simd_sincos.h - sine and cosine of a vector or of one number: by the formulas of
 * reduced_angle.h, and of one number beyond SINCOS_LARGEST, or not finite, by ph_sincos(). */
#pragma once

#include "base/elementary.h"
#include "base/reduced_angle.h"

#ifdef SIMD_FLOAT
/* Of numbers up to SINCOS_UNREDUCED, with an error below 0.2 units in the last place before
 * rounding; `little` is true. */
PART void vsincos_little(bool little, vdouble x, vdouble *sine, vdouble *cosine)
{
    const vdouble z = x * x, most = 1.0f - 0.5f * z;
    (void)little;
    *sine = x + (x * z) * ((z * -1.958493193871555142449e-4f + 8.332734494524621251038e-3f) * z +
                           -0.1666666459101533493772f);
    *cosine =
        most + (z * z) * ((z * 2.454497687019308472145e-5f + -1.388828923166895922666e-3f) * z +
                          4.16666645880688744563e-2f);
}
#else
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

/* The same; `little`: no number exceeds SINCOS_UNREDUCED. */
PART void vsincos_little(bool little, vdouble x, vdouble *sine, vdouble *cosine)
{
    if (little)
        sincos_unreduced(x, sine, cosine);
    else
        vsincos(x, sine, cosine);
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
#endif
