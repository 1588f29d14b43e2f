/* test_cli_expression.c - problems of expressions in a scenario: what they compute, what is
 * said about wrong ones, and that a run of one goes on from its snapshot. */
/* Needs kinds, lab. */
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

#include "support/run_tool.h"

#define REST                                                                                       \
    "inertia: [1, 1.6, 2.2]\nrotvec: [0.4, -0.3, 0.2]\nmomentum: [0.5, -0.8, 1.1]\n"               \
    "method: s6_10+exact\nstep: 0.01\ntime: 1\n"

static void assert_same_end(tool_run a, tool_run b, double tolerance)
{
    assert_true(ends_apart(a, b) <= tolerance);
}

#define TOP                                                                                        \
    "run", "--problem", "heavy_top", "--method", "s6_10+exact", "--step", "0.01", "--time", "1",   \
        "--json"

/* Potential, torque, or half of each: the heavy top. */
static void is_the_heavy_top(void **state)
{
    (void)state;
    static const char *const ways[] = {
        "problem: {potential: \"k*R33\"}\nparameters: {k: 3}\n" REST,
        "problem: {potential: \"up1*R13 + up2*R23 + up3*R33\"}\n"
        "parameters: {up: [0, 0, 3]}\n" REST,
        "problem: {torque: [\"3*R32\", \"-3*R31\", 0]}\n" REST,
        "problem:\n  potential: k/2*R33\n  torque: [k/2*R32, -k/2*R31, \"0\"]\n"
        "parameters: {k: 3}\n" REST,
        "problem: {potential: \"3*(q0^2 - q1^2 - q2^2 + q3^2)\"}\n" REST,
    };
    for (size_t i = 0; i < COUNT(ways); i++)
        assert_same_end(RUN_WITH(ways[i], "run", "-", "--json"), RUN(TOP, "--set", "strength=3"),
                        1e-13);
    assert_same_end(RUN_WITH(ways[0], "run", "-", "--json", "--set", "k=-2"),
                    RUN(TOP, "--set", "strength=-2"), 1e-13);
    /* a scheme with the force gradient needs the derivative of the torque */
    assert_same_end(RUN_WITH(ways[0], "run", "-", "--json", "--method", "nystrom4+exact"),
                    RUN(TOP, "--set", "strength=3", "--method", "nystrom4+exact"), 1e-13);
    /* in axes that are not principal */
    static const char *const tensor[] = {"--tensor", "2,3,4,0.3,-0.2,0.1"};
    assert_same_end(
        RUN_WITH(ways[0], "run", "-", "--json", tensor[0], tensor[1]),
        RUN(TOP, "--set", "strength=3", tensor[0], tensor[1], "--momentum", "0.5,-0.8,1.1"), 1e-13);
}

/* m' = m x w - d m about a principal axis: m decays. */
static void torque_of_velocity(void **state)
{
    (void)state;
    double x[7];
    end_of(RUN_WITH("problem: {torque: [\"-d*w1\", \"-d*w2\", \"-d*w3\"]}\n"
                    "parameters: {d: 0.5}\ninertia: [3, 2, 4]\nvelocity: [0, 0, 1]\n"
                    "method: mkrk_rk4\nstep: 0.01\ntime: 2\n",
                    "run", "-", "--json"),
           x);
    assert_true(fabs(x[6] - 4 * exp(-0.5 * 2 / 4)) < 1e-10);
    assert_true(fabs(x[3] - sin(8 * (1 - exp(-0.25)) / 2)) < 1e-10);
}

static void wrong_ones(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"standard input:1: potential, column 5: unknown name \"R34\": the names are t, q0, R11, "
         "pi\n",
         "problem: {potential: \"2 - R34\"}\n" REST},
        {"standard input:1: torque 2, column 3: the expression ends here: write a number",
         "problem: {torque: [0, \"1+\", 0]}\n" REST},
        {"1: potential, column 1: a potential cannot depend on w1",
         "problem: {potential: w1}\n" REST},
        {"1: potential, column 1: it differs between q and -q", "problem: {potential: q1}\n" REST},
        {"1: torque needs three expressions: write torque: [", "problem: {torque: 5}\n" REST},
        {"1: torque needs three expressions", "problem: {torque: [1, 2]}\n" REST},
        {"1: unknown key \"potental\": did you mean \"potential\"?",
         "problem: {potental: R33}\n" REST},
        {"1: problem, column 1: no potential or torque is given: write one", "problem: {}\n" REST},
        {"1: parameter, column 1: \"pi\" already has another meaning: choose",
         "problem: {potential: R33}\nparameters: {pi: 3}\n" REST},
        {"1: torque: a list or a mapping is not a single value",
         "problem: {torque: [[1], 2, 3]}\n" REST},
        {"needs a torque that depends only on time and attitude",
         "problem: {torque: [\"-w1\", 0, 0]}\n" REST},
        {"the initial state is outside the domain of the potential of expression",
         "problem: {potential: log(-2 - R33)}\n" REST},
        {"q cannot be used with expression", "problem: {potential: R33}\nq: [[1, 0, 0]]\n" REST},
    };
    for (size_t i = 0; i < COUNT(wrong); i++)
        assert_refused(RUN_WITH(wrong[i][1], "run", "-"), wrong[i][0]);
    assert_refused(RUN_WITH("problem: {potential: k*R33}\nparameters: {k: 1}\n" REST, "run", "-",
                            "--set", "c=2"),
                   "problem expression has no parameter c: its parameters are k");
}

/* A run in one piece and one in two write the same file. */
static void goes_on(void **state)
{
    (void)state;
    file_write("e.yaml", "problem: {potential: k*R33 + sin(t)*R12^2, torque: [a1*R13, a2, 0]}\n"
                         "parameters: {k: 3, a: [0.1, -0.2]}\n" REST);
    tool_run whole = RUN("run", "e.yaml", "--time", "2", "--out", "whole.csv");
    tool_run half = RUN("run", "e.yaml", "--out", "half.csv", "--checkpoint", "half.snapshot");
    tool_run rest = RUN("resume", "half.snapshot", "--time", "2");
    assert_done(&whole);
    assert_done(&half);
    assert_done(&rest);
    char *a = file_text("whole.csv"), *b = file_text("half.csv");
    assert_string_equal(a, b);
    assert_int_equal(count_lines(a), 202);
    free(a);
    free(b);
    tool_run_free(&whole);
    tool_run_free(&half);
    tool_run_free(&rest);
    static const char *const files[] = {"e.yaml", "whole.csv", "half.csv", "half.snapshot"};
    for (size_t i = 0; i < COUNT(files); i++)
        assert_int_equal(unlink(files[i]), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_heavy_top),
        cmocka_unit_test(torque_of_velocity),
        cmocka_unit_test(wrong_ones),
        cmocka_unit_test(goes_on),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
