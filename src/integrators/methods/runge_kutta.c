/* runge_kutta.c - Runge-Kutta methods: the classical one on attitude and momentum, that of
 * Crouch and Grossman, and Munthe-Kaas with the classical tableau and those of Gauss.
 */
#include "integrators/tableau.h"

#include "integrators/field.h"
#include "motion/newton.h"
#include "motion/retraction.h"

/* ---- the classical method on q and m ---------------------------------------------- */

/* Kutta 1901; Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, table II.1.2.
 *
 *   q' = q (0, w)/2,   m' = m x w + torque,   w = J^-1 (m - H)
 *
 *   y_1 = y,  y_2 = y + h/2 f_1,  y_3 = y + h/2 f_2,  y_4 = y + h f_3
 *   y+ = y + h/6 (f_1 + 2 f_2 + 2 f_3 + f_4)
 *
 * A baseline that everyone knows. The four numbers of the quaternion are treated as any
 * others; torques see the attitude of the same direction and unit length, to which the
 * result is brought after the step. Nothing else is kept: neither energy nor the momentum in
 * space, not even its length. */
/* y + h f */
static ph_state along(ph_state y, double h, ph_state f)
{
    return (ph_state){{y.q.w + h * f.q.w, y.q.x + h * f.q.x, y.q.y + h * f.q.y, y.q.z + h * f.q.z},
                      add(y.m, scale(h, f.m))};
}

static ph_state derivative(const ph_problem *p, double t, ph_state y)
{
    const ph_vec3 w = velocity_at(p, t, y.m);
    const ph_vec3 torque = torque_moving(p, t, of_unit_length(y.q), y.m, w);
    return (ph_state){mul(y.q, quat(0.0, scale(0.5, w))), add(cross(y.m, w), torque)};
}

static ph_status rk4(const ph_method *method, const ph_problem *p, ph_state *s, double t, double h)
{
    (void)method;
    const ph_state y = *s, f1 = derivative(p, t, y),
                   f2 = derivative(p, t + 0.5 * h, along(y, 0.5 * h, f1)),
                   f3 = derivative(p, t + 0.5 * h, along(y, 0.5 * h, f2)),
                   f4 = derivative(p, t + h, along(y, h, f3));
    const ph_state sum = along(along(along(f1, 2.0, f2), 2.0, f3), 1.0, f4),
                   next = along(y, h / 6.0, sum);
    const bool overflows = !isfinite(dot4(next.q, next.q)); /* for a step far too long */
    return commit_step(s, overflows ? ph_quat_unit(next.q) : of_unit_length(next.q), next.m);
}

const ph_method ph_method_rk4 = {
    .name = "rk4",
    .title = "Classical Runge-Kutta on q and m",
    .cite = "Kutta 1901",
    .order = 4,
    .any_torque = true,
    .step = rk4,
};

/* ---- Crouch and Grossman, order 3 -------------------------------------------------- */

/* Crouch, Grossman 1993; Hairer, Lubich, Wanner, Geometric Numerical Integration, section
 * IV.8.
 *
 *   E_k = exp(h a_k1 w_1) ... exp(h a_k,k-1 w_(k-1))
 *   R_k = R E_k,   T_k = T(t + c_k h, R_k, m_k)
 *   m_k = E_k^T ( m + h sum_j a_kj E_j T_j ),   w_k = J^-1 (m_k - H_k)
 *   R+ and m+ in the same way with b_k for a_kj
 *
 *     0   |
 *     3/4 |   3/4
 *   17/24 | 119/216  17/108
 *   ------+------------------------
 *         |  13/51    -2/3    24/17
 *
 * In space  pi+ = pi + h sum_k b_k R_k T_k: the momentum changes by torques only, hence
 * is kept about an axis the torque has no component along. */
static ph_status crouch_grossman(const ph_method *method, const ph_problem *p, ph_state *s,
                                 double t, double h)
{
    enum { STAGES = 3 };
    /* the last row is that of the step */
    static const double a[STAGES + 1][STAGES] = {
        {0, 0, 0}, {3.0 / 4, 0, 0}, {119.0 / 216, 17.0 / 108, 0}, {13.0 / 51, -2.0 / 3, 24.0 / 17}};
    static const double c[STAGES] = {0, 3.0 / 4, 17.0 / 24};
    (void)method;
    ph_vec3 w[STAGES], torque[STAGES]; /* the latter in the frame of the start */
    ph_quat E = {1, 0, 0, 0};
    ph_vec3 m = s->m;
    for (int k = 0; k <= STAGES; k++) {
        E = (ph_quat){1, 0, 0, 0};
        m = s->m;
        for (int j = 0; j < k; j++) {
            E = mul(E, ph_rotation_exp(scale(h * a[k][j], w[j])));
            m = add(m, scale(h * a[k][j], torque[j]));
        }
        m = rotate(inverse(E), m);
        if (k < STAGES) {
            const double t_k = t + c[k] * h;
            w[k] = velocity_at(p, t_k, m);
            torque[k] = rotate(E, torque_moving(p, t_k, mul(s->q, E), m, w[k]));
        }
    }
    return commit_step(s, mul(s->q, E), m);
}

const ph_method ph_method_crouch_grossman3 = {
    .name = "crouch_grossman3",
    .title = "Crouch-Grossman, order 3",
    .cite = "Crouch, Grossman 1993",
    .order = 3,
    .any_torque = true,
    .keeps = PH_MOMENTUM,
    .keeps_free = PH_MOMENTUM | PH_CASIMIR,
    .step = crouch_grossman,
};

/* ---- Munthe-Kaas ------------------------------------------------------------------ */

#define SQRT3  1.732050807568877293527
#define SQRT15 3.872983346207416885180

const tableau ph_tableau_rk4 = {
    .stages = 4,
    .a = {{0}, {1.0 / 2}, {0, 1.0 / 2}, {0, 0, 1}},
    .b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
    .c = {0, 1.0 / 2, 1.0 / 2, 1},
};

const tableau ph_tableau_gauss4 = {
    .stages = 2,
    .a = {{1.0 / 4, 1.0 / 4 - SQRT3 / 6}, {1.0 / 4 + SQRT3 / 6, 1.0 / 4}},
    .b = {1.0 / 2, 1.0 / 2},
    .c = {1.0 / 2 - SQRT3 / 6, 1.0 / 2 + SQRT3 / 6},
};

const tableau ph_tableau_gauss6 = {
    .stages = 3,
    .a = {{5.0 / 36, 2.0 / 9 - SQRT15 / 15, 5.0 / 36 - SQRT15 / 30},
          {5.0 / 36 + SQRT15 / 24, 2.0 / 9, 5.0 / 36 - SQRT15 / 24},
          {5.0 / 36 + SQRT15 / 30, 2.0 / 9 + SQRT15 / 15, 5.0 / 36}},
    .b = {5.0 / 18, 4.0 / 9, 5.0 / 18},
    .c = {1.0 / 2 - SQRT15 / 10, 1.0 / 2, 1.0 / 2 + SQRT15 / 10},
};

/* start + h sum_j c_j slope_j over the first stages */
static void combine(const tableau_step *s, const double *c, int stages)
{
    for (size_t i = 0; i < s->n; i++) {
        double sum = 0.0;
        for (int j = 0; j < stages; j++) {
            if (c[j] != 0.0)
                sum += c[j] * s->slope[j][i];
        }
        s->at[i] = s->start[i] + s->h * sum;
    }
}

ph_status ph_tableau_step(const tableau_step *s)
{
    const tableau *table = s->table;
    const int n = table->stages;
    const bool in_turn = tableau_explicit(table);
    ph_status status = PH_OK;
    fixed_point progress = {0, 0, 0.0};
    double largest;
    if (!in_turn) {
        combine(s, table->b, 0);
        status = s->rate(s->context, s->t, s->at, s->next);
        for (int k = 0; k < n; k++)
            memcpy(s->slope[k], s->next, s->n * sizeof *s->next);
    }
    do {
        largest = 0.0;
        for (int k = 0; k < n && status == PH_OK; k++) {
            combine(s, table->a[k], in_turn ? k : n);
            status = s->rate(s->context, s->t + table->c[k] * s->h, s->at, s->next);
            if (status == PH_OK && !in_turn)
                largest = larger_or_nan(largest,
                                        s->change(s->context, s->h, s->at, s->next, s->slope[k]));
            memcpy(s->slope[k], s->next, s->n * sizeof *s->next);
        }
    } while (status == PH_OK && !in_turn && fixed_point_goes_on(&progress, largest, &status));
    if (status == PH_OK)
        combine(s, table->b, n);
    return status;
}

/* K06  Krysl, 2006, section 3.7, Algorithm MKRK; Munthe-Kaas 1998.
 *
 *   R_k = R E_k,   E_k = exp(h v_k),   T_k = T(t_k, R_k, m_k),   t_k = t + c_k h
 *   w_k = J^-1 (m_k - H(t_k)), H the internal momentum
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
 *
 * Where the torque depends on the velocity, the w_k are unknown too:
 *
 *   F_k = v_k - sum_j a_kj u_j
 *   F'_k = w_k - J^-1 ( y_k - H(t_k) ),   y_k = E_k^T ( m + h sum_j a_kj E_j T_j )
 *   dF_k/dv_l = delta_kl + h a_kl d(dexp_x^-1 w_l)/dx at -h v_l
 *   dF_k/dw_l = -a_kl dexp_(-h v_l)^-1
 *   dF'_k/dv_l = -h J^-1 ( delta_kl y_k^ dexp_(-h v_k) + h a_kl E_k^T G_l )
 *   dF'_k/dw_l = delta_kl - h a_kl J^-1 E_k^T E_l dT_l/dw
 *
 * In space  pi+ = pi + h sum_j b_j R_j T_j: the momentum changes by torques only, hence
 * is kept about an axis the torque has no component along. Gauss tableaus are symmetric,
 * but the turns start from the old frame: the methods are neither symmetric nor
 * symplectic. */
typedef struct equation {
    const tableau *table;
    const ph_problem *p;
    const ph_state *s;
    double t, h;
} equation;

typedef struct stage {
    ph_quat E;
    ph_vec3 torque; /* E_k T_k: in the frame of the start */
    ph_vec3 m, w, u;
} stage;

static double time_of(const equation *e, int k)
{
    return e->t + e->table->c[k] * e->h;
}

/* The torque of stage k, from its turn and, where it matters, its momentum. */
static void kick_stage(const equation *e, int k, stage *g)
{
    g->torque = rotate(g->E, torque_moving(e->p, time_of(e, k), mul(e->s->q, g->E), g->m, g->w));
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

/* Momentum, velocity and slope u of stage k, from the torques of the first n stages. */
static void move_stage(const equation *e, int k, ph_vec3 v, int n, stage *g)
{
    g[k].m = rotate(inverse(g[k].E), kicked(e, e->table->a[k], n, g));
    g[k].w = velocity_at(e->p, time_of(e, k), g[k].m);
    g[k].u = ph_dexp_inverse(scale(-e->h, v), g[k].w);
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

/* All stages from the unknowns v, and where the torque depends on the velocity w. */
static void all_stages(const equation *e, const double *x, stage *g)
{
    const int n = e->table->stages;
    const bool moving = e->p->velocity_dependent;
    for (int k = 0; k < n; k++) {
        g[k].E = ph_rotation_exp(scale(e->h, unknown(x, k)));
        if (moving) {
            g[k].w = unknown(x, n + k);
            g[k].m = momentum_at(e->p, time_of(e, k), g[k].w);
            g[k].u = ph_dexp_inverse(scale(-e->h, unknown(x, k)), g[k].w);
        }
        kick_stage(e, k, &g[k]);
    }
    for (int k = 0; k < n && !moving; k++)
        move_stage(e, k, unknown(x, k), n, g);
}

/* E_l ( DT_l - T_l^ ) dexp_(-h v_l) */
static ph_mat3 torque_turn(const equation *e, int l, const stage *g, ph_mat3 dexp)
{
    const ph_mat3 DT = torque_by_attitude(e->p, time_of(e, l), mul(e->s->q, g->E), g->w);
    const ph_vec3 T = rotate(inverse(g->E), g->torque);
    return matmul(matmul(ph_quat_matrix(g->E), add_to(DT, -1.0, ph_hat(T))), dexp);
}

/* delta_kl - A as the block k, l of a derivative by n unknown vectors. */
static void set_block(double *dF, int n, int k, int l, ph_mat3 A)
{
    for (int i = 0; i < 3; i++) {
        double *at = dF + (size_t)(3 * k + i) * (3 * (size_t)n) + 3 * (size_t)l;
        for (int j = 0; j < 3; j++)
            at[j] = (k == l && i == j ? 1.0 : 0.0) - A.a[i][j];
    }
}

static void system_of(void *context, const double *x, double *F, double *dF)
{
    const equation *e = context;
    const tableau *table = e->table;
    const int n = table->stages;
    stage g[TABLEAU_STAGES];
    ph_mat3 A[TABLEAU_STAGES], B[TABLEAU_STAGES], G[TABLEAU_STAGES];
    const ph_vec3 J = e->p->body.J;
    all_stages(e, x, g);
    for (int k = 0; k < n; k++) {
        const ph_vec3 back = scale(-e->h, unknown(x, k));
        const ph_mat3 turn = ph_quat_matrix(g[k].E), dexp = matrix_of(ph_dexp, back),
                      inverse_dexp = matrix_of(ph_dexp_inverse, back);
        A[k] = add_to(matmul(inverse_dexp, over_rows(matmul(ph_hat(g[k].m), dexp), J)), -1.0,
                      dexp_inverse_slope(back, g[k].w));
        B[k] = matmul(inverse_dexp, over_rows(transpose(turn), J));
        G[k] = torque_turn(e, k, &g[k], dexp);
    }
    for (int k = 0; k < n; k++) {
        set_unknown(F, k, sub(unknown(x, k), slope_sum(table->a[k], n, g)));
        for (int l = 0; l < n; l++) {
            ph_mat3 sum = {{{0}}};
            for (int j = 0; j < n; j++)
                sum = add_to(sum, e->h * table->a[k][j] * table->a[j][l], B[j]);
            const ph_mat3 block = add_to(matmul(sum, G[l]), table->a[k][l], A[l]);
            set_block(dF, n, k, l, add_to((ph_mat3){{{0}}}, e->h, block));
        }
    }
}

static void moving_system_of(void *context, const double *x, double *F, double *dF)
{
    static const ph_mat3 ZERO = {{{0}}};
    const equation *e = context;
    const tableau *table = e->table;
    const int n = table->stages;
    const double h = e->h;
    const ph_vec3 J = e->p->body.J;
    stage g[TABLEAU_STAGES];
    all_stages(e, x, g);
    for (int l = 0; l < n; l++) {
        const ph_vec3 back = scale(-h, unknown(x, l));
        const ph_mat3 dexp = matrix_of(ph_dexp, back),
                      inverse_dexp = matrix_of(ph_dexp_inverse, back),
                      slope = dexp_inverse_slope(back, g[l].w), G = torque_turn(e, l, &g[l], dexp);
        const ph_mat3 by_w =
            matmul(ph_quat_matrix(g[l].E),
                   torque_by_velocity(e->p, time_of(e, l), mul(e->s->q, g[l].E), g[l].w, h));
        const ph_vec3 y = rotate(inverse(g[l].E), kicked(e, table->a[l], n, g));
        set_unknown(F, l, sub(unknown(x, l), slope_sum(table->a[l], n, g)));
        set_unknown(F, n + l, sub(g[l].w, velocity_at(e->p, time_of(e, l), y)));
        for (int k = 0; k < n; k++) {
            const double a = table->a[k][l];
            const ph_mat3 back_k = ph_quat_matrix(inverse(g[k].E));
            ph_mat3 by_v = add_to(ZERO, h * h * a, matmul(back_k, G));
            if (k == l)
                by_v = add_to(by_v, h, matmul(ph_hat(y), dexp));
            set_block(dF, 2 * n, k, l, add_to(ZERO, -h * a, slope));
            set_block(dF, 2 * n, k, n + l, add_to(ZERO, a, inverse_dexp));
            set_block(dF, 2 * n, n + k, l, over_rows(by_v, J));
            set_block(dF, 2 * n, n + k, n + l,
                      over_rows(add_to(ZERO, h * a, matmul(back_k, by_w)), J));
        }
    }
}

enum { MOST_UNKNOWNS = 6 * TABLEAU_STAGES };

static ph_status implicit_stages(equation *e, stage *g)
{
    const ph_vec3 w = velocity_at(e->p, e->t, e->s->m);
    const int n = e->table->stages;
    const bool moving = e->p->velocity_dependent;
    double x[MOST_UNKNOWNS] = {0}, memory[NEWTON_MEMORY(MOST_UNKNOWNS)];
    for (int k = 0; k < n; k++) {
        set_unknown(x, k, scale(e->table->c[k], w));
        set_unknown(x, n + k, w);
    }
    ph_status status;
    if (moving)
        status = ph_newton_n(moving_system_of, e, 6 * n, x, memory);
    else
        status = ph_newton_n(system_of, e, 3 * n, x, memory);
    if (status == PH_OK)
        all_stages(e, x, g);
    return status;
}

static ph_status explicit_stages(const equation *e, stage *g)
{
    for (int k = 0; k < e->table->stages; k++) {
        const ph_vec3 v = slope_sum(e->table->a[k], k, g);
        g[k].E = ph_rotation_exp(scale(e->h, v));
        move_stage(e, k, v, k, g);
        kick_stage(e, k, &g[k]);
    }
    return PH_OK;
}

ph_status ph_munthe_kaas_step(const tableau *table, const ph_problem *p, ph_state *s, double t,
                              double h)
{
    equation e = {table, p, s, t, h};
    stage g[TABLEAU_STAGES];
    const ph_status status =
        tableau_explicit(table) ? explicit_stages(&e, g) : implicit_stages(&e, g);
    if (status != PH_OK)
        return status;
    const ph_quat turn = ph_rotation_exp(scale(h, slope_sum(table->b, table->stages, g)));
    return commit_step(s, mul(s->q, turn),
                       rotate(inverse(turn), kicked(&e, table->b, table->stages, g)));
}

static ph_status munthe_kaas(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                             double h)
{
    return ph_munthe_kaas_step(method->data, p, s, t, h);
}

#define ROW(key, words, p, table)                                                                  \
    {                                                                                              \
        .name = (key), .title = (words), .cite = "K06 section 3.7", .order = (p),                  \
        .keeps = PH_MOMENTUM, .keeps_free = PH_MOMENTUM | PH_CASIMIR, .any_torque = true,          \
        .step = munthe_kaas, .data = (table)                                                       \
    }

const ph_method ph_method_mkrk[3] = {
    ROW("mkrk_rk4", "Munthe-Kaas, classical Runge-Kutta", 4, &ph_tableau_rk4),
    ROW("mkrk_gl4", "Munthe-Kaas, Gauss of order 4", 4, &ph_tableau_gauss4),
    ROW("mkrk_gl6", "Munthe-Kaas, Gauss of order 6", 6, &ph_tableau_gauss6),
};
