/* test_cli_columns.c - what rows are made of: times with units and by step, columns that are
 * asked for, frames, degrees, cases with columns of their own, scenarios of every command. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/files/columns.h"
#include "cli/files/epoch.h"
#include "rotation/vec.h"
#include "support/run_tool.h"

#define TOP "run", "--problem", "heavy_top", "--method", "s6_10+exact"

/* ---- times ----------------------------------------------------------------------- */

static void same_output(tool_run one, tool_run other)
{
    assert_done(&one);
    assert_done(&other);
    assert_string_equal(one.out, other.out);
    tool_run_free(&one);
    tool_run_free(&other);
}

#define TIMES(t) RUN("exact", BOOK, "--out", "-", "--time", t)

static void times_and_units(void **state)
{
    (void)state;
    same_output(TIMES("0:40@10"), TIMES("0,10,20,30,40"));
    same_output(TIMES("0:10@3"), TIMES("0,3,6,9")); /* the end is none of them */
    same_output(TIMES("4:-2@-2"), TIMES("4,2,0,-2"));
    same_output(TIMES("0:1min:3"), TIMES("0,30s,1min"));
    same_output(TIMES("0:1d@6h"), TIMES("0,21600,43200,64800,86400"));
    same_output(TIMES("1.5h"), TIMES("90 min"));
    static const char *const bad[] = {"0:1@0",     "0:1@-1", "0:1@",    "0:1@1s:3",
                                      "1m",        "1 week", "0:1dd:3", "s",
                                      "0:1@1e-30", "1e308d", "0:1@nan"};
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_refused(TIMES(bad[i]), "--time");

    same_output(
        RUN(TOP, "--out", "-", "--step", "0.25", "--time", "0:2@0.5"),
        RUN(TOP, "--out", "-", "--step", "250e-3s", "--time", "2", "--every", "2"));
    same_output(RUN(TOP, "--out", "-", "--time", "0:2:9"),
                RUN(TOP, "--out", "-", "--time", "2", "--step", "0.25"));
    file_write("s.yaml", "problem: heavy_top\nmethod: s6_10+exact\nstep: 0.5s\n"
                         "time: 0.1min\n");
    same_output(RUN("run", "s.yaml", "--out", "-"),
                RUN(TOP, "--out", "-", "--time", "6", "--step", "0.5"));
    assert_int_equal(unlink("s.yaml"), 0);
    assert_refused(RUN(TOP, "--time", "1:2@0.5"), "begins at 0");
    assert_refused(RUN(TOP, "--step", "0.3", "--time", "0:2@0.5"), "whole number");
    assert_refused(RUN(TOP, "--step", "0.1", "--time", "0:2@0.5", "--every", "2"),
                   "--every");
    assert_refused(RUN(TOP, "--step", "0.1", "--time", "0:2:1"), "start alone");
}

/* ---- Euler angles ---------------------------------------------------------------- */

static double element(double m[3][3], double n[3][3], int i, int k)
{
    return m[i][0] * n[0][k] + m[i][1] * n[1][k] + m[i][2] * n[2][k];
}

/* R_i(a) R_j(b) R_k(c), matrices of turns about the axes of the frame. */
static void product(const char *sequence, const double angle[3], double out[3][3])
{
    double all[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int n = 0; n < 3; n++) {
        const int i = sequence[n] - 'x', j = (i + 1) % 3, k = (i + 2) % 3;
        double turn[3][3] = {{0}}, next[3][3];
        turn[i][i] = 1.0;
        turn[j][j] = turn[k][k] = cos(angle[n]);
        turn[k][j] = sin(angle[n]);
        turn[j][k] = -sin(angle[n]);
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++)
                next[r][c] = element(all, turn, r, c);
        }
        memcpy(all, next, sizeof all);
    }
    memcpy(out, all, sizeof all);
}

static const char *const sequences[] = {"xyx", "xzx", "yxy", "yzy", "zxz", "zyz",
                                        "xyz", "xzy", "yxz", "yzx", "zxy", "zyx"};

static void check_angles(const char *sequence, ph_quat q, const double angle[3],
                         double tolerance)
{
    double R[3][3];
    product(sequence, angle, R);
    for (int k = 0; k < 3; k++) {
        const ph_vec3 axis = rotate(q, vec3(k == 0, k == 1, k == 2));
        assert_true(fabs(R[0][k] - axis.x) < tolerance);
        assert_true(fabs(R[1][k] - axis.y) < tolerance);
        assert_true(fabs(R[2][k] - axis.z) < tolerance);
    }
    const bool proper = sequence[0] == sequence[2];
    assert_true(angle[1] >= (proper ? 0.0 : -0.5 * PH_PI - 1e-15) &&
                angle[1] <= (proper ? PH_PI : 0.5 * PH_PI) + 1e-15);
    assert_true(angle[0] > -PH_PI && angle[0] <= PH_PI && angle[2] > -PH_PI &&
                angle[2] <= PH_PI);
}

/* Every sequence, on a grid of attitudes that has the ones where two angles are not determined;
 * and back. */
static void euler(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT(sequences); s++) {
        const char *sequence = sequences[s];
        assert_true(euler_sequence(sequence));
        for (int i = -4; i <= 4; i++) {
            for (int j = -4; j <= 4; j++) {
                for (int k = -4; k <= 4; k++) {
                    const double from[3] = {0.25 * i * PH_PI, 0.25 * j * PH_PI,
                                            0.25 * k * PH_PI};
                    const ph_quat q = euler_attitude(sequence, from);
                    double angle[3];
                    euler_angles(q, sequence, angle);
                    check_angles(sequence, q, angle, 3e-15);
                    euler_angles(negate(q), sequence, angle);
                    check_angles(sequence, q, angle, 3e-15);
                }
            }
        }
    }
    assert_false(euler_sequence("xxy"));
    assert_false(euler_sequence("xyy"));
    assert_false(euler_sequence("xy"));
    assert_false(euler_sequence("xyw"));
    assert_false(euler_sequence("xyzx"));
}

/* ---- columns --------------------------------------------------------------------- */

/* The only row of a run, under its header; returns how many numbers. */
static size_t row_of(const char *show, const char *degrees, double x[32])
{
    tool_run run = RUN("exact", BOOK, "--rotvec", "0.3,-0.5,0.9", "--time", "2.5",
                       "--frame", "dock=0.5,0.5,-0.5,0.5", "--out", "-", "--show", show,
                       degrees == NULL ? "--frame" : degrees,
                       degrees == NULL ? "other=1,0,0,0" : "--frame=other=1,0,0,0");
    assert_done(&run);
    const char *line = strchr(run.out, '\n') + 1;
    size_t n = 1;
    for (const char *c = line; *c != '\n'; c++)
        n += *c == ',';
    assert_true(n <= 32);
    (void)next_numbers(line, n, x);
    tool_run_free(&run);
    return n;
}

static ph_quat quat_of(const double *x)
{
    return (ph_quat){x[0], x[1], x[2], x[3]};
}

static void assert_close(const double *x, ph_vec3 v)
{
    assert_true(fabs(x[0] - v.x) + fabs(x[1] - v.y) + fabs(x[2] - v.z) < 2e-15);
}

/* A start in angles of any sequence, or with the scalar part last, is what the columns of
 * these names say: on the command line and in a scenario, of every command. */
static void check_start(const char *attitude, const char *degrees, const char *shown,
                        const double *right, size_t count)
{
    const tool_run commands[] = {
        RUN("exact", "--inertia", "1,2,3", "--velocity", "0,0,1rad/s", "--time", "0",
            "--attitude", attitude, "--show", shown, "--out", "-", degrees),
        RUN("run", "--problem", "free", "--time", "1", "--step", "1", "--attitude",
            attitude, "--show", shown, "--out", "-", degrees)};
    for (size_t i = 0; i < COUNT(commands); i++) {
        tool_run done = commands[i];
        assert_done(&done);
        const char *at = strchr(done.out, '\n');
        for (size_t k = 0; k < count; k++) {
            char *end;
            assert_non_null(at);
            const double x = strtod(at + 1, &end);
            assert_true(fabs(x - right[k]) < 1e-13 * (1.0 + fabs(right[k])));
            at = end;
        }
        tool_run_free(&done);
    }
}

static void starts(void **state)
{
    (void)state;
    static const double angles[] = {0.4, 0.7, -1.1}, degrees[] = {40, 70, -110},
                        unit[] = {0.5, -0.5, 0.5, 0.5}, half[] = {0.5, 0.5, -0.5, 0.5};
    char attitude[64], shown[32];
    for (size_t s = 0; s < COUNT(sequences); s++) {
        (void)snprintf(shown, sizeof shown, "euler_%s", sequences[s]);
        (void)snprintf(attitude, sizeof attitude, "%s=0.4,0.7,-1.1", shown);
        check_start(attitude, NULL, shown, angles, 3);
        (void)snprintf(attitude, sizeof attitude, "%s=40,70,-110", shown);
        check_start(attitude, "--degrees", shown, degrees, 3);
    }
    check_start("euler=0.4,0.7,-1.1", NULL, "euler_zxz", angles, 3);
    check_start("xyzw=1,-1,1,1", NULL, "qx,qy,qz,qw", unit, 4);
    check_start("xyzw=1,-1,1,1", NULL, "q", half, 4);
    file_write("s.yaml", "problem: heavy_top\nattitude: {euler_xzy: [0.4, 0.7, -1.1]}\n");
    same_output(RUN("run", "s.yaml", "--step", "0.5", "--time", "1", "--out", "-"),
                RUN("run", "--problem", "heavy_top", "--step", "0.5", "--time", "1",
                    "--out", "-", "--attitude", "euler_xzy=0.4,0.7,-1.1"));
    static const struct {
        const char *attitude, *why;
    } bad[] = {{"{euler_xxy: [1, 2, 3]}", "s.yaml:1: attitude cannot be given by"},
               {"{euler_xyz: [1, 2]}", "euler_xyz takes 3 numbers, not 2"},
               {"{xyzw: [1, 2, 3]}", "xyzw takes 4 numbers, not 3"},
               {"{xyzw: [0, 0, 0, 1], euler: [1, 2, 3]}", "twice"},
               {"{}", "no value"},
               {"{xyzw: [0, 0, 0, 0]}", "zero quaternion"}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        char text[100];
        (void)snprintf(text, sizeof text, "attitude: %s\nproblem: free\n",
                       bad[i].attitude);
        file_write("s.yaml", text);
        assert_refused(RUN("run", "s.yaml", "--step", "0.5", "--time", "1"), bad[i].why);
    }
    assert_int_equal(unlink("s.yaml"), 0);
    static const char *const refused[] = {"euler_zzx=1,2,3", "euler_zyx=1,2",
                                          "euler_zyx=1,2,3,4", "wxyz=1,0,0,0", "=1,2,3"};
    for (size_t i = 0; i < COUNT(refused); i++)
        assert_refused(RUN(TOP, "--step", "1", "--time", "1", "--attitude", refused[i]),
                       "--attitude");
}

static void columns_of_a_body(void **state)
{
    (void)state;
    double q[32], x[32], y[32];
    assert_int_equal(row_of("attitude,velocity,momentum,moments,energy", NULL, q), 14);
    const ph_quat Q = quat_of(q);
    const ph_vec3 w = {q[4], q[5], q[6]}, m = {q[7], q[8], q[9]};
    assert_true(q[10] == 0.376 && q[11] == 0.627 && q[12] == 1.0);
    assert_int_equal(row_of("qx,qy,qz,qw,t,q2", NULL, x), 6);
    assert_true(x[0] == Q.x && x[1] == Q.y && x[2] == Q.z && x[3] == Q.w && x[4] == 2.5 &&
                x[5] == Q.y);
    assert_int_equal(row_of("w_space,m_space,space_momentum", NULL, x), 9);
    assert_close(x, rotate(Q, w));
    assert_close(x + 3, rotate(Q, m));
    assert_close(x + 6, rotate(Q, m));
    assert_int_equal(row_of("R,R23,w_space2,euler_zyx3", NULL, x), 12);
    assert_close(x, vec3(rotate(Q, vec3(1, 0, 0)).x, rotate(Q, vec3(0, 1, 0)).x,
                         rotate(Q, vec3(0, 0, 1)).x));
    assert_true(x[9] == x[5]);

    const ph_quat dock = {0.5, 0.5, -0.5, 0.5}, seen = mul(inverse(dock), Q);
    assert_int_equal(row_of("q_dock,w_dock,m_dock,euler_dock_xzy,q_other", NULL, x), 17);
    assert_true(fabs(x[0] - seen.w) + fabs(x[3] - seen.z) < 1e-15);
    assert_close(x + 1, vec(seen));
    assert_close(x + 4, rotate(seen, w));
    assert_close(x + 7, rotate(seen, m));
    check_angles("xzy", seen, x + 10, 3e-15);
    assert_true(quat_of(x + 13).w == Q.w && quat_of(x + 13).z == Q.z);

    for (size_t s = 0; s < COUNT(sequences); s++) {
        char show[24];
        (void)snprintf(show, sizeof show, "euler_%s,rotvec", sequences[s]);
        assert_int_equal(row_of(show, NULL, x), 6);
        check_angles(sequences[s], Q, x, 3e-15);
    }
    assert_int_equal(row_of("euler,euler_zxz", NULL, x), 6);
    assert_true(x[0] == x[3] && x[1] == x[4] && x[2] == x[5]);
    assert_close(x + 3, vec3(x[0], x[1], x[2]));

    /* degrees, also of --rotvec */
    assert_int_equal(row_of("euler,rotvec,w", "--degrees", y), 9);
    tool_run turned = RUN("exact", BOOK, "--rotvec", "30,0,0", "--degrees", "--time", "0",
                          "--out", "-", "--show", "euler_xyz1,rotvec1");
    assert_done(&turned);
    (void)next_numbers(strchr(turned.out, '\n') + 1, 2, x);
    assert_true(fabs(x[0] - 30.0) < 1e-13 && fabs(x[1] - 30.0) < 1e-13);
    tool_run_free(&turned);
}

static void assert_header(tool_run run, const char *header)
{
    assert_done(&run);
    assert_whole_rows(run.out, header);
    tool_run_free(&run);
}

static void columns_of_others(void **state)
{
    (void)state;
#define PENDULUMS                                                                        \
    "run", "--problem", "double_pendulum", "--method", "rattle", "--step", "0.1",        \
        "--time", "0.2", "--out", "-", "--show"
    assert_header(RUN(PENDULUMS, "t,q1,w2y,energy_error"),
                  "t,q1x,q1y,q1z,w2y,energy_error\n");
    assert_header(RUN(PENDULUMS, "q"), "q1x,q1y,q1z,q2x,q2y,q2z\n");
    assert_refused(RUN(PENDULUMS, "euler_zxz"), "no column");
    assert_refused(RUN(PENDULUMS, "q3"), "did you mean");
#define MOLECULES                                                                        \
    "run", "--problem", "dipolar_spheres", "--set", "lattice=2", "--method",             \
        "verlet+exact", "--step", "0.1", "--time", "0.1", "--out", "-", "--show"
    assert_header(RUN(MOLECULES, "body,x,mass,d,w,euler_zyx,temperature"),
                  "body,x,mass,d1,d2,d3,w1,w2,w3,euler_zyx1,euler_zyx2,euler_zyx3,"
                  "temperature\n");
    assert_refused(RUN("exact", BOOK, "--time", "1", "--show", "eulr_zxz"),
                   "did you mean euler_zxz");
    assert_refused(RUN("exact", BOOK, "--time", "1", "--show", "w_moon"), "no column");
    assert_refused(RUN("exact", BOOK, "--time", "1", "--show", "t,,q"), "no column");
    assert_refused(RUN("exact", BOOK, "--time", "1", "--frame", "moon"), "--frame");
    assert_refused(RUN("exact", BOOK, "--time", "1", "--frame", "moon=1,0,0"), "--frame");
    assert_refused(RUN("exact", BOOK, "--time", "1", "--frame", "moon=0,0,0,0"), "zero");
    assert_refused(RUN("exact", BOOK, "--time", "1", "--epoch", "2026-02-30T00:00:00"),
                   "no date");
    assert_refused(RUN(MOLECULES, "x", "--out", "a.xyz"), "--show");

    tool_run run = RUN(TOP, "--step", "0.1", "--time", "1", "--json", "--show",
                       "euler_zxz,energy_error");
    assert_done(&run);
    json_t *json = parse_json(run.out);
    const json_t *end = json_object_get(json, "final");
    double angle[3];
    for (size_t k = 0; k < 3; k++)
        angle[k] = json_at(end, "euler_zxz", k);
    const ph_quat q = {json_at(end, "attitude", 0), json_at(end, "attitude", 1),
                       json_at(end, "attitude", 2), json_at(end, "attitude", 3)};
    check_angles("zxz", q, angle, 3e-15);
    assert_true(json_at(end, "energy_error", 0) < 1e-6);
    json_decref(json);
    tool_run_free(&run);
}

/* A run that is stopped goes on with the same columns. */
static void resumed(void **state)
{
    (void)state;
#define CHOSEN                                                                           \
    "--show", "t,euler_dock_zyx,energy", "--degrees", "--frame", "dock=0.6,0,0.8,0"
    tool_run whole = RUN(TOP, "--step", "0.1", "--time", "4", CHOSEN, "--out", "a.csv");
    tool_run part = RUN(TOP, "--step", "0.1", "--time", "2", CHOSEN, "--out", "b.csv",
                        "--checkpoint", "s");
    tool_run rest = RUN("resume", "s", "--time", "4s");
    assert_done(&whole);
    assert_done(&part);
    assert_done(&rest);
    char *one = file_text("a.csv"), *other = file_text("b.csv");
    assert_whole_rows(one, "t,euler_dock_zyx1,euler_dock_zyx2,euler_dock_zyx3,energy\n");
    assert_int_equal(count_lines(one), 42);
    assert_string_equal(one, other);
    free(one);
    free(other);
    tool_run_free(&whole);
    tool_run_free(&part);
    tool_run_free(&rest);
    assert_int_equal(unlink("a.csv") + unlink("b.csv") + unlink("s"), 0);
}

/* ---- scenarios of every command -------------------------------------------------- */

static void scenarios(void **state)
{
    (void)state;
    file_write("s.yaml",
               "problem: free\ninertia: [0.376, 0.627, 1]\nmomentum: [0, 0.6, -0.8]\n"
               "method: sr2\nstep: 0.5\ntime: 2\n");
    same_output(RUN("exact", "s.yaml", "--out", "-"), TIMES("0:2@0.5"));
    same_output(RUN("exact", "s.yaml", "--time", "7", "--out", "-"), TIMES("7"));
    tool_run one = RUN("compare", "s.yaml", "--steps", "0.5,0.25", "--json"),
             other = RUN("compare", "--problem", "free", BOOK, "--methods", "sr2",
                         "--steps", "0.5,0.25", "--time", "2", "--json");
    assert_done(&one);
    assert_done(&other);
    json_t *a = parse_json(one.out), *b = parse_json(other.out);
    assert_int_equal(json_array_size(a), 2);
    for (size_t i = 0; i < 2; i++)
        assert_true(json_at(json_array_get(a, i), "error", 0) ==
                    json_at(json_array_get(b, i), "error", 0));
    json_decref(a);
    json_decref(b);
    tool_run_free(&one);
    tool_run_free(&other);
    tool_run alone = RUN("compare", "s.yaml");
    assert_done(&alone);
    assert_contains(alone.out, "sr2, order 2");
    tool_run_free(&alone);
    file_write("s.yaml", "problem: heavy_top\ntime: 2\n");
    assert_refused(RUN("exact", "s.yaml", BOOK), "s.yaml:1: the exact motion");
    assert_refused(RUN("compare", "s.yaml"), "no methods, no steps");
    assert_refused(RUN("exact", "none.yaml"), "none.yaml");
    assert_int_equal(unlink("s.yaml"), 0);
}

/* ---- cases ----------------------------------------------------------------------- */

static void cases(void **state)
{
    (void)state;
    static const char own[] = "id,I1,I2,I3,w1,w2,w3,t,note\nA 1,1,2,3,0.5,-0.5,2,4,x\n"
                              "007,1,2,3,0.5,-0.5,2,4,0x1p3\n";
    tool_run plain =
        RUN_WITH("I1,I2,I3,m1,m2,m3,q0,q1,q2,q3,t\n1,2,3,0.5,-1,6,1,0,0,0,4\n", "exact",
                 "--cases", "-");
    tool_run mixed = RUN_WITH(own, "exact", "--cases", "-");
    assert_done(&plain);
    assert_done(&mixed);
    char expected_text[2000];
    const char *numbers = strchr(plain.out, '\n') + 1;
    (void)snprintf(expected_text, sizeof expected_text,
                   "id,note,m1,m2,m3,q0,q1,q2,q3\nA 1,x,%s007,0x1p3,%s", numbers,
                   numbers);
    assert_string_equal(mixed.out, expected_text);
    tool_run_free(&plain);
    tool_run_free(&mixed);
    assert_header(
        RUN_WITH(own, "exact", "--cases", "-", "--show", "note,q,id,euler_zyx,I2,t"),
        "note,q0,q1,q2,q3,id,euler_zyx1,euler_zyx2,euler_zyx3,I2,t\n");
    tool_run run = RUN_WITH(own, "exact", "--cases", "-", "--json");
    assert_done(&run);
    json_t *json = parse_json(run.out);
    const json_t *states = json_object_get(json, "states");
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(states, 0), "id")), "A 1");
    assert_int_equal(json_object_size(json_array_get(states, 1)), 6);
    json_decref(json);
    tool_run_free(&run);
    tool_run array = RUN_WITH(own, "exact", "--cases", "-", "--out", "a.npy");
    assert_error_line(&array, 2, "line 2: `A 1` is no number");
    tool_run_free(&array);
    if (access("a.npy", F_OK) == 0)
        assert_int_equal(unlink("a.npy"), 0);
    assert_refused(RUN_WITH(own, "exact", "--cases", "-", "--show", "idd"),
                   "did you mean id");
    assert_header(RUN_WITH("I1,I2,I3,w1,w2,w3,name\n1,2,3,0,1,0,b\n", "run", "--cases",
                           "-", "--method", "dmv4", "--step", "0.1", "--time", "1",
                           "--show", "name,w"),
                  "name,w1,w2,w3\n");
}

/* ---- dates ----------------------------------------------------------------------- */

static void dates(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        long day;
        double second;
    } good[] = {
        {"1970-01-01T00:00:00", 0, 0.0},       {"2000-02-29T12:00:00.5Z", 11016, 43200.5},
        {"2026-001T23:59:59", 20454, 86399.0}, {"2024-366T00:00:00", 20088, 0.0},
        {"0001-01-01T00:00:00", -719162, 0.0}, {"9999-12-31T00:00:00", 2932896, 0.0}};
    for (size_t i = 0; i < COUNT(good); i++) {
        epoch e;
        assert_true(epoch_read(&e, good[i].text));
        assert_int_equal(e.day, good[i].day);
        assert_true(e.second == good[i].second);
    }
    static const char *const bad[] = {"",
                                      "2026",
                                      "2026-01-01",
                                      "2026-13-01T00:00:00",
                                      "2026-02-29T00:00:00",
                                      "2026-366T00:00:00",
                                      "2026-000T00:00:00",
                                      "2026-01-01T24:00:00",
                                      "2026-01-01T00:60:00",
                                      "2026-01-01T00:00:60",
                                      "2026-01-01 00:00:00",
                                      "2026-01-01T00:00:00 ",
                                      "2026-01-01T00:00:00.5+1",
                                      "26-01-01T00:00:00"};
    for (size_t i = 0; i < COUNT(bad); i++) {
        epoch e;
        assert_false(epoch_read(&e, bad[i]));
    }
    char text[EPOCH_TEXT];
    epoch e, again;
    assert_true(epoch_read(&e, "2023-12-31T23:59:59.75"));
    assert_string_equal(epoch_text(text, epoch_after(e, 0.25), 3),
                        "2024-01-01T00:00:00.000");
    assert_string_equal(epoch_text(text, epoch_after(e, 60.0 * 86400.0), 3),
                        "2024-02-29T23:59:59.750");
    assert_false(epoch_in_range(epoch_after(e, 1e12)));
    assert_false(epoch_in_range(epoch_after(e, 1e300)));
    assert_false(epoch_in_range(epoch_after(e, -1e300)));
    assert_true(epoch_read(&again, "9999-12-31T23:59:59.9999") && epoch_in_range(again));
    assert_false(epoch_in_range(epoch_rounded(again, 3)));
    assert_true(epoch_read(&again, "1000-01-01T00:00:00") && epoch_in_range(again));
    assert_false(epoch_in_range(epoch_after(again, -1e-3)));
    assert_string_equal(epoch_text(text, epoch_after(e, -86400.0), 0),
                        "2023-12-31T00:00:00");
    for (int i = -2000; i < 2000; i++) { /* there and back */
        const epoch later = epoch_after(e, 86400.0 * 333.0 * i + 1e-6 * i);
        assert_true(epoch_read(&again, epoch_text(text, later, 9)));
        assert_true(fabs(epoch_between(later, again)) < 1e-8);
    }
}

/* ---- rows of a file ---------------------------------------------------------------- */

static void converted(void **state)
{
    (void)state;
    file_write("rows.csv", "t,q0,q1,q2,q3\r\r\n0,1,0,0,0\n1,0,1,0,0\n");
    tool_run run = RUN("convert", "rows.csv", "--out", "-", "--show", "t,R");
    assert_done(&run);
    assert_contains(run.out, "t,R11,R12,R13,R21,R22,R23,R31,R32,R33\n"
                             "0,1,0,0,0,1,0,0,0,1\n1,1,0,0,0,-1,0,0,0,-1\n");
    tool_run_free(&run);
    static const char *const bad[] = {"0,2,0,0,0", "0,0,0,0,0", "0,1e200,0,0,1e200",
                                      "0,0.99,0,0,0"};
    for (size_t i = 0; i < COUNT(bad); i++) {
        char text[100];
        (void)snprintf(text, sizeof text, "t,q0,q1,q2,q3\n0,1,0,0,0\n%s\n", bad[i]);
        file_write("rows.csv", text);
        assert_refused(RUN("convert", "rows.csv", "--out", "rows.npy"), "unit length");
        assert_int_equal(unlink("rows.npy"), 0); /* the rows before */
    }
    assert_int_equal(unlink("rows.csv"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_and_units),
        cmocka_unit_test(euler),
        cmocka_unit_test(starts),
        cmocka_unit_test(dates),
        cmocka_unit_test(columns_of_a_body),
        cmocka_unit_test(resumed),
        cmocka_unit_test(columns_of_others),
        cmocka_unit_test(scenarios),
        cmocka_unit_test(cases),
        cmocka_unit_test(converted),
    };
    return cmocka_run_group_tests_name("columns", tests, folder_enter, folder_leave);
}
