/* test_cli.c - the command-line tool as its users call it: what it prints, what it says
 * when something is wrong, and its exit status. */
/* Needs lab. */
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

#include "motion/vec.h"
#include "polhode/polhode.h"
#include "support/run_tool.h"

static void assert_near(double x, double y, double tolerance)
{
    if (!(fabs(x - y) <= tolerance))
        fail_msg("%.17g, not %.17g", x, y);
}

/* ---- JSON ------------------------------------------------------------------------ */

static void assert_state(const json_t *state, double t, ph_state s, ph_vec3 w)
{
    const double q[] = {s.q.w, s.q.x, s.q.y, s.q.z}, m[] = {s.m.x, s.m.y, s.m.z};
    const double v[] = {w.x, w.y, w.z};
    assert_true(json_number_value(json_object_get(state, "time")) == t);
    assert_int_equal(json_array_size(json_object_get(state, "attitude")), 4);
    for (size_t i = 0; i < 4; i++)
        assert_true(json_at(state, "attitude", i) == q[i]);
    for (size_t i = 0; i < 3; i++) {
        assert_true(json_at(state, "momentum", i) == m[i]);
        assert_true(json_at(state, "velocity", i) == v[i]);
    }
}

/* Runs `exact --json` with these words and returns its states. */
#define JSON_STATES(document, ...) json_states((document), RUN("exact", "--json", __VA_ARGS__))

static const json_t *json_states(json_t **document, tool_run run)
{
    assert_done(&run);
    *document = parse_json(run.out);
    tool_run_free(&run);
    const json_t *states = json_object_get(*document, "states");
    assert_true(json_is_array(states));
    return states;
}

/* ---- general --------------------------------------------------------------------- */

static void help_and_version(void **state)
{
    (void)state;
    tool_run run = RUN("--version");
    assert_done(&run);
    char version[64];
    snprintf(version, sizeof version, "polhode %s\n", ph_version());
    assert_string_equal(run.out, version);
    tool_run_free(&run);

    static const char *const commands[] = {"exact", "run", "compare", "list"};
    tool_run general = RUN("--help");
    assert_done(&general);
    for (size_t i = 0; i < COUNT(commands); i++) {
        assert_contains(general.out, commands[i]);
        tool_run help = RUN(commands[i], "--help"), same = RUN("help", commands[i]);
        assert_done(&help);
        assert_contains(help.out, "Usage:");
        assert_contains(help.out, "Examples:");
        assert_string_equal(help.out, same.out);
        tool_run_free(&help);
        tool_run_free(&same);
    }
    tool_run_free(&general);
}

static void bad_usage(void **state)
{
    (void)state;
    static const char *const wrong[][12] = {
        /* what the line must say, then the words */
        {"exact (a free body at any time), run (a body in a field), view", NULL},
        {"did you mean exact", "exat"},
        {"did you mean --version", "--versoin"},
        {"did you mean list", "help", "lst"},
        {"did you mean flows", "list", "flwos"},
        {"did you mean --json", "list", "--jsno"},
        {"second list", "list", "flows", "figures"},
        {"did you mean --inertia", "exact", "--inertai", "1,2,3"},
        {"--tensor", "exact", "--momentum", "1,2,3", "--time", "1"},
        {"--velocity", "exact", "--inertia", "1,2,3", "--time", "1"},
        {"--time", "exact", BOOK},
        {"needs a value", "exact", "--inertia"},
        {"needs a value", "exact", "--inertia", "--json"},
        {"needs a value", "exact", "--inertia="},
        {"does not take a value", "exact", "--json=yes"},
        {"cannot be used with", "exact", BOOK, "--velocity", "1,2,3", "--time", "1"},
        {"cannot be used with", "exact", BOOK, "--tensor", "1,2,3,0,0,0", "--time", "1"},
        {"cannot be used with", "exact", BOOK, "--cases", "-"},
        {"junk", "exact", BOOK, "--time", "1", "junk"},
        {"--out -", "exact", BOOK, "--time", "1", "--json", "--out=-"},
        {"--cases", "exact", "--cases", "-", "--plot", "x.svg"},
        {".svg", "exact", BOOK, "--time", "1", "--plot", "x.eps"},
        {"two?lines", "two\nlines"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++)
        assert_refused(tool_run_words(NULL, wrong[i] + 1), wrong[i][0]);
}

static void bad_numbers(void **state)
{
    (void)state;
    static const char *const wrong[][3] = {
        {"--inertia", "1,2", "fewer"},
        {"--inertia", "1,2,3,4", "more"},
        {"--inertia", "1,2,3,", "more"},
        {"--inertia", "1,,3", "not a number"},
        {"--inertia", "1,2,3x", "--inertia cannot have a unit"},
        {"--inertia", "1;2;3", "not a number"},
        {"--inertia", "1,2,0x", "cannot have a unit"},
        {"--inertia", "1,2,nan", "not finite"},
        {"--inertia", "1,2,-inf", "not finite"},
        {"--inertia", "1,2,1e999", "too large"},
        {"--inertia", "1,2,0", "positive"},
        {"--inertia", "1,-2,3", "positive"},
        {"--momentum", "nan,0,0", "not finite"},
        {"--momentum", "0,0", "fewer"},
        {"--attitude", "0,0,0,0", "zero quaternion"},
        {"--attitude", "1,0,0", "fewer"},
        {"--attitude", "1,0,0,infinity", "not finite"},
        {"--rotvec", "1,2", "fewer"},
        {"--time", "one", "not a number"},
        {"--time", "1,2,", "not a number"},
        {"--time", "inf", "not finite"},
        {"--time", "0:1", "count"},
        {"--time", "0:1:0", "count"},
        {"--time", "0:1:-5", "count"},
        {"--time", "0:1:2.5", "count"},
        {"--time", "0:nan:5", "not finite"},
        {"--time", "0:1:5:6", "count"},
        {"--time", "0:1:99999999999999999999", "fewer"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++)
        assert_refused(RUN("exact", BOOK, "--time", "1", wrong[i][0], wrong[i][1]), wrong[i][2]);
    assert_refused(RUN("exact", "--tensor", "1,2,3,9,0,0", "--momentum", "1,2,3", "--time", "1"),
                   "positive");
    assert_refused(
        RUN("exact", "--inertia", "1e-300,1,1", "--momentum", "1e300,1,1", "--time", "1"),
        "overflows");
}

/* ---- exact: one body ------------------------------------------------------------- */

static void json_round_trips(void **state)
{
    (void)state;
    static const double when[] = {0.0, -3.7, 1e-9, 123456.789};
    json_t *document;
    const json_t *states = JSON_STATES(&document, BOOK, "--time", "0,-3.7,1e-9,123456.789");
    assert_int_equal(json_array_size(states), COUNT(when));
    for (size_t i = 0; i < COUNT(when); i++) {
        const ph_state s = expected(book_inertia, book_start, when[i]);
        assert_state(json_array_get(states, i), when[i], s, over(s.m, book_inertia));
    }
    const json_t *kept = json_object_get(document, "invariants");
    const double energy = json_number_value(json_object_get(kept, "energy"));
    assert_near(energy, 0.5 * (0.36 / 0.627 + 0.64), 1e-15);
    kept = json_object_get(kept, "largest_relative_error");
    assert_true(json_number_value(json_object_get(kept, "energy")) < 1e-14);
    json_decref(document);
}

static void same_output(tool_run a, tool_run b)
{
    assert_done(&a);
    assert_done(&b);
    assert_string_equal(a.out, b.out);
    tool_run_free(&a);
    tool_run_free(&b);
}

#define EXACT(...) RUN("exact", "--out", "-", __VA_ARGS__)

static void ways_to_say_the_same(void **state)
{
    (void)state;
    same_output(EXACT("--inertia", "0.5,1,1.25", "--momentum", "-1,-0.5,2", "--time", "-2"),
                EXACT("--inertia=0x1p-1,0x1,0X1.4P0", "--momentum=-1.0,-5e-1,+2", "--time=-0x1p1"));
    same_output(EXACT("--inertia", "1,2,3", "--momentum", "1,2,3", "--time", "1"),
                EXACT("--inertia", " 1, 2 ,3", "--momentum", "9,9,9", "--time", "7", "--momentum",
                      "1,2,3", "--time", "1"));
    same_output(EXACT("--inertia", "1,2,2.5", "--momentum", "2,4,5", "--time", "1"),
                EXACT("--tensor", "1,2,2.5,0,0,0", "--velocity", "2,2,2", "--time", "1"));
    same_output(EXACT(BOOK, "--attitude", "1,0,0,0", "--time", "1"),
                EXACT(BOOK, "--attitude", "4,0,0,0", "--time", "1"));
    same_output(EXACT(BOOK, "--rotvec", "0,0,0", "--time", "1"), EXACT(BOOK, "--time", "1"));

    assert_int_equal(setenv("LC_ALL", "de_DE.UTF-8", 1), 0);
    tool_run german = EXACT(BOOK, "--time", "0.5");
    assert_int_equal(unsetenv("LC_ALL"), 0);
    same_output(german, EXACT(BOOK, "--time", "0.5"));
}

/* A tensor that is not diagonal: in its principal frame the same body as from moments. */
static void tensor_in_another_frame(void **state)
{
    (void)state;
    /* diag(1,2,3) with the principal axes (0.6,0.8,0), (-0.8,0.6,0), (0,0,1) */
    json_t *turned, *straight;
    const json_t *a = JSON_STATES(&turned, "--tensor", "1.64,1.36,3,-0.48,0,0", "--momentum",
                                  "1.4,-0.2,0.5", "--time", "3");
    const json_t *b =
        JSON_STATES(&straight, "--inertia", "1,2,3", "--momentum", "0.68,-1.24,0.5", "--time", "3");
    const json_t *s = json_array_get(a, 0), *r = json_array_get(b, 0);
    const double x = json_at(r, "momentum", 0), y = json_at(r, "momentum", 1);
    assert_near(json_at(s, "momentum", 0), 0.6 * x - 0.8 * y, 1e-13);
    assert_near(json_at(s, "momentum", 1), 0.8 * x + 0.6 * y, 1e-13);
    assert_near(json_at(s, "momentum", 2), json_at(r, "momentum", 2), 1e-13);
    json_decref(turned);
    json_decref(straight);

    a = JSON_STATES(&turned, "--tensor", "2,3,4,0.1,0.2,0.3", "--velocity", "1,-0.2,0.3", "--time",
                    "0");
    s = json_array_get(a, 0);
    assert_near(json_at(s, "momentum", 0), 2.0 - 0.02 + 0.06, 1e-14);
    assert_near(json_at(s, "momentum", 1), 0.1 - 0.6 + 0.09, 1e-14);
    assert_near(json_at(s, "momentum", 2), 0.2 - 0.06 + 1.2, 1e-14);
    json_decref(turned);
}

static void time_grids(void **state)
{
    (void)state;
    json_t *document;
    const json_t *states = JSON_STATES(&document, BOOK, "--time", "-0.3:0.7:11");
    assert_int_equal(json_array_size(states), 11);
    for (size_t i = 0; i < 11; i++) {
        const double t = json_number_value(json_object_get(json_array_get(states, i), "time"));
        assert_true(t == (i == 10 ? 0.7 : -0.3 + (double)i * (0.7 - -0.3) / 10.0));
    }
    json_decref(document);
    states = JSON_STATES(&document, BOOK, "--time", "5:2:1");
    assert_int_equal(json_array_size(states), 1);
    assert_true(json_number_value(json_object_get(json_array_get(states, 0), "time")) == 5.0);
    json_decref(document);
    states = JSON_STATES(&document, BOOK, "--time", "-1e308:1e308:5");
    assert_true(json_number_value(json_object_get(json_array_get(states, 2), "time")) == 0.0);
    json_decref(document);
}

/* Digits of the phase are told with every state, and warned of when there are few. */
static void digits_of_the_phase(void **state)
{
    (void)state;
    json_t *document;
    const json_t *states = JSON_STATES(&document, BOOK, "--time", "0,1e6,1e17");
    static const double least[] = {15.9, 9.0, 0.0}, most[] = {16.0, 11.0, 0.0};
    for (size_t i = 0; i < 3; i++) {
        const double digits =
            json_number_value(json_object_get(json_array_get(states, i), "phase_digits"));
        assert_true(digits >= least[i] && digits <= most[i]);
    }
    json_decref(document);
    tool_run far = RUN("exact", BOOK, "--time", "1e17"), near = RUN("exact", BOOK, "--time", "1e6");
    assert_int_equal(0, far.status);
    assert_non_null(strstr(far.error, "polhode: warning: "));
    assert_non_null(strstr(far.error, "correct digits: the states"));
    assert_string_equal("", near.error);
    tool_run_free(&far);
    tool_run_free(&near);
}

/* What breaks other codes, and other extremes: finite states that keep the invariants. */
static void awkward_bodies(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"1,2,3", "1e-8,1,1e-8"},
        {"1,2,3", "0,1,0"},
        {"1,2,3", "0,0,-1"},
        {"3,1,2", "1,1,1"},
        {"1,1,1", "1,2,3"},
        {"1,1,2", "0.6,0.8,0"},
        {"2,3,3", "0,0.6,0.8"},
        {"1,1,2", "0.1,0.2,-1"},
        {"1,2,3", "1e-300,1,1e-300"},
        {"1,1.0000000000000002,2", "1,1,1"},
        {"1e-6,1,1", "1e-6,1,1"},
        {"1e-46,2e-46,2.5e-46", "1e-34,2e-34,3e-34"},
        {"1e200,2e200,3e200", "1e200,1e200,1e200"},
        {"1,2,3", "0,0,0"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        json_t *document;
        const json_t *states = JSON_STATES(&document, "--inertia", cases[i][0], "--momentum",
                                           cases[i][1], "--time", "0,1e-3,5,-40,1e6");
        assert_int_equal(json_array_size(states), 5);
        const json_t *error =
            json_object_get(json_object_get(document, "invariants"), "largest_relative_error");
        assert_true(json_number_value(json_object_get(error, "momentum")) < 1e-14);
        assert_true(json_number_value(json_object_get(error, "space_momentum")) < 1e-14);
        const json_t *energy = json_object_get(error, "energy");
        assert_true(json_is_null(energy) || json_number_value(energy) < 1e-14);
        json_decref(document);
    }
}

static void table_for_people(void **state)
{
    (void)state;
    tool_run run = RUN("exact", BOOK, "--time", "0:1:21");
    assert_done(&run);
    assert_contains(run.out, "energy");
    assert_contains(run.out, "space momentum");
    size_t lines = 0;
    for (const char *line = run.out; *line != '\0'; line = strchr(line, '\n') + 1) {
        assert_true(strcspn(line, "\n") <= 80);
        lines += strncmp(line, "    ", 4) == 0;
    }
    assert_int_equal(lines, 1 + 21);
    tool_run_free(&run);

    run = RUN("exact", BOOK, "--time", "0:1000:1001", "--out", "table.csv");
    assert_done(&run);
    lines = 0;
    for (const char *line = run.out; *line != '\0'; line = strchr(line, '\n') + 1)
        lines += strncmp(line, "    ", 4) == 0;
    assert_int_equal(lines, 1 + 9);
    assert_contains(run.out, "\n        0 ");
    assert_contains(run.out, "\n     1000 ");
    assert_contains(run.out, "1001 states written to table.csv");
    tool_run_free(&run);
    assert_int_equal(unlink("table.csv"), 0);
}

static void warnings(void **state)
{
    (void)state;
    tool_run run = RUN("exact", "--inertia", "1,1,5", "--momentum", "1,2,3", "--time", "1");
    assert_int_equal(run.status, 0);
    assert_int_equal(count_lines(run.error), 1);
    assert_int_equal(strncmp(run.error, "polhode: warning: ", 18), 0);
    tool_run_free(&run);
    assert_refused(RUN("exact", "--inertia", "1,1,5", "--momentum", "1,2", "--time", "1"), "fewer");

    run = RUN_WITH(CASES_HEADER CASE "1,1,5,1,2,3,1,0,0,0,1\n", "exact", "--cases", "-");
    assert_int_equal(run.status, 0);
    assert_int_equal(count_lines(run.error), 1);
    assert_contains(run.error, "warning: 1 of the bodies, the first in standard input line 3");
    tool_run_free(&run);
    run = RUN_WITH(CASES_HEADER "1,1,5,1,2,3,1,0,0,0,1\nx\n", "exact", "--cases", "-");
    assert_error_line(&run, 2, "line 3");
    tool_run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_and_version),
        cmocka_unit_test(bad_usage),
        cmocka_unit_test(bad_numbers),
        cmocka_unit_test(json_round_trips),
        cmocka_unit_test(ways_to_say_the_same),
        cmocka_unit_test(tensor_in_another_frame),
        cmocka_unit_test(time_grids),
        cmocka_unit_test(awkward_bodies),
        cmocka_unit_test(digits_of_the_phase),
        cmocka_unit_test(table_for_people),
        cmocka_unit_test(warnings),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
