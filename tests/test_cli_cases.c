/* test_cli_cases.c - the command-line tool on many cases, through pipes, at a terminal,
 * and under Ctrl-C. */
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
#include <unistd.h>

#include "motion/vec.h"
#include "polhode/polhode.h"
#include "support/run_tool.h"
#include "support/skip.h"

/* ---- exact: many cases ----------------------------------------------------------- */

static void cases_match_the_library(void **state)
{
    (void)state;
    enum { N = 3000, IN = 11, OUT = 7 };
    static double numbers[N][IN];
    char *text = random_cases(CASES_HEADER, IN, N, numbers[0]);
    tool_run run = RUN_WITH(text, "exact", "--cases", "-");
    assert_done(&run);
    assert_whole_rows(run.out, ANSWERS);
    assert_int_equal(count_lines(run.out), N + 1);

    const char *at = strchr(run.out, '\n') + 1;
    for (size_t i = 0; i < N; i++) {
        const double *x = numbers[i];
        double y[OUT];
        at = next_numbers(at, OUT, y);
        const ph_state start = {{x[6], x[7], x[8], x[9]}, {x[3], x[4], x[5]}};
        const ph_state s = expected(vec3(x[0], x[1], x[2]), start, x[10]);
        const double z[OUT] = {s.m.x, s.m.y, s.m.z, s.q.w, s.q.x, s.q.y, s.q.z};
        for (int k = 0; k < OUT; k++) /* many at once round differently */
            assert_true(fabs(y[k] - z[k]) < 1e-13);
    }
    free(text);
    tool_run_free(&run);
}

/* Every column of a case is that of the motion of one body, also how far a number is from its start. */
static void every_column_of_a_case(void **state)
{
    (void)state;
    enum { MOST = 64 };
    static const char columns[] =
        "t,attitude,momentum,velocity,moments,axes,energy,space_momentum,energy_error,"
        "momentum_error,space_momentum_error,q_space,euler_zxz,euler_zyx,rotvec,R,w_space,m_space";
#define ONE_BODY "--inertia", "1,2,2.5", "--velocity", "0.3,-0.2,0.1", "--attitude", "0.6,0,0.8,0"
    static const char cases[] = "I1,I2,I3,w1,w2,w3,q0,q1,q2,q3";
    char timed[200], plain[200];
    snprintf(timed, sizeof timed, "%s,t\n1,2,2.5,0.3,-0.2,0.1,0.6,0,0.8,0,3\n", cases);
    snprintf(plain, sizeof plain, "%s\n1,2,2.5,0.3,-0.2,0.1,0.6,0,0.8,0\n", cases);
    tool_run one[] = {RUN("exact", ONE_BODY, "--time", "3", "--show", columns, "--out", "-"),
                      RUN("run", "--problem", "free", "--method", "vlv", "--step", "0.5", "--time",
                          "3", ONE_BODY, "--every", "6", "--show", columns, "--out", "-")},
             many[] = {RUN_WITH(timed, "exact", "--cases", "-", "--show", columns),
                       RUN_WITH(plain, "run", "--cases", "-", "--method", "mr", "--step", "0.5",
                                "--time", "3", "--show", columns)};
    for (size_t i = 0; i < COUNT(one); i++) {
        assert_int_equal(one[i].status, 0);
        assert_done(&many[i]);
        assert_memory_equal(one[i].out, many[i].out, strcspn(one[i].out, "\n") + 1);
    }
    const char *last = strchr(one[0].out, '\n') + 1; /* the other one is by another method */
    size_t n = 1;
    for (const char *c = last; *c != '\n'; c++)
        n += *c == ',';
    assert_in_range(n, 40, MOST);
    double x[MOST], y[MOST];
    (void)next_numbers(last, n, x);
    (void)next_numbers(strchr(many[0].out, '\n') + 1, n, y);
    for (size_t k = 0; k < n; k++)
        assert_true(fabs(x[k] - y[k]) < 1e-13);
    for (size_t i = 0; i < COUNT(one); i++) {
        tool_run_free(&one[i]);
        tool_run_free(&many[i]);
    }
}

/* An array of rows as NumPy saves it: little-endian doubles after a header. */
static void write_array(const char *path, const char *dictionary, const double *x, size_t n)
{
    enum { HEADER = 384, BEFORE = 10 };
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    (void)fprintf(f, "\x93NUMPY%c%c%c%c%-*s\n", 1, 0, (HEADER - BEFORE) & 0xFF,
                  (HEADER - BEFORE) >> 8, HEADER - BEFORE - 1, dictionary);
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        for (int k = 0; k < 64; k += 8)
            (void)fputc((int)(bits >> k & 0xFF), f);
    }
    assert_int_equal(0, fclose(f));
}

#define FIELD(name) "('" name "', '<f8'), "
static const char RECORDS[] = /* of cases */
    "{'descr': [('I1', '<f8'), ('I2', '<f8'), ('I3', '<f8'), ('m1', '<f8'), "
    "('m2', '<f8'), ('m3', '<f8'), ('q0', '<f8'), ('q1', '<f8'), ('q2', '<f8'), "
    "('q3', '<f8'), ('t', '<f8')], 'fortran_order': False, 'shape': (50,), }";
#define BY_ROWS "'fortran_order': False, 'shape': "

/* Cases in arrays, with names and without, give what those of a CSV give; and the results as
 * an array are these numbers. */
static void arrays_as_csv(void **state)
{
    (void)state;
    enum { N = 50, IN = 11, OUT = 7 };
    static double numbers[N][IN];
    const char *const same[] = {
        "{'descr': '<f8', " BY_ROWS "(50, 11), }",
        RECORDS,
    };
    char *text = random_cases(CASES_HEADER, IN, N, numbers[0]);
    tool_run right = RUN_WITH(text, "exact", "--cases", "-");
    assert_done(&right);
    for (size_t k = 0; k < sizeof same / sizeof same[0]; k++) {
        write_array("a.npy", same[k], numbers[0], (size_t)N * IN);
        tool_run run = RUN("exact", "--cases", "a.npy");
        assert_done(&run);
        assert_string_equal(run.out, right.out);
        tool_run_free(&run);
    }
    tool_run run = RUN("exact", "--cases", "a.npy", "--out", "b.npy");
    assert_done(&run);
    tool_run_free(&run);
    enum { HEAD = 128 };
    char head[HEAD];
    double row[OUT], y[OUT];
    FILE *f = fopen("b.npy", "rb");
    assert_non_null(f);
    assert_int_equal(HEAD, fread(head, 1, HEAD, f));
    assert_non_null(strstr(head + 10, "'shape': (50, 7)"));
    const char *at = strchr(right.out, '\n') + 1;
    for (int i = 0; i < N; i++) {
        at = next_numbers(at, OUT, y);
        assert_int_equal(OUT, fread(row, sizeof row[0], OUT, f));
        assert_memory_equal(row, y, sizeof row);
    }
    (void)fclose(f);
    tool_run_free(&right);
    free(text);

    const struct {
        const char *dictionary, *message;
        size_t count;
        double first;
    } bad[] = {
        {"{'descr': '<f8', " BY_ROWS "(50, 10), }", "10 columns", 500, 1},
        {"{'descr': '<c8', " BY_ROWS "(50, 11), }", "not an array of rows", 550, 1},
        {"{'descr': '<f8', 'fortran_order': True, 'shape': (50, 11), }", "not an array", 550, 1},
        {"{'descr': [" FIELD("I1") "], " BY_ROWS "(550,), }", "column I2 is missing", 550, 1},
        {"{'descr': [" FIELD("I1") FIELD("I1") "], " BY_ROWS "(9,), }", "I1 occurs twice", 18, 1},
        {"{'descr': '<f8', " BY_ROWS "(51, 11), }", "row 51", 550, 1},
        {"{'descr': '<f8', " BY_ROWS "(49, 11), }", "row 50", 550, 1},
        {"{'descr': '<f8', " BY_ROWS "(50, 11), }", "row 50", 545, 1},
        {"{'descr': '<f8', " BY_ROWS "(50, 11), }", "row 1: number 1 is not finite", 550, NAN},
        {"{'descr': '<f8', " BY_ROWS "(50, 11), }", "row 1: ", 550, -1},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        const double kept = numbers[0][0];
        numbers[0][0] = bad[k].first == 1 ? kept : bad[k].first;
        write_array("a.npy", bad[k].dictionary, numbers[0], bad[k].count);
        numbers[0][0] = kept;
        assert_refused(RUN("exact", "--cases", "a.npy", "--out", "c.npy"), bad[k].message);
    }
    assert_int_equal(0, remove("a.npy"));
    assert_int_equal(0, remove("b.npy"));
    assert_int_equal(0, remove("c.npy")); /* with the rows before the wrong one */
}

/* Other ways to write the same file. */
static void cases_as_people_write_them(void **state)
{
    (void)state;
    static const char *const same[] = {
        CASES_HEADER CASE CASE,
        CASES_HEADER CASE "1,2,3,0.5,-1,2,1,0,0,0,4",
        CASES_HEADER CASE CASE "\n\n",
        "\xEF\xBB\xBF" CASES_HEADER CASE CASE,
        "I1,I2,I3,m1,m2,m3,q0,q1,q2,q3,t\r\n1,2,3,0.5,-1,2,1,0,0,0,4\r\n" CASE "\r\n",
        " I1, I2,I3 ,m1,m2,m3,q0,q1,q2,q3,t\n 1 , 2,3\t,0.5,-1,2,1,0,0,0,4 \n" CASE,
        "t,q3,q2,q1,q0,m3,m2,m1,I3,I2,I1\n4,0,0,0,1,2,-1,0.5,3,2,1\n"
        "0x1p2,0,0,0,1,2,-1,0x1p-1,3,2,1\n",
    };
    tool_run first = RUN_WITH(same[0], "exact", "--cases", "-");
    assert_done(&first);
    assert_int_equal(count_lines(first.out), 3);
    for (size_t i = 1; i < COUNT(same); i++) {
        tool_run run = RUN_WITH(same[i], "exact", "--cases", "-");
        assert_done(&run);
        assert_string_equal(run.out, first.out);
        tool_run_free(&run);
    }
    file_write("cases.csv", same[0]);
    tool_run run = RUN("exact", "--cases", "cases.csv", "--out", "answers.csv");
    assert_done(&run);
    assert_string_equal(run.out, "");
    tool_run_free(&run);
    char *answers = file_text("answers.csv");
    assert_string_equal(answers, first.out);
    free(answers);
    tool_run_free(&first);

    /* as JSON: what the other form says */
    tool_run many = RUN("exact", "--json", "--cases", "cases.csv");
    tool_run one =
        RUN("exact", "--json", "--inertia", "1,2,3", "--momentum", "0.5,-1,2", "--time", "4,4");
    assert_done(&many);
    json_t *answered = json_loads(many.out, 0, NULL), *asked = json_loads(one.out, 0, NULL);
    const json_t *states = json_object_get(answered, "states");
    assert_int_equal(json_array_size(states), 2);
    const json_t *single = json_array_get(json_object_get(asked, "states"), 0);
    const char *key;
    json_t *value;
    json_object_foreach(json_array_get(states, 0), key, value)
    {
        const json_t *other = json_object_get(single, key);
        assert_int_equal(json_array_size(other), json_array_size(value));
        for (size_t i = 0; i < json_array_size(value); i++)
            assert_true(fabs(json_number_value(json_array_get(value, i)) -
                             json_number_value(json_array_get(other, i))) < 1e-14);
    }
    assert_int_equal(json_object_size(single), /* which has phase_digits, too */
                     json_object_size(json_array_get(states, 0)) + 1);
    json_decref(answered);
    json_decref(asked);
    tool_run_free(&many);
    tool_run_free(&one);
    assert_int_equal(unlink("cases.csv"), 0);
    assert_int_equal(unlink("answers.csv"), 0);
}

static void bad_cases(void **state)
{
    (void)state;
    static const char *const headers[][2] = {
        {"", "empty"},
        {"\n", "line 1"},
        {"I1,I2,I3,m1,m2,m3,q0,q1,q2,q3\n", "column t is missing"},
        {"I1,I2,I3,m1,m2,m3,q0,q1,q2,q3,x\n", "column t is missing"},
        {"I1,I2,I3,m1,m2,m3,q0,q1,q2,t,t\n", "twice"},
        {"I1,I2,I3,m1,m2,m3,q0,q1,q2,t\n", "column q3 is missing"},
        {"I1,I2,I3,w1,w2,t\n", "column w3 is missing"},
        {"I1,I2,I3,m1,m2,m3,w1,t\n", "cannot be used together"},
        {CASE, "line 1"},
    };
    for (size_t i = 0; i < COUNT(headers); i++)
        assert_refused(RUN_WITH(headers[i][0], "exact", "--cases", "-"), headers[i][1]);
    assert_refused(RUN("exact", "--cases", "missing.csv"), "missing.csv");
    assert_refused(RUN("exact", "--cases", "."), "cannot read");

    static const char *const rows[][2] = {
        {"1,2,3,0.5,-1,2,1,0,0,0\n", "10 fields"},
        {"1,2,3,0.5,-1,2,1,0,0,0,4,5\n", "12 fields"},
        {"1,2,3,0.5,-1,2,1,0,0,0,\n", "t `` is not a number"},
        {"1,2,3,0.5,minus,2,1,0,0,0,4\n", "m2 `minus` is not a number"},
        {"1,2,3,0.5,-1,2 2,1,0,0,0,4\n", "m3 `2 2` is not a number"},
        {"1,2,3,nan,-1,2,1,0,0,0,4\n", "not finite"},
        {"1,2,3,1e999,-1,2,1,0,0,0,4\n", "too large"},
        {"1,0,3,0.5,-1,2,1,0,0,0,4\n", "positive"},
        {"1,2,3,0.5,-1,2,0,0,0,0,4\n", "not zero"},
        {"\n" CASE, "empty"},
        {"I1\n", "1 field"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[1000];
        snprintf(text, sizeof text, "%s%s%s%s", CASES_HEADER, CASE CASE, rows[i][0], CASE);
        tool_run run = RUN_WITH(text, "exact", "--cases", "-");
        assert_error_line(&run, 2, rows[i][1]);
        assert_contains(run.error, "line 4");
        assert_whole_rows(run.out, ANSWERS);
        assert_int_equal(count_lines(run.out), 3);
        tool_run_free(&run);
    }

    char *text = malloc(100000);
    assert_non_null(text);
    const size_t used = (size_t)sprintf(text, "%s%s", CASES_HEADER, CASE);
    memset(text + used, '1', 90000);
    text[used + 90000] = '\0';
    tool_run run = RUN_WITH(text, "exact", "--cases", "-", "--out", "long.csv");
    assert_error_line(&run, 2, "line 3 is longer");
    tool_run_free(&run);
    free(text);
    assert_int_equal(file_rows("long.csv", ANSWERS), 1); /* the rows so far are kept */
    assert_no_file("long.csv.*");
    assert_int_equal(unlink("long.csv"), 0);
}

/* ---- pipes, terminals, Ctrl-C ---------------------------------------------------- */

/* A program that asks and waits for the answer before it asks again; then Ctrl-C while
 * the tool waits for more. */
static void answers_at_once_and_stops(void **state)
{
    (void)state;
    const tool_talk talk = TALK("exact", "--cases", "-");
    pipe_send(talk.in, CASES_HEADER CASE);
    assert_whole_rows(pipe_receive(talk.out, 2), ANSWERS);
    pipe_send(talk.in, CASE CASE "1,2,3"); /* the last line is not complete */
    assert_int_equal(count_lines(pipe_receive(talk.out, 2)), 2);
    assert_stops_silently(&talk);
}

static void interrupt_keeps_the_rows(void **state)
{
    (void)state;
    static const char *const words[] = {"exact", BOOK,          "--time", "0:1:1000000000000",
                                        "--out", "stopped.csv", "--plot", "stopped.svg",
                                        NULL};
    static const char *const no_plot[] = {"exact", BOOK,          "--time", "0:1:1000000000000",
                                          "--out", "stopped.csv", NULL};
    const pid_t tool = tool_start(has_gnuplot() ? words : no_plot, -1, -1, -1);
    const size_t written = wait_for_file("stopped.csv.tmp-*", 1); /* beside its place */
    assert_int_not_equal(access("stopped.csv", F_OK), 0);
    assert_stops(tool);
    char *text = file_text("stopped.csv");
    assert_non_null(text);
    assert_whole_rows(text, CSV_HEADER);
    assert_true(strlen(text) >= written);
    free(text);
    assert_int_equal(unlink("stopped.csv"), 0);
    assert_no_file("stopped*");
}

/* A reader that goes away ends the tool quietly, unless that signal is ignored. */
static void closed_outputs(void **state)
{
    (void)state;
    for (int ignored = 0; ignored < 2; ignored++) {
        const tool_pipe out = open_pipe(), error = open_pipe();
        close(out.read);
        assert_true(signal(SIGPIPE, ignored ? SIG_IGN : SIG_DFL) != SIG_ERR);
        const pid_t tool =
            START(-1, out.write, error.write, "exact", BOOK, "--time", "0:1:100000000");
        close(out.write);
        close(error.write);
        assert_int_equal(tool_wait(tool), ignored ? 1 : 128 + SIGPIPE);
        const char *said = pipe_receive(error.read, 2);
        assert_int_equal(count_lines(said), ignored);
        close(error.read);
    }
    assert_true(signal(SIGPIPE, SIG_DFL) != SIG_ERR);
    assert_contains(RUN_TO_FULL("list"), "polhode: cannot write standard output");
}

/* On a terminal long work says how far it is; the same work says nothing into a pipe. */
static void progress_on_a_terminal(void **state)
{
    (void)state;
    const terminal screen = open_terminal();
    const tool_pipe error = open_pipe();
    const pid_t silent = START(-1, -1, error.write, "exact", BOOK, "--time", "0:1:1000000000000",
                               "--out", "/dev/null");
    const pid_t tool = START(-1, -1, screen.inside, "exact", BOOK, "--time", "0:1:1000000000000",
                             "--out", "/dev/null");
    close(error.write);
    const char *text = read_until(screen.outside, "s left");
    assert_contains(text, "0 %");
    pause_ms(20); /* the other one, started first, is as far */
    assert_stops(tool);
    assert_stops(silent);
    assert_string_equal(pipe_receive(error.read, 1), "");
    close(error.read);
    close(screen.inside);
    close(screen.outside);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_match_the_library),
        cmocka_unit_test(every_column_of_a_case),
        cmocka_unit_test(arrays_as_csv),
        cmocka_unit_test(cases_as_people_write_them),
        cmocka_unit_test(bad_cases),
        cmocka_unit_test(answers_at_once_and_stops),
        cmocka_unit_test(interrupt_keeps_the_rows),
        cmocka_unit_test(closed_outputs),
        cmocka_unit_test(progress_on_a_terminal),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
