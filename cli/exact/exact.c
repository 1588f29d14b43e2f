/* exact.c - the exact motion of a free body: one at many instants, as a table, rows, JSON and
 * pictures; or many, each at its time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/extremes.h"
#include "cli/device.h"
#include "cli/files/json.h"
#include "cli/files/run_plot.h"
#include "cli/files/sample.h"
#include "cli/input/model.h"
#include "cli/system_output.h"
#include "cli/tool.h"
#include "exact.help.h"
#include "rotation/vec.h"
#include "system/find.h"

#define FEW_DIGITS 3.0 /* of the phase: below, the state is hardly known */

#define SHORT_TABLE 9 /* rows shown when all of them go to a file */
#define WIDTH       9 /* of a column: eight fit into a line */
#define DIGITS      6 /* after the point of a number below 1 */

/* Of columns that were asked for: as many as fit into a line. */
enum { LINE = 80, MOST_COLUMNS = 8, LONGEST_COLUMN = 15 };

enum { ENERGY, LENGTH, SPACE_MOMENTUM, INVARIANTS };

/* One body at many times. */
typedef struct job {
    ph_body body;
    ph_motion motion;
    time_list times;
    show_request show;
    bool json;
    const char *path;       /* a file for the rows, "-" for standard output, or NULL */
    const arguments *given; /* with --plot FILE */
    outfile *standard;      /* table, JSON, or CSV for `--out -` */
    outfile *out;           /* of the rows: standard or a file of its own; NULL: none */
    record rows;            /* into it */
    sample sample;          /* of the instant */
    ph_field field[SAMPLE_FIELDS];
    instant now; /* their tables */
    column_set columns;
    file_about about;
    double *row; /* of the columns, where they are asked for */
    pictures pictures;
    const run_plot *series; /* what they show, unless it is the motion */
    bool table;             /* the table for people is printed */
    ph_observable invariant[INVARIANTS];
    double unit,
        scaled_length; /* a power of two, and the length of the momentum times that */
    unsigned long long done; /* states written */
    double phase_lost_from;  /* a time at which few digits of the phase are left; or 0 */
} job;

/* ---- what the motion keeps, and how well the states do --------------------------- */

static void set_invariants(job *j, const sample *start)
{
    const ph_vec3 m = start->state.m, space = ph_state_space_momentum(&start->state);
    j->unit = 1.0 / binary_unit(m);
    j->scaled_length = norm(scale(j->unit, m));
    const ph_observable as_free = {.watched = true, .conserved = true, .relative = true};
    ph_observable *o = j->invariant;
    o[ENERGY] = o[LENGTH] = o[SPACE_MOMENTUM] = as_free;
    o[ENERGY].name = o[ENERGY].label = "energy";
    o[LENGTH].name = "momentum", o[LENGTH].label = "|momentum|";
    o[SPACE_MOMENTUM].name = "space_momentum", o[SPACE_MOMENTUM].label = "space momentum";
    o[ENERGY].width = o[LENGTH].width = 1, o[SPACE_MOMENTUM].width = 3;
    o[ENERGY].start[0] = start->energy;
    o[LENGTH].start[0] = j->scaled_length / j->unit;
    memcpy(o[SPACE_MOMENTUM].start, &space, sizeof o->start);
    o[ENERGY].unit = "I/t^2", o[LENGTH].unit = o[SPACE_MOMENTUM].unit = "I/t";
}

/* The tables of what is written. */
static void set_tables(job *j)
{
    sample_fields(&j->sample, &j->body, j->field);
    j->now = (instant){0.0, j->field, SAMPLE_FIELDS, j->invariant, INVARIANTS};
    j->about = (file_about){.command = command_words(),
                            .problem = "free",
                            .method = "exact",
                            .epoch = j->show.epoch};
}

/* The largest |x - x0| / |x0| so far, 0 for two zeros. */
static void watch(ph_observable *o, double difference, double size)
{
    const double error = difference == 0.0 ? 0.0 : fabs(difference) / fabs(size);
    o->error = larger_or_nan(o->error, error);
}

static void watch_invariants(job *j, const sample *x)
{
    ph_observable *o = j->invariant;
    const double *p = o[SPACE_MOMENTUM].start;
    const ph_vec3 space = ph_state_space_momentum(&x->state),
                  moved = sub(space, vec3(p[0], p[1], p[2]));
    o[ENERGY].now[0] = x->energy;
    o[LENGTH].now[0] = norm(scale(j->unit, x->state.m)) / j->unit;
    memcpy(o[SPACE_MOMENTUM].now, &space, sizeof o->now);
    watch(&o[ENERGY], x->energy - o[ENERGY].start[0], o[ENERGY].start[0]);
    watch(&o[LENGTH], norm(scale(j->unit, x->state.m)) - j->scaled_length,
          j->scaled_length);
    watch(&o[SPACE_MOMENTUM], norm(scale(j->unit, moved)), j->scaled_length);
}

/* ---- the table for people -------------------------------------------------------- */

/* A column whose numbers are at most `size`: points under each other, and powers of ten
 * only where the size asks for them. */
static void print_cell(outfile *out, double x, double size)
{
    const double largest = 1e4, smallest = 1e-3; /* that fit with enough digits */
    if (size != 0.0 && !(size >= smallest && size < largest)) {
        outfile_print(out, " %*.*e", WIDTH, WIDTH - 7, x);
        return;
    }
    const int before = size < 1.0 ? 1 : (int)floor(log10(size)) + 1;
    outfile_print(out, " %*.*f", WIDTH, DIGITS + 1 - before, x);
}

/* A number as it would be typed, with as many digits as fit. */
static void print_number(outfile *out, double x, int width)
{
    char text[LONGEST_COLUMN + 20];
    int digits = width - 1;
    while (snprintf(text, sizeof text, "%.*g", digits, x) > width && digits > 1)
        digits--;
    outfile_print(out, "%*s", width, text);
}

/* How many of the columns that were asked for fit beside each other, and how wide they are. */
static size_t fit_columns(const job *j, int *width)
{
    size_t n = j->columns.count < MOST_COLUMNS ? j->columns.count : MOST_COLUMNS;
    *width = LONGEST_COLUMN;
    for (; n > 1; n--) {
        size_t longest = 0;
        for (size_t i = 0; i < n; i++) {
            const size_t length = strlen(j->columns.column[i].name);
            longest = length > longest ? length : longest;
        }
        *width = (int)((LINE + 1) / n - 1);
        if (longest <= (size_t)*width)
            break;
    }
    *width = n <= 1 || *width > LONGEST_COLUMN ? LONGEST_COLUMN : *width;
    return n;
}

static void print_head(const job *j)
{
    int width;
    if (j->show.choice.show == NULL) {
        outfile_print(j->standard, "%9s %9s %9s %9s %9s %9s %9s %9s\n", "t", "q0", "q1",
                      "q2", "q3", "m1", "m2", "m3");
        return;
    }
    const size_t shown = fit_columns(j, &width);
    for (size_t i = 0; i < shown; i++)
        outfile_print(j->standard, "%s%*s", i == 0 ? "" : " ", width,
                      j->columns.column[i].name);
    outfile_print(j->standard, "\n");
}

static void print_row(const job *j, const sample *x)
{
    outfile *out = j->standard;
    const double q[] = {x->state.q.w, x->state.q.x, x->state.q.y, x->state.q.z},
                 m[] = {x->state.m.x, x->state.m.y, x->state.m.z};
    if (j->show.choice.show != NULL) {
        int width;
        const size_t shown = fit_columns(j, &width);
        for (size_t i = 0; i < shown; i++) {
            outfile_print(out, "%s", i == 0 ? "" : " ");
            print_number(out, j->row[i], width);
        }
        outfile_print(out, "\n");
        return;
    }
    print_number(out, x->t, WIDTH);
    for (int i = 0; i < 4; i++)
        print_cell(out, q[i], 1.0);
    for (int i = 0; i < 3; i++)
        print_cell(out, m[i], j->invariant[LENGTH].start[0]);
    outfile_print(out, "\n");
}

/* ---- opening: whatever cannot be written is found before the run ----------------- */

static int open_all(job *j)
{
    const ph_state start = ph_motion_at(&j->motion, 0.0);
    j->sample = sample_of(&j->body, &start, 0.0);
    set_invariants(j, &j->sample);
    set_tables(j);
    TRY(show_columns(&j->show, &j->now, false, &j->columns));
    j->row = calloc(j->columns.count, sizeof *j->row);
    if (j->row == NULL)
        return fail_memory();
    if (j->path != NULL) {
        TRY(rows_open(j->path, j->standard, &j->columns, &j->now, &j->about, &j->out,
                      &j->rows));
        TRY(times_refuse(&j->times, &j->rows));
    }
    j->table = !j->json && (j->path == NULL || strcmp(j->path, "-") != 0);
    return pictures_open(&j->pictures, j->given, "--plot", j->path);
}

/* Takes away whatever is still open. */
static void discard_all(job *j)
{
    record_free(&j->rows); /* it may hold the file open */
    if (j->out != j->standard)
        outfile_discard(j->out);
    pictures_discard(&j->pictures);
    columns_free(&j->columns);
    free(j->row);
}

/* ---- the states ------------------------------------------------------------------ */

/* Whether row i belongs into the short table: evenly spaced, with the first and the
 * last. */
static bool in_short_table(unsigned long long i, unsigned long long count)
{
    if (count <= SHORT_TABLE)
        return true;
    const unsigned long long gaps = SHORT_TABLE - 1, last = count - 1;
    const unsigned long long row = (i * gaps + last - 1) / last;
    return i == row * last / gaps;
}

static int write_state(job *j, const sample *x)
{
    if (j->out != NULL)
        record_add(&j->rows, &j->now);
    if (j->rows.refused != NULL)
        return fail_run(REFUSED_ROW, j->done + 1, x->t, j->rows.format->text,
                        j->rows.refused);
    columns_row(&j->columns, &j->now, 0, j->row);
    if (j->json) {
        outfile_print(j->standard, j->done == 0 ? "\n" : ",\n");
        json_t *state = sample_json(x, ph_motion_phase_digits(&j->motion, x->t));
        if (state != NULL && j->show.choice.show != NULL)
            show_json(state, &j->columns, j->row);
        if (!json_write(j->standard, state, 0))
            return fail_memory();
    }
    if (j->table && (j->out == NULL || in_short_table(j->done, j->times.count)))
        print_row(j, x);
    j->done++;
    return 0;
}

/* All states up to the last, an error, Ctrl-C, or an output that takes no more. */
static int write_states(job *j)
{
    for (unsigned long long i = 0; i < j->times.count; i++) {
        if (interrupted)
            return EXIT_INTERRUPTED;
        if (j->standard->error != 0 || (j->out != NULL && j->out->error != 0))
            return EXIT_DONE; /* reported when it is closed */
        const double t = times_at(&j->times, i);
        const ph_state s = ph_motion_at(&j->motion, t);
        const sample x = sample_of(&j->body, &s, t);
        if (!sample_finite(&x) || !isfinite(x.energy))
            return fail_run("state %llu, at t = %g, is not finite: ask for times nearer "
                            "the start",
                            i + 1, t);
        if (j->phase_lost_from == 0.0 &&
            ph_motion_phase_digits(&j->motion, t) < FEW_DIGITS)
            j->phase_lost_from = t;
        watch_invariants(j, &x);
        j->sample = x;
        j->now.t = t;
        TRY(write_state(j, &x));
        progress_show(i + 1, (double)(i + 1) / (double)j->times.count);
    }
    return EXIT_DONE;
}

/* ---- the rest of the output ------------------------------------------------------ */

/* The script of the motion, or of columns over time. */
static bool write_script(FILE *script, plot_format format, const void *context)
{
    const job *j = context;
    return j->series != NULL ? run_plot_write(j->series, script, format, "")
                             : motion_plot(script, format, &j->body, &j->motion,
                                           j->times.start, j->times.end);
}

/* Columns over the times asked for, or where these are few over the time between. */
static int fill_series(job *j, run_plot *p)
{
    const unsigned long long few = 1000;
    char word[COLUMN_NAME];
    nearest near_by = {0};
    if (!run_plot_begin(p, &j->now, &j->show.choice, true, word, &near_by))
        return fail_memory(); /* the columns were chosen before */
    const bool asked = j->times.count >= few || j->times.list != NULL;
    const unsigned long long count = asked ? j->times.count : few;
    const time_list even = {.count = few, .start = j->times.start, .end = j->times.end};
    for (unsigned long long i = 0; i < count && !interrupted; i++) {
        const double t = times_at(asked ? &j->times : &even, i);
        const ph_state s = ph_motion_at(&j->motion, t);
        j->sample = sample_of(&j->body, &s, t);
        j->now.t = t;
        watch_invariants(j, &j->sample);
        if (!run_plot_add(p, &j->now))
            return fail_memory();
    }
    return 0;
}

static int draw(job *j)
{
    run_plot series = {0};
    int status = 0;
    if (j->show.choice.show != NULL) {
        status = fill_series(j, &series);
        j->series = &series; /* while it is drawn */
    }
    if (status == 0)
        status =
            pictures_draw(&j->pictures, write_script, j, j->table ? j->standard : NULL);
    if (status == 0 && j->series == NULL && j->table && j->pictures.count > 0) {
        const double end =
            motion_plot_end(&j->body, &j->motion, j->times.start, j->times.end);
        if (end != j->times.end)
            outfile_print(
                j->standard,
                "(it shows t = %g to %g, the beginning: more would be a blot)\n",
                j->times.start, end);
    }
    run_plot_free(&series);
    j->series = NULL;
    return status;
}

/* Puts the files in their places; prints what they are. */
static int finish_files(job *j, int status)
{
    if (j->out != NULL && j->out != j->standard) {
        record_end(&j->rows);
        outfile *file = j->out;
        j->out = NULL;
        TRY(file_close(file, j->path, ""));
        if (j->table)
            outfile_print(j->standard, "\n%llu", j->done);
        if (j->table && j->done < j->times.count)
            outfile_print(j->standard, " of %llu", j->times.count);
        if (j->table)
            outfile_print(j->standard, " states written to %s\n", j->path);
    }
    if (status == EXIT_DONE && j->pictures.count > 0) {
        if (j->table && j->path == NULL)
            outfile_print(j->standard, "\n");
        status = draw(j);
    }
    return status;
}

static int write_output(job *j)
{
    bool whole = true;
    if (j->json)
        outfile_print(j->standard, "{\"states\":[");
    if (j->table)
        print_head(j);

    progress_begin(j->json || j->out == NULL || j->out == j->standard);
    const int status = write_states(j);
    progress_end();
    if (j->json) {
        outfile_print(j->standard, "\n],\"invariants\":");
        whole = json_write(j->standard, invariants_json(j->invariant, INVARIANTS), 0);
        outfile_print(j->standard, "}\n");
    }
    if (j->table) {
        outfile_print(
            j->standard,
            "\nq attitude, body to space, scalar part first; m angular momentum in the "
            "body\n");
        int width;
        if (j->show.choice.show != NULL && fit_columns(j, &width) < j->columns.count)
            outfile_print(j->standard, "There are more columns, which --out and --json "
                                       "have.\n");
        print_invariants(j->standard, j->invariant, INVARIANTS, 10);
        outfile_print(j->standard,
                      "(kept to: the largest relative deviation over these times)\n");
    }
    return whole ? finish_files(j, status) : fail_memory();
}

static int write_all(job *j)
{
    j->standard = outfile_standard();
    if (j->standard == NULL)
        return fail_memory();
    int status = open_all(j);
    const bool started = status == 0;
    if (started)
        status = write_output(j);
    if (status == EXIT_DONE && j->phase_lost_from != 0.0)
        warn("from t = %g on fewer than %g digits of the phase are left: the states are "
             "on the right orbit, but their position on it is unknown",
             j->phase_lost_from, FEW_DIGITS);
    discard_all(j);
    if (!started) {
        outfile_discard(j->standard);
        return status;
    }
    return standard_close(j->standard, status);
}

/* ---- the command line ------------------------------------------------------------ */

/* One of two options. */
static int need_one(const arguments *given, const char *one, const char *other)
{
    if (argument(given, one) != NULL || argument(given, other) != NULL)
        return 0;
    return fail_usage("neither %s nor %s is given: add %s %s", one, other, one,
                      option_named(given, one)->value);
}

/* Whether the scenario is of a free body: its problem, if it has one, is free, and all the rest
 * belongs to that. */
static int read_free(scenario *input, model *m)
{
    setting *problem = &input->value[KEY_PROBLEM];
    if (!problem->is_set)
        *problem = (setting){.is_set = true, .text = "free"};
    TRY(model_read(input, m));
    REFUSE_IF(strcmp(problem->text, "free") != 0,
              "%sthe exact motion is that of a free body, and the problem is %s: write "
              "free, or polhode run",
              input_line(input, problem), problem->text);
    return 0;
}

static int prepare(scenario *input, const arguments *given, job *j)
{
    ph_problem p = {0};
    ph_state start = {0};
    model m;
    const setting *v = input->value;
    TRY(input_read_scenario(input, given));
    TRY(input_take_body(input, given));
    input->degrees = argument(given, "--degrees") != NULL;
    int status = read_free(input, &m);
    if (status == 0)
        status = model_check(&m, &p, &start);
    model_free(&m);
    TRY(status);
    TRY(v[KEY_INERTIA].is_set || v[KEY_TENSOR].is_set
            ? 0
            : need_one(given, "--inertia", "--tensor"));
    TRY(v[KEY_MOMENTUM].is_set || v[KEY_VELOCITY].is_set
            ? 0
            : need_one(given, "--momentum", "--velocity"));
    j->body = p.body;
    start.q = ph_quat_unit(start.q);
    const ph_status prepared = ph_motion_prepare(&j->motion, &j->body, &start);
    if (prepared != PH_OK)
        return fail_usage("the start cannot be used: %s", ph_status_text(prepared));
    if (j->path == NULL && v[KEY_FILE].is_set)
        j->path = v[KEY_FILE].text;
    if (argument(given, "--time") != NULL)
        return times_read(&j->times, given, "--time");
    REFUSE_IF(!v[KEY_TIME].is_set,
              "no time is given: add --time t[,t...] or start:end:count");
    return times_of_scenario(&j->times, v[KEY_STEP].is_set ? v[KEY_STEP].x[0] : 0.0,
                             v[KEY_TIME].x[0]);
}

static int run_states(const arguments *given)
{
    job j = {.json = argument(given, "--json") != NULL,
             .path = argument(given, "--out"),
             .given = given};
    scenario input = {0};
    int status = show_read(&j.show, given);
    if (status == 0)
        status = prepare(&input, given, &j);
    if (status == 0)
        status = write_all(&j);
    times_free(&j.times);
    scenario_free(&input);
    return status;
}

/* ---- many bodies ----------------------------------------------------------------- */

/* The flow exact, perhaps on a device. */
typedef struct exact_cases {
    ph_device_run run;
    device_cases device;
} exact_cases;

/* Brings many bodies to their times; the only way to fail is a state that is not finite. */
static size_t advance(const void *context, cases_block *b, char why[CASES_WHY])
{
    const exact_cases *c = context;
    const ph_batch all = cases_batch(b);
    size_t failed = b->n;
    ph_batch_result end;
    if (c->device.device != NULL)
        return device_cases_advance(&c->device, &c->run, b, why, &end);
    (void)ph_batch_step_each(c->run.integrator.flow, &all, b->t, &failed);
    return failed;
}

static int run(const arguments *given)
{
    const char *out = argument(given, "--out"), *cases = argument(given, "--cases");
    const bool json = argument(given, "--json") != NULL;
    REFUSE_IF(json && out != NULL && (cases != NULL || strcmp(out, "-") == 0),
              "--json and --out " WORDS " exclude each other here: leave one out", out);
    if (cases == NULL) {
        device_cases none = {0};
        TRY(device_cases_open(&none, given, NULL));
        return run_states(given);
    }
    TRY(refuse_operands(given));
    static const char *const shared[] = {"--cases",   "--out",   "--json",  "--show",
                                         "--degrees", "--frame", "--epoch", "--device"};
    for (size_t i = 0; i < given->options; i++) { /* the options of the other form */
        const char *name = given->option[i].name;
        size_t k = 0;
        while (k < COUNT(shared) && strcmp(name, shared[k]) != 0)
            k++;
        if (k == COUNT(shared))
            TRY(refuse_both(given, "--cases", name));
    }
    show_request show = {0};
    TRY(show_read(&show, given));
    exact_cases c = {.run = {.integrator = {.flow = find_flow("exact")}, .timed = true}};
    const cases_job work = {
        .show = &show, .timed = true, .json = json, .advance = advance, .context = &c};
    int status = device_cases_open(&c.device, given, &c.run);
    if (status == 0)
        status = cases_run(&work, cases, out);
    device_cases_close(&c.device);
    return status;
}

const command command_exact = {
    .name = "exact",
    .help = exact_help,
    .run = run,
};
