/* test_cli_warnings.c - what is allowed and surely a slip: one line, the exit status
 * unchanged. */
/* Needs kinds, lab, extra. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>
#include <unistd.h>

#include "support/run_tool.h"

/* One warning that contains the words; NULL: none. */
static void assert_warns(tool_run run, const char *words)
{
    assert_int_equal(run.status, 0);
    assert_int_equal(count_lines(run.error), words != NULL);
    if (words != NULL) {
        assert_contains(run.error, "polhode: warning: ");
        assert_contains(run.error, words);
    }
    tool_run_free(&run);
}

#define ONE_STEP "--step", "0.01", "--time", "0.01"

/* Moments that no matter has, of every command that takes some. */
static void moments(void **state)
{
    (void)state;
    static const char words[] = "no rigid body can have the moments of inertia 1, 2, 9";
#define SLIP "--inertia", "1,2,9", "--velocity", "1,0,0"
    assert_warns(RUN("exact", SLIP, "--time", "1"), words);
    assert_warns(RUN("run", "--problem", "free", SLIP, ONE_STEP), words);
    assert_warns(RUN("run", "--problem", "orbiter", SLIP, ONE_STEP), words);
    assert_warns(RUN("compare", "--problem", "free", SLIP, "--steps", "1", "--time", "1",
                     "--methods", "exact"),
                 words);
    assert_warns(RUN_WITH("I1,I2,I3,m1,m2,m3,t\n1,2,9,1,0,0,1\n", "exact", "--cases", "-"),
                 "moments of inertia that no rigid body can have");
    assert_warns(RUN_WITH("problem: dipolar_spheres\nlattice: 2\ninertia: [1, 2, 9]\n", "run", "-",
                          ONE_STEP),
                 words);
    assert_warns(RUN_WITH("problem: dipolar_spheres\nbodies:\n  positions: [[0, 0, 0], [3, 0, 0]]\n"
                          "  inertias: [[1, 2, 2], [1, 2, 9]]\n",
                          "run", "-", ONE_STEP),
                 words);
    assert_warns(RUN("run", "--problem", "free", "--inertia", "1,2,3", ONE_STEP), NULL);
}

/* An orbit inside the Earth; another planet may be smaller. */
static void orbits(void **state)
{
    (void)state;
    static const char words[] = "is inside the Earth";
#define SPACECRAFT "run", "--problem", "spacecraft", ONE_STEP, "--set"
    assert_warns(RUN(SPACECRAFT, "semi_major_axis=7150"), words);
    assert_warns(RUN(SPACECRAFT, "eccentricity=0.1"), words);
    assert_warns(RUN_WITH("w1,w2,w3\n0,0,0.001\n0,0,0.002\n", SPACECRAFT, "semi_major_axis=7150",
                          "--cases", "-"),
                 words); /* once, of the model and of its bodies */
    assert_warns(RUN(SPACECRAFT, "semi_major_axis=6400km"), NULL);
    assert_warns(RUN(SPACECRAFT, "mu=4.28e13", "--set", "semi_major_axis=3600km"), NULL);
}

/* Angles that are more than a turn and have no unit: they may be in degrees. */
static void angles(void **state)
{
    (void)state;
    static const char words[] = "97.4 rad is more than a turn: if it is in degrees, write 97.4deg";
    assert_warns(RUN(SPACECRAFT, "inclination=97.4"), words);
    assert_warns(RUN(SPACECRAFT, "inclination=97.4deg"), NULL);
    assert_warns(RUN(SPACECRAFT, "inclination=720deg"), NULL);
    assert_warns(RUN(SPACECRAFT, "inclination=97.4", "--degrees"), NULL);
    assert_warns(RUN(SPACECRAFT, "inclination=6.28"), NULL);
    assert_warns(RUN(SPACECRAFT, "inclination=-6.29"), "inclination: -6.29 rad is more");
    assert_warns(RUN(SPACECRAFT, "damping=97.4"), NULL);
#define FREE "run", "--problem", "free", "--inertia", "1,2,3", ONE_STEP
    assert_warns(RUN(FREE, "--rotvec", "0,97.4,0"), words);
    assert_warns(RUN(FREE, "--attitude", "euler_zyx=97.4,0,0"), words);
    assert_warns(RUN(FREE, "--attitude", "euler_zyx=97.4deg,0,0"), NULL);
    assert_warns(RUN_WITH("problem: spacecraft\nparameters: {node: 97.4}\n", "run", "-", ONE_STEP),
                 "standard input:2: parameter node: 97.4 rad");
    assert_warns(RUN_WITH("problem: dipolar_spheres\nbodies:\n  positions: [[0, 0, 0]]\n"
                          "  rotvecs: [[0, 90, 0]]\n",
                          "run", "-", ONE_STEP),
                 "standard input:4: rotvecs: 90 rad is more than a turn");
    /* A file of bodies tells once, whatever reads it. */
    static const char of_columns[] = "line 3, euler_zyx1: 90 rad is more than a turn: if these are "
                                     "degrees, add --degrees";
#define ANGLES(t, x)                                                                               \
    "I1,I2,I3,w1,w2,w3,euler_zyx1,euler_zyx2,euler_zyx3" t "\n1,2,3,1,0,0,1,0,0" x                 \
    "\n1,2,3,1,0,0,90,0,0" x "\n1,2,3,1,0,0,91,0,0" x "\n"
#define CASES "--cases", "-", "--out", "-"
    assert_warns(RUN_WITH(ANGLES(",t", ",1"), "exact", CASES), of_columns);
    assert_warns(RUN_WITH(ANGLES(",t", ",1"), "exact", CASES, "--degrees"), NULL);
    assert_warns(RUN_WITH(ANGLES("", ""), "run", CASES, "--method", "exact", ONE_STEP), of_columns);
    assert_warns(RUN_WITH(ANGLES("", ""), "run", CASES, "--problem", "free", "--method", "exact",
                          "--time", "0:1@0.5"),
                 of_columns);
    assert_warns(RUN_WITH("inclination,w1,w2,w3\n97.4,0,0,0.001\n", "run", CASES, "--problem",
                          "spacecraft", "--set", "damping=0", ONE_STEP),
                 "line 2, inclination: 97.4 rad is more than a turn");
}

/* Rows between which the body turns by more than half a circle. */
static void coarse_rows(void **state)
{
    (void)state;
    static const char words[] = "write rows more often";
#define SPIN                                                                                       \
    "run", "--problem", "free", "--inertia", "1,1,1", "--velocity", "0,0,1", "--out", "-", "--time"
    assert_warns(RUN(SPIN, "9.6", "--step", "0.1", "--every", "32"), words);
    assert_warns(RUN(SPIN, "9.3", "--step", "0.1", "--every", "31"), NULL);
    assert_warns(RUN(SPIN, "9.6", "--step", "3.2"), words);
    assert_warns(RUN(SPIN, "-9.6", "--step", "-3.2", "--method", "gbs"), words);
    assert_warns(RUN(SPIN, "9.3", "--step", "3.1", "--method", "gbs"), NULL);
    assert_warns(RUN("run", "--problem", "free", "--step", "32", "--time", "64"), NULL);
}

/* Attitudes between which nobody can interpolate, and dates that a file does not hold. */
static void ephemerides(void **state)
{
    (void)state;
#define EPOCH    "--epoch", "2026-01-01T00:00:00", "--out"
#define TUMBLING "--velocity", "2deg/s,0,1deg/s", "--inertia", "1,2,2.5", "--time"
    assert_warns(RUN("run", "--problem", "free", TUMBLING, "0:10min@1min", EPOCH, "a.aem"),
                 "turns by up to 130 degrees");
    assert_warns(RUN("exact", TUMBLING, "0:10min@20s", EPOCH, "a.aem"), "at most 30 degrees apart");
    assert_warns(RUN("convert", "a.aem", "--out", "b.aem"), "b.aem: the body turns by up to");
    assert_warns(RUN("run", "--problem", "free", TUMBLING, "0:10min@10s", EPOCH, "a.aem"), NULL);
    assert_warns(RUN("run", "--problem", "free", TUMBLING, "0:10min@1min", "--out", "a.csv"), NULL);
    assert_warns(RUN("run", "--problem", "free", TUMBLING, "0:10min@1min", EPOCH, "a.csv"),
                 "--epoch is not written to a.csv: CSV has no dates");
    assert_warns(RUN("run", "--problem", "free", TUMBLING, "0:10min@1min", EPOCH, "a.npy"),
                 "--epoch is not written to a.npy");
    static const char *const files[] = {"a.aem", "b.aem", "a.csv", "a.npy"};
    for (size_t i = 0; i < COUNT(files); i++)
        assert_int_equal(unlink(files[i]), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments),     cmocka_unit_test(orbits),      cmocka_unit_test(angles),
        cmocka_unit_test(coarse_rows), cmocka_unit_test(ephemerides),
    };
    return cmocka_run_group_tests_name("warnings", tests, folder_enter, folder_leave);
}
