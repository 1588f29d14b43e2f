/* test_cli_derivatives.c - `polhode exact --derivatives`: identities that its JSON fulfils, the
 * same numbers in CSV, and what it refuses.
 */
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

#include "support/run_tool.h"

#define EXACT                                                                                      \
    "exact", "--tensor", "2,3,4,0.1,-0.2,0.3", "--velocity", "0.3,1,0.2", "--time", "3",           \
        "--derivatives"
static const double TENSOR[6] = {2, 3, 4, 0.1, -0.2, 0.3}, W[3] = {0.3, 1, 0.2};
enum { THETA, M = 3, J = 6, T = 12, COLUMNS };
static const double CLOSE = 1e-12;

static void tensor_times(const double w[3], double m[3])
{
    const double *a = TENSOR;
    m[0] = a[0] * w[0] + a[3] * w[1] + a[4] * w[2];
    m[1] = a[3] * w[0] + a[1] * w[1] + a[5] * w[2];
    m[2] = a[4] * w[0] + a[5] * w[1] + a[2] * w[2];
}

/* Row k of the derivatives of something. */
static void row_of(const json_t *state, const char *what, size_t k, double row[COLUMNS])
{
    const json_t *all = json_object_get(json_object_get(state, "derivatives"), what),
                 *one = json_array_get(all, k);
    assert_int_equal(json_array_size(one), COLUMNS);
    for (size_t c = 0; c < COLUMNS; c++)
        row[c] = json_number_value(json_array_get(one, c));
}

static void assert_near(double x, double right)
{
    if (!(fabs(x - right) < CLOSE))
        fail_msg("%.17g, not %.17g", x, right);
}

/* By the time: theta' = w and m' = m x w. Moments and momentum times a factor: the attitude stays,
 * the momentum has the factor. A turn of the start in space leaves m. The momentum in space,
 * R m, turned by a small theta of the start, is R (m + theta+ x m). */
static void test_identities(void **state)
{
    (void)state;
    tool_run run = RUN(EXACT, "--json");
    assert_done(&run);
    json_t *o = parse_json(run.out), *s = json_array_get(json_object_get(o, "states"), 0);
    const json_t *names = json_object_get(json_object_get(s, "derivatives"), "columns");
    static const char *const NAMES[COLUMNS] = {"theta1", "theta2", "theta3", "m1",  "m2",
                                               "m3",     "J11",    "J22",    "J33", "J12",
                                               "J13",    "J23",    "t"};
    for (size_t c = 0; c < COLUMNS; c++)
        assert_string_equal(json_string_value(json_array_get(names, c)), NAMES[c]);
    double m[3], w[3], start[3];
    for (size_t k = 0; k < 3; k++) {
        m[k] = json_at(s, "momentum", k);
        w[k] = json_at(s, "velocity", k);
    }
    tensor_times(W, start);
    for (size_t k = 0; k < 3; k++) {
        const size_t a = (k + 1) % 3, b = (k + 2) % 3;
        double turned[COLUMNS], moved[COLUMNS], of_w[COLUMNS];
        row_of(s, "attitude", k, turned);
        row_of(s, "momentum", k, moved);
        row_of(s, "velocity", k, of_w);
        assert_near(turned[T], w[k]);
        assert_near(moved[T], m[a] * w[b] - m[b] * w[a]);
        double of_attitude = 0, of_momentum = 0, of_velocity = 0;
        for (size_t c = 0; c < 6; c++) {
            of_attitude += TENSOR[c] * turned[J + c];
            of_momentum += TENSOR[c] * moved[J + c];
            of_velocity += TENSOR[c] * of_w[J + c];
        }
        for (size_t c = 0; c < 3; c++) {
            of_attitude += start[c] * turned[M + c];
            of_momentum += start[c] * moved[M + c];
            of_velocity += start[c] * of_w[M + c];
            assert_near(moved[THETA + c], 0);
        }
        assert_near(of_attitude, 0);
        assert_near(of_momentum, m[k]);
        assert_near(of_velocity, 0);
    }
    json_decref(o);
    tool_run_free(&run);
}

/* A row of CSV has the numbers of the JSON, and a name for each. */
static void test_csv(void **state)
{
    (void)state;
    tool_run run = RUN(EXACT, "--json"), rows = RUN(EXACT, "--out", "x.csv");
    assert_done(&run);
    assert_done(&rows);
    assert_null(strstr(rows.out, "each line contains the derivatives"));
    json_t *o = parse_json(run.out), *s = json_array_get(json_object_get(o, "states"), 0);
    char *text = file_text("x.csv"), *line = strchr(text, '\n'), *names_at, *numbers_at;
    assert_non_null(line);
    *line++ = '\0';
    const char *name = strtok_r(text, ",", &names_at), *number = strtok_r(line, ",\n", &numbers_at);
    double row[COLUMNS];
    size_t found = 0;
    for (; name != NULL && number != NULL;
         name = strtok_r(NULL, ",", &names_at), number = strtok_r(NULL, ",\n", &numbers_at)) {
        int k;
        if (sscanf(name, "d_m%d_J23", &k) == 1 && strstr(name, "J23") != NULL) {
            row_of(s, "momentum", (size_t)(k - 1), row);
            assert_true(strtod(number, NULL) == row[J + 5]);
            found++;
        }
    }
    assert_true(found == 3 && name == NULL && number == NULL);
    free(text);
    (void)remove("x.csv");
    json_decref(o);
    tool_run_free(&rows);
    tool_run_free(&run);
}

/* Many bodies have none; and far away no double holds them. */
static void test_refused(void **state)
{
    (void)state;
    assert_refused(RUN("exact", "--cases", "x.csv", "--derivatives"), "--derivatives");
    tool_run run = RUN("exact", "--inertia", "1e-40,2e-40,3e-40", "--velocity",
                       "1e-120,1e-120,1e-120", "--time", "1e300", "--derivatives");
    assert_int_equal(run.status, 1);
    assert_contains(run.error, "has no derivatives in double precision");
    tool_run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_identities),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
