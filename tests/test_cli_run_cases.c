/* test_cli_run_cases.c - `polhode run --cases`: many free bodies by steps of a flow. */
/* Needs kinds, extra. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/extremes.h"
#include "motion/vec.h"
#include "support/run_tool.h"
#include "support/stepping.h"
#include "system/find.h"

#define RUN_CASES              "run", "--cases"
#define BY(method, step, time) "--method", (method), "--step", (step), "--time", (time)
#define BODIES                 "I1,I2,I3,m1,m2,m3,q0,q1,q2,q3\n"
#define BODY                   "1,2,3,0.5,-1,2,1,0,0,0\n"

/* A step of `dmv2` that has no solution for this body, and has one for BODY. */
#define TOO_FAST "1,2,3,1e200,1e200,1e200,1,0,0,0\n"

enum { IN = 10, OUT = 7 };

/* ---- against runs of one body ---------------------------------------------------- */

/* The largest difference of the rows from a run of each body. */
static double difference(const char *rows, const char *method, size_t n, double (*x)[IN], double h,
                         uint64_t steps)
{
    const ph_integrator integrator = integrator_of(method);
    double most = 0.0;
    const char *at = strchr(rows, '\n') + 1;
    for (size_t i = 0; i < n; i++) {
        double y[OUT];
        at = next_numbers(at, OUT, y);
        ph_body body;
        const ph_state start = {ph_quat_unit((ph_quat){x[i][6], x[i][7], x[i][8], x[i][9]}),
                                vec3(x[i][3], x[i][4], x[i][5])};
        assert_int_equal(ph_body_from_moments(&body, vec3(x[i][0], x[i][1], x[i][2])), PH_OK);
        const ph_problem p = free_problem_of(body);
        const ph_state s = after_steps(&integrator, &p, start, h, steps);
        const double z[OUT] = {s.m.x, s.m.y, s.m.z, s.q.w, s.q.x, s.q.y, s.q.z};
        for (int k = 0; k < OUT; k++)
            most = larger_or_nan(most, fabs(y[k] - z[k]));
        const double length = y[3] * y[3] + y[4] * y[4] + y[5] * y[5] + y[6] * y[6];
        assert_true(fabs(length - 1.0) < 1e-15);
    }
    return most;
}

static void like_runs_of_single_bodies(void **state)
{
    (void)state;
    enum { N = 40, STEPS = 30 };
    double x[N][IN];
    char *text = random_cases(BODIES, IN, N, x[0]);
    /* thirty steps of roundings of 2u, and their growth along the motion */
    const double round_off = 1e-13;
    size_t flows, compositions;
    const ph_flow *const *flow = ph_flows(&flows);
    for (size_t i = 0; i < flows; i++) {
        tool_run run = RUN_WITH(text, RUN_CASES, "-", BY(flow[i]->name, "0.1", "3"));
        assert_done(&run);
        assert_whole_rows(run.out, ANSWERS);
        assert_int_equal(count_lines(run.out), N + 1);
        assert_true(difference(run.out, flow[i]->name, N, x, 0.1, STEPS) < round_off);
        tool_run_free(&run);
    }
    const ph_composition *composition = ph_compositions(&compositions);
    for (size_t i = 0; i < compositions; i++) {
        char name[100];
        snprintf(name, sizeof name, "sr2:%s", composition[i].name);
        tool_run run = RUN_WITH(text, RUN_CASES, "-", BY(name, "-0.1", "-3"));
        assert_done(&run);
        assert_true(difference(run.out, name, N, x, -0.1, STEPS) < round_off);
        tool_run_free(&run);
    }

    /* no steps: the starts, of unit length */
    tool_run run = RUN_WITH(text, RUN_CASES, "-", BY("exact", "1", "0"));
    assert_done(&run);
    assert_true(difference(run.out, "exact", N, x, 1.0, 0) == 0.0);
    tool_run_free(&run);
    free(text);
}

/* Two whole blocks and a rest: every row in its place, by any way in and out. */
static void in_order_through_blocks(void **state)
{
    (void)state;
    const size_t block = 16384, n = 2 * block + 100;
    double(*x)[IN] = malloc(n * sizeof *x);
    assert_non_null(x);
    char *text = random_cases(BODIES, IN, n, x[0]);
    tool_run piped = RUN_WITH(text, RUN_CASES, "-", BY("mr", "0.1", "0.2"));
    assert_done(&piped);
    assert_int_equal(count_lines(piped.out), n + 1);
    assert_true(difference(piped.out, "mr", n, x, 0.1, 2) < 1e-14);
    file_write("bodies.csv", text);
    tool_run filed = RUN(RUN_CASES, "bodies.csv", BY("mr", "0.1", "0.2"), "--problem", "free",
                         "--out", "ends.csv");
    assert_done(&filed);
    assert_string_equal(filed.out, "");
    char *ends = file_text("ends.csv");
    assert_non_null(ends);
    assert_string_equal(ends, piped.out); /* the same bits, however it came in blocks */
    free(ends);
    free(text);
    free(x);
    tool_run_free(&piped);
    tool_run_free(&filed);

    /* what a scenario says counts too */
    file_write("s.yaml", "problem: free\nmethod: mr\nstep: 0.1\ntime: 0.2\n"
                         "output: {file: ends.csv}\n");
    tool_run run = RUN("run", "s.yaml", "--cases", "bodies.csv");
    assert_done(&run);
    tool_run_free(&run);
    assert_int_equal(file_rows("ends.csv", ANSWERS), n);
    assert_int_equal(unlink("s.yaml"), 0);
    assert_int_equal(unlink("ends.csv"), 0);
    assert_int_equal(unlink("bodies.csv"), 0);
}

/* ---- what is wrong --------------------------------------------------------------- */

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *words[12];
        const char *part;
    } wrong[] = {
        {{"--step", "1", "--time", "1"}, "--method is missing"},
        {{"--method", "exact"}, "--step, --time are missing"},
        {{BY("verlet+exact", "1", "1")}, "`verlet+exact` is not a flow"},
        {{BY("rattle", "1", "1")}, "`rattle` is not a flow"},
        {{BY("exat", "1", "1")}, "exact"},
        {{BY("exact", "0.3", "1")}, "not a whole number of steps"},
        {{BY("exact", "1", "1"), "--problem", "heavy_top"}, "heavy_top"},
        {{BY("exact", "1", "1"), "--problem", "fre"}, "free"},
        {{BY("exact", "1", "1"), "--inertia", "1,2,3"}, "--inertia cannot be used with"},
        {{BY("exact", "1", "1"), "--rotvec", "1,2,3"}, "--rotvec cannot be used with"},
        {{BY("exact", "1", "1"), "--every", "2"}, "--every cannot be used with"},
        {{BY("exact", "1", "1"), "--set", "strength=2"}, "no parameter strength"},
        {{BY("exact", "1", "1"), "--json"}, "--cases cannot be used with --json"},
        {{BY("exact", "1", "1"), "--out", "x.xyz"}, "frames of molecules"},
        {{BY("exact", "1", "1"), "--out", "none/x.csv"}, "none/x.csv"},
        {{BY("exact", "1", "1"), "--cases", "none.csv"}, "none.csv"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        const char *words[16] = {"run", "--cases", "-"};
        memcpy(words + 3, wrong[i].words, sizeof wrong[i].words);
        assert_refused(tool_run_words(BODIES BODY, words), wrong[i].part);
    }
    assert_refused(RUN_WITH("", RUN_CASES, "-", BY("exact", "1", "1")), "is empty");
    assert_refused(RUN_WITH(CASES_HEADER CASE, RUN_CASES, "-", BY("exact", "1", "1")),
                   "column t cannot be used");
    tool_run none = RUN_WITH(BODIES, RUN_CASES, "-", BY("exact", "1", "1"));
    assert_done(&none);
    assert_string_equal(none.out, ANSWERS);
    tool_run_free(&none);
    assert_no_file("*");
}

/* The bodies before are answered, and the first line that is wrong is the one named. */
static void bad_lines_and_steps(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int status;
        const char *part;
        size_t rows;
    } wrong[] = {
        {BODIES BODY BODY "1,2,3\n" BODY, 2, "line 4 has 3 fields: write 10", 2},
        {BODIES BODY "1,-2,3,0.5,-1,2,1,0,0,0\n" BODY, 2, "line 3: moments", 1},
        {BODIES BODY "\n" BODY, 2, "line 3 is empty", 1},
        {BODIES BODY BODY TOO_FAST BODY, 1, "line 4: step 1, from t = 0, failed", 2},
        {BODIES BODY TOO_FAST TOO_FAST "1\n", 1, "line 3: step 1, from t = 0, failed", 1},
    };
    tool_run right = RUN_WITH(BODIES BODY BODY, RUN_CASES, "-", BY("dmv2", "0.1", "1"));
    assert_done(&right);
    for (size_t i = 0; i < COUNT(wrong); i++) {
        tool_run run = RUN_WITH(wrong[i].text, RUN_CASES, "-", BY("dmv2", "0.1", "1"));
        assert_error_line(&run, wrong[i].status, wrong[i].part);
        assert_int_equal(count_lines(run.out), wrong[i].rows + 1);
        assert_memory_equal(run.out, right.out, strlen(run.out)); /* all their steps */
        tool_run_free(&run);
    }
    tool_run_free(&right);
}

/* Threads take bodies in any order; the first line that fails is named all the same. */
static void first_of_many_failures(void **state)
{
    (void)state;
    const size_t n = 3000, first = 1700, second = 2900;
    char *text = malloc(n * 100);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, BODIES);
    for (size_t i = 0; i < n; i++)
        used += (size_t)sprintf(text + used, "%s", i == first || i == second ? TOO_FAST : BODY);
    tool_run run = RUN_WITH(text, RUN_CASES, "-", BY("dmv2", "0.1", "1"));
    assert_error_line(&run, 1, "line 1702: step 1, from t = 0, failed");
    assert_whole_rows(run.out, ANSWERS);
    assert_int_equal(count_lines(run.out), first + 1);
    tool_run_free(&run);
    free(text);
}

/* ---- pipes and Ctrl-C ------------------------------------------------------------ */

/* Answers while the input stays open; Ctrl-C ends the wait for more. */
static void answers_and_stops(void **state)
{
    (void)state;
    const tool_talk talk = TALK(RUN_CASES, "-", BY("exact", "0.1", "1"));
    pipe_send(talk.in, BODIES);
    assert_string_equal(pipe_receive(talk.out, 1), ANSWERS);
    pipe_send(talk.in, BODY);
    assert_int_equal(count_lines(pipe_receive(talk.out, 1)), 1);
    pipe_send(talk.in, BODY BODY "1,2");
    assert_int_equal(count_lines(pipe_receive(talk.out, 2)), 2);
    assert_stops_silently(&talk);
}

/* Ctrl-C among the steps, once a terminal has shown how far they are: no row of a body
 * that is not at its end. */
static void stops_between_steps(void **state)
{
    (void)state;
    file_write("bodies.csv", BODIES BODY BODY);
    const terminal screen = open_terminal();
    const pid_t tool = START(-1, -1, screen.inside, RUN_CASES, "bodies.csv",
                             BY("exact", "0.1", "1e12"), "--out", "ends.csv");
    (void)read_until(screen.outside, "s left");
    assert_stops(tool);
    assert_int_equal(file_rows("ends.csv", ANSWERS), 0);
    close(screen.inside);
    close(screen.outside);
    assert_int_equal(unlink("ends.csv"), 0);
    assert_int_equal(unlink("bodies.csv"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(like_runs_of_single_bodies),
        cmocka_unit_test(in_order_through_blocks),
        cmocka_unit_test(refusals),
        cmocka_unit_test(bad_lines_and_steps),
        cmocka_unit_test(first_of_many_failures),
        cmocka_unit_test(answers_and_stops),
        cmocka_unit_test(stops_between_steps),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
