/* test_cli_film.c - films of runs and exact motions: in every format where there is ffmpeg, and
 * what is refused. */
/* Needs extra, kinds. */
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

#include "support/run_tool.h"
#include "support/skip.h"

#define TOP                                                                                        \
    "run", "--problem", "heavy_top", "--method", "verlet+exact", "--step", "0.1", "--time", "0.5"
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

enum { FILM_WIDTH = 320, FILM_HEIGHT = 180 };
#define FILM "--size", "320x180", "--fps", "5", "--film", "a.mp4"

/* A gnuplot that keeps its script, and an ffmpeg that has black pictures of it and keeps the frames. */
static void stand_ins(void)
{
    char text[256];
    file_write("gnuplot", "#!/bin/sh\ncat >script\n");
    (void)snprintf(text, sizeof text,
                   "#!/bin/sh\nfor last; do :; done\ncase $*/$last in\n"
                   "*framecrc*) printf '#\\n1\\n2\\n3\\n4\\n5\\n6\\n7\\n8\\n9\\n10\\n';;\n"
                   "*/-) head -c %d /dev/zero;;\n"
                   "*/file:*) cat >raw; echo film >\"${last#file:}\";; esac\n",
                   FILM_WIDTH * FILM_HEIGHT * 6);
    file_write("ffmpeg", text);
    assert_int_equal(0, system("chmod +x gnuplot ffmpeg"));
}

static void remove_stand_ins(void)
{
    assert_int_equal(0, unlink("gnuplot") + unlink("ffmpeg") + unlink("script") + unlink("raw"));
    assert_no_file("*");
}

/* A film of which ffmpeg wrote only a part: the old one stays. */
static void half_a_film(void **state)
{
    (void)state;
    char *path = strdup(getenv("PATH")), both[4096];
    (void)snprintf(both, sizeof both, ".:%s", path);
    stand_ins();
    assert_int_equal(0, system("sed -i 's/9.n10.n/9\\\\n/' ffmpeg"));
    file_write("a.mp4", "old film");
    assert_int_equal(0, setenv("PATH", both, 1));
    tool_run run = RUN(TOP, FILM);
    assert_int_equal(0, setenv("PATH", path, 1));
    free(path);
    assert_error_line(&run, 1,
                      "--film a.mp4 cannot be written (frames are missing): free some disk");
    tool_run_free(&run);
    char *there = file_text("a.mp4");
    assert_string_equal(there, "old film");
    free(there);
    assert_int_equal(0, unlink("a.mp4"));
    remove_stand_ins();
}

/* A gnuplot that ends well and writes nothing, or half a picture, makes none; what was there stays. */
static void half_a_picture(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "printf '<?xml version'", "printf '\\211PNG'",
                                        "printf '</svg>'"};
    static const char *const name[] = {"a.svg", "a.png", "a.pdf"};
    char *path = strdup(getenv("PATH")), text[100];
    (void)snprintf(text, sizeof text, "old picture");
    for (size_t i = 0; i < COUNT(wrong); i++) {
        (void)snprintf(text, sizeof text, "#!/bin/sh\n%s\n", wrong[i]);
        file_write("gnuplot", text);
        assert_int_equal(0, system("chmod +x gnuplot"));
        for (size_t k = 0; k < COUNT(name); k++) {
            file_write(name[k], "old picture");
            assert_int_equal(0, setenv("PATH", ".", 1));
            tool_run run = RUN(TOP, "--plot", name[k]);
            assert_int_equal(0, setenv("PATH", path, 1));
            assert_error_line(&run, 1, "is not whole: gnuplot ended without an error");
            tool_run_free(&run);
            char *there = file_text(name[k]);
            assert_string_equal(there, "old picture");
            free(there);
            assert_int_equal(0, unlink(name[k]));
        }
    }
    free(path);
    assert_int_equal(0, unlink("gnuplot"));
    assert_no_file("*");
}

/* A number of the script for gnuplot. */
static double in_script(const char *script, const char *name)
{
    char start[32];
    (void)snprintf(start, sizeof start, "\n%s = ", name);
    const char *at = strstr(script, start);
    assert_non_null(at);
    return strtod(at + strlen(start), NULL);
}

/* What is drawn: a body that stands on a point below its centre is a top, a disc on an axle, with its moments; others are boxes. */
static void shapes(void **state)
{
    (void)state;
    static const struct shape {
        const char *problem, *set;
        double J[3];
        int64_t axle;
    } all[] = {{"fast_top", "strength=20", {5, 4.5, 1}, 3},
               {"kovalevskaya_top", "strength=1", {2, 2, 1}, 1},
               {"heavy_top", "centre=0,-1,0", {1, 2, 2.5}, 2},
               {"heavy_top", "centre=1,0,1", {1, 2, 2.5}, 0},
               {"spacecraft", "eccentricity=0", {1, 2, 2.5}, 0}};
    char *path = strdup(getenv("PATH")), both[4096];
    (void)snprintf(both, sizeof both, ".:%s", path);
    stand_ins();
    assert_int_equal(0, setenv("PATH", both, 1));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const double *J = all[i].J;
        const int k = (int)all[i].axle;
        char inertia[64];
        (void)snprintf(inertia, sizeof inertia, "%g,%g,%g", J[0], J[1], J[2]);
        tool_run run = RUN("run", "--problem", all[i].problem, "--inertia", inertia, "--set",
                           all[i].set, "--step", "0.01", "--time", "0.1", FILM);
        assert_done(&run);
        tool_run_free(&run);
        char *script = file_text("script");
        assert_int_equal(k, (int)in_script(script, "axle"));
        double x[3]; /* by the height of a disc and its diameters, its moments over the last */
        for (int n = 0; n < 3; n++) {
            static const char *const edges[] = {"edge1", "edge2", "edge3"};
            static const char *const lifts[] = {"lift1", "lift2", "lift3"};
            x[n] = n == k - 1 ? in_script(script, lifts[n]) : in_script(script, edges[n]) / 4.0;
            x[n] *= x[n];
        }
        for (int n = 0; n < 2 && k > 0; n++)
            assert_true(fabs(J[n] / J[2] - (x[1 - n] + x[2]) / (x[0] + x[1])) < 1e-12);
        free(script);
        assert_int_equal(0, unlink("a.mp4"));
    }
    assert_int_equal(0, setenv("PATH", path, 1));
    free(path);
    remove_stand_ins();
}

/* Everything that is drawn in any frame, from and to before. */
typedef struct extent {
    int left, right, top, bottom;
} extent;

static extent drawn_in(const char *path)
{
    extent e = {FILM_WIDTH, 0, FILM_HEIGHT, 0};
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    static unsigned char frame[FILM_WIDTH * FILM_HEIGHT * 3 / 2];
    size_t frames = 0;
    for (; fread(frame, 1, sizeof frame, f) == sizeof frame; frames++) {
        for (int y = 0; y < FILM_HEIGHT; y++) {
            for (int x = 0; x < FILM_WIDTH; x++) {
                if (frame[y * FILM_WIDTH + x] == 16) /* black, as the stand-in has it */
                    continue;
                e.left = x < e.left ? x : e.left;
                e.right = x >= e.right ? x + 1 : e.right;
                e.top = y < e.top ? y : e.top;
                e.bottom = y >= e.bottom ? y + 1 : e.bottom;
            }
        }
    }
    assert_int_equal(10, frames);
    (void)fclose(f);
    return e;
}

/* All that is drawn fills the room between the title and the names, and names are those of what is seen. */
static void contents(void **state)
{
    (void)state;
    static const struct body {
        const char *problem, *inertia, *velocity;
        const char *entries;
    } all[] = {
        {"free", "1,2,2.9", "0.02,2,0.02", "angular momentum,angular velocity,path of axis 3"},
        {"free", "1,2,2.9", "0,0,2", "angular momentum,angular velocity"}, /* axis 3 stays */
        {"free", "1,2,2.9", "0,0,0", ""},
        {"free", "1,1,0.02", "0.1,2,9", "angular momentum,angular velocity,path of axis 3"},
        {"heavy_top", "1,1.6,2.2", "0.5,-0.5,0.5",
         "angular momentum,angular velocity,path of the end of the axle,gravity"},
        {"lagrange_top", "1,1,1.5", "0,0.3,30", /* its axle hardly moves */
         "angular momentum,angular velocity,gravity"},
    };
    char *path = strdup(getenv("PATH")), both[4096];
    (void)snprintf(both, sizeof both, ".:%s", path);
    stand_ins();
    assert_int_equal(0, setenv("PATH", both, 1));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        tool_run run = RUN("run", "--problem", all[i].problem, "--inertia", all[i].inertia,
                           "--velocity", all[i].velocity, "--step", "0.02", "--time", "2", FILM);
        assert_done(&run);
        tool_run_free(&run);
        const extent e = drawn_in("raw");
        const double wide = (double)(e.right - e.left) / FILM_WIDTH,
                     tall = (double)(e.bottom - e.top) / FILM_HEIGHT;
        assert_true(e.left > 0 && e.right < FILM_WIDTH && e.top > FILM_HEIGHT / 15 &&
                    e.bottom <= FILM_HEIGHT - FILM_HEIGHT / 15);
        assert_true(wide > 0.9 || tall > 0.8);
        char *script = file_text("script"), expected[256] = "\nentries = '";
        char names[128];
        (void)snprintf(names, sizeof names, "%s", all[i].entries);
        for (char *rest = names, *word; (word = strtok_r(rest, ",", &rest)) != NULL;) {
            (void)strcat(expected, "\"");
            (void)strcat(expected, word);
            (void)strcat(expected, "\" ");
        }
        (void)strcat(expected, "'\n");
        assert_contains(script, expected);
        free(script);
        assert_int_equal(0, unlink("a.mp4"));
    }
    assert_int_equal(0, setenv("PATH", path, 1));
    free(path);
    remove_stand_ins();
}

static void assert_film(tool_run run, const char *path, size_t at, const char *mark)
{
    assert_done(&run);
    assert_contains(run.out, "written: 2 s");
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
    need_gnuplot();
    if (system("ffmpeg -version >/dev/null 2>&1") != 0)
        skip_because("ffmpeg is not installed");
    assert_film(RUN(TOP, SMALL, "--film", "a.mp4"), "a.mp4", 4, "ftyp");
    assert_film(RUN(TOP, SMALL, "--film", "a.webm"), "a.webm", 0, "\x1a\x45\xdf\xa3");
    assert_film(RUN("exact", BOOK, "--time", "0:0.5:3", SMALL, "--film", "a.gif"), "a.gif", 0,
                "GIF89a");
    assert_refused(RUN("run", "--problem", "pendulum", "--method", "rattle", "--step", "0.1",
                       "--time", "1", SMALL, "--film", "a.mp4"),
                   "one body");
    tool_run still = RUN("exact", BOOK, "--time", "0:0:3", SMALL, "--film", "a.mp4");
    assert_int_equal(2, still.status);
    assert_contains(still.error, "the rows span no length of time");
    tool_run_free(&still);
    assert_no_file("*");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused),     cmocka_unit_test(without_ffmpeg),
        cmocka_unit_test(shapes),      cmocka_unit_test(contents),
        cmocka_unit_test(half_a_film), cmocka_unit_test(half_a_picture),
        cmocka_unit_test(films)};
    return cmocka_run_group_tests_name("film", tests, folder_enter, folder_leave);
}
