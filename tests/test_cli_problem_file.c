/* test_cli_problem_file.c - problems in C: FILE.c, compiled into a cache, and FILE.so. */
/* Needs extra. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/run_tool.h"

/* A heavy top, by a function of the library. */
#define HEAD "#include <polhode/polhode.h>\n"
#define FUNCTIONS                                                                                  \
    "static const ph_parameter parameters[] = {\n"                                                 \
    "    {\"k\", 0, 1, \"energy\", \"strength\", PH_RANGE_POSITIVE}};\n"                           \
    "static double potential(const ph_problem *p, const ph_instant *now)\n"                        \
    "{\n"                                                                                          \
    "    return p->value[0] * now->R.a[2][2];\n"                                                   \
    "}\n"                                                                                          \
    "static ph_vec3 torque(const ph_problem *p, const ph_instant *now)\n"                          \
    "{\n"                                                                                          \
    "    const ph_vec3 up = ph_quat_unrotate(now->q, (ph_vec3){0, 0, 1});\n"                       \
    "    return (ph_vec3){p->value[0] * up.y, -p->value[0] * up.x, 0};\n"                          \
    "}\n"
#define MEMBERS                                                                                    \
    "    .body = PH_MOMENTS(1, 1.6, 2.2), .w = {0.5, -0.5, 0.5},\n"                                \
    "    .parameters = parameters, .parameter_count = 1, .value = {1},\n"
#define FIELD "    .potential = potential, .torque = torque,\n"
#define SOURCE                                                                                     \
    HEAD FUNCTIONS "const ph_problem problem = {\n    .name = \"mine\",\n" MEMBERS FIELD "};\n"

#define STEPS "--step", "0.01", "--time", "1", "--json"
#define TOP   "run", "--problem", "heavy_top", "--attitude", "1,0,0,0", STEPS

static int enter(void **state)
{
    char cache[4096];
    const int entered = folder_enter(state);
    assert_non_null(getcwd(cache, sizeof cache - 10));
    strcat(cache, "/cache");
    return entered != 0 || setenv("XDG_CACHE_HOME", cache, 1) != 0;
}

static int leave(void **state)
{
    assert_int_equal(0, system("rm -rf cache"));
    return folder_leave(state);
}

static void assert_same_end(tool_run a, tool_run b)
{
    assert_true(ends_apart(a, b) < 1e-13);
}

/* The file, compiled once, is the heavy top; so is a library of it; in any axes. */
static void is_the_heavy_top(void **state)
{
    (void)state;
    file_write("mine.c", SOURCE);
    assert_same_end(RUN("run", "--problem", "mine.c", STEPS), RUN(TOP));
    assert_same_end(RUN("run", "--problem", "mine.c", "--set", "k=3", STEPS),
                    RUN(TOP, "--set", "strength=3"));
    assert_same_end(RUN("run", "--problem", "mine.c", "--tensor", "2,3,4,0.3,-0.2,0.1", STEPS),
                    RUN(TOP, "--tensor", "2,3,4,0.3,-0.2,0.1"));
    assert_int_equal(0, system("test $(ls cache/polhode | wc -l) = 1"));
    assert_int_equal(0, system("cp cache/polhode/*.so mine.so"));
    assert_int_equal(unlink("mine.c"), 0);
    assert_same_end(RUN("run", "--problem", "mine.so", STEPS), RUN(TOP));
    assert_same_end(RUN_WITH("problem: ./mine.so\nparameters: {k: 2}\n", "run", "-", STEPS),
                    RUN(TOP, "--set", "strength=2"));
    assert_int_equal(unlink("mine.so"), 0);
}

/* A problem that has the name of its file, as files of older versions do. */
static void is_named_as_its_file(void **state)
{
    (void)state;
    file_write("mine.c", HEAD FUNCTIONS "const ph_problem mine = {" MEMBERS FIELD "};\n");
    assert_same_end(RUN("run", "--problem", "mine.c", STEPS), RUN(TOP));
    assert_int_equal(unlink("mine.c"), 0);
}

/* A snapshot goes on with the same file, and not with another one. */
static void goes_on(void **state)
{
    (void)state;
    file_write("mine.c", SOURCE);
    tool_run run =
        RUN("run", "--problem", "mine.c", "--set", "k=2", "--checkpoint", "s.snapshot", STEPS);
    assert_done(&run);
    tool_run_free(&run);
    assert_same_end(RUN("resume", "s.snapshot", "--time", "2", "--json"),
                    RUN(TOP, "--set", "strength=2", "--time", "2"));
    file_write("mine.c", SOURCE "\n");
    assert_refused(RUN("resume", "s.snapshot", "--time", "3"),
                   "mine.c was removed or changed: start the run again");
    assert_int_equal(unlink("mine.c"), 0);
    assert_refused(RUN("resume", "s.snapshot", "--time", "3"), "mine.c was removed");
    assert_int_equal(unlink("s.snapshot"), 0);
}

static void wrong_files(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {SOURCE "int x = ;\n", "mine.c cannot be compiled by cc (mine.c:"},
        {"#include <nothing.h>\n", "mine.c cannot be compiled by cc (mine.c:1:"},
        {HEAD "int x = 3;\n",
         "mine.c has no `const ph_problem problem` of this version: write one"},
        {HEAD "static const ph_problem problem = {0};\n",
         "mine.c has no `const ph_problem problem`"},
        {HEAD FUNCTIONS "const ph_problem other = {" MEMBERS FIELD "};\n",
         "mine.c has no `const ph_problem problem`"},
        {HEAD "const int problem = 3;\n", "mine.c has no `const ph_problem problem`"},
        {HEAD FUNCTIONS "const ph_problem problem = {" MEMBERS ".potential = potential};\n",
         "a potential but no torque"},
        {HEAD "const ph_problem problem = {.name = \"a\"};\n", "has no torque: write one"},
        {HEAD FUNCTIONS "static const ph_parameter far[] = {{\"k\", 48, 1, \"1\", \"\", 0}};\n"
                        "const ph_problem problem = {.parameters = far, .parameter_count = 1, "
                        ".torque = torque, .potential = potential};\n",
         "parameter 0 has no name, or is outside"},
        {HEAD FUNCTIONS "const ph_problem problem = {" FIELD "};\n",
         "problem own has no body: give one with --inertia"},
        {HEAD "extern ph_vec3 nowhere(const ph_problem *p, const ph_instant *now);\n"
              "const ph_problem problem = {.body = PH_MOMENTS(1, 2, 3), .torque = nowhere};\n",
         "mine.c cannot be loaded ("},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        file_write("mine.c", wrong[i][0]);
        assert_refused(RUN("run", "--problem", "mine.c", STEPS), wrong[i][1]);
    }
    file_write("mine.c", SOURCE);
    assert_refused(RUN("run", "--problem", "mine.c", "--set", "k=-1", STEPS),
                   "parameter k is -1, but must be > 0");
    assert_refused(RUN("run", "--problem", "mine.c", "--out", "mine.c", STEPS), "mine.c");
    assert_int_equal(unlink("mine.c"), 0);
    assert_refused(RUN("run", "--problem", "mine.c", STEPS), "mine.c cannot be read");
    file_write("mine.so", "no library\n");
    assert_refused(RUN("run", "--problem", "mine.so", STEPS), "mine.so cannot be loaded (");
    assert_int_equal(unlink("mine.so"), 0);
    assert_int_equal(setenv("CC", "/nothing/here", 1), 0);
    file_write("mine.c", SOURCE);
    assert_refused(RUN("run", "--problem", "mine.c", STEPS),
                   "the compiler /nothing/here cannot be started");
    assert_int_equal(unsetenv("CC"), 0);
    assert_int_equal(unlink("mine.c"), 0);
    assert_int_equal(0, system("test -z \"$(ls cache/polhode | grep -v '[.]so$')\""));
}

/* Names that a compiler takes for options, or a file of options. */
static void names(void **state)
{
    (void)state;
    static const char *const good[] = {"-x.c", "@x.c", "a b.c", "-fplugin=y.c"};
    for (size_t i = 0; i < COUNT(good); i++) {
        char option[100];
        (void)snprintf(option, sizeof option, "--problem=%s", good[i]);
        file_write(good[i], SOURCE);
        assert_same_end(RUN("run", option, STEPS), RUN(TOP));
        assert_int_equal(unlink(good[i]), 0);
    }
    static const char *const wrong[] = {"a\nb.c", "\xff.c", "a\x1b[2J.c"};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        file_write(wrong[i], SOURCE);
        assert_refused(RUN("run", "--problem", wrong[i], STEPS),
                       "is not UTF-8 or has a control character: rename");
        assert_int_equal(unlink(wrong[i]), 0);
    }
    assert_int_equal(mkfifo("fifo.c", 0600), 0);
    assert_refused(RUN("run", "--problem", "fifo.c", STEPS), "it is not a regular file");
    assert_int_equal(unlink("fifo.c"), 0);
}

/* A library of the cache that was cut, as by a power cut, at any length. */
static void cut_library(void **state)
{
    (void)state;
    file_write("mine.c", SOURCE);
    assert_same_end(RUN("run", "--problem", "mine.c", STEPS), RUN(TOP));
    static const char *const lengths[] = {"0", "7", "4096", "-8", "-1"};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        char command[200];
        (void)snprintf(command, sizeof command,
                       "for f in cache/polhode/*.so; do head -c %s $f >part; cp part $f; "
                       "done; rm part",
                       lengths[i]);
        assert_int_equal(0, system(command));
        assert_same_end(RUN("run", "--problem", "mine.c", STEPS), RUN(TOP));
    }
    assert_int_equal(unlink("mine.c"), 0);
}

/* What a file includes is a part of it, for one system and for many bodies. */
static void included_text(void **state)
{
    (void)state;
    file_write("field.h", FUNCTIONS);
    file_write("mine.c", HEAD "#include \"field.h\"\nconst ph_problem problem = {\n"
                              "    .name = \"mine\",\n" MEMBERS FIELD "};\n");
    tool_run run = RUN("run", "--problem", "mine.c", "--checkpoint", "one", STEPS);
    assert_done(&run);
    tool_run_free(&run);
    run = RUN("run", "--problem", "mine.c", "--scatter", "velocity=1%", "--samples", "2",
              "--checkpoint", "many", "--step", "0.01", "--time", "1");
    assert_done(&run);
    tool_run_free(&run);
    file_write("field.h", FUNCTIONS "static const int another = 1;\n");
    run = RUN("run", "--problem", "mine.c", STEPS); /* now it was run here before */
    assert_int_equal(run.status, 0);
    tool_run_free(&run);
    assert_refused(RUN("resume", "one", "--time", "2"), "a file that it includes has changed");
    assert_refused(RUN("resume", "many"), "a file that it includes has changed");
    assert_refused(RUN("resume", "many", "--problem", "mine.c"),
                   "a file that it includes has changed");
    file_write("field.h", FUNCTIONS);
    run = RUN("resume", "one", "--time", "2");
    assert_done(&run);
    tool_run_free(&run);
    run = RUN("resume", "many");
    assert_done(&run);
    tool_run_free(&run);
    assert_int_equal(unlink("mine.c") | unlink("field.h") | unlink("one") | unlink("many"), 0);
}

/* A snapshot does not execute what the user never ran. */
static void foreign_library(void **state)
{
    (void)state;
    static const char *const files[] = {"mine.c", "mine.so"};
    file_write("mine.c", SOURCE);
    assert_int_equal(0, system("rm -rf cache/polhode"));
    assert_same_end(RUN("run", "--problem", "mine.c", STEPS), RUN(TOP));
    assert_int_equal(0, system("cp cache/polhode/*.so mine.so"));
    for (size_t i = 0; i < COUNT(files); i++) {
        tool_run run = RUN("run", "--problem", files[i], "--checkpoint", "s", STEPS);
        assert_done(&run);
        tool_run_free(&run);
        assert_int_equal(0, system("mkdir other && mv cache/polhode/* other"));
        assert_refused(RUN("resume", "s", "--time", "2"), "was never run here");
        assert_refused(RUN("plot", "s", "--out", "a.svg"), "was never run here");
        assert_int_equal(0, system("mv other/* cache/polhode && rmdir other"));
        run = RUN("resume", "s", "--time", "2");
        assert_done(&run);
        tool_run_free(&run);
        /* from another folder it is still the same file */
        assert_int_equal(0, system("mkdir sub"));
        assert_int_equal(chdir("sub"), 0);
        for (int time = 3; time < 5; time++) {
            char text[12];
            (void)snprintf(text, sizeof text, "%d", time);
            run = RUN("resume", "../s", "--time", text);
            assert_done(&run);
            tool_run_free(&run);
        }
        assert_int_equal(chdir(".."), 0);
        assert_int_equal(rmdir("sub"), 0);
    }
    assert_int_equal(unlink("mine.c") | unlink("mine.so") | unlink("s"), 0);
}

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
    file_write("mine.c", SOURCE);
    static const char *const commands[][16] = {
        {"run", "--problem", "mine.c", STEPS},
        {TOP, "--plot", "a.svg"},
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
        cmocka_unit_test(is_the_heavy_top), cmocka_unit_test(is_named_as_its_file),
        cmocka_unit_test(goes_on),          cmocka_unit_test(names),
        cmocka_unit_test(cut_library),      cmocka_unit_test(foreign_library),
        cmocka_unit_test(included_text),    cmocka_unit_test(slow_programs),
        cmocka_unit_test(wrong_files),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
