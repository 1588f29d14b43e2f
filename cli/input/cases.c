/* cases.c - many free bodies, a line each: reading, computing, writing. */
#include "input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tool.h"
#include "core/state.h"
#include "io/csv.h"
#include "io/sample.h"

/* The columns of a case; the file may have them in any order. The time is the last. */
enum column { I1, I2, I3, M1, M2, M3, Q0, Q1, Q2, Q3, T, COLUMNS };
static const char *const column_names[COLUMNS] = {"I1", "I2", "I3", "m1", "m2", "m3",
                                                  "q0", "q1", "q2", "q3", "t"};

typedef struct cases {
    const cases_job *job;
    csv *in;
    size_t columns;        /* that the file must have */
    size_t order[COLUMNS]; /* which column of the file is which */
    outfile *out;
    record rows;                   /* into it, unless JSON */
    unsigned long long done;       /* cases done */
    unsigned long long unphysical; /* of these, bodies that no matter has */
    unsigned long long unphysical_line;
    cases_block block; /* of cases read and not yet computed */
} cases;

/* ---- computing ------------------------------------------------------------------- */

ph_batch cases_batch(cases_block *b)
{
    return (ph_batch){b->n,
                      {b->q[0], b->q[1], b->q[2], b->q[3]},
                      {b->m[0], b->m[1], b->m[2]},
                      {b->J[0], b->J[1], b->J[2]}};
}

static void print_result(cases *c, const ph_state *s, const sample *x)
{
    if (c->job->json) {
        outfile_print(c->out, c->done == 0 ? "\n" : ",\n");
        if (!sample_write_json(c->out, x, -1.0))
            c->out->error = ENOMEM;
        return;
    }
    record_add(&c->rows,
               (const double[]){s->m.x, s->m.y, s->m.z, s->q.w, s->q.x, s->q.y, s->q.z});
}

static int fail_not_finite(const cases *c, size_t i)
{
    const cases_block *w = &c->block;
    return fail_run(WORDS
                    " %s %llu: the state at t = %g is not finite: use other units or "
                    "a smaller time",
                    c->in->name, c->in->row, w->line[i], w->t[i]);
}

/* Writes a case that is at its time. */
static int write_result(cases *c, size_t i)
{
    const cases_block *w = &c->block;
    const ph_body body = {
        {w->J[0][i], w->J[1][i], w->J[2][i]}, {1.0, 0.0, 0.0, 0.0}, true};
    const ph_state s = {{w->q[0][i], w->q[1][i], w->q[2][i], w->q[3][i]},
                        {w->m[0][i], w->m[1][i], w->m[2][i]}};
    const sample there = sample_of(&body, &s, w->t[i]);
    if (!sample_finite(&there))
        return fail_not_finite(c, i);
    if (!ph_body_physical(&body) && c->unphysical++ == 0)
        c->unphysical_line = w->line[i];
    print_result(c, &s, &there);
    c->done++;
    return 0;
}

/* Computes and writes the cases of the block, all at once. */
static int finish_block(cases *c)
{
    cases_block *w = &c->block;
    char why[CASES_WHY] = "";
    int wrong = 0;
    if (w->n == 0 || c->out->error != 0)
        return 0;
    w->before = c->done;
    w->to = c->in->size == 0 ? -1.0 : (double)c->in->in.bytes / (double)c->in->size;
    const size_t there = c->job->advance(c->job->context, w, why);
    for (size_t i = 0; i < there && wrong == 0; i++)
        wrong = write_result(c, i);
    if (wrong == 0 && there < w->n)
        wrong = why[0] != '\0' ? fail_run(WORDS " %s %llu: %s", c->in->name, c->in->row,
                                          w->line[there], why)
                : interrupted  ? EXIT_INTERRUPTED
                               : fail_not_finite(c, there);
    w->n = 0;
    w->from = w->to;
    return wrong;
}

/* ---- reading --------------------------------------------------------------------- */

/* Fails for the row read last, after the results of those before it, unless one of these
 * fails first. */
static int fail_row(cases *c)
{
    TRY(finish_block(c));
    return fail_usage("%s", c->in->message);
}

static int read_header(cases *c)
{
    const char *form = c->job->timed ? "I1,I2,I3,m1,m2,m3,q0,q1,q2,q3,t"
                                     : "I1,I2,I3,m1,m2,m3,q0,q1,q2,q3";
    csv *in = c->in;
    const csv_status status = csv_header(in);
    if (status == CSV_STOPPED)
        return EXIT_INTERRUPTED;
    REFUSE_IF(status == CSV_END, WORDS " is empty: its first line is %s", in->name, form);
    REFUSE_IF(status == CSV_WRONG, "%s", in->message);
    c->columns = c->job->timed ? COLUMNS : T;
    REFUSE_IF(in->unnamed && in->columns != c->columns,
              WORDS
              " has %zu columns without names: save %zu, %s, or records with fields of "
              "these names",
              in->name, in->columns, c->columns, form);
    for (size_t i = 0; i < in->columns && !in->unnamed; i++) {
        size_t k = 0;
        while (k < c->columns && strcmp(in->column[i], column_names[k]) != 0)
            k++;
        REFUSE_IF(k == c->columns, WORDS " line 1: `" WORDS "` is no column: write %s",
                  in->name, in->column[i], form);
    }
    for (size_t i = 0; i < c->columns; i++) {
        const size_t at = in->unnamed ? i : csv_column(in, column_names[i]);
        REFUSE_IF(at == in->columns, WORDS " line 1: column %s is missing: write %s",
                  in->name, column_names[i], form);
        c->order[i] = at;
    }
    return 0;
}

/* Adds a case to the block. */
static int add_case(cases *c, const double *row)
{
    double x[COLUMNS] = {[T] = c->job->time};
    for (size_t i = 0; i < c->columns; i++)
        x[i] = row[c->order[i]];
    cases_block *w = &c->block;
    ph_body body;
    const ph_state start = {.q = {x[Q0], x[Q1], x[Q2], x[Q3]},
                            .m = {x[M1], x[M2], x[M3]}};
    ph_status status = ph_body_from_moments(&body, vec3(x[I1], x[I2], x[I3]));
    if (status == PH_OK)
        status = ph_check(&body, &start);
    if (status != PH_OK) {
        (void)csv_wrong(c->in, ": %s", ph_status_text(status));
        return fail_row(c);
    }
    const ph_quat q = ph_quat_unit(start.q);
    const size_t i = w->n++;
    w->q[0][i] = q.w, w->q[1][i] = q.x, w->q[2][i] = q.y, w->q[3][i] = q.z;
    for (int k = 0; k < 3; k++) {
        w->m[k][i] = x[M1 + k];
        w->J[k][i] = x[I1 + k];
    }
    w->t[i] = x[T];
    w->line[i] = c->in->in.number;
    return 0;
}

/* Finishes a block that is full, or when the writer of the cases waits: a program at both
 * ends of two pipes gets its results. */
static int finish_in_time(cases *c)
{
    const size_t n = c->block.n;
    const bool idle = lines_waits(&c->in->in, n == 0 ? 0 : c->job->wait_ms);
    const int wrong = idle || n == CASES_BLOCK ? finish_block(c) : 0;
    if (idle)
        outfile_flush(c->out);
    return wrong;
}

/* Reads cases up to the end, the first error, Ctrl-C, or an output that takes no more. */
static int read_all(cases *c)
{
    while (c->out->error == 0) {
        double row[COLUMNS];
        TRY(finish_in_time(c));
        const csv_status status = csv_row(c->in, row);
        if (status == CSV_STOPPED || interrupted)
            return EXIT_INTERRUPTED;
        if (status == CSV_END)
            return EXIT_DONE;
        if (status == CSV_WRONG)
            return fail_row(c);
        TRY(add_case(c, row));
        progress_show(c->done, c->block.from);
    }
    return EXIT_DONE;
}

/* ---- the files ------------------------------------------------------------------- */

/* Writes the results, after the header was read. */
static int run(cases *c)
{
    if (c->job->json) {
        outfile_print(c->out, "{\"states\":[");
        outfile_begin_rows(c->out);
    }
    int status = read_all(c);
    const int wrong = finish_block(c);
    if (status == EXIT_DONE)
        status = wrong;
    progress_end();
    if (c->job->json)
        outfile_print(c->out, "\n]}\n");
    else
        record_end(&c->rows);
    if (c->unphysical > 0)
        warn("%llu of the bodies, the first in " WORDS
             " %s %llu, have moments of inertia "
             "that no matter has, one more than the sum of the others: check them",
             c->unphysical, c->in->name, c->in->row, c->unphysical_line);
    return status;
}

static int run_into(cases *c, const char *path)
{
    const bool standard = strcmp(path, "-") == 0;
    outfile *terminal = standard ? outfile_standard() : NULL;
    if (standard && terminal == NULL)
        return fail_memory();
    int status = read_header(c);
    if (status == 0 && !c->job->json)
        status =
            rows_open(path, terminal, "m1,m2,m3,q0,q1,q2,q3", NULL, &c->out, &c->rows);
    else if (status == 0)
        status = standard ? file_refuse(path) : file_open(path, &c->out);
    if (standard)
        c->out = terminal;
    if (status != 0) {
        outfile_discard(c->out);
        return status;
    }
    status = run(c);
    record_free(&c->rows);
    if (standard)
        return standard_close(c->out, status);
    const int closed = file_close(c->out, path, "");
    return closed == 0 ? status : closed;
}

int cases_run(const cases_job *job, const char *path, const char *out)
{
    char message[CSV_MESSAGE];
    cases *c = calloc(1, sizeof *c);
    if (c == NULL)
        return fail_memory();
    c->job = job;
    c->in = csv_open(path, &interrupted, message);
    int status = c->in == NULL ? fail_usage("%s", message) : 0;
    if (status == 0) {
        file_read(path);
        progress_begin(out == NULL || strcmp(out, "-") == 0);
        status = run_into(c, out == NULL ? "-" : out);
    }
    csv_close(c->in);
    free(c);
    return status;
}
