/* test_cli_compare.c - `polhode compare`: its numbers, its rows, its files. */
/* Needs lab. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/extremes.h"
#include "motion/vec.h"
#include "polhode/polhode.h"
#include "support/run_tool.h"
#include "support/skip.h"
#include "support/stepping.h"

/* The asymmetric body of Hairer and Vilmart, section 3. */
#define BODY "--problem", "free", "--inertia", "0.6,0.8,1", "--momentum", "1.8,0.4,-0.9"
static const ph_vec3 inertia = {0.6, 0.8, 1.0};
static const ph_state start = {{1.0, 0.0, 0.0, 0.0}, {1.8, 0.4, -0.9}};

#define COLUMNS "method,step,steps,error,error_momentum,error_attitude,kicks,seconds,order,note\n"

static json_t *rows_of(tool_run run)
{
    assert_done(&run);
    json_t *rows = parse_json(run.out);
    assert_true(json_is_array(rows));
    tool_run_free(&run);
    return rows;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    assert_non_null(text);
    return text;
}

/* ---- numbers --------------------------------------------------------------------- */

/* Errors by the library itself: momentum, attitude. */
static void errors_of(const char *method, double h, uint64_t steps, double error[2])
{
    ph_body body;
    const ph_integrator integrator = integrator_of(method);
    assert_int_equal(ph_body_from_moments(&body, inertia), PH_OK);
    const ph_problem p = free_problem_of(body);
    const ph_state s = after_steps(&integrator, &p, start, h, (uint64_t)steps);
    const ph_state exact = expected(inertia, start, (double)steps * h);
    error[0] = norm(sub(s.m, exact.m)) / norm(exact.m);
    error[1] = sqrt(pow(s.q.w - exact.q.w, 2) + pow(s.q.x - exact.q.x, 2) +
                    pow(s.q.y - exact.q.y, 2) + pow(s.q.z - exact.q.z, 2));
}

static void numbers(void **state)
{
    (void)state;
    static const char *const methods[] = {"dmv2", "dmv8", "jem4", "sr2:suzuki4", "exact"};
    static const double steps[] = {0.25, 0.1, 0.05};
    json_t *rows = rows_of(RUN("compare", BODY, "--methods", "dmv2,dmv8,jem4,sr2:suzuki4,exact",
                               "--steps", "0.25,0.1,0.05", "--time", "10", "--json"));
    assert_int_equal(json_array_size(rows), COUNT(methods) * COUNT(steps));
    double before = 0.0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *method = methods[i / COUNT(steps)];
        const double h = steps[i % COUNT(steps)];
        const uint64_t count = (uint64_t)round(10.0 / h);
        double error[2];
        errors_of(method, h, count, error);
        const double largest = larger_or_nan(error[0], error[1]);
        assert_string_equal(text_of(row, "method"), method);
        assert_true(json_at(row, "step", 0) == h);
        assert_int_equal((uint64_t)json_at(row, "steps", 0), count);
        assert_true(fabs(json_at(row, "error_momentum", 0) - error[0]) <= 1e-12 * error[0]);
        assert_true(fabs(json_at(row, "error_attitude", 0) - error[1]) <= 1e-12 * error[1]);
        assert_true(fabs(json_at(row, "error", 0) - largest) <= 1e-12 * largest);
        assert_int_equal((int)json_at(row, "kicks", 0), 0);
        assert_true(json_at(row, "seconds", 0) > 0.0);
        const bool floor = largest < 1e-13;
        assert_int_equal(json_is_true(json_object_get(row, "floor")), floor);
        assert_null(json_object_get(row, "failed"));
        const json_t *order = json_object_get(row, "order");
        if (i % COUNT(steps) == 0 || floor) {
            assert_true(json_is_null(order));
        } else {
            const double slope = log(before / largest) / log(steps[i % COUNT(steps) - 1] / h);
            assert_true(fabs(json_number_value(order) - slope) < 1e-9);
        }
        before = largest;
    }
    json_decref(rows);
}

/* Every flow shows its order before it reaches round-off. */
static void orders(void **state)
{
    (void)state;
    static const struct {
        const char *method, *steps;
    } cases[] = {
        {"dmv2,imr2,jem2,sr2,mr", "0.02,0.01"},
        {"dmv4,imr4,jem4,sr4,mr:suzuki4", "0.04,0.025"},
        {"dmv6,imr6,sr6,dmv2:kahan_li6", "0.0625,0.04"},
        {"dmv8", "0.0625,0.04"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        json_t *rows = rows_of(RUN("compare", BODY, "--methods", cases[i].method, "--steps",
                                   cases[i].steps, "--time", "10", "--json"));
        for (size_t k = 1; k < json_array_size(rows); k += 2) {
            const json_t *row = json_array_get(rows, k);
            ph_integrator integrator;
            assert_int_equal(PH_OK, ph_integrator_named(text_of(row, "method"), &integrator));
            assert_true(fabs(json_at(row, "order", 0) - ph_integrator_order(&integrator)) < 0.25);
        }
        json_decref(rows);
    }
}

/* Backward, at rest, about an axis: errors are small, orders blank where there are
 * none. */
static void special_starts(void **state)
{
    (void)state;
    json_t *rows = rows_of(RUN("compare", BODY, "--methods", "dmv6", "--steps", "-0.05,-0.025",
                               "--time", "-10", "--json"));
    assert_true(fabs(json_at(json_array_get(rows, 1), "order", 0) - 6.0) < 0.25);
    json_decref(rows);
    rows = rows_of(RUN("compare", "--problem", "free", "--momentum", "0,0,0", "--methods",
                       "sr2,exact", "--steps", "1,0.5", "--time", "10", "--json"));
    for (size_t i = 0; i < 4; i++) {
        assert_true(json_at(json_array_get(rows, i), "error", 0) == 0.0);
        assert_true(json_is_null(json_object_get(json_array_get(rows, i), "order")));
    }
    json_decref(rows);
    rows = rows_of(RUN("compare", "--problem", "free", "--methods", "sr2", "--steps", "1,1",
                       "--time", "10", "--json"));
    assert_true(json_is_null(json_object_get(json_array_get(rows, 1), "order")));
    json_decref(rows);
}

/* A method that fails has a row that says so, and the others go on. */
static void failures(void **state)
{
    (void)state;
#define FAILS "compare", "--problem", "free", "--methods", "dmv2,sr2", "--steps", "1e6,5e5"
    json_t *rows = rows_of(RUN(FAILS, "--time", "1e6", "--json"));
    assert_int_equal(json_array_size(rows), 4);
    const json_t *row = json_array_get(rows, 0);
    assert_contains(text_of(row, "failed"), "step 1: the implicit equations");
    assert_true(json_is_null(json_object_get(row, "error")));
    assert_true(json_is_null(json_object_get(row, "seconds")));
    assert_null(json_object_get(json_array_get(rows, 2), "failed"));
    assert_true(json_at(json_array_get(rows, 2), "error", 0) >= 0.0);
    json_decref(rows);
    tool_run run = RUN(FAILS, "--time", "1e6");
    assert_done(&run);
    assert_contains(run.out, "failed in step 1: the implicit equations");
    tool_run_free(&run);
}

static void bad_comparisons(void **state)
{
    (void)state;
    static const char *const wrong[][18] = {
        {"--problem, --methods, --steps, --time are missing", "compare"},
        {"polhode: --problem is missing: add", "compare", "--methods", "sr2", "--steps", "1",
         "--time", "1"},
        {"did you mean sr2", "compare", BODY, "--methods", "dmv2,rs2", "--steps", "1", "--time",
         "1"},
        {"there is no method ``", "compare", BODY, "--methods", "dmv2,", "--steps", "1", "--time",
         "1"},
        {"sr4 does not have order 2", "compare", BODY, "--methods", "sr4:suzuki4", "--steps", "1",
         "--time", "1"},
        {"a step of 0.3333333333333333 or 0.25", "compare", BODY, "--methods", "dmv2", "--steps",
         "0.5,0.3", "--time", "1"},
        {"zero", "compare", BODY, "--methods", "dmv2", "--steps", "0.5,0", "--time", "1"},
        {"sign", "compare", BODY, "--methods", "dmv2", "--steps", "0.5,-0.5", "--time", "1"},
        {"`` is not a number", "compare", BODY, "--methods", "dmv2", "--steps", "0.5,", "--time",
         "1"},
        {"not finite", "compare", BODY, "--methods", "dmv2", "--steps", "0.5", "--time", "inf"},
        {"no parameter a", "compare", BODY, "--methods", "dmv2", "--steps", "0.5", "--time", "1",
         "--set", "a=3"},
        {"s.yaml cannot be read", "compare", "s.yaml"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++)
        assert_refused(tool_run_words(NULL, wrong[i] + 1), wrong[i][0]);
    file_write("file", "");
    assert_refused(
        RUN("compare", BODY, "--methods", "sr2", "--steps", "1", "--time", "1", "--out", "file"),
        "cannot create file");
    assert_refused(RUN("compare", BODY, "--methods", "sr2", "--steps", "1", "--time", "1", "--out",
                       "file/below"),
                   "cannot create file/below");
    assert_int_equal(unlink("file"), 0);
    char *path = strdup(getenv("PATH"));
    assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
    tool_run run =
        RUN("compare", BODY, "--methods", "sr2", "--steps", "1", "--time", "1", "--out", "new");
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
    assert_int_equal(run.status, 0); /* the CSV is there, and no pictures */
    assert_contains(run.error, "polhode: warning: gnuplot was not found");
    assert_contains(run.out, "\nnew/compare.csv written\n");
    tool_run_free(&run);
    assert_int_equal(unlink("new/compare.csv") + rmdir("new"), 0);
    assert_no_file("*");
}

/* ---- text and files -------------------------------------------------------------- */

static void table(void **state)
{
    (void)state;
    tool_run run =
        RUN("compare", BODY, "--methods", "dmv8,exact", "--steps", "0.1,0.01", "--time", "10");
    assert_done(&run);
    assert_contains(run.out, "free to t = 10\n");
    assert_contains(run.out, "\n\ndmv8, order 8\n");
    assert_contains(run.out, "\n\nexact, exact\n");
    assert_contains(run.out, "  floor");
    assert_null(strstr(run.out, "nothing can be compared"));
    for (const char *line = run.out; *line != '\0'; line = strchr(line, '\n') + 1)
        assert_true(strcspn(line, "\n") <= 100);
    tool_run_free(&run);
}

/* Where two runs of the reference differ in every digit, that is said. */
static void chaotic(void **state)
{
    (void)state;
    tool_run run = RUN("compare", "--problem", "heavy_top", "--methods", "verlet+exact", "--steps",
                       "0.1", "--time", "300");
    assert_done(&run);
    assert_contains(run.out, "nothing can be compared");
    tool_run_free(&run);
}

/* Only splittings have a free motion to tell of; how long it takes is not asserted. */
static void costs(void **state)
{
    (void)state;
    static const char *const without[] = {"vlv", "gbs"};
    for (size_t i = 0; i < COUNT(without); i++) {
        tool_run run = RUN("compare", "--problem", "heavy_top", "--methods", without[i], "--steps",
                           "0.1", "--time", "1");
        assert_done(&run);
        assert_null(strstr(run.out, "the free motion"));
        tool_run_free(&run);
    }
}

static void remove_folder(const char *folder)
{
    static const char *const files[] = {"compare.csv", "compare.svg", "compare.png"};
    for (size_t i = 0; i < COUNT(files); i++) {
        char path[100];
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        (void)unlink(path);
    }
    assert_int_equal(rmdir(folder), 0); /* nothing else is there */
}

static void files(void **state)
{
    (void)state;
    need_gnuplot();
    tool_run run = RUN("compare", BODY, "--methods", "dmv2,dmv4,imr2,jem2,sr2:suzuki4", "--steps",
                       "0.2,0.1,0.05", "--time", "1", "--out", "new/deep");
    assert_done(&run);
    assert_contains(run.out, "new/deep/compare.csv, new/deep/compare.svg and new/deep/compare.png");
    tool_run_free(&run);
    char *csv = file_text("new/deep/compare.csv");
    assert_non_null(csv);
    assert_whole_rows(csv, COLUMNS);
    assert_int_equal(count_lines(csv), 1 + 15);
    assert_contains(csv, "\ndmv4,0.10000000000000001,10,");
    free(csv);
    char *svg = file_text("new/deep/compare.svg");
    assert_non_null(svg);
    static const char *const parts[] = {"<svg", "round-off",   "slope 2", "slope 4",   "dmv4",
                                        "imr2", "sr2:suzuki4", "step",    "computing", "</svg>"};
    for (size_t i = 0; i < COUNT(parts); i++)
        assert_contains(svg, parts[i]);
    assert_null(strstr(svg, "slope 6"));
    free(svg);
    char *png = file_text("new/deep/compare.png");
    assert_non_null(png);
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    free(png);

    /* into the same folder again, with failures and zeros only: there is still a
     * picture */
    json_t *rows =
        rows_of(RUN(FAILS, "--time", "1e6", "--momentum", "0,0,0", "--out", "new/deep/", "--json"));
    assert_int_equal(json_array_size(rows), 4);
    json_decref(rows);
    rows = rows_of(RUN("compare", "--problem", "free", "--methods", "dmv2", "--steps", "1e6",
                       "--time", "1e6", "--out", "new/deep", "--json"));
    json_decref(rows);
    csv = file_text("new/deep/compare.csv");
    assert_string_equal(csv, COLUMNS "dmv2,1000000,1,,,,0,,,failed in step 1\n");
    free(csv);
    svg = file_text("new/deep/compare.svg");
    assert_contains(svg, "</svg>");
    free(svg);
    remove_folder("new/deep");
    assert_int_equal(rmdir("new"), 0);
}

static void interrupted_comparison(void **state)
{
    (void)state;
    need_gnuplot();
    const tool_pipe out = open_pipe(), error = open_pipe();
    const pid_t tool = START(-1, out.write, error.write, "compare", BODY, "--methods", "sr2,dmv2",
                             "--steps", "100,1e-7", "--time", "1e4", "--out", "new");
    close(out.write);
    close(error.write);
    (void)wait_for_file("new/compare.png.tmp-*", 0);
    wait_until_caught(tool, SIGINT);
    pause_ms(200); /* into the second row, which takes minutes */
    assert_int_equal(kill(tool, SIGINT), 0);
    assert_int_equal(tool_wait(tool), 130);
    size_t rows = 99; /* one, unless the machine is very busy */
    const char *said = pipe_receive(error.read, 2);
    assert_int_equal(count_lines(said), 1);
    assert_int_equal(sscanf(said, "polhode: interrupted after %zu of 4 rows:", &rows), 1);
    assert_contains(said, ": they are in new/compare.csv\n");
    assert_true(rows <= 1);
    assert_contains(pipe_receive(out.read, 1000), "free to t = 10000");
    close(out.read);
    close(error.read);
    char *csv = file_text("new/compare.csv");
    assert_non_null(csv);
    assert_whole_rows(csv, COLUMNS);
    assert_int_equal(count_lines(csv), 1 + rows);
    free(csv);
    assert_no_file("new/compare.svg");
    assert_no_file("new/*.tmp-*");
    remove_folder("new");
}

/* The error of the first row. */
static double first_error(const char *rotvec, const char *option)
{
    tool_run run = RUN("compare", "--problem", "heavy_top", "--rotvec", rotvec, "--methods", "vlv",
                       "--steps", "0.1", "--time", "1", "--json", option);
    assert_done(&run);
    json_t *rows = parse_json(run.out);
    const double error = json_number_value(json_object_get(json_array_get(rows, 0), "error"));
    json_decref(rows);
    tool_run_free(&run);
    return error;
}

static void degrees(void **state)
{
    (void)state;
    const double radians = first_error("0.052359877559829887,0,0", NULL),
                 right = first_error("3,0,0", "--degrees"), wrong = first_error("3,0,0", NULL);
    assert_true(fabs(right - radians) < 1e-9 * radians && fabs(wrong - radians) > 1e-3 * radians);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(degrees),
        cmocka_unit_test(numbers),
        cmocka_unit_test(orders),
        cmocka_unit_test(special_starts),
        cmocka_unit_test(failures),
        cmocka_unit_test(bad_comparisons),
        cmocka_unit_test(table),
        cmocka_unit_test(chaotic),
        cmocka_unit_test(costs),
        cmocka_unit_test(files),
        cmocka_unit_test(interrupted_comparison),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
