/* long_runs.c - errors after many turns of a body: at most 20 tolerances for each turn, and what a
 * companion says of them. */
#include "support/long_runs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/elementary.h"
#include "base/extremes.h"
#include "integrators/adaptive_run.h"
#include "motion/vec.h"
#include "polhode/system.h"
#include "system/find.h"

static const double EACH_TURN = 20.0;

/* Bodies and starts in principal axes. `heavy_top` has its own; the others are a tumbling rocket stage,
 * a flat body, a body that flips about its middle axis, and one of random numbers. */
static const struct {
    ph_vec3 J, w;
} bodies[] = {
    {{0.2, 0.98, 1.0}, {0.87, 0.22, -0.43}},
    {{0.5, 0.6, 1.0}, {0.3, -0.4, 0.85}},
    {{0.6, 0.8, 1.0}, {0.15, 0.95, -0.1}},
    {{0.71, 0.53, 0.94}, {0.41, -0.73, 0.28}},
};

static double angle_between(ph_quat a, ph_quat b)
{
    const ph_quat d = mul(inverse(a), b);
    return 2.0 * sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

/* The problem with a body that turns at `rate`; body -1: its own body and start. */
static ph_problem problem_of(const char *name, int body, double rate, ph_state *start)
{
    ph_problem p = *find_problem(name);
    *start = ph_problem_start(&p);
    if (body >= 0) {
        assert_int_equal(PH_OK, ph_body_from_moments(&p.body, bodies[body].J));
        *start =
            (ph_state){{1.0, 0.0, 0.0, 0.0}, times(bodies[body].J, scale(rate, bodies[body].w))};
    }
    return p;
}

/* Compares gbs after each number of turns, the last of which is `most`, with the exact motion or with
 * gauss16. */
static void check_turns(const char *name, const ph_problem *p, const ph_state *start, double most)
{
    static const double after[] = {10.0, 1000.0, 20000.0}, tolerances[] = {1e-6, 1e-9, 1e-11};
    const ph_adaptive *gbs, *gauss16;
    ph_motion exact;
    assert_int_equal(PH_OK, ph_adaptive_named("gbs", &gbs));
    assert_int_equal(PH_OK, ph_adaptive_named("gauss16", &gauss16));
    assert_int_equal(PH_OK, ph_motion_prepare(&exact, &p->body, start));
    for (size_t k = 0; k < sizeof tolerances / sizeof tolerances[0]; k++) {
        ph_adaptive_run r, reference;
        double turns = 0.0;
        assert_int_equal(PH_OK, ph_adaptive_prepare(&r, gbs, p, start, 0.0, tolerances[k]));
        assert_int_equal(PH_OK, ph_adaptive_prepare(&reference, gauss16, p, start, 0.0, 1e-15));
        for (size_t n = 0; n < sizeof after / sizeof after[0] && after[n] <= most; n++) {
            while (turns < after[n]) {
                const double from = r.now.t;
                assert_int_equal(PH_OK, ph_adaptive_step(&r, INFINITY));
                turns += norm(over(ph_adaptive_state(&r).m, p->body.J)) * (r.now.t - from) /
                         (2.0 * PH_PI);
            }
            if (p->torque != NULL)
                assert_int_equal(PH_OK, ph_adaptive_advance(&reference, r.now.t));
            const ph_quat right = p->torque == NULL ? ph_motion_at(&exact, r.now.t).q
                                                    : ph_adaptive_state(&reference).q;
            const double error =
                angle_between(ph_adaptive_state(&r).q, right) / (tolerances[k] * turns);
            print_message("%-10s %.0e, %5.0f turns: %5.2f tolerances a turn, %.0f steps\n", name,
                          tolerances[k], turns, error, r.now.steps);
            assert_true(error <= EACH_TURN);
        }
    }
}

void check_long_runs(double turns)
{
    /* The gravity gradient, 3 n^2 (J3 - J1)/J1 with n = 0.00108/s, is 1e-3 of the square of the rate for
     * the first body, and less for the others. */
    static const double strength = 1e-3, spacecraft_rate = 0.12;
    ph_state start;
    for (int body = 0; body < (int)(sizeof bodies / sizeof bodies[0]); body++) {
        const ph_problem free = problem_of("free", body, 1.0, &start);
        check_turns("free", &free, &start, turns);
        if (body == 2) /* in a torque its flips are chaotic */
            continue;
        const ph_problem spacecraft = problem_of("spacecraft", body, spacecraft_rate, &start);
        check_turns("spacecraft", &spacecraft, &start, turns);
    }
    ph_problem top = problem_of("heavy_top", -1, 1.0, &start);
    assert_string_equal("strength", top.parameters[0].name);
    top.value[0] = strength;
    check_turns("heavy_top", &top, &start, turns);
}

/* ---- what a companion says ------------------------------------------------------- */

typedef struct claim {
    ph_digits digits;
    ph_motion exact;
    double tolerance, rate, worst; /* the largest error while the digits hold, a turn */
} claim;

static bool compare(void *context, ph_system *s)
{
    claim *c = context;
    assert_int_equal(PH_OK, ph_digits_follow(&c->digits, s));
    const double t = ph_system_time(s);
    if (c->digits.lost || c->digits.held != t)
        return true;
    const double turns = larger_or_nan(1.0, c->digits.turned / (2.0 * PH_PI)),
                 error = angle_between(ph_system_state(s).q, ph_motion_at(&c->exact, t).q);
    c->worst = larger_or_nan(c->worst, error / (c->tolerance * turns));
    return true;
}

void check_claims(double turns)
{
    static const double tolerances[] = {1e-5, 1e-7, 1e-9, 1e-12, 1e-14, 1e-15};
    static const char *const methods[] = {"gbs", "dop853"};
    int lost = 0, kept = 0;
    for (size_t k = 0; k < 2 * sizeof tolerances / sizeof tolerances[0]; k++) {
        for (int body = 0; body < (int)(sizeof bodies / sizeof bodies[0]); body++) {
            ph_system *s, *companion;
            claim c = {.tolerance = tolerances[k / 2]};
            ph_state start;
            const ph_problem p = problem_of("free", body, 1.0, &start);
            const double end = 2.0 * PH_PI * turns / norm(bodies[body].w),
                         smaller = PH_COMPANION * c.tolerance;
            const ph_setting settings[] = {
                {"velocity", (double[]){bodies[body].w.x, bodies[body].w.y, bodies[body].w.z}, 3}};
            ph_system_settings with = {.own_problem = &p,
                                       .integrator = methods[k % 2],
                                       .tolerance = c.tolerance,
                                       .settings = settings,
                                       .setting_count = 1};
            const ph_observer o = {compare, &c, 1, NULL, 0};
            assert_int_equal(PH_OK, ph_motion_prepare(&c.exact, &p.body, &start));
            assert_int_equal(PH_OK, ph_system_create(&with, &s));
            with.tolerance = smaller >= PH_TOLERANCE_LEAST ? smaller : c.tolerance / PH_COMPANION;
            with.integrator = "gbs";
            assert_int_equal(PH_OK, ph_system_create(&with, &companion));
            assert_int_equal(PH_OK, ph_digits_begin(&c.digits, companion, end));
            assert_int_equal(PH_OK, ph_system_run_until(s, end, &o));
            print_message("%-6s %.0e body %d: digits hold until %5.0f of %5.0f turns, %5.2f "
                          "tolerances a turn\n",
                          methods[k % 2], c.tolerance, body, turns * c.digits.held / end, turns,
                          c.worst);
            assert_true(c.worst <= EACH_TURN);
            /* gbs keeps its digits up to where round-off takes them, and while there are digits */
            if (k % 2 == 0 && c.tolerance >= 1e-12 && c.tolerance < 1e-6)
                assert_false(c.digits.lost);
            lost += c.digits.lost;
            kept += !c.digits.lost;
            ph_system_destroy(s);
            ph_system_destroy(companion);
        }
    }
    assert_true(lost > 0 && kept > 0);
}
