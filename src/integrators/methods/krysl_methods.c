/* krysl_methods.c - the methods that Krysl compares: Euler steps on the group, the trapezoidal and
 * midpoint rules made of their halves, and rules of others in the same form.
 *
 * K06  Krysl, Dynamically equivalent implicit algorithms for the integration of rigid
 *      body rotations, 2006; Austin, Krishnaprasad, Wang 1993; Bottasso, Borri 1998; Simo,
 *      Wong 1991.
 *
 * T = T(t, R), T+ = T(t + h, R+), and T' is the torque in the middle of the step. Step and
 * step back of a rule satisfy the same equations unless it is said otherwise, hence
 * symmetric.
 *
 * Unknowns are angular velocities w, and equations are divided by J: derivatives are then
 * 1 and something of the order of the angle of the step, whatever the units.
 *
 * Derivatives in terms of the turn  R exp(a w):  R moves along  xi = a dexp_(-a w) dw,  a
 * torque by Dtau xi, and  exp(-a w) m  by  (exp(-a w) m) x xi.
 */
#include "integrators/field.h"
#include "motion/newton.h"
#include "motion/retraction.h"

/* ---- Euler steps ----------------------------------------------------------------- */

/* K06, sections 3.2 and 3.6. t is the time of the torque, w = J^-1 (m - H) with the internal
 * momentum H, 0 as printed.
 *
 *   forward    R+ = R exp(h w)     K06 (11)  m+ = m + h ( m x w + T )
 *                                  K06 (18)  m+ = exp(-h w) ( m + h T )
 *   backward   R+ = R exp(h w+)    K06 (12)  m+ = m + h ( m+ x w+ + T+ )
 *                                  K06 (19)  m+ = exp(-h w+) m + h T+
 *
 * (12) is the adjoint of (11), (19) that of (18). In space (18) and (19) read
 * pi+ = pi + h R T  and  pi+ = pi + h R+ T+, which keeps what the torque has no component
 * along. */
typedef ph_status euler(const ph_problem *p, ph_state *s, double t, double h);

/* K06 (11) */
static ph_status forward(const ph_problem *p, ph_state *s, double t, double h)
{
    const ph_vec3 w = velocity_at(p, t, s->m);
    const ph_vec3 rate = add(cross(s->m, w), torque_moving(p, t, s->q, s->m, w));
    *s = (ph_state){mul(s->q, ph_rotation_exp(scale(h, w))), add(s->m, scale(h, rate))};
    return PH_OK;
}

/* K06 (18) */
static ph_status forward_momentum(const ph_problem *p, ph_state *s, double t, double h)
{
    const ph_vec3 w = velocity_at(p, t, s->m);
    const ph_quat turn = ph_rotation_exp(scale(h, w));
    const ph_vec3 kicked = add(s->m, scale(h, torque_moving(p, t, s->q, s->m, w)));
    *s = (ph_state){mul(s->q, turn), rotate(inverse(turn), kicked)};
    return PH_OK;
}

/* Of the system for an angular velocity in a step of h from s. */
typedef struct equation {
    const ph_problem *p;
    const ph_state *s;
    double t, h;            /* t: the time of the torque that depends on the unknown */
    ph_vec3 torque, kicked; /* T, and m with a part of h T, for rules of others with T */
} equation;

/* The derivative of m+/h by w: what the torque adds to A where it depends on w. */
static ph_mat3 add_velocity_slope(ph_mat3 A, const equation *b, ph_quat q, ph_vec3 w)
{
    if (b->p->velocity_dependent)
        return add_to(A, 1.0, torque_by_velocity(b->p, b->t, q, w, b->h));
    return A;
}

/* K06 (12) for w */
static void rate_system(const void *context, ph_vec3 w, ph_vec3 *F, ph_mat3 *dF)
{
    const equation *b = context;
    const ph_problem *p = b->p;
    const ph_vec3 J = p->body.J, x = scale(b->h, w);
    const ph_quat q = mul(b->s->q, ph_rotation_exp(x));
    const ph_vec3 m = momentum_at(p, b->t, w);
    const ph_vec3 rate = add(cross(m, w), torque_moving(p, b->t, q, m, w));
    *F = sub(w, velocity_at(p, b->t, add(b->s->m, scale(b->h, rate))));
    const ph_mat3 slope =
        matmul(torque_by_attitude(p, b->t, q, w), matrix_of(ph_dexp, scale(-1, x)));
    ph_mat3 dM = add_to(gyration_slope(J, w), b->h, slope);
    if (p->internal != NULL)
        dM = add_to(dM, 1.0, ph_hat(p->internal(p, b->t)));
    *dF = one_plus(-b->h, J, add_velocity_slope(dM, b, q, w));
}

/* K06 (19) for w */
static void momentum_system(const void *context, ph_vec3 w, ph_vec3 *F, ph_mat3 *dF)
{
    const equation *b = context;
    const ph_vec3 x = scale(b->h, w);
    const ph_quat turn = ph_rotation_exp(x), q = mul(b->s->q, turn);
    const ph_vec3 turned = rotate(inverse(turn), b->s->m);
    const ph_vec3 m = add(turned, scale(b->h, torque_at_velocity(b->p, b->t, q, w)));
    *F = sub(w, velocity_at(b->p, b->t, m));
    const ph_mat3 slope = add_to(ph_hat(turned), b->h, torque_by_attitude(b->p, b->t, q, w));
    const ph_mat3 dM = matmul(slope, matrix_of(ph_dexp, scale(-1, x)));
    *dF = one_plus(-b->h, b->p->body.J, add_velocity_slope(dM, b, q, w));
}

/* The w+ of either. */
static ph_status solve_backward(newton_system *system, const ph_problem *p, const ph_state *s,
                                double t, double h, ph_vec3 *w)
{
    const equation b = {.p = p, .s = s, .t = t, .h = h};
    *w = velocity_at(p, t, s->m);
    return newton(system, &b, w);
}

static ph_status backward(const ph_problem *p, ph_state *s, double t, double h)
{
    ph_vec3 w;
    const ph_status status = solve_backward(rate_system, p, s, t, h, &w);
    if (status == PH_OK)
        *s = (ph_state){mul(s->q, ph_rotation_exp(scale(h, w))), momentum_at(p, t, w)};
    return status;
}

static ph_status backward_momentum(const ph_problem *p, ph_state *s, double t, double h)
{
    ph_vec3 w;
    const ph_status status = solve_backward(momentum_system, p, s, t, h, &w);
    if (status != PH_OK)
        return status;
    const ph_quat turn = ph_rotation_exp(scale(h, w)), q = mul(s->q, turn);
    const ph_vec3 torque = torque_at_velocity(p, t, q, w);
    *s = (ph_state){q, add(rotate(inverse(turn), s->m), scale(h, torque))};
    return PH_OK;
}

/* ---- Euler steps, and half of a forward one with half of a backward one ---------- */

/* TRAP, K06 (14):
 *
 *   R+ = R exp(h/2 w) exp(h/2 w+)
 *   m+ = m + h/2 ( m x w + T + m+ x w+ + T+ )
 *
 * TRAPM, K06 (20), with the same R+:
 *
 *   m+ = R+^T R ( m + h/2 T ) + h/2 T+
 *
 * The two halves are each other's adjoint. fE(h/2) TRAP = IMID fE(h/2): without torque TRAP
 * keeps the energy and |m| of the midpoints, not those of its own states. TRAPM reads in
 * space  pi+ = pi + h/2 (R T + R+ T+): the momentum changes by torques only, hence is kept
 * about an axis the torque has no component along. */
typedef struct euler_steps {
    euler *forward, *backward; /* or NULL */
} euler_steps;

static ph_status euler_step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                            double h)
{
    const euler_steps *by = method->data;
    const double part = by->forward && by->backward ? 0.5 * h : h;
    ph_state next = *s;
    ph_status status = PH_OK;
    if (by->forward)
        status = by->forward(p, &next, t, part);
    if (status == PH_OK && by->backward)
        status = by->backward(p, &next, t + h, part);
    if (status == PH_OK)
        return commit_step(s, next.q, next.m);
    return status;
}

#define FREE (PH_MOMENTUM | PH_CASIMIR)
#define EULER(key, words, where, p, kept, kept_free, first, second)                                \
    .name = (key), .title = (words), .cite = (where), .order = (p), .any_torque = (p) == 1,        \
    .keeps = (kept), .keeps_free = (kept_free), .step = euler_step, .data = &(const euler_steps)   \
    {                                                                                              \
        first, second                                                                              \
    }

const ph_method ph_method_lie_euler[4] = {
    {EULER("lie_euler_forward", "Forward Euler on the group", "K06 (11)", 1, 0, 0, forward, NULL)},
    {EULER("lie_euler_backward", "Backward Euler on the group", "K06 (12)", 1, 0, 0, NULL,
           backward)},
    {EULER("lie_euler_forwardm", "Forward Euler on the group, momentum-conserving", "K06 (18)", 1,
           PH_MOMENTUM, FREE, forward_momentum, NULL)},
    {EULER("lie_euler_backwardm", "Backward Euler on the group, momentum-conserving", "K06 (19)", 1,
           PH_MOMENTUM, FREE, NULL, backward_momentum)},
};

const ph_method ph_method_trap = {
    EULER("trap", "Trapezoidal rule (Krysl)", "K06 (14)", 2, PH_SYMMETRIC, PH_SYMMETRIC, forward,
          backward),
};

const ph_method ph_method_trapm = {
    EULER("trapm", "Momentum-conserving trapezoidal rule (Krysl)", "K06 (20)", 2,
          PH_SYMMETRIC | PH_MOMENTUM, PH_SYMMETRIC | FREE, forward_momentum, backward_momentum),
};

#define RULE(key, words, where, kept, kept_free, function, rule)                                   \
    .name = (key), .title = (words), .cite = (where), .order = 2, .keeps = PH_SYMMETRIC | (kept),  \
    .keeps_free = PH_SYMMETRIC | (kept_free), .step = (function), .data = (rule)

/* ---- half a backward step, then half a forward one ------------------------------- */

/* IMID, K06 section 3.4. Algo_1 of Simo and Wong (1991), the balance of momentum rates at
 * mid-step with the turn h (w + w+)/2, is the same.
 *
 *   m' = m + h/2 ( m' x w' + T' ),   w' = J^-1 m',   T' = T(t + h/2, R exp(h/2 w'))
 *        corrected: K06 prints the time of T' as t_n + h/2, half a step after the end
 *   R+ = R exp(h w'),   m+ = m + h (m' x w' + T')
 *
 * The two halves are each other's adjoint. Without torque it is the midpoint rule for m,
 * which keeps quadratic invariants: the energy and |m|. The momentum in space is not kept,
 * since the turn of R is not the one that takes m+ to m. */
static ph_status imid(const ph_method *method, const ph_problem *p, ph_state *s, double t, double h)
{
    (void)method;
    const double half = 0.5 * h, middle = t + half;
    ph_vec3 w;
    const ph_status status = solve_backward(rate_system, p, s, middle, half, &w);
    if (status != PH_OK)
        return status;
    const ph_vec3 torque = torque_at(p, middle, mul(s->q, ph_rotation_exp(scale(half, w))));
    const ph_vec3 rate = add(cross(times(p->body.J, w), w), torque);
    return commit_step(s, mul(s->q, ph_rotation_exp(scale(h, w))), add(s->m, scale(h, rate)));
}

const ph_method ph_method_imid = {
    RULE("imid", "Midpoint rule (Krysl; Algo_1 of Simo and Wong)", "K06 section 3.4", 0,
         PH_ENERGY | PH_CASIMIR, imid, NULL),
};

/* IMIDM, K06 section 3.6, the implicit midpoint Lie method.
 *
 *   w' = J^-1 ( exp(-h/2 w') m + h/2 T' ),   T' = T(t + h/2, R exp(h/2 w'))
 *        corrected: K06 prints the time of T' as t_n + h/2, half a step after the end
 *   R+ = R exp(h w'),   m+ = exp(-h w') m + h exp(-h/2 w') T'
 *
 * The halves are each other's adjoint. In space it reads  pi+ = pi + h R' T': the momentum
 * changes by torques only, hence is kept about an axis the torque has no component along.
 * K06 (section 3.7) supposes it to be symplectic; it is not. */
static ph_status imidm(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                       double h)
{
    (void)method;
    const double half = 0.5 * h;
    ph_vec3 w;
    const ph_status status = solve_backward(momentum_system, p, s, t + half, half, &w);
    if (status != PH_OK)
        return status;
    const ph_quat turn = ph_rotation_exp(scale(half, w)), middle = mul(s->q, turn);
    const ph_vec3 m = add(rotate(inverse(turn), s->m), scale(h, torque_at(p, t + half, middle)));
    return commit_step(s, mul(middle, turn), rotate(inverse(turn), m));
}

const ph_method ph_method_imidm = {
    RULE("imidm", "Momentum-conserving midpoint rule (Krysl)", "K06 section 3.6", PH_MOMENTUM, FREE,
         imidm, NULL),
};

/* ---- rules of others: one turn by h v, v the root of a system -------------------- */

typedef struct turn_rule {
    double kick, time; /* the parts of h: how long T is in `kicked`; that of t */
    newton_system *system;
    ph_state (*end)(const equation *e, ph_vec3 v);
} turn_rule;

static ph_status turn_step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                           double h)
{
    const turn_rule *rule = method->data;
    equation e = {.p = p, .s = s, .t = t + rule->time * h, .h = h};
    if (rule->kick != 0.0) {
        e.torque = torque_at(p, t, s->q);
        e.kicked = add(s->m, scale(rule->kick * h, e.torque));
    }
    ph_vec3 v = over(s->m, p->body.J);
    const ph_status status = newton(rule->system, &e, &v);
    if (status != PH_OK)
        return status;
    const ph_state next = rule->end(&e, v);
    return commit_step(s, next.q, next.m);
}

/* AKW, K06 section 4: the midpoint rule of Austin, Krishnaprasad and Wang.
 *
 *   m' = (m + m+)/2,   w' = J^-1 m'
 *   m+ = m + h m' x w' + h/2 (T + T+),   R+ = R cay(h w')
 *
 *   F(w') = w' - J^-1 ( m + h/2 J w' x w' + h/4 (T + T+) )
 *
 * Without torque it is the midpoint rule for m, which keeps the energy and |m|, and
 * m+ = cay(-h w') m, so that the momentum in space is kept; in a field only where the torque
 * is linear in R, as that of the heavy top. */
static void akw_system(const void *context, ph_vec3 w, ph_vec3 *F, ph_mat3 *dF)
{
    const equation *e = context;
    const ph_vec3 J = e->p->body.J, x = scale(e->h, w);
    const double half = 0.5 * e->h;
    const ph_quat q = mul(e->s->q, ph_cay(x));
    const ph_vec3 rate = add(cross(times(J, w), w), scale(0.5, torque_at(e->p, e->t, q)));
    *F = sub(w, over(add(e->kicked, scale(half, rate)), J));
    const ph_mat3 slope =
        matmul(torque_derivative(e->p, e->t, q), matrix_of(ph_dcay, scale(-1, x)));
    *dF = one_plus(-half, J, add_to(gyration_slope(J, w), half, slope));
}

static ph_state akw_end(const equation *e, ph_vec3 w)
{
    const ph_quat q = mul(e->s->q, ph_cay(scale(e->h, w)));
    const ph_vec3 torque = scale(0.5, add(e->torque, torque_at(e->p, e->t, q))),
                  rate = add(cross(times(e->p->body.J, w), w), torque);
    return (ph_state){q, add(e->s->m, scale(e->h, rate))};
}

const ph_method ph_method_akw = {
    RULE("akw", "Midpoint rule of Austin, Krishnaprasad and Wang", "K06 section 4, AKW", 0,
         FREE | PH_ENERGY, turn_step, (&(const turn_rule){0.25, 1, akw_system, akw_end})),
};

/* BBTRAP, K06 section 4: the trapezoidal rule of Bottasso and Borri, dexp^-1 truncated to 1.
 *
 *   R+ = R exp(h v),   v = (w + w+)/2,   w = J^-1 m
 *   m+ = exp(-h v) ( m + h/2 T ) + h/2 T+
 *
 *   F(v) = v - w/2 - J^-1 m+(v)/2
 *   dF   = 1 - h/2 J^-1 ( (exp(-h v) (m + h/2 T))^ + h/2 DT+ ) dexp_(-h v)
 *
 * In space pi+ = pi + h/2 (R T + R+ T+), which keeps what the torque has no component along.
 * Without torque m+ is m turned about v, so that  2 (K+ - K) = 2 v.(m+ - m) = 0: the energy
 * is kept. */
static ph_state trapezoid_end(const equation *e, ph_vec3 v)
{
    const ph_quat turn = ph_rotation_exp(scale(e->h, v)), q = mul(e->s->q, turn);
    const ph_vec3 kick = scale(0.5 * e->h, torque_at(e->p, e->t, q));
    return (ph_state){q, add(rotate(inverse(turn), e->kicked), kick)};
}

/* m+, and its derivative by v over h/2, less dexp_(-h v) */
static ph_vec3 trapezoid_momentum(const equation *e, ph_vec3 v, ph_mat3 *slope)
{
    const double half = 0.5 * e->h;
    const ph_quat turn = ph_rotation_exp(scale(e->h, v)), q = mul(e->s->q, turn);
    const ph_vec3 turned = rotate(inverse(turn), e->kicked);
    *slope = add_to(ph_hat(turned), half, torque_derivative(e->p, e->t, q));
    return add(turned, scale(half, torque_at(e->p, e->t, q)));
}

static void bbtrap_system(const void *context, ph_vec3 v, ph_vec3 *F, ph_mat3 *dF)
{
    const equation *e = context;
    const ph_vec3 J = e->p->body.J;
    ph_mat3 slope;
    *F = sub(v, scale(0.5, over(add(e->s->m, trapezoid_momentum(e, v, &slope)), J)));
    *dF = one_plus(-0.5 * e->h, J, matmul(slope, matrix_of(ph_dexp, scale(-e->h, v))));
}

const ph_method ph_method_bbtrap = {
    RULE("bbtrap", "Trapezoidal rule of Bottasso and Borri", "K06 section 4, BBTRAP", PH_MOMENTUM,
         FREE | PH_ENERGY, turn_step, (&(const turn_rule){0.5, 1, bbtrap_system, trapezoid_end})),
};

/* BBTRAPWD, K06 section 4: BBTRAP with dexp^-1, Munthe-Kaas with the trapezoidal tableau.
 *
 *   v = ( w + dexp_(-h v)^-1 w+ )/2,   R+ and m+ as in BBTRAP
 *
 *   F(v) = v - w/2 - dexp_(-h v)^-1 w+(v) / 2
 *   dF   = 1 - h/2 ( dexp_(-h v)^-1 J^-1
 *                    ( (exp(-h v) (m + h/2 T))^ + h/2 DT+ ) dexp_(-h v)
 *                    - d(dexp_x^-1 w+)/dx at -h v )
 *
 * The momentum is kept as by BBTRAP. The turn favours the old frame by its dexp^-1, hence
 * neither symmetric nor energy-conserving. */
static void bbtrapwd_system(const void *context, ph_vec3 v, ph_vec3 *F, ph_mat3 *dF)
{
    const equation *e = context;
    const ph_vec3 J = e->p->body.J, back = scale(-e->h, v);
    ph_mat3 slope;
    const ph_vec3 w = over(trapezoid_momentum(e, v, &slope), J);
    *F = sub(v, scale(0.5, add(over(e->s->m, J), ph_dexp_inverse(back, w))));
    const ph_mat3 inertial = matmul(matrix_of(ph_dexp_inverse, back),
                                    over_rows(matmul(slope, matrix_of(ph_dexp, back)), J));
    *dF = one_plus(-0.5 * e->h, vec3(1, 1, 1), add_to(inertial, -1.0, dexp_inverse_slope(back, w)));
}

const ph_method ph_method_bbtrapwd = {
    .name = "bbtrapwd",
    .title = "Trapezoidal rule of Bottasso and Borri, with dexp^-1",
    .cite = "K06 section 4, BBTRAPWD",
    .order = 2,
    .keeps = PH_MOMENTUM,
    .keeps_free = FREE,
    .step = turn_step,
    .data = &(const turn_rule){0.5, 1, bbtrapwd_system, trapezoid_end},
};

/* SWC1, K06 section 4: Algo_C1 of Simo and Wong.
 *
 *   R+ = R exp(h v),   v = (w + w+)/2,   w = J^-1 m
 *   m+ = exp(-h v) m + h exp(-h/2 v) T',   T' = T(t + h/2, R exp(h/2 v))
 *
 *   F(v) = v - w/2 - J^-1 m+(v)/2,
 *   dF   = 1 - h/2 J^-1 ( (exp(-h v) m)^ dexp_(-h v)
 *                         + h/2 ( (exp(-h/2 v) T')^ + exp(-h/2 v) DT' ) dexp_(-h/2 v) )
 *
 * In space  pi+ = pi + h R' T', which keeps what the torque has no component along. Without
 * torque the energy is kept as by BBTRAP. */
static ph_state swc1_end(const equation *e, ph_vec3 v)
{
    const ph_quat turn = ph_rotation_exp(scale(0.5 * e->h, v));
    const ph_vec3 torque = torque_at(e->p, e->t, mul(e->s->q, turn));
    const ph_vec3 m = add(rotate(inverse(turn), e->s->m), scale(e->h, torque));
    return (ph_state){mul(e->s->q, ph_rotation_exp(scale(e->h, v))), rotate(inverse(turn), m)};
}

static void swc1_system(const void *context, ph_vec3 v, ph_vec3 *F, ph_mat3 *dF)
{
    const equation *e = context;
    const ph_vec3 J = e->p->body.J, x = scale(e->h, v), y = scale(0.5 * e->h, v);
    const ph_quat back = inverse(ph_rotation_exp(y)), middle = mul(e->s->q, inverse(back));
    *F = sub(v, scale(0.5, over(add(e->s->m, swc1_end(e, v).m), J)));
    const ph_vec3 turned = rotate(back, rotate(back, e->s->m)),
                  torque = rotate(back, torque_at(e->p, e->t, middle));
    const ph_mat3 direct =
        matmul(add_to(ph_hat(torque), 1.0,
                      matmul(ph_quat_matrix(back), torque_derivative(e->p, e->t, middle))),
               matrix_of(ph_dexp, scale(-1, y)));
    const ph_mat3 inertial = matmul(ph_hat(turned), matrix_of(ph_dexp, scale(-1, x)));
    *dF = one_plus(-0.5 * e->h, J, add_to(inertial, 0.5 * e->h, direct));
}

const ph_method ph_method_swc1 = {
    RULE("swc1", "Algo_C1 of Simo and Wong", "K06 section 4, SWC1", PH_MOMENTUM, FREE | PH_ENERGY,
         turn_step, (&(const turn_rule){0, 0.5, swc1_system, swc1_end})),
};
