/* run_steps.c - a run: its steps, its rows, its snapshots, its end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "interrupt.h"
#include "io/clock.h"
#include "progress.h"
#include "report.h"
#include "run.h"
#include "show.h"
#include "standard.h"

#define LOOK 256 /* steps from one look at the clock to the next */

typedef struct job {
    const run_request *r;
    outfile *standard; /* summary, JSON, or CSV for `--out -` */
    outfile *out;      /* of the rows: standard or a file of its own; NULL: none */
    record rows;       /* into it */
    row_writer writer;
    run_result done;
    uint64_t first; /* the step that the run begins or goes on with */
    double begun, last_checkpoint;
    int checkpoint_status; /* exit status of a snapshot that could not be written */
    bool overflow; /* a step was done, and what is to be told of it is not finite */
} job;

/* ---- opening: whatever cannot be written is found before the run ----------------- */

static int take_up_rows(job *j)
{
    const run_request *r = j->r;
    const bool same = outfile_copy_rows(j->out, r->rows_in, r->bytes, r->hash) ||
                      outfile_copy_rows(j->out, r->out, r->bytes, r->hash);
    if (!same)
        return fail_usage("the rows written so far are not in " WORDS
                          " any more, or others: start the run anew",
                          r->out);
    j->rows.count = r->rows;
    return 0;
}

static int open_rows(job *j)
{
    const run_request *r = j->r;
    if (record_format_of(r->out) == RECORD_XYZ && !kind_of(r->system)->rows_of_each)
        return fail_usage("extended XYZ holds molecules, and %s is about %s: name the "
                          "file .csv or .npy",
                          r->problem, kind_of(r->system)->what);
    char *columns = show_columns(r->system);
    int status = columns == NULL
                     ? fail_memory()
                     : rows_open(r->out, j->standard, columns, &j->out, &j->rows);
    free(columns);
    if (status == 0 && !show_prepare(&j->writer, r->system, &j->rows))
        status = fail_memory();
    if (status == 0 && r->checkpoint != NULL)
        outfile_hash_rows(j->out);
    return status == 0 && r->resumed ? take_up_rows(j) : status;
}

static int open_all(job *j)
{
    const run_request *r = j->r;
    j->standard = outfile_standard();
    if (j->standard == NULL)
        return fail_memory();
    const int status = r->out == NULL || (r->resumed && r->finished) ? 0 : open_rows(j);
    return status == 0 && r->checkpoint != NULL ? file_refuse(r->checkpoint) : status;
}

static void discard_all(job *j)
{
    if (j->out != j->standard)
        outfile_discard(j->out);
    outfile_discard(j->standard);
    record_free(&j->rows);
    show_release(&j->writer);
}

/* ---- the steps ------------------------------------------------------------------- */

static void note_progress(job *j)
{
    const run_request *r = j->r;
    j->done.steps = ph_system_steps(r->system);
    j->done.time = j->done.steps == r->steps ? r->time : (double)j->done.steps * r->step;
    j->done.seconds = r->seconds + (clock_now() - j->begun);
    j->done.rows = j->rows.count;
}

static bool checkpoint_now(job *j)
{
    note_progress(j);
    j->last_checkpoint = clock_now();
    if (j->out != NULL && outfile_sync(j->out) != 0)
        return false; /* told when it is closed */
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
    return (step % LOOK == 0 || kind_of(r->system)->rows_of_each) &&
           clock_now() - j->last_checkpoint >= r->checkpoint_seconds;
}

/* The first snapshot, after the first row; false if it cannot be written. From then on the rows that another
 * process left beside their place are not needed. */
static bool begin(job *j)
{
    const run_request *r = j->r;
    if (r->checkpoint == NULL || (r->resumed && r->finished))
        return true;
    if (!checkpoint_now(j))
        return false;
    if (r->resumed && r->out != NULL && strcmp(r->rows_in, r->out) != 0)
        (void)unlink(r->rows_in);
    return true;
}

/* Sees every step; ends the run on Ctrl-C and when the output takes no more. */
static bool see(void *context, ph_system *s)
{
    job *j = context;
    const run_request *r = j->r;
    const uint64_t step = ph_system_steps(s);
    j->overflow = !ph_system_finite(s);
    if (j->overflow)
        return false;
    const bool known = r->resumed && step == j->first; /* it was seen before the stop */
    if (j->out != NULL && step % r->every == 0 && !known)
        show_rows(&j->writer, s);
    if (step > j->first && (step % LOOK == 0 || kind_of(s)->rows_of_each))
        progress_show(step, (double)step / (double)r->steps);
    if (step == j->first ? !begin(j) : is_due(j, step) && !checkpoint_now(j))
        return false;
    return !interrupted && (j->out == NULL || j->out->error == 0);
}

/* ---- the end --------------------------------------------------------------------- */

/* Where the rows are, to end a message with. */
static const char *rows_kept(const job *j, char text[200])
{
    const char *path = j->r->out;
    text[0] = '\0';
    if (path != NULL)
        (void)snprintf(text, 200, "%llu %s are in " WORDS, j->done.rows,
                       run_rows_name(j->r),
                       j->out == j->standard ? "standard output" : path);
    return text;
}

static int fail_step(const job *j, ph_status status)
{
    char kept[200];
    const char *rows = rows_kept(j, kept);
    return fail_run("step %llu, from t = %.10g, failed: %s: take a smaller step%s%s",
                    (unsigned long long)j->done.steps + 1, j->done.time,
                    ph_status_text(status), rows[0] == '\0' ? "" : "; ", rows);
}

static int fail_overflow(const job *j)
{
    char kept[200];
    const char *rows = rows_kept(j, kept);
    return fail_run("energy, momentum or velocity overflows after step %llu, t = %.10g: "
                    "take a smaller step, or other units%s%s",
                    (unsigned long long)j->done.steps, j->done.time,
                    rows[0] == '\0' ? "" : "; ", rows);
}

static int say_stopped(const job *j)
{
    char kept[200];
    const char *rows = rows_kept(j, kept);
    return stopped("interrupted at step %llu, t = %.10g: %s",
                   (unsigned long long)j->done.steps, j->done.time,
                   rows[0] == '\0' ? "what is printed is of the steps until then" : rows);
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
    record_free(&j->rows);
    j->done.rows = j->rows.count;
    if (j->out == j->standard) {
        outfile_flush(j->out);
        const bool gone = j->out->error == EPIPE; /* the reader: for the end to tell */
        return j->out->error == 0 || gone ? 0
                                          : fail_write(NULL, j->out->error, when, NULL);
    }
    outfile *file = j->out;
    j->out = NULL;
    return file_close(file, j->r->out, when);
}

/* The last snapshot, of the run with its rows in their place: the file is closed first, so
 * that what the snapshot says is true. */
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
    if (status == 0 && r->checkpoint != NULL && j->checkpoint_status == 0)
        status = checkpoint_write(r, &j->done, rows ? &position : NULL, true);
    return status;
}

static int finish(job *j, ph_status status)
{
    const run_request *r = j->r;
    const bool shown = j->out == j->standard; /* the rows are all that is printed */
    const bool stop = status == PH_OK && j->done.steps < r->steps;
    int result = end_files(j);
    if (result == 0)
        result = j->checkpoint_status;
    if (result == 0 && status != PH_OK)
        result = fail_step(j, status);
    else if (result == 0 && j->overflow)
        result = fail_overflow(j);
    if (result == 0 && !shown) {
        if (!r->json)
            run_print(j->standard, r, &j->done);
        else if (!run_print_json(j->standard, r, &j->done))
            result = fail_memory();
    }
    if (result == 0 && stop && interrupted)
        result = say_stopped(j);
    show_release(&j->writer);
    return standard_close(j->standard, result);
}

int run_steps(const run_request *r)
{
    job j = {.r = r, .first = ph_system_steps(r->system), .done.rows = r->rows};
    const int opened = open_all(&j);
    if (opened != 0) {
        discard_all(&j);
        return opened;
    }
    const ph_observer observer = {see, &j, 1, NULL, 0};
    progress_begin(j.out == j.standard);
    j.begun = j.last_checkpoint = clock_now();
    ph_system_watch(r->system, true);
    const ph_status status = ph_system_run(r->system, r->steps - j.first, &observer);
    note_progress(&j);
    progress_end();
    return finish(&j, status);
}
