/* compare_command.c - work and precision of several methods: all rows, printed, as CSV, as JSON, and as
 * pictures. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/choice.h"
#include "base/extremes.h"
#include "compare.help.h"
#include "compare_measure.h"
#include "tool/base/rendering.h"
#include "tool/base/tool.h"
#include "tool/files/memory.h"
#include "tool/files/posix.h"
#include "tool/output/loop.h"

enum { CSV, SVG, PNG, FILES }; /* in the folder */

typedef struct job {
    compare_request request;
    const char *folder; /* for the files, or NULL */
    reference_solution reference;
    compare_row *row;
    size_t done; /* rows */
    rendering r;
    outfile *csv;
    char *path[FILES];
    picture picture[FILES]; /* the first is none */
    bool drawn;             /* there are pictures */
    pictures plots;         /* elsewhere, of --plot */
} job;

/* ---- what is asked for ------------------------------------------------------------ */

/* A method that applies to the problem. */
static int take_method(compare_request *r, listed_method *m)
{
    ph_system *s = NULL;
    model quiet = r->model;
    if (r->start != NULL)
        quiet.settings.warn = NULL; /* all was said */
    TRY(model_make(&quiet, &m->by, r->time, &s));
    m->order = ph_system_order(s);
    m->chooses = ph_system_is_adaptive(s);
    if (!r->start)
        r->start = s;
    return 0;
}

/* Tolerances, one in each row: those given, or some from 1e-4 to 1e-13. */
static int read_tolerances(compare_request *r, const arguments *given)
{
    const char *text = argument(given, "--tolerances");
    REFUSE_IF(text != NULL && list_length(text) != r->steps,
              "--tolerances has %zu numbers, but --steps has %zu: write as many", list_length(text),
              r->steps);
    double *x = memory_new(r->steps, sizeof *x);
    for (size_t i = 0; i < r->steps; i++) {
        const double part = quotient_or((double)i, (double)(r->steps - 1), 1.0);
        x[i] = pow(10.0, -4.0 - 9.0 * part);
    }
    if (text != NULL)
        TRY(argument_numbers(given, "--tolerances", r->steps, x));
    for (size_t i = 0; i < r->steps; i++) {
        const double tolerance = x[i];
        REFUSE_IF(!(tolerance >= PH_TOLERANCE_LEAST && tolerance <= PH_TOLERANCE_MOST),
                  "--tolerances: a tolerance is outside its range: write numbers from %g to %g",
                  PH_TOLERANCE_LEAST, PH_TOLERANCE_MOST);
        r->step[i].tolerance = tolerance;
    }
    return 0;
}

/* Those of the option, of `steps`, or the one of `step`. */
static int read_sizes(const arguments *given, scenario *input, double **sizes, size_t *count)
{
    const setting *all = &input->value[KEY_STEPS];
    const char *text = argument(given, "--steps");
    if (text == NULL && all->is_set) {
        if (scenario_vectors(input, all->line, "steps", all->tree, "t", 1, sizes, count) &&
            (*count > 0 ||
             scenario_wrong(input, all->line, "steps is empty: write at least one number")))
            return 0;
        return fail_usage("%s", input->message);
    }
    if (text == NULL)
        *count = 1;
    else
        *count = list_length(text);
    *sizes = memory_new(*count, sizeof **sizes);
    (*sizes)[0] = input->value[KEY_STEP].x[0];
    if (text == NULL)
        return 0;
    return argument_durations(given, "--steps", *count, *sizes);
}

static int read_steps(compare_request *r, const arguments *given, scenario *input)
{
    double *sizes = NULL;
    TRY(read_sizes(given, input, &sizes, &r->steps));
    r->step = memory_new(r->steps, sizeof *r->step);
    for (size_t i = 0; i < r->steps; i++) {
        r->step[i].size = sizes[i];
        TRY(count_steps("", sizes[i], r->time, &r->step[i].count));
    }
    return 0;
}

/* The scenario has the problem, its start and the time, and may have methods and steps, or one
 * of each. */
static int read_request(compare_request *r, const arguments *given, scenario *input)
{
    const setting *v = input->value;
    const char *methods = argument(given, "--methods");
    TRY(input_read_scenario(input, given));
    TRY(input_take(input, given, false));
    input->degrees = argument(given, "--degrees") != NULL;
    const need needs[] = {
        {"--problem", v[KEY_PROBLEM].is_set},
        {"--methods", methods != NULL || v[KEY_METHOD].is_set || v[KEY_METHODS].is_set},
        {"--steps", argument(given, "--steps") || v[KEY_STEP].is_set || v[KEY_STEPS].is_set},
        {"--time", v[KEY_TIME].is_set}};
    TRY(refuse_missing(given, needs, sizeof needs / sizeof needs[0]));
    r->time = v[KEY_TIME].x[0];
    r->longest_step = v[KEY_LONGEST_STEP].x[0];
    REFUSE_IF(v[KEY_LONGEST_STEP].is_set && !(r->longest_step > 0.0),
              "%s %g is not positive: write a positive number",
              input_place(input, KEY_LONGEST_STEP), r->longest_step);
    TRY(model_read(input, &r->model));
    r->model.any_step = true;
    r->kind = r->model.kind;
    r->problem = v[KEY_PROBLEM].text;
    TRY(methods_read(input, methods, &r->methods));
    for (size_t i = 0; i < r->methods.count; i++)
        TRY(take_method(r, r->methods.method[i]));
    TRY(read_steps(r, given, input));
    return read_tolerances(r, given);
}

/* ---- rows ------------------------------------------------------------------------- */

static void render_row(rendering *r, const compare_request *of, const compare_row *row)
{
    const char *const *names = of->kind->error_names;
    const char *order = "";
    if (row->floor)
        order = " floor";
    else if (!isnan(row->order))
        order = memory_text("%.2f", row->order);
    render_item(r, NULL);
    render_data(r, "method", "%s", row->method->name);
    render_line(r, "step steps", "  %10.6g %8" PRIu64, row->size, row->count);
    if (row->failed != 0)
        render_text(r, "  failed in step %" PRIu64 ": %s\n", row->failed,
                    ph_status_text(row->status));
    else
        render_text(r, " %9.2e %6s %9.2e %9.2e %8llu %9.2e\n", row->error, order,
                    row->errors[ERROR_SPEED], row->errors[ERROR_PLACE], row->kicks, row->seconds);
    render_data(r,
                memory_text("error error_%s error_%s kicks seconds order ?floor",
                            names[ERROR_SPEED], names[ERROR_PLACE]),
                "%g %g %g %llu %g %g %s", row->error, row->errors[ERROR_SPEED],
                row->errors[ERROR_PLACE], row->kicks, row->seconds, row->order,
                yes_or_no(row->floor));
    if (row->failed != 0)
        render_value(
            r, "failed",
            json_sprintf("step %" PRIu64 ": %s", row->failed, ph_status_text(row->status)));
    if (of->lyapunov)
        render_data(r, "lyapunov lyapunov_error lyapunov_time", "%g %g %g", row->lyapunov.exponent,
                    row->lyapunov.error, row->lyapunov.time);
    render_close(r);
}

/* Prints the exponent of a row; JSON has it in the row. */
static void print_exponent(rendering *r, const compare_row *row)
{
    const ph_lyapunov *l = &row->lyapunov;
    if (isfinite(l->exponent))
        render_text(r, "  %12g Lyapunov exponent %.4f +- %.4f per time, to t = %.4g\n",
                    row->step->size, l->exponent, l->error, l->time);
    else if (row->method->chooses)
        render_text(r, "  %12s Lyapunov exponent: run `polhode check %s --lyapunov`\n", "",
                    row->method->name);
    else
        render_text(r, "  %12g Lyapunov exponent not found\n", row->step->size);
}

/* States the rows of one method, for people below its name. */
static void render_method(rendering *r, const compare_request *of, const compare_row *rows,
                          size_t count)
{
    const char *order = "exact";
    if (rows->method->order != PH_ORDER_EXACT)
        order = memory_text("order %d", rows->method->order);
    render_text(r, "\n%s, %s\n", rows->method->name, order);
    render_text(r, "  %10s %8s %9s %6s %9s %9s %8s %9s\n", "step", "steps", "error", "order",
                of->kind->error_names[ERROR_SPEED], of->kind->error_names[ERROR_PLACE], "kicks",
                "seconds");
    for (size_t i = 0; i < count; i++)
        render_row(r, of, &rows[i]);
    for (size_t i = 0; of->lyapunov && i < count; i++)
        print_exponent(r, &rows[i]);
}

/* ---- rows as CSV ------------------------------------------------------------------- */

/* Returns a number as text, or nothing. */
static const char *cell(double x)
{
    if (isfinite(x))
        return memory_text("%.17g", x);
    return "";
}

static const char *head_text(const compare_request *r)
{
    const char *const *names = r->kind->error_names;
    return memory_text("method,step,steps,error,error_%s,error_%s,kicks,seconds,order,note",
                       names[ERROR_SPEED], names[ERROR_PLACE]);
}

static const char *row_text(const compare_row *row)
{
    const char *note = text_if(row->floor, "floor");
    if (row->failed != 0)
        note = memory_text("failed in step %" PRIu64, row->failed);
    return memory_text("%s,%.17g,%" PRIu64 ",%s,%s,%s,%llu,%s,%s,%s", row->method->name, row->size,
                       row->count, cell(row->error), cell(row->errors[ERROR_SPEED]),
                       cell(row->errors[ERROR_PLACE]), row->kicks, cell(row->seconds),
                       cell(row->order), note);
}

/* ---- opening: whatever cannot be written is found before the run ----------------- */

static int open_folder(job *j)
{
    static const char *const names[FILES] = {"compare.csv", "compare.svg", "compare.png"};
    j->drawn = gnuplot_found();
    if (!j->drawn && !interrupted)
        warn("gnuplot was not found: " WORDS
             " contains the CSV file but no pictures: install the package gnuplot-nox to draw them",
             j->folder);
    const int error = folder_make(j->folder);
    if (error != 0)
        return fail_create(j->folder, error);
    for (int i = 0; i < FILES; i++) {
        j->path[i] = memory_text("%s/%s", j->folder, names[i]);
        j->picture[i].path = j->path[i];
        if (i == CSV)
            TRY(file_open(j->path[i], &j->csv));
        else if (j->drawn)
            TRY(file_open(j->path[i], &j->picture[i].file));
    }
    outfile_print(j->csv, "%s\n", head_text(&j->request));
    outfile_begin_rows(j->csv);
    return 0;
}

/* ---- the rows -------------------------------------------------------------------- */

/* All rows up to the last, Ctrl-C, or an output that takes no more. */
static void measure_all(job *j)
{
    const compare_request *r = &j->request;
    double work = 0.0, before = 0.0; /* counted in steps */
    for (size_t i = 0; i < r->steps; i++)
        work += ((double)r->step[i].count + 1.0) * (double)r->methods.count;
    progress_begin(false);
    for (size_t i = 0; i < r->methods.count * r->steps; i++) {
        compare_row *row = &j->row[i];
        row->method = r->methods.method[i / r->steps];
        row->step = &r->step[i % r->steps];
        row->number = i;
        row->before = before;
        row->share = ((double)row->step->count + 1.0) / work;
        if (!compare_measure(r, &j->reference, row) || (j->csv != NULL && j->csv->error != 0))
            break;
        if (i % r->steps > 0)
            row->order = compare_order(row - 1, row);
        if (j->csv != NULL)
            outfile_print(j->csv, "%s\n", row_text(row));
        j->done = i + 1;
        before += row->share;
        progress_show(j->done, before);
    }
    progress_end();
}

/* ---- the picture, and what is printed ---------------------------------------------- */

static bool write_script(FILE *script, plot_format format, const void *context)
{
    const job *j = context;
    const compare_request *r = &j->request;
    char about[200];
    const char *problem = model_title(&r->model);
    r->kind->describe(r->start, about, sizeof about);
    plot_begin(script, format,
               memory_text("%.*s: %s, t = %.5g", text_cut(problem, 90), problem, about, r->time));
    plot_number(script, "noise", j->reference.floor);
    plot_text(script, "error_text",
              memory_text("error, the larger one of %s and %s", r->kind->error_names[ERROR_SPEED],
                          r->kind->error_names[ERROR_PLACE]));
    (void)fputs("orders = '", script);
    for (size_t i = 0; i < r->methods.count; i++)
        (void)fprintf(script, "%d ", r->methods.method[i]->order);
    (void)fputs("'\n", script);
    plot_data_begin(script);
    (void)fprintf(script, "%s\n", head_text(r));
    for (size_t i = 0; i < j->done; i++)
        (void)fprintf(script, "%s\n", row_text(&j->row[i]));
    plot_data_end(script);
    return plot_end(script, "work");
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
    if (torque > 0.0)
        return motion / torque;
    return NAN;
}

/* Of the first splitting, where its free motion costs more than a torque. */
static void print_costs(outfile *out, const compare_request *r)
{
    for (size_t i = 0; i < r->methods.count && r->kind->spend && !interrupted; i++) {
        const listed_method *m = r->methods.method[i];
        const double h = r->step[0].size;
        ph_system *s = NULL;
        double ratio = NAN;
        if (model_make_quietly(&r->model, &m->by, h, &s) == PH_OK && r->kind->spend(s, true, h, 0))
            ratio = compare_cost(s, h);
        ph_system_destroy(s);
        if (isnan(ratio))
            continue;
        outfile_print(out, "%s", compare_cost_line(m->name, ratio));
        return;
    }
}

static int render_comparison(job *j)
{
    const double few_digits = 1e-3;
    const compare_request *of = &j->request;
    const bool exact = j->reference.exact;
    rendering *r = &j->r;
    render_text(r, "%s to t = %g\nerror: the larger of %s,\n       where * is the %s\n",
                of->problem, of->time, of->kind->error_text,
                exact ? "exact motion" : "reference solution");
    for (size_t i = 0; i < j->done; i += of->steps)
        render_method(r, of, &j->row[i], smaller_size(j->done - i, of->steps));
    if (r->as == AS_JSON)
        return render_end(r, false, JSON_INDENT(1));
    render_text(r,
                "\norder: the slope from the previous row\nfloor: the error is below %.1e, "
                "%s\nkicks: evaluations of the torque; seconds: the best of several runs\n",
                j->reference.floor, exact ? "round-off" : "to which the reference is known");
    if (j->reference.floor > few_digits)
        render_text(r, "\nnothing can be compared: the motion is too long, or chaotic, for a "
                       "reference;\nuse a shorter time, or --lyapunov\n");
    const double condition = compare_condition(of);
    if (isfinite(condition))
        render_text(r,
                    "\ncondition of the problem: an error of the initial state grows by a factor "
                    "of up\nto %.2g until the end\n",
                    condition);
    print_costs(r->out, of);
    return 0;
}

static int close_files(job *j)
{
    int status = 0;
    if (j->csv)
        status = file_close(j->csv, j->path[CSV], "");
    j->csv = NULL;
    for (int i = SVG; i < FILES && status == 0 && !interrupted && j->drawn; i++)
        status = picture_draw(&j->picture[i], write_script, j);
    return status;
}

static int compare(job *j)
{
    const compare_request *r = &j->request;
    const size_t rows = r->methods.count * r->steps;
    j->row = memory_new(rows, sizeof *j->row);
    TRY(pictures_open(&j->plots, false));
    const char *place = "printed";
    if (j->folder != NULL) {
        TRY(open_folder(j));
        place = memory_text("in " WORDS, j->path[CSV]);
    }
    TRY(compare_find_reference(r, &j->reference));
    measure_all(j);
    int status = close_files(j);
    if (status != 0 && status != EXIT_INTERRUPTED)
        return status;
    TRY(render_comparison(j));
    if (interrupted)
        return stopped("interrupted after %zu of %zu rows: they are %s", j->done, rows, place);
    if (j->folder != NULL)
        render_text(&j->r, j->drawn ? "\n%s, %s and %s written\n" : "\n%s written\n", j->path[CSV],
                    j->path[SVG], j->path[PNG]);
    if (status != 0)
        return status;
    return pictures_draw(&j->plots, write_script, j);
}

static int compare_run(const arguments *given, outfile *out)
{
    scenario input = {0};
    job j = {.request.lyapunov = argument(given, "--lyapunov") != NULL,
             .folder = argument(given, "--out"),
             .plots = {.given = given, .option = "--plot"},
             .r = render_begin(given, out)};
    j.plots.told = render_told(&j.r);
    TRY(read_request(&j.request, given, &input));
    const int status = compare(&j);
    ph_system_destroy(j.reference.end);
    return status;
}

const command command_compare = {"compare", compare_help, compare_run};
