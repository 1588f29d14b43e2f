/* munthe_kaas.c - the loop over a tableau.
 *
 * K06  Krysl, 2006, section 3.7, Algorithm MKRK; Munthe-Kaas 1998.
 *
 *   R_k = R E_k,   E_k = exp(h v_k),   T_k = T(t + c_k h, R_k),   w_k = J^-1 m_k
 *   m_k = E_k^T ( m + h sum_j a_kj E_j T_j )      corrected: K06 prints T_(k) in this sum
 *   v_k = sum_j a_kj u_j,   u_j = dexp_(-h v_j)^-1 w_j
 *   R+, m+ in the same way with b_j for a_kj
 *
 * The v_k of an explicit tableau follow one after the other, those of an implicit one by
 * Newton:
 *
 *   F_k = v_k - sum_j a_kj u_j
 *   dF_k/dv_l = delta_kl - h ( a_kl A_l + sum_j a_kj a_jl B_j G_l )
 *   A_j = dexp_(-h v_j)^-1 J^-1 m_j^ dexp_(-h v_j) - d(dexp_x^-1 w_j)/dx at -h v_j
 *   B_j = h dexp_(-h v_j)^-1 J^-1 E_j^T,   G_l = E_l ( DT_l - T_l^ ) dexp_(-h v_l)
 */
#include "core/munthe_kaas.h"

#include "core/lie.h"

typedef struct equation {
    const tableau *table;
    const ph_problem *p;
    const ph_state *s;
    double t, h;
} equation;

typedef struct stage {
    ph_quat E;
    ph_vec3 torque; /* E_k T_k: in the frame of the start */
    ph_vec3 m, u;
} stage;

/* The turn and the torque of stage k, from v_k. */
static void turn_stage(const equation *e, int k, ph_vec3 v, stage *g)
{
    g->E = ph_exp(scale(e->h, v));
    g->torque =
        rotate(g->E, torque_at(e->p, e->t + e->table->c[k] * e->h, mul(e->s->q, g->E)));
}

/* m + h sum_j a_j E_j T_j and sum_j a_j u_j over the first n stages. */
static ph_vec3 kicked(const equation *e, const double *a, int n, const stage *g)
{
    ph_vec3 m = e->s->m;
    for (int j = 0; j < n; j++)
        m = add(m, scale(e->h * a[j], g[j].torque));
    return m;
}

static ph_vec3 slope_sum(const double *a, int n, const stage *g)
{
    ph_vec3 v = {0, 0, 0};
    for (int j = 0; j < n; j++)
        v = add(v, scale(a[j], g[j].u));
    return v;
}

/* The momentum and the slope u of stage k, from the torques of the first n stages. */
static void move_stage(const equation *e, int k, ph_vec3 v, int n, stage *g)
{
    g[k].m = rotate(inverse(g[k].E), kicked(e, e->table->a[k], n, g));
    g[k].u = ph_dexp_inverse(scale(-e->h, v), over(g[k].m, e->p->J));
}

/* The vector of stage k among the unknowns. */
static ph_vec3 unknown(const double *x, int k)
{
    const double *at = &x[3 * (size_t)k];
    return vec3(at[0], at[1], at[2]);
}

static void set_unknown(double *x, int k, ph_vec3 v)
{
    double *at = &x[3 * (size_t)k];
    at[0] = v.x;
    at[1] = v.y;
    at[2] = v.z;
}

static void all_stages(const equation *e, const double *x, stage *g)
{
    const int n = e->table->stages;
    for (int k = 0; k < n; k++)
        turn_stage(e, k, unknown(x, k), &g[k]);
    for (int k = 0; k < n; k++)
        move_stage(e, k, unknown(x, k), n, g);
}

static void system_of(void *context, const double *x, double *F, double *dF)
{
    const equation *e = context;
    const tableau *table = e->table;
    const int n = table->stages;
    const size_t unknowns = 3 * (size_t)n;
    stage g[TABLEAU_STAGES];
    ph_mat3 A[TABLEAU_STAGES], B[TABLEAU_STAGES], G[TABLEAU_STAGES];
    all_stages(e, x, g);
    for (int k = 0; k < n; k++) {
        const ph_vec3 back = scale(-e->h, unknown(x, k)), w = over(g[k].m, e->p->J);
        const ph_mat3 turn = ph_matrix(g[k].E), dexp = matrix_of(ph_dexp, back),
                      inverse_dexp = matrix_of(ph_dexp_inverse, back);
        const ph_mat3 DT =
            torque_derivative(e->p, e->t + table->c[k] * e->h, mul(e->s->q, g[k].E));
        const ph_vec3 T = rotate(inverse(g[k].E), g[k].torque);
        A[k] =
            add_to(matmul(inverse_dexp, over_rows(matmul(ph_hat(g[k].m), dexp), e->p->J)),
                   -1.0, dexp_inverse_slope(back, w));
        B[k] = matmul(inverse_dexp, over_rows(transpose(turn), e->p->J));
        G[k] = matmul(matmul(turn, add_to(DT, -1.0, ph_hat(T))), dexp);
    }
    for (int k = 0; k < n; k++) {
        set_unknown(F, k, sub(unknown(x, k), slope_sum(table->a[k], n, g)));
        for (int l = 0; l < n; l++) {
            ph_mat3 sum = {{{0}}};
            for (int j = 0; j < n; j++)
                sum = add_to(sum, e->h * table->a[k][j] * table->a[j][l], B[j]);
            const ph_mat3 block = add_to(matmul(sum, G[l]), table->a[k][l], A[l]);
            for (int i = 0; i < 3; i++) {
                double *at = dF + (size_t)(3 * k + i) * unknowns + 3 * (size_t)l;
                for (int j = 0; j < 3; j++)
                    at[j] = (k == l && i == j ? 1.0 : 0.0) - e->h * block.a[i][j];
            }
        }
    }
}

static ph_status implicit_stages(equation *e, stage *g)
{
    const ph_vec3 w = over(e->s->m, e->p->J);
    double x[3 * TABLEAU_STAGES] = {0}, memory[NEWTON_MEMORY(3 * TABLEAU_STAGES)];
    for (int k = 0; k < e->table->stages; k++)
        set_unknown(x, k, scale(e->table->c[k], w));
    const ph_status status = ph_newton_n(system_of, e, 3 * e->table->stages, x, memory);
    if (status == PH_OK)
        all_stages(e, x, g);
    return status;
}

static ph_status explicit_stages(const equation *e, stage *g)
{
    for (int k = 0; k < e->table->stages; k++) {
        const ph_vec3 v = slope_sum(e->table->a[k], k, g);
        turn_stage(e, k, v, &g[k]);
        move_stage(e, k, v, k, g);
    }
    return PH_OK;
}

ph_status ph_munthe_kaas_step(const tableau *table, const ph_problem *p, ph_state *s,
                              double t, double h)
{
    equation e = {table, p, s, t, h};
    stage g[TABLEAU_STAGES];
    const ph_status status =
        tableau_explicit(table) ? explicit_stages(&e, g) : implicit_stages(&e, g);
    if (status != PH_OK)
        return status;
    const ph_quat turn = ph_exp(scale(h, slope_sum(table->b, table->stages, g)));
    return arrive(s, mul(s->q, turn),
                  rotate(inverse(turn), kicked(&e, table->b, table->stages, g)));
}
