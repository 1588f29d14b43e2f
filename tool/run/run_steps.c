/* run_steps.c - the observers of the loop of a run. They write its rows, its pictures, the live
 * page, its snapshots and its summary. */
#include "request.h"
#include "run_averages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/elementary.h"
#include "base/even_times.h"
#include "base/extremes.h"
#include "base/named.h"
#include "system/find.h"
#include "tool/base/rendering.h"
#include "tool/base/tool.h"
#include "tool/files/memory.h"
#include "tool/files/posix.h"
#include "tool/output/loop.h"

#define CHECK_STEPS 256 /* from one reading of the clock to the next */

enum { MOST_ADDED = 8 }; /* observers of folders beside the core */

typedef struct job {
    const run_request *r;
    rendering to; /* the summary; CSV for `--out -` goes to its output */
    rows_file rows;
    pictures pictures;
    run_request done; /* what was asked for, and as far as it is done: */
    uint64_t steps;
    double time;
    double begun, last_snapshot;
    int snapshot_status; /* exit status of one that could not be written */
    const char *left;    /* rows that another process left beside their place; NULL: none */
    bool follows;        /* the companion, and until when digits hold */
    ph_digits digits;
    run_events events;
    bool proved; /* the search for events has missed none */
    averages averages;
} job;

/* ---- rows ------------------------------------------------------------------------ */

/* Rows of a run that goes on, from the file that has them: that in its place, one that another
 * process left beside it, or what it kept of them after a failure. Without --out they go on in that
 * place, unless something else is there. */
static int take_up_rows(job *j)
{
    const run_request *r = j->r;
    outfile *out = j->rows.out;
    const long long bytes = (long long)r->bytes;
    const char *place = text_or(r->was_out, r->out);
    REFUSE_IF(out->beside == NULL, WORDS " is not a regular file: name one with --out", r->out);
    char *partial = outfile_partial(place);
    memory_at_end(free, partial);
    const char *left[] = {NULL, partial};
    if (outfile_is_beside(place, r->rows_in))
        left[0] = r->rows_in;
    const bool in_place = outfile_copy_rows(out, place, bytes, r->hash, true);
    for (size_t i = 0; i < COUNT(left) && j->left == NULL; i++) {
        if (left[i] != NULL && outfile_copy_rows(out, left[i], bytes, r->hash, !in_place))
            j->left = left[i];
    }
    REFUSE_IF(!in_place && j->left == NULL,
              "the rows written so far are no longer in " WORDS
              ", or have changed: start the run again",
              place);
    REFUSE_IF(!in_place && r->was_out == NULL && file_is_there(place) &&
                  !outfile_begins_with(out, place), /* rows up to an earlier stop are its own */
              WORDS " exists, but this run did not write it: name the output with --out", place);
    j->rows.rows->count = r->rows;
    return 0;
}

/* Refuses times that the file cannot hold, as far as they are known: an event may come first, a
 * method that chooses its steps ends at the time. */
static int refuse_times(const job *j)
{
    const run_request *r = j->r;
    const double interval = even_time(0.0, (double)r->every, r->step);
    time_list times = {.count = 1 + (r->time != 0.0), .end = r->time};
    if (interval != 0.0 && r->time / interval < 0x1p53) {
        times.count = 1 + (unsigned long long)(r->time / interval * (1.0 + 1e-12));
        times.step = interval;
        times.end = even_time(0.0, (double)(times.count - 1), interval);
    }
    if (r->until != NULL)
        return 0;
    return times_refuse(&times, j->rows.rows);
}

/* Whether the rows of a run that goes on are in their place, and nothing is to be added. */
static bool rows_are_settled(const run_request *r)
{
    return r->resumed && checkpoint_is_settled(r);
}

static int begin_rows(void *self, loop *l)
{
    job *j = self;
    const run_request *r = j->r;
    REFUSE_IF(r->out != NULL && rows_are_settled(r) &&
                  !outfile_ends_in_rows(r->out, (long long)r->bytes, r->hash),
              "the rows of this run are no longer in " WORDS
              ", or have changed: start the run again",
              r->out);
    file_about *about = &j->rows.about;
    about->parameter = ph_system_parameters(r->system, &about->parameters, &about->value);
    TRY(rows_begin(&j->rows, &l->now));
    if (j->rows.out == NULL)
        return 0;
    if (r->checkpoint != NULL) {
        const file_format *format = j->rows.rows->format;
        REFUSE_IF(!format->continues,
                  WORDS ": %s cannot be continued, as --checkpoint needs: write .csv or .npy",
                  r->out, format->text);
        outfile_hash_rows(j->rows.out);
    }
    if (r->resumed)
        TRY(take_up_rows(j));
    return refuse_times(j);
}

static bool add_row(void *self, loop *l)
{
    job *j = self;
    return rows_add(&j->rows, l);
}

/* How far the run is. */
static void note_progress(job *j, const loop *l)
{
    const run_request *r = j->r;
    run_request *d = &j->done;
    const outfile *out = j->rows.out;
    const double now = ph_system_time(r->system);
    j->steps = ph_system_steps(r->system);
    d->met = l->event.met || (l->over && r->met);
    j->proved = events_proved(&j->events, r->until, &l->event);
    j->time = now;
    d->finished = d->met;
    if (chooses_steps(r))
        d->finished |= now == r->time;
    else
        d->finished |= j->steps == r->steps;
    d->seconds = r->seconds + (clock_now() - j->begun);
    if (out == NULL)
        return;
    d->rows = j->rows.rows->count;
    d->rows_in = out->beside;
    d->bytes = (uint64_t)(out->whole - out->head);
    d->hash = out->hash;
}

static int close_rows(void *self, loop *l, int status)
{
    job *j = self;
    if (j->rows.out != NULL)
        outfile_flush(j->rows.out);
    note_progress(j, l);
    if (j->rows.out == NULL)
        return status;
    status = rows_close(
        &j->rows, memory_text(" after step %llu, t = %g", (unsigned long long)j->steps, j->time));
    j->done.rows = j->rows.rows->count;
    j->done.rows_in = j->r->out; /* they are in their place */
    return status;
}

/* ---- snapshots ------------------------------------------------------------------- */

static int begin_snapshots(void *self, loop *l)
{
    job *j = self;
    (void)l;
    j->begun = j->last_snapshot = clock_now();
    if (j->r->checkpoint != NULL)
        return file_refuse(j->r->checkpoint);
    return 0;
}

/* Whether it is time for one: after the first row, and then by steps or by the clock. */
static bool is_due(const job *j, const loop *l)
{
    const run_request *r = j->r;
    const uint64_t step = ph_system_steps(l->system);
    if (r->checkpoint == NULL || l->over || step == l->first)
        return r->checkpoint != NULL && !l->over;
    if (r->checkpoint_seconds == 0.0)
        return step % r->checkpoint_steps == 0;
    return (step % CHECK_STEPS == 0 || ph_kind_of(l->system)->rows_of_each) &&
           clock_now() - j->last_snapshot >= r->checkpoint_seconds;
}

/* Rows that another process left beside their place go once a snapshot names others. */
static void remove_left(job *j)
{
    if (j->left != NULL)
        (void)unlink(j->left);
    j->left = NULL;
}

/* False if one is due and cannot be written. */
static bool write_snapshot(void *self, loop *l)
{
    job *j = self;
    if (!is_due(j, l))
        return true;
    j->last_snapshot = clock_now();
    outfile *out = j->rows.out;
    if (out != NULL && outfile_sync(out) != 0)
        return false; /* reported when it is closed */
    note_progress(j, l);
    j->snapshot_status = checkpoint_write(&j->done);
    if (j->snapshot_status == 0)
        remove_left(j);
    return j->snapshot_status == 0;
}

/* The last one is of the run with its rows in their place, hence after these. */
static int end_snapshots(void *self, loop *l, int status)
{
    job *j = self;
    const run_request *r = j->r;
    if (status == 0)
        status = j->snapshot_status;
    if (status != 0 || r->checkpoint == NULL || l->cut || rows_are_settled(r))
        return status;
    status = checkpoint_write(&j->done);
    if (status == 0)
        remove_left(j);
    return status;
}

/* ---- the companion --------------------------------------------------------------- */

static int begin_companion(void *self, loop *l)
{
    job *j = self;
    j->follows =
        j->r->companion != NULL && ph_digits_begin(&j->digits, j->r->companion, l->time) == PH_OK;
    return 0;
}

/* Its time is not that of the run. */
static bool follow(void *self, loop *l)
{
    job *j = self;
    if (!j->follows)
        return true;
    const double before = clock_now();
    j->follows = ph_digits_follow(&j->digits, l->system) == PH_OK;
    if (j->follows)
        j->begun += clock_now() - before;
    return true;
}

/* ---- events ---------------------------------------------------------------------- */

static int begin_events(void *self, loop *l)
{
    job *j = self;
    TRY(events_begin(&j->events));
    l->watched = j->events.search;
    l->watched_count = j->events.count;
    return 0;
}

/* ---- averages -------------------------------------------------------------------- */

static int begin_averages(void *self, loop *l)
{
    job *j = self;
    j->averages = averages_begin(l->system, l->steps, j->r->sums);
    j->done.averages = &j->averages;
    return 0;
}

static bool add_to_averages(void *self, loop *l)
{
    job *j = self;
    averages_add(&j->averages, l->system);
    return true;
}

static int close_events(void *self, loop *l, int status)
{
    job *j = self;
    (void)l;
    const int closed = events_close(&j->events);
    return first_error(status, closed);
}

/* ---- the summary ----------------------------------------------------------------- */

/* What was written: rows or frames; the file of a run that is over is not opened. */
static const char *rows_name(const job *j)
{
    if (j->rows.frames || (j->rows.path == NULL && file_format_of(j->r->out)->row == NULL))
        return "frames";
    return "rows";
}

/* Writes what the kind of the system has to say of the run, and returns whether it is anything. */
static bool run_caution(const job *j, char text[PH_MESSAGE])
{
    const ph_system *s = j->r->system;
    text[0] = '\0';
    if (ph_kind_of(s)->caution != NULL)
        ph_kind_of(s)->caution(s->self, ph_system_time(s), text);
    return text[0] != '\0';
}

/* Reports why the run ended early, and where its rows are. */
static int report_end(const job *j, const loop *l)
{
    const char *rows = "";
    const unsigned long long steps = j->steps;
    const bool stop = l->status == PH_OK && !l->overflow && j->rows.rows->refused == NULL;
    if (j->r->out != NULL)
        rows = memory_text("%s%llu %s are in " WORDS, text_if(!stop, "; "),
                           (unsigned long long)j->done.rows, rows_name(j),
                           text_of_path(j->r->out, "standard output"));
    char caution[PH_MESSAGE];
    if (l->status != PH_OK && run_caution(j, caution))
        return fail_run("%s%s", caution, rows);
    if (l->status == PH_NO_CONVERGENCE && chooses_steps(j->r))
        return fail_run(
            "no step from t = %.10g is short enough for the tolerance, because the torque is "
            "singular or undefined there: choose another initial state or other parameters%s",
            j->time, rows);
    if (l->status != PH_OK)
        return fail_run("step %llu, from t = %.10g, failed: %s: use a smaller step%s", steps + 1,
                        j->time, ph_status_text(l->status), rows);
    TRY(rows_refused(&j->rows, EXIT_FAILED, rows));
    if (l->overflow)
        return fail_run("energy, momentum or velocity overflows after step %llu, t = %.10g: use a "
                        "smaller step, or other units%s",
                        steps, j->time, rows);
    if (j->r->out == NULL)
        rows = "the output contains the steps until then";
    return stopped("interrupted at step %llu, t = %.10g: %s%s", steps, j->time, rows,
                   checkpoint_advice(j->r));
}

/* States how many steps were taken, of which length or to which tolerance. */
static void render_steps(job *j)
{
    const run_request *r = j->r;
    rendering *to = &j->to;
    const bool chooses = ph_system_is_adaptive(r->system), parts = ph_system_has_parts(r->system);
    render_line(to, "problem method", "%s by %s: ", r->problem, r->method);
    double step = r->step, found_for = r->tolerance;
    if (parts) {
        step = ph_system_step(r->system);
        found_for = r->system->parts.tolerance;
    }
    if (step == 0.0)
        render_value(to, "step", json_null());
    else
        render_value(to, "step", json_real(step));
    render_line(to, "steps", "%llu steps", (unsigned long long)j->steps);
    render_data(to, "time", "%g", j->time);
    if (chooses)
        render_line(to, "tolerance rejected evaluations",
                    " to a tolerance of %g, %llu rejected, %llu torques",
                    *find_field(r->system, "tolerance")->data[0],
                    (unsigned long long)ph_system_rejected(r->system),
                    (unsigned long long)run_evaluations(r));
    else
        render_text(to, parts ? ", the shortest of %g" : " of %g", step);
    if (found_for != 0.0)
        render_line(to, "tolerance evaluations", ", found for a tolerance of %g, %llu torques",
                    found_for, (unsigned long long)run_evaluations(r));
    if (j->steps < r->steps && !chooses_steps(r) && !j->done.met)
        render_text(to, " of %llu", (unsigned long long)r->steps);
    if (j->done.met)
        render_text(to, "; %s at t = %.17g", r->until, j->time);
    if (r->order != 0) {
        render_text(to, "\n%s: ", r->method);
        render_line(to, "order measured_order",
                    "order %d; its coefficients, measured on the problem generic: %.2f",
                    (int)r->order, r->slope);
    }
    render_text(to, "\n\n");
}

/* States the columns that were asked for, at the end. */
static void render_shown(job *j)
{
    const column_set *c = &j->rows.columns;
    if (c->choice.show == NULL || c->choice.each)
        return;
    double *row = memory_new(c->count, sizeof *row);
    const instant now = instant_of(j->r->system);
    columns_row(c, &now, 0, row);
    if (j->to.as == AS_JSON)
        show_json(json_object_get(j->to.open[0], "final"), c, row);
    for (size_t i = 0; i < c->count; i++)
        render_text(&j->to, "%s%-15s %.15g\n", text_if(i == 0, "\n"), c->column[i].name, row[i]);
}

static void render_energy(job *j)
{
    const run_request *r = j->r;
    rendering *to = &j->to;
    const ph_energy_record e = ph_system_energy_record(r->system);
    size_t count;
    const ph_observable *o = ph_system_observables(r->system, &count);
    render_object(to, "energy");
    render_data(to, "initial final max_error slope", "%g %g %g %g", e.first, e.last,
                e.largest_error, e.slope);
    render_close(to);
    render_data(to, "seconds", "%g", j->done.seconds);
    const char *why = "not conserved";
    if (ROW_NAMED(o, count, "conserved_energy") != NULL)
        why = "the thermostat adds and removes heat";
    if (o->conserved)
        render_text(to, "\nKept to: the largest relative deviation after any step\n");
    else
        render_text(to, "\nenergy          %.10g, at the start %.10g; %s\n", o->now[0], o->start[0],
                    why);
    render_invariants(to, "invariants", o, count, ph_kind_of(r->system)->rows_of_each ? 6 : 10);
    render_text(to, "%-15s %.3g\n", "energy slope", e.slope);
}

static int render_summary(job *j)
{
    const run_request *r = j->r;
    const double seconds = j->done.seconds;
    rendering *to = &j->to;
    render_item(to, NULL);
    render_steps(j);
    render_state(to, "final", r->system);
    render_shown(j);
    if (to->as != AS_JSON)
        show_units(&r->show, to->out);
    render_energy(j);
    averages_render(&j->averages, r->system, to);
    events_render(&j->events, to);
    render_text(to, "\n%.3g s", seconds);
    if (j->steps > 0 && seconds > 0.0)
        render_text(to, ", %.3g steps per second", (double)j->steps / seconds);
    if (r->out != NULL)
        render_text(to, "; %llu %s written to %s", (unsigned long long)j->done.rows, rows_name(j),
                    r->out);
    render_text(to, "\n");
    if (!j->done.finished)
        render_value(to, "interrupted", json_true());
    if (j->follows)
        render_data(to, "digits_hold_until", "%g", j->digits.held);
    const ph_array *longest = find_field(r->system, "longest_step");
    if (longest != NULL)
        render_data(to, "longest_step", "%g", *longest->data[0]);
    if (r->until != NULL || r->events.count > 0)
        render_value(to, "proved", json_boolean(j->proved));
    if (r->until != NULL)
        render_value(to, "until",
                     json_pack("{ss sb}", "condition", r->until, "met", (int)j->done.met));
    return render_end(to, true, 0);
}

/* Rows on standard output are all that is printed. */
static bool prints(const run_request *r)
{
    return r->out == NULL || strcmp(r->out, "-") != 0;
}

static int print_end(void *self, loop *l, int status)
{
    job *j = self;
    const run_request *r = j->r;
    const bool failed = l->status != PH_OK || l->overflow || j->rows.rows->refused != NULL,
               early = l->status == PH_AT_SEPARATRIX; /* what there is, is valid */
    if (status == 0 && failed && !early)
        status = report_end(j, l);
    if (status == 0 && prints(r))
        status = render_summary(j);
    if (status == 0 && early)
        status = report_end(j, l);
    if (status == 0 && j->done.finished && r->until != NULL && !j->done.met)
        warn("`" WORDS "` did not become true until t = %.10g: the run continued to its end time",
             r->until, j->time);
    char caution[PH_MESSAGE];
    if (status == 0 && j->follows && ph_digits_warning(&j->digits, caution))
        warn("%s", caution);
    if (status == 0)
        events_warn(&j->events, r->until, &l->event);
    if (status == 0 && run_caution(j, caution))
        warn("%s", caution);
    if (status == 0 && j->averages.missed)
        warn(
            "the averages over the second half of the run are missing, because the snapshot has no "
            "sums for this final time: for averages, run the problem again to this time");
    if (status == 0 && j->rows.turn > PH_PI && !ph_kind_of(r->system)->one_of_many)
        warn("the body turns %.3g times between two rows, but rows resolve at most half a turn: "
             "write rows more often",
             j->rows.turn / (2.0 * PH_PI));
    return status;
}

/* ---- pictures -------------------------------------------------------------------- */

/* A body on which no torque acts keeps the length of its momentum. */
static bool is_free(const instant *now)
{
    const ph_observable *o = ROW_NAMED(now->observable, now->observables, "momentum");
    return o != NULL && o->conserved;
}

static int begin_pictures(void *self, loop *l)
{
    job *j = self;
    TRY(pictures_open(&j->pictures, true));
    j->pictures.system = l->system;
    j->pictures.seconds = l->epoch != NULL;
    if (!pictures_any(&j->pictures))
        return 0;
    return pictures_begin(&j->pictures, &l->now, is_free(&l->now), "column over time");
}

static bool add_to_pictures(void *self, loop *l)
{
    job *j = self;
    if (!pictures_any(&j->pictures))
        return true;
    l->now = instant_of(l->system);
    return pictures_add(&j->pictures, l);
}

static int draw_pictures(void *self, loop *l, int status)
{
    job *j = self;
    if (status == 0 && !interrupted)
        status = pictures_draw_plot(&j->pictures);
    if (status == 0 && interrupted && l->status == PH_OK && !j->done.finished)
        return report_end(j, l);
    return status;
}

int run_steps(const run_request *r, outfile *standard)
{
    const rendering to = render_begin_as(r->json ? AS_JSON : AS_TEXT, standard);
    job j = {.r = r,
             .to = to,
             .done = *r,
             .events = r->events,
             .rows = {.path = r->out,
                      .standard = standard,
                      .show = &r->show,
                      .each = ph_kind_of(r->system)->rows_of_each,
                      .about = {.problem = r->problem, .method = r->method, .step = r->step}}};
    j.pictures = (pictures){.given = r->given,
                            .option = "--plot",
                            .out = r->out,
                            .show = &r->show,
                            .title = picture_title(r->title, r->method),
                            .time = r->time_text};
    if (rows_are_settled(r))
        j.rows.path = NULL;
    if (prints(r) && !r->json)
        j.pictures.told = standard;
    const observer own[] = {
        {&j, begin_rows, NULL, NULL, close_rows},
        {&j, begin_averages, NULL, add_to_averages, NULL}, /* before snapshots, which have them */
        {&j, begin_snapshots, NULL, write_snapshot, end_snapshots},
        {&j, begin_companion, NULL, follow, NULL},
        {&j, begin_events, NULL, NULL, close_events},
        {&j, NULL, NULL, NULL, print_end},
        {&j, begin_pictures, NULL, add_to_pictures, draw_pictures},
    };
    observer observers[COUNT(own) + MOST_ADDED] = {{0}};
    size_t count = COUNT(own);
    memcpy(observers, own, sizeof own);
    if (r->out != NULL)
        observers[0].row = add_row;
    const run_observer *added;
    for (size_t i = 0;
         r->given != NULL && (added = run_observer_at(i)) != NULL && count < COUNT(observers); i++)
        TRY(added->open(r->given, &observers[count++]));
    loop l = {.observers = observers,
              .count = count,
              .system = r->system,
              .time = r->time,
              .steps = r->steps,
              .every = r->every,
              .interval = even_time(0.0, (double)r->every, r->step),
              .until = r->condition,
              .seen = r->resumed,
              .over = r->resumed && r->finished,
              .rows = r->rows};
    return loop_run(&l, !prints(r));
}
