/* test_cli_averaged.c - `polhode run --method averaged`. */
/* Needs kinds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/run_tool.h"

/* A stage that turns once a minute, in sunlight from the direction 1 with a lever. */
static const char STAGE[] =
    "problem:\n"
    "  torque: [\"e*R12^2*(1+R12)*(c2*R13-c3*R12)\", \"e*R12^2*(1+R12)*(c3*R11-c1*R13)\",\n"
    "           \"e*R12^2*(1+R12)*(c1*R12-c2*R11)\"]\n"
    "parameters: {e: 1e-7, c: [0.3, -0.2, 0.5]}\n"
    "inertia: [4000, 40000, 41000]\n"
    "velocity: [1rpm, 0.01rpm, 0.02rpm]\n";

static void write_stage(void)
{
    FILE *f = fopen("stage.yaml", "w");
    assert_non_null(f);
    assert_true(fputs(STAGE, f) >= 0);
    assert_int_equal(0, fclose(f));
}

static json_t *done(tool_run run)
{
    assert_done(&run);
    json_t *document = parse_json(run.out);
    tool_run_free(&run);
    return document;
}

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

/* A century without --step; what is shown at the end has the momentum and the energy. */
static void test_century(void **state)
{
    (void)state;
    write_stage();
    json_t *run =
        done(RUN("run", "stage.yaml", "--method", "averaged", "--time", "100yr", "--json"));
    const json_t *final = json_object_get(run, "final"),
                 *H = json_object_get(final, "momentum_space"),
                 *m = json_object_get(final, "momentum"), *w = json_object_get(final, "velocity");
    assert_true(number(run, "time") == 100 * 365.25 * 86400);
    assert_string_equal("averaged", json_string_value(json_object_get(run, "method")));
    assert_null(json_object_get(run, "digits_hold_until")); /* it follows no attitude */
    double H2 = 0.0, m2 = 0.0, T = 0.0;
    for (size_t k = 0; k < 3; k++) {
        const double x = json_number_value(json_array_get(H, k)),
                     y = json_number_value(json_array_get(m, k));
        H2 += x * x;
        m2 += y * y;
        T += 0.5 * y * json_number_value(json_array_get(w, k));
    }
    assert_true(fabs(H2 - m2) < 1e-12 * H2);
    assert_true(fabs(T - number(final, "kinetic_energy")) < 1e-12 * T);
    assert_true(fabs(number(final, "dynamic_inertia") - 0.5 * H2 / T) < 1e-9 * H2 / T);
    assert_true(number(run, "evaluations") < 1e6);
    json_decref(run);
    assert_int_equal(0, remove("stage.yaml"));
}

/* Rows and events: the time at which friction has brought the body near flat spin. */
static void test_events(void **state)
{
    (void)state;
    tool_run run = RUN("run", "--problem", "free", "--inertia", "1,1.7,2.2", "--momentum",
                       "0.2,0.3,1.5", "--quality", "100", "--method", "averaged", "--time", "1h",
                       "--until", "(m1^2+m2^2+m3^2)/(m1*w1+m2*w2+m3*w3) > 2.19", "--step", "100",
                       "--out", "rows.csv", "--show", "t,dynamic_inertia", "--json");
    json_t *document = done(run);
    assert_true(json_is_true(json_object_get(json_object_get(document, "until"), "met")));
    assert_true(fabs(number(json_object_get(document, "final"), "dynamic_inertia") - 2.19) < 1e-8);
    json_decref(document);
    assert_int_equal(0, remove("rows.csv"));
}

/* The separatrix ends the run with its result and one line. */
static void test_separatrix(void **state)
{
    (void)state;
    tool_run run =
        RUN("run", "--problem", "free", "--inertia", "1,1.7,2.2", "--momentum", "1.5,0.2,0.1",
            "--quality", "1000", "--method", "averaged", "--time", "1yr", "--json");
    assert_int_equal(1, run.status);
    assert_contains(run.error, "separatrix");
    json_t *document = parse_json(run.out);
    assert_true(json_is_true(json_object_get(document, "interrupted")));
    assert_true(fabs(number(json_object_get(document, "final"), "dynamic_inertia") - 1.7) < 1e-2);
    json_decref(document);
    tool_run_free(&run);
}

/* Eddy currents, k (B (w.B) - w B^2), in the field of a dipole along the axis 3 of space, on a circular
 * orbit of the rate n through the axis 1: against direct integration. */
static void test_eddy_currents(void **state)
{
    (void)state;
    static const char X[] = "(-3*S*sin(n*t)*cos(n*t))", Y[] = "(-3*S*C*sin(n*t)^2)",
                      Z[] = "(1-3*S^2*sin(n*t)^2)";
    char B[3][200], dot[700];
    for (int k = 0; k < 3; k++)
        (void)snprintf(B[k], sizeof B[k], "(R1%d*%s+R2%d*%s+R3%d*%s)", k + 1, X, k + 1, Y, k + 1,
                       Z);
    (void)snprintf(dot, sizeof dot, "(w1*%s+w2*%s+w3*%s)", B[0], B[1], B[2]);
    FILE *f = fopen("eddy.yaml", "w");
    assert_non_null(f);
    assert_true(fputs("problem:\n  torque:\n", f) >= 0);
    for (int k = 0; k < 3; k++) {
        assert_true(fprintf(f, "    - \"k*(%s*%s-w%d*(1+3*S^2*sin(n*t)^2))\"\n", B[k], dot, k + 1) >
                    0);
    }
    assert_true(fputs("parameters: {k: 1e-4, n: 0.05, S: 0.6, C: 0.8}\n"
                      "inertia: [1.0, 1.6, 2.1]\nmomentum: [0.4, 0.5, 1.2]\n",
                      f) >= 0);
    assert_int_equal(0, fclose(f));
    assert_refused(RUN("run", "eddy.yaml", "--method", "averaged", "--time", "1e4"), "--period");
    json_t *mean = done(RUN("run", "eddy.yaml", "--method", "averaged", "--period",
                            "125.66370614359172", "--time", "1e4", "--json")),
           *direct = done(RUN("run", "eddy.yaml", "--method", "dop853", "--tolerance", "1e-11",
                              "--time", "1e4", "--json"));
    const json_t *final = json_object_get(direct, "final"), *m = json_object_get(final, "momentum"),
                 *w = json_object_get(final, "velocity");
    double T = 0.0;
    for (size_t k = 0; k < 3; k++)
        T +=
            0.5 * json_number_value(json_array_get(m, k)) * json_number_value(json_array_get(w, k));
    const double averaged = number(json_object_get(mean, "final"), "kinetic_energy"),
                 start = number(json_object_get(mean, "energy"), "initial");
    assert_true(T < 0.5 * start); /* most of it is gone */
    assert_true(fabs(averaged - T) < 10 * 1e-4 * (0.6 / 0.05) * start);
    json_decref(mean);
    json_decref(direct);
    assert_int_equal(0, remove("eddy.yaml"));
}

/* Many averaged bodies, each with the bits of its own run. */
static void test_scatter(void **state)
{
    (void)state;
    write_stage();
    tool_run run =
        RUN("run", "stage.yaml", "--method", "averaged", "--scatter", "velocity=0.1%,e=5%",
            "--samples", "4", "--seed", "1", "--time", "0:3e9@1e9", "--out", "many.csv");
    assert_done(&run);
    tool_run_free(&run);
    run = RUN("convert", "many.csv", "--out", "-");
    assert_done(&run);
    int rows = 0;
    for (const char *c = run.out; *c != '\0'; c++)
        rows += *c == '\n';
    assert_int_equal(1 + 4 * 4, rows);
    tool_run_free(&run);
    assert_int_equal(0, remove("many.csv"));
    assert_int_equal(0, remove("stage.yaml"));
}

static void test_refusals(void **state)
{
    (void)state;
    assert_refused(RUN("run", "--problem", "gyrostat", "--method", "averaged", "--time", "1"),
                   "wheels");
    assert_refused(RUN("run", "--problem", "free", "--momentum", "0,0,0", "--method", "averaged",
                       "--time", "1"),
                   "rotates");
    assert_refused(
        RUN("run", "--problem", "free", "--quality", "-1", "--method", "averaged", "--time", "1"),
        "positive");
    assert_refused(
        RUN("run", "--problem", "free", "--quality", "10", "--method", "gbs", "--time", "1"),
        "quality");
    assert_refused(
        RUN("run", "--problem", "free", "--mean-start", "2", "--method", "averaged", "--time", "1"),
        "1 or 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_century),    cmocka_unit_test(test_events),
        cmocka_unit_test(test_separatrix), cmocka_unit_test(test_eddy_currents),
        cmocka_unit_test(test_scatter),    cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
