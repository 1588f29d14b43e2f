/* test_figures.c - every figure in the folder: that it says what it is, that its numbers
 * are the same each time, that its verdict follows from them and from nothing else, that
 * it stops when told to, and that it can be drawn. With as little work as there is: what
 * the verdicts are is for slow_figures.c.
 */
/* Needs kinds. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/extremes.h"
#include "lab/papers/data.h"
#include "lab/papers/result.h"
#include "tool/files/file_text.h"
#include "tool/files/picture.h"

#include "lab/papers/catalog_figure.h"
#include "support/run_tool.h"
#include "support/skip.h"
#include "support/svg_checks.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static table computed(const ph_figure *f)
{
    figure_work work = {.effort = FIGURE_SMOKE};
    table t = {0};
    if (!figure_compute(f, &work, &t))
        fail_msg("%s: %s", f->name, work.error == NULL ? "stopped" : work.error);
    assert_true(t.rows > 0);
    return t;
}

static claims judged(const ph_figure *f, const table *t)
{
    claims said;
    figure_judge(f, t, &said);
    return said;
}

/* ---- what it is ------------------------------------------------------------------ */

static bool is_sentence(const char *text)
{
    return text != NULL && strlen(text) > 20 && text[strlen(text) - 1] == '.';
}

/* author_figureN, author_tableN, author_sectionN, with more numbers after underscores. */
static bool is_name(const char *name)
{
    static const char *const kinds[] = {"_figure", "_table", "_section"};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        const char *kind = strstr(name, kinds[i]);
        if (kind == NULL || kind == name)
            continue;
        const char *number = kind + strlen(kinds[i]);
        return isdigit((unsigned char)*number) && number[strspn(number, "0123456789_")] == '\0';
    }
    return false;
}

static void says_what_it_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(figure_rows); i++) {
        const ph_figure *f = figure_rows[i];
        if (!is_name(f->name))
            fail_msg("%s is no name of a figure or table", f->name);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(f->name, figure_rows[k]->name);
        const figure_text *text = figure_text_of(f);
        if (text->title[0] == '\0' || text->cite[0] == '\0')
            fail_msg("%s: no title or nothing cited in lab/papers/figures/*.md", f->name);
        if (!is_sentence(text->claim) || !is_sentence(text->setup))
            fail_msg("%s: claim and set-up are sentences", f->name);
        assert_true(f->seconds[FIGURE_QUICK] > 0 && f->seconds[FIGURE_FULL] > 0);
    }
}

/* ---- numbers --------------------------------------------------------------------- */

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Times are measured; everything else is computed. */
static void assert_same(const ph_figure *f, const table *a, const table *b)
{
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->rows, b->rows);
    for (size_t i = 0; i < a->columns * a->rows; i++) {
        const char *column = a->name[i % a->columns];
        if (strncmp(column, "seconds", strlen("seconds")) == 0)
            continue;
        const cell *x = &a->cell[i], *y = &b->cell[i];
        if ((x->word == NULL) != (y->word == NULL) ||
            (x->word != NULL ? strcmp(x->word, y->word) != 0 : !same_number(x->x, y->x)))
            fail_msg("%s: row %zu, column %s differs", f->name, i / a->columns, column);
    }
}

static void the_same_each_time(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(figure_rows); i++) {
        table a = computed(figure_rows[i]), b = computed(figure_rows[i]);
        assert_same(figure_rows[i], &a, &b);
    }
}

static void write_table(const table *t, const char *path)
{
    outfile *out = outfile_open(path);
    assert_non_null(out);
    table_write_csv(t, out);
    assert_int_equal(0, outfile_close(out, NULL));
}

static void files_hold_every_number(void **state)
{
    (void)state;
    char path[] = "/tmp/polhode-figures-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
    for (size_t i = 0; i < COUNT(figure_rows); i++) {
        table a = computed(figure_rows[i]), b;
        write_table(&a, path);
        assert_true(table_read_csv(&b, path));
        assert_same(figure_rows[i], &a, &b);
        for (size_t k = 0; k < a.columns; k++)
            assert_string_equal(a.name[k], b.name[k]);
    }
    (void)unlink(path);
}

/* ---- the verdict ----------------------------------------------------------------- */

static double inside(const statement *x)
{
    return isinf(x->lower) && isinf(x->upper) ? 0.0
           : isinf(x->lower)                  ? x->upper
           : isinf(x->upper)                  ? x->lower
                                              : 0.5 * (x->lower + x->upper);
}

static double outside(const statement *x)
{
    return isinf(x->upper) ? x->lower - larger_or_nan(1.0, fabs(x->lower))
                           : x->upper + larger_or_nan(1.0, fabs(x->upper));
}

/* Every claim and every correction bears on the verdict. */
static void the_verdict_follows_from_the_claims(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(figure_rows); i++) {
        const ph_figure *f = figure_rows[i];
        table t = computed(f);
        claims said = judged(f, &t);
        assert_true(said.count > 0 && said.count < CLAIMS_MOST);
        for (size_t k = 0; k < said.count; k++)
            said.at[k].measured = inside(&said.at[k]);
        assert_int_equal(said.partly != NULL       ? PARTLY
                         : said.other_data != NULL ? QUALITATIVE
                                                   : REPRODUCED,
                         claims_verdict(&said));
        for (size_t k = 0; k < said.count; k++) {
            claims other = said;
            statement *x = &other.at[k];
            if (isinf(x->lower) && isinf(x->upper))
                fail_msg("%s: `%s` asks for nothing", f->name, x->text);
            x->measured = outside(x);
            const bool corrected = k + 1 < said.count && said.at[k + 1].correction;
            if (x->correction)
                other.at[k - 1].measured = outside(&other.at[k - 1]);
            assert_int_equal(corrected ? CORRECTED : NOT_REPRODUCED, claims_verdict(&other));
        }
    }
}

/* A claim quotes the paper or is ours, and what is said instead of it is said of another
 * number: not that this one lies on the other side of a bound. */
static void claims_rest_on_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(figure_rows); i++) {
        const ph_figure *f = figure_rows[i];
        table t = computed(f);
        const claims said = judged(f, &t);
        for (size_t k = 0; k < said.count; k++) {
            const statement *x = &said.at[k];
            if (x->where == NULL || x->where[0] == '\0')
                fail_msg("%s: `%s` rests on nothing", f->name, x->text);
            const bool number = x->datum || strcmp(x->where, "binary128") == 0;
            if ((x->words == NULL) != (strcmp(x->where, "ours") == 0 && !number) ||
                (x->words != NULL && !number && strlen(x->words) < strlen("it has order 2r")))
                fail_msg("%s: `%s` quotes nothing", f->name, x->text);
            if (x->correction && (x[-1].upper == x->lower || x[-1].lower == x->upper) &&
                x[-1].measured == x->measured)
                fail_msg("%s: `%s` is about the same number", f->name, x->text);
        }
    }
}

/* Without numbers nothing holds: each claim rests on the table. */
static void without_numbers_nothing_holds(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(figure_rows); i++) {
        const ph_figure *f = figure_rows[i];
        table t = computed(f);
        for (size_t k = 0; k < t.columns * t.rows; k++)
            t.cell[k].x = NAN;
        const claims said = judged(f, &t);
        for (size_t k = 0; k < said.count; k++) {
            if (statement_holds(&said.at[k]) && !said.at[k].datum)
                fail_msg("%s: `%s` holds without numbers", f->name, said.at[k].text);
        }
        assert_int_equal(NOT_REPRODUCED, claims_verdict(&said));
        table empty = t;
        empty.rows = 0;
        const claims none = judged(f, &empty);
        assert_int_equal(NOT_REPRODUCED, claims_verdict(&none));
    }
}

/* ---- data ------------------------------------------------------------------------ */

/* Whether the verdict is the worst for this datum alone. */
static bool is_noticed(const datum *d)
{
    claims one = {0};
    claim_datum(d, &one);
    return claims_verdict(&one) == NOT_REPRODUCED;
}

/* Every number that a figure uses is as the paper prints it; and 1 % more, or of nothing a
 * thousandth, is noticed. */
static void other_data_are_noticed(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(figure_rows); i++) {
        const ph_figure *f = figure_rows[i];
        datum data[DATA_MOST];
        const size_t count = figure_data(f, data);
        if (count == 0 || count == DATA_MOST)
            fail_msg("%s: its data are not in lab/papers/data.c", f->name);
        for (size_t k = 0; k < count; k++) {
            if (is_noticed(&data[k]))
                fail_msg("%s: %s is not %s (%s)", f->name, data[k].name, data[k].printed,
                         data[k].where);
            for (size_t n = 0; n < data[k].count; n++) {
                datum other = data[k];
                other.used[n] = other.used[n] == 0 ? 1e-3 : other.used[n] * 1.01;
                if (!is_noticed(&other))
                    fail_msg("%s: another %s is not noticed", f->name, other.name);
            }
        }
    }
}

static bool is_among(const char *name, const datum *data, size_t count)
{
    size_t n = 0;
    while (n < count && strcmp(data[n].name, name) != 0)
        n++;
    return n < count;
}

/* The ledger has what a figure uses, with the value that it uses, and nothing is missing on either
 * side: neither a number that no row of the list has, nor a row that no figure uses. */
static void the_ledger_is_what_was_used(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(figure_rows); i++) {
        const ph_figure *f = figure_rows[i];
        datum data[DATA_MOST];
        const size_t count = figure_data(f, data);
        assert_true(count < DATA_MOST);
        for (const figure_number *n = f->numbers; n != NULL && n->name != NULL; n++) {
            const datum *d = data;
            while (d < data + count && strcmp(d->name, n->name) != 0)
                d++;
            assert_true(d < data + count && d->count == n->count);
            assert_memory_equal(d->used, n->value, n->count * sizeof *n->value);
        }
        for (size_t k = 0; k < count; k++) {
            if (!(datum_difference(&data[k]) <= 1))
                fail_msg("%s: %s is not %s (%s)", f->name, data[k].name, data[k].printed,
                         data[k].where);
            datum fewer = data[k], unprinted = data[k];
            fewer.count--;
            unprinted.printed = "";
            assert_true(is_noticed(&fewer) && is_noticed(&unprinted));
        }
    }
}

/* No parameter of a problem is left out, nor the start of a body. */
static void all_parameters_are_listed(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(figure_rows); i++) {
        const char *problem = figure_problem(figure_rows[i]);
        ph_problem_facts p;
        datum data[DATA_MOST];
        const size_t listed = figure_data(figure_rows[i], data);
        size_t at = 0;
        while (problem != NULL && ph_problem_at(at, &p) && strcmp(p.name, problem) != 0)
            at++;
        for (int k = 0; problem != NULL && k < p.parameter_count; k++) {
            if (!is_among(p.parameters[k].name, data, listed))
                fail_msg("%s: %s of %s is not in lab/papers/data.c", figure_rows[i]->name,
                         p.parameters[k].name, problem);
        }
        const bool body = problem != NULL && find_problem(problem) != NULL;
        assert_true(!body || is_among("inertia", data, listed));
        assert_true(!body || is_among("rotation", data, listed));
        assert_true(!body || is_among("velocity", data, listed) ||
                    is_among("momentum", data, listed));
    }
}

/* A file may lack any column: then it is judged all the same. */
static void judged_without_a_column(void **state)
{
    (void)state;
    char other[] = "other";
    for (size_t i = 0; i < COUNT(figure_rows); i++) {
        table t = computed(figure_rows[i]);
        for (size_t k = 0; k < t.columns; k++) {
            char *name = t.name[k];
            t.name[k] = other;
            assert_true(judged(figure_rows[i], &t).count > 0);
            t.name[k] = name;
        }
    }
}

/* ---- stopping and drawing -------------------------------------------------------- */

static bool stop(void *context, double fraction)
{
    ++*(int *)context;
    assert_true(fraction >= 0 && fraction <= 1);
    return false;
}

static void stops_at_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(figure_rows); i++) {
        const ph_figure *f = figure_rows[i];
        int asked = 0;
        figure_work work = {.effort = FIGURE_FULL, /* it would take long */
                            .report = stop,
                            .context = &asked};
        table t = {0};
        if (figure_compute(f, &work, &t) || work.error != NULL || asked != 1)
            fail_msg("%s does not stop when told to", f->name);
    }
}

static void can_be_drawn(void **state)
{
    (void)state;
    need_gnuplot();
    char path[] = "/tmp/polhode-figures-XXXXXX", drawn[] = "/tmp/polhode-picture-XXXXXX";
    const int fd = mkstemp(path), picture_fd = mkstemp(drawn);
    assert_true(fd >= 0 && picture_fd >= 0);
    (void)close(fd);
    (void)close(picture_fd);
    size_t faults = 0;
    for (size_t i = 0; i < COUNT(figure_rows); i++) {
        const ph_figure *f = figure_rows[i];
        if (f->plot == NULL)
            continue;
        table t = computed(f);
        write_table(&t, path);
        FILE *script = tmpfile();
        outfile *picture = outfile_open(drawn);
        assert_true(script != NULL && picture != NULL);
        if (!figure_draw(f, path, script, PLOT_SVG) ||
            gnuplot_draw(script, PLOT_SVG, picture, NULL) != 0)
            fail_msg("%s cannot be drawn", f->name);
        assert_int_equal(0, outfile_close(picture, NULL));
        assert_int_equal(0, fclose(script));
        char *svg = file_text(drawn);
        faults += unreadable(f->name, svg);
        free(svg);
    }
    (void)unlink(path);
    (void)unlink(drawn);
    assert_int_equal(0, faults);
}

/* ---- tables ---------------------------------------------------------------------- */

static void tables_keep_what_is_missing(void **state)
{
    (void)state;
    table t;
    table_begin(&t, "name,x");
    ROW(&t, ("a, \"b\"\n"), 1);
    ROW(&t, ("c"), 3);
    ROW(&t, ("c"), -2);
    assert_string_equal("a   b  ", table_cell(&t, 0, "name")->word);
    assert_true(table_most(&t, NULL, NULL, "x") == 3);
    assert_true(table_least(&t, "name", "c", "x") == -2);
    assert_true(table_first(&t, "name", "c", "x") == 3);
    assert_true(table_last(&t, "name", "c", "x") == -2);
    assert_true(table_matches(&t, 1, "x", "3") && !table_matches(&t, 1, "x", "2"));
    assert_true(isnan(table_first(&t, "name", "d", "x")));
    assert_true(isnan(table_most(&t, NULL, NULL, "y")));
    assert_null(table_cell(&t, 3, "x"));
    ROW(&t, ("c"), NAN); /* a number that is missing is not overlooked */
    assert_true(isnan(table_most(&t, "name", "c", "x")));
    assert_true(isnan(table_least(&t, NULL, NULL, "x")));
    assert_true(isnan(table_last(&t, NULL, NULL, "x")));
}

static void parts_of_tables(void **state)
{
    (void)state;
    table t, empty;
    table_begin(&empty, "name,h,error");
    assert_int_equal(0, table_part(&empty, "name", "a").rows);
    table_begin(&t, "name,h,error");
    const double errors[] = {1, 0.25, 0.0625, 1e-20, 4, 1};
    for (size_t i = 0; i < COUNT(errors); i++)
        ROW(&t, (i < 4 ? "a" : "b"), 1.0 / (double)(1 << i), errors[i]);
    const table b = table_part(&t, "name", "b");
    assert_int_equal(2, b.rows);
    assert_true(table_number(&b, 0, "error") == 4);
    assert_int_equal(0, table_part(&t, "name", "c").rows);
    assert_int_equal(t.rows, table_part(&t, "name", NULL).rows);
    size_t row = 1;
    assert_true(next_row(&t, &row, "name", "b") && row == 4);
    row = 6;
    assert_false(next_row(&t, &row, "name", "b"));
    assert_true(table_ratio(&t, "name", "b", "a", "error") == 4);
    assert_true(fabs(table_order(&t, "name", "a", "h", "error", 1e-9) - 2) < 1e-12);
    assert_true(table_order(&t, "name", "a", "h", "error", 0) > 50);
    assert_true(isnan(table_order(&t, "name", "c", "h", "error", 0)));
}

/* ---- words ----------------------------------------------------------------------- */

static void reasons_have_their_numbers(void **state)
{
    (void)state;
    claims f = {0};
    char text[REASON_TEXT];
    ours(&f);
    claim(&f, 3.5, -INFINITY, 1, "%s is small", "x");
    assert_string_equal("0 of 1 claims hold; not: x is small (measured 3.5, required at "
                        "most 1)",
                        claims_reason(&f, text));
    f.count = 0;
    quote(&f, "3.1", "rather small");
    claim(&f, 3.5, -INFINITY, 1, "%s is small", "x");
    assert_string_equal("0 of 1 claims hold; not: (3.1) x is small "
                        "(measured 3.5, required at most 1)",
                        claims_reason(&f, text));
    correction(&f, 3.5, 3, 4, "x is pi");
    assert_int_equal(CORRECTED, claims_verdict(&f));
    assert_non_null(
        strstr(claims_reason(&f, text), "; instead: x is pi (measured 3.5, required 3 to 4)"));
    f.at[0].measured = 1;
    assert_string_equal("the claim holds", claims_reason(&f, text));
    assert_int_equal(REPRODUCED, claims_verdict(&f));
    other_data(&f, "they are lost");
    assert_int_equal(QUALITATIVE, claims_verdict(&f));
    assert_string_equal("the claim holds, with other data than the paper's: they are lost",
                        claims_reason(&f, text));
    f.at[0].measured = NAN;
    f.at[1].measured = INFINITY;
    assert_int_equal(NOT_REPRODUCED, claims_verdict(&f));
}

/* ---- the page -------------------------------------------------------------------- */

/* Whatever stands in the files of a figure is text on the page, and UTF-8. */
static void the_page_holds_only_text(void **state)
{
    (void)state;
    char path[] = "/tmp/polhode-figures-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
    result r = {.figure = figure_rows[0],
                .finished = true,
                .version = "<script>1</script>",
                .effort = "<img src=x onerror='1'>\xC2\x9B"};
    table_begin(&r.numbers, "<script>name,other");
    ROW(&r.numbers, ("<script>\"&\xED\xA0\x80"), 1);
    outfile *out = outfile_open(path);
    assert_non_null(out);
    page_write(out, &r, 1);
    assert_int_equal(0, outfile_close(out, NULL));
    char page[40000];
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    page[fread(page, 1, sizeof page - 1, f)] = '\0';
    assert_int_equal(0, fclose(f));
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, "<img src=x"));
    assert_non_null(strstr(page, "&lt;script&gt;1&lt;/script&gt;"));
    assert_non_null(strstr(page, "&lt;img src=x onerror=&#39;1&#39;&gt;"));
    assert_non_null(strstr(page, "<td>&lt;script&gt; &amp;?"));
    for (size_t i = 0, n; page[i] != '\0'; i += n) {
        n = page[i] == '\n' ? 1 : text_character(page + i, strlen(page + i));
        assert_true(n > 0);
    }
    assert_int_equal(0, unlink(path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_it_is),
        cmocka_unit_test(the_same_each_time),
        cmocka_unit_test(files_hold_every_number),
        cmocka_unit_test(the_verdict_follows_from_the_claims),
        cmocka_unit_test(claims_rest_on_words),
        cmocka_unit_test(without_numbers_nothing_holds),
        cmocka_unit_test(other_data_are_noticed),
        cmocka_unit_test(the_ledger_is_what_was_used),
        cmocka_unit_test(all_parameters_are_listed),
        cmocka_unit_test(judged_without_a_column),
        cmocka_unit_test(stops_at_once),
        cmocka_unit_test(can_be_drawn),
        cmocka_unit_test(tables_keep_what_is_missing),
        cmocka_unit_test(parts_of_tables),
        cmocka_unit_test(reasons_have_their_numbers),
        cmocka_unit_test(the_page_holds_only_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
