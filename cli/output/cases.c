/* cases.c - many free bodies, a line each: reading, computing, writing. */
#include "cases.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/even_times.h"
#include "cli/files/json.h"
#include "cli/files/memory.h"
#include "cli/files/text.h"
#include "cli/tool/tool.h"
#include "loop.h"
#include "motion/state.h"

/* ---- a block of free bodies brought to their times, on the cores of this machine or on a device  */

/* Cases of a block, several times what all cores need to be busy: 1.5 MB. */
enum { CASES_BLOCK = 16384 };

#define CASES_WHY 200 /* bytes */

typedef struct cases_block {
    size_t n;
    double q[4][CASES_BLOCK], m[3][CASES_BLOCK], J[3][CASES_BLOCK], t[CASES_BLOCK];
    unsigned long long line[CASES_BLOCK];
    unsigned long long before; /* cases of the blocks before */
    double from, to;           /* fractions of the file read; negative: unknown */
} cases_block;

/* What is done with the bodies; with --device an open device and room on it for a block. */
typedef struct advancing {
    ph_device_run run;
    ph_device *device;
    ph_device_bodies *bodies;
} advancing;

enum { MOST_DEVICES = 64 };

/* Why a device could not be opened. */
static int fail_open(const char *name, ph_status status)
{
    ph_device_info info[MOST_DEVICES];
    const size_t n = ph_devices(info, MOST_DEVICES);
    nearest names = {.wrong = name};
    bool usable = false;
    if (status == PH_NO_MEMORY)
        return fail_memory();
    REFUSE_IF(status != PH_NO_DEVICE,
              "device " WORDS
              " cannot be used: %s: see its driver, or leave --device out",
              name, ph_status_text(status));
    ph_nearest_add(&names, "any");
    for (size_t i = 0; i < n && i < MOST_DEVICES; i++) {
        REFUSE_IF(strcmp(info[i].name, name) == 0,
                  "device " WORDS " has no double precision: leave --device out", name);
        ph_nearest_add(&names, "%s", info[i].name);
        usable = usable || info[i].double_precision;
    }
    REFUSE_IF(!usable, "there is no device: install a driver for OpenCL with double "
                       "precision, or leave --device out");
    return fail_unknown("", "device", &names, "`polhode list devices`");
}

static void destroy_device(void *device)
{
    ph_device_destroy(device);
}

int device_open(const char *name, ph_device **out)
{
    const ph_status opened = ph_device_create(name, out);
    if (opened != PH_OK)
        return fail_open(name, opened);
    memory_at_end(destroy_device, *out);
    return 0;
}

static void destroy_bodies(void *bodies)
{
    ph_device_bodies_destroy(bodies);
}

int device_refuse(const arguments *given)
{
    const char *name = argument(given, "--device");
    REFUSE_IF(name != NULL && argument(given, "--cases") == NULL,
              "--device " WORDS " is for many bodies: add --cases FILE, or leave it out",
              name);
    return 0;
}

/* Opens the device that --device asks for, and fails if it cannot do the run. */
static int advance_open(advancing *a, const arguments *given)
{
    const char *name = argument(given, "--device");
    char flow[PH_INTEGRATOR_NAME];
    if (name == NULL)
        return 0;
    REFUSE_IF(
        ph_device_applies(&a->run) != PH_OK,
        "%s is not done on devices: take exact, mr, sr2, dmv2 to dmv10 or gauss6 to "
        "gauss10, or leave --device out",
        ph_integrator_name(&a->run.integrator, flow));
    TRY(device_open(name, &a->device));
    const ph_status made =
        ph_device_bodies_create(a->device, CASES_BLOCK, NULL, &a->bodies);
    REFUSE_IF(made != PH_OK, "device " WORDS " cannot be used: %s: leave --device out",
              name, ph_status_text(made));
    memory_at_end(destroy_bodies, a->bodies);
    return 0;
}

/* A block on its way. */
static bool go_on(void *context, double done)
{
    const cases_block *b = context;
    progress_show(b->before, b->from + done * (b->to - b->from));
    return !interrupted;
}

/* On the device, whose own failure `why` tells in one line. */
static ph_batch_result advance_there(advancing *a, const ph_batch *all,
                                     char why[CASES_WHY])
{
    ph_batch_result end = {0};
    ph_status status = ph_device_upload(a->bodies, all);
    if (status == PH_OK) {
        end = ph_device_advance(a->bodies, &a->run);
        if (end.stopped)
            return end;
        if (end.status == PH_NO_MEMORY || end.status == PH_DEVICE_BUILD ||
            end.status == PH_DEVICE_FAILED)
            status = end.status;
    }
    if (status == PH_OK)
        status = ph_device_download(a->bodies, all);
    if (status != PH_OK) {
        const char *log = ph_device_log(a->device);
        (void)snprintf(why, CASES_WHY, "%s (%.*s): leave --device out",
                       ph_status_text(status), (int)strcspn(log, "\n"), log);
        end.failed = 0;
    }
    return end;
}

/* Brings the bodies from their starts to their times. Returns how many are there before the
 * first that is not; `why`, empty at first, is for what that one failed of: nothing where its
 * state is not finite, or after Ctrl-C. */
static size_t advance_block(advancing *a, cases_block *b, char why[CASES_WHY])
{
    ph_device_run *run = &a->run;
    const ph_batch all = {b->n,
                          {b->q[0], b->q[1], b->q[2], b->q[3]},
                          {b->m[0], b->m[1], b->m[2]},
                          {b->J[0], b->J[1], b->J[2]}};
    ph_batch_result end = {.failed = b->n};
    run->observer = go_on;
    run->context = b;
    run->times = run->timed ? b->t : NULL;
    if (a->device != NULL)
        end = advance_there(a, &all, why);
    else if (run->timed)
        (void)ph_batch_step_each(run->integrator.flow, &all, b->t, &end.failed);
    else
        end = ph_batch_run(&run->integrator, &all, run->step, run->steps, go_on, b);
    if (end.stopped)
        return 0;
    if (end.status != PH_OK && why[0] == '\0' && !run->timed)
        (void)snprintf(why, CASES_WHY,
                       "step %" PRIu64
                       ", from t = %.10g, failed: %s: take a smaller step",
                       end.step + 1, even_time(0.0, (double)end.step, run->step),
                       ph_status_text(end.status));
    return end.failed;
}

/* The columns of a case; the file may have them in any order. The time is the last. */
enum column_number { I1, I2, I3, M1, M2, M3, Q0, Q1, Q2, Q3, T, W1, W2, W3, COLUMNS };
static const char *const column_names[COLUMNS] = {
    "I1", "I2", "I3", "m1", "m2", "m3", "q0", "q1", "q2", "q3", "t", "w1", "w2", "w3"};
/* A program that feeds the tool through a pipe gets this long, in milliseconds, to fill a block
 * of many steps: it may have to wait for its core. */
#define WAIT_MS 20
enum { UNNAMED = T }; /* columns of an array without names, less the time */

/* Words that pass through. */
typedef struct passed_words {
    size_t columns;    /* that pass through */
    size_t *column;    /* which of the file */
    const char **word; /* of the case that is written */
    double *number;    /* the same; NaN if it is none */
    json_t *texts;     /* of all cases of a block */
} passed_words;

typedef struct cases {
    const cases_job *job;
    csv *in;
    size_t order[COLUMNS]; /* which column of the file is which; none if too large */
    passed_words passed;
    ph_body body; /* of the case that is written, with its sample */
    sample sample;
    ph_observable energy;
    ph_array *field;
    outfile *standard;
    rows_file rows;                /* unless JSON */
    double *row;                   /* of its columns, for JSON */
    unsigned long long unphysical; /* bodies done that no matter has, and the first */
    unsigned long long unphysical_line;
    advancing advancing;
    cases_block block;   /* of cases read */
    size_t given, there; /* of these: written, and brought to their times */
    char why[CASES_WHY]; /* the next one is not there */
    csv_status ended;    /* why no more were read; CSV_OK: they will be */
} cases;

static bool has(const cases *c, enum column_number k)
{
    return c->order[k] < c->in->columns;
}

/* ---- computing ------------------------------------------------------------------- */

/* The words of a case that pass through, and what numbers they are. */
static void take_words(cases *c, size_t i)
{
    passed_words *p = &c->passed;
    for (size_t k = 0; k < p->columns; k++) {
        const char *end = json_string_value(json_array_get(p->texts, i * p->columns + k));
        p->word[k] = end;
        if (number_read(&end, &p->number[k]) != NUMBER_OK || *end != '\0')
            p->number[k] = NAN;
    }
}

/* Only CSV and JSON hold words. */
static int refuse_words(const cases *c, unsigned long long line)
{
    const file_format *format = c->rows.rows->format;
    for (size_t k = 0;
         !c->job->json && k < c->passed.columns && strcmp(format->suffix, "csv") != 0;
         k++)
        REFUSE_IF(isnan(c->passed.number[k]),
                  WORDS " %s %llu: `" WORDS "` is no number, and %s holds numbers alone: "
                        "write CSV",
                  c->in->name, c->in->row, line, c->passed.word[k], format->text);
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

/* Makes a case that is at its time the instant. */
static int give(cases *c, size_t i, loop *l)
{
    const cases_block *w = &c->block;
    c->body = (ph_body){{w->J[0][i], w->J[1][i], w->J[2][i]}, {1.0, 0.0, 0.0, 0.0}, true};
    const ph_state s = {{w->q[0][i], w->q[1][i], w->q[2][i], w->q[3][i]},
                        {w->m[0][i], w->m[1][i], w->m[2][i]}};
    c->sample = sample_of(&c->body, &s, w->t[i]);
    c->energy.now[0] = c->sample.energy;
    l->now.t = w->t[i];
    if (!sample_finite(&c->sample))
        return fail_not_finite(c, i);
    if (!ph_body_physical(&c->body) && c->unphysical++ == 0)
        c->unphysical_line = w->line[i];
    take_words(c, i);
    return refuse_words(c, w->line[i]);
}

/* ---- reading --------------------------------------------------------------------- */

/* Takes note of the columns that are none of a case's. */
static void find_passed(cases *c)
{
    csv *in = c->in;
    passed_words *p = &c->passed;
    p->column = memory_new(in->columns, sizeof *p->column);
    p->word = memory_new(in->columns, sizeof *p->word);
    p->number = memory_new(in->columns, sizeof *p->number);
    c->field = memory_new(in->columns + SAMPLE_FIELDS, sizeof *c->field);
    p->texts = json_array();
    for (size_t i = 0; i < in->columns && !in->unnamed; i++) {
        size_t k = 0;
        while (k < COLUMNS && c->order[k] != i)
            k++;
        in->words[i] = k == COLUMNS;
        if (k < COLUMNS)
            continue;
        c->field[p->columns] = number_field(in->column[i], &p->number[p->columns]);
        p->column[p->columns++] = i;
    }
}

/* Which column of the file is which. */
static int read_header(cases *c, const char *path)
{
    const char *form = c->job->run.timed ? "I1,I2,I3,m1,m2,m3,q0,q1,q2,q3,t"
                                         : "I1,I2,I3,m1,m2,m3,q0,q1,q2,q3";
    const size_t unnamed = c->job->run.timed ? UNNAMED + 1 : UNNAMED;
    TRY(file_columns(path, memory_text("is %s", form), &c->in));
    const csv *in = c->in;
    REFUSE_IF(in->unnamed && in->columns != unnamed,
              WORDS
              " has %zu columns without names: save %zu, %s, or records with fields of "
              "these names",
              in->name, in->columns, unnamed, form);
    for (size_t i = 0; i < COLUMNS; i++)
        c->order[i] = in->unnamed ? (i < unnamed ? i : in->columns)
                                  : csv_column(in, column_names[i]);
    REFUSE_IF(!c->job->run.timed && has(c, T),
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
                                   : i != T || c->job->run.timed;
        REFUSE_IF(needed && !has(c, (enum column_number)i),
                  WORDS " line 1: column %s is missing: write %s", in->name,
                  column_names[i], form);
    }
    find_passed(c);
    return 0;
}

/* The columns that are written: those that pass through, the momentum and the attitude, or
 * what is asked for. */
static int begin_cases(void *self, loop *l)
{
    static const char results[] = "m1,m2,m3,q0,q1,q2,q3";
    cases *c = self;
    passed_words *p = &c->passed;
    show_request show = *c->job->show;
    const char *names = "", *comma = "";
    for (size_t k = 0; k < p->columns; k++, comma = ",")
        names = memory_text("%s%s%s", names, comma, c->in->column[p->column[k]]);
    if (!c->job->json || p->columns == 0) /* the state is in JSON anyway */
        names = memory_text("%s%s%s", names, comma, results);
    if (show.choice.show == NULL)
        show.choice.show = names;
    c->rows.show = &show;
    TRY(rows_begin(&c->rows, &l->now));
    for (size_t i = 0; i < c->rows.columns.count; i++) {
        column *x = &c->rows.columns.column[i];
        if (x->from == COLUMN_FIELD && x->index < p->columns)
            x->words = &p->word[x->index];
    }
    c->row = memory_new(c->rows.columns.count, sizeof *c->row);
    if (c->job->json)
        outfile_print(c->standard, "{\"states\":[");
    return 0;
}

/* Keeps the words of the row read last that pass through. */
static void keep_words(cases *c, const double *row)
{
    passed_words *p = &c->passed;
    for (size_t k = 0; k < p->columns; k++) {
        const size_t at = p->column[k];
        json_t *word = c->in->array ? json_sprintf("%.17g", row[at])
                                    : json_string_nocheck(c->in->field[at]);
        json_add(p->texts, word);
    }
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
        c->ended = csv_wrong(c->in, ": %s", ph_status_text(status));
        return 0;
    }
    keep_words(c, row);
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

/* Reads a block of cases, until it is full, or the writer of the cases waits: a program at both
 * ends of two pipes gets its results. */
static int read_block(cases *c)
{
    static double row[CSV_COLUMNS];
    cases_block *w = &c->block;
    w->n = c->given = 0;
    (void)json_array_clear(c->passed.texts);
    while (c->ended == CSV_OK && w->n < CASES_BLOCK) {
        if (csv_waits(c->in, w->n == 0 || c->job->run.timed ? 0 : WAIT_MS)) {
            if (w->n > 0)
                break;
            outfile_flush(c->rows.out ? c->rows.out : c->standard);
        }
        c->ended = csv_row(c->in, row);
        if (interrupted && c->ended == CSV_OK)
            c->ended = CSV_STOPPED;
        if (c->ended == CSV_OK)
            TRY(add_case(c, row));
        progress_show(w->before + w->n, w->from);
    }
    return 0;
}

/* Reads a block and computes it, all at once. */
static int fill_block(cases *c)
{
    cases_block *w = &c->block;
    c->there = 0;
    w->before += c->given;
    TRY(read_block(c));
    w->to = c->in->size == 0 ? -1.0 : (double)c->in->bytes / (double)c->in->size;
    if (w->n > 0)
        c->there = advance_block(&c->advancing, w, c->why);
    w->from = w->to;
    return 0;
}

static int next_case(void *self, loop *l)
{
    cases *c = self;
    const cases_block *w = &c->block;
    if (c->given == w->n && c->ended == CSV_OK)
        TRY(fill_block(c));
    if (c->given < c->there)
        return give(c, c->given++, l);
    if (c->given < w->n)
        return c->why[0] != '\0' ? fail_run(WORDS " %s %llu: %s", c->in->name, c->in->row,
                                            w->line[c->given], c->why)
               : interrupted     ? EXIT_INTERRUPTED
                                 : fail_not_finite(c, c->given);
    return c->ended == CSV_WRONG     ? fail_usage("%s", c->in->message)
           : c->ended == CSV_STOPPED ? EXIT_INTERRUPTED
                                     : LOOP_END;
}

/* ---- writing --------------------------------------------------------------------- */

static bool write_case(void *self, loop *l)
{
    cases *c = self;
    if (!c->job->json)
        return rows_add(&c->rows, l);
    json_t *state = sample_json(&c->sample, -1.0);
    if (state != NULL && (c->passed.columns > 0 || c->job->show->choice.show != NULL)) {
        columns_row(&c->rows.columns, &l->now, 0, c->row);
        show_json(state, &c->rows.columns, c->row);
    }
    outfile_print(c->standard, l->rows == 1 ? "\n" : ",\n");
    if (!json_write(c->standard, state, 0))
        c->standard->error = ENOMEM;
    return c->standard->error == 0;
}

static int finish_cases(void *self, loop *l, int status)
{
    cases *c = self;
    (void)l;
    if (c->job->json)
        outfile_print(c->standard, "\n]}\n");
    if (c->unphysical > 0)
        warn("%llu of the bodies, the first in " WORDS
             " %s %llu, have moments of inertia "
             "that no rigid body has, one exceeds the sum of the others: check them",
             c->unphysical, c->in->name, c->in->row, c->unphysical_line);
    const int closed = rows_close(&c->rows, "");
    return closed != 0   ? closed
           : status != 0 ? status
                         : rows_refused(&c->rows, EXIT_FAILED, "");
}

int cases_run(const cases_job *job, const char *out, outfile *standard)
{
    cases *c = memory_new(1, sizeof *c);
    c->job = job;
    c->standard = standard;
    c->rows = (rows_file){.path = job->json     ? NULL
                                  : out == NULL ? "-"
                                                : out,
                          .standard = standard,
                          .about = {.problem = "free"}};
    c->energy =
        (ph_observable){.name = "energy", .unit = "I/t^2", .label = "energy", .width = 1};
    c->advancing.run = job->run;
    TRY(advance_open(&c->advancing, job->given));
    progress_begin(out == NULL || strcmp(out, "-") == 0);
    TRY(read_header(c, argument(job->given, "--cases")));
    TRY(job->json ? file_refuse("-") : 0);
    const observer states = {c, begin_cases, write_case, NULL, finish_cases};
    sample_fields(&c->sample, &c->body, c->field + c->passed.columns);
    loop l = {.observers = &states,
              .count = 1,
              .now = {0.0, c->field, c->passed.columns + SAMPLE_FIELDS, &c->energy, 1}};
    const int status = loop_each(&l, next_case, c);
    json_decref(c->passed.texts);
    return status;
}
