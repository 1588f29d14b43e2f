/* compensated.c - steps of a free body that carry low-order parts along.
 *
 * Rounding q and m at every step would lose, at 10^7 steps, what the integrator keeps: a
 * plain update drifts linearly. Low-order parts are carried along (Vilmart 2008): the
 * integrator gives the turn of a step, and the same turn, as an increment, is added to
 * attitude and momentum. The turn is brought to unit length beyond round-off, and the
 * large part of each increment is kept with what rounding lost of it.
 *
 *   turn (c, v),  c - 1 = -|v|^2/(1 + c)
 *   dm = 2 ( v x (v x m) - c v x m ),   dq = q (c - 1, v) + q (c, v) (1 - |q|^2)/2
 *
 * Components of m that are small next to |v| |m| would suffer from the rounding of v: next
 * to the unstable axis they grow exponentially, and decide when the body flips. There the
 * integrator's own m+ has more digits. The turn is first corrected by what these
 * components, e_i = m+_i - (m + dm)_i, ask for:
 *
 *   turned further by  e x m+/|m+|^2
 *
 * For integrators that keep the energy the turn is then corrected by what its own
 * rounding would add to the energy: with w+ = J^-1 m+, g = w+ x m+,
 *
 *   dH = sum dm_i (2 m_i + dm_i)/(2 J_i),   turned further by  -dH g/|g|^2
 *
 * damped where g is next to zero: there the energy is stationary, and the correction
 * would be noise.
 *
 * Corrections are of the size of round-off; where more is missing they are not made, and
 * an integrator that does not turn m by a rotation (which does not claim to keep |m|, or
 * does not keep it) is followed step by step as it is: a run shows what it does.
 */
#include "system/compensated.h"
#include "base/choice.h"
#include "base/extremes.h"

#include "integrators/integrator.h"
#include "motion/vec.h"

/* What is missing by more than this, relatively, is not missing by round-off; where forms
 * lose half their digits (celledoni.c), it is LOST_HALF. */
static const double ROUND_OFF = 0x1p-40, LOST_HALF = 0x1p-20;

/* ---- compensated sums ------------------------------------------------------------ */

/* *high + *low + increment as a rounded sum and what rounding lost: |high| >=
 * |increment|. */
static void accumulate(double *high, double *low, double increment)
{
    const double small = *low + increment, sum = *high + small;
    *low = small - (sum - *high);
    *high = sum;
}

static void accumulate3(ph_vec3 *high, ph_vec3 *low, ph_vec3 d)
{
    accumulate(&high->x, &low->x, d.x);
    accumulate(&high->y, &low->y, d.y);
    accumulate(&high->z, &low->z, d.z);
}

static void accumulate4(ph_quat *high, ph_quat *low, ph_quat d)
{
    accumulate(&high->w, &low->w, d.w);
    accumulate(&high->x, &low->x, d.x);
    accumulate(&high->y, &low->y, d.y);
    accumulate(&high->z, &low->z, d.z);
}

/* ---- one step -------------------------------------------------------------------- */

static ph_quat plus(ph_quat a, ph_quat b)
{
    return (ph_quat){a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
}

static ph_quat times4(double c, ph_quat q)
{
    return (ph_quat){c * q.w, c * q.x, c * q.y, c * q.z};
}

/* x^2 - fl(x^2), exactly (Dekker). */
static double square_error(double x)
{
    const double split = 134217729.0 * x, head = split - (split - x),
                 tail = x - head; /* 2^27 + 1 */
    return ((head * head - x * x) + 2.0 * head * tail) + tail * tail;
}

/* A turn (c, v) of unit length to twice the precision: c - 1 = less + rest. If its length
 * were rounded, a motion that repeats itself would repeat the same error at every step.
 */
typedef struct fine_turn {
    double less, rest;
    ph_vec3 v;
} fine_turn;

static fine_turn refined(double c, ph_vec3 v)
{
    const double x2 = v.x * v.x, y2 = v.y * v.y, z2 = v.z * v.z, sum = x2 + y2, v2 = sum + z2;
    const double root = copysign(sqrt(larger_or_nan(0.0, 1.0 - v2)), c);
    if (!(root > 0.5)) { /* a large turn: as near as can be */
        const ph_quat unit = renormalize(quat(c, v));
        return (fine_turn){unit.w - 1.0, 0.0, vec(unit)};
    }
    const double less = -v2 / (1.0 + root);
    /* what is left of 2 less + less^2 + |v|^2 = 0: first the roundings of |v|^2 */
    const double y_lost = y2 - (sum - x2), x_lost = x2 - (sum - (sum - x2));
    const double z_lost = z2 - (v2 - sum), sum_lost = sum - (v2 - (v2 - sum));
    const double lost = (square_error(v.x) + square_error(v.y) + square_error(v.z)) +
                        ((x_lost + y_lost) + (z_lost + sum_lost));
    const double left = ((v2 + 2.0 * less) + less * less) + lost;
    return (fine_turn){less, -0.5 * left / root, v};
}

/* a1 b1 + a2 b2 + a3 b3, and what rounding lost of it. */
static double sum_of_products(ph_vec3 a, ph_vec3 b, double *lost)
{
    const double x = a.x * b.x, y = a.y * b.y, z = a.z * b.z, xy = x + y, sum = xy + z;
    const double y_in = xy - x, z_in = sum - xy; /* as much of y and z as was added */
    *lost = (fma(a.x, b.x, -x) + fma(a.y, b.y, -y) + fma(a.z, b.z, -z)) +
            (((x - (xy - y_in)) + (y - y_in)) + ((xy - (sum - z_in)) + (z - z_in)));
    return sum;
}

/* An increment as a sum of two: its large part, rounded, and the rest. */
typedef struct increment3 {
    ph_vec3 large, rest;
} increment3;

typedef struct increment4 {
    ph_quat large, rest;
} increment4;

/* dm = -2 v x m + 2 ( v x (v x m) - (c - 1) v x m ) */
static increment3 momentum_increment(ph_vec3 m, fine_turn t)
{
    ph_vec3 lost;
    const ph_vec3 v = t.v, vm = {sum_of_products(vec3(v.y, -v.z, 0), vec3(m.z, m.y, 0), &lost.x),
                                 sum_of_products(vec3(v.z, -v.x, 0), vec3(m.x, m.z, 0), &lost.y),
                                 sum_of_products(vec3(v.x, -v.y, 0), vec3(m.y, m.x, 0), &lost.z)};
    const ph_vec3 small = add(scale(t.less, vm), scale(t.rest, vm));
    return (increment3){scale(-2.0, vm), scale(2.0, sub(sub(cross(v, vm), small), lost))};
}

/* dq = q (0, v) + (c - 1) q + longer q (c, v), the last to bring q back to unit length */
static increment4 attitude_increment(ph_quat q, double longer, fine_turn t)
{
    ph_quat lost;
    const ph_vec3 v = t.v;
    const ph_quat large = {
        sum_of_products(vec3(-q.x, -q.y, -q.z), v, &lost.w),
        sum_of_products(vec3(q.w, -q.z, q.y), v, &lost.x),
        sum_of_products(vec3(q.z, q.w, -q.x), v, &lost.y),
        sum_of_products(vec3(-q.y, q.x, q.w), v, &lost.z),
    };
    const double along_q = t.less + (t.rest + longer * (1.0 + t.less));
    return (increment4){large, plus(plus(lost, times4(longer, large)), times4(along_q, q))};
}

/* A turn followed by a small one, given by half its rotation vector. */
static fine_turn turned_further(fine_turn t, ph_vec3 half)
{
    const double c = 1.0 + t.less;
    return refined(c, add(t.v, add(scale(c, half), cross(t.v, half))));
}

/* What is missing from m, turned, to `after`. */
static ph_vec3 missing(fine_turn t, ph_vec3 m, ph_vec3 after)
{
    const increment3 d = momentum_increment(m, t);
    return sub(sub(sub(after, m), d.large), d.rest);
}

/* The turn corrected by what is missing of those components of m whose own rounding is
 * less than that of the turn. */
static fine_turn keep_small(fine_turn t, ph_vec3 e, ph_vec3 after)
{
    const double rounded = norm_max(t.v) * norm_max(after);
    if (!(fabs(after.x) < rounded))
        e.x = 0.0;
    if (!(fabs(after.y) < rounded))
        e.y = 0.0;
    if (!(fabs(after.z) < rounded))
        e.z = 0.0;
    return turned_further(t, scale(0.5 / dot(after, after), cross(e, after)));
}

/* The turn corrected so that m keeps its energy. */
static fine_turn keep_energy(fine_turn t, ph_vec3 m, ph_vec3 J)
{
    const increment3 d = momentum_increment(m, t);
    const ph_vec3 dm = add(d.large, d.rest), after = add(m, dm), w = over(after, J);
    const ph_vec3 g = cross(w, after);
    const double calm = 0.01, damping = calm * calm * dot(w, w) * dot(after, after);
    const double dH = 0.5 * dot(over(dm, J), add(scale(2.0, m), dm));
    const double square = dot(g, g) + damping;
    if (!(square > 0.0 && isfinite(square) && fabs(dH) <= ROUND_OFF * dot(w, after)))
        return t;
    /* to first order: the second is larger than dH if the moments are far apart */
    const ph_vec3 half = scale(-0.5 * dH / square, g), moved = cross(half, after);
    if (2.0 * dot(moved, over(moved, J)) <= fabs(dH))
        return turned_further(t, half);
    return t;
}

/* The smallest turn that takes `after` to `before`, vectors of one length. */
static ph_quat smallest_turn(ph_vec3 after, ph_vec3 before)
{
    return ph_quat_unit(quat(dot(before, before) + dot(after, before), cross(after, before)));
}

/* A turn that takes `after` to `before`: the smallest up to a right angle. Beyond, where its
 * axis would lose its digits next to half a turn, one after half a turn about the axis
 * that brings `before` nearest. */
static ph_quat turn_between(ph_vec3 after, ph_vec3 before)
{
    const double x = after.x * before.x, y = after.y * before.y, z = after.z * before.z;
    if (x + y + z >= 0.0)
        return smallest_turn(after, before);
    ph_vec3 axis = vec3(0, 0, 1);
    if (x >= y && x >= z)
        axis = vec3(1, 0, 0);
    else if (y >= z)
        axis = vec3(0, 1, 0);
    const ph_vec3 half_turned = sub(scale(2.0 * dot(axis, before), axis), before);
    return mul(quat(0.0, axis), smallest_turn(after, half_turned));
}

/* Whether a momentum was turned as by a rotation; one that is zero was not. */
static bool is_rotation(ph_quat turn, ph_vec3 m, ph_vec3 after)
{
    return dot(m, m) > 0.0 && fabs(unit_defect(turn)) <= ROUND_OFF &&
           fabs(dot(sub(after, m), add(after, m))) <= ROUND_OFF * dot(m, m);
}

compensated_state ph_compensated_of(ph_state s)
{
    const double m_unit = binary_unit(s.m);
    return (compensated_state){.high = {s.q, scale(1.0 / m_unit, s.m)}, .m_unit = m_unit};
}

ph_state ph_compensated_rounded(const compensated_state *s)
{
    return (ph_state){s->high.q, scale(s->m_unit, s->high.m)};
}

/* The integrator's own step, of a momentum in units of m_unit. Where components may be
 * subnormal, momentum and moments are made larger alike: the motion is the same, and they
 * keep their digits. */
static ph_status drift(const ph_integrator *i, ph_state *s, double m_unit, ph_vec3 J, double h)
{
    const double small = 0x1p-900, larger = 0x1p200;
    const bool enlarge = m_unit < small && norm_max(J) < 1.0 / (small * larger);
    const double factor = enlarge ? larger : 1.0, unit = factor * m_unit;
    s->m = scale(unit, s->m);
    const ph_status status = ph_drift(i, s, scale(factor, J), h);
    s->m = scale(1.0 / unit, s->m);
    return status;
}

static ph_status step_integrator(const ph_integrator *i, compensated_state *p, ph_vec3 J,
                                 ph_vec3 ratios, double h)
{
    const unsigned keeps = i->flow->keeps;
    const ph_vec3 m = p->high.m;
    ph_state turned = {{1, 0, 0, 0}, m};
    const ph_status status = drift(i, &turned, p->m_unit, J, h);
    if (status != PH_OK)
        return status;
    const ph_vec3 after = turned.m;
    if (!((keeps & PH_CASIMIR) && is_rotation(turned.q, m, after))) {
        ph_state next = p->high;
        const ph_status again = drift(i, &next, p->m_unit, J, h);
        if (again == PH_OK && (!finite4(next.q) || !finite3(next.m)))
            return PH_NOT_FINITE;
        p->high = next;
        p->low = (ph_state){{0, 0, 0, 0}, {0, 0, 0}};
        return again;
    }
    /* The momentum is turned as the body is, or else by a turn of its own. */
    const fine_turn body = refined(turned.q.w, vec(turned.q));
    fine_turn momentum = body;
    ph_vec3 e = missing(body, m, after);
    const bool as_body = (keeps & PH_MOMENTUM) && norm_max(e) <= LOST_HALF * norm_max(after);
    if (!as_body) {
        const ph_quat turn = turn_between(after, m);
        momentum = refined(turn.w, vec(turn));
        e = missing(momentum, m, after);
    }
    momentum = keep_small(momentum, e, after);
    if (keeps & PH_ENERGY)
        momentum = keep_energy(momentum, m, ratios);
    const increment3 dm = momentum_increment(m, momentum),
                     dm_low = momentum_increment(p->low.m, momentum);
    p->low.m = add(add(p->low.m, add(dm_low.large, dm_low.rest)), dm.rest);
    accumulate3(&p->high.m, &p->low.m, dm.large);

    const double longer = 0.5 * unit_defect(p->high.q) - dot4(p->high.q, p->low.q);
    const fine_turn attitude = as_body ? momentum : body;
    const increment4 dq = attitude_increment(p->high.q, longer, attitude),
                     dq_low = attitude_increment(p->low.q, 0.0, attitude);
    p->low.q = plus(plus(p->low.q, plus(dq_low.large, dq_low.rest)), dq.rest);
    accumulate4(&p->high.q, &p->low.q, dq.large);
    return ok_if(finite4(p->high.q) && finite3(p->high.m), PH_NOT_FINITE);
}

static bool has_low(const compensated_state *p)
{
    const ph_quat q = p->low.q;
    const ph_vec3 m = p->low.m;
    return q.w != 0.0 || q.x != 0.0 || q.y != 0.0 || q.z != 0.0 || m.x != 0.0 || m.y != 0.0 ||
           m.z != 0.0;
}

/* The same sum with the state of the flow's own step as its high part: what a run shows
 * after its first step has the bits of that step. */
static ph_status show_first(const ph_integrator *i, const compensated_state *before,
                            compensated_state *p, ph_vec3 J, double h)
{
    ph_state first = before->high;
    const ph_status status = drift(i, &first, p->m_unit, J, h);
    if (status != PH_OK)
        return status;
    p->low.q = plus(p->low.q, plus(p->high.q, negate(first.q)));
    p->low.m = add(p->low.m, sub(p->high.m, first.m));
    p->high = first;
    return PH_OK;
}

ph_status ph_compensated_step(const ph_integrator *i, compensated_state *s, ph_vec3 J,
                              ph_vec3 ratios, double h)
{
    compensated_state next = *s;
    ph_status status = step_integrator(i, &next, J, ratios, h);
    if (status == PH_OK && !has_low(s) && has_low(&next))
        status = show_first(i, s, &next, J, h);
    if (status == PH_OK)
        *s = next;
    return status;
}
