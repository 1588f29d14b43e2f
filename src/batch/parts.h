/* parts.h - bodies in the lanes with their axes in the roles of src/motion/addition.h:
 * what the kernels share that carry the momentum by its formulas. */
#pragma once

#include "batch/renaming.h"
#include "core/simd_sincos.h"
#include "motion/addition.h"

/* Roles a, b, c of the axes x, y, z: the moments ascending or descending, m encircling a;
 * right-handed, y_a >= 0. Also 1/J along b. */
static inline renaming prepare(const bodies *s, addition_step *f, vdouble *jb)
{
    vdouble3 I = s->J, m = s->m;
    renaming r = ascending(&I, &m);
    const vdouble xy = I.x * I.y, over_all = 1.0 / (xy * I.z);
    const vdouble jz = xy * over_all, jx = (I.y * I.z) * over_all;
    const vdouble D12 = (I.y - I.x) * (I.z * over_all),
                  D23 = (I.z - I.y) * (I.x * over_all),
                  D13 = (I.z - I.x) * (I.y * over_all);
    const vdouble y2 = m.y * m.y, E1 = D12 * y2 + D13 * (m.z * m.z),
                  E3 = D13 * (m.x * m.x) + D23 * y2;
    r.xz = D12 * E3 < D23 * E1;
    exchange_where(r.xz, &m.x, &m.z);
    r.sign_x = vcopysign(vsplat(1.0), m.x);
    r.sign_y = r.sign_x * vselect(r.xz, -r.sign_y, r.sign_y);
    *jb = (I.x * I.z) * over_all;
    *f = (addition_step){
        .Da = vselect(r.xz, D23, D12),
        .Dc = vselect(r.xz, D12, D23),
        .D = D13,
        .ja = vselect(r.xz, jz, jx),
        .jc = vselect(r.xz, jx, jz),
        .ya = r.sign_x * m.x,
        .yb = r.sign_y * m.y,
        .yc = m.z,
        .h = s->h,
        .sigma_h = vselect(r.xz, -s->h, s->h),
    };
    return r;
}

/* Stores the bodies s after their turns, where good and the angle is one that
 * simd_sincos() can do. */
static inline void store_turned(const ph_batch *b, size_t i, const bodies *s,
                                const renaming *r, const addition_turn *t,
                                unsigned char *not_done)
{
    const vdouble3 v = renamed_back(r, (vdouble3){t->ra, t->rb, t->rc});
    const vdouble4 q =
        renormalize(of_unit_length(mul(s->q, (vdouble4){t->r0, v.x, v.y, v.z})));
    const vmask good = t->good & (vabs(t->angle) <= SINCOS_LARGEST);
    store_bodies(b, i, s, q, renamed_back(r, (vdouble3){t->ya, t->yb, t->yc}), good,
                 not_done);
}
