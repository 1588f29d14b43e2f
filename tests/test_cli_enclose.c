/* test_cli_enclose.c - polhode enclose: JSON, text and rows agree, and bad input is refused. */
/* Needs lab. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/run_tool.h"

#define BRICK                                                                                      \
    "--inertia", "1+-1e-5,2+-1e-5,3+-1e-5", "--velocity", "0.4+-1e-5,0.2,2+-1e-5", "--attitude",   \
        "0.6,-0.2,0.5,0.4"

static double interval_end(const json_t *state, const char *what, const char *end, size_t i)
{
    const json_t *of = json_object_get(json_object_get(state, "enclosure"), what);
    return json_at(of, end, i);
}

/* The exact motion of the middle is inside, at times in any order, and inside the intervals of wider input. */
static void test_json(void **state)
{
    (void)state;
    tool_run run = RUN("enclose", BRICK, "--time", "2,-1,0,1", "--json"),
             exact = RUN("exact", "--inertia", "1,2,3", "--velocity", "0.4,0.2,2", "--attitude",
                         "0.6,-0.2,0.5,0.4", "--time", "2,-1,0,1", "--json"),
             thin = RUN("enclose", "--inertia", "1,2,3", "--velocity", "0.4,0.2,2", "--attitude",
                        "0.6,-0.2,0.5,0.4", "--time", "2,-1,0,1", "--json");
    assert_done(&run);
    assert_done(&exact);
    assert_done(&thin);
    json_t *json = parse_json(run.out), *of = parse_json(exact.out), *points = parse_json(thin.out);
    for (size_t n = 0; n < 4; n++) {
        const json_t *box = json_array_get(json_object_get(json, "states"), n),
                     *motion = json_array_get(json_object_get(of, "states"), n),
                     *point = json_array_get(json_object_get(points, "states"), n);
        assert_true(json_at(box, "time", 0) == json_at(motion, "time", 0));
        assert_true(json_is_false(json_object_get(box, "exceeds_half_turn")));
        assert_true(json_at(point, "angle", 0) < 1e-8);
        for (size_t i = 0; i < 7; i++) {
            const char *what = i < 4 ? "attitude" : "velocity";
            const size_t k = i < 4 ? i : i - 4;
            const double x = json_at(motion, what, k), lower = interval_end(box, what, "lower", k),
                         upper = interval_end(box, what, "upper", k),
                         near = interval_end(point, what, "lower", k),
                         far = interval_end(point, what, "upper", k);
            assert_true(lower <= x + 1e-15 && x <= upper + 1e-15);
            assert_true(upper - lower < 1e-3);
            assert_true(lower <= near && far <= upper);
            assert_true(far - near < 1e-15 * 64 && near <= x + 1e-14 && x <= far + 1e-14);
        }
    }
    json_decref(json);
    json_decref(of);
    json_decref(points);
    tool_run_free(&run);
    tool_run_free(&exact);
    tool_run_free(&thin);
}

/* Rows have the numbers of JSON; a momentum is J times the velocity. */
static void test_rows(void **state)
{
    (void)state;
    tool_run rows = RUN("enclose", BRICK, "--time", "0:2:3", "--out", "-"),
             json = RUN("enclose", BRICK, "--time", "0:2:3", "--json"),
             text = RUN("enclose", BRICK, "--time", "0:2:3"),
             momentum = RUN("enclose", "--inertia", "1,2,4", "--momentum", "0.4,0.4,8", "--time",
                            "2", "--json"),
             velocity = RUN("enclose", "--inertia", "1,2,4", "--velocity", "0.4,0.2,2", "--time",
                            "2", "--json");
    assert_done(&rows);
    assert_done(&json);
    assert_done(&text);
    assert_string_equal(momentum.out, velocity.out);
    assert_non_null(strstr(text.out, "t = 2: attitudes are within"));
    json_t *all = parse_json(json.out);
    const json_t *last = json_array_get(json_object_get(all, "states"), 2);
    const char *row = strstr(rows.out, "\n2,"), *line = strstr(text.out, "t = 2: attitudes");
    assert_non_null(strstr(rows.out, "t,q0_lower,q1_lower,"));
    assert_non_null(row);
    row = strchr(row, ',');
    for (size_t i = 0; i < 14; i++) {
        char *end;
        const double x = strtod(row + 1, &end);
        const size_t k = i < 8 ? i : i - 8, width = i < 8 ? 4 : 3;
        assert_true(x == interval_end(last, i < 8 ? "attitude" : "velocity",
                                      k < width ? "lower" : "upper", k % width));
        row = end;
    }
    /* the text has a line for each component: its name, the lower bound, the upper bound */
    for (size_t i = 0; i < 7; i++) {
        double x[2];
        line = strchr(line, '\n') + 1;
        assert_int_equal(2, sscanf(line, " %*s %lf %lf", &x[0], &x[1]));
        for (size_t k = 0; k < 2; k++)
            assert_true(x[k] == interval_end(last, i < 4 ? "attitude" : "velocity",
                                             k == 0 ? "lower" : "upper", i < 4 ? i : i - 4));
    }
    json_decref(all);
    tool_run_free(&rows);
    tool_run_free(&json);
    tool_run_free(&text);
    tool_run_free(&momentum);
    tool_run_free(&velocity);
}

static void test_half_turn(void **state)
{
    (void)state;
    tool_run run = RUN("enclose", "--inertia", "1+-0.1,2+-0.1,3+-0.1", "--velocity",
                       "0.4+-0.1,0.2+-0.1,2+-0.1", "--time", "0.1,100", "--json");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.error, "at 1 of 2 times the box exceeds half a turn"));
    json_t *json = parse_json(run.out);
    const json_t *last = json_array_get(json_object_get(json, "states"), 1);
    assert_true(json_is_true(json_object_get(last, "exceeds_half_turn")));
    for (size_t i = 0; i < 4; i++) {
        assert_true(interval_end(last, "attitude", "lower", i) >= -1.0);
        assert_true(interval_end(last, "attitude", "upper", i) <= 1.0);
    }
    json_decref(json);
    tool_run_free(&run);
}

static void test_refused(void **state)
{
    static const struct {
        const char *inertia, *velocity, *time, *words;
    } all[] = {
        {"1+-2,2,3", "1,2,3", "1", "moment 1 may be 0 or negative"},
        {"1+-0.1,2,0", "1,2,3", "1", "moment 3 may be 0 or negative"},
        {"1,2", "1,2,3", "1", "2 numbers instead of 3"},
        {"1,2,3", "1+-,2,3", "1", "--velocity"},
        {"1,2,3", "1+-0.1deg,2,3", "1", "is not understood"},
        {"1,2,3", "1+--0.1,2,3", "1", "is negative"},
        {"1,2,3", "1,2,x", "1", "--velocity"},
        {"1,2,3", "1,2,3", "x", "--time"},
        {"1,2,3", "1,2,3", "0:1:10000000", "too many"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        tool_run run = RUN("enclose", "--inertia", all[i].inertia, "--velocity", all[i].velocity,
                           "--time", all[i].time);
        assert_int_equal(run.status, 2);
        assert_string_equal(run.out, "");
        assert_non_null(strstr(run.error, all[i].words));
        tool_run_free(&run);
    }
    tool_run none = RUN("enclose", "--inertia", "1,2,3", "--time", "1"),
             both = RUN("enclose", "--inertia", "1,2,3", "--velocity", "1,2,3", "--momentum",
                        "1,2,3", "--time", "1"),
             turn = RUN("enclose", "--inertia", "1,2,3", "--velocity", "1,2,3", "--attitude",
                        "1+-2,0,0,0", "--time", "1");
    assert_int_equal(none.status, 2);
    assert_int_equal(both.status, 2);
    assert_int_equal(turn.status, 2);
    assert_non_null(strstr(none.error, "--velocity"));
    assert_non_null(strstr(turn.error, "--attitude may be 0"));
    tool_run_free(&none);
    tool_run_free(&both);
    tool_run_free(&turn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_half_turn),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
