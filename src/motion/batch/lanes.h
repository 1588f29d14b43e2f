/* lanes.h - bodies into the lanes of vectors and out of them, and the loop of a kernel. */
#pragma once

#define SIMD_VECTORS

#include "motion/batch/kernels.h"
#include "motion/bodies.h"

static inline bodies load_bodies(const ph_batch *b, size_t i, const double *h,
                                 bool h_each)
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
static inline void store_bodies(const ph_batch *b, size_t i, const bodies *before,
                                const outcome *o, unsigned char *not_done)
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

/* The kernel of a flow: its bodies, which begin with `bodies s` and `outcome out`, and what
 * moves VECTORS of them. */
#define BATCH_LANES(name, type, move)                                                    \
    batch_kernel KERNEL(batch_##name);                                                   \
    void KERNEL(batch_##name)(const ph_flow *flow, const ph_batch *b, const double *h,   \
                              bool h_each, unsigned char *not_done)                      \
    {                                                                                    \
        for (size_t i = 0; i < b->n; i += (size_t)VECTORS * LANES) {                     \
            type w[VECTORS];                                                             \
            BOTH(w[k].s = load_bodies(b, i + at, h, h_each));                            \
            move(w, flow);                                                               \
            BOTH(store_bodies(b, i + at, &w[k].s, &w[k].out, not_done));                 \
        }                                                                                \
    }
