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
#include "base/jacobi.h"
#include "motion/motion.h"
#include "motion/state.h"
#include "motion/units.h"
#include "motion/vec.h"

/* ---- long steps, and those next to the separatrix ---------------------------------- */

/* sn, cn, dn and W of a step by the AGM and Carlson's RD, w reduced by N half periods. */
static void by_agm(addition *a, double *W)
{
    const double w = a->o.lambda * a->f.sigma_h, kc2 = larger_or_nan(a->o.kc2, 0.0);
    const ph_jacobi jacobi = ph_jacobi_prepare_c(smaller_or_nan(kc2, 1.0));
    double N;
    const ph_sncndn e = ph_jacobi_at(&jacobi, less_half_periods(&jacobi, w, &N));
    const double parity = parity_of(N);
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

/* W at the phase of a place, less whole half periods: s^3/3 RD(c^2, 1, d^2). */
static double W_at(const addition *a, double ya, double yb, double yc)
{
    const addition_orbit *o = &a->o;
    const double s = sqrt(a->f.Da / o->E1) * copysign(yb, yb * copysign(1.0, yc));
    return s * s * s / 3.0 * ph_rd(a->f.D * yc * yc / o->E1, 1.0, o->size * ya * ya);
}

/* W(u0 + w) - W(u0) by the two where the sum of swept_by() cancels; both differ from it by
 * whole half periods. */
static double swept_between(const addition *a, double W)
{
    const addition_step *f = &a->f;
    const double rough = swept_by(a, W);
    if (fabs(rough) >= DERIVATIVE_SWEPT * fabs(W))
        return rough;
    const double fine = W_at(a, a->z.ya, a->z.yb, a->z.yc) - W_at(a, f->ya, f->yb, f->yc),
                 period = a->o.kc2 > 0.0 ? 2.0 / 3.0 * ph_rd(0.0, 1.0, a->o.kc2) : INFINITY;
    return fine + (period < INFINITY ? period * rint((rough - fine) / period) : 0.0);
}

/* The roles a and c exchanged: next to the middle axis those of the step, which does not need
 * it, may be the wrong ones. */
static void exchange_roles(exact_bodies *w)
{
    const addition_step f = w->a.f;
    renaming *r = &w->r;
    const double odd = -(r->sign_x * r->sign_y), before = r->sign_y, back = r->sign_x;
    r->xz = !r->xz;
    r->sign_x = copysign(1.0, f.yc);
    r->sign_y = r->sign_x * odd;
    w->a.f = (addition_step){.Da = f.Dc,
                             .Dc = f.Da,
                             .D = f.D,
                             .ja = f.jc,
                             .jc = f.ja,
                             .ya = fabs(f.yc),
                             .yb = r->sign_y * before * f.yb,
                             .yc = back * f.ya,
                             .E1 = f.E3,
                             .E3 = f.E1,
                             .h = f.h,
                             .sigma_h = -f.sigma_h};
    w->a.o = orbit_of(&w->a.f);
}

/* The response of the step that has led from w->e.s to w->e.out. */
static void respond_uniformly(derivative_bodies *w, bool moments)
{
    if (w->e.a.o.kc2 < 0.0)
        exchange_roles(&w->e);
    const ph_vec3 y = renamed(&w->e.r, w->e.out.m);
    addition_turn end = {.ya = y.x, .yb = y.y, .yc = y.z};
    by_agm(&w->e.a, &w->W);
    refine_end(&w->e.a, &end);
    w->swept = swept_between(&w->e.a, w->W);
    respond(w, &end, moments);
}

/* ---- slopes by a tensor -------------------------------------------------------------- */

/* Adds u . dj v as slopes by J, in principal axes: dj = -j dJ j. */
static void add_tensor(slopes *x, ph_vec3 j, ph_vec3 u, ph_vec3 v)
{
    const ph_vec3 U = times(scale(-1.0, j), u), V = times(j, v);
    x->diagonal = add(x->diagonal, times(U, V));
    x->products =
        add(x->products, vec3(U.y * V.z + U.z * V.y, U.x * V.z + U.z * V.x, U.x * V.y + U.y * V.x));
}

static void set_tensor(slopes *x, ph_vec3 j, ph_vec3 u, ph_vec3 v)
{
    x->diagonal = x->products = vec3(0, 0, 0);
    add_tensor(x, j, u, v);
}

/* A step with its response, where the formulas of derivative.h hold. */
static void move(derivative_bodies *w, bool moments)
{
    derivative_carry(w);
    derivative_finish(w, moments);
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
        const int k = smaller_int(i, 2 * PAIRS - 1 - i);
        at[0].e.s = w->e.s;
        if (i < PAIRS)
            at[0].e.s.h *= node[k];
        else
            at[0].e.s.h *= 1.0 - node[k];
        move(at, false);
        if (at[0].e.a.o.kc2 < 0.0)
            respond_uniformly(at, false);
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
 * n and e are b and G c here. A function of its own in the program too: this case is rare, and
 * inside step_with_response() it would cost the others registers. */
__attribute__((noinline)) static void respond_stationary(derivative_bodies *w, bool moments)
{
    const bodies *s = &w->e.s;
    response *r = &w->r;
    const ph_vec3 m = s->m, J = s->J, j = inverses_of(J);
    const ph_vec3 size = {fabs(m.x), fabs(m.y), fabs(m.z)};
    const double G = norm(m), h = s->h;
    /* c: the axis that m is farthest from, or next to it; I: the moment along m */
    const ph_vec3 far = axis_of_least(m);
    double I = J.z;
    if (size.x >= size.y && size.x >= size.z)
        I = J.x;
    else if (size.y >= size.z)
        I = J.y;
    const ph_vec3 a = scale(1.0 / G, m), across = cross(far, a),
                  b = scale(1.0 / norm(across), across), c = cross(a, b);
    const ph_vec3 excess = {(I - J.x) / (I * J.x), (I - J.y) / (I * J.y), (I - J.z) / (I * J.z)};
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
    if (moments) {
        set_tensor(&r->along_n, j, scale(-G, m), add(scale(x.c1, c), scale(x.c2 * q, b)));
        set_tensor(&r->along_e, j, m, sub(scale(x.c1, b), scale(x.c2 * p, c)));
        set_tensor(&r->action, j, scale(h, m), m);
    }
}

/* ---- a step, in the axes that the body was given in ------------------------------------ */

typedef struct answer {
    derivative_bodies w[VECTORS]; /* with the response, in ordinary units */
    ph_mat3 inverse;              /* J^-1 */
    ph_vec3 velocity;             /* after the step */
    double h;
    bool rest, moments; /* nothing moves, there is no response; derivatives by J are wanted */
    int of_m, of_J;     /* exponents of two: the units of the response */
} answer;

/* An exact step in principal axes and ordinary units with its response. */
static ph_status step_with_response(answer *a, ph_state *s, ph_vec3 J, double h)
{
    derivative_bodies *w = a->w;
    w->e.s = one_body(s, J, h);
    move(w, a->moments);
    const bool good = w->e.out.good;
    if (!good) {
        const ph_status status = ph_motion_step_uniform(s, J, h);
        if (status != PH_OK)
            return status;
        w->e.out = (outcome){s->q, s->m, true};
    }
    if (!good || w->e.a.o.kc2 < 0.0 || !(fabs(w->swept) >= DERIVATIVE_SWEPT * fabs(w->W)))
        respond_uniformly(w, a->moments);
    if (!w->r.moves)
        respond_stationary(w, a->moments);
    else if (a->moments && !w->r.good)
        integrate_by_inertia(w);
    *s = (ph_state){w->e.out.q, w->e.out.m};
    return PH_OK;
}

static ph_mat3 diagonal(ph_vec3 d)
{
    return rows(vec3(d.x, 0, 0), vec3(0, d.y, 0), vec3(0, 0, d.z));
}

/* A tensor in the axes of a body from that in its principal ones. */
static ph_mat3 from_axes(const ph_mat3 *A, ph_mat3 tensor)
{
    return matmul(matmul(*A, tensor), transpose(*A));
}

static void turn_slopes(slopes *x, const ph_mat3 *A, bool moments)
{
    x->m = apply(*A, x->m);
    if (!moments)
        return;
    const ph_vec3 d = x->diagonal, p = scale(0.5, x->products);
    const ph_mat3 S =
        from_axes(A, rows(vec3(d.x, p.z, p.y), vec3(p.z, d.y, p.x), vec3(p.y, p.x, d.z)));
    x->diagonal = vec3(S.a[0][0], S.a[1][1], S.a[2][2]);
    x->products = vec3(2.0 * S.a[1][2], 2.0 * S.a[0][2], 2.0 * S.a[0][1]);
}

static void turn_response(response *r, const ph_mat3 *A, bool moments)
{
    r->turn = quat(r->turn.w, apply(*A, vec(r->turn)));
    r->m0 = apply(*A, r->m0);
    r->m1 = apply(*A, r->m1);
    r->n1 = apply(*A, r->n1);
    r->e1 = apply(*A, r->e1);
    turn_slopes(&r->along_n, A, moments);
    turn_slopes(&r->along_e, A, moments);
    turn_slopes(&r->action, A, moments);
}

static double number_times_power(double x, int exponent)
{
    if (exponent == 0)
        return x;
    return ldexp(x, exponent);
}

static inline ph_vec3 times_power(ph_vec3 v, int exponent)
{
    if (exponent == 0)
        return v;
    return vec3(ldexp(v.x, exponent), ldexp(v.y, exponent), ldexp(v.z, exponent));
}

static double norm_1(ph_vec3 v)
{
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

static double sum_of(const slopes *x, bool moments)
{
    return norm_1(x->m) + (moments ? norm_1(x->diagonal) + norm_1(x->products) : 0.0);
}

/* Whether products of two of its numbers are finite. */
static bool bounded(const response *r, bool moments)
{
    const double most = 0x1p500;
    return sum_of(&r->along_n, moments) + sum_of(&r->along_e, moments) +
               sum_of(&r->action, moments) <
           most;
}

/* Advances s, and says how it answers; moments and h of the answer are set. */
static ph_status answer_of(answer *a, const ph_body *b, ph_state *s)
{
    const ph_status checked = ph_check(b, s);
    if (checked != PH_OK)
        return checked;
    if (!isfinite(a->h))
        return PH_BAD_STEP;
    ph_state next = to_principal(b, *s);
    ph_vec3 J = b->J;
    double h = a->h;
    a->rest = norm_max(s->m) == 0.0;
    a->of_m = a->of_J = 0;
    if (!a->rest) {
        if (!(ordinary_units(next.m, J) && derivative_units(next.m, J))) {
            a->of_J = ilogb(norm_max(J));
            if (!ph_to_ordinary_units(&next.m, &J, &h, &a->of_m))
                return PH_NOT_APPLICABLE;
            if (!isfinite(h))
                return PH_NOT_FINITE;
        }
        const ph_status status = step_with_response(a, &next, J, h);
        if (status != PH_OK)
            return status;
        if (!bounded(&a->w->r, a->moments))
            return PH_NOT_FINITE;
        next.m = times_power(next.m, a->of_m);
    }
    a->inverse = diagonal(inverses_of(b->J));
    if (!b->principal) {
        const ph_mat3 A = ph_quat_matrix(b->axes);
        a->inverse = from_axes(&A, a->inverse);
        if (!a->rest)
            turn_response(&a->w->r, &A, a->moments);
        next = from_principal(b, next);
    }
    a->velocity = ph_body_velocity(b, next.m);
    *s = next;
    return PH_OK;
}

/* ---- matrices ------------------------------------------------------------------------ */

static void put_row(double row[PH_DERIVATIVE_COLUMNS], ph_vec3 turned, const slopes *x)
{
    row[0] = turned.x, row[1] = turned.y, row[2] = turned.z;
    row[3] = x->m.x, row[4] = x->m.y, row[5] = x->m.z;
    row[6] = x->diagonal.x, row[7] = x->diagonal.y, row[8] = x->diagonal.z;
    row[9] = x->products.z, row[10] = x->products.y, row[11] = x->products.x;
}

/* Rows i of attitude and momentum, in the units of the response. */
static void fill_row(const answer *a, int i, ph_vec3 turned, double m1, double n1, double e1,
                     ph_derivative *d)
{
    const response *r = &a->w->r;
    const slopes attitude = slopes_of_attitude(r, m1, n1, e1, turned, a->moments),
                 momentum = slopes_of_momentum(r, m1, n1, e1, a->moments);
    put_row(d->attitude[i], turned, &attitude);
    put_row(d->momentum[i], vec3(0, 0, 0), &momentum);
}

/* The velocity after the step, and dm/dt = m x w there, in the units of the response. In these no
 * product overflows or underflows. */
static inline ph_vec3 velocity_in_units(const answer *a)
{
    return times_power(a->velocity, a->of_J - a->of_m);
}

static inline ph_vec3 rate_in_units(const answer *a, const ph_state *end)
{
    return cross(times_power(end->m, -a->of_m), velocity_in_units(a));
}

/* Rows of a quantity that is 2^of times its number, from the units of the response. */
static void from_units(const answer *a, int of, double x[3][PH_DERIVATIVE_COLUMNS])
{
    for (int i = 0; i < 3; i++) {
        for (int k = PH_BY_MOMENTUM; k < PH_DERIVATIVE_COLUMNS; k++) {
            int by = a->of_J - a->of_m;
            if (k < PH_BY_INERTIA)
                by = a->of_m;
            else if (k < PH_BY_TIME)
                by = a->of_J;
            x[i][k] = ldexp(x[i][k], of - by);
        }
    }
}

static void set_column(double x[3][PH_DERIVATIVE_COLUMNS], int k, ph_vec3 v)
{
    x[0][k] = v.x, x[1][k] = v.y, x[2][k] = v.z;
}

/* At rest: dtheta+ = dtheta + h J^-1 dm, dm+ = dm. */
static void fill_at_rest(const answer *a, ph_derivative *d)
{
    for (int i = 0; i < 3; i++) {
        d->attitude[i][i] = d->momentum[i][PH_BY_MOMENTUM + i] = 1.0;
        for (int k = 0; k < 3; k++)
            d->attitude[i][PH_BY_MOMENTUM + k] = a->h * a->inverse.a[i][k];
    }
}

static void fill(const answer *a, const ph_state *end, ph_derivative *d)
{
    const ph_vec3 w = velocity_in_units(a);
    if (a->rest) {
        *d = (ph_derivative){0};
        fill_at_rest(a, d);
    } else {
        const response *r = &a->w->r;
        ph_vec3 of[3];
        matrix_columns(r->turn, of);
        fill_row(a, 0, of[0], r->m1.x, r->n1.x, r->e1.x, d);
        fill_row(a, 1, of[1], r->m1.y, r->n1.y, r->e1.y, d);
        fill_row(a, 2, of[2], r->m1.z, r->n1.z, r->e1.z, d);
    }
    set_column(d->attitude, PH_BY_TIME, w);
    set_column(d->momentum, PH_BY_TIME, rate_in_units(a, end));
    for (int i = 0; i < 3; i++) { /* w = J^-1 m, dw = J^-1 (dm - dJ w) */
        const double *row = a->inverse.a[i];
        const ph_vec3 k = times_power(vec3(row[0], row[1], row[2]), a->of_J);
        slopes of_J = {.m = {0, 0, 0}};
        if (a->moments)
            set_tensor(&of_J, vec3(1, 1, 1), k, w);
        put_row(d->velocity[i], vec3(0, 0, 0), &of_J);
        d->velocity[i][PH_BY_TIME] = 0.0;
        for (int c = PH_BY_MOMENTUM; c < PH_DERIVATIVE_COLUMNS; c++)
            d->velocity[i][c] +=
                k.x * d->momentum[0][c] + k.y * d->momentum[1][c] + k.z * d->momentum[2][c];
    }
    if (a->of_m != 0 || a->of_J != 0) {
        from_units(a, 0, d->attitude);
        from_units(a, a->of_m, d->momentum);
        from_units(a, a->of_m - a->of_J, d->velocity);
    }
}

static bool finite_all(const ph_derivative *d)
{
    double sum[PH_DERIVATIVE_COLUMNS] = {0}, all = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int c = 0; c < PH_DERIVATIVE_COLUMNS; c++)
            sum[c] += 0.0 * d->attitude[i][c] + (0.0 * d->momentum[i][c] + 0.0 * d->velocity[i][c]);
    }
    for (int c = 0; c < PH_DERIVATIVE_COLUMNS; c++)
        all += sum[c];
    return all == 0.0;
}

static ph_status derivative_of(const ph_body *b, ph_state *s, double h, bool moments,
                               ph_derivative *d)
{
    if (ANY_NULL(b, s, d))
        return PH_NULL_ARGUMENT;
    answer a;
    ph_state next = *s;
    a.h = h;
    a.moments = moments;
    const ph_status status = answer_of(&a, b, &next);
    if (status != PH_OK)
        return status;
    if (a.of_m == 0 && a.of_J == 0) { /* bounded, like the response */
        fill(&a, &next, d);
    } else {
        ph_derivative out;
        fill(&a, &next, &out);
        if (!finite_all(&out))
            return PH_NOT_FINITE;
        *d = out;
    }
    *s = next;
    return PH_OK;
}

ph_status ph_flow_derivative(const ph_body *b, ph_state *s, double h, ph_derivative *d)
{
    return derivative_of(b, s, h, true, d);
}

ph_status ph_flow_derivative_by_start(const ph_body *b, ph_state *s, double h, ph_derivative *d)
{
    return derivative_of(b, s, h, false, d);
}

ph_status ph_motion_derivative_at(const ph_motion *motion, double t, ph_state *s, ph_derivative *d)
{
    if (ANY_NULL(motion, d))
        return PH_NULL_ARGUMENT;
    if (!isfinite(t))
        return PH_BAD_TIME;
    free_motion f;
    memcpy(&f, motion, sizeof f);
    ph_state start = from_principal(&f.body, f.start);
    const ph_status status = ph_flow_derivative(&f.body, &start, t, d);
    if (status == PH_OK && s != NULL)
        *s = ph_motion_at(motion, t);
    return status;
}

const char *ph_derivative_column(int column)
{
#define NAME(name) #name,
    static const char *const names[] = {PH_DERIVATIVE_LIST(NAME)};
#undef NAME
    if (column >= 0 && column < PH_DERIVATIVE_COLUMNS)
        return names[column];
    return NULL;
}

/* ---- products with a vector ------------------------------------------------------------ */

/* What a change of m and, if `moments`, of J does to a number, in the units of the response.
 * Without `moments` the slopes by J are not computed, and are not read. */
static double change_of(const slopes *x, const slopes *by, bool moments)
{
    const double by_m = dot(x->m, by->m);
    if (moments)
        return by_m + (dot(x->diagonal, by->diagonal) + dot(x->products, by->products));
    return by_m;
}

ph_status ph_flow_tangent(const ph_body *b, ph_state *s, double h, ph_tangent *v)
{
    if (ANY_NULL(b, s, v))
        return PH_NULL_ARGUMENT;
    answer a;
    ph_state next = *s;
    const double *J = v->inertia;
    a.h = h;
    a.moments =
        J[0] != 0.0 || J[1] != 0.0 || J[2] != 0.0 || J[3] != 0.0 || J[4] != 0.0 || J[5] != 0.0;
    const ph_status status = answer_of(&a, b, &next);
    if (status != PH_OK)
        return status;
    const response *r = &a.w->r;
    ph_vec3 x, y;
    if (a.rest) {
        y = v->momentum;
        x = add(v->attitude, scale(h, apply(a.inverse, y)));
    } else {
        const slopes by = {times_power(v->momentum, -a.of_m),
                           times_power(vec3(J[0], J[1], J[2]), -a.of_J),
                           times_power(vec3(J[5], J[4], J[3]), -a.of_J)};
        const double along_m = r->over_G2 * dot(r->m0, by.m),
                     n = change_of(&r->along_n, &by, a.moments),
                     e = change_of(&r->along_e, &by, a.moments),
                     action = change_of(&r->action, &by, a.moments);
        y = times_power(sum_of_three(along_m, r->m1, n, r->n1, e, r->e1), a.of_m);
        x = sum_of_four(e, r->n1, r->over_G2, cross(r->m1, rotate_back(r->turn, by.m)),
                        r->over_G2 * action, r->m1, -(r->over_G2 * n), r->e1);
        x = add(rotate_back(r->turn, v->attitude), x);
    }
    x = add(x, scale(v->t, a.velocity));
    y = add(y,
            times_power(scale(number_times_power(v->t, a.of_m - a.of_J), rate_in_units(&a, &next)),
                        a.of_m));
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
    a.h = h;
    a.moments = true;
    const ph_status status = answer_of(&a, b, &next);
    if (status != PH_OK)
        return status;
    const response *r = &a.w->r;
    const ph_vec3 x = v->attitude, y = times_power(v->momentum, a.of_m);
    v->t +=
        dot(a.velocity, x) + number_times_power(dot(rate_in_units(&a, &next), y), a.of_m - a.of_J);
    if (a.rest) {
        v->momentum = add(y, scale(h, apply(a.inverse, x)));
        return PH_OK;
    }
    const ph_vec3 turned = rotate(r->turn, x);
    const slopes by_x = slopes_of_attitude(r, dot(r->m1, x), dot(r->n1, x), dot(r->e1, x), turned,
                                           true),
                 by_y = slopes_of_momentum(r, dot(r->m1, y), dot(r->n1, y), dot(r->e1, y), true);
    const ph_vec3 diagonal = times_power(add(by_x.diagonal, by_y.diagonal), -a.of_J),
                  products = times_power(add(by_x.products, by_y.products), -a.of_J);
    v->attitude = turned;
    v->momentum = times_power(add(by_x.m, by_y.m), -a.of_m);
    v->inertia[0] += diagonal.x;
    v->inertia[1] += diagonal.y;
    v->inertia[2] += diagonal.z;
    v->inertia[3] += products.z;
    v->inertia[4] += products.y;
    v->inertia[5] += products.x;
    return PH_OK;
}
