/* test_cli_units.c - numbers with units, in options and in scenarios: each multiplies once by
 * its size, and one that does not fit is refused with those that do. */
/* Needs kinds. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/run_tool.h"

#define PI 3.14159265358979323846

#define SPACECRAFT                                                                                 \
    "run", "--problem", "spacecraft", "--method", "gbs", "--out", "-", "--show", "t,q,m,orbit_frame"

static const struct unit_case {
    const char *unit, *option, *key, *before; /* the numbers before it */
    double x, size;
} units[] = {
    {"fs", "--time", "time", "", 7e15, 1e-15},
    {"ps", "--time", "time", "", 7e12, 1e-12},
    {"ns", "--time", "time", "", 7e9, 1e-9},
    {"us", "--time", "time", "", 7e6, 1e-6},
    {"ms", "--time", "time", "", 7123.1, 1e-3},
    {"s", "--time", "time", "", 7.1, 1.0},
    {"min", "--time", "time", "", 0.7, 60.0},
    {"h", "--time", "time", "", 0.07, 3600.0},
    {"d", "--time", "time", "", 7e-4, 86400.0},
    {"day", "--time", "time", "", 7e-4, 86400.0},
    {"days", "--time", "time", "", 7e-4, 86400.0},
    {"deg/s", "--velocity", "velocity", "0,0,", 0.77, PI / 180.0},
    {"rad/s", "--velocity", "velocity", "0,0,", 0.077, 1.0},
    {"deg/min", "--velocity", "velocity", "0,0,", 12.5, PI / 180.0 / 60.0},
    {"deg/h", "--velocity", "velocity", "0,0,", 43.0, PI / 180.0 / 3600.0},
    {"deg/d", "--velocity", "velocity", "0,0,", 1639.0, PI / 180.0 / 86400.0},
    {"rpm", "--velocity", "velocity", "0,0,", 0.77, PI / 30.0},
    {"deg", "--rotvec", "rotvec", "0,0,", 0.77, PI / 180.0},
    {"rad", "--rotvec", "rotvec", "0,0,", 0.77, 1.0},
    {"deg", "--set", "node", "", 7.7, PI / 180.0},
    {"rad", "--set", "node", "", 0.77, 1.0},
    {"m", "--set", "semi_major_axis", "", 7150123.4, 1.0},
    {"km", "--set", "semi_major_axis", "", 7150.1234, 1000.0},
};

/* The run of a number in an option, where `time` is another one; or in a scenario. */
static tool_run option_run(const struct unit_case *c, double x, const char *unit)
{
    char value[80];
    const bool set = strcmp(c->option, "--set") == 0;
    (void)snprintf(value, sizeof value, "%s%s%s%.17g%s", set ? c->key : "", set ? "=" : "",
                   c->before, x, unit);
    return strcmp(c->option, "--time") == 0 ? RUN(SPACECRAFT, c->option, value)
                                            : RUN(SPACECRAFT, "--time", "7", c->option, value);
}

static tool_run scenario_run(const struct unit_case *c)
{
    char text[200];
    const bool set = strcmp(c->option, "--set") == 0, list = c->before[0] != '\0';
    (void)snprintf(text, sizeof text, "%s%s: %s%s%.17g %s%s%s\n%s", set ? "parameters: {" : "",
                   c->key, list ? "[" : "", c->before, c->x, c->unit, list ? "]" : "",
                   set ? "}" : "", strcmp(c->key, "time") == 0 ? "" : "time: 7\n");
    file_write("s.yaml", text);
    return RUN(SPACECRAFT, "s.yaml");
}

static void assert_same(tool_run a, const tool_run *b)
{
    assert_done(&a);
    assert_string_equal(a.out, b->out);
    tool_run_free(&a);
}

static void sizes(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(units); i++) {
        const struct unit_case *c = &units[i];
        const double product = c->x * c->size;
        tool_run bare = option_run(c, product, ""), other = option_run(c, 1.01 * product, "");
        assert_done(&bare);
        assert_string_not_equal(bare.out, other.out); /* it matters */
        assert_same(option_run(c, c->x, c->unit), &bare);
        assert_same(scenario_run(c), &bare);
        tool_run_free(&bare);
        tool_run_free(&other);
    }
    assert_int_equal(unlink("s.yaml"), 0);
}

#define RUN_1 "--step", "1s", "--time", "2"

/* The names of all units of a quantity are in the message, and all of them are tested. */
static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *option, *value, *message;
    } bad[] = {
        {"--velocity", "2deg,0,0", "--velocity cannot be in `deg`: write one of "},
        {"--velocity", "2deg/yr,0,0", "--velocity cannot be in `deg/yr`: write one of "},
        {"--velocity", "2deg/s,1,0", "with and without a unit"},
        {"--rotvec", "2s,0,0", "--rotvec cannot be in `s`: write one of deg, rad"},
        {"--attitude", "euler_zyx=2km,0,0", "--attitude cannot be in `km`"},
        {"--attitude", "1rad,0,0,0", "--attitude cannot have a unit"},
        {"--momentum", "1Nms,0,0", "--momentum cannot have a unit: write the number alone"},
        {"--inertia", "1,2,3kg", "--inertia cannot have a unit"},
        {"--set", "semi_major_axis=7150miles", "cannot be in `miles`: write one of m, km"},
        {"--set", "semi_major_axis=7150s", "semi_major_axis cannot be in `s`"},
        {"--set", "node=3m", "parameter node cannot be in `m`: write one of deg, rad"},
        {"--set", "mu=3m", "parameter mu cannot have a unit"},
        {"--set", "semi_major_axis=1e308km", "semi_major_axis"},
        {"--longest-step", "2weeks", "`2weeks` does not have a unit of time (fs, "},
        {"--time", "2 deg", "`2 deg` does not have a unit of time (fs, "},
        {"--time", "0:2weeks@1s", "a time does not have a unit of time (fs, "},
        {"--tolerance", "1e-10s", "--tolerance: `1e-10s` is not a number"},
    };
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_refused(RUN(SPACECRAFT, RUN_1, bad[i].option, bad[i].value), bad[i].message);
    tool_run time = RUN(SPACECRAFT, RUN_1, "--longest-step", "2weeks");
    for (size_t i = 0; i < COUNT(units) && strcmp(units[i].key, "time") == 0; i++)
        assert_non_null(strstr(time.error, units[i].unit));
    tool_run_free(&time);
    assert_refused(RUN("run", "--problem", "orbiter", RUN_1, "--set", "mass=2m"),
                   "parameter mass cannot have a unit");
    assert_refused(RUN("run", "--problem", "orbiter", RUN_1, "--position", "2s,0,0"),
                   "--position cannot be in `s`: write one of m, km");
    file_write("s.yaml", "problem: {potential: k*R33}\nparameters:\n  k: 2m\n");
    assert_refused(RUN("run", "s.yaml", RUN_1), "s.yaml:3: parameter k cannot have a unit");
    file_write("s.yaml", "problem: pendulum\nq: [[0, 0, 1]]\nw:\n  - [1deg, 0, 0]\n");
    assert_refused(RUN("run", "s.yaml", RUN_1), "s.yaml:4: w cannot be in `deg`");
    assert_int_equal(unlink("s.yaml"), 0);
}

/* Lists of a scenario, snapshots by the clock, a step in milliseconds. */
static void lists(void **state)
{
    (void)state;
#define PENDULUM "problem: pendulum\nmethod: rkmk4\nq: [[0, 0, 1]]\nw: "
    file_write("s.yaml", PENDULUM "[[30 deg/s, 0, 0]]\nparameters: {length: 0.002km}\n");
    char text[120];
    tool_run with = RUN("run", "s.yaml", "--step", "100ms", "--time", "1", "--out", "-");
    (void)snprintf(text, sizeof text, PENDULUM "[[%.17g, 0, 0]]\n", 30.0 * (PI / 180.0));
    file_write("s.yaml", text);
    assert_done(&with);
    assert_same(RUN("run", "s.yaml", "--step", "0.1", "--time", "1", "--out", "-"), &with);
    tool_run_free(&with);
    assert_int_equal(unlink("s.yaml"), 0);
    /* a length of molecules takes the units of metres, too */
#define SPHERES                                                                                    \
    "run", "--problem", "dipolar_spheres", "--method", "verlet+exact", "--step", "0.01", "--time", \
        "0.02", "--out", "-", "--set", "lattice=2", "--set"
    with = RUN(SPHERES, "spacing=2");
    assert_done(&with);
    assert_same(RUN(SPHERES, "spacing=0.002km"), &with);
    tool_run_free(&with);
}

/* Rates stay in rad per time: a line says so, and a warning where one is typed. */
static void degrees(void **state)
{
    (void)state;
#define FREE "exact", "--inertia", "1,2,3", "--time", "1", "--degrees"
    tool_run bare = RUN(FREE, "--velocity", "2,0,0"), unit = RUN(FREE, "--velocity", "2rad/s,0,0"),
             run = RUN("run", "--problem", "free", "--step", "1", "--time", "1", "--degrees");
    assert_int_equal(bare.status, 0);
    assert_non_null(strstr(bare.error, "warning: --velocity is in rad per time"));
    assert_done(&unit);
    assert_string_equal(bare.out, unit.out);
    assert_non_null(strstr(unit.out, "angles are in degrees, angular velocities in rad"));
    assert_non_null(strstr(run.out, "angles are in degrees, angular velocities in rad"));
    tool_run_free(&bare);
    tool_run_free(&unit);
    tool_run_free(&run);
    /* an angle with a unit is what it says */
    tool_run angle = RUN(SPACECRAFT, RUN_1, "--degrees", "--set", "node=30");
    assert_done(&angle);
    assert_same(RUN(SPACECRAFT, RUN_1, "--degrees", "--set", "node=30deg"), &angle);
    assert_same(RUN(SPACECRAFT, RUN_1, "--set", "node=30deg"), &angle);
    tool_run_free(&angle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),
        cmocka_unit_test(refused),
        cmocka_unit_test(lists),
        cmocka_unit_test(degrees),
    };
    return cmocka_run_group_tests_name("units", tests, folder_enter, folder_leave);
}
