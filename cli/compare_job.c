/* compare_job.c - a comparison: all rows, the files, the pictures. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "compare.h"
#include "files.h"
#include "interrupt.h"
#include "io/folder.h"
#include "picture.h"
#include "progress.h"
#include "report.h"
#include "standard.h"

enum { SVG, PNG, PICTURES };

typedef struct job {
    const compare_request *r;
    compare_reference reference;
    compare_row *row;
    size_t done;                     /* rows */
    outfile *standard, *csv;         /* csv: NULL unless there is a folder */
    char *csv_path, *path[PICTURES]; /* of the files in the folder */
    picture picture[PICTURES];
} job;

/* ---- opening: whatever cannot be written is found before the run ----------------- */

static int open_folder(job *j)
{
    const char *folder = j->r->out;
    int status = picture_need_gnuplot("--out");
    if (status != 0)
        return status;
    const int error = folder_make(folder);
    if (error != 0)
        return fail_create(folder, error);
    j->csv_path = folder_file(folder, "compare.csv");
    j->path[SVG] = folder_file(folder, "compare.svg");
    j->path[PNG] = folder_file(folder, "compare.png");
    if (j->csv_path == NULL || j->path[SVG] == NULL || j->path[PNG] == NULL)
        return fail_memory();
    status = file_open(j->csv_path, &j->csv);
    for (int i = 0; i < PICTURES && status == 0; i++)
        status = picture_open(&j->picture[i], j->path[i]);
    return status;
}

static int open_all(job *j)
{
    const compare_request *r = j->r;
    j->standard = outfile_standard();
    j->row = calloc(r->methods * r->steps, sizeof *j->row);
    if (j->standard == NULL || j->row == NULL)
        return fail_memory();
    return r->out == NULL ? 0 : open_folder(j);
}

static void discard_all(job *j)
{
    outfile_discard(j->csv);
    for (int i = 0; i < PICTURES; i++) {
        picture_discard(&j->picture[i]);
        free(j->path[i]);
    }
    free(j->csv_path);
    free(j->row);
    ph_system_free(j->reference.end);
}

/* ---- the rows -------------------------------------------------------------------- */

/* Work counts in steps. */
static double work_of(const compare_request *r)
{
    double steps = 0.0;
    for (size_t i = 0; i < r->steps; i++)
        steps += (double)r->step[i].count + 1.0;
    return steps * (double)r->methods;
}

/* All rows up to the last, Ctrl-C, or an output that takes no more. */
static void measure_all(job *j)
{
    const compare_request *r = j->r;
    const double work = work_of(r);
    double before = 0.0;
    progress_begin(false);
    for (size_t i = 0; i < r->methods * r->steps; i++) {
        compare_row *row = &j->row[i];
        row->method = &r->method[i / r->steps];
        row->step = &r->step[i % r->steps];
        row->number = i;
        row->before = before;
        row->share = ((double)row->step->count + 1.0) / work;
        if (!compare_measure(r, &j->reference, row) ||
            (j->csv != NULL && j->csv->error != 0))
            break;
        if (i % r->steps > 0)
            row->order = compare_order(row - 1, row);
        if (j->csv != NULL)
            compare_write_csv(j->csv, row);
        j->done = i + 1;
        before += row->share;
        progress_show(j->done, before);
    }
    progress_end();
}

/* ---- what is shown --------------------------------------------------------------- */

static bool write_script(FILE *script, plot_format format, const void *context)
{
    const job *j = context;
    const compare_request *r = j->r;
    char about[200], title[260];
    r->kind->describe(r->input, about, sizeof about);
    (void)snprintf(title, sizeof title, "%s: %s, t = %.5g", r->problem, about, r->time);
    plot_begin(script, format, title);
    plot_number(script, "noise", j->reference.floor);
    (void)fputs("orders = '", script);
    for (size_t i = 0; i < r->methods; i++)
        (void)fprintf(script, "%d ", r->kind->order(r->method[i].integrator));
    (void)fputs("'\n", script);
    return plot_data_file(script, j->csv_path) && plot_end(script, "work");
}

static int show(job *j)
{
    const compare_request *r = j->r;
    if (r->json)
        return compare_write_json(j->standard, r, j->row, j->done) ? 0 : fail_memory();
    compare_print_head(j->standard, r, j->reference.exact);
    for (size_t i = 0; i < j->done; i += r->steps) {
        const size_t left = j->done - i;
        compare_print(j->standard, r, &j->row[i], left < r->steps ? left : r->steps);
    }
    compare_print_foot(j->standard);
    return 0;
}

static int close_files(job *j)
{
    if (j->csv == NULL)
        return 0;
    int status = file_close(j->csv, j->csv_path, "");
    j->csv = NULL;
    for (int i = 0; i < PICTURES && status == 0 && !interrupted; i++)
        status = picture_draw(&j->picture[i], write_script, j);
    return status;
}

static int say_stopped(const job *j)
{
    const size_t all = j->r->methods * j->r->steps;
    if (j->csv_path == NULL)
        return stopped("interrupted after %zu of %zu rows: they are printed", j->done,
                       all);
    return stopped("interrupted after %zu of %zu rows: they are in " WORDS, j->done, all,
                   j->csv_path);
}

int compare_run(const compare_request *r)
{
    job j = {.r = r};
    int status = open_all(&j);
    if (status != 0) {
        discard_all(&j);
        outfile_discard(j.standard);
        return status;
    }
    status = compare_find_reference(r, &j.reference);
    if (status != 0) {
        discard_all(&j);
        outfile_discard(j.standard);
        return status;
    }
    if (j.csv != NULL)
        compare_write_csv_head(j.csv, r);
    measure_all(&j);
    status = close_files(&j);
    if (status == 0 || status == EXIT_INTERRUPTED) {
        const int shown = show(&j);
        status = shown != 0 ? shown : status;
    }
    if (status == 0 && r->out != NULL && !r->json && !interrupted)
        outfile_print(j.standard, "\n%s, %s and %s written\n", j.csv_path, j.path[SVG],
                      j.path[PNG]);
    if ((status == 0 || status == EXIT_INTERRUPTED) && interrupted)
        status = say_stopped(&j);
    discard_all(&j);
    return standard_close(j.standard, status);
}
