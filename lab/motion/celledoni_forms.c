/* celledoni_forms.c - the momentum of the free body after Celledoni et al., and their forms of the
 * attitude.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU.
 *
 *   CFSZ (4)   a1^2 = 2 T I3 - 1,  a3^2 = 1 - 2 T I1
 *              b1^2 = I2 (I3 - I2),  b3^2 = I2 (I2 - I1)
 *   CFSZ (5)   case (a), b3/a3 > b1/a1:  m1 = s a1 sqrt(I1/(I3-I1)) dn u,
 *              m2 = a3 I2/b3 sn u,  m3 = a3 sqrt(I3/(I3-I1)) cn u
 *              lambda = s a1 b3/(I2 sqrt(I1 I3)),  k = b1 a3/(b3 a1),  s = sign m1
 *   CFSZ (6)   case (b), b3/a3 < b1/a1:  m1 = a1 sqrt(I1/(I3-I1)) cn u,
 *              m2 = a1 I2/b1 sn u,  m3 = s a3 sqrt(I3/(I3-I1)) dn u
 *              lambda = s b1 a3/(I2 sqrt(I1 I3)),  k = b3 a1/(b1 a3),  s = sign m3
 *
 *   CFSZ (14)  psi = 2 T tau + (1 - 2 T I2)/(lambda I2) ( Pi(n; phi) - Pi(n; phi0) )
 *              n = (I3 - I2)/(I2 a1^2) in case (a), (I2 - I1)/(I2 a3^2) in case (b):
 *              the printed n, simplified
 *   CFSZ section 2.4 (c)
 *              psi = tau/I3 + (I3 - I1)/(I1 I3 lambda) ( Pi(n; phi) - Pi(n; phi0) )
 *              n = -mu^2/(1 - mu^2) in case (a), k^2 times that in case (b)
 *              mu^2 = a3^2 I3/(I3 - I1),  1 - mu^2 = a1^2 I1/(I3 - I1)
 *              Corrected: n is printed for (a); (b) is said to differ in xi2 alone.
 *   CFSZ (39)  Pi(n; phi) - Pi(n; phi0) = int f,  f = 1/((1 - n sin^2) Delta)
 *              = D sum b_i f(phi0 + a_i D),  D = phi - phi0,  Gauss-Legendre  (49)
 *              Corrected: the factor D of the sum is not printed.
 *              Made regular: 1 - n = I3 |1 - 2 T I2|/a1^2 in (a), with I1 and a3 in (b),
 *              and 1 - n sin^2 = cos^2 + (1 - n) sin^2, likewise for Delta.
 *
 * The forms in the frame of m and m', which Y and y turn by the psi of (14):
 *
 *   CFSZ Prop. 2.1   Q = P(0)^T Y P(t),  Y the rotation about e3 by psi
 *   CFSZ Prop. 2.2   P^T = [v, w, m],  v = m'/|m'|,  w = m x v
 *                    The matrix forgets the sign of the quaternion; it is taken from the
 *                    continuous frame.
 *   CFSZ section 2.4 (b), the same in quaternions
 *              q = p(0)^-1 y p(t),   y = ( cos(psi/2), sin(psi/2) e3 )               (27)
 *              m' = (a m2 m3, b m3 m1, c m1 m2)                                      (15)
 *              p3^2 = (1+m3)/4 + ( -a m2 m3 + b m2 m3^2 + c m2 (1 - m2^2) )/(4 |m'|)
 *              p0^2 = (1+m3)/2 - p3^2                                                (22)
 *              p1 = (p3 m1 + p0 m2)/(1+m3),  p2 = (p3 m2 - p0 m1)/(1+m3)       (23), (24)
 *   Made regular: (36) gives the sign of p0 p3 by a quotient that is 0/0 for
 *   1 + m3 = m2^2; from E(p)^T = [v, w, m] it is also that of w1 - v2 = 4 p0 p3. The
 *   smaller of p0, p3 is taken from this product, since its own radicand cancels. Next
 *   to m = -e3 the bracket of (22) cancels; by a + b + c = 0 it is
 *   m2 (c m1^2 - a m3 (1+m3)), and w1 - v2 = m2 v3 - (1+m3) v2.
 *
 * The forms whose angle is that of section 2.4 (c), with y and p as in (27):
 *
 *   CFSZ section 2.4 (a), Kosenko's quaternion: the smallest turn that takes m to e3
 *              p = ( p0, m2/(2 p0), -m1/(2 p0), 0 ),  p0 = sqrt((1+m3)/2)      (22)-(24)
 *   CFSZ (38)  psi = the angle of section 2.4 (c) less the same factor times mu (F - F0)
 *     momentum case (a), m3 = mu cn u:    F = atan( sqrt(k^2-n) sn/dn )/sqrt(k^2-n)
 *     momentum case (b), m3 = s mu dn u:  F = s atan( sqrt(1-n) tan phi )/sqrt(1-n),
 *                                         continued beyond quarter turns
 *   Corrected: the paper prints (38) for (a) and says that (b) differs in xi2 alone.
 *
 *   CFSZ section 2.4 (c), the quaternion of van Zon and Schofield: Euler's angles about the
 *   axis 3
 *              v = m x e3/|m x e3|,  r = |m x e3| = sqrt(m1^2 + m2^2)
 *              p3^2 = (1+m3)/4 (1 - m2/r),  p0^2 = (1+m3)/2 - p3^2
 *              sign(p0 p3) = sign(m1),  p1 and p2 as above
 *
 * Clarified: the paper's two signs +- in each case are one and the same sign s, and u at
 * the start follows from sn and cn there (not printed). a1^2, a3^2, 1 - 2 T I2 and 1 -
 * k^2 are taken as sums over the components of m, since the differences printed cancel.
 */
#include "lab/motion/celledoni_forms.h"

#include "base/choice.h"
#include "lab/motion/gauss_legendre.h"
#include "motion/addition.h"

/* The forms divide by 1 - k^2, by differences of moments, and by distances from the axes.
 * Below this they have lost half their digits, and `exact` takes over. */
FILE_CONSTANT double BREAKDOWN = 0x1p-26;

static double square(double x)
{
    return x * x;
}

/* sn, cn, dn at the end of a step in which phi moves by less than a quarter turn, by
 * doubling (addition.h) and the addition theorem (DLMF 22.8.1-3): no phase. As in
 * elliptic/jacobi.c the larger of sn and cn is taken from the other. False for a longer
 * step. */
static bool end_of_short_step(ph_celledoni *c)
{
    const double longest = 1.5, w = c->lambda * c->tau;
    if (!(fabs(w) <= longest))
        return false;
    const ph_sncndn e0 = c->e0;
    const vint n = doublings(w * w);
    doubled x = undoubled(w, c->k2, 0.0, n);
    for (int i = 0; i < n; i++)
        double_up(&x, c->k2, c->kc2, 0.0, 0.0, n, i);
    const double over = 1.0 / (1.0 - c->k2 * square(x.s * e0.sn)),
                 sn = over * (e0.sn * x.c * x.d + x.s * e0.cn * e0.dn),
                 cn = over * (e0.cn * x.c - e0.sn * e0.dn * x.s * x.d);
    if (2.0 * sn * sn <= 1.0)
        c->e = (ph_sncndn){sn, copysign(sqrt(1.0 - sn * sn), cn), sqrt(1.0 - c->k2 * (sn * sn))};
    else
        c->e = (ph_sncndn){copysign(sqrt(1.0 - cn * cn), sn), cn, sqrt(c->kc2 + c->k2 * (cn * cn))};
    if ((c->e.cn < 0.0) == (e0.cn < 0.0))
        c->half_turns = 0.0;
    else
        c->half_turns = copysign(1.0, w);
    return true;
}

/* The same with a phase: u counts from the nearer of 0 and half a turn, and is F(phi0 | k^2)
 * from its three functions at the start: a rounded k^2 would spoil it next to k = 1. am u
 * and pi u/(2K) pass the multiples of pi/2 together. */
static void end_of_step(ph_celledoni *c)
{
    const double half_turn = sign_of(c->e0.cn);
    const ph_jacobi jacobi = ph_jacobi_prepare_c(c->kc2);
    const double F = ph_rf(square(c->e0.cn), square(c->e0.dn), 1.0),
                 end = half_turn * c->e0.sn * F + c->lambda * c->tau;
    const ph_sncndn e = ph_jacobi_at(&jacobi, end);
    c->e = (ph_sncndn){half_turn * e.sn, half_turn * e.cn, e.dn};
    const double turns = 0.5 * end / jacobi.quarter, nearest = rint(turns);
    const bool odd = nearest != 2.0 * rint(0.5 * nearest);
    if (odd == (e.cn < 0.0))
        c->half_turns = nearest;
    else
        c->half_turns = nearest + copysign(1.0, turns - nearest);
}

/* The step in the paper's units; false where its momentum is not defined: no motion, a
 * body that is (next to) symmetric, an axis, the separatrix. */
bool ph_celledoni_prepare(ph_celledoni *c, const ph_state *s, ph_vec3 J, double h, int order)
{
    c->order = order;
    const double largest = norm_max(s->m);
    const ph_vec3 u = scale(1.0 / largest, s->m);
    const double n = norm(u);
    c->roles = ascending(J);
    c->length = n * largest;
    c->m0 = scale(1.0 / n, renamed(&c->roles, u));
    const ph_vec3 I = in_order(&c->roles, J);
    const double over2 = 1.0 / I.y;
    c->tau = h * (c->length * over2);
    const double I1 = c->I1 = I.x * over2, I3 = c->I3 = I.z * over2;
    const double D21 = c->D21 = (I.y - I.x) * over2, D32 = c->D32 = (I.z - I.y) * over2,
                 D31 = c->D31 = (I.z - I.x) * over2;
    const double j1 = I.y / I.x, j3 = I.y / I.z;
    const double m1 = c->m0.x, m2 = c->m0.y, m3 = c->m0.z;

    c->a = -D32 * j3, c->b = D31 * (j1 * j3), c->c = -D21 * j1;
    c->T2 = j1 * m1 * m1 + m2 * m2 + j3 * m3 * m3;
    const double a1 = c->a1 = sqrt(D31 * j1 * m1 * m1 + D32 * m2 * m2);
    const double a3 = c->a3 = sqrt(D21 * m2 * m2 + D31 * j3 * m3 * m3);
    const double b1 = sqrt(D32), b3 = sqrt(D21);
    c->excess = D32 * j3 * m3 * m3 - D21 * j1 * m1 * m1;
    c->about3 = c->excess > 0.0;

    /* Amplitudes of m1, m3, of the one that passes through zero, `cosine`, and of m2; `delta` is
     * the one that does not. */
    const double A1 = a1 * sqrt(I1 / D31), A3 = a3 * sqrt(I3 / D31);
    double cosine = m3, delta = m1, amplitude = A3, of_delta = A1, middle, dominant, other;
    if (c->about3) {
        cosine = m1, delta = m3, amplitude = A1, of_delta = A3;
        middle = a1 / b1;
        dominant = b1 * a3;
        other = b3 * a1;
    } else {
        middle = a3 / b3;
        dominant = b3 * a1;
        other = b1 * a3;
    }
    c->sign = sign_of(delta);
    const double kc2 = c->kc2 = D31 * fabs(c->excess) / square(dominant);
    if (!(D21 > BREAKDOWN * I3 && D32 > BREAKDOWN * I3 && kc2 > BREAKDOWN &&
          square(amplitude) > BREAKDOWN))
        return false;
    c->k2 = square(other / dominant);
    c->lambda = c->sign * dominant * sqrt(j1 * j3);
    c->e0.sn = m2 / middle;
    c->e0.cn = cosine / amplitude;
    c->e0.dn = fabs(delta / of_delta);
    if (!end_of_short_step(c))
        end_of_step(c);

    /* phi counts from the nearer of 0 and half a turn, so that a short step is not the
     * difference of large ones. */
    c->s0 = sign_of(c->e0.cn) * c->e0.sn;
    c->s = sign_of(c->e.cn) * c->e.sn;
    if (c->about3)
        c->m = vec3(A1 * c->e.cn, middle * c->e.sn, c->sign * A3 * c->e.dn);
    else
        c->m = vec3(c->sign * A1 * c->e.dn, middle * c->e.sn, A3 * c->e.cn);
    return isfinite(c->half_turns);
}

ph_status ph_celledoni_finish(const ph_celledoni *c, ph_quat turn, ph_state *s)
{
    const ph_quat q = mul(s->q, quat(turn.w, renamed_back(&c->roles, vec(turn))));
    const ph_vec3 m = scale(c->length, renamed_back(&c->roles, c->m));
    if (!finite4(q) || !finite3(m))
        return PH_NOT_FINITE;
    *s = (ph_state){renormalize(q), m};
    return PH_OK;
}

/* nc = 1 - n. Sums of positive terms: where n or k^2 is next to 1, what is printed
 * cancels. */
static double integrand(const ph_celledoni *c, double nc, double theta)
{
    const double cosine2 = square(ph_cos(theta)), sine2 = 1.0 - cosine2;
    return 1.0 / ((cosine2 + nc * sine2) * sqrt(cosine2 + c->kc2 * sine2));
}

static double quadrature(const ph_celledoni *c, double nc, gauss_legendre g)
{
    const double phi0 = ph_atan2(c->s0, fabs(c->e0.cn)),
                 phi = ph_atan2(c->s, fabs(c->e.cn)) + PH_PI * c->half_turns, width = phi - phi0;
    double sum = g.middle * integrand(c, nc, 0.5 * (phi0 + phi));
    for (int i = 0; i < g.pairs; i++) {
        const double inset = g.node[i] * width;
        sum += g.weight[i] * (integrand(c, nc, phi0 + inset) + integrand(c, nc, phi - inset));
    }
    return width * sum;
}

/* The angle from x0 + i y0 to x + i y, both with x >= 0. */
static double between(double x0, double y0, double x, double y)
{
    return ph_atan2(x0 * y - y0 * x, x0 * x + y0 * y);
}

/* s^3 RJ(cn^2, dn^2, 1, 1 - n s^2) n/3 = Pi(n; phi) - F(phi), for |phi| <= pi/2 and given by
 * its sine s and the squares of cn and dn; nc = 1 - n. */
static double third_kind_of(double n, double nc, double s, double cn2, double dn2)
{
    return n / 3.0 * (s * s * s) * ph_rj(cn2, dn2, 1.0, cn2 + nc * (s * s));
}

/* Pi(n; phi | k^2) - Pi(n; phi0 | k^2), the third-kind integral over the step, with
 * nc = 1 - n; F(phi) - F(phi0) is lambda tau. For n < 0 that would cancel, and DLMF 19.21.12
 * has instead of n and F
 *
 *   k^2/n   and   atan( sqrt(x) sn/(cn dn) )/sqrt(x),   x = (1 - n)(1 - k^2/n) */
static double third_kind_over_step(const ph_celledoni *c, double n, double nc)
{
    if (c->order != PH_ORDER_EXACT) /* p points have the order 2 p */
        return quadrature(c, nc, gauss_rules[c->order / 2]);
    double sum = c->lambda * c->tau, other = n, other_nc = nc, sign = 1.0;
    if (n < 0.0) {
        other = c->k2 / n;
        other_nc = 1.0 - other;
        sign = -1.0;
        const double root = sqrt(nc * other_nc);
        sum = (between(fabs(c->e0.cn) * c->e0.dn, root * c->s0, fabs(c->e.cn) * c->e.dn,
                       root * c->s) +
               PH_PI * c->half_turns) /
              root;
    }
    if (c->half_turns != 0.0)
        sum += 2.0 * c->half_turns * sign * third_kind_of(other, other_nc, 1.0, 0.0, c->kc2);
    return sum + sign * (third_kind_of(other, other_nc, c->s, square(c->e.cn), square(c->e.dn)) -
                         third_kind_of(other, other_nc, c->s0, square(c->e0.cn), square(c->e0.dn)));
}

/* The angle psi of frames that take m to e3 and m'/|m'| to e1. */
static double angle_of_rate(const ph_celledoni *c)
{
    double a = c->a1, D = c->D32, I = c->I3;
    if (c->about3)
        a = c->a3, D = c->D21, I = c->I1;
    const double a2 = square(a), n = D / a2, nc = I * fabs(c->excess) / a2;
    return c->T2 * c->tau + c->excess / c->lambda * third_kind_over_step(c, n, nc);
}

/* The angle psi of frames that take m to e3 and m x e3 to e1, and the two constants of it
 * that Kosenko's angle shares: the characteristic n, and the factor of the integral. */
static double angle_of_axis(const ph_celledoni *c, double *n, double *factor)
{
    *n = -square(c->a3) * c->I3 / (c->I1 * square(c->a1));
    if (c->about3)
        *n *= c->k2;
    *factor = c->D31 / (c->I1 * c->I3 * c->lambda);
    return c->tau / c->I3 + *factor * third_kind_over_step(c, *n, 1.0 - *n);
}

/* m' at a momentum of the motion. */
static ph_vec3 rate_at(const ph_celledoni *c, ph_vec3 m)
{
    return vec3(c->a * m.y * m.z, c->b * m.z * m.x, c->c * m.x * m.y);
}

/* The smallest turn that takes m to the axis it encircles, followed by one that takes
 * this axis to e3: a frame that is regular on the whole orbit and returns to itself. */
static ph_quat regular_frame(const ph_celledoni *c, ph_vec3 m)
{
    const double half = sqrt(0.5);
    ph_vec3 axis = {c->sign, 0, 0};
    ph_quat fixed = {half, 0, -c->sign * half, 0}; /* quarter turn about e2 */
    if (c->about3) {
        axis = vec3(0, 0, c->sign);
        fixed = (ph_quat){1, 0, 0, 0};
        if (!(c->sign > 0.0))
            fixed = (ph_quat){0, 1, 0, 0}; /* half turn about e1 */
    }
    return mul(fixed, ph_quat_unit(quat(1.0 + dot(m, axis), cross(m, axis))));
}

/* The turn p(0)^-1 y(psi) p(t) for frames p that take m to e3 and v to e1. */
static ph_quat lift(const ph_celledoni *c, ph_vec3 v0, ph_vec3 v1, double psi, int winding)
{
    const ph_quat p0 = regular_frame(c, c->m0), p1 = regular_frame(c, c->m);
    const ph_vec3 r0 = rotate(p0, v0), r1 = rotate(p1, v1);
    /* Seen from the tip of its axis m runs counter-clockwise as phi grows in case (b),
     * clockwise in (a), for a positive sign. */
    double sense = c->sign * winding;
    if (!c->about3)
        sense = -sense;
    const double seen = ph_atan2(r0.x * r1.y - r0.y * r1.x, r0.x * r1.x + r0.y * r1.y);
    const double moved =
        PH_PI * c->half_turns + between(fabs(c->e0.cn), c->s0, fabs(c->e.cn), c->s);
    const double turns = rint((sense * moved - seen) / (2.0 * PH_PI));
    const bool odd = turns != 2.0 * rint(0.5 * turns);
    ph_quat y = turn_about(vec3(0, 0, 1), 0.5 * (psi - seen));
    if (odd)
        y = negate(y);
    return mul(mul(inverse(p0), y), p1);
}

/* A turn p(0)^-1 y(psi) p(t) for frames p that take m to e3 and v to e1, v0 and v1 at
 * the two ends, with the sign that is continuous in time. `winding` says how often v
 * turns about m while m encircles its axis once: 1, or 0. */
static ph_quat continuous(const ph_celledoni *c, ph_quat turn, ph_vec3 v0, ph_vec3 v1, double psi,
                          int winding)
{
    const double less_than_pi = 3.0; /* |w| <= |m|/I1 */
    double product = turn.w;         /* with 1, to which a short turn is near, or with the lift */
    if (!(fabs(c->tau) < less_than_pi * c->I1))
        product = dot4(turn, lift(c, v0, v1, psi, winding));
    if (product < 0.0)
        return negate(turn);
    return turn;
}

/* ---- the two forms in the frame of m and m' -------------------------------------- */

static ph_mat3 frame_matrix(ph_vec3 v, ph_vec3 m)
{
    return rows(v, cross(m, v), m);
}

bool ph_celledoni_matrices(const ph_celledoni *c, ph_quat *turn)
{
    const ph_vec3 rate0 = rate_at(c, c->m0), rate1 = rate_at(c, c->m);
    const ph_vec3 v0 = scale(1.0 / norm(rate0), rate0), v1 = scale(1.0 / norm(rate1), rate1);
    const double psi = angle_of_rate(c);
    double cosine, sine;
    ph_sincos(psi, &sine, &cosine);
    const ph_mat3 Y = {{{cosine, -sine, 0}, {sine, cosine, 0}, {0, 0, 1}}};
    const ph_mat3 Q = matmul(transpose(frame_matrix(v0, c->m0)), matmul(Y, frame_matrix(v1, c->m)));
    *turn = continuous(c, ph_quat_from_matrix(Q), v0, v1, psi, 1);
    return true;
}

/* p(0)^-1 y(psi) p(t). */
static ph_quat by_frames(ph_quat p0, double psi, ph_quat p1)
{
    return mul(mul(inverse(p0), turn_about(vec3(0, 0, 1), 0.5 * psi)), p1);
}

/* The frame from p0, p3 and sum = 1 + m3. */
static ph_quat frame_of(ph_vec3 m, double sum, double p0, double p3)
{
    return (ph_quat){p0, (p3 * m.x + p0 * m.y) / sum, (p3 * m.y - p0 * m.x) / sum, p3};
}

static double one_plus_m3(ph_vec3 m)
{
    if (m.z >= 0.0)
        return 1.0 + m.z;
    return (m.x * m.x + m.y * m.y) / (1.0 - m.z);
}

/* 1 + m3, below which p is undetermined to half the digits. */
FILE_CONSTANT double SMALLEST_SUM = 0x1p-26;

static ph_quat frame_quaternion(const ph_celledoni *f, ph_vec3 m, ph_vec3 rate)
{
    const double sum = one_plus_m3(m), length = norm(rate);
    const ph_vec3 v = scale(1.0 / length, rate);
    const double bracket = m.y * (f->c * m.x * m.x - f->a * m.z * sum);
    const double half = 0.25 * sum, product = 0.25 * (m.y * v.z - sum * v.y); /* p0 p3 */
    double p0, p3;
    if (bracket >= 0.0) {
        p3 = copysign(sqrt(half + bracket / (4.0 * length)), product);
        p0 = product / p3;
    } else {
        p0 = sqrt(half - bracket / (4.0 * length));
        p3 = product / p0;
    }
    return frame_of(m, sum, p0, p3);
}

bool ph_celledoni_quaternions(const ph_celledoni *c, ph_quat *turn)
{
    if (1.0 + c->m0.z < SMALLEST_SUM || 1.0 + c->m.z < SMALLEST_SUM)
        return false;
    const ph_vec3 rate0 = rate_at(c, c->m0), rate1 = rate_at(c, c->m);
    const double psi = angle_of_rate(c);
    const ph_quat frames =
        by_frames(frame_quaternion(c, c->m0, rate0), psi, frame_quaternion(c, c->m, rate1));
    *turn = continuous(c, frames, rate0, rate1, psi, 1);
    return true;
}

/* ---- Kosenko, van Zon and Schofield ---------------------------------------------- */

/* sqrt((1 + m3)/2), and r: below these p is undetermined to half the digits. */
FILE_CONSTANT double SMALLEST_P0 = 0x1p-13, SMALLEST_R = 0x1p-13;

static ph_quat smallest_turn(ph_vec3 m, double p0)
{
    return (ph_quat){p0, m.y / (2.0 * p0), -m.x / (2.0 * p0), 0};
}

bool ph_celledoni_kosenko(const ph_celledoni *c, ph_quat *turn)
{
    const double p0 = sqrt(0.5 * one_plus_m3(c->m0)), p1 = sqrt(0.5 * one_plus_m3(c->m));
    if (p0 < SMALLEST_P0 || p1 < SMALLEST_P0)
        return false;
    double n, factor, F;
    const double angle = angle_of_axis(c, &n, &factor);
    const double mu = c->a3 * sqrt(c->I3 / c->D31);
    if (c->about3) {
        const double r = sqrt(1.0 - n);
        F = c->sign / r *
            (between(fabs(c->e0.cn), r * c->s0, fabs(c->e.cn), r * c->s) + PH_PI * c->half_turns);
    } else {
        const double r = sqrt(c->k2 - n);
        F = between(c->e0.dn, r * c->e0.sn, c->e.dn, r * c->e.sn) / r;
    }
    *turn = by_frames(smallest_turn(c->m0, p0), angle - factor * mu * F, smallest_turn(c->m, p1));
    return true;
}

static ph_quat euler_frame(ph_vec3 m, double r)
{
    double sum = 1.0 + m.z, less = r - m.y, more = r + m.y; /* 1 + m3, r - m2, r + m2 */
    if (!(m.z >= 0.0))
        sum = r * r / (1.0 - m.z);
    if (m.y > 0.0)
        less = m.x * m.x / more;
    else if (m.y < 0.0)
        more = m.x * m.x / less;
    return frame_of(m, sum, sqrt(sum * more / (4.0 * r)),
                    copysign(sqrt(sum * less / (4.0 * r)), m.x));
}

bool ph_celledoni_zon(const ph_celledoni *c, ph_quat *turn)
{
    const ph_vec3 m0 = c->m0, m1 = c->m;
    const double r0 = sqrt(m0.x * m0.x + m0.y * m0.y), r1 = sqrt(m1.x * m1.x + m1.y * m1.y);
    if (r0 < SMALLEST_R || r1 < SMALLEST_R)
        return false;
    double n, factor;
    const double psi = angle_of_axis(c, &n, &factor);
    *turn =
        continuous(c, by_frames(euler_frame(m0, r0), psi, euler_frame(m1, r1)),
                   vec3(m0.y / r0, -m0.x / r0, 0), vec3(m1.y / r1, -m1.x / r1, 0), psi, c->about3);
    return true;
}
