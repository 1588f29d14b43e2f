/* test_cli_fit.c - `polhode fit`: its JSON, text, residuals and pictures, and what it refuses. */
/* Needs kinds. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/files/plot.h"
#include "support/run_tool.h"

#define ROWS  "t,q0,q1,q2,q3"
#define EXACT "exact", "--inertia", "0.5,0.8,1", "--velocity", "0.3,1,0.2"

/* Attitudes of a body, from the tool itself. */
static void write_attitudes(const char *path, const char *times)
{
    tool_run run = RUN(EXACT, "--time", times, "--show", ROWS, "--out", path);
    assert_done(&run);
    tool_run_free(&run);
}

static double size_of(const json_t *object, const char *key)
{
    return (double)json_array_size(json_object_get(object, key));
}

static void test_json(void **state)
{
    (void)state;
    const double J[3] = {0.5, 0.8, 1.0}, w[3] = {0.3, 1.0, 0.2};
    write_attitudes("a.csv", "0:9:20");
    tool_run run = RUN("fit", "a.csv", "--sigma", "0.001", "--json", "--out", "rows.csv");
    assert_done(&run);
    json_t *o = parse_json(run.out);
    for (size_t k = 0; k < 3; k++) {
        assert_true(fabs(json_at(o, "inertia", k) - J[k]) < 1e-9);
        assert_true(fabs(json_at(o, "tensor", k) - J[k]) < 1e-9);
        assert_true(fabs(json_at(o, "velocity", k) - w[k]) < 1e-9);
    }
    assert_string_equal(json_string_value(json_object_get(o, "scale")), "unobservable");
    assert_true(size_of(o, "unobservable") == 0.0 && size_of(o, "residuals") == 20.0);
    const json_t *covariance = json_object_get(o, "covariance");
    assert_true(size_of(covariance, "columns") == 12.0);
    assert_true(size_of(covariance, "matrix") == 12.0);
    assert_int_equal(json_integer_value(json_object_get(o, "degrees_of_freedom")), 60 - 11);
    assert_true(json_number_value(json_object_get(o, "chi2")) < 1e-12);
    json_decref(o);
    tool_run_free(&run);
    assert_int_equal(file_rows("rows.csv", "t,theta1,theta2,theta3\n"), 20);
    (void)remove("rows.csv");
    (void)remove("a.csv");
}

/* All forms of an attitude and of a velocity give the same motion. */
static void test_forms(void **state)
{
    (void)state;
#define FORMS                                                                                      \
    "exact", "--inertia", "0.5,0.8,1", "--velocity", "0.3rad/s,1rad/s,0.2rad/s", "--rotvec",       \
        "0.2rad,-0.4rad,1rad", "--time", "0:4:20", "--out", "a.csv", "--show"
    static const char *const forms[] = {"t,q,w", "t,qx,qy,qz,qw,w_space", "t,R,w",
                                        "t,euler_zyx,w_space"};
    for (size_t i = 0; i <= COUNT(forms); i++) {
        const bool degrees = i == COUNT(forms); /* the last form again */
        tool_run run = degrees ? RUN(FORMS, forms[i - 1], "--degrees") : RUN(FORMS, forms[i]);
        assert_done(&run);
        tool_run_free(&run);
        run = degrees ? RUN("fit", "a.csv", "--json", "--degrees") : RUN("fit", "a.csv", "--json");
        assert_done(&run);
        json_t *o = parse_json(run.out);
        assert_true(fabs(json_at(o, "inertia", 0) - 0.5) < 1e-9);
        assert_true(fabs(json_at(o, "velocity", 1) - 1) < 1e-9);
        json_decref(o);
        tool_run_free(&run);
    }
    write_attitudes("a.csv", "0:4:20");
    tool_run bare = RUN("fit", "a.csv", "--json", "--sigma", "0.01", "--degrees"),
             unit = RUN("fit", "a.csv", "--json", "--sigma", "0.01deg"),
             radian = RUN("fit", "a.csv", "--json", "--sigma", "0.01");
    assert_done(&bare);
    assert_string_equal(bare.out, unit.out);
    assert_string_not_equal(bare.out, radian.out);
    tool_run_free(&bare);
    tool_run_free(&unit);
    tool_run_free(&radian);
    (void)remove("a.csv");
}

/* What is not sought is as it was given; the text names what cannot be seen. */
static void test_known(void **state)
{
    (void)state;
    write_attitudes("a.csv", "0:4:20");
    tool_run run =
        RUN("fit", "a.csv", "--free", "attitude,velocity", "--inertia", "1,1.6,2", "--json");
    assert_done(&run);
    json_t *o = parse_json(run.out);
    assert_true(json_at(o, "inertia", 1) == 1.6 && fabs(json_at(o, "velocity", 1) - 1) < 1e-9);
    assert_null(json_object_get(o, "scale"));
    json_decref(o);
    tool_run_free(&run);
    tool_run slow = RUN("exact", "--inertia", "0.5,0.8,1", "--velocity", "0,0,1", "--time",
                        "0:4:20", "--show", ROWS, "--out", "a.csv");
    assert_done(&slow);
    tool_run_free(&slow);
    run = RUN("fit", "a.csv");
    assert_done(&run);
    assert_contains(run.out, "scale: a free motion shows ratios");
    assert_contains(run.out, "cannot be seen: the moment about");
    assert_contains(run.out, "the body turns about principal axis");
    tool_run_free(&run);
    (void)remove("a.csv");
}

static void test_picture(void **state)
{
    (void)state;
    if (!gnuplot_found())
        skip();
    write_attitudes("a.csv", "0:9:20");
    tool_run run = RUN("fit", "a.csv", "--plot", "a.svg");
    assert_done(&run);
    assert_contains(run.out, "a.svg drawn\n");
    char *picture = file_text("a.svg");
    assert_contains(picture, "residuals about the axes of the body");
    free(picture);
    tool_run_free(&run);
    (void)remove("a.svg");
    (void)remove("a.csv");
}

static void refuse(const char *content, const char *part)
{
    file_write("bad.csv", content);
    assert_refused(RUN("fit", "bad.csv"), part);
    assert_refused(RUN("fit", "bad.csv", "--json"), part);
    (void)remove("bad.csv");
}

static void test_refusals(void **state)
{
    (void)state;
    refuse("", "bad.csv is empty");
    refuse("t,q0,q1,q2,q3\n", "0 observations show no motion");
    refuse("t,q0,q1,q2,q3,q9\n", "there is no column `q9`");
    refuse("t,q0,q1,q2\n0,1,0,0\n", "column q3 is missing");
    refuse("t,w_space1,w_space2,w_space3\n0,1,0,0\n", "needs the attitude of its row");
    refuse("q0,q1,q2,q3\n1,0,0,0\n", "column t is missing");
    refuse(ROWS "\n0,1,0,0,0\n1,nan,0,0,0\n", "line 3");
    refuse(ROWS "\n0,1,0,0,0\n1,1,0,0,0\n1,1,0,0,0\n", "observation 3: the time 1");
    refuse(ROWS "\n0,1,0,0,0\n1,0,0,0,0\n", "observation 2: the attitude");
    refuse(ROWS ",sigma_q\n0,1,0,0,0,1\n1,1,0,0,0,0\n", "observation 2: sigma");
    refuse(ROWS "\n0,1,0,0,0\n1,0,1,0,0\n", "6 numbers observed for 11 unknowns");
    refuse("t,brightness\n0,1\n1,2\n", "sun and observer");
#define LIGHT "t,brightness,sun1,sun2,sun3,observer1,observer2,observer3\n"
    refuse(LIGHT "0,1,1,0,0,0,1,0\n1,-2,1,0,0,0,1,0\n",
           "observation 2: the brightness -2 is negative");
    refuse(LIGHT "0,0,1,0,0,0,1,0\n1,0,1,0,0,0,1,0\n", "the brightness is 0 at all times");
    refuse(ROWS "\n-1e308,1,0,0,0\n1e308,0,1,0,0\n", "too far apart");
    refuse("t,axis1,axis2,axis3\n0,1,0,0\n1,0,1,0\n", "--axis");
    refuse(ROWS "\n0,1,0,0,0\n1,1,0,0,0\n2,1,0,0,0\n3,1,0,0,0\n", "the body does not turn");
    assert_refused(RUN("fit"), "fit takes one file");
    assert_refused(RUN("fit", "missing.csv"), "missing.csv");
    write_attitudes("a.csv", "0:9:20");
    assert_refused(RUN("fit", "a.csv", "--loss", "hubr"), "did you mean huber");
    assert_refused(RUN("fit", "a.csv", "--sigma", "0"), "--sigma 0");
    assert_refused(RUN("fit", "a.csv", "--sigma", "0.1km"), "write one of deg, rad");
    assert_refused(RUN("fit", "a.csv", "--free", "damping"), "no parameter `damping`");
    assert_refused(RUN("fit", "a.csv", "--free", "velocity"), "must be known");
    assert_refused(RUN("fit", "a.csv", "--problem", "pendulum"), "one body");
    assert_refused(RUN("fit", "a.csv", "--out", "a.csv"), "a.csv");
    assert_refused(RUN("fit", "a.csv", "--plot", "a.txt"), ".svg, .png or .pdf");
    (void)remove("a.csv");
}

/* A long fit shows that it works, and ends by Ctrl-C without a file. */
static void test_interrupted(void **state)
{
    (void)state;
    tool_run run = RUN("run", "--problem", "spacecraft", "--set", "damping=0.5", "--inertia",
                       "10,20,25", "--velocity", "0.05,0.3,0.1", "--tolerance", "1e-10", "--method",
                       "gbs", "--time", "0:600@5", "--show", ROWS, "--out", "a.csv");
    assert_done(&run);
    tool_run_free(&run);
    const terminal screen = open_terminal();
    const pid_t tool =
        START(-1, -1, screen.inside, "fit", "a.csv", "--problem", "spacecraft", "--free",
              "inertia,attitude,velocity,damping", "--set", "damping=0.1", "--out", "rows.csv");
    assert_contains(read_until(screen.outside, " s"), "done in");
    assert_int_equal(kill(tool, SIGINT), 0);
    assert_contains(read_until(screen.outside, "so far"), "interrupted");
    assert_int_equal(tool_wait(tool), 130);
    assert_int_equal(access("rows.csv", F_OK), -1);
    close(screen.inside);
    close(screen.outside);
    (void)remove("a.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interrupted), cmocka_unit_test(test_json),
        cmocka_unit_test(test_known),       cmocka_unit_test(test_picture),
        cmocka_unit_test(test_refusals),    cmocka_unit_test(test_forms),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
