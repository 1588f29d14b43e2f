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
    return vabs(x) <= 0x1.fffffffffffffp1023;
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

/* Whether half the angle by which a body turns, however its momentum points, is one that
 * vsincos() can do. */
PART vmask sincos_can_all(const bodies *s)
{
#ifndef SIMD_VECTORS
    (void)s;
    return true;
#else
    const vdouble3 J = s->J;
    const vdouble hm2 = (s->h * s->h) * dot(s->m, s->m),
                  bound = SINCOS_LARGEST * vmin(J.x, vmin(J.y, J.z));
    return hm2 <= bound * bound;
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

static inline bodies load_bodies(const ph_batch *b, size_t i, const double *h, bool h_each)
{
    return (bodies){
        {vload(b->q[0] + i), vload(b->q[1] + i), vload(b->q[2] + i), vload(b->q[3] + i)},
        {vload(b->m[0] + i), vload(b->m[1] + i), vload(b->m[2] + i)},
        {vload(b->J[0] + i), vload(b->J[1] + i), vload(b->J[2] + i)},
        h_each ? vload(h + i) : vsplat(*h)};
}

static inline void store_where(vmask good, double *to, vdouble x, vdouble before)
{
    vstore(to, vselect(good, x, before));
}

/* Stores the states that are good, of bodies in ordinary units; marks the others, which
 * stay. */
static inline void store_bodies(const ph_batch *b, size_t i, const bodies *before, const outcome *o,
                                unsigned char *not_done)
{
    const vmask good = o->good & ordinary_units(before->m, before->J);
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

#define FLOW_KERNEL(name, type, move)                                                              \
    void KERNEL(batch_##name)(const ph_flow *flow, const ph_batch *b, const double *h,             \
                              bool h_each, unsigned char *not_done);                               \
    void KERNEL(batch_##name)(const ph_flow *flow, const ph_batch *b, const double *h,             \
                              bool h_each, unsigned char *not_done)                                \
    {                                                                                              \
        for (size_t i = 0; i < b->n; i += (size_t)VECTORS * LANES) {                               \
            type w[VECTORS];                                                                       \
            BOTH(w[k].s = load_bodies(b, i + at, h, h_each));                                      \
            move(w, flow);                                                                         \
            BOTH(store_bodies(b, i + at, &w[k].s, &w[k].out, not_done));                           \
        }                                                                                          \
    }
#endif
