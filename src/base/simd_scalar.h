/* simd_scalar.h - the functions of simd.h for single numbers: formulas written once serve a
 * step of one body and a kernel for many. Included through simd.h.
 */
#pragma once

#include "polhode/rotation.h"

enum { LANES = 1 };

typedef double vdouble;
typedef ph_vec3 vdouble3;
typedef ph_quat vdouble4;
typedef int vmask; /* true or false */
typedef int64_t vint;
typedef uint64_t vword;

static inline vdouble vload(const double *from)
{
    return *from;
}

static inline void vstore(double *to, vdouble x)
{
    *to = x;
}

static inline vdouble vsplat(double x)
{
    return x;
}

static inline vdouble vsqrt(vdouble x)
{
    return sqrt(x);
}

static inline vdouble vselect(vmask where, vdouble a, vdouble b)
{
    return where ? a : b;
}

static inline vdouble vabs(vdouble x)
{
    return fabs(x);
}

static inline vdouble vcopysign(vdouble x, vdouble s)
{
    return copysign(x, s);
}

static inline vdouble vmax(vdouble a, vdouble b)
{
    return a > b ? a : b;
}

static inline vdouble vmin(vdouble a, vdouble b)
{
    return a < b ? a : b;
}

static inline vmask vnot(vmask where)
{
    return !where;
}

static inline bool vany(vmask where)
{
    return where;
}

#ifdef __OPENCL_VERSION__ /* device has no memcpy */
#define vbits(x)      as_long(x)
#define vfrom_bits(i) as_double(i)
#else
static inline vint vbits(vdouble x)
{
    vint i;
    memcpy(&i, &x, sizeof i);
    return i;
}

static inline vdouble vfrom_bits(vint i)
{
    vdouble x;
    memcpy(&x, &i, sizeof x);
    return x;
}
#endif

static inline vint vsign_bit(vdouble x)
{
    return vbits(x) & INT64_MIN;
}

static inline vint vbit1_to_sign(vint i)
{
    return (vint)((uint64_t)i << 62) & INT64_MIN;
}
