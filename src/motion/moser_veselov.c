/* moser_veselov.c - solves the Moser-Veselov equation and divides steps that are too
 * long. */
#include "motion/moser_veselov.h"
#include "base/extremes.h"
#include "motion/dmv.h"

/* Whether a turn p belongs to its root n: p.v . b = n p.w. About the middle axis, with a step
 * that is too long, the smallest root may be one for which p vanishes. What is left of p then
 * is round-off, for which the relation does not hold. */
static bool belongs_to_root(const dmv_turn *p, ph_vec3 b, double n)
{
    return fabs(dot(p->v, b) - n * p->w) <= 0x1p-20 * (n * p->w) + 0x1p-1000;
}

bool ph_dmv_solve(ph_vec3 I, ph_vec3 y, double h, ph_vec3 *e)
{
    const ph_vec3 b = scale(0.5 * h, y);
    dmv_equation q = dmv_equation_of(inverses_of(I), b, true);
    for (int i = 0; i < DMV_ITERATIONS && q.active; i++) {
        NEWTON_OBSERVE;
        dmv_iterate(&q);
    }
    const dmv_turn p = dmv_turn_of(&q);
    *e = scale(1.0 / p.w, p.v);
    return p.good && belongs_to_root(&p, b, q.z * q.t);
}

/* The largest |w| along the motion, from the invariants: |w|^2 is linear in m2^2, which
 * runs from 0 to where m1 or m3 vanishes. */
static double fastest(const scaled *z)
{
    const ph_vec3 j = z->j, m = z->m;
    const double span = j.x - j.z;
    if (span == 0.0)
        return 1.0;
    const double c1 = (1.0 - j.z) / span, c2 = (j.x - 1.0) / span, m22 = m.y * m.y;
    const double A2 = m.x * m.x + c1 * m22, C2 = m.z * m.z + c2 * m22;
    const double B2 = smaller_or_nan(quotient_or(A2, c1, INFINITY), quotient_or(C2, c2, INFINITY));
    const double at0 = j.x * j.x * A2 + j.z * j.z * C2;
    const double atB = j.x * j.x * (A2 - c1 * B2) + B2 + j.z * j.z * (C2 - c2 * B2);
    return sqrt(larger_or_nan(at0, atB));
}

long ph_dmv_divisions(const scaled *z, double angle)
{
    const double n = ceil(fabs(z->h) * fastest(z) / angle);
    if (n <= DMV_MOST_DIVISIONS)
        return (long)larger_or_nan(1.0, n);
    return DMV_MOST_DIVISIONS + 1L;
}

bool ph_dmv_steps(const ph_dmv_plan *plan, ph_vec3 m, long n, ph_quat *turn)
{
    *turn = (ph_quat){1, 0, 0, 0};
    for (long i = 0; i < n; i++) {
        ph_vec3 e;
        if (!ph_dmv_solve(plan->I, m, plan->h, &e))
            return false;
        if (plan->share != 0.0)
            e = add(e, scale(plan->share, times(plan->I, e)));
        const ph_quat one = turn_of_tangent(e);
        m = rotate(inverse(one), m);
        *turn = mul(*turn, one);
    }
    return true;
}
