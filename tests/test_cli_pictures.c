/* test_cli_pictures.c - every kind of picture that the tool draws can be read: no text is cut, and no two curves of
 * a legend look the same. test_figures.c looks at the figures of the papers. */
/* Needs kinds, lab, extra. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "support/run_tool.h"
#include "support/skip.h"
#include "support/svg_checks.h"
#include "tool/files/picture.h"

static const char cases[] = TEST_DATA "/../../conformance/cases.csv";

#define TOP "run", "--problem", "heavy_top", "--step", "0.05", "--time", "5", "--plot", "a.svg"
#define CRAFT                                                                                      \
    "run", "--problem", "spacecraft", "--tolerance", "1e-6", "--time", "0:12h@1h", "--plot", "a.svg"
#define LONG_NAME                                                                                  \
    "a_folder_with_a_name_that_is_longer_than_the_picture_is_wide_for_a_title_of_rows.csv"

static const struct kind {
    const char *name, *words[24];
} kinds[] = {
    {"exact", {"exact", BOOK, "--time", "0:40:11", "--plot", "a.svg"}},
    {"exact, flat and long",
     {"exact", "--inertia", "1e-6,1,1", "--momentum", "1e-4,1,1", "--time", "0:1e9:2", "--plot",
      "a.svg"}},
    {"exact, columns",
     {"exact", BOOK, "--time", "0:90min@1min", "--show", "w,m,euler", "--plot", "a.svg"}},
    {"run, body", {TOP}},
    {"run, single", {TOP, "--paper", "single"}},
    {"run, double", {TOP, "--paper", "double"}},
    {"run, slide", {TOP, "--paper", "slide"}},
    {"run, columns",
     {TOP, "--paper", "single", "--show",
      "R,q,w_space,rotvec,euler_xyz,energy_error,momentum_error"}},
    {"run, free", {"run", "--problem", "free", "--step", "0.1", "--time", "9", "--plot", "a.svg"}},
    {"run, rows far apart", {CRAFT}},
    {"run, spheres",
     {"run", "--problem", "magnets", "--step", "0.001", "--time", "0.05", "--plot", "a.svg"}},
    {"run, molecules",
     {"run", "--problem", "dipolar_spheres", "--step", "0.01", "--time", "0.05", "--plot",
      "a.svg"}},
    {"run, orbiter",
     {"run", "--problem", "orbiter", "--step", "0.01", "--time", "0.5", "--plot", "a.svg"}},
    {"ensemble", {CRAFT, "--scatter", "velocity=5%", "--samples", "4"}},
    {"ensemble, columns",
     {CRAFT, "--scatter", "velocity=5%", "--samples", "4", "--show", "w,euler_zyx,energy",
      "--degrees"}},
    {"plot of rows", {"plot", LONG_NAME, "--out", "a.svg"}},
    {"fit", {"fit", LONG_NAME, "--plot", "a.svg"}},
    {"compare",
     {"compare", "--problem", "free", "--methods",
      "dmv2,dmv4,dmv6,dmv8,sr2,sr4,jem4,mr,imr2,imr4,exact,dmv2:suzuki4,dmv2:kahan_li6,sr2:suzuki4",
      "--steps", "0.2,0.1,0.05", "--time", "2", "--plot", "a.svg"}},
    {"compare, spheres",
     {"compare", "--problem", "magnets", "--methods", "eln,nystrom4+circle,rkmk4,s6_10+circle",
      "--steps", "0.01,0.005", "--time", "0.1", "--plot", "a.svg"}},
    {"check --steps, body",
     {"check", "--steps", "verlet+exact", "--problem", "slow_top", "--plot", "a.svg"}},
    {"check --steps, spheres",
     {"check", "--steps", "rkmk4", "--problem", "pendulum", "--plot", "a.svg"}},
    {"grade", {"grade", cases, "--plot", "a.svg"}},
};

static void readable(void **state)
{
    (void)state;
    need_gnuplot();
    tool_run run = RUN("exact", "--inertia", "0.5,0.8,1", "--velocity", "0.3,1,0.2", "--time",
                       "0:9:40", "--show", "t,q,w", "--out", LONG_NAME);
    assert_done(&run);
    tool_run_free(&run);
    size_t faults = 0;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        run = tool_run_words(NULL, kinds[i].words);
        if (run.status != 0)
            fail_msg("%s: %s", kinds[i].name, run.error);
        tool_run_free(&run);
        char *svg = file_text("a.svg");
        assert_non_null(svg);
        faults += unreadable(kinds[i].name, svg);
        free(svg);
        assert_int_equal(unlink("a.svg"), 0);
    }
    assert_int_equal(unlink(LONG_NAME), 0);
    assert_int_equal(0, faults);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(readable)};
    return cmocka_run_group_tests_name("pictures", tests, folder_enter, folder_leave);
}
