/* run_steps.c - a run: its steps, its rows, its end. */
#include <errno.h>

#include "files.h"
#include "interrupt.h"
#include "io/clock.h"
#include "progress.h"
#include "report.h"
#include "run.h"
#include "standard.h"

#define LOOK 256 /* steps from one look at the clock to the next */

typedef struct job {
    const run_request *r;
    outfile *standard; /* summary, JSON, or CSV for `--out -` */
    outfile *out;      /* of the rows: standard or a file of its own; NULL: none */
    record rows;       /* into it */
    run_result done;
    bool overflow; /* a step was done, and what is to be told of it is not finite */
} job;

/* ---- opening: whatever cannot be written is found before the run ----------------- */

static int open_all(job *j)
{
    const char *path = j->r->out;
    j->standard = outfile_standard();
    if (j->standard == NULL)
        return fail_memory();
    if (path == NULL)
        return 0;
    if (record_format_of(path) == RECORD_XYZ && !j->r->space->frames)
        return fail_usage("extended XYZ holds molecules, and %s is about %s: name the "
                          "file .csv or .npy",
                          j->r->problem, j->r->space->what);
    return rows_open(path, j->standard, j->r->space->columns(j->r->world), &j->out,
                     &j->rows);
}

static void discard_all(job *j)
{
    if (j->out != j->standard)
        outfile_discard(j->out);
    outfile_discard(j->standard);
    record_free(&j->rows);
}

/* ---- the steps ------------------------------------------------------------------- */

/* Sees every step; ends the run on Ctrl-C and when the output takes no more. */
static bool watch(void *context, long step, double t)
{
    job *j = context;
    const run_request *r = j->r;
    const double energy = r->space->energy(r->world);
    j->overflow =
        !energy_watch(&j->done.energy, t, energy) || !r->space->watch(r->world, energy);
    if (j->overflow)
        return false;
    j->done.steps = step;
    if (j->out != NULL && step % r->every == 0)
        r->space->write(r->world, t, energy, &j->rows);
    if (step > 0 && (step % LOOK == 0 || r->space->frames))
        progress_show((unsigned long long)step, (double)step / (double)r->steps);
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
    const double t = j->done.time;
    return fail_run("step %ld, from t = %.10g, failed: %s: take a smaller step%s%s",
                    j->done.steps + 1, t, ph_status_text(status),
                    rows[0] == '\0' ? "" : "; ", rows);
}

static int fail_overflow(const job *j)
{
    char kept[200];
    const char *rows = rows_kept(j, kept);
    return fail_run("energy, momentum or velocity overflows after step %ld, t = %.10g: "
                    "take a smaller step, or other units%s%s",
                    j->done.steps, j->done.time, rows[0] == '\0' ? "" : "; ", rows);
}

static int say_stopped(const job *j)
{
    char kept[200];
    const char *rows = rows_kept(j, kept);
    return stopped("interrupted at step %ld, t = %.10g: %s", j->done.steps, j->done.time,
                   rows[0] == '\0' ? "what is printed is of the steps until then" : rows);
}

/* Puts the file in its place. */
static int close_rows(job *j)
{
    char when[80];
    if (j->out == NULL)
        return 0;
    (void)snprintf(when, sizeof when, " after step %ld, t = %g", j->done.steps,
                   j->done.time);
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

static int finish(job *j, ph_status status)
{
    const run_request *r = j->r;
    const bool shown = j->out == j->standard; /* the rows are all that is printed */
    const bool stop = status == PH_OK && j->done.steps < r->steps;
    int result = close_rows(j);
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
    return standard_close(j->standard, result);
}

int run_steps(const run_request *r)
{
    job j = {.r = r};
    const int opened = open_all(&j);
    if (opened != 0) {
        discard_all(&j);
        return opened;
    }
    progress_begin(j.out == j.standard);
    const double begun = clock_now();
    const ph_status status = r->space->run(r->world, r->integrator, r->step, r->steps,
                                           watch, &j, &j.done.steps);
    j.done.seconds = clock_now() - begun;
    j.done.time = j.done.steps == r->steps ? r->time : (double)j.done.steps * r->step;
    progress_end();
    return finish(&j, status);
}
