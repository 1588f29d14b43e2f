/* result.c - the files of a figure in a folder; and index.html, every figure with claim,
 * set-up, picture, numbers and verdict. */
#include "lab/papers/result.h"
#include "lab/papers/data.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "page_head.h" /* page_head, written by the build from page.html */
#include "tool/files/json.h"
#include "tool/files/memory.h"

const char *result_path(const ph_figure *f, const char *folder, const char *ending)
{
    return memory_text("%s/%s.%s", folder, f->name, ending);
}

static void seed_text(const ph_figure *f, char text[RESULT_WORD])
{
    (void)snprintf(text, RESULT_WORD, "%016" PRIx64, figure_seed(f->name));
}

static void copy_word(char to[RESULT_WORD], const char *from)
{
    (void)snprintf(to, RESULT_WORD, "%s", from);
}

void result_read(result *r, const ph_figure *f, const char *folder)
{
    char seed[RESULT_WORD];
    seed_text(f, seed);
    *r = (result){.figure = f};
    const bool numbers = table_read_csv(&r->numbers, result_path(f, folder, "csv"));
    json_t *key = NULL;
    if (numbers) {
        key = json_load_file(result_path(f, folder, "json"), 0, NULL);
        figure_judge(f, &r->numbers, &r->claims);
    }
    const char *version, *effort, *its_seed;
    if (key != NULL && json_unpack(key, "{ss ss ss sF}", "version", &version, "effort", &effort,
                                   "seed", &its_seed, "seconds", &r->seconds) == 0) {
        copy_word(r->version, version);
        copy_word(r->effort, effort);
        r->same_seed = strcmp(its_seed, seed) == 0;
        r->finished = true;
        json_t *now = result_json(r);
        r->judged_otherwise = json_equal(key, now) == 0;
        json_decref(now);
    }
    json_decref(key);
}

bool result_current(const result *r, figure_effort effort)
{
    return r->finished && r->same_seed && strcmp(r->version, ph_version()) == 0 &&
           strcmp(r->effort, figure_effort_text(effort)) == 0;
}

static json_t *statement_json(const statement *x)
{
    return json_pack("{ss ss? ss? so so so sb sb sb}", "claim", x->text, "words", x->words, "where",
                     x->where, "measured", json_finite(x->measured), "lower", json_finite(x->lower),
                     "upper", json_finite(x->upper), "holds", (int)statement_holds(x), "correction",
                     (int)x->correction, "datum", (int)x->datum);
}

json_t *result_json(const result *r)
{
    char reason[REASON_TEXT], seed[RESULT_WORD];
    seed_text(r->figure, seed);
    json_t *array = json_array();
    for (size_t i = 0; i < r->claims.count; i++)
        json_add(array, statement_json(&r->claims.at[i]));
    return json_pack("{ss ss ss ss ss ss sf so}", "name", r->figure->name, "verdict",
                     verdict_text(claims_verdict(&r->claims)), "reason",
                     claims_reason(&r->claims, reason), "effort", r->effort, "version", r->version,
                     "seed", seed, "seconds", r->seconds, "findings", array);
}

int result_finish(result *r, const char *folder, figure_effort effort, double seconds)
{
    copy_word(r->effort, figure_effort_text(effort));
    copy_word(r->version, ph_version());
    r->seconds = seconds;
    outfile *out = outfile_open(result_path(r->figure, folder, "json"));
    if (out == NULL)
        return errno;
    (void)json_write(out, result_json(r), JSON_INDENT(1));
    outfile_print(out, "\n");
    r->finished = true;
    r->judged_otherwise = false;
    return outfile_close(out, NULL);
}

/* ---- the page -------------------------------------------------------------------- */

enum { SHORT_TABLE = 80 }; /* rows that are shown on the page */

/* Text of whatever origin: nothing in it is taken for HTML, and all of it is UTF-8. */
static void print_text(outfile *out, const char *text)
{
    static const char special[] = "<>&\"'";
    static const char *const references[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&#39;"};
    for (size_t length = strlen(text), n; length > 0; text += n, length -= n) {
        const char *found = strchr(special, *text);
        n = text_character(text, length);
        if (n == 0)
            outfile_write(out, "?", n = 1);
        else if (found != NULL)
            outfile_print(out, "%s", references[found - special]);
        else
            outfile_write(out, text, n);
    }
}

/* HTML, the first of the words, in which each %s is the next of them. */
static void print_html(outfile *out, const char *const *words)
{
    const char *html = *words;
    while (*++words != NULL) {
        const char *at = strstr(html, "%s");
        outfile_write(out, html, (size_t)(at - html));
        print_text(out, *words);
        html = at + strlen("%s");
    }
    outfile_write(out, html, strlen(html));
}
#define PRINT(out, ...) print_html((out), (const char *const[]){__VA_ARGS__, NULL})

static void print_verdict(outfile *out, const result *r)
{
    const verdict v = claims_verdict(&r->claims);
    outfile_print(out, "<span class=\"verdict v%d\">%s</span>", (int)v, verdict_text(v));
}

static void print_claims(outfile *out, const claims *f)
{
    PRINT(out, "<table>\n<tr><th>what the paper says</th><th>as a number</th>"
               "<th>required</th><th>measured</th><th>holds</th></tr>\n");
    for (size_t i = 0; i < f->count; i++) {
        char number[NUMBER_TEXT], bounds[BOUNDS_TEXT];
        const statement *x = &f->at[i];
        const char *holds = yes_or_no(statement_holds(x));
        if (x->correction && i > 0 && statement_holds(&f->at[i - 1]))
            continue; /* there is nothing to correct */
        const char *kind = text_if(x->correction, "instead"), *words = text_or_empty(x->words),
                   *where = text_or_empty(x->where);
        if (x->correction)
            PRINT(out, "<tr class=\"%s %s\"><td>%s</td>", holds, kind, kind);
        else
            PRINT(out, "<tr class=\"%s %s\"><td>%s%s%s</td>", holds, kind, words,
                  text_if(x->words != NULL, "; "), where);
        PRINT(out, "<td>%s</td><td>%s</td><td class=\"n\">%s</td><td>%s</td></tr>\n", x->text,
              bounds_text(x, bounds), number_text(x->measured, number), holds);
    }
    PRINT(out, "</table>\n");
}

static void print_rows(outfile *out, const table *t)
{
    PRINT(out, "<div class=\"wide\"><table>\n<tr>");
    for (size_t i = 0; i < t->columns; i++)
        PRINT(out, "<th>%s</th>", t->name[i]);
    PRINT(out, "</tr>\n");
    for (size_t i = 0; i < t->rows * t->columns; i++) {
        const cell *c = &t->cell[i];
        char number[32] = "";
        if (!isnan(c->x))
            (void)snprintf(number, sizeof number, "%.6g", c->x);
        if (i % t->columns == 0)
            PRINT(out, "<tr>");
        if (c->word == NULL)
            PRINT(out, "<td class=\"n\">%s</td>", number);
        else
            PRINT(out, "<td>%s</td>", c->word);
        if ((i + 1) % t->columns == 0)
            PRINT(out, "</tr>\n");
    }
    PRINT(out, "</table></div>\n");
}

/* A table is there to be read; the numbers behind a picture wait until asked for. */
static void print_numbers(outfile *out, const result *r)
{
    const table *t = &r->numbers;
    const char *name = r->figure->name;
    const bool is_table = r->figure->plot == NULL;
    if (is_table || t->rows <= SHORT_TABLE) {
        if (!is_table)
            PRINT(out, "<details><summary>The numbers</summary>\n");
        print_rows(out, t);
        if (!is_table)
            PRINT(out, "</details>\n");
    }
    outfile_print(out, "<p class=\"small\"><a href=\"%s.csv\">%s.csv</a>: %zu rows; ", name, name,
                  t->rows);
    print_text(out, r->effort);
    outfile_print(out, " run, %.3g s, version ", r->seconds);
    PRINT(out, "%s</p>\n", r->version);
}

static void print_figure(outfile *out, const result *r)
{
    const char *name = r->figure->name;
    const figure_text *text = figure_text_of(r->figure);
    char reason[REASON_TEXT];
    PRINT(out, "<section id=\"%s\">\n<h2>%s</h2>\n", name, text->title);
    PRINT(out, "<p class=\"small\"><code>%s</code> &middot; %s</p>\n", name, text->cite);
    PRINT(out, "<p><b>Claim.</b> %s</p>\n<p><b>Verdict.</b> ", text->claim);
    print_verdict(out, r);
    PRINT(out, " %s.</p>\n", claims_reason(&r->claims, reason));
    if (r->figure->plot != NULL)
        PRINT(out, "<a href=\"%s.svg\"><img src=\"%s.png\" alt=\"%s\" loading=\"lazy\"></a>\n",
              name, name, text->title);
    print_claims(out, &r->claims);
    PRINT(out, "<p><b>Set-up.</b> %s</p>\n", text->setup);
    print_numbers(out, r);
    PRINT(out, "</section>\n");
}

static void print_summary(outfile *out, const result *results, size_t count)
{
    size_t of[VERDICTS] = {0}, missing = 0;
    for (size_t i = 0; i < count; i++) {
        if (results[i].finished)
            of[claims_verdict(&results[i].claims)]++;
        else
            missing++;
    }
    outfile_print(out,
                  "<p>%zu figures and tables reproduced, %zu qualitatively, %zu partly, "
                  "%zu corrected, "
                  "%zu not reproduced",
                  of[REPRODUCED], of[QUALITATIVE], of[PARTLY], of[CORRECTED], of[NOT_REPRODUCED]);
    if (missing > 0)
        outfile_print(out, "; %zu not computed here", missing);
    PRINT(out, ".</p>\n<table>\n");
    for (size_t i = 0; i < count; i++) {
        const result *r = &results[i];
        if (!r->finished)
            continue;
        PRINT(out, "<tr><td><a href=\"#%s\"><code>%s</code></a></td><td>%s</td><td>",
              r->figure->name, r->figure->name, figure_text_of(r->figure)->title);
        print_verdict(out, r);
        PRINT(out, "</td></tr>\n");
    }
    PRINT(out, "</table>\n");
}

void page_write(outfile *out, const result *results, size_t count)
{
    outfile_print(out, "%s", page_head);
    print_summary(out, results, count);
    for (size_t i = 0; i < count; i++) {
        if (results[i].finished)
            print_figure(out, &results[i]);
    }
    PRINT(out, "</body>\n</html>\n");
}
