/* test_identities.c - methods that are the same, or one another's halves, although they
 * were written down by different people: each identity a test of both sides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "integrators/tableau.h"
#include "motion/vec.h"
#include "polhode/polhode.h"
#include "support/generic.h"
#include "support/stepping.h"

static const double H = 0.15;

static void assert_same(const char *what, ph_state a, ph_state b)
{
    if (!(relative_distance(a, b) < 1e-13))
        fail_msg("%s: not the same, %g", what, relative_distance(a, b));
}

static ph_state kick(const ph_problem *p, ph_state s, double t, double h)
{
    s.m = add(s.m, scale(h, p->torque(p, AT(t, ph_quat_matrix(s.q)))));
    return s;
}

static void test_identities_free(void **state)
{
    (void)state;
    const ph_problem p = free_problem;
    static const char *const pairs[][2] = {{"mcg", "imidm"},    {"prk", "akw"},
                                           {"new3", "trapm"},   {"swc1", "bbtrap"},
                                           {"prk_exp", "imid"}, {"rattle", "dmv2"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const ph_state s = ph_problem_start(&p);
        assert_same(pairs[i][0], by(pairs[i][0], &p, s, 0, H), by(pairs[i][1], &p, s, 0, H));
    }
    const ph_state s = ph_problem_start(&p), half = by("mcg", &p, s, 0, H / 2);
    assert_same("liemid", by("liemid", &p, s, 0, H), by("mcg", &p, half, 0, H / 2));
    /* a Moser-Veselov step is one of akw over another time, h* = h (1 + h*^2 |w'|^2/4) */
    const ph_state dmv = by("dmv2", &p, s, 0, H);
    double other = H;
    for (int i = 0; i < 60; i++) {
        const ph_state akw = by("akw", &p, s, 0, other);
        const ph_vec3 w = over(scale(0.5, add(s.m, akw.m)), p.body.J);
        other = H * (1 + other * other * dot(w, w) / 4);
    }
    assert_same("dmv2", dmv, by("akw", &p, s, 0, other));
}

/* Kick, a free step, kick: with a torque that changes with time. */
static void test_identities_kicks(void **state)
{
    (void)state;
    const ph_problem p = timed_problem, none = free_problem;
    const double t = 0.3;
    static const char *const pairs[][2] = {{"mcg", "imidm"}, {"prk", "akw"}, {"rattle", "dmv2"}};
    const ph_state s = ph_problem_start(&p), begun = kick(&p, s, t, H / 2);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const ph_state moved = by(pairs[i][1], &none, begun, t, H);
        assert_same(pairs[i][0], by(pairs[i][0], &p, s, t, H), kick(&p, moved, t + H, H / 2));
    }
    const ph_state first = by("imidm", &none, begun, t, H / 2),
                   second = by("imidm", &none, first, t, H / 2);
    assert_same("liemid", by("liemid", &p, s, t, H), kick(&p, second, t + H, H / 2));
    assert_same("verlet+dmv2", by("rattle", &p, s, t, H), by("verlet+dmv2", &p, s, t, H));
}

/* Compositions of Euler steps, and the conjugacies that follow. */
static void test_identities_euler(void **state)
{
    (void)state;
    const ph_problem p = timed_problem;
    const double t = 0.3, half = H / 2;
    static const struct {
        const char *forward, *backward, *trapezoid, *midpoint;
    } rows_of[] = {{"lie_euler_forward", "lie_euler_backward", "trap", "imid"},
                   {"lie_euler_forwardm", "lie_euler_backwardm", "trapm", "imidm"}};
    for (size_t i = 0; i < 2; i++) {
        const char *forward = rows_of[i].forward, *backward = rows_of[i].backward,
                   *trapezoid = rows_of[i].trapezoid, *midpoint = rows_of[i].midpoint;
        const ph_state s = ph_problem_start(&p), f = by(forward, &p, s, t, half),
                       b = by(backward, &p, s, t, half), whole = by(trapezoid, &p, s, t, H);
        assert_same(trapezoid, whole, by(backward, &p, f, t + half, half));
        assert_same(midpoint, by(midpoint, &p, s, t, H), by(forward, &p, b, t + half, half));
        assert_same("conjugate", by(forward, &p, whole, t + H, half),
                    by(midpoint, &p, f, t + half, H));
        assert_same("adjoint", s, by(backward, &p, f, t + half, -half));
    }
    /* chi: R -> R exp(h/2 w), m -> exp(-h/2 w) m, then a kick; chi new3 = mcg chi */
    const ph_problem still = ph_problem_generic;
    ph_state before = ph_problem_start(&still), after = by("new3", &still, before, 0, H);
    ph_state *const both[] = {&before, &after};
    for (size_t i = 0; i < 2; i++) {
        ph_state *s = both[i];
        const ph_quat turn = ph_rotation_exp(scale(half, over(s->m, still.body.J)));
        *s = (ph_state){mul(s->q, turn), rotate(inverse(turn), s->m)};
        *s = kick(&still, *s, 0, half);
    }
    assert_same("new3 and mcg", after, by("mcg", &still, before, 0, H));
}

/* Methods that are Munthe-Kaas with another tableau. */
static void test_identities_mkrk(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        tableau table;
    } all[] = {
        {"lie_euler_forwardm", {.stages = 1, .b = {1}}},
        {"lie_euler_backwardm", {.stages = 1, .a = {{1}}, .b = {1}, .c = {1}}},
        {"imidm", {.stages = 1, .a = {{0.5}}, .b = {1}, .c = {0.5}}},
        {"bbtrapwd", {.stages = 2, .a = {{0}, {0.5, 0.5}}, .b = {0.5, 0.5}, .c = {0, 1}}},
    };
    const ph_problem p = timed_problem;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const ph_state s = ph_problem_start(&p);
        ph_state next = s;
        assert_int_equal(PH_OK, ph_munthe_kaas_step(&all[i].table, &p, &next, 0.3, H));
        assert_same(all[i].name, by(all[i].name, &p, s, 0.3, H), next);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_identities_free),
        cmocka_unit_test(test_identities_kicks),
        cmocka_unit_test(test_identities_euler),
        cmocka_unit_test(test_identities_mkrk),
    };
    return cmocka_run_group_tests_name("identities", tests, NULL, NULL);
}
