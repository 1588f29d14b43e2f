/* exact.h - the step of the flow `exact` by addition and doubling (addition.h), for one body
 * or for many, and the axes that this and `gauss` give their roles. */
#pragma once

#include "motion/addition.h"
#include "motion/bodies.h"
#include "motion/renaming.h"

/* Roles a, b, c of the axes x, y, z: the moments ascending or descending, m encircling a;
 * right-handed, y_a >= 0. Also 1/J along b. */
PART renaming give_roles(const bodies *s, addition_step *f, vdouble *jb)
{
    vdouble3 I = s->J, m = s->m;
    renaming r = rename_ascending(&I, &m);
    const vdouble yz = I.y * I.z, over = 1.0 / (I.x * yz);
    const vdouble3 j = vec3(over * yz, over * (I.x * I.z), over * (I.x * I.y));
    /* a spin about the middle axis is that of a sphere of its moment */
    const vmask spins = (m.x == 0.0) & (m.z == 0.0);
    const vdouble over_D = vselect(spins, vsplat(0.0), over);
    const vdouble D12 = over_D * ((I.y - I.x) * I.z), D23 = over_D * ((I.z - I.y) * I.x),
                  D13 = over_D * ((I.z - I.x) * I.y), D = D13 + ADDITION_SPHERE,
                  most = ADDITION_KEEPS ? D : D13; /* as good for the comparison */
    const vdouble y2 = m.y * m.y, E1 = D12 * y2 + most * (m.z * m.z),
                  E3 = most * (m.x * m.x) + D23 * y2;
    r.xz = D12 * E3 < D23 * E1;
    exchange_where(r.xz, &m.x, &m.z);
    r.sign_x = vcopysign(vsplat(1.0), m.x);
    r.sign_y = r.sign_x * vselect(r.xz, -r.sign_y, r.sign_y);
    *jb = j.y;
    *f = (addition_step){
        .Da = vselect(r.xz, D23, D12),
        .Dc = vselect(r.xz, D12, D23),
        .D = D,
        .ja = vselect(spins, j.y, vselect(r.xz, j.z, j.x)),
        .jc = vselect(r.xz, j.x, j.z),
        .ya = r.sign_x * m.x,
        .yb = r.sign_y * m.y,
        .yc = m.z,
        .E1 = vselect(r.xz, E3, E1),
        .E3 = vselect(r.xz, E1, E3),
        .h = s->h,
        .sigma_h = vselect(r.xz, -s->h, s->h),
    };
    return r;
}

/* The bodies after a turn in role axes that is not of unit length yet. */
PART outcome outcome_of_roles(const bodies *s, const renaming *r, const addition_turn *t)
{
    const vdouble3 v = renamed_back(r, vec3(t->ra, t->rb, t->rc));
    return outcome_of(renormalize(of_unit_length(mul(s->q, quat(t->r0, v)))),
                      renamed_back(r, vec3(t->ya, t->yb, t->yc)), t->good);
}

typedef struct exact_bodies {
    bodies s;
    outcome out;
    renaming r;
    addition a;
} exact_bodies;

PART void exact_begin(exact_bodies *w)
{
    vdouble jb;
    w->r = give_roles(&w->s, &w->a.f, &jb);
    addition_begin(&w->a, norm(w->s.m));
}

PART void exact_finish(exact_bodies *w)
{
    const addition_turn t = addition_finish(&w->a);
    w->out = outcome_of_roles(&w->s, &w->r, &t);
}

PART void exact_move(exact_bodies w[VECTORS], const ph_flow *flow)
{
    (void)flow;
    BOTH(exact_begin(&w[k]));
    for (int j = 0; vany((w[0].a.n > j) | (w[VECTORS - 1].a.n > j)); j++)
        BOTH(addition_double(&w[k].a, j));
    BOTH(addition_carry(&w[k].a));
    BOTH(exact_finish(&w[k]));
}
