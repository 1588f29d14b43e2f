#include "support/run_tests.h"
#include "base/extremes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "motion/vec.h"
#include "support/random.h"
#include "support/stepping.h"
#include "system/find.h"

static uint64_t long_run;

enum { BODIES = 16, DECADES = 8 };

static ph_problem body_of(ph_vec3 J)
{
    ph_body b;
    assert_int_equal(PH_OK, ph_body_from_moments(&b, J));
    return free_problem_of(b);
}

/* ---- round-off ------------------------------------------------------------------- */

/* Squared errors at the powers of ten, and the worst |q|. */
typedef struct growth {
    double energy0;
    ph_vec3 momentum0;
    double energy[DECADES], momentum[DECADES], length;
} growth;

static bool watch(void *context, ph_system *system)
{
    growth *g = context;
    const ph_state s = ph_system_state(system);
    g->length = larger_or_nan(g->length, 0.5 * fabs(dot4(s.q, s.q) - 1));
    uint64_t power = 1;
    for (int d = 0; d < DECADES; d++, power *= 10) {
        if (ph_system_steps(system) != power)
            continue;
        const ph_vec3 moved = sub(ph_state_space_momentum(&s), g->momentum0);
        g->energy[d] += pow(ph_system_energy(system) / g->energy0 - 1, 2);
        g->momentum[d] += dot(moved, moved) / dot(g->momentum0, g->momentum0);
    }
    return true;
}

static growth grow(const ph_integrator *i, uint64_t steps)
{
    growth g = {.length = 0.0};
    const ph_observer o = {.observe = watch, .context = &g, .every = 1};
    uint64_t seed = 42;
    for (int k = 0; k < BODIES; k++) {
        const ph_problem p = body_of(random_vector(&seed, 0.5, 2));
        const ph_quat q = ph_rotation_exp(random_vector(&seed, -1, 1));
        ph_state s = {q, random_vector(&seed, -1, 1)};
        g.energy0 = ph_body_energy(&p.body, &s);
        g.momentum0 = ph_state_space_momentum(&s);
        assert_int_equal(PH_OK, ph_run_body(i, &p, &s, 0.1, steps, 0, &o, NULL));
    }
    for (int d = 0; d < DECADES; d++) { /* to root mean squares */
        g.energy[d] = sqrt(g.energy[d] / BODIES);
        g.momentum[d] = sqrt(g.momentum[d] / BODIES);
    }
    return g;
}

/* 16 random bodies, h = 0.1. The limits are those for 10^7 steps, scaled as a random
 * walk is. */
static void test_random_walk(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"exact", "dmv2",  "dmv4", "dmv6",
                                        "dmv8",  "dmv10", "sr2",  "mr"};
    const double shorter = sqrt((double)long_run / 1e7);
    const int last = (int)lround(log10((double)long_run));
    for (size_t n = 0; n < sizeof NAMES / sizeof NAMES[0]; n++) {
        const ph_integrator i = integrator_of(NAMES[n]);
        const growth g = grow(&i, long_run);
        const double exponent = log10(g.momentum[last] / g.momentum[last - 3]) / 3;
        print_message("%-6s after 10^%d steps: momentum %.1e, exponent %.2f, energy %.1e, |q| - 1"
                      " %.1e\n",
                      NAMES[n], last, g.momentum[last], exponent, g.energy[last], g.length);
        assert_true(g.momentum[last] < 2e-13 * shorter);
        assert_true(exponent < 0.6);
        if (ph_integrator_keeps(&i) & PH_ENERGY)
            assert_true(g.energy[last] < 5e-13 * shorter);
        assert_true(g.length < 1e-15);
    }
}

/* What each flow claims to keep, it keeps to 1e-14 over 10^4 steps. */
static void test_claims_over_a_run(void **state)
{
    (void)state;
    size_t count;
    const ph_flow *const *flows = ph_flows(&count);
    for (size_t f = 0; f < count; f++) {
        const ph_integrator i = {.flow = flows[f]};
        uint64_t seed = 7;
        for (int k = 0; k < 2; k++) {
            const ph_problem p = body_of(random_vector(&seed, 0.5, 2));
            const ph_quat q = ph_rotation_exp(random_vector(&seed, -1, 1));
            const ph_state start = {q, random_vector(&seed, -1, 1)};
            const ph_state s = after_steps(&i, &p, start, 0.1, 10000);
            const double energy =
                fabs(ph_body_energy(&p.body, &s) / ph_body_energy(&p.body, &start) - 1);
            const double casimir = fabs(norm(s.m) / norm(start.m) - 1);
            const double momentum =
                norm(sub(ph_state_space_momentum(&s), ph_state_space_momentum(&start))) /
                norm(start.m);
            if (((flows[f]->keeps & PH_ENERGY) && !(energy < 1e-14)) ||
                ((flows[f]->keeps & PH_CASIMIR) && !(casimir < 1e-14)) ||
                ((flows[f]->keeps & PH_MOMENTUM) && !(momentum < 1e-14)))
                fail_msg("%s: energy %g, length %g, momentum %g after 10^4 steps", flows[f]->name,
                         energy, casimir, momentum);
        }
    }
}

/* Next to the unstable axis the small components grow exponentially, and the run follows
 * them: every flow that is exact, or of high order, flips where the motion does. */
static void test_unstable_axis(void **state)
{
    (void)state;
    const ph_problem p = body_of(vec3(1, 2, 3));
    size_t count;
    const ph_flow *const *flows = ph_flows(&count);
    for (size_t f = 0; f < count; f++) {
        if (flows[f]->order != PH_ORDER_EXACT && flows[f]->order < 8)
            continue;
        const double tolerance = 1e-7; /* the error of order 8; `exact` is off by 1e-12 */
        for (int decade = 4; decade <= 20; decade += 4) {
            const double w3 = pow(10, -decade), time = 30, h = 0.01;
            const ph_state start = {{1, 0, 0, 0}, {0, 4, 3 * w3}};
            const ph_integrator i = {.flow = flows[f]};
            ph_motion motion;
            assert_int_equal(PH_OK, ph_motion_prepare(&motion, &p.body, &start));
            const ph_state s = after_steps(&i, &p, start, h, (uint64_t)lround(time / h)),
                           right = ph_motion_at(&motion, time);
            if (!(norm(sub(s.m, right.m)) < tolerance))
                fail_msg("%s from 1e-%d: m = %.17g, %.17g, %.17g instead of %.17g, %.17g,"
                         " %.17g",
                         flows[f]->name, decade, s.m.x, s.m.y, s.m.z, right.m.x, right.m.y,
                         right.m.z);
        }
    }
}

/* Steps that turn by more than half a circle: the length of q is kept there too. */
static void test_long_steps(void **state)
{
    (void)state;
    const ph_problem p = body_of(vec3(1, 1.5, 2));
    const double rounding = 4e-15; /* so long a turn is as the flow has rounded it */
    size_t count;
    const ph_flow *const *flows = ph_flows(&count);
    for (size_t f = 0; f < count; f++) {
        for (int k = 1; k < 6; k++) {
            const ph_integrator i = {.flow = flows[f]};
            const ph_state start = {{1, 0, 0, 0}, {0.3, 0.4, 1.8}};
            ph_state s = start;
            const ph_status status = ph_run_body(&i, &p, &s, 1.5 * k, 300, 0, NULL, NULL);
            const double kept = norm(sub(ph_state_space_momentum(&s), start.m));
            if (status == PH_OK && (!(fabs(dot4(s.q, s.q) - 1) < rounding) ||
                                    ((flows[f]->keeps & PH_MOMENTUM) && !(kept < 1e-13))))
                fail_msg("%s, h = %g: |q|^2 - 1 = %g, momentum off by %g", flows[f]->name, 1.5 * k,
                         dot4(s.q, s.q) - 1, kept);
        }
    }
}

/* What a flow does, a run of it shows: Euler's step loses energy and length, whatever it
 * claims. */
static ph_status euler(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    (void)flow;
    const ph_vec3 w = over(s->m, J);
    *s = (ph_state){mul(s->q, ph_rotation_exp(scale(h, w))), add(s->m, scale(h, cross(s->m, w)))};
    return PH_OK;
}

static void test_shows_what_a_flow_does(void **state)
{
    (void)state;
    static const unsigned CLAIMS[] = {0, PH_MOMENTUM, PH_CASIMIR, PH_KEEPS_ALL};
    const ph_problem p = body_of(vec3(1, 2, 2.5));
    for (size_t k = 0; k < sizeof CLAIMS / sizeof CLAIMS[0]; k++) {
        const ph_flow flow = {.name = "euler", .order = 1, .keeps = CLAIMS[k], .step = euler};
        const ph_integrator i = {.flow = &flow};
        const ph_state start = {{1, 0, 0, 0}, {0.3, -0.4, 0.5}};
        const ph_state s = after_steps(&i, &p, start, 0.1, 100);
        ph_state by_steps = start;
        for (int n = 0; n < 100; n++)
            assert_int_equal(PH_OK, ph_flow_step(&flow, &p.body, &by_steps, 0.1));
        assert_true(norm(by_steps.m) > 1.001 * norm(start.m));
        assert_true(norm(sub(s.m, by_steps.m)) < 1e-13);
        assert_true(fabs(dot4(s.q, by_steps.q) - 1) < 1e-13);
    }
}

/* ---- the loop -------------------------------------------------------------------- */

/* Forward and back with a composition; and no steps at all. */
static void test_back(void **state)
{
    (void)state;
    const ph_integrator i = integrator_of("sr2:kahan_li6");
    const ph_problem p = body_of(vec3(1, 2, 2.5));
    const ph_state start = {{1, 0, 0, 0}, {0.3, -0.4, 0.5}};
    ph_state s = after_steps(&i, &p, start, 0.1, 500);
    assert_true(norm(sub(s.m, start.m)) > 0.01);
    s = after_steps(&i, &p, s, -0.1, 500);
    assert_true(norm(sub(s.m, start.m)) < 1e-13);
    assert_true(fabs(dot4(s.q, start.q) - 1) < 1e-13);
    s = after_steps(&i, &p, start, 0.1, 0);
    assert_memory_equal(&start, &s, sizeof s);
}

/* A run of `exact` ends where the motion is, also in a frame that is not the principal
 * one. */
static void test_frames(void **state)
{
    (void)state;
    const ph_integrator i = integrator_of("exact");
    const ph_mat3 tensor = {{{2.0, 0.3, -0.2}, {0.3, 1.5, 0.1}, {-0.2, 0.1, 1.0}}};
    ph_body b;
    ph_motion motion;
    assert_int_equal(PH_OK, ph_body_from_tensor(&b, tensor));
    const ph_problem p = free_problem_of(b);
    const ph_state start = {{0.5, -0.5, 0.5, 0.5}, {0.3, -0.4, 0.5}};
    assert_int_equal(PH_OK, ph_motion_prepare(&motion, &b, &start));
    const ph_state s = after_steps(&i, &p, start, 0.05, 2000), right = ph_motion_at(&motion, 100.0);
    assert_true(norm(sub(s.m, right.m)) < 1e-12);
    assert_true(fabs(dot4(s.q, right.q) - 1) < 1e-12);
}

/* What is refused leaves the state alone. */
static void test_failures(void **state)
{
    (void)state;
    static const ph_state start = {{1, 0, 0, 0}, {0.3, -0.4, 0.5}},
                          endless = {{1, 0, 0, 0}, {INFINITY, 0, 0}};
    const ph_problem p = body_of(vec3(1, 2, 2.5)), none = {.body = {{1, 0, 1}, {1, 0, 0, 0}, true}},
                     *top = find_problem("heavy_top");
    const struct {
        const ph_problem *p;
        const ph_state *start;
        double h;
        ph_status status;
    } wrong[] = {
        {&p, &start, 1e7, PH_NO_CONVERGENCE},  {&p, &start, NAN, PH_BAD_STEP},
        {&none, &start, 0.1, PH_BAD_INERTIA},  {&p, &endless, 0.1, PH_BAD_STATE},
        {top, &start, 0.1, PH_NOT_APPLICABLE},
    };
    const ph_integrator i = integrator_of("dmv2");
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        ph_state s = *wrong[k].start;
        uint64_t taken = 1;
        assert_int_equal(wrong[k].status,
                         ph_run_body(&i, wrong[k].p, &s, wrong[k].h, 5, 0, NULL, &taken));
        assert_int_equal(0, taken);
        assert_memory_equal(wrong[k].start, &s, sizeof s);
    }
}

int free_run_tests(uint64_t steps)
{
    long_run = steps;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_walk),
        cmocka_unit_test(test_claims_over_a_run),
        cmocka_unit_test(test_unstable_axis),
        cmocka_unit_test(test_long_steps),
        cmocka_unit_test(test_shows_what_a_flow_does),
        cmocka_unit_test(test_back),
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
