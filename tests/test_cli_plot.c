/* test_cli_plot.c - pictures of runs: of every problem of every kind, of files of rows and of
 * snapshots, in every format; columns over time; what is drawn of a long motion is said. */
/* Needs kinds, extra. */
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

#include "kinds/spheres/stepping.h"
#include "support/run_tool.h"
#include "system/find.h"
#include "tool/files/picture.h"

/* A picture that is there, with these words in it where it is SVG; it is taken away. */
static char *picture(const char *path)
{
    char *text = file_text(path);
    assert_non_null(text);
    const bool svg = plot_format_of(path) == PLOT_SVG;
    assert_int_equal(0, strncmp(text,
                                svg                                ? "<?xml"
                                : plot_format_of(path) == PLOT_PDF ? "%PDF"
                                                                   : "\x89PNG",
                                4));
    assert_int_equal(unlink(path), 0);
    return text;
}

static void assert_picture(const char *path, const char *word, const char *no_word)
{
    char *text = picture(path);
    assert_contains(text, word);
    assert_contains(text, "</svg>");
    if (no_word != NULL)
        assert_null(strstr(text, no_word));
    free(text);
}

static void draw_run(const char *problem, const char *method, const char *word)
{
    tool_run run = RUN("run", "--problem", problem, "--method", method, "--step", "1e-4", "--time",
                       "0.01", "--plot", "a.svg");
    assert_done(&run);
    assert_contains(run.out, "a.svg drawn");
    const bool kept = strstr(run.out, "not conserved") == NULL;
    tool_run_free(&run);
    char title[160];
    (void)snprintf(title, sizeof title, ">%s by %s<", problem, method);
    char *text = picture("a.svg");
    assert_contains(text, title);
    assert_contains(text, word);
    assert_true((strstr(text, "error of the energy") != NULL) == kept);
    assert_true(strstr(text, ">t<") || strstr(text, ">t (s)<")); /* below the last panel */
    free(text);
}

/* Every problem that there is. */
static void problems(void **state)
{
    (void)state;
    size_t count, drawn = 0;
    const ph_problem *const *body = ph_problems(&count);
    for (size_t i = 0; i < count; i++, drawn++) {
        const bool is_free = body[i]->torque == NULL && body[i]->internal == NULL;
        draw_run(body[i]->name, is_free ? "exact" : "mkrk_rk4",
                 body[i]->torque == NULL ? "Paths of the axes in space"
                                         : "Path of axis 3 in space");
    }
    const ph_spheres_problem *const *spheres = ph_spheres_problems(&count);
    for (size_t i = 0; i < count; i++, drawn++)
        draw_run(spheres[i]->name, "rkmk4", "Paths on the sphere");
    draw_run("dipolar_spheres", "verlet+exact", "Bodies, and where their dipoles point");
    assert_true(drawn >= 10);
}

#define TOP "run", "--problem", "heavy_top", "--method", "s6_10+exact", "--step", "0.01"

static void rows_and_snapshots(void **state)
{
    (void)state;
    static const char *const files[] = {"a.csv", "a.npy", "a.npz", "a.aem"};
    for (size_t i = 0; i < COUNT(files); i++) {
        tool_run run = RUN(TOP, "--time", "2", "--epoch", "2026-01-01T00:00:00", "--out", files[i]);
        assert_done(&run);
        tool_run_free(&run);
        run = RUN("plot", files[i], "--out", "b.svg");
        assert_done(&run);
        assert_string_equal(run.out, "b.svg drawn\n");
        tool_run_free(&run);
        assert_picture("b.svg", "Path of axis 3 in space", NULL);
        run = RUN("plot", files[i], "--out", "b.svg", "--show", "euler_zyx,qw", "--degrees");
        assert_done(&run);
        tool_run_free(&run);
        assert_picture("b.svg", "Euler angles (deg)", "Path of axis 3");
        assert_int_equal(unlink(files[i]), 0);
    }
    tool_run run = RUN(TOP, "--time", "2", "--out", "a.csv", "--checkpoint", "s");
    assert_done(&run);
    tool_run_free(&run);
    run = RUN("plot", "s", "--out", "b.svg", "--show", "energy_error");
    assert_done(&run);
    tool_run_free(&run);
    assert_picture("b.svg", "heavy_top by s6_10+exact", NULL);
    assert_int_equal(unlink("a.csv"), 0);
    assert_refused(RUN("plot", "s", "--out", "b.svg"), "a.csv");
    run = RUN("run", "--problem", "dipolar_spheres", "--set", "lattice=2", "--method",
              "verlet+exact", "--step", "0.1", "--time", "0.1", "--checkpoint", "s");
    assert_done(&run);
    tool_run_free(&run);
    run = RUN("plot", "s", "--out", "b.svg"); /* its state, as it has no rows */
    assert_done(&run);
    tool_run_free(&run);
    assert_picture("b.svg", "8 bodies at t = 0.1", NULL);
    assert_int_equal(unlink("s"), 0);
    /* columns of rows with several bodies: of the first body, without a jump between bodies */
    run = RUN("run", "--problem", "dipolar_spheres", "--set", "lattice=2", "--method",
              "verlet+exact", "--step", "0.1", "--time", "0.3", "--out", "a.csv");
    assert_done(&run);
    tool_run_free(&run);
    run = RUN("plot", "a.csv", "--out", "b.svg", "--show", "x,translation");
    assert_refused(run, "translation");
    run = RUN("plot", "a.csv", "--out", "b.svg", "--show", "x");
    assert_done(&run);
    tool_run_free(&run);
    char *text = picture("b.svg");
    assert_contains(text, ">a.csv: body 0<");
    size_t points = 0; /* of the only line that is drawn */
    const char *line = strstr(text, "gnuplot_plot_1a");
    assert_non_null(line);
    line = strstr(line, " d='M");
    assert_non_null(line);
    for (const char *end = strstr(line, "'/>"); line < end; line++)
        points += *line == 'M' || *line == 'L';
    assert_true(points <= 4);
    free(text);
    assert_int_equal(unlink("a.csv"), 0);
    run = RUN("exact", BOOK, "--time", "0:20:201", "--out", "a.csv");
    assert_done(&run);
    tool_run_free(&run);
    run = RUN("plot", "a.csv", "--out", "b.svg"); /* free, as the rows tell */
    assert_done(&run);
    tool_run_free(&run);
    assert_picture("b.svg", "Paths of the axes in space", NULL);
    run = RUN("run", "--problem", "double_pendulum", "--method", "rattle", "--step", "0.01",
              "--time", "1", "--out", "a.csv");
    assert_done(&run);
    tool_run_free(&run);
    run = RUN("plot", "a.csv", "--out", "b.svg");
    assert_done(&run);
    tool_run_free(&run);
    assert_picture("b.svg", "Paths on the sphere", NULL);
    assert_int_equal(unlink("a.csv"), 0);
}

static void every_format(void **state)
{
    (void)state;
    tool_run run = RUN(TOP, "--time", "1", "--plot", "a.svg", "--plot", "a.png", "--plot", "a.PDF",
                       "--out", "-");
    assert_done(&run);
    assert_whole_rows(run.out, CSV_HEADER);
    tool_run_free(&run);
    free(picture("a.svg"));
    free(picture("a.png"));
    free(picture("a.PDF"));
    run = RUN("exact", BOOK, "--time", "0:10:11", "--show", "w,energy_error", "--plot", "a.pdf",
              "--plot", "a.svg");
    assert_done(&run);
    tool_run_free(&run);
    free(picture("a.pdf"));
    assert_picture("a.svg", "angular velocity (rad/t)", "Polhode");
}

/* Labels are words, in the unit of time that the command has. */
static void labels(void **state)
{
    (void)state;
    static const char *const cases[][4] = {
        /* --time, --show, labels of the axis and of a panel */
        {"0:12h@1h", "euler_zyx1", ">t (h)<", ">yaw (rad)<"},
        {"0:90min@30min", "euler_zxz2", ">t (min)<", ">nutation (rad)<"},
        {"0:1h@20min", "w2", ">t (h)<", ">angular velocity w2 (rad/s)<"},
        {"0:3d@1d", "momentum", ">t (d)<", ">angular momentum m1 (N m s)<"},
        {"0:7200:3", "energy", ">t (h)<", ">energy (J)<"},
        {"0:30:3", "rotvec3", ">t (s)<", ">rotation vector rotvec3 (rad)<"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        tool_run run = RUN("run", "--problem", "spacecraft", "--scatter", "velocity=1%",
                           "--samples", "3", "--tolerance", "1e-6", "--time", cases[i][0], "--show",
                           cases[i][1], "--plot", "a.svg");
        assert_done(&run);
        tool_run_free(&run);
        char *text = picture("a.svg");
        assert_contains(text, cases[i][2]);
        assert_contains(text, cases[i][3]);
        assert_contains(text, "median, 5 % and 95 % of 3 bodies");
        free(text);
    }
    tool_run run = RUN("exact", BOOK, "--time", "0:90min@10s", "--show",
                       "w1,m,euler_xyz,energy_error,momentum_error", "--plot", "a.svg");
    assert_done(&run);
    tool_run_free(&run);
    char *text = picture("a.svg");
    static const char *const words[] = {">t (min)<",
                                        ">angular velocity w1 (rad/s)<",
                                        ">angular momentum (N m s)<",
                                        ">Euler angles (rad)<",
                                        ">relative error of the energy<",
                                        ">relative error of the momentum<"};
    for (size_t i = 0; i < COUNT(words); i++)
        assert_contains(text, words[i]);
    free(text);
    run = RUN("exact", BOOK, "--time", "0:3min@1s", "--plot", "a.svg");
    assert_done(&run);
    tool_run_free(&run);
    assert_picture("a.svg", ">t = 0 to 3 min<", NULL);
}

/* Of a motion of many turns the beginning is drawn: said in the picture and in the text. */
static void long_motions(void **state)
{
    (void)state;
    tool_run run = RUN("exact", BOOK, "--time", "0:100000:3", "--plot", "a.svg");
    assert_done(&run);
    assert_contains(run.out, "the beginning");
    tool_run_free(&run);
    assert_picture("a.svg", "only the beginning", NULL);
    run = RUN("run", "--problem", "free", "--method", "exact", "--step", "1", "--time", "20000",
              "--plot", "a.svg");
    assert_done(&run);
    assert_contains(run.out, "(the picture shows only the beginning, t = 0 to ");
    tool_run_free(&run);
    assert_picture("a.svg", ", the beginning;", NULL);
    run = RUN(TOP, "--time", "5", "--plot", "a.svg");
    assert_done(&run);
    assert_null(strstr(run.out, "beginning"));
    tool_run_free(&run);
    assert_picture("a.svg", "t = 0 to 5;", "beginning");
}

static void refused(void **state)
{
    (void)state;
    assert_refused(RUN(TOP, "--time", "1", "--plot", "a.gif"), "a.gif");
    assert_refused(RUN(TOP, "--time", "1", "--plot", "a.svg", "--plot", "a.svg"), "twice");
    assert_refused(RUN(TOP, "--time", "1", "--plot", "a.svg", "--show", "nothing"), "no column");
    assert_refused(RUN("plot", "none.csv", "--out", "a.svg"), "none.csv");
    assert_refused(RUN("plot", "--out", "a.svg"), "name it");
    assert_refused(RUN("plot", "none.csv"), "--out");
    file_write("a.csv", "t,q0,q1,q2,q3\n");
    assert_refused(RUN("plot", "a.csv", "--out", "a.svg"), "no rows");
    file_write("a.csv", "t,q0,q1,q2,q3\n0,1,0,0,0\n1,x,0,0,0\n");
    assert_refused(RUN("plot", "a.csv", "--out", "a.svg"), "a.csv line 3");
    file_write("a.csv", "t,u\n0,1\n1,2\n");
    assert_refused(RUN("plot", "a.csv", "--show", "v", "--out", "a.svg"), "no column");
    assert_int_equal(unlink("a.csv"), 0);
    assert_no_file("*");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(problems),     cmocka_unit_test(rows_and_snapshots),
        cmocka_unit_test(labels),       cmocka_unit_test(every_format),
        cmocka_unit_test(long_motions), cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests_name("plot", tests, folder_enter, folder_leave);
}
