/* derivative.h - how the end of an exact step answers changes of its start and of the body,
 * in closed form, for one body or for many. docs/derivatives.md derives it.
 *
 * Notation of addition.h: role axes a, b, c; y before, z after the step; s, c, d = sn, cn, dn w.
 * j = 1/J, G = |m|, and
 *
 *   n = m x w = dm/dt,   e = m x n,   |n|^2 = E1 E3 - Da Dc G^2 yb^2      (m, n, e orthogonal)
 *
 * A change of m by dm, of j by dj, where the Hamiltonian changes by m . dj m/2 = g(m), does
 *
 *   dm+     = m+ c_m + n+ c_n + e+ c_e
 *   dtheta+ = T^T dtheta + ((dm+ - T^T dm) x m+ + (h w . dm + h g(m) + int g dt) m+)/G^2
 *
 * with T the turn from the axes after the step to those before. By m,
 *
 *   c_m = m/G^2,   c_e = e/(G^2 |n+|^2),   c_n = h m/G^2 + n/|n|^2 + alpha e/(G^2 |n|^2)
 *   alpha = |n|^2/E3 (nu D G^2/E3 Q - sigma h)
 *   Q = Da E3/(D E1) (E3 (f+ - f) - s/d yb zb/(ya za)/lambda) - W/lambda,  f = yb yc/(ya |n|^2)
 *
 * by j, c_m = 0, c_e = (g(m+) - g(m))/|n+|^2, and c_n with one more integral alone,
 *
 *   W(w) = int_0^w sn^2/dn^2,   W(2u) = 2 W(u) + s^2 S/(d^2 D)   (s, d at u; S, D at 2u) */
#pragma once

#include "motion/exact.h"

/* Orbits closer to a stationary rotation than the root of this, or of larger and smaller units
 * than these powers of two: products of four times |n| are formed. */
#define DERIVATIVE_STATIONARY 0x1p-160
#define DERIVATIVE_UNITS      0x1p90

/* Next to a stationary rotation, n^2 << (E1 + E3)^2, or the equator of a nearly symmetric body,
 * a short step, w^2 below this, has parts that almost cancel in the derivatives by J. What that
 * loses is in proportion to the angle turned through. */
#define DERIVATIVE_CALM  0x1p-5
#define DERIVATIVE_SHORT 0.25

/* Below this part of W(w) a difference of W has lost digits: a step from before the middle of a
 * passage between the unstable axes to behind it. */
#define DERIVATIVE_SWEPT 0x1p-3

/* How a number changes with m, with the diagonal of a tensor, and with the products 23, 13, 12
 * of it, which stand twice in it. */
typedef struct slopes {
    vdouble3 m, diagonal, products;
} slopes;

typedef struct response {
    vdouble4 turn; /* T */
    vdouble3 m0, m1, n1, e1;
    vdouble G2, over_G2, alpha, over_n0; /* 1/|n|^2 before */
    slopes along_n, along_e, action;     /* c_n, c_e; h w . dm + h g + int g */
    vmask moves;                         /* it is not next to a stationary rotation */
    vmask good;
} response;

/* W/s^3 at the beginning, z = s^2: (1 - z)^(-1/2) (1 - k2 z)^(-3/2) integrated. */
PART vdouble second_kind_over_s3(vdouble z, vdouble k2)
{
    vdouble before = vsplat(1.0), c = 0.5 + 1.5 * k2;
    vdouble term[8] = {vsplat(1.0 / 3.0), 0.2 * c};
    for (int n = 2; n < 8; n++) {
        const vdouble next = ((1.0 - 0.5 / n) + (1.0 + 0.5 / n) * k2) * c - k2 * before;
        before = c;
        c = next;
        term[n] = (1.0 / (2 * n + 3)) * c;
    }
    const vdouble z2 = z * z, z4 = z2 * z2;
    return z4 * (z2 * (z * term[7] + term[6]) + (z * term[5] + term[4])) +
           (z2 * (z * term[3] + term[2]) + (z * term[1] + term[0]));
}

/* An exact step with W. */
typedef struct derivative_bodies {
    exact_bodies e;
    vdouble W, swept; /* of the step; and from the phase of its start to that of its end */
    response r;
} derivative_bodies;

/* n in role axes. */
PART vdouble3 roles_n(const addition_step *f, vdouble sigma, vdouble ya, vdouble yb, vdouble yc)
{
    return vec3(-sigma * (f->Dc * (yb * yc)), sigma * (f->D * (ya * yc)),
                -sigma * (f->Da * (ya * yb)));
}

/* Q, alpha and what else the slopes have in common. */
typedef struct shear {
    vdouble3 n0, n1; /* in role axes */
    vdouble n02, over_n0, over_n1, Q, alpha;
    vdouble gain; /* zb^2 - yb^2 */
    vdouble sigma, over_D, over_Da, s_over_d;
} shear;

/* c_n by Da and Dc, with those of E1 and E3 by them: what a change of k^2 does is Q. */
PART vdouble shear_of_moments(const addition *a, const shear *x, vdouble dDa, vdouble dDc,
                              vdouble dE1, vdouble dE3)
{
    const addition_step *f = &a->f;
    const addition_orbit *o = &a->o;
    const vdouble growth = (dDa * o->E3 + f->Da * dE3) * o->inverse2; /* of lambda^2 */
    const vdouble near_0 = (dDc * o->E1 + f->Dc * dE1) * o->inverse2 - o->k2 * growth,
                  near_1 = (dDc * (f->yc * f->yc) - dDa * (f->ya * f->ya)) * (f->D * o->inverse2) +
                           o->kc2 * (growth - (dDa + dDc) * x->over_D);
    return 0.5 * (vselect(o->k2 < 0.5, near_0, near_1) * (x->sigma * x->Q) + f->h * growth);
}

PART shear shear_of(const addition *a, vdouble sigma, vdouble swept, const addition_turn *t)
{
    const addition_step *f = &a->f;
    const addition_orbit *o = &a->o;
    const addition_end *z = &a->z;
    const vdouble G2 = a->G * a->G, over_E3 = f->Da * o->inverse2;
    shear x = {.sigma = sigma,
               .over_D = 1.0 / f->D,
               .over_Da = o->E3 * o->inverse2,
               .s_over_d = a->x.s / a->x.d,
               .n0 = roles_n(f, sigma, f->ya, f->yb, f->yc),
               .n1 = roles_n(f, sigma, t->ya, t->yb, t->yc)};
    x.n02 = dot(x.n0, x.n0);
    x.over_n0 = 1.0 / x.n02;
    const vdouble n12 = dot(x.n1, x.n1);
    x.over_n1 = 1.0 / n12;
    /* by the constant E1 from the gain of c, where that is smaller */
    const vmask by_c =
        f->D * (f->yc * f->yc + z->yc * z->yc) < f->Da * (f->yb * f->yb + z->yb * z->yb);
    x.gain = vselect(by_c, -(f->D * z->dc * (2.0 * f->yc + z->dc)) * x.over_Da,
                     z->db * (2.0 * f->yb + z->db));
    /* f+ - f from the changes: nothing cancels next to spheres; from the ends where m nears the
     * unstable axis, and changes by almost all that it was away from it */
    const vdouble over_a = 1.0 / (f->ya * z->ya), bc = f->yb * f->yc,
                  dbc = z->db * z->yc + f->yb * z->dc;
    const vdouble by_changes = (dbc * f->ya - bc * z->da) +
                               (bc * z->ya) * (f->Da * f->Dc * G2 * x.gain) * x.over_n0,
                  by_ends = z->yb * z->yc * f->ya - bc * z->ya * (n12 * x.over_n0);
    const vdouble jump =
        over_a * x.over_n1 * vselect(lingering(a->x.c2, o->k2), by_ends, by_changes);
    x.Q = f->Da * o->E3 * x.over_D / o->E1 * (o->E3 * jump) - o->over_lambda * swept;
    x.alpha = x.n02 * over_E3 * (o->nu * f->D * G2 * over_E3 * x.Q - f->sigma_h);
    return x;
}

/* Slopes by the tensor j in role axes, as those by J in principal axes. */
PART void by_inertia(slopes *x, const renaming *r, vdouble3 j)
{
    const vdouble3 products = vec3(j.y * j.z, j.x * j.z, j.x * j.y);
    x->diagonal = scale(vsplat(-1.0), times(times(j, j), in_order_back(r, x->diagonal)));
    x->products = scale(vsplat(-1.0), times(products, products_renamed_back(r, x->products)));
}

/* The integrals of yb yc, yc ya, ya yb over the step, times sigma: -da/Dc, db/D, -dc/Da. The
 * first is formed as if divided before, where Dc may be 0. */
PART vdouble3 mixed_integrals(const addition *a, const shear *x)
{
    const addition_step *f = &a->f;
    const addition_orbit *o = &a->o;
    const doubled *e = &a->x;
    const vdouble s2 = (e->s * e->s) * o->inverse2;
    const vdouble ia =
        a->z.over_den * (f->ya * (s2 * (f->Da * (f->yb * f->yb) - o->E1 / (1.0 + e->d))) -
                         (e->s * o->over_lambda * e->c) * (f->yb * f->yc));
    const vmask small = lingering(e->c2, o->k2);
    return vec3(-vselect(small, a->z.da / f->Dc, ia), a->z.db * x->over_D, -a->z.dc * x->over_Da);
}

/* The slopes by j, in role axes. */
PART void slopes_by_moments(const addition *a, const shear *x, vdouble W, response *r)
{
    const addition_step *f = &a->f;
    const addition_orbit *o = &a->o;
    const addition_end *z = &a->z;
    const vdouble3 y = vec3(f->ya, f->yb, f->yc), y2 = times(y, y),
                   yy = vec3(y.y * y.z, y.x * y.z, y.x * y.y),
                   gain = vec3(-(f->Dc * x->over_D) * x->gain, x->gain,
                               -(f->Da * x->over_D) * x->gain);
    const vdouble zero = vsplat(0.0), one = vsplat(1.0), over_D = x->over_D;
    const vdouble by_a = shear_of_moments(a, x, one, zero, y2.y + y2.z, y2.x),
                  by_c = shear_of_moments(a, x, zero, one, y2.z, y2.x + y2.y);
    r->along_n.diagonal = scale(x->sigma, vec3(by_a, by_c - by_a, -by_c));
    r->along_e.diagonal = scale(0.5 * x->over_n1, gain);
    const vdouble V = o->lambda * f->sigma_h - o->kc2 * W - x->s_over_d * a->x.c,
                  b = x->sigma * o->over_lambda *
                      ((o->E1 * x->over_Da) * V + a->x.s * (f->yb * z->yb));
    r->action.diagonal =
        scale(vsplat(0.5), add(scale(f->h, y2), vec3(over_D * (o->E3 * f->h - f->Dc * b), b,
                                                     over_D * (o->E1 * f->h - f->Da * b))));
    /* c_n = (change of e_k/|n|^2)/(ja - jb) - alpha ya yb/|n|^2, and e_k is y_k times one of
     * the constants E1, E2, E3 */
    const vdouble3 mixed = mixed_integrals(a, x);
    const vdouble turn = a->G * a->G * x->gain * x->over_n0, E2 = f->Da * y2.x - f->Dc * y2.z;
    const vdouble3 change = vec3(o->E1 * (mixed.x - y.x * (f->Da * turn)),
                                 -E2 * (mixed.y + y.y * (f->Da * f->Dc * over_D * turn)),
                                 -o->E3 * (mixed.z - y.z * (f->Dc * turn)));
    r->along_n.products = sub(scale(x->over_n1, change), scale(x->alpha * x->over_n0, yy));
    r->along_e.products =
        scale(x->over_n1, vec3(z->db * z->yc + y.y * z->dc, z->da * z->yc + y.x * z->dc,
                               z->da * z->yb + y.x * z->db));
    r->action.products = add(scale(f->h, yy), scale(x->sigma, mixed));
}

/* Whether the formulas hold in the units of m and J, which are ordinary. */
PART vmask derivative_units(vdouble3 m, vdouble3 J)
{
    const vdouble spin = dot(m, m) * (1.0 / J.y);
    return (spin <= DERIVATIVE_UNITS) & (spin >= 1.0 / DERIVATIVE_UNITS);
}

/* The end of a step towards the unstable axis, with za and zc to the last digits of each: not as
 * differences, but with the factors of dn(u0 + w) dn(u0 - w) and of cn. */
PART void refine_end(addition *a, addition_turn *t)
{
    const addition_step *f = &a->f;
    const addition_orbit *o = &a->o;
    const doubled *x = &a->x;
    const vmask small = lingering(x->c2, o->k2);
    if (!vany(small))
        return;
    const vdouble sl = x->s * o->over_lambda, ya = f->ya * x->d, yc = f->yc * x->c,
                  less_a = f->Dc * sl * x->c * (f->yb * f->yc),
                  less_c = f->Da * sl * x->d * (f->yb * f->ya);
    const vmask cancel_a = small & (less_a > 0.0), cancel_c = small & (less_c * yc > 0.0);
    const vdouble za = (o->kc2 / o->size + o->nu * (yc * yc)) / (ya + less_a),
                  zc = (yc * yc - o->kc2 * (f->Da / f->D) * ((f->yb * x->s) * (f->yb * x->s))) /
                       (yc + less_c);
    a->z.ya = vselect(cancel_a, za, a->z.ya);
    a->z.yc = vselect(cancel_c, zc, a->z.yc);
    t->ya = vselect(cancel_a, za, t->ya);
    t->yc = vselect(cancel_c, zc, t->yc);
    a->z.da = vselect(cancel_a, za - f->ya, a->z.da);
    a->z.dc = vselect(cancel_c, zc - f->yc, a->z.dc);
}

/* W(u0 + w) - W(u0) = W(w) + sd(w) sd(u0) sd(u0 + w), sd = sn/dn. */
PART vdouble swept_by(const addition *a, vdouble W)
{
    const addition_step *f = &a->f;
    return W + f->Da * a->o.E3 / (f->D * a->o.E1) *
                   ((a->x.s / a->x.d) * (f->yb * a->z.yb) / (f->ya * a->z.ya));
}

/* Of a step that ends with t, in principal axes. */
PART void respond(derivative_bodies *w, const addition_turn *t, bool moments)
{
    const addition *a = &w->e.a;
    const addition_orbit *o = &a->o;
    const bodies *s = &w->e.s;
    const renaming *names = &w->e.r;
    const vdouble sigma = vselect(names->xz, vsplat(-1.0), vsplat(1.0));
    const shear x = shear_of(a, sigma, w->swept, t);
    const vdouble3 j = inverses_of(s->J), m0 = s->m, n0 = renamed_back(names, x.n0),
                   e0 = cross(m0, n0);
    response *r = &w->r;
    r->turn = of_unit_length(mul(inverse(s->q), w->e.out.q));
    r->m0 = m0;
    r->m1 = w->e.out.m;
    r->n1 = renamed_back(names, x.n1);
    r->e1 = cross(r->m1, r->n1);
    r->G2 = a->G * a->G;
    r->over_G2 = 1.0 / r->G2;
    r->alpha = x.alpha;
    r->over_n0 = x.over_n0;
    r->along_n.m = add(scale(s->h * r->over_G2, m0),
                       scale(x.over_n0, add(n0, scale(x.alpha * r->over_G2, e0))));
    r->along_e.m = scale(r->over_G2 * x.over_n1, e0);
    r->action.m = scale(s->h, times(j, m0));
    const vdouble size = o->E1 + o->E3;
    /* D of a sphere is what give_roles() has added to 0, and of other bodies far above that */
    r->moves =
        (x.n02 >= DERIVATIVE_STATIONARY * (size * size)) & (a->f.D > vsplat(ADDITION_SPHERE));
    r->good = r->moves & derivative_units(m0, s->J) & (o->kc2 >= 0.0);
    if (moments) {
        slopes_by_moments(a, &x, w->W, r);
        by_inertia(&r->along_n, names, j);
        by_inertia(&r->along_e, names, j);
        by_inertia(&r->action, names, j);
        const vdouble angle = s->h * (j.y * a->G),
                      calm = DERIVATIVE_CALM * (size * size) * vmin(angle * angle, vsplat(1.0));
        r->good = r->good & ((x.n02 >= calm) | (s->h * s->h * o->lambda2 >= DERIVATIVE_SHORT));
    }
}

PART void derivative_begin(derivative_bodies *w)
{
    exact_begin(&w->e);
    const vdouble s = w->e.a.x.s, z = s * s;
    w->W = (s * z) * second_kind_over_s3(z, w->e.a.o.k2);
}

PART void derivative_double(derivative_bodies *w, int i)
{
    addition *a = &w->e.a;
    const vmask on = a->n > i;
    const vdouble s = a->x.s, d = a->x.d;
    addition_double(a, i);
    w->W = vselect(on, 2.0 * w->W + (s * s) * a->x.s / ((d * d) * a->x.d), w->W);
}

PART void derivative_finish(derivative_bodies *w, bool moments)
{
    addition_turn t = addition_finish(&w->e.a);
    w->e.out = outcome_of_roles(&w->e.s, &w->e.r, &t);
    refine_end(&w->e.a, &t);
    w->swept = swept_by(&w->e.a, w->W);
    respond(w, &t, moments);
    w->r.good = w->r.good & (vabs(w->swept) >= DERIVATIVE_SWEPT * vabs(w->W));
}

/* A step but for derivative_finish(). */
PART void derivative_carry(derivative_bodies w[VECTORS])
{
    BOTH(derivative_begin(&w[k]));
    for (int j = 0; vany((w[0].e.a.n > j) | (w[VECTORS - 1].e.a.n > j)); j++)
        BOTH(derivative_double(&w[k], j));
    BOTH(addition_carry(&w[k].e.a));
}

/* ---- rows, in the axes of the response ----------------------------------------------- */

PART vdouble3 sum_of_four(vdouble a, vdouble3 x, vdouble b, vdouble3 y, vdouble c, vdouble3 z,
                          vdouble d, vdouble3 u)
{
    return vec3((a * x.x + b * y.x) + (c * z.x + d * u.x),
                (a * x.y + b * y.y) + (c * z.y + d * u.y),
                (a * x.z + b * y.z) + (c * z.z + d * u.z));
}

PART vdouble3 sum_of_three(vdouble a, vdouble3 x, vdouble b, vdouble3 y, vdouble c, vdouble3 z)
{
    return vec3((a * x.x + b * y.x) + c * z.x, (a * x.y + b * y.y) + c * z.y,
                (a * x.z + b * y.z) + c * z.z);
}

/* How m+ . x changes, by what x has of m+, n+ and e+. */
PART slopes slopes_of_momentum(const response *r, vdouble m, vdouble n, vdouble e, bool moments)
{
    const slopes *N = &r->along_n, *E = &r->along_e;
    slopes s = {.m = sum_of_three(m * r->over_G2, r->m0, n, N->m, e, E->m)};
    if (moments) {
        s.diagonal = add(scale(n, N->diagonal), scale(e, E->diagonal));
        s.products = add(scale(n, N->products), scale(e, E->products));
    }
    return s;
}

/* How theta+ . x changes, by the same, and T x. */
PART slopes slopes_of_attitude(const response *r, vdouble m, vdouble n, vdouble e, vdouble3 turned,
                               bool moments)
{
    const slopes *N = &r->along_n, *E = &r->along_e, *A = &r->action;
    const vdouble c_a = r->over_G2 * m, c_n = -(r->over_G2 * e);
    slopes s = {.m = sum_of_four(c_n, N->m, n, E->m, c_a, A->m, r->over_G2, cross(turned, r->m0))};
    if (moments) {
        s.diagonal = sum_of_three(c_n, N->diagonal, n, E->diagonal, c_a, A->diagonal);
        s.products = sum_of_three(c_n, N->products, n, E->products, c_a, A->products);
    }
    return s;
}
