/* compare_run.c - a comparison: all rows, printed, as CSV, as JSON, and as pictures. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/extremes.h"
#include "cli/files/json.h"
#include "cli/files/plot.h"
#include "cli/files/posix.h"
#include "cli/tool/tool.h"
#include "compare.h"

/* ---- rows for people ------------------------------------------------------------- */

static void print_row(outfile *out, const compare_row *row)
{
    outfile_print(out, "  %10.6g %8ld", row->size, row->count);
    if (row->failed != 0) {
        outfile_print(out, "  failed in step %ld: %s\n", row->failed,
                      ph_status_text(row->status));
        return;
    }
    outfile_print(out, " %9.2e", row->error);
    if (row->floor)
        outfile_print(out, "  floor");
    else if (isnan(row->order))
        outfile_print(out, "       ");
    else
        outfile_print(out, " %6.2f", row->order);
    for (int i = 0; i < ERROR_COUNT; i++)
        outfile_print(out, " %9.2e", row->errors[i]);
    outfile_print(out, " %8llu %9.2e\n", row->kicks, row->seconds);
}

static void print_exponent(outfile *out, const compare_row *row)
{
    const ph_lyapunov *l = &row->lyapunov;
    if (isfinite(l->exponent))
        outfile_print(out,
                      "  %12g Lyapunov exponent %.4f +- %.4f per time, to t = %.4g\n",
                      row->step->size, l->exponent, l->error, l->time);
    else if (row->method->chooses)
        outfile_print(out, "  %12s Lyapunov exponent: by `polhode check %s --lyapunov`\n",
                      "", row->method->name);
    else
        outfile_print(out, "  %12g Lyapunov exponent not found\n", row->step->size);
}

/* The rows of one method, below its name. */
static void print_method(outfile *out, const compare_request *r, const compare_row *rows,
                         size_t count)
{
    const char *const *names = r->kind->error_names;
    const int order = rows->method->order;
    if (order == PH_EXACT)
        outfile_print(out, "\n%s, exact\n", rows->method->name);
    else
        outfile_print(out, "\n%s, order %d\n", rows->method->name, order);
    outfile_print(out, "  %10s %8s %9s %6s %9s %9s %8s %9s\n", "step", "steps", "error",
                  "order", names[ERROR_SPEED], names[ERROR_PLACE], "kicks", "seconds");
    for (size_t i = 0; i < count; i++)
        print_row(out, &rows[i]);
    for (size_t i = 0; r->lyapunov && i < count; i++)
        print_exponent(out, &rows[i]);
}

/* ---- for programs ---------------------------------------------------------------- */

#define CELL 32 /* bytes */

/* A number, or nothing. */
static const char *cell(char text[CELL], double x)
{
    text[0] = '\0';
    if (isfinite(x))
        (void)snprintf(text, CELL, "%.17g", x);
    return text;
}

static void write_csv_head(outfile *out, const compare_request *r)
{
    const char *const *names = r->kind->error_names;
    outfile_print(out,
                  "method,step,steps,error,error_%s,error_%s,kicks,seconds,order,note\n",
                  names[ERROR_SPEED], names[ERROR_PLACE]);
    outfile_begin_rows(out);
}

static void write_csv(outfile *out, const compare_row *row)
{
    char error[CELL], speed[CELL], place[CELL], seconds[CELL], order[CELL];
    char note[CELL * 2] = "";
    if (row->failed != 0)
        (void)snprintf(note, sizeof note, "failed in step %ld", row->failed);
    outfile_print(
        out, "%s,%.17g,%ld,%s,%s,%s,%llu,%s,%s,%s\n", row->method->name, row->size,
        row->count, cell(error, row->error), cell(speed, row->errors[ERROR_SPEED]),
        cell(place, row->errors[ERROR_PLACE]), row->kicks, cell(seconds, row->seconds),
        cell(order, row->order), row->floor ? "floor" : note);
}

static json_t *row_json(const compare_request *r, const compare_row *row)
{
    char speed[CELL], place[CELL];
    (void)snprintf(speed, sizeof speed, "error_%s", r->kind->error_names[ERROR_SPEED]);
    (void)snprintf(place, sizeof place, "error_%s", r->kind->error_names[ERROR_PLACE]);
    return json_pack(
        "{ss sf sI so so so sI so so sb so* so* so* so*}", "method", row->method->name,
        "step", row->size, "steps", (json_int_t)row->count, "error",
        json_finite(row->error), speed, json_finite(row->errors[ERROR_SPEED]), place,
        json_finite(row->errors[ERROR_PLACE]), "kicks", (json_int_t)row->kicks, "seconds",
        json_finite(row->seconds), "order", json_finite(row->order), "floor",
        (int)row->floor, "failed",
        row->failed == 0
            ? NULL
            : json_sprintf("step %ld: %s", row->failed, ph_status_text(row->status)),
        "lyapunov", r->lyapunov ? json_finite(row->lyapunov.exponent) : NULL,
        "lyapunov_error", r->lyapunov ? json_finite(row->lyapunov.error) : NULL,
        "lyapunov_time", r->lyapunov ? json_finite(row->lyapunov.time) : NULL);
}

static int write_json(outfile *out, const compare_request *r, const compare_row *rows,
                      size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        (void)json_array_append_new(array, row_json(r, &rows[i]));
    return put_json(out, array, JSON_INDENT(1));
}

enum { SVG, PNG, PICTURES };

typedef struct job {
    const compare_request *r;
    compare_reference reference;
    compare_row *row;
    size_t done;                     /* rows */
    outfile *standard, *csv;         /* csv: NULL unless there is a folder */
    char *csv_path, *path[PICTURES]; /* of the files in the folder */
    picture picture[PICTURES];
    bool drawn; /* there are pictures */
} job;

/* ---- opening: whatever cannot be written is found before the run ----------------- */

static int open_folder(job *j)
{
    const char *folder = j->r->out;
    const bool drawing = j->drawn = gnuplot_found();
    if (!drawing && !interrupted)
        warn("gnuplot was not found: " WORDS " has the CSV and no pictures: install the "
             "package gnuplot-nox for these",
             folder);
    const int error = folder_make(folder);
    if (error != 0)
        return fail_create(folder, error);
    j->csv_path = folder_file(folder, "compare.csv");
    j->path[SVG] = folder_file(folder, "compare.svg");
    j->path[PNG] = folder_file(folder, "compare.png");
    if (j->csv_path == NULL || j->path[SVG] == NULL || j->path[PNG] == NULL)
        return fail_memory();
    int status = file_open(j->csv_path, &j->csv);
    for (int i = 0; i < PICTURES && status == 0 && drawing; i++) {
        j->picture[i].path = j->path[i];
        status = file_open(j->path[i], &j->picture[i].file);
    }
    return status;
}

static int open_all(job *j)
{
    const compare_request *r = j->r;
    j->row = calloc(r->methods * r->steps, sizeof *j->row);
    return j->row == NULL ? fail_memory() : r->out == NULL ? 0 : open_folder(j);
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
            write_csv(j->csv, row);
        j->done = i + 1;
        before += row->share;
        progress_show(j->done, before);
    }
    progress_end();
}

/* ---- the picture, and what is printed --------------------------------------------------------------- */

static bool write_script(FILE *script, plot_format format, const void *context)
{
    const job *j = context;
    const compare_request *r = j->r;
    char about[200], title[260];
    r->kind->describe(r->start, about, sizeof about);
    (void)snprintf(title, sizeof title, "%.*s: %s, t = %.5g", text_cut(r->problem, 60),
                   r->problem, about, r->time);
    plot_begin(script, format, title);
    plot_number(script, "noise", j->reference.floor);
    (void)fputs("orders = '", script);
    for (size_t i = 0; i < r->methods; i++)
        (void)fprintf(script, "%d ", r->method[i].order);
    (void)fputs("'\n", script);
    return plot_data_file(script, j->csv_path) && plot_end(script, "work");
}

/* How many times as long a free motion takes as a torque. */
static double compare_cost(const ph_system *s, double h)
{
    enum { CALLS = 512, TURNS = 15 };
    double motion = INFINITY, torque = INFINITY;
    for (int turn = 0; turn < TURNS; turn++) {
        const double begun = clock_thread();
        (void)ph_kind_of(s)->spend(s, false, h, CALLS);
        const double between = clock_thread();
        (void)ph_kind_of(s)->spend(s, true, h, CALLS);
        motion = smaller_or_nan(motion, between - begun);
        torque = smaller_or_nan(torque, clock_thread() - between);
    }
    return torque > 0.0 ? motion / torque : NAN;
}

/* Of the first splitting, where its free motion costs more than a torque. */
static void print_costs(outfile *out, const compare_request *r)
{
    char text[200];
    for (size_t i = 0; i < r->methods && r->kind->spend != NULL && !interrupted; i++) {
        const compare_method *m = &r->method[i];
        const double h = r->step[0].size;
        ph_system *s = NULL;
        double ratio = NAN;
        if (model_make_quietly(&r->model, &(model_integrator){.name = m->name}, h, &s) ==
                PH_OK &&
            r->kind->spend(s, true, h, 0))
            ratio = compare_cost(s, h);
        ph_system_free(s);
        if (isnan(ratio))
            continue;
        outfile_print(out, "%s", compare_cost_line(text, sizeof text, m->name, ratio));
        return;
    }
}

static int print(job *j)
{
    const double few_digits = 1e-3;
    const compare_request *r = j->r;
    if (r->json)
        return write_json(j->standard, r, j->row, j->done);
    outfile_print(j->standard,
                  "%s to t = %g\nerror: the larger of %s,\n       where * is the %s\n",
                  r->problem, r->time, r->kind->error_text,
                  j->reference.exact ? "exact motion" : "reference solution");
    for (size_t i = 0; i < j->done; i += r->steps) {
        const size_t rest = j->done - i;
        print_method(j->standard, r, &j->row[i], rest < r->steps ? rest : r->steps);
    }
    outfile_print(j->standard,
                  "\norder: the slope from the row before\n"
                  "floor: the error is below %.1e, %s\n"
                  "kicks: evaluations of the torque; seconds: the best of several runs\n",
                  j->reference.floor,
                  j->reference.exact ? "round-off" : "to which the reference is known");
    if (j->reference.floor > few_digits)
        outfile_print(
            j->standard,
            "\nnothing can be compared: the motion is too long, or chaotic, for "
            "a reference;\ntake a shorter time, or --lyapunov\n");
    print_costs(j->standard, r);
    return 0;
}

static int close_files(job *j)
{
    if (j->csv == NULL)
        return 0;
    int status = file_close(j->csv, j->csv_path, "");
    j->csv = NULL;
    for (int i = 0; i < PICTURES && status == 0 && !interrupted; i++)
        status = j->picture[i].file == NULL
                     ? 0
                     : picture_draw(&j->picture[i], write_script, j);
    return status;
}

int compare_run(const compare_request *r, outfile *standard)
{
    job j = {.r = r, .standard = standard};
    int status = open_all(&j);
    if (status == 0)
        status = compare_find_reference(r, &j.reference);
    if (status != 0) {
        discard_all(&j);
        return status;
    }
    if (j.csv != NULL)
        write_csv_head(j.csv, r);
    measure_all(&j);
    status = close_files(&j);
    if (status == 0 || status == EXIT_INTERRUPTED) {
        const int printed = print(&j);
        status = printed != 0 ? printed : status;
    }
    if (status == 0 && r->out != NULL && !r->json && !interrupted)
        outfile_print(j.standard,
                      j.drawn ? "\n%s, %s and %s written\n" : "\n%s written\n",
                      j.csv_path, j.path[SVG], j.path[PNG]);
    if ((status == 0 || status == EXIT_INTERRUPTED) && interrupted)
        status = stopped("interrupted after %zu of %zu rows: they are %s" WORDS, j.done,
                         r->methods * r->steps, j.csv_path == NULL ? "printed" : "in ",
                         j.csv_path == NULL ? "" : j.csv_path);
    discard_all(&j);
    return status;
}
