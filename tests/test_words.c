/* test_words.c - what `check`, `compare` and long work print, word for word: sheets of one's own
 * making, and a clock and a terminal that do as they are told. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "integrators/adaptive_run.h"
#include "lab/check/check_output.h"
#include "lab/compare/compare_measure.h"
#include "support/run_tool.h"
#include "system/find.h"
#include "tool/base/tool.h"
#include "tool/files/memory.h"

/* ---- sheets ---------------------------------------------------------------------- */

/* An integrator of which everything was found as claimed. */
static check_row row_of(const char *name)
{
    check_row row = {.name = "own", .title = "Of one's own", .cite = "nobody"};
    assert_int_equal(PH_OK, ph_integrator_named(name, &row.integrator));
    const unsigned kept[2] = {ph_integrator_keeps_free(&row.integrator),
                              ph_integrator_keeps(&row.integrator)};
    ph_properties *const properties[2] = {&row.sheet.free, &row.sheet.field};
    for (int k = 0; k < 2; k++) {
        ph_properties *c = properties[k];
        c->applies = k == 0 || row.integrator.flow == NULL || row.integrator.scheme != NULL;
        c->symmetric = (kept[k] & PH_SYMMETRIC) != 0 ? PH_ANSWER_YES : PH_ANSWER_NO;
        c->symplectic = (kept[k] & PH_SYMPLECTIC) != 0 ? PH_ANSWER_YES : PH_ANSWER_NO;
        c->poisson = (kept[k] & PH_POISSON) != 0 ? PH_ANSWER_YES : PH_ANSWER_NO;
        c->momentum = (kept[k] & PH_MOMENTUM) != 0 ? PH_ANSWER_YES : PH_ANSWER_NO;
        c->casimir = (kept[k] & PH_CASIMIR) != 0 ? PH_ANSWER_YES : PH_ANSWER_NO;
        c->energy = (kept[k] & PH_ENERGY) != 0 ? PH_ENERGY_EXACT : PH_ENERGY_BOUNDED;
        c->step_error = 1e-3;
    }
    const int order = ph_integrator_order(&row.integrator);
    row.sheet.exact = order == PH_ORDER_EXACT;
    row.sheet.order = row.sheet.exact ? NAN : order + 0.04;
    return row;
}

static void assert_mismatches(const check_row *row, const char *right)
{
    assert_string_equal(right, check_mismatches(row));
}

static void test_mismatches(void **state)
{
    (void)state;
    check_row row = row_of("vlv");
    assert_mismatches(&row, "");
    row.sheet.order = 2.6;
    assert_mismatches(&row, "order");
    row.sheet.order = NAN; /* not resolved: no dispute */
    assert_mismatches(&row, "");
    row.sheet.exact = true;
    assert_mismatches(&row, "order");
    row = row_of("vlv");
    row.sheet.field.symplectic = PH_ANSWER_NO;
    row.sheet.free.symmetric = PH_ANSWER_NO;
    row.sheet.order = 1.0;
    assert_mismatches(&row, "order, symmetric (free), symplectic (field)");

    row = row_of("exact");
    assert_mismatches(&row, "");
    row.sheet.exact = false;
    assert_mismatches(&row, "");
    row.sheet.order = 8.0;
    assert_mismatches(&row, "order");
    row.sheet.exact = true;
    assert_mismatches(&row, "");
}

static char *sheet_text(const check_row *row)
{
    outfile *out = outfile_open("sheet.txt");
    assert_non_null(out);
    rendering r = render_begin_as(AS_TEXT, out);
    check_sheet(&r, row);
    assert_int_equal(0, outfile_close(out, NULL));
    char *text = file_text("sheet.txt");
    assert_int_equal(0, remove("sheet.txt"));
    return text;
}

static void test_sheet(void **state)
{
    (void)state;
    check_row row = row_of("vlv");
    ph_properties *c = &row.sheet.field;
    *c = (ph_properties){.applies = true,
                         .symmetric = PH_ANSWER_YES,
                         .reversible = PH_ANSWER_NO,
                         .symplectic = PH_ANSWER_UNRESOLVED,
                         .momentum = PH_ANSWER_YES,
                         .energy = PH_ENERGY_DRIFTS,
                         .symmetry_defect = 1e-15,
                         .reversal_defect = 2e-2,
                         .symplectic_defect = 3e-3,
                         .energy_error = {4e-4, 5e-5},
                         .momentum_error = 6e-16};
    row.sheet.test = (ph_energy_test){.verdict = PH_ENERGY_DRIFTS,
                                      .problem = "vertical",
                                      .slope = -1.25e-8,
                                      .standard_error = 3e-11,
                                      .horizon = 4375};
    row.sheet.free.step_error = 1e-7;
    row.sheet.free.poisson = PH_ANSWER_UNRESOLVED;
    row.sheet.drift[0] = (ph_trend){
        .h = 0.125, .slope = 1.5e-9, .standard_error = 2e-10, .max_error = 3e-4, .drifts = true};
    row.sheet.drift[1] = (ph_trend){.h = 0.25, .slope = NAN, .taken = 321};
    row.sheet.stable_step = 1.19;
    row.sheet.torques = 2.5;
    row.sheet.nanoseconds = 123.4;
    row.sheet.unit_error = 7e-16;
    row.sheet.candidate = true;
    char *text = sheet_text(&row);
    assert_contains(text, "own - Of one's own (nobody)\n"
                          "  order              2        slope 2.040 on the problem generic\n"
                          "\nfree body\n");
    assert_contains(text, "  ? the step is nearly exact, its error 1e-07: its structure");
    assert_contains(
        text,
        "\nin a field\n  symmetric          yes      there and back with -h, h = 0.1: defect "
        "1.0e-15\n  reversible         no       there and back with -m, h = 0.1: defect 2.0e-02\n  "
        "symplectic         ?        canonical form, h = 0.4: defect 3.0e-03\n  energy             "
        "drift    at h = 0.1: largest error 4.0e-04; at 0.5: 5.0e-05\n  momentum           exact   "
        " map about the vertical, h = 0.1: error 6.0e-16\n  verdict            drifts   slope "
        "-1.25e-08 +- 3e-11 to t = 4375, vertical\n  drift in the well  yes      h = 0.125: slope "
        "+1.50e-09 +- 2e-10, error 3.0e-04\n                     none     h = 0.25: the run failed "
        "after 321 steps\n  largest step       1.19     in the well: energy within 10 % over 10^4 "
        "steps\n  not symplectic, and yet bounded: it may be conjugate to a symplectic method,\n  "
        "or its drift is below 1e-12 of the kinetic energy per unit of time\n\n  attitude          "
        " 7.0e-16  largest distance of |q| from 1\n  cost               123 ns per step, torques "
        "per step 2.5\n");
    free(text);

    row = row_of("exact");
    text = sheet_text(&row);
    assert_contains(text, "  order              exact    no error above 1e-12\n");
    assert_contains(text, "  its length         exact    Casimir, h = 0.1: largest");
    assert_contains(text, "  cost               0 ns per step\n  its claims         hold\n");
    assert_null(strstr(text, "in a field"));
    assert_null(strstr(text, "nearly exact"));
    row.sheet.exact = false;
    row.sheet.free.symplectic = PH_ANSWER_NO;
    free(text);
    text = sheet_text(&row);
    assert_contains(text, "  order              ?        not resolved between its errors");
    assert_contains(text, "  its claims         do not hold: symplectic (free)\n");
    row.sheet.order = 4.0;
    free(text);
    text = sheet_text(&row);
    assert_contains(text, "slope 4.000 on generic without torque\n");
    free(text);
}

/* Long titles, and of words and numbers the widest. */
static check_row widest(const char *name, const char *kind)
{
    static const char words[] = "Words that go on and on until there is no more room ";
    check_row row = row_of(name);
    ph_properties *const properties[2] = {&row.sheet.free, &row.sheet.field};
    row.name = memory_text("%s", name);
    row.title = memory_text("%s%s%s", kind, words, words);
    row.cite = words;
    for (int k = 0; k < 2; k++) {
        properties[k]->momentum = properties[k]->casimir = PH_ANSWER_YES;
        properties[k]->energy = PH_ENERGY_BOUNDED;
        properties[k]->symmetric = properties[k]->poisson = PH_ANSWER_UNRESOLVED;
    }
    row.sheet.test = (ph_energy_test){.verdict = PH_ENERGY_UNDECIDED,
                                      .problem = "heavy_top",
                                      .slope = -1.25e-8,
                                      .standard_error = 3e-11,
                                      .horizon = 319375};
    row.sheet.drift[0] = row.sheet.drift[1] =
        (ph_trend){.h = 0.125, .slope = -1e-9, .standard_error = 2e-10, .max_error = 3e4};
    row.sheet.candidate = true;
    row.sheet.stable_step = 0.0595;
    row.sheet.nanoseconds = 1e6;
    return row;
}

typedef void table_of(outfile *out, const check_list *list, bool markdown);

static char *table_text(table_of *print, const check_list *list)
{
    outfile *out = outfile_open("table.txt");
    assert_non_null(out);
    print(out, list, false);
    assert_int_equal(0, outfile_close(out, NULL));
    char *text = file_text("table.txt");
    assert_int_equal(0, remove("table.txt"));
    return text;
}

/* Sheets and tables of everything there is, on a terminal. */
static void test_width(void **state)
{
    (void)state;
    static check_row rows[200];
    check_list list = {.row = rows};
    size_t count;
    char name[64];
    const ph_method *const *methods = ph_methods(&count);
    for (size_t i = 0; i < count; i++)
        rows[list.count++] = widest(methods[i]->name, "");
    const ph_adaptive *const *adaptives = ph_adaptives(&count);
    for (size_t i = 0; i < count; i++)
        rows[list.count++] = widest(adaptives[i]->name, "");
    const ph_flow *const *flows = ph_flows(&count);
    for (size_t i = 0; i < count; i++) {
        rows[list.count] = widest(flows[i]->name, "");
        rows[list.count++].kind = CHECK_FLOWS;
        (void)snprintf(name, sizeof name, "verlet+%s", flows[i]->name);
        rows[list.count] = widest(name, "Kick, drift, kick; ");
        rows[list.count++].kind = CHECK_PAIRS;
    }
    assert_true(list.count < COUNT(rows));
    for (size_t i = 0; i < list.count; i++) {
        char *text = sheet_text(&rows[i]);
        assert_narrow(text);
        free(text);
    }
    char *table = table_text(check_table, &list);
    assert_contains(table, "\nflows, free body\n");
    assert_null(strstr(table, "flows, in a field"));
    assert_contains(table, "\nverlet with every flow, in a field\n");
    assert_narrow(table);
    free(table);
    char *papers = table_text(check_papers, &list);
    assert_contains(papers, "Ortolan 2011");
    assert_contains(papers, "field: symplectic");
    assert_narrow(papers);
    free(papers);
}

/* ---- one result in all renderings ------------------------------------------------- */

/* States the same result in a form; returns what is printed. */
static char *rendered(rendering_form form)
{
    outfile *out = outfile_open("rendered.txt");
    assert_non_null(out);
    rendering r = render_begin_as(form, out);
    render_item(&r, NULL);
    render_line(&r, "name whole size long", "%s: %d, %zu, %llu %% ", "first", -3, (size_t)7,
                1ULL << 40);
    render_line(&r, "- ?kept ?lost ?open ?word - half", "%*s %s %s %s %s %.*g %.2g\n", 2, "x",
                "yes", "no", "?", "exact", 3, 0.1, 0.5);
    render_data(&r, "unknown endless long_minus", "%g %g %ld", NAN, INFINITY, -5L);
    render_text(&r, "for people %s\n", "alone");
    render_object(&r, "inner");
    render_numbers(&r, "x", "numbers", 9, 3, (const double[]){1.0, NAN}, 2);
    render_close(&r);
    render_words(&r, "name\terror");
    for (int k = 0; k < 2; k++) {
        render_item(&r, "rows");
        render_cells(&r, "name error", "row %d\t%.1e", k, k == 0 ? 0.001 : NAN);
        render_close(&r);
    }
    render_table(&r);
    assert_int_equal(0, render_end(&r, true, JSON_COMPACT));
    assert_int_equal(0, outfile_close(out, NULL));
    char *text = file_text("rendered.txt");
    assert_int_equal(0, remove("rendered.txt"));
    memory_end();
    return text;
}

static void test_renderings(void **state)
{
    (void)state;
    static const char lines[] = "first: -3, 7, 1099511627776 %  x yes no ? exact 0.1 0.5\n"
                                "for people alone\nnumbers   1, nan\n";
    char *text = rendered(AS_TEXT), *json = rendered(AS_JSON), *page = rendered(AS_MARKDOWN);
    assert_memory_equal(text, lines, strlen(lines));
    assert_string_equal(text + strlen(lines), "name   error\nrow 0  1.0e-03\nrow 1  -\n");
    assert_memory_equal(page, lines, strlen(lines));
    assert_string_equal(page + strlen(lines),
                        "| name | error |\n|---|---|\n| row 0 | 1.0e-03 |\n| row 1 | - |\n");
    assert_string_equal(json,
                        "{\"name\":\"first\",\"whole\":-3,\"size\":7,\"long\":1099511627776,"
                        "\"kept\":true,\"lost\":false,\"open\":null,\"word\":\"exact\","
                        "\"half\":0.5,\"unknown\":null,\"endless\":null,\"long_minus\":-5,"
                        "\"inner\":{\"x\":[1.0,null]},"
                        "\"rows\":[{\"name\":0,\"error\":0.001},{\"name\":1,\"error\":null}]}\n");
    free(text);
    free(json);
    free(page);
}

/* ---- progress -------------------------------------------------------------------- */

static double now;
static bool terminal_on[3]; /* standard input, output, error */

double __wrap_clock_now(void);
int __wrap_isatty(int fd);

double __wrap_clock_now(void)
{
    return now;
}

int __wrap_isatty(int fd)
{
    return fd >= 0 && fd < 3 && terminal_on[fd];
}

/* What work that begins at 100 s shows at these times. */
static char *shown(bool rows, const double *times, const double *fractions)
{
    (void)fflush(stderr);
    const int before = dup(STDERR_FILENO),
              fd = open("progress.txt", O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(before >= 0 && fd >= 0 && dup2(fd, STDERR_FILENO) >= 0);
    now = 100.0;
    progress_begin(rows);
    for (int i = 0; times[i] != 0.0; i++) {
        now = 100.0 + times[i];
        progress_show(10U * (unsigned)(i + 1), fractions[i]);
    }
    progress_end();
    progress_end(); /* nothing is left to be wiped */
    (void)fflush(stderr);
    assert_true(dup2(before, STDERR_FILENO) >= 0);
    (void)close(before);
    (void)close(fd);
    char *text = file_text("progress.txt");
    assert_int_equal(0, remove("progress.txt"));
    return text;
}

#define WIPE "\r\033[K"

static void test_progress(void **state)
{
    (void)state;
    static const double times[] = {0.5, 0.99, 1.0, 1.1, 1.25, 2.5, 0.0},
                        fractions[] = {0.1, 0.2, 0.25, 0.3, 0.5, -1.0};
    static const struct {
        bool error, output, rows, says;
    } cases[] = {{true, true, false, true},   {true, true, true, false},
                 {true, false, true, true},   {true, false, false, true},
                 {false, true, false, false}, {false, false, false, false},
                 {false, true, true, false}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        terminal_on[STDERR_FILENO] = cases[i].error;
        terminal_on[STDOUT_FILENO] = cases[i].output;
        char *text = shown(cases[i].rows, times, fractions);
        assert_string_equal(cases[i].says ? WIPE " 25 %, 30 done, about 3 s left" WIPE
                                                 " 50 %, 50 done, about 1 s left" WIPE
                                                 "60 done in 2 s" WIPE
                                          : "",
                            text);
        free(text);
    }
}

/* ---- compare --------------------------------------------------------------------- */

/* A line where the free motion takes longer than a torque, and only there. */
static void test_costs(void **state)
{
    (void)state;
    assert_string_equal("", compare_cost_line("verlet+exact", 0.99));
    assert_string_equal("", compare_cost_line("verlet+exact", 1.0));
    assert_string_equal("", compare_cost_line("verlet+exact", NAN));
    assert_string_equal("\nthe free motion of verlet+exact takes 6.5 times as long as a "
                        "torque:\ngbs, to a tolerance, evaluates more torques but no such motion\n",
                        compare_cost_line("verlet+exact", 6.5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mismatches), cmocka_unit_test(test_sheet),
        cmocka_unit_test(test_width),      cmocka_unit_test(test_renderings),
        cmocka_unit_test(test_progress),   cmocka_unit_test(test_costs)};
    return cmocka_run_group_tests_name("words", tests, folder_enter, folder_leave);
}
