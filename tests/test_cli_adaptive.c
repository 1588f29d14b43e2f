/* test_cli_adaptive.c - `polhode run` with methods that choose their steps, and --until. */
/* Needs kinds, lab. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "integrators/adaptive_run.h"
#include "support/run_tool.h"

#define TOP "run", "--problem", "heavy_top"

static json_t *run_json(tool_run run)
{
    assert_int_equal(run.status, 0);
    json_t *document = parse_json(run.out);
    tool_run_free(&run);
    return document;
}

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static double attitude(const json_t *object, size_t k)
{
    return json_number_value(
        json_array_get(json_object_get(json_object_get(object, "final"), "attitude"), k));
}

static void test_runs(void **state)
{
    (void)state;
    size_t count;
    const ph_adaptive *const *all = ph_adaptives(&count);
    for (size_t k = 0; k < count; k++) {
        json_t *run = run_json(RUN(TOP, "--method", all[k]->name, "--tolerance", "1e-12", "--time",
                                   "9.5", "--json")),
               *rows = run_json(RUN(TOP, "--method", all[k]->name, "--tolerance", "1e-12", "--time",
                                    "9.5", "--step", "0.3", "--json"));
        assert_true(number(run, "time") == 9.5 && number(run, "tolerance") == 1e-12);
        assert_true(number(run, "steps") > 3 && number(run, "evaluations") > 100);
        assert_true(number(run, "rejected") >= 0);
        assert_true(json_is_null(json_object_get(run, "step")));
        assert_true(number(rows, "step") == 0.3);
        for (size_t i = 0; i < 4; i++)
            assert_true(attitude(run, i) == attitude(rows, i));
        json_decref(run);
        json_decref(rows);
    }
    json_t *usual = run_json(RUN(TOP, "--method", "gbs", "--time", "-1", "--json"));
    assert_true(number(usual, "tolerance") == 1e-10 && number(usual, "time") == -1.0);
    json_decref(usual);
}

static void test_refused(void **state)
{
    (void)state;
#define BY(method, ...) RUN(TOP, "--method", method, "--time", "1", __VA_ARGS__)
    assert_refused(BY("gbs", "--tolerance", "1e-16"), "1e-15");
    assert_refused(BY("gbs", "--tolerance", "0.2"), "0.1");
    assert_refused(BY("gbs", "--tolerance", "nan"), "--tolerance");
    assert_refused(BY("gbs", "--tolerance", "-1e-6"), "--tolerance");
    assert_refused(BY("vlv", "--step", "0.1", "--tolerance", "1e-6"), "choose their steps");
    assert_refused(BY("gbs", "--step", "-0.1"), "cannot be reached");
    assert_refused(BY("gbs", "--step", "0"), "cannot be reached");
    assert_refused(BY("gbs", "--until", "R34 < 0"), "R34");
    assert_refused(BY("gbs", "--until", "R33"), "--until");
    assert_refused(RUN("run", "--problem", "pendulum", "--method", "eln", "--step", "0.1", "--time",
                       "1", "--until", "t > 0.5"),
                   "body");
    tool_run wall = RUN("run", "--problem", "soft_wall", "--set", "offset=0.9", "--method", "gbs",
                        "--time", "100");
    assert_int_equal(wall.status, 1);
    assert_non_null(strstr(wall.error, "t = 2.53"));
    tool_run_free(&wall);
}

static void test_until(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"gbs", "gauss16", "dop853", "vlv"};
    for (size_t k = 0; k < COUNT(NAMES); k++) {
        const bool fixed = strcmp(NAMES[k], "vlv") == 0;
        json_t *run =
            run_json(RUN(TOP, "--method", NAMES[k], "--time", "10", "--until", "R33 < 0", "--json",
                         fixed ? "--step" : "--tolerance", fixed ? "0.001" : "1e-13"));
        assert_true(fabs(number(run, "time") - 1.19505675516815) < (fixed ? 1e-5 : 1e-10));
        assert_true(json_is_true(json_object_get(json_object_get(run, "until"), "met")));
        assert_null(json_object_get(run, "interrupted"));
        json_decref(run);
    }
    tool_run never = RUN(TOP, "--method", "gbs", "--time", "1", "--until", "R33 < -2", "--json");
    assert_int_equal(never.status, 0);
    assert_non_null(strstr(never.error, "did not become true"));
    assert_non_null(strstr(never.out, "\"met\": false"));
    tool_run_free(&never);
}

static void test_compare(void **state)
{
    (void)state;
#define COMPARE "compare", "--problem", "heavy_top", "--time", "4", "--methods", "gbs,vlv"
    json_t *rows =
        run_json(RUN(COMPARE, "--steps", "0.1,0.05", "--tolerances", "1e-6,1e-12", "--json"));
    assert_int_equal(json_array_size(rows), 4);
    const json_t *coarse = json_array_get(rows, 0), *fine = json_array_get(rows, 1);
    assert_true(number(coarse, "error") < 1e-4 && number(fine, "error") < 1e-10);
    assert_true(number(fine, "steps") > number(coarse, "steps"));
    assert_true(fabs(number(fine, "steps") * number(fine, "step") - 4.0) < 1e-12);
    json_decref(rows);
    assert_refused(RUN(COMPARE, "--steps", "0.1,0.05", "--tolerances", "1e-6"), "as many");
    assert_refused(RUN(COMPARE, "--steps", "0.1", "--tolerances", "1e-20"), "1e-15");
}

static char *content(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    (void)fclose(file);
    return text;
}

/* A run stopped at a time and resumed to a later one has rows at all the same times; one with
 * a snapshot in every step the bytes of one without. */
static void test_resume(void **state)
{
    (void)state;
    char folder[] = "/tmp/polhode_adaptive_XXXXXX", plain[80], watched[80], snapshot[80];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(plain, sizeof plain, "%s/plain.csv", folder);
    (void)snprintf(watched, sizeof watched, "%s/watched.csv", folder);
    (void)snprintf(snapshot, sizeof snapshot, "%s/snapshot", folder);
#define ROWS TOP, "--method", "gbs", "--step", "0.25"
    tool_run one = RUN(ROWS, "--time", "20", "--out", plain),
             two = RUN(ROWS, "--time", "20", "--out", watched, "--checkpoint", snapshot,
                       "--checkpoint-every", "1");
    assert_int_equal(one.status, 0);
    assert_int_equal(two.status, 0);
    char *a = content(plain), *b = content(watched);
    assert_string_equal(a, b);
    assert_int_equal(count_lines(a), 82);
    free(a);
    free(b);
    tool_run later = RUN("resume", snapshot, "--time", "25", "--json");
    assert_int_equal(later.status, 0);
    b = content(watched);
    assert_int_equal(count_lines(b), 102);
    free(b);
    tool_run_free(&one);
    tool_run_free(&two);
    tool_run_free(&later);
    (void)unlink(plain);
    (void)unlink(watched);
    (void)unlink(snapshot);
    (void)rmdir(folder);
}

/* A pulse of the torque is seen; the limit may be set by option and scenario, and is kept by
 * snapshots. */
static void test_longest_step(void **state)
{
    (void)state;
    char folder[] = "/tmp/polhode_longest_XXXXXX", scenario[80], snapshot[80];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(scenario, sizeof scenario, "%s/pulse.yaml", folder);
    (void)snprintf(snapshot, sizeof snapshot, "%s/snapshot", folder);
    FILE *file = fopen(scenario, "w");
    assert_non_null(file);
    assert_true(fputs("problem: {torque: [0, 0, \"exp(-((t - 500)/2)^2)\"]}\n"
                      "inertia: [1, 2, 3]\nvelocity: [0, 0, 0.001]\nmethod: gauss16\n"
                      "time: 1000\nlongest_step: 20\n",
                      file) >= 0);
    assert_int_equal(0, fclose(file));
    static const char *const steps[] = {"20", "5", "1h"}; /* with an hour gbs leaps over it */
    for (size_t k = 0; k < COUNT(steps); k++) {
        json_t *run = run_json(RUN("run", scenario, "--longest-step", steps[k], "--method",
                                   k < 2 ? "gauss16" : "gbs", "--json"));
        const json_t *m = json_object_get(json_object_get(run, "final"), "momentum");
        const double end = json_real_value(json_array_get(m, 2));
        assert_true((fabs(end - 3.5479077) < 1e-6) == (k < 2));
        assert_true(number(run, "longest_step") == (k == 0 ? 20 : k == 1 ? 5 : 3600));
        assert_true(k == 2 || number(run, "steps") >= (k == 0 ? 50 : 200));
        json_decref(run);
    }
    json_t *part =
        run_json(RUN("run", scenario, "--time", "100", "--checkpoint", snapshot, "--json"));
    json_t *all = run_json(RUN("resume", snapshot, "--time", "1000", "--json"));
    assert_true(number(all, "longest_step") == 20 && number(all, "steps") >= 50);
    json_decref(part);
    json_decref(all);
    json_t *rows = run_json(RUN("compare", "--problem", "heavy_top", "--time", "4", "--methods",
                                "gbs", "--steps", "0.1", "--longest-step", "0.01", "--json"));
    assert_true(number(json_array_get(rows, 0), "steps") >= 400);
    json_decref(rows);
    assert_refused(BY("gbs", "--longest-step", "0"), "--longest-step");
    assert_refused(BY("gbs", "--longest-step", "nan"), "--longest-step");
    assert_refused(BY("vlv", "--step", "0.1", "--longest-step", "1"), "choose their steps");
    assert_refused(RUN(COMPARE, "--steps", "0.1", "--longest-step", "-1"), "positive");
    (void)unlink(scenario);
    (void)unlink(snapshot);
    (void)rmdir(folder);
}

/* ---- until when the digits hold ----------------------------------------------------- */

/* Two days of an orbit with wheels and damping, which magnify errors. */
#define TWO_DAYS                                                                                   \
    "run", "--problem", "spacecraft", "--set", "wheels=0.1,0.05,0.02", "--set", "damping=1e-5",    \
        "--velocity", "0.01deg/s,0.05deg/s,-0.02deg/s", "--json"

static double attitudes_apart(const json_t *a, const json_t *b)
{
    double sum = 0.0;
    for (size_t k = 0; k < 4; k++)
        sum += pow(attitude(a, k) - attitude(b, k), 2.0);
    return sqrt(sum);
}

/* Of a motion that magnifies errors the time is found at which a run to a smaller tolerance is
 * within 20 tolerances for each turn, while at the end it is not; and nothing else is changed. The
 * body turns by 0.055 degrees in a second at the start, and faster later. */
static void test_digits(void **state)
{
    (void)state;
    static const char *const both[] = {"1", "-1"};
    size_t count;
    const ph_adaptive *const *all = ph_adaptives(&count);
    for (size_t k = 0; k < 2 * count; k++) {
        const char *name = all[k / 2]->name, *sign = both[k % 2];
        char end[32], until[32];
        (void)snprintf(end, sizeof end, "%.17g", 172800.0 * strtod(sign, NULL));
        tool_run run = RUN(TWO_DAYS, "--method", name, "--tolerance", "1e-11", "--time", end);
        assert_contains(run.error, "warning: the requested digits are correct until");
        assert_int_equal(count_lines(run.error), 1);
        json_t *first = run_json(run),
               *fine =
                   run_json(RUN(TWO_DAYS, "--method", name, "--tolerance", "1e-14", "--time", end)),
               *alone = run_json(RUN(TWO_DAYS, "--method", name, "--tolerance", "1e-11", "--time",
                                     end, "--no-companion"));
        const double held = number(first, "digits_hold_until");
        const double allowed = 20.0 * 1e-11 * 1.0 / 360.0;
        assert_true(fabs(held) > 1e4 && fabs(held) < 1.5e5);
        assert_true(2.0 * attitudes_apart(first, fine) > 1e3 * allowed * 172800.0);
        assert_null(json_object_get(alone, "digits_hold_until"));
        (void)json_object_del(first, "digits_hold_until");
        (void)json_object_del(first, "seconds");
        (void)json_object_del(alone, "seconds");
        assert_true(json_equal(first, alone));
        json_decref(first);
        json_decref(fine);
        json_decref(alone);
        (void)snprintf(until, sizeof until, "%.17g", held);
        first = run_json(RUN(TWO_DAYS, "--method", name, "--tolerance", "1e-11", "--time", until,
                             "--no-companion"));
        fine = run_json(RUN(TWO_DAYS, "--method", name, "--tolerance", "1e-14", "--time", until,
                            "--no-companion"));
        assert_true(2.0 * attitudes_apart(first, fine) <= allowed * fabs(held));
        json_decref(first);
        json_decref(fine);
    }
}

/* Digits of a regular motion hold to its end; without a tolerance, and where a run may be
 * resumed, there is nothing to say. */
static void test_digits_hold(void **state)
{
    (void)state;
    char snapshot[] = "/tmp/polhode_XXXXXX";
    size_t count;
    const ph_adaptive *const *all = ph_adaptives(&count);
#define WELL "run", "--problem", "well", "--time", "100", "--json"
    for (size_t k = 0; k < count; k++) {
        tool_run run = RUN(WELL, "--method", all[k]->name);
        assert_done(&run);
        json_t *whole = run_json(run);
        assert_true(number(whole, "digits_hold_until") == 100.0);
        json_decref(whole);
    }
    const int file = mkstemp(snapshot);
    assert_true(file >= 0);
    (void)close(file);
    const tool_run silent[] = {
        RUN(WELL, "--step", "0.1"),
        RUN(WELL, "--method", "gbs", "--checkpoint", snapshot),
    };
    for (size_t k = 0; k < COUNT(silent); k++) {
        json_t *run = run_json(silent[k]);
        assert_null(json_object_get(run, "digits_hold_until"));
        json_decref(run);
    }
    assert_int_equal(unlink(snapshot), 0);
    /* rows of a step too long to be solved at once from its start are there */
    tool_run rows = RUN("run", "--problem", "free", "--method", "gauss16", "--tolerance", "1e-8",
                        "--time", "300", "--step", "1", "--out", "-");
    assert_done(&rows);
    assert_int_equal(count_lines(rows.out), 302);
    tool_run_free(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs),   cmocka_unit_test(test_refused),
        cmocka_unit_test(test_until),  cmocka_unit_test(test_compare),
        cmocka_unit_test(test_resume), cmocka_unit_test(test_longest_step),
        cmocka_unit_test(test_digits), cmocka_unit_test(test_digits_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
