/* test_cli_stops.c - the command-line tool under Ctrl-C and other signals, through pipes that stay open or are closed, and at
 * a terminal. What commands print otherwise is in transcripts. */
/* Needs kinds, lab, extra. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/run_tool.h"
#include "support/skip.h"

/* ---- exact, and bodies through pipes ----------------------------------------------------- */

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

/* ---- run --cases --------------------------------------------------------------------------- */

#define RUN_CASES "run", "--cases"
#define BODIES    "I1,I2,I3,m1,m2,m3,q0,q1,q2,q3\n"
#define BODY      "1,2,3,0.5,-1,2,1,0,0,0\n"

/* Answers while the input stays open; Ctrl-C ends the wait for more. */
static void answers_and_stops(void **state)
{
    (void)state;
    const tool_talk talk =
        TALK(RUN_CASES, "-", "--method", "exact", "--step", "0.1", "--time", "1");
    pipe_send(talk.in, BODIES);
    assert_string_equal(pipe_receive(talk.out, 1), ANSWERS);
    pipe_send(talk.in, BODY);
    assert_int_equal(count_lines(pipe_receive(talk.out, 1)), 1);
    pipe_send(talk.in, BODY BODY "1,2");
    assert_int_equal(count_lines(pipe_receive(talk.out, 2)), 2);
    assert_stops_silently(&talk);
}

/* Ctrl-C among the steps, once a terminal has shown how far they are: no row of a body
 * that is not at its end. */
static void stops_between_steps(void **state)
{
    (void)state;
    file_write("bodies.csv", BODIES BODY BODY);
    const terminal screen = open_terminal();
    const pid_t tool = START(-1, -1, screen.inside, RUN_CASES, "bodies.csv", "--method", "exact",
                             "--step", "0.1", "--time", "1e12", "--out", "ends.csv");
    (void)read_until(screen.outside, "s left");
    assert_stops(tool);
    assert_int_equal(file_rows("ends.csv", ANSWERS), 0);
    close(screen.inside);
    close(screen.outside);
    assert_int_equal(unlink("ends.csv"), 0);
    assert_int_equal(unlink("bodies.csv"), 0);
}

/* ---- run --scatter, stopped and resumed ---------------------------------------------------- */

static void assert_same_files(const char *one, const char *other)
{
    FILE *f = fopen(one, "rb"), *g = fopen(other, "rb");
    int x = 0;
    while (x != EOF) {
        x = fgetc(f);
        assert_int_equal(x, fgetc(g));
    }
    (void)fclose(f);
    (void)fclose(g);
}

static void remove_all(const char *const *names)
{
    for (; *names != NULL; names++)
        (void)unlink(*names);
}

#define LONG_RUN(out)                                                                              \
    "run", "--problem", "spacecraft", "--scatter", "velocity=1%", "--samples", "3000",             \
        "--tolerance", "1e-9", "--time", "0:6h@1h", "--out", (out)

static void resumed_bodies(void **state)
{
    (void)state;
    enum { MOST_PAUSES = 60000 }; /* until the run has begun */
    static const int signals[] = {SIGINT, SIGKILL};
    tool_run whole = RUN(LONG_RUN("whole.npz"));
    assert_done(&whole);
    tool_run_free(&whole);
    for (size_t i = 0; i < COUNT(signals); i++) {
        const pid_t tool = START(-1, -1, -1, LONG_RUN("part.npz"), "--checkpoint", "part.snap");
        for (int waited = 0; access("part.snap", F_OK) != 0; waited++) {
            assert_in_range(waited, 0, MOST_PAUSES);
            pause_ms(1);
        }
        (void)kill(tool, signals[i]);
        (void)tool_wait(tool);
        assert_no_file("part.npz");
        tool_run run = RUN("resume", "part.snap");
        assert_done(&run);
        assert_same_files("part.npz", "whole.npz");
        assert_no_file("part.npz.*");
        tool_run_free(&run);
        if (i == 0)
            remove_all((const char *const[]){"part.npz", "part.snap", NULL});
    }
    tool_run again = RUN("resume", "part.snap");
    assert_done(&again);
    assert_same_files("part.npz", "whole.npz");
    tool_run_free(&again);
    file_write("part.npz", "another\n"); /* which is not of this run */
    again = RUN("resume", "part.snap");
    assert_error_line(&again, 1, "part.npz");
    char *text = file_text("part.npz");
    assert_string_equal(text, "another\n");
    free(text);

    file_write("bodies.csv", "damping\n0\n0.1\n");
    tool_run run = RUN("run", "--problem", "spacecraft", "--cases", "bodies.csv", "--tolerance",
                       "1e-9", "--time", "100", "--out", "x.csv", "--checkpoint", "x.snap");
    assert_done(&run);
    tool_run_free(&run);
    file_write("bodies.csv", "damping\n0\n0.2\n"); /* the snapshot has what it was */
    run = RUN("resume", "x.snap", "--out", "y.csv");
    assert_done(&run);
    tool_run_free(&run);
    assert_same_files("x.csv", "y.csv");
    assert_no_file("*.resume");
    remove_all((const char *const[]){"whole.npz", "part.npz", "part.snap", "x.csv", "x.snap",
                                     "y.csv", "bodies.csv", NULL});
}

/* ---- compare ------------------------------------------------------------------------------- */

#define COLUMNS "method,step,steps,error,error_momentum,error_attitude,kicks,seconds,order,note\n"

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

static void interrupted_comparison(void **state)
{
    (void)state;
    need_gnuplot();
    const tool_pipe out = open_pipe(), error = open_pipe();
    const pid_t tool =
        START(-1, out.write, error.write, "compare", "--problem", "free", "--methods", "sr2,dmv2",
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

/* ---- inertia ------------------------------------------------------------------------------- */

/* Slivers side by side, whose boxes contain each other: the time grows with the square of their number, and a
 * signal ends it. */
static void interrupted_inertia(void **state)
{
    (void)state;
    enum { SLIVERS = 20000 };
    FILE *f = fopen("a.obj", "w");
    assert_non_null(f);
    for (int i = 0; i < SLIVERS; i++) {
        static const double apart = 0.01, length = 1000, width = 0.003;
        const double x = apart * i;
        (void)fprintf(f,
                      "v %g %g 0\nv %g %g 0\nv %g %g 0\nv %g %g %g\n"
                      "f -4 -2 -3\nf -4 -3 -1\nf -4 -1 -2\nf -3 -2 -1\n",
                      x, -x, x + width, -x, x, width - x, x + length, length - x, length);
    }
    (void)fclose(f);
    const tool_pipe error = open_pipe();
    const pid_t tool = START(-1, -1, error.write, "inertia", "a.obj");
    close(error.write);
    wait_until_caught(tool, SIGTERM);
    pause_ms(100);
    assert_int_equal(kill(tool, SIGTERM), 0);
    assert_int_equal(tool_wait(tool), 130);
    assert_contains(pipe_receive(error.read, 1), "interrupted");
    close(error.read);
    assert_int_equal(unlink("a.obj"), 0);
}

/* ---- fit ----------------------------------------------------------------------------------- */

/* A long fit shows that it works, and ends by Ctrl-C without a file. */
static void interrupted_fit(void **state)
{
    (void)state;
    tool_run run = RUN("run", "--problem", "spacecraft", "--set", "damping=0.5", "--inertia",
                       "10,20,25", "--velocity", "0.05,0.3,0.1", "--tolerance", "1e-10", "--method",
                       "gbs", "--time", "0:600@5", "--show", "t,q0,q1,q2,q3", "--out", "a.csv");
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

/* ---- programs that the tool waits for ------------------------------------------------------ */

#define STEPS "--step", "0.01", "--time", "1", "--json"

/* SIGTERM ends a tool that waits for a compiler, or for gnuplot. */
static void slow_programs(void **state)
{
    (void)state;
    char here[3000], path[8000];
    assert_non_null(getcwd(here, sizeof here));
    const char *before = getenv("PATH");
    char *old = strdup(before);
    assert_non_null(old);
    assert_int_equal(mkdir("bin", 0700), 0);
    file_write("bin/gnuplot", "#!/bin/sh\n[ \"$1\" = --version ] || exec sleep 1000\n");
    file_write("bin/slow", "#!/bin/sh\nexec sleep 1000\n");
    assert_int_equal(chmod("bin/gnuplot", 0700) | chmod("bin/slow", 0700), 0);
    (void)snprintf(path, sizeof path, "%s/bin:%s", here, old);
    assert_int_equal(setenv("PATH", path, 1), 0);
    assert_int_equal(setenv("CC", "slow", 1), 0);
    file_write("mine.c", "int x;\n");
    static const char *const commands[][16] = {
        {"run", "--problem", "mine.c", STEPS},
        {"run", "--problem", "heavy_top", STEPS, "--plot", "a.svg"},
    };
    for (size_t i = 0; i < COUNT(commands); i++) {
        const pid_t tool = tool_start(commands[i], -1, -1, -1);
        wait_until_caught(tool, SIGTERM);
        pause_ms(50);
        assert_int_equal(kill(tool, SIGTERM), 0);
        assert_int_equal(tool_wait(tool), 130);
    }
    assert_int_equal(setenv("PATH", old, 1), 0);
    assert_int_equal(unsetenv("CC"), 0);
    free(old);
    assert_int_equal(unlink("mine.c") | unlink("bin/gnuplot") | unlink("bin/slow") | rmdir("bin"),
                     0);
    assert_no_file("a.svg*");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_at_once_and_stops),
        cmocka_unit_test(interrupt_keeps_the_rows),
        cmocka_unit_test(closed_outputs),
        cmocka_unit_test(progress_on_a_terminal),
        cmocka_unit_test(answers_and_stops),
        cmocka_unit_test(stops_between_steps),
        cmocka_unit_test(resumed_bodies),
        cmocka_unit_test(interrupted_comparison),
        cmocka_unit_test(interrupted_inertia),
        cmocka_unit_test(interrupted_fit),
        cmocka_unit_test(slow_programs),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
