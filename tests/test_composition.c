/* test_composition.c - whole steps composed: the order of every symmetric integrator of order
 * 2 with a composition, what it keeps, the times of its stages, and the state after a
 * failure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "kinds/spheres/spheres_list.h"
#include "kinds/spheres/workspace.h"
#include "lab/measure/properties.h"
#include "motion/composition.h"
#include "motion/vec.h"
#include "support/molecules.h"
#include "support/stepping.h"
#include "system/find.h"
#include "system/run_body.h"

/* ---- every integrator that can be composed --------------------------------------- */

typedef void integrator_test(const char *name, const ph_integrator *i);

/* Calls a test for `name@composition`, where it can be; else looks that it is refused. */
static int try_composed(const char *name, const char *composition, integrator_test *test)
{
    char composed[PH_INTEGRATOR_NAME], again[PH_INTEGRATOR_NAME];
    const ph_integrator plain = integrator_of(name);
    ph_integrator i;
    (void)snprintf(composed, sizeof composed, "%s@%s", name, composition);
    const ph_status status = ph_integrator_named(composed, &i);
    if (!may_be_composed(ph_integrator_order(&plain), ph_integrator_keeps(&plain))) {
        if (status != PH_NOT_APPLICABLE)
            fail_msg("%s is not refused", composed);
        return 0;
    }
    if (status != PH_OK)
        fail_msg("%s: %s", composed, ph_status_text(status));
    assert_string_equal(composed, ph_integrator_name(&i, again));
    assert_int_equal(find_composition(composition)->order, ph_integrator_order(&i));
    assert_int_equal(ph_integrator_keeps(&plain), ph_integrator_keeps(&i));
    test(composed, &i);
    return 1;
}

/* Methods, flows, and schemes over flows. */
static int every_composed(const char *composition, integrator_test *test)
{
    size_t methods, flows, schemes;
    const ph_method *const *method = ph_methods(&methods);
    const ph_flow *const *flow = ph_flows(&flows);
    const ph_scheme *const *scheme = ph_schemes(&schemes);
    int count = 0;
    for (size_t k = 0; k < methods; k++)
        count += try_composed(method[k]->name, composition, test);
    for (size_t k = 0; k < flows; k++) {
        count += try_composed(flow[k]->name, composition, test);
        for (size_t n = 0; n < schemes; n++) {
            char name[PH_INTEGRATOR_NAME];
            (void)snprintf(name, sizeof name, "%s+%s", scheme[n]->name, flow[k]->name);
            count += try_composed(name, composition, test);
        }
    }
    return count;
}

static double order_with(const char *name, const ph_integrator *i, double scale)
{
    ph_problem p = *find_problem("generic");
    const bool field = i->method != NULL || i->scheme != NULL;
    if (!field) {
        p.torque = NULL;
        p.potential = NULL;
        p.derivative = NULL;
    }
    double slope = NAN;
    const double more = ph_integrator_order(i) > 8 ? 2.0 : 1.0; /* else it is round-off */
    const ph_status status =
        ph_order_slope(i, &p, scale * (field ? more : 4.0 * more), &slope, NULL);
    if (status != PH_OK)
        fail_msg("%s: %s", name, ph_status_text(status));
    return slope;
}

static double order_of(const char *name, const ph_integrator *i)
{
    return order_with(name, i, 1.0);
}

/* Where the term of the next order is large, as in hoa_drift, shorter steps show the order. */
static void has_its_order(const char *name, const ph_integrator *i)
{
    double slope = order_of(name, i);
    if (slope > ph_integrator_order(i) + 0.2)
        slope = order_with(name, i, 0.25);
    if (!(fabs(slope - ph_integrator_order(i)) < 0.2))
        fail_msg("%s: order %.2f, not %d", name, slope, ph_integrator_order(i));
}

static void test_orders(void **state)
{
    (void)state;
    assert_true(every_composed("yoshida4", has_its_order) > 80);
}

/* Every composition, of a method, of a scheme whose flow is of order 2, and of one whose flow
 * is composed itself. The higher the order, the fewer steps are above round-off: there the
 * slope may be above. */
static void test_every_composition(void **state)
{
    (void)state;
    static const char *const names[] = {"vlv", "rattle", "verlet_drift+mr", "verlet+sr2:suzuki4"};
    size_t count;
    const ph_composition *rows = ph_compositions(&count);
    for (size_t k = 0; k < count; k++) {
        for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
            char name[PH_INTEGRATOR_NAME];
            (void)snprintf(name, sizeof name, "%s@%s", names[n], rows[k].name);
            const ph_integrator i = integrator_of(name);
            const double slope = order_of(name, &i);
            if (!(slope > rows[k].order - 0.35))
                fail_msg("%s: order %.2f", name, slope);
        }
    }
}

/* The flow alone inside a scheme of order 2 leaves its order; composing all of it does not. */
static void test_whole_and_part(void **state)
{
    (void)state;
    const ph_integrator part = integrator_of("verlet+mr:yoshida4"),
                        whole = integrator_of("verlet+mr@yoshida4"),
                        alone = integrator_of("sr2@suzuki4"), flow = integrator_of("sr2:suzuki4");
    assert_true(fabs(order_of("part", &part) - 2) < 0.1);
    assert_true(fabs(order_of("whole", &whole) - 4) < 0.1);
    const ph_problem free_body = *find_problem("free");
    const ph_state start = ph_problem_start(&free_body),
                   a = after_steps(&alone, &free_body, start, 0.1, 20),
                   b = after_steps(&flow, &free_body, start, 0.1, 20);
    assert_memory_equal(&a, &b, sizeof a);
}

/* What the parts keep: the symplectic form, the time back, the momentum about the vertical. */
static void is_as_claimed(const char *name, const ph_integrator *i)
{
    const ph_problem *p = find_problem("vertical");
    const ph_state s = ph_problem_start(p);
    ph_structure_defects structure;
    ph_invariant_errors kept;
    double back = NAN;
    assert_int_equal(PH_OK, ph_measure_structure(i, p, &s, 0.2, &structure));
    assert_int_equal(PH_OK, ph_symmetry_defect(i, p, &s, 0.2, &back));
    assert_int_equal(PH_OK, ph_measure_invariants(i, p, 0.1, 1000, &kept));
    if (!(structure.symplectic < 2e-11 && back < 1e-11 && kept.vertical < 1e-11))
        fail_msg("%s: symplectic %g, back %g, momentum %g", name, structure.symplectic, back,
                 kept.vertical);
}

static void test_claims(void **state)
{
    (void)state;
    assert_true(try_composed("rattle", "yoshida4", is_as_claimed) == 1);
    assert_true(try_composed("vlv", "suzuki4", is_as_claimed) == 1);
    assert_true(try_composed("verlet+mr", "yoshida6", is_as_claimed) == 1);
}

/* ---- names ----------------------------------------------------------------------- */

static void test_names(void **state)
{
    (void)state;
    static const char *const unknown[] = {
        "rattle@",          "@yoshida4", "rattle@nothing",       "rattle@yoshida4@yoshida4",
        "nothing@yoshida4", "@",         "rattle@yoshida4+exact"};
    ph_integrator i;
    ph_integrator s;
    for (size_t k = 0; k < sizeof unknown / sizeof unknown[0]; k++) {
        assert_int_equal(PH_UNKNOWN_NAME, ph_integrator_named(unknown[k], &i));
        assert_int_equal(PH_UNKNOWN_NAME, ph_spheres_integrator_named(unknown[k], &s));
    }
    assert_int_equal(PH_NOT_APPLICABLE, ph_integrator_named("mkrk_rk4@yoshida4", &i));
    assert_int_equal(PH_NOT_APPLICABLE, ph_integrator_named("sr2:suzuki4@suzuki4", &i));
    assert_int_equal(PH_NOT_APPLICABLE, ph_spheres_integrator_named("rkmk4@suzuki4", &s));
}

/* ---- times of the stages --------------------------------------------------------- */

static ph_vec3 pushed(const ph_problem *p, const ph_instant *now)
{
    (void)p;
    return vec3(sin(3 * now->t), 0.3 * cos(2 * now->t), 0.5 * now->t);
}

static void test_time_in_the_torque(void **state)
{
    (void)state;
    const ph_problem p = {.name = "a push",
                          .body = PH_MOMENTS(1.3, 2.1, 2.9),
                          .q = {0.8, 0.4, -0.4, 0.2},
                          .w = {0.7, -0.6, 0.5},
                          .torque = pushed};
    static const char *const names[] = {"verlet+mr@yoshida4", "verlet_drift+exact@suzuki4",
                                        "rattle@yoshida4", "vlv@suzuki4"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const ph_integrator i = integrator_of(names[k]);
        double slope = NAN;
        assert_int_equal(PH_OK, ph_order_slope(&i, &p, 1.0, &slope, NULL));
        if (!(fabs(slope - 4) < 0.2))
            fail_msg("%s: order %.2f in a field that changes", names[k], slope);
    }
}

/* ---- a failure leaves the state as it was ---------------------------------------- */

static ph_status fails_third(int *calls)
{
    return ++*calls % 3 == 0 ? PH_NO_CONVERGENCE : PH_OK;
}

static ph_status doubled(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                         double h)
{
    (void)p;
    (void)t;
    (void)h;
    const ph_status status = fails_third((int *)method->data);
    if (status == PH_OK)
        s->m = scale(2.0, s->m);
    return status;
}

static ph_status renamed(const ph_method *method, ph_spheres *s, ph_vec3 *q, ph_vec3 *w, double h)
{
    (void)h;
    const ph_status status = fails_third((int *)sphere_method_of(method)->data);
    for (int i = 0; i < s->n && status == PH_OK; i++) {
        q[i] = vec3(q[i].y, q[i].z, q[i].x);
        w[i] = vec3(w[i].y, w[i].z, w[i].x);
    }
    return status;
}

static void test_failures(void **state)
{
    (void)state;
    int calls = 0;
    const ph_method failing = {.name = "fails", .order = 2, .data = &calls, .step = doubled};
    const ph_integrator i = {.method = &failing, .whole = find_composition("yoshida4")};
    const ph_problem *p = find_problem("heavy_top");
    ph_state s = ph_problem_start(p);
    const ph_state before = s;
    assert_int_equal(PH_NO_CONVERGENCE, ph_integrator_step(&i, p, &s, 0, 0.1));
    assert_int_equal(3, calls);
    assert_memory_equal(&before, &s, sizeof s);
    ph_system *system = NULL;
    calls = 0;
    assert_int_equal(PH_OK, ph_system_from_problem(p, &i, &before, 0.1, 0, &system));
    const ph_state begun = ph_system_state(system);
    assert_int_equal(PH_NO_CONVERGENCE, ph_system_run(system, 1, NULL));
    s = ph_system_state(system);
    assert_memory_equal(&begun, &s, sizeof s);
    ph_system_destroy(system);

    const sphere_method by = {PH_SPHERES_SECOND_ORDER, renamed, &calls};
    const ph_method circle = {.name = "fails", .order = 2, .data = &by};
    const ph_integrator on_spheres = {.method = &circle, .whole = i.whole};
    ph_spheres *spheres = NULL;
    ph_vec3 q[2], w[2], q0[2], w0[2];
    assert_int_equal(
        PH_OK, ph_spheres_create(find_spheres_problem("double_pendulum"), &on_spheres, &spheres));
    ph_spheres_start(spheres, q, w);
    memcpy(q0, q, sizeof q);
    memcpy(w0, w, sizeof w);
    calls = 0;
    assert_int_equal(PH_NO_CONVERGENCE, ph_spheres_step(spheres, q, w, 0.1));
    assert_int_equal(3, calls);
    assert_memory_equal(q0, q, sizeof q);
    assert_memory_equal(w0, w, sizeof w);
    ph_spheres_destroy(spheres);
}

/* The turns of a composed step carry the spheres along. */
static void test_turns(void **state)
{
    (void)state;
    static const char *const names[] = {"rattle@yoshida4", "eln@suzuki4"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        ph_integrator i;
        ph_spheres *s = NULL;
        ph_vec3 q[2], w[2], q0[2];
        ph_quat turn[2];
        assert_int_equal(PH_OK, ph_spheres_integrator_named(names[k], &i));
        assert_int_equal(PH_OK, ph_spheres_create(find_spheres_problem("double_pendulum"), &i, &s));
        ph_spheres_start(s, q, w);
        memcpy(q0, q, sizeof q);
        assert_int_equal(PH_OK, ph_spheres_step(s, q, w, 0.05));
        ph_spheres_turns(s, turn);
        for (int n = 0; n < 2; n++)
            assert_true(norm(sub(q[n], rotate(turn[n], q0[n]))) < 1e-15);
        ph_spheres_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),         cmocka_unit_test(test_every_composition),
        cmocka_unit_test(test_whole_and_part), cmocka_unit_test(test_claims),
        cmocka_unit_test(test_names),          cmocka_unit_test(test_time_in_the_torque),
        cmocka_unit_test(test_failures),       cmocka_unit_test(test_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
