/* test_cli_field.c - `polhode run`, `compare` and `list` for a body in a field. */
/* Needs lab, kinds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/extremes.h"
#include "support/run_tool.h"
#include "support/stepping.h"
#include "system/find.h"

enum { TEXT = 256 };

static json_t *json_of(tool_run run)
{
    assert_done(&run);
    json_t *document = parse_json(run.out);
    tool_run_free(&run);
    return document;
}

/* ---- run ------------------------------------------------------------------------- */

/* Every problem with its own body and with a tensor, by schemes and methods in turn: the
 * tool's state is the library's. */
static void check_run(const ph_problem *p, const char *body, const char *value, const char *method)
{
    ph_integrator integrator = integrator_of(method);
    if (ph_integrator_applies(&integrator, p) != PH_OK) {
        method = "mkrk_rk4"; /* which takes wheels */
        integrator = integrator_of(method);
    }
    const ph_state s = after_steps(&integrator, p, ph_problem_start(p), 0.01, 20);
    tool_run run = RUN("run", "--problem", p->name, "--method", method, "--step", "0.01", "--time",
                       "0.2", "--json", body, value);
    if (p->caution != NULL) { /* a warning, and nothing else */
        assert_int_equal(count_lines(run.error), 1);
        assert_contains(run.error, p->caution);
        run.error[0] = '\0';
    }
    json_t *j = json_of(run);
    const json_t *final = json_object_get(j, "final"), *energy = json_object_get(j, "energy");
    const ph_vec3 w = ph_problem_velocity(p, 0.2, s.m);
    const double size = larger_or_nan(fabs(s.m.x), larger_or_nan(fabs(s.m.y), fabs(s.m.z)));
    assert_true(fabs(json_at(final, "momentum", 0) - s.m.x) < 1e-13 * size);
    assert_true(fabs(json_at(final, "momentum", 2) - s.m.z) < 1e-13 * size);
    assert_true(fabs(json_at(final, "velocity", 1) - w.y) < 1e-13 * (1 + fabs(w.y)));
    assert_true(fabs(json_at(final, "attitude", 0) - s.q.w) < 1e-13);
    assert_true(fabs(json_at(energy, "final", 0) / ph_problem_energy(p, 0.2, &s) - 1) < 1e-12);
    json_decref(j);
}

static void runs_are_the_librarys(void **state)
{
    (void)state;
    static const char *const METHODS[] = {"srkn4_6b+exact", "vlv", "verlet+sr2:suzuki4",
                                          "vlv@suzuki4", "mkrk_rk4"};
    size_t count;
    const ph_problem *const *problems = ph_problems(&count);
    for (size_t i = 0; i < count; i++) {
        ph_problem p = *problems[i];
        char text[TEXT];
        const ph_vec3 J = p.body.J;
        (void)snprintf(text, sizeof text, "%.17g,%.17g,%.17g", J.x, J.y, J.z);
        check_run(&p, "--inertia", text, METHODS[i % COUNT(METHODS)]);
        /* such that matter can have it */
        const double more = 0.5 * larger_or_nan(J.x, J.z), a = 0.2 * more, b = -0.1 * more,
                     x = J.x + more, y = J.y + more, z = J.z + more, c = 0.05 * more;
        const ph_mat3 matrix = {{{x, a, b}, {a, y, c}, {b, c, z}}};
        (void)snprintf(text, sizeof text, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g", x, y, z, a, b, c);
        assert_int_equal(PH_OK, ph_body_from_tensor(&p.body, matrix));
        check_run(&p, "--tensor", text, METHODS[(i + 1) % COUNT(METHODS)]);
    }
}

static double max_error(tool_run run)
{
    json_t *j = json_of(run);
    const double error =
        json_real_value(json_object_get(json_object_get(j, "energy"), "max_error"));
    json_decref(j);
    return error;
}

/* A parameter changes the motion as it should: twice the strength of a top is twice its
 * potential, and an angle of up turns with it. */
static void parameters_are_used(void **state)
{
    (void)state;
    json_t *one = json_of(RUN("run", "--problem", "heavy_top", "--method", "vlv", "--step", "0.1",
                              "--time", "0.1", "--json")),
           *two = json_of(RUN("run", "--problem", "heavy_top", "--method", "vlv", "--step", "0.1",
                              "--time", "0.1", "--json", "--set", "strength=2")),
           *none =
               json_of(RUN("run", "--problem", "heavy_top", "--method", "vlv", "--step", "0.1",
                           "--time", "0.1", "--json", "--set", "strength=0", "--set", "up=1,0,0"));
    const double e1 = json_at(json_object_get(one, "energy"), "initial", 0),
                 e2 = json_at(json_object_get(two, "energy"), "initial", 0),
                 e0 = json_at(json_object_get(none, "energy"), "initial", 0);
    assert_true(fabs((e2 - e0) - 2 * (e1 - e0)) < 1e-14 && fabs(e1 - e0) > 0.1);
    json_decref(one);
    json_decref(two);
    json_decref(none);
}

/* The satellite of Celledoni et al.: the energy error that the paper's method leaves. */
static void satellite_energy(void **state)
{
    (void)state;
    tool_run run = RUN("run", "--problem", "satellite", "--method", "srkn6_14a+exact", "--step",
                       "0.1", "--time", "400", "--json");
    assert_contains(run.error, "a step of 0.1 turns the body by 2.6 rad");
    run.error[0] = '\0';
    const double error = max_error(run);
    assert_true(fabs(error / 12159566.4 / 1.15e-7 - 1) < 0.02);
}

static void scenario_of_the_contract(void **state)
{
    (void)state;
    const char *scenario = "problem: heavy_top\n"
                           "parameters: {strength: 12, up: [0, 0, 1]}\n"
                           "inertia: [5, 5, 1]\n"
                           "rotvec: [0.1, 0.05, 0]\n"
                           "velocity: [0, 0, 4]\n"
                           "method: srkn6_14a+exact\n"
                           "step: 0.001\n"
                           "time: 8\n";
    tool_run run = RUN_WITH(scenario, "run", "-");
    assert_done(&run);
    assert_contains(run.out, "heavy_top by srkn6_14a+exact: 8000 steps");
    assert_contains(run.out, "energy");
    assert_null(strstr(run.out, "space momentum")); /* not kept in a field */
    tool_run_free(&run);
}

/* A run that stops converging keeps what it had and says where it was. */
static void failed_run(void **state)
{
    (void)state;
    tool_run run = RUN("run", "--problem", "soft_wall", "--method", "akw", "--step", "0.5",
                       "--time", "20000", "--out", "wall.csv", "--every", "100");
    assert_error_line(&run, 1, "step 4097, from t = 2048, failed");
    assert_contains(run.error, "41 rows are in wall.csv");
    tool_run_free(&run);
    assert_int_equal(0, remove("wall.csv"));
}

#define TOP "run", "--problem", "heavy_top", "--step", "0.1", "--time", "1"

static void refused(void **state)
{
    (void)state;
    assert_refused(RUN(TOP, "--method", "exact"), "write verlet+exact");
    assert_refused(RUN(TOP, "--method", "velt+exact"), "did you mean verlet+exact");
    assert_refused(RUN(TOP, "--method", "verlet+exact:suzuki4"), "exact is exact");
    assert_refused(RUN(TOP, "--method", "vlw"), "did you mean vlv");
    assert_refused(RUN(TOP, "--method", "mkrk_rk4@suzuki4"), "does not have order 2");
    assert_refused(RUN(TOP, "--method", "exact@suzuki4"), "exact is exact");
    assert_refused(RUN(TOP, "--method", "rattle@suzuki5"), "did you mean rattle@suzuki4");
    assert_refused(RUN("check", "vlv@nope"), "`polhode list compositions`");
    assert_refused(RUN("check", "verlet+sr2:nope"), "`polhode list compositions`");
    assert_refused(RUN("check", "s4_6+exact@suzuki4"), "does not have order 2");
    assert_refused(RUN("run", "--problem", "pendulum", "--step", "0.1", "--time", "1", "--method",
                       "rkmk4@suzuki4"),
                   "does not have order 2");
    assert_refused(RUN(TOP, "--method", "vlv", "--set", "strengh=1"),
                   "heavy_top has no parameter strengh: its parameters are strength, up, centre");
    assert_refused(RUN(TOP, "--method", "vlv", "--set", "up=1,2"),
                   "parameter up needs 3 numbers, not 2");
    assert_refused(RUN(TOP, "--method", "vlv", "--set", "strength=inf"), "not finite");
    assert_refused(RUN("run", "--problem", "soft_wall", "--set", "offset=-2", "--method", "vlv",
                       "--step", "0.1", "--time", "1"),
                   "outside the domain of the potential");
    assert_refused(RUN("compare", "--problem", "well", "--methods", "vlv,dmv2", "--steps", "0.1",
                       "--time", "1"),
                   "`dmv2` is a flow");
}

/* ---- compare --------------------------------------------------------------------- */

/* Orders and kicks against the reference in a field. */
static void compare_in_a_field(void **state)
{
    (void)state;
    json_t *rows =
        json_of(RUN("compare", "--problem", "well", "--methods", "verlet+exact,s4_6+exact,vlv",
                    "--steps", "0.1,0.05,0.025", "--time", "1", "--json"));
    static const double ORDERS[] = {2, 4, 2}, KICKS[] = {1, 6, 2};
    assert_int_equal(9, json_array_size(rows));
    for (size_t i = 0; i < 9; i++) {
        const json_t *row = json_array_get(rows, i);
        const double steps = json_number_value(json_object_get(row, "steps")),
                     kicks = json_number_value(json_object_get(row, "kicks"));
        assert_true(fabs(kicks - KICKS[i / 3] * steps) <= 1);
        if (i % 3 == 2)
            assert_true(fabs(json_number_value(json_object_get(row, "order")) - ORDERS[i / 3]) <
                        0.2);
    }
    json_decref(rows);
}

/* ---- list ------------------------------------------------------------------------ */

static void lists(void **state)
{
    (void)state;
    static const char *const CONTRACT[] = {
        "trap", "imid",    "trapm",   "imidm",   "swc1",   "akw",      "bbtrap",  "bbtrapwd",
        "eln",  "eln_exp", "tln",     "tln_exp", "liemid", "prk",      "prk_exp", "mcg",
        "new3", "vlv",     "vlv_exp", "rattle",  "saccon", "mkrk_rk4", "mkrk_gl4"};
    json_t *methods = json_of(RUN("list", "methods", "--space", "body", "--json"));
    for (size_t k = 0; k < COUNT(CONTRACT); k++) {
        bool found = false;
        for (size_t i = 0; i < json_array_size(methods); i++) {
            const json_t *m = json_array_get(methods, i);
            if (strcmp(json_string_value(json_object_get(m, "name")), CONTRACT[k]) != 0)
                continue;
            found = true;
            assert_string_equal("method", json_string_value(json_object_get(m, "kind")));
            assert_string_equal("body", json_string_value(json_object_get(m, "space")));
            assert_true(json_is_integer(json_object_get(m, "order")));
            assert_true(json_is_array(json_object_get(m, "keeps")));
        }
        if (!found)
            fail_msg("no method %s", CONTRACT[k]);
    }
    json_decref(methods);
    json_t *schemes = json_of(RUN("list", "schemes", "--json"));
    size_t count;
    (void)ph_schemes(&count);
    assert_int_equal(count, json_array_size(schemes));
    json_decref(schemes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_the_librarys),
        cmocka_unit_test(parameters_are_used),
        cmocka_unit_test(satellite_energy),
        cmocka_unit_test(scenario_of_the_contract),
        cmocka_unit_test(failed_run),
        cmocka_unit_test(refused),
        cmocka_unit_test(compare_in_a_field),
        cmocka_unit_test(lists),
    };
    return cmocka_run_group_tests_name("field", tests, folder_enter, folder_leave);
}
