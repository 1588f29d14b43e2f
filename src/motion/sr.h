/* sr.h - the step of the flow `sr2`, for one body or for many; src/motion/flows/sr.c states the
 * method. */
#pragma once

#include "base/simd_sincos.h"
#include "motion/bodies.h"
#include "motion/renaming.h"
#include "motion/turns.h"

typedef struct sr_bodies {
    bodies s;
    outcome out;
    renaming r;
    vdouble3 m; /* in the renamed axes */
    vdouble length, half, jy, a, c;
    vdouble4 turn; /* so far */
    vdouble sine, cosine;
} sr_bodies;

/* The first turn about x. */
PART void sr_begin(sr_bodies *w)
{
    vdouble3 I = w->s.J, m = w->s.m;
    w->r = rename_ascending(&I, &m);
    m.y = w->r.sign_y * m.y;
    w->m = m;
    w->half = 0.5 * w->s.h;
    w->jy = 1.0 / I.y;
    w->length = norm(m);
    w->a = ((I.y - I.x) / I.x) * w->jy;
    w->c = ((I.y - I.z) / I.z) * w->jy;
    vsincos(0.5 * w->half * (w->a * m.x), &w->sine, &w->cosine);
}

/* The turn about m, which leaves m alone, and the one about z. */
PART void turn_about_m_and_z(sr_bodies *w)
{
    const vdouble zero = vsplat(0.0);
    vdouble4 turn = {w->cosine, w->sine, zero, zero};
    const vdouble3 after = rotate_back(turn, w->m);
    vsincos(w->half * (w->length * w->jy), &w->sine, &w->cosine);
    turn = mul(turn, quat(w->cosine, scale(w->sine / w->length, after)));
    vsincos(w->half * (w->c * after.z), &w->sine, &w->cosine);
    w->turn = mul(turn, (vdouble4){w->cosine, zero, zero, w->sine});
}

/* The last turn about x, and back to the principal axes. */
PART void turn_again(sr_bodies *w)
{
    vsincos(0.5 * w->half * (w->a * rotate_back(w->turn, w->m).x), &w->sine, &w->cosine);
    const vdouble4 t =
        mul(w->turn, (vdouble4){w->cosine, w->sine, vsplat(0.0), vsplat(0.0)});
    w->out =
        turned_by(&w->s, quat(t.w, renamed_back(&w->r, vec(t))), sincos_can_all(&w->s));
}

PART void sr_move(sr_bodies w[VECTORS], const ph_flow *flow)
{
    (void)flow;
    BOTH(sr_begin(&w[k]));
    BOTH(turn_about_m_and_z(&w[k]));
    BOTH(turn_again(&w[k]));
}
