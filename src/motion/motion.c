/* motion.c - the exact motion of a free rigid body, uniformly accurate for every body and
 * every start. docs/exact.md derives what is computed here and bounds its error.
 *
 * V13   Vilmart, Rigid body dynamics, 2013: Algorithm 1, (10).
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU: Prop. 2.5.
 *
 * Role axes. Axis 3 is the one that m encircles, 2 the middle axis, so that the moments
 * I1, I2, I3 of the role axes ascend or descend; X = m/|m| at the start, Y at the time t,
 * in role axes. Time is tau = |m| t / I2 and moments count in units of I2. In these,
 *
 *   c1 = I1 (I3 - I2) / (I2 (I3 - I1)),   c2 = I3 (I2 - I1) / (I2 (I3 - I1))     V13 (10)
 *   A^2 = X1^2 + c1 X2^2,   C^2 = X3^2 + c2 X2^2,   A^2 + C^2 = 1   (constants of motion)
 *   k'^2 = (c1 X3^2 - c2 X1^2) / (c1 C^2),   w = lambda tau
 *   lambda = sign(X3) sign(I3 - I1) C sqrt(I2 (I3 - I1)(I3 - I2) / (I1 I3^2))
 *
 * and with s, c, d = sn, cn, dn(w | 1 - k'^2) the addition theorem carries X to Y without
 * an inverse elliptic function. The attitude is q = q0 p(X)^-1 y p(Y)  [CFSZ (27)], p
 * taking m to a fixed axis and y the turn about it by an angle with one integral of the
 * third kind.
 */
#include "motion/motion.h"
#include "base/extremes.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/jacobi.h"
#include "motion/state.h"
#include "motion/vec.h"

/* Squares of what is smaller would vanish, or overflow above the inverse. Orbits with k'
 * below this go by log(4/k') like one on the separatrix. */
FILE_CONSTANT double SMALL = 0x1p-300;

/* Powers of two below this do not overflow together with the numbers of a motion. */
enum { ORDINARY_EXPONENT = 900 };

/* A quaternion that is off by more was not computed: 1 - |q|^2. */
FILE_CONSTANT double UNIT_DEFECT = 1e-10;

/* ---- the orbit ------------------------------------------------------------------- */

/* c1 and c2, for moments of any ratio. */
static double c1_of(ph_vec3 I)
{
    return (I.x / I.y) * ((I.z - I.y) / (I.z - I.x));
}

static double c2_of(ph_vec3 I)
{
    return (I.z / I.y) * ((I.y - I.x) / (I.z - I.x));
}

/* I1 (I3 - I2) m3^2 and I3 (I2 - I1) m1^2 over the square of a power of two next to the
 * larger of m1, m3: m encircles the axis of the larger product. Moments far apart count
 * by c1 and c2; others as they are, so that a start on the separatrix is found there. And
 * what m3^2 is multiplied by. */
typedef struct comparison {
    double about3, about1, unit, of_m3;
} comparison;

static comparison compared(ph_vec3 I, ph_vec3 M)
{
    const double unit = binary_unit(vec3(M.x, 0.0, M.z)), m1 = M.x / unit, m3 = M.z / unit;
    const bool near = smaller_or_nan(I.x, I.z) > SMALL && larger_or_nan(I.x, I.z) < 1.0 / SMALL;
    double of_m3, of_m1;
    if (near) {
        of_m3 = I.x * (I.z - I.y);
        of_m1 = I.z * (I.y - I.x);
    } else {
        of_m3 = c1_of(I);
        of_m1 = c2_of(I);
    }
    return (comparison){of_m3 * (m3 * m3), of_m1 * (m1 * m1), unit, of_m3};
}

/* The roles for moments J and momentum m: ascending moments, unless m encircles the axis
 * of the smallest. Equality is the separatrix, or a stationary rotation about an axis of a
 * symmetric body, which ph_motion_orbit() expects to find with I2 = I3. */
static renaming choose_roles(ph_vec3 J, ph_vec3 m)
{
    ph_vec3 I = J, M = m;
    renaming r = rename_ascending(&I, &M);
    const comparison c = compared(I, M);
    const bool equator = c.about3 == c.about1 && fabs(M.z) < DBL_MIN && I.x == I.y;
    if (c.about3 < c.about1 || equator) {
        r.xz = true;
        r.sign_y = -r.sign_y;
    }
    return r;
}

/* sqrt(x y z) of numbers whose product may overflow or vanish. */
static double root_of_product(double x, double y, double z)
{
    const double product = x * y * z;
    if (product > SMALL && product < 1.0 / SMALL)
        return sqrt(product);
    return sqrt(x) * sqrt(y) * sqrt(z);
}

/* atan(root s)/root */
static double atan_over(double root, double s)
{
    if (root > 0.0)
        return ph_atan(root * s) / root;
    return s;
}

/* 3 int_0^w sn^2/(1 + r sn^2), with s = sn w, if k' counts for nothing in it. */
static double third_kind_separatrix(double r, double w, double s)
{
    return 3.0 * (w - atan_over(sqrt(r), s)) / (1.0 + r);
}

/* Half the turn about m that the third-kind integral adds while w grows by 2K. */
static double half_period_angle(const free_motion *f)
{
    const double r = f->characteristic, factor = f->integral_factor * 2.0;
    if (f->kc > SMALL)
        return factor * ph_rj(0.0, f->kc2, 1.0, 1.0 + r);
    return factor * third_kind_separatrix(r, f->jacobi.quarter, 1.0);
}

/* k'^2 = (c1 X3^2 - c2 X1^2)/(c1 C^2), or if that would vanish k'. From the given m, not the
 * normalised: exactly 0 for a start that is exactly on the separatrix. */
static void set_complement(free_motion *f, ph_vec3 I, ph_vec3 M)
{
    const comparison c = compared(I, M);
    const double on = c.about3 - c.about1;
    const double whole = M.z * M.z + f->c2 * (M.y * M.y);
    if (c.unit > SMALL && whole > SMALL * SMALL) {
        f->kc2 = smaller_or_nan(on / c.of_m3 / whole * (c.unit * c.unit), 1.0);
        f->kc = sqrt(f->kc2);
    } else { /* |X3|/C, 1 for a symmetric body, if X1 counts for nothing */
        double kc = fabs(f->x.z) / f->C;
        if (c.about1 != 0.0)
            kc = sqrt(on / c.of_m3) * (c.unit / (f->C * f->length));
        f->kc = smaller_or_nan(kc, 1.0);
        f->kc2 = f->kc * f->kc;
    }
    if (f->kc > SMALL)
        f->jacobi = ph_jacobi_prepare_c(f->kc2);
    else
        f->jacobi = ph_jacobi_of_kc(f->kc);
}

void ph_motion_orbit(free_motion *f, ph_vec3 J, ph_state start)
{
    f->start = start;
    f->kind = AT_REST;
    f->half_period_angle = 0.0;
    if (norm_max(start.m) == 0.0)
        return;

    const renaming by_moments = ascending(J);
    const double m_unit = binary_unit(start.m),
                 I_unit = binary_unit(vec3(in_order(&by_moments, J).y, 0, 0));
    const ph_vec3 m = scale(1.0 / m_unit, start.m), scaled = scale(1.0 / I_unit, J);
    f->roles = choose_roles(scaled, m);
    const ph_vec3 I = in_order(&f->roles, scaled), M = renamed(&f->roles, m);
    const double I1 = I.x, I2 = I.y, I3 = I.z;
    const double D31 = I3 - I1, D32 = I3 - I2;
    const double n = norm(M);
    f->length = n;
    f->m_unit = m_unit;
    f->x = vec3(M.x / n, M.y / n, M.z / n);
    f->j1 = I2 / I1;
    f->j3 = I2 / I3;

    const bool on_axis3 = M.x == 0.0 && M.y == 0.0, on_axis2 = M.x == 0.0 && M.z == 0.0;
    if (D32 == 0.0 || on_axis3 || on_axis2)
        f->kind = SPINNING;
    else
        f->kind = TURNING;
    f->rate = frexp(n / (f->kind == TURNING || on_axis2 ? I2 : I3), &f->time_unit);
    f->time_unit += ilogb(m_unit) - ilogb(I_unit);
    if (abs(f->time_unit) < ORDINARY_EXPONENT) {
        f->rate = ldexp(f->rate, f->time_unit);
        f->time_unit = 0;
    }
    if (f->kind == SPINNING)
        return;
    f->c1 = c1_of(I);
    f->c2 = c2_of(I);
    f->rc1 = sqrt(f->c1);
    f->A2 = f->x.x * f->x.x + f->c1 * f->x.y * f->x.y;
    f->C2 = f->x.z * f->x.z + f->c2 * f->x.y * f->x.y;
    if (f->C2 > SMALL * SMALL)
        f->C = sqrt(f->C2);
    else
        f->C = ph_hypot(f->x.z, sqrt(f->c2) * f->x.y);
    f->sign = sign_of(f->x.z);
    /* sqrt(I2 D31 D32/I1)/I3, factors of one size */
    double growth;
    if (I1 < I3)
        growth = root_of_product(I2 / I1, D31 / I3, D32 / I3);
    else
        growth = root_of_product(I2 / I3, -D31 / I1, -D32 / I3);
    f->lambda = f->sign * copysign(f->C * growth, D31);
    set_complement(f, I, M);
    if (f->A2 <= f->C2)
        f->characteristic = f->A2 / f->C2;
    else
        f->characteristic = f->c2 / f->c1;
    f->integral_factor = f->characteristic / (3.0 * f->C * f->rc1);
}

/* ---- the state on the orbit ------------------------------------------------------ */

/* A place on the orbit: where the elliptic argument has grown by w + 2K half_turns,
 * |w| <= K. */
typedef struct place {
    double w, half_turns;
    ph_sncndn e; /* sn, cn, dn of w */
    ph_vec3 y;   /* m/|m| without the sign (-1)^half_turns of its first two components */
    ph_vec3 Y;   /* m/|m| */
} place;

/* y3 of the orbit as a sum of positive terms, from y1: (C^2 k'^2 + c2/c1 y1^2)^(1/2). */
static double third_of_first(const free_motion *f, ph_vec3 y)
{
    return copysign(ph_hypot(f->C * f->kc, sqrt(f->c2) / f->rc1 * y.x), y.z);
}

/* y moved onto the orbit, to first order: its amplitudes are those of the start again,
 * and its length is 1. The constants of the body are rounded, and without this the energy
 * would drift, by some 1e-17 of itself a step. A component so small that its way would be
 * long is off by round-off of the others, or its square may vanish: y1, which passes
 * through zero, stays; y3, small next to the separatrix of a body with moments far apart,
 * follows from y1. Components of the start below DBL_MIN have few digits, and so has y that
 * they have grown into: (y1, c1^(1/2) y2) is brought to the length A, and y3 follows. */
static ph_vec3 restored(const free_motion *f, ph_vec3 y)
{
    const double longest = 0x1p-10, round_off = 0x1p-50;
    const double x2 = y.x * y.x, z2 = y.z * y.z, c1y2 = f->c1 * y.y, c2y2 = f->c2 * y.y;
    const double off = 0.5 * (f->A2 - (x2 + c1y2 * y.y));
    if (fabs(off) > round_off * f->A2) {
        const double r = ph_hypot(f->x.x, f->rc1 * f->x.y) / ph_hypot(y.x, f->rc1 * y.y);
        const ph_vec3 on = {r * y.x, r * y.y, y.z};
        return renormalize3(vec3(on.x, on.y, third_of_first(f, on)));
    }
    double a = off / (x2 + c1y2 * c1y2), c = 0.5 * (f->C2 - (z2 + c2y2 * y.y)) / (z2 + c2y2 * c2y2);
    if (!(fabs(a) < longest && f->A2 > SMALL * SMALL))
        a = 0.0;
    if (!(fabs(c) < longest && f->C2 > SMALL * SMALL)) {
        c = 0.0;
        y.z = third_of_first(f, y);
    }
    return renormalize3(vec3(y.x + a * y.x, y.y + (a * c1y2 + c * c2y2), y.z + c * y.z));
}

/* y1, y2, y3 of m/|m| after the elliptic argument has grown by w, |w| <= K: the addition
 * theorem on X itself. The denominator is a sum of positive terms. Next to the unstable
 * axis cn, dn, X1 and X3 may all be so small that they count in units of theirs: with rc1,
 * down to 2^-512, products of two would vanish. */
static ph_vec3 momentum(const free_motion *f, ph_sncndn e)
{
    const ph_vec3 x = f->x;
    const double dn0 = fabs(x.z) / f->C, s = e.sn, most = larger_or_nan(fabs(e.cn), fabs(s * dn0));
    const double unit = most < 0x1p-100 ? binary_unit(vec3(most, 0, 0)) : 1.0;
    const double c = e.cn / unit, d = e.dn / unit, sd0 = s * dn0 / unit;
    const double x1 = x.x / unit, x3 = x.z / unit, den = c * c + sd0 * sd0;
    const ph_vec3 y = {(x1 * c - f->rc1 * x.y * sd0 * d) / den,
                       (x.y * c * d + x1 * sd0 / f->rc1) / den,
                       (x3 * d - f->sign * f->c2 * x1 * x.y * s * c / (f->rc1 * f->C)) / den};
    return restored(f, y);
}

/* The place at the scaled time tau. */
static place place_at(const free_motion *f, double tau)
{
    double half_turns;
    const double reduced = less_half_periods(&f->jacobi, f->lambda * tau, &half_turns);
    const double parity = parity_of(half_turns);
    const ph_sncndn e = ph_jacobi_at(&f->jacobi, reduced);
    const ph_vec3 y = momentum(f, e), Y = vec3(parity * y.x, parity * y.y, y.z);
    return (place){reduced, half_turns, e, y, Y};
}

/* The momentum there, in the principal frame. */
static ph_vec3 momentum_at(const free_motion *f, const place *p)
{
    return scale(f->m_unit, scale(f->length, renamed_back(&f->roles, p->Y)));
}

/* s^3 RJ(c^2, d^2, 1, 1 + r s^2) = 3 int_0^w sn^2/(1 + r sn^2). */
static double third_kind(const free_motion *f, double w, ph_sncndn e)
{
    const double r = f->characteristic, s = e.sn;
    if (f->kc > SMALL)
        return s * s * s * ph_rj(e.cn * e.cn, e.dn * e.dn, 1.0, 1.0 + r * s * s);
    return third_kind_separatrix(r, w, s);
}

/* Half angle: (cos a, sin a) to (cos a/2, sin a/2), |a| <= pi, without cancellation. */
static void halve(double *c, double *s)
{
    if (*c >= 0.0) {
        const double half = sqrt(0.5 * (1.0 + *c));
        *s = *s / (2.0 * half);
        *c = half;
    } else {
        const double half = copysign(sqrt(0.5 * (1.0 - *c)), *s);
        *c = *s / (2.0 * half);
        *s = half;
    }
}

/* The frame that takes v to e1: about e1 until v2 = 0, then about e2. Regular and single
 * valued where m stays away from the axis 1, that is for A <= C. */
static ph_quat frame1(const free_motion *f, ph_vec3 v)
{
    const double r = sqrt(v.y * v.y + v.z * v.z);
    double c1 = f->sign * v.z / r, s1 = f->sign * v.y / r, c2 = v.x, s2 = f->sign * r;
    halve(&c1, &s1);
    halve(&c2, &s2);
    return mul((ph_quat){c2, 0, s2, 0}, (ph_quat){c1, s1, 0, 0});
}

/* The smallest turn that takes v to sign e3, never singular since sign v3 >= 0. */
static ph_quat frame3(const free_motion *f, ph_vec3 v)
{
    const double n = 1.0 + fabs(v.z), r = sqrt(2.0 * n);
    return (ph_quat){n / r, f->sign * v.y / r, -f->sign * v.x / r, 0};
}

/* The attitude relative to the start, in role axes, at the scaled time tau and its
 * place. */
static ph_quat turn(const free_motion *f, double tau, const place *p)
{
    const double unseen = 0x1p-56; /* an angle, to which the frames add round-off */
    if (fabs(tau) * larger_or_nan(1.0, larger_or_nan(f->j1, f->j3)) < unseen)
        return (ph_quat){1, 0, 0, 0};
    const ph_vec3 x = f->x, y = p->y, Y = p->Y;
    const double sign = f->sign, half_turns = p->half_turns, s = p->e.sn;
    const double integral = f->integral_factor * third_kind(f, p->w, p->e) +
                            (half_turns != 0.0 ? half_turns * f->half_period_angle : 0.0);
    if (f->A2 <= f->C2) {
        const double shift =
            ph_atan2(f->rc1 * x.y * y.y * s,
                     f->C * (f->C2 + f->c1 * y.y * y.y) - f->rc1 * sign * x.y * y.x * y.z * s);
        const double half = 0.5 * (f->j3 * tau + sign * (integral + shift));
        return mul(mul(inverse(frame1(f, x)), turn_about(vec3(1, 0, 0), half)), frame1(f, Y));
    }
    const double shift =
        ph_atan2(f->c2 * x.y * y.y * s,
                 f->rc1 * f->C * (f->A2 + f->c2 * y.y * y.y) - f->c2 * sign * x.y * y.x * y.z * s);
    /* The azimuth that m has covered about axis 3: known up to whole turns from X and Y,
     * and never half a turn away from am(w). A whole turn changes the sign of q. */
    const double azimuth = ph_atan2(x.x * Y.y - x.y * Y.x, x.x * Y.x + x.y * Y.y);
    const double turns =
        rint((ph_atan2(s, p->e.cn) + PH_PI * half_turns - azimuth) / (2.0 * PH_PI));
    const double parity = parity_of(turns);
    const double half = 0.5 * (f->j1 * tau - sign * (integral + shift + azimuth));
    const ph_quat about3 = turn_about(vec3(0, 0, sign), half);
    return mul(mul(inverse(frame3(f, x)), parity > 0.0 ? about3 : negate(about3)), frame3(f, Y));
}

/* |m| t / I2, or for a stationary rotation its angle. */
static double scaled_time(const free_motion *f, double t)
{
    int exponent;
    if (f->time_unit == 0)
        return f->rate * t;
    const double fraction = frexp(t, &exponent);
    return ldexp(f->rate * fraction, exponent + f->time_unit);
}

/* The state a time t after the start, in the principal frame; NaN if there is none in
 * double precision. */
static ph_state state_at(const free_motion *f, double t)
{
    const ph_state *start = &f->start;
    if (f->kind == AT_REST || t == 0.0)
        return *start;
    const double tau = scaled_time(f, t);
    if (f->kind == SPINNING) {
        const ph_quat about_m = turn_about(renamed_back(&f->roles, f->x), 0.5 * tau);
        return (ph_state){renormalize(mul(start->q, about_m)), start->m};
    }
    const place p = place_at(f, tau);
    const ph_quat relative = turn(f, tau, &p);
    const ph_quat q = mul(start->q, quat(relative.w, renamed_back(&f->roles, vec(relative))));
    return (ph_state){renormalize(q), momentum_at(f, &p)};
}

/* ---- the public object ----------------------------------------------------------- */

ph_status ph_motion_prepare(ph_motion *motion, const ph_body *b, const ph_state *start)
{
    if (motion == NULL || b == NULL || start == NULL)
        return PH_NULL_ARGUMENT;
    const ph_status status = ph_check(b, start);
    if (status != PH_OK)
        return status;
    free_motion f = {.body = *b};
    const ph_state s = {ph_quat_unit(start->q), start->m};
    ph_motion_orbit(&f, b->J, to_principal(b, s));
    if (f.kind == TURNING && f.kc > 0.0)
        f.half_period_angle = half_period_angle(&f);
    memcpy(motion, &f, sizeof f);
    return PH_OK;
}

ph_state ph_motion_at(const ph_motion *motion, double t)
{
    free_motion f;
    memcpy(&f, motion, sizeof f);
    return from_principal(&f.body, state_at(&f, t));
}

double ph_motion_phase_digits(const ph_motion *motion, double t)
{
    free_motion f;
    memcpy(&f, motion, sizeof f);
    const double all = 53.0 * 0.30102999566398120, log_of_10 = 2.302585092994045684018,
                 tau = f.kind == AT_REST ? 0.0 : fabs(scaled_time(&f, t));
    const ph_vec3 w = vec3(f.j1 * f.x.x, f.x.y, f.j3 * f.x.z); /* I2 w/|m| */
    const double angle = f.kind == TURNING ? tau * norm(w) : tau;
    const double digits = angle > 1.0 ? all - ph_real_log(angle) / log_of_10 : all;
    return digits > 0.0 ? digits : 0.0;
}

ph_vec3 ph_motion_momentum(const free_motion *f, double t)
{
    if (f->kind != TURNING || t == 0.0)
        return f->start.m;
    const place p = place_at(f, scaled_time(f, t));
    return momentum_at(f, &p);
}

/* y brought to the length of m, to first order and by the difference: as lengths formed
 * anew in every step they would walk apart, and for a symmetric body, which repeats its
 * roundings, drift. */
static ph_vec3 of_length_of(ph_vec3 m, ph_vec3 y)
{
    const double unit = 1.0 / binary_unit(m);
    const ph_vec3 a = scale(unit, m), b = scale(unit, y);
    return add(y, scale(-0.5 * dot(sub(b, a), add(b, a)) / dot(a, a), y));
}

ph_status ph_motion_step_uniform(ph_state *s, ph_vec3 J, double h)
{
    free_motion f;
    ph_motion_orbit(&f, J, *s);
    if (f.kind == TURNING && fabs(f.lambda * scaled_time(&f, h)) > f.jacobi.quarter)
        f.half_period_angle = half_period_angle(&f);
    ph_state next = state_at(&f, h);
    if (f.kind == TURNING)
        next.m = of_length_of(s->m, next.m);
    if (!finite3(next.m) || !(fabs(unit_defect(next.q)) < UNIT_DEFECT))
        return PH_NOT_FINITE;
    *s = next;
    return PH_OK;
}

/* ---- period and precession -------------------------------------------------------- */

/* After a period, w = 4K, m is in its place again, and the turn of docs/exact.md is one about
 * m alone. The axis 3 that m encircles has then gone about m in space by
 *
 *   A <= C   j3 tau + sign (integral) + one turn,   A > C   j1 tau - sign (integral)
 *
 * with the integral of the third kind over two half periods: in the first form the frame of
 * m, which is single valued, lags behind the axis by a turn. */

/* The period in units of 1/rate; infinite where m stays or goes along the separatrix. */
static double scaled_period(const free_motion *f)
{
    if (f->kind == TURNING && f->kc > 0.0)
        return 4.0 * f->jacobi.quarter / fabs(f->lambda);
    return INFINITY;
}

double ph_motion_period(const ph_motion *motion)
{
    free_motion f;
    memcpy(&f, motion, sizeof f);
    const double tau = scaled_period(&f);
    if (tau < INFINITY)
        return ldexp(tau / f.rate, -f.time_unit);
    return tau;
}

double ph_motion_precession(const ph_motion *motion)
{
    free_motion f;
    memcpy(&f, motion, sizeof f);
    if (f.kind == AT_REST)
        return 0.0;
    const double tau = scaled_period(&f), turns = copysign(1.0, f.lambda),
                 integral = f.sign * turns * 2.0 * f.half_period_angle;
    double in_rate = 1.0;
    if (tau < INFINITY) {
        if (f.A2 <= f.C2)
            in_rate = f.j3 + (integral + f.sign * turns * 2.0 * PH_PI) / tau;
        else
            in_rate = f.j1 - integral / tau;
    }
    return ldexp(in_rate * f.rate, f.time_unit);
}
