/* test_cli_grade.c - polhode grade: the cases, Polhode's own motions on them, mistakes that are
 * planted into results, programs that cheat, and files that it refuses. */
/* Needs lab. */
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
#include "motion/vec.h"
#include "polhode/elliptic.h"
#include "support/random.h"
#include "support/run_tool.h"

static const char all_cases[] = TEST_DATA "/../../conformance/cases.csv";
#define HEADER "case,t,q0,q1,q2,q3,w1,w2,w3\n"

static json_t *grade_text(const char *text, const char *name, int status)
{
    tool_run run = RUN_WITH(text, "grade", "-", "--json", "--case", name);
    assert_int_equal(run.status, status);
    assert_string_equal(run.error, "");
    json_t *json = parse_json(run.out);
    tool_run_free(&run);
    return json;
}

static json_t *load_case(const char *name)
{
    tool_run run = RUN("grade", "--case", name, "--json");
    assert_done(&run);
    json_t *json = parse_json(run.out);
    tool_run_free(&run);
    return json;
}

/* The recorded states are their own results: all pass, next to round-off. */
static void test_all(void **state)
{
    (void)state;
    tool_run run = RUN("grade", all_cases, "--json"), list = RUN("grade", "--list", "--json");
    const json_t *grade;
    const char *name;
    assert_done(&run);
    json_t *json = parse_json(run.out), *cases = parse_json(list.out);
    assert_true(json_array_size(cases) >= 60);
    assert_int_equal(json_at(json, "of", 0), json_array_size(cases));
    assert_int_equal(json_at(json, "passed", 0), json_array_size(cases));
    json_object_foreach(json_object_get(json, "cases"), name, grade)
    {
        assert_true(json_at(grade, "attitude_error", 0) < 1e-15);
        assert_true(json_at(grade, "energy_error", 0) < 1e-15);
        assert_true(json_at(grade, "momentum_error", 0) < 1e-15);
        assert_true(json_is_null(json_object_get(grade, "looks_like")));
    }
    json_decref(json);
    json_decref(cases);
    tool_run_free(&run);
    tool_run_free(&list);
}

/* ---- motions of ours ------------------------------------------------------------------ */

typedef struct row {
    ph_quat q;
    ph_vec3 w;
} row;

static row row_of(const json_t *s)
{
    return (row){{json_at(s, "attitude", 0), json_at(s, "attitude", 1), json_at(s, "attitude", 2),
                  json_at(s, "attitude", 3)},
                 {json_at(s, "velocity", 0), json_at(s, "velocity", 1), json_at(s, "velocity", 2)}};
}

/* Results of one case: `make` changes each state, or replaces it. */
typedef row maker(row exact, const json_t *json, size_t i);
static char *results_of(const json_t *json, maker *make, double h)
{
    const json_t *states = json_object_get(json, "states");
    const char *name = json_string_value(json_object_get(json, "name"));
    const size_t room = 1 << 16;
    char *text = malloc(room);
    size_t used = (size_t)snprintf(text, room, "# by a test\n%s",
                                   h != 0.0 ? "case,t,q0,q1,q2,q3,w1,w2,w3,h\n" : HEADER);
    for (size_t i = 0; i < json_array_size(states); i++) {
        const row r = make(row_of(json_array_get(states, i)), json, i);
        used += (size_t)snprintf(
            text + used, room - used, "%s,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g", name,
            json_at(json, "times", i), r.q.w, r.q.x, r.q.y, r.q.z, r.w.x, r.w.y, r.w.z);
        used += (size_t)(h != 0.0 ? snprintf(text + used, room - used, ",%.17g\n", h)
                                  : snprintf(text + used, room - used, "\n"));
    }
    return text;
}

static ph_vec3 inertia_of(const json_t *json)
{
    return vec3(json_at(json, "inertia", 0), json_at(json, "inertia", 1),
                json_at(json, "inertia", 2));
}

/* The exact motion of a body with these moments from the start of the case. */
static row moved(const json_t *json, ph_vec3 J, double t)
{
    const row start = row_of(json);
    const ph_state s = expected(J, (ph_state){of_unit_length(start.q), times(J, start.w)}, t);
    return (row){s.q, vec3(s.m.x / J.x, s.m.y / J.y, s.m.z / J.z)};
}

static row ours(row exact, const json_t *json, size_t i)
{
    (void)exact;
    return moved(json, inertia_of(json), json_at(json, "times", i));
}

/* Of every free body by moments: to the digits that its condition allows. */
static void test_exact(void **state)
{
    (void)state;
    tool_run list = RUN("grade", "--list", "--json");
    json_t *cases = parse_json(list.out);
    const json_t *of;
    size_t i, general = 0;
    json_array_foreach(cases, i, of)
    {
        const char *name = json_string_value(json_object_get(of, "name"));
        if (!json_is_null(json_object_get(of, "torque")) || json_object_get(of, "inertia") == NULL)
            continue;
        general += json_at(of, "attitude", 1) != 0.0;
        json_t *json = load_case(name);
        char *text = results_of(json, ours, 0.0);
        json_t *graded = grade_text(text, name, 0);
        const json_t *grade = json_object_get(json_object_get(graded, "cases"), name);
        assert_true(json_at(grade, "attitude_error", 0) <=
                    8.0 * 0x1p-52 * json_at(of, "condition", 0));
        json_decref(graded);
        free(text);
        json_decref(json);
    }
    assert_true(general >= 15);
    json_decref(cases);
    tool_run_free(&list);
}

/* ---- solutions in closed form ---------------------------------------------------------- */

/* A top that precesses by 1 rad/s: its axis goes round on a circle. The input is rounded. */
static void test_precession(void **state)
{
    (void)state;
    json_t *json = load_case("regular_precession");
    const ph_vec3 axis = {0.0, 0.0, 1.0}, start = rotate(of_unit_length(row_of(json).q), axis);
    for (size_t i = 0; i < 10; i++) {
        const double t = json_at(json, "times", i);
        const row r = row_of(json_array_get(json_object_get(json, "states"), i));
        const ph_vec3 expected_axis = rotate(turn_about(axis, 0.5 * t), start);
        assert_true(norm(sub(rotate(r.q, axis), expected_axis)) < 1e-13);
    }
    json_decref(json);
}

/* Released at rest relative to the orbit: theta'' = -(w0^2/2) sin(2 theta), so that sin(theta) =
 * k sn(K + w0 t), k = sin(theta(0)) and w0^2 = 3 rate^2 (J2 - J1)/J3. */
static void test_pendulum(void **state)
{
    (void)state;
    json_t *json = load_case("gravity_gradient_pendulum");
    const ph_quat q = of_unit_length(row_of(json).q);
    const ph_vec3 J = inertia_of(json);
    const double rate =
        json_at(json_object_get(json_object_get(json, "torque"), "parameters"), "rate", 0);
    const double w0 = rate * sqrt(3.0 * (J.y - J.x) / J.z), k = 2.0 * q.w * q.z;
    for (size_t i = 0; i < 10; i++) {
        const double t = json_at(json, "times", i);
        const row r = row_of(json_array_get(json_object_get(json, "states"), i));
        const ph_quat relative = mul(turn_about(vec3(0.0, 0.0, 1.0), -0.5 * rate * t), r.q);
        const ph_sncndn f = ph_jacobi_sncndn(w0 * t, k * k);
        assert_true(fabs(2.0 * relative.w * relative.z - k * f.cn / f.dn) < 1e-13);
        assert_true(r.q.x == 0.0 && r.q.y == 0.0);
    }
    json_decref(json);
}

/* ---- planted mistakes ------------------------------------------------------------------ */

static row transposed(row r, const json_t *json, size_t i)
{
    (void)json, (void)i;
    return (row){inverse(r.q), r.w};
}

static row scalar_last(row r, const json_t *json, size_t i)
{
    (void)json, (void)i;
    return (row){{r.q.x, r.q.y, r.q.z, r.q.w}, r.w};
}

static row space_velocity(row r, const json_t *json, size_t i)
{
    (void)json, (void)i;
    return (row){r.q, rotate(r.q, r.w)};
}

static row misread_velocity(row r, const json_t *json, size_t i)
{
    const row start = row_of(json);
    const ph_vec3 J = inertia_of(json), w = rotate_back(of_unit_length(start.q), start.w);
    const ph_state s =
        expected(J, (ph_state){of_unit_length(start.q), times(J, w)}, json_at(json, "times", i));
    (void)r;
    return (row){s.q, vec3(s.m.x / J.x, s.m.y / J.y, s.m.z / J.z)};
}

/* The velocity stays: the motion of a sphere. */
static row no_gyroscopic_term(row r, const json_t *json, size_t i)
{
    (void)r;
    return moved(json, vec3(1.0, 1.0, 1.0), json_at(json, "times", i));
}

static row mirrored(row r, const json_t *json, size_t i)
{
    (void)json, (void)i;
    return (row){{r.q.w, -r.q.x, -r.q.y, r.q.z}, {-r.w.x, -r.w.y, r.w.z}};
}

static row reversed(row r, const json_t *json, size_t i)
{
    (void)json, (void)i;
    return (row){inverse(r.q), scale(-1.0, r.w)};
}

/* A wrong sign in m' = m x w: Euler's equations backward in time. By small steps of fourth
 * order, Runge and Kutta's, for w and q. */
static void wrong_slope(const double y[7], const double J[3], double d[7])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        d[4 + i] = (J[k] - J[j]) / J[i] * y[4 + j] * y[4 + k];
        d[1 + i] = 0.5 * (y[0] * y[4 + i] + y[1 + j] * y[4 + k] - y[1 + k] * y[4 + j]);
    }
    d[0] = -0.5 * (y[1] * y[4] + y[2] * y[5] + y[3] * y[6]);
}

static row wrong_sign(row r, const json_t *json, size_t i)
{
    enum { STEPS = 4000 };
    const row start = row_of(json);
    const ph_quat q = of_unit_length(start.q);
    const ph_vec3 moments = inertia_of(json);
    const double J[3] = {moments.x, moments.y, moments.z}, h = json_at(json, "times", i) / STEPS;
    double y[7] = {q.w, q.x, q.y, q.z, start.w.x, start.w.y, start.w.z};
    (void)r;
    for (int n = 0; n < STEPS; n++) {
        static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
        double d[7] = {0.0}, sum[7] = {0.0};
        for (int stage = 0; stage < 4; stage++) {
            double x[7];
            for (int k = 0; k < 7; k++)
                x[k] = y[k] + at[stage] * h * d[k];
            wrong_slope(x, J, d);
            for (int k = 0; k < 7; k++)
                sum[k] += weight[stage] * d[k];
        }
        for (int k = 0; k < 7; k++)
            y[k] += h / 6.0 * sum[k];
    }
    return (row){{y[0], y[1], y[2], y[3]}, {y[4], y[5], y[6]}};
}

static const double HALF = 1.0 / 120.0;

static row half_step(row r, const json_t *json, size_t i)
{
    r.w = moved(json, inertia_of(json), json_at(json, "times", i) - HALF).w;
    return r;
}

static void test_mistakes(void **state)
{
    static const struct planted {
        maker *make;
        const char *name;
        double h;
        int status;
    } planted[] = {
        {transposed, "transposed attitude", 0.0, 1},
        {scalar_last, "scalar last", 0.0, 1},
        {space_velocity, "space velocity", 0.0, 1},
        {misread_velocity, "space velocity", 0.0, 1},
        {no_gyroscopic_term, "no gyroscopic term", 0.0, 1},
        {mirrored, "left handed", 0.0, 1},
        {reversed, "left handed", 0.0, 1},
        {wrong_sign, "left handed", 0.0, 1},
        {half_step, "half step", 0.0, 1},
        {half_step, "half step", 2.0 * HALF, 1},
    };
    static const char *const cases[] = {"brick_turned", "detect_half_step", "plate",
                                        "detect_no_gyroscopic_term", "racket_turned"};
    (void)state;
    for (size_t k = 0; k < COUNT(cases); k++) {
        json_t *json = load_case(cases[k]);
        for (size_t i = 0; i < COUNT(planted); i++) {
            char *text = results_of(json, planted[i].make, planted[i].h);
            json_t *graded = grade_text(text, cases[k], planted[i].status);
            const json_t *grade = json_object_get(json_object_get(graded, "cases"), cases[k]);
            const char *name = json_string_value(json_object_get(grade, "looks_like"));
            assert_non_null(name);
            assert_string_equal(name, planted[i].name);
            json_decref(graded);
            free(text);
        }
        json_decref(json);
    }
    /* a velocity that is off by a whole step is no half step */
    json_t *json = load_case("plate");
    char *text = results_of(json, half_step, HALF);
    json_t *graded = grade_text(text, "plate", 1);
    assert_true(json_is_null(
        json_object_get(json_object_get(json_object_get(graded, "cases"), "plate"), "looks_like")));
    json_decref(graded);
    json_decref(json);
    free(text);
}

/* ---- wrong velocities beside the right attitude ----------------------------------------- */

enum { VELOCITY_MISTAKES = 8 };

/* Returns a velocity with a mistake; `x` are three random numbers between -1 and 1. */
static ph_vec3 wrong_velocity(int mistake, row r, ph_vec3 x)
{
    switch (mistake) {
    case 0:
        return scale(-1.0, r.w);
    case 1:
        return vec3(r.w.y, r.w.z, r.w.x);
    case 2:
        return vec3(r.w.y, r.w.x, r.w.z);
    case 3:
        return rotate(r.q, r.w);
    case 4:
        return rotate_back(r.q, r.w);
    case 5:
        return scale(1.09, r.w);
    case 6: /* another size, by two parts of a thousand at least */
        return scale(1.0 + (x.x < 0.0 ? -1.0 : 1.0) * (0.002 + fabs(x.y)), r.w);
    default: /* an arbitrary rotation */
        x = add(x, vec3(0.0, 0.0, 1e-3));
        return rotate(turn_about(scale(1.0 / norm(x), x), 0.75), r.w);
    }
}

/* Appends the rows of a case with a mistake to a text. Returns the largest error of the velocity. */
static double add_wrong_rows(const json_t *json, int mistake, ph_vec3 x, char *text, size_t room)
{
    const json_t *state;
    double off = 0.0;
    size_t n, used = strlen(text);
    json_array_foreach(json_object_get(json, "states"), n, state)
    {
        const row r = row_of(state);
        const ph_vec3 w = wrong_velocity(mistake, r, x);
        off = larger_or_nan(off, norm(sub(w, r.w)));
        used += (size_t)snprintf(
            text + used, room - used, "%s,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n",
            json_string_value(json_object_get(json, "name")), json_at(json, "times", n), r.q.w,
            r.q.x, r.q.y, r.q.z, w.x, w.y, w.z);
    }
    return off;
}

/* Exactly the cases of this set pass. */
static void check_passed(const char *text, const char *precision, const json_t *right, int mistake)
{
    tool_run run = RUN_WITH(text, "grade", "-", "--json", "--precision", precision);
    json_t *graded = parse_json(run.out);
    const char *name;
    const json_t *grade;
    assert_int_equal(run.status, 1);
    assert_int_equal(json_object_size(json_object_get(graded, "cases")), 70);
    json_object_foreach(json_object_get(graded, "cases"), name, grade)
    {
        const bool passed = json_is_true(json_object_get(grade, "passed"));
        if (passed != (json_object_get(right, name) != NULL))
            fail_msg("%s, mistake %d: velocity off by %g of the largest, passed: %d", name, mistake,
                     json_at(grade, "velocity_error", 0), passed);
    }
    json_decref(graded);
    tool_run_free(&run);
}

/* A wrong velocity fails in each case, whatever the mistake: unless the mistake leaves this motion as it is to
 * within the bound, as a rotation about the axis of the spin does. With the bounds for single precision,
 * which are wider, the velocity that is 1.09 times too large fails as well. */
static void test_wrong_velocities(void **state)
{
    enum { ROOM = 1 << 20 };
    (void)state;
    uint64_t seed = 67;
    tool_run list = RUN("grade", "--list", "--json");
    json_t *cases = parse_json(list.out), *full = json_array(), *of;
    char *text = malloc(ROOM);
    size_t i;
    json_array_foreach(cases, i, of)
    {
        char path[4096];
        (void)snprintf(path, sizeof path, "%s/../../conformance/cases/%s.json", TEST_DATA,
                       json_string_value(json_object_get(of, "name")));
        json_array_append_new(full, json_load_file(path, 0, NULL));
    }
    for (int mistake = 0; mistake < VELOCITY_MISTAKES; mistake++) {
        const size_t most = mistake == 3 || mistake == 4 ? 12 : 6;
        json_t *right = json_object();
        (void)snprintf(text, ROOM, HEADER);
        json_array_foreach(full, i, of)
        {
            const double bound = json_at(of, "velocity_bound", 0);
            const ph_vec3 x = random_vector(&seed, -1.0, 1.0);
            assert_true(bound > 0.0);
            if (add_wrong_rows(of, mistake, x, text, ROOM) <= bound)
                json_object_set_new(right, json_string_value(json_object_get(of, "name")),
                                    json_true());
        }
        assert_true(json_object_size(right) < most);
        check_passed(text, "double", right, mistake);
        if (mistake == 5)
            check_passed(text, "float", right, mistake);
        json_decref(right);
    }
    free(text);
    json_decref(full);
    json_decref(cases);
    tool_run_free(&list);
}

/* The small cases are made for a mistake each. */
static void test_detection(void **state)
{
    static const struct detection {
        const char *name, *looks_like;
        maker *make;
    } detections[] = {
        {"detect_transposed_attitude", "transposed attitude", transposed},
        {"detect_scalar_last", "scalar last", scalar_last},
        {"detect_space_velocity", "space velocity", space_velocity},
        {"detect_no_gyroscopic_term", "no gyroscopic term", no_gyroscopic_term},
        {"detect_left_handed", "left handed", mirrored},
        {"detect_half_step", "half step", half_step},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(detections); i++) {
        json_t *json = load_case(detections[i].name);
        char *text = results_of(json, detections[i].make, 0.0);
        tool_run run = RUN_WITH(text, "grade", "-");
        assert_contains(run.out, detections[i].looks_like);
        tool_run_free(&run);
        free(text);
        json_decref(json);
    }
}

/* ---- steps, times, bad files ----------------------------------------------------------- */

/* Two steps of a method of order 2, as if. */
static void test_order(void **state)
{
    (void)state;
    json_t *json = load_case("brick_turned");
    char text[8192] = "case,t,q0,q1,q2,q3,w1,w2,w3,h\n";
    size_t used = strlen(text);
    for (int k = 1; k <= 2; k++)
        for (size_t i = 0; i < 10; i++) {
            const row r = row_of(json_array_get(json_object_get(json, "states"), i));
            const double h = 0.01 * k, angle = h * h;
            const ph_quat q = mul(r.q, turn_about(vec3(1.0, 0.0, 0.0), 0.5 * angle));
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "brick_turned,%g,%.17g,%.17g,%.17g,%.17g,%g,%g,%g,%g\n",
                                     json_at(json, "times", i), q.w, q.x, q.y, q.z, r.w.x, r.w.y,
                                     r.w.z, h);
        }
    json_t *graded = grade_text(text, "brick_turned", 0);
    const json_t *grade = json_object_get(json_object_get(graded, "cases"), "brick_turned");
    assert_true(fabs(json_at(grade, "order", 0) - 2.0) < 1e-6);
    assert_true(fabs(json_at(grade, "attitude_error", 0) - 1e-4) < 1e-10);
    json_decref(graded);
    json_decref(json);
}

static void test_missing(void **state)
{
    (void)state;
    tool_run run = RUN_WITH(HEADER "at_rest,1,0.6,-0.2,0.5,0.4,0,0,0\nat_rest,1.5,1,0,0,0,0,0,0\n",
                            "grade", "-");
    assert_int_equal(run.status, 1);
    assert_contains(run.out, "9 of 10 times have no row");
    assert_contains(run.out, "1 of 70 cases, 69 missing; 0 passed, 1 failed");
    tool_run_free(&run);
    run = RUN("grade", all_cases, "--case", "brick", "--json");
    assert_done(&run);
    json_t *json = parse_json(run.out);
    assert_int_equal(json_at(json, "of", 0), 1);
    assert_int_equal(json_at(json, "missing", 0), 0);
    json_decref(json);
    tool_run_free(&run);
}

/* A file that lacks cases passes only if --case names those that it has. */
static void test_missing_cases(void **state)
{
    (void)state;
    json_t *brick = load_case("brick");
    char *text = results_of(brick, ours, 0.0);
    tool_run run = RUN_WITH(text, "grade", "-");
    assert_int_equal(run.status, 1);
    assert_contains(run.out, "1 of 70 cases, 69 missing; 1 passed, 0 failed");
    tool_run_free(&run);
    run = RUN_WITH(text, "grade", "-", "--json");
    assert_int_equal(run.status, 1);
    json_t *json = parse_json(run.out);
    assert_int_equal(json_at(json, "passed", 0), 1);
    assert_int_equal(json_at(json, "of", 0), 1);
    assert_int_equal(json_at(json, "missing", 0), 69);
    assert_int_equal(json_array_size(json_object_get(json, "missing_cases")), 69);
    json_decref(json);
    tool_run_free(&run);
    run = RUN_WITH(text, "grade", "-", "--case", "brick");
    assert_done(&run);
    assert_contains(run.out, "1 of 1 passed");
    tool_run_free(&run);
    run = RUN_WITH(text, "grade", "-", "--case", "plate,brick");
    assert_int_equal(run.status, 1);
    assert_contains(run.out, "1 of 2 cases, 1 missing; 1 passed, 0 failed");
    tool_run_free(&run);
    assert_refused(RUN_WITH(text, "grade", "-", "--case", "brick,"), "--list");
    free(text);
    json_decref(brick);
}

/* ---- programs that cheat ---------------------------------------------------------------- */

/* A row of results: its case, then t, q0, q1, q2, q3, w1, w2, w3, h. */
typedef struct written {
    char name[64];
    double x[9];
} written;

enum { T, Q, W = 5, H = 8, CASE_ROWS = 10, MANY = 40 };

typedef struct file_of_rows {
    written *row;
    size_t count;
} file_of_rows;

/* The certified rows. */
static file_of_rows certified(void)
{
    file_of_rows f = {malloc((1 << 16) * sizeof *f.row), 0};
    FILE *file = fopen(all_cases, "r");
    char line[512];
    assert_non_null(file);
    assert_non_null(f.row);
    assert_non_null(fgets(line, sizeof line, file)); /* the header */
    while (fgets(line, sizeof line, file) != NULL) {
        written *r = &f.row[f.count++];
        char *at = strchr(line, ',');
        assert_non_null(at);
        (void)snprintf(r->name, sizeof r->name, "%.*s", (int)(at - line), line);
        for (int k = T; k < H; k++)
            r->x[k] = strtod(at + 1, &at);
        r->x[H] = 0.0;
    }
    (void)fclose(file);
    assert_int_equal(f.count % CASE_ROWS, 0);
    return f;
}

static char *text_of(const file_of_rows *f, const char *line_end)
{
    const size_t room = 512 * (f->count + 1);
    char *text = malloc(room);
    size_t used = (size_t)snprintf(text, room, "case,t,q0,q1,q2,q3,w1,w2,w3,h%s", line_end);
    for (size_t i = 0; i < f->count; i++) {
        used += (size_t)snprintf(text + used, room - used, "%s", f->row[i].name);
        for (int k = T; k <= H; k++)
            used += (size_t)snprintf(text + used, room - used, ",%.17g", f->row[i].x[k]);
        used += (size_t)snprintf(text + used, room - used, "%s", line_end);
    }
    return text;
}

static void set_attitude(written *r, double q0, double q1, double q2, double q3)
{
    memcpy(r->x + Q, (double[]){q0, q1, q2, q3}, 4 * sizeof(double));
}

static void multiply(written *r, int from, int to, double factor)
{
    for (int k = from; k < to; k++)
        r->x[k] *= factor;
}

static void copy_row(file_of_rows *f, size_t from)
{
    f->row[f->count++] = f->row[from];
}

static void huge_attitude(file_of_rows *f)
{
    for (size_t i = 0; i < f->count; i++)
        set_attitude(&f->row[i], 1e200, 0.0, 0.0, 0.0);
}

static void long_attitude(file_of_rows *f)
{
    for (size_t i = 0; i < f->count; i++)
        multiply(&f->row[i], Q, W, 1e200);
}

static void tiny_attitude(file_of_rows *f)
{
    for (size_t i = 0; i < f->count; i++)
        multiply(&f->row[i], Q, W, 1e-200);
}

static void subnormal_attitude(file_of_rows *f)
{
    for (size_t i = 0; i < f->count; i++)
        multiply(&f->row[i], Q, W, 1e-320);
}

static void no_attitude(file_of_rows *f)
{
    for (size_t i = 0; i < f->count; i++)
        set_attitude(&f->row[i], 0.0, -0.0, 0.0, 0.0);
}

static void attitude_off_unit_length(file_of_rows *f)
{
    for (size_t i = 0; i < f->count; i++)
        multiply(&f->row[i], Q, W, 1.001);
}

static void constant_attitude(file_of_rows *f)
{
    for (size_t i = 0; i < f->count; i++)
        set_attitude(&f->row[i], 1.0, 0.0, 0.0, 0.0);
}

static void nan_attitude(file_of_rows *f)
{
    for (size_t i = 0; i < f->count; i++)
        f->row[i].x[Q + i % 4] = NAN;
}

static void nan_once(file_of_rows *f)
{
    for (size_t i = 3; i < f->count; i += CASE_ROWS)
        f->row[i].x[W + i % 3] = NAN;
}

static void infinite_velocity(file_of_rows *f)
{
    for (size_t i = 0; i < f->count; i++)
        f->row[i].x[W] = i % 2 == 0 ? INFINITY : -INFINITY;
}

/* Beside all rows that are asked for, one more that is not finite. */
static void nan_beside(file_of_rows *f)
{
    const size_t rows = f->count;
    for (size_t i = 0; i < rows; i += CASE_ROWS) {
        copy_row(f, i);
        f->row[f->count - 1].x[T] *= 1.5;
        f->row[f->count - 1].x[Q] = NAN;
    }
}

static void huge_velocity(file_of_rows *f)
{
    for (size_t i = 0; i < f->count; i++)
        for (int k = W; k < H; k++)
            f->row[i].x[k] = i % 2 == 0 ? 1e308 : 1e160;
}

static void tiny_velocity(file_of_rows *f)
{
    for (size_t i = 0; i < f->count; i++)
        multiply(&f->row[i], W, H, 1e-300);
}

static void missing_row(file_of_rows *f)
{
    size_t kept = 0;
    for (size_t i = 0; i < f->count; i++)
        if (i % CASE_ROWS != 7)
            f->row[kept++] = f->row[i];
    f->count = kept;
}

static void last_cases_missing(file_of_rows *f)
{
    f->count = CASE_ROWS;
}

/* The first row of a case at all of its times. */
static void repeated_state(file_of_rows *f)
{
    for (size_t i = 0; i < f->count; i++)
        if (i % CASE_ROWS != 0)
            memcpy(f->row[i].x + Q, f->row[i - i % CASE_ROWS].x + Q, 7 * sizeof(double));
}

/* All rows at one time. */
static void repeated_time(file_of_rows *f)
{
    for (size_t i = 0; i < f->count; i++)
        f->row[i].x[T] = f->row[i - i % CASE_ROWS].x[T];
}

/* A wrong row and the right one at each time: whichever comes last. */
static void wrong_row_first(file_of_rows *f)
{
    const size_t rows = f->count;
    for (size_t i = 0; i < rows; i++)
        copy_row(f, i);
    for (size_t i = 0; i < rows; i++)
        set_attitude(&f->row[i], 0.5, 0.5, -0.5, 0.5);
}

static void wrong_row_last(file_of_rows *f)
{
    const size_t rows = f->count;
    for (size_t i = 0; i < rows; i++) {
        copy_row(f, i);
        set_attitude(&f->row[f->count - 1], 0.5, 0.5, -0.5, 0.5);
    }
}

/* The states of a case in another order. */
static void shuffled_states(file_of_rows *f)
{
    for (size_t i = 0; i < f->count; i += CASE_ROWS)
        for (size_t k = 0; k < CASE_ROWS / 2; k++) {
            double state[7];
            double *a = f->row[i + k].x + Q, *b = f->row[i + CASE_ROWS - 1 - k].x + Q;
            memcpy(state, a, sizeof state);
            memcpy(a, b, sizeof state);
            memcpy(b, state, sizeof state);
        }
}

/* Forty steps, of which only the smallest is wrong. */
static void smallest_step_wrong(file_of_rows *f)
{
    const size_t rows = f->count;
    for (size_t step = 0; step < MANY; step++)
        for (size_t i = 0; i < rows; i++) {
            copy_row(f, i);
            f->row[f->count - 1].x[H] = 1.0 / (double)(step + 1);
        }
    for (size_t i = 0; i < rows; i++) {
        f->row[i].x[H] = 1e-9;
        set_attitude(&f->row[i], 0.5, 0.5, -0.5, 0.5);
    }
    for (size_t i = 0; i < f->count / 2; i++) { /* it comes last */
        const written r = f->row[i];
        f->row[i] = f->row[f->count - 1 - i];
        f->row[f->count - 1 - i] = r;
    }
}

static void unknown_times(file_of_rows *f)
{
    for (size_t i = 0; i < f->count; i++)
        f->row[i].x[T] += 1e-3;
}

static int grade_file(const file_of_rows *f, const char *line_end, json_t **json)
{
    char *text = text_of(f, line_end);
    tool_run run = RUN_WITH(text, "grade", "-", "--json");
    assert_string_equal(run.error, "");
    const int status = run.status;
    *json = parse_json(run.out);
    tool_run_free(&run);
    free(text);
    return status;
}

/* No case passes but those that move by less than their bound, where a cheat changes nothing. */
static void test_cheats(void **state)
{
    static void (*const cheats[])(file_of_rows *) = {
        huge_attitude,     long_attitude,      tiny_attitude,
        no_attitude,       subnormal_attitude, attitude_off_unit_length,
        constant_attitude, nan_attitude,       nan_once,
        infinite_velocity, nan_beside,         huge_velocity,
        tiny_velocity,     missing_row,        last_cases_missing,
        repeated_state,    repeated_time,      wrong_row_first,
        wrong_row_last,    shuffled_states,    smallest_step_wrong,
        unknown_times};
    (void)state;
    for (size_t i = 0; i < COUNT(cheats); i++) {
        file_of_rows f = certified();
        json_t *json;
        const json_t *grade;
        const char *name;
        cheats[i](&f);
        assert_int_equal(grade_file(&f, "\n", &json), 1);
        json_object_foreach(json_object_get(json, "cases"), name, grade)
        {
            const bool passed = json_is_true(json_object_get(grade, "passed"));
            const char *why = json_string_value(json_object_get(grade, "reason"));
            const bool moves = strcmp(name, "at_rest") != 0 && strcmp(name, "tiny_velocity") != 0;
            if (passed && moves && cheats[i] != last_cases_missing)
                fail_msg("cheat %zu passes %s", i, name);
            assert_true(passed || strlen(why) > 0);
        }
        if (cheats[i] == last_cases_missing)
            assert_int_equal(json_at(json, "missing", 0), 69);
        if (cheats[i] == huge_attitude || cheats[i] == huge_velocity)
            assert_int_equal(json_at(json, "passed", 0), 0);
        json_decref(json);
        free(f.row);
    }
}

/* A program that diverges in one case is graded in the others; the text says when. */
static void test_diverged(void **state)
{
    static const char *const spelled[] = {"nan", "-nan(ind)", "inf", "-Infinity", "1e999", ""};
    (void)state;
    for (size_t i = 0; i < COUNT(spelled); i++) {
        char text[2048];
        json_t *brick = load_case("brick");
        char *rows = results_of(brick, ours, 0.0);
        char *cut = strstr(rows, "brick,36,");
        assert_non_null(cut);
        *cut = '\0';
        (void)snprintf(text, sizeof text,
                       "%sbrick,36,%s,0,0,0,0,0,0\nbrick,42,0,0,nan,0,0,0,0\n"
                       "at_rest,1,0.6,-0.2,0.5,0.4,0,0,0\n",
                       rows, spelled[i]);
        tool_run run = RUN_WITH(text, "grade", "-");
        assert_int_equal(run.status, 1);
        assert_string_equal(run.error, "");
        assert_contains(run.out, "diverged at t = 36\n");
        assert_contains(run.out, "9 of 10 times have no row");
        tool_run_free(&run);
        json_t *json = grade_text(text, "brick", 1);
        const json_t *grade = json_object_get(json_object_get(json, "cases"), "brick");
        assert_true(json_at(grade, "diverged", 0) == 36.0);
        assert_true(json_is_null(json_object_get(grade, "attitude_error")));
        json_decref(json);
        json_decref(brick);
        free(rows);
    }
}

/* ---- honest programs -------------------------------------------------------------------- */

static void changed_order(file_of_rows *f)
{
    for (size_t i = 0; i < f->count; i++) {
        const size_t other = i * 293 % f->count;
        const written r = f->row[i];
        f->row[i] = f->row[other];
        f->row[other] = r;
    }
}

static void other_sign(file_of_rows *f)
{
    for (size_t i = 0; i < f->count; i += 3)
        multiply(&f->row[i], Q, W, -1.0); /* makes 0 to -0 */
}

static void rounded_length(file_of_rows *f)
{
    for (size_t i = 0; i < f->count; i++)
        multiply(&f->row[i], Q, W, i % 2 == 0 ? 1.0004 : 0.9996);
}

static void twice(file_of_rows *f)
{
    const size_t rows = f->count;
    for (size_t i = 0; i < rows; i++)
        copy_row(f, i);
}

static void other_times(file_of_rows *f)
{
    const size_t rows = f->count;
    for (size_t i = 0; i < rows; i++) {
        copy_row(f, i);
        f->row[f->count - 1].x[T] += 0.01;
        set_attitude(&f->row[f->count - 1], 0.5, 0.5, -0.5, 0.5);
    }
}

/* Forty steps, of which only the smallest is right. */
static void smallest_step_right(file_of_rows *f)
{
    const size_t rows = f->count;
    for (size_t step = 0; step < MANY; step++)
        for (size_t i = 0; i < rows; i++) {
            copy_row(f, i);
            set_attitude(&f->row[f->count - 1], 0.5, 0.5, -0.5, 0.5);
            f->row[f->count - 1].x[H] =
                step % 2 == 0 ? 1e300 / (double)(step + 1) : -1.0 / (double)(step + 1);
        }
    for (size_t i = 0; i < rows; i++)
        f->row[i].x[H] = -5e-324;
}

static void unchanged(file_of_rows *f)
{
    (void)f;
}

static void test_honest(void **state)
{
    static const struct honest {
        void (*change)(file_of_rows *);
        const char *line_end;
    } honest[] = {{unchanged, "\n"},   {unchanged, "\r\n"},        {changed_order, "\n"},
                  {other_sign, "\n"},  {rounded_length, "\n"},     {twice, "\n"},
                  {other_times, "\n"}, {smallest_step_right, "\n"}};
    (void)state;
    for (size_t i = 0; i < COUNT(honest); i++) {
        file_of_rows f = certified();
        json_t *json;
        honest[i].change(&f);
        assert_int_equal(grade_file(&f, honest[i].line_end, &json), 0);
        assert_int_equal(json_at(json, "passed", 0), 70);
        assert_int_equal(json_at(json, "missing", 0), 0);
        json_decref(json);
        free(f.row);
    }
}

/* ---- what a program looks like ---------------------------------------------------------- */

enum { EXPLICIT_EULER, IMPLICIT_EULER, HEUN };

static void right_slope(const double y[7], const double J[3], double d[7])
{
    wrong_slope(y, J, d);
    for (int i = 4; i < 7; i++)
        d[i] = -d[i];
}

static void take_step(int method, double y[7], const double J[3], double h)
{
    double d[7], x[7], e[7], length = 0.0;
    right_slope(y, J, d);
    memcpy(e, d, sizeof e);
    for (int n = 0; n < (method == IMPLICIT_EULER ? 50 : method == HEUN); n++) {
        for (int k = 0; k < 7; k++)
            x[k] = y[k] + h * e[k];
        right_slope(x, J, e);
    }
    for (int k = 0; k < 7; k++)
        y[k] += h * (method == HEUN ? 0.5 * (d[k] + e[k]) : e[k]);
    for (int k = 0; k < 4; k++)
        length += y[k] * y[k];
    for (int k = 0; k < 4; k++)
        y[k] /= sqrt(length);
}

/* Results of a method on some cases, in each of the steps; without the column h if there is one step. The
 * case at index `cut` ends after three times. */
static char *results_by(int method, const double *h, size_t steps, size_t cut)
{
    static const char *const cases[] = {"brick", "plate", "water", "cubesat", "asteroid"};
    const size_t room = 1 << 17;
    char *text = malloc(room);
    size_t used =
        (size_t)snprintf(text, room, "%s", steps > 1 ? "case,t,q0,q1,q2,q3,w1,w2,w3,h\n" : HEADER);
    for (size_t n = 0; n < COUNT(cases) * steps; n++) {
        json_t *json = load_case(cases[n / steps]);
        const row start = row_of(json);
        const ph_vec3 moments = inertia_of(json);
        const ph_quat q = of_unit_length(start.q);
        const double J[3] = {moments.x, moments.y, moments.z}, step = h[n % steps];
        double y[7] = {q.w, q.x, q.y, q.z, start.w.x, start.w.y, start.w.z}, t = 0.0;
        for (size_t i = 0; i < (n / steps == cut ? 3 : 10); i++) {
            const double until = json_at(json, "times", i);
            const long count = lround((until - t) / step);
            for (long k = 0; k < count; k++)
                take_step(method, y, J, step);
            t = until;
            used += (size_t)snprintf(text + used, room - used, "%s,%.17g", cases[n / steps], t);
            for (int k = 0; k < 7; k++)
                used += (size_t)snprintf(text + used, room - used, ",%.17g", y[k]);
            used += (size_t)(steps > 1 ? snprintf(text + used, room - used, ",%.17g\n", step)
                                       : snprintf(text + used, room - used, "\n"));
        }
        json_decref(json);
    }
    return text;
}

static void test_overview(void **state)
{
    static const double steps[] = {0.01, 0.005, 0.0025};
    static const struct looks {
        int method;
        size_t steps;
        const char *words, *energy, *name;
        double order;
    } looks[] = {
        {EXPLICIT_EULER, 3, "order 1, looks like explicit Euler, gains energy", "gains",
         "explicit Euler", 1.0},
        {EXPLICIT_EULER, 1, "order 1, looks like explicit Euler, gains energy", "gains",
         "explicit Euler", 1.0},
        {IMPLICIT_EULER, 2, "order 1, looks like implicit Euler, loses energy", "loses",
         "implicit Euler", 1.0},
        {IMPLICIT_EULER, 1, "order 1, looks like implicit Euler, loses energy", "loses",
         "implicit Euler", 1.0},
        {HEUN, 2, "order 2, looks like explicit Runge-Kutta of order 2, gains energy", "gains",
         "explicit Runge-Kutta of order 2", 2.0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(looks); i++) {
        char *text = results_by(looks[i].method, steps, looks[i].steps, 9);
        tool_run run = RUN_WITH(text, "grade", "-"), json = RUN_WITH(text, "grade", "-", "--json");
        assert_int_equal(run.status, 1);
        assert_contains(run.out, looks[i].words);
        assert_contains(run.out, "5 of 70 cases, 65 missing");
        json_t *graded = parse_json(json.out);
        assert_true(json_at(graded, "order", 0) == looks[i].order);
        assert_int_equal(json_at(graded, "missing", 0), 65);
        assert_string_equal(json_string_value(json_object_get(graded, "energy")), looks[i].energy);
        assert_string_equal(json_string_value(json_object_get(graded, "looks_like")),
                            looks[i].name);
        json_decref(graded);
        tool_run_free(&run);
        tool_run_free(&json);
        free(text);
    }
    /* a method of order 2 in one step is not taken for one of Euler */
    char *text = results_by(HEUN, steps, 1, 1);
    tool_run run = RUN_WITH(text, "grade", "-");
    assert_null(strstr(run.out, "Euler"));
    assert_null(strstr(run.out, "order 1"));
    assert_contains(run.out, "diverged at t = 12, or was cut short there: 7 of 10 times");
    assert_contains(run.out, "1 diverged or cut short, the first at t = 12");
    tool_run_free(&run);
    free(text);
}

/* Other equations have an energy of their own, which says nothing of the method. */
static void test_overview_of_mistakes(void **state)
{
    (void)state;
    json_t *json = load_case("brick_turned");
    char *text = results_of(json, wrong_sign, 0.0);
    tool_run run = RUN_WITH(text, "grade", "-"), all = RUN("grade", all_cases);
    assert_contains(run.out, "left handed");
    assert_null(strstr(run.out, "Euler"));
    assert_null(strstr(run.out, "order 1"));
    assert_null(strstr(all.out, "energy\n")); /* of exact results there is nothing to say */
    tool_run_free(&run);
    tool_run_free(&all);
    free(text);
    json_decref(json);
}

/* ---- single precision -------------------------------------------------------------------- */

static row off_by_0_004(row r, const json_t *json, size_t i)
{
    (void)json, (void)i;
    return (row){mul(r.q, turn_about(vec3(0.0, 1.0, 0.0), 0.5 * 0.004)), r.w};
}

/* The bound grows with the condition, not below that of the file and not above a tenth. */
static void test_precision(void **state)
{
    static const struct scaled {
        const char *name;
        double bound;
        int status; /* with an error of 0.004 rad */
    } scaled[] = {{"long_time", 0x1p-18 * 13300.0, 0}, {"rod", 0.1, 0}, {"disc", 0.001, 1}};
    (void)state;
    for (size_t i = 0; i < COUNT(scaled); i++) {
        json_t *json = load_case(scaled[i].name);
        char *text = results_of(json, off_by_0_004, 0.0);
        json_decref(grade_text(text, scaled[i].name, 1));
        tool_run run = RUN_WITH(text, "grade", "-", "--json", "--case", scaled[i].name,
                                "--precision", "float");
        assert_int_equal(run.status, scaled[i].status);
        json_t *graded = parse_json(run.out);
        const json_t *grade = json_object_get(json_object_get(graded, "cases"), scaled[i].name);
        assert_true(fabs(json_at(grade, "bound", 0) / scaled[i].bound - 1.0) < 0.01);
        assert_true(fabs(json_at(grade, "attitude_error", 0) - 0.004) < 1e-9);
        json_decref(graded);
        tool_run_free(&run);
        free(text);
        json_decref(json);
    }
}

/* ---- the start of a case ------------------------------------------------------------------ */

static void test_start(void **state)
{
    (void)state;
    tool_run run = RUN("grade", "--case", "heavy_top", "--start"),
             json = RUN("grade", "--case", "tensor", "--start", "--json");
    assert_done(&run);
    assert_string_equal(
        run.out, "case heavy_top\ninertia 1,1.6,2.2\nattitude 0.6,-0.2,0.5,0.4\n"
                 "velocity 0.5,-0.5,0.5\ntimes 1,2,3,4,5,6,7,8,9,10\n"
                 "torque gravity: U = `strength` up.(R centre), a torque `strength` (R^T up) x "
                 "centre in the body\n    strength 1.5\n    up 0,0,1\n    centre 0.3,-0.2,0.9\n");
    json_t *start = parse_json(json.out), *whole = load_case("tensor");
    assert_int_equal(json_object_size(start), 6);
    assert_true(json_equal(json_object_get(start, "tensor"), json_object_get(whole, "tensor")));
    assert_true(json_equal(json_object_get(start, "times"), json_object_get(whole, "times")));
    assert_true(json_is_null(json_object_get(start, "torque")));
    json_decref(start);
    json_decref(whole);
    tool_run_free(&run);
    tool_run_free(&json);
}

static void test_refused(void **state)
{
    (void)state;
    assert_refused(RUN("grade"), "name it");
    assert_refused(RUN("grade", "--start"), "--case NAME");
    assert_refused(RUN("grade", all_cases, "--case", "brick", "--start"), "no file");
    assert_refused(RUN("grade", all_cases, "--precision", "half"), "float or double");
    assert_refused(RUN("grade", "none.csv"), "none.csv");
    assert_refused(RUN("grade", "--case", "brik"), "brick");
    assert_refused(RUN_WITH("", "grade", "-"), "no rows");
    assert_refused(RUN_WITH(HEADER, "grade", "-"), "no rows");
    assert_refused(RUN_WITH("t,q0\n1,1\n", "grade", "-"), "the column case is missing");
    assert_refused(RUN_WITH("case,t\nbrick,1\n", "grade", "-"), "the column q0 is missing");
    assert_refused(RUN_WITH(HEADER "brik,6,1,0,0,0,0,0,0\n", "grade", "-"), "brick");
    assert_refused(RUN_WITH(HEADER "brick,6,1,0,0,0,0,a,0\n", "grade", "-"), "2:");
    assert_refused(RUN_WITH(HEADER "brick,6,1,0,0,0,0,1 2,0\n", "grade", "-"), "w2");
    assert_refused(
        RUN_WITH("case,t,q0,q1,q2,q3,w1,w2,w3,h\nbrick,6,1,0,0,0,0,0,0,nan\n", "grade", "-"),
        "step");
    assert_refused(RUN_WITH(HEADER "brick,6,1,0,0,0,0,0\n", "grade", "-"), "8 fields");
    assert_refused(RUN("grade", all_cases, "--plot", "a.txt"), ".svg");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_precession),
        cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_detection),
        cmocka_unit_test(test_wrong_velocities),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_missing_cases),
        cmocka_unit_test(test_cheats),
        cmocka_unit_test(test_diverged),
        cmocka_unit_test(test_honest),
        cmocka_unit_test(test_overview),
        cmocka_unit_test(test_overview_of_mistakes),
        cmocka_unit_test(test_precision),
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
