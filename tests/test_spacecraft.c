/* test_spacecraft.c - the problem spacecraft: against an independent integration over a day,
 * known frequencies of libration, the stability of a gyrostat; its orbit, its tables. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <jansson.h>

#include "base/random.h"
#include "integrators/field.h"
#include "integrators/lanes.h"
#include "integrators/orbit.h"
#include "integrators/table.h"
#include "polhode/system.h"
#include "system/find.h"
#include "system/run_body.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static ph_problem spacecraft(void)
{
    return *find_problem("spacecraft");
}

static void set3(ph_problem *p, const char *name, ph_vec3 v)
{
    double *to = &p->value[ph_problem_parameter(p, name)->first];
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
    p->prepare(p);
}

static void set(ph_problem *p, const char *name, double x)
{
    p->value[ph_problem_parameter(p, name)->first] = x;
    p->prepare(p);
}

static ph_system *system_of(const ph_problem *p, const char *method, double h)
{
    ph_integrator i;
    ph_system *s;
    assert_int_equal(PH_OK, ph_integrator_named(method, &i));
    assert_int_equal(PH_OK, ph_system_from_problem(p, &i, NULL, h, 0, &s));
    return s;
}

static ph_quat field4(ph_system *s, const char *name)
{
    const ph_array *f;
    assert_int_equal(PH_OK, ph_system_array_named(s, name, &f));
    return (ph_quat){*f->data[0], *f->data[1], *f->data[2], *f->data[3]};
}

/* ---- an independent integration: tests/vectors/spacecraft.py ----------------------- */

static double number_at(const json_t *array, size_t i)
{
    return json_number_value(json_is_array(array) ? json_array_get(array, i) : array);
}

static void read_table(ph_problem *p, const json_t *of, const char *name)
{
    const json_t *rows = json_object_get(of, name);
    const size_t n = json_array_size(rows);
    double *x = calloc(4 * n + 1, sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < 4 * n; i++)
        x[i] = number_at(json_array_get(rows, i / 4), i % 4);
    if (n > 0)
        assert_int_equal(PH_OK, ph_problem_set_table(p, name, x, n));
    free(x);
}

static ph_problem problem_of(const json_t *of)
{
    ph_problem p = spacecraft();
    const json_t *tensor = json_object_get(of, "tensor"), *q = json_object_get(of, "attitude"),
                 *w = json_object_get(of, "velocity");
    const char *name;
    json_t *value;
    ph_mat3 T;
    json_object_foreach(json_object_get(of, "parameters"), name, value)
    {
        const ph_parameter *a = ph_problem_parameter(&p, name);
        assert_non_null(a);
        for (int k = 0; k < a->count; k++)
            p.value[a->first + k] = number_at(value, (size_t)k);
    }
    p.prepare(&p);
    for (size_t i = 0; i < 9; i++)
        T.a[i / 3][i % 3] = number_at(json_array_get(tensor, i / 3), i % 3);
    assert_int_equal(PH_OK, ph_body_from_tensor(&p.body, T));
    p.q =
        ph_quat_unit((ph_quat){number_at(q, 0), number_at(q, 1), number_at(q, 2), number_at(q, 3)});
    p.w = vec3(number_at(w, 0), number_at(w, 1), number_at(w, 2));
    read_table(&p, of, "wheels_table");
    read_table(&p, of, "torque_table");
    return p;
}

static void check_state(ph_system *s, const json_t *right, const char *name)
{
    /* A day on the eccentric orbit is chaotic: one unit in the last place of the start moves
     * its end by 2e-8. */
    const double tolerance =
        strcmp(name, "eccentric") == 0 && ph_system_time(s) > 8e4 ? 1e-7 : 1e-9;
    const json_t *R = json_object_get(right, "matrix"), *m = json_object_get(right, "momentum"),
                 *r = json_object_get(right, "place");
    const ph_state state = ph_system_state(s);
    const ph_mat3 here = ph_quat_matrix(state.q), orbit = ph_quat_matrix(field4(s, "orbit_frame"));
    const ph_vec3 M = vec3(number_at(m, 0), number_at(m, 1), number_at(m, 2)),
                  place = vec3(number_at(r, 0), number_at(r, 1), number_at(r, 2));
    double off = norm(sub(state.m, M)) / norm(M);
    for (size_t i = 0; i < 9; i++)
        off = larger_or_nan(off, fabs(here.a[i / 3][i % 3] - number_at(R, i)));
    if (!(off <= tolerance))
        fail_msg("%s: off by %g at t = %g", name, off, ph_system_time(s));
    /* z of the orbital frame points to the Earth */
    const ph_vec3 down = vec3(orbit.a[0][2], orbit.a[1][2], orbit.a[2][2]);
    assert_true(norm(add(down, scale(1 / norm(place), place))) <= 1e-12);
}

static void test_reference(void **state)
{
    (void)state;
    json_t *cases = json_load_file(TEST_DATA "/spacecraft.json", 0, NULL);
    size_t i, k;
    json_t *of, *right;
    assert_true(json_array_size(cases) >= 3);
    json_array_foreach(cases, i, of)
    {
        const char *name = json_string_value(json_object_get(of, "name"));
        ph_problem p = problem_of(of);
        const bool moving = p.internal != NULL || p.velocity_dependent;
        ph_system *s = system_of(&p, moving ? "mkrk_gl6" : "s6_10+exact", 10.0);
        assert_int_equal(moving, strcmp(name, "gyrostat") == 0);
        json_array_foreach(json_object_get(of, "states"), k, right)
        {
            const double t = json_number_value(json_object_get(right, "time"));
            assert_int_equal(PH_OK, ph_system_run_until(s, t, NULL));
            check_state(s, right, name);
        }
        assert_int_equal(2, k);
        ph_system_destroy(s);
        ph_problem_release(&p);
    }
    json_decref(cases);
}

/* ---- the orbit --------------------------------------------------------------------- */

/* The orbital frame: z down, y against the normal; continuous over turns, also where the
 * orbit is long. */
static void test_frame(void **state)
{
    (void)state;
    ph_problem p = spacecraft();
    set(&p, "eccentricity", 0.95);
    set(&p, "inclination", 1.1);
    set(&p, "node", -0.7);
    set(&p, "perigee", 2.3);
    const ph_vec3 normal = rotate(
        mul(ph_rotation_exp(vec3(0, 0, -0.7)), ph_rotation_exp(vec3(1.1, 0, 0))), vec3(0, 0, 1));
    const double period = 2 * PH_PI / 0.00107800761287250598;
    ph_quat before = p.frame(&p, 0.0);
    for (int i = 1; i <= 3000; i++) {
        const ph_quat q = p.frame(&p, i * period / 1000);
        assert_true(fabs(unit_defect(q)) < 1e-14);
        assert_true(norm(add(rotate(q, vec3(0, 1, 0)), normal)) < 1e-14);
        assert_true(dot4(before, q) > 0.9);
        before = q;
    }
    const ph_quat first = p.frame(&p, 0.0), third = p.frame(&p, 3 * period);
    assert_true(fabs(dot4(first, third) + 1) < 1e-12); /* three turns: minus */
    const ph_vec3 perigee =
        rotate(mul(mul(ph_rotation_exp(vec3(0, 0, -0.7)), ph_rotation_exp(vec3(1.1, 0, 0))),
                   ph_rotation_exp(vec3(0, 0, 2.3))),
               vec3(1, 0, 0));
    assert_true(norm(add(rotate(first, vec3(0, 0, 1)), perigee)) < 1e-14);
    /* forward at the perigee and before the apogee */
    assert_true(dot(rotate(first, vec3(1, 0, 0)), cross(normal, perigee)) > 1 - 1e-14);
}

/* Kepler's equation holds for the place that the frame says, for orbits up to nearly parabolic ones. */
static void test_kepler(void **state)
{
    (void)state;
    const double n = 0.00107800761287250598, u = 0x1p-53,
                 eccentricity[] = {0.0, 0.001, 0.02, 0.24, 0.3, 0.7, 0.99, 0.9999, 1 - 1e-8};
    uint64_t seed = 3;
    for (size_t k = 0; k < COUNT(eccentricity); k++) {
        const double e = eccentricity[k], side = sqrt((1 - e) * (1 + e));
        ph_problem p = spacecraft();
        set(&p, "eccentricity", e);
        for (int i = 0; i < 300; i++) {
            const double share = uniform(&seed), by = i % 2 == 0 ? 1.0 : pow(share, 8),
                         M = PH_PI * share * by;
            const ph_vec3 out = scale(-1.0, rotate(p.frame(&p, M / n), vec3(0, 0, 1)));
            const double E = atan2(side * out.y, e + out.x), slope = 1 - e * cos(E),
                         error = fabs(E - e * sin(E) - M);
            if (!(error <= 16 * u * (M + E + slope * slope / (side * side))))
                fail_msg("e = %.17g, M = %.17g: off by %g u", e, M, error / u);
        }
    }
}

/* On a circular orbit the motion conserves E - n L, L the momentum along the normal. */
static void test_jacobi_integral(void **state)
{
    (void)state;
    ph_problem p = spacecraft();
    p.q = ph_rotation_exp(vec3(0.3, -0.2, 0.5));
    ph_system *s = system_of(&p, "s6_10+exact", 10.0);
    const double n = 0.00107800761287250598;
    double first = 0, most = 0;
    for (int i = 0; i <= 864; i++) {
        const ph_state now = ph_system_state(s);
        const double integral = ph_system_energy(s) - n * ph_state_space_momentum(&now).z;
        first = i == 0 ? integral : first;
        most = larger_or_nan(most, fabs(integral / first - 1));
        assert_int_equal(PH_OK, ph_system_run(s, 10, NULL));
    }
    ph_system_destroy(s);
    assert_true(most < 1e-11);
}

/* ---- libration --------------------------------------------------------------------- */

/* A body at rest in the orbital frame but for a small turn, x forward, y against the normal. */
static ph_problem librating(ph_vec3 J, ph_vec3 turn)
{
    ph_problem p = spacecraft();
    const double a = p.value[SEMI_MAJOR_AXIS], n = sqrt(p.value[MU] / a) / a;
    assert_int_equal(PH_OK, ph_body_from_moments(&p.body, J));
    p.q = mul(p.frame(&p, 0.0), ph_rotation_exp(turn));
    p.w = rotate(inverse(ph_rotation_exp(turn)), vec3(0, -n, 0));
    return p;
}

/* The attitude relative to the orbital frame, as a small turn. */
static ph_vec3 turn_of(ph_system *s)
{
    return ph_rotation_log(mul(inverse(field4(s, "orbit_frame")), ph_system_state(s).q));
}

/* The pitch of a body with roll, pitch and yaw moments A > C: n sqrt(3 (A - C)/B) (H86 9.3). */
static void test_pitch(void **state)
{
    (void)state;
    const ph_vec3 J = {100, 120, 60};
    const double angle = 1e-5, h = 1.0, n = 0.00107800761287250598,
                 right = n * sqrt(3 * (J.x - J.z) / J.y);
    ph_problem p = librating(J, vec3(0, angle, 0));
    ph_system *s = system_of(&p, "s6_10+exact", h);
    double before = angle, crossing[2] = {0, 0};
    int found = 0;
    while (found < 2) {
        assert_int_equal(PH_OK, ph_system_run(s, 1, NULL));
        const double now = turn_of(s).y;
        if ((now < 0) != (before < 0))
            crossing[found++] = ph_system_time(s) - h * now / (now - before);
        before = now;
        assert_true(ph_system_time(s) < 20000);
    }
    ph_system_destroy(s);
    const double measured = PH_PI / (crossing[1] - crossing[0]);
    assert_true(fabs(measured / right - 1) < 1e-7);
    assert_true(fabs(crossing[0] * right / (PH_PI / 2) - 1) < 1e-7);
}

/* Roll and yaw: frequencies k n with k^4 - (1 + 3 s + s y) k^2 + 4 s y = 0, s = (B - C)/A,
 * y = (B - A)/C (H86 9.3). The motion is the sum of two of these: what it is after a time,
 * from four of its values before. */
static void test_roll_yaw(void **state)
{
    (void)state;
    const ph_vec3 J = {100, 120, 60};
    const double n = 0.00107800761287250598, s = (J.y - J.z) / J.x, y = (J.y - J.x) / J.z,
                 b = 1 + 3 * s + s * y, root = sqrt(b * b - 16 * s * y),
                 k1 = n * sqrt((b + root) / 2), k2 = n * sqrt((b - root) / 2), tau = 400;
    ph_problem p = librating(J, vec3(2e-6, 0, 1e-6));
    ph_system *system = system_of(&p, "s6_10+exact", 1.0);
    double roll[40];
    for (int i = 0; i < 40; i++) {
        roll[i] = turn_of(system).x;
        assert_int_equal(PH_OK, ph_system_run(system, (uint64_t)tau, NULL));
    }
    ph_system_destroy(system);
    /* x(i+2) + x(i-2) - 2 (c1 + c2) (x(i+1) + x(i-1)) + (2 + 4 c1 c2) x(i) = 0 */
    const double c1 = cos(k1 * tau), c2 = cos(k2 * tau);
    for (int i = 2; i < 38; i++) {
        const double defect = roll[i + 2] + roll[i - 2] -
                              2 * (c1 + c2) * (roll[i + 1] + roll[i - 1]) +
                              (2 + 4 * c1 * c2) * roll[i];
        assert_true(fabs(defect) < 1e-11); /* 5e-6 of the amplitude; it is of second order */
    }
}

/* ---- wheels ------------------------------------------------------------------------ */

/* How far a rotation about the middle axis with a wheel along it wanders. */
static double wandering(double wheel)
{
    ph_problem p = spacecraft();
    set(&p, "gravity_gradient", 0);
    if (wheel != 0)
        set3(&p, "wheels", vec3(0, wheel, 0));
    p.w = vec3(1e-7, 0.01, 1e-7);
    ph_system *s = system_of(&p, "mkrk_gl6", 1.0);
    double most = 0;
    for (int i = 0; i < 400; i++) {
        const ph_array *w;
        assert_int_equal(PH_OK, ph_system_run(s, 10, NULL));
        assert_int_equal(PH_OK, ph_system_array_named(s, "velocity", &w));
        most = larger_or_nan(most, hypot(*w->data[0], *w->data[2]));
    }
    ph_system_destroy(s);
    return most;
}

/* Small motions about the middle axis grow or oscillate with the sign of
 * (H + (B - A) w)(H + (B - C) w) (H86 6.4): a wheel of more than (A - B) w steadies it. */
static void test_gyrostat(void **state)
{
    (void)state;
    const double threshold = (120.5 - 98.3) * 0.01;
    assert_true(wandering(0.0) > 1e-3);
    assert_true(wandering(0.9 * threshold) > 1e-5);
    assert_true(wandering(1.1 * threshold) < 2e-6);
    assert_true(wandering(3.0 * threshold) < 1e-6);
    assert_true(wandering(-0.5 * threshold) > 1e-5);
    assert_true(wandering(-1.5 * threshold) < 2e-6);
}

/* With wheels or damping schemes do not apply; without them, all do. */
static void test_applies(void **state)
{
    (void)state;
    ph_integrator scheme, flow;
    assert_int_equal(PH_OK, ph_integrator_named("verlet+exact", &scheme));
    assert_int_equal(PH_OK, ph_integrator_named("exact", &flow));
    const double row[] = {0, 0.1, 0, 0};
    ph_problem p = spacecraft();
    assert_int_equal(PH_OK, ph_integrator_applies(&scheme, &p));
    assert_int_equal(PH_NOT_APPLICABLE, ph_integrator_applies(&flow, &p));
    set(&p, "damping", 1e-3);
    assert_int_equal(PH_NOT_APPLICABLE, ph_integrator_applies(&scheme, &p));
    set(&p, "damping", 0);
    assert_int_equal(PH_OK, ph_integrator_applies(&scheme, &p));
    set3(&p, "wheels", vec3(0, 0, 1));
    assert_int_equal(PH_NOT_APPLICABLE, ph_integrator_applies(&scheme, &p));
    set3(&p, "wheels", vec3(0, 0, 0));
    assert_int_equal(PH_OK, ph_problem_set_table(&p, "torque_table", row, 1));
    assert_int_equal(PH_OK, ph_integrator_applies(&scheme, &p));
    assert_int_equal(PH_OK, ph_problem_set_table(&p, "wheels_table", row, 1));
    assert_int_equal(PH_NOT_APPLICABLE, ph_integrator_applies(&scheme, &p));
    assert_int_equal(PH_OK, ph_problem_set_table(&p, "wheels_table", NULL, 0));
    assert_int_equal(PH_OK, ph_integrator_applies(&scheme, &p));
    ph_problem_release(&p);
}

/* ---- tables ------------------------------------------------------------------------ */

static void test_tables(void **state)
{
    (void)state;
    static const double rows[] = {1, 10, 0, 0, 2, 20, 1, 0, 4, 0, 1, 8};
    static const struct {
        double t;
        ph_vec3 v;
    } right[] = {
        {-5, {10, 0, 0}}, {1, {10, 0, 0}}, {1.25, {12.5, 0.25, 0}}, {2, {20, 1, 0}},
        {3, {10, 1, 4}},  {4, {0, 1, 8}},  {3.5, {5, 1, 6}},        {99, {0, 1, 8}},
    };
    ph_problem p = spacecraft();
    assert_true(norm(ph_table_at(&p, 0, 1.0)) == 0);
    for (int table = 0; table < 2; table++) {
        const double one[] = {0, 7, 8, 9};
        assert_int_equal(PH_OK, ph_problem_set_table(&p, p.tables[table].name, rows, 3));
        for (size_t i = 0; i < COUNT(right); i++)
            assert_true(norm(sub(ph_table_at(&p, table, right[i].t), right[i].v)) < 1e-14);
        assert_int_equal(PH_OK, ph_problem_set_table(&p, p.tables[table].name, one, 1));
        assert_true(norm(sub(ph_table_at(&p, table, 5.0), vec3(7, 8, 9))) == 0);
    }
    static const double back[] = {1, 0, 0, 0, 1, 0, 0, 0}, bad[] = {0, 1, NAN, 0};
    assert_int_equal(PH_BAD_PARAMETER, ph_problem_set_table(&p, "wheels_table", back, 2));
    assert_int_equal(PH_BAD_PARAMETER, ph_problem_set_table(&p, "wheels_table", bad, 1));
    assert_int_equal(PH_UNKNOWN_NAME, ph_problem_set_table(&p, "wheel_table", rows, 3));
    assert_int_equal(PH_NULL_ARGUMENT, ph_problem_set_table(&p, "wheels_table", NULL, 1));
    assert_true(norm(sub(ph_table_at(&p, 0, 5.0), vec3(7, 8, 9))) == 0);
    ph_problem_release(&p);
}

/* Data that are no tables are refused, as a snapshot might have them. */
static void test_bad_data(void **state)
{
    (void)state;
    static const double none[] = {0, 0}, few[] = {0}, more[] = {0, 0, 0, 0, 0}, part[] = {0.5, 0},
                        many[] = {2, 0, 0, 0, 0, 0}, minus[] = {-1, 0}, nan_[] = {NAN, 0},
                        cut[] = {1, 0, 0, 0}, whole[] = {1, 0, 0, 0, 0, 0};
    const struct {
        const double *data;
        size_t count;
        ph_status right;
    } cases[] = {{none, 2, PH_OK},
                 {few, 1, PH_OK}, /* as an older version has it */
                 {more, 5, PH_BAD_PARAMETER},
                 {part, 2, PH_BAD_PARAMETER},
                 {many, 6, PH_BAD_PARAMETER},
                 {minus, 2, PH_BAD_PARAMETER},
                 {nan_, 2, PH_BAD_PARAMETER},
                 {cut, 4, PH_BAD_PARAMETER},
                 {whole, 6, PH_OK}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        ph_problem p = spacecraft();
        p.data = cases[i].data;
        p.data_count = cases[i].count;
        assert_int_equal(cases[i].right, p.load(&p));
    }
}

/* A snapshot has the tables. */
static void test_snapshot(void **state)
{
    (void)state;
    static const double rows[] = {0, 0.1, 0, 0, 100, 0, 0.2, 0};
    ph_problem p = spacecraft();
    assert_int_equal(PH_OK, ph_problem_set_table(&p, "wheels_table", rows, 2));
    assert_int_equal(PH_OK, ph_problem_set_table(&p, "torque_table", rows, 1));
    ph_system *s = system_of(&p, "mkrk_rk4", 1.0), *again;
    ph_problem_release(&p);
    assert_int_equal(PH_OK, ph_system_run(s, 50, NULL));
    const size_t size = ph_system_save(s, NULL, 0);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(size, ph_system_save(s, bytes, size));
    assert_int_equal(PH_OK, ph_system_from_snapshot(bytes, size, &again));
    assert_int_equal(PH_OK, ph_system_run(s, 100, NULL));
    assert_int_equal(PH_OK, ph_system_run(again, 100, NULL));
    const ph_state a = ph_system_state(s), b = ph_system_state(again);
    assert_memory_equal(&a, &b, sizeof a);
    ph_system_destroy(s);
    ph_system_destroy(again);
    free(bytes);
}

/* The derivative of all torques that depend on the attitude, by differences. */
static void test_derivative(void **state)
{
    (void)state;
    const double d = 1e-5;
    ph_problem p = spacecraft();
    set3(&p, "torque_space", vec3(3e-4, -2e-4, 1e-4));
    set3(&p, "dipole", vec3(10, -20, 30));
    set3(&p, "torque", vec3(1, 2, 3));
    const ph_quat q = ph_rotation_exp(vec3(0.4, 1.1, -0.3));
    const ph_instant now = instant_at(500, q);
    const ph_mat3 D = p.derivative(&p, &now);
    for (int k = 0; k < 3; k++) {
        const ph_quat turn = ph_rotation_exp(scale(d, axis(k)));
        const ph_instant ahead = instant_at(500, mul(q, turn)),
                         behind = instant_at(500, mul(q, inverse(turn)));
        const ph_vec3 change = scale(0.5 / d, sub(p.torque(&p, &ahead), p.torque(&p, &behind)));
        assert_true(norm(sub(change, vec3(D.a[0][k], D.a[1][k], D.a[2][k]))) < 1e-10);
    }
}

/* The end of an orbit to a tolerance next to round-off. */
static ph_state end_by(const char *name, const ph_problem *p, double *evaluations)
{
    const ph_adaptive *method;
    ph_adaptive_run r;
    assert_int_equal(PH_OK, ph_adaptive_named(name, &method));
    assert_int_equal(PH_OK, ph_adaptive_prepare(&r, method, p, NULL, 0.0, 1e-13));
    assert_int_equal(PH_OK, ph_adaptive_advance(&r, 6000.0));
    *evaluations = (double)r.now.evaluations / (double)r.now.steps;
    return ph_adaptive_state(&r);
}

/* Wheels and damping, which gbs has in its free motion, against dop853; and torques are taken
 * at even points, 30 in a step, not at all 58. */
static void test_wheels_and_damping_in_lanes(void **state)
{
    (void)state;
    static const double rows[] = {0, 0.1, 0, 0, 3000, 0.5, 0.2, -0.1};
    for (unsigned which = 1; which < 8; which++) {
        ph_problem p = spacecraft();
        double ours, theirs;
        set3(&p, "dipole", vec3(10, -20, 30));
        set(&p, "damping", which & 1 ? 0.02 : 0.0);
        set3(&p, "wheels", which & 2 ? vec3(0.2, -0.4, 0.3) : vec3(0, 0, 0));
        if (which & 4)
            assert_int_equal(PH_OK, ph_problem_set_table(&p, "wheels_table", rows, 2));
        const ph_state a = end_by("gbs", &p, &ours), b = end_by("dop853", &p, &theirs);
        const ph_quat apart = mul(inverse(a.q), b.q);
        /* The table has a corner, where the error depends on how far from it the steps end: 3e-9 by
         * steps of equal length, 1e-9 by others. */
        const double allowed = which & 4 ? 1e-8 : 1e-11;
        assert_true(norm(sub(a.m, b.m)) < allowed * norm(b.m));
        assert_true(norm(vec(apart)) < allowed);
        assert_true(ours < 40.0);
        ph_problem_release(&p);
    }
}

/* ---- one body in each lane ---------------------------------------------------------- */

/* At half turns, where the next double is a whole turn less, the torque in lanes has the bits of
 * that of one body. */
static void test_lanes_at_half_turns(void **state)
{
    (void)state;
    enum { TURNS = 400, NEXT = 2 };
    ph_problem p = spacecraft();
    set(&p, "eccentricity", 0.3);
    set3(&p, "dipole", vec3(1.0, -2.0, 0.5));
    const ph_quat q = ph_rotation_exp(vec3(0.4, -0.3, 0.2));
    const ph_instant now = instant_at(0.0, q);
    torque_each_kernel *each = ph_each_of(&p);
    assert_non_null(each);
    static lane_problems all;
    static lane_instants at;
    all = (lane_problems){.like = &p};
    at = (lane_instants){.t = {0}};
    for (int turn = -TURNS; turn < TURNS; turn++) {
        double x = (2 * turn + 1) * PH_PI;
        for (int k = 0; k < NEXT; k++)
            x = nextafter(x, -INFINITY);
        for (int lane = 0; lane < PH_LANES; lane++, x = nextafter(x, INFINITY)) {
            set(&p, "anomaly", x);
            for (int k = 0; k < PH_PARAMETER_VALUES; k++)
                all.value[k][lane] = p.value[k];
            const double J[] = {p.body.J.x, p.body.J.y, p.body.J.z},
                         a[] = {p.body.axes.w, p.body.axes.x, p.body.axes.y, p.body.axes.z},
                         of_q[] = {q.w, q.x, q.y, q.z};
            for (int k = 0; k < 4; k++) {
                all.axes[k][lane] = a[k];
                at.q[k][lane] = of_q[k];
                if (k < 3)
                    all.J[k][lane] = J[k];
            }
        }
        all.is_derived = false;
        each(&all, &at);
        assert_true(all.is_derived);
        for (int lane = 0; lane < PH_LANES; lane++) {
            p.value[ph_problem_parameter(&p, "anomaly")->first] =
                all.value[ph_problem_parameter(&p, "anomaly")->first][lane];
            const ph_vec3 one = p.torque(&p, &now),
                          of_lane = {at.torque[0][lane], at.torque[1][lane], at.torque[2][lane]};
            assert_memory_equal(&one, &of_lane, sizeof one);
        }
    }
}

/* Tables of any number of rows act in lanes as on one body. */
static void test_tables_in_lanes(void **state)
{
    (void)state;
    static const double rows[] = {-50, 1e-3, -2e-3, 3e-3, 10, -1e-3, 4e-3, 2e-3, 90, 0, 1e-3, 0};
    double t[PH_LANES], q[4][PH_LANES], torque[3][PH_LANES];
    for (size_t count = 0; count <= 3; count++) {
        ph_problem p = spacecraft();
        uint64_t seed = 4;
        set3(&p, "dipole", vec3(10, -20, 30));
        for (int k = 0; k < p.table_count; k++)
            assert_int_equal(PH_OK, ph_problem_set_table(&p, p.tables[k].name, rows, count));
        for (int i = 0; i < PH_LANES; i++) {
            t[i] = between(&seed, -100, 100);
            for (int k = 0; k < 4; k++)
                q[k][i] = (k + i) % 4 == 0 ? 0.8 : i % 2 == k % 2 ? 0.6 : 0.0;
        }
        for (int i = 0; i < PH_LANES; i++) {
            const ph_quat unit = ph_quat_unit((ph_quat){q[0][i], q[1][i], q[2][i], q[3][i]});
            q[0][i] = unit.w, q[1][i] = unit.x, q[2][i] = unit.y, q[3][i] = unit.z;
        }
        ph_torque_lanes(&p, 0, PH_LANES, t, (const double(*)[PH_LANES])q, torque);
        for (int i = 0; i < PH_LANES; i++) {
            const ph_vec3 one = torque_at(&p, t[i], (ph_quat){q[0][i], q[1][i], q[2][i], q[3][i]});
            assert_true(one.x == torque[0][i] && one.y == torque[1][i] && one.z == torque[2][i]);
        }
        assert_int_equal(count > 0, p.internal != NULL);
        ph_problem_release(&p);
    }
}

static ph_vec3 other_torque(const ph_problem *p, const ph_instant *now)
{
    (void)p;
    return vec3(now->t, 0, 0);
}

/* A problem whose torque was replaced has no kernel of its own. */
static void test_no_lanes(void **state)
{
    (void)state;
    ph_problem p = spacecraft();
    p.torque = find_problem("heavy_top")->torque;
    assert_true(ph_each_of(&p) == ph_each_of(find_problem("heavy_top")));
    p.torque = other_torque;
    assert_null(ph_each_of(&p));
    assert_null(ph_lanes_of(&p));
    assert_null(ph_columns_of(&p));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_kepler),
        cmocka_unit_test(test_frame),
        cmocka_unit_test(test_jacobi_integral),
        cmocka_unit_test(test_pitch),
        cmocka_unit_test(test_roll_yaw),
        cmocka_unit_test(test_gyrostat),
        cmocka_unit_test(test_applies),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_bad_data),
        cmocka_unit_test(test_snapshot),
        cmocka_unit_test(test_derivative),
        cmocka_unit_test(test_wheels_and_damping_in_lanes),
        cmocka_unit_test(test_lanes_at_half_turns),
        cmocka_unit_test(test_tables_in_lanes),
        cmocka_unit_test(test_no_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
