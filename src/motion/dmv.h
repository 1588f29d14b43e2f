/* dmv.h - one Moser-Veselov step, for one body or for many; moser_veselov.h and
 * src/flows/dmv.c state the method.
 *
 * Newton begins where one fixed-point iteration leads, and a body stands still when it has
 * converged, so that its bits do not depend on its neighbours. The steps of `dmv2` to
 * `dmv10` for bodies that cannot turn by more than the flow allows; the others, whose steps
 * are divided, are left.
 */
#pragma once

#include "motion/bodies.h"
#include "motion/dmv_moments.h"

/* Done once an iteration i; a build that counts them says how. */
#ifndef NEWTON_OBSERVE
#define NEWTON_OBSERVE ((void)0)
#endif

/* ---- the equation ---------------------------------------------------------------- */

/* I e + e x I e = (1 + |e|^2) (h/2) y for e, HV (18); the body turns by (1, e). */
typedef struct dmv_equation {
    vdouble3 over, I; /* inverses of the moments, and these */
    vdouble3 hy, e;   /* h y, and the unknown */
    vdouble start;    /* the size of the first guess */
    vmask active, done;
} dmv_equation;

PART vdouble largest_of(vdouble3 v)
{
    return vmax(vabs(v.x), vmax(vabs(v.y), vabs(v.z)));
}

/* With the first guess, to be solved where `wanted`. */
PART dmv_equation dmv_equation_of(vdouble3 over, vdouble3 hy, vmask wanted)
{
    const vdouble3 half = scale(vsplat(0.5), hy), first = times(half, over);
    const vdouble more = 1.0 + dot(first, first), start = largest_of(first);
    return (dmv_equation){
        .over = over,
        .I = inverses_of(over),
        .hy = hy,
        .e = times(over, sub(scale(more, half), cross(first, half))),
        .start = start,
        .active = wanted & (start >= 0.0),
        .done = start < 0.0,
    };
}

/* One Newton update for F(e) = I e + e x I e - (1 + |e|^2) (h/2) y,
 * dF = I - hat(I e) + hat(e) I - h y e^T. */
PART void dmv_iterate(dmv_equation *q)
{
    const double close =
        1e-9; /* as in newton.h: the update after which the root is exact */
    const vdouble3 I = q->I, hy = q->hy, e = q->e, Ie = times(I, e), c = cross(e, Ie);
    const vdouble3 F = sub(add(Ie, c), scale(0.5 * (1.0 + dot(e, e)), hy));
    const vdouble3 r0 = {I.x - hy.x * e.x, (Ie.z - e.z * I.y) - hy.x * e.y,
                         (e.y * I.z - Ie.y) - hy.x * e.z};
    const vdouble3 r1 = {(e.z * I.x - Ie.z) - hy.y * e.x, I.y - hy.y * e.y,
                         (Ie.x - e.x * I.z) - hy.y * e.z};
    const vdouble3 r2 = {(Ie.y - e.y * I.x) - hy.z * e.x, (e.x * I.y - Ie.x) - hy.z * e.y,
                         I.z - hy.z * e.z};
    const vdouble3 c0 = cross(r1, r2), c1 = cross(r2, r0), c2 = cross(r0, r1);
    const vdouble3 sum = add(scale(F.x, c0), add(scale(F.y, c1), scale(F.z, c2))),
                   u = scale(1.0 / dot(r0, c0), sum);
    q->e.x = vselect(q->active, e.x - u.x, e.x);
    q->e.y = vselect(q->active, e.y - u.y, e.y);
    q->e.z = vselect(q->active, e.z - u.z, e.z);
    const vmask now =
        q->active & (largest_of(u) <= close * vmax(largest_of(q->e), q->start));
    q->done |= now;
    q->active &= vnot(now);
}

/* Where the solution is the one that tends to zero with h. */
PART vmask dmv_solved(const dmv_equation *q)
{
    const double fold = 1.0; /* |e| at a quarter turn */
    return q->done & (dot(q->e, q->e) < fold * fold);
}

/* ---- the step -------------------------------------------------------------------- */

/* The inverses of the modified moments, to order 10. */
PART vdouble3 dmv_inverses(int order, vdouble3 j, vdouble3 y, vdouble h)
{
    const vdouble p1 = j.x + j.y + j.z, unit = 1.0 / p1, h2 = h * h * p1;
    const vdouble3 a = scale(unit, j);
    const vdouble H = 0.5 * h2 * dot(times(j, y), y), C = 0.5 * h2 * p1 * dot(y, y);
    const dmv_moments c =
        dmv_moments_of(order, H, C, a.x * a.y + a.y * a.z + a.z * a.x, a.x * a.y * a.z);
    const vdouble d = c.d * p1;
    return add(scale(c.s, j), vec3(d, d, d));
}

enum { DMV_ITERATIONS = 8 };

typedef struct dmv_bodies {
    bodies s;
    outcome out;
    dmv_equation q;
} dmv_bodies;

PART void dmv_begin(dmv_bodies *w, int order)
{
    const bodies *s = &w->s;
    const vdouble3 j = inverses_of(s->J), over = dmv_inverses(order, j, s->m, s->h);
    const vdouble angle = vabs(s->h) * norm(s->m) * vmax(j.x, vmax(j.y, j.z));
    const vmask wanted = (angle < 0.999 * DMV_LARGEST_ANGLE(order)) & (over.x > 0.0) &
                         (over.y > 0.0) & (over.z > 0.0);
    w->q = dmv_equation_of(over, scale(s->h, s->m), wanted);
}

PART void dmv_finish(dmv_bodies *w)
{
    const vdouble3 e = w->q.e;
    const vdouble unit = 1.0 / vsqrt(1.0 + dot(e, e));
    w->out = turned_by(&w->s, quat(unit, scale(unit, e)), dmv_solved(&w->q));
}

PART void dmv_move(dmv_bodies w[VECTORS], const ph_flow *flow)
{
    BOTH(dmv_begin(&w[k], flow->order));
    for (int i = 0; i < DMV_ITERATIONS && vany(w[0].q.active | w[VECTORS - 1].q.active);
         i++) {
        NEWTON_OBSERVE;
        BOTH(dmv_iterate(&w[k].q));
    }
    BOTH(dmv_finish(&w[k]));
}
