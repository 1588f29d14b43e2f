/* test_problems.c - every problem of the catalog: that its torque is minus the
 * derivative of its potential, and its derivative that of the torque, at attitudes
 * anywhere; that its kernels have the same torque, and the matrices of the variational
 * equations are derivatives; that the exact motions keep its energy; and formulas that were
 * printed wrong. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "integrators/lanes.h"
#include "integrators/range.h"
#include "integrators/tangent.h"
#include "integrators/tangent_field.h"
#include "motion/state.h"
#include "motion/vec.h"
#include "polhode/expression.h"
#include "support/generic.h"
#include "support/page.h"
#include "support/parameters.h"
#include "support/random.h"
#include "support/references.h"
#include "system/find.h"

static const ph_vec3 AXES[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* Calls a test for every problem there is. */
static void each_problem(void (*test)(const ph_problem *p))
{
    size_t count;
    const ph_problem *const *problems = ph_problems(&count);
    assert_true(count >= 10);
    for (size_t i = 0; i < count; i++)
        test(problems[i]);
}

static const ph_problem *named(const char *name)
{
    const ph_problem *p = find_problem(name);
    if (p == NULL) {
        fail_msg("there is no problem %s", name);
        abort(); /* fail_msg does not return, but does not say so */
    }
    return p;
}

/* Anywhere: every orientation is as likely, nearly. */
static ph_quat random_attitude(uint64_t *seed)
{
    const double w = between(seed, -1, 1);
    return ph_quat_unit(quat(w, random_vector(seed, -1, 1)));
}

static double distance(ph_vec3 a, ph_vec3 b)
{
    return norm_max(sub(a, b));
}

/* ---- the catalog ----------------------------------------------------------------- */

static void check_descriptor(const ph_problem *p)
{
    assert_true(smaller_or_nan(p->body.J.x, smaller_or_nan(p->body.J.y, p->body.J.z)) > 0.0);
    assert_true(fabs(unit_defect(p->q)) < 4e-16);
    assert_true(finite3(p->w) && norm_max(p->w) > 0.0);
    /* A potential and a derivative are those of a torque; a torque of the attitude alone
     * that has no potential changes the energy. */
    assert_true(p->torque != NULL || (p->potential == NULL && p->derivative == NULL));
    assert_true(p->torque == NULL || p->potential != NULL || p->nonconservative ||
                p->velocity_dependent);
    check_parameters(p->name, p->parameters, p->parameter_count);
    for (int i = 0; i < p->parameter_count; i++)
        assert_ptr_equal(&p->parameters[i], ph_problem_parameter(p, p->parameters[i].name));
    assert_null(ph_problem_parameter(p, "no such parameter"));
}

static void test_catalog(void **state)
{
    (void)state;
    each_problem(check_descriptor);
}

/* ---- torque and derivative by differences ---------------------------------------- */

/* An instant at an attitude, with an angular velocity. */
static ph_instant instant_at(ph_quat q, ph_vec3 w)
{
    return (ph_instant){.t = 0.3, .R = ph_quat_matrix(q), .m = w, .w = w};
}

static void set_parameter(ph_problem *p, const ph_parameter *a, double value)
{
    for (int k = a->first; k < a->first + a->count; k++)
        p->value[k] = value;
    if (p->prepare != NULL)
        p->prepare(p);
}

/* Whether a parameter changes the torque and not the potential: a factor of drag, a constant
 * torque. Only a problem whose energy changes may have one. */
static bool has_no_potential(const ph_problem *p, const ph_parameter *a)
{
    uint64_t seed = 2;
    ph_problem other = *p;
    bool changes_torque = false;
    set_parameter(&other, a, 0.2);
    for (int n = 0; p->nonconservative && n < 10; n++) {
        const ph_instant now = instant_at(random_attitude(&seed), vec3(0.3, -0.2, 0.1));
        if (p->potential(p, &now) != p->potential(&other, &now))
            return false;
        if (distance(p->torque(p, &now), p->torque(&other, &now)) > 0.0)
            changes_torque = true;
    }
    return changes_torque;
}

/* The problem with other moments and other values of its parameters; without what has no
 * potential, if so wished. */
static ph_problem varied(const ph_problem *p, bool of_potential, uint64_t *seed)
{
    ph_problem other = *p;
    other.body.J = times(p->body.J, random_vector(seed, 0.5, 2));
    for (int i = 0; i < p->parameter_count; i++) {
        const ph_parameter *a = &p->parameters[i];
        for (int k = a->first; k < a->first + a->count; k++) {
            const double value = p->value[k];
            other.value[k] = value != 0.0
                                 ? value * between(seed, 1, 1.2)
                                 : between(seed, a->range == PH_RANGE_ANY ? -0.3 : 0.0, 0.3);
        }
        if (of_potential && has_no_potential(p, a))
            set_parameter(&other, a, 0.0);
    }
    if (other.prepare != NULL)
        other.prepare(&other);
    return other;
}

/* The four-point difference of four values at -2, -1, 1, 2 times the distance. */
static double difference(const double f[4], double d)
{
    return (8.0 * (f[2] - f[1]) - (f[3] - f[0])) / (12.0 * d);
}

/* At an attitude, at rest: torque and potential, derivative and torque, where there are both. */
static void check_derivatives_at(const ph_problem *p, ph_quat q, bool of_potential)
{
    static const double NEAR[] = {-2, -1, 1, 2};
    const double d = 1e-4, right = 1e-7;
    const ph_instant now = instant_at(q, vec3(0, 0, 0));
    const ph_vec3 tau = p->torque(p, &now);
    for (int k = 0; k < 3; k++) {
        double U[4] = {0}, x[4], y[4], z[4];
        for (int i = 0; i < 4; i++) {
            const ph_instant near =
                instant_at(mul(q, ph_rotation_exp(scale(NEAR[i] * d, AXES[k]))), vec3(0, 0, 0));
            const ph_vec3 there = p->torque(p, &near);
            if (of_potential)
                U[i] = p->potential(p, &near);
            x[i] = there.x, y[i] = there.y, z[i] = there.z;
        }
        const ph_vec3 column = {difference(x, d), difference(y, d), difference(z, d)};
        const double size = fabs(U[0]) + norm_max(tau);
        const double tau_error = fabs(difference(U, d) + dot(tau, AXES[k]));
        if (of_potential && !(tau_error < right * size))
            fail_msg("%s: torque along axis %d off by %g of %g", p->name, k, tau_error, size);
        if (p->derivative == NULL)
            continue;
        const ph_mat3 D = p->derivative(p, &now);
        const ph_vec3 claimed = {D.a[0][k], D.a[1][k], D.a[2][k]};
        const double D_error = distance(column, claimed);
        if (!(D_error <= right * (size + norm_max(column))))
            fail_msg("%s: derivative along axis %d off by %g of %g", p->name, k, D_error,
                     size + norm_max(column));
    }
}

/* A torque that depends on the velocity says so; if it keeps the energy, it does no work. */
static void check_velocity(const ph_problem *p, ph_quat q, ph_vec3 w)
{
    const ph_instant at_rest = instant_at(q, vec3(0, 0, 0)), moving = instant_at(q, w);
    const ph_vec3 by_velocity = sub(p->torque(p, &moving), p->torque(p, &at_rest));
    if (!p->velocity_dependent && norm_max(by_velocity) != 0.0)
        fail_msg("%s: set .velocity_dependent: the torque depends on it", p->name);
    if (!p->nonconservative && !(fabs(dot(by_velocity, w)) <= 1e-14 * norm_max(by_velocity)))
        fail_msg("%s: set .nonconservative: the torque changes the energy", p->name);
}

static void check_derivatives(const ph_problem *p)
{
    if (p->torque == NULL)
        return;
    uint64_t seed = 1;
    for (int n = 0; n < 200; n++) {
        const ph_quat q = n == 0 ? p->q : random_attitude(&seed);
        const ph_problem whole = varied(p, false, &seed);
        check_derivatives_at(&whole, q, false);
        check_velocity(&whole, q, random_vector(&seed, -1, 1));
        if (p->potential != NULL) {
            const ph_problem conservative = varied(p, true, &seed);
            check_derivatives_at(&conservative, q, true);
        }
    }
}

static void test_derivatives(void **state)
{
    (void)state;
    each_problem(check_derivatives);
}

/* ---- kernels --------------------------------------------------------------------- */

/* At a time, an attitude, a momentum and a velocity. */
static ph_instant instant_of(double t, ph_quat q, ph_vec3 m, ph_vec3 w)
{
    return (ph_instant){.t = t, .q = q, .R = ph_quat_matrix(q), .m = m, .w = w};
}

/* The body with products of inertia. */
static ph_body tilted(const ph_body *b)
{
    const ph_vec3 J = b->J;
    const ph_mat3 tensor = {{{J.x, 0.03 * J.x, 0.05 * J.y}, {0, J.y, 0.07 * J.z}, {0, 0, J.z}}};
    ph_body out;
    assert_int_equal(PH_OK, ph_body_from_tensor(&out, tensor));
    return out;
}

/* Another problem, in which each torque of a spacecraft counts; with wheels and damping if so
 * wished, and with products of inertia. */
static ph_problem other_problem(const ph_problem *p, bool moving, bool turned, uint64_t *seed)
{
    static const struct {
        const char *name;
        double size;
        bool moving;
    } sizes[] = {{"dipole", 5, false},        {"earth_dipole", 5e22, false},
                 {"torque", 1e-4, false},     {"torque_space", 1e-4, false},
                 {"earth_rate", 3e-4, false}, {"damping", 0.02, true},
                 {"wheels", 0.03, true}};
    ph_problem other = varied(p, false, seed);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const ph_parameter *a = ph_problem_parameter(p, sizes[i].name);
        for (int k = 0; a != NULL && k < a->count; k++)
            other.value[a->first + k] =
                moving || !sizes[i].moving
                    ? (k % 2 ? -1 : 1) * sizes[i].size * between(seed, 0.5, 1)
                    : 0.0;
    }
    if (ph_problem_parameter(p, "seed") != NULL)
        other.value[ph_problem_parameter(p, "seed")->first] = 0.5; /* as 0: it draws nothing */
    if (other.prepare != NULL)
        other.prepare(&other);
    if (turned)
        other.body = tilted(&other.body);
    return other;
}

/* One problem at several instants in lanes from `first` to `last`, in principal axes: the torque at
 * rest. Some kernels have shorter formulas, which round in another way. */
static void check_lanes_of_one(const ph_problem *p, int first, int last, uint64_t *seed)
{
    torque_lanes_kernel *lanes = ph_lanes_of(p);
    double t[PH_LANES], q[4][PH_LANES], torque[3][PH_LANES];
    if (lanes == NULL)
        return;
    for (int i = 0; i < PH_LANES; i++) {
        const ph_quat at = random_attitude(seed);
        t[i] = between(seed, -2e4, 2e4);
        q[0][i] = at.w, q[1][i] = at.x, q[2][i] = at.y, q[3][i] = at.z;
    }
    lanes(p, first, last, t, (const double(*)[PH_LANES])q, torque);
    for (int i = first; i < last; i++) {
        const ph_quat at = {q[0][i], q[1][i], q[2][i], q[3][i]};
        const ph_instant now = instant_of(t[i], at, vec3(0, 0, 0), vec3(0, 0, 0));
        const ph_vec3 one = p->torque(p, &now), lane = {torque[0][i], torque[1][i], torque[2][i]};
        if (!(distance(one, lane) <= 1e-12 * norm_max(one)))
            fail_msg("%s: the torque in lane %d is not that of one body", p->name, i);
    }
}

/* A problem with other parameters in each lane, in the frames of bodies that are tilted or not. */
static void check_lanes_of_each(const ph_problem *p, bool turned, uint64_t *seed)
{
    static lane_problems all;
    static lane_instants at;
    torque_each_kernel *each = ph_each_of(p);
    ph_problem of[PH_LANES];
    ph_instant now[PH_LANES];
    if (each == NULL)
        return;
    all = (lane_problems){.turned = turned};
    for (int i = 0; i < PH_LANES; i++) {
        of[i] = other_problem(p, i % 3 != 0, turned, seed);
        const double t = between(seed, -2e4, 2e4);
        const ph_quat q = random_attitude(seed), axes = of[i].body.axes;
        const ph_vec3 m = random_vector(seed, -1, 1), w = random_vector(seed, -1, 1),
                      J = of[i].body.J;
        now[i] = instant_of(t, q, m, w);
        const double frame[] = {axes.w, axes.x, axes.y, axes.z}, attitude[] = {q.w, q.x, q.y, q.z},
                     vectors[3][3] = {{J.x, J.y, J.z}, {m.x, m.y, m.z}, {w.x, w.y, w.z}};
        all.p[i] = &of[i];
        at.t[i] = t;
        for (int k = 0; k < PH_PARAMETER_VALUES; k++)
            all.value[k][i] = of[i].value[k];
        for (int k = 0; k < 4; k++) {
            all.axes[k][i] = frame[k];
            at.q[k][i] = attitude[k];
        }
        for (int k = 0; k < 3; k++) {
            all.J[k][i] = vectors[0][k];
            at.m[k][i] = vectors[1][k];
            at.w[k][i] = vectors[2][k];
        }
    }
    all.like = &of[0];
    each(&all, &at);
    for (int i = 0; i < PH_LANES; i++) {
        const ph_vec3 one = of[i].torque(&of[i], &now[i]),
                      of_lane = {at.torque[0][i], at.torque[1][i], at.torque[2][i]};
        if (memcmp(&one, &of_lane, sizeof one) != 0)
            fail_msg("%s: the torque of lane %d is not that of this body", p->name, i);
    }
}

static void check_lanes(const ph_problem *p)
{
    uint64_t seed = 8;
    for (int n = 0; n < 40 && p->torque != NULL; n++) {
        const ph_problem other = other_problem(p, n % 3 != 0, false, &seed);
        check_lanes_of_one(&other, n % PH_LANES, PH_LANES, &seed);
        check_lanes_of_one(&other, 0, PH_LANES - n % PH_LANES, &seed);
        check_lanes_of_each(p, n % 2 != 0, &seed);
    }
}

static void test_lanes(void **state)
{
    (void)state;
    each_problem(check_lanes);
}

/* ---- the variational equations ----------------------------------------------------- */

/* theta' and m' of a body: w, and m x w with the torque. */
typedef struct rates {
    ph_vec3 w, m;
} rates;

/* Where number `by` of those that a column is by differs by d. */
static rates rates_at(const ph_problem *p, double t, const ph_state *s, int by, double d)
{
    static const int ROW[] = {0, 1, 2, 0, 0, 1}, COLUMN[] = {0, 1, 2, 1, 2, 2};
    ph_problem other = *p;
    ph_state there = *s;
    if (by < BY_MOMENTUM) {
        there.q = mul(s->q, ph_rotation_exp(scale(d, AXES[by])));
    } else if (by < BY_INERTIA) {
        there.m = add(s->m, scale(d, AXES[by - BY_MOMENTUM]));
    } else if (by < BY_PARAMETERS) {
        ph_mat3 J =
            columns(ph_body_momentum(&p->body, AXES[0]), ph_body_momentum(&p->body, AXES[1]),
                    ph_body_momentum(&p->body, AXES[2]));
        J.a[ROW[by - BY_INERTIA]][COLUMN[by - BY_INERTIA]] += d;
        assert_int_equal(PH_OK, ph_body_from_tensor(&other.body, J));
    } else {
        other.value[by - BY_PARAMETERS] += d;
        if (other.prepare != NULL)
            other.prepare(&other);
        other.body = p->body;
    }
    const ph_vec3 w = ph_problem_velocity(&other, t, there.m);
    const ph_instant now = instant_of(t, there.q, there.m, w);
    const ph_vec3 none = {0, 0, 0}, tau = p->torque != NULL ? other.torque(&other, &now) : none;
    return (rates){w, add(cross(there.m, w), tau)};
}

/* Compares derivatives of w and of m' with differences of order 6. */
static void check_column(const ph_problem *p, double t, const ph_state *s, int by, ph_vec3 velocity,
                         ph_vec3 torque)
{
    static const double WEIGHT[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    const ph_vec3 J = p->body.J;
    double size = 1.0;
    if (by >= BY_PARAMETERS)
        size = p->value[by - BY_PARAMETERS] != 0.0 ? fabs(p->value[by - BY_PARAMETERS]) : 1.0;
    else if (by >= BY_INERTIA)
        size = smaller_or_nan(J.x, smaller_or_nan(J.y, J.z));
    else if (by >= BY_MOMENTUM)
        size = norm_max(s->m);
    const double d = 3e-4 * size;
    const rates here = rates_at(p, t, s, by, 0.0);
    ph_vec3 of_w = {0, 0, 0}, of_m = {0, 0, 0};
    for (int k = 1; k <= 3; k++) {
        const rates ahead = rates_at(p, t, s, by, k * d), behind = rates_at(p, t, s, by, -k * d);
        of_w = add(of_w, scale(WEIGHT[k - 1] / d, sub(ahead.w, behind.w)));
        of_m = add(of_m, scale(WEIGHT[k - 1] / d, sub(ahead.m, behind.m)));
    }
    const double right = 1e-6, rounding = 1e-14 / d;
    if (!(distance(velocity, of_w) <= right * norm_max(of_w) + rounding * norm_max(here.w)) ||
        !(distance(torque, of_m) <= right * norm_max(of_m) + rounding * norm_max(here.m)))
        fail_msg("%s, number %d: the derivatives (%g, %g, %g), (%g, %g, %g) are not those of the "
                 "rates, (%g, %g, %g), (%g, %g, %g)",
                 p->name, by, velocity.x, velocity.y, velocity.z, torque.x, torque.y, torque.z,
                 of_w.x, of_w.y, of_w.z, of_m.x, of_m.y, of_m.z);
}

/* Column k of a matrix at a point; a diagonal or what is beside it may be left out as 0. */
static ph_vec3 column_of(point_row *row, int i, int k, bool diagonal, bool beside)
{
    double x[3];
    for (int n = 0; n < 3; n++)
        x[n] = (n == k ? diagonal : beside) ? row[3 * n + k][i] : 0.0;
    return vec3(x[0], x[1], x[2]);
}

static bool has_bytes(const void *x, size_t size, unsigned char byte)
{
    for (size_t i = 0; i < size; i++) {
        if (((const unsigned char *)x)[i] != byte)
            return false;
    }
    return true;
}

/* All that the variational equations have at a point, from a state in principal axes. */
static void check_point(const ph_problem *p, const tangent_run *g, tangent_points *x, int i,
                        const ph_state *s)
{
    const ph_state here = from_principal(&p->body, *s);
    const double t = x->t[i], over = 1.0 / x->length[i];
    const ph_vec3 none = {0, 0, 0}, w = ph_problem_velocity(p, t, here.m),
                  wk = scale(over, vec3(x->wk[0][i], x->wk[1][i], x->wk[2][i]));
    assert_true(distance(w, wk) <= 1e-13 * norm_max(w));
    for (int k = 0; k < 3; k++) {
        check_column(p, t, &here, BY_ROTATION + k, none,
                     scale(over, column_of(x->D, i, k, true, true)));
        check_column(p, t, &here, BY_MOMENTUM + k,
                     scale(over, column_of(x->K, i, k, true, !x->principal)),
                     scale(over, column_of(x->F, i, k, !x->principal, true)));
    }
    for (int c = g->sources; c < g->columns; c++) {
        double(*v)[TANGENT_ROOM] = x->velocity[i], (*m)[TANGENT_ROOM] = x->torque[i];
        const ph_vec3 velocity = scale(over, vec3(v[0][c], v[1][c], v[2][c])),
                      torque = scale(over, vec3(m[0][c], m[1][c], m[2][c])),
                      direct = ph_tangent_direct_velocity(g, t, &here, g->by[c]);
        char name[40];
        ph_tangent_name(g, c, name, sizeof name);
        if (strcmp(name, "seed") == 0) /* it is whole */
            continue;
        check_column(p, t, &here, g->by[c], velocity, torque);
        assert_true(distance(velocity, direct) <= 1e-9 * norm_max(direct));
    }
}

/* At several points, each with a length of its own, and at one with the length 1. A kernel leaves
 * derivatives alone that nobody asks for. */
static void check_field(const ph_problem *p, unsigned wanted, uint64_t *seed)
{
    enum { POINTS = 5, UNSET = 0xff }; /* bytes of a NaN */
    static tangent_run g;
    static tangent_points x;
    const double rate = norm_max(p->w);
    ph_state s[POINTS];
    ph_tangent_begin(&g, p, wanted);
    memset(&x, UNSET, sizeof x);
    x.count = POINTS;
    x.cleared = 0;
    for (int i = 0; i < POINTS; i++) {
        s[i].q = random_attitude(seed);
        s[i].m = times(p->body.J, random_vector(seed, -rate, rate));
        x.t[i] = between(seed, -1000, 1000);
        x.length[i] = between(seed, 0.5, 2);
        x.q[0][i] = s[i].q.w, x.q[1][i] = s[i].q.x, x.q[2][i] = s[i].q.y, x.q[3][i] = s[i].q.z;
        x.m[0][i] = s[i].m.x, x.m[1][i] = s[i].m.y, x.m[2][i] = s[i].m.z;
    }
    ph_tangent_field(&g, &x);
    for (int i = 0; i < POINTS; i++)
        check_point(p, &g, &x, i, &s[i]);
    const double unit = norm_max(vec3(x.m[0][0], x.m[1][0], x.m[2][0])) + 2 * norm_max(p->body.J);
    assert_true(fabs(ph_tangent_unit(&g, &x, -0.5) - unit) <= 1e-15 * unit);
    const bool kernel = p->torque != NULL && g.slopes == ph_slopes_of(p);
    if (kernel && !(wanted & PH_DERIVATIVES_INERTIA))
        assert_true(has_bytes(x.slopes.inertia, sizeof x.slopes.inertia, UNSET));
    if (kernel && !(wanted & PH_DERIVATIVES_PARAMETERS))
        assert_true(has_bytes(x.slopes.value, sizeof x.slopes.value, UNSET));
    const double t = x.t[1];
    memset(&x, UNSET, sizeof x);
    ph_tangent_point(&g, t, &s[1], &x);
    assert_true(x.count == 1 && x.length[0] == 1.0 && x.t[0] == t);
    check_point(p, &g, &x, 0, &s[1]);
}

/* A torque of the caller's own, which has no kernel. */
static const ph_problem *own_base;

static ph_vec3 own_torque(const ph_problem *p, const ph_instant *now)
{
    return scale(1.5, own_base->torque(p, now));
}

static ph_mat3 own_derivative(const ph_problem *p, const ph_instant *now)
{
    return add_to((ph_mat3){{{0}}}, 1.5, own_base->derivative(p, now));
}

/* A momentum inside the body that depends on the time and a parameter. */
static ph_vec3 own_internal(const ph_problem *p, double t)
{
    const double size = 0.3 * own_base->body.J.x * norm_max(own_base->w),
                 part = own_base->value[0] != 0.0 ? p->value[0] / own_base->value[0] : 1.0;
    return scale(size, vec3(1, -sin(0.01 * t), sin(part)));
}

static void check_variational(const ph_problem *p)
{
    enum { START = PH_DERIVATIVES_START, ALL = 4 };
    static const unsigned wanted[ALL] = {
        START, START | PH_DERIVATIVES_INERTIA, START | PH_DERIVATIVES_PARAMETERS,
        START | PH_DERIVATIVES_INERTIA | PH_DERIVATIVES_PARAMETERS};
    uint64_t seed = 9;
    own_base = p;
    for (int n = 0; n < 4 * ALL; n++) {
        ph_problem other = other_problem(p, n / 2 % 2 != 0, n % 2 != 0, &seed);
        check_field(&other, wanted[n / 4], &seed);
        if (p->prepare == NULL) { /* which would replace it */
            ph_problem with = other;
            with.internal = own_internal;
            check_field(&with, wanted[n / 4], &seed);
        }
        if (p->torque == NULL)
            continue;
        other.torque = own_torque;
        other.derivatives = NULL;
        other.derivative = p->derivative != NULL ? own_derivative : NULL;
        check_field(&other, wanted[n / 4], &seed);
        other.derivative = NULL;
        check_field(&other, wanted[n / 4], &seed);
    }
}

/* The problems of the catalog, those without parameters, and expressions with derivatives of their
 * own. */
static void test_variational(void **state)
{
    (void)state;
    static const ph_parameter parameters[] = {{"a", 0, 1, "1", "", PH_RANGE_ANY},
                                              {"b", 1, 3, "1", "", PH_RANGE_ANY}};
    static const double value[] = {0.7, 1.1, -0.6, 0.4};
    static const ph_expressions texts[] = {
        {.torque = {"a*R31*w1 + b1*m2", "b2*R22*R13 - m1*w3", "a*b3*q0*q1 + w2^2"}},
        {.torque = {"a*R31 + b1*R12", "b2*R22*R13*sin(t)", "a*b3*q0*q1"}},
        {.potential = "a*R33 + b1*R12*R31"}};
    each_problem(check_variational);
    check_variational(&ph_problem_generic);
    check_variational(&ph_problem_vertical);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ph_expressions from = texts[i];
        ph_problem p;
        from.parameters = parameters;
        from.parameter_count = 2;
        from.value = value;
        assert_int_equal(PH_OK, ph_problem_from_expressions(&from, &p, NULL));
        check_variational(&p);
        ph_problem_release(&p);
    }
}

/* ---- the reference solutions ----------------------------------------------------- */

/* The energy is that of the record at its start and at its end, and a problem begins as
 * its record does unless told otherwise. */
static void check_reference(const reference *r, void *context)
{
    int *seen = context;
    const double start = ph_problem_energy(&r->problem, 0.0, &r->start),
                 end = ph_problem_energy(&r->problem, 0.0, &r->end);
    if (!(fabs(start / r->energy - 1) < 5e-15 && fabs(end / r->energy - 1) < 5e-14))
        fail_msg("%s: energies %.17g and %.17g, not %.17g", r->id, start, end, r->energy);
    if (strcmp(r->problem.name, "flipped") != 0) {
        const ph_problem *p = named(r->problem.name);
        assert_true(distance(p->body.J, r->J) == 0.0);
        assert_true(fabs(dot4(p->q, r->start.q)) > 1 - 1e-15);
        assert_true(distance(times(p->body.J, p->w), r->Pi0) <= 2e-16 * norm_max(r->Pi0));
    }
    ++*seen;
}

static void test_references(void **state)
{
    (void)state;
    int seen = 0;
    references_each(check_reference, &seen);
    assert_int_equal(19, seen);
}

/* ---- what was printed wrong ------------------------------------------------------ */

/* O11: y_i = tr(A hat(e_i)) */
static ph_vec3 traces(ph_mat3 A)
{
    return vec3(A.a[1][2] - A.a[2][1], A.a[2][0] - A.a[0][2], A.a[0][1] - A.a[1][0]);
}

static double ortolan_distance(ph_mat3 A)
{
    return sqrt(2 * (3 - A.a[0][0] - A.a[1][1] - A.a[2][2]));
}

/* O11 (3.5): the first term has 2 (m - 1)/m, not 2 (m - 1)/m^2. */
static void test_ortolan_torque(void **state)
{
    (void)state;
    const ph_problem *p = named("well");
    const double *target = p->value + 1;
    const ph_mat3 T = ph_quat_matrix(ph_rotation_exp(vec3(target[0], target[1], target[2])));
    uint64_t seed = 3;
    double corrected = 0.0, printed = INFINITY;
    for (int n = 0; n < 100; n++) {
        const ph_mat3 R = ph_quat_matrix(random_attitude(&seed)), A = matmul(transpose(T), R);
        const double m = ortolan_distance(R), m_target = ortolan_distance(A);
        const ph_vec3 tau = p->torque(p, AT(0.0, R)),
                      second = scale(p->value[0] / pow(m_target, 3), traces(A));
        const ph_vec3 right = add(scale(2 * (m - 1) / m, traces(R)), second),
                      wrong = add(scale(2 * (m - 1) / (m * m), traces(R)), second);
        corrected = larger_or_nan(corrected, distance(tau, right) / norm_max(tau));
        printed = smaller_or_nan(printed, distance(tau, wrong) / norm_max(tau));
    }
    assert_true(corrected < 1e-13);
    assert_true(printed > 1e-3);
}

/* K06 5.4: the formula is the torque of 1/r - 0.001 r^-10, not of an attractive
 * potential with a repulsive wall as the words have it. In space axes. */
static void test_krysl_soft_wall(void **state)
{
    (void)state;
    const ph_problem *p = named("soft_wall");
    uint64_t seed = 4;
    for (int n = 0; n < 100; n++) {
        const ph_mat3 R = ph_quat_matrix(random_attitude(&seed));
        const double r = 1.1 + R.a[2][2];
        const ph_vec3 printed =
            scale(-pow(r, -2) + 0.01 * pow(r, -11), vec3(-R.a[1][2], R.a[0][2], 0));
        const ph_vec3 tau = apply(R, p->torque(p, AT(0.0, R)));
        assert_true(distance(tau, printed) < 1e-13 * norm_max(tau));
    }
    /* It repels far from the core and attracts at it. */
    const ph_mat3 up = ph_quat_matrix(ph_rotation_exp(vec3(0.1, 0, 0))),
                  down = ph_quat_matrix(ph_rotation_exp(vec3(3.1, 0, 0)));
    assert_true(p->torque(p, AT(0.0, up)).x < 0);
    assert_true(p->torque(p, AT(0.0, down)).x > 0);
}

static double wall_turned_over(const ph_problem *p, const ph_instant *now)
{
    return -named("soft_wall")->potential(p, now);
}

static ph_vec3 torque_turned_over(const ph_problem *p, const ph_instant *now)
{
    return scale(-1, named("soft_wall")->torque(p, now));
}

/* How many steps of 0.5 until |H/H0 - 1| leaves the scale of K06 figure 5. */
static long steps_kept(const char *method, const ph_problem *p)
{
    enum { MOST = 1000 };
    const double h = 0.5, scale_of_figure = 0.25;
    ph_integrator i;
    ph_state s = ph_problem_start(p);
    const double start = ph_problem_energy(p, 0, &s);
    assert_int_equal(PH_OK, ph_integrator_named(method, &i));
    long n = 0;
    while (n < MOST && ph_integrator_step(&i, p, &s, (double)n * h, h) == PH_OK &&
           fabs(ph_problem_energy(p, 0, &s) / start - 1) <= scale_of_figure)
        n++;
    return n;
}

/* K06 5.4: with the signs of its prose all methods of figures 4 and 5 blow up. */
static void test_krysl_prose(void **state)
{
    (void)state;
    static const char *const methods[] = {"trap", "imid", "trapm", "imidm",
                                          "swc1", "akw",  "bbtrap"};
    const ph_problem *right = named("soft_wall");
    ph_problem prose = *right;
    prose.potential = wall_turned_over;
    prose.torque = torque_turned_over;
    prose.derivative = NULL;
    long least = 1000, most = 0;
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
        const long n = steps_kept(methods[k], &prose);
        least = n < least ? n : least;
        most = n > most ? n : most;
    }
    assert_int_equal(1000, steps_kept("imid", right));
    assert_int_equal(least, most);
    page_says("errata.md", "\\|H/H0 - 1\\| < 0.25, in step %ld", most + 1);
}

/* O11 (3.5) as printed, in place of the torque of the well. */
static ph_vec3 printed_torque(const ph_problem *p, const ph_instant *now)
{
    const double m = ortolan_distance(now->R);
    return add(named("well")->torque(p, now),
               scale(2 * (m - 1) / (m * m) - 2 * (m - 1) / m, traces(now->R)));
}

/* No integrator can keep the energy with it. */
static void test_energy_of_the_printed_torque(void **state)
{
    (void)state;
    enum { STEPS = 500 };
    const ph_problem *right = named("well");
    ph_problem printed = *right;
    printed.torque = printed_torque;
    printed.derivative = NULL;
    const ph_problem *const problems[] = {&printed, right};
    double lost[2] = {0, 0};
    ph_integrator i;
    assert_int_equal(PH_OK, ph_integrator_named("mkrk_gl6", &i));
    for (int k = 0; k < 2; k++) {
        const double T = 5, h = T / STEPS;
        ph_state s = ph_problem_start(right);
        const double start = ph_problem_energy(right, 0, &s);
        for (int n = 0; n < STEPS; n++) {
            assert_int_equal(PH_OK, ph_integrator_step(&i, problems[k], &s, n * h, h));
            lost[k] = larger_or_nan(lost[k], fabs(ph_problem_energy(right, 0, &s) - start));
        }
    }
    assert_true(lost[1] < 1e-12);
    page_says("errata.md", "moves by %.2f up to T = 5 with the printed torque", lost[0]);
}

/* K06 5.2: in space axes the torque is -20 R e3 x e3. */
static void test_krysl_top(void **state)
{
    (void)state;
    const char *const tops[] = {"slow_top", "fast_top"};
    for (int n = 0; n < 2; n++) {
        const ph_problem *p = named(tops[n]);
        uint64_t seed = 5;
        const ph_mat3 R = ph_quat_matrix(random_attitude(&seed));
        const ph_vec3 printed = scale(-20, cross(apply(R, AXES[2]), AXES[2]));
        assert_true(distance(apply(R, p->torque(p, AT(0.0, R))), printed) < 1e-14);
    }
}

/* CFSZ 3.3.1: f = (u2, -u1, 0) was printed without the factor epsilon. */
static void test_celledoni_epsilon(void **state)
{
    (void)state;
    const ph_problem *p = named("perturbed_free");
    const double epsilon = p->value[ph_problem_parameter(p, "epsilon")->first];
    const double *u0 = p->value + ph_problem_parameter(p, "up")->first;
    uint64_t seed = 6;
    const ph_mat3 R = ph_quat_matrix(random_attitude(&seed));
    const ph_vec3 u = apply(transpose(R), vec3(u0[0], u0[1], u0[2])), printed = {u.y, -u.x, 0},
                  tau = p->torque(p, AT(0.0, R));
    assert_true(distance(tau, scale(epsilon, printed)) < 1e-18);
    assert_true(distance(tau, printed) > 0.1);
}

/* V13: the flow of U is right; V, used by nystrom4, has all three components: the change
 * of the momentum by V = R32^2/J1 + R31^2/J2 is -dV. The printed one has another sign
 * and factor. */
static void test_vilmart_gradient(void **state)
{
    (void)state;
    const ph_problem *p = named("vilmart_top");
    const ph_vec3 J = p->body.J;
    uint64_t seed = 7;
    const ph_mat3 R = ph_quat_matrix(random_attitude(&seed));
    const double R31 = R.a[2][0], R32 = R.a[2][1], R33 = R.a[2][2];
    const ph_vec3 tau = p->torque(p, AT(0.0, R));
    const ph_vec3 ours = scale(-2, apply(transpose(p->derivative(p, AT(0.0, R))), over(tau, J)));
    const ph_vec3 right = {-2 * R32 * R33 / J.x, 2 * R31 * R33 / J.y,
                           2 * R31 * R32 * (1 / J.x - 1 / J.y)};
    const ph_vec3 printed = {R32 * R33 / J.x, -R31 * R33 / J.y, 0};
    assert_true(distance(tau, vec3(R32, -R31, 0)) < 1e-16);
    assert_true(distance(ours, right) < 1e-15);
    assert_true(distance(ours, printed) > 0.1);
}

/* CFSZ 3.3.2: data and potential give the energy they print. */
static void test_satellite_energy(void **state)
{
    (void)state;
    const ph_problem *p = named("satellite");
    const ph_state s = {p->q, times(p->body.J, p->w)};
    assert_true(fabs(ph_problem_energy(p, 0.0, &s) - 12159566.4) < 1e-8);
}

/* ---- domains --------------------------------------------------------------------- */

static void assert_outside(const ph_problem *p, ph_mat3 R, bool no_potential)
{
    if (no_potential)
        assert_true(isnan(p->potential(p, AT(0.0, R))));
    assert_false(finite3(p->torque(p, AT(0.0, R))));
    assert_true(isnan(p->derivative(p, AT(0.0, R)).a[0][0]));
}

static void test_domains(void **state)
{
    (void)state;
    ph_problem wall = *named("soft_wall"), satellite = *named("satellite");
    wall.value[0] = 0.5;
    assert_outside(&wall, ph_quat_matrix(ph_rotation_exp(vec3(0, 2.5, 0))), true);
    assert_true(
        isfinite(wall.potential(&wall, AT(0.0, ph_quat_matrix(ph_rotation_exp(vec3(0, 1, 0)))))));
    const ph_problem *well = named("well");
    const ph_quat identity = {1, 0, 0, 0};
    assert_outside(well, ph_quat_matrix(identity), false); /* the cone has a height */
    ph_problem same = *well;
    same.value[1] = same.value[3] = 0.0; /* the target there too */
    assert_outside(&same, ph_quat_matrix(identity), true);
    satellite.value[1] = 0.0;
    assert_outside(&satellite, ph_quat_matrix(identity), true);
}

/* Next to the identity the torque of the well is as accurate as elsewhere. */
static void test_small_distance(void **state)
{
    (void)state;
    ph_problem p = *named("well");
    p.value[0] = 0.0;
    const ph_vec3 n = {0.48, -0.6, 0.64};
    for (int k = 1; k < 16; k++) {
        const double angle = pow(10, -k), d = sqrt(8) * sin(angle / 2);
        const ph_mat3 R = ph_quat_matrix(ph_rotation_exp(scale(angle, n)));
        const ph_vec3 right = scale(-2 * (d - 1) * sqrt(2) * cos(angle / 2), n);
        assert_true(distance(p.torque(&p, AT(0.0, R)), right) < 4e-15);
        assert_true(fabs(p.potential(&p, AT(0.0, R)) - (d - 1) * (d - 1)) < 4e-16);
    }
}

/* perturbed_free: the same seed is the same body, another one another; seed 0 changes
 * nothing; the energy is what is asked for. */
static void test_seed_and_energy(void **state)
{
    (void)state;
    const ph_problem *origin = find_problem("perturbed_free");
    const ph_parameter *seed = ph_problem_parameter(origin, "seed"),
                       *energy = ph_problem_parameter(origin, "energy");
    assert_non_null(seed);
    assert_non_null(energy);
    ph_problem p = *origin, one = *origin, again = *origin, two = *origin;
    p.prepare(&p);
    assert_memory_equal(&origin->body.J, &p.body.J, sizeof p.body.J);
    assert_memory_equal(&origin->w, &p.w, sizeof p.w);
    one.value[seed->first] = again.value[seed->first] = 1;
    two.value[seed->first] = 2;
    one.prepare(&one);
    again.prepare(&again);
    two.prepare(&two);
    assert_memory_equal(&one.body.J, &again.body.J, sizeof one.body.J);
    assert_memory_equal(&one.w, &again.w, sizeof one.w);
    assert_true(one.body.J.x < one.body.J.y && one.body.J.y < one.body.J.z &&
                one.body.J.x != two.body.J.x);
    for (double wanted = 1e-6; wanted < 1e7; wanted *= 1e3) {
        one.value[energy->first] = wanted;
        one.prepare(&one);
        const double T = 0.5 * dot(one.w, times(one.body.J, one.w));
        assert_true(fabs(T / wanted - 1) < 1e-14);
    }
}

/* What a parameter may be: on either side of every end. */
static void test_ranges(void **state)
{
    (void)state;
    static const struct {
        double x;
        bool positive, not_negative, below_one, whole;
    } cases[] = {
        {-1, false, false, false, false},
        {-DBL_TRUE_MIN, false, false, false, false},
        {0, false, true, true, false},
        {DBL_TRUE_MIN, true, true, true, false},
        {0.5, true, true, true, false},
        {0x1.fffffffffffffp-1, true, true, true, false},
        {1, true, true, false, true},
        {1.5, true, true, false, false},
        {2, true, true, false, true},
        {0x1p53, true, true, false, true},
        {0x1.0000000000001p53, true, true, false, false},
        {DBL_MAX, true, true, false, false},
        {INFINITY, false, false, false, false},
        {NAN, false, false, false, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const double x = cases[k].x;
        assert_int_equal(ph_range_has(PH_RANGE_ANY, x), isfinite(x) != 0);
        assert_int_equal(ph_range_has(PH_RANGE_POSITIVE, x), cases[k].positive);
        assert_int_equal(ph_range_has(PH_RANGE_NOT_NEGATIVE, x), cases[k].not_negative);
        assert_int_equal(ph_range_has(PH_RANGE_BELOW_ONE, x), cases[k].below_one);
        assert_int_equal(ph_range_has(PH_RANGE_WHOLE, x), cases[k].whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_catalog),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_variational),
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_ortolan_torque),
        cmocka_unit_test(test_krysl_prose),
        cmocka_unit_test(test_energy_of_the_printed_torque),
        cmocka_unit_test(test_krysl_soft_wall),
        cmocka_unit_test(test_krysl_top),
        cmocka_unit_test(test_celledoni_epsilon),
        cmocka_unit_test(test_vilmart_gradient),
        cmocka_unit_test(test_satellite_energy),
        cmocka_unit_test(test_domains),
        cmocka_unit_test(test_small_distance),
        cmocka_unit_test(test_seed_and_energy),
        cmocka_unit_test(test_ranges),
    };
    return cmocka_run_group_tests_name("problems", tests, NULL, NULL);
}
