/* gauss.c - the flows `gauss6` to `gauss10` and `rotation_gauss6` to `rotation_gauss10`
 * for many bodies; src/flows/gauss.c and src/motion/celledoni.c state the method.
 *
 * The two families are one map: the same angle of the same frame, which takes m to a
 * fixed axis and m' to another, as a quaternion or as a matrix. One kernel serves both.
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
 * angle, |delta| <= |w| <= LONGEST. The nodes are turned out of the two ends, the middle
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
#include "batch/parts.h"
#include "core/simd_atan.h"
#include "motion/gauss_legendre.h"

/* Bodies left to the step:
 * - those that the flow hands over to `exact`, with a margin: the square of the smallest
 *   distance from an axis, 1 - k^2, Dc/Da and the differences of moments are small;
 * - those whose psi may change steeply with phi, by sqrt(E3/(Da (1 - k^2)))/G: the step
 *   finds phi to some u only;
 * - long steps. */
#define MARGIN   0x1p-20
#define STEEPEST 6.0
#define LONGEST  1.5

/* Where the frame and the angle of the flow begin and end, and what they are made of. */
typedef struct amplitudes {
    lanes c0, s0, c1, s1; /* cosine and sine of phi at the two ends */
    lanes delta;
    lanes cosine; /* of delta */
    lanes nc, kc; /* 1 - n, 1 - k^2 */
} amplitudes;

static inline amplitudes amplitudes_of(const addition_step *f, const addition_orbit *o,
                                       const doubled *x, const addition_end *z, lanes K)
{
    const lanes over_E1 = 1.0 / o->E1, rc = root(f->D * over_E1),
                rs = root(f->Da * over_E1), nc = K * (f->Da * o->inverse2);
    const lanes g = o->k2 * x->s / (1.0 + x->d);
    const lanes sn =
        madd(o->over_lambda * f->ya, nmadd(f->Da * (f->yb * f->yb), g * x->s, o->E1),
             -(g * x->c * (f->yb * f->yc)));
    amplitudes a = {
        .c0 = rc * f->yc,
        .s0 = rs * f->yb,
        .c1 = rc * z->yc,
        .s1 = rs * z->yb,
        .nc = nc,
        .kc = (f->D / f->Da) * nc,
    };
    a.cosine = madd(a.c0, a.c1, a.s0 * a.s1);
    a.delta = 2.0 * simd_atan((rc * rs) * (z->over_den * x->s) * sn, 1.0 + a.cosine);
    return a;
}

/* f where the squares of cosine and sine are c2 and s2. */
static inline lanes integrand(const amplitudes *a, lanes c2, lanes s2)
{
    const lanes n = madd(a->nc, s2, c2);
    return inverse_root((n * n) * madd(a->kc, s2, c2));
}

/* f where the amplitude is that of c, s and another one of cosine C and sine S. */
static inline lanes integrand_from(const amplitudes *a, lanes c, lanes s, lanes C,
                                   lanes S)
{
    const lanes cosine = nmadd(s, S, c * C), sine = madd(c, S, s * C);
    return integrand(a, cosine * cosine, sine * sine);
}

static inline lanes quadrature(const amplitudes *a, const gauss_legendre *rule)
{
    lanes sum = splat(0.0);
    if (rule->middle > 0.0) {
        const lanes c = a->c0 + a->c1, s = a->s0 + a->s1,
                    scale2 = 0.5 / (1.0 + a->cosine);
        sum = rule->middle * integrand(a, scale2 * (c * c), scale2 * (s * s));
    }
    for (int i = 0; i < rule->pairs; i++) {
        lanes S, C;
        simd_sincos(rule->node[i] * a->delta, &S, &C);
        sum = madd(splat(rule->weight[i]),
                   integrand_from(a, a->c0, a->s0, C, S) +
                       integrand_from(a, a->c1, a->s1, C, -S),
                   sum);
    }
    return a->delta * sum;
}

/* Half of arg R - arg R+, as a complex number in its direction. */
static inline void half_seen(const addition_step *f, const addition_orbit *o, lanes G,
                             lanes K, const addition_end *z, lanes *Hr, lanes *Hi)
{
    const lanes unit = 1.0 / (f->D * G * G * G);
    const lanes R0r = unit * f->yc * madd(f->D * f->ya, G, o->E3),
                R0i = -unit * f->yb * madd(f->Da * f->ya, G, K),
                R1r = unit * z->yc * madd(f->D * z->ya, G, o->E3),
                R1i = -unit * z->yb * madd(f->Da * z->ya, G, K);
    half_angle(madd(R0r, R1r, R0i * R1i), R0i * R1r - R0r * R1i, Hr, Hi);
}

static inline lanes smallest_difference(lanes3 J)
{
    return smaller(magnitude(J.x - J.y),
                   smaller(magnitude(J.y - J.z), magnitude(J.z - J.x)));
}

batch_kernel KERNEL(batch_gauss);

void KERNEL(batch_gauss)(const ph_flow *flow, const ph_batch *b, const double *h,
                         bool h_each, unsigned char *left)
{
    const gauss_legendre *rule = &gauss_rules[flow->order / 2];
    const lanes zero = splat(0.0);
    for (size_t i = 0; i < b->n; i += LANES) {
        const bodies s = load_bodies(b, i, h, h_each);
        addition_step f;
        lanes jb;
        const renaming r = prepare(&s, &f, &jb);
        const lanes G = root(dot(s.m, s.m)), over_G = 1.0 / G;
        const addition_orbit o = orbit_of(&f);
        const lanes w = o.lambda * f.sigma_h,
                    K = nmadd(f.Dc * f.yc, f.yc, f.Da * f.ya * f.ya);
        const choice near = magnitude(w) <= LONGEST;
        /* sn, cn, dn alone: the compiler drops what belongs to the third kind */
        const doubled x =
            double_up(w, o.k2, zero, zero, doublings(w * w) & ADDITION_DOUBLINGS);
        const addition_end carried = end_of(&f, &o, &x), z = onto_orbit(&f, &o, &carried);
        const amplitudes a = amplitudes_of(&f, &o, &x, &z, K);

        const lanes T2 = madd(f.ja * f.ya, f.ya,
                              madd(jb * f.yb, f.yb, (f.jc * f.yc) * f.yc)),
                    angle = 0.5 * over_G *
                            nmadd(K * o.over_lambda, quadrature(&a, rule), T2 * f.h);
        lanes sine, cosine, Hr, Hi;
        simd_sincos(angle, &sine, &cosine);
        half_seen(&f, &o, G, K, &z, &Hr, &Hi);
        addition_turn t =
            turn_of(&f, G, &z, cosine * Hr - sine * Hi, madd(sine, Hr, cosine * Hi));
        t.angle = angle;
        t.good =
            near & sound(&o, G) & (o.nu <= ADDITION_NU) & (o.nu >= MARGIN) &
            (o.E1 >= MARGIN * (f.D * G) * G) & (a.kc >= MARGIN) &
            (o.E3 <= STEEPEST * STEEPEST * a.kc * (f.Da * G) * G) &
            (smallest_difference(s.J) >= MARGIN * larger(s.J.x, larger(s.J.y, s.J.z)));
        store_turned(b, i, &s, &r, &t, left);
    }
}
