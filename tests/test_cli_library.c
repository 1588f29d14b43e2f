/* test_cli_library.c - what `polhode run` computes is what the library computes: every problem of bodies and spheres, a
 * lattice of molecules; coefficients of the catalog in a scenario give the bits and the orders of the catalog. */
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

#include "base/extremes.h"
#include "integrators/tableau.h"
#include "motion/composition.h"
#include "support/molecules.h"
#include "support/run_tool.h"
#include "support/sphere_runs.h"
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

/* ---- bodies in a field --------------------------------------------------------------------- */

/* Every problem with its own body and with a tensor, by schemes and methods in turn: the
 * tool's state is the library's. */
static void check_body(const ph_problem *p, const char *body, const char *value, const char *method)
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

static void bodies(void **state)
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
        check_body(&p, "--inertia", text, METHODS[i % COUNT(METHODS)]);
        /* such that matter can have it */
        const double more = 0.5 * larger_or_nan(J.x, J.z), a = 0.2 * more, b = -0.1 * more,
                     x = J.x + more, y = J.y + more, z = J.z + more, c = 0.05 * more;
        const ph_mat3 matrix = {{{x, a, b}, {a, y, c}, {b, c, z}}};
        (void)snprintf(text, sizeof text, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g", x, y, z, a, b, c);
        assert_int_equal(PH_OK, ph_body_from_tensor(&p.body, matrix));
        check_body(&p, "--tensor", text, METHODS[(i + 1) % COUNT(METHODS)]);
    }
}

/* ---- spheres ------------------------------------------------------------------------------- */

/* A component of vector i in final.q or final.w. */
static double final_at(const json_t *run, const char *key, size_t i, size_t component)
{
    const json_t *list = json_object_get(json_object_get(run, "final"), key);
    return json_real_value(json_array_get(json_array_get(list, i), component));
}

/* Every problem with every integrator for it: the tool's state is the library's. */
static void check_spheres(const char *name, const ph_integrator *i, const ph_spheres_problem *p)
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

static void spheres(void **state)
{
    (void)state;
    size_t count;
    const ph_spheres_problem *const *all = ph_spheres_problems(&count);
    const ph_spheres_problem *list[16] = {NULL};
    assert_true(count < 16);
    memcpy(list, all, count * sizeof *list);
    assert_true(sphere_each(list, check_spheres) > 30);
}

/* ---- molecules ----------------------------------------------------------------------------- */

#define SPHERES "run", "--problem", "dipolar_spheres", "--method", "verlet+exact"

/* The default lattice: its energy, and the end of a run as the library has it. */
static void lattice(void **state)
{
    (void)state;
    tool_run run = RUN(SPHERES, "--step", "0.1", "--time", "0.5", "--json");
    assert_done(&run);
    json_t *json = parse_json(run.out);
    const json_t *final = json_object_get(json, "final"), *energy = json_object_get(json, "energy");
    assert_true(fabs(json_at(energy, "initial", 0) + 0.558174436604) < 1e-12);
    ph_molecules *s = ph_molecules_lattice(5, 3.0, 0.01, 1);
    assert_int_equal(PH_OK, ph_molecules_prepare(s, NULL));
    run_steps(s, "verlet+exact", 0.5, 5);
    assert_true(json_at(energy, "final", 0) == ph_molecules_energies(s).total);
    assert_true(json_at(final, "temperature", 0) == ph_molecules_temperature(s));
    const struct {
        const char *key;
        double **array;
        int width;
    } parts[] = {{"positions", s->x, 3},
                 {"momenta", s->p, 3},
                 {"attitudes", s->q, 4},
                 {"angular_momenta", s->m, 3}};
    for (size_t p = 0; p < COUNT(parts); p++) {
        const json_t *rows = json_object_get(final, parts[p].key);
        assert_int_equal(125, json_array_size(rows));
        for (size_t i = 0; i < 125; i++) {
            const json_t *row = json_array_get(rows, i);
            assert_int_equal(parts[p].width, json_array_size(row));
            for (int k = 0; k < parts[p].width; k++)
                assert_true(json_real_value(json_array_get(row, (size_t)k)) ==
                            parts[p].array[k][i]);
        }
    }
    ph_molecules_destroy(s);
    json_decref(json);
    tool_run_free(&run);
}

/* How well energy and momenta are kept: the largest error of the steps, in units of the
 * energy and of the sums of the sizes. */
static void kept_of_molecules(void **state)
{
    (void)state;
    tool_run run = RUN("run", "--problem", "dipolar_spheres", "--method", "verlet+exact", "--step",
                       "0.4", "--time", "2", "--json");
    assert_done(&run);
    json_t *json = parse_json(run.out);
    const json_t *kept = json_object_get(json, "invariants"),
                 *told = json_object_get(kept, "largest_relative_error");
    ph_molecules *s = ph_molecules_lattice(5, 3.0, 0.01, 1);
    ph_integrator verlet;
    assert_int_equal(PH_OK, ph_integrator_named("verlet+exact", &verlet));
    assert_int_equal(PH_OK, ph_molecules_prepare(s, NULL));
    const double start = ph_molecules_energies(s).total;
    double energy = 0.0, momentum = 0.0;
    for (int n = 0; n < 5; n++) {
        assert_int_equal(PH_OK, ph_molecules_step(s, &verlet, 0.4));
        double size = 0.0;
        for (size_t i = 0; i < s->n; i++)
            size += hypot(hypot(s->p[0][i], s->p[1][i]), s->p[2][i]);
        const ph_vec3 P = ph_molecules_momentum(s);
        energy = larger_or_nan(energy, fabs(ph_molecules_energies(s).total / start - 1.0));
        momentum = larger_or_nan(momentum, hypot(hypot(P.x, P.y), P.z) / size);
    }
    assert_true(energy > fabs(ph_molecules_energies(s).total / start - 1.0));
    assert_true(json_at(kept, "energy", 0) == start);
    assert_true(fabs(json_at(told, "energy", 0) / energy - 1.0) < 1e-9);
    assert_true(json_at(told, "momentum", 0) <= 1.01 * momentum + 1e-18);
    assert_true(json_at(told, "angular_momentum", 0) < 1e-14);
    ph_molecules_destroy(s);
    json_decref(json);
    tool_run_free(&run);
}

/* ---- coefficients -------------------------------------------------------------------------- */

enum { MOST_TEXT = 8192, NAME = 160 };

typedef struct text {
    char at[MOST_TEXT];
    size_t length;
} text;

__attribute__((format(printf, 2, 3))) static void put(text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(t->at + t->length, MOST_TEXT - t->length, format, arguments);
    va_end(arguments);
    assert_true(n >= 0 && t->length + (size_t)n < MOST_TEXT);
    t->length += (size_t)n;
}

static text scenario_of(const char *problem)
{
    text t = {.length = 0};
    put(&t, "problem: %s\nstep: 0.0078125\ntime: 0.125\nmethod: ", problem);
    return t;
}

/* The end is that of the method of a name, to the bit; the order is the one of the table. */
static void check_same(const text *t, const char *problem, const char *method, int order)
{
    json_t *own = json_of(RUN_WITH(t->at, "run", "-", "--json")),
           *named = json_of(RUN("run", "--problem", problem, "--method", method, "--step",
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies),
        cmocka_unit_test(spheres),
        cmocka_unit_test(lattice),
        cmocka_unit_test(kept_of_molecules),
        cmocka_unit_test(schemes_of_the_catalog),
        cmocka_unit_test(compositions_of_the_catalog),
        cmocka_unit_test(tableaux_of_the_catalog),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
