/* test_cli_ephemeris.c - what a file says about its numbers: frames, time systems, leap seconds and objects of
 * ephemerides; units of columns; attitudes whose few digits make them too long. */
/* Needs extra. */
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

#define DEGREE 57.295779513082321

/* ---- ephemerides --------------------------------------------------------------------- */

/* A message of a frame, a time system and rows from a date on, with more keywords. */
static const char *message(const char *frame, const char *system, const char *start,
                           const char *more, const char *rows)
{
    static char text[4096];
    (void)snprintf(text, sizeof text,
                   "CCSDS_AEM_VERS = 1.0\nCREATION_DATE = 2020-01-01T00:00:00\nORIGINATOR = X\n"
                   "META_START\nOBJECT_NAME = MY SAT\nOBJECT_ID = 1998-067A\n%sREF_FRAME_A = %s\n"
                   "REF_FRAME_B = SC_BODY_2\nATTITUDE_DIR = A2B\nTIME_SYSTEM = %s\n"
                   "START_TIME = %s\nSTOP_TIME = %s\nATTITUDE_TYPE = QUATERNION\n"
                   "QUATERNION_TYPE = LAST\nMETA_STOP\nDATA_START\n%sDATA_STOP\n",
                   more, frame, system, start, start, rows);
    return text;
}

#define DATE      "2020-06-01T00:00:00"
#define AT_REST   " 0 0 0 1\n"
#define TWO_DATES DATE AT_REST "2020-06-01T00:00:01 0 0 0.07584 0.99712\n"

/* The attitude in a frame says which one: that of the orbit is LVLH of CCSDS. Angular velocities are relative to
 * space, and do not go with it. */
static void written_frames(void **state)
{
    (void)state;
    static const struct {
        const char *shown, *frame;
    } all[] = {{"t,q", "EME2000"},    {"t,q_space", "EME2000"},      {"t,euler_zyx", "EME2000"},
               {"t,q_orbit", "LVLH"}, {"t,euler_orbit_zyx", "LVLH"}, {"t,q_tilted", "TILTED"}};
    for (size_t i = 0; i < COUNT(all); i++) {
        char line[60];
        tool_run run =
            RUN("run", "--problem", "spacecraft", "--step", "60", "--time", "120", "--epoch", DATE,
                "--frame", "tilted=0.8,0.6,0,0", "--show", all[i].shown, "--out", "a.aem");
        assert_done(&run);
        tool_run_free(&run);
        char *text = file_text("a.aem");
        (void)snprintf(line, sizeof line, "REF_FRAME_A          = %s\n", all[i].frame);
        assert_contains(text, line);
        free(text);
    }
    assert_int_equal(unlink("a.aem"), 0);
    assert_refused(RUN("run", "--problem", "spacecraft", "--step", "60", "--time", "120", "--epoch",
                       DATE, "--show", "t,q_orbit,w", "--out", "a.aem"),
                   "a frame that turns");
}

/* Frames at rest are read. Others are, if the caller says what they are: then attitudes are those in space. */
static void read_frames(void **state)
{
    (void)state;
    static const char *const good[] = {"EME2000", "ICRF", "ICRF2", "GCRF", "J2000", "B1950"};
    static const char *const bad[] = {"LVLH", "ITRF2000", "TOD",     "TOD_EARTH",
                                      "RTN",  "ICRFX",    "MY_FRAME"};
    for (size_t i = 0; i < COUNT(good); i++) {
        tool_run run =
            RUN_WITH(message(good[i], "UTC", DATE, "", TWO_DATES), "convert", "-", "--out", "-");
        assert_done(&run);
        assert_contains(run.out, "\n1,0.99712000000000001,0,0,0.075840000000000005\n");
        tool_run_free(&run);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        const char *text = message(bad[i], "UTC", DATE, "", TWO_DATES);
        char frame[60];
        assert_refused(RUN_WITH(text, "convert", "-", "--out", "-"), "line 7");
        assert_refused(RUN_WITH(text, "exact", "--cases", "-"), "line 7");
        (void)snprintf(frame, sizeof frame, "%s=0,0,1,0", bad[i]);
        tool_run run = RUN_WITH(text, "convert", "-", "--frame", frame, "--out", "-");
        assert_done(&run);
        const char *second = strstr(run.out, "\n1,");
        double q[4]; /* j (a + b k) = b i + a j */
        assert_non_null(second);
        (void)next_numbers(second + 3, 4, q);
        assert_true(q[0] == 0 && q[1] == 0.07584 && q[2] == 0.99712 && q[3] == 0);
        tool_run_free(&run);
    }
    tool_run run = RUN_WITH(message("LVLH", "UTC", DATE, "", TWO_DATES), "convert", "-", "--frame",
                            "lvlh=1,0,0,0", "--out", "a.aem");
    assert_done(&run);
    tool_run_free(&run);
    char *text = file_text("a.aem");
    assert_contains(text, "REF_FRAME_A          = EME2000\n"); /* which they are relative to now */
    free(text);
    assert_int_equal(unlink("a.aem"), 0);
}

/* The seconds of row 1 after row 0, and the date of t = 0 in UTC. */
static double elapsed(const char *system, const char *one, const char *two, const char *date)
{
    char rows[400];
    double t;
    (void)snprintf(rows, sizeof rows, "%s" AT_REST "%s" AT_REST, one, two);
    tool_run run =
        RUN_WITH(message("ICRF", system, one, "", rows), "convert", "-", "--out", "a.aem");
    assert_done(&run);
    tool_run_free(&run);
    char *text = file_text("a.aem");
    assert_contains(text, "TIME_SYSTEM          = UTC\n");
    assert_contains(text, date);
    free(text);
    run = RUN("convert", "a.aem", "--out", "-");
    assert_done(&run);
    const char *row = strchr(strchr(run.out, '\n') + 1, '\n') + 1;
    (void)next_numbers(row, 1, &t);
    tool_run_free(&run);
    assert_int_equal(unlink("a.aem"), 0);
    return t;
}

/* Leap seconds are counted (IERS, Bulletin C 52: 23:59:60 on 2016-12-31, then TAI - UTC = 37 s; the first one was on
 * 1972-06-30). GPS time is TAI - 19 s, TT is TAI + 32.184 s. */
static void time_systems(void **state)
{
    (void)state;
    static const struct {
        const char *system, *one, *two, *date;
        double t;
    } all[] = {
        {"UTC", "2016-12-31T23:59:59", "2017-01-01T00:00:01", "= 2016-12-31T23:59:59.000000000\n",
         3},
        {"UTC", "2016-12-31T23:59:60.25", "2017-01-01T00:00:00",
         "= 2016-12-31T23:59:60.250000000\n", 0.75},
        {"UTC", "1972-06-30T23:59:59", "2017-01-01T00:00:00", "= 1972-06-30T23:59:59.000000000\n",
         86400.0 * 16255 + 1 + 27},
        {"UTC", "2019-12-31T23:59:59", "2020-01-01T00:00:00", "= 2019-12-31T23:59:59.000000000\n",
         1},
        {"UTC", "1960-12-31T23:59:59", "1961-01-01T00:00:00", "= 1960-12-31T23:59:59.000000000\n",
         1},
        {"TAI", "2017-01-01T00:00:36.5", "2017-01-01T00:00:37", "= 2016-12-31T23:59:60.500000000\n",
         0.5},
        {"TAI", "2017-01-01T00:00:37", "2017-01-01T00:00:38", "= 2017-01-01T00:00:00.000000000\n",
         1},
        {"TAI", "2017-01-01T00:00:35.5", "2017-01-01T00:00:38", "= 2016-12-31T23:59:59.500000000\n",
         2.5},
        {"GPS", "2020-06-01T00:00:18", "2020-06-01T00:00:19", "= 2020-06-01T00:00:00.000000000\n",
         1},
        {"GPS", "1980-01-06T00:00:00", "1980-01-06T00:00:19", "= 1980-01-06T00:00:00.000000000\n",
         19},
        {"TT", "2020-06-01T00:01:09.184", "2020-06-01T00:01:10.184",
         "= 2020-06-01T00:00:00.000000000\n", 1},
    };
    for (size_t i = 0; i < COUNT(all); i++) {
        const double t = elapsed(all[i].system, all[i].one, all[i].two, all[i].date);
        if (!(fabs(t - all[i].t) < 1e-9))
            fail_msg("%s from %s to %s: %.9f s", all[i].system, all[i].one, all[i].two, t);
    }
    static const char *const bad[][2] = {
        {"UT1", DATE},
        {"TDB", DATE},
        {"SCLK", DATE},
        {"TAI", "2016-12-31T23:59:60"},
        {"UTC", "2016-12-30T23:59:60"},
        {"UTC", "2016-12-31T22:59:60"},
        {"UTC", "2016-12-31T23:59:61"},
    };
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_refused(
            RUN_WITH(message("ICRF", bad[i][0], bad[i][1], "", ""), "convert", "-", "--out", "-"),
            i < 4 ? "TIME_SYSTEM" : "not a date");
    /* a run writes the leap second, and the file is read as it was */
    tool_run run =
        RUN("exact", "--inertia", "1,2,3", "--velocity", "0.01,0.02,0", "--time", "0:3:7",
            "--epoch", "2016-12-31T23:59:58.5", "--show", "t,q", "--out", "a.aem");
    assert_done(&run);
    tool_run_free(&run);
    char *text = file_text("a.aem");
    assert_contains(text, "\n2016-12-31T23:59:60.000000000 ");
    assert_contains(text, "\n2016-12-31T23:59:60.500000000 ");
    assert_contains(text, "STOP_TIME            = 2017-01-01T00:00:00.500000000\n");
    free(text);
    run = RUN("convert", "a.aem", "--show", "t", "--out", "-");
    assert_string_equal(run.out, "t\n0\n0.5\n1\n1.5\n2\n2.5\n3\n");
    tool_run_free(&run);
    assert_int_equal(unlink("a.aem"), 0);
}

/* Object, centre and frame go from message to message, also through an archive; the options replace them.
 * Segments of different objects are not one motion. */
static void kept_origin(void **state)
{
    (void)state;
    static const char wanted[] = "OBJECT_NAME          = MY SAT\n"
                                 "OBJECT_ID            = 1998-067A\n",
                      centre[] = "CENTER_NAME          = EARTH\n",
                      frame[] = "REF_FRAME_A          = ICRF\n";
    tool_run run = RUN_WITH(message("ICRF", "UTC", DATE, "CENTER_NAME = EARTH\n", TWO_DATES),
                            "convert", "-", "--out", "a.aem"),
             again = RUN("convert", "a.aem", "--out", "a.npz"),
             back = RUN("convert", "a.npz", "--out", "b.aem"),
             other = RUN("convert", "a.aem", "--object", "OTHER", "--out", "c.aem");
    assert_done(&run);
    assert_done(&again);
    assert_done(&back);
    assert_done(&other);
    char *one = file_text("a.aem"), *two = file_text("b.aem"), *three = file_text("c.aem");
    assert_contains(one, wanted);
    assert_contains(one, centre);
    assert_contains(one, frame);
    assert_contains(two, wanted);
    assert_contains(two, frame);
    assert_contains(two, "\n" DATE ".000000000 ");
    assert_contains(three, "OBJECT_NAME          = OTHER\n");
    assert_contains(three, "OBJECT_ID            = 1998-067A\n");
    static const char *const parts[] = {"MY SAT", "1998-067A", "EARTH", "ICRF"};
    for (size_t i = 0; i <= COUNT(parts); i++) { /* a second segment, whose part is another */
        char text[8192];
        (void)snprintf(text, sizeof text, "%s%s", one, strstr(one, "META_START"));
        char *part = i < COUNT(parts) ? strstr(strstr(text, "DATA_STOP"), parts[i]) : NULL;
        if (part != NULL)
            part[0] = part[0] == 'I' ? 'G' : 'X'; /* GCRF is at rest, too */
        if (i == 3)
            part[1] = 'C', part[2] = 'R';
        tool_run segments = RUN_WITH(text, "convert", "-", "--out", "-");
        if (part == NULL)
            assert_done(&segments);
        else
            assert_error_line(&segments, 2, "different objects, centres or frames");
        tool_run_free(&segments);
    }
    free(one);
    free(two);
    free(three);
    tool_run_free(&run);
    tool_run_free(&again);
    tool_run_free(&back);
    tool_run_free(&other);
    assert_int_equal(unlink("a.aem") + unlink("b.aem") + unlink("c.aem") + unlink("a.npz"), 0);
}

/* ---- units ----------------------------------------------------------------------------- */

/* What `convert` prints of a file, with an option (NULL: none): the numbers of its first row. */
static void converted(const char *path, const char *option, size_t count, double *x)
{
    tool_run run = RUN("convert", path, "--out", "-", option);
    assert_done(&run);
    (void)next_numbers(strchr(run.out, '\n') + 1, count, x);
    tool_run_free(&run);
}

/* Angles of a file are shown in radians or degrees as asked for: those without a unit are in radians, others
 * have that of their name or of polhode.json. */
static void angles(void **state)
{
    (void)state;
    static const struct {
        const char *names;
        double x, radians;
    } all[] = {{"euler_zyx1,euler_zyx2,euler_zyx3", 0.25, 0.25},
               {"euler1,euler2,euler3", 0.25, 0.25},
               {"euler_orbit_zyx1,euler_orbit_zyx2,euler_orbit_zyx3", 0.25, 0.25},
               {"rotvec1,rotvec2,rotvec3", 0.25, 0.25},
               {"euler_zyx1[deg],euler_zyx2[deg],euler_zyx3[deg]", 45, 45 / DEGREE},
               {"euler_zyx1[rad],euler_zyx2[rad],euler_zyx3[rad]", 7, 7},
               {"sun[deg],b[deg],c[deg]", 45, 45 / DEGREE}};
    for (size_t i = 0; i < COUNT(all); i++) {
        char text[400];
        double x[4];
        (void)snprintf(text, sizeof text, "t,%s\n3,%g,%g,%g\n", all[i].names, all[i].x, all[i].x,
                       all[i].x);
        file_write("a.csv", text);
        for (int degrees = 0; degrees < 2; degrees++) {
            const double right = all[i].radians * (degrees ? DEGREE : 1.0);
            converted("a.csv", degrees ? "--degrees" : NULL, 4, x);
            for (int k = 1; k < 4; k++)
                if (!(fabs(x[k] - right) < 1e-14 * right && x[0] == 3))
                    fail_msg("%s: %.17g instead of %.17g", all[i].names, x[k], right);
            /* an archive says its units */
            tool_run run = RUN("convert", "a.csv", "--out", "a.npz", degrees ? "--degrees" : NULL);
            assert_done(&run);
            tool_run_free(&run);
            for (int again = 0; again < 2; again++) {
                converted("a.npz", again ? "--degrees" : NULL, 4, x);
                assert_true(fabs(x[2] - all[i].radians * (again ? DEGREE : 1.0)) <
                            1e-14 * fabs(x[2]));
            }
            assert_int_equal(unlink("a.npz"), 0);
        }
    }
    file_write("a.csv", "t[min],w1[deg/s],w2[deg/s],w3[deg/s],h[km],x[0]\n2,90,0,0,3,7\n");
    double x[6];
    converted("a.csv", NULL, 6, x);
    assert_true(x[0] == 120 && fabs(x[1] - 90 / DEGREE) < 1e-15 && x[4] == 3000 && x[5] == 7);
    assert_refused(RUN_WITH("t,t[min]\n1,2\n", "convert", "-", "--out", "-"), "occurs twice");
    /* what is more than a turn may be in degrees */
    tool_run run =
        RUN_WITH("t,euler1,euler2,euler3\n0,1,2,90\n", "convert", "-", "--degrees", "--out", "-");
    assert_int_equal(run.status, 0);
    assert_contains(run.error,
                    "warning: standard input, column euler3: 90 rad is more than a turn");
    tool_run_free(&run);
    assert_int_equal(unlink("a.csv"), 0);
}

/* A file of bodies has units, too, whatever --degrees says about the others. */
static void units_of_cases(void **state)
{
    (void)state;
    tool_run one = RUN_WITH("I1,I2,I3,w1,w2,w3,euler_zyx1,euler_zyx2,euler_zyx3,t\n"
                            "1,2,3,0,0.5,0,0.78539816339744828,0,0,2\n",
                            "exact", "--cases", "-"),
             two = RUN_WITH("I1,I2,I3,w1[deg/s],w2[deg/s],w3[deg/s],euler_zyx1[deg],"
                            "euler_zyx2[deg],euler_zyx3[deg],t\n"
                            "1,2,3,0,28.647889756541161,0,45,0,0,2\n",
                            "exact", "--cases", "-"),
             three =
                 RUN_WITH("I1,I2,I3,w1,w2,w3,euler_zyx1[rad],euler_zyx2[rad],euler_zyx3[rad],t\n"
                          "1,2,3,0,0.5,0,0.78539816339744828,0,0,2\n",
                          "exact", "--cases", "-", "--degrees");
    double x[7], y[7], z[7];
    assert_done(&one);
    assert_done(&two);
    assert_done(&three);
    (void)next_numbers(strchr(one.out, '\n') + 1, 7, x);
    (void)next_numbers(strchr(two.out, '\n') + 1, 7, y);
    (void)next_numbers(strchr(three.out, '\n') + 1, 7, z);
    for (int k = 0; k < 7; k++)
        assert_true(fabs(x[k] - y[k]) < 1e-14 && x[k] == z[k]);
    tool_run_free(&one);
    tool_run_free(&two);
    tool_run_free(&three);
    assert_refused(
        RUN_WITH("I1,I2,I3,w1[km],w2[km],w3[km],t\n1,2,3,1,2,3,4\n", "exact", "--cases", "-"),
        "km");
    /* a column that is copied keeps its name */
    tool_run copied =
        RUN_WITH("I1,I2,I3,w1,w2,w3,sun[deg],t\n1,2,3,0,0.5,0,45,2\n", "exact", "--cases", "-");
    assert_done(&copied);
    assert_contains(copied.out, "sun[deg],m1");
    assert_contains(copied.out, "\n45,");
    tool_run_free(&copied);
}

/* An attitude of four digits is a rotation: all that follows from it is exact. One that is longer is refused. */
static void few_digits(void **state)
{
    (void)state;
    static const char *const lengths[] = {"0.7074,0,0,0.7074", "0.7068,0,0,0.7068",
                                          "0.9996,0.01,0.01,0.0", "1,0,0,0"};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        char text[100];
        double x[14];
        (void)snprintf(text, sizeof text, "t,q0,q1,q2,q3\n0,%s\n", lengths[i]);
        tool_run run = RUN_WITH(text, "convert", "-", "--show", "t,q,R", "--out", "-");
        assert_done(&run);
        (void)next_numbers(strchr(run.out, '\n') + 1, 14, x);
        const double *q = x + 1, *R = x + 5;
        assert_true(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-15);
        for (int n = 0; n < 9; n++) { /* the rows are orthogonal, and of unit length */
            double product = 0;
            for (int k = 0; k < 3; k++)
                product += R[3 * (n / 3) + k] * R[3 * (n % 3) + k];
            assert_true(fabs(product - (n % 4 == 0)) < 2e-15);
        }
        tool_run_free(&run);
    }
    assert_refused(RUN_WITH("t,q0,q1,q2,q3\n0,0.708,0,0,0.708\n", "convert", "-", "--out", "-"),
                   "unit length");
    /* of thirteen digits on, rows are copied as they are */
    tool_run run = RUN_WITH("t,q0,q1,q2,q3\n0,0.7071067811865,0,0,0.7071067811865\n", "convert",
                            "-", "--out", "-");
    assert_contains(run.out, "0,0.70710678118650006,0,0,0.70710678118650006\n");
    tool_run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_frames), cmocka_unit_test(read_frames),
        cmocka_unit_test(time_systems),   cmocka_unit_test(kept_origin),
        cmocka_unit_test(angles),         cmocka_unit_test(units_of_cases),
        cmocka_unit_test(few_digits),
    };
    return cmocka_run_group_tests_name("ephemerides", tests, folder_enter, folder_leave);
}
