/* slow_averaged.c - weak torques averaged over the free motion, against direct integration over a time
 * 1/eps, from eps = 1e-4 to 1e-6: the error is of first order, with a small factor, in runs that report
 * no resonance and no separatrix. docs/averaged.md has the table. */
/* Needs kinds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/page.h"
#include "support/weak_torques.h"
#include "system/kind.h"

static const struct weak_case {
    const char *name;
    ph_vec3 J, m;
    double factors[TERMS - 1];
    double mean_spin; /* of a torque that changes over an orbit */
} CASES[] = {
    {"light, short-axis mode", {1.1, 1.5, 2.3}, {-0.5, 0.3, 1.3}, {1, 0, 0, 0, 0, 0}, 0},
    {"light and damping, long-axis mode",
     {2.0, 1.4, 0.9},
     {0.2, -0.5, 1.2},
     {1, 0.4, 0, 0, 0, 0},
     0},
    {"damping, short-axis mode", {1.0, 1.8, 2.5}, {0.5, -0.5, 1.1}, {0, 1, 0, 0, 0, 0}, 0},
    {"friction, short-axis mode", {1.8, 0.9, 2.1}, {0.2, 0.15, -1.3}, {0, 0, 0.7, 0, 0, 0}, 0},
    {"friction, long-axis mode", {0.9, 1.6, 1.8}, {1.3, 0.2, 0.3}, {0, 0, 0.3, 0, 0, 0}, 0},
    {"eddy currents, short-axis mode", {1.0, 1.4, 2.0}, {0.5, 0.3, 1.2}, {0, 0, 0, 1, 0, 0}, 0},
    {"eddy currents, long-axis mode", {1.7, 2.1, 1.0}, {0.3, 0.4, 1.4}, {0, 0, 0, 1, 0, 0}, 0},
    {"gravity, long-axis mode", {1.0, 1.7, 2.2}, {-1.4, 0.4, 0.2}, {0, 0, 0, 0, 1, 0}, 0},
    {"light and gravity, next to the axis of I3",
     {1.3, 2.3, 1.6},
     {0.02, 1.4, -0.01},
     {0.5, 0, 0, 0, 1, 0},
     0},
    {"all, next to the axis of I1",
     {1.9, 2.2, 1.1},
     {0.03, 0.02, -1.3},
     {0.6, 0.2, 0.1, 0.3, 0.5, 0},
     0},
    {"eddy currents in a dipole field over an orbit",
     {1.0, 1.6, 2.1},
     {0.4, 0.5, 1.2},
     {0, 0, 0, 1, 0, 0.05},
     0.6},
    {"gravity over an orbit", {1.4, 2.2, 1.8}, {0.3, 1.3, 0.4}, {0, 0, 0, 0, 1, 0.05}, 0.6},
};

enum { SIZES = 3 };

static const double EPSILONS[SIZES] = {1e-4, 1e-5, 1e-6};

static void reports_nothing(const struct weak_case *c, double eps)
{
    const ph_problem p = weak_problem(c->J, eps, c->factors);
    ph_system *s = weak_system(&p, "averaged", c->m);
    char text[PH_MESSAGE] = "";
    assert_int_equal(PH_OK, ph_system_run_until(s, 1.0 / eps, NULL));
    ph_kind_of(s)->caution(s->self, ph_system_time(s), text);
    assert_string_equal("", text);
    ph_system_destroy(s);
}

static void test_case(void **state)
{
    const struct weak_case *c = *state;
    const double rate = c->factors[ORBIT - 1], slower = rate != 0.0 ? c->mean_spin / rate : 1.0;
    double error[SIZES];
    for (int k = 0; k < SIZES; k++) {
        reports_nothing(c, EPSILONS[k]);
        error[k] = weak_difference(c->J, c->m, c->factors, EPSILONS[k]);
    }
    const double order = 0.5 * log10(error[0] / error[SIZES - 1]);
    for (int k = 0; k < SIZES; k++)
        assert_true(error[k] < 10.0 * slower * EPSILONS[k]);
    assert_true(order > 0.8 && order < 1.2);
    page_says("averaged.md", "| %s | %.2f | %.2f | %.2f | %.2f |", c->name, error[0] / EPSILONS[0],
              error[1] / EPSILONS[1], error[2] / EPSILONS[2], order);
}

int main(void)
{
    enum { COUNT = sizeof CASES / sizeof CASES[0] };
    struct CMUnitTest tests[COUNT];
    for (size_t k = 0; k < COUNT; k++)
        tests[k] = (struct CMUnitTest){
            .name = CASES[k].name, .test_func = test_case, .initial_state = (void *)&CASES[k]};
    return cmocka_run_group_tests_name("averaged over 1/eps", tests, NULL, NULL);
}
