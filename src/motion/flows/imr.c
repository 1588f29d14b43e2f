/* imr.c - the implicit midpoint rule, and modifying midpoint to order 8.
 *
 * HV  Hairer, Vilmart, J. Phys. A 39 (2006), sections 3 and 5: IMR2r; Chartier, Hairer,
 *     Vilmart 2007.
 *
 *   Y = (y + y+)/2,   y+ = y + h Y x I~^-1 Y
 *   turn = (1, e)/sqrt(1 + |e|^2),   e = (h/2) I~^-1 Y
 *   1/I~_j = s/I_j + d at Y: src/motion/series.h
 *
 * d drops out of Y x I~^-1 Y, so that Y solves  F(Y) = Y - y - (h/2) s(Y) Y x I^-1 Y = 0.
 * V13 (Remark 4) drops alpha = 1 + |e|^2 everywhere; it stays in the turn, as HV says.
 *
 * y+ is y turned back, so that Qy and C are kept; y+ - y is orthogonal to I^-1 (y + y+),
 * so that H is; the rule is its own adjoint. It is not Poisson.
 *
 * Where the equation is not solved, by far too large a step, PH_NO_CONVERGENCE.
 */
#include "motion/newton.h"
#include "motion/scaled.h"
#include "motion/series.h"
#include "motion/units.h"

/* What is left of F by rounding, its terms being of the order 1 + |e|. Energy and momentum
 * are lost in proportion; so a step whose last update did not lead there, or cannot since
 * e is too large, is not a solution. */
#define ROUNDED   0x1p-46
#define LARGEST_E 0x1p20
enum { REPEATS = 3, PARTS = 16 };

typedef struct equation {
    const scaled *z;
    double h;
    int orders; /* powers of h^2 in the modified moments */
} equation;

static ph_modified modified(const equation *q, ph_vec3 Y, bool derivatives)
{
    const ph_series_at at = ph_series_invariants(q->z->j, Y);
    return ph_series_modified(ph_imr_series, q->orders, &at, q->h, derivatives);
}

/* F, with w = I^-1 Y and half = (h/2) s. */
static ph_vec3 residual(const equation *q, ph_vec3 Y, ph_vec3 w, double half)
{
    return sub(sub(Y, q->z->m), scale(half, cross(Y, w)));
}

/* dF = 1 - (h/2) ( s (hat(Y) j - hat(jY)) + (Y x jY) (ds/dY)^T ),
 * ds/dY = s_H jY + s_C Y + 2 s_N j^2 Y */
static void system_of(const void *context, ph_vec3 Y, ph_vec3 *F, ph_mat3 *dF)
{
    const equation *q = context;
    const ph_vec3 j = q->z->j, w = times(j, Y), f = cross(Y, w);
    const double half = 0.5 * q->h;
    const ph_modified c = modified(q, Y, true);
    const ph_vec3 slope =
        add(scale(c.s_by[SERIES_H], w),
            add(scale(c.s_by[SERIES_C], Y), scale(2.0 * c.s_by[SERIES_N], times(j, w))));
    *F = residual(q, Y, w, half * c.s);
    const ph_vec3 a = scale(half, f); /* its row i times slope */
    const double s = half * c.s;
    *dF = rows(sub(vec3(1, s * (Y.z * j.y - w.z), s * (w.y - Y.y * j.z)), scale(a.x, slope)),
               sub(vec3(s * (w.z - Y.z * j.x), 1, s * (Y.x * j.z - w.x)), scale(a.y, slope)),
               sub(vec3(s * (Y.y * j.x - w.y), s * (w.x - Y.x * j.y), 1), scale(a.z, slope)));
}

/* Improves Y to the root, to round-off, and finds e there. */
static bool solve(const equation *q, ph_vec3 *Y, ph_vec3 *e)
{
    for (int i = 0; i < REPEATS && newton(system_of, q, Y) == PH_OK; i++) {
        const ph_modified c = modified(q, *Y, false);
        const double half = 0.5 * q->h;
        const ph_vec3 jY = times(q->z->j, *Y), F = residual(q, *Y, jY, half * c.s);
        *e = scale(half, add(scale(c.s, jY), scale(c.d, *Y)));
        if (norm_max(F) <= ROUNDED * (1.0 + norm_max(*e)) && norm_max(*e) <= LARGEST_E)
            return true;
    }
    return false;
}

/* The root Y = y at h = 0 followed as h grows: for moments far apart Newton does not find
 * it from a single guess. */
static ph_vec3 follow(equation q)
{
    const double h = q.h;
    ph_vec3 Y = q.z->m;
    ph_status status = PH_OK;
    for (int k = 1; k < PARTS && status == PH_OK; k++) {
        q.h = h * k / PARTS;
        status = newton(system_of, &q, &Y);
    }
    return Y;
}

static ph_status step_imr(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    if (!ordinary_units(s->m, J))
        return STEP_IN_UNITS(flow, s, J, h);
    const scaled z = to_scaled(s, J, h);
    if (!isfinite(z.h))
        return PH_NOT_FINITE;
    const equation q = {&z, z.h, flow->order / 2 - 1};
    const ph_vec3 w = times(z.j, z.m);
    ph_vec3 Y = rotate(inverse(ph_cay(scale(0.5 * z.h, w))), z.m), e;
    if (!solve(&q, &Y, &e)) {
        Y = follow(q);
        if (!solve(&q, &Y, &e))
            return PH_NO_CONVERGENCE;
    }
    return apply_scaled_turn(s, &z, turn_of_tangent(e));
}

#define ROW(key, p, words)                                                                         \
    {                                                                                              \
        .name = (key), .title = (words), .cite = "HV section 3", .order = (p),                     \
        .keeps = PH_MOMENTUM | PH_CASIMIR | PH_ENERGY | PH_SYMMETRIC, .step = step_imr             \
    }

const ph_flow ph_flow_imr[4] = {
    ROW("imr2", 2, "Implicit midpoint rule"),
    ROW("imr4", 4, "Modifying implicit midpoint rule, order 4"),
    ROW("imr6", 6, "Modifying implicit midpoint rule, order 6"),
    ROW("imr8", 8, "Modifying implicit midpoint rule, order 8"),
};
