/* test_cli_device.c - devices in the tool: their list; cases on one of them print the same
 * bytes; and what is said where there is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "support/run_tool.h"

enum { CASES = 300, TIMED = 11 };

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
        assert_int_equal(json_unpack(json_array_get(array, i), "{sssssIsb}", "name",
                                     &name, "platform", &platform, "memory", &memory,
                                     "double", &precise),
                         0);
        assert_contains(text.out, name);
        assert_contains(text.out, platform);
        assert_true(memory > 0);
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
        skip();
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
    here = RUN_WITH(cases, "run", "--cases", "-", "--method", "exact", "--step", "0.25",
                    "--time", "5");
    there = RUN_WITH(cases, "run", "--cases", "-", "--method", "exact", "--step", "0.25",
                     "--time", "5", "--device", "any");
    assert_done(&here);
    assert_done(&there);
    assert_string_equal(here.out, there.out);
    tool_run_free(&here);
    tool_run_free(&there);
    assert_refused(RUN_WITH(cases, "run", "--cases", "-", "--method", "zon", "--step",
                            "1", "--time", "5", "--device", "any"),
                   "zon is not done on devices");
    free(cases);
}

static void refusals(void **state)
{
    (void)state;
    assert_refused(RUN("exact", BOOK, "--time", "1", "--device", "any"), "add --cases");
    assert_refused(RUN("run", "--problem", "free", "--method", "exact", "--step", "1",
                       "--time", "1", "--device", "any"),
                   "add --cases");
    assert_refused(RUN_WITH(CASES_HEADER CASE, "exact", "--cases", "-", "--device", "no"),
                   "device");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
