/* test_cli_custom.c - coefficients of the user's own in a scenario: those of the catalog give
 * the bits and the orders of the catalog; what is wrong is said; a run goes on from a snapshot.
 */
/* Needs kinds, lab. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "integrators/tableau.h"
#include "motion/composition.h"
#include "polhode/polhode.h"
#include "support/run_tool.h"
#include "system/find.h"

enum { TEXT = 8192, NAME = 160 };

typedef struct text {
    char at[TEXT];
    size_t length;
} text;

__attribute__((format(printf, 2, 3))) static void put(text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(t->at + t->length, TEXT - t->length, format, arguments);
    va_end(arguments);
    assert_true(n >= 0 && t->length + (size_t)n < TEXT);
    t->length += (size_t)n;
}

static text scenario_of(const char *problem)
{
    text t = {.length = 0};
    put(&t, "problem: %s\nstep: 0.0078125\ntime: 0.125\nmethod: ", problem);
    return t;
}

static json_t *result_of(tool_run run)
{
    assert_done(&run);
    json_t *document = parse_json(run.out);
    tool_run_free(&run);
    return document;
}

/* The end is that of the method of a name, to the bit; the order is the one of the table. */
static void check_same(const text *t, const char *problem, const char *method, int order)
{
    json_t *own = result_of(RUN_WITH(t->at, "run", "-", "--json")),
           *named = result_of(RUN("run", "--problem", problem, "--method", method, "--step",
                                  "0.0078125", "--time", "0.125", "--json"));
    if (!json_equal(json_object_get(own, "final"), json_object_get(named, "final")))
        fail_msg("%s: another end for %s", method, t->at);
    if (json_integer_value(json_object_get(own, "order")) != order)
        fail_msg("%s: order %d and not %d", method,
                 (int)json_integer_value(json_object_get(own, "order")), order);
    json_decref(own);
    json_decref(named);
}

/* The coefficients of a scheme: those of the kicks, or of the drifts. */
static void put_stages(text *t, const ph_scheme *s, bool kicks)
{
    bool first = true;
    for (int k = 0; k < s->stages; k++) {
        if (kicks != (s->kick_first == (k % 2 == 0)))
            continue;
        put(t, "%s%.17g", first ? "" : ", ", s->half[k < s->stages / 2 ? k : s->stages - 1 - k]);
        first = false;
    }
}

static void schemes_of_the_catalog(void **state)
{
    (void)state;
    size_t count;
    const ph_scheme *const *all = ph_schemes(&count);
    int done = 0;
    for (size_t i = 0; i < count; i++) {
        if (all[i]->gradient != NULL)
            continue;
        static const char *const problems[] = {"heavy_top", "pendulum"}, *const flows[] = {
                                                                             "exact", "circle"};
        for (int n = 0; n < 2; n++) {
            char name[NAME];
            text t = scenario_of(problems[n]);
            put(&t, "{scheme: {kick: [");
            put_stages(&t, all[i], true);
            put(&t, "], drift: [");
            put_stages(&t, all[i], false);
            put(&t, "]}, flow: %s}\n", flows[n]);
            (void)snprintf(name, sizeof name, "%s+%s", all[i]->name, flows[n]);
            check_same(&t, problems[n], name, all[i]->order);
            done++;
        }
    }
    assert_true(done > 8);
}

static void compositions_of_the_catalog(void **state)
{
    (void)state;
    static const struct {
        const char *problem, *integrator;
    } of[] = {{"heavy_top", "rattle"}, {"pendulum", "rattle"}, {"free", "sr2"}};
    size_t count;
    const ph_composition *all = ph_compositions(&count);
    for (size_t i = 0; i < count; i++) {
        for (size_t n = 0; n < sizeof of / sizeof of[0]; n++) {
            char name[NAME];
            text t = scenario_of(of[n].problem);
            put(&t, "{integrator: %s, composition: [", of[n].integrator);
            for (int k = 0; k < all[i].stages; k++)
                put(&t, "%s%.17g", k == 0 ? "" : ", ", composition_part(&all[i], k));
            put(&t, "]}\n");
            (void)snprintf(name, sizeof name, "%s@%s", of[n].integrator, all[i].name);
            check_same(&t, of[n].problem, name, all[i].order);
        }
    }
}

static void put_tableau(text *t, const tableau *table)
{
    put(t, "{tableau: {a: [");
    for (int k = 0; k < table->stages; k++) {
        put(t, "%s[", k == 0 ? "" : ", ");
        for (int j = 0; j < (tableau_explicit(table) ? k : table->stages); j++)
            put(t, "%s%.17g", j == 0 ? "" : ", ", table->a[k][j]);
        put(t, "]");
    }
    put(t, "], b: [");
    for (int k = 0; k < table->stages; k++)
        put(t, "%s%.17g", k == 0 ? "" : ", ", table->b[k]);
    put(t, "], c: [");
    for (int k = 0; k < table->stages; k++)
        put(t, "%s%.17g", k == 0 ? "" : ", ", table->c[k]);
    put(t, "]}}\n");
}

static void tableaux_of_the_catalog(void **state)
{
    (void)state;
    size_t count;
    const ph_method *const *all = ph_methods(&count);
    int done = 0;
    for (size_t i = 0; i < count; i++) {
        if (strncmp(all[i]->name, "mkrk_", 5) != 0)
            continue;
        text t = scenario_of("heavy_top");
        put_tableau(&t, all[i]->data);
        check_same(&t, "heavy_top", all[i]->name, all[i]->order);
        done++;
    }
    assert_int_equal(3, done);
}

/* Butcher's of order 5, with six stages. */
static const tableau BUTCHER5 = {
    .stages = 6,
    .a = {{0},
          {1.0 / 4},
          {1.0 / 8, 1.0 / 8},
          {0, -1.0 / 2, 1},
          {3.0 / 16, 0, 0, 9.0 / 16},
          {-3.0 / 7, 2.0 / 7, 12.0 / 7, -12.0 / 7, 8.0 / 7}},
    .b = {7.0 / 90, 0, 32.0 / 90, 12.0 / 90, 32.0 / 90, 7.0 / 90},
    .c = {0, 1.0 / 4, 1.0 / 4, 1.0 / 2, 3.0 / 4, 1},
};

static void more_stages(void **state)
{
    (void)state;
    text t = scenario_of("heavy_top");
    put_tableau(&t, &BUTCHER5);
    json_t *own = result_of(RUN_WITH(t.at, "run", "-", "--json"));
    assert_int_equal(5, json_integer_value(json_object_get(own, "order")));
    json_decref(own);
}

/* Orders below those of the catalog. */
static void orders_of_others(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        int order;
    } of[] = {
        {"{tableau: {a: [[]], b: [1], c: [0]}}", 1},
        {"{tableau: {a: [[], [0.5], [-1, 2]], b: [0.16666666666666667, "
         "0.66666666666666667, 0.16666666666666667], c: [0, 0.5, 1]}}",
         3},
        {"{integrator: vlv, composition: [0.5, 0.5]}", 2},
        {"{scheme: {kick: [1], drift: [0.5, 0.5]}, flow: mr}", 2},
    };
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        text t = scenario_of("heavy_top");
        put(&t, "%s\n", of[i].method);
        json_t *own = result_of(RUN_WITH(t.at, "run", "-", "--json"));
        assert_int_equal(of[i].order, json_integer_value(json_object_get(own, "order")));
        json_decref(own);
    }
}

static void refusals(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"{scheme: {kick: [0.5, 0.4], drift: [1]}, flow: exact}", "kick sums to 0.9"},
        {"{scheme: {kick: [0.4, 0.6], drift: [1]}, flow: exact}", "not symmetric"},
        {"{scheme: {kick: [0.5, 0.5], drift: [0.5, 0.5]}, flow: exact}", "cannot alternate"},
        {"{scheme: {kick: [0.5, 0.5], drift: [1]}, flow: exct}", "there is no `exct`"},
        {"{scheme: {kick: [0.5, 0.5], drift: [1]}}", "needs its kicks"},
        {"{scheme: {kick: [0.5, 0.5], push: [1]}, flow: mr}", "the keys are kick"},
        {"{scheme: {kick: [0.5, x], drift: [1]}, flow: exact}", "write a finite number"},
        {"{scheme: {kick: 0.5, drift: [1]}, flow: exact}", "needs a list"},
        {"{scheme: {kick: [0.5, 0.5], drift: [1]}, flow: mr, order: 4}",
         "have order 2 (measured 2.00), not 4"},
        {"{integrator: mkrk_rk4, composition: [0.5, 0.5]}", "does not have order 2"},
        {"{integrator: nothing, composition: [0.5, 0.5]}", "there is no method"},
        {"{integrator: vlv, composition: [0.5, 0.6]}", "composition sums to 1.1"},
        {"{integrator: vlv, composition: []}", "needs its numbers"},
        {"{integrator: vlv}", "needs its numbers"},
        {"{integrator: vlv, composition: [1], flow: exact}", "write one of"},
        {"{tableau: {a: [[0.5]], b: [1], c: [0.4]}}", "row 1 of a sums to 0.5"},
        {"{tableau: {a: [[0.5]], b: [0.9], c: [0.5]}}", "b sums to 0.9"},
        {"{tableau: {a: [[0.5, 1]], b: [1], c: [0.5]}}", "row 1 has 2 numbers"},
        {"{tableau: {a: [[0.5]], b: [0.5, 0.5], c: [0.5]}}", "write one of each per row"},
        {"{tableau: {a: [0.5], b: [1], c: [0.5]}}", "a list of rows"},
        {"{tableau: {a: [[],[],[],[],[],[],[],[],[]], b: [1], c: [0]}}", "9 rows"},
        {"{tableau: {b: [1], c: [0]}}", "needs a, b and c"},
        {"{}", "write one of"},
        {"[vlv]", "not a single value"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        text t = scenario_of("heavy_top");
        put(&t, "%s\n", wrong[i][0]);
        assert_refused(RUN_WITH(t.at, "run", "-"), wrong[i][1]);
    }
    text t = scenario_of("pendulum");
    put(&t, "{tableau: {a: [[0.5]], b: [1], c: [0.5]}}\n");
    assert_refused(RUN_WITH(t.at, "run", "-"), "can move only one body");
}

/* Half of a run, and then the rest from its snapshot, which knows the coefficients. */
static void goes_on(void **state)
{
    (void)state;
    static const char *const of[][2] = {
        {"heavy_top", "{scheme: {kick: [0.5, 0.5], drift: [1]}, flow: mr}"},
        {"heavy_top", "{integrator: rattle, composition: [0.4, 0.2, 0.4]}"},
        {"heavy_top", "{tableau: {a: [[0.5]], b: [1], c: [0.5]}}"},
        {"free", "{integrator: sr2, composition: [0.4, 0.2, 0.4]}"},
        {"pendulum", "{scheme: {kick: [0.5, 0.5], drift: [1]}, flow: circle}"},
        {"double_pendulum", "{integrator: rattle, composition: [0.4, 0.2, 0.4]}"},
        {"dipolar_spheres\nlattice: 2", "{scheme: {kick: [0.5, 0.5], drift: [1]}, flow: exact}"},
    };
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        text t = scenario_of(of[i][0]);
        put(&t, "%s\n", of[i][1]);
        json_t *whole = result_of(RUN_WITH(t.at, "run", "-", "--json"));
        json_decref(result_of(RUN_WITH(t.at, "run", "-", "--json", "--time", "0.0625",
                                       "--checkpoint", "custom.snapshot")));
        json_t *rest = result_of(RUN("resume", "custom.snapshot", "--time", "0.125", "--json"));
        static const char *const same[] = {"final", "method", "order", "energy"};
        for (size_t k = 0; k < sizeof same / sizeof same[0]; k++) {
            if (!json_equal(json_object_get(whole, same[k]), json_object_get(rest, same[k])))
                fail_msg("%s: another %s", of[i][1], same[k]);
        }
        json_decref(whole);
        json_decref(rest);
    }
    assert_int_equal(0, remove("custom.snapshot"));
}

/* In lists: each compares, and is checked, as what it is; two alike have two names. */
static void lists(void **state)
{
    (void)state;
    static const char head[] = "problem: heavy_top\ntime: 1s\n",
                      verlet[] = "{scheme: {kick: [0.5, 0.5], drift: [1]}, flow: exact}",
                      *const names[] = {"verlet+exact", "custom+exact", "custom+exact#2",
                                        "mkrk_custom"};
    text t = {.length = 0};
    put(&t,
        "%smethods: [verlet+exact, %s, %s, {tableau: {a: [[0, 0], [1, 0]], b: [0.5, "
        "0.5], c: [0, 1]}}]\nsteps: [100 ms, 0.05]\n",
        head, verlet, verlet);
    file_write("list.yaml", t.at);
    json_t *rows = result_of(RUN("compare", "list.yaml", "--json"));
    assert_int_equal(json_array_size(rows), 8);
    for (size_t i = 0; i < 8; i++) {
        const json_t *row = json_array_get(rows, i), *first = json_array_get(rows, i % 2);
        assert_string_equal(json_string_value(json_object_get(row, "method")), names[i / 2]);
        assert_true(json_at(row, "step", 0) == (i % 2 == 0 ? 0.1 : 0.05));
        assert_true(json_equal(json_object_get(row, "error"), json_object_get(first, "error")) ==
                    (i / 2 < 3));
    }
    json_decref(rows);
    rows = result_of(RUN("compare", "list.yaml", "--methods", "vlv", "--steps", "0.5", "--json"));
    assert_int_equal(json_array_size(rows), 1); /* options override */
    json_decref(rows);
    rows = result_of(RUN("check", "list.yaml", "--problem", "heavy_top", "--json"));
    assert_int_equal(json_array_size(rows), 4);
    for (size_t i = 0; i < 4; i++) {
        const json_t *row = json_array_get(rows, i);
        assert_string_equal(json_string_value(json_object_get(row, "name")), names[i]);
        assert_int_equal((long)json_at(row, "order", 0), 2);
    }
    json_decref(rows);
    t.length = 0;
    put(&t, "%smethod: %s\nstep: 0.1\n", head, verlet);
    file_write("list.yaml", t.at);
    rows = result_of(RUN("compare", "list.yaml", "--json"));
    assert_int_equal(json_array_size(rows), 1);
    json_decref(rows);
    json_t *own = result_of(RUN("check", "list.yaml", "--json")),
           *named = result_of(RUN("check", "verlet+exact", "--json"));
    static const char *const same[] = {"order", "symmetric", "drift", "symplectic_defect"};
    for (size_t k = 0; k < COUNT(same); k++)
        assert_true(json_equal(json_object_get(json_array_get(own, 0), same[k]),
                               json_object_get(json_array_get(named, 0), same[k])));
    json_decref(own);
    json_decref(named);
    assert_int_equal(remove("list.yaml"), 0);
}

static void wrong_lists(void **state)
{
    (void)state;
    static const struct {
        const char *command, *text, *message;
    } wrong[] = {
        {"compare", "methods: vlv\nsteps: [0.1]\n", "s.yaml:3: methods needs a list"},
        {"compare", "methods: []\nsteps: [0.1]\n", "s.yaml:3: methods needs a list"},
        {"compare", "methods: [vlv, nothere]\nsteps: [0.1]\n", "s.yaml:3: there is no "},
        {"compare", "methods: [vlv, [vlv]]\nsteps: [0.1]\n", "s.yaml:3: a method: a list"},
        {"compare", "methods: [vlv, {tableau: {}}]\nsteps: [1]\n", "a tableau needs"},
        {"compare", "methods: [vlv]\nsteps: []\n", "s.yaml:4: steps is empty"},
        {"compare", "methods: [vlv]\nsteps: 0.1\n", "s.yaml:4: steps needs a list"},
        {"compare", "methods: [vlv]\nsteps: [1m]\n", "steps cannot be in `m`"},
        {"compare", "methods: [vlv]\nsteps: [0.3]\n", "not a whole number of steps"},
        {"run", "methods: [vlv]\nstep: 0.1\n", "methods is only for polhode compare"},
        {"check", "step: 0.1\n", "s.yaml has no method"},
        {"check", "method: nothere\n", "there is no method `nothere`"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        text t = {.length = 0};
        put(&t, "problem: heavy_top\ntime: 1\n%s", wrong[i].text);
        file_write("s.yaml", t.at);
        assert_refused(RUN(wrong[i].command, "s.yaml"), wrong[i].message);
    }
}

/* A picture of the comparison, and its title: the formula of a problem of expressions. */
static void titles(void **state)
{
    (void)state;
    static const char *const commands[] = {"compare", "run"};
    file_write("s.yaml", "problem: {potential: k*R33^2, torque: [\"0\", \"0\", a*t]}\n"
                         "parameters: {k: 2, a: 0.1}\nmethod: mkrk_gl4\nstep: 0.1\n"
                         "time: 1\n");
    for (size_t i = 0; i < COUNT(commands); i++) {
        tool_run run = RUN(commands[i], "s.yaml", "--plot", "a.svg");
        assert_done(&run);
        assert_contains(run.out, "a.svg drawn\n");
        tool_run_free(&run);
        char *picture = file_text("a.svg");
        assert_contains(picture, "U = k*R33^2, torque (0, 0, a*t)");
        free(picture);
    }
    assert_int_equal(remove("a.svg"), 0);
    assert_int_equal(remove("s.yaml"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemes_of_the_catalog),
        cmocka_unit_test(compositions_of_the_catalog),
        cmocka_unit_test(tableaux_of_the_catalog),
        cmocka_unit_test(more_stages),
        cmocka_unit_test(orders_of_others),
        cmocka_unit_test(refusals),
        cmocka_unit_test(goes_on),
        cmocka_unit_test(lists),
        cmocka_unit_test(wrong_lists),
        cmocka_unit_test(titles),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
