/* portable.h - C and OpenCL C. A file that devices compile too (device) says FILE_CONSTANT for
 * a table or a number of the file, FILE_TABLE double * for a pointer into one, and leaves what
 * OpenCL C cannot do, such as pointers to functions, between `#ifndef __OPENCL_VERSION__` and
 * `#endif`. */
#pragma once

#ifndef __OPENCL_VERSION__
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FILE_CONSTANT static const
#define FILE_TABLE    const
#else
#define FILE_CONSTANT __constant
#define FILE_TABLE    __constant

typedef long int64_t;
typedef ulong uint64_t;
typedef int int32_t;
typedef uint uint32_t;
#define INT64_MAX     LONG_MAX
#define INT64_MIN     LONG_MIN
#define UINT32_MAX    UINT_MAX
#define _Static_assert(condition, words)

/* Names that OpenCL C has taken, some drivers by macros. */
#undef half
#define half half_
#undef dot
#define dot dot_
#undef cross
#define cross cross_
#undef length
#define length length_
#undef distance
#define distance distance_
#undef normalize
#define normalize normalize_
#undef rotate
#define rotate rotate_
#undef select
#define select select_
#undef step
#define step step_
#undef sign
#define sign sign_
#undef mix
#define mix mix_
#undef clamp
#define clamp clamp_

static inline void memcpy(void *to, const void *from, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((char *)to)[i] = ((const char *)from)[i];
}

/* Bodies are done by two programs. The first is short; it leaves a body for which a step takes
 * a longer way, with the status LEFT. The second, with FINISH defined, does those. */
#define LEFT  100
#endif

#if defined __OPENCL_VERSION__ && !defined FINISH
#define LONGER_WAY(step) LEFT
#else
#define LONGER_WAY(step) (step)
#endif
