/* test_cli_ensemble.c - `polhode run` of many bodies: --cases with a problem, --scatter. */
/* Needs kinds, extra. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "polhode/system.h"
#include "support/run_tool.h"

#define MANY(problem) "run", "--cases", "-", "--problem", (problem)
#define ROWS_HEADER   "case,t,q0,q1,q2,q3,m1,m2,m3\n"

static const char BODIES[] = "I1,I2,I3,w1,w2,w3,damping\n"
                             "120,98,75,0.0001,-0.0012,0.0003,0\n"
                             "110,95,70,0.001,-0.0012,0.0003,0.01\n"
                             "100,98,95,0.01,-0.002,0.03,0.001\n";

/* The rows of a case without its number. */
static char *rows_of(const char *rows, int number)
{
    char *text = calloc(strlen(rows) + 1, 1), begin[16];
    const int length = snprintf(begin, sizeof begin, "%d,", number);
    for (const char *at = strchr(rows, '\n') + 1; *at != '\0'; at = strchr(at, '\n') + 1) {
        if (strncmp(at, begin, (size_t)length) == 0)
            strncat(text, at + length, strcspn(at + length, "\n") + 1);
    }
    return text;
}

/* Each case is the run of its body, by methods with lanes and without. */
static void cases_are_runs(void **state)
{
    (void)state;
    static const char *const methods[] = {"dop853", "gbs", "mkrk_gl6"};
    static const char *const body[][3] = {{"120,98,75", "0.0001,-0.0012,0.0003", "damping=0"},
                                          {"110,95,70", "0.001,-0.0012,0.0003", "damping=0.01"},
                                          {"100,98,95", "0.01,-0.002,0.03", "damping=0.001"}};
    for (size_t i = 0; i < COUNT(methods); i++) {
        const char *by = i < 2 ? "--tolerance" : "--step", *x = i < 2 ? "1e-9" : "20";
        tool_run all = RUN_WITH(BODIES, MANY("spacecraft"), "--method", methods[i], by, x, "--time",
                                "0:1h@10min");
        assert_done(&all);
        assert_whole_rows(all.out, ROWS_HEADER);
        assert_int_equal(count_lines(all.out), 1 + 3 * 7);
        for (int k = 0; k < 3; k++) {
            tool_run one =
                RUN("run", "--problem", "spacecraft", "--inertia", body[k][0], "--velocity",
                    body[k][1], "--set", body[k][2], "--method", methods[i], by, x, "--time",
                    "0:1h@10min", "--show", "t,q0,q1,q2,q3,m1,m2,m3", "--out", "-");
            char *rows = rows_of(all.out, k);
            assert_int_equal(one.status, 0);
            assert_string_equal(rows, strchr(one.out, '\n') + 1);
            free(rows);
            tool_run_free(&one);
        }
        tool_run_free(&all);
    }
}

/* ---- all columns ------------------------------------------------------------------ */

typedef struct column_case {
    const char *problem, *method, *by, *size, *inertia, *velocity, *columns;
} column_case;

/* The words of --show for everything that a system has: its fields, its observables, how far these
 * are from the start, and what follows from attitude and momentum. */
static char *all_words(const column_case *c)
{
    enum { MOST = 4096 };
    char *words = calloc(MOST, 1);
    size_t used =
        (size_t)snprintf(words, MOST, "t,q_space,euler_zxz,euler_zyx,rotvec,R,w_space,m_space");
    size_t fields, observables;
    ph_system *s = NULL;
    const bool chooses = strcmp(c->by, "--tolerance") == 0;
    const ph_system_settings with = {c->problem, .integrator = c->method,
                                     .step = chooses ? 0.0 : 1.0,
                                     .tolerance = chooses ? 1e-9 : 0.0};
    assert_int_equal(PH_OK, ph_system_create(&with, &s));
    const ph_array *f = ph_system_arrays(s, &fields);
    for (size_t i = 0; i < fields; i++) {
        if (f[i].use & (PH_ARRAY_SHOWN | PH_ARRAY_CONSTANT | PH_ARRAY_DERIVED))
            used += (size_t)snprintf(words + used, MOST - used, ",%s", f[i].name);
    }
    const ph_observable *o = ph_system_observables(s, &observables);
    for (size_t i = 0; i < observables; i++)
        used += (size_t)snprintf(words + used, MOST - used, "%s%s,%s_error",
                                 strcmp(o[i].name, "momentum") == 0 ? "" : ",",
                                 strcmp(o[i].name, "momentum") == 0 ? "" : o[i].name, o[i].name);
    assert_true(used < MOST);
    ph_system_destroy(s);
    return words;
}

/* Every column of many bodies is that of a single run, by files of bodies and by draws. */
static void every_column_is_that_of_one(void **state)
{
    (void)state;
    static const char *const from[][2] = {{"--cases", "-"}, {"--scatter", "velocity=0"}};
    static const column_case cases[] = {
        {"heavy_top", "s6_10+exact", "--step", "0.1", "1,1,2", "0.3,-0.2,5", "I1,I2,I3,w1,w2,w3"},
        {"heavy_top", "gbs", "--tolerance", "1e-9", "1,1.2,2", "0.3,-0.2,5", "I1,I2,I3,w1,w2,w3"},
        {"spacecraft", "dop853", "--tolerance", "1e-9", "120,98,75", "1e-3,-2e-3,1e-3",
         "I1,I2,I3,w1,w2,w3"},
        {"well", "srkn6_14a+exact", "--tolerance", "1e-9", "1,2,2.5", "0.3,-0.2,0.1",
         "I1,I2,I3,w1,w2,w3"},
        {"well", "vlv", "--step", "0.1", "1,2,2.5", "0.3,-0.2,0.1", "I1,I2,I3,w1,w2,w3"},
        {"free", "exact", "--step", "0.1", "1,2,2.5", "0.3,-0.2,0.1", "I1,I2,I3,w1,w2,w3"},
        {"free", "dmv4", "--step", "0.1", "1,2,2.5", "0.3,-0.2,0.1", "I1,I2,I3,w1,w2,w3"},
    };
    for (size_t i = 0; i < 2 * COUNT(cases); i++) {
        const column_case *c = &cases[i / 2];
        const bool drawn = i % 2 != 0;
        char *words = all_words(c), *bodies = calloc(1000, 1);
        snprintf(bodies, 1000, "%s\n1.1,1.2,1.3,1,2,3\n%s,%s\n", c->columns, c->inertia,
                 c->velocity);
        const char *const fixed[] = {"--problem", c->problem, "--method", c->method,
                                     c->by,       c->size,    "--time",   "0:3@1"};
#define FIXED fixed[0], fixed[1], fixed[2], fixed[3], fixed[4], fixed[5], fixed[6], fixed[7]
        tool_run one = RUN("run", FIXED, "--inertia", c->inertia, "--velocity", c->velocity,
                           "--show", words, "--out", "-");
        tool_run many =
            drawn ? RUN("run", FIXED, "--inertia", c->inertia, "--velocity", c->velocity,
                        from[1][0], from[1][1], "--samples", "2", "--show", words)
                  : RUN_WITH(bodies, "run", FIXED, from[0][0], from[0][1], "--show", words);
        assert_int_equal(one.status, 0);
        assert_int_equal(many.status, 0);
        assert_int_equal(count_lines(one.out), 5);
        assert_int_equal(count_lines(many.out), 9);
        char *rows = rows_of(many.out, 1);
        assert_memory_equal(many.out, "case,t,", strlen("case,t,"));
        assert_memory_equal(many.out + strlen("case,"), one.out, strcspn(one.out, "\n"));
        assert_string_equal(rows, strchr(one.out, '\n') + 1);
        free(rows);
        free(words);
        free(bodies);
        tool_run_free(&one);
        tool_run_free(&many);
    }
}

/* The same of a run with a snapshot, whose bodies are made of it. */
static void deviations_with_a_snapshot(void **state)
{
    (void)state;
#define DEVIATIONS                                                                                 \
    "run", "--problem", "heavy_top", "--scatter", "velocity=10%", "--samples", "3", "--method",    \
        "gbs", "--tolerance", "1e-9", "--time", "0:2@1", "--show",                                 \
        "energy_error,momentum_error,space_momentum_error"
    tool_run plain = RUN(DEVIATIONS),
             kept = RUN(DEVIATIONS, "--out", "errors.csv", "--checkpoint", "errors.snap");
    assert_done(&plain);
    assert_done(&kept);
    char *text = file_text("errors.csv");
    assert_string_equal(text, plain.out);
    for (const char *at = strchr(text, '\n') + 1; *at != '\0'; at = strchr(at, '\n') + 1) {
        double x[5]; /* case, t, errors of energy, |momentum| and momentum in space */
        (void)next_numbers(at, 5, x);
        assert_true(x[2] < 1e-8 && (x[1] == 0.0) == (x[4] == 0.0));
    }
    free(text);
    tool_run_free(&plain);
    tool_run_free(&kept);
    (void)unlink("errors.csv");
    (void)unlink("errors.snap");
}

/* Other columns for the same bodies; and what is missing is as the options say. */
static void columns_mean_the_same(void **state)
{
    (void)state;
    tool_run one = RUN_WITH("I1,I2,I3,q0,q1,q2,q3,m1,m2,m3,up1,up2,up3\n"
                            "1,2,3,0,1,0,0,1,-2,3,0,1,0\n",
                            MANY("heavy_top"), "--step", "0.01", "--time", "1");
    tool_run other = RUN_WITH("up1,up3,up2,euler_xyz1,euler_xyz2,euler_xyz3,w1,w2,w3\n"
                              "0,0,1,180,0,0,1,-1,1\n",
                              MANY("heavy_top"), "--step", "0.01", "--time", "1", "--degrees",
                              "--inertia", "1,2,3");
    tool_run tensor = RUN_WITH("Ixx,Iyy,Izz,Ixy,Ixz,Iyz\n1,2,3,0,0,0\n", MANY("heavy_top"),
                               "--step", "0.01", "--time", "1", "--set", "up=0,1,0", "--attitude",
                               "0,1,0,0", "--momentum", "1,-2,3");
    double x[3][9];
    const tool_run *const all[] = {&one, &other, &tensor};
    for (int i = 0; i < 3; i++) {
        assert_done(all[i]);
        assert_whole_rows(all[i]->out, ROWS_HEADER);
        (void)next_numbers(strchr(all[i]->out, '\n') + 1, 9, x[i]);
        for (int k = 0; k < 9; k++)
            assert_true(fabs(x[i][k] - x[0][k]) < 1e-13);
    }
    tool_run_free(&one);
    tool_run_free(&other);
    tool_run_free(&tensor);
}

static void bad_input(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"I1,I2,I3,dampng\n1,2,2,0\n", "line 1: there is no column `dampng`: did you mean damping"},
        {"I1,I2\n1,2\n", "line 1: column I3 is missing"},
        {"damping\n0\n0\n-3\n", "line 4, damping: parameter damping is -3"},
        {"I1,I2,I3\n1,2,2\n1,nan,2\n", "line 3: I2 `nan` is not finite"},
        {"I1,I2,I3\n1,2,2\n1,-2,2\n", "line 3, I1,I2,I3: inertia"},
        {"q0,q1,q2,q3\n0,0,0,0\n", "line 2, q0,q1,q2,q3"},
        {"w1,w2,w3,m1,m2,m3\n1,1,1,2,2,2\n",
         "line 1: momentum m1,m2,m3 and velocity w1,w2,w3 cannot be used together"},
        {"damping\n", "has no bodies"},
        {"", "is empty"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        assert_refused(RUN_WITH(wrong[i][0], MANY("spacecraft"), "--tolerance", "1e-9", "--time",
                                "0:10@5", "--out", "never.csv"),
                       wrong[i][1]);
        assert_no_file("never.csv*");
    }
#define SCATTER(...)                                                                               \
    RUN("run", "--problem", "spacecraft", "--tolerance", "1e-9", "--time", "10", __VA_ARGS__)
    assert_refused(SCATTER("--scatter", "velocity=1%"), "--samples is missing: add --samples");
    assert_refused(SCATTER("--scatter", "velocty=1%", "--samples", "3"), "did you mean velocity");
    assert_refused(SCATTER("--scatter", "velocity=x", "--samples", "3"), "is not a deviation");
    assert_refused(SCATTER("--scatter", "attitude=1%", "--samples", "3"), "write radians");
    assert_refused(SCATTER("--scatter", "damping=1,damping=2", "--samples", "3"), "twice");
    assert_refused(SCATTER("--scatter", "velocity", "--samples", "3"), "NAME=DEVIATION");
    assert_refused(SCATTER("--scatter", "velocity=1%", "--samples", "2.5"), "whole number");
    assert_refused(SCATTER("--scatter", "velocity=1%", "--samples", "3", "--out", "x.glb"),
                   "csv, npy or npz");
    assert_refused(SCATTER("--scatter", "velocity=1%", "--samples", "3", "--show", "w9"), "--show");
    assert_refused(SCATTER("--scatter", "velocity=1%", "--samples", "3", "--cases", "x.csv"),
                   "--cases");
    assert_refused(RUN_WITH(BODIES, "run", "--cases", "-", "--problem", "pendulum", "--step", "1",
                            "--time", "0:2@1"),
                   "one body");
}

/* A body that fails is told of, and the others are written. */
static void failed_body(void **state)
{
    (void)state;
    file_write("sqrt.yaml", "problem: {torque: [\"0.5*sqrt(a - t)\", \"0.1*R31\", 0]}\n"
                            "parameters: {a: 100}\nmethod: dop853\ntolerance: 1e-8\ntime: 4\n"
                            "step: 1\n");
    tool_run run =
        RUN_WITH("a\n100\n2\n50\n", "run", "sqrt.yaml", "--cases", "-", "--out", "sqrt.csv");
    assert_int_equal(run.status, 1);
    assert_contains(run.error,
                    "1 of 3 bodies failed, the first of them - line 3: no step is short enough");
    tool_run_free(&run);
    assert_int_equal(file_rows("sqrt.csv", ROWS_HEADER), 5 + 2 + 5);
    (void)unlink("sqrt.csv");
    (void)unlink("sqrt.yaml");
}

static void scatter(void **state)
{
    (void)state;
#define DRAWN(...)                                                                                 \
    RUN("run", "--problem", "spacecraft", "--tolerance", "1e-9", "--time", "0:1000@1000",          \
        "--scatter", "velocity=10%,inertia=1%,attitude=0.01,dipole=0.5", __VA_ARGS__)
    tool_run many = DRAWN("--samples", "40", "--seed", "5"),
             few = DRAWN("--samples", "7", "--seed", "5"),
             other = DRAWN("--samples", "7", "--seed", "6");
    assert_done(&many);
    assert_memory_equal(many.out, few.out, strlen(few.out)); /* sample k is the same */
    assert_string_not_equal(few.out, other.out);
    tool_run_free(&many);
    tool_run_free(&few);
    tool_run_free(&other);

    tool_run summary = RUN("run", "--problem", "free", "--method", "exact", "--step", "1", "--time",
                           "0:1@1", "--velocity", "3,0,4", "--scatter", "velocity=2%", "--samples",
                           "4000", "--json", "--show", "w1,w2,energy");
    assert_done(&summary);
    json_t *json = parse_json(summary.out);
    const json_t *start = json_array_get(json_object_get(json, "times"), 0);
    const double mean = json_at(json_object_get(start, "mean"), "w1", 0),
                 deviation = json_at(json_object_get(start, "deviation"), "w2", 0),
                 low = json_at(json_object_get(start, "quantiles"), "w2", 0),
                 high = json_at(json_object_get(start, "quantiles"), "w2", 2);
    assert_true(fabs(mean - 3.0) < 4.0 * 0.1 / sqrt(4000.0)); /* 2 % of 5 */
    assert_true(fabs(deviation - 0.1) < 4.0 * 0.1 / sqrt(8000.0));
    assert_true(fabs(low + 0.1645) < 0.01 && fabs(high - 0.1645) < 0.01);
    assert_int_equal(json_integer_value(json_object_get(json, "failed")), 0);
    json_decref(json);
    tool_run_free(&summary);

    tool_run text = RUN("run", "--problem", "heavy_top", "--step", "0.1", "--time", "0:1@0.5",
                        "--scatter", "strength=1%", "--samples", "5", "--summary");
    assert_done(&text);
    assert_int_equal(count_lines(text.out), 1 + 3 * 7);
    tool_run_free(&text);
}

/* ---- stopped and resumed ------------------------------------------------------------------ */

static void assert_same_files(const char *one, const char *other)
{
    FILE *f = fopen(one, "rb"), *g = fopen(other, "rb");
    int x = 0;
    while (x != EOF) {
        x = fgetc(f);
        assert_int_equal(x, fgetc(g));
    }
    (void)fclose(f);
    (void)fclose(g);
}

static void remove_all(const char *const *names)
{
    for (; *names != NULL; names++)
        (void)unlink(*names);
}

#define LONG_RUN(out)                                                                              \
    "run", "--problem", "spacecraft", "--scatter", "velocity=1%", "--samples", "3000",             \
        "--tolerance", "1e-9", "--time", "0:6h@1h", "--out", (out)

static void resumed(void **state)
{
    (void)state;
    enum { MOST_PAUSES = 60000 }; /* until the run has begun */
    static const int signals[] = {SIGINT, SIGKILL};
    tool_run whole = RUN(LONG_RUN("whole.npz"));
    assert_done(&whole);
    tool_run_free(&whole);
    for (size_t i = 0; i < COUNT(signals); i++) {
        const pid_t tool = START(-1, -1, -1, LONG_RUN("part.npz"), "--checkpoint", "part.snap");
        for (int waited = 0; access("part.snap", F_OK) != 0; waited++) {
            assert_in_range(waited, 0, MOST_PAUSES);
            pause_ms(1);
        }
        (void)kill(tool, signals[i]);
        (void)tool_wait(tool);
        assert_no_file("part.npz");
        tool_run run = RUN("resume", "part.snap");
        assert_done(&run);
        assert_same_files("part.npz", "whole.npz");
        assert_no_file("part.npz.*");
        tool_run_free(&run);
        if (i == 0)
            remove_all((const char *const[]){"part.npz", "part.snap", NULL});
    }
    tool_run again = RUN("resume", "part.snap");
    assert_done(&again);
    assert_same_files("part.npz", "whole.npz");
    tool_run_free(&again);
    file_write("part.npz", "another\n"); /* which is not of this run */
    again = RUN("resume", "part.snap");
    assert_error_line(&again, 1, "part.npz");
    char *text = file_text("part.npz");
    assert_string_equal(text, "another\n");
    free(text);

    file_write("bodies.csv", "damping\n0\n0.1\n");
    tool_run run = RUN("run", "--problem", "spacecraft", "--cases", "bodies.csv", "--tolerance",
                       "1e-9", "--time", "100", "--out", "x.csv", "--checkpoint", "x.snap");
    assert_done(&run);
    tool_run_free(&run);
    file_write("bodies.csv", "damping\n0\n0.2\n"); /* the snapshot has what it was */
    run = RUN("resume", "x.snap", "--out", "y.csv");
    assert_done(&run);
    tool_run_free(&run);
    assert_same_files("x.csv", "y.csv");
    assert_no_file("*.resume");
    remove_all((const char *const[]){"whole.npz", "part.npz", "part.snap", "x.csv", "x.snap",
                                     "y.csv", "bodies.csv", NULL});
}

/* ---- a fit, and a full disk ------------------------------------------------------------- */

/* Bodies of a fit are spread as its covariance says, and the JSON has that of the columns. */
static void scatter_of_a_fit(void **state)
{
    (void)state;
    file_write("fit.json", "{\"tensor\": [1, 1.5, 2, 0.1, 0, 0], \"attitude\": [1, 0, 0, 0],"
                           "\"velocity\": [0.1, 0.2, 0.3], \"parameters\": {\"strength\": 2},"
                           "\"covariance\": {\"columns\": [\"w1\", \"w2\", \"strength\"],"
                           "\"matrix\": [[4e-4, 2e-4, 0], [2e-4, 4e-4, 0], [0, 0, 1]]}}");
    tool_run run =
        RUN("run", "--problem", "heavy_top", "--scatter", "fit.json", "--samples", "4000", "--seed",
            "2", "--tolerance", "1e-6", "--time", "0:0.1:2", "--show", "w1,w2", "--json");
    assert_done(&run);
    json_t *all = parse_json(run.out), *first = json_array_get(json_object_get(all, "times"), 0),
           *C = json_object_get(first, "covariance");
    static const double expected[2][2] = {{4e-4, 2e-4}, {2e-4, 4e-4}};
    for (size_t i = 0; i < 4; i++) {
        const double x = json_number_value(json_array_get(json_array_get(C, i / 2), i % 2));
        assert_true(fabs(x - expected[i / 2][i % 2]) < 4e-5);
    }
    const double w1 = json_number_value(json_object_get(json_object_get(first, "mean"), "w1"));
    assert_true(fabs(w1 - 0.1) < 2e-3);
    json_decref(all);
    tool_run_free(&run);
    file_write("fit.json", "{\"covariance\": {\"columns\": [\"w1\"], \"matrix\": [[-1]]}}");
    assert_refused(RUN("run", "--problem", "heavy_top", "--scatter", "fit.json", "--samples", "4",
                       "--tolerance", "1e-6", "--time", "1"),
                   "its velocity does not have 3 numbers");
    remove_all((const char *const[]){"fit.json", NULL});
}

/* What a fit does not determine is drawn with a spread of one's own, or not at all. */
static void undetermined_of_a_fit(void **state)
{
    (void)state;
#define OPEN(names)                                                                                \
    "{\"problem\": \"heavy_top\", \"tensor\": [0.5, 0.75, 1, 0, 0, 0],"                            \
    "\"attitude\": [1, 0, 0, 0], \"velocity\": [3, 0, 4],"                                         \
    "\"parameters\": {\"strength\": 2}, \"not_determined\": [" names "],"                          \
    "\"covariance\": {\"columns\": [\"w1\"], \"matrix\": [[1e-4]]}}"
#define OF_OPEN(scatter)                                                                           \
    RUN("run", "--problem", "heavy_top", "--tolerance", "1e-6", "--time", "0:1@1", "--samples",    \
        "3000", "--show", "w1,w2,R33", "--json", "--scatter", scatter)
    file_write("open.json", OPEN("\"theta1\", \"theta2\", \"w2\", \"inertia3\", \"bias1\""));
    assert_refused(OF_OPEN("open.json,velocity=1%"),
                   "does not determine theta1, theta2: give the spread, as in --scatter "
                   "open.json,attitude=DEVIATION");
    assert_refused(OF_OPEN("open.json"), "does not determine w2");
    assert_refused(OF_OPEN("open.json,attitude=1deg,velocity=1%,strength=1"), "remove strength=1");
    assert_refused(OF_OPEN("open.json,attitude=1deg,attitude=2deg"), "attitude occurs twice");
    assert_refused(OF_OPEN("open.json,attitud=1deg"), "did you mean attitude");
    assert_refused(OF_OPEN("open.json,attitude"), "NAME=DEVIATION");
    assert_refused(OF_OPEN("open.json,velocity=1%,attitude=x"), "is not a deviation");
    tool_run run = OF_OPEN("open.json,velocity=2%,attitude=0.1");
    assert_done(&run);
    json_t *all = parse_json(run.out), *first = json_array_get(json_object_get(all, "times"), 0),
           *deviation = json_object_get(first, "deviation"), *mean = json_object_get(first, "mean");
    /* 2 % of the length 5; 1 - R33 is half the square of a turn about the axes 1 and 2 */
    assert_true(fabs(json_at(deviation, "w1", 0) - 0.01) < 5e-4);
    assert_true(fabs(json_at(deviation, "w2", 0) - 0.1) < 5e-3);
    assert_true(fabs(json_at(mean, "R33", 0) - 0.99) < 1e-3);
    json_decref(all);
    tool_run_free(&run);
    file_write("open.json", OPEN("\"J12\", \"strength\""));
    assert_refused(OF_OPEN("open.json,inertia=1%"), "does not determine strength");
    run = OF_OPEN("open.json,inertia=1%,strength=0.1");
    assert_done(&run);
    tool_run_free(&run);
    remove_all((const char *const[]){"open.json", NULL});
}

#define OF_FIT(members, columns, matrix)                                                           \
    "{\"problem\": \"heavy_top\", \"tensor\": [1, 1.5, 2, 0, 0, 0],"                               \
    "\"attitude\": [1, 0, 0, 0]," members "\"covariance\": {\"columns\": [" columns                \
    "], \"matrix\": " matrix "}}"
#define VELOCITY "\"velocity\": [0.1, 0.2, 0.3],"

/* What is no fit of the problem, or no fit at all. */
static void bad_fits(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"", "line 1"},
        {"[]", "it is not a fit"},
        {"{\"covariance\": 1, \"covariance\": 2}", "duplicate"},
        {"{\"problem\": \"spacecraft\"}", "a fit of the problem spacecraft, not of heavy_top"},
        {"{\"problem\": 7}", "a fit of the problem"},
        {OF_FIT("", "\"w1\"", "[[1]]"), "its velocity does not have 3 numbers"},
        {OF_FIT("\"velocity\": [0.1, 0.2],", "\"w1\"", "[[1]]"),
         "its velocity does not have 3 numbers"},
        {OF_FIT("\"velocity\": [1, 2, 3, 4],", "\"J11\"", "[[1]]"), "its velocity"},
        {OF_FIT("\"velocity\": [1, 2, \"3\"],", "\"w1\"", "[[1]]"), "its velocity"},
        {OF_FIT(VELOCITY "\"parameters\": [],", "\"w1\"", "[[1]]"), "its parameters"},
        {OF_FIT(VELOCITY "\"parameters\": {\"strength\": \"2\"},", "\"w1\"", "[[1]]"),
         "parameter strength is not a number"},
        {OF_FIT(VELOCITY "\"parameters\": {\"damping\": 2},", "\"w1\"", "[[1]]"),
         "parameters that heavy_top does not have"},
        {OF_FIT(VELOCITY, "\"strength\"", "[[1]]"),
         "parameter strength has a covariance but no value"},
        {OF_FIT(VELOCITY, "\"w9\"", "[[1]]"), "column w9 of its covariance is not a quantity"},
        {OF_FIT(VELOCITY, "\"w1\", \"w1\"", "[[1, 0], [0, 1]]"), "occurs twice"},
        {OF_FIT(VELOCITY, "\"w1\", 2", "[[1, 0], [0, 1]]"), "has no name"},
        {OF_FIT(VELOCITY, "", "[]"), "no covariance"},
        {OF_FIT(VELOCITY, "\"w1\"", "[[1], [1]]"), "as many rows"},
        {OF_FIT(VELOCITY, "\"w1\"", "[[1, 2]]"), "row 0 of its covariance"},
        {OF_FIT(VELOCITY, "\"w1\"", "[[\"1\"]]"), "row 0 of its covariance"},
        {OF_FIT(VELOCITY, "\"w1\"", "[[null]]"), "row 0 of its covariance"},
        {OF_FIT(VELOCITY, "\"w1\"", "[[NaN]]"), "line 1"},
        {OF_FIT(VELOCITY, "\"w1\"", "[[1e999]]"), "line 1"},
        {OF_FIT(VELOCITY, "\"w1\", \"w2\"", "[[1, 0.5], [0.2, 1]]"), "not symmetric"},
        {OF_FIT(VELOCITY, "\"w1\", \"w2\"", "[[1, 2], [2, 1]]"), "not positive"},
        {OF_FIT(VELOCITY, "\"w1\"", "[[-1]]"), "not positive"},
        {OF_FIT(VELOCITY, "\"J11\"", "[[1e300]]"), "of 1000 draws of sample 0"},
        {OF_FIT("\"velocity\": [1e308, 1e308, 1e308],", "\"w1\"", "[[1e308]]"), "overflows"},
        {OF_FIT("\"velocity\": [0, 0, 1], \"attitude\": [0, 0, 0, 0],", "\"w1\"", "[[1]]"),
         "duplicate"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        file_write("fit.json", wrong[i][0]);
        assert_refused(RUN("run", "--problem", "heavy_top", "--scatter", "fit.json", "--samples",
                           "4", "--tolerance", "1e-6", "--time", "1"),
                       wrong[i][1]);
    }
    file_write("fit.json", OF_FIT(VELOCITY, "\"J11\"", "[[0.25]]")); /* half of them is no body */
    tool_run wide = RUN("run", "--problem", "heavy_top", "--scatter", "fit.json", "--samples", "40",
                        "--tolerance", "1e-6", "--time", "1");
    assert_int_equal(wide.status, 0);
    assert_non_null(strstr(wide.error, "of 40 samples were drawn again"));
    tool_run_free(&wide);
    file_write("fit.json", OF_FIT(VELOCITY, "\"w1\"", "[[1e-4]]"));
    tool_run run = RUN("run", "--problem", "heavy_top", "--scatter", "fit.json", "--samples", "4",
                       "--tolerance", "1e-6", "--time", "1");
    assert_done(&run);
    tool_run_free(&run);
    assert_refused(RUN("run", "--problem", "heavy_top", "--scatter", "no.json", "--samples", "4",
                       "--tolerance", "1e-6", "--time", "1"),
                   "cannot be read");
    remove_all((const char *const[]){"fit.json", NULL});
}

/* A seed has 64 bits, and each of them counts; where it is a double it is not rounded. */
static void seeds(void **state)
{
    (void)state;
    static const char *const seed[] = {"9007199254740992", "9007199254740993",
                                       "18446744073709551615"};
    char *first[COUNT(seed)];
#define SEEDED(n)                                                                                  \
    RUN("run", "--problem", "heavy_top", "--scatter", "velocity=1%", "--samples", "2", "--step",   \
        "0.1", "--time", "1", "--seed", (n))
    for (size_t i = 0; i < COUNT(seed); i++) {
        tool_run run = SEEDED(seed[i]);
        assert_done(&run);
        first[i] = strdup(run.out);
        tool_run_free(&run);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(first[i], first[k]);
    }
    for (size_t i = 0; i < COUNT(seed); i++)
        free(first[i]);
    assert_refused(SEEDED("18446744073709551616"), "write a whole number below 2^64");
    assert_refused(SEEDED("-1"), "is not a whole number");
    assert_refused(SEEDED("1e16"), "is not a whole number");
    assert_refused(RUN("run", "--problem", "heavy_top", "--method", "baoab+exact", "--temperature",
                       "1", "--seed", "9007199254740993", "--step", "0.1", "--time", "1"),
                   "a whole seed from 0 to 2^53 - 1");
}

/* A snapshot that cannot be one removes nothing. */
static void odd_snapshots(void **state)
{
    (void)state;
    struct stat there;
    assert_int_equal(symlink("/dev/full", "full"), 0);
    assert_int_equal(mkdir("folder", 0700) | mkfifo("fifo", 0600), 0);
    static const char *const names[] = {"full", "folder", "fifo"};
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_refused(RUN("run", "--scatter", "velocity=1%", "--samples", "5", "--problem",
                           "spacecraft", "--tolerance", "1e-9", "--time", "0:60@60", "--checkpoint",
                           names[i], "--out", "y.csv"),
                       "must be a regular file: name one");
        assert_int_equal(lstat(names[i], &there), 0);
        assert_false(S_ISREG(there.st_mode));
        assert_no_file("y.csv*");
    }
    assert_int_equal(stat("full", &there), 0);
    assert_true(S_ISCHR(there.st_mode));
    assert_int_equal(unlink("full") | rmdir("folder") | unlink("fifo"), 0);

    /* nor does the mark of the output take the place of another file */
    file_write("y.csv.resume", "mine\n");
    assert_refused(RUN("run", "--scatter", "velocity=1%", "--samples", "5", "--problem",
                       "spacecraft", "--tolerance", "1e-9", "--time", "0:60@60", "--checkpoint",
                       "s", "--out", "y.csv"),
                   "y.csv.resume exists, and the tool would overwrite it");
    char *text = file_text("y.csv.resume");
    assert_string_equal(text, "mine\n");
    free(text);
    remove_all((const char *const[]){"y.csv.resume", "s", NULL});
}

/* A file that cannot be written is told, with status 1. */
static void full_disk(void **state)
{
    (void)state;
    static const char *const formats[] = {"/dev/full", "full.npz"};
    assert_int_equal(symlink("/dev/full", "full.npz"), 0);
    for (size_t i = 0; i < COUNT(formats); i++) {
        tool_run run = RUN("run", "--problem", "heavy_top", "--scatter", "velocity=1%", "--samples",
                           "300", "--tolerance", "1e-6", "--time", "0:1:9", "--out", formats[i]);
        assert_error_line(&run, 1, "No space left on device");
    }
    remove_all((const char *const[]){"full.npz", NULL});
}

/* ---- free bodies, and their inertia ----------------------------------------------------- */

enum { MANY_SAMPLES = 4000 };

/* The momenta of all samples at the start, for the velocity w; their means and deviations. */
static void momenta_of(const char *inertia, const char *scatter, const char *w, double m[][3],
                       double mean[3], double deviation[3], const char *said)
{
    tool_run run =
        RUN("run", "--problem", "free", "--inertia", inertia, "--velocity", w, "--scatter", scatter,
            "--samples", "4000", "--time", "0:1:2", "--show", "t,m1,m2,m3", "--out", "-");
    assert_int_equal(run.status, 0);
    assert_true(said == NULL ? run.error[0] == '\0' : strstr(run.error, said) != NULL);
    const char *line = strchr(run.out, '\n') + 1;
    for (int k = 0; k < 3; k++)
        mean[k] = deviation[k] = 0.0;
    for (int i = 0; i < MANY_SAMPLES; i++) {
        double sample, t;
        assert_int_equal(
            sscanf(line, "%lf,%lf,%lf,%lf,%lf", &sample, &t, &m[i][0], &m[i][1], &m[i][2]), 5);
        assert_true(sample == i && t == 0.0);
        for (int k = 0; k < 3; k++)
            mean[k] += m[i][k] / MANY_SAMPLES;
        line = strchr(strchr(line, '\n') + 1, '\n') + 1;
    }
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < MANY_SAMPLES; i++)
            deviation[k] += (m[i][k] - mean[k]) * (m[i][k] - mean[k]) / MANY_SAMPLES;
        deviation[k] = sqrt(deviation[k]);
    }
    tool_run_free(&run);
}

/* Moments are spread as it was asked for, also next to the triangle inequality, and all bodies are
 * possible. */
static void spreads_physical_inertia(void **state)
{
    (void)state;
    static const struct {
        const char *inertia, *said;
        double J[3], within;
    } bodies[] = {{"1,1.3,1.5", NULL, {1, 1.3, 1.5}, 0.05},
                  {"1,1,1.99", "2.1%, 2.1%, 1.8%", {1, 1, 1.99}, 0.15},
                  {"0.7,1.2,1.88", "triangle inequality", {0.7, 1.2, 1.88}, 0.15},
                  {"0.02,1,1", "triangle inequality", {0.02, 1, 1}, 0.15}};
    static double m[MANY_SAMPLES][3];
    for (size_t i = 0; i < COUNT(bodies); i++) {
        double mean[3], deviation[3];
        momenta_of(bodies[i].inertia, "inertia=2%", "1,1,1", m, mean, deviation, bodies[i].said);
        for (int k = 0; k < 3; k++) {
            const double J = bodies[i].J[k];
            assert_true(fabs(mean[k] / J - 1.0) < 0.002);
            if (!(fabs(deviation[k] / J - 0.02) < 0.02 * bodies[i].within))
                fail_msg("%s: moment %d is spread by %g", bodies[i].inertia, k, deviation[k] / J);
        }
        for (int n = 0; n < MANY_SAMPLES; n++) {
            const double *J = m[n];
            assert_true(J[0] <= J[1] + J[2] && J[1] <= J[0] + J[2] && J[2] <= J[0] + J[1]);
        }
    }
}

/* A small turn v of the axes changes the momentum of the velocity (1, 0, 0) by
 * (J1 - J2) v3 and (J3 - J1) v2. */
static void spreads_axes(void **state)
{
    (void)state;
    const double degree = 3.14159265358979323846 / 180.0;
    static double m[MANY_SAMPLES][3];
    double mean[3], deviation[3];
    momenta_of("1,2,2.5", "axes=1deg", "1,0,0", m, mean, deviation, NULL);
    assert_true(fabs(mean[0] - 1.0) < 1e-3 && fabs(mean[1]) < 1e-3 && fabs(mean[2]) < 2e-3);
    assert_true(fabs(deviation[1] / degree - 1.0) < 0.05);
    assert_true(fabs(deviation[2] / (1.5 * degree) - 1.0) < 0.05);
    momenta_of("1,2,2.5", "axes=1deg,inertia=1%", "1,0,0", m, mean, deviation, NULL);
    assert_true(fabs(deviation[0] - 0.01) < 0.0005 && fabs(deviation[1] / degree - 1.0) < 0.05);
    assert_refused(
        RUN("run", "--problem", "free", "--scatter", "axes=1%", "--samples", "2", "--time", "1"),
        "--scatter axes=1% is not an angle");
    assert_refused(RUN("run", "--problem", "free", "--scatter", "axes=1deg,axes=1deg", "--samples",
                       "2", "--time", "1"),
                   "axes occurs twice");
}

/* Free bodies move exactly where no method is named, to any time, with a tolerance and without. */
static void free_bodies_are_exact(void **state)
{
    (void)state;
#define FREE_BODIES "run", "--problem", "free", "--scatter", "velocity=10%", "--samples", "3"
    tool_run by[] = {
        RUN(FREE_BODIES, "--time", "123.4", "--out", "-"),
        RUN(FREE_BODIES, "--time", "123.4", "--tolerance", "1e-6", "--out", "-"),
        RUN(FREE_BODIES, "--time", "123.4", "--method", "exact", "--step", "123.4", "--out", "-")};
    for (size_t i = 0; i < COUNT(by); i++) {
        assert_done(&by[i]);
        assert_int_equal(count_lines(by[i].out), 4);
        assert_string_equal(by[i].out, by[0].out);
    }
    for (size_t i = 0; i < COUNT(by); i++)
        tool_run_free(&by[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_are_runs),
        cmocka_unit_test(columns_mean_the_same),
        cmocka_unit_test(every_column_is_that_of_one),
        cmocka_unit_test(deviations_with_a_snapshot),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(failed_body),
        cmocka_unit_test(scatter),
        cmocka_unit_test(resumed),
        cmocka_unit_test(scatter_of_a_fit),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(undetermined_of_a_fit),
        cmocka_unit_test(bad_fits),
        cmocka_unit_test(seeds),
        cmocka_unit_test(odd_snapshots),
        cmocka_unit_test(spreads_physical_inertia),
        cmocka_unit_test(spreads_axes),
        cmocka_unit_test(free_bodies_are_exact),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
