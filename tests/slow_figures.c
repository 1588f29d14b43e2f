/* slow_figures.c - all figures, quickly: that each is computed and drawn, that its verdict
 * is the one docs/papers.md has, and that its numbers are those known from elsewhere. */
/* Needs kinds. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/papers/data.h"
#include "lab/papers/experiments.h"
#include "lab/papers/figure_table.h"
#include "support/page.h"
#include "support/run_tool.h"
#include "support/skip.h"

#include "lab/papers/figure.h"

#include "lab/papers/catalog_figure.h"

#define PAPERS TEST_DATA "/../../docs/papers.md"
#define FOLDER "out"

enum { FIGURES = sizeof figure_rows / sizeof figure_rows[0] };

static table numbers_of(const char *figure)
{
    char path[200];
    table t;
    (void)snprintf(path, sizeof path, FOLDER "/%s.csv", figure);
    if (!table_read_csv(&t, path))
        fail_msg("%s has no numbers", figure);
    return t;
}

/* Times were measured: the verdict may depend on the machine. */
static bool has_times(const table *t)
{
    for (size_t i = 0; i < t->columns; i++) {
        if (strncmp(t->name[i], "seconds", strlen("seconds")) == 0)
            return true;
    }
    return false;
}

static void all_are_computed(void **state)
{
    (void)state;
    need_gnuplot();
    tool_run run = RUN("reproduce", "--quick", "--out", FOLDER);
    assert_done(&run);
    tool_run_free(&run);
    for (size_t i = 0; i < FIGURES; i++) {
        static const char *const endings[] = {"csv", "json", "svg", "png"};
        for (size_t k = 0; k < COUNT(endings); k++) {
            char path[200];
            (void)snprintf(path, sizeof path, FOLDER "/%s.%s", figure_rows[i]->name, endings[k]);
            const bool wanted = k < 2 || figure_rows[i]->plot != NULL;
            if ((access(path, R_OK) == 0) != wanted)
                fail_msg("%s %s", path, wanted ? "is missing" : "should not be there");
        }
    }
}

/* Whether a line of the page says what a line of the tool says: the same words, and numbers
 * behind "measured" within a factor of two, as chaos allows them to differ. */
static bool same_line(const char *page, const char *line)
{
    static const char before[] = "measured ";
    while (*line != '\0' && *line != '\n') {
        if (strncmp(line, before, sizeof before - 1) == 0 &&
            strncmp(page, before, sizeof before - 1) == 0) {
            char *page_end, *line_end;
            const double said = strtod(page + sizeof before - 1, &page_end),
                         found = strtod(line + sizeof before - 1, &line_end);
            const double ratio = said == found ? 1.0 : said / found;
            if (!(ratio >= 0.5 && ratio <= 2.0))
                return false;
            page = page_end;
            line = line_end;
        } else if (*page++ != *line++) {
            return false;
        }
    }
    return *page == '\n' || *page == '\0';
}

/* Sets the times of a table to NaN: what is claimed of them is NaN, too. */
static void forget_times(table *t)
{
    for (size_t i = 0; i < t->rows * t->columns; i++) {
        if (strncmp(t->name[i % t->columns], "seconds", strlen("seconds")) == 0)
            t->cell[i].x = NAN;
    }
}

/* Of a figure with times, which may differ from machine to machine: whether the page has each
 * claim about other numbers as one that holds, or does not, and those with their numbers. */
static bool same_but_for_times(const ph_figure *f, table *t, const char *said)
{
    claims all;
    forget_times(t);
    figure_judge(f, t, &all);
    const size_t length = strcspn(said, "\n");
    for (size_t i = 0; i < all.count; i++) {
        const statement *x = &all.at[i];
        char text[STATEMENT_TEXT + 16], number[NUMBER_TEXT];
        (void)snprintf(text, sizeof text, "%s (measured ", x->text);
        const char *at = strstr(said, text);
        const bool on_page = at != NULL && at < said + length;
        if (isnan(x->measured) || x->correction)
            continue;
        if (on_page == statement_holds(x))
            return false;
        (void)snprintf(text, sizeof text, "%s ", number_text(x->measured, number));
        if (on_page &&
            strtod(at + strlen(x->text) + strlen(" (measured "), NULL) != strtod(number, NULL))
            return false;
    }
    return true;
}

/* The table of the documentation is what the tool prints, line by line; of a figure with
 * times, all but these. */
static void the_documentation_says_so(void **state)
{
    (void)state;
    need_gnuplot();
    char *page = file_text(PAPERS);
    assert_non_null(page);
    tool_run run = RUN("reproduce", "--quick", "--out", FOLDER, "--markdown");
    assert_done(&run);
    for (size_t i = 0; i < FIGURES; i++) {
        char row[100];
        table t = numbers_of(figure_rows[i]->name);
        (void)snprintf(row, sizeof row, "\n| `%s` |", figure_rows[i]->name);
        const char *said = strstr(page, row), *line = strstr(run.out, row);
        assert_non_null(line);
        if (said == NULL || !(has_times(&t) ? same_but_for_times(figure_rows[i], &t, said + 1)
                                            : same_line(said + 1, line + 1)))
            fail_msg("docs/papers.md has not the line\n%.2000s", line);
    }
    tool_run_free(&run);
    free(page);
}

/* Made with other programs, in binary128; to the digits known. */
static void numbers_are_those_known(void **state)
{
    (void)state;
    static const struct {
        const char *figure, *key, *word, *column;
        double value;
    } known[] = {
        {"krysl_figure1", "method", "imid", "error_momentum", 9.62e-6},
        {"krysl_figure1", "method", "akw", "error_attitude", 1.83e-3},
        {"krysl_figure1", "method", "swc1", "error_momentum", 3.05e-4},
        {"krysl_figure2", "method", "trap", "error_attitude", 5.90e-4},
        {"krysl_figure2", "method", "bbtrap", "error_momentum", 8.38e-4},
        {"krysl_figure3", "method", "imidm", "error_attitude", 2.61e-5},
        {"krysl_figure3", "method", "trap", "error_momentum", 1.41e-2},
        {"ortolan_figure4_2", "method", "eln", "error_attitude", 2.36e-7},
        {"ortolan_figure4_2", "method", "tln", "error_momentum", 6.95e-7},
        {"ortolan_figure4_2", "method", "liemid", "error_momentum", 8.25e-8},
        {"ortolan_figure7_6", "method", "rattle", "error_position", 1.3e-4},
        {"ortolan_figure7_9", "method", "rkmk4", "error_velocity", 1.1e-6},
    };
    const double digits = 0.05;
    need_gnuplot();
    for (size_t i = 0; i < COUNT(known); i++) {
        table t = numbers_of(known[i].figure);
        const double x = table_last(&t, known[i].key, known[i].word, known[i].column);
        if (!(fabs(x / known[i].value - 1) < digits))
            fail_msg("%s, %s: %g, not %g", known[i].figure, known[i].word, x, known[i].value);
    }
}

/* What docs/errata.md takes from figures. */
static void errata_of_figures(void **state)
{
    (void)state;
    need_gnuplot();
    table satellite = numbers_of("celledoni_figure14"), well = numbers_of("ortolan_figure4_2");
    page_says("errata.md",
              "relative error of the energy up to %.1f for the first, %.1e for the second",
              run_error(&satellite, "MR h = 0.1"), run_error(&satellite, "drift first h = 0.1"));
    static const char *const columns[] = {"error_attitude", "error_momentum"};
    double ratio[2];
    for (int k = 0; k < 2; k++)
        ratio[k] = table_last(&well, "method", "tln", columns[k]) /
                   table_last(&well, "method", "eln", columns[k]);
    page_says("errata.md", "TLN's error is %.1f times larger in R, %.1f times in w", ratio[0],
              ratio[1]);
    table drift = numbers_of("ortolan_figure4_1");
    page_says("errata.md", "with exp ELN drifts %.2f times as fast, TLN %.2f times",
              run_slope(&drift, "eln_exp h = 0.125") / run_slope(&drift, "eln h = 0.125"),
              run_slope(&drift, "tln_exp h = 0.125") / run_slope(&drift, "tln h = 0.125"));
}

/* The folder must be empty at the end. */
static int remove_results(void **state)
{
    static const char *const endings[] = {"csv", "json", "svg", "png"};
    for (size_t i = 0; i < FIGURES; i++) {
        for (size_t k = 0; k < COUNT(endings); k++) {
            char path[200];
            (void)snprintf(path, sizeof path, FOLDER "/%s.%s", figure_rows[i]->name, endings[k]);
            (void)unlink(path);
        }
    }
    (void)unlink(FOLDER "/index.html");
    (void)rmdir(FOLDER);
    return folder_leave(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_computed),
        cmocka_unit_test(the_documentation_says_so),
        cmocka_unit_test(numbers_are_those_known),
        cmocka_unit_test(errata_of_figures),
    };
    return cmocka_run_group_tests(tests, folder_enter, remove_results);
}
