/* test_cli_problems.c - problems in the tool: their reference, the method that is recommended,
 * wrong parameters, tables over time, the orbital frame. */
/* Needs kinds. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kinds/molecules/molecule_bodies.h"
#include "kinds/spheres/stepping.h"
#include "motion/vec.h"
#include "support/run_tool.h"
#include "system/find.h"

#define SPACECRAFT(...)                                                                            \
    RUN("run", "--problem", "spacecraft", "--step", "10", "--time", "1000", __VA_ARGS__)

/* ---- references -------------------------------------------------------------------- */

static void check_reference(const char *name, const char *equations, const ph_parameter *parameters,
                            int count)
{
    tool_run run = RUN("list", name);
    assert_done(&run);
    assert_narrow(run.out);
    assert_non_null(equations);
    assert_contains(run.out, "recommended method: ");
    char first[100];
    (void)snprintf(first, sizeof first, "%.*s", (int)strcspn(equations, "\n"), equations);
    assert_contains(run.out, first);
    for (int i = 0; i < count; i++) {
        char words[100];
        (void)snprintf(words, sizeof words, "    %s=", parameters[i].name);
        assert_contains(run.out, words);
        assert_contains(run.out, parameters[i].text);
        assert_contains(run.out, ph_range_text(parameters[i].range));
    }
    tool_run_free(&run);
}

static void references(void **state)
{
    (void)state;
    size_t bodies, spheres, molecules;
    const ph_problem *const *body = ph_problems(&bodies);
    const ph_spheres_problem *const *sphere = ph_spheres_problems(&spheres);
    const ph_molecules_problem *const *molecule = ph_molecules_problems(&molecules);
    for (size_t i = 0; i < bodies; i++)
        check_reference(body[i]->name, body[i]->equations, body[i]->parameters,
                        body[i]->parameter_count);
    for (size_t i = 0; i < spheres; i++)
        check_reference(sphere[i]->name, sphere[i]->equations, sphere[i]->parameters,
                        sphere[i]->parameter_count);
    for (size_t i = 0; i < molecules; i++)
        check_reference(molecule[i]->name, molecule[i]->equations, molecule[i]->parameters,
                        molecule[i]->parameter_count);
    assert_true(bodies > 5 && spheres > 3 && molecules > 0);
}

/* Other things have one, too; a name of two spaces has two. */
static void other_references(void **state)
{
    (void)state;
    tool_run run = RUN("list", "eln");
    assert_done(&run);
    assert_contains(run.out, "method of the space body");
    assert_contains(run.out, "method of the space spheres");
    tool_run_free(&run);
    run = RUN("list", "exact");
    assert_done(&run);
    assert_contains(run.out, "order: exact");
    tool_run_free(&run);
    run = RUN("list", "heavy_top", "--json");
    assert_done(&run);
    json_t *array = parse_json(run.out);
    assert_int_equal(json_array_size(array), 1);
    assert_non_null(json_object_get(json_array_get(array, 0), "equations"));
    json_decref(array);
    tool_run_free(&run);
    assert_refused(RUN("list", "havy_top"), "did you mean heavy_top");
}

/* ---- the method that is recommended -------------------------------------------------- */

static void recommended(void **state)
{
    (void)state;
    static const char *const right[][5] = {
        {"\"method\": \"exact\"", "free", "0.1", "1"},
        {"\"method\": \"srkn6_14a+exact\"", "heavy_top", "0.1", "1"},
        {"\"method\": \"aba10_6_4+exact\"", "satellite", "0.01", "1"},
        {"\"method\": \"aba10_6_4+exact\"", "heavy_top", "0.1", "1", "strength=1e-3"},
        {"\"method\": \"gbs\"", "spacecraft", "1", "10", "damping=1"},
        {"\"method\": \"gbs\"", "gyrostat", "1", "10"},
        {"\"method\": \"srkn6_14a+circle\"", "pendulum", "0.1", "1"},
        {"\"method\": \"rkmkgl6\"", "double_pendulum", "0.01", "0.1"},
        {"\"method\": \"rkmkgl6\"", "spins", "0.01", "0.1"},
        {"\"method\": \"verlet+exact\"", "dipolar_spheres", "0.01", "0.01", "lattice=2"},
    };
    for (size_t i = 0; i < COUNT(right); i++) {
        const char *set = right[i][4] ? right[i][4] : "";
        tool_run run = RUN("run", "--problem", right[i][1], "--step", right[i][2], "--time",
                           right[i][3], "--json", right[i][4] ? "--set" : NULL, set);
        assert_done(&run);
        assert_contains(run.out, right[i][0]);
        tool_run_free(&run);
        run = RUN("list", right[i][1], "--json");
        assert_done(&run);
        if (right[i][4] == NULL)
            assert_contains(run.out, right[i][0]);
        tool_run_free(&run);
    }
    tool_run run = RUN("run", "--problem", "heavy_top", "--step", "0.1", "--time", "1");
    assert_done(&run);
    assert_contains(run.out, "heavy_top by srkn6_14a+exact");
    tool_run_free(&run);
    run = RUN("run", "--problem", "heavy_top", "--time", "1", "--tolerance", "1e-8");
    assert_done(&run);
    assert_contains(run.out, "found for a tolerance of 1e-08");
    tool_run_free(&run);
    run = RUN("run", "--problem", "heavy_top", "--time", "1"); /* in a field, to the default */
    assert_done(&run);
    assert_contains(run.out, "found for a tolerance of 1e-10");
    tool_run_free(&run);
    assert_refused(RUN("run", "--problem", "free", "--method", "mr", "--time", "1"),
                   "--step is missing");
    assert_refused(RUN("run", "--problem", "heavy_top", "--method", "vlv", "--time", "1"),
                   "--step is missing");
}

/* ---- wrong parameters ------------------------------------------------------------------ */

static void names_the_parameter(void **state)
{
    (void)state;
    static const char *const wrong[][3] = {
        {"satellite", "radius=-1", "parameter radius is -1, but must be > 0: choose"},
        {"satellite", "mu=0", "parameter mu is 0, but must be > 0"},
        {"spacecraft", "eccentricity=1", "parameter eccentricity is 1, but must be >= 0 and < 1"},
        {"spacecraft", "damping=-2", "parameter damping is -2, but must be >= 0"},
        {"spacecraft", "dipole=1", "parameter dipole needs 3 numbers, not 1"},
        {"spacecraft", "orbit=1", "has no parameter orbit: its parameters are mu, semi_major_axis"},
        {"spacecraft", "altitude=500km", "has no parameter altitude: its parameters are mu"},
        {"spacecraft", "eccentricity=1km", "parameter eccentricity cannot have a unit"},
        {"pendulum", "length=0", "parameter length is 0, but must be > 0"},
        {"spins", "count=1.5", "parameter count is 1.5, but must be a whole number >= 1"},
        {"heavy_top", "wheels_table=x.csv", "has no parameter wheels_table"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++)
        assert_refused(RUN("run", "--problem", wrong[i][0], "--set", wrong[i][1], "--step", "1",
                           "--time", "1"),
                       wrong[i][2]);
}

/* It warns where the body or its rate is changed, and nothing of the field. */
static void satellite_warns(void **state)
{
    (void)state;
    static const char *const changed[][2] = {{"--inertia", "3,4,5"},
                                             {"--velocity", "0.1,0,0"},
                                             {"--momentum", "0.1,0,0"},
                                             {"--tensor", "3,4,5,0,0,0"}};
#define SATELLITE(...)                                                                             \
    RUN("run", "--problem", "satellite", "--step", "0.001", "--time", "0.01", __VA_ARGS__)
    for (size_t i = 0; i < COUNT(changed); i++) {
        tool_run run = SATELLITE(changed[i][0], changed[i][1]);
        assert_int_equal(run.status, 0);
        assert_int_equal(count_lines(run.error), 1);
        assert_contains(run.error, "polhode: warning: satellite: the Earth is at rest");
        tool_run_free(&run);
        run = SATELLITE(changed[i][0], changed[i][1], "--set", "radius=7e6");
        assert_done(&run);
        tool_run_free(&run);
    }
    tool_run run = SATELLITE("--rotvec", "1,0,0");
    assert_done(&run);
    tool_run_free(&run);
}

/* ---- spacecraft -------------------------------------------------------------------------- */

static void assert_same_end(tool_run a, tool_run b, bool same)
{
    const double off = ends_apart(a, b);
    assert_true(same ? off < 1e-13 : off > 1e-6);
}

/* Rows do not decide the steps of a body in a field; and a step that is too long for it warns. */
static void rows_are_not_steps(void **state)
{
    (void)state;
#define TUMBLING(...)                                                                              \
    RUN("run", "--problem", "spacecraft", "--inertia", "10,12,8", "--velocity",                    \
        "1deg/s,2deg/s,-1deg/s", "--time", "0:1h@10min", __VA_ARGS__)
    assert_same_end(TUMBLING("--json"),
                    RUN("run", "--problem", "spacecraft", "--inertia", "10,12,8", "--velocity",
                        "1deg/s,2deg/s,-1deg/s", "--time", "0:1h@10min", "--tolerance", "1e-10",
                        "--json"),
                    true);
    tool_run run = TUMBLING("--step", "600", "--json");
    assert_int_equal(run.status, 0);
    assert_contains(run.error, "a step of 600 turns the body by 25.7 rad");
    tool_run_free(&run);
    run = TUMBLING("--method", "vlv", "--json"); /* has no tolerance */
    assert_int_equal(run.status, 0);
    assert_contains(run.error, "a step of 600 turns the body by 25.7 rad");
    tool_run_free(&run);
#undef TUMBLING
}

/* A pulse of the torque on a sphere: the momentum is the impulse, 0.02 and no more. The step is the
 * shortest one, and resume goes on in the same steps. */
static void pulses(void **state)
{
    (void)state;
#define SPHERE(...)                                                                                \
    RUN("run", "--problem", "spacecraft", "--inertia", "10,10,10", "--set", "gravity_gradient=0",  \
        "--set", "torque_table=p.csv", "--velocity", "0.0001,0,0", "--tolerance", "1e-12",         \
        __VA_ARGS__)
    file_write("p.csv", "t,x,y,z\n1040,0,0,0\n1060,0.001,0,0\n1080,0,0,0\n");
    tool_run run = SPHERE("--time", "3600", "--json");
    assert_done(&run);
    assert_contains(run.out, "\"step\": 20.0,");
    assert_contains(run.out, "\"momentum\": [0.021");
    tool_run_free(&run);
    run = SPHERE("--time", "1050", "--checkpoint", "p.snapshot");
    assert_done(&run);
    tool_run_free(&run);
    assert_same_end(RUN("resume", "p.snapshot", "--time", "3600", "--json"),
                    SPHERE("--time", "3600", "--json"), true);
    (void)remove("p.csv");
    (void)remove("p.snapshot");
#undef SPHERE
}

/* A constant table is a constant, in any order of columns; the table is in the snapshot. */
static void tables(void **state)
{
    (void)state;
    file_write("w.csv", "z,t,x,y\n0.3,0,0.1,-0.2\n0.3,500,0.1,-0.2\n");
    file_write("t.csv", "t,x,y,z\n0,1e-4,2e-4,0\n");
    assert_same_end(SPACECRAFT("--json", "--set", "wheels_table=w.csv"),
                    SPACECRAFT("--json", "--set", "wheels=0.1,-0.2,0.3"), true);
    assert_same_end(SPACECRAFT("--json", "--set", "torque_table=t.csv"),
                    SPACECRAFT("--json", "--set", "torque=1e-4,2e-4,0"), true);
    assert_same_end(SPACECRAFT("--json", "--set", "torque_table=t.csv"), SPACECRAFT("--json"),
                    false);
    assert_same_end(RUN_WITH("problem: spacecraft\nparameters: {wheels_table: w.csv}\n"
                             "step: 10\ntime: 1000\n",
                             "run", "-", "--json"),
                    SPACECRAFT("--json", "--set", "wheels=0.1,-0.2,0.3"), true);
    tool_run half = SPACECRAFT("--set", "wheels_table=w.csv", "--checkpoint", "s.snapshot");
    assert_done(&half);
    tool_run_free(&half);
    file_write("w.csv", "t,x,y,z\n"); /* is not read again */
    assert_same_end(RUN("resume", "s.snapshot", "--time", "2000", "--json"),
                    SPACECRAFT("--json", "--set", "wheels=0.1,-0.2,0.3", "--time", "2000"), true);
    assert_refused(SPACECRAFT("--set", "wheels_table=w.csv"), "w.csv has no rows");
    file_write("w.csv", "t,x,y,z\n1,0,0,0\n1,0,0,0\n");
    assert_refused(SPACECRAFT("--set", "wheels_table=w.csv"),
                   "times of wheels_table do not increase");
    file_write("w.csv", "t,x,y\n1,0,0\n");
    assert_refused(SPACECRAFT("--set", "wheels_table=w.csv"), "w.csv line 1: column z is missing");
    file_write("w.csv", "t,x,y,z,u\n1,0,0,0,0\n");
    assert_refused(SPACECRAFT("--set", "wheels_table=w.csv"), "needs the columns t,x,y,z");
    file_write("w.csv", "t,x,y,z\n1,0,0,a\n");
    assert_refused(SPACECRAFT("--set", "wheels_table=w.csv"), "w.csv line 2: z `a`");
    file_write("w.csv", "");
    assert_refused(SPACECRAFT("--set", "wheels_table=w.csv"), "w.csv is empty");
    assert_refused(SPACECRAFT("--set", "wheels_table=none.csv"), "none.csv");
    assert_refused(SPACECRAFT("--set", "wheels_table=w.csv", "--out", "w.csv"), "w.csv");
    assert_refused(SPACECRAFT("--set", "wheels_table=t.csv", "--method", "verlet+exact"),
                   "depends on the velocity: use gbs");
    assert_refused(SPACECRAFT("--set", "damping=1", "--method", "verlet+exact"),
                   "depends on the velocity: use gbs");
    static const char *const files[] = {"w.csv", "t.csv", "s.snapshot"};
    for (size_t i = 0; i < COUNT(files); i++)
        assert_int_equal(unlink(files[i]), 0);
}

/* A body at rest in the orbital frame has no attitude there; Euler angles are yaw, pitch and
 * roll; a velocity there has components along its axes. */
static void orbital_frame(void **state)
{
    (void)state;
    double x[9];
    tool_run run = SPACECRAFT("--show", "t,q_orbit,euler_orbit_zyx", "--attitude",
                              "0.5,-0.5,-0.5,0.5", "--velocity", "0,-0.00107800761287250598,0",
                              "--inertia", "100,120,60", "--out", "-");
    assert_done(&run);
    const char *at = strchr(run.out, '\n') + 1;
    assert_int_equal(count_lines(run.out), 102);
    for (int row = 0; row < 101; row++) {
        at = next_numbers(at, 8, x);
        assert_true(fabs(fabs(x[1]) - 1) < 1e-12);
        for (int k = 2; k < 8; k++)
            assert_true(fabs(x[k]) < 1e-12);
    }
    tool_run_free(&run);
    /* turned by a yaw of 0.2 */
    run = SPACECRAFT("--show", "euler_orbit_zyx,w,w_orbit", "--attitude",
                     "0.44758537433,-0.54741879096,-0.44758537433,0.54741879096", "--out", "-");
    assert_done(&run);
    (void)next_numbers(strchr(run.out, '\n') + 1, 9, x);
    assert_true(fabs(x[0] - 0.2) < 1e-6 && fabs(x[1]) < 1e-6 && fabs(x[2]) < 1e-6);
    const double c = cos(0.2), s = sin(0.2), *w = x + 3, *there = x + 6, rate = 1.0780076128725e-3;
    assert_true(fabs(there[0] - (c * w[0] - s * w[1])) < 1e-9 &&
                fabs(there[1] - (s * w[0] + c * w[1] + rate)) < 1e-9 &&
                fabs(there[2] - w[2]) < 1e-9);
    tool_run_free(&run);
    /* On an eccentric orbit w_orbit is the rate at which q_orbit changes. */
    run = SPACECRAFT("--show", "t,q_orbit,w_orbit", "--set", "semi_major_axis=1e7", "--set",
                     "eccentricity=0.3", "--set", "inclination=1", "--set", "node=0.5", "--set",
                     "perigee=2", "--set", "anomaly=1", "--out", "-");
    assert_done(&run);
    at = strchr(run.out, '\n') + 1;
    double row[3][8];
    for (int k = 0; k < 3; k++)
        at = next_numbers(at, 8, row[k]);
    const double *before = row[0] + 1, *q = row[1] + 1, *after = row[2] + 1,
                 twice = row[2][0] - row[0][0];
    double d[4];
    for (int k = 0; k < 4; k++)
        d[k] = 2.0 * (after[k] - before[k]) / twice;
    /* the vector part of d q^-1 */
    const double seen[3] = {-d[0] * q[1] + d[1] * q[0] - d[2] * q[3] + d[3] * q[2],
                            -d[0] * q[2] + d[2] * q[0] - d[3] * q[1] + d[1] * q[3],
                            -d[0] * q[3] + d[3] * q[0] - d[1] * q[2] + d[2] * q[1]};
    for (int k = 0; k < 3; k++)
        assert_true(fabs(seen[k] - row[1][5 + k]) < 1e-3 * 1e-3);
    tool_run_free(&run);
}

/* What `list` recommends is what a run chooses, which depends on its start. */
static void other_start(void **state)
{
    (void)state;
    tool_run run = RUN("list", "spacecraft");
    assert_contains(run.out, "  recommended method: srkn6_14a+exact; gbs with damping");
    assert_contains(run.out,
                    "\n  with a torque of at most 1 % of the kinetic energy: aba10_6_4+exact\n");
    tool_run_free(&run);
    run = RUN("run", "--problem", "spacecraft", "--step", "1", "--time", "1");
    assert_contains(run.out, "by srkn6_14a+exact");
    tool_run_free(&run);
    run = RUN("run", "--problem", "spacecraft", "--inertia", "10,12,8", "--velocity",
              "1deg/s,2deg/s,-1deg/s", "--step", "1", "--time", "1");
    assert_contains(run.out, "by aba10_6_4+exact");
    tool_run_free(&run);
    run = RUN("list", "satellite");
    assert_contains(run.out,
                    "recommended method: aba10_6_4+exact\n  with a torque of more than 1 % "
                    "of the kinetic energy: srkn6_14a+exact\n");
    tool_run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(references),         cmocka_unit_test(other_references),
        cmocka_unit_test(recommended),        cmocka_unit_test(names_the_parameter),
        cmocka_unit_test(satellite_warns),    cmocka_unit_test(tables),
        cmocka_unit_test(rows_are_not_steps), cmocka_unit_test(pulses),
        cmocka_unit_test(orbital_frame),      cmocka_unit_test(other_start),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
