/* test_cli_film.c - films of runs and exact motions: in every format where there is ffmpeg, and
 * what is refused. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/run_tool.h"

#define TOP                                                                              \
    "run", "--problem", "heavy_top", "--method", "verlet+exact", "--step", "0.1",        \
        "--time", "0.5"
#define SMALL "--size", "128x96", "--fps", "2"

static void refused(void **state)
{
    (void)state;
    assert_refused(RUN(TOP, "--film", "a.avi"), "a.avi");
    assert_refused(RUN(TOP, "--film", "a.mp4", "--size", "12"), "--size");
    assert_refused(RUN(TOP, "--film", "a.mp4", "--size", "129x96"), "--size");
    assert_refused(RUN(TOP, "--film", "a.mp4", "--size", "128x96x"), "--size");
    assert_refused(RUN(TOP, "--film", "a.mp4", "--fps", "0"), "--fps");
    assert_refused(RUN(TOP, "--fps", "10"), "--film");
    assert_no_file("*");
}

/* A gnuplot that starts, and nothing else. */
static void without_ffmpeg(void **state)
{
    (void)state;
    char *path = strdup(getenv("PATH"));
    file_write("gnuplot", "#!/bin/sh\n");
    assert_int_equal(0, system("chmod +x gnuplot"));
    assert_int_equal(0, setenv("PATH", ".", 1));
    assert_refused(RUN(TOP, "--film", "a.mp4"), "install the package ffmpeg");
    assert_int_equal(0, setenv("PATH", path, 1));
    free(path);
    assert_int_equal(0, unlink("gnuplot"));
    assert_no_file("*");
}

static void assert_film(tool_run run, const char *path, size_t at, const char *mark)
{
    assert_done(&run);
    assert_contains(run.out, "drawn: 2 s");
    tool_run_free(&run);
    char head[32] = "";
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fread(head, 1, sizeof head - 1, f), sizeof head - 1);
    (void)fclose(f);
    assert_int_equal(0, memcmp(head + at, mark, strlen(mark)));
    assert_int_equal(0, unlink(path));
}

static void films(void **state)
{
    (void)state;
    if (system("ffmpeg -version >/dev/null 2>&1") != 0 ||
        system("gnuplot -V >/dev/null") != 0)
        skip();
    assert_film(RUN(TOP, SMALL, "--film", "a.mp4"), "a.mp4", 4, "ftyp");
    assert_film(RUN(TOP, SMALL, "--film", "a.webm"), "a.webm", 0, "\x1a\x45\xdf\xa3");
    assert_film(RUN("exact", BOOK, "--time", "0:0.5:3", SMALL, "--film", "a.gif"),
                "a.gif", 0, "GIF89a");
    assert_refused(RUN("run", "--problem", "pendulum", "--method", "rattle", "--step",
                       "0.1", "--time", "1", SMALL, "--film", "a.mp4"),
                   "one body");
    assert_no_file("*");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refused),
                                       cmocka_unit_test(without_ffmpeg),
                                       cmocka_unit_test(films)};
    return cmocka_run_group_tests_name("film", tests, folder_enter, folder_leave);
}
