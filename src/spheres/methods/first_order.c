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
#include "rotation/fixed_point.h"
#include "spheres/workspace.h"

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

static ph_status spherical_midpoint(const ph_method *method, ph_spheres *s, ph_vec3 *q,
                                    ph_vec3 *w, double h)
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
    .applies_to = PH_SPHERES_FIRST_ORDER,
    .step_spheres = spherical_midpoint,
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

/* The slopes of the stages, and room for one stage. */
typedef struct stages {
    const tableau *table;
    bool truncated; /* dexp^-1 */
    bool second_order;
    ph_spheres *s;
    const ph_vec3 *q, *w;
    double h;
    ph_vec3 *K[TABLEAU_STAGES], *A[TABLEAU_STAGES];
    ph_vec3 *u, *stage_q, *stage_w, *k, *a;
} stages;

static ph_vec3 dexp_inverse(const stages *g, ph_vec3 u, ph_vec3 W)
{
    if (!g->truncated)
        return ph_dexp_inverse(u, W);
    const ph_vec3 uW = cross(u, W);
    return add(sub(W, scale(0.5, uW)), scale(1.0 / 12, cross(u, uW)));
}

/* base + h sum_j c_j slope_j of sphere i; the first `known` stages count. */
static ph_vec3 combine(const stages *g, ph_vec3 base, const double *c, int known,
                       ph_vec3 *const *slope, int i)
{
    ph_vec3 sum = {0, 0, 0};
    for (int j = 0; j < known; j++) {
        if (c[j] != 0.0)
            sum = add(sum, scale(c[j], slope[j][i]));
    }
    return add(base, scale(g->h, sum));
}

/* The turn u, q and w that the slopes so far lead to with the weights c. */
static void move(const stages *g, const double *c, int known)
{
    const ph_vec3 zero = {0, 0, 0};
    for (int i = 0; i < g->s->n; i++) {
        g->u[i] = combine(g, zero, c, known, g->K, i);
        g->stage_q[i] = renormalize_direction(rotate(ph_exp(g->u[i]), g->q[i]));
        if (g->second_order)
            g->stage_w[i] = combine(g, g->w[i], c, known, g->A, i);
    }
}

/* The slopes of stage k at the place moved to, into k and a. */
static ph_status slopes(const stages *g)
{
    const ph_status status = ph_spheres_slope(g->s, g->stage_q, g->stage_w, g->k, g->a);
    for (int i = 0; status == PH_OK && i < g->s->n; i++)
        g->k[i] = dexp_inverse(g, g->u[i], g->k[i]);
    return status;
}

static void store_slopes(const stages *g, int k)
{
    memcpy(g->K[k], g->k, (size_t)g->s->n * sizeof *g->k);
    if (g->second_order)
        memcpy(g->A[k], g->a, (size_t)g->s->n * sizeof *g->a);
}

/* The change of a slope over h, relative to the state: of a turn to 1, of w to itself. */
static double relative_change(const stages *g, int k)
{
    double turn = 0.0, change = 0.0, size = 0.0;
    for (int i = 0; i < g->s->n; i++) {
        turn = larger_or_nan(turn, norm_max(sub(g->k[i], g->K[k][i])));
        if (g->second_order) {
            change = larger_or_nan(change, norm_max(sub(g->a[i], g->A[k][i])));
            size = larger_or_nan(size, larger_or_nan(norm_max(g->stage_w[i]),
                                                     fabs(g->h) * norm_max(g->a[i])));
        }
    }
    return fabs(g->h) * larger_or_nan(turn, size > 0.0 ? change / size : 0.0);
}

/* One pass over the stages, each with the newest slopes of the others, or with those before
 * it; *largest (or NULL) is the largest change. */
static ph_status pass(const stages *g, double *largest)
{
    for (int k = 0; k < g->table->stages; k++) {
        move(g, g->table->a[k], largest ? g->table->stages : k);
        const ph_status status = slopes(g);
        if (status != PH_OK)
            return status;
        if (largest != NULL)
            *largest = larger_or_nan(*largest, relative_change(g, k));
        store_slopes(g, k);
    }
    return PH_OK;
}

static ph_status implicit_stages(const stages *g)
{
    static const double nothing[TABLEAU_STAGES] = {0};
    move(g, nothing, 0);
    ph_status status = slopes(g);
    for (int k = 0; k < g->table->stages; k++)
        store_slopes(g, k);
    fixed_point f = {0, 0, 0.0};
    double largest;
    do {
        largest = 0.0;
        if (status == PH_OK)
            status = pass(g, &largest);
        if (status != PH_OK)
            return status;
    } while (fixed_point_goes_on(&f, largest, &status));
    return status;
}

ph_status ph_spheres_munthe_kaas(const tableau *table, bool truncated, ph_spheres *s,
                                 ph_vec3 *q, ph_vec3 *w, double h)
{
    ph_vec3 *const *v = s->vectors;
    const stages g = {.table = table,
                      .truncated = truncated,
                      .second_order = s->p.angular_velocity == NULL,
                      .s = s,
                      .q = q,
                      .w = w,
                      .h = h,
                      .K = {v[0], v[1], v[2], v[3]},
                      .A = {v[4], v[5], v[6], v[7]},
                      .u = v[8],
                      .stage_q = s->next_q,
                      .stage_w = s->next_w,
                      .k = v[9],
                      .a = v[10]};
    const ph_status status =
        tableau_explicit(table) ? pass(&g, NULL) : implicit_stages(&g);
    if (status != PH_OK)
        return status;
    move(&g, table->b, table->stages);
    for (int i = 0; i < s->n; i++)
        s->turn[i] = ph_exp(g.u[i]);
    s->turned = true;
    return ph_spheres_commit_step(s, q, w);
}

static ph_status munthe_kaas(const ph_method *method, ph_spheres *s, ph_vec3 *q,
                             ph_vec3 *w, double h)
{
    const bool truncated = method->order <= 4;
    return ph_spheres_munthe_kaas(method->data, truncated, s, q, w, h);
}

#define ROW(key, words, p, table)                                                        \
    {                                                                                    \
        .name = (key), .title = (words), .cite = "O11 section 7.1.2", .order = (p),      \
        .applies_to = PH_SPHERES_FIRST_ORDER | PH_SPHERES_SECOND_ORDER,                  \
        .step_spheres = munthe_kaas, .data = (table)                                     \
    }

const ph_method ph_spheres_method_rkmk[3] = {
    ROW("rkmk4", "Munthe-Kaas, classical Runge-Kutta", 4, &ph_tableau_rk4),
    ROW("rkmkgl4", "Munthe-Kaas, Gauss of order 4", 4, &ph_tableau_gauss4),
    ROW("rkmkgl6", "Munthe-Kaas, Gauss of order 6", 6, &ph_tableau_gauss6),
};
