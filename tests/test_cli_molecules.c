/* test_cli_molecules.c - polhode run and compare with molecules: what is told, written
 * and refused. */
/* Needs kinds, lab, extra. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "support/molecules.h"
#include "support/page.h"
#include "support/run_tool.h"

#define SPHERES "run", "--problem", "dipolar_spheres", "--method"
#define SHORT   "verlet+exact", "--step", "0.1", "--time", "0.5"

/* Runs a scenario, of which it leaves no file. */
#define RUN_SCENARIO(text, ...) RUN_WITH((text), "run", "-", __VA_ARGS__)

/* ---- what is told ---------------------------------------------------------------- */

/* The default lattice: its energy, and the end of a run as the library has it. */
static void test_lattice(void **state)
{
    (void)state;
    tool_run run = RUN(SPHERES, SHORT, "--json");
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

/* CFSZ figure 17: with the spacing 1 of the paper the cores overlap. */
static void test_printed_spacing(void **state)
{
    (void)state;
#define CLOSE "problem: dipolar_spheres\nbodies: {lattice: 5, spacing: 1}\nmethod: verlet+exact\n"
    tool_run run = RUN_SCENARIO(CLOSE "step: 1e-6\ntime: 1e-6\n", "--json");
    assert_done(&run);
    json_t *json = parse_json(run.out);
    page_says("errata.md", "make H0 %.1e", json_at(json_object_get(json, "energy"), "initial", 0));
    json_decref(json);
    tool_run_free(&run);
    static const char *const steps[] = {"1", "0.5", "0.25", "0.125"};
    for (size_t k = 0; k < COUNT(steps); k++) {
        run = RUN_SCENARIO(CLOSE, "--step", steps[k], "--time", "1");
        assert_int_equal(1, run.status);
        assert_contains(run.error, "the energy changed by more than ten times itself");
        tool_run_free(&run);
    }
}

/* How well energy and momenta are kept: the largest error of the steps, in units of the
 * energy and of the sums of the sizes. */
static void test_kept(void **state)
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

static double initial_energy(tool_run run)
{
    assert_done(&run);
    json_t *json = parse_json(run.out);
    const double e = json_at(json_object_get(json, "energy"), "initial", 0);
    json_decref(json);
    tool_run_free(&run);
    return e;
}

#define REST "method: verlet+exact\nstep: 0.01\ntime: 0.02\n"
#define SAID "problem: dipolar_spheres\n" REST

/* A lattice may be told in four ways. */
static void test_ways(void **state)
{
    (void)state;
    const double e = initial_energy(
        RUN_SCENARIO(SAID "lattice: 3\nspacing: 2\nnoise: 0.05\nseed: 7\n", "--json"));
    assert_true(e ==
                initial_energy(RUN_SCENARIO(
                    SAID "bodies: {lattice: 3, spacing: 2, noise: 0.05, seed: 7}\n", "--json")));
    assert_true(
        e == initial_energy(RUN_SCENARIO(
                 SAID "parameters: {lattice: 3, spacing: 2, noise: 0.05, seed: 7}\n", "--json")));
    assert_true(e == initial_energy(RUN(SPHERES, SHORT, "--json", "--set", "lattice=3", "--set",
                                        "spacing=2", "--set", "noise=0.05", "--set", "seed=7")));
    assert_true(
        e != initial_energy(RUN_SCENARIO(SAID "lattice: 3\nspacing: 2\nnoise: 0.05\n", "--json")));
}

/* Two bodies whose energy is known: 4 (1/2)^12 + 1 2/8 - 3 (2)(4)/32, momenta apart. */
#define PAIR                                                                                       \
    "bodies: {positions: [[0, 0, 0], [0, 0, 2]], dipoles: [[0, 0, 1], [0, 0, 2]], "                \
    "momenta: [[0, 0, 1], [0, 0, -2]], masses: [1, 4], "

static void test_lists(void **state)
{
    (void)state;
    const double V = 4.0 / 4096.0 + 2.0 / 8.0 - 3.0 * 2.0 * 4.0 / 32.0, K = 1.0;
    assert_true(fabs(initial_energy(RUN_SCENARIO(SAID PAIR "}\n", "--json")) - V - K) < 1e-15);
    /* the second turned upside down: by a vector, by a quaternion */
    const double turned = 4.0 / 4096.0 - 2.0 / 8.0 + 3.0 * 2.0 * 4.0 / 32.0;
    const char *const turns[] = {
        SAID PAIR "rotvecs: [[0, 0, 1], [3.14159265358979, 0, 0]]}\n",
        SAID PAIR "attitudes: [[1, 0, 0, 0], [0, 5, 0, 0]]}\n",
    };
    for (size_t i = 0; i < COUNT(turns); i++)
        assert_true(fabs(initial_energy(RUN_SCENARIO(turns[i], "--json")) - turned - K) < 1e-14);
    /* and turning: 9/(2 2) + 1/(2 1) */
    const double e =
        initial_energy(RUN_SCENARIO(SAID PAIR "inertias: [[1, 2, 3], [1, 2, 3]], "
                                              "angular_momenta: [[0, 3, 0], [1, 0, 0]]}\n",
                                    "--json"));
    assert_true(fabs(e - V - K - 2.75) < 1e-14);
}

/* A box: of two bodies the images see each other. */
static void test_box(void **state)
{
    (void)state;
    const double soft_end = 4.0 * pow(2.5, -12.0);
    const double soft = 4.0 - soft_end + (1.0 - 2.5) * 12.0 * soft_end / 2.5;
    const double e = initial_energy(
        RUN_SCENARIO(SAID "parameters: {dipole: [0, 0, 0]}\nbox: [9, 9, 9]\ncutoff: 2.5\n"
                          "bodies: {positions: [[0.25, 0, 0], [8.25, 0, 0], [4, 4, 4]]}\n",
                     "--json"));
    assert_true(fabs(e - soft) < 1e-13);
    const double parallel = initial_energy(
        RUN_SCENARIO(SAID "parameters: {epsilon: 0}\nbox: [9, 9, 9]\ncutoff: 3\ndielectric: 4\n"
                          "bodies: {positions: [[0, 0, 0], [8, 0, 0]], dipoles: [[0, 0, 1], [0, 0, "
                          "1]]}\n",
                     "--json"));
    assert_true(fabs(parallel - (1.0 - 2.0 * 3.0 / 9.0 / 27.0)) < 1e-15);
}

/* ---- what is written ------------------------------------------------------------- */

static const char HEADER[] = "t,body,x,y,z,px,py,pz,q0,q1,q2,q3,m1,m2,m3,"
                             "energy,mass,I1,I2,I3,d1,d2,d3\n";

/* Rows of every second step; and a run goes on from where its rows end. */
static void test_tables(void **state)
{
    (void)state;
    tool_run run = RUN(SPHERES, SHORT, "--set", "lattice=2", "--out", "a.csv", "--every", "2");
    assert_done(&run);
    assert_contains(run.out, "24 rows written to a.csv");
    assert_contains(run.out, "temperature");
    tool_run_free(&run);
    char *text = file_text("a.csv");
    assert_whole_rows(text, HEADER);
    assert_int_equal(1 + 3 * 8, count_lines(text));
    free(text);
    run = RUN(SPHERES, "verlet+exact", "--step", "0.1", "--time", "0.4", "--set", "lattice=2",
              "--json");
    json_t *json = parse_json(run.out);
    const double e = json_at(json_object_get(json, "energy"), "final", 0);
    json_decref(json);
    tool_run_free(&run);
    run = RUN_SCENARIO(SAID "bodies: a.csv\n", "--json");
    assert_done(&run); /* masses, moments and dipoles are in the rows */
    json = parse_json(run.out);
    assert_true(fabs(e - json_at(json_object_get(json, "energy"), "initial", 0)) < 1e-15);
    json_decref(json);
    tool_run_free(&run);
    assert_int_equal(0, remove("a.csv"));
}

/* The reader of bodies reads the attitudes of molecules, too, in any form. */
static void test_forms(void **state)
{
    (void)state;
#define TWO(names, second) "x,y,z," names "\n0,0,0," second "\n3,0,0," second "\n"
    static const char *const tables[] = {
        TWO("q0,q1,q2,q3", "0.6,0,0,0.8"),
        TWO("qx,qy,qz,qw", "0,0,0.8,0.6"),
        TWO("euler_zyx1,euler_zyx2,euler_zyx3", "1.854590436003224,0,0"),
        TWO("R11,R12,R13,R21,R22,R23,R31,R32,R33", "-0.28,-0.96,0,0.96,-0.28,0,0,0,1"),
        TWO("note,q0,q1,q2,q3", "near,0.6,0,0,0.8"),
    };
    double energy[COUNT(tables)];
    for (size_t i = 0; i < COUNT(tables); i++) {
        file_write("a.csv", tables[i]);
        tool_run run = RUN_SCENARIO(SAID "bodies: a.csv\n", "--json");
        assert_done(&run);
        json_t *json = parse_json(run.out);
        energy[i] = json_at(json_object_get(json, "energy"), "initial", 0);
        assert_true(fabs(energy[i] - energy[0]) < 1e-14 * fabs(energy[0]));
        json_decref(json);
        tool_run_free(&run);
    }
    file_write("a.csv", TWO("m_space1,m_space2,m_space3", "1,0,0"));
    assert_refused(RUN_SCENARIO(SAID "bodies: a.csv\n", "--json"), "needs the attitude of its row");
    assert_int_equal(0, remove("a.csv"));
}

static void test_arrays(void **state)
{
    (void)state;
    tool_run run = RUN(SPHERES, SHORT, "--set", "lattice=2", "--out", "a.npy");
    assert_done(&run);
    tool_run_free(&run);
    char *text = file_text("a.npy");
    assert_contains(text + 10, "(48, 23)");
    free(text);
    assert_int_equal(0, remove("a.npy"));
}

/* Two frames of a number, a line, and a line for each body. */
static void test_frames(void **state)
{
    (void)state;
    tool_run run = RUN(SPHERES, SHORT, "--set", "lattice=2", "--out", "a.xyz", "--every", "5",
                       "--set", "box=9,9,9");
    assert_done(&run);
    assert_contains(run.out, "2 frames written to a.xyz");
    tool_run_free(&run);
    char *text = file_text("a.xyz");
    assert_int_equal(2 * 10, count_lines(text));
    static const char begin[] = "8\nLattice=\"9 0 0 0 9 0 0 0 9\" Properties=";
    assert_int_equal(0, strncmp(text, begin, strlen(begin)));
    assert_contains(text, "Properties=species:S:1:pos:R:3:momenta:R:3:quaternion:R:4:"
                          "angular_momentum:R:3:mass:R:1:inertia:R:3:dipole:R:3 Time=0.5 "
                          "energy=");
    double x[20];
    const char *body = strstr(text, "\nX ");
    assert_non_null(body);
    body += 3;
    for (int k = 0; k < 20; k++) {
        char *end;
        x[k] = strtod(body, &end);
        assert_true(end > body);
        body = end;
    }
    assert_true(*body == '\n');
    assert_true(fabs(x[6] * x[6] + x[7] * x[7] + x[8] * x[8] + x[9] * x[9] - 1.0) < 1e-14);
    free(text);
    assert_int_equal(0, remove("a.xyz"));
    assert_refused(RUN("run", "--problem", "free", "--method", "exact", "--step", "1", "--time",
                       "2", "--out", "a.xyz"),
                   "frames of molecules");
}

/* ---- what is refused ------------------------------------------------------------- */

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *scenario, *message;
    } cases[] = {
        {SAID "lattice: 2.5\n", "lattice is 2.5"},
        {SAID "spacing: 0\n", "spacing is 0"},
        {SAID "noise: -1\n", "noise is -1"},
        {SAID "seed: -1\n", "seed -1"},
        {SAID "spacing: 0.4\n", "overlap"},
        {SAID "cutoff: 2\n", "give a box"},
        {SAID "box: [9, 9, 0]\n", "three positive edges"},
        {SAID "box: [18, 18, 18]\ncutoff: 9.1\n", "half the shortest"},
        {SAID "box: [18, 18, 18]\ndielectric: 0.5\n", "conductor"},
        {SAID "inertia: [0, 1, 1]\n", "moments of inertia"},
        {SAID "momentum: [0, 1, 1]\n", "cannot be used with"},
        {SAID "parameters: {sigma: 0}\n", "sigma"},
        {SAID "parameters: {mass: -1}\n", "parameter mass is -1, but must be > 0"},
        {SAID "parameters: {size: 0}\n", "no parameter size"},
        {SAID "bodies: {}\nlattice: 3\n", "cannot be used with"},
        {SAID "bodies: {position: [[0, 0, 0]]}\n", "did you mean \"positions\""},
        {SAID "bodies: {momenta: [[0, 0, 0]]}\n", "without positions"},
        {SAID "bodies: {positions: []}\n", "no bodies"},
        {SAID "bodies: {positions: [[0, 0]]}\n", "instead of 3"},
        {SAID "bodies: {positions: [[0, 0, 0]], masses: [1, 2]}\n", "2 masses for 1"},
        {SAID "bodies: {positions: [[0, 0, 0]], attitudes: [[1, 0, 0, 0]],"
              " rotvecs: [[0, 0, 0]]}\n",
         "cannot be used with"},
        {SAID "bodies: {positions: [[0, 0, 0]], attitudes: [[0, 0, 0, 0]]}\n", "attitude"},
        {SAID "bodies: nowhere.csv\n", "nowhere.csv"},
        {SAID "bodies: [1]\n", "mapping"},
        {"problem: heavy_top\nlattice: 3\n" REST, "cannot be used with"},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_refused(RUN_SCENARIO(cases[i].scenario, "--json"), cases[i].message);
    assert_refused(RUN(SPHERES, "exact", "--step", "0.1", "--time", "1"), "verlet+exact");
    assert_refused(RUN(SPHERES, "vlv", "--step", "0.1", "--time", "1"), "one body");
}

/* Tables that cannot be, with the line. */
static void test_bad_tables(void **state)
{
    (void)state;
    static const struct {
        const char *table, *message;
    } cases[] = {
        {"x,y\n1,2\n", "a.csv line 1: column z is missing"},
        {"x,y,z,q0,q1,q3\n1,2,3,1,0,0\n", "a.csv line 1: column q2 is missing"},
        {"x,y,z\n1,2,3\n4,5\n", "a.csv line 3 has 2 fields"},
        {"x,y,z\n1,2,3,4\n", "a.csv line 2 has 4 fields"},
        {"x,y,z\n1,2,three\n", "a.csv line 2: z `three`"},
        {"x,y,y\n1,2,3\n", "y occurs twice"},
        {"x,y,,z\n1,2,3,4\n", "column 3 has no name"},
        {"x,y,z\n", "no rows"},
        {"", "a.csv is empty"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        file_write("a.csv", cases[i].table);
        assert_refused(RUN_SCENARIO(SAID "bodies: a.csv\n", "--json"), cases[i].message);
    }
    assert_int_equal(0, remove("a.csv"));
}

/* A step that is too large: exit 1, the step, and the rows until then. */
static void test_explosion(void **state)
{
    (void)state;
    tool_run run = RUN(SPHERES, "verlet+exact", "--step", "0.3", "--time", "30", "--set",
                       "lattice=3", "--set", "spacing=1.2", "--out", "a.csv");
    assert_error_line(&run, 1, "failed: the energy changed by more than ten times");
    assert_contains(run.error, "step ");
    assert_contains(run.error, "rows are in a.csv");
    tool_run_free(&run);
    char *text = file_text("a.csv");
    assert_whole_rows(text, HEADER);
    assert_int_equal(1, count_lines(text) % 27);
    free(text);
    assert_int_equal(0, remove("a.csv"));
}

/* ---- comparing and listing ------------------------------------------------------- */

static void test_compare(void **state)
{
    (void)state;
    tool_run run =
        RUN("compare", "--problem", "dipolar_spheres", "--methods", "verlet+exact,srkn4_6b+exact",
            "--steps", "0.2,0.1", "--time", "1", "--json");
    assert_done(&run);
    json_t *rows = parse_json(run.out);
    assert_int_equal(4, json_array_size(rows));
    const json_t *verlet = json_array_get(rows, 1), *srkn = json_array_get(rows, 3);
    assert_true(fabs(json_at(verlet, "order", 0) - 2.0) < 0.1);
    assert_true(fabs(json_at(srkn, "order", 0) - 4.0) < 0.2);
    assert_int_equal(11, (int)json_at(verlet, "kicks", 0));
    assert_int_equal(61, (int)json_at(srkn, "kicks", 0));
    json_decref(rows);
    tool_run_free(&run);
}

static void test_list(void **state)
{
    (void)state;
    tool_run run = RUN("list", "problems", "--json");
    assert_done(&run);
    json_t *rows = parse_json(run.out);
    size_t i, found = 0;
    json_t *row;
    json_array_foreach(rows, i, row)
    {
        if (strcmp(json_string_value(json_object_get(row, "name")), "dipolar_spheres") != 0)
            continue;
        assert_string_equal("molecules", json_string_value(json_object_get(row, "space")));
        found++;
    }
    assert_int_equal(1, found);
    json_decref(rows);
    tool_run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lattice),    cmocka_unit_test(test_printed_spacing),
        cmocka_unit_test(test_kept),       cmocka_unit_test(test_ways),
        cmocka_unit_test(test_lists),      cmocka_unit_test(test_box),
        cmocka_unit_test(test_tables),     cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_frames),     cmocka_unit_test(test_refused),
        cmocka_unit_test(test_bad_tables), cmocka_unit_test(test_explosion),
        cmocka_unit_test(test_compare),    cmocka_unit_test(test_list),
        cmocka_unit_test(test_forms),
    };
    return cmocka_run_group_tests_name("cli_molecules", tests, folder_enter, folder_leave);
}
