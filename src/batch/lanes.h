/* lanes.h - what the kernels share: bodies in the lanes of vectors, in and out, and the
 * algebra of vec.h for many. Formulas read as there. */
#pragma once

#include "batch/kernels.h"
#include "core/ordinary.h"
#include "core/simd.h"

/* A kernel carries two vectors of bodies along, part after part of a step: while the one
 * waits for a quotient or for the end of a chain of products, the machine works on the
 * other. The statement is for both, k = 0 and 1, whose first body is `at` places on; as k
 * is constant, what an array of two holds can stay in registers. */
#define BOTH(statement)                                                                  \
    do {                                                                                 \
        {                                                                                \
            enum { k = 0, at = 0 };                                                      \
            statement;                                                                   \
        }                                                                                \
        {                                                                                \
            enum { k = 1, at = LANES };                                                  \
            statement;                                                                   \
        }                                                                                \
    } while (0)
enum { TOGETHER = 2 * LANES }; /* bodies */

/* LANES bodies: state, moments and step. */
typedef struct bodies {
    vdouble4 q;
    vdouble3 m, J;
    vdouble h;
} bodies;

static inline bodies load_bodies(const ph_batch *b, size_t i, const double *h,
                                 bool h_each)
{
    return (bodies){
        {vload(b->q[0] + i), vload(b->q[1] + i), vload(b->q[2] + i), vload(b->q[3] + i)},
        {vload(b->m[0] + i), vload(b->m[1] + i), vload(b->m[2] + i)},
        {vload(b->J[0] + i), vload(b->J[1] + i), vload(b->J[2] + i)},
        h_each ? vload(h + i) : vsplat(*h)};
}

/* Below infinity, and not NaN. */
static inline vmask vfinite(vdouble x)
{
    return vabs(x) <= 0x1.fffffffffffffp1023;
}

static inline void store_where(vmask good, double *to, vdouble x, vdouble before)
{
    vstore(to, vselect(good, x, before));
}

/* Momentum and moments as they may be in a kernel: src/core/ordinary.h. Not so for NaN, nor
 * for moments that are not positive. */
static inline vmask ordinary(const bodies *s)
{
    const vdouble3 J = s->J, m = s->m;
    const vdouble m2 = m.x * m.x + m.y * m.y + m.z * m.z, sum = J.x + J.y + J.z,
                  smallest = vmin(J.x, vmin(J.y, J.z));
    return (m2 >= 1.0 / (ORDINARY_MOMENTUM * ORDINARY_MOMENTUM)) &
           (m2 <= ORDINARY_MOMENTUM * ORDINARY_MOMENTUM) &
           (smallest >= 1.0 / ORDINARY_MOMENTS) & (sum <= ORDINARY_MOMENTS) &
           (sum <= ORDINARY_RATIO * smallest);
}

/* Whether a body, however its momentum points, turns by a few radians at most. Each turn of
 * a splitting rounds the components of m by u |m|, and with them the angle of the next by u
 * of these radians: with more of them kernel and step would differ by more than the motion
 * is determined to. */
static inline vmask turns_little(const bodies *s)
{
    const double most = 4.0;
    const vdouble3 J = s->J, m = s->m;
    const vdouble hm2 = (s->h * s->h) * (m.x * m.x + m.y * m.y + m.z * m.z),
                  bound = most * vmin(J.x, vmin(J.y, J.z));
    return hm2 <= bound * bound;
}

/* Stores the bodies that are good, ordinary and finite; marks the others, whose state
 * stays. */
static inline void store_bodies(const ph_batch *b, size_t i, const bodies *before,
                                vdouble4 q, vdouble3 m, vmask good,
                                unsigned char *not_done)
{
    const vdouble sum = (q.w + q.x) + (q.y + q.z) + 0.0 * ((m.x + m.y) + m.z);
    const vmask ok = good & vfinite(sum) & ordinary(before);
    store_where(ok, b->q[0] + i, q.w, before->q.w);
    store_where(ok, b->q[1] + i, q.x, before->q.x);
    store_where(ok, b->q[2] + i, q.y, before->q.y);
    store_where(ok, b->q[3] + i, q.z, before->q.z);
    store_where(ok, b->m[0] + i, m.x, before->m.x);
    store_where(ok, b->m[1] + i, m.y, before->m.y);
    store_where(ok, b->m[2] + i, m.z, before->m.z);
    for (int k = 0; k < LANES; k++)
        not_done[i + (size_t)k] = ok[k] == 0;
}

/* ---- algebra --------------------------------------------------------------------- */

static inline vdouble4 mul(vdouble4 a, vdouble4 b)
{
    return (vdouble4){((a.w * b.w - a.x * b.x) - a.y * b.y) - a.z * b.z,
                      (a.y * b.z + (a.x * b.w + a.w * b.x)) - a.z * b.y,
                      a.z * b.x + (a.y * b.w + (a.w * b.y - a.x * b.z)),
                      a.z * b.w + ((a.x * b.y + a.w * b.z) - a.y * b.x)};
}

static inline vdouble4 of_unit_length(vdouble4 q)
{
    const vdouble u = 1.0 / vsqrt(q.w * q.w + q.x * q.x + (q.y * q.y + q.z * q.z));
    return (vdouble4){u * q.w, u * q.x, u * q.y, u * q.z};
}

/* A quaternion next to unit length, brought there to first order. */
static inline vdouble4 renormalize(vdouble4 q)
{
    const vdouble longer = q.x * q.x + (q.y * q.y + q.z * q.z),
                  c = 0.5 * ((1.0 - q.w) * (1.0 + q.w) - longer);
    return (vdouble4){c * q.w + q.w, c * q.x + q.x, c * q.y + q.y, c * q.z + q.z};
}

static inline vdouble3 cross(vdouble3 a, vdouble3 b)
{
    return (vdouble3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                      a.x * b.y - a.y * b.x};
}

static inline vdouble dot(vdouble3 a, vdouble3 b)
{
    return a.x * b.x + (a.y * b.y + a.z * b.z);
}

static inline vdouble3 scale(vdouble c, vdouble3 a)
{
    return (vdouble3){c * a.x, c * a.y, c * a.z};
}

static inline vdouble3 add(vdouble3 a, vdouble3 b)
{
    return (vdouble3){a.x + b.x, a.y + b.y, a.z + b.z};
}

/* q^-1 v q */
static inline vdouble3 rotate_back(vdouble4 q, vdouble3 v)
{
    const vdouble3 u = {q.x, q.y, q.z}, t = scale(vsplat(2.0), cross(u, v)),
                   ut = cross(u, t);
    return (vdouble3){v.x - q.w * t.x + ut.x, v.y - q.w * t.y + ut.y,
                      v.z - q.w * t.z + ut.z};
}

/* Stores the bodies that are good after a turn in the body frame, which carries the momentum
 * along; marks the others. */
static inline void store_turned_by(const ph_batch *b, size_t i, const bodies *before,
                                   vdouble4 turn, vmask good, unsigned char *not_done)
{
    store_bodies(b, i, before, renormalize(mul(before->q, turn)),
                 rotate_back(turn, before->m), good, not_done);
}
