/* exact_states.c - one body at many instants: a table, CSV, JSON, pictures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exact.h"
#include "files.h"
#include "interrupt.h"
#include "io/json.h"
#include "io/motion_plot.h"
#include "picture.h"
#include "progress.h"
#include "report.h"
#include "standard.h"

#define FEW_DIGITS 3.0 /* of the phase: below, the state is hardly known */

#define SHORT_TABLE 9 /* rows shown when all of them go to a file */

typedef struct job {
    const states_request *r;
    outfile *standard; /* table, JSON, or CSV for `--out -` */
    outfile *out;      /* of the rows: standard or a file of its own; NULL: none */
    record rows;       /* into it */
    picture *picture;  /* one for each plot */
    bool table;        /* the table for people is printed */
    invariants kept;
    unsigned long long done; /* states written */
    double vague;            /* a time at which few digits of the phase are left; or 0 */
} job;

/* ---- opening: whatever cannot be written is found before the run ----------------- */

static int open_pictures(job *j)
{
    const states_request *r = j->r;
    for (size_t i = 0; i < r->plots; i++) {
        if (plot_format_of(r->plot[i]) == PLOT_NONE)
            return fail_usage("--plot " WORDS " does not say its format: end the name in "
                              ".svg or .png",
                              r->plot[i]);
        for (size_t k = 0; k <= i; k++) {
            const char *other = k < i ? r->plot[k] : r->out;
            if (other != NULL && file_same(r->plot[i], other))
                return fail_usage("--plot " WORDS
                                  " is written to twice: give each its own "
                                  "file",
                                  r->plot[i]);
        }
    }
    int status = r->plots > 0 ? picture_need_gnuplot("--plot") : 0;
    if (status != 0)
        return status;
    j->picture = calloc(r->plots + 1, sizeof *j->picture);
    if (j->picture == NULL)
        return fail_memory();
    for (size_t i = 0; i < r->plots && status == 0; i++)
        status = picture_open(&j->picture[i], r->plot[i]);
    return status;
}

static int open_all(job *j)
{
    const states_request *r = j->r;
    int status = 0;
    if (r->out != NULL)
        status = rows_open(r->out, j->standard, SAMPLE_COLUMNS, &j->out, &j->rows);
    j->table = !r->json && (r->out == NULL || strcmp(r->out, "-") != 0);
    return status == 0 ? open_pictures(j) : status;
}

/* Takes away whatever is still open. */
static void discard_all(job *j)
{
    if (j->out != j->standard)
        outfile_discard(j->out);
    for (size_t i = 0; j->picture != NULL && i < j->r->plots; i++)
        picture_discard(&j->picture[i]);
    free(j->picture);
    record_free(&j->rows);
}

/* ---- the states ------------------------------------------------------------------ */

/* Whether row i belongs into the short table: evenly spaced, with the first and the
 * last. */
static bool in_short_table(unsigned long long i, unsigned long long count)
{
    if (count <= SHORT_TABLE)
        return true;
    const unsigned long long gaps = SHORT_TABLE - 1, last = count - 1;
    const unsigned long long nearest = (i * gaps + last - 1) / last;
    return i == nearest * last / gaps;
}

static int write_state(job *j, const sample *x)
{
    if (j->out != NULL) {
        double row[SAMPLE_COLUMN_COUNT];
        sample_row(x, row);
        record_add(&j->rows, row);
    }
    if (j->r->json) {
        outfile_print(j->standard, j->done == 0 ? "\n" : ",\n");
        if (!sample_write_json(j->standard, x,
                               ph_motion_phase_digits(&j->r->motion, x->t)))
            return fail_memory();
    }
    if (j->table && (j->out == NULL || in_short_table(j->done, j->r->times.count)))
        table_row(j->standard, x, &j->kept);
    j->done++;
    return 0;
}

/* All states up to the last, an error, Ctrl-C, or an output that takes no more. */
static int write_states(job *j)
{
    const states_request *r = j->r;
    for (unsigned long long i = 0; i < r->times.count; i++) {
        if (interrupted)
            return EXIT_INTERRUPTED;
        if (j->standard->error != 0 || (j->out != NULL && j->out->error != 0))
            return EXIT_DONE; /* told when it is closed */
        const double t = instants_at(&r->times, i);
        const ph_state s = ph_motion_at(&r->motion, t);
        const sample x = sample_of(&r->body, &s, t);
        if (!sample_finite(&x) || !isfinite(x.energy))
            return fail_run(
                "state %llu, at t = %g, is not finite: ask for times nearer the "
                "start",
                i + 1, t);
        if (j->vague == 0.0 && ph_motion_phase_digits(&r->motion, t) < FEW_DIGITS)
            j->vague = t;
        invariants_watch(&j->kept, &s, x.energy);
        const int status = write_state(j, &x);
        if (status != 0)
            return status;
        progress_show(i + 1, (double)(i + 1) / (double)r->times.count);
    }
    return EXIT_DONE;
}

/* ---- the rest of the output ------------------------------------------------------ */

static int write_invariants_json(const job *j)
{
    outfile_print(j->standard, "\n],\"invariants\":");
    if (!json_write(j->standard, invariants_json(&j->kept), 0))
        return fail_memory();
    outfile_print(j->standard, "}\n");
    return 0;
}

/* The script of the motion. */
static bool write_script(FILE *script, plot_format format, const void *context)
{
    const states_request *r = context;
    return motion_plot(script, format, &r->body, &r->motion, r->times.start,
                       r->times.end);
}

/* Puts the files in their places; says on standard output what they are. */
static int finish_files(job *j, int status)
{
    const states_request *r = j->r;
    if (j->out != NULL && j->out != j->standard) {
        record_end(&j->rows);
        outfile *file = j->out;
        j->out = NULL;
        const int closed = file_close(file, r->out, "");
        if (closed != 0)
            return closed;
        if (j->table && j->done == r->times.count)
            outfile_print(j->standard, "\n%llu states written to %s\n", j->done, r->out);
        else if (j->table)
            outfile_print(j->standard, "\n%llu of %llu states written to %s\n", j->done,
                          r->times.count, r->out);
    }
    for (size_t i = 0; i < r->plots && status == EXIT_DONE; i++) {
        status = picture_draw(&j->picture[i], write_script, r);
        if (status == EXIT_DONE && j->table)
            outfile_print(j->standard, "%s%s drawn\n",
                          i == 0 && r->out == NULL ? "\n" : "", r->plot[i]);
    }
    return status;
}

static int run(job *j)
{
    const states_request *r = j->r;
    const ph_state start = ph_motion_at(&r->motion, 0.0);
    const sample first = sample_of(&r->body, &start, 0.0);
    j->kept = invariants_of(&start, first.energy);
    if (r->json)
        outfile_print(j->standard, "{\"states\":[");
    if (j->table)
        table_head(j->standard);

    progress_begin(r->json || j->out == NULL || j->out == j->standard);
    int status = write_states(j);
    progress_end();
    if (r->json && write_invariants_json(j) != 0)
        return EXIT_FAILED;
    if (j->table)
        table_foot(j->standard, &j->kept);
    return finish_files(j, status);
}

int exact_states(const states_request *r)
{
    job j = {.r = r, .standard = outfile_standard()};
    if (j.standard == NULL)
        return fail_memory();
    int status = open_all(&j);
    const bool started = status == 0;
    if (started)
        status = run(&j);
    if (status == EXIT_DONE && j.vague != 0.0)
        warn("from t = %g on fewer than %g digits of the phase are left: the states are "
             "of "
             "the right orbit, but where on it is not known",
             j.vague, FEW_DIGITS);
    discard_all(&j);
    if (!started) {
        outfile_discard(j.standard);
        return status;
    }
    return standard_close(j.standard, status);
}
