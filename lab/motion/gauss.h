/* gauss.h - the step of the flows `gauss6` to `gauss10` and `rotation_gauss6` to
 * `rotation_gauss10`, for one body or for many; lab/flows/gauss.c and lab/motion/celledoni_forms.c
 * state the method.
 *
 * The two families are one map: the same angle of the same frame, which takes m to a
 * fixed axis and m' to another, as a quaternion or as a matrix.
 *
 * The momentum by src/motion/addition.h, whose notation this is. In it, with
 *
 *   K = Da ya^2 - Dc yc^2 = E3 (1 - n) >= 0  (constant),   n = Dc G^2/E3
 *   sqrt(D/E1) yc,  sqrt(Da/E1) yb:  cosine and sine of the amplitude phi
 *
 * the angle of the frame of m and m' is, CFSZ (14) and (39),
 *
 *   psi = 2 T h/G - K/(G lambda) delta sum b_i f(phi0 + a_i delta),  delta = phi - phi0
 *   f = ( (cos^2 + K/E3 sin^2) sqrt(cos^2 + (1 - k^2) sin^2) )^-1,  1 - k^2 = D K/(Da E3)
 *
 * The sine of delta as the addition theorem gives it,
 *
 *   E1/sqrt(D Da) sin delta = (ya/lambda (E1 - Da yb^2 g s) - g c yb yc) s/den
 *   g = k^2 s/(1 + d),   s, c, d = sn, cn, dn(w)
 *
 * keeps its relative accuracy in a short step; delta is twice the arctangent of the half
 * angle, |delta| <= |w| <= GAUSS_LONGEST. The nodes are turned out of the two ends, the middle
 * one is along their sum.
 *
 * Seen from the smallest turn p(y) that takes y to e_a, m' has the direction
 *
 *   R = yc (E3 + D ya G) - i yb (K + Da ya G)
 *
 * in the quadrant of -phi. While phi moves by less than pi/2, R turns by less than pi:
 * hence half of psi + arg R - arg R+ needs no counting of turns, and p(y)^-1 (turn by it
 * about e_a) p(y+) has the sign that is continuous in time.
 */
#pragma once

/* On a GPU the second program (base/portable.h) is long. A driver that inlines every call in it takes a minute to
 * compile it, and five seconds with calls. */
#if defined __OPENCL_VERSION__ && defined FINISH
#define static static __attribute__((noinline))
#endif

#include "base/simd_atan.h"
#include "lab/motion/gauss_legendre.h"
#include "motion/exact.h"

/* Bodies left to lab/motion/celledoni_forms.c:
 * - those that it hands over to `exact`, with a margin: the square of the smallest
 *   distance from an axis, 1 - k^2, Dc/Da and the differences of moments are small;
 * - those whose psi may change steeply with phi, by sqrt(E3/(Da (1 - k^2)))/G: phi is known
 *   to some u only;
 * - long steps. */
#define GAUSS_MARGIN   0x1p-20
#define GAUSS_STEEPEST 6.0
#define GAUSS_LONGEST  1.5

/* Where the frame and the angle of the flow begin and end, and what they are made of. */
typedef struct amplitudes {
    vdouble c0, s0, c1, s1; /* cosine and sine of phi at the two ends */
    vdouble delta;
    vdouble cosine; /* of delta */
    vdouble nc, kc; /* 1 - n, 1 - k^2 */
} amplitudes;

PART amplitudes amplitudes_of(const addition_step *f, const addition_orbit *o, const doubled *x,
                              const addition_end *z, vdouble K)
{
    const vdouble over_E1 = 1.0 / o->E1, rc = vsqrt(f->D * over_E1), rs = vsqrt(f->Da * over_E1);
    const vdouble g = o->k2 * x->s / (1.0 + x->d);
    const vdouble sn = (o->over_lambda * f->ya) * (o->E1 - (f->Da * (f->yb * f->yb)) * (g * x->s)) -
                       (g * x->c * (f->yb * f->yc));
    amplitudes a = {
        .c0 = rc * f->yc,
        .s0 = rs * f->yb,
        .c1 = rc * z->yc,
        .s1 = rs * z->yb,
        .nc = K * (f->Da * o->inverse2),
        .kc = o->kc2,
    };
    a.cosine = a.c0 * a.c1 + a.s0 * a.s1;
    a.delta = 2.0 * simd_atan((rc * rs) * (z->over_den * x->s) * sn, 1.0 + a.cosine);
    return a;
}

/* 1/f where the squares of cosine and sine are c2 and s2. */
PART vdouble over_integrand(const amplitudes *a, vdouble c2, vdouble s2)
{
    return (a->nc * s2 + c2) * vsqrt(a->kc * s2 + c2);
}

/* 1/f where the amplitude is that of c, s and another one of cosine C and sine S. */
PART vdouble over_integrand_from(const amplitudes *a, vdouble c, vdouble s, vdouble C, vdouble S)
{
    const vdouble cosine = c * C - s * S, sine = c * S + s * C;
    return over_integrand(a, cosine * cosine, sine * sine);
}

/* The terms of the rule: the node in the middle, and a pair of nodes, which is at most
 * delta/2 < pi/4 from the ends. */
PART vdouble middle_term(const amplitudes *a)
{
    const vdouble c = a->c0 + a->c1, s = a->s0 + a->s1, square = 2.0 + 2.0 * a->cosine;
    return square * vsqrt(square) / over_integrand(a, c * c, s * s);
}

PART vdouble pair_term(const amplitudes *a, double node)
{
    vdouble S, C;
    sincos_small(node * a->delta, vsplat(0.0), false, &S, &C);
    const vdouble first = over_integrand_from(a, a->c0, a->s0, C, S),
                  last = over_integrand_from(a, a->c1, a->s1, C, -S);
    return (first + last) / (first * last);
}

/* Half of arg R - arg R+, as a complex number in its direction. */
PART void half_seen(const addition_step *f, const addition_orbit *o, vdouble G, vdouble K,
                    const addition_end *z, vdouble *Hr, vdouble *Hi)
{
    const vdouble unit = 1.0 / (f->D * G * G * G);
    const vdouble R0r = unit * f->yc * ((f->D * f->ya) * G + o->E3),
                  R0i = -unit * f->yb * ((f->Da * f->ya) * G + K),
                  R1r = unit * z->yc * ((f->D * z->ya) * G + o->E3),
                  R1i = -unit * z->yb * ((f->Da * z->ya) * G + K);
    half_angle(R0r * R1r + R0i * R1i, R0i * R1r - R0r * R1i, Hr, Hi);
}

PART vdouble smallest_difference(vdouble3 J)
{
    return vmin(vabs(J.x - J.y), vmin(vabs(J.y - J.z), vabs(J.z - J.x)));
}

/* ---- the step, in parts ---------------------------------------------------------- */

typedef struct gauss_bodies {
    bodies s;
    outcome out;
    renaming r;
    addition_step f;
    addition_orbit o;
    vdouble jb, G, K, w;
    vint n; /* doublings */
    doubled x;
    addition_end z;
    amplitudes a;
    vdouble sum; /* of the quadrature */
} gauss_bodies;

PART void gauss_begin(gauss_bodies *v)
{
    const addition_step *f = &v->f;
    v->r = give_roles(&v->s, &v->f, &v->jb);
    v->G = norm(v->s.m);
    v->o = orbit_of(f);
    v->w = v->o.lambda * f->sigma_h;
    v->K = f->Da * f->ya * f->ya - (f->Dc * f->yc) * f->yc;
    v->n = doublings(v->w * v->w) & ADDITION_DOUBLINGS;
    v->x = undoubled(v->w, v->o.k2, vsplat(0.0), v->n);
}

/* sn, cn, dn alone: the compiler drops what belongs to the third kind. */
PART void gauss_double(gauss_bodies *v, int i)
{
    double_up(&v->x, v->o.k2, v->o.kc2, vsplat(0.0), vsplat(0.0), v->n, i);
}

/* The angle does not wait for the way back onto the orbit: it is a turn about m. */
PART void gauss_carry(gauss_bodies *v)
{
    const addition_end z = end_of(&v->f, &v->o, &v->x);
    v->z = onto_orbit(&v->f, &v->o, &z);
    v->a = amplitudes_of(&v->f, &v->o, &v->x, &z, v->K);
    v->sum = vsplat(0.0);
}

PART void gauss_finish(gauss_bodies *v)
{
    const addition_step *f = &v->f;
    const addition_orbit *o = &v->o;
    const vdouble G = v->G, integral = v->a.delta * v->sum;
    const vdouble T2 =
                      (f->ja * f->ya) * f->ya + ((v->jb * f->yb) * f->yb + (f->jc * f->yc) * f->yc),
                  angle = (0.5 / G) * (T2 * f->h - (v->K * o->over_lambda) * integral);
    vdouble sine, cosine, Hr, Hi;
    vsincos(angle, &sine, &cosine);
    half_seen(f, o, G, v->K, &v->z, &Hr, &Hi);
    addition_turn t = turn_of(f, G, &v->z, cosine * Hr - sine * Hi, sine * Hr + cosine * Hi);
    const vdouble3 J = v->s.J;
    t.good = sincos_can(angle) & (vabs(v->w) <= GAUSS_LONGEST) & sound(o, G) &
             (o->lambda2 >= 1.0 / ADDITION_LAMBDA2) & (o->nu <= ADDITION_NU) &
             (o->nu >= GAUSS_MARGIN) & (o->E1 >= GAUSS_MARGIN * (f->D * G) * G) &
             (v->a.kc >= GAUSS_MARGIN) &
             (o->E3 <= GAUSS_STEEPEST * GAUSS_STEEPEST * v->a.kc * (f->Da * G) * G) &
             (smallest_difference(J) >= GAUSS_MARGIN * vmax(J.x, vmax(J.y, J.z)));
    v->out = outcome_of_roles(&v->s, &v->r, &t);
}

PART void gauss_move(gauss_bodies w[VECTORS], const ph_flow *flow)
{
    const gauss_legendre rule = gauss_rules[flow->order / 2];
    BOTH(gauss_begin(&w[k]));
    for (int j = 0; vany((w[0].n > j) | (w[VECTORS - 1].n > j)); j++)
        BOTH(gauss_double(&w[k], j));
    BOTH(gauss_carry(&w[k]));
    if (rule.middle > 0.0)
        BOTH(w[k].sum = rule.middle * middle_term(&w[k].a));
    for (int j = 0; j < rule.pairs; j++)
        BOTH(w[k].sum = rule.weight[j] * pair_term(&w[k].a, rule.node[j]) + w[k].sum);
    BOTH(gauss_finish(&w[k]));
}

#ifndef SIMD_VECTORS
#include "lab/motion/celledoni_forms.h"
#ifdef FINISH /* the second program of a device */
#include "lab/motion/celledoni_forms.c"
#endif

/* The function `step` of a family after FLOW_KERNEL(): bodies that are left by a form of
 * lab/motion/celledoni_forms.h. And a member of it. */
#define GAUSS_STEP(form)                                                                           \
    CELLEDONI_STEP(celledoni_step, form)                                                           \
    static ph_status step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)                   \
    {                                                                                              \
        if (ordinary_units(s->m, J) && moved(flow, s, J, h))                                       \
            return PH_OK;                                                                          \
        return LONGER_WAY(celledoni_step(flow, s, J, h));                                          \
    }
#define GAUSS_MEMBER(called, p, words, where)                                                      \
    {                                                                                              \
        .name = (called), .title = "Semi-exact, " words ", quadrature of order " #p,               \
        .cite = "CFSZ (39), " where, .order = (p), .keeps = PH_KEEPS_ALL & ~PH_SYMPLECTIC,         \
        .step = step                                                                               \
    }
#endif
