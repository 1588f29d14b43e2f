/* ortolan_methods.c - the methods that Ortolan compares: Lie-Newmark, Lie midpoint, partitioned
 * Runge-Kutta and variational ones, RATTLE and Saccon's.
 *
 * O11  Ortolan, thesis, Padova 2011, chapter 4.
 * V13  Vilmart, Rigid body dynamics, 2013, (11); McLachlan, Scovel 1995, Reich 1994.
 * S09  Saccon, Midpoint rule for variational integrators on Lie groups, 2009.
 *
 * tau is the torque. Where a method has the Cayley map or the exponential, its equations are
 * those of the former.
 */
#include "integrators/field.h"
#include "motion/moser_veselov.h"
#include "motion/newton.h"
#include "motion/retraction.h"
#include "motion/scaled.h"

#define METHOD(key, words, where, kept, kept_free, function, differs)                              \
    .name = (key), .title = (words), .cite = (where), .order = 2, .keeps = (kept),                 \
    .keeps_free = (kept_free), .step = (function), .data = (differs)

#define VARIATIONAL (PH_SYMMETRIC | PH_MOMENTUM | PH_POISSON | PH_SYMPLECTIC)

/* ---- implicit steps of a free body, for w, divided by J -------------------------- */

typedef struct free_step {
    const retraction *r; /* or NULL */
    ph_vec3 J, v;
    double h;
} free_step;

/* The root w of such a system. */
static ph_status solve_free(newton_system *system, const retraction *r, ph_vec3 J, ph_vec3 v,
                            double h, ph_vec3 *w)
{
    const free_step e = {r, J, v, h};
    *w = over(v, J);
    return newton(system, &e, w);
}

/* Half a backward Euler step: w = J^-1 ( v + (h/2) J w x w ) */
static void backward_euler(const void *context, ph_vec3 w, ph_vec3 *F, ph_mat3 *dF)
{
    const free_step *e = context;
    const ph_vec3 J = e->J, rate = cross(times(J, w), w);
    *F = sub(w, over(add(e->v, scale(0.5 * e->h, rate)), J));
    *dF = one_plus(-0.5 * e->h, J, gyration_slope(J, w));
}

/* Lie midpoint: w = J^-1 y,   y = exp(-(h/2) w) v
 *               dF = 1 - (h/2) J^-1 y^ dexp_{-(h/2) w} */
static void lie_midpoint(const void *context, ph_vec3 w, ph_vec3 *F, ph_mat3 *dF)
{
    const free_step *e = context;
    const ph_vec3 x = scale(-0.5 * e->h, w), y = rotate(ph_rotation_exp(x), e->v);
    const tangent c = exp_tangent(dot(x, x));
    *F = sub(w, over(y, e->J));
    *dF = one_plus(-0.5 * e->h, e->J, matmul(ph_hat(y), tangent_matrix(&c, x)));
}

/* The free step that turns a body by h w, w from the Lie midpoint. */
static ph_status lie_midpoint_turn(const void *data, ph_state *s, ph_vec3 J, double h)
{
    ph_vec3 w;
    const ph_status status = solve_free(lie_midpoint, data, J, s->m, h, &w);
    if (status == PH_OK)
        return apply_turn(s, ph_rotation_exp(scale(h, w)));
    return status;
}

/* ---- Lie-Newmark ----------------------------------------------------------------- */

/* eln: explicit; Simo, Vu-Quoc 1988, gamma = 1/2, beta = 0.
 *
 *   O11 (4.1a)  w' = w + h/2 J^-1 ( J w x w + tau(R) )
 *   O11 (4.1b)  R+ = R cay(h w')
 *   O11 (4.1c)  w+ = w' + h/2 J^-1 ( J w+ x w+ + tau(R+) )        solved for w+ by Newton
 *
 * (c) is the adjoint of (a), and (b) of itself, hence symmetric, hence of order 2.
 * Nothing ties the turn of the body to that of m: neither momentum nor energy is kept,
 * not even without torque. */
static ph_status eln(const ph_method *method, const ph_problem *p, ph_state *s, double t, double h)
{
    const retraction *r = method->data;
    const ph_vec3 w = over(s->m, p->body.J), tau = torque_at(p, t, s->q);
    const ph_vec3 m_half = add(s->m, scale(0.5 * h, add(cross(s->m, w), tau)));
    const ph_quat q = mul(s->q, r->map(scale(h, over(m_half, p->body.J))));
    const ph_vec3 v = add(m_half, scale(0.5 * h, torque_at(p, t + h, q)));
    ph_vec3 w_next;
    const ph_status status = solve_free(backward_euler, r, p->body.J, v, h, &w_next);
    if (status == PH_OK)
        return commit_step(s, q, times(p->body.J, w_next));
    return status;
}

const ph_method ph_method_eln[2] = {
    {METHOD("eln", "Explicit Lie-Newmark", "O11 (4.1)", PH_SYMMETRIC, PH_SYMMETRIC, eln, &CAYLEY)},
    {METHOD("eln_exp", "Explicit Lie-Newmark with the exponential", "O11 (4.1)", PH_SYMMETRIC,
            PH_SYMMETRIC, eln, &EXPONENTIAL)},
};

/* tln: trapezoidal; Simo, Vu-Quoc 1988, gamma = 1/2, beta = 1/4.
 *
 *   O11 (4.3a)  J w+ + h/2 w+ x J w+ - h/2 tau(R+) = J w - h/2 w x J w + h/2 tau(R)
 *   O11 (4.3b)  R+ = R cay(P),   P = h (w + w+)/2
 *
 * and the other members of Newmark's family: with a = J^-1 (J w x w + tau(R))
 *
 *   w+ = w + h ( (1 - gamma) a + gamma a+ )
 *   P  = h w + h^2 ( (1/2 - beta) a + beta a+ )
 *      = r h (w + w+) + (1 - 2 r) h (w + h/2 a),   r = beta/gamma
 *
 * solved for w+ by Newton, divided by J:
 *
 *   f  = w+ - gamma h J^-1 (J w+ x w+ + tau(R+)) - w - (1 - gamma) h a
 *   df = 1 - gamma h J^-1 ( (J w+)^ - w+^ J + r h Dtau(R+) dcay_-P )
 *
 * Corrected: of its Jacobian, that of -J f, O11 prints the part with the velocity as
 * -h/2 ( (J w)^ + w^ J ), and the first term of Dtau for its potential with the sign +.
 *
 * With gamma = 1/2, w + h/2 a = w+ - h/2 a+: exchanging the ends of the step and the sign
 * of h leaves all equations as they are, hence symmetric. A larger gamma damps, and the
 * order is 1. Neither momentum nor energy is kept, not even without torque. */
typedef struct newmark {
    const retraction *map;
    double gamma, beta;
} newmark;

typedef struct newmark_equation {
    const ph_problem *p;
    const retraction *r;
    ph_quat q;
    ph_vec3 w, turn, known; /* the velocity before, and of P and J f what does not depend on w+ */
    double t;               /* at the end */
    double gamma, share;    /* of h, in w+ and P */
} newmark_equation;

static ph_vec3 newmark_turn(const newmark_equation *e, ph_vec3 next)
{
    return add(scale(e->share, add(e->w, next)), e->turn);
}

static void newmark_system(const void *context, ph_vec3 next, ph_vec3 *F, ph_mat3 *dF)
{
    const newmark_equation *e = context;
    const ph_vec3 J = e->p->body.J, P = newmark_turn(e, next);
    const ph_quat q = mul(e->q, e->r->map(P));
    const ph_vec3 rate = add(cross(times(J, next), next), torque_at(e->p, e->t, q));
    *F = sub(next, over(add(e->known, scale(e->gamma, rate)), J));
    const tangent c = e->r->at(dot(P, P));
    const ph_mat3 D = matmul(torque_derivative(e->p, e->t, q), tangent_matrix(&c, scale(-1.0, P)));
    *dF = one_plus(-e->gamma, J, add_to(gyration_slope(J, next), e->share, D));
}

static ph_status newmark_step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                              double h)
{
    const newmark *n = method->data;
    const double r = n->beta / n->gamma;
    const ph_vec3 J = p->body.J, w = over(s->m, J),
                  rate = add(cross(s->m, w), torque_at(p, t, s->q));
    const newmark_equation e = {
        .p = p,
        .r = n->map,
        .q = s->q,
        .w = w,
        .turn = scale((1.0 - 2.0 * r) * h, add(w, scale(0.5 * h, over(rate, J)))),
        .known = add(s->m, scale((1.0 - n->gamma) * h, rate)),
        .t = t + h,
        .gamma = n->gamma * h,
        .share = r * h};
    ph_vec3 next = w;
    const ph_status status = newton(newmark_system, &e, &next);
    if (status != PH_OK)
        return status;
    return commit_step(s, mul(s->q, e.r->map(newmark_turn(&e, next))), times(J, next));
}

#define NEWMARK(key, words, where, p, kept, retraction, gamma, beta)                               \
    {                                                                                              \
        .name = (key), .title = (words), .cite = (where), .order = (p), .keeps = (kept),           \
        .keeps_free = (kept), .step = newmark_step, .data = &(const newmark)                       \
        {                                                                                          \
            &(retraction), gamma, beta                                                             \
        }                                                                                          \
    }

const ph_method ph_method_tln[5] = {
    NEWMARK("tln", "Trapezoidal Lie-Newmark", "O11 (4.3)", 2, PH_SYMMETRIC, CAYLEY, 0.5, 0.25),
    NEWMARK("tln_exp", "Trapezoidal Lie-Newmark with the exponential", "O11 (4.3)", 2, PH_SYMMETRIC,
            EXPONENTIAL, 0.5, 0.25),
    NEWMARK("newmark_linear", "Lie-Newmark, linear acceleration, beta 1/6", "O11 4.1.1", 2,
            PH_SYMMETRIC, EXPONENTIAL, 0.5, 1.0 / 6.0),
    NEWMARK("newmark_fox", "Lie-Newmark after Fox and Goodwin, beta 1/12", "O11 4.1.1", 2,
            PH_SYMMETRIC, EXPONENTIAL, 0.5, 1.0 / 12.0),
    NEWMARK("newmark_damped", "Lie-Newmark with damping, gamma 0.6", "O11 4.1.1", 1, 0, EXPONENTIAL,
            0.6, 0.3025),
};

/* ---- Lie midpoint ---------------------------------------------------------------- */

/* The midpoint step is its own adjoint, hence these are symmetric; m turns as the body does,
 * hence the momentum is kept. None of them is symplectic. */
#define MIDPOINT(key, words, where, function, differs)                                             \
    METHOD(key, words, where, PH_SYMMETRIC | PH_MOMENTUM, PH_SYMMETRIC | PH_MOMENTUM | PH_CASIMIR, \
           function, differs)

/* liemid, LIEMID[EA]; Krysl 2005.
 *
 *   v = J w + h/2 tau(R)
 *   O11 (4.6a)  T  = h/2 J^-1 exp(-T/2) v   solved for T by Newton
 *   O11 (4.6b)  R' = R exp(T)
 *   O11 (4.6c)  J w' = exp(-T) v
 *   O11 (4.6d)  T' = h/2 J^-1 exp(-T'/2) J w'   solved for T' by Newton
 *   O11 (4.6e)  R+ = R' exp(T')
 *   O11 (4.6f)  J w+ = exp(-T') J w' + h/2 tau(R+)
 *
 * That is a kick, two Lie midpoint steps of h/2 of the free body, and a kick; T = h/2 w.
 * (O11 prints exp(+T/2) in the first line of the Jacobian of (a), exp(-T/2) in the last.) */
static ph_status two_half_steps(const void *data, ph_state *s, ph_vec3 J, double h)
{
    const ph_status first = lie_midpoint_turn(data, s, J, 0.5 * h);
    if (first == PH_OK)
        return lie_midpoint_turn(data, s, J, 0.5 * h);
    return first;
}

const ph_method ph_method_liemid = {
    MIDPOINT("liemid", "Explicit Lie midpoint", "O11 (4.6)", kick_free_kick,
             (&(const free_motion){two_half_steps, NULL})),
};

/* mcg, modified Crouch-Grossman; Nukala, Shelton 2007.
 *
 *   v = J w + h/2 tau(R)
 *   O11 (4.9a)  J w' = exp(-h/2 w') v   solved for w' by Newton
 *   O11 (4.9b)  R+ = R exp(h w')
 *   O11 (4.9c)  J w+ = exp(-h w') v + h/2 tau(R+)
 *
 * Corrected: in (c) O11 prints v with J w' for J w, which does not converge. The
 * Jacobian of (a) has h/2 where O11 refers to that of (4.6), which has h/4.
 *
 * A kick, the Lie midpoint step of the free body, and a kick. */
const ph_method ph_method_mcg = {
    MIDPOINT("mcg", "Modified Crouch-Grossman", "O11 (4.9)", kick_free_kick,
             (&(const free_motion){lie_midpoint_turn, NULL})),
};

/* new3, the third algorithm of Koziara and Bicanic 2010.
 *
 *   O11 (4.10a)  R' = R exp(h/2 w)
 *   O11 (4.10b)  exp(h/2 w+) J w+ = exp(-h/2 w) J w + h tau(R')   solved for w+ by Newton
 *   O11 (4.10c)  R+ = R' exp(h/2 w+)
 *
 * The torque is that of the middle of the step. With u the right-hand side of (b), J w+ =
 * exp(-h/2 w+) u, the equation of the Lie midpoint. The second half of the step is the
 * adjoint of the first. Conjugate to mcg. */
static ph_status new3(const ph_method *method, const ph_problem *p, ph_state *s, double t, double h)
{
    (void)method;
    const double half = 0.5 * h;
    const ph_quat turn = ph_rotation_exp(scale(half, over(s->m, p->body.J))),
                  q = renormalize(mul(s->q, turn));
    const ph_vec3 tau = torque_at(p, t + half, q),
                  u = add(rotate(inverse(turn), s->m), scale(h, tau));
    ph_vec3 w;
    const ph_status status = solve_free(lie_midpoint, NULL, p->body.J, u, h, &w);
    if (status != PH_OK)
        return status;
    const ph_quat rest = ph_rotation_exp(scale(half, w));
    return commit_step(s, mul(q, rest), rotate(inverse(rest), u));
}

const ph_method ph_method_new3 = {
    MIDPOINT("new3", "Koziara and Bicanic's third algorithm", "O11 (4.10)", new3, NULL),
};

/* new1 and new2, their explicit algorithms, which O11 2.3 mentions. With tau at R' as above
 * and u = exp(-h/2 w) J w:
 *
 *   J w' = u + h/2 tau
 *   w''  = w + h J^-1 ( J w' x w' + tau )
 *   R+   = R' exp(h/2 w'')
 *   new1   w+ = w''
 *   new2   J w+ = exp(-h/2 w'') ( u + h tau )
 *
 * new3 is new2 with w+ for w''. new2 turns m as the body, hence the momentum is kept. */
static ph_status explicit_step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                               double h)
{
    const bool *turns = method->data;
    const double half = 0.5 * h;
    const ph_vec3 J = p->body.J, w = over(s->m, J);
    const ph_quat turn = ph_rotation_exp(scale(half, w)), q = renormalize(mul(s->q, turn));
    const ph_vec3 tau = torque_at(p, t + half, q), u = rotate(inverse(turn), s->m),
                  m_half = add(u, scale(half, tau)),
                  rate = add(cross(m_half, over(m_half, J)), tau), m = add(s->m, scale(h, rate));
    const ph_quat rest = ph_rotation_exp(scale(half, over(m, J)));
    return commit_step(s, mul(q, rest), *turns ? rotate(inverse(rest), add(u, scale(h, tau))) : m);
}

const ph_method ph_method_new1[2] = {
    {METHOD("new1", "Koziara and Bicanic's first algorithm, explicit", "O11 2.3", 0, 0,
            explicit_step, &(const bool){false})},
    {METHOD("new2", "Koziara and Bicanic's second algorithm, explicit", "O11 2.3", PH_MOMENTUM,
            PH_MOMENTUM | PH_CASIMIR, explicit_step, &(const bool){true})},
};

/* ---- kick, free motion, kick ----------------------------------------------------- */

/* prk, partitioned Runge-Kutta-Munthe-Kaas; Nukala, Shelton 2007.
 *
 *   O11 (4.8a)  w' = w + h/2 J^-1 ( tau(R) - w' x J w' )          solved for w' by Newton
 *   O11 (4.8b)  R+ = R cay(h w')
 *   O11 (4.8c)  w+ = w' + h/2 J^-1 ( tau(R+) - w' x J w' )
 *
 * With v = J w + h/2 tau(R), (a) says (1 + h/2 w'^) J w' = v, and (c)
 * J w+ = cay(-h w') v + h/2 tau(R+): a kick, the midpoint rule of the free body, a kick.
 *
 * The midpoint rule is its own adjoint, hence symmetric; cay turns m as the body, hence
 * the momentum is kept; without torque (w+ - w) . J w' = 0, hence the energy is. With
 * exp the body turns a little differently: without torque |m| and the energy stay, the
 * momentum in space does not. Not symplectic. */
static ph_status midpoint(const void *data, ph_state *s, ph_vec3 J, double h)
{
    const retraction *r = data;
    ph_vec3 w;
    const ph_status status = solve_free(backward_euler, r, J, s->m, h, &w);
    if (status != PH_OK)
        return status;
    const ph_vec3 x = scale(h, w);
    return commit_step(s, mul(s->q, r->map(x)), rotate(inverse(ph_cay(x)), s->m));
}

#define PRK_FREE (PH_SYMMETRIC | PH_CASIMIR | PH_ENERGY)

const ph_method ph_method_prk[2] = {
    {METHOD("prk", "Partitioned Runge-Kutta-Munthe-Kaas", "O11 (4.8)", PH_SYMMETRIC | PH_MOMENTUM,
            PRK_FREE | PH_MOMENTUM, kick_free_kick, (&(const free_motion){midpoint, &CAYLEY}))},
    {METHOD("prk_exp", "Partitioned Runge-Kutta-Munthe-Kaas with the exponential", "O11 (4.8)",
            PH_SYMMETRIC, PRK_FREE, kick_free_kick,
            (&(const free_motion){midpoint, &EXPONENTIAL}))},
};

/* vlv, variational Lie-Verlet; Bou-Rabee, Marsden 2009.
 *
 *   O11 (4.11a)  w' = w + h/2 J^-1 ( J w' x w' - h/2 (w'.J w') w' + tau(R) )
 *   O11 (4.11b)  R+ = R cay(h w')
 *   O11 (4.11c)  w+ = w' + h/2 J^-1 ( J w' x w' + h/2 (w'.J w') w' + tau(R+) )
 *
 * With v = J w + h/2 tau(R), (a) says dcay^-1_{-h w'} J w' = v, and (c)
 * J w+ = cay(-h w') v + h/2 tau(R+). Solved by Newton as
 *
 *   f = w' - J^-1 dcay_{-h w'} v,   df = 1 + h J^-1 d(dcay_x v)/dx at x = -h w'
 *
 * and so with exp for cay. (Corrected: O11 prints the Newton equation of (a) with w' for
 * w and without the outer J^-1.)
 *
 * Discrete Euler-Poincare equations with the retraction, between two kicks, hence
 * symplectic and the momentum kept; (c) is the adjoint of (a), hence symmetric. */
static void vlv_system(const void *context, ph_vec3 w, ph_vec3 *F, ph_mat3 *dF)
{
    const free_step *e = context;
    const ph_vec3 x = scale(-e->h, w);
    const tangent c = e->r->at(dot(x, x));
    *F = sub(w, over(tangent_of(&c, x, e->v), e->J));
    *dF = one_plus(e->h, e->J, tangent_slope(&c, x, e->v));
}

static ph_status vlv_turn(const void *data, ph_state *s, ph_vec3 J, double h)
{
    const retraction *r = data;
    ph_vec3 w;
    const ph_status status = solve_free(vlv_system, r, J, s->m, h, &w);
    if (status == PH_OK)
        return apply_turn(s, r->map(scale(h, w)));
    return status;
}

const ph_method ph_method_vlv[2] = {
    {METHOD("vlv", "Variational Lie-Verlet", "O11 (4.11)", VARIATIONAL, VARIATIONAL | PH_CASIMIR,
            kick_free_kick, (&(const free_motion){vlv_turn, &CAYLEY}))},
    {METHOD("vlv_exp", "Variational Lie-Verlet with the exponential", "O11 (4.11)", VARIATIONAL,
            VARIATIONAL | PH_CASIMIR, kick_free_kick,
            (&(const free_motion){vlv_turn, &EXPONENTIAL}))},
};

/* RATTLE for the rigid body, V13: kick, discrete Moser-Veselov step, kick.
 *
 *   v = m + h/2 tau(R)
 *   J e + e x J e = (1 + |e|^2) (h/2) v              src/motion/moser_veselov.h
 *   R+ = R cay(2 e),   m+ = cay(-2 e) v + h/2 tau(R+)
 *
 * RATTLE is symplectic with the orthogonality of the matrices as constraint, symmetric,
 * and keeps the momentum; without torque it is dmv2, which also keeps the energy.
 *
 * The step is one, not divided as dmv2 divides it: beyond about 1 rad the equation has no
 * solution, PH_NO_CONVERGENCE. */
static ph_status moser_veselov(const void *data, ph_state *s, ph_vec3 J, double h)
{
    (void)data;
    const scaled z = to_scaled(s, J, h);
    ph_vec3 e;
    if (z.length == 0.0)
        return PH_OK;
    if (!ph_dmv_solve(z.I, z.m, z.h, &e))
        return PH_NO_CONVERGENCE;
    return apply_scaled_turn(s, &z, turn_of_tangent(e));
}

const ph_method ph_method_rattle = {
    METHOD("rattle", "RATTLE", "V13 (11)", VARIATIONAL, VARIATIONAL | PH_CASIMIR | PH_ENERGY,
           kick_free_kick, (&(const free_motion){moser_veselov, NULL})),
};

/* ---- Saccon's variational midpoint rule, S09 ------------------------------------- */

/* O11 names it without printing it. These are the discrete Euler-Poincare equations of
 *
 *   L_d = h/2 (P/h) . J (P/h) - h U(R exp(P/2)),   R+ = R exp(P)
 *
 * with tau the torque at t + h/2 and R exp(P/2), and [] = J P/h + h/2 dexp_{P/2} tau:
 *
 *   m = dexp^-1_{-P} [] - h exp(P/2) tau,   m+ = dexp^-1_P []
 *
 * With dexp_{-P} exp(P/2) = (dexp_{P/2} + dexp_{-P/2})/2 the first becomes an equation
 * without inverses for w = P/h, solved by Newton, and the second a turn of m with the
 * body:
 *
 *   f  = w - J^-1 ( dexp_{-P} m + h/2 dexp_{-P/2} tau )
 *   df = 1 + h J^-1 ( d(dexp_x m)/dx
 *                     + h/4 ( d(dexp_y tau)/dy - dexp_y Dtau dexp_y ) )
 *        at x = -P, y = -P/2
 *   m+ = exp(-P) m + h exp(-P/2) tau
 *
 * Discrete Euler-Lagrange equations, hence symplectic; L_d shares the symmetry of the
 * field, hence the momentum is kept; L_d is its own adjoint, hence symmetric. */
typedef struct saccon_equation {
    const ph_problem *p;
    ph_state s;
    double t, h; /* t is the time in the middle */
} saccon_equation;

static ph_quat attitude_between(const saccon_equation *e, ph_vec3 w)
{
    return mul(e->s.q, ph_rotation_exp(scale(0.5 * e->h, w)));
}

static void saccon_system(const void *context, ph_vec3 w, ph_vec3 *F, ph_mat3 *dF)
{
    const saccon_equation *e = context;
    const double h = e->h;
    const ph_vec3 J = e->p->body.J, x = scale(-h, w), y = scale(-0.5 * h, w);
    const ph_quat q = attitude_between(e, w);
    const ph_vec3 m = e->s.m, tau = torque_at(e->p, e->t, q);
    const tangent cx = exp_tangent(dot(x, x)), cy = exp_tangent(dot(y, y));
    const ph_vec3 impulse = scale(0.5 * h, tangent_of(&cy, y, tau));
    *F = sub(w, over(add(tangent_of(&cx, x, m), impulse), J));
    const ph_mat3 d = tangent_matrix(&cy, y),
                  D = matmul(d, matmul(torque_derivative(e->p, e->t, q), d));
    const ph_mat3 A = add_to(tangent_slope(&cx, x, m), 0.25 * h, tangent_slope(&cy, y, tau));
    *dF = one_plus(h, J, add_to(A, -0.25 * h, D));
}

static ph_status saccon(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                        double h)
{
    (void)method;
    const saccon_equation e = {p, *s, t + 0.5 * h, h};
    ph_vec3 w = over(s->m, p->body.J);
    const ph_status status = newton(saccon_system, &e, &w);
    if (status != PH_OK)
        return status;
    const ph_vec3 tau = torque_at(p, e.t, attitude_between(&e, w));
    const ph_quat half = ph_rotation_exp(scale(0.5 * h, w)), turn = ph_rotation_exp(scale(h, w));
    const ph_vec3 m = add(s->m, scale(h, rotate(half, tau)));
    return commit_step(s, mul(s->q, turn), rotate(inverse(turn), m));
}

const ph_method ph_method_saccon = {
    METHOD("saccon", "Saccon's variational midpoint rule", "S09", VARIATIONAL,
           VARIATIONAL | PH_CASIMIR, saccon, NULL),
};
