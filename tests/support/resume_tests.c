#define _POSIX_C_SOURCE 200809L
#include "support/resume_tests.h"

#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/random.h"
#include "support/run_tool.h"
#include "support/snapshot_note.h"

static int kills;

#define TOP "run", "--problem", "heavy_top", "--method", "s6_10+exact", "--step", "0.01"
#define PENDULUM                                                                                   \
    "run", "--problem", "double_pendulum", "--method", "rattle@yoshida4", "--step", "0.01"
#define MOLECULES                                                                                  \
    "run", "--problem", "dipolar_spheres", "--set", "lattice=2", "--method", "verlet+mr@suzuki4",  \
        "--step", "0.01"

static void assert_same_file(const char *one, const char *other)
{
    char command[200];
    (void)snprintf(command, sizeof command, "cmp -s %s %s", one, other);
    if (system(command) != 0)
        fail_msg("%s and %s differ", one, other);
}

static void run_done(tool_run run)
{
    assert_done(&run);
    tool_run_free(&run);
}

/* Killed at random moments, also while it goes on: it ends with the bytes of a run that was
 * never stopped. */
static void killed(void **state)
{
    (void)state;
    uint64_t seed = 5;
    run_done(RUN(TOP, "--time", "200", "--every", "3", "--out", "whole.csv"));
    for (int i = 0; i < kills; i++) {
        (void)unlink("snapshot");
        pid_t tool = START(-1, -1, -1, TOP, "--time", "200", "--every", "3", "--out", "parts.csv",
                           "--checkpoint", "snapshot", "--checkpoint-every", "500");
        for (int k = 0; k < 3; k++) {
            pause_ms(1 + (long)between(&seed, 0, 60));
            (void)kill(tool, SIGKILL);
            (void)tool_wait(tool);
            if (access("snapshot", F_OK) != 0) /* it had not begun */
                break;
            tool = START(-1, -1, -1, "resume", "snapshot");
            if (k == 2)
                assert_int_equal(0, tool_wait(tool));
        }
        if (access("snapshot", F_OK) == 0) {
            run_done(RUN("resume", "snapshot"));
            assert_same_file("whole.csv", "parts.csv");
        }
    }
}

/* Every kind of system and of file, stopped at a finished run that goes on to a later
 * time. */
static void goes_on(void **state)
{
    (void)state;
    run_done(RUN(PENDULUM, "--time", "4", "--out", "whole.npy"));
    run_done(RUN(PENDULUM, "--time", "2", "--out", "parts.npy", "--checkpoint", "s1"));
    run_done(RUN("resume", "s1", "--time", "4"));
    assert_same_file("whole.npy", "parts.npy");
    run_done(RUN(MOLECULES, "--time", "1", "--out", "whole.xyz"));
    run_done(RUN(MOLECULES, "--time", "0.5", "--out", "parts.xyz", "--checkpoint", "s2"));
    run_done(RUN("resume", "s2", "--time", "1"));
    assert_same_file("whole.xyz", "parts.xyz");

    tool_run whole = RUN(TOP, "--time", "2", "--json");
    run_done(RUN(TOP, "--time", "1", "--checkpoint", "s3"));
    tool_run parts = RUN("resume", "s3", "--time", "2", "--json"),
             again = RUN("resume", "s3", "--json");
    json_t *a = parse_json(whole.out), *b = parse_json(parts.out), *c = parse_json(again.out);
    (void)json_object_del(a, "seconds");
    (void)json_object_del(b, "seconds");
    (void)json_object_del(c, "seconds");
    assert_true(json_equal(a, b));
    assert_true(json_equal(a, c));
    json_decref(a);
    json_decref(b);
    json_decref(c);
    tool_run_free(&whole);
    tool_run_free(&parts);
    tool_run_free(&again);
}

/* ---- what a run leaves that was stopped ----------------------------------------------- */

/* A run that was killed after its last step, and before its rows were in their place: the note of
 * its snapshot says that it is complete, and names the file beside. */
static void rows_beside(void **state)
{
    (void)state;
    char here[PATH_MAX], beside[PATH_MAX + 40];
    assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(beside, sizeof beside, "\"%s/o.csv.tmp-1-0\"", here);
    run_done(RUN(TOP, "--time", "2", "--out", "whole.csv"));
    for (int named = 0; named < 2; named++) {
        const char *rows = named ? "p.csv" : "o.csv";
        run_done(RUN(TOP, "--time", "2", "--out", "o.csv", "--checkpoint", "last"));
        snapshot_alter("last", "s", "rows_in", beside);
        assert_int_equal(0, rename("o.csv", "o.csv.tmp-1-0"));
        assert_refused(RUN(TOP, "--time", "2", "--out", "o.csv", "--checkpoint", "s"),
                       "is not finished");
        tool_run run = named ? RUN("resume", "s", "--out", rows) : RUN("resume", "s");
        assert_done(&run);
        assert_contains(run.out, "201 rows written to");
        tool_run_free(&run);
        assert_same_file("whole.csv", rows);
        assert_no_file("o.csv.tmp-*");
        run_done(RUN("resume", "s"));
        assert_same_file("whole.csv", rows);
    }
}

/* A run that was stopped by Ctrl-C, continued, and then killed has its first rows in their place and
 * all of them beside it. */
static void rows_in_two_files(void **state)
{
    (void)state;
    static const char *const end[] = {"csv", "npy"};
    char here[PATH_MAX], text[PATH_MAX + 60], place[20], beside[30], whole[20];
    assert_non_null(getcwd(here, sizeof here));
    for (size_t i = 0; i < COUNT(end); i++) {
        (void)snprintf(place, sizeof place, "t.%s", end[i]);
        (void)snprintf(whole, sizeof whole, "whole.%s", end[i]);
        (void)snprintf(beside, sizeof beside, "%s.tmp-1-0", place);
        (void)snprintf(text, sizeof text, "\"%s/%s\"", here, beside);
        run_done(RUN(TOP, "--time", "2", "--out", whole));
        run_done(RUN(TOP, "--time", "2", "--out", place, "--checkpoint", "last"));
        snapshot_alter("last", "s", "rows_in", text);
        assert_int_equal(0, rename(place, beside));
        run_done(RUN(TOP, "--time", "1", "--velocity", "0,0,5", "--out", place)); /* another run */
        assert_refused(RUN("resume", "s"), "exists, but this run did not write it");
        run_done(RUN(TOP, "--time", "1", "--out", place)); /* the first rows of this one */
        run_done(RUN("resume", "s"));
        assert_same_file(whole, place);
        assert_no_file("t.*.tmp-*");
    }
}

/* What is kept of the rows when the disk is full, is taken up. */
static void rows_kept(void **state)
{
    (void)state;
    run_done(RUN(TOP, "--time", "20", "--out", "whole.csv"));
    for (int named = 0; named < 2; named++) {
        const char *rows = named ? "other.csv" : "kept.csv";
        static const char line[] =
            "ulimit -f 64; " POLHODE_TOOL_PATH
            " run --problem heavy_top --method s6_10+exact --step 0.01 --time 20 --out kept.csv "
            "--checkpoint s --checkpoint-every 10 >said 2>&1";
        assert_int_not_equal(0, system(line));
        char *said = file_text("said");
        assert_contains(said, "the rows so far are in kept.csv.partial");
        free(said);
        assert_no_file("kept.csv");
        run_done(named ? RUN("resume", "s", "--out", rows) : RUN("resume", "s"));
        assert_same_file("whole.csv", rows);
        assert_no_file("kept.csv.*");
        (void)unlink(rows);
        (void)unlink("s");
    }
}

/* The number of torques and the tolerance of a step that was found, of the whole run. */
static void step_goes_on(void **state)
{
    (void)state;
#define FOUND "run", "--problem", "satellite", "--method", "s6_10+exact", "--tolerance", "1e-8"
    tool_run whole = RUN(FOUND, "--step", "1", "--time", "20");
    run_done(RUN(FOUND, "--step", "1", "--time", "10", "--checkpoint", "s4"));
    tool_run parts = RUN("resume", "s4", "--time", "20");
    char *const one = strchr(whole.out, '\n'), *const other = strchr(parts.out, '\n');
    assert_true(one != NULL && other != NULL);
    *one = *other = '\0';
    assert_contains(whole.out, "found for a tolerance of 1e-08");
    assert_string_equal(whole.out, parts.out);
    tool_run_free(&whole);
    tool_run_free(&parts);
}

/* The rows of a finished run can go to another file of the same format. If its rows are gone, it is
 * not said that they are there. */
static void finished(void **state)
{
    (void)state;
    run_done(RUN(TOP, "--time", "2", "--out", "f.csv", "--checkpoint", "f"));
    tool_run run = RUN("resume", "f", "--out", "new.csv");
    assert_done(&run);
    assert_contains(run.out, "201 rows written to new.csv");
    tool_run_free(&run);
    assert_same_file("f.csv", "new.csv");
    assert_refused(RUN("resume", "f", "--out", "new.foo"), "no format has this suffix");
    assert_refused(RUN("resume", "f", "--out", "new.npy"), "end the name in .csv");
    assert_refused(RUN("resume", "f", "--time", "3", "--out", "new.foo"), "no format");
    (void)unlink("new.csv");
    assert_refused(RUN("resume", "f"), "no longer in");
    assert_refused(RUN("resume", "f", "--out", "newer.csv"), "rows written so far");
    assert_no_file("new*");
}

/* Stops a run by Ctrl-C once its snapshot is there, and returns what it said. */
static tool_run stopped(const char *snapshot, const char *const *words)
{
    const tool_pipe error = open_pipe();
    const pid_t tool = tool_start(words, -1, -1, error.write);
    (void)close(error.write);
    while (access(snapshot, F_OK) != 0)
        pause_ms(5);
    (void)kill(tool, SIGINT);
    tool_run run = {.status = tool_wait(tool), .out = strdup("")};
    run.error = strdup(pipe_receive(error.read, SIZE_MAX));
    (void)close(error.read);
    return run;
}
#define STOPPED(snapshot, ...) stopped((snapshot), (const char *const[]){__VA_ARGS__, NULL})

/* Ctrl-C names the command that continues; the same command again does not replace what can be
 * continued. */
static void not_replaced(void **state)
{
    (void)state;
#define LONG_TOP TOP, "--time", "100000", "--every", "100", "--out", "o'.csv", "--checkpoint", "n 1"
    tool_run run = STOPPED("n 1", LONG_TOP);
    assert_int_equal(130, run.status);
    assert_contains(run.error, "rows are in o'.csv; continue with `polhode resume 'n 1'`");
    tool_run_free(&run);
    char *rows = file_text("o'.csv");
    assert_refused(RUN(LONG_TOP), "not finished: continue it with `polhode resume 'n 1'`");
    char *again = file_text("o'.csv");
    assert_string_equal(rows, again);
    free(rows);
    free(again);
    assert_refused(RUN(TOP, "--time", "1", "--fresh"), "--fresh needs --checkpoint");
    for (int i = 0; i < 2; i++) /* what is finished is replaced as before */
        run_done(i == 0 ? RUN(TOP, "--time", "1", "--checkpoint", "n 1", "--fresh")
                        : RUN(TOP, "--time", "1", "--checkpoint", "n 1"));
    file_write("n 1", "something else");
    run_done(RUN(TOP, "--time", "1", "--checkpoint", "n 1"));
}

/* The same of many bodies. Their run is not finished either until its output is in its place. */
static void bodies_not_replaced(void **state)
{
    (void)state;
#define BODIES "run", "--problem", "spacecraft", "--scatter", "velocity=1%", "--tolerance", "1e-9"
#define MANY   BODIES, "--time", "100d", "--samples", "3000", "--checkpoint", "b", "--out", "b.csv"
#define FEW    BODIES, "--time", "1h", "--samples", "3", "--checkpoint", "b", "--out", "b.csv"
    tool_run run = STOPPED("b", MANY);
    assert_int_equal(130, run.status);
    assert_contains(run.error, "in the snapshot; continue with `polhode resume b`");
    tool_run_free(&run);
    assert_refused(RUN(MANY), "not finished: continue it with `polhode resume b`");
    char *mark = file_text("b.csv.resume");
    assert_non_null(mark);
    free(mark);
    run_done(RUN(FEW, "--fresh"));
    run_done(RUN(FEW));
    assert_no_file("b.csv.resume");
}

/* Averages over the second half of a run that is killed there: their sums are in the snapshot. */
static void averages_go_on(void **state)
{
    (void)state;
#define LIQUID                                                                                     \
    "run", "--problem", "water", "--set", "molecules=8", "--method", "verlet+exact", "--step",     \
        "0.001", "--time", "10"
#define WARM                                                                                       \
    "run", "--problem", "heavy_top", "--method", "baoab+exact", "--temperature", "2", "--seed",    \
        "1", "--step", "0.01", "--time", "2000"
#define TO(snapshot) "--checkpoint", snapshot, "--checkpoint-every", "997", "--json"
    tool_run whole[] = {RUN(LIQUID, "--json"), RUN(WARM, "--json")};
    for (int k = 0; k < 2; k++) {
        const uint64_t far = k == 0 ? 6000 : 130000;
        const pid_t tool =
            k == 0 ? START(-1, -1, -1, LIQUID, TO("a")) : START(-1, -1, -1, WARM, TO("w"));
        const char *snapshot = k == 0 ? "a" : "w";
        while (snapshot_steps(snapshot) < far)
            pause_ms(1);
        (void)kill(tool, SIGKILL);
        (void)tool_wait(tool);
        for (int again = 0; again < 2; again++) {
            tool_run rest = RUN("resume", snapshot, "--json");
            assert_done(&rest);
            json_t *a = parse_json(whole[k].out), *b = parse_json(rest.out);
            assert_non_null(json_object_get(a, "averages"));
            assert_true(json_equal(json_object_get(a, "averages"), json_object_get(b, "averages")));
            json_decref(a);
            json_decref(b);
            tool_run_free(&rest);
        }
        tool_run_free(&whole[k]);
    }
    tool_run later = RUN("resume", "w", "--time", "2500"); /* its blocks begin at 1250 */
    assert_int_equal(0, later.status);
    assert_contains(later.error, "the averages over the second half of the run are missing");
    tool_run_free(&later);
}

static void refused(void **state)
{
    (void)state;
    run_done(RUN(TOP, "--time", "1", "--out", "r.csv", "--checkpoint", "r"));
    assert_refused(RUN("resume"), "one snapshot");
    assert_refused(RUN("resume", "nothing"), "cannot be read");
    assert_refused(RUN("resume", "r.csv"), "not a snapshot");
    assert_refused(RUN("resume", "r", "--time", "0.5"), "later time");
    assert_refused(RUN("resume", "r", "--time", "1.005"), "whole number");
    assert_int_equal(0, system("head -c 300 r >cut"));
    assert_refused(RUN("resume", "cut"), "truncated");
    assert_int_equal(0, system("sed -i '5s/1/2/' r.csv"));
    assert_refused(RUN("resume", "r", "--time", "2"), "rows written so far");
    (void)unlink("r.csv");
    assert_refused(RUN("resume", "r", "--time", "2"), "rows written so far");
    assert_refused(RUN(TOP, "--time", "1", "--checkpoint-every", "5"), "--checkpoint");
    assert_refused(RUN(TOP, "--time", "1", "--checkpoint", "s", "--checkpoint-every", "0"),
                   "--checkpoint-every");
    assert_refused(RUN(TOP, "--time", "1", "--checkpoint", "s", "--out", "-"), "--out");
    assert_refused(RUN(TOP, "--time", "1", "--checkpoint", "s", "--out", "s"), "--out");
    assert_refused(RUN(TOP, "--time", "1", "--checkpoint", "s", "--plot", "s.svg"), "--plot");
}

static int leave(void **state)
{
    (void)system("rm -f -- *");
    return folder_leave(state);
}

int resume_tests(int number)
{
    /* The search for leaks takes seconds for each of hundreds of runs: other tests have it. */
    (void)setenv("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=1", 1);
    kills = number;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed),
        cmocka_unit_test(goes_on),
        cmocka_unit_test(rows_beside),
        cmocka_unit_test(rows_kept),
        cmocka_unit_test(step_goes_on),
        cmocka_unit_test(finished),
        cmocka_unit_test(rows_in_two_files),
        cmocka_unit_test(not_replaced),
        cmocka_unit_test(bodies_not_replaced),
        cmocka_unit_test(averages_go_on),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests_name("resume", tests, folder_enter, leave);
}
