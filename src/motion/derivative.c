/* derivative.c - derivatives of the exact motion of one body, for every body and start.
 *
 * By the formulas of derivative.h, and where these do not hold:
 *
 *   a long step, or one next to the separatrix   the same with Jacobi's functions by the AGM and
 *                                                W = s^3/3 RD(c^2, 1, d^2) + 2 N/3 RD(0, 1, k'^2)
 *   a stationary rotation                        linear equations with constant coefficients
 *   next to the equator, by J                    Gauss' quadrature of int M(h - t) m x dj m dt
 *
 * docs/derivatives.md derives all of them. */
#include "motion/derivative.h"

#include <string.h>

#include "base/arguments.h"
#include "motion/motion.h"
#include "motion/state.h"
#include "motion/units.h"
#include "rotation/vec.h"

/* ---- long steps, and those next to the separatrix ---------------------------------- */

/* sn, cn, dn and W of a step by the AGM and Carlson's RD, w reduced by N half periods. */
static void by_agm(addition *a, double *W)
{
    const double w = a->o.lambda * a->f.sigma_h, kc2 = larger_or_nan(a->o.kc2, 0.0);
    const ph_jacobi jacobi = ph_jacobi_prepare_c(smaller_or_nan(kc2, 1.0));
    const double K2 = 2.0 * jacobi.quarter,
                 N = fabs(w) > jacobi.quarter ? rint(w / K2) : 0.0;
    const ph_sncndn e = ph_jacobi_at(&jacobi, N == 0.0 ? w : w - K2 * N);
    const double parity = fmod(N, 2.0) == 0.0 ? 1.0 : -1.0;
    const double s2 = e.sn * e.sn, c2 = e.cn * e.cn, c = parity * e.cn;
    a->x = (doubled){.s = parity * e.sn,
                     .c = c,
                     .d = e.dn,
                     .c2 = c2,
                     .less_c = c > 0.0 ? s2 / (1.0 + c) : 1.0 - c,
                     .less_d = a->o.k2 * (s2 / (1.0 + e.dn))};
    *W = e.sn * s2 / 3.0 * ph_rd(c2, 1.0, e.dn * e.dn) +
         (N == 0.0 ? 0.0 : 2.0 * N / 3.0 * ph_rd(0.0, 1.0, kc2));
    a->z = end_of(&a->f, &a->o, &a->x);
}

/* The response of the step that has led from w->e.s to w->e.out. */
static void respond_uniformly(derivative_bodies *w, bool moments)
{
    const ph_vec3 y = renamed(&w->e.r, w->e.out.m);
    const addition_turn end = {.ya = y.x, .yb = y.y, .yc = y.z};
    by_agm(&w->e.a, &w->W);
    respond(w, &end, moments);
}

/* ---- slopes by a tensor -------------------------------------------------------------- */

/* Adds u . dj v as slopes by J, in principal axes: dj = -j dJ j. */
static void add_tensor(slopes *x, ph_vec3 j, ph_vec3 u, ph_vec3 v)
{
    const ph_vec3 U = times(scale(-1.0, j), u), V = times(j, v);
    x->diagonal = add(x->diagonal, times(U, V));
    x->products = add(x->products, vec3(U.y * V.z + U.z * V.y, U.x * V.z + U.z * V.x,
                                        U.x * V.y + U.y * V.x));
}

static void set_tensor(slopes *x, ph_vec3 j, ph_vec3 u, ph_vec3 v)
{
    x->diagonal = x->products = vec3(0, 0, 0);
    add_tensor(x, j, u, v);
}

/* ---- next to the equator ------------------------------------------------------------- */

/* c_n by J as the integral over the step of (-e/|n|^2 + (alpha_h - alpha) n/|n0|^2) . dj m. */
static void integrate_by_inertia(derivative_bodies *w)
{
    enum { PAIRS = 4 };
    static const double node[PAIRS] = {0.0198550717512318842, 0.1016667612931866302,
                                       0.2372337950418355071, 0.4082826787521750975},
                        weight[PAIRS] = {0.0506142681451881296, 0.1111905172266872353,
                                         0.1568533229389436437, 0.1813418916891809915};
    const ph_vec3 j = inverses_of(w->e.s.J);
    response *r = &w->r;
    r->along_n.diagonal = r->along_n.products = vec3(0, 0, 0);
    for (int i = 0; i < 2 * PAIRS; i++) {
        derivative_bodies at[VECTORS];
        const int k = i < PAIRS ? i : 2 * PAIRS - 1 - i;
        at[0].e.s = w->e.s;
        at[0].e.s.h *= i < PAIRS ? node[k] : 1.0 - node[k];
        derivative_move(at, false);
        const response *x = &at[0].r;
        const ph_vec3 u = sub(scale((r->alpha - x->alpha) * r->over_n0, x->n1),
                              scale(1.0 / dot(x->n1, x->n1), x->e1));
        add_tensor(&r->along_n, j, scale(weight[k] * w->e.s.h, u), x->m1);
    }
}

/* ---- stationary rotations ---------------------------------------------------------- */

/* cos x t, sin x t/x and (1 - cos x t)/x^2 for x^2 of either sign. */
typedef struct circular {
    double c0, c1, c2;
} circular;

static circular circular_of(double x2, double t)
{
    const double x = sqrt(fabs(x2)), half = 0.5 * x * t;
    double sine, cosine;
    if (x2 == 0.0)
        return (circular){1.0, t, 0.5 * t * t};
    if (x2 < 0.0) {
        const double sh = ph_sinh(half) / x;
        return (circular){ph_cosh(2.0 * half), ph_sinh(2.0 * half) / x, 2.0 * sh * sh};
    }
    ph_sincos(half, &sine, &cosine);
    sine /= x;
    return (circular){(cosine - x * sine) * (cosine + x * sine), 2.0 * sine * cosine,
                      2.0 * sine * sine};
}

/* m stays, along an axis of J^-1: with b and c two more, and m = G a,
 *
 *   dm_b' = -G (jc - j) dm_c - G^2 dj_ac,   dm_c' = G (jb - j) dm_b + G^2 dj_ab
 *
 * n and e are b and G c here. */
static void respond_stationary(derivative_bodies *w)
{
    const bodies *s = &w->e.s;
    response *r = &w->r;
    const ph_vec3 m = s->m, J = s->J, j = inverses_of(J);
    const ph_vec3 size = {fabs(m.x), fabs(m.y), fabs(m.z)};
    const double G = norm(m), h = s->h;
    /* c: the axis that m is farthest from, or next to it; I: the moment along m */
    const ph_vec3 far = size.x <= size.y && size.x <= size.z ? vec3(1, 0, 0)
                        : size.y <= size.z                   ? vec3(0, 1, 0)
                                                             : vec3(0, 0, 1);
    const double I = size.x >= size.y && size.x >= size.z ? J.x
                     : size.y >= size.z                   ? J.y
                                                          : J.z;
    const ph_vec3 a = scale(1.0 / G, m), across = cross(far, a),
                  b = scale(1.0 / norm(across), across), c = cross(a, b);
    const ph_vec3 excess = {(I - J.x) / (I * J.x), (I - J.y) / (I * J.y),
                            (I - J.z) / (I * J.z)};
    const double p = G * dot(times(b, b), excess), q = G * dot(times(c, c), excess);
    const circular x = circular_of(p * q, h);
    r->turn = of_unit_length(mul(inverse(s->q), w->e.out.q));
    r->m0 = r->m1 = m;
    r->n1 = b;
    r->e1 = scale(G, c);
    r->G2 = G * G;
    r->over_G2 = 1.0 / r->G2;
    r->along_n.m = sub(scale(x.c0, b), scale(x.c1 * q, c));
    r->along_e.m = scale(1.0 / G, add(scale(x.c0, c), scale(x.c1 * p, b)));
    r->action.m = scale(h, times(j, m));
    set_tensor(&r->along_n, j, scale(-G, m), add(scale(x.c1, c), scale(x.c2 * q, b)));
    set_tensor(&r->along_e, j, m, sub(scale(x.c1, b), scale(x.c2 * p, c)));
    set_tensor(&r->action, j, scale(h, m), m);
}

/* ---- a step, in the axes that the body was given in ------------------------------------ */

typedef struct answer {
    response r;      /* in ordinary units; of no meaning at rest */
    ph_mat3 inverse; /* J^-1 */
    ph_vec3 w, n;    /* after the step: velocity, and dm/dt */
    double h;
    bool rest;
    int of_m, of_J; /* exponents of two: the units of r */
} answer;

/* The response of an exact step in principal axes, which s takes; in ordinary units. */
static ph_status step_with_response(ph_state *s, ph_vec3 J, double h, bool moments,
                                    response *r)
{
    derivative_bodies w[VECTORS];
    w[0].e.s = one_body(s, J, h);
    derivative_move(w, moments);
    if (!w[0].e.out.good) {
        ph_state next = *s;
        const ph_status status = ph_motion_step_uniform(&next, J, h);
        if (status != PH_OK)
            return status;
        w[0].e.out = (outcome){next.q, next.m, true};
        respond_uniformly(w, moments);
    }
    if (!w[0].r.moves)
        respond_stationary(w);
    else if (!w[0].r.good)
        integrate_by_inertia(w);
    *s = (ph_state){w[0].e.out.q, w[0].e.out.m};
    *r = w[0].r;
    return PH_OK;
}

static ph_mat3 from_axes(const ph_mat3 *A, ph_mat3 tensor)
{
    return matmul(matmul(*A, tensor), transpose(*A));
}

static ph_mat3 diagonal(ph_vec3 d)
{
    return rows(vec3(d.x, 0, 0), vec3(0, d.y, 0), vec3(0, 0, d.z));
}

/* Slopes in the axes of a body from those in its principal ones. */
static void turn_slopes(slopes *x, const ph_mat3 *A)
{
    const ph_vec3 p = scale(0.5, x->products);
    ph_mat3 S = diagonal(x->diagonal);
    S.a[1][2] = S.a[2][1] = p.x;
    S.a[0][2] = S.a[2][0] = p.y;
    S.a[0][1] = S.a[1][0] = p.z;
    S = from_axes(A, S);
    x->m = apply(*A, x->m);
    x->diagonal = vec3(S.a[0][0], S.a[1][1], S.a[2][2]);
    x->products = vec3(2.0 * S.a[1][2], 2.0 * S.a[0][2], 2.0 * S.a[0][1]);
}

static void turn_response(response *r, const ph_mat3 *A)
{
    r->turn = quat(r->turn.w, apply(*A, vec(r->turn)));
    r->m0 = apply(*A, r->m0);
    r->m1 = apply(*A, r->m1);
    r->n1 = apply(*A, r->n1);
    r->e1 = apply(*A, r->e1);
    turn_slopes(&r->along_n, A);
    turn_slopes(&r->along_e, A);
    turn_slopes(&r->action, A);
}

static ph_vec3 times_power(ph_vec3 v, int exponent)
{
    return exponent == 0
               ? v
               : vec3(ldexp(v.x, exponent), ldexp(v.y, exponent), ldexp(v.z, exponent));
}

/* Whether the formulas hold in the units of the caller. */
static bool derivative_units(ph_vec3 m, ph_vec3 J)
{
    const double spin = dot(m, m) / J.y;
    return ordinary_units(m, J) && spin <= DERIVATIVE_UNITS &&
           spin >= 1.0 / DERIVATIVE_UNITS;
}

static ph_status answer_of(answer *a, const ph_body *b, ph_state *s, double h)
{
    const ph_status checked = ph_check(b, s);
    if (checked != PH_OK)
        return checked;
    if (!isfinite(h))
        return PH_BAD_STEP;
    ph_state next = to_principal(b, *s);
    *a = (answer){.h = h, .rest = norm_max(s->m) == 0.0};
    if (!a->rest) {
        ph_vec3 J = b->J;
        double time = h;
        if (!derivative_units(next.m, J)) {
            a->of_J = ilogb(norm_max(J));
            if (!ph_to_ordinary_units(&next.m, &J, &time, &a->of_m))
                return PH_NOT_APPLICABLE;
            if (!isfinite(time))
                return PH_NOT_FINITE;
        }
        const ph_status status = step_with_response(&next, J, time, true, &a->r);
        if (status != PH_OK)
            return status;
        next.m = times_power(next.m, a->of_m);
    }
    a->inverse = diagonal(inverses_of(b->J));
    if (!b->principal) {
        const ph_mat3 A = ph_quat_matrix(b->axes);
        a->inverse = from_axes(&A, a->inverse);
        turn_response(&a->r, &A);
        next = from_principal(b, next);
    }
    a->w = ph_body_velocity(b, next.m);
    a->n = cross(next.m, a->w);
    *s = next;
    return PH_OK;
}

/* ---- matrices and products ---------------------------------------------------------- */

/* How m c_m + n c_n + e c_e + action c_a changes, in the caller's units but for a factor of
 * that sum. */
static slopes combined(const answer *a, double cm, double cn, double ce, double ca)
{
    const response *r = &a->r;
    const slopes *n = &r->along_n, *e = &r->along_e, *x = &r->action;
    const ph_vec3 m = add(add(scale(cm * r->over_G2, r->m0), scale(cn, n->m)),
                          add(scale(ce, e->m), scale(ca, x->m))),
                  d = add(add(scale(cn, n->diagonal), scale(ce, e->diagonal)),
                          scale(ca, x->diagonal)),
                  p = add(add(scale(cn, n->products), scale(ce, e->products)),
                          scale(ca, x->products));
    return (slopes){times_power(m, -a->of_m), times_power(d, -a->of_J),
                    times_power(p, -a->of_J)};
}

/* How a number changes with what the step begins with, if it changes by x with attitude and by y
 * with momentum after it; y in the units of r. */
static slopes transposed(const answer *a, ph_vec3 x, ph_vec3 y)
{
    const response *r = &a->r;
    slopes s = combined(a, dot(r->m1, y), dot(r->n1, y) - r->over_G2 * dot(r->e1, x),
                        dot(r->e1, y) + dot(r->n1, x), r->over_G2 * dot(r->m1, x));
    const ph_vec3 turned = cross(rotate(r->turn, x), r->m0);
    s.m = add(s.m, times_power(scale(r->over_G2, turned), -a->of_m));
    return s;
}

static void put_row(double row[PH_DERIVATIVE_COLUMNS], ph_vec3 attitude, const slopes *x,
                    double t)
{
    const double all[PH_DERIVATIVE_COLUMNS] = {attitude.x,
                                               attitude.y,
                                               attitude.z,
                                               x->m.x,
                                               x->m.y,
                                               x->m.z,
                                               x->diagonal.x,
                                               x->diagonal.y,
                                               x->diagonal.z,
                                               x->products.z,
                                               x->products.y,
                                               x->products.x,
                                               t};
    memcpy(row, all, sizeof all);
}

static ph_vec3 row_of(const ph_mat3 *A, int i)
{
    return vec3(A->a[i][0], A->a[i][1], A->a[i][2]);
}

/* J^-1 after the step: -(row of J^-1) dJ w. */
static void add_velocity(slopes *x, ph_vec3 row, ph_vec3 w)
{
    add_tensor(x, vec3(1, 1, 1), row, w);
}

static void fill(const answer *a, ph_derivative *d)
{
    const ph_vec3 zero = {0, 0, 0};
    const ph_mat3 T = ph_quat_matrix(a->rest ? (ph_quat){1, 0, 0, 0} : a->r.turn),
                  K = a->inverse;
    const double w[3] = {a->w.x, a->w.y, a->w.z}, n[3] = {a->n.x, a->n.y, a->n.z};
    const ph_vec3 acceleration = apply(K, a->n);
    const double wt[3] = {acceleration.x, acceleration.y, acceleration.z};
    for (int i = 0; i < 3; i++) {
        const ph_vec3 unit = vec3(i == 0, i == 1, i == 2), k = row_of(&K, i);
        slopes attitude = {scale(a->h, k), zero, zero}, momentum = {unit, zero, zero},
               velocity = {k, zero, zero};
        if (!a->rest) {
            attitude = transposed(a, unit, zero);
            momentum = transposed(a, zero, times_power(unit, a->of_m));
            velocity = transposed(a, zero, times_power(k, a->of_m));
            add_velocity(&velocity, k, a->w);
        }
        put_row(d->attitude[i], row_of(&T, i), &attitude, w[i]);
        for (int j = 0; j < 3; j++)
            d->attitude[i][j] = T.a[j][i];
        put_row(d->momentum[i], zero, &momentum, n[i]);
        put_row(d->velocity[i], zero, &velocity, wt[i]);
    }
}

static bool finite_all(const ph_derivative *d)
{
    const double *x = &d->attitude[0][0];
    bool finite = true;
    for (size_t i = 0; i < sizeof *d / sizeof *x; i++)
        finite = finite && isfinite(x[i]);
    return finite;
}

static ph_status derivative_of(const ph_body *b, ph_state *s, double h, ph_derivative *d)
{
    answer a;
    ph_derivative out;
    ph_state next = *s;
    const ph_status status = answer_of(&a, b, &next, h);
    if (status != PH_OK)
        return status;
    fill(&a, &out);
    if (!finite_all(&out))
        return PH_NOT_FINITE;
    *s = next;
    *d = out;
    return PH_OK;
}

ph_status ph_flow_derivative(const ph_body *b, ph_state *s, double h, ph_derivative *d)
{
    if (ANY_NULL(b, s, d))
        return PH_NULL_ARGUMENT;
    return derivative_of(b, s, h, d);
}

ph_status ph_motion_derivative_at(const ph_motion *motion, double t, ph_state *s,
                                  ph_derivative *d)
{
    if (ANY_NULL(motion, d))
        return PH_NULL_ARGUMENT;
    free_motion f;
    memcpy(&f, motion, sizeof f);
    ph_state start = from_principal(&f.body, f.start);
    const ph_status status = derivative_of(&f.body, &start, t, d);
    if (status == PH_OK && s != NULL)
        *s = ph_motion_at(motion, t);
    return status;
}

/* ---- products with a vector ------------------------------------------------------------ */

static double inertia_dot(const slopes *x, const double J[6])
{
    return dot(x->diagonal, vec3(J[0], J[1], J[2])) +
           dot(x->products, vec3(J[5], J[4], J[3]));
}

static double change_of(const slopes *x, ph_vec3 m, const double J[6])
{
    return dot(x->m, m) + inertia_dot(x, J);
}

ph_status ph_flow_tangent(const ph_body *b, ph_state *s, double h, ph_tangent *v)
{
    if (ANY_NULL(b, s, v))
        return PH_NULL_ARGUMENT;
    answer a;
    ph_state next = *s;
    const ph_status status = answer_of(&a, b, &next, h);
    if (status != PH_OK)
        return status;
    const response *r = &a.r;
    ph_vec3 x = add(v->attitude, scale(h, apply(a.inverse, v->momentum))),
            y = v->momentum;
    if (!a.rest) {
        const ph_vec3 m = times_power(v->momentum, -a.of_m);
        double J[6];
        for (int i = 0; i < 6; i++)
            J[i] = ldexp(v->inertia[i], -a.of_J);
        const double n = change_of(&r->along_n, m, J), e = change_of(&r->along_e, m, J),
                     action = change_of(&r->action, m, J),
                     along = r->over_G2 * dot(r->m0, m);
        y = add(scale(along, r->m1), add(scale(n, r->n1), scale(e, r->e1)));
        y = times_power(y, a.of_m);
        x = add(add(rotate_back(r->turn, v->attitude), scale(e, r->n1)),
                scale(r->over_G2, add(cross(r->m1, rotate_back(r->turn, m)),
                                      sub(scale(action, r->m1), scale(n, r->e1)))));
    }
    x = add(x, scale(v->t, a.w));
    y = add(y, scale(v->t, a.n));
    if (!finite3(x) || !finite3(y))
        return PH_NOT_FINITE;
    v->attitude = x;
    v->momentum = y;
    *s = next;
    return PH_OK;
}

ph_status ph_flow_cotangent(const ph_body *b, const ph_state *s, double h, ph_tangent *v)
{
    if (ANY_NULL(b, s, v))
        return PH_NULL_ARGUMENT;
    answer a;
    ph_state next = *s;
    const ph_status status = answer_of(&a, b, &next, h);
    if (status != PH_OK)
        return status;
    const ph_vec3 x = v->attitude, y = v->momentum, zero = {0, 0, 0};
    const slopes all = a.rest
                           ? (slopes){add(y, scale(h, apply(a.inverse, x))), zero, zero}
                           : transposed(&a, x, times_power(y, a.of_m));
    const double J[6] = {all.diagonal.x, all.diagonal.y, all.diagonal.z,
                         all.products.z, all.products.y, all.products.x};
    v->attitude = a.rest ? x : rotate(a.r.turn, x);
    v->momentum = all.m;
    for (int i = 0; i < 6; i++)
        v->inertia[i] += J[i];
    v->t += dot(a.w, x) + dot(a.n, y);
    return PH_OK;
}

const char *ph_derivative_column(int column)
{
#define NAME(name) #name,
    static const char *const names[] = {PH_DERIVATIVE_LIST(NAME)};
#undef NAME
    return column >= 0 && column < PH_DERIVATIVE_COLUMNS ? names[column] : NULL;
}
