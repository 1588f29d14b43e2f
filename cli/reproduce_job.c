/* reproduce_job.c - figures computed, judged and drawn, and the page about them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evidence/page.h"
#include "figure_list.h"
#include "files.h"
#include "interrupt.h"
#include "io/advice.h"
#include "io/folder.h"
#include "io/json.h"
#include "markdown.h"
#include "picture.h"
#include "progress.h"
#include "report.h"
#include "reproduce.h"
#include "standard.h"

#define INDEX "index.html"

typedef struct job {
    const reproduce_request *r;
    outfile *standard;
    size_t done; /* figures finished in this run */
    int status;  /* of the first thing that went wrong */
} job;

static void remember(job *j, int status)
{
    if (j->status == 0)
        j->status = status;
}

static bool text_wanted(const job *j)
{
    return !j->r->json && !j->r->markdown;
}

static void say(const job *j, const result *r, const char *note)
{
    if (!text_wanted(j))
        return;
    progress_wipe();
    outfile_print(j->standard, "%-24s %-15s %s\n", r->figure->name,
                  verdict_text(findings_verdict(&r->said)), note);
    outfile_flush(j->standard);
}

/* ---- one figure ------------------------------------------------------------------ */

typedef struct drawing {
    const ph_figure *figure;
    char *csv;
} drawing;

static bool write_script(FILE *script, plot_format format, const void *context)
{
    const drawing *d = context;
    return figure_draw(d->figure, d->csv, script, format);
}

static int draw(const ph_figure *f, const char *folder, const char *ending)
{
    const drawing d = {f, result_path(f, folder, "csv")};
    char *path = result_path(f, folder, ending);
    picture p = {0};
    int status = d.csv == NULL || path == NULL ? fail_memory() : picture_open(&p, path);
    if (status == 0)
        status = picture_draw(&p, write_script, &d);
    picture_discard(&p);
    free(path);
    free(d.csv);
    return status;
}

/* Judges and draws what was computed. */
static int finish(job *j, const ph_figure *f, double seconds)
{
    const char *folder = j->r->folder;
    result r;
    int status = result_read_numbers(&r, f, folder)
                     ? 0
                     : fail_run("the numbers of %s could not be read again: write "
                                "somewhere else",
                                f->name);
    if (status == 0 && f->plot != NULL)
        status = draw(f, folder, "svg");
    if (status == 0 && f->plot != NULL)
        status = draw(f, folder, "png");
    if (status == 0) {
        const int error = result_finish(&r, folder, j->r->effort, seconds);
        if (error != 0)
            status = fail_write(folder, error, "", NULL);
    }
    if (status == 0) {
        char note[64];
        (void)snprintf(note, sizeof note, "%.3g s", seconds);
        say(j, &r, note);
        j->done++;
    }
    result_free(&r);
    return status;
}

static bool done(void *context, const ph_figure *f, double seconds, const char *trouble)
{
    job *j = context;
    if (trouble != NULL) {
        remember(j, fail_run("%s could not be computed: %s", f->name, trouble));
        return true;
    }
    const int status = finish(j, f, seconds);
    if (status != EXIT_INTERRUPTED)
        remember(j, status);
    return status == 0;
}

/* ---- all figures ----------------------------------------------------------------- */

static int by_weight(const void *a, const void *b)
{
    const ph_figure *const *x = a, *const *y = b;
    const double difference = (*y)->seconds[FIGURE_FULL] - (*x)->seconds[FIGURE_FULL];
    return (difference > 0.0) - (difference < 0.0);
}

/* Those that are not finished, the longest first; the others are named. */
static size_t select_figures(job *j, const ph_figure **todo)
{
    size_t count = 0;
    for (size_t i = 0; i < j->r->figures; i++) {
        result kept;
        result_read(&kept, j->r->figure[i], j->r->folder);
        if (!j->r->fresh && result_current(&kept, j->r->effort))
            say(j, &kept, "kept");
        else
            todo[count++] = j->r->figure[i];
        result_free(&kept);
    }
    qsort(todo, count, sizeof *todo, by_weight);
    return count;
}

static int compute_all(job *j)
{
    const ph_figure **todo = calloc(j->r->figures + 1, sizeof *todo);
    if (todo == NULL)
        return fail_memory();
    const size_t count = select_figures(j, todo);
    outfile_flush(j->standard);
    const bool good = reproduce_compute(j->r, todo, count, done, j);
    const int error = errno;
    free(todo);
    if (!good && !interrupted)
        remember(j, fail_run("no process could be started (%s): %s", strerror(error),
                             advice(error, "close other programs and run again")));
    return interrupted
               ? stopped("interrupted after %zu of %zu figures: they are kept, and the "
                         "same command goes on",
                         j->done, count)
               : j->status;
}

/* ---- what is shown --------------------------------------------------------------- */

/* The page about all figures that are finished in the folder, in this run or before. */
static int write_page(const char *folder)
{
    size_t count;
    const ph_figure *const *all = figure_list(&count);
    result *results = calloc(count + 1, sizeof *results);
    char *path = folder_file(folder, INDEX);
    outfile *out = NULL;
    int status = 0;
    if (results == NULL || path == NULL)
        status = fail_memory();
    else if ((out = outfile_open(path)) == NULL)
        status = fail_create(path, errno);
    for (size_t i = 0; i < count && status == 0; i++)
        result_read(&results[i], all[i], folder);
    if (status == 0) {
        page_write(out, results, count);
        status = file_close(out, path, "");
    }
    for (size_t i = 0; i < count && results != NULL; i++)
        result_free(&results[i]);
    free(results);
    free(path);
    return status;
}

static void print_markdown(outfile *out, const result *r)
{
    char reason[REASON_TEXT];
    outfile_print(out, "| `%s` |", r->figure->name);
    markdown_cell(out, r->figure->cite);
    markdown_cell(out, verdict_text(findings_verdict(&r->said)));
    markdown_cell(out, findings_reason(&r->said, reason));
    outfile_print(out, "\n");
}

static int show(job *j)
{
    json_t *array = j->r->json ? json_array() : NULL;
    if (j->r->markdown)
        outfile_print(j->standard,
                      "| name | paper | verdict | why |\n|---|---|---|---|\n");
    for (size_t i = 0; i < j->r->figures && !text_wanted(j); i++) {
        result r;
        result_read(&r, j->r->figure[i], j->r->folder);
        if (r.finished && j->r->markdown)
            print_markdown(j->standard, &r);
        else if (r.finished)
            (void)json_array_append_new(array, result_json(&r));
        result_free(&r);
    }
    if (j->r->json && !json_write(j->standard, array, JSON_INDENT(1)))
        return fail_memory();
    if (j->r->json)
        outfile_print(j->standard, "\n");
    if (text_wanted(j))
        outfile_print(j->standard, "\n%s/" INDEX " written\n", j->r->folder);
    return 0;
}

/* Whether the page can be written there: found before anything is computed. */
static int probe(const char *folder)
{
    const int error = folder_make(folder);
    if (error != 0)
        return fail_create(folder, error);
    char *path = folder_file(folder, INDEX);
    outfile *out = path == NULL ? NULL : outfile_open(path);
    const int status = path == NULL  ? fail_memory()
                       : out == NULL ? fail_create(path, errno)
                                     : 0;
    outfile_discard(out);
    free(path);
    return status;
}

int reproduce_run(const reproduce_request *r)
{
    job j = {.r = r};
    int status = picture_need_gnuplot("reproduce");
    if (status == 0)
        status = probe(r->folder);
    if (status != 0)
        return status;
    j.standard = outfile_standard();
    if (j.standard == NULL)
        return fail_memory();
    status = compute_all(&j);
    const int page = write_page(r->folder), shown = page == 0 ? show(&j) : page;
    return standard_close(j.standard, status != 0 ? status : shown);
}
