/* cases.c - many free bodies, a line each: reading, computing, writing. */
#include "input.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/files/csv.h"
#include "cli/files/sample.h"
#include "cli/files/text.h"
#include "cli/tool.h"
#include "motion/state.h"

/* The columns of a case; the file may have them in any order. The time is the last. */
enum column_number { I1, I2, I3, M1, M2, M3, Q0, Q1, Q2, Q3, T, W1, W2, W3, COLUMNS };
static const char *const column_names[COLUMNS] = {
    "I1", "I2", "I3", "m1", "m2", "m3", "q0", "q1", "q2", "q3", "t", "w1", "w2", "w3"};
enum { UNNAMED = T }; /* columns of an array without names, less the time */

/* Words that pass through, of all cases of a block one after the other, each with a NUL. */
typedef struct passed_words {
    size_t columns;    /* that pass through */
    size_t *column;    /* which of the file */
    const char **word; /* of the case that is written */
    double *number;    /* the same; NaN if it is none */
    char *text;        /* of the block */
    size_t used, room;
    size_t at[CASES_BLOCK]; /* where those of a case begin */
} passed_words;

typedef struct cases {
    const cases_job *job;
    csv *in;
    size_t order[COLUMNS]; /* which column of the file is which; none if too large */
    passed_words passed;
    ph_body body; /* of the case that is written, with its sample */
    sample sample;
    ph_observable energy;
    ph_field *field;
    instant now; /* their tables */
    column_set columns;
    file_about about;
    double *row; /* of them */
    outfile *out;
    record rows;                   /* into it, unless JSON */
    unsigned long long done;       /* cases done */
    unsigned long long unphysical; /* of these, bodies that no matter has */
    unsigned long long unphysical_line;
    cases_block block; /* of cases read and not yet computed */
} cases;

static bool has(const cases *c, enum column_number k)
{
    return c->order[k] < c->in->columns;
}

/* ---- computing ------------------------------------------------------------------- */

ph_batch cases_batch(cases_block *b)
{
    return (ph_batch){b->n,
                      {b->q[0], b->q[1], b->q[2], b->q[3]},
                      {b->m[0], b->m[1], b->m[2]},
                      {b->J[0], b->J[1], b->J[2]}};
}

/* The words of a case that pass through, and what numbers they are. */
static void take_words(cases *c, size_t i)
{
    passed_words *p = &c->passed;
    const char *at = p->columns > 0 ? p->text + p->at[i] : NULL;
    for (size_t k = 0; k < p->columns; k++) {
        const char *end = at;
        p->word[k] = at;
        if (number_read(&end, &p->number[k]) != NUMBER_OK || *end != '\0')
            p->number[k] = NAN;
        at += strlen(at) + 1;
    }
}

/* Only CSV and JSON hold words. */
static int refuse_words(const cases *c, unsigned long long line)
{
    for (size_t k = 0;
         k < c->passed.columns && strcmp(c->rows.format->suffix, "csv") != 0; k++) {
        REFUSE_IF(isnan(c->passed.number[k]),
                  WORDS " %s %llu: `" WORDS "` is no number, and %s holds numbers alone: "
                        "write CSV",
                  c->in->name, c->in->row, line, c->passed.word[k], c->rows.format->text);
    }
    return 0;
}

static int print_result(cases *c, unsigned long long line)
{
    if (!c->job->json) {
        TRY(refuse_words(c, line));
        record_add(&c->rows, &c->now);
        return 0;
    }
    json_t *state = sample_json(&c->sample, -1.0);
    if (state != NULL && (c->passed.columns > 0 || c->job->show->choice.show != NULL)) {
        columns_row(&c->columns, &c->now, 0, c->row);
        show_json(state, &c->columns, c->row);
    }
    outfile_print(c->out, c->done == 0 ? "\n" : ",\n");
    if (!json_write(c->out, state, 0))
        c->out->error = ENOMEM;
    return 0;
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
    c->body = (ph_body){{w->J[0][i], w->J[1][i], w->J[2][i]}, {1.0, 0.0, 0.0, 0.0}, true};
    const ph_state s = {{w->q[0][i], w->q[1][i], w->q[2][i], w->q[3][i]},
                        {w->m[0][i], w->m[1][i], w->m[2][i]}};
    c->sample = sample_of(&c->body, &s, w->t[i]);
    c->energy.now[0] = c->sample.energy;
    c->now.t = w->t[i];
    if (!sample_finite(&c->sample))
        return fail_not_finite(c, i);
    if (!ph_body_physical(&c->body) && c->unphysical++ == 0)
        c->unphysical_line = w->line[i];
    take_words(c, i);
    TRY(print_result(c, w->line[i]));
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
    w->to = c->in->size == 0 ? -1.0 : (double)c->in->bytes / (double)c->in->size;
    const size_t there = c->job->advance(c->job->context, w, why);
    for (size_t i = 0; i < there && wrong == 0; i++)
        wrong = write_result(c, i);
    if (wrong == 0 && there < w->n)
        wrong = why[0] != '\0' ? fail_run(WORDS " %s %llu: %s", c->in->name, c->in->row,
                                          w->line[there], why)
                : interrupted  ? EXIT_INTERRUPTED
                               : fail_not_finite(c, there);
    w->n = 0;
    c->passed.used = 0;
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

/* Takes note of the columns that are none of a case's. */
static int find_passed(cases *c)
{
    csv *in = c->in;
    passed_words *p = &c->passed;
    p->column = calloc(in->columns, sizeof *p->column);
    p->word = calloc(in->columns, sizeof *p->word);
    p->number = calloc(in->columns, sizeof *p->number);
    c->field = calloc(in->columns + SAMPLE_FIELDS, sizeof *c->field);
    if (p->column == NULL || p->word == NULL || p->number == NULL || c->field == NULL)
        return fail_memory();
    for (size_t i = 0; i < in->columns && !in->unnamed; i++) {
        size_t k = 0;
        while (k < COLUMNS && c->order[k] != i)
            k++;
        in->words[i] = k == COLUMNS;
        if (k < COLUMNS)
            continue;
        c->field[p->columns] = (ph_field){.name = in->column[i],
                                          .unit = "",
                                          .columns = in->column[i],
                                          .use = PH_FIELD_SHOWN,
                                          .width = 1,
                                          .count = 1,
                                          .stride = 1,
                                          .data = {&p->number[p->columns]}};
        p->column[p->columns++] = i;
    }
    return 0;
}

/* Which column of the file is which. */
static int read_header(cases *c)
{
    const char *form = c->job->timed ? "I1,I2,I3,m1,m2,m3,q0,q1,q2,q3,t"
                                     : "I1,I2,I3,m1,m2,m3,q0,q1,q2,q3";
    const size_t unnamed = c->job->timed ? UNNAMED + 1 : UNNAMED;
    csv *in = c->in;
    const csv_status status = csv_header(in);
    if (status == CSV_STOPPED)
        return EXIT_INTERRUPTED;
    REFUSE_IF(status == CSV_END, WORDS " is empty: its first line is %s", in->name, form);
    REFUSE_IF(status == CSV_WRONG, "%s", in->message);
    REFUSE_IF(in->unnamed && in->columns != unnamed,
              WORDS
              " has %zu columns without names: save %zu, %s, or records with fields of "
              "these names",
              in->name, in->columns, unnamed, form);
    for (size_t i = 0; i < COLUMNS; i++)
        c->order[i] = in->unnamed ? (i < unnamed ? i : in->columns)
                                  : csv_column(in, column_names[i]);
    REFUSE_IF(!c->job->timed && has(c, T),
              WORDS
              " line 1: there is no column t, all cases run to --time: leave it out",
              in->name);
    REFUSE_IF((has(c, M1) || has(c, M2) || has(c, M3)) &&
                  (has(c, W1) || has(c, W2) || has(c, W3)),
              WORDS " line 1: momentum m1,m2,m3 and velocity w1,w2,w3 are both there: "
                    "leave one out",
              in->name);
    const bool attitude = has(c, Q0) || has(c, Q1) || has(c, Q2) || has(c, Q3);
    const bool velocity = has(c, W1) || has(c, W2) || has(c, W3);
    for (size_t i = 0; i < COLUMNS; i++) {
        const bool of_q = i >= Q0 && i <= Q3, of_m = i >= M1 && i <= M3, of_w = i >= W1;
        const bool needed = of_q   ? attitude
                            : of_m ? !velocity
                            : of_w ? velocity
                                   : i != T || c->job->timed;
        REFUSE_IF(needed && !has(c, (enum column_number)i),
                  WORDS " line 1: column %s is missing: write %s", in->name,
                  column_names[i], form);
    }
    return find_passed(c);
}

/* The tables of a case, and the columns that are written: those that pass through, the momentum
 * and the attitude, or what is asked for. */
static int choose_columns(cases *c)
{
    static const char results[] = "m1,m2,m3,q0,q1,q2,q3";
    passed_words *p = &c->passed;
    show_request show = *c->job->show;
    char *names = malloc(LINE_LONGEST + sizeof results), *at = names;
    if (names == NULL)
        return fail_memory();
    for (size_t k = 0; k < p->columns; k++)
        at += sprintf(at, "%s,", c->in->column[p->column[k]]);
    if (c->job->json && p->columns > 0)
        at[-1] = '\0'; /* the state is in JSON anyway */
    else
        memcpy(at, results, sizeof results);
    if (show.choice.show == NULL)
        show.choice.show = names;
    c->energy =
        (ph_observable){.name = "energy", .unit = "I/t^2", .label = "energy", .width = 1};
    sample_fields(&c->sample, &c->body, c->field + p->columns);
    c->now = (instant){0.0, c->field, p->columns + SAMPLE_FIELDS, &c->energy, 1};
    const int status = show_columns(&show, &c->now, false, &c->columns);
    free(names);
    if (status != 0)
        return status;
    for (size_t i = 0; i < c->columns.count; i++) {
        column *x = &c->columns.column[i];
        if (x->from == COLUMN_FIELD && x->index < p->columns)
            x->words = &p->word[x->index];
    }
    c->about = (file_about){
        .command = command_words(), .problem = "free", .epoch = c->job->show->epoch};
    c->row = calloc(c->columns.count + 1, sizeof *c->row);
    return c->row == NULL ? fail_memory() : 0;
}

/* Keeps the words of the row read last that pass through. */
static int keep_words(cases *c, const double *row, size_t i)
{
    passed_words *p = &c->passed;
    p->at[i] = p->used;
    for (size_t k = 0; k < p->columns; k++) {
        char number[32];
        const char *word = number;
        if (c->in->array)
            (void)snprintf(number, sizeof number, "%.17g", row[p->column[k]]);
        else
            word = c->in->field[p->column[k]];
        const size_t length = strlen(word) + 1;
        if (p->used + length > p->room) {
            const size_t room = 2 * (p->used + length);
            char *text = realloc(p->text, room);
            if (text == NULL)
                return fail_memory();
            p->text = text;
            p->room = room;
        }
        memcpy(p->text + p->used, word, length);
        p->used += length;
    }
    return 0;
}

/* Adds a case to the block. */
static int add_case(cases *c, const double *row)
{
    double x[COLUMNS] = {[T] = c->job->time, [Q0] = 1.0};
    for (size_t i = 0; i < COLUMNS; i++) {
        if (has(c, (enum column_number)i))
            x[i] = row[c->order[i]];
    }
    cases_block *w = &c->block;
    ph_body body;
    ph_state start = {.q = {x[Q0], x[Q1], x[Q2], x[Q3]}, .m = {x[M1], x[M2], x[M3]}};
    ph_status status = ph_body_from_moments(&body, vec3(x[I1], x[I2], x[I3]));
    if (status == PH_OK && has(c, W1))
        start.m = ph_body_momentum(&body, vec3(x[W1], x[W2], x[W3]));
    if (status == PH_OK)
        status = ph_check(&body, &start);
    if (status != PH_OK) {
        (void)csv_wrong(c->in, ": %s", ph_status_text(status));
        return fail_row(c);
    }
    TRY(keep_words(c, row, w->n));
    const ph_quat q = ph_quat_unit(start.q);
    const size_t i = w->n++;
    w->q[0][i] = q.w, w->q[1][i] = q.x, w->q[2][i] = q.y, w->q[3][i] = q.z;
    w->m[0][i] = start.m.x, w->m[1][i] = start.m.y, w->m[2][i] = start.m.z;
    for (int k = 0; k < 3; k++)
        w->J[k][i] = x[I1 + k];
    w->t[i] = x[T];
    w->line[i] = c->in->number;
    return 0;
}

/* Finishes a block that is full, or when the writer of the cases waits: a program at both
 * ends of two pipes gets its results. */
static int finish_in_time(cases *c)
{
    const size_t n = c->block.n;
    const bool idle = csv_waits(c->in, n == 0 ? 0 : c->job->wait_ms);
    const int wrong = idle || n == CASES_BLOCK ? finish_block(c) : 0;
    if (idle)
        outfile_flush(c->out);
    return wrong;
}

/* Reads cases up to the end, the first error, Ctrl-C, or an output that takes no more. */
static int read_all(cases *c)
{
    static double row[CSV_COLUMNS];
    while (c->out->error == 0) {
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
             "that no rigid body has, one exceeds the sum of the others: check them",
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
    if (status == 0)
        status = choose_columns(c);
    if (status == 0 && !c->job->json)
        status =
            rows_open(path, terminal, &c->columns, &c->now, &c->about, &c->out, &c->rows);
    else if (status == 0)
        status = standard ? file_refuse(path) : file_open(path, &c->out);
    if (standard)
        c->out = terminal;
    if (c->out == NULL)
        return status != 0 ? status : fail_memory();
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
    int status;
    if (c->in == NULL) {
        status = fail_usage("%s", message);
    } else {
        file_read(path);
        progress_begin(out == NULL || strcmp(out, "-") == 0);
        status = run_into(c, out == NULL ? "-" : out);
    }
    csv_close(c->in);
    columns_free(&c->columns);
    free(c->passed.column);
    free(c->passed.word);
    free(c->passed.number);
    free(c->passed.text);
    free(c->field);
    free(c->row);
    free(c);
    return status;
}
