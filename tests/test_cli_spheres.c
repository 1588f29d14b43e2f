/* test_cli_spheres.c - `polhode run`, `compare` and `list` for spheres. */
/* Needs kinds, lab. */
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

#include "support/run_tool.h"
#include "support/sphere_runs.h"

static json_t *json_of(tool_run run)
{
    assert_done(&run);
    json_t *document = parse_json(run.out);
    tool_run_free(&run);
    return document;
}

/* A component of vector i in final.q or final.w. */
static double final_at(const json_t *run, const char *key, size_t i, size_t component)
{
    const json_t *list = json_object_get(json_object_get(run, "final"), key);
    return json_real_value(json_array_get(json_array_get(list, i), component));
}

/* ---- run ------------------------------------------------------------------------- */

/* Every problem with every integrator for it: the tool's state is the library's. */
static void check_run(const char *name, const ph_integrator *i, const ph_spheres_problem *p)
{
    (void)i;
    sphere_run r = sphere_run_new(name, p);
    sphere_run_steps(&r, 0.01, 10);
    json_t *j = json_of(RUN("run", "--problem", p->name, "--method", name, "--step", "0.01",
                            "--time", "0.1", "--json"));
    const json_t *energy = json_object_get(j, "energy");
    for (int k = 0; k < r.n; k++) {
        assert_true(final_at(j, "q", (size_t)k, 0) == r.q[k].x);
        assert_true(final_at(j, "w", (size_t)k, 2) == r.w[k].z);
    }
    assert_true(json_at(energy, "final", 0) == ph_spheres_energy(r.s, r.q, r.w));
    assert_int_equal(10, json_integer_value(json_object_get(j, "steps")));
    const json_t *kept = json_object_get(j, "invariants"),
                 *worst = json_object_get(kept, "largest_error");
    assert_true(json_at(worst, "length", 0) < 3e-14);
    for (int k = 0; k < p->invariant_count; k++)
        assert_non_null(json_object_get(kept, p->invariants[k].name));
    json_decref(j);
    sphere_run_free(&r);
}

static void runs_are_the_librarys(void **state)
{
    (void)state;
    size_t count;
    const ph_spheres_problem *const *all = ph_spheres_problems(&count);
    const ph_spheres_problem *list[16] = {NULL};
    assert_true(count < 16);
    memcpy(list, all, count * sizeof *list);
    assert_true(sphere_each(list, check_run) > 30);
}

#define PAIR                                                                                       \
    "problem: double_pendulum\n"                                                                   \
    "method: rattle\n"                                                                             \
    "step: 0.01\n"                                                                                 \
    "time: 0.02\n"

static void scenarios(void **state)
{
    (void)state;
    tool_run run = RUN_WITH(PAIR "q: [[0, 0, 1], [1, 0, 0]]\n"
                                 "w: [[1, 0, 0], [0, 0, 2]]\n",
                            "run", "-", "--out", "-");
    assert_done(&run);
    assert_whole_rows(run.out, "t,q1x,q1y,q1z,q2x,q2y,q2z,w1x,w1y,w1z,w2x,w2y,w2z,"
                               "energy\n");
    assert_contains(run.out, "\n0,0,0,1,1,0,0,1,0,0,0,0,2,-27.93");
    assert_int_equal(4, count_lines(run.out));
    tool_run_free(&run);
    json_t *j = json_of(RUN("run", "--problem", "magnets", "--set", "rows=2", "--set", "columns=3",
                            "--method", "eln", "--step", "0.01", "--time", "0.1", "--json"));
    assert_int_equal(6, json_array_size(json_object_get(json_object_get(j, "final"), "q")));
    json_decref(j);
}

static void warned(const char *text, const char *part)
{
    tool_run run = RUN_WITH(text, "run", "-");
    assert_int_equal(0, run.status);
    assert_contains(run.error, "polhode: warning: standard input:");
    assert_contains(run.error, part);
    assert_int_equal(1, count_lines(run.error));
    tool_run_free(&run);
}

/* Next to the spheres the start is mended with a warning, farther off it is refused. */
static void starts(void **state)
{
    (void)state;
#define W "w: [[1, 0, 0], [0, 0, 2]]\n"
    warned(PAIR "q: [[0, 0, 1.000000005], [1, 0, 0]]\n" W, "normalised");
    warned(PAIR "q: [[0, 0, 1], [1, 0, 0]]\nw: [[1, 0, 5e-9], [0, 0, 2]]\n",
           "removed the component along q");
    static const char *const refused[][2] = {
        {PAIR "q: [[0, 0, 1.00000002], [1, 0, 0]]\n" W, "has length 1.00000002"},
        {PAIR "q: [[0, 0, 0], [1, 0, 0]]\n" W, "has length 0"},
        {PAIR "q: [[0, 0, 1], [1, 0, 0]]\nw: [[1, 0, 2e-8], [0, 0, 2]]\n",
         "vector 1 is not orthogonal"},
        {PAIR "q: [[0, 0, 1], [1, 0, 0]]\n", "write w, too"},
        {PAIR "q: [[0, 0, 1]]\n" W, "has 1 vector, but double_pendulum has 2 spheres"},
        {PAIR "q: [[0, 0], [1, 0, 0]]\n" W, "2 numbers instead of 3"},
        {PAIR "q: 1\n" W, "list of vectors"},
        {PAIR "velocity: [1, 0, 0]\n", "velocity cannot be used with double_pendulum"},
        {PAIR "parameters: {mass2: 0}\n", "parameter mass2 is 0, but must be > 0"},
        {PAIR "parameters: {mass3: 1}\n", "its parameters are mass1, mass2"},
        {"problem: vortices\nmethod: rkmk4\nstep: 1\ntime: 1\nw: [[1, 0, 0]]\n",
         "velocities follow from q"},
        {"problem: vortices\nmethod: rkmk4\nstep: 1\ntime: 1\nparameters: {count: 2}\n"
         "q: [[1, 0, 0], [1, 0, 0]]\n",
         "outside the domain"},
        {"problem: heavy_top\nmethod: vlv\nstep: 1\ntime: 1\nq: [[1, 0, 0]]\n",
         "q cannot be used with heavy_top"},
    };
    for (size_t i = 0; i < COUNT(refused); i++)
        assert_refused(RUN_WITH(refused[i][0], "run", "-"), refused[i][1]);
}

static tool_run by(const char *problem, const char *method, const char *set)
{
    return RUN("run", "--problem", problem, "--method", method, "--set", set, "--step", "0.01",
               "--time", "1");
}

static void refusals(void **state)
{
    (void)state;
    assert_refused(by("magnets", "eln", "spacing=0"), "parameter spacing is 0, but must be > 0");
    assert_refused(by("magnets", "eln", "rows=1.5"),
                   "parameter rows is 1.5, but must be a whole number >= 1");
    assert_refused(by("magnets", "eln", "mass=0"), "parameter mass is 0, but must be > 0");
    assert_refused(by("chain", "s6_10+circle", "count=3"), "needs a diagonal mass matrix");
    assert_refused(by("chain", "spherical_midpoint", "count=3"), "without inertia");
    assert_refused(by("spins", "rattle", "count=3"), "spherical_midpoint");
    assert_refused(by("magnets", "s6_10", "rows=2"), "write s6_10+circle");
    assert_refused(by("magnets", "s6_10+exact", "rows=2"), "did you mean s6_10+circle");
    assert_refused(by("magnets", "ratle", "rows=2"), "did you mean rattle");
    assert_refused(RUN("run", "--problem", "pendulum", "--method", "eln", "--step", "0.1", "--time",
                       "1", "--inertia", "1,2,3"),
                   "--inertia cannot be used with pendulum");
    /* no real multiplier: the run names the step and keeps what it had */
    tool_run run =
        RUN("run", "--problem", "magnets", "--method", "rattle", "--step", "0.0625", "--time", "1");
    assert_error_line(&run, 1,
                      "step 14, from t = 0.8125, failed: the constraint has no "
                      "real multiplier");
    tool_run_free(&run);
}

/* ---- compare and list ------------------------------------------------------------ */

static void compares(void **state)
{
    (void)state;
    static const struct {
        const char *problem, *methods;
        int rows;
    } cases[] = {{"magnets", "eln,rkmkgl4,s6_10+circle,nystrom4+circle", 4},
                 {"double_pendulum", "eln,rkmk4,llm", 3},
                 {"vortices", "rkmk4,spherical_midpoint", 2}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        json_t *rows =
            json_of(RUN("compare", "--problem", cases[k].problem, "--methods", cases[k].methods,
                        "--steps", "0.02,0.01", "--time", "0.2", "--json"));
        assert_int_equal(2 * cases[k].rows, json_array_size(rows));
        for (size_t i = 1; i < json_array_size(rows); i += 2) {
            const json_t *row = json_array_get(rows, i);
            ph_integrator method;
            assert_int_equal(PH_OK,
                             ph_spheres_integrator_named(
                                 json_string_value(json_object_get(row, "method")), &method));
            if (!json_is_number(json_object_get(row, "order")))
                continue; /* at round-off */
            assert_true(fabs(json_at(row, "order", 0) - ph_integrator_order(&method)) < 0.3);
            assert_true(json_at(row, "kicks", 0) >= 20);
        }
        json_decref(rows);
    }
}

static void lists(void **state)
{
    (void)state;
    static const char *const contract[][2] = {
        {"methods", "eln"},     {"methods", "rkmk4"},     {"methods", "rkmkgl4"},
        {"methods", "rattle"},  {"problems", "pendulum"}, {"problems", "double_pendulum"},
        {"problems", "magnets"}};
    for (size_t k = 0; k < COUNT(contract); k++) {
        json_t *list = json_of(RUN("list", contract[k][0], "--space", "spheres", "--json"));
        bool found = false;
        for (size_t i = 0; i < json_array_size(list); i++) {
            const json_t *e = json_array_get(list, i);
            assert_string_equal("spheres", json_string_value(json_object_get(e, "space")));
            found |= strcmp(json_string_value(json_object_get(e, "name")), contract[k][1]) == 0;
        }
        assert_true(found);
        json_decref(list);
    }
    assert_refused(RUN("list", "--space", "sphere"), "did you mean spheres");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_the_librarys),
        cmocka_unit_test(scenarios),
        cmocka_unit_test(starts),
        cmocka_unit_test(refusals),
        cmocka_unit_test(compares),
        cmocka_unit_test(lists),
    };
    return cmocka_run_group_tests_name("polhode on spheres", tests, NULL, NULL);
}
