/* test_cli_orbiter.c - the tool takes a body whose centre of mass moves as it takes any
 * other: runs, formats, resume, --until, --show, compare, and fields by expression. */
/* Needs kinds, lab. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "motion/vec.h"
#include "tests/support/run_tool.h"
#include "tool/files/rows.h"

#define ORBITER "run", "--problem", "orbiter", "--step", "0.05"

static ph_vec3 end_vector(const json_t *run, const char *name)
{
    const json_t *end = json_object_get(run, "final");
    return vec3(json_at(end, name, 0), json_at(end, name, 1), json_at(end, name, 2));
}

static json_t *json_of(tool_run run)
{
    assert_done(&run);
    json_t *document = parse_json(run.out);
    tool_run_free(&run);
    return document;
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0 && fclose(f) == 0);
}

static void runs(void **state)
{
    (void)state;
    json_t *a = json_of(RUN(ORBITER, "--time", "10", "--json", "--method", "verlet+exact"));
    const json_t *kept = json_object_get(a, "invariants"),
                 *errors = json_object_get(kept, "largest_relative_error");
    assert_true(json_at(errors, "angular_momentum", 0) < 1e-13);
    const double energy = json_at(errors, "energy", 0);
    assert_true(energy > 1e-6 && energy < 1e-3);
    assert_true(fabs(json_at(kept, "angular_momentum", 2) - 1.118) < 1e-15);
    assert_true(norm(end_vector(a, "position")) > 0.9);
    const ph_vec3 m = end_vector(a, "momentum"), w = end_vector(a, "velocity");
    assert_true(norm(sub(m, times(vec3(0.01, 0.015, 0.02), w))) < 1e-16);
    json_decref(a);
    /* at rest at the start of a scenario, and moved by an option */
    write_text("a.yaml", "problem: orbiter\nposition: [0, 0, 3]\n"
                         "centre_velocity: [0, 0, 0]\nstep: 0.1\ntime: 1\n");
    json_t *falls = json_of(RUN("run", "a.yaml", "--json")),
           *flies = json_of(RUN("run", "a.yaml", "--centre-velocity", "0,0,2", "--json"));
    assert_true(end_vector(falls, "centre_velocity").z < 0.0);
    assert_true(end_vector(flies, "centre_velocity").z > 1.8);
    json_decref(falls);
    json_decref(flies);
    assert_int_equal(unlink("a.yaml"), 0);
}

static void until_and_show(void **state)
{
    (void)state;
    json_t *a = json_of(RUN(ORBITER, "--time", "10", "--until", "x1 < -0.5", "--json")),
           *b = json_of(RUN(ORBITER, "--time", "10", "--until", "v2 < 0", "--json"));
    assert_true(fabs(end_vector(a, "position").x + 0.5) < 1e-11);
    assert_true(fabs(end_vector(b, "centre_velocity").y) < 1e-11);
    json_decref(a);
    json_decref(b);
    tool_run shown =
        RUN(ORBITER, "--time", "0.1", "--show", "t,position,v2,euler_zyx,energy", "--out", "-");
    assert_done(&shown);
    assert_whole_rows(shown.out, "t,x1,x2,x3,v2,euler_zyx1,euler_zyx2,euler_zyx3,energy\n");
    tool_run_free(&shown);
    assert_refused(
        RUN("run", "--problem", "heavy_top", "--step", "0.1", "--time", "1", "--until", "x1 < 0"),
        "unknown name \"x1\"");
}

/* Every format that takes one body takes it; test_cli_kinds.c continues the files. */
static void formats(void **state)
{
    (void)state;
    const file_format *f;
    for (size_t i = 0; (f = file_format_at(i)) != NULL; i++) {
        char name[40];
        (void)snprintf(name, sizeof name, "x.%s", f->suffix);
        tool_run body = RUN("run", "--problem", "heavy_top", "--step", "0.05", "--time", "1",
                            "--out", name, "--epoch", "2026-01-01T00:00:00"),
                 all = RUN(ORBITER, "--time", "1", "--out", name, "--epoch", "2026-01-01T00:00:00");
        assert_int_equal(body.status, all.status);
        assert_int_equal(unlink(name), all.status == 0 ? 0 : -1);
        tool_run_free(&body);
        tool_run_free(&all);
    }
    assert_no_file("*");
}

static void compared(void **state)
{
    (void)state;
    tool_run run = RUN("compare", "--problem", "orbiter", "--methods", "verlet+exact,s4_6+exact",
                       "--steps", "0.1,0.05", "--time", "5");
    assert_done(&run);
    assert_contains(run.out, "position and attitude");
    assert_contains(run.out, " 2.00 ");
    assert_contains(run.out, " 4.00 ");
    tool_run_free(&run);
}

/* What integrators do on it, and on problems of other kinds. */
static void checked(void **state)
{
    (void)state;
    json_t *a = json_of(RUN("check", "verlet+exact", "srkn6_14a+exact", "mkrk_rk4", "--problem",
                            "orbiter", "--json"));
    static const struct {
        int order;
        bool symmetric;
        const char *energy, *momentum;
    } right[] = {
        {2, true, "bounded", "exact"}, {6, true, "bounded", "exact"}, {4, false, "drift", "no"}};
    assert_int_equal(3, json_array_size(a));
    for (size_t i = 0; i < COUNT(right); i++) {
        const json_t *row = json_array_get(a, i), *field = json_object_get(row, "field");
        assert_int_equal(right[i].order, json_integer_value(json_object_get(row, "order")));
        assert_int_equal(right[i].symmetric, json_is_true(json_object_get(row, "symmetric")));
        assert_string_equal(right[i].energy, json_string_value(json_object_get(field, "energy")));
        assert_string_equal(right[i].momentum,
                            json_string_value(json_object_get(field, "momentum")));
    }
    json_decref(a);
    json_t *b = json_of(RUN("check", "rattle", "rkmk4", "--problem", "pendulum", "--json"));
    assert_int_equal(2, json_integer_value(json_object_get(json_array_get(b, 0), "order")));
    assert_true(json_is_false(json_object_get(json_array_get(b, 1), "symmetric")));
    json_decref(b);
    json_t *c = json_of(RUN("check", "verlet+exact", "--problem", "free", "--json"));
    const json_t *field = json_object_get(json_array_get(c, 0), "field");
    assert_string_equal("exact", json_string_value(json_object_get(field, "energy")));
    json_decref(c);
    tool_run text = RUN("check", "verlet+exact", "--problem", "orbiter");
    assert_done(&text);
    assert_contains(text.out, "order        2.00");
    assert_narrow(text.out);
    tool_run_free(&text);
    assert_refused(RUN("check", "vlv", "--problem", "orbiter"), "`vlv` can move only one body");
    assert_refused(RUN("check", "gbs", "--problem", "heavy_top"), "no fixed steps");
    assert_refused(RUN("check", "vlv", "--problem", "orbit"), "did you mean orbiter");
    assert_refused(RUN("check", "vlv", "--problem", "free", "--lyapunov"), "--problem");
}

static void by_expression(void **state)
{
    (void)state;
    static const char KEPLER[] = "problem: {kind: orbiter, potential: \"-mu*mass/sqrt(x1^2 "
                                 "+ x2^2 + x3^2)\"}\nparameters: {mu: 1, mass: 2}\n"
                                 "inertia: [1e-14, 2e-14, 2e-14]\nstep: 0.05\ntime: 2\n",
                      DRAG[] = "problem: {kind: orbiter, force: [\"-k*v1\", \"-k*v2\", "
                               "\"0\"], torque: [\"0\", \"0\", \"-k*w3\"]}\n"
                               "parameters: {k: 0.01}\nstep: 0.05\ntime: 2\n";
    write_text("a.yaml", KEPLER);
    json_t *a = json_of(RUN("run", "a.yaml", "--json", "--checkpoint", "snapshot")),
           *b = json_of(RUN(ORBITER, "--inertia", "1e-14,2e-14,2e-14", "--set", "mass=2", "--time",
                            "4", "--json")),
           *more = json_of(RUN("resume", "snapshot", "--time", "4", "--json"));
    assert_true(norm(sub(end_vector(more, "position"), end_vector(b, "position"))) < 1e-13);
    json_decref(a);
    json_decref(b);
    json_decref(more);
    write_text("b.yaml", DRAG);
    json_t *c = json_of(RUN("run", "b.yaml", "--json"));
    assert_string_equal("mkrk_gl6", json_string_value(json_object_get(c, "method")));
    assert_true(fabs(end_vector(c, "centre_velocity").y - 1.1 * exp(-0.02)) < 1e-13);
    json_decref(c);
    assert_refused(RUN("run", "b.yaml", "--method", "verlet+exact"), "depends on the velocity");
    write_text("b.yaml", "problem: {kind: spheres, potential: \"x1\"}\nstep: 1\ntime: 1\n");
    assert_refused(RUN("run", "b.yaml"),
                   "b.yaml:1: kind: `spheres` cannot be defined by expressions: write one of ");
    write_text("b.yaml", "problem: {force: [\"1\", \"0\", \"0\"]}\nstep: 1\ntime: 1\n");
    assert_refused(RUN("run", "b.yaml"), "force 1, column 1: a force needs");
    write_text("b.yaml", "problem: {kind: orbiter, forces: \"1\"}\nstep: 1\ntime: 1\n");
    assert_refused(RUN("run", "b.yaml"), "force");
    assert_int_equal(unlink("a.yaml") + unlink("b.yaml") + unlink("snapshot"), 0);
}

static void refused(void **state)
{
    (void)state;
    assert_refused(RUN(ORBITER, "--time", "1", "--set", "mass=0"), "mass is 0");
    assert_refused(RUN(ORBITER, "--time", "1", "--set", "mu=-1"), "mu is -1");
    assert_refused(RUN(ORBITER, "--time", "1", "--position", "0,0,0"),
                   "polhode: --position 0,0,0: this is the centre of attraction");
    assert_refused(
        RUN("run", "--problem", "heavy_top", "--position", "1,0,0", "--step", "1", "--time", "1"),
        "--position cannot be used with heavy_top");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs),          cmocka_unit_test(until_and_show),
        cmocka_unit_test(formats),       cmocka_unit_test(compared),
        cmocka_unit_test(checked),       cmocka_unit_test(refused),
        cmocka_unit_test(by_expression),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
