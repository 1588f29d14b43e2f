/* munthe_kaas.c - the loop over a tableau on spheres.
 *
 * O11  Ortolan, thesis, Padova 2011, section 7.1.2; Munthe-Kaas 1998.
 *
 * The motion is lifted to SO(3)^n, R_i' = hat(w_i) R_i with q_i = R_i q_i(0), where for
 * second-order problems w is a further unknown of a vector space. In each stage k
 *
 *   u_k = h sum_j a_kj dexp^-1(u_j) W_j,   q_k = exp(u_k) q,   W_k = w + h sum_j a_kj A_j
 *   A_k = the accelerations at q_k, W_k          (first order: W_k = g(q_k), no A_k)
 *
 * and the new state in the same way with b_j for a_kj.
 *
 * Implicit stages by fixed-point iteration, as in O11, down to round-off: there are 6n
 * unknowns for each stage, and n may be thousands.
 */
#include "spheres/munthe_kaas.h"

#include <math.h>
#include <string.h>

#include "base/extremes.h"
#include "rotation/fixed_point.h"
#include "spheres/solve.h"

/* The slopes of the stages, and room for one stage. */
typedef struct stages {
    const tableau *table;
    bool truncated; /* dexp^-1 */
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
    const bool second_order = g->s->p.angular_velocity == NULL;
    for (int i = 0; i < g->s->n; i++) {
        g->u[i] = combine(g, zero, c, known, g->K, i);
        g->stage_q[i] = renormalize_direction(rotate(ph_exp(g->u[i]), g->q[i]));
        if (second_order)
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
    if (g->s->p.angular_velocity == NULL)
        memcpy(g->A[k], g->a, (size_t)g->s->n * sizeof *g->a);
}

static ph_status explicit_stages(const stages *g)
{
    for (int k = 0; k < g->table->stages; k++) {
        move(g, g->table->a[k], k);
        const ph_status status = slopes(g);
        if (status != PH_OK)
            return status;
        store_slopes(g, k);
    }
    return PH_OK;
}

/* The change of a slope over h, relative to the state: of a turn to 1, of w to itself. */
static double relative_change(const stages *g, int k)
{
    double turn = 0.0, change = 0.0, size = 0.0;
    for (int i = 0; i < g->s->n; i++) {
        turn = larger_or_nan(turn, norm_max(sub(g->k[i], g->K[k][i])));
        if (g->s->p.angular_velocity == NULL) {
            change = larger_or_nan(change, norm_max(sub(g->a[i], g->A[k][i])));
            size = larger_or_nan(size, larger_or_nan(norm_max(g->stage_w[i]),
                                                     fabs(g->h) * norm_max(g->a[i])));
        }
    }
    return fabs(g->h) * larger_or_nan(turn, size > 0.0 ? change / size : 0.0);
}

/* One pass over the stages, each with the newest slopes of the others. */
static ph_status iterate(const stages *g, double *largest)
{
    *largest = 0.0;
    for (int k = 0; k < g->table->stages; k++) {
        move(g, g->table->a[k], g->table->stages);
        const ph_status status = slopes(g);
        if (status != PH_OK)
            return status;
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
    if (status != PH_OK)
        return status;
    for (int k = 0; k < g->table->stages; k++)
        store_slopes(g, k);
    fixed_point f = {0, 0, 0.0};
    ph_status end;
    double largest;
    do {
        status = iterate(g, &largest);
        if (status != PH_OK)
            return status;
    } while (fixed_point_goes_on(&f, largest, &end));
    return end;
}

ph_status ph_spheres_munthe_kaas(const tableau *table, bool truncated, ph_spheres *s,
                                 ph_vec3 *q, ph_vec3 *w, double h)
{
    ph_vec3 *const *v = s->vectors;
    const stages g = {.table = table,
                      .truncated = truncated,
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
        tableau_explicit(table) ? explicit_stages(&g) : implicit_stages(&g);
    if (status != PH_OK)
        return status;
    move(&g, table->b, table->stages);
    for (int i = 0; i < s->n; i++)
        s->turn[i] = ph_exp(g.u[i]);
    s->turned = true;
    return ph_spheres_commit_step(s, q, w);
}
