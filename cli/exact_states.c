/* exact_states.c - one body at many instants: a table, CSV, JSON, pictures. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact.h"
#include "interrupt.h"
#include "io/gnuplot.h"
#include "io/plot.h"
#include "progress.h"
#include "report.h"
#include "standard.h"

#define SHORT_TABLE 9 /* rows shown when all of them go to a file */

typedef struct job {
    const states_request *r;
    outfile *standard; /* table, JSON, or CSV for `--out -` */
    outfile *csv;      /* standard or a file of its own; NULL: no CSV */
    outfile **picture; /* one for each plot */
    bool table;        /* the table for people is printed */
    invariants kept;
    unsigned long long done; /* states written */
} job;

/* ---- opening: whatever cannot be written is found before the run ------------------------ */

static int open_pictures(job *j)
{
    const states_request *r = j->r;
    for (size_t i = 0; i < r->plots; i++) {
        if (plot_format_of(r->plot[i]) == PLOT_NONE)
            return fail_usage("--plot " WORDS " does not say its format: end the name in "
                              ".svg or .png",
                              r->plot[i]);
    }
    if (r->plots > 0 && !gnuplot_found())
        return fail_usage("--plot needs gnuplot, which is not there: install the package "
                          "gnuplot-nox");
    j->picture = calloc(r->plots + 1, sizeof *j->picture);
    if (j->picture == NULL)
        return fail_memory();
    for (size_t i = 0; i < r->plots; i++) {
        j->picture[i] = outfile_open(r->plot[i]);
        if (j->picture[i] == NULL)
            return fail_create(r->plot[i], errno);
    }
    return 0;
}

static int open_all(job *j)
{
    const states_request *r = j->r;
    j->standard = outfile_standard();
    if (j->standard == NULL)
        return fail_memory();
    if (r->out != NULL) {
        j->csv = strcmp(r->out, "-") == 0 ? j->standard : outfile_open(r->out);
        if (j->csv == NULL)
            return fail_create(r->out, errno);
    }
    j->table = !r->json && j->csv != j->standard;
    return open_pictures(j);
}

/* Takes away whatever is still open. */
static void discard_all(job *j)
{
    if (j->csv != j->standard)
        outfile_discard(j->csv);
    for (size_t i = 0; j->picture != NULL && i < j->r->plots; i++)
        outfile_discard(j->picture[i]);
    free(j->picture);
}

/* ---- the states ------------------------------------------------------------------------- */

/* Whether row i belongs into the short table: evenly spaced, with the first and the last. */
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
    if (j->csv != NULL)
        sample_write_csv(j->csv, x);
    if (j->r->json) {
        outfile_print(j->standard, j->done == 0 ? "\n" : ",\n");
        if (!sample_write_json(j->standard, x))
            return fail_memory();
    }
    if (j->table && (j->csv == NULL || in_short_table(j->done, j->r->times.count)))
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
        if (j->standard->error != 0 || (j->csv != NULL && j->csv->error != 0))
            return EXIT_DONE; /* told when it is closed */
        const double t = instants_at(&r->times, i);
        const ph_state s = ph_motion_at(&r->motion, t);
        const sample x = sample_of(&r->body, &s, t);
        if (!sample_finite(&x))
            return fail_run(
                "state %llu, at t = %g, is not finite: ask for times nearer the "
                "start",
                i + 1, t);
        invariants_watch(&j->kept, &x);
        const int status = write_state(j, &x);
        if (status != 0)
            return status;
        progress_show(i + 1, (double)(i + 1) / (double)r->times.count);
    }
    return EXIT_DONE;
}

/* ---- the rest of the output ------------------------------------------------------------- */

/* JSON has no infinity. */
static json_t *real_or_null(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static int write_invariants_json(const job *j)
{
    const invariants *v = &j->kept;
    json_t *object = json_pack(
        "{so so s[fff] s{so so so}}", "energy", real_or_null(v->energy), "momentum",
        real_or_null(v->length), "space_momentum", v->space.x, v->space.y, v->space.z,
        "largest_relative_error", "energy", real_or_null(v->energy_error), "momentum",
        real_or_null(v->length_error), "space_momentum", real_or_null(v->space_error));
    char *text = json_dumps(object, JSON_REAL_PRECISION(17));
    json_decref(object);
    if (text == NULL)
        return fail_memory();
    outfile_print(j->standard, "\n],\"invariants\":%s}\n", text);
    free(text);
    return 0;
}

static int draw(job *j, size_t i)
{
    const states_request *r = j->r;
    const char *path = r->plot[i];
    FILE *script = tmpfile();
    if (script == NULL)
        return fail_run("cannot write a temporary file (%s): free some space",
                        strerror(errno));
    int status = 0;
    if (!plot_motion(script, plot_format_of(path), &r->body, &r->motion, r->times.start,
                     r->times.end))
        status = fail_run("cannot write a temporary file (%s): free some space",
                          strerror(errno));
    else if (!gnuplot_draw(script, j->picture[i]) && !interrupted)
        status = fail_run(
            "gnuplot could not draw " WORDS ": update the package gnuplot-nox", path);
    (void)fclose(script);
    if (status != 0 || interrupted)
        return interrupted ? EXIT_INTERRUPTED : status;
    const int error = outfile_close(j->picture[i]);
    j->picture[i] = NULL;
    return error == 0 ? 0 : fail_write(path, error);
}

/* Puts the files in their places; says on standard output what they are. */
static int finish_files(job *j, int status)
{
    const states_request *r = j->r;
    if (j->csv != NULL && j->csv != j->standard) {
        const int error = outfile_close(j->csv);
        j->csv = NULL;
        if (error != 0)
            return fail_write(r->out, error);
        if (j->table && j->done == r->times.count)
            outfile_print(j->standard, "\n%llu states written to %s\n", j->done, r->out);
        else if (j->table)
            outfile_print(j->standard, "\n%llu of %llu states written to %s\n", j->done,
                          r->times.count, r->out);
    }
    for (size_t i = 0; i < r->plots && status == EXIT_DONE; i++) {
        status = draw(j, i);
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
    j->kept = invariants_of(&first);
    if (j->csv != NULL)
        outfile_print(j->csv, SAMPLE_CSV_COLUMNS "\n");
    if (r->json)
        outfile_print(j->standard, "{\"states\":[");
    if (j->table)
        table_head(j->standard);

    progress_begin(r->json || j->csv == NULL || j->csv == j->standard);
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
    job j = {.r = r};
    interrupt_watch();
    int status = open_all(&j);
    const bool started = status == 0;
    if (started)
        status = run(&j);
    discard_all(&j);
    if (j.standard == NULL)
        return status;
    if (!started) {
        outfile_discard(j.standard);
        return status;
    }
    return standard_close(j.standard, status);
}
