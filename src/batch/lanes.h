/* lanes.h - what the kernels share: bodies in the lanes of vectors, in and out, and the
 * algebra of vec.h for many. Formulas read as there. */
#ifndef POLHODE_BATCH_LANES_H
#define POLHODE_BATCH_LANES_H

#include "batch/kernels.h"
#include "core/ordinary.h"
#include "core/simd.h"

typedef struct lanes3 {
    lanes x, y, z;
} lanes3;

typedef struct lanes4 {
    lanes w, x, y, z;
} lanes4;

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
    lanes4 q;
    lanes3 m, J;
    lanes h;
} bodies;

static inline bodies load_bodies(const ph_batch *b, size_t i, const double *h,
                                 bool h_each)
{
    return (bodies){
        {load(b->q[0] + i), load(b->q[1] + i), load(b->q[2] + i), load(b->q[3] + i)},
        {load(b->m[0] + i), load(b->m[1] + i), load(b->m[2] + i)},
        {load(b->J[0] + i), load(b->J[1] + i), load(b->J[2] + i)},
        h_each ? load(h + i) : splat(*h)};
}

/* Below infinity, and not NaN. */
static inline choice finite(lanes x)
{
    return magnitude(x) <= 0x1.fffffffffffffp1023;
}

static inline void store_where(choice good, double *to, lanes x, lanes before)
{
    store(to, select(good, x, before));
}

/* Momentum and moments as they may be in a kernel: src/core/ordinary.h. Not so for NaN, nor
 * for moments that are not positive. */
static inline choice ordinary(const bodies *s)
{
    const lanes3 J = s->J, m = s->m;
    const lanes m2 = m.x * m.x + m.y * m.y + m.z * m.z, sum = J.x + J.y + J.z,
                smallest = smaller(J.x, smaller(J.y, J.z));
    return (m2 >= 1.0 / (ORDINARY_MOMENTUM * ORDINARY_MOMENTUM)) &
           (m2 <= ORDINARY_MOMENTUM * ORDINARY_MOMENTUM) &
           (smallest >= 1.0 / ORDINARY_MOMENTS) & (sum <= ORDINARY_MOMENTS) &
           (sum <= ORDINARY_RATIO * smallest);
}

/* Whether a body, however its momentum points, turns by a few radians at most. Each turn of
 * a splitting rounds the components of m by u |m|, and with them the angle of the next by u
 * of these radians: with more of them kernel and step would differ by more than the motion
 * is determined to. */
static inline choice turns_little(const bodies *s)
{
    const double most = 4.0;
    const lanes3 J = s->J, m = s->m;
    const lanes hm2 = (s->h * s->h) * (m.x * m.x + m.y * m.y + m.z * m.z),
                bound = most * smaller(J.x, smaller(J.y, J.z));
    return hm2 <= bound * bound;
}

/* Stores the bodies that are good, ordinary and finite; marks the others, whose state
 * stays. */
static inline void store_bodies(const ph_batch *b, size_t i, const bodies *before,
                                lanes4 q, lanes3 m, choice good, unsigned char *left)
{
    const lanes sum = (q.w + q.x) + (q.y + q.z) + 0.0 * ((m.x + m.y) + m.z);
    const choice ok = good & finite(sum) & ordinary(before);
    store_where(ok, b->q[0] + i, q.w, before->q.w);
    store_where(ok, b->q[1] + i, q.x, before->q.x);
    store_where(ok, b->q[2] + i, q.y, before->q.y);
    store_where(ok, b->q[3] + i, q.z, before->q.z);
    store_where(ok, b->m[0] + i, m.x, before->m.x);
    store_where(ok, b->m[1] + i, m.y, before->m.y);
    store_where(ok, b->m[2] + i, m.z, before->m.z);
    for (int k = 0; k < LANES; k++)
        left[i + (size_t)k] = ok[k] == 0;
}

/* ---- algebra --------------------------------------------------------------------- */

static inline lanes4 mul(lanes4 a, lanes4 b)
{
    return (lanes4){nmadd(a.z, b.z, nmadd(a.y, b.y, nmadd(a.x, b.x, a.w * b.w))),
                    nmadd(a.z, b.y, madd(a.y, b.z, madd(a.x, b.w, a.w * b.x))),
                    madd(a.z, b.x, madd(a.y, b.w, nmadd(a.x, b.z, a.w * b.y))),
                    madd(a.z, b.w, nmadd(a.y, b.x, madd(a.x, b.y, a.w * b.z)))};
}

static inline lanes4 of_unit_length(lanes4 q)
{
    const lanes u = inverse_root(madd(q.w, q.w, q.x * q.x) + madd(q.y, q.y, q.z * q.z));
    return (lanes4){u * q.w, u * q.x, u * q.y, u * q.z};
}

/* A quaternion next to unit length, brought there to first order. */
static inline lanes4 tidy(lanes4 q)
{
    const lanes longer = madd(q.x, q.x, madd(q.y, q.y, q.z * q.z)),
                c = 0.5 * madd(1.0 - q.w, 1.0 + q.w, -longer);
    return (lanes4){madd(c, q.w, q.w), madd(c, q.x, q.x), madd(c, q.y, q.y),
                    madd(c, q.z, q.z)};
}

static inline lanes3 cross(lanes3 a, lanes3 b)
{
    return (lanes3){nmadd(a.z, b.y, a.y * b.z), nmadd(a.x, b.z, a.z * b.x),
                    nmadd(a.y, b.x, a.x * b.y)};
}

static inline lanes dot(lanes3 a, lanes3 b)
{
    return madd(a.x, b.x, madd(a.y, b.y, a.z * b.z));
}

static inline lanes3 scale(lanes c, lanes3 a)
{
    return (lanes3){c * a.x, c * a.y, c * a.z};
}

static inline lanes3 add(lanes3 a, lanes3 b)
{
    return (lanes3){a.x + b.x, a.y + b.y, a.z + b.z};
}

/* q^-1 v q */
static inline lanes3 rotate_back(lanes4 q, lanes3 v)
{
    const lanes3 u = {q.x, q.y, q.z}, t = scale(splat(2.0), cross(u, v)),
                 ut = cross(u, t);
    return (lanes3){nmadd(q.w, t.x, v.x) + ut.x, nmadd(q.w, t.y, v.y) + ut.y,
                    nmadd(q.w, t.z, v.z) + ut.z};
}

/* The same after a turn in the body frame, which carries the momentum along. */
static inline void store_turned_by(const ph_batch *b, size_t i, const bodies *before,
                                   lanes4 turn, choice good, unsigned char *left)
{
    store_bodies(b, i, before, tidy(mul(before->q, turn)), rotate_back(turn, before->m),
                 good, left);
}

#endif
