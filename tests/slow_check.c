/* slow_check.c - `polhode check` at its full length: every integrator against what it
 * claims, the verdicts and numbers that other programs gave, and the pages of the
 * documentation that are made of it. */
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

#include "base/extremes.h"
#include "support/page.h"
#include "support/run_tool.h"
#include "system/find.h"

static json_t *all; /* of `polhode check --all --json` */

static int measure(void **state)
{
    (void)state;
    tool_run run = RUN("check", "--all", "--json");
    assert_done(&run);
    all = parse_json(run.out);
    tool_run_free(&run);
    return 0;
}

static int forget(void **state)
{
    (void)state;
    json_decref(all);
    return 0;
}

static const json_t *sheet_of(const char *name)
{
    size_t i;
    const json_t *sheet;
    json_array_foreach(all, i, sheet)
    {
        if (strcmp(json_string_value(json_object_get(sheet, "name")), name) == 0)
            return sheet;
    }
    fail_msg("%s was not checked", name);
    return NULL;
}

/* ---- claims ---------------------------------------------------------------------- */

static void every_claim_holds(void **state)
{
    (void)state;
    size_t i;
    const json_t *sheet;
    json_array_foreach(all, i, sheet)
    {
        const char *disputed = json_string_value(json_object_get(sheet, "disputed"));
        if (disputed[0] != '\0')
            fail_msg("%s: %s", json_string_value(json_object_get(sheet, "name")), disputed);
    }
}

static void everything_is_there(void **state)
{
    (void)state;
    size_t count;
    const ph_method *const *methods = ph_methods(&count);
    for (size_t i = 0; i < count; i++)
        assert_non_null(sheet_of(methods[i]->name));
    const ph_flow *const *flows = ph_flows(&count);
    for (size_t i = 0; i < count; i++)
        assert_non_null(sheet_of(flows[i]->name));
    const ph_scheme *const *schemes = ph_schemes(&count);
    for (size_t i = 0; i < count; i++) {
        char name[80];
        (void)snprintf(name, sizeof name, "%s+exact", schemes[i]->name);
        assert_non_null(sheet_of(name));
    }
}

/* ---- verdicts -------------------------------------------------------------------- */

/* What binary128 programs of others found: symplectic, energy (e exact, b bounded, d
 * drift, - either of the last two) and momentum (y, n) of the free body, then in a
 * field. */
static const struct {
    const char *name;
    int order;
    const char *verdicts;
} VERDICTS[] = {
    {"eln", 2, "n-nndn"},
    {"tln", 2, "n-nndn"},
    {"imid", 2, "nenndn"},
    {"swc1", 2, "neyndy"},
    {"akw", 2, "neyndn"},
    {"rattle", 2, "yeyyby"},
    {"vlv", 2, "ybyyby"},
    {"vlv_exp", 2, "ybyyby"},
    {"saccon", 2, "ybyyby"},
    {"liemid", 2, "nbyndy"},
    {"prk", 2, "neyndy"},
    {"mcg", 2, "nbyndy"},
    {"new3", 2, "nbyndy"},
    {"trap", 2, "n-nndn"},
    {"trapm", 2, "nbyndy"},
    {"imidm", 2, "nbyndy"},
    {"bbtrap", 2, "neyndy"},
    {"bbtrapwd", 2, "n-yndy"},
    {"mkrk_rk4", 4, "n-yndy"},
    {"mkrk_gl4", 4, "n-yndy"},
    {"verlet+mr", 2, "ybyyby"},
    {"verlet+exact", 2, "yeyyby"},
    {"verlet_drift+exact", 2, "yeyyby"},
    {"hoa+exact", 2, "yeyyby"},
    {"hoa_drift+exact", 2, "yeyyby"},
    {"s4_6+exact", 4, "yeyyby"},
    {"s6_10+exact", 6, "yeyyby"},
    {"srkn4_6b+exact", 4, "yeyyby"},
    {"srkn6_14a+exact", 6, "yeyyby"},
    {"nystrom4+exact", 4, "yeyyby"},
};

static char symplectic_mark(const json_t *conduct)
{
    const json_t *value = json_object_get(conduct, "symplectic");
    return json_is_true(value) ? 'y' : json_is_false(value) ? 'n' : '?';
}

static bool energy_is(const json_t *conduct, char mark)
{
    const char measured = json_string_value(json_object_get(conduct, "energy"))[0];
    return mark == '-' ? measured != 'e' : measured == mark;
}

static char momentum_mark(const json_t *conduct)
{
    return json_string_value(json_object_get(conduct, "momentum"))[0] == 'e' ? 'y' : 'n';
}

static void verdicts(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(VERDICTS); i++) {
        const json_t *sheet = sheet_of(VERDICTS[i].name);
        assert_int_equal(VERDICTS[i].order, (int)json_at(sheet, "order", 0));
        for (int field = 0; field < 2; field++) {
            const json_t *c = json_object_get(sheet, field ? "field" : "free");
            const char *right = VERDICTS[i].verdicts + (field ? 3 : 0);
            if (symplectic_mark(c) != right[0] || !energy_is(c, right[1]) ||
                momentum_mark(c) != right[2])
                fail_msg("%s, %s: not %.3s", VERDICTS[i].name, field ? "field" : "free", right);
        }
    }
}

/* All symmetric ones of order 2 and the schemes; these are not. */
static void symmetry(void **state)
{
    (void)state;
    static const char *const NOT[] = {"bbtrapwd", "mkrk_rk4", "mkrk_gl4", "mkrk_gl6"};
    for (size_t i = 0; i < COUNT(NOT); i++)
        assert_true(json_is_false(json_object_get(sheet_of(NOT[i]), "symmetric")));
    for (size_t i = 0; i < COUNT(VERDICTS); i++) {
        bool is = true;
        for (size_t k = 0; k < COUNT(NOT); k++)
            is = is && strcmp(NOT[k], VERDICTS[i].name) != 0;
        const json_t *sheet = sheet_of(VERDICTS[i].name);
        assert_int_equal(is, json_is_true(json_object_get(sheet, "symmetric")));
        assert_int_equal(
            is, json_is_true(json_object_get(json_object_get(sheet, "field"), "reversible")));
    }
}

/* V13 and HV, Table 2: order, then Qy, C, H, Poisson, symplectic of the free body. */
static void tables_of_the_free_body(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int order;
        const char *marks;
    } ROWS[] = {
        {"sr2", 2, "yynyy"},  {"sr4", 4, "yynyy"},  {"sr6", 6, "yynyy"},  {"dmv2", 2, "yyyyy"},
        {"dmv4", 4, "yyyyn"}, {"dmv6", 6, "yyyyn"}, {"dmv8", 8, "yyyyn"}, {"imr2", 2, "yyynn"},
        {"imr4", 4, "yyynn"}, {"imr6", 6, "yyynn"}, {"jem2", 2, "nyyyn"}, {"jem4", 4, "nyyyn"},
    };
    for (size_t i = 0; i < COUNT(ROWS); i++) {
        const json_t *sheet = sheet_of(ROWS[i].name), *c = json_object_get(sheet, "free");
        const bool kept[] = {momentum_mark(c) == 'y', json_is_true(json_object_get(c, "casimir")),
                             energy_is(c, 'e'), json_is_true(json_object_get(c, "poisson")),
                             symplectic_mark(c) == 'y'};
        assert_int_equal(ROWS[i].order, (int)json_at(sheet, "order", 0));
        for (size_t k = 0; k < COUNT(kept); k++) {
            if (kept[k] != (ROWS[i].marks[k] == 'y'))
                fail_msg("%s: property %zu", ROWS[i].name, k);
        }
        assert_true(json_is_null(json_object_get(sheet, "drift")));
        assert_true(json_is_null(json_object_get(json_object_get(sheet, "field"), "symplectic")));
    }
    static const char *const EXACT[] = {"exact", "rotation",   "kosenko",
                                        "zon",   "quaternion", "dmv_exact"};
    for (size_t i = 0; i < COUNT(EXACT); i++) {
        const json_t *sheet = sheet_of(EXACT[i]);
        assert_true(json_is_true(json_object_get(sheet, "exact")));
        assert_true(json_is_null(json_object_get(sheet, "order")));
        assert_true(symplectic_mark(json_object_get(sheet, "free")) == 'y');
    }
}

/* The slopes in the well, h = 0.125; two per cent, as the others printed them. */
static void slopes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double slope;
    } ROWS[] = {
        {"eln", -1.055e-6},   {"tln", -1.590e-6},     {"prk", -1.697e-6},    {"mcg", 5.688e-7},
        {"new3", 5.686e-7},   {"liemid", 1.423e-7},   {"trap", 3.54e-7},     {"imid", 3.59e-7},
        {"trapm", -7.35e-7},  {"imidm", -7.37e-7},    {"swc1", 3.68e-7},     {"akw", -1.31e-6},
        {"bbtrap", -4.42e-7}, {"bbtrapwd", -4.09e-6}, {"mkrk_rk4", -2.9e-7}, {"mkrk_gl4", -1.0e-9},
    };
    for (size_t i = 0; i < COUNT(ROWS); i++) {
        const double slope = json_at(sheet_of(ROWS[i].name), "drift", 0);
        if (!(fabs(slope / ROWS[i].slope - 1) < 0.02))
            fail_msg("%s: slope %g, not %g", ROWS[i].name, slope, ROWS[i].slope);
    }
}

/* Told from the symplectic ones although their drift is exact to nine digits. */
static void nearly_exact_drifts(void **state)
{
    (void)state;
    const double d8 = json_at(sheet_of("verlet+dmv8"), "symplectic_defect", 0),
                 d10 = json_at(sheet_of("verlet+dmv10"), "symplectic_defect", 0);
    assert_true(d8 > 1e-8 && d10 > 2e-10);
    static const char *const CANDIDATES[] = {"verlet+dmv10", "verlet+gauss8"};
    for (size_t i = 0; i < COUNT(CANDIDATES); i++)
        assert_true(json_is_true(
            json_object_get(sheet_of(CANDIDATES[i]), "conjugate_symplectic_candidate")));
    assert_true(
        json_is_false(json_object_get(sheet_of("verlet+exact"), "conjugate_symplectic_candidate")));
}

/* ---- numbers of the pages --------------------------------------------------------- */

/* The largest Lyapunov exponent and its error, by `compare`. */
typedef struct exponent {
    double value, error;
} exponent;

#define EXPONENT(...)                                                                              \
    exponent_of((const char *const[]){"compare", "--lyapunov", "--json", __VA_ARGS__, NULL})

static exponent exponent_of(const char *const *words)
{
    tool_run run = tool_run_words(NULL, words);
    assert_done(&run);
    json_t *rows = parse_json(run.out);
    const json_t *row = json_array_get(rows, 0);
    const exponent e = {json_at(row, "lyapunov", 0), json_at(row, "lyapunov_error", 0)};
    json_decref(rows);
    tool_run_free(&run);
    return e;
}

static exponent in_the_well(const char *name, const char *step)
{
    return EXPONENT("--problem", "well", "--methods", name, "--steps", step, "--time", "10000");
}

/* What a page says of chaotic motion, and what was found: to three standard errors of both.
 * Round-off decides which motion it is. */
static void assert_exponent(const char *what, const double said[2], exponent e)
{
    if (!(fabs(said[0] - e.value) <= 3 * (said[1] + e.error) && e.error < 3 * said[1] &&
          e.error > said[1] / 3))
        fail_msg("%s: %g ± %g, and the page says %g ± %g", what, e.value, e.error, said[0],
                 said[1]);
}

static void page_has_exponent(const char *page, const char *before, exponent e)
{
    double said[2];
    page_pair(page, before, said);
    assert_exponent(before, said, e);
}

/* Of a cell `a ± b`: to a tenth, two standard errors, or what `check` itself takes for
 * round-off; of `chaotic, a ± b` the exponent. */
static void check_slope(const char *name, const char *step, const char *cell, double slope,
                        double error, double round_off)
{
    char *end;
    double chaos[2];
    const double said = strtod(cell, &end), off = fabs(slope - said);
    if (sscanf(cell, " chaotic, %lf ± %lf ", &chaos[0], &chaos[1]) == 2) {
        assert_exponent(name, chaos, in_the_well(name, step));
        return;
    }
    if (end == cell || strstr(cell, "±") == NULL ||
        !(off <= 0.1 * fabs(said) || off <= 2 * error || off <= round_off))
        fail_msg("%s: slope %g +- %g, and docs/check.md says %s", name, slope, error, cell);
}

/* A row of the table of numbers in docs/check.md. */
static void check_numbers(char *row)
{
    enum { NAME, DEFECT, SLOPE, WELL, STEP = WELL + 2, TORQUES, CELLS };
    char *cell[CELLS] = {NULL}, *rest = NULL;
    for (int k = 0; k < CELLS; k++) {
        cell[k] = strtok_r(k == 0 ? row : NULL, "|", &rest);
        assert_non_null(cell[k]);
    }
    char *name = strtok_r(cell[NAME], " `", &rest);
    const json_t *sheet = sheet_of(name), *field = json_object_get(sheet, "field"),
                 *wells = json_object_get(sheet, "drift_test");
    const double defect = strtod(cell[DEFECT], NULL),
                 found = json_at(sheet, "symplectic_defect", 0);
    assert_true(found < 3 * defect && found > defect / 3);
    /* As docs/check.md has it: 2^-51 of the kinetic energy per step of 1/16, and 1e-15 of the
     * energy per step in the well. */
    static const char *const steps[] = {"0.125", "0.25"};
    const double round_off = ldexp(1, -51) * 55 * 16, in_well = 1e-15 * 0.67;
    check_slope(name, NULL, cell[SLOPE], json_at(field, "slope", 0),
                json_at(field, "slope_error", 0), round_off);
    for (size_t k = 0; k < 2; k++) {
        const json_t *well = json_array_get(wells, k);
        check_slope(name, steps[k], cell[WELL + k], json_at(well, "slope", 0),
                    json_at(well, "standard_error", 0), in_well / atof(steps[k]));
    }
    assert_true(fabs(json_at(sheet, "stable_step", 0) / strtod(cell[STEP], NULL) - 1) < 0.05);
    assert_true(fabs(json_at(sheet, "torques", 0) / strtod(cell[TORQUES], NULL) - 1) < 0.05);
}

static void numbers(void **state)
{
    (void)state;
    char *page = file_text(TEST_DATA "/../../docs/check.md"), *rest = NULL;
    assert_non_null(page);
    char *table = strstr(page, "| name | defect |");
    assert_non_null(table);
    size_t rows = 0;
    for (char *line = strtok_r(table, "\n", &rest); line != NULL && line[0] == '|';
         line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, "| `", strlen("| `")) == 0) {
            check_numbers(line);
            rows++;
        }
    }
    assert_true(rows > 20);
    free(page);
}

/* Where a page says "chaotic", the exponent stands beside it. */
static void exponents(void **state)
{
    (void)state;
    exponent e = in_the_well("tln", "0.25");
    page_has_exponent("papers.md", "(largest Lyapunov exponent", e);
    e = EXPONENT("--problem", "heavy_top", "--set", "strength=4", "--methods", "verlet+exact",
                 "--steps", "0.4", "--time", "8000");
    page_has_exponent("check.md", "Its largest Lyapunov exponent is", e);
    e = EXPONENT("--problem", "double_pendulum", "--methods", "rattle", "--steps", "0.01", "--time",
                 "10");
    page_has_exponent("modified.md", "The double pendulum of O11 has", e);
    page_has_exponent("spheres.md", "Their largest Lyapunov exponents are", e);
    e = EXPONENT("--problem", "double_pendulum", "--methods", "rkmkgl6", "--steps", "0.01",
                 "--time", "10");
    page_has_exponent("modified.md", "with `rattle` and", e);
    e = EXPONENT("--problem", "magnets", "--methods", "verlet+circle", "--steps", "0.001", "--time",
                 "1");
    page_has_exponent("spheres.md", "for the double pendulum and", e);
}

/* The same of `check --lyapunov`: of one, and the range of others, whose motions part from
 * its own. */
static void exponents_of_check(void **state)
{
    (void)state;
    enum { METHODS = 7, PROBLEMS = 3 };
    static const char *const before[PROBLEMS] = {"`well` is regular,", "`heavy_top` has",
                                                 "and `generic`"},
                             *const others[PROBLEMS] = {NULL,
                                                        "With these integrators the exponent is",
                                                        "for `heavy_top` and"};
    tool_run run = RUN("check", "s6_10+exact", "verlet+exact", "s4_6+exact", "srkn4_6b+exact",
                       "srkn6_14a+exact", "nystrom4+exact", "mkrk_gl6", "--lyapunov", "--json");
    assert_done(&run);
    json_t *rows = parse_json(run.out);
    for (size_t n = 0; n < METHODS; n++) {
        const json_t *of = json_object_get(json_array_get(rows, n), "lyapunov");
        for (size_t k = 0; k < PROBLEMS; k++) {
            const json_t *one = json_array_get(of, k);
            const exponent e = {json_at(one, "exponent", 0), json_at(one, "error", 0)};
            double range[2];
            if (n == 0)
                page_has_exponent("modified.md", before[k], e);
            if (n == 0 || others[k] == NULL)
                continue;
            page_pair("modified.md", others[k], range);
            assert_true(e.value > range[0] - 2 * e.error && e.value < range[1] + 2 * e.error);
        }
    }
    json_decref(rows);
    tool_run_free(&run);
}

/* The orders of three truncations. */
static void orders_of(double order[3], const json_t *truncations)
{
    for (size_t k = 0; k < 3; k++)
        order[k] = json_at(json_array_get(truncations, k), "order", 0);
}

/* docs/modified.md: truncations of modified Hamiltonians. */
static void modified(void **state)
{
    (void)state;
    static const char *const energies[] = {"sr2", "mr", "verlet+exact", "s4_6+exact"};
    enum { ENERGIES = COUNT(energies), STEP = 2 /* of the five: 0.1 */ };
    tool_run run = RUN("check", "sr2", "mr", "verlet+exact", "s4_6+exact", "dmv2", "imr2",
                       "--modified", "--json");
    assert_done(&run);
    json_t *rows = parse_json(run.out);
    double o[3], e[3], motion[2][3];
    for (size_t n = 0; n < ENERGIES + 2; n++) {
        const json_t *m = json_object_get(json_array_get(rows, n), "modified"),
                     *all_of = json_object_get(m, "truncations");
        orders_of(n < ENERGIES ? o : motion[n - ENERGIES], all_of);
        for (size_t k = 0; k < 3; k++)
            e[k] = json_at(json_array_get(all_of, k), "errors", STEP);
        if (n < ENERGIES)
            page_says("modified.md", "| `%s`, %s | %.1e | %.1e | %.1e | %.2f, %.2f, %.2f |",
                      energies[n], n < 2 ? "free body" : "`generic`", e[0], e[1], e[2], o[0], o[1],
                      o[2]);
        else if (n == ENERGIES + 1)
            orders_of(o, json_object_get(m, "bracket"));
    }
    page_says("modified.md", "%.1f, %.1f, %.1f (`dmv2`) and %.1f, %.1f, %.1f (`imr2`)",
              motion[0][0], motion[0][1], motion[0][2], motion[1][0], motion[1][1], motion[1][2]);
    page_says("modified.md", "has the orders %.1f, %.1f, %.1f with g = 1", o[0], o[1], o[2]);
    json_decref(rows);
    tool_run_free(&run);
}

/* docs/composition.md: orders of what is composed, inside a scheme and as a whole. */
static void composition(void **state)
{
    (void)state;
    enum { METHODS = 4, STEPS = 3 };
    tool_run run = RUN("compare", "--problem", "heavy_top", "--steps", "0.1,0.05,0.025", "--time",
                       "5", "--methods",
                       "verlet+mr:yoshida4,verlet+mr@yoshida4,rattle@yoshida4,"
                       "rattle@kahan_li6",
                       "--json");
    assert_done(&run);
    json_t *rows = parse_json(run.out);
    double o[METHODS];
    for (size_t n = 0; n < METHODS; n++)
        o[n] = json_at(json_array_get(rows, STEPS * n + STEPS - 1), "order", 0);
    page_says("composition.md", "gives the orders %.1f, %.1f, %.1f and %.1f", o[0], o[1], o[2],
              o[3]);
    json_decref(rows);
    tool_run_free(&run);
}

/* docs/check.md: differences next to a fold of an implicit equation. */
static void near_a_fold(void **state)
{
    (void)state;
    tool_run run = RUN("check", "dmv2:yoshida4", "--json");
    assert_done(&run);
    json_t *sheet = parse_json(run.out);
    page_says("check.md", "`dmv2:yoshida4` has a defect of %.1e",
              json_at(json_array_get(sheet, 0), "symplectic_defect", 0));
    json_decref(sheet);
    tool_run_free(&run);
}

/* What a symplectic step does to the energy of chaotic motion: from twelve starts. */
static void chaotic_energy(void **state)
{
    (void)state;
    enum { STARTS = 12 };
    double low = INFINITY, high = 0;
    for (int k = 0; k < STARTS; k++) {
        char start[80];
        (void)snprintf(start, sizeof start, "%.8f,-0.3,0.2", 0.4 + k * 1e-8);
        tool_run run =
            RUN("run", "--problem", "heavy_top", "--set", "strength=4", "--method", "verlet+exact",
                "--step", "0.4", "--time", "42000", "--rotvec", start, "--json");
        assert_done(&run);
        json_t *document = parse_json(run.out);
        const json_t *energy = json_object_get(document, "energy");
        const double off = json_at(energy, "max_error", 0) / fabs(json_at(energy, "initial", 0));
        low = smaller_or_nan(low, off);
        high = larger_or_nan(high, off);
        json_decref(document);
        tool_run_free(&run);
    }
    double said[2]; /* what round-off decides: to a factor of two */
    page_pair("check.md", "is off by", said);
    assert_true(low > said[0] / 2 && low < 2 * said[0]);
    assert_true(high > said[1] / 2 && high < 2 * said[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_holds),
        cmocka_unit_test(everything_is_there),
        cmocka_unit_test(verdicts),
        cmocka_unit_test(symmetry),
        cmocka_unit_test(tables_of_the_free_body),
        cmocka_unit_test(slopes),
        cmocka_unit_test(nearly_exact_drifts),
        cmocka_unit_test(numbers),
        cmocka_unit_test(exponents),
        cmocka_unit_test(exponents_of_check),
        cmocka_unit_test(near_a_fold),
        cmocka_unit_test(modified),
        cmocka_unit_test(composition),
        cmocka_unit_test(chaotic_energy),
    };
    return cmocka_run_group_tests_name("check", tests, measure, forget);
}
