/* bodies.h - one body, or many in the lanes of vectors, before and after a step; and how the
 * file of a flow offers its step for both.
 *
 * The formulas of such a flow are written once, with the types of base/simd.h, and have the
 * same bits for one body, for many, and on a device. Its file in src/motion/flows is compiled as
 * any other; once more for each instruction set, as a kernel, with SIMD_VECTORS defined; and by
 * the compilers of devices. It has
 *
 *     typedef struct mr_bodies { bodies s; outcome out; ... } mr_bodies;
 *     PART void mr_move(mr_bodies w[VECTORS], const ph_flow *flow) ...
 *
 *     FLOW_KERNEL(mr, mr_bodies, mr_move)
 *
 *     #ifndef SIMD_VECTORS
 *     static ph_status step(const ph_flow *flow, ...) ... moved(flow, s, J, h) ...
 *     #ifndef __OPENCL_VERSION__
 *     const ph_flow ph_flow_mr = {... .step = step,
 *     #endif
 *     #endif
 *
 * and batch.c finds the kernel by the step.
 */
#pragma once

#ifdef SIMD_FLOAT
#include <float.h>
#endif

#include "base/isa.h"
#include "base/simd_sincos.h"
#include "motion/ordinary_units.h"
#include "polhode/body.h"
#ifndef __OPENCL_VERSION__
#include "polhode/batch.h"
#include "polhode/catalog.h"
#endif

/* Vectors of bodies are carried along by twos, part after part of a step: while the one
 * waits for a quotient or for the end of a chain of products, the machine works on the
 * other. The statement is for both, k = 0 and 1, whose first body is `at` places on; as k
 * is constant, what an array of two holds can stay in registers. One body is alone. */
#ifndef SIMD_VECTORS
enum { VECTORS = 1 };
#define BOTH(statement)                                                                            \
    do {                                                                                           \
        enum { k = 0, at = 0 };                                                                    \
        statement;                                                                                 \
    } while (0)
#else
enum { VECTORS = 2 };
#define BOTH(statement)                                                                            \
    do {                                                                                           \
        {                                                                                          \
            enum { k = 0, at = 0 };                                                                \
            statement;                                                                             \
        }                                                                                          \
        {                                                                                          \
            enum { k = 1, at = LANES };                                                            \
            statement;                                                                             \
        }                                                                                          \
    } while (0)
#endif

/* LANES bodies: state, moments and step. */
typedef struct bodies {
    vdouble4 q;
    vdouble3 m, J;
    vdouble h;
} bodies;

/* Their states after it, where good; for bodies in ordinary units (ordinary_units.h). */
typedef struct outcome {
    vdouble4 q;
    vdouble3 m;
    vmask good;
} outcome;

/* Below infinity, and not NaN. */
PART vmask vfinite(vdouble x)
{
#ifdef SIMD_FLOAT
    return vabs(x) <= FLT_MAX;
#else
    return vabs(x) <= 0x1.fffffffffffffp1023;
#endif
}

/* States that are good where they are finite. */
PART outcome outcome_of(vdouble4 q, vdouble3 m, vmask good)
{
    const vdouble sum = (q.w + q.x) + (q.y + q.z) + 0.0 * ((m.x + m.y) + m.z);
    return (outcome){q, m, good & vfinite(sum)};
}

/* After a turn in the body frame, which carries the momentum along. */
PART outcome turned_by(const bodies *s, vdouble4 turn, vmask good)
{
    return outcome_of(renormalize(mul(s->q, turn)), rotate_back(turn, s->m), good);
}

#ifdef SIMD_VECTORS
/* Whether half the angle by which a body turns, however its momentum points, is at most half of
 * `most`. */
PART vmask turns_within(const bodies *s, double most)
{
    const vdouble3 J = s->J;
    const vdouble hm2 = (s->h * s->h) * dot(s->m, s->m),
                  bound = vsplat(most) * vmin(J.x, vmin(J.y, J.z));
    return hm2 <= bound * bound;
}
#endif

/* Whether this angle is one that vsincos() can do. */
PART vmask sincos_can_all(const bodies *s)
{
#ifndef SIMD_VECTORS
    (void)s;
    return true;
#else
#ifdef SIMD_FLOAT
    return turns_within(s, 2.0 * SINCOS_UNREDUCED);
#else
    return turns_within(s, SINCOS_LARGEST);
#endif
#endif
}

/* Whether sincos_unreduced() can do it for all bodies of all vectors. One body never asks:
 * vsincos() does. Floats are always done so, and others are not good. */
PART bool both_turn_little(const bodies *s, const bodies *other)
{
#ifndef SIMD_VECTORS
    (void)s, (void)other;
    return false;
#elif defined SIMD_FLOAT
    (void)s, (void)other;
    return true;
#else
    const double most = 2.0 * SINCOS_UNREDUCED;
    return !vany(vnot(turns_within(s, most) & turns_within(other, most)));
#endif
}

#ifndef SIMD_VECTORS
/* ---- one body -------------------------------------------------------------------- */

PART bodies one_body(const ph_state *s, ph_vec3 J, double h)
{
    return (bodies){s->q, s->m, J, h};
}

/* Takes the state over if it is good. */
PART bool take(ph_state *s, const outcome *o)
{
    if (o->good)
        *s = (ph_state){o->q, o->m};
    return o->good;
}

/* The function `moved`: one body by the formulas of a flow; false where these do not hold, and
 * then nothing is changed. */
#define FLOW_KERNEL(name, type, move)                                                              \
    PART bool moved(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)                         \
    {                                                                                              \
        type w[VECTORS];                                                                           \
        w[0].s = one_body(s, J, h);                                                                \
        move(w, flow);                                                                             \
        return take(s, &w[0].out);                                                                 \
    }

#else
/* ---- many, in a kernel ----------------------------------------------------------- */

#ifdef SIMD_FLOAT
typedef ph_batchf lane_batch;
#define FLOW_KERNEL_NAME(name) KERNEL(batchf_##name)
#else
typedef ph_batch lane_batch;
#define FLOW_KERNEL_NAME(name) KERNEL(batch_##name)
#endif

/* The three numbers from J[0] on, which are the moments of all bodies if there is no J[1]. */
static inline vdouble3 shared_moments(const lane_batch *b)
{
    const lane_number *const J = b->J[0];
    return (vdouble3){vsplat(J[0]), vsplat(J[1]), vsplat(J[2])};
}

static inline bodies load_sharing(const lane_batch *b, vdouble3 J, size_t i, const lane_number *h,
                                  bool h_each)
{
    return (bodies){
        {vload(b->q[0] + i), vload(b->q[1] + i), vload(b->q[2] + i), vload(b->q[3] + i)},
        {vload(b->m[0] + i), vload(b->m[1] + i), vload(b->m[2] + i)},
        J,
        h_each ? vload(h + i) : vsplat(*h)};
}

static inline bodies load_bodies(const lane_batch *b, size_t i, const lane_number *h, bool h_each)
{
    const vdouble3 J = {vload(b->J[0] + i), vload(b->J[1] + i), vload(b->J[2] + i)};
    return load_sharing(b, J, i, h, h_each);
}

static inline void store_where(vmask good, lane_number *to, vdouble x, vdouble before)
{
    vstore(to, vselect(good, x, before));
}

/* Stores the states that are good; marks the others, which stay. */
static inline void store_good(const lane_batch *b, size_t i, const bodies *before, const outcome *o,
                              vmask good, unsigned char *not_done)
{
    store_where(good, b->q[0] + i, o->q.w, before->q.w);
    store_where(good, b->q[1] + i, o->q.x, before->q.x);
    store_where(good, b->q[2] + i, o->q.y, before->q.y);
    store_where(good, b->q[3] + i, o->q.z, before->q.z);
    store_where(good, b->m[0] + i, o->m.x, before->m.x);
    store_where(good, b->m[1] + i, o->m.y, before->m.y);
    store_where(good, b->m[2] + i, o->m.z, before->m.z);
    for (int k = 0; k < LANES; k++)
        not_done[i + (size_t)k] = good[k] == 0;
}

/* The same for bodies in ordinary units. */
static inline void store_bodies(const lane_batch *b, size_t i, const bodies *before,
                                const outcome *o, unsigned char *not_done)
{
    store_good(b, i, before, o, o->good & ordinary_units(before->m, before->J), not_done);
}

/* The loop is compiled twice, each in a function of its own: with the same moments for all bodies,
 * the compiler moves what depends on the moments alone out of the loop. */
#define FLOW_LOOP(function, type, move, sharing)                                                   \
    static __attribute__((noinline)) void function(const ph_flow *flow, const lane_batch *b,       \
                                                   const lane_number *h, bool h_each,              \
                                                   unsigned char *not_done)                        \
    {                                                                                              \
        const vdouble3 J = (sharing) ? shared_moments(b) : (vdouble3){0};                          \
        for (size_t i = 0; i < b->n; i += (size_t)VECTORS * LANES) {                               \
            type w[VECTORS];                                                                       \
            BOTH(w[k].s = (sharing) ? load_sharing(b, J, i + at, h, h_each)                        \
                                    : load_bodies(b, i + at, h, h_each));                          \
            move(w, flow);                                                                         \
            BOTH(store_bodies(b, i + at, &w[k].s, &w[k].out, not_done));                           \
        }                                                                                          \
    }

#define FLOW_KERNEL(name, type, move)                                                              \
    FLOW_LOOP(name##_each, type, move, false)                                                      \
    FLOW_LOOP(name##_sharing, type, move, true)                                                    \
    void FLOW_KERNEL_NAME(name)(const ph_flow *flow, const lane_batch *b, const lane_number *h,    \
                                bool h_each, unsigned char *not_done);                             \
    void FLOW_KERNEL_NAME(name)(const ph_flow *flow, const lane_batch *b, const lane_number *h,    \
                                bool h_each, unsigned char *not_done)                              \
    {                                                                                              \
        (b->J[1] == NULL ? name##_sharing : name##_each)(flow, b, h, h_each, not_done);            \
    }
#endif
