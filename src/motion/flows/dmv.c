/* dmv.c - the discrete Moser-Veselov algorithm, and preprocessed to order 16.
 *
 * HV  Hairer, Vilmart, J. Phys. A 39 (2006), Algorithm 2.2; V13 Algorithms 3 and 4.
 *
 *   A Moser-Veselov step (src/motion/moser_veselov.h) with the modified moments of
 *   src/motion/series.h, h^2 to h^(order - 2), from H and C at the start of the step
 *   (to order 10 written out, src/motion/dmv_moments.h).
 *
 * A step that would turn the body by more than 1.2 rad (0.9 for dmv2, whose equation has
 * no solution from about 1 rad on) is divided into equal ones that share their moments
 * (HV Remark 3.1). More than 2^16 of them are refused: PH_NO_CONVERGENCE.
 *
 * HV Prop. 2.3: each step is DMV for a body with constant moments, which keeps Qy, C and
 * its own H~, hence H; H and C kept make it symmetric; the modified equation of m is
 * Poisson. dmv2 is RATTLE, hence symplectic; the others are so in m alone. All of this for
 * a fixed number of parts: where the number changes, the step jumps (docs/flows.md).
 */
#include "motion/dmv.h"
#include "motion/bodies.h"
#include "motion/dmv_moments.h"

/* The inverses of the modified moments, to order 10: a = j/p1, x = h p1 y, in units of
 * p1 = j1 + j2 + j3. */
PART vdouble3 dmv_inverses_in_units(int order, vdouble3 a, vdouble3 x)
{
    const vdouble H = 0.5 * dot(times(a, x), x), C = 0.5 * dot(x, x);
    const dmv_moments c =
        dmv_moments_of(order, H, C, a.x * (a.y + a.z) + a.y * a.z, a.x * (a.y * a.z));
    return add(scale(c.s, a), vec3(c.d, c.d, c.d));
}

typedef struct dmv_bodies {
    bodies s;
    outcome out;
    dmv_equation q;
} dmv_bodies;

PART void dmv_begin(dmv_bodies *w, int order)
{
    const double largest = 0.999 * DMV_LARGEST_ANGLE(order);
    const bodies *s = &w->s;
    const vdouble3 J = s->J, K = vec3(J.y * J.z, J.z * J.x, J.x * J.y);
    const vdouble sum = K.x + K.y + K.z, p1 = sum / (J.x * K.x);
    const vdouble3 a = scale(1.0 / sum, K), x = scale(s->h * p1, s->m),
                   u = dmv_inverses_in_units(order, a, x);
    const vdouble fastest = vmax(a.x, vmax(a.y, a.z));
    const vmask wanted = (dot(x, x) * (fastest * fastest) < largest * largest) & (u.x > 0.0) &
                         (u.y > 0.0) & (u.z > 0.0);
    w->q = dmv_equation_of(u, scale(vsplat(0.5), x), wanted);
}

/* The momentum, for which the next step waits, without a square root. */
PART void dmv_finish(dmv_bodies *w)
{
    const bodies *s = &w->s;
    const dmv_turn p = dmv_turn_of(&w->q);
    const vdouble p2 = p.w * p.w + dot(p.v, p.v), unit = 1.0 / vsqrt(p2);
    const vdouble3 vm = cross(p.v, s->m);
    w->out = outcome_of(renormalize(mul(s->q, quat(unit * p.w, scale(unit, p.v)))),
                        add(s->m, scale(2.0 / p2, sub(cross(p.v, vm), scale(p.w, vm)))), p.good);
}

PART void dmv_move(dmv_bodies w[VECTORS], const ph_flow *flow)
{
    BOTH(dmv_begin(&w[k], flow->order));
    for (int i = 0; i < DMV_ITERATIONS && vany(w[0].q.active | w[VECTORS - 1].q.active); i++) {
        NEWTON_OBSERVE;
        BOTH(dmv_iterate(&w[k].q));
    }
    BOTH(dmv_finish(&w[k]));
}

FLOW_KERNEL(dmv, dmv_bodies, dmv_move)

#ifndef SIMD_VECTORS
#include "motion/moser_veselov.h"
#ifndef __OPENCL_VERSION__
#include "motion/series.h"
#endif
#ifdef FINISH /* the second program of a device */
#include "motion/moser_veselov.c"
#endif

/* The inverses of the modified moments: written out to order 10, beyond it, where devices do
 * not go, from the table, in units of p1 = j1 + j2 + j3. */
static ph_vec3 inverses(int order, const scaled *z, double h)
{
    const double p1 = z->j.x + z->j.y + z->j.z;
    const ph_vec3 a = scale(1.0 / p1, z->j);
#ifndef __OPENCL_VERSION__
    if (order > DMV_MOMENTS_ORDER) {
        const ph_series_at at = ph_series_invariants(a, z->m);
        const ph_modified c = ph_series_modified(ph_dmv_series, order / 2 - 1, &at, h * p1, false);
        const double d = c.d * p1;
        return add(scale(c.s, z->j), vec3(d, d, d));
    }
#endif
    return scale(p1, dmv_inverses_in_units(order, a, scale(h * p1, z->m)));
}

static bool plan_of(const ph_flow *flow, const scaled *z, double h, ph_dmv_plan *plan)
{
    const ph_vec3 j = inverses(flow->order, z, h);
    plan->I = vec3(1.0 / j.x, 1.0 / j.y, 1.0 / j.z);
    plan->h = h;
    return j.x > 0.0 && j.y > 0.0 && j.z > 0.0;
}

static ph_status divided_step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    TAKE_DMV_STEPS(flow, s, J, h, plan_of, DMV_LARGEST_ANGLE(flow->order));
}

/* One Moser-Veselov step as for many bodies, or as many as it takes. */
static ph_status step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    if (h != 0.0 && ordinary_units(s->m, J) && moved(flow, s, J, h))
        return PH_OK;
    return LONGER_WAY(divided_step(flow, s, J, h));
}

#ifndef __OPENCL_VERSION__
#define DMV_KEEPS (PH_MOMENTUM | PH_CASIMIR | PH_ENERGY | PH_SYMMETRIC | PH_POISSON)

#define ROW(key, p, bits)                                                                          \
    {                                                                                              \
        .name = (key), .title = "Discrete Moser-Veselov, order " #p, .cite = "HV Algorithm 2.2",   \
        .order = (p), .keeps = (bits), .step = (p) <= DMV_MOMENTS_ORDER ? step : divided_step      \
    }

const ph_flow ph_flow_dmv[8] = {
    ROW("dmv2", 2, DMV_KEEPS | PH_SYMPLECTIC),
    ROW("dmv4", 4, DMV_KEEPS),
    ROW("dmv6", 6, DMV_KEEPS),
    ROW("dmv8", 8, DMV_KEEPS),
    ROW("dmv10", 10, DMV_KEEPS),
    ROW("dmv12", 12, DMV_KEEPS),
    ROW("dmv14", 14, DMV_KEEPS),
    ROW("dmv16", 16, DMV_KEEPS),
};
#endif
#endif
