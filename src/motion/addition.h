/* addition.h - the exact step by addition and doubling, for one body or for many.
 *
 * What motion.c does uniformly well for every body, done fast for all but the degenerate:
 * no phase, no AGM, no inverse function. docs/exact.md derives it.
 *
 * Role axes a, b, c: b is the middle one, a the one that m encircles; right-handed, with
 * m_a >= 0 (signs of two axes may be turned). y = m in these, j = 1/J, G = |m|.
 *
 *   Da = |ja - jb|,  Dc = |jb - jc|,  D = |ja - jc|,  sigma = sign(ja - jc)
 *   E1 = Da yb^2 + D yc^2,  E3 = D ya^2 + Dc yb^2     (constants), Da E3 >= Dc E1
 *   lambda^2 = Da E3,  k^2 = Dc E1/lambda^2 <= 1,  w = sigma lambda h
 *
 * With s, c, d = sn, cn, dn(w | k^2) the addition theorem carries y over the step:
 *
 *   ya+ = (ya d - Dc/lambda s c yb yc)/den,    den = c^2 + D/E3 ya^2 s^2
 *   yb+ = (yb c d + D/lambda s yc ya)/den
 *   yc+ = (yc c - Da/lambda s d yb ya)/den
 *
 * The attitude is q p(y)^-1 (cos psi/2, sin psi/2 e_a) p(y+), p the smallest turn that
 * takes y to e_a, never singular. Euler's angle about a body axis e grows by j G h + r I(w)
 * and an argument from the addition theorem; psi is this and the angle by which e, seen from
 * p(y), turns. Two axes do, and their characteristics nu have the product k^2: the one with
 * nu <= 1 is taken, which is also the one that m does not come near. With rho = D G/lambda,
 *
 *   psi = j G h + r I(w) + arg A + arg B,   I(w) = int_0^w sn^2/(1 + nu sn^2)
 *   about a, E1 > E3:   j = jc,  nu = Dc/Da,  r = rho nu,   V = yc + i yb
 *   about c, E1 <= E3:  j = ja,  nu = E1/E3,  r = -rho nu,  V = ya (G + ya) + yb^2 - i yb yc
 *   A = E1/Da + nu (yb+^2 - D/lambda s yb yc+ ya+)  +  i r yb yb+ s     (addition)
 *   B = V+ conj V                                                       (moving frame)
 *
 * Where j G h and r I(w) differ in sign, the second is at most half of the first: psi is no
 * small difference of large angles.
 *
 * s and I come from their series at u = w/2^n, then n times by doubling: I(2u) = 2 I(u) +
 * arg(A_u)/r with A_u = 1 + nu (sn^2 - s^2 cn dn) + i r s^2 sn, sn, cn, dn at 2u. So the
 * arguments are those of a product of complex numbers, and only half of the last of them
 * has to be taken, by a square root. Real parts of A are positive:
 * yb+^2 - D/lambda s yb yc+ ya+ is a sum of positive terms. About a, B turns by less than half
 * a circle while m does, and the sign of cn half way says how often it did. About c the real
 * part of V is positive, and B never turns by half a circle. So the sign of the quaternion is
 * continuous in the step.
 *
 * Afterwards y+ is moved back onto its orbit, to first order. The angle does not wait for
 * that: it is a turn about m itself, and moves nothing that is kept.
 */
#pragma once

#include "base/simd_sincos.h"

/* Whether E1 and E3 are kept from where the roles are given. A kernel of two vectors has too few
 * registers for that, and computes them anew, with the same bits. */
#if !defined ADDITION_KEEPS && defined SIMD_VECTORS
#define ADDITION_KEEPS false
#elif !defined ADDITION_KEEPS
#define ADDITION_KEEPS true
#endif

/* In role axes; a result holds only where `good`. */
typedef struct addition_step {
    vdouble Da, Dc, D, ja, jc;
    vdouble ya, yb, yc;
    vdouble E1, E3; /* if ADDITION_KEEPS */
    vdouble h, sigma_h;
} addition_step;

typedef struct addition_turn {
    vdouble ya, yb, yc;     /* the momentum after the step */
    vdouble r0, ra, rb, rc; /* the turn, not yet of unit length */
    vmask good;
} addition_turn;

/* Where the formulas are as good as those of motion.c, to 4 u (1 + condition):
 * - lambda and G are far from overflow, and m is on the equator of a symmetric body or not
 *   next to it: products of the sizes of m along a and across it, and their squares, are
 *   formed;
 * - few doublings, or an orbit of which 1 - k^2 has some digits: on others, next to the
 *   separatrix, the time of a turn hangs on the last of them.
 * And u^2 is small enough for eight terms of the series.
 * ADDITION_DN2: dn^2 = D ya^2/E3 below which the way back onto the orbit is not gone in
 * full, since next to the unstable axis it is long and ill-conditioned. */
#define ADDITION_NU      64.0
#define ADDITION_LAMBDA2 0x1p600 /* and its inverse */
#define ADDITION_G       0x1p150 /* the turn, of size G^2, is squared */
#define ADDITION_SMALL_G 0x1p-200
#define ADDITION_EQUATOR 0x1p-60
#define ADDITION_SPHERE  0x1p-310 /* added to D, which changes that of a sphere alone */
#define ADDITION_LEAST   0x1p-800 /* added to what may be 0 and is divided by */
#define ADDITION_KC2     0x1p-36
#define ADDITION_DN2     0.0625
#define ADDITION_SERIES  0.0121
enum { ADDITION_FEW = 6, ADDITION_DOUBLINGS = 15 /* also a mask */ };

/* 1/|x| to some 1e-3, by the exponent and two Newton steps; x normal. */
PART vdouble rough_reciprocal(vdouble x)
{
    const int64_t mirror = 0x7fde623822fc16e6;
    const vdouble size = vabs(x);
    vdouble y = vfrom_bits(mirror - vbits(size));
    y = y * (2.0 - size * y);
    return y * (2.0 - size * y);
}

/* sn(u | k2)/u, u2 = u^2 <= ADDITION_SERIES: Taylor's series to u^12. */
PART vdouble sn_over_u(vdouble u2, vdouble k2)
{
    const vdouble t = 1.0 + k2, t2 = t * t, kk = k2 * k2;
    const vdouble c2 = 12.0 * k2 + t2, c3 = t * (132.0 * k2 + t2);
    const vdouble c4 = t2 * (1224.0 * k2 + t2) + 3024.0 * kk;
    const vdouble c5 = t * (t2 * (11064.0 * k2 + t2) + 132624.0 * kk);
    const vdouble c6 = t2 * (t2 * (99636.0 * k2 + t2) + 4095792.0 * kk) + 4390848.0 * kk * k2;
    const vdouble low = 1.0 - u2 * ((1.0 / 6.0) * t),
                  mid = (1.0 / 120.0) * c2 - u2 * ((1.0 / 5040.0) * c3),
                  high = (1.0 / 362880.0) * c4 - u2 * ((1.0 / 39916800.0) * c5);
    const vdouble u4 = u2 * u2, top = u4 * ((1.0 / 6227020800.0) * c6) + high;
    return u4 * (u4 * top + mid) + low;
}

/* int_0^s t^2/((1 + nu t^2) sqrt((1 - t^2)(1 - k2 t^2)))/s^3, z = s^2: coefficients e_n =
 * p_n - nu e_(n-1), p_n those of 1/sqrt((1 - z)(1 - k2 z)). */
PART vdouble third_kind_over_s3(vdouble z, vdouble k2, vdouble nu)
{
    const vdouble t = 1.0 + k2;
    vdouble before = vsplat(1.0), p = 0.5 * t, e = p - nu;
    vdouble term[8] = {vsplat(1.0 / 3.0), 0.2 * e};
#define NEXT(n)                                                                                    \
    do {                                                                                           \
        const vdouble next = ((n)-0.5) / (n)*t * p - (((n)-1.0) / (n)*k2) * before;                \
        before = p;                                                                                \
        p = next;                                                                                  \
        e = p - nu * e;                                                                            \
        term[n] = (1.0 / (2.0 * (n) + 3.0)) * e;                                                   \
    } while (0)
    NEXT(2);
    NEXT(3);
    NEXT(4);
    NEXT(5);
    NEXT(6);
    NEXT(7);
#undef NEXT
    const vdouble z2 = z * z, z4 = z2 * z2;
    const vdouble a = z * term[1] + term[0], b = z * term[3] + term[2], c = z * term[5] + term[4],
                  d = z * term[7] + term[6];
    return z4 * (z2 * d + c) + (z2 * b + a);
}

/* What the doublings are made of and lead to. */
typedef struct doubled {
    vdouble s, c, d;        /* sn, cn, dn */
    vdouble less_c, less_d; /* 1 - cn, 1 - dn without cancellation */
    vdouble c2;             /* cn^2 */
    vdouble half_c;         /* cn before the last doubling; without one positive */
    vdouble Zr, Zi;         /* the product before the last doubling */
    vdouble Ar, Ai;         /* the factor of the last doubling */
    vdouble integral;       /* 2^n I(u) */
} doubled;

/* At u = w/2^n, by the series. */
PART doubled undoubled(vdouble w, vdouble k2, vdouble nu, vint n)
{
    const vint bias = n * 0 + 1023;
    const vdouble u = w * vfrom_bits((bias - n) << 52);
    const vdouble s = u * sn_over_u(u * u, k2), z = s * s, c = vsqrt(1.0 - z),
                  d = vsqrt(1.0 - k2 * z);
    const vdouble more_c = 1.0 + c, more_d = 1.0 + d, over = z / (more_c * more_d);
    return (doubled){
        .s = s,
        .c = c,
        .d = d,
        .less_c = over * more_d,
        .less_d = k2 * (over * more_c),
        .c2 = 1.0 - z,
        .half_c = c,
        .Zr = vsplat(1.0),
        .Zi = vsplat(0.0),
        .Ar = vsplat(1.0),
        .Ai = vsplat(0.0),
        .integral = (s * z) * third_kind_over_s3(z, k2, nu) * vfrom_bits((bias + n) << 52),
    };
}

/* Where cn is small because the orbit is next to the separatrix: differences lose it. */
PART vmask lingering(vdouble c2, vdouble k2)
{
    return (c2 < 0.5) & (k2 > 0.5);
}

/* A power of two next to 1/x, x positive. */
PART vdouble binary_reciprocal(vdouble x)
{
    const int64_t exponent = 0x7ff0000000000000, mirror = 0x7fe0000000000000;
    return vfrom_bits(mirror - (vbits(x) & exponent));
}

/* Doubling number i, from 0 on, where n says that there is one; kc2 = 1 - k2. */
PART void double_up(doubled *x, vdouble k2, vdouble kc2, vdouble nu, vdouble r, vint n, int i)
{
    const vmask on = n > i, small = lingering(x->c2, k2);
    const vdouble s2 = x->s * x->s, c2 = x->c2, d2 = x->d * x->d;
    const vdouble sd = s2 * d2, ksc = k2 * s2 * c2;
    /* Two forms of 1 - k^2 s^4, so that S^2 + C^2 = 1 = D^2 + k^2 S^2 to round-off. S as 2 s
     * less a small part, so that short arguments are hardly rounded. */
    const vdouble over = 1.0 / (c2 + sd), over_d = 1.0 / (d2 + ksc),
                  less = (x->c * (x->less_d - x->less_c) + sd) * over;
    vdouble S = 2.0 * (x->s - x->s * less), less_C = 2.0 * (sd * over),
            less_D = 2.0 * (ksc * over_d), C = 1.0 - less_C, D = 1.0 - less_D;
    if (vany(small)) { /* the same by s^2 = 1 - c^2, d^2 = c^2 + kc^2 s^2 */
        S = vselect(small, 2.0 * (x->s * x->c) * x->d * over, S);
        C = vselect(small, (c2 * c2 - kc2 * (s2 * s2)) * over, C);
        D = vselect(small, (c2 * d2 + kc2 * s2) * over_d, D);
        less_C = vselect(small, 1.0 - C, less_C);
        less_D = vselect(small, 1.0 - D, less_D);
    }
    if (i > 0) {
        const int overflowing = 6; /* doublings; Z is squared in each, |A| <= 3.6 */
        if (i > overflowing) {
            const vdouble unit_of_Z = binary_reciprocal(vabs(x->Zr) + vabs(x->Zi));
            x->Zr = unit_of_Z * x->Zr;
            x->Zi = unit_of_Z * x->Zi;
        }
        const vdouble Zr = x->Zr * x->Zr - x->Zi * x->Zi, Zi = 2.0 * x->Zr * x->Zi;
        x->Zr = vselect(on, Zr * x->Ar - Zi * x->Ai, x->Zr);
        x->Zi = vselect(on, Zr * x->Ai + Zi * x->Ar, x->Zi);
    }
    x->Ar = vselect(on, nu * (S * S - s2 * C * D) + 1.0, x->Ar);
    x->Ai = vselect(on, r * s2 * S, x->Ai);
    x->half_c = vselect(on, x->c, x->half_c);
    x->s = vselect(on, S, x->s);
    x->c = vselect(on, C, x->c);
    x->c2 = vselect(on, C * C, x->c2);
    x->d = vselect(on, D, x->d);
    x->less_c = vselect(on, less_C, x->less_c);
    x->less_d = vselect(on, less_D, x->less_d);
}

/* How often u must be doubled so that u^2 <= ADDITION_SERIES at the start: half the binary
 * exponent of what w^2 is too large by. */
PART vint doublings(vdouble w2)
{
    const vdouble excess = (1.0 / ADDITION_SERIES) * w2;
    const vint biased = vbits(vmax(excess, vsplat(0.25))) >> 52;
    return (biased - 1021) >> 1;
}

/* The constants of the orbit. */
typedef struct addition_orbit {
    vdouble E1, E3, lambda, lambda2, k2, nu;
    vdouble kc2;                   /* 1 - k2 */
    vdouble inverse2, over_lambda; /* 1/lambda^2, 1/lambda */
    vdouble size;                  /* D/E3 */
} addition_orbit;

PART addition_orbit orbit_of(const addition_step *f)
{
    const vdouble E1 = ADDITION_KEEPS ? f->E1 : f->Da * (f->yb * f->yb) + f->D * (f->yc * f->yc);
    const vdouble E3 = ADDITION_KEEPS ? f->E3 : f->D * (f->ya * f->ya) + f->Dc * (f->yb * f->yb);
    const vdouble lambda2 = f->Da * E3, inverse2 = 1.0 / (lambda2 + ADDITION_LEAST),
                  lambda = vsqrt(lambda2);
    return (addition_orbit){
        .E1 = E1,
        .E3 = E3,
        .lambda = lambda,
        .lambda2 = lambda2,
        .k2 = f->Dc * E1 * inverse2,
        .nu = f->Dc * (E3 * inverse2),
        .kc2 = (f->Da * (f->ya * f->ya) - f->Dc * (f->yc * f->yc)) * (f->D * inverse2),
        .inverse2 = inverse2,
        .over_lambda = lambda * inverse2,
        .size = (f->D * f->Da) * inverse2,
    };
}

/* The momentum after the step, and by how much it has changed. The changes are formed
 * first, from 1 - c, 1 - d and 1 - den without cancellation: then what cn and sn lack of
 * the unit circle counts in proportion to the change only. For a symmetric body it is the
 * same in every step, and would drift. */
typedef struct addition_end {
    vdouble ya, yb, yc;
    vdouble da, db, dc;
    vdouble over_den; /* 1/den */
} addition_end;

PART addition_end end_of(const addition_step *f, const addition_orbit *o, const doubled *x)
{
    const vdouble ya = f->ya, yb = f->yb, yc = f->yc;
    const vdouble s = x->s, c = x->c, d = x->d, sl = s * o->over_lambda, s2 = s * s;
    const vdouble over_den = 1.0 / (o->size * ((ya * s) * (ya * s)) + x->c2);
    const vdouble less_c = x->less_c, less_d = x->less_d, less_cd = c * less_d + less_c,
                  less_den = (f->Dc * (f->Da * o->inverse2)) * ((yb * yb) * s2);
    const vdouble a = ya * (less_den - less_d) - ((f->Dc * sl) * c) * (yb * yc),
                  b = (f->D * sl) * (yc * ya) + yb * (less_den - less_cd),
                  e = yc * (less_den - less_c) - ((f->Da * sl) * d) * (yb * ya);
    const vdouble da = over_den * a, db = over_den * b, dc = over_den * e;
    addition_end z = {ya + da, yb + db, yc + dc, da, db, dc, over_den};
    const vmask small = lingering(x->c2, o->k2);
    if (vany(small)) { /* den is small, too: no change that is divided by it */
        z.ya = vselect(small, over_den * (ya * d - ((f->Dc * sl) * c) * (yb * yc)), z.ya);
        z.yb = vselect(small, over_den * (yb * (c * d) + (f->D * sl) * (yc * ya)), z.yb);
        z.yc = vselect(small, over_den * (yc * c - ((f->Da * sl) * d) * (yb * ya)), z.yc);
        z.da = vselect(small, z.ya - ya, z.da);
        z.db = vselect(small, z.yb - yb, z.db);
        z.dc = vselect(small, z.yc - yc, z.dc);
    }
    return z;
}

/* The end of the step moved onto the orbit of the start: b and c by g1, which restores E1, then a by
 * g3, which restores E3 with b as it will be. To first order, and by what has changed,
 * which rounds less than E1 and E3 would. */
PART addition_end onto_orbit(const addition_step *f, const addition_orbit *o, const addition_end *z)
{
    const vdouble a = z->da * (2.0 * f->ya + z->da), b = z->db * (2.0 * f->yb + z->db),
                  c = z->dc * (2.0 * f->yc + z->dc);
    const vdouble Dya2 = vmax(f->D * (z->ya * z->ya), ADDITION_DN2 * o->E3) + ADDITION_LEAST;
    const vdouble gain1 = f->Da * b + f->D * c,
                  g1 = -0.5 * rough_reciprocal(o->E1 + ADDITION_LEAST) * gain1;
    const vdouble gain3 = f->D * a + f->Dc * ((2.0 * g1) * (z->yb * z->yb) + b),
                  g3 = -0.5 * rough_reciprocal(Dya2) * gain3;
    addition_end on = *z;
    on.ya = f->ya + (g3 * z->ya + z->da);
    on.yb = f->yb + (g1 * z->yb + z->db);
    on.yc = f->yc + (g1 * z->yc + z->dc);
    return on;
}

/* Half the angle of X + i Y within (-pi, pi): a complex number in its direction. */
PART void half_angle(vdouble X, vdouble Y, vdouble *Hr, vdouble *Hi)
{
    const vdouble larger_part = vsqrt(X * X + Y * Y) + vabs(X);
    const vmask negative = X < 0.0;
    *Hr = vselect(negative, vabs(Y), larger_part);
    *Hi = vselect(negative, vcopysign(larger_part, Y), Y);
}

/* The turn p(y)^-1 (cp + sp e_a) p(z), not yet of unit length. */
PART addition_turn turn_of(const addition_step *f, vdouble G, const addition_end *z, vdouble cp,
                           vdouble sp)
{
    const vdouble n0 = G + f->ya, n1 = G + z->ya, n = n0 * n1;
    const vdouble Br = z->yc * f->yc + z->yb * f->yb, Bi = z->yb * f->yc - z->yc * f->yb;
    const vdouble b0 = n1 * f->yb, b1 = n0 * z->yb, c0 = n1 * f->yc, c1 = n0 * z->yc;
    return (addition_turn){
        .ya = z->ya,
        .yb = z->yb,
        .yc = z->yc,
        .r0 = cp * (n + Br) + sp * Bi,
        .ra = sp * (n - Br) + cp * Bi,
        .rb = cp * (c1 - c0) + sp * (b1 + b0),
        .rc = sp * (c1 + c0) + cp * (b0 - b1),
    };
}

/* Far from overflow. */
PART vmask sound(const addition_orbit *o, vdouble G)
{
    return (o->lambda2 <= ADDITION_LAMBDA2) & (G >= ADDITION_SMALL_G) & (G <= ADDITION_G);
}

/* ---- the step, in the order that its parts wait for each other ------------------- */

typedef struct addition {
    addition_step f;
    addition_orbit o;
    vdouble G;
    vmask about_c;      /* the angle is that about c, else about a */
    vdouble nu, rho, r; /* of that angle, with their signs */
    vint needed, n;     /* doublings that it takes, and those that are done */
    doubled x;
    vdouble angle, sine, cosine;
    addition_end z;
    vdouble Hr, Hi; /* half the angle of A B */
    vmask over;     /* A B has turned by more than half a circle */
} addition;

PART void addition_begin(addition *a, vdouble G)
{
    const addition_step *f = &a->f;
    a->G = G;
    a->o = orbit_of(f);
    const addition_orbit *o = &a->o;
    const vdouble rho = f->D * (G * o->over_lambda);
    a->about_c = o->E1 <= o->E3;
    a->rho = vselect(a->about_c, -rho, rho);
    a->nu = o->inverse2 * vselect(a->about_c, f->Da * o->E1, f->Dc * o->E3);
    a->r = a->rho * a->nu;
    a->needed = doublings((f->h * f->h) * o->lambda2);
    a->n = a->needed & ADDITION_DOUBLINGS;
    a->x = undoubled(o->lambda * f->sigma_h, o->k2, a->nu, a->n);
}

/* Doubling number i, for as long as any(a->n > i). */
PART void addition_double(addition *a, int i)
{
    double_up(&a->x, a->o.k2, a->o.kc2, a->nu, a->r, a->n, i);
}

/* V of an end of the step: its real and its imaginary part. */
typedef struct seen_axis {
    vdouble r, i;
} seen_axis;

PART seen_axis axis_seen_from(vmask about_c, vdouble G, vdouble ya, vdouble yb, vdouble yc)
{
    return (seen_axis){vselect(about_c, ya * (G + ya) + yb * yb, yc),
                       vselect(about_c, -(yb * yc), yb)};
}

PART void addition_carry(addition *a)
{
    const addition_step *f = &a->f;
    const addition_orbit *o = &a->o;
    const doubled *x = &a->x;
    a->z = end_of(f, o, x);

    /* the product of A times Da (about c: Da E3/E1) and B, scaled by a power of two to be of
     * order 1 */
    const vdouble za = a->z.ya, zb = a->z.yb, zc = a->z.yc;
    const vdouble larger = vmax(o->E1, o->E3) + ADDITION_LEAST, of_G = binary_reciprocal(a->G),
                  of_G2 = of_G * of_G,
                  unit = binary_reciprocal(larger) * vselect(a->about_c, of_G2 * of_G2, of_G2),
                  scale = unit * vselect(a->about_c, f->Da, f->Dc),
                  Dsl = f->D * (x->s * o->over_lambda);
    const vdouble Ar = scale * (zb * zb - (f->yb * Dsl) * (zc * za)) + unit * larger,
                  Ai = ((scale * a->rho) * (f->yb * x->s)) * zb;
    const seen_axis V = axis_seen_from(a->about_c, a->G, f->ya, f->yb, f->yc),
                    W = axis_seen_from(a->about_c, a->G, za, zb, zc);
    const vdouble Br = W.r * V.r + W.i * V.i, Bi = W.i * V.r - W.r * V.i;
    const vdouble Lr = x->Ar * Ar - x->Ai * Ai, Li = x->Ar * Ai + x->Ai * Ar;
    const vdouble X = Lr * Br - Li * Bi, Y = Lr * Bi + Li * Br;
    half_angle(X, Y, &a->Hr, &a->Hi);
    a->angle = 0.5 * ((vselect(a->about_c, f->ja, f->jc) * a->G) * f->h + a->r * x->integral);
    vsincos(a->angle, &a->sine, &a->cosine);
    a->over = (Li * Bi > 0.0) & (Y * Bi < 0.0);
}

PART addition_turn addition_finish(const addition *a)
{
    const addition_step *f = &a->f;
    const addition_orbit *o = &a->o;
    const doubled *x = &a->x;
    /* the sign: whole turns of B, and what the half angle of A B does not see */
    const vdouble sign = vselect(a->over, vsplat(-1.0), vsplat(1.0)) *
                         vselect(a->about_c, vsplat(1.0), vcopysign(vsplat(1.0), x->half_c));
    const vdouble Tr = sign * (a->cosine * x->Zr - a->sine * x->Zi),
                  Ti = sign * (a->sine * x->Zr + a->cosine * x->Zi);
    const addition_end on = onto_orbit(f, o, &a->z);
    addition_turn out = turn_of(f, a->G, &on, Tr * a->Hr - Ti * a->Hi, Tr * a->Hi + Ti * a->Hr);
    /* on a sphere and on the equator of a symmetric body m stays: a turn about it */
    const vmask stays = o->lambda2 == 0.0;
    out.good = (stays | (o->lambda2 >= 1.0 / ADDITION_LAMBDA2)) & sound(o, a->G) &
               sincos_can(a->angle) & (stays | (o->E3 >= ADDITION_EQUATOR * o->E1)) &
               ((a->needed <= ADDITION_FEW) |
                ((a->needed <= ADDITION_DOUBLINGS) & (o->kc2 >= ADDITION_KC2)));
    return out;
}
