/* test_cli_device.c - devices in the tool: their list; cases on one of them print the same
 * bytes; and what is said where there is none. */
/* Needs device, lab. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/run_tool.h"
#include "support/skip.h"

enum { CASES = 300, TIMED = 11 };

/* The line of a device: two blanks and the name, the memory in GB below the right end of its
 * heading, and whether it has double precision below the left end of the last heading. */
static void assert_line(const char *text, const char *name, json_int_t memory, bool precise)
{
    const char *head = strstr(text, "  name "), *size = strstr(text, "memory, GB"),
               *last = strstr(text, "double");
    char begin[300], number[40];
    (void)snprintf(begin, sizeof begin, "\n  %s ", name);
    const char *line = strstr(text, begin);
    assert_true(head != NULL && size != NULL && last != NULL && line != NULL);
    assert_true(head == text || head[-1] == '\n');
    line++;
    const int length = snprintf(number, sizeof number, " %.1f", (double)memory / 1e9);
    const char *end = line + (size - head) + strlen("memory, GB");
    assert_int_equal(0, strncmp(end - length, number, (size_t)length));
    assert_int_equal(0, strncmp(line + (last - head), precise ? "yes\n" : "no\n", precise ? 4 : 3));
}

/* The number of devices with double precision. */
static size_t listed(void)
{
    tool_run run = RUN("list", "devices", "--json"), text = RUN("list", "devices");
    assert_done(&run);
    assert_done(&text);
    json_t *array = parse_json(run.out);
    size_t usable = 0;
    assert_true(json_is_array(array));
    for (size_t i = 0; i < json_array_size(array); i++) {
        const char *name, *platform;
        json_int_t memory;
        int precise;
        assert_int_equal(json_unpack(json_array_get(array, i), "{sssssIsb}", "name", &name,
                                     "platform", &platform, "memory", &memory, "double", &precise),
                         0);
        assert_contains(text.out, platform);
        assert_true(memory > 0);
        assert_line(text.out, name, memory, precise != 0);
        usable += precise != 0;
    }
    json_decref(array);
    tool_run_free(&run);
    tool_run_free(&text);
    return usable;
}

static void same_bytes(void **state)
{
    (void)state;
    double x[CASES * TIMED];
    char *timed = random_cases(CASES_HEADER, TIMED, CASES, x);
    if (listed() == 0) {
        assert_refused(RUN_WITH(timed, "exact", "--cases", "-", "--device", "any"),
                       "there is no device");
        free(timed);
        skip_because("a driver of OpenCL is not installed");
    }
    tool_run here = RUN_WITH(timed, "exact", "--cases", "-"),
             there = RUN_WITH(timed, "exact", "--cases", "-", "--device", "any");
    assert_done(&here);
    assert_done(&there);
    assert_int_equal(count_lines(here.out), CASES + 1);
    assert_string_equal(here.out, there.out);
    tool_run_free(&here);
    tool_run_free(&there);
    free(timed);
    char *cases = random_cases("I1,I2,I3,m1,m2,m3,q0,q1,q2,q3\n", TIMED - 1, CASES, x);
    here = RUN_WITH(cases, "run", "--cases", "-", "--method", "exact", "--step", "0.25", "--time",
                    "5");
    there = RUN_WITH(cases, "run", "--cases", "-", "--method", "exact", "--step", "0.25", "--time",
                     "5", "--device", "any");
    assert_done(&here);
    assert_done(&there);
    assert_string_equal(here.out, there.out);
    tool_run_free(&here);
    tool_run_free(&there);
    assert_refused(RUN_WITH(cases, "run", "--cases", "-", "--method", "zon", "--step", "1",
                            "--time", "5", "--device", "any"),
                   "devices cannot run zon");
    free(cases);
}

/* The rows of an ensemble are the same bytes; other methods are refused. */
static void ensembles(void **state)
{
    (void)state;
    static const char *const by[][2] = {{"--method", "dop853"}, {"--method", "s4_6+exact"}};
    if (listed() == 0) {
        assert_refused(RUN("run", "--problem", "heavy_top", "--scatter", "velocity=1%", "--samples",
                           "5", "--tolerance", "1e-8", "--time", "0:1:3", "--device", "any"),
                       "there is no device");
        skip_because("a driver of OpenCL is not installed");
    }
    for (int k = 0; k < 2; k++) {
        tool_run here =
                     RUN("run", "--problem", "heavy_top", "--scatter", "velocity=1%", "--samples",
                         "50", by[k][0], by[k][1], "--step", "0.25", "--time", "2", "--every", "2"),
                 there = RUN("run", "--problem", "heavy_top", "--scatter", "velocity=1%",
                             "--samples", "50", by[k][0], by[k][1], "--step", "0.25", "--time", "2",
                             "--every", "2", "--device", "any");
        assert_done(&here);
        assert_done(&there);
        assert_int_equal(count_lines(here.out), 50 * 5 + 1);
        assert_string_equal(here.out, there.out);
        tool_run_free(&here);
        tool_run_free(&there);
    }
    assert_refused(RUN("run", "--problem", "heavy_top", "--scatter", "velocity=1%", "--samples",
                       "5", "--method", "gbs", "--time", "0:1:3", "--device", "any"),
                   "devices cannot run heavy_top by gbs: use dop853");
}

static void refusals(void **state)
{
    (void)state;
    assert_refused(RUN("exact", BOOK, "--time", "1", "--device", "any"), "add --cases");
    assert_refused(RUN("run", "--problem", "free", "--method", "exact", "--step", "1", "--time",
                       "1", "--device", "any"),
                   "add --cases");
    assert_refused(RUN_WITH(CASES_HEADER CASE, "exact", "--cases", "-", "--device", "no"),
                   "device");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes),
        cmocka_unit_test(ensembles),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
