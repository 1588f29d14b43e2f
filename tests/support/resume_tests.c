#define _POSIX_C_SOURCE 200809L
#include "support/resume_tests.h"

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
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests_name("resume", tests, folder_enter, leave);
}
