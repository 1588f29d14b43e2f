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

#include "support/run_tool.h"
#include "support/skip.h"

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

/* Each kind of observation has its own standard deviation, by name or by a column. */
static void test_sigmas(void **state)
{
    (void)state;
    tool_run run = RUN(FORMS, "t,q,w");
    assert_done(&run);
    tool_run_free(&run);
    tool_run named = RUN("fit", "a.csv", "--json", "--sigma", "q=0.1deg,w=0.02"),
             alike = RUN("fit", "a.csv", "--json", "--sigma", "0.02");
    char *rows = file_text("a.csv"), *all = malloc(2 * strlen(rows) + 1000), *rest;
    assert_non_null(all);
    int at = 0;
    for (char *row = strtok_r(rows, "\n", &rest); row != NULL; row = strtok_r(NULL, "\n", &rest))
        at += sprintf(all + at, "%s,%s\n", row, at == 0 ? "sigma_w" : "0.02");
    file_write("a.csv", all);
    tool_run column = RUN("fit", "a.csv", "--json", "--sigma", "q=0.1deg");
    assert_done(&named);
    assert_string_equal(named.out, column.out);
    assert_string_not_equal(named.out, alike.out);
    assert_refused(RUN("fit", "a.csv", "--sigma", "q=0.1,w=0.02"), "is in the file");
    assert_refused(RUN("fit", "a.csv", "--sigma", "q=0.1,q=0.1"), "was given before");
    assert_refused(RUN("fit", "a.csv", "--sigma", "b=0.1"), "no such observations");
    assert_refused(RUN("fit", "a.csv", "--sigma", "r=0.1"), "`r`");
    assert_refused(RUN("fit", "a.csv", "--sigma", "q=0.1,w"), "write w=S");
    assert_refused(RUN("fit", "a.csv", "--undirected"), "--undirected");
    tool_run_free(&named);
    tool_run_free(&alike);
    tool_run_free(&column);
    free(all);
    free(rows);
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
    assert_contains(run.out, "scale: a free motion determines only ratios");
    assert_contains(run.out, "not determined: the moment about");
    assert_contains(run.out, "the body rotates about principal axis");
    tool_run_free(&run);
    (void)remove("a.csv");
}

/* Writes a table of the exact motion with another line of names. */
static void write_renamed(const char *path, const char *velocity, const char *show,
                          const char *names)
{
    tool_run run = RUN("exact", "--inertia", "1,2,2.5", "--velocity", velocity, "--time",
                       "0:600:121", "--show", show, "--out", path);
    assert_done(&run);
    tool_run_free(&run);
    char *text = file_text(path);
    const char *rows = strchr(text, '\n');
    char *all = malloc(strlen(names) + strlen(rows) + 1);
    assert_non_null(all);
    (void)sprintf(all, "%s%s", names, rows);
    file_write(path, all);
    free(all);
    free(text);
}

/* An observed axis has three solutions, which the JSON and the text list; --principal leaves one. */
static void test_rivals(void **state)
{
    (void)state;
    write_renamed("a.csv", "0.03,0.05,0.02", "t,R11,R21,R31", "t,axis1,axis2,axis3");
    tool_run run = RUN("fit", "a.csv", "--axis", "1,0,0", "--sigma", "1e-6", "--json");
    assert_done(&run);
    json_t *o = parse_json(run.out);
    const json_t *rivals = json_object_get(o, "rivals");
    assert_int_equal(json_array_size(rivals), 2);
    assert_int_equal(json_integer_value(json_object_get(o, "minima")), 3);
    int right = 0;
    for (size_t k = 0; k < 3; k++) {
        const json_t *solution = k == 0 ? o : json_array_get(rivals, k - 1);
        double sum = 0.0;
        for (size_t i = 0; i < 3; i++)
            sum += json_at(solution, "inertia", i);
        right += fabs(sum - 2.2) < 1e-5;
        assert_true(size_of(solution, "not_determined") > 0.0);
        assert_true(json_number_value(json_object_get(solution, "chi2")) < 1e-9);
    }
    assert_int_equal(right, 1);
    json_decref(o);
    tool_run_free(&run);
    run = RUN("fit", "a.csv", "--axis", "1,0,0", "--sigma", "1e-6");
    assert_done(&run);
    assert_contains(run.out, "rival 2 of 2: chi2");
    assert_contains(run.out, "not determined: theta1");
    tool_run_free(&run);
    run = RUN("fit", "a.csv", "--axis", "1,0,0", "--sigma", "1e-6", "--principal", "--json");
    assert_done(&run);
    o = parse_json(run.out);
    assert_true(size_of(o, "rivals") == 0.0 && fabs(json_at(o, "inertia", 0) - 0.4) < 1e-6);
    assert_int_equal(json_object_size(json_object_get(o, "intervals")), 0);
    json_decref(o);
    tool_run_free(&run);
    (void)remove("a.csv");
}

/* Velocities with a bias, and what they do not show. */
static void test_bias(void **state)
{
    (void)state;
    write_renamed("a.csv", "0.03,0.05,0.02", "t,w1,w2,w3", "t,w1,w2,w3");
    char *text = file_text("a.csv"), *rest, *all = malloc(2 * strlen(text) + 4000);
    assert_non_null(all);
    int at = sprintf(all, "%s\n", strtok_r(text, "\n", &rest));
    for (const char *row; (row = strtok_r(NULL, "\n", &rest)) != NULL;) {
        char *next;
        double x[4] = {0};
        for (int k = 0; k < 4; k++, row = next + 1)
            x[k] = strtod(row, &next);
        at += sprintf(all + at, "%.17g,%.17g,%.17g,%.17g\n", x[0], x[1] + 0.001, x[2] - 0.002,
                      x[3] + 0.003);
    }
    file_write("a.csv", all);
    free(all);
    free(text);
    tool_run run = RUN("fit", "a.csv", "--free", "inertia,attitude,velocity,bias", "--sigma",
                       "1e-7", "--json");
    assert_done(&run);
    json_t *o = parse_json(run.out);
    const double bias[3] = {0.001, -0.002, 0.003};
    for (size_t k = 0; k < 3; k++) {
        assert_true(fabs(json_at(o, "bias", k) - bias[k]) < 1e-6);
        assert_string_equal(
            json_string_value(json_array_get(json_object_get(o, "not_determined"), k)),
            k == 0   ? "theta1"
            : k == 1 ? "theta2"
                     : "theta3");
    }
    assert_true(size_of(json_object_get(o, "covariance"), "columns") == 12.0);
    json_decref(o);
    tool_run_free(&run);
    (void)remove("a.csv");
}

/* Two directions that are measured in the body at the same times. */
static void test_vectors(void **state)
{
    (void)state;
    write_renamed("x.csv", "0.03,0.05,0.02", "t,R11,R12,R13", "t,b1,b2,b3");
    write_renamed("y.csv", "0.03,0.05,0.02", "t,R21,R22,R23", "t,b1,b2,b3");
    char *x = file_text("x.csv"), *y = file_text("y.csv"), *rest_x, *rest_y;
    char *all = malloc(2 * (strlen(x) + strlen(y)) + 100);
    assert_non_null(all);
    int at = sprintf(all, "t,b1,b2,b3,s1,s2,s3\n");
    char *a = strtok_r(x, "\n", &rest_x), *b = strtok_r(y, "\n", &rest_y);
    while ((a = strtok_r(NULL, "\n", &rest_x)) != NULL &&
           (b = strtok_r(NULL, "\n", &rest_y)) != NULL)
        at += sprintf(all + at, "%s,1,0,0\n%s,0,1,0\n", a, b);
    file_write("v.csv", all);
    free(all);
    free(x);
    free(y);
    tool_run run = RUN("fit", "v.csv", "--sigma", "1e-5", "--json");
    assert_done(&run);
    json_t *o = parse_json(run.out);
    const double J[3] = {0.4, 0.8, 1.0};
    for (size_t k = 0; k < 3; k++)
        assert_true(fabs(json_at(o, "tensor", k) - J[k]) < 1e-4);
    assert_true(size_of(o, "not_determined") == 0.0 && size_of(o, "residual_columns") == 3.0);
    json_decref(o);
    tool_run_free(&run);
    (void)remove("x.csv");
    (void)remove("y.csv");
    (void)remove("v.csv");
}

static void test_picture(void **state)
{
    (void)state;
    need_gnuplot();
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
    refuse("t,q0,q1,q2,q3\n", "0 observations do not determine a motion");
    refuse("t,q0,q1,q2,q3,q9\n", "there is no column `q9`");
    refuse("t,q0,q1,q2\n0,1,0,0\n", "column q3 is missing");
    refuse("t,w_space1,w_space2,w_space3\n0,1,0,0\n", "needs the attitude of its row");
    refuse("q0,q1,q2,q3\n1,0,0,0\n", "column t is missing");
    refuse(ROWS "\n0,1,0,0,0\n1,nan,0,0,0\n", "line 3");
    refuse(ROWS "\n0,1,0,0,0\n1,1,0,0,0\n1,1,0,0,0\n", "observation 3: the time 1");
    refuse(ROWS "\n0,1,0,0,0\n1,0,0,0,0\n", "observation 2: the attitude");
    refuse(ROWS ",sigma_q\n0,1,0,0,0,1\n1,1,0,0,0,0\n", "observation 2: sigma");
    refuse(ROWS "\n0,1,0,0,0\n1,0,1,0,0\n", "6 observed numbers for 11 unknowns");
    refuse("t,brightness\n0,1\n1,2\n", "sun and observer");
    refuse("t,b1,b2,b3\n0,1,0,0\n1,0,1,0\n", "directions in space");
    refuse("t,b1,b2,b3,s1,s2,s3\n0,1,0,0,1,0,0\n0,0,1,0,0,1,0\n", "all times are equal");
#define LIGHT "t,brightness,sun1,sun2,sun3,observer1,observer2,observer3\n"
    refuse(LIGHT "0,1,1,0,0,0,1,0\n1,-2,1,0,0,0,1,0\n",
           "observation 2: the brightness -2 is negative");
    refuse(LIGHT "0,0,1,0,0,0,1,0\n1,0,1,0,0,0,1,0\n", "the brightness is 0 at all times");
    refuse(ROWS "\n-1e308,1,0,0,0\n1e308,0,1,0,0\n", "too far apart");
    refuse("t,axis1,axis2,axis3\n0,1,0,0\n1,0,1,0\n", "--axis");
    refuse(ROWS "\n0,1,0,0,0\n1,1,0,0,0\n2,1,0,0,0\n3,1,0,0,0\n", "the body does not rotate");
    assert_refused(RUN("fit"), "fit needs one file");
    assert_refused(RUN("fit", "missing.csv"), "missing.csv");
    write_attitudes("a.csv", "0:9:20");
    assert_refused(RUN("fit", "a.csv", "--loss", "hubr"), "did you mean huber");
    assert_refused(RUN("fit", "a.csv", "--sigma", "0"), "--sigma 0");
    assert_refused(RUN("fit", "a.csv", "--sigma", "0.1km"), "write one of deg, rad");
    assert_refused(RUN("fit", "a.csv", "--free", "damping"), "no parameter `damping`");
    assert_refused(RUN("fit", "a.csv", "--free", "scale"), "does not depend on the scale");
    assert_refused(RUN("fit", "a.csv", "--problem", "heavy_top", "--free", "scale"),
                   "give the inertia and fit the factor of the torque");
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

/* An interval has digits that tell its ends apart, and what is open is not printed as a number. */
static void test_texts(void **state)
{
    (void)state;
    tool_run run = RUN("exact", "--inertia", "1,1.6,2", "--velocity", "0.1,0.8,0.4", "--time",
                       "0:20:60", "--show", "t,w", "--out", "w.csv");
    assert_done(&run);
    tool_run_free(&run);
    run = RUN("fit", "w.csv", "--sigma", "1e-3");
    assert_done(&run);
    assert_contains(run.out, "attitude      not determ.\n");
    const char *at = strstr(run.out, " is between ");
    assert_non_null(at);
    for (; at != NULL; at = strstr(at + 1, " is between ")) {
        double low, high;
        assert_int_equal(2, sscanf(at, " is between %lf and %lf (68 %%)", &low, &high));
        assert_true(low < high);
    }
    tool_run_free(&run);
    assert_int_equal(0, unlink("w.csv"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interrupted), cmocka_unit_test(test_json),
        cmocka_unit_test(test_known),       cmocka_unit_test(test_picture),
        cmocka_unit_test(test_rivals),      cmocka_unit_test(test_bias),
        cmocka_unit_test(test_vectors),     cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_forms),       cmocka_unit_test(test_sigmas),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
