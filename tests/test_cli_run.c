/* test_cli_run.c - `polhode run`: what it computes, what it refuses, and its rows. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/extremes.h"
#include "motion/vec.h"
#include "support/run_tool.h"
#include "support/stepping.h"
#include "system/find.h"

#define FREE "--problem", "free"

/* The book of run_tool.h as a run of the free body. */
#define BOOK_RUN "run", FREE, BOOK

/* ---- what is computed ------------------------------------------------------------ */

/* What an observer saw. */
enum { MOST = 2000 };
typedef struct seen {
    size_t count;
    double t[MOST], energy[MOST];
} seen;

static bool look(void *context, ph_system *s)
{
    seen *x = context;
    assert_int_equal(ph_system_steps(s), x->count);
    x->t[x->count] = ph_system_time(s);
    x->energy[x->count++] = ph_system_energy(s);
    return true;
}

/* The slope by definition, in two passes and more digits. */
static double slope(const seen *x)
{
    long double t = 0.0L, e = 0.0L, tt = 0.0L, te = 0.0L;
    for (size_t i = 0; i < x->count; i++) {
        t += x->t[i];
        e += (long double)x->energy[i] - x->energy[0];
    }
    t /= (long double)x->count;
    e /= (long double)x->count;
    for (size_t i = 0; i < x->count; i++) {
        const long double dt = x->t[i] - t;
        tt += dt * dt;
        te += dt * ((long double)x->energy[i] - x->energy[0] - e);
    }
    return tt == 0.0L ? 0.0 : (double)(te / tt);
}

static json_t *run_json(tool_run run)
{
    assert_done(&run);
    assert_int_equal(count_lines(run.out), 1);
    json_t *document = parse_json(run.out);
    tool_run_free(&run);
    return document;
}

static void assert_final(const json_t *document, ph_state s, ph_vec3 w)
{
    const json_t *final = json_object_get(document, "final");
    const double q[] = {s.q.w, s.q.x, s.q.y, s.q.z}, m[] = {s.m.x, s.m.y, s.m.z};
    const double v[] = {w.x, w.y, w.z};
    assert_int_equal(json_array_size(json_object_get(final, "attitude")), 4);
    for (size_t i = 0; i < 4; i++)
        assert_true(json_at(final, "attitude", i) == q[i]);
    for (size_t i = 0; i < 3; i++) {
        assert_true(json_at(final, "momentum", i) == m[i]);
        assert_true(json_at(final, "velocity", i) == v[i]);
    }
}

/* The same run by the library: the same digits, and the statistics of its energy. */
static void assert_same_run(const json_t *document, const char *method, const ph_body *body,
                            ph_state start, double h, long steps)
{
    static seen x;
    x.count = 0;
    const ph_integrator integrator = integrator_of(method);
    const ph_problem p = free_problem_of(*body);
    const ph_observer o = {.observe = look, .context = &x, .every = 1};
    ph_state s = start;
    assert_int_equal(PH_OK, ph_run_body(&integrator, &p, &s, h, (uint64_t)steps, 0, &o, NULL));

    assert_string_equal(json_string_value(json_object_get(document, "problem")), "free");
    assert_string_equal(json_string_value(json_object_get(document, "method")), method);
    assert_true(json_at(document, "step", 0) == h);
    assert_true(json_is_integer(json_object_get(document, "steps")));
    assert_int_equal((long)json_at(document, "steps", 0), steps);
    assert_true(json_at(document, "seconds", 0) >= 0.0);
    assert_final(document, s, ph_body_velocity(body, s.m));

    const json_t *energy = json_object_get(document, "energy");
    double error = 0.0;
    for (size_t i = 0; i < x.count; i++)
        error = larger_or_nan(error, fabs(x.energy[i] - x.energy[0]));
    assert_true(json_at(energy, "initial", 0) == x.energy[0]);
    assert_true(json_at(energy, "final", 0) == x.energy[x.count - 1]);
    assert_true(json_at(energy, "max_error", 0) == error);
    const double expected_slope = slope(&x);
    const double noise = 1e-13 * error / larger_or_nan(fabs(h) * (double)steps, 1e-300);
    assert_true(fabs(json_at(energy, "slope", 0) - expected_slope) <=
                1e-9 * fabs(expected_slope) + noise);
}

static void json_of_runs(void **state)
{
    (void)state;
    static const char *const methods[] = {"exact", "dmv2", "dmv8",        "imr4",        "jem4",
                                          "sr2",   "mr",   "sr2:suzuki4", "mr:kahan_li6"};
    ph_body body;
    assert_int_equal(ph_body_from_moments(&body, book_inertia), PH_OK);
    for (size_t i = 0; i < COUNT(methods); i++) {
        json_t *document = run_json(
            RUN(BOOK_RUN, "--method", methods[i], "--step", "0.125", "--time", "100", "--json"));
        assert_same_run(document, methods[i], &body, book_start, 0.125, 800);
        assert_true(json_at(document, "time", 0) == 100.0);
        json_decref(document);
    }
    json_t *document =
        run_json(RUN(BOOK_RUN, "--method", "sr2", "--step=-0.125", "--time=-100", "--json"));
    assert_same_run(document, "sr2", &body, book_start, -0.125, 800);
    json_decref(document);
    document = run_json(RUN(BOOK_RUN, "--method", "sr2", "--step", "0.3", "--time", "0", "--json"));
    assert_same_run(document, "sr2", &body, book_start, 0.3, 0);
    json_decref(document);
}

/* The problem's own values, and those that replace them. */
static void starts(void **state)
{
    (void)state;
    const ph_problem *p = find_problem("free");
    assert_non_null(p);
    ph_body body;
    assert_int_equal(ph_body_from_moments(&body, p->body.J), PH_OK);
    json_t *document =
        run_json(RUN("run", FREE, "--method", "dmv4", "--step", "0.1", "--time", "10", "--json"));
    assert_same_run(document, "dmv4", &body, (ph_state){p->q, ph_body_momentum(&body, p->w)}, 0.1,
                    100);
    json_decref(document);

#define STAY "--method", "exact", "--step", "1", "--time", "0", "--json"
    /* only another inertia: the velocity stays */
    document = run_json(RUN("run", FREE, STAY, "--inertia", "1,2,3"));
    assert_final(document, (ph_state){p->q, times(vec3(1.0, 2.0, 3.0), p->w)}, p->w);
    json_decref(document);
    document = run_json(RUN("run", FREE, STAY, "--tensor", "1,2,3,0,0,0"));
    assert_final(document, (ph_state){p->q, times(vec3(1.0, 2.0, 3.0), p->w)}, p->w);
    json_decref(document);
    /* only another attitude, normalised */
    document = run_json(RUN("run", FREE, STAY, "--attitude", "0,0,-3,4"));
    const json_t *final = json_object_get(document, "final");
    assert_true(fabs(json_at(final, "attitude", 2) + 0.6) < 1e-15);
    assert_true(json_at(final, "velocity", 0) == p->w.x);
    json_decref(document);
    document = run_json(RUN("run", FREE, STAY, "--rotvec", "0,0,1", "--velocity", "1,2,3"));
    final = json_object_get(document, "final");
    assert_true(fabs(json_at(final, "attitude", 3) - sin(0.5)) < 1e-15);
    assert_true(fabs(json_at(final, "momentum", 2) - 3.0 * p->body.J.z) < 1e-15);
    json_decref(document);
}

/* The number of steps is round(T/h), up to 1e-9. */
static void steps_that_fit(void **state)
{
    (void)state;
    static const char *const good[][3] = {
        {"0.1", "1", "10"},
        {"0.1", "1.0000000009", "10"},
        {"0.3", "0.9", "3"},
        {"1e-3", "1", "1000"},
        {"0.3333333333333333", "1", "3"},
        {"-0.1", "-0.3", "3"},
        {"1", "1e-10", "0"},
        {"-1", "0", "0"},
    };
    for (size_t i = 0; i < COUNT(good); i++) {
        json_t *document = run_json(RUN("run", FREE, "--method", "sr2", "--step", good[i][0],
                                        "--time", good[i][1], "--json"));
        assert_int_equal((long)json_at(document, "steps", 0), strtol(good[i][2], NULL, 10));
        json_decref(document);
    }
    static const char *const bad[][3] = {
        {"0.3", "1", "a step of 0.3333333333333333 or 0.25"},
        {"-0.3", "-1", "a step of -0.3333333333333333 or -0.25"},
        {"3", "1", "a step of 1 or 0.5"},
        {"0.1", "1.00000001", "not a whole number"},
        {"0.1", "0.99999999", "not a whole number"},
        {"1e-3", "1000.0005", "not a whole number"},
        {"1e-20", "1", "larger"},
        {"1e-300", "1e300", "larger"},
        {"0", "1", "zero"},
        {"0", "0", "zero"},
        {"-0.1", "1", "sign"},
        {"0.1", "-1", "sign"},
        {"nan", "1", "--step: `nan` is not finite"},
        {"0.1", "inf", "--time: `inf` is not finite"},
        {"0.1", "1e999", "too large"},
        {"0.1", "ten", "--time: `ten` is not a number"},
        {"0.1,0.2", "1", "--step needs 1 number"},
    };
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_refused(RUN("run", FREE, "--method", "sr2", "--step", bad[i][0], "--time", bad[i][1],
                           "--out", "none.csv"),
                       bad[i][2]);
    assert_no_file("none*");

    /* the steps it names are good ones */
    for (int n = 1; n < 40; n++) {
        char step[40], time[40] = "7.3";
        snprintf(step, sizeof step, "%.17g", 7.3 / (n + 0.5));
        tool_run run = RUN("run", FREE, "--method", "sr2", "--step", step, "--time", time);
        assert_error_line(&run, 2, "use a step of ");
        double larger, smaller;
        const char *advice = strstr(run.error, "use a step of ") + 14;
        assert_int_equal(sscanf(advice, "%lf or %lf", &larger, &smaller), 2);
        assert_true(larger == 7.3 / n && smaller == 7.3 / (n + 1));
        tool_run_free(&run);
    }
}

/* ---- what is refused ------------------------------------------------------------- */

static void bad_runs(void **state)
{
    (void)state;
    static const char *const wrong[][16] = {
        /* what the line must say, then the words */
        {"--problem, --step, --time are missing: add --problem P --step h --time T", "run"},
        {"polhode: --problem is missing: add", "run", "--method", "sr2", "--step", "1", "--time",
         "1"},
        {"--step, --time are missing: add", "run", FREE, "--method", "sr2"},
        {"did you mean free", "run", "--problem", "fere", "--method", "sr2", "--step", "1",
         "--time", "1"},
        {"did you mean dmv2, dmv4, dmv6", "run", FREE, "--method", "dvm2", "--step", "1", "--time",
         "1"},
        {"did you mean sr2:suzuki4", "run", FREE, "--method", "sr2:suzki4", "--step", "1", "--time",
         "1"},
        {"there is no method `verlet+exat`", "run", FREE, "--method", "verlet+exat", "--step", "1",
         "--time", "1"},
        {"there is no method `:suzuki4`", "run", FREE, "--method", ":suzuki4", "--step", "1",
         "--time", "1"},
        {"sr4 does not have order 2", "run", FREE, "--method", "sr4:suzuki4", "--step", "1",
         "--time", "1"},
        {"exact is exact", "run", FREE, "--method", "exact:nonsense", "--step", "1", "--time", "1"},
        {"problem free has no parameter strength", "run", FREE, "--method", "sr2", "--step", "1",
         "--time", "1", "--set", "strength=12"},
        {"problem free has no parameter a", "run", FREE, "--method", "sr2", "--step", "1", "--time",
         "1", "--set", "a=1,2,-0x3p1", "--set", "b=2"},
        {"no name or no value", "run", FREE, "--method", "sr2", "--step", "1", "--time", "1",
         "--set", "strength"},
        {"`heavy` is not a number", "run", FREE, "--method", "sr2", "--step", "1", "--time", "1",
         "--set", "a=heavy"},
        {"more than 6", "run", FREE, "--method", "sr2", "--step", "1", "--time", "1", "--set",
         "a=1,2,3,4,5,6,7"},
        {"--every 0", "run", FREE, "--method", "sr2", "--step", "1", "--time", "1", "--every", "0"},
        {"--every -3", "run", FREE, "--method", "sr2", "--step", "1", "--time", "1", "--every",
         "-3"},
        {"--every 1.5", "run", FREE, "--method", "sr2", "--step", "1", "--time", "1", "--every",
         "1.5"},
        {"not a number", "run", FREE, "--method", "sr2", "--step", "1", "--time", "1", "--every",
         "all"},
        {"--json cannot be used with --out -", "run", FREE, "--method", "sr2", "--step", "1",
         "--time", "1", "--json", "--out", "-"},
        {"cannot be used with", "run", FREE, "--inertia", "1,2,3", "--tensor", "1,2,3,0,0,0"},
        {"cannot be used with", "run", FREE, "--rotvec", "1,2,3", "--attitude", "1,0,0,0"},
        {"cannot be used with", "run", FREE, "--momentum", "1,2,3", "--velocity", "1,2,3"},
        {"--inertia 1,0,3: moments of inertia must be positive", "run", FREE, "--inertia", "1,0,3",
         "--method", "sr2", "--step", "1", "--time", "1"},
        {"zero quaternion", "run", FREE, "--attitude", "0,0,0,0", "--method", "sr2", "--step", "1",
         "--time", "1"},
        {"overflows", "run", FREE, "--inertia", "1e-300,1,1", "--momentum", "1e300,1,1", "--method",
         "sr2", "--step", "1", "--time", "1"},
        {"is a second scenario", "run", "a.yaml", "b.yaml"},
        {"did you mean --method", "run", "--methd", "sr2"},
        {"no/such", "run", FREE, "--method", "sr2", "--step", "1", "--time", "1", "--out",
         "no/such/x.csv"},
        {"directory", "run", FREE, "--method", "sr2", "--step", "1", "--time", "1", "--out", "."},
    };
    for (size_t i = 0; i < COUNT(wrong); i++)
        assert_refused(tool_run_words(NULL, wrong[i] + 1), wrong[i][0]);
    assert_no_file("*");

    tool_run run = RUN("run", FREE, "--inertia", "1,1,5", "--method", "sr2", "--step", "1",
                       "--time", "1", "--json");
    assert_int_equal(run.status, 0);
    assert_int_equal(strncmp(run.error, "polhode: warning: no rigid body can", 35), 0);
    assert_int_equal(count_lines(run.error), 1);
    tool_run_free(&run);
}

/* A step that fails: exit status 1, the step and the time, and the rows so far. */
static void runs_that_fail(void **state)
{
    (void)state;
    tool_run run = RUN("run", FREE, "--method", "dmv2", "--step", "1e6", "--time", "1e7", "--json");
    assert_error_line(&run, 1, "step 1, from t = 0, failed: the implicit equations");
    assert_string_equal(run.out, "");
    tool_run_free(&run);

    run = RUN("run", "--problem", "heavy_top", "--method", "trap", "--step", "3", "--time", "3e3",
              "--out", "failed.csv");
    assert_error_line(&run, 1, "rows are in failed.csv");
    assert_string_equal(run.out, "");
    long step;
    double t;
    assert_int_equal(sscanf(run.error, "polhode: step %ld, from t = %lf,", &step, &t), 2);
    assert_true(t == 3.0 * (double)(step - 1));
    tool_run_free(&run);
    char *text = file_text("failed.csv");
    assert_non_null(text);
    assert_whole_rows(text, CSV_HEADER);
    assert_int_equal(count_lines(text), step + 1);
    free(text);
    assert_int_equal(unlink("failed.csv"), 0);
    assert_no_file("*");
}

/* ---- rows ------------------------------------------------------------------------ */

static void rows_of_a_run(void **state)
{
    (void)state;
#define TEN BOOK_RUN, "--method", "sr2", "--step", "0.2", "--time", "2"
    tool_run all = RUN(TEN, "--out", "-"), third = RUN(TEN, "--out", "-", "--every", "3");
    assert_done(&all);
    assert_done(&third);
    assert_whole_rows(all.out, CSV_HEADER);
    assert_int_equal(count_lines(all.out), 1 + 11);
    assert_int_equal(count_lines(third.out), 1 + 4); /* steps 0, 3, 6, 9 */

    ph_body body;
    assert_int_equal(ph_body_from_moments(&body, book_inertia), PH_OK);
    const ph_integrator sr2 = integrator_of("sr2");
    const ph_problem p = free_problem_of(body);
    const char *row = strchr(all.out, '\n') + 1, *thinned = strchr(third.out, '\n') + 1;
    for (unsigned step = 0; step <= 10; step++) {
        const ph_state s = after_steps(&sr2, &p, book_start, 0.2, step);
        const ph_vec3 w = ph_body_velocity(&body, s.m);
        const double expected_row[] = {(double)step / 5.0,
                                       s.q.w,
                                       s.q.x,
                                       s.q.y,
                                       s.q.z,
                                       s.m.x,
                                       s.m.y,
                                       s.m.z,
                                       w.x,
                                       w.y,
                                       w.z,
                                       ph_body_energy(&body, &s)};
        const char *at = row;
        for (size_t i = 0; i < COUNT(expected_row); i++) {
            char *end;
            assert_true(strtod(at, &end) == expected_row[i]);
            at = end + 1;
        }
        const size_t length = strcspn(row, "\n") + 1;
        if (step % 3 == 0) {
            assert_int_equal(strncmp(row, thinned, length), 0);
            thinned += length;
        }
        row += length;
    }
    assert_int_equal(*thinned, '\0');

    /* the same in a file, and the summary on standard output */
    tool_run file = RUN(TEN, "--out", "rows.csv");
    assert_done(&file);
    assert_contains(file.out, "free by sr2: 10 steps of 0.2\n");
    assert_contains(file.out, "11 rows written to rows.csv");
    assert_contains(file.out, "steps per second");
    assert_contains(file.out, "space momentum");
    char *text = file_text("rows.csv");
    assert_string_equal(text, all.out);
    free(text);
    assert_int_equal(unlink("rows.csv"), 0);

    /* what is written does not change what is measured */
    json_t *a = run_json(RUN(TEN, "--json"));
    json_t *b = run_json(RUN(TEN, "--json", "--every", "7"));
    json_t *c = run_json(RUN(TEN, "--json", "--every", "1e1", "--out", "rows.csv"));
    assert_true(json_equal(json_object_get(a, "energy"), json_object_get(b, "energy")));
    assert_true(json_equal(json_object_get(a, "energy"), json_object_get(c, "energy")));
    assert_true(json_equal(json_object_get(a, "final"), json_object_get(c, "final")));
    json_decref(a);
    json_decref(b);
    json_decref(c);
    text = file_text("rows.csv");
    assert_int_equal(count_lines(text), 1 + 2);
    free(text);
    assert_int_equal(unlink("rows.csv"), 0);
    assert_no_file("*");
    tool_run_free(&all);
    tool_run_free(&third);
    tool_run_free(&file);
}

/* The largest relative error of an invariant. */
static double kept_to(const json_t *document, const char *what)
{
    const json_t *kept = json_object_get(document, "invariants");
    return json_at(json_object_get(kept, "largest_relative_error"), what, 0);
}

/* The low-order parts carried along by a long run keep the invariants; what a method does
 * not keep shows. */
static void long_runs(void **state)
{
    (void)state;
#define LONG "run", FREE, "--step", "0.1", "--time", "1e4", "--json", "--method"
    json_t *document = run_json(RUN(LONG, "dmv6"));
    assert_int_equal((long)json_at(document, "steps", 0), 100000);
    const json_t *energy = json_object_get(document, "energy");
    assert_true(json_at(energy, "max_error", 0) < 1e-13);
    assert_true(fabs(json_at(energy, "slope", 0)) * 1e4 < 1e-13);
    assert_true(kept_to(document, "energy") < 1e-13);
    assert_true(kept_to(document, "space_momentum") < 1e-13);
    json_decref(document);
    document = run_json(RUN(LONG, "sr2"));
    assert_true(kept_to(document, "energy") > 1e-7);
    const double length = kept_to(document, "momentum");
    assert_true(length > 0.0 && length < 1e-13);
    json_decref(document);
    document = run_json(RUN(LONG, "jem2"));
    assert_true(kept_to(document, "space_momentum") > 1e-7);
    assert_true(kept_to(document, "momentum") < 1e-13);
    json_decref(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_of_runs),   cmocka_unit_test(starts),
        cmocka_unit_test(steps_that_fit), cmocka_unit_test(bad_runs),
        cmocka_unit_test(runs_that_fail), cmocka_unit_test(rows_of_a_run),
        cmocka_unit_test(long_runs),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
