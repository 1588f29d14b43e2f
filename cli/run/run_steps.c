/* run_steps.c - a run: its steps, its rows, its snapshots, its end. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/files/json.h"
#include "cli/files/posix.h"
#include "cli/files/run_plot.h"
#include "cli/serve/serve.h"
#include "cli/system_output.h"
#include "cli/tool.h"
#include "run.h"
#include "system/find.h"

#define CHECK_STEPS 256 /* from one reading of the clock to the next */

typedef struct job {
    const run_request *r;
    outfile *standard; /* summary, JSON, or CSV for `--out -` */
    outfile *out;      /* of the rows: standard or a file of its own; NULL: none */
    record rows;       /* into it */
    column_set columns;
    file_about about;
    bool frames; /* the file holds frames */
    pictures pictures;
    run_plot plot; /* what they show */
    run_result done;
    uint64_t first; /* the step that the run begins or goes on with */
    double begun, last_checkpoint;
    int checkpoint_status; /* exit status of a snapshot that could not be written */
    ph_event event;
    uint64_t made;  /* rows, of a method that chooses its steps */
    server *server; /* that shows the run, or NULL */
    bool no_memory;
    bool cut;      /* rows of the last step are missing: no snapshot is of it */
    bool overflow; /* a step was done, and what is to be written of it is not finite */
} job;

/* A run that is printed again: all its files are there. */
static bool is_over(const run_request *r)
{
    return r->resumed && r->finished;
}

/* ---- opening: whatever cannot be written is found before the run ----------------- */

static int take_up_rows(job *j)
{
    const run_request *r = j->r;
    const bool same = outfile_copy_rows(j->out, r->rows_in, r->bytes, r->hash) ||
                      outfile_copy_rows(j->out, r->out, r->bytes, r->hash);
    if (!same)
        return fail_usage("the rows written so far are not in " WORDS
                          " any more, or have changed: start the run again",
                          r->out);
    j->rows.count = r->rows;
    return 0;
}

static int open_rows(job *j)
{
    const run_request *r = j->r;
    const instant now = instant_of(r->system);
    j->about = (file_about){.command = command_words(),
                            .problem = r->problem,
                            .method = r->method,
                            .step = r->step,
                            .epoch = r->show.epoch};
    j->about.parameter =
        ph_system_parameters(r->system, &j->about.parameters, &j->about.value);
    const int status =
        rows_open(r->out, j->standard, &j->columns, &now, &j->about, &j->out, &j->rows);
    j->frames = status == 0 && record_frames(&j->rows);
    REFUSE_IF(status == 0 && r->checkpoint != NULL && !j->rows.format->continues,
              WORDS ": %s cannot be continued, as --checkpoint needs: write .csv or .npy",
              r->out, j->rows.format->text);
    if (status == 0 && r->checkpoint != NULL)
        outfile_hash_rows(j->out);
    return status == 0 && r->resumed ? take_up_rows(j) : status;
}

/* Refuses times that the file cannot hold, as far as they are known: an event may come first, a
 * method that chooses its steps ends at the time. */
static int refuse_times(const job *j)
{
    const run_request *r = j->r;
    const double interval = (double)r->every * r->step;
    time_list times = {.count = 1 + (r->time != 0.0), .end = r->time};
    if (interval != 0.0 && r->time / interval < 0x1p53) {
        times.count = 1 + (unsigned long long)(r->time / interval * (1.0 + 1e-12));
        times.step = interval;
        times.end = (double)(times.count - 1) * interval;
    }
    return j->out == NULL || r->until != NULL ? 0 : times_refuse(&times, &j->rows);
}

/* A body on which no torque acts keeps the length of its momentum. */
static bool is_free(const instant *now)
{
    for (size_t i = 0; i < now->observables; i++) {
        if (strcmp(now->observable[i].name, "momentum") == 0)
            return now->observable[i].conserved;
    }
    return false;
}

static int begin_plot(job *j, const instant *now)
{
    const run_request *r = j->r;
    char word[COLUMN_NAME];
    nearest near_by = {0};
    if (run_plot_begin(&j->plot, now, &r->show.choice, is_free(now), word, &near_by))
        return 0;
    return near_by.wrong == NULL ? fail_memory()
                                 : fail_unknown("--show: ", "column over time", &near_by,
                                                "`polhode run --help`");
}

static int open_all(job *j)
{
    const run_request *r = j->r;
    j->standard = outfile_standard();
    if (j->standard == NULL)
        return fail_memory();
    const instant now = instant_of(r->system);
    TRY(show_columns(&r->show, &now, ph_kind_of(r->system)->rows_of_each, &j->columns));
    if (r->out != NULL && !is_over(r))
        TRY(open_rows(j));
    TRY(refuse_times(j));
    if (r->given != NULL)
        TRY(pictures_open(&j->pictures, r->given, "--plot", r->out));
    if (j->pictures.count > 0)
        TRY(begin_plot(j, &now));
    return r->checkpoint != NULL ? file_refuse(r->checkpoint) : 0;
}

static void discard_all(job *j)
{
    record_free(&j->rows); /* it may hold the file open */
    if (j->out != j->standard)
        outfile_discard(j->out);
    outfile_discard(j->standard);
    columns_free(&j->columns);
    pictures_discard(&j->pictures);
    run_plot_free(&j->plot);
}

/* ---- the steps ------------------------------------------------------------------- */

static void note_progress(job *j)
{
    const run_request *r = j->r;
    const double now = ph_system_time(r->system);
    j->done.steps = ph_system_steps(r->system);
    j->done.met = j->event.met || (is_over(r) && r->was_met);
    j->done.time = j->done.steps == r->steps && !j->done.met ? r->time
                   : chooses_steps(r) || j->done.met         ? now
                                                     : (double)j->done.steps * r->step;
    j->done.complete =
        j->done.met || (chooses_steps(r) ? now == r->time : j->done.steps == r->steps);
    j->done.seconds = r->seconds + (clock_now() - j->begun);
    j->done.rows = j->out != NULL ? j->rows.count : r->rows;
}

static bool checkpoint_now(job *j)
{
    note_progress(j);
    j->last_checkpoint = clock_now();
    if (j->out != NULL && outfile_sync(j->out) != 0)
        return false; /* reported when it is closed */
    j->checkpoint_status = checkpoint_write(j->r, &j->done, j->out, false);
    return j->checkpoint_status == 0;
}

/* Whether it is time for a snapshot. */
static bool is_due(const job *j, uint64_t step)
{
    const run_request *r = j->r;
    if (r->checkpoint == NULL)
        return false;
    if (r->checkpoint_seconds == 0.0)
        return step % r->checkpoint_steps == 0;
    return (step % CHECK_STEPS == 0 || ph_kind_of(r->system)->rows_of_each) &&
           clock_now() - j->last_checkpoint >= r->checkpoint_seconds;
}

/* Writes the first snapshot, after the first row; false if it cannot be written. From then on
 * the rows that another process left beside their place are not needed. */
static bool begin(job *j)
{
    const run_request *r = j->r;
    if (r->checkpoint == NULL || is_over(r))
        return true;
    if (!checkpoint_now(j))
        return false;
    if (r->resumed && r->out != NULL && outfile_is_beside(j->out, r->rows_in))
        (void)unlink(r->rows_in);
    return true;
}

static bool add_row(void *context, ph_system *s)
{
    job *j = context;
    const instant now = instant_of(s);
    record_add(&j->rows, &now);
    j->made++;
    return j->out->error == 0 && j->rows.refused == NULL;
}

/* The rows up to the end of the last step, at even times, of a method that chooses its steps;
 * and that of an event. */
static bool add_even_rows(job *j, ph_system *s)
{
    static const double SAME = 0x1p-50;
    const run_request *r = j->r;
    const double now = ph_system_time(s), direction = r->step < 0.0 ? -1.0 : 1.0;
    double last = NAN;
    for (;;) {
        const double exactly = (double)j->made * ((double)r->every * r->step),
                     time = fabs(exactly - now) <= SAME * fabs(now) ? now : exactly;
        if (!(direction * (now - time) >= 0.0))
            break;
        last = time;
        j->cut = interrupted;
        if (j->cut)
            return false;
        if (ph_system_look(s, time, add_row, j) != PH_OK || j->out->error != 0 ||
            j->rows.refused != NULL)
            return false;
    }
    return !j->event.met || last == now || add_row(j, s);
}

/* The rows of a step, or of several. */
static bool add_rows(job *j, ph_system *s, uint64_t step)
{
    const run_request *r = j->r;
    if (chooses_steps(r) && r->step != 0.0)
        return add_even_rows(j, s);
    return (step % r->every != 0 && !j->event.met) || add_row(j, s);
}

/* Ends the run without memory. */
static bool add_to_plot(job *j, ph_system *s)
{
    const instant now = instant_of(s);
    j->no_memory = !run_plot_add(&j->plot, &now);
    return !j->no_memory;
}

/* Is called after every step; ends the run on Ctrl-C and when the output takes no more. */
static bool after_step(void *context, ph_system *s)
{
    job *j = context;
    const run_request *r = j->r;
    const uint64_t step = ph_system_steps(s);
    j->overflow = !ph_system_finite(s);
    if (j->overflow)
        return false;
    const bool known = r->resumed && step == j->first; /* it was seen before the stop */
    if (j->out != NULL && !known && !add_rows(j, s, step))
        return false;
    if (j->pictures.count > 0 && !add_to_plot(j, s))
        return false;
    if (step > j->first && (step % CHECK_STEPS == 0 || ph_kind_of(s)->rows_of_each))
        progress_show(step, chooses_steps(r) ? ph_system_time(s) / r->time
                                             : (double)step / (double)r->steps);
    server_show(j->server, s);
    if (step == j->first ? !begin(j) : is_due(j, step) && !checkpoint_now(j))
        return false;
    return !interrupted && (j->out == NULL || j->out->error == 0);
}

/* ---- the end --------------------------------------------------------------------- */

/* What was written: rows or frames. */
static const char *rows_name(const job *j)
{
    const bool over = is_over(j->r); /* its file is not opened again */
    return j->frames || (over && file_format_of(j->r->out)->row == NULL) ? "frames"
                                                                         : "rows";
}

/* Reports why the run ended early, and where its rows are. */
static int report_end(const job *j, ph_status status)
{
    char rows[200] = "";
    const run_result *d = &j->done;
    const unsigned long long steps = d->steps;
    const bool stop = status == PH_OK && !j->overflow && j->rows.refused == NULL;
    if (j->r->out != NULL)
        (void)snprintf(rows, sizeof rows, "%s%llu %s are in " WORDS, stop ? "" : "; ",
                       d->rows, rows_name(j),
                       j->out == j->standard ? "standard output" : j->r->out);
    if (status == PH_NO_CONVERGENCE && chooses_steps(j->r))
        return fail_run(
            "no step from t = %.10g is short enough for the tolerance: the torque "
            "is singular there or not defined, choose another initial state or "
            "parameters%s",
            d->time, rows);
    if (status == PH_OK && j->rows.refused != NULL)
        return fail_run(REFUSED_ROW "%s", d->rows + 1, j->rows.last,
                        file_format_of(j->r->out)->text, j->rows.refused, rows);
    if (status != PH_OK)
        return fail_run("step %llu, from t = %.10g, failed: %s: take a smaller step%s",
                        steps + 1, d->time, ph_status_text(status), rows);
    if (j->overflow)
        return fail_run("energy, momentum or velocity overflows after step %llu, t = "
                        "%.10g: take a smaller step, or other units%s",
                        steps, d->time, rows);
    return stopped("interrupted at step %llu, t = %.10g: %s", steps, d->time,
                   rows[0] == '\0' ? "the output covers the steps until then" : rows);
}

/* Puts the file in its place. */
static int close_rows(job *j)
{
    char when[80];
    if (j->out == NULL)
        return 0;
    (void)snprintf(when, sizeof when, " after step %llu, t = %g",
                   (unsigned long long)j->done.steps, j->done.time);
    record_end(&j->rows);
    j->done.rows = j->rows.count;
    record_free(&j->rows);
    if (j->out == j->standard) {
        outfile_flush(j->out);
        const bool gone =
            j->out->error == EPIPE; /* the reader; standard_close() reports it */
        return j->out->error == 0 || gone ? 0
                                          : fail_write(NULL, j->out->error, when, NULL);
    }
    outfile *file = j->out;
    j->out = NULL;
    return file_close(file, j->r->out, when);
}

/* The last snapshot, of the run with its rows in their place: the file is closed first, so
 * that the snapshot is right about it. */
static int end_files(job *j)
{
    const run_request *r = j->r;
    outfile position = {.fd = -1};
    if (j->out != NULL) {
        outfile_flush(j->out);
        position.whole = j->out->whole;
        position.head = j->out->head;
        position.hash = j->out->hash;
    }
    const bool rows = j->out != NULL;
    int status = close_rows(j);
    if (status == 0 && r->checkpoint != NULL && j->checkpoint_status == 0 && !j->cut &&
        !is_over(r))
        status = checkpoint_write(r, &j->done, rows ? &position : NULL, true);
    return status;
}

/* ---- the summary ----------------------------------------------------------------- */

/* The columns that were asked for, at the end, to be freed; NULL if none were. */
static double *shown_row(const job *j)
{
    const run_request *r = j->r;
    double *row = NULL;
    if (r->show.choice.show != NULL && !j->columns.choice.each)
        row = calloc(j->columns.count, sizeof *row);
    const instant now = instant_of(r->system);
    if (row != NULL)
        columns_row(&j->columns, &now, 0, row);
    return row;
}

static double tolerance_of(const run_request *r)
{
    return *find_field(r->system, "tolerance")->data[0];
}

static void print_summary(outfile *out, const job *j)
{
    const run_request *r = j->r;
    const run_result *done = &j->done;
    size_t count;
    const ph_adaptive_numbers *chosen = ph_system_adaptive(r->system);
    outfile_print(out, "%s by %s: %llu steps", r->problem, r->method,
                  (unsigned long long)done->steps);
    if (chosen != NULL)
        outfile_print(out, " to a tolerance of %g, %.0f rejected, %.0f torques",
                      tolerance_of(r), chosen->rejected, chosen->evaluations);
    else
        outfile_print(out, " of %g", r->step);
    if (done->steps < r->steps && chosen == NULL && !done->met)
        outfile_print(out, " of %llu", (unsigned long long)r->steps);
    if (done->met)
        outfile_print(out, "; %s at t = %.17g", r->until, done->time);
    if (r->order != 0)
        outfile_print(out,
                      "\n%s: order %d; its coefficients, measured on the problem "
                      "generic: %.2f",
                      r->method, r->order, r->slope);
    outfile_print(out, "\n\n");
    print_state(out, r->system);
    double *row = shown_row(j);
    for (size_t i = 0; row != NULL && i < j->columns.count; i++)
        outfile_print(out, "%s%-15s %.15g\n", i == 0 ? "\n" : "",
                      j->columns.column[i].name, row[i]);
    free(row);

    const ph_observable *observables = ph_system_observables(r->system, &count);
    if (observables[0].conserved)
        outfile_print(out, "\nKept to: the largest relative deviation after any step\n");
    else
        outfile_print(out, "\nenergy          %.10g, at the start %.10g; not conserved\n",
                      observables[0].now[0], observables[0].start[0]);
    print_invariants(out, observables, count,
                     ph_kind_of(r->system)->rows_of_each ? 6 : 10);
    outfile_print(out, "%-15s %.3g\n", "energy slope",
                  ph_system_energy_record(r->system).slope);
    outfile_print(out, "\n%.3g s", done->seconds);
    if (done->steps > 0 && done->seconds > 0.0)
        outfile_print(out, ", %.3g steps per second",
                      (double)done->steps / done->seconds);
    if (r->out != NULL)
        outfile_print(out, "; %llu %s written to %s", done->rows, rows_name(j), r->out);
    outfile_print(out, "\n");
}

/* False without memory. */
static bool print_json(outfile *out, const job *j)
{
    const run_request *r = j->r;
    const run_result *done = &j->done;
    const ph_energy_record e = ph_system_energy_record(r->system);
    size_t count;
    const ph_observable *observables = ph_system_observables(r->system, &count);
    json_t *object = json_pack(
        "{ss ss so sI sf so s{so so so so} sf so so* so* so*}", "problem", r->problem,
        "method", r->method, "step", r->step == 0.0 ? json_null() : json_real(r->step),
        "steps", (json_int_t)done->steps, "time", done->time, "final",
        state_json(r->system), "energy", "initial", json_finite(e.first), "final",
        json_finite(e.last), "max_error", json_finite(e.largest_error), "slope",
        json_finite(e.slope), "seconds", done->seconds, "invariants",
        invariants_json(observables, count), "interrupted",
        done->complete ? NULL : json_true(), "order",
        r->order != 0 ? json_integer(r->order) : NULL, "measured_order",
        r->order != 0 ? json_finite(r->slope) : NULL);
    const ph_adaptive_numbers *chosen = ph_system_adaptive(r->system);
    if (chosen != NULL)
        (void)json_object_update_new(
            object, json_pack("{sf sI sI}", "tolerance", tolerance_of(r), "rejected",
                              (json_int_t)chosen->rejected, "evaluations",
                              (json_int_t)chosen->evaluations));
    const ph_field *longest = find_field(r->system, "longest_step");
    if (longest != NULL)
        (void)json_object_set_new(object, "longest_step", json_real(*longest->data[0]));
    if (r->until != NULL)
        (void)json_object_update_new(object, json_pack("{s{ss sb}}", "until", "condition",
                                                       r->until, "met", (int)done->met));
    double *row = shown_row(j);
    if (row != NULL)
        show_json(json_object_get(object, "final"), &j->columns, row);
    free(row);
    const bool whole = json_write(out, object, 0);
    outfile_print(out, "\n");
    return whole;
}

static bool write_script(FILE *script, plot_format format, const void *context)
{
    const job *j = context;
    char title[PICTURE_TITLE];
    picture_title(title, j->r->problem, j->r->method);
    return run_plot_write(&j->plot, script, format, title);
}

/* Draws the pictures, and says so where text is printed. */
static int draw(job *j, bool told)
{
    const double end = run_plot_path_end(&j->plot);
    TRY(pictures_draw(&j->pictures, write_script, j, told ? j->standard : NULL));
    if (told && end != j->plot.end)
        outfile_print(j->standard, "(paths are drawn for t = %g to %g, the beginning)\n",
                      j->plot.begin, end);
    return 0;
}

static int finish(job *j, ph_status status)
{
    const run_request *r = j->r;
    const bool to_standard = j->out == j->standard; /* the rows are all that is printed */
    const bool stop = status == PH_OK && !j->done.complete;
    int result = end_files(j);
    if (result == 0)
        result = j->checkpoint_status;
    if (result == 0 && (status != PH_OK || j->overflow || j->rows.refused != NULL))
        result = report_end(j, status);
    if (result == 0 && !to_standard) {
        if (!r->json)
            print_summary(j->standard, j);
        else if (!print_json(j->standard, j))
            result = fail_memory();
    }
    if (result == 0 && j->done.complete && r->until != NULL && !j->done.met)
        warn("`" WORDS "` did not become true until t = %.10g: the run went to its end",
             r->until, j->done.time);
    if (result == 0 && j->no_memory)
        result = fail_memory();
    if (result == 0 && j->pictures.count > 0 && !interrupted)
        result = draw(j, !to_standard && !r->json);
    if (result == 0 && stop && interrupted)
        result = report_end(j, status);
    return standard_close(j->standard, result);
}

int run_steps(const run_request *r)
{
    job j = {.r = r,
             .first = ph_system_steps(r->system),
             .done.rows = r->rows,
             .made = r->rows,
             .event = {until_value, (void *)r, false}};
    int opened = open_all(&j);
    if (opened == 0)
        opened = server_open(&j.server, r->system, r->time, r->serve);
    if (opened != 0) {
        discard_all(&j);
        return opened;
    }
    const ph_observer observer = {after_step, &j, 1, NULL, 0};
    progress_begin(j.out == j.standard);
    j.begun = j.last_checkpoint = clock_now();
    ph_system_watch(r->system, true);
    const ph_status status =
        is_over(r)         ? ph_system_run(r->system, 0, &observer)
        : r->until != NULL ? ph_system_run_event(r->system, r->time, &observer, &j.event)
        : chooses_steps(r) ? ph_system_run_until(r->system, r->time, &observer)
                           : ph_system_run(r->system, r->steps - j.first, &observer);
    note_progress(&j);
    progress_end();
    server_close(j.server);
    const int result = finish(&j, status);
    columns_free(&j.columns);
    pictures_discard(&j.pictures);
    run_plot_free(&j.plot);
    return result;
}
