/* prelude.cl - OpenCL C made to look like the C of src, for one body a work-item. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

typedef long int64_t;
typedef ulong uint64_t;
typedef int int32_t;
typedef uint uint32_t;
#define INT64_MAX       LONG_MAX
#define INT64_MIN       LONG_MIN
#define UINT32_MAX      UINT_MAX
#define _Static_assert(condition, words)
#define POLHODE_API_H
#define PH_API static

/* Names that OpenCL C has taken. */
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

#define memcpy(to, from, size) copy_bytes(to, from, size)
static inline void copy_bytes(void *to, const void *from, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((char *)to)[i] = ((const char *)from)[i];
}

#include "polhode/polhode.h"
#include "rotation/vec.h"

/* The status of a body that takes the longer way, in `finish`. */
#define LEFT 100

/* What no step can work with, as ph_flow_step() finds it. */
static inline ph_status ph_check(const ph_body *b, const ph_state *s)
{
    const ph_vec3 J = b->J;
    const bool zero = s->q.w == 0.0 && norm_max(vec(s->q)) == 0.0;
    if (!(J.x > 0.0 && J.y > 0.0 && J.z > 0.0 && finite3(J)))
        return PH_BAD_INERTIA;
    return zero || !finite4(s->q) || !finite3(s->m) ? PH_BAD_STATE : PH_OK;
}

static inline ph_status checked(const ph_state *s, ph_vec3 J, double h)
{
    const ph_body body = {J, {1, 0, 0, 0}, true};
    const ph_status status = ph_check(&body, s);
    return status == PH_OK && !isfinite(h) ? PH_BAD_STEP : status;
}
