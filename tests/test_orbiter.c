/* test_orbiter.c - a body whose centre of mass moves: torque and force as derivatives of the
 * potential, what is kept and of which order, limits that are known, fields by expression,
 * snapshots, and what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "integrators/field.h"
#include "kinds/orbiter/orbiter.h"
#include "polhode/expression.h"
#include "system/find.h"
#include "system/kind.h"
#include "tests/support/quick.h"
#include "tests/support/random.h"
#include "tests/support/systems.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Settings of up to four arrays; a name of NULL ends them. */
typedef struct given {
    const char *name;
    double x[6];
    size_t count;
} given;

static ph_status try_making(ph_system **out, ph_system_settings with, const given *g,
                            ph_message *message)
{
    ph_setting list[4];
    while (g != NULL && g[with.setting_count].name != NULL) {
        const given *at = &g[with.setting_count];
        list[with.setting_count++] = (ph_setting){at->name, at->x, at->count};
    }
    with.settings = list;
    with.message = message;
    return ph_system_create(&with, out);
}

static ph_system *made(const char *integrator, double h, const given *g)
{
    ph_system *s;
    ph_message message;
    const ph_system_settings with = {"orbiter", .integrator = integrator, .step = h};
    if (try_making(&s, with, g, &message) != PH_OK)
        fail_msg("%s", message.text);
    return s;
}

static ph_vec3 vector(const ph_system *s, const char *name)
{
    const ph_array *f = find_field(s, name);
    assert_non_null(f);
    return vec3(*f->data[0], *f->data[1], *f->data[2]);
}

/* How far apart two systems are, in all that is shown. */
static double distance(const ph_system *a, const ph_system *b)
{
    const char *const names[] = {"position", "centre_velocity", "momentum", "velocity"};
    double most = 0.0;
    for (size_t i = 0; i < COUNT(names); i++)
        most = larger_or_nan(most, norm(sub(vector(a, names[i]), vector(b, names[i]))));
    const ph_quat p = ph_system_state(a).q, q = ph_system_state(b).q;
    const ph_quat same = dot4(p, q) < 0.0 ? negate(q) : q,
                  d = {p.w - same.w, p.x - same.x, p.y - same.y, p.z - same.z};
    return larger_or_nan(most, sqrt(dot4(d, d)));
}

/* ---- the field --------------------------------------------------------------------- */

static ph_vec3 some_vector(uint64_t *seed)
{
    const double x = between(seed, -1, 1), y = between(seed, -1, 1);
    return vec3(x, y, between(seed, 0.5, 1));
}

/* -dU/dx and -dU/dxi by differences of fourth order. */
static ph_vec3 difference(const ph_problem *p, const ph_instant *now, bool turned)
{
    const double d = 2e-3, c[2] = {8.0 / 12, -1.0 / 12};
    double out[3] = {0};
    for (int k = 0; k < 3; k++) {
        for (int n = 1; n <= 2; n++) {
            for (int sign = -1; sign <= 1; sign += 2) {
                const ph_vec3 by = scale(sign * n * d, axis(k));
                ph_instant at = turned ? instant_at(0, mul(now->q, ph_rotation_exp(by))) : *now;
                at.x = turned ? now->x : add(now->x, by);
                out[k] -= sign * c[n - 1] * p->potential(p, &at) / d;
            }
        }
    }
    return vec3(out[0], out[1], out[2]);
}

static void check_derivatives(const ph_problem *p, uint64_t *seed)
{
    ph_instant now = instant_at(0, ph_rotation_exp(scale(2.0, some_vector(seed))));
    now.x = some_vector(seed);
    const ph_vec3 F = p->force(p, &now), T = p->torque(p, &now);
    const double tolerance = 1e-8 * (norm(F) + norm(T));
    assert_true(norm(sub(F, difference(p, &now, false))) < tolerance);
    assert_true(norm(sub(T, difference(p, &now, true))) < tolerance);
    /* what the spin gains the orbit loses */
    const ph_vec3 sum = add(cross(now.x, F), rotate(now.q, T));
    assert_true(norm(sum) < 1e-14 * (norm(F) + norm(T)));
}

static void test_derivatives(void **state)
{
    (void)state;
    uint64_t seed = 1;
    ph_problem p = ph_orbiter_central;
    p.value[0] = 1.3;
    p.value[1] = 0.7;
    for (int i = 0; i < 20; i++) {
        check_derivatives(&p, &seed);
        const ph_mat3 tensor = {{{3, 0.2, -0.4}, {0.2, 2, 0.3}, {-0.4, 0.3, 2.5}}};
        assert_int_equal(PH_OK, i % 2 ? ph_body_from_moments(&p.body, vec3(1, 2, 2.5))
                                      : ph_body_from_tensor(&p.body, tensor));
    }
}

/* The potential of eight points against that of the body they make, far away: what is left
 * falls with the fifth power of the distance, as the points have no odd moments. */
static void test_potential_of_points(void **state)
{
    (void)state;
    const double a = 0.3, b = 0.2, c = 0.1;
    ph_problem p = ph_orbiter_central;
    p.value[1] = 8.0;
    assert_int_equal(PH_OK,
                     ph_body_from_moments(&p.body, vec3(8 * (b * b + c * c), 8 * (a * a + c * c),
                                                        8 * (a * a + b * b))));
    double left[2];
    for (int far = 0; far < 2; far++) {
        ph_instant now = instant_at(0, ph_rotation_exp(vec3(0.3, -0.7, 0.4)));
        now.x = scale(far ? 8.0 : 4.0, vec3(0.6, 0.0, 0.8));
        double U = 0.0;
        for (int i = 0; i < 8; i++) {
            const ph_vec3 point = vec3(i & 1 ? a : -a, i & 2 ? b : -b, i & 4 ? c : -c);
            U -= 1.0 / norm(add(now.x, rotate(now.q, point)));
        }
        left[far] = fabs(p.potential(&p, &now) - U);
    }
    assert_true(left[0] > 1e-6 && fabs(log2(left[0] / left[1]) - 5.0) < 0.1);
}

/* ---- what is kept ------------------------------------------------------------------ */

/* The largest error of the energy in two halves of a run, and its slope times the time. */
typedef struct kept {
    double first_half, all, trend, angular_momentum;
} kept;

static kept run_long(const char *integrator, double h, uint64_t steps)
{
    ph_system *s = made(integrator, h, NULL);
    const ph_observable *L;
    kept k;
    ph_system_watch(s, true);
    assert_int_equal(PH_OK, ph_system_run(s, steps / 2, NULL));
    k.first_half = ph_system_energy_record(s).largest_error;
    assert_int_equal(PH_OK, ph_system_run(s, steps / 2, NULL));
    k.all = ph_system_energy_record(s).largest_error;
    k.trend = fabs(ph_system_energy_record(s).slope) * ph_system_time(s);
    assert_int_equal(PH_OK, ph_system_observable_named(s, "angular_momentum", &L));
    k.angular_momentum = L->error;
    ph_system_destroy(s);
    return k;
}

static void test_no_drift(void **state)
{
    (void)state;
    const struct {
        const char *name;
        double h;
    } runs[] = {{"verlet+exact", 0.05},       {"verlet+mr", 0.05},
                {"verlet_drift+exact", 0.05}, {"s4_6+exact", 0.1},
                {"s6_10+exact", 0.2},         {"srkn4_6b+exact", 0.1},
                {"srkn6_14a+exact", 0.2},     {"verlet+exact@yoshida4", 0.05}};
    for (size_t i = 0; i < COUNT(runs); i++) {
        if (is_quick() && i % 3 != 0)
            continue;
        const kept k = run_long(runs[i].name, runs[i].h, is_quick() ? 20000 : 100000);
        print_message("%s: %.2g, %.2g, trend %.2g, L %.2g\n", runs[i].name, k.first_half, k.all,
                      k.trend, k.angular_momentum);
        assert_true(k.all < 1e-2 && k.all > 1e-12);
        assert_true(k.all < 1.2 * k.first_half);
        assert_true(k.trend < 0.1 * k.all);
        assert_true(k.angular_momentum < 1e-11);
    }
    /* and the same test finds a drift where there is one */
    const kept k = run_long("mkrk_rk4", 0.1, 10000);
    assert_true(k.all > 1.5 * k.first_half && k.trend > 0.5 * k.all);
}

static void test_order(void **state)
{
    (void)state;
    const struct {
        const char *name;
        double h;
        int order;
    } all[] = {{"verlet+exact", 0.02, 2},
               {"verlet_drift+exact", 0.02, 2},
               {"s4_6+exact", 0.1, 4},
               {"srkn4_6b+exact", 0.1, 4},
               {"srkn6_14a+exact", 0.3, 6},
               {"s6_10+exact", 0.2, 6},
               {"verlet+exact@yoshida4", 0.02, 4},
               {"mkrk_rk4", 0.05, 4},
               {"mkrk_gl4", 0.1, 4},
               {"mkrk_gl6", 0.2, 6}};
    const double time = 6.0;
    const given tensor[] = {{"tensor", {0.02, 0.03, 0.035, 0.003, -0.002, 0.001}, 6}, {0}};
    ph_system *exact = made("s6_10+exact", time / 3000, tensor);
    assert_int_equal(PH_OK, ph_system_run(exact, 3000, NULL));
    for (size_t i = 0; i < COUNT(all); i++) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            const double h = k ? 0.5 * all[i].h : all[i].h;
            ph_system *s = made(all[i].name, h, tensor);
            assert_int_equal(all[i].order, ph_system_order(s));
            assert_int_equal(PH_OK, ph_system_run(s, (uint64_t)lround(time / h), NULL));
            error[k] = distance(s, exact);
            ph_system_destroy(s);
        }
        const double order = log2(error[0] / error[1]);
        print_message("%s: %.2g, order %.2f\n", all[i].name, error[1], order);
        assert_true(fabs(order - all[i].order) < 0.35);
    }
    ph_system_destroy(exact);
}

/* ---- limits ------------------------------------------------------------------------ */

/* A small body moves as a point, and returns after a period: 2 pi sqrt(a^3/mu). */
static void test_kepler(void **state)
{
    (void)state;
    const double speed = 1.1, a = 1.0 / (2.0 - speed * speed), period = 2.0 * PH_PI * a * sqrt(a);
    const given small[] = {{"inertia", {1e-14, 2e-14, 1.5e-14}, 3}, {0}};
    ph_system *s = made("srkn6_14a+exact", period / 400, small);
    assert_int_equal(PH_OK, ph_system_run(s, 200, NULL));
    const double far = 2.0 * a - 1.0; /* the other end of the ellipse */
    assert_true(norm(sub(vector(s, "position"), vec3(-far, 0, 0))) < 1e-10);
    assert_int_equal(PH_OK, ph_system_run(s, 200, NULL));
    assert_true(norm(sub(vector(s, "position"), vec3(1, 0, 0))) < 1e-10);
    assert_true(norm(sub(vector(s, "centre_velocity"), vec3(0, speed, 0))) < 1e-10);
    ph_system_destroy(s);
}

/* No torque acts on a sphere: it turns about a fixed axis, and the orbit is Kepler's. */
static void test_sphere(void **state)
{
    (void)state;
    const double J = 0.3;
    const given sphere[] = {{"inertia", {J, J, J}, 3}, {0}};
    ph_system *s = made("s6_10+exact", 0.02, sphere);
    const ph_vec3 w = vector(s, "velocity");
    assert_int_equal(PH_OK, ph_system_run(s, 500, NULL));
    const ph_quat q = ph_system_state(s).q, turn = ph_rotation_exp(scale(10.0, w));
    assert_true(norm(sub(vector(s, "velocity"), w)) < 1e-14);
    assert_true(1.0 - fabs(dot4(q, turn)) < 1e-14);
    ph_system_destroy(s);
    const given point[] = {{"inertia", {1e-14, 1e-14, 1e-14}, 3}, {0}};
    ph_system *a = made("s6_10+exact", 0.02, sphere), *b = made("s6_10+exact", 0.02, point);
    assert_int_equal(PH_OK, ph_system_run(a, 500, NULL));
    assert_int_equal(PH_OK, ph_system_run(b, 500, NULL));
    assert_true(norm(sub(vector(a, "position"), vector(b, "position"))) < 1e-12);
    ph_system_destroy(a);
    ph_system_destroy(b);
}

/* A heavy body on a circle far out turns as spacecraft does on its orbit: the torque is the
 * same, and what the body does to the orbit is of order J/(mass r^2). */
static void test_spacecraft(void **state)
{
    (void)state;
    const double mu = 3.986004418e14, a = 7e6, speed = sqrt(mu / a);
    const given far[] = {{"inertia", {120.5, 98.3, 75.2}, 3},
                         {"position", {a, 0, 0}, 3},
                         {"centre_velocity", {0, speed, 0}, 3},
                         {"mu", {mu}, 1}};
    const given rest[] = {far[0], far[1], far[2], far[3]};
    ph_setting list[6];
    for (size_t i = 0; i < 4; i++)
        list[i] = (ph_setting){rest[i].name, rest[i].x, rest[i].count};
    const double mass = 1000, w[3] = {0.0001, -0.0012, 0.0003};
    list[4] = (ph_setting){"mass", &mass, 1};
    list[5] = (ph_setting){"velocity", w, 3};
    const ph_system_settings with = {"orbiter", .integrator = "s6_10+exact", .step = 20.0,
                                     .settings = list, .setting_count = 6};
    ph_system *s, *other = system_named("spacecraft", "s6_10+exact", 20.0);
    assert_int_equal(PH_OK, ph_system_create(&with, &s));
    assert_int_equal(PH_OK, ph_system_run(s, 500, NULL));
    assert_int_equal(PH_OK, ph_system_run(other, 500, NULL));
    const ph_quat p = ph_system_state(s).q, q = ph_system_state(other).q;
    assert_true(1.0 - fabs(dot4(p, q)) < 1e-12);
    ph_system_destroy(s);
    ph_system_destroy(other);
}

/* ---- expressions ------------------------------------------------------------------- */

#define R2   "(x1^2 + x2^2 + x3^2)"
#define U(i) "(R1" #i "*x1 + R2" #i "*x2 + R3" #i "*x3)^2/" R2

static const ph_parameter PARAMETERS[] = {{"mu", 0, 1, "1", "", PH_RANGE_ANY},
                                          {"mass", 1, 1, "1", "", PH_RANGE_ANY},
                                          {"k", 2, 1, "1", "", PH_RANGE_ANY}};

static ph_problem of_texts(ph_expressions from, const double *value)
{
    ph_problem p;
    ph_expressions_error why;
    from.parameters = PARAMETERS;
    from.parameter_count = COUNT(PARAMETERS);
    from.value = value;
    from.moving_centre = true;
    if (ph_problem_from_expressions(&from, &p, &why) != PH_OK)
        fail_msg("%s: %s", why.where, why.error.text);
    return p;
}

static ph_system *moved(const ph_problem *p, const char *integrator, double h)
{
    ph_system *s;
    ph_message message;
    const ph_system_settings with = {.own_problem = p, .integrator = integrator, .step = h};
    if (try_making(&s, with, NULL, &message) != PH_OK)
        fail_msg("%s", message.text);
    return s;
}

/* The point mass, once more, as text. */
static const char CENTRAL[] = "-mu*mass/sqrt(" R2 ") + mu/(2*" R2
                              "^1.5)*(3*(0.01*" U(1) " + 0.015*" U(2) " + 0.02*" U(3) ") - 0.045)";

static void test_potential_by_expression(void **state)
{
    (void)state;
    const double value[] = {1, 1, 0};
    ph_problem p = of_texts((ph_expressions){.potential = CENTRAL}, value);
    uint64_t seed = 3;
    for (int i = 0; i < 20; i++)
        check_derivatives(&p, &seed);
    ph_system *a = moved(&p, "srkn6_14a+exact", 0.05), *b = made("srkn6_14a+exact", 0.05, NULL);
    assert_int_equal(PH_OK, ph_system_run(a, 200, NULL));
    assert_int_equal(PH_OK, ph_system_run(b, 200, NULL));
    assert_true(distance(a, b) < 1e-12);
    assert_true(fabs(ph_system_energy(a) - ph_system_energy(b)) < 1e-13);
    ph_system_destroy(a);
    ph_system_destroy(b);
    ph_problem_release(&p);
}

/* Drag on the centre and on the spin, without attraction: v falls by exp(-k t/mass), and m
 * of a sphere by exp(-t/10). By the methods that take it; others are refused. */
static void test_drag(void **state)
{
    (void)state;
    const double value[] = {1, 2, 0.5};
    const given ball[] = {{"inertia", {1, 1, 1}, 3}, {0}};
    ph_problem p = of_texts((ph_expressions){.torque = {"-m1/10", "-m2/10", "-m3/10"},
                                             .force = {"-k*v1", "-k*v2", "-k*v3"}},
                            value);
    const char *const names[] = {NULL, "mkrk_rk4", "mkrk_gl4"};
    for (size_t i = 0; i < COUNT(names); i++) {
        ph_system *s;
        ph_system_settings with = {.own_problem = &p, .integrator = names[i], .step = 0.01};
        assert_int_equal(PH_OK, try_making(&s, with, ball, NULL));
        const ph_vec3 m = vector(s, "momentum"), v = vector(s, "centre_velocity");
        assert_int_equal(PH_OK, ph_system_run(s, 100, NULL));
        assert_true(norm(sub(vector(s, "momentum"), scale(exp(-0.1), m))) < 1e-11);
        assert_true(norm(sub(vector(s, "centre_velocity"), scale(exp(-0.25), v))) < 1e-11);
        assert_true(norm(sub(vector(s, "position"),
                             add(vec3(1, 0, 0), scale(4.0 * (1.0 - exp(-0.25)), v)))) < 1e-11);
        ph_system_destroy(s);
    }
    ph_message message;
    ph_system *s;
    const ph_system_settings with = {.own_problem = &p, .integrator = "verlet+exact"};
    message.text[0] = 0;
    {
        ph_status z = try_making(&s, with, NULL, &message);
        print_message("%d %s\n", z, message.text);
    }
    assert_int_equal(PH_NOT_APPLICABLE, try_making(&s, with, NULL, &message));
    assert_non_null(strstr(message.text, "depends on the velocity: use mkrk_gl6"));
    ph_problem_release(&p);
}

/* A constant force that depends on time: x = 1 + t^3/6. */
static void test_time(void **state)
{
    (void)state;
    const double value[] = {1, 1, 0};
    const char *const names[] = {"s4_6+exact", "mkrk_gl4", "verlet+exact@yoshida4"};
    ph_problem p = of_texts((ph_expressions){.force = {"t", "0", "0"}}, value);
    for (size_t i = 0; i < COUNT(names); i++) {
        ph_system *s = moved(&p, names[i], 0.1);
        assert_int_equal(PH_OK, ph_system_run(s, 10, NULL));
        assert_true(norm(sub(vector(s, "position"), vec3(1 + 1.0 / 6, 1.1, 0))) < 1e-14);
        ph_system_destroy(s);
    }
    ph_problem_release(&p);
}

static void test_names(void **state)
{
    (void)state;
    const struct {
        ph_expressions from;
        const char *where, *text;
    } wrong[] = {
        {{.potential = "x4", .moving_centre = true}, "potential", "R11, x1, pi"},
        {{.potential = "v1", .moving_centre = true}, "potential", "cannot depend on v1"},
        {{.force = {"1", "z", "0"}, .moving_centre = true}, "force 2", "x1, v1, pi"},
        {{.potential = "x1"}, "potential", "unknown name \"x1\": the names are t, q0, R11, pi"},
        {{.force = {"1", "0", "0"}}, "force 1", "a moving centre"},
        {{.moving_centre = true}, "problem", "no potential, force or torque"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        ph_problem p;
        ph_expressions_error why;
        assert_int_equal(PH_BAD_EXPRESSION, ph_problem_from_expressions(&wrong[i].from, &p, &why));
        assert_string_equal(wrong[i].where, why.where);
        assert_non_null(strstr(why.error.text, wrong[i].text));
    }
    /* where the centre stands still x1 may be a parameter */
    const ph_parameter x1 = {"x1", 0, 1, "1", "", PH_RANGE_ANY};
    const double one = 1.0;
    ph_expressions from = {
        .potential = "x1*R33", .parameters = &x1, .parameter_count = 1, .value = &one};
    ph_problem p;
    assert_int_equal(PH_OK, ph_problem_from_expressions(&from, &p, NULL));
    ph_problem_release(&p);
    from.moving_centre = true;
    assert_int_equal(PH_BAD_EXPRESSION, ph_problem_from_expressions(&from, &p, NULL));
}

/* ---- snapshots --------------------------------------------------------------------- */

static void resume_alike(ph_system *s)
{
    ph_system *again;
    ph_system_watch(s, true);
    assert_int_equal(PH_OK, ph_system_run(s, 20, NULL));
    const bytes b = snapshot_of(s);
    assert_int_equal(PH_OK, ph_system_from_snapshot(b.at, b.size, &again));
    assert_int_equal(PH_OK, ph_system_run(s, 20, NULL));
    assert_int_equal(PH_OK, ph_system_run(again, 20, NULL));
    const bytes x = snapshot_of(s), y = snapshot_of(again);
    assert_int_equal(x.size, y.size);
    assert_memory_equal(x.at, y.at, x.size);
    ph_system_destroy(again);
    ph_system_destroy(s);
    free(b.at);
    free(x.at);
    free(y.at);
}

static void test_resume(void **state)
{
    (void)state;
    const double value[] = {1, 2, 0.1};
    const given tensor[] = {{"tensor", {0.02, 0.03, 0.035, 0.003, -0.002, 0.001}, 6},
                            {"position", {0.1, -0.9, 0.7}, 3},
                            {"mass", {3}, 1},
                            {0}};
    const char *const names[] = {NULL,       "verlet+exact", "s4_6+mr", "verlet+exact@yoshida4",
                                 "mkrk_rk4", "mkrk_gl6"};
    ph_problem p = of_texts(
        (ph_expressions){.potential = CENTRAL, .force = {"k*sin(t)", "-k*x1", "k*R12"}}, value);
    for (size_t i = 0; i < COUNT(names); i++) {
        resume_alike(made(names[i], 0.1, tensor));
        resume_alike(moved(&p, names[i], 0.1));
    }
    ph_problem_release(&p);
}

/* ---- refused ----------------------------------------------------------------------- */

static void test_refused(void **state)
{
    (void)state;
    const struct {
        const char *integrator;
        given of;
        ph_status status;
        int setting;
        const char *text;
    } wrong[] = {
        {NULL, {"mass", {0}, 1}, PH_BAD_PARAMETER, 0, "mass is 0, but must be > 0"},
        {NULL, {"mass", {-1}, 1}, PH_BAD_PARAMETER, 0, "mass is -1, but must be > 0"},
        {NULL, {"mu", {0}, 1}, PH_BAD_PARAMETER, 0, "mu is 0, but must be > 0"},
        {NULL, {"mu", {-2}, 1}, PH_BAD_PARAMETER, 0, "mu is -2, but must be > 0"},
        {NULL,
         {"position", {0, 0, 0}, 3},
         PH_BAD_STATE,
         0,
         "position 0,0,0: this is the centre of attraction"},
        {NULL, {"position", {1, 0}, 2}, PH_BAD_PARAMETER, 0, "needs 3 numbers, not 2"},
        {NULL, {"position", {NAN, 0, 0}, 3}, PH_BAD_STATE, 0, "position is not finite"},
        {NULL,
         {"position", {1e-200, 0, 0}, 3},
         PH_BAD_STATE,
         PH_SETTING_NONE,
         "its energy overflows: choose another position"},
        {NULL, {"inertia", {1, -2, 3}, 3}, PH_BAD_INERTIA, 0, "inertia 1,-2,3"},
        {NULL, {"attitude", {0, 0, 0, 0}, 4}, PH_BAD_STATE, 0, "zero quaternion"},
        {NULL, {"strength", {1}, 1}, PH_UNKNOWN_NAME, 0, "its parameters are mu, mass"},
        {NULL, {"positions", {1, 0, 0}, 3}, PH_UNKNOWN_NAME, 0, "cannot be used with"},
        {"exact", {0}, PH_NOT_APPLICABLE, PH_SETTING_INTEGRATOR, "write verlet+exact"},
        {"nystrom4+exact", {0}, PH_NOT_APPLICABLE, PH_SETTING_INTEGRATOR, "derivative"},
        {"vlv", {0}, PH_NOT_APPLICABLE, PH_SETTING_INTEGRATOR, "`vlv` can move only one body"},
        {"gbs", {0}, PH_NOT_APPLICABLE, PH_SETTING_INTEGRATOR, "`gbs` can move only one body"},
        {"verlet+exakt", {0}, PH_UNKNOWN_NAME, PH_SETTING_INTEGRATOR, "verlet+exact"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        ph_system *s = NULL;
        ph_message message;
        const ph_system_settings with = {"orbiter", .integrator = wrong[i].integrator};
        const given list[] = {wrong[i].of, {0}};
        assert_int_equal(wrong[i].status, try_making(&s, with, list, &message));
        assert_null(s);
        if (message.setting != wrong[i].setting || !strstr(message.text, wrong[i].text))
            fail_msg("%d: %s, not %s", message.setting, message.text, wrong[i].text);
    }
}

/* A problem of the caller whose force moves the centre of mass is of this kind; without a force it
 * is one body. A snapshot of this kind needs a problem with a force. */
static void test_no_force(void **state)
{
    (void)state;
    ph_system *s = NULL;
    ph_message message;
    ph_problem p = ph_orbiter_central;
    ph_system_settings with = {.own_problem = &p, .integrator = "verlet+exact", .step = 0.1};
    p.name = "own";
    assert_int_equal(PH_OK, try_making(&s, with, NULL, &message));
    assert_string_equal("orbiter", ph_system_kind(s));
    unsigned char snapshot[1 << 13];
    const size_t size = ph_system_save(s, snapshot, sizeof snapshot);
    assert_in_range(size, 1, sizeof snapshot);
    ph_system_destroy(s);
    s = NULL;
    assert_int_equal(PH_OK, ph_system_from_snapshot_of(&p, snapshot, size, &s));
    ph_system_destroy(s);
    s = NULL;
    p.force = NULL;
    assert_int_equal(PH_NOT_APPLICABLE, ph_system_from_snapshot_of(&p, snapshot, size, &s));
    assert_null(s);
    with.own_problem = find_problem("heavy_top");
    assert_int_equal(PH_OK, try_making(&s, with, NULL, &message));
    assert_string_equal("body", ph_system_kind(s));
    ph_system_destroy(s);
}

/* A state that cannot be is refused; one that was written is where the system goes on. */
static void test_written(void **state)
{
    (void)state;
    ph_system *s = made("verlet+exact", 0.1, NULL);
    const ph_array *x = find_field(s, "position"), *q = find_field(s, "attitude");
    assert_int_equal(PH_OK, ph_system_run(s, 3, NULL));
    *x->data[0] = *x->data[1] = *x->data[2] = 0.0;
    assert_int_equal(PH_BAD_STATE, ph_system_changed(s));
    *x->data[2] = 2.0;
    for (int k = 0; k < 4; k++)
        *q->data[k] *= 2.0;
    assert_int_equal(PH_OK, ph_system_changed(s));
    assert_true(fabs(dot4(ph_system_state(s).q, ph_system_state(s).q) - 1.0) < 1e-15);
    const uint64_t before = ph_system_evaluations(s);
    assert_int_equal(PH_OK, ph_system_run(s, 1, NULL));
    assert_int_equal(2, ph_system_evaluations(s) - before); /* nothing was kept */
    assert_int_equal(PH_OK, ph_system_run(s, 1, NULL));
    assert_int_equal(3, ph_system_evaluations(s) - before); /* of the last kick */
    ph_system_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives), cmocka_unit_test(test_potential_of_points),
        cmocka_unit_test(test_no_drift),    cmocka_unit_test(test_order),
        cmocka_unit_test(test_kepler),      cmocka_unit_test(test_sphere),
        cmocka_unit_test(test_spacecraft),  cmocka_unit_test(test_potential_by_expression),
        cmocka_unit_test(test_drag),        cmocka_unit_test(test_time),
        cmocka_unit_test(test_names),       cmocka_unit_test(test_resume),
        cmocka_unit_test(test_refused),     cmocka_unit_test(test_no_force),
        cmocka_unit_test(test_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
