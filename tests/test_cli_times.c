/* test_cli_times.c - the times of rows: one time everywhere, in rows, in the summary and in JSON, and
 * that which a reader of the decimal number gets. */
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

#include "base/even_times.h"
#include "support/random.h"
#include "support/run_tool.h"

#define TOP "--problem", "heavy_top", "--out", "rows.csv", "--json"

/* The double nearest to units/10^power, by way of its text. */
static double decimal(long long units, int power)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%llde-%d", units, power);
    return strtod(text, NULL);
}

/* Starts and steps of up to six digits, forward and back, and many steps. */
static void times_are_decimal(void **state)
{
    (void)state;
    uint64_t seed = 5;
    assert_true(even_time(0.0, 3.0, 0.1) == 0.3);
    assert_true(even_time(0.0, 3.0, 0.1) != 3.0 * 0.1);
    for (int trial = 0; trial < 20000; trial++) {
        const int power = (int)between(&seed, 0.0, 12.0);
        const long long step = (long long)between(&seed, -1e6, 1e6),
                        start = (long long)between(&seed, -1e6, 1e6),
                        n = (long long)between(&seed, 0.0, 1e6);
        const double h = decimal(step, power), from = decimal(start, power);
        assert_true(even_time(0.0, (double)n, h) == decimal(n * step, power));
        assert_true(even_time(from, (double)n, h) == decimal(start + n * step, power));
    }
}

/* Others are a multiple of the double: of fractions, of numbers with all digits, where whole numbers
 * are no more exact, beyond the range and where nothing is a number. */
static void others_are_multiples(void **state)
{
    (void)state;
    static const double others[] = {1.0 / 3.0, 0x1.921fb54442d18p1, 0x1.123456789abcdp-300, 1e-30,
                                    1e300};
    for (size_t i = 0; i < COUNT(others); i++) {
        for (double n = 0.0; n < 100.0; n++)
            assert_true(even_time(0.0, n, others[i]) == n * others[i]);
    }
    assert_true(even_time(0.0, 0x1p53, 0.1) == 0x1p53 * 0.1);
    /* from 2^53 on, of the multiple and of the sum, whichever comes first */
    uint64_t seed = 7;
    int differ = 0;
    for (int trial = 0; trial < 200; trial++) {
        const double n = 0x1p53 + 2.0 * floor(between(&seed, 1.0, 0x1p51)),
                     third = floor(0x1p53 / 3.0 + between(&seed, 1.0, 1e12)),
                     less = floor(0x1p53 / 3.0 - between(&seed, 1.0, 1e12)), start = -9e13;
        assert_true(even_time(0.0, n, 0.1) == n * 0.1);
        assert_true(even_time(0.0, -n, 0.1) == -n * 0.1);
        assert_true(even_time(start, third, 0.3) == start + third * 0.3);
        assert_true(even_time(-start, less, 0.3) == less * 0.3 - start);
        differ += n * 0.1 != n / 10.0;
        differ += start + third * 0.3 != (third * 3.0 + start * 10.0) / 10.0;
    }
    assert_true(differ > 100); /* the other way has other numbers */
    assert_true(even_time(1.0 / 3.0, 2.0, 0.1) == 1.0 / 3.0 + 0.2);
    assert_true(isinf(even_time(0.0, 1e300, 1e300)));
    assert_true(isnan(even_time(0.0, 1.0, NAN)) && isnan(even_time(NAN, 1.0, 0.1)));
}

/* The times of rows.csv, which it removes; returns how many. */
enum { MOST = 200 };
static size_t times_of_rows(size_t before, double t[MOST])
{
    char *text = file_text("rows.csv");
    size_t count = 0;
    assert_non_null(text);
    for (const char *at = strchr(text, '\n') + 1; *at != '\0'; at = strchr(at, '\n') + 1) {
        const char *column = at;
        for (size_t k = 0; k < before; k++)
            column = strchr(column, ',') + 1;
        assert_true(count < MOST);
        t[count++] = strtod(column, NULL);
    }
    free(text);
    assert_int_equal(0, unlink("rows.csv"));
    return count;
}

/* Rows `tenths` tenths apart, the last of them at `last` tenths and at the time of the document. */
static void assert_tenths(tool_run run, size_t before, long long tenths, long long last)
{
    double t[MOST];
    assert_done(&run);
    json_t *document = parse_json(run.out);
    const size_t rows = times_of_rows(before, t);
    for (size_t i = 0; i < rows; i++) {
        const double wanted = decimal((long long)(i % ((size_t)(last / tenths) + 1)) * tenths, 1);
        if (t[i] != wanted)
            fail_msg("row %zu is at t = %.17g, not %.17g", i, t[i], wanted);
    }
    assert_true(t[rows - 1] == decimal(last, 1));
    if (json_object_get(document, "time") != NULL)
        assert_true(json_at(document, "time", 0) == t[rows - 1]);
    json_decref(document);
    tool_run_free(&run);
}

static void one_time_everywhere(void **state)
{
    (void)state;
    assert_tenths(RUN("run", TOP, "--step", "0.1", "--time", "0.3"), 0, 1, 3);
    assert_tenths(RUN("run", TOP, "--step", "0.1", "--time", "0:0.7@0.1"), 0, 1, 7);
    assert_tenths(RUN("run", TOP, "--step", "0.05", "--time", "0:9@0.1"), 0, 1, 90);
    assert_tenths(RUN("run", TOP, "--step", "0.1", "--time", "6", "--every", "3"), 0, 3, 60);
    assert_tenths(RUN("run", TOP, "--step=-0.1", "--time=-0.7"), 0, -1, -7);
    assert_tenths(RUN("run", TOP, "--method", "gbs", "--tolerance", "1e-9", "--time", "0:1.7@0.1"),
                  0, 1, 17);
    assert_tenths(RUN("run", TOP, "--scatter", "velocity=1%", "--samples", "2", "--step", "0.05",
                      "--time", "0:1.7@0.1"),
                  1, 1, 17);
    assert_tenths(RUN("run", TOP, "--scatter", "velocity=1%", "--samples", "2", "--tolerance",
                      "1e-9", "--time", "0:1.7@0.1"),
                  1, 1, 17);
    assert_tenths(RUN("exact", BOOK, "--time", "0:1.7@0.1", "--out", "rows.csv", "--json"), 0, 1,
                  17);
}

/* A run that is over, and continues to a later time: the bytes of one to that time. */
static void later_runs_have_the_same_bytes(void **state)
{
    (void)state;
    tool_run first =
                 RUN("run", TOP, "--step", "0.1", "--time", "0.7", "--checkpoint", "rows.snapshot"),
             later = RUN("resume", "rows.snapshot", "--time", "2.1", "--json");
    assert_done(&first);
    assert_done(&later);
    json_t *document = parse_json(later.out);
    assert_true(json_at(document, "time", 0) == 2.1);
    json_decref(document);
    char *resumed = file_text("rows.csv");
    tool_run whole = RUN("run", TOP, "--step", "0.1", "--time", "2.1");
    assert_done(&whole);
    char *at_once = file_text("rows.csv");
    assert_string_equal(at_once, resumed);
    free(resumed);
    free(at_once);
    tool_run_free(&first);
    tool_run_free(&later);
    tool_run_free(&whole);
    assert_int_equal(0, unlink("rows.csv"));
    assert_int_equal(0, unlink("rows.snapshot"));
}

/* Ranges start:end@step in both directions; an end that is no multiple is left out. */
static void ranges(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t count;
        double first, step;
    } all[] = {{"0:1@0.25", 5, 0.0, 0.25}, {"1:-1@-0.5", 5, 1.0, -0.5}, {"0:-3@-1", 4, 0.0, -1.0},
               {"0:1@0.4", 3, 0.0, 0.4},   {"0:-1@-0.4", 3, 0.0, -0.4}, {"2:2@1", 1, 2.0, 1.0},
               {"2:2@-1", 1, 2.0, -1.0},   {"2:3@5", 1, 2.0, 5.0}};
    static const char *const wrong[][2] = {{"0:1@0", "the step after @ is zero"},
                                           {"0:-1@0", "the step after @ is zero"},
                                           {"1:1@0", "the step after @ is zero"},
                                           {"0:1@-0.5", "leads away from the end"},
                                           {"1:0@0.5", "leads away from the end"},
                                           {"0:1e17@1", "more than 2^53 times"},
                                           {"0:-9007199254740992@-1", "more than 2^53 times"}};
    for (size_t i = 0; i < COUNT(all); i++) {
        char option[40];
        double t[MOST];
        (void)snprintf(option, sizeof option, "--time=%s", all[i].text);
        tool_run run = RUN("exact", BOOK, option, "--out", "rows.csv");
        assert_done(&run);
        tool_run_free(&run);
        assert_int_equal(all[i].count, times_of_rows(0, t));
        for (size_t k = 0; k < all[i].count; k++)
            assert_true(fabs(t[k] - (all[i].first + (double)k * all[i].step)) < 1e-15);
    }
    for (size_t i = 0; i < COUNT(wrong); i++) {
        char option[40];
        (void)snprintf(option, sizeof option, "--time=%s", wrong[i][0]);
        assert_refused(RUN("exact", BOOK, option, "--out", "rows.csv"), wrong[i][1]);
    }
}

/* A step of no decimal number: the last row and the document still have the same time, and many
 * bodies come to their end, 49 steps on, which is no double that was given. */
static void other_steps(void **state)
{
    (void)state;
    double t[MOST];
    tool_run run = RUN("run", TOP, "--step", "0.020408163265306121", "--time", "1");
    assert_done(&run);
    json_t *document = parse_json(run.out);
    const size_t rows = times_of_rows(0, t);
    assert_int_equal(50, rows);
    assert_true(json_at(document, "time", 0) == t[rows - 1]);
    assert_true(fabs(t[rows - 1] - 1.0) < 1e-15);
    json_decref(document);
    tool_run_free(&run);

    run = RUN("run", TOP, "--scatter", "velocity=1%", "--samples", "2", "--step",
              "0.020408163265306121", "--time", "0:1@0.020408163265306121");
    assert_done(&run);
    assert_int_equal(100, times_of_rows(1, t));
    tool_run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_decimal),   cmocka_unit_test(others_are_multiples),
        cmocka_unit_test(one_time_everywhere), cmocka_unit_test(later_runs_have_the_same_bytes),
        cmocka_unit_test(other_steps),         cmocka_unit_test(ranges),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
