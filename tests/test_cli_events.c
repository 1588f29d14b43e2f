/* test_cli_events.c - --events and --until of polhode run: the table, as text, JSON and CSV, and
 * what does not go together. */
/* Needs kinds, extra, lab. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/run_tool.h"

#define STAGE                                                                                      \
    "run", "--problem", "free", "--tensor", "12000,60000,61000,300,-500,200", "--velocity",        \
        "2deg/s,0.5deg/s,-1deg/s", "--time"
#define CONE "-0.52052622892433398,-0.38158833040976015,-0.76383426939153765"

/* When the stage first is within so many degrees of the cone: found by exact states at many times. */
static void the_first_time(void **state)
{
    (void)state;
    static const struct {
        const char *until;
        double time;
    } cones[] = {{"angle([1,0,0], [" CONE "]) < 5deg", 106.6340368063},
                 {"angle([1,0,0], [" CONE "]) < 2deg", 109.2010124046},
                 {"angle([1,0,0], [" CONE "]) < 1deg", 110.0588311010}};
    for (size_t i = 0; i < COUNT(cones); i++) {
        tool_run by[2] = {
            RUN(STAGE, "0:1h@1min", "--method", "exact", "--until", cones[i].until, "--json"),
            RUN(STAGE, "1h", "--method", "gbs", "--tolerance", "1e-12", "--until", cones[i].until,
                "--json")};
        for (int k = 0; k < 2; k++) {
            assert_done(&by[k]);
            json_t *all = json_loads(by[k].out, 0, NULL);
            assert_true(json_is_true(json_object_get(json_object_get(all, "until"), "met")));
            assert_true(fabs(json_number_value(json_object_get(all, "time")) - cones[i].time) <
                        1e-6);
            json_decref(all);
            tool_run_free(&by[k]);
        }
    }
}

/* JSON and CSV have the same windows; the run is that without events. */
static void all_windows(void **state)
{
    (void)state;
    tool_run with = RUN(STAGE, "0:1h@1min", "--method", "exact", "--json", "--events",
                        "star: angle([1,0,0], [" CONE "]) < 1deg", "--events", "w1 > 2deg/s",
                        "--events-out", "events.csv"),
             without = RUN(STAGE, "0:1h@1min", "--method", "exact", "--json"),
             text = RUN(STAGE, "0:1h@1min", "--method", "exact", "--events", "never: R11 > 2",
                        "--events", "star: angle([1,0,0], [" CONE "]) < 1deg");
    assert_done(&with);
    assert_done(&without);
    assert_done(&text);
    json_t *a = json_loads(with.out, 0, NULL), *b = json_loads(without.out, 0, NULL),
           *rows = json_object_get(a, "events");
    assert_true(json_equal(json_object_get(a, "final"), json_object_get(b, "final")));
    assert_null(json_object_get(b, "events"));
    char *csv = file_text("events.csv");
    const char *line = strchr(csv, '\n') + 1;
    assert_int_equal(strncmp(csv, "event,enter,leave,extremum_time,extremum\n", 41), 0);
    int stars = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        static const char *const names[] = {"enter", "leave", "extremum_time", "extremum"};
        const json_t *row = json_array_get(rows, i);
        const char *event = json_string_value(json_object_get(row, "event"));
        char expected[400];
        double x[4];
        for (int k = 0; k < 4; k++)
            x[k] = json_number_value(json_object_get(row, names[k]));
        (void)snprintf(expected, sizeof expected, "%s,%.17g,%.17g,%.17g,%.17g\n", event, x[0], x[1],
                       x[2], x[3]);
        assert_int_equal(strncmp(line, expected, strlen(expected)), 0);
        line += strlen(expected);
        assert_true(x[0] <= x[2] && x[2] <= x[1] && x[0] < x[1]);
        if (strcmp(event, "star") == 0) {
            stars++;
            assert_true(x[3] < 0.0);
        } else {
            assert_string_equal(event, "w1 > 2deg/s");
            assert_true(x[3] > 0.0);
        }
    }
    assert_int_equal(stars, 8);
    assert_int_equal(*line, '\0');
    assert_non_null(strstr(text.out, "never\n    none\nstar\n    t = 110.0588311 to 111.7647098"));
    json_decref(a);
    json_decref(b);
    free(csv);
    tool_run_free(&with);
    tool_run_free(&without);
    tool_run_free(&text);
    assert_int_equal(unlink("events.csv"), 0);
}

/* The run ends at --until, and the windows with it. Names with commas are in quotes. */
static void together(void **state)
{
    (void)state;
    tool_run run =
        RUN("run", "--problem", "heavy_top", "--method", "gbs", "--time", "20", "--until",
            "t > 3.25", "--events", "atan2(R33, 1) < 0.1", "--events-out", "e.csv", "--json");
    assert_done(&run);
    char *csv = file_text("e.csv");
    assert_non_null(strstr(csv, "\n\"atan2(R33, 1) < 0.1\",1."));
    const char *last = strrchr(csv, '"');
    double enter, leave;
    assert_int_equal(sscanf(last, "\",%lf,%lf", &enter, &leave), 2);
    assert_true(leave <= 3.25 + 1e-9);
    free(csv);
    tool_run_free(&run);
    assert_int_equal(unlink("e.csv"), 0);
}

/* The result says whether the search is a proof, and the angle of a window next to the difference. An
 * angle that is compared with more than a turn warns: one body and many. */
static void what_is_said(void **state)
{
    (void)state;
    static const char few[] = "angle([1,0,0], [" CONE "]) < 1deg",
                      degrees[] = "angle([1,0,0], [" CONE "]) < 20";
    tool_run run = RUN(STAGE, "0:1h@1min", "--method", "exact", "--json", "--events", few),
             text = RUN(STAGE, "0:1h@1min", "--method", "exact", "--events", few),
             until = RUN(STAGE, "0:1h@1min", "--method", "exact", "--json", "--until", degrees),
             field = RUN("run", "--problem", "heavy_top", "--time", "10", "--step", "0.1",
                         "--method", "verlet+exact", "--json", "--events", "R33 < 0.5"),
             many = RUN(STAGE, "1h", "--scatter", "velocity=1%", "--samples", "3", "--events",
                        degrees, "--events-out", "many.csv", "--json", "--summary");
    assert_done(&run);
    json_t *all = json_loads(run.out, 0, NULL), *rows = json_object_get(all, "events");
    assert_true(json_is_true(json_object_get(all, "proved")));
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const double angle = json_number_value(json_object_get(row, "angle")),
                     extremum = json_number_value(json_object_get(row, "extremum"));
        assert_true(angle > 0.0 && fabs(angle - extremum - 0.017453292519943295) < 1e-15);
    }
    assert_true(json_array_size(rows) == 8);
    assert_contains(text.out, " at 110.911574, angle 0.0920476 deg");
    assert_contains(until.error, "warning: `angle([1,0,0], [" CONE "]) < 20`: an angle is compared "
                                 "with 20 rad, which is more than a turn: if the number is in "
                                 "degrees, write 20deg");
    assert_contains(many.error, "20 rad, which is more than a turn");
    assert_contains(many.out, "\"proved\": true");
    assert_contains(field.out, "\"proved\": false");
    json_decref(all);
    tool_run_free(&run);
    tool_run_free(&text);
    tool_run_free(&until);
    tool_run_free(&field);
    tool_run_free(&many);
    assert_int_equal(unlink("many.csv"), 0);
}

/* At the equinox of 2026 the Sun stands at longitude 0 of the date, -0.366 degrees of J2000: a body at
 * rest sees it so. */
static void the_sun(void **state)
{
    (void)state;
    tool_run run = RUN("run", "--problem", "free", "--velocity", "0,0,0", "--method", "exact",
                       "--step", "60", "--time", "60", "--epoch", "2026-03-20T14:46:00", "--events",
                       "angle([1,0,0], sun) < 1deg", "--json");
    assert_done(&run);
    json_t *all = json_loads(run.out, 0, NULL), *rows = json_object_get(all, "events");
    const double extremum = json_number_value(json_object_get(json_array_get(rows, 0), "extremum"));
    assert_int_equal(json_array_size(rows), 1);
    assert_true(fabs(1.0 + extremum * 57.29577951308232 - 0.3663) < 0.011);
    json_decref(all);
    tool_run_free(&run);
    assert_refused(RUN("run", "--problem", "free", "--step", "1", "--time", "1", "--until",
                       "angle([1,0,0], sun) < 1deg"),
                   "--until, column 16: the Sun needs the date");
}

/* A date without a time is midnight. */
static void midnight(void **state)
{
    (void)state;
    static const char *const dates[] = {"2026-06-01T00:00:00", "2026-06-01", "2026-152"},
                             *const none[] = {"2026-02-30", "2026-6-1", "2026-06-01T", "20260601"};
    char *first = NULL;
#define DATED(date)                                                                                \
    RUN("run", "--problem", "free", "--velocity", "0,0,0.01", "--method", "exact", "--step", "60", \
        "--time", "600", "--epoch", date, "--events", "angle([1,0,0], sun) < 80deg", "--json",     \
        "--events-out", "e.csv")
    for (size_t i = 0; i < COUNT(dates); i++) {
        tool_run run = DATED(dates[i]);
        assert_done(&run);
        tool_run_free(&run);
        char *rows = file_text("e.csv");
        first = first == NULL ? strdup(rows) : first;
        assert_true(count_lines(rows) > 1);
        assert_string_equal(first, rows);
        free(rows);
        assert_int_equal(unlink("e.csv"), 0);
    }
    free(first);
    for (size_t i = 0; i < COUNT(none); i++)
        assert_refused(DATED(none[i]), "is not a date");
}

/* Of many bodies the table has a column `case`, and the windows of each are those of its run alone,
 * to the last digit. The summary counts them. */
static void many_bodies(void **state)
{
    (void)state;
#define CRAFT                                                                                      \
    "run", "--problem", "spacecraft", "--method", "dop853", "--tolerance", "1e-9", "--time",       \
        "0:3000@1000", "--epoch", "2026-03-20T14:46:00", "--events", "up: R33 > 0.9", "--events",  \
        "angle([1,0,0], sun) < 30deg", "--events-out"
    static const char *const velocities[] = {"0.01,0.02,0.001", "0.02,0.01,-0.003", "0,0,0.001"};
    char *expected = strdup("case,event,enter,leave,extremum_time,extremum\n");
    FILE *cases = fopen("cases.csv", "w");
    assert_true(fputs("w1,w2,w3\n", cases) >= 0);
    for (size_t i = 0; i < COUNT(velocities); i++) {
        assert_true(fprintf(cases, "%s\n", velocities[i]) > 0);
        tool_run alone = RUN(CRAFT, "alone.csv", "--velocity", velocities[i]);
        assert_done(&alone);
        tool_run_free(&alone);
        char *text = file_text("alone.csv");
        static const char *const names[] = {"up,", "angle("}; /* by condition, and then by time */
        for (size_t k = 0; k < COUNT(names); k++) {
            for (char *line = strchr(text, '\n') + 1; *line != '\0';
                 line = strchr(line, '\n') + 1) {
                const char *name = *line == '"' ? line + 1 : line;
                if (strncmp(name, names[k], strlen(names[k])) != 0)
                    continue;
                const size_t length = strcspn(line, "\n") + 1, had = strlen(expected);
                expected = realloc(expected, had + length + 16);
                assert_non_null(expected);
                (void)snprintf(expected + had, length + 16, "%zu,%.*s", i, (int)length, line);
            }
        }
        free(text);
    }
    assert_int_equal(fclose(cases), 0);
    tool_run all = RUN(CRAFT, "all.csv", "--cases", "cases.csv", "--json");
    assert_done(&all);
    json_t *json = json_loads(all.out, 0, NULL),
           *up = json_array_get(json_object_get(json, "events"), 0);
    assert_string_equal(json_string_value(json_object_get(up, "event")), "up");
    assert_int_equal(json_integer_value(json_object_get(up, "bodies")), 3);
    assert_true(json_integer_value(json_object_get(up, "windows")) > 10);
    char *text = file_text("all.csv");
    assert_string_equal(text, expected);
    free(text);
    free(expected);
    json_decref(json);
    tool_run_free(&all);
    static const char *const files[] = {"all.csv", "alone.csv", "cases.csv"};
    for (size_t i = 0; i < COUNT(files); i++)
        assert_int_equal(unlink(files[i]), 0);
}

static void wrong_ones(void **state)
{
    (void)state;
#define TOP "run", "--problem", "heavy_top", "--step", "0.01", "--time", "1"
    assert_refused(RUN(TOP, "--events", "R33"), "--events, column 4: the expression ends here");
    assert_refused(RUN(TOP, "--events", "a: R34 < 0"), "--events, column 2: unknown name \"R34\"");
    assert_refused(RUN(TOP, "--events", ": R33 < 0"), "no name before the colon");
    assert_refused(RUN(TOP, "--events", "R33 < 5furlongs"), "\"furlongs\" is not a unit");
    assert_refused(RUN(TOP, "--events-out", "e.csv"), "--events-out needs --events");
    assert_refused(RUN(TOP, "--events", "R33 < 0", "--events-out", "e.npz"),
                   "end the name in .csv");
    assert_refused(RUN(TOP, "--events", "R33 < 0", "--out", "-"), "--events-out");
    assert_refused(RUN(TOP, "--events", "R33 < 0", "--out", "e.csv", "--events-out", "e.csv"),
                   "named twice as an output");
    assert_refused(RUN(TOP, "--events", "R33 < 0", "--checkpoint", "s"), "--checkpoint");
    assert_refused(RUN(TOP, "--events", "R33 < 0", "--scatter", "velocity=1%", "--samples", "3"),
                   "add --events-out FILE");
    assert_refused(RUN(TOP, "--events", "R33 < 0", "--scatter", "velocity=1%", "--samples", "3",
                       "--events-out", "e.csv", "--checkpoint", "s"),
                   "--checkpoint");
    assert_refused(
        RUN("run", "--problem", "pendulum", "--step", "0.01", "--time", "1", "--events", "R33 < 0"),
        "--events needs a problem of one body");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_time), cmocka_unit_test(all_windows),
        cmocka_unit_test(together),       cmocka_unit_test(the_sun),
        cmocka_unit_test(midnight),       cmocka_unit_test(many_bodies),
        cmocka_unit_test(wrong_ones),     cmocka_unit_test(what_is_said),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
