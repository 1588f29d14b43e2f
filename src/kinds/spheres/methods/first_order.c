/* first_order.c - methods for first-order problems: the spherical midpoint, and Munthe-Kaas
 * Runge-Kutta methods, which also take those of second order.
 *
 * O11    Ortolan, thesis, Padova 2011, section 7.1.2; Munthe-Kaas 1998.
 * MMV14  McLachlan, Modin, Verdier, Phys. Rev. E 89 (2014) 061301.
 */
#include <math.h>
#include <string.h>

#include "base/extremes.h"
#include "integrators/tableau.h"
#include "kinds/spheres/workspace.h"
#include "motion/newton.h"

/* ---- the spherical midpoint ------------------------------------------------------ */

/* MMV14
 *
 *   q+ = q + h g(m) x m,   m_i = (q_i + q_i+)/|q_i + q_i+|
 *
 * q+ - q is orthogonal to m, hence |q+| = |q|; linear invariants, as the moment of
 * vorticity and the total spin, are kept; symmetric, and symplectic when the flow is that
 * of an energy (MMV14). Solved for the q+ by fixed-point iteration down to round-off: n
 * may be large. PH_NO_CONVERGENCE where the step is too long for that. */

/* One iteration for the increments d, so that q+ = q + d; returns the largest change. */
static double improve(ph_spheres *s, const ph_vec3 *q, double h, ph_vec3 *d)
{
    ph_vec3 *m = s->vectors[1];
    double largest = 0.0;
    for (int i = 0; i < s->n; i++) {
        const ph_vec3 sum = add(q[i], scale(0.5, d[i]));
        m[i] = scale(1.0 / norm(sum), sum);
    }
    const ph_vec3 *g = ph_spheres_angular_velocity(s, m);
    for (int i = 0; i < s->n; i++) {
        const ph_vec3 better = scale(h, cross(g[i], m[i]));
        const double change = norm_max(sub(better, d[i]));
        largest = larger_or_nan(largest, change);
        d[i] = better;
    }
    return largest;
}

static ph_status solve(ph_spheres *s, const ph_vec3 *q, double h, ph_vec3 *d)
{
    fixed_point f = {0, 0, 0.0};
    ph_status status;
    memset(d, 0, (size_t)s->n * sizeof *d);
    while (fixed_point_goes_on(&f, improve(s, q, h, d), &status))
        ;
    return status;
}

static ph_status spherical_midpoint(const ph_method *method, ph_spheres *s, ph_vec3 *q, ph_vec3 *w,
                                    double h)
{
    (void)method;
    ph_vec3 *d = s->vectors[0];
    const ph_status status = solve(s, q, h, d);
    if (status != PH_OK)
        return status;
    for (int i = 0; i < s->n; i++)
        s->next_q[i] = renormalize_direction(add(q[i], d[i]));
    return ph_spheres_commit_step(s, q, w);
}

const ph_method ph_spheres_method_spherical_midpoint = {
    .name = "spherical_midpoint",
    .title = "Spherical midpoint",
    .cite = "MMV14",
    .order = 2,
    .keeps = PH_SYMMETRIC | PH_SYMPLECTIC | PH_MOMENTUM,
    .data = &(const sphere_method){PH_SPHERES_FIRST_ORDER, spherical_midpoint, NULL},
};

/* ---- Munthe-Kaas ----------------------------------------------------------------- */

/* The motion is lifted to SO(3)^n, R_i' = hat(w_i) R_i with q_i = R_i q_i(0), where for
 * second-order problems w is a further unknown of a vector space. In each stage k
 *
 *   u_k = h sum_j a_kj dexp^-1(u_j) W_j,   q_k = exp(u_k) q,   W_k = w + h sum_j a_kj A_j
 *   A_k = the accelerations at q_k, W_k          (first order: W_k = g(q_k), no A_k)
 *
 * and the new state in the same way with b_j for a_kj.
 *
 * Implicit stages by fixed-point iteration, as in O11, down to round-off: there are 6n
 * unknowns for each stage, and n may be thousands.
 *
 * rkmk4 and rkmkgl4 truncate dexp^-1 as O11 does, rkmkgl6 takes all of it. Corrected: row 2
 * of the tableau of RKMK4 is printed 1/2 1/2 0 0, which is implicit and of order 1.
 *
 * The turns begin at the old configuration, so that a Gauss tableau gives neither symmetry
 * nor symplecticity, and w is not kept orthogonal to q: q.w drifts, as O11 shows. */

typedef struct lifted {
    ph_spheres *s;
    const ph_vec3 *q; /* at the start */
    bool truncated;   /* dexp^-1 */
    bool second_order;
} lifted;

/* dexp^-1(u) W; the truncated one is enough for order 4. */
static ph_vec3 dexp_inverse(const lifted *g, ph_vec3 u, ph_vec3 W)
{
    if (!g->truncated)
        return ph_dexp_inverse(u, W);
    const ph_vec3 uW = cross(u, W);
    return add(sub(W, scale(0.5, uW)), scale(1.0 / 12, cross(u, uW)));
}

/* The places that turns u lead to. */
static void turn_all(const lifted *g, const ph_vec3 *u)
{
    for (int i = 0; i < g->s->n; i++)
        g->s->next_q[i] = renormalize_direction(rotate(ph_rotation_exp(u[i]), g->q[i]));
}

/* The slopes of u and w, n vectors each. */
static ph_status rate(void *context, double t, const double *y, double *slope)
{
    (void)t;
    const lifted *g = context;
    const int n = g->s->n;
    const ph_vec3 *u = (const ph_vec3 *)y;
    ph_vec3 *k = (ph_vec3 *)slope;
    turn_all(g, u);
    const ph_status status = ph_spheres_slope(g->s, g->s->next_q, u + n, k, k + n);
    for (int i = 0; status == PH_OK && i < n; i++)
        k[i] = dexp_inverse(g, u[i], k[i]);
    return status;
}

/* Of a turn relative to 1, of w to itself. */
static double change(void *context, double h, const double *y, const double *now,
                     const double *before)
{
    const lifted *g = context;
    const int n = g->s->n;
    const ph_vec3 *w = (const ph_vec3 *)y + n, *k = (const ph_vec3 *)now,
                  *old = (const ph_vec3 *)before;
    double turn = 0.0, moved = 0.0, size = 0.0;
    for (int i = 0; i < n; i++) {
        turn = larger_or_nan(turn, norm_max(sub(k[i], old[i])));
        if (g->second_order) {
            moved = larger_or_nan(moved, norm_max(sub(k[n + i], old[n + i])));
            size = larger_or_nan(size, larger_or_nan(norm_max(w[i]), fabs(h) * norm_max(k[n + i])));
        }
    }
    return fabs(h) * larger_or_nan(turn, quotient_or(moved, size, 0.0));
}

static ph_status munthe_kaas(const ph_method *method, ph_spheres *s, ph_vec3 *q, ph_vec3 *w,
                             double h)
{
    enum { STAGES = 4, AT = 2 * STAGES, NEXT = AT + 2, START = NEXT + 2 };
    const bool second_order = s->p.angular_velocity == NULL;
    const size_t n = (size_t)s->n;
    lifted g = {s, q, method->order <= 4, second_order};
    ph_vec3 *const *v = s->vectors, *start = v[START], *at = v[AT];
    tableau_step step = {sphere_method_of(method)->data,
                         0.0,
                         h,
                         second_order ? 6 * n : 3 * n,
                         rate,
                         change,
                         &g,
                         &start->x,
                         .at = &at->x,
                         .next = &v[NEXT]->x};
    for (size_t k = 0; k < STAGES; k++)
        step.slope[k] = &v[2 * k]->x;
    memset(start, 0, n * sizeof *start);
    memcpy(start + n, w, n * sizeof *w);
    const ph_status status = ph_tableau_step(&step);
    if (status != PH_OK)
        return status;
    turn_all(&g, at);
    if (second_order)
        memcpy(s->next_w, at + n, n * sizeof *w);
    for (size_t i = 0; i < n; i++)
        s->turn[i] = ph_rotation_exp(at[i]);
    s->turned = true;
    return ph_spheres_commit_step(s, q, w);
}

#define ROW(key, words, p, table)                                                                  \
    {                                                                                              \
        .name = (key), .title = (words), .cite = "O11 section 7.1.2", .order = (p),                \
        .data = &(const sphere_method)                                                             \
        {                                                                                          \
            PH_SPHERES_FIRST_ORDER | PH_SPHERES_SECOND_ORDER, munthe_kaas, (table)                 \
        }                                                                                          \
    }

const ph_method ph_spheres_method_rkmk[3] = {
    ROW("rkmk4", "Munthe-Kaas, classical Runge-Kutta", 4, &ph_tableau_rk4),
    ROW("rkmkgl4", "Munthe-Kaas, Gauss of order 4", 4, &ph_tableau_gauss4),
    ROW("rkmkgl6", "Munthe-Kaas, Gauss of order 6", 6, &ph_tableau_gauss6),
};
