/* test_adaptive.c - methods that choose their steps: what a tolerance means, orders, states
 * within a step, walls, runs of systems, events. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/elementary.h"
#include "integrators/field.h"
#include "integrators/lanes.h"
#include "integrators/table.h"
#include "integrators/tangent_kernels.h"
#include "motion/vec.h"
#include "polhode/ensemble.h"
#include "polhode/system.h"
#include "support/chosen_isa.h"
#include "support/generic.h"
#include "support/random.h"
#include "support/references.h"
#include "system/find.h"
#include "system/kind.h"
#include "system/run_body.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

typedef void method_test(const ph_adaptive *method);

static void each_method(method_test *test)
{
    size_t count;
    const ph_adaptive *const *all = ph_adaptives(&count);
    assert_true(count >= 3);
    for (size_t k = 0; k < count; k++)
        test(all[k]);
}

/* The sign of a quaternion is continuous from the start, in all of these. */
static double difference(const ph_state *a, const ph_state *b)
{
    const ph_quat d = {a->q.w - b->q.w, a->q.x - b->q.x, a->q.y - b->q.y, a->q.z - b->q.z};
    return larger_or_nan(sqrt(dot4(d, d)), norm(sub(a->m, b->m)) / norm(b->m));
}

static ph_adaptive_run started(const ph_adaptive *method, const ph_problem *p,
                               const ph_state *start, double tolerance)
{
    ph_adaptive_run r;
    assert_int_equal(PH_OK, ph_adaptive_prepare(&r, method, p, start, 0.0, tolerance));
    return r;
}

static ph_state state_after(const ph_adaptive *method, const ph_problem *p, const ph_state *start,
                            double from, double to, double tolerance)
{
    ph_adaptive_run r;
    assert_int_equal(PH_OK, ph_adaptive_prepare(&r, method, p, start, from, tolerance));
    assert_int_equal(PH_OK, ph_adaptive_advance(&r, to));
    return ph_adaptive_state(&r);
}

static const ph_adaptive *find(const char *name)
{
    const ph_adaptive *found = NULL;
    assert_int_equal(PH_OK, ph_adaptive_named(name, &found));
    return found;
}

static double fine_enough = 1e-15; /* a tolerance that leaves round-off */

/* ---- problems ---------------------------------------------------------------------- */

static ph_vec3 damped_torque(const ph_problem *p, const ph_instant *now)
{
    const ph_vec3 field = ph_problem_generic.torque(p, now);
    return sub(field, scale(0.3, now->w));
}

static ph_vec3 wheel(const ph_problem *p, double t)
{
    (void)p;
    return vec3(0.3, -0.2 * t, 0.1);
}

static ph_problem damped_problem(void)
{
    ph_problem p = ph_problem_generic;
    p.name = "damped";
    p.torque = damped_torque;
    p.potential = NULL;
    p.velocity_dependent = true;
    p.internal = wheel;
    return p;
}

/* The same body in other axes. */
static ph_problem tilted_problem(void)
{
    ph_problem p = *find_problem("heavy_top");
    const ph_mat3 tensor = {{{2.0, 0.3, -0.1}, {0.3, 1.7, 0.2}, {-0.1, 0.2, 1.2}}};
    assert_int_equal(PH_OK, ph_body_from_tensor(&p.body, tensor));
    p.name = "tilted";
    return p;
}

/* Calls a test for all problems of the catalog; time, velocity, other axes. */
static void each_problem(void (*test)(const ph_problem *p))
{
    size_t count;
    const ph_problem *const *all = ph_problems(&count);
    for (size_t k = 0; k < count; k++)
        test(all[k]);
    const ph_problem more[] = {timed_problem, damped_problem(), tilted_problem()};
    for (size_t k = 0; k < COUNT(more); k++)
        test(&more[k]);
}

/* Some radians, or ten units of time. */
static double time_of(const ph_problem *p)
{
    const double w = norm(p->w);
    return w > 4.0 ? 40.0 / w : 10.0;
}

/* ---- what a tolerance means ------------------------------------------------------- */

static ph_state moved(const ph_state *s, int direction, double by)
{
    ph_state other = *s;
    if (direction < 3)
        other.q = mul(
            s->q, ph_rotation_exp(scale(by, vec3(direction == 0, direction == 1, direction == 2))));
    else
        other.m =
            add(s->m, scale(by * norm(s->m), vec3(direction == 3, direction == 4, direction == 5)));
    return other;
}

/* By how much a small error at any of some times has grown at the end. */
static const double BY = 1e-8;

static double growth_of(const ph_problem *p, const ph_state *start, double T)
{
    enum { TIMES = 4 };
    const ph_adaptive *gauss = find("gauss16");
    const ph_state end = state_after(gauss, p, start, 0.0, T, fine_enough);
    double worst = 1.0;
    for (int k = 0; k < TIMES; k++) {
        const double t = T * k / TIMES;
        const ph_state here = state_after(gauss, p, start, 0.0, t, fine_enough);
        for (int d = 0; d < 6; d++) {
            const ph_state from = moved(&here, d, BY),
                           to = state_after(gauss, p, &from, t, T, fine_enough);
            worst = larger_or_nan(worst, difference(&to, &end) / BY);
        }
    }
    return worst;
}

static int compared; /* motions */

static void check_tolerance_from(const ph_problem *p, const ph_state *start)
{
    static const double TOLERANCES[] = {1e-4, 1e-7, 1e-10, 1e-13};
    static const double LINEAR_GROWTH = 0.1; /* the growth is that of small errors */
    const double T = time_of(p), floor = 4e-15, growth = growth_of(p, start, T);
    const ph_state right = state_after(find("gauss16"), p, start, 0.0, T, fine_enough);
    size_t count;
    const ph_adaptive *const *all = ph_adaptives(&count);
    if (growth * BY > LINEAR_GROWTH / 10.0)
        return; /* no motion to be compared with is known */
    compared++;
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i < COUNT(TOLERANCES); i++) {
            ph_adaptive_run r = started(all[k], p, start, TOLERANCES[i]);
            assert_int_equal(PH_OK, ph_adaptive_advance(&r, T));
            const ph_state end = ph_adaptive_state(&r);
            const double error = difference(&end, &right),
                         bound = (10.0 * TOLERANCES[i] + floor) * r.now.steps * growth;
            if (bound < LINEAR_GROWTH && !(error <= bound))
                fail_msg("%s on %s to %g: error %.2e in %g steps, growth %.1f", all[k]->name,
                         p->name, TOLERANCES[i], error, r.now.steps, growth);
        }
    }
}

static void check_tolerance(const ph_problem *p)
{
    uint64_t seed = 3;
    const ph_state own = ph_problem_start(p);
    check_tolerance_from(p, &own);
    for (int k = 0; k < 3; k++) {
        const ph_vec3 turn = random_vector(&seed, -0.2, 0.2);
        const double longer = between(&seed, 0.8, 1.2);
        const ph_state start = {mul(own.q, ph_rotation_exp(turn)), scale(longer, own.m)};
        check_tolerance_from(p, &start);
    }
}

static void test_tolerance(void **state)
{
    (void)state;
    compared = 0;
    each_problem(check_tolerance);
    assert_true(compared > 40);
}

/* Against binary128: gbs and gauss16 to 1e-13 over ten units of time, times what round-off
 * becomes in a fast or chaotic motion. */
static void check_reference(const reference *r, void *context)
{
    int *seen = context;
    const double turned = norm(ph_problem_velocity(&r->problem, 0.0, r->Pi0)) * r->t;
    if (r->t > 10.0)
        return;
    const struct {
        const char *name;
        double tolerance;
    } by[] = {{"gbs", 1e-15}, {"gauss16", 1e-15}, {"dop853", 1e-15}};
    for (size_t k = 0; k < COUNT(by); k++) {
        const ph_state end =
            state_after(find(by[k].name), &r->problem, &r->start, 0.0, r->t, by[k].tolerance);
        const double error = reference_error(r, &end),
                     bound = 1e-13 * larger_or_nan(1.0, turned / 20.0);
        if (!(error <= bound))
            fail_msg("%s on %s: error %.2e above %.2e", by[k].name, r->id, error, bound);
    }
    ++*seen;
}

static void test_references(void **state)
{
    (void)state;
    int seen = 0;
    references_each(check_reference, &seen);
    assert_true(seen >= 10);
}

/* ---- orders ------------------------------------------------------------------------ */

/* The error of one step of h, which is as long as it is told, at a part of it. */
static double step_error(const ph_adaptive *method, const ph_problem *p, double h, double part)
{
    ph_adaptive_run r = started(method, p, NULL, INFINITY);
    ph_state within;
    assert_int_equal(PH_OK, ph_adaptive_advance(&r, h));
    if (r.now.steps > 1.0)
        return INFINITY; /* the equations of the step have no solution */
    assert_int_equal(PH_OK, ph_adaptive_at(&r, part * h, &within));
    const ph_state right = state_after(find("gauss16"), p, NULL, 0.0, part * h, fine_enough);
    return difference(&within, &right);
}

/* The slope of the error from the longest steps whose errors are small to the shortest whose
 * errors are above round-off. */
static double slope_of(const ph_adaptive *method, const ph_problem *p, double part)
{
    static const double LARGE = 1e-4, SMALL = 1e-12, RATIO = 1.15;
    double first = NAN, last = NAN, first_h = NAN, last_h = NAN;
    for (double h = 3.0; h > 0.02; h /= RATIO) {
        const double error = step_error(method, p, h, part);
        if (error < LARGE && isnan(first)) {
            first = error;
            first_h = h;
        }
        if (!isnan(first) && error < SMALL)
            break;
        last = error;
        last_h = h;
    }
    return log(first / last) / log(first_h / last_h);
}

static void test_orders(void **state)
{
    (void)state;
    const ph_problem damped = damped_problem(), top = *find_problem("heavy_top");
    const struct {
        const char *name;
        const ph_problem *p;
        double order, within; /* of the local errors: one more */
    } cases[] = {
        {"gbs", &top, 17, 17},
        {"gbs", &ph_problem_generic, 15, 15},
        {"gbs", &timed_problem, 15, 15},
        {"gbs", &damped, 15, 15},
        {"gauss16", &top, 17, 17},
        {"gauss16", &timed_problem, 17, 17},
        {"gauss16", &damped, 17, 17},
        {"dop853", &top, 9, 8},
        {"dop853", &timed_problem, 9, 8},
        {"dop853", &damped, 9, 8},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        const double whole = slope_of(find(cases[k].name), cases[k].p, 1.0),
                     within = slope_of(find(cases[k].name), cases[k].p, 0.6);
        /* a slope over two or three decades of h^15 is known to one or two */
        const double known = cases[k].order > 10 ? 2.0 : 0.7;
        if (!(whole > cases[k].order - known && within > cases[k].within - known))
            fail_msg("%s on %s: slopes %.2f and, within a step, %.2f", cases[k].name,
                     cases[k].p->name, whole, within);
    }
}

/* ---- states within a step ---------------------------------------------------------- */

static void check_within(const ph_adaptive *method)
{
    const ph_problem *p = find_problem("heavy_top");
    const double tolerance = 1e-11;
    /* the polynomial of dop853 is of lower order than its steps */
    const double allowed = strcmp(method->name, "dop853") == 0 ? 1e4 : 50.0;
    ph_adaptive_run r = started(method, p, NULL, tolerance);
    for (int n = 0; n < 6; n++) {
        assert_int_equal(PH_OK, ph_adaptive_step(&r, 10.0));
        const double from = r.now.from, to = r.now.t;
        const ph_adaptive_numbers before = r.now;
        for (int k = 0; k <= 10; k++) {
            const double t = k == 10 ? to : from + (to - from) * k / 10;
            ph_state s;
            assert_int_equal(PH_OK, ph_adaptive_at(&r, t, &s));
            const ph_state right = state_after(find("gauss16"), p, NULL, 0.0, t, 1e-15);
            if (!(difference(&s, &right) <= allowed * tolerance))
                fail_msg("%s at t = %g: %.2e", method->name, t, difference(&s, &right));
        }
        assert_memory_equal(before.y, r.now.y, sizeof before.y);
        assert_true(before.next == r.now.next && before.t == r.now.t);
        ph_state s;
        assert_int_equal(PH_OUTSIDE_STEP, ph_adaptive_at(&r, to + 1e-9, &s));
        assert_int_equal(PH_OUTSIDE_STEP, ph_adaptive_at(&r, from - 1e-9, &s));
        assert_int_equal(PH_OUTSIDE_STEP, ph_adaptive_at(&r, NAN, &s));
    }
}

static void test_within(void **state)
{
    (void)state;
    each_method(check_within);
}

/* ---- directions, walls, torques that are not there --------------------------------- */

static void check_back(const ph_adaptive *method)
{
    const ph_problem problems[] = {*find_problem("heavy_top"), timed_problem, damped_problem()};
    for (size_t k = 0; k < COUNT(problems); k++) {
        const ph_problem *p = &problems[k];
        ph_adaptive_run r = started(method, p, NULL, 1e-13);
        const ph_state start = ph_adaptive_state(&r);
        if (ph_adaptive_advance(&r, -0.9) != PH_OK)
            fail_msg("%s on %s: ends at %g", method->name, p->name, r.now.t);
        assert_true(r.now.t == -0.9);
        const ph_state there = ph_adaptive_state(&r),
                       right = state_after(find("gauss16"), p, NULL, 0.0, -0.9, 1e-15);
        assert_true(difference(&there, &right) < 1e-11);
        assert_int_equal(PH_OK, ph_adaptive_advance(&r, 0.0));
        const ph_state back = ph_adaptive_state(&r);
        if (!(difference(&back, &start) < 1e-10))
            fail_msg("%s on %s: there and back %.2e", method->name, p->name,
                     difference(&back, &start));
    }
}

static void test_back(void **state)
{
    (void)state;
    each_method(check_back);
}

/* The body falls into the core of a soft wall that it does not reach in the problem itself:
 * all methods end there, with the time, in the last good state. */
static void check_wall(const ph_adaptive *method)
{
    ph_problem p = *find_problem("soft_wall");
    p.value[0] = 0.9; /* offset */
    static double when;
    ph_adaptive_run r = started(method, &p, NULL, 1e-10);
    assert_int_equal(PH_NO_CONVERGENCE, ph_adaptive_advance(&r, 100.0));
    assert_true(r.now.t > 2.0 && r.now.t < 3.0);
    if (when != 0.0)
        assert_true(fabs(r.now.t - when) < 1e-6);
    when = r.now.t;
    for (int i = 0; i < PH_UNKNOWNS; i++)
        assert_true(isfinite(r.now.y[i]));
    /* steps shrink towards it, and those that would pass it are rejected */
    if (!(r.now.rejected >= 1.0 && r.now.rejected < 1000.0))
        fail_msg("%s: %g steps rejected", method->name, r.now.rejected);
    assert_int_equal(PH_NO_CONVERGENCE, ph_adaptive_step(&r, 100.0));
}

static void test_wall(void **state)
{
    (void)state;
    each_method(check_wall);
}

/* A torque that is not defined from t = 1 on; and one that is not for some calls. */
static ph_vec3 late_torque(const ph_problem *p, const ph_instant *now)
{
    return now->t >= 1.0 ? vec3(NAN, NAN, NAN) : ph_problem_generic.torque(p, now);
}

static int calls;

static ph_vec3 shy_torque(const ph_problem *p, const ph_instant *now)
{
    calls++;
    return calls > 100 && calls < 200 ? vec3(NAN, 0, 0) : ph_problem_generic.torque(p, now);
}

static void check_nan(const ph_adaptive *method)
{
    ph_problem p = ph_problem_generic;
    p.torque = late_torque;
    ph_adaptive_run r = started(method, &p, NULL, 1e-10);
    assert_int_equal(PH_NO_CONVERGENCE, ph_adaptive_advance(&r, 2.0));
    assert_true(fabs(r.now.t - 1.0) < 1e-5); /* gauss16 asks for none at the end */
    const ph_integrator i = {.adaptive = method, .tolerance = 1e-10};
    const ph_state start = ph_problem_start(&p);
    ph_state s = start;
    assert_int_equal(PH_NO_CONVERGENCE, ph_integrator_step(&i, &p, &s, 0.0, 2.0));
    assert_memory_equal(&s, &start, sizeof s); /* a step that fails leaves the state */
    assert_int_equal(PH_OK, ph_integrator_step(&i, &p, &s, 0.0, 0.5));
    assert_true(difference(&s, &start) > 1e-3);
    p.torque = shy_torque;
    calls = 0;
    r = started(method, &p, NULL, 1e-10);
    assert_int_equal(PH_OK, ph_adaptive_advance(&r, 8.0));
    assert_true(r.now.rejected >= 1.0 && calls > 200);
    const ph_state end = ph_adaptive_state(&r),
                   right = state_after(find("gauss16"), &ph_problem_generic, NULL, 0.0, 8.0, 1e-15);
    assert_true(difference(&end, &right) < 1e-6);
}

static void test_nan(void **state)
{
    (void)state;
    each_method(check_nan);
}

/* A torque that is not defined for the next calls. */
static int undefined_calls;

static ph_vec3 undefined_torque(const ph_problem *p, const ph_instant *now)
{
    return undefined_calls-- > 0 ? vec3(NAN, 0, 0) : ph_problem_generic.torque(p, now);
}

/* gauss16 finds a state within a step by 1, 2, 4 ... 64 parts: by the next number where it cannot
 * solve the equations, and never where it could not by any. */
static void test_within_by_parts(void **state)
{
    (void)state;
    enum { NODES = 8, TRIALS = 7 };
    ph_problem p = ph_problem_generic;
    p.torque = undefined_torque;
    undefined_calls = 0;
    ph_adaptive_run r = started(find("gauss16"), &p, NULL, 1e-12);
    for (int k = 0; k < 3; k++)
        assert_int_equal(PH_OK, ph_adaptive_step(&r, 8.0));
    const double t = 0.4 * r.now.from + 0.6 * r.now.t;
    ph_state right, s;
    assert_int_equal(PH_OK, ph_adaptive_at(&r, t, &right));
    for (int failed = 1; failed < TRIALS; failed++) {
        undefined_calls = NODES * failed;
        assert_int_equal(PH_OK, ph_adaptive_at(&r, t, &s));
        assert_true(undefined_calls <= -NODES * (1 << failed)); /* so many parts */
        assert_true(difference(&s, &right) < 1e-11);
    }
    undefined_calls = NODES * TRIALS;
    assert_int_equal(PH_NOT_FINITE, ph_adaptive_at(&r, t, &s));
    assert_int_equal(0, undefined_calls);
}

static void check_unit(const ph_adaptive *method)
{
    ph_adaptive_run r = started(method, find_problem("heavy_top"), NULL, 1e-6);
    for (int n = 0; n < 500; n++) {
        assert_int_equal(PH_OK, ph_adaptive_step(&r, 1e6));
        const double *y = r.now.y, defect = unit_defect((ph_quat){y[0], y[1], y[2], y[3]});
        assert_true(fabs(defect) <= 1e-15); /* four components, rounded */
    }
}

static void test_unit(void **state)
{
    (void)state;
    each_method(check_unit);
}

static void check_refused(const ph_adaptive *method)
{
    ph_adaptive_run r;
    ph_problem p = *find_problem("heavy_top");
    const ph_state bad = {{0, 0, 0, 0}, {1, 0, 0}};
    assert_int_equal(PH_BAD_STATE, ph_adaptive_prepare(&r, method, &p, &bad, 0.0, 1e-6));
    assert_int_equal(PH_BAD_TIME, ph_adaptive_prepare(&r, method, &p, NULL, NAN, 1e-6));
    assert_int_equal(PH_BAD_TOLERANCE, ph_adaptive_prepare(&r, method, &p, NULL, 0.0, 0.0));
    assert_int_equal(PH_BAD_TOLERANCE, ph_adaptive_prepare(&r, method, &p, NULL, 0.0, NAN));
    r = started(method, &p, NULL, 1e-6);
    assert_int_equal(PH_BAD_TIME, ph_adaptive_advance(&r, NAN));
    assert_int_equal(PH_BAD_TIME, ph_adaptive_advance(&r, INFINITY));
    const ph_integrator i = {.adaptive = method, .tolerance = NAN};
    const ph_state start = ph_problem_start(&p);
    ph_state s = start;
    assert_int_equal(PH_BAD_TOLERANCE, ph_integrator_step(&i, &p, &s, 0.0, 0.1));
    assert_memory_equal(&s, &start, sizeof s);
    p.body.J.x = -1.0;
    assert_int_equal(PH_BAD_INERTIA, ph_adaptive_prepare(&r, method, &p, NULL, 0.0, 1e-6));
}

/* The time ends where doubles do: steps of a body at rest grow until then. */
static void check_endless(const ph_adaptive *method)
{
    const ph_integrator i = {.adaptive = method, .tolerance = 1e-10};
    ph_problem p = free_problem;
    p.w = vec3(0, 0, 0);
    for (double h = -1.0; h <= 1.0; h += 2.0) {
        ph_system *s;
        assert_int_equal(PH_OK, ph_system_from_problem(&p, &i, NULL, h, 0, &s));
        const ph_status status = ph_system_run(s, 5000, NULL);
        assert_true(status == PH_BAD_TIME || ph_system_steps(s) == 5000);
        assert_true(isfinite(ph_system_time(s)) && ph_system_steps(s) > 1000);
        assert_int_equal(PH_OK, ph_system_run_until(s, 0.0, NULL));
        ph_system_destroy(s);
    }
    ph_adaptive_run r;
    assert_int_equal(PH_OK, ph_adaptive_prepare(&r, method, &p, NULL, -DBL_MAX, INFINITY));
    assert_int_equal(PH_BAD_TIME, ph_adaptive_advance(&r, DBL_MAX));
}

static void test_refused(void **state)
{
    (void)state;
    each_method(check_refused);
    each_method(check_endless);
}

/* A body at rest stays there; one in a field begins to move. */
static void check_rest(const ph_adaptive *method)
{
    ph_problem p = *find_problem("free");
    ph_state rest = {p.q, {0, 0, 0}};
    const ph_state still = state_after(method, &p, &rest, 0.0, 7.0, 1e-10);
    assert_true(still.m.x == 0.0 && fabs(still.q.w - rest.q.w) < 1e-15);
    p = *find_problem("heavy_top");
    const ph_state end = state_after(method, &p, &rest, 0.0, 7.0, 1e-10);
    assert_true(fabs(ph_problem_energy(&p, 7.0, &end) - ph_problem_energy(&p, 0.0, &rest)) < 1e-8);
}

static void test_rest(void **state)
{
    (void)state;
    each_method(check_rest);
}

/* ---- torques in lanes --------------------------------------------------------------- */

/* The torque in lanes is that of one attitude at its time: with the same bits, except where
 * formulas of their own are in the columns of gbs. */
static void check_lanes_at(const ph_problem *p, bool same, int first, int last, uint64_t *seed)
{
    double q[4][PH_LANES], t[PH_LANES], torque[3][PH_LANES];
    ph_quat at[PH_LANES];
    for (int k = 0; k < PH_LANES; k++) {
        double x[4];
        draw_each(seed, -1, 1, 4, x);
        at[k] = ph_quat_unit((ph_quat){x[0], x[1], x[2], x[3]});
        q[0][k] = at[k].w;
        q[1][k] = at[k].x;
        q[2][k] = at[k].y;
        q[3][k] = at[k].z;
        t[k] = between(seed, -1e4, 1e4);
    }
    ph_torque_lanes(p, first, last, t, (const double(*)[PH_LANES])q, torque);
    for (int k = first; k < last; k++) {
        const ph_vec3 right = torque_at(p, t[k], at[k]),
                      lane = {torque[0][k], torque[1][k], torque[2][k]};
        const double size = larger_or_nan(norm(right), 1e-3);
        if (isnan(right.x))
            assert_true(isnan(lane.x));
        else if (same)
            assert_memory_equal(&right, &lane, sizeof right);
        else if (!(norm(sub(right, lane)) <= 3e-13 * size))
            fail_msg("%s: torque off by %.1e", p->name, norm(sub(right, lane)) / size);
    }
}

/* Parameters that are off by default are on; in principal axes and in others. */
static void check_lanes(const ph_problem *p)
{
    if (ph_lanes_of(p) == NULL)
        return;
    uint64_t seed = 11;
    for (int n = 0; n < 100; n++) {
        static const char *const vectors[] = {"up", "dipole", "torque", "torque_space"};
        ph_problem other = *p, memory;
        for (size_t i = 0; n % 2 == 1 && i < sizeof vectors / sizeof vectors[0]; i++) {
            const ph_parameter *v = ph_problem_parameter(p, vectors[i]);
            for (int k = 0; v != NULL && k < v->count; k++)
                other.value[v->first + k] = between(&seed, -1.0, 1.0);
        }
        if (n % 4 == 3 && ph_problem_parameter(p, "eccentricity") != NULL)
            other.value[ph_problem_parameter(p, "eccentricity")->first] = between(&seed, 0.0, 0.9);
        static const double rows[] = {-5e3, 1, 2, 3, 5e3, -3, 0, 4};
        for (int i = 0; n % 3 == 0 && i < p->table_count; i++)
            assert_int_equal(PH_OK, ph_problem_set_table(&other, p->tables[i].name, rows, 2));
        const int first = n % PH_LANES, last = first + 1 + (n / PH_LANES) % (PH_LANES - first);
        const bool same = ph_columns_of(p) == NULL;
        check_lanes_at(&other, same, first, last, &seed);
        other.body.axes = ph_quat_unit((ph_quat){1.0, 0.3, -0.2, 0.5});
        other.body.principal = false;
        if (same)
            check_lanes_at(ph_problem_principal(&other, &memory), same, first, last, &seed);
        ph_problem_release(&other);
    }
}

static void test_lanes(void **state)
{
    (void)state;
    each_problem(check_lanes);
    assert_non_null(ph_lanes_of(find_problem("spacecraft")));
    ph_problem p = *find_problem("heavy_top");
    assert_non_null(ph_lanes_of(&p));
    p.torque = ph_problem_generic.torque; /* another one: the kernels are not of it */
    assert_null(ph_lanes_of(&p));
}

/* The same bits with every instruction set; and with the torque one by one those of the torque
 * in lanes where that is the same function. */
static ph_adaptive_numbers numbers_of(const ph_adaptive *method, const ph_problem *p)
{
    ph_adaptive_run r = started(method, p, NULL, 1e-11);
    ph_state s;
    assert_int_equal(PH_OK, ph_adaptive_advance(&r, time_of(p)));
    assert_int_equal(PH_OK, ph_adaptive_at(&r, 0.3 * r.now.from + 0.7 * r.now.t, &s));
    return r.now;
}

/* The same bits with every instruction set where each lane has a body of its own, by steps that are
 * chosen and by those that are given. */
static void check_bodies(const char *problem, const char *integrator, double h)
{
    enum { BODIES = PH_LANES + 3 };
    const ph_problem *p = find_problem(problem);
    const double end = h > 0.0 ? 8.0 * h : time_of(p);
    double spin[BODIES][3];
    for (int i = 0; i < BODIES; i++) {
        const double turned = 1.0 + 0.1 * i;
        spin[i][0] = turned * p->w.x, spin[i][1] = turned * p->w.y, spin[i][2] = turned * p->w.z;
    }
    const ph_each each = {"velocity", spin[0], 3, 3, 1};
    const ph_system_settings all = {problem, .integrator = integrator, .step = h,
                                    .tolerance = h > 0.0 ? 0.0 : 1e-9};
    ph_state first[BODIES];
    uint64_t evaluations[BODIES];
    for (int set = 0; set < isa_all(); set++) {
        ph_ensemble *e = NULL;
        choose_isa(set);
        assert_int_equal(PH_OK, ph_ensemble_create(&all, &each, 1, BODIES, NULL, &e));
        assert_int_equal(PH_OK, ph_ensemble_run(e, end, NULL));
        for (size_t i = 0; i < BODIES; i++) {
            const ph_state now = ph_system_state(ph_ensemble_system(e, i));
            if (set == 0)
                first[i] = now;
            if (memcmp(&first[i], &now, sizeof now) != 0)
                fail_msg("%s by %s, body %zu: other bits by %s", problem, integrator, i,
                         isa_name(set));
        }
        for (size_t i = 0; i < BODIES; i++)
            evaluations[i] = ph_system_evaluations(ph_ensemble_system(e, i));
        ph_ensemble_destroy(e);
    }
    for (size_t i = 0; i < BODIES; i++) { /* and those of a body alone */
        const ph_setting own = {"velocity", spin[i], 3};
        ph_system_settings one = all;
        ph_system *s = NULL;
        one.settings = &own;
        one.setting_count = 1;
        assert_int_equal(PH_OK, ph_system_create(&one, &s));
        assert_int_equal(PH_OK, ph_system_run_until(s, end, NULL));
        const ph_state now = ph_system_state(s);
        assert_memory_equal(&first[i], &now, sizeof now);
        assert_int_equal(evaluations[i], ph_system_evaluations(s)); /* no step was taken twice */
        ph_system_destroy(s);
    }
}

/* A torque that is not defined from the end of the fourth step on: bodies together fail there as one does. */
static void check_failing_bodies(const char *integrator)
{
    enum { BODIES = 5 };
    ph_problem p = ph_problem_generic;
    p.torque = late_torque;
    const ph_system_settings all = {.own_problem = &p, .integrator = integrator, .step = 0.25};
    ph_ensemble *e = NULL;
    ph_system *s = NULL;
    assert_int_equal(PH_OK, ph_ensemble_create(&all, NULL, 0, BODIES, NULL, &e));
    assert_int_equal(PH_OK, ph_system_create(&all, &s));
    assert_int_equal(PH_OK, ph_system_run_until(s, 0.5, NULL));
    assert_int_equal(PH_OK, ph_ensemble_run(e, 0.5, NULL));
    const uint64_t more =
        ph_system_evaluations(ph_ensemble_system(e, 1)) - ph_system_evaluations(s);
    assert_true(more <= ph_system_steps(s)); /* one body keeps the last torque of a step */
    const ph_status status = ph_system_run_until(s, 2.0, NULL);
    assert_int_not_equal(PH_OK, status);
    assert_int_equal(status, ph_ensemble_run(e, 2.0, NULL));
    for (size_t i = 0; i < BODIES; i++) {
        const ph_state one = ph_system_state(s), all_of = ph_system_state(ph_ensemble_system(e, i));
        assert_int_equal(status, ph_ensemble_status(e)[i]);
        assert_int_equal(ph_system_steps(s), ph_system_steps(ph_ensemble_system(e, i)));
        assert_memory_equal(&one, &all_of, sizeof one);
    }
    ph_ensemble_destroy(e);
    ph_system_destroy(s);
}

static void test_bodies(void **state)
{
    (void)state;
    check_failing_bodies("verlet+exact");
    check_failing_bodies("s4_6+exact");
    size_t count;
    const ph_problem *const *all = ph_problems(&count);
    for (size_t k = 0; k < count; k++) {
        if (all[k]->torque == NULL || all[k]->internal != NULL || all[k]->velocity_dependent)
            continue;
        check_bodies(all[k]->name, "dop853", 0.0);
        check_bodies(all[k]->name, "s4_6+exact", 0.05 / larger_or_nan(norm_max(all[k]->w), 1e-3));
    }
}

static void check_bits(const ph_adaptive *method)
{
    size_t count;
    const ph_problem *const *all = ph_problems(&count);
    const int sets = isa_count(find_flow("exact"));
    for (size_t k = 0; k < count; k++) {
        choose_isa(0);
        const ph_adaptive_numbers first = numbers_of(method, all[k]);
        for (int set = 1; set < sets; set++) {
            choose_isa(set);
            const ph_adaptive_numbers other = numbers_of(method, all[k]);
            assert_memory_equal(&first, &other, sizeof first);
        }
    }
}

static void test_bits(void **state)
{
    (void)state;
    each_method(check_bits);
}

/* ---- the energy ----------------------------------------------------------------------- */

static void test_energy(void **state)
{
    (void)state;
    const ph_problem *p = find_problem("heavy_top");
    ph_adaptive_run r = started(find("gauss16"), p, NULL, 1e-15);
    const ph_state start = ph_adaptive_state(&r);
    const double energy = ph_problem_energy(p, 0.0, &start);
    double worst = 0.0;
    while (r.now.t < 1000.0) {
        assert_int_equal(PH_OK, ph_adaptive_step(&r, 1000.0));
        const ph_state s = ph_adaptive_state(&r);
        worst = larger_or_nan(worst, fabs(ph_problem_energy(p, 0.0, &s) / energy - 1.0));
    }
    assert_true(worst < 6e-15); /* a random walk that is below 1e-14 after ten times as long */
}

/* ---- derivatives --------------------------------------------------------------------------- */

/* Where a run ends that begins with number `by` of its start, inertia or parameters moved by d. */
static ph_state end_moved(const ph_problem *p, double T, int by, double d)
{
    static const int ROW[] = {0, 1, 2, 0, 0, 1}, COLUMN[] = {0, 1, 2, 1, 2, 2};
    ph_problem other = *p;
    ph_state start = ph_problem_start(p);
    if (by < BY_MOMENTUM) {
        start.q = mul(start.q, ph_rotation_exp(scale(d, axis(by))));
    } else if (by < BY_INERTIA) {
        start.m = add(start.m, scale(d, axis(by - BY_MOMENTUM)));
    } else if (by < BY_PARAMETERS) {
        ph_mat3 J =
            columns(ph_body_momentum(&p->body, axis(0)), ph_body_momentum(&p->body, axis(1)),
                    ph_body_momentum(&p->body, axis(2)));
        J.a[ROW[by - BY_INERTIA]][COLUMN[by - BY_INERTIA]] += d;
        assert_int_equal(PH_OK, ph_body_from_tensor(&other.body, J));
    } else {
        other.value[by - BY_PARAMETERS] += d;
    }
    return state_after(find("gauss16"), &other, &start, 0.0, T, 1e-15);
}

/* The columns of a run, against differences: in axes that are not principal, and with wheels and
 * damping. */
static void check_columns(const ph_adaptive *method)
{
    const ph_problem problems[] = {tilted_problem(), damped_problem()};
    const double T = 1.5, d = 1e-3;
    for (size_t k = 0; k < COUNT(problems); k++) {
        const ph_problem *p = &problems[k];
        const ph_system_settings with = {.own_problem = p,
                                         .integrator = method->name,
                                         .tolerance = 1e-12,
                                         .derivatives = PH_DERIVATIVES_START |
                                                        PH_DERIVATIVES_INERTIA |
                                                        PH_DERIVATIVES_PARAMETERS};
        ph_system *s;
        assert_int_equal(PH_OK, ph_system_create(&with, &s));
        assert_int_equal(PH_OK, ph_system_run_until(s, T, NULL));
        const ph_state end = ph_system_state(s);
        const int count = (int)ph_system_derivative_count(s);
        assert_int_equal(BY_PARAMETERS + (k == 0 ? 7 : 0), count);
        for (int by = 0; by < count; by++) {
            ph_system_column column;
            ph_vec3 theta = {0, 0, 0}, m = {0, 0, 0};
            for (int n = -2; n <= 2; n++) {
                const double weight = (n % 2 == 0 ? -1.0 / 24 : 2.0 / 3) * n / d;
                const ph_state there = end_moved(p, T, by, n * d);
                theta = add(theta, scale(weight, ph_rotation_log(mul(inverse(end.q), there.q))));
                m = add(m, scale(weight, sub(there.m, end.m)));
            }
            assert_int_equal(PH_OK, ph_system_derivative(s, (size_t)by, &column));
            const double off = larger_or_nan(norm_max(sub(column.attitude, theta)),
                                             norm_max(sub(column.momentum, m)));
            if (!(off < 1e-8 * (1.0 + norm_max(theta) + norm_max(m))))
                fail_msg("%s, %s, by %s: off by %g", p->name, method->name, column.name, off);
        }
        ph_system_destroy(s);
    }
}

static void test_columns(void **state)
{
    (void)state;
    each_method(check_columns);
}

/* ---- systems --------------------------------------------------------------------------- */

static ph_system *made(const ph_adaptive *method, double tolerance, double h)
{
    const ph_integrator i = {.adaptive = method, .tolerance = tolerance};
    ph_system *s;
    assert_int_equal(PH_OK, ph_system_from_problem(find_problem("heavy_top"), &i, NULL, h, 0, &s));
    return s;
}

static bool count_rows(void *context, ph_system *s)
{
    double *sum = context;
    sum[0] += 1.0;
    sum[1] += ph_system_time(s);
    sum[2] += ph_system_state(s).q.w;
    return true;
}

static void assert_same(ph_system *a, ph_system *b)
{
    const size_t size = ph_system_save(a, NULL, 0);
    unsigned char *x = malloc(size), *y = malloc(size);
    assert_int_equal(size, ph_system_save(b, NULL, 0));
    assert_true(x != NULL && y != NULL);
    (void)ph_system_save(a, x, size);
    (void)ph_system_save(b, y, size);
    assert_memory_equal(x, y, size);
    free(x);
    free(y);
}

/* n steps and n steps are 2n steps, also when the system was saved and opened between; rows at
 * any times change no step but for the torques they ask for. */
static void check_system(const ph_adaptive *method)
{
    ph_system *whole = made(method, 1e-11, 1.0), *first = made(method, 1e-11, 1.0), *second;
    assert_int_equal(PH_OK, ph_system_run(whole, 20, NULL));
    assert_int_equal(PH_OK, ph_system_run(first, 9, NULL));
    const size_t size = ph_system_save(first, NULL, 0);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    (void)ph_system_save(first, bytes, size);
    assert_int_equal(PH_OK, ph_system_from_snapshot(bytes, size, &second));
    free(bytes);
    assert_same(first, second);
    assert_int_equal(PH_OK, ph_system_run(first, 11, NULL));
    assert_int_equal(PH_OK, ph_system_run(second, 11, NULL));
    assert_same(whole, first);
    assert_same(whole, second);
    ph_system_destroy(first);
    ph_system_destroy(second);
    ph_system_destroy(whole);

    enum { ROWS = 37 };
    double times[ROWS], sums[3] = {0};
    for (int k = 0; k < ROWS; k++)
        times[k] = 0.25 * k;
    const ph_observer rows = {count_rows, sums, 0, times, ROWS};
    ph_system *plain = made(method, 1e-11, 0.0), *with_rows = made(method, 1e-11, 0.0);
    assert_int_equal(PH_OK, ph_system_run_until(plain, 9.0, NULL));
    assert_int_equal(PH_OK, ph_system_run_until(with_rows, 9.0, &rows));
    const ph_state a = ph_system_state(plain), b = ph_system_state(with_rows);
    assert_memory_equal(&a, &b, sizeof a);
    assert_true(ph_system_steps(plain) == ph_system_steps(with_rows));
    assert_true(sums[0] == ROWS && fabs(sums[1] - 0.25 * ROWS * (ROWS - 1) / 2) < 1e-12);
    assert_true(ph_system_time(plain) == 9.0 && ph_system_adaptive(plain)->t == 9.0);
    assert_true(ph_system_evaluations(with_rows) > ph_system_evaluations(plain));
    ph_system_destroy(plain);
    ph_system_destroy(with_rows);
}

typedef struct watchman {
    int seen, until;
    double last;
} watchman;

static bool stop_later(void *context, ph_system *s)
{
    watchman *w = context;
    w->last = ph_system_time(s);
    return ++w->seen < w->until;
}

/* An observer that says no is asked no more, whenever it says so. */
static void check_stops(const ph_adaptive *method)
{
    static const double times[] = {0.0, 0.001, 0.002, 1.5, 2.5, 2.51, 3.0};
    for (uint64_t every = 0; every <= 2; every++) {
        for (int until = 1; until <= 12; until++) {
            watchman w = {.until = until};
            const ph_observer o = {stop_later, &w, every, times, COUNT(times)};
            ph_system *s = made(method, 1e-11, 1.0);
            assert_int_equal(PH_OK, ph_system_run_until(s, 10.0, &o));
            assert_true(w.seen == until || (every == 0 && w.seen == COUNT(times)));
            if (w.seen == until)
                assert_true(ph_system_time(s) >= w.last && ph_system_adaptive(s)->from <= w.last);
            ph_system_destroy(s);
        }
    }
}

static void test_systems(void **state)
{
    (void)state;
    each_method(check_system);
    each_method(check_stops);
}

/* ---- the longest step ------------------------------------------------------------------- */

/* A torque that is a pulse: value[0] exp( -((t - value[1])/value[2])^2 ) about z. */
static ph_vec3 pulse(const ph_problem *p, const ph_instant *now)
{
    const double x = (now->t - p->value[1]) / p->value[2];
    return vec3(0, 0, p->value[0] * ph_real_exp(-x * x));
}

static ph_problem pulse_problem(double when, double width)
{
    return (ph_problem){.name = "pulse",
                        .body = PH_MOMENTS(1, 2, 3),
                        .q = {1, 0, 0, 0},
                        .w = {0, 0, 0.001},
                        .value = {1.0, when, width},
                        .torque = pulse};
}

/* A short pulse, in a body that turns by a radian in all: steps to the end of a run see it
 * wherever it is, also a very early one. */
static void check_pulse(const ph_adaptive *method)
{
    static const double pulses[][2] = {{500, 2}, {333, 2},    {20, 2},  {980, 2},  {12.3, 1},
                                       {5, 0.5}, {1.3, 0.25}, {777, 3}, {250, 2.5}};
    const double T = 1000.0, root_pi = 1.772453850905516;
    for (size_t k = 0; k < COUNT(pulses); k++) {
        const ph_problem p = pulse_problem(pulses[k][0], pulses[k][1]);
        const ph_state end = state_after(method, &p, NULL, 0.0, T, 1e-10);
        const double right = 0.003 + pulses[k][1] * root_pi;
        if (!(fabs(end.m.z - right) < 1e-7))
            fail_msg("%s: m3 = %.15g after a pulse at %g, not %.15g", method->name, end.m.z,
                     pulses[k][0], right);
    }
    /* in steps without an end a longest one is given */
    const ph_problem p = pulse_problem(500, 2);
    ph_integrator i = {.adaptive = method, .tolerance = 1e-10, .longest_step = 10.0};
    ph_system *s;
    assert_int_equal(PH_OK, ph_system_from_problem(&p, &i, NULL, 1.0, 0, &s));
    while (ph_system_time(s) < T) {
        assert_int_equal(PH_OK, ph_system_run(s, 1, NULL));
        const ph_adaptive_numbers *n = ph_system_adaptive(s);
        assert_true(n->t - n->from <= 10.0 * (1.0 + 1e-15));
    }
    assert_true(fabs(ph_system_state(s).m.z - (0.003 + 2 * root_pi)) < 1e-7);
    ph_system_destroy(s);
    uint64_t evaluations[2] = {0, 0}; /* in one step of an integrator as well */
    for (int given = 0; given < 2; given++) {
        ph_problem counted = p;
        ph_state end = ph_problem_start(&p);
        counted.evaluations = &evaluations[given];
        i.longest_step = given ? 0.5 : 0.0;
        assert_int_equal(PH_OK, ph_integrator_step(&i, &counted, &end, 0.0, T));
        assert_true(given == 0 || fabs(end.m.z - (0.003 + 2 * root_pi)) < 1e-7);
    }
    assert_true(evaluations[1] > evaluations[0] + (uint64_t)T);
    ph_problem quiet = pulse_problem(1e9, 2); /* without one there is no limit */
    ph_state end = ph_problem_start(&quiet);
    uint64_t few = 0;
    quiet.evaluations = &few;
    i.longest_step = 0.0;
    assert_int_equal(PH_OK, ph_integrator_step(&i, &quiet, &end, 0.0, T));
    assert_true(few < 4 * (uint64_t)PH_LONGEST_STEPS);
    i.longest_step = 1e-20;
    assert_int_equal(PH_OK, ph_system_from_problem(&p, &i, NULL, 1.0, 0, &s));
    assert_int_equal(PH_OK, ph_system_run(s, 3, NULL)); /* from 0 */
    ph_system_destroy(s);
    ph_adaptive_run r;
    assert_int_equal(PH_OK, ph_adaptive_prepare(&r, method, &p, NULL, 1.0, 1e-10));
    r.longest_step = 1e-20;
    assert_int_equal(PH_STEP_TOO_SHORT, ph_adaptive_advance(&r, 2.0));
    for (int k = 0; k < 2; k++) {
        i.longest_step = k == 0 ? -1.0 : NAN;
        assert_int_equal(PH_BAD_LONGEST_STEP, ph_system_from_problem(&p, &i, NULL, 1.0, 0, &s));
        assert_int_equal(PH_BAD_LONGEST_STEP, ph_integrator_step(&i, &p, &end, 0.0, 1.0));
    }
}

/* A snapshot keeps the longest step, given or not: what is left of a run has the same bits. */
static void check_resumed(const ph_adaptive *method)
{
    for (int given = 0; given < 2; given++) {
        ph_system *whole, *again;
        const ph_integrator i = {
            .adaptive = method, .tolerance = 1e-8, .longest_step = given ? 0.7 : 0.0};
        const ph_problem *p = find_problem("spacecraft");
        watchman w = {.until = 12};
        const ph_observer o = {stop_later, &w, 1, NULL, 0};
        assert_int_equal(PH_OK, ph_system_from_problem(p, &i, NULL, 1.0, 0, &whole));
        assert_int_equal(PH_OK, ph_system_run_until(whole, 60.0, &o));
        const size_t size = ph_system_save(whole, NULL, 0);
        void *bytes = malloc(size);
        assert_non_null(bytes);
        (void)ph_system_save(whole, bytes, size);
        assert_int_equal(PH_OK, ph_system_from_snapshot(bytes, size, &again));
        free(bytes);
        assert_int_equal(PH_OK, ph_system_run_until(whole, 60.0, NULL));
        assert_int_equal(PH_OK, ph_system_run_until(again, 60.0, NULL));
        assert_same(whole, again);
        assert_true(ph_system_steps(whole) >= (given ? 60 / 0.7 : PH_LONGEST_STEPS));
        ph_system_destroy(again);
        ph_system_destroy(whole);
    }
}

/* Forward and back, again and again: the share is one of the longest way. */
static void check_back_and_forth(const ph_adaptive *method)
{
    const ph_problem p = pulse_problem(500, 2);
    const ph_integrator i = {.adaptive = method, .tolerance = 1e-10};
    static const double times[] = {1000, 0, 1000, 999, 1e-3, 0, -10, 500};
    ph_system *s;
    assert_int_equal(PH_OK, ph_system_from_problem(&p, &i, NULL, 1.0, 0, &s));
    for (size_t k = 0; k < COUNT(times); k++)
        assert_int_equal(PH_OK, ph_system_run_until(s, times[k], NULL));
    assert_true(fabs(ph_system_state(s).m.z - (0.003 + 1.772453850905516)) < 1e-6);
    assert_true(ph_system_steps(s) < 6000);
    ph_system_destroy(s);
}

static void test_longest_step(void **state)
{
    (void)state;
    each_method(check_pulse);
    each_method(check_resumed);
    each_method(check_back_and_forth);
}

/* ---- events ---------------------------------------------------------------------------- */

static double falls(void *context, ph_system *s)
{
    (void)context;
    return -ph_quat_matrix(ph_system_state(s).q).a[2][2]; /* R33 < 0 */
}

static double is_late(void *context, ph_system *s)
{
    return ph_system_time(s) - *(const double *)context;
}

static double turns(void *context, ph_system *s)
{
    (void)context;
    return sin(4.0 * ph_system_time(s)) + 0.1; /* true at the start */
}

static void check_event_of(ph_system *s, double end, double (*value)(void *, ph_system *),
                           const void *context, bool met, double when)
{
    ph_event e = {.value = value, .context = (void *)context};
    assert_int_equal(PH_OK, ph_system_run_event(s, end, NULL, &e));
    if (e.met != met || !(fabs(ph_system_time(s) - when) <= 1e-9))
        fail_msg("%s: %s at %.15g, not %.15g", ph_system_integrator_name(s),
                 e.met ? "met" : "not met", ph_system_time(s), when);
    if (met)
        assert_true(value((void *)context, s) > 0.0);
}

static ph_system *system_of(const char *name)
{
    ph_integrator i;
    ph_system *s;
    assert_int_equal(PH_OK, ph_integrator_named(name, &i));
    if (i.adaptive != NULL)
        i.tolerance = 1e-13;
    assert_int_equal(PH_OK,
                     ph_system_from_problem(find_problem("heavy_top"), &i, NULL, 0.01, 0, &s));
    return s;
}

/* Where R33 = 0 first, found by halving an interval of exact states: 1.19505675516815. */
static void test_events(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"gbs", "gauss16", "dop853", "srkn6_14a+exact", "mkrk_gl6"};
    for (size_t k = 0; k < COUNT(NAMES); k++) {
        const double late = 1.23456789, never = 1e9, pi = PH_PI,
                     root = (2.0 * pi - asin(0.1)) / 4.0;
        ph_system *s = system_of(NAMES[k]);
        check_event_of(s, 10.0, falls, NULL, true, 1.19505675516815);
        const uint64_t steps = ph_system_steps(s);
        check_event_of(s, ph_system_time(s) + (s != NULL ? 2.0 : 0.0), is_late, &never, false,
                       1.19505675516815 + 2.0);
        assert_true(ph_system_steps(s) > steps);
        ph_system_destroy(s);
        s = system_of(NAMES[k]);
        check_event_of(s, 10.0, is_late, &late, true, late);
        assert_true(fabs(ph_system_time(s) - late) < 2e-12);
        ph_system_destroy(s);
        s = system_of(NAMES[k]);
        check_event_of(s, 10.0, turns, NULL, true, root);
        ph_system_destroy(s);
    }
}

/* ---- digits ----------------------------------------------------------------------------- */

/* What the warning says: of an error that grew as errors do, of one that the motion multiplied, and of one
 * that is as large as a turn. */
static void test_digits_warning(void **state)
{
    (void)state;
    static const struct {
        double held, apart, tolerance;
        const char *part[2];
    } lost[] = {
        {40.0, 0.01, 1e-12, {"is about 0.01 rad: use a smaller tolerance", "until t = 40:"}},
        {40.0, 4.0, 1e-12, {"wholly unknown: this motion multiplies", "helps little"}},
        {40.0, 4.0, 1e-2, {"wholly unknown: use a smaller tolerance", "at t = 100 "}},
    };
    char text[PH_MESSAGE];
    ph_digits d = {.end = 100.0, .last = 100.0, .turned = 600.0, .held = 100.0};
    assert_false(ph_digits_warning(&d, text));
    assert_false(ph_digits_warning(NULL, text));
    for (int k = 0; k < 3; k++) {
        d.lost = true;
        d.held = lost[k].held;
        d.apart = lost[k].apart;
        d.tolerance = PH_COMPANION * lost[k].tolerance;
        assert_true(ph_digits_warning(&d, text));
        for (int i = 0; i < 2; i++) {
            if (strstr(text, lost[k].part[i]) == NULL)
                fail_msg("%s", text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tolerance),    cmocka_unit_test(test_references),
        cmocka_unit_test(test_orders),       cmocka_unit_test(test_within),
        cmocka_unit_test(test_back),         cmocka_unit_test(test_wall),
        cmocka_unit_test(test_nan),          cmocka_unit_test(test_within_by_parts),
        cmocka_unit_test(test_unit),         cmocka_unit_test(test_refused),
        cmocka_unit_test(test_rest),         cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_bits),         cmocka_unit_test(test_energy),
        cmocka_unit_test(test_columns),      cmocka_unit_test(test_systems),
        cmocka_unit_test(test_bodies),       cmocka_unit_test(test_events),
        cmocka_unit_test(test_longest_step), cmocka_unit_test(test_digits_warning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
