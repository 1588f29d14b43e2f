/* cases.c - many free bodies, a line each: reading, computing, writing. */
#include "cases.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/even_times.h"
#include "loop.h"
#include "motion/state.h"
#include "motion/vec.h"
#include "tool/base/tool.h"
#include "tool/files/file_text.h"
#include "tool/files/json.h"
#include "tool/files/memory.h"
#include "tool/input/body_columns.h"
#include "tool/output/additions.h"

/* ---- a block of free bodies brought to their times, on the cores of this machine or on a device  */

/* The number of cases of a block: 1.5 MB, several times what keeps all cores busy. */
enum { CASES_BLOCK = 16384 };

#define CASES_WHY 200 /* bytes */

typedef struct cases_block {
    size_t n;
    double q[4][CASES_BLOCK], m[3][CASES_BLOCK], J[3][CASES_BLOCK], t[CASES_BLOCK];
    ph_state start[CASES_BLOCK]; /* in the frame of the body */
    ph_quat *axes; /* of bodies by their tensors; NULL: principal axes are those of all */
    unsigned long long line[CASES_BLOCK];
    unsigned long long before; /* cases of the blocks before */
    double from, to;           /* fractions of the file read; negative: unknown */
} cases_block;

/* How the bodies move; with --device also the device. */
typedef struct advancing {
    ph_device_run run;
    void *device; /* of device_runner_find() */
} advancing;

int device_refuse(const arguments *given)
{
    const char *name = argument_added(given, "--device");
    REFUSE_IF(name != NULL && argument(given, "--cases") == NULL,
              "--device " WORDS " needs many bodies: add --cases FILE, or remove --device", name);
    return 0;
}

/* Shows how far a block is. */
static bool show_block_progress(void *context, double done)
{
    const cases_block *b = context;
    progress_show(b->before, b->from + done * (b->to - b->from));
    return !interrupted;
}

/* Moves the bodies from their starts to their times. Returns the number of bodies before the first
 * one that failed, and writes the reason to `why`. `why` stays empty if the state is not finite,
 * and after Ctrl-C. */
static size_t advance_block(advancing *a, cases_block *b, char why[CASES_WHY])
{
    ph_device_run *run = &a->run;
    const ph_batch all = {b->n,
                          {b->q[0], b->q[1], b->q[2], b->q[3]},
                          {b->m[0], b->m[1], b->m[2]},
                          {b->J[0], b->J[1], b->J[2]}};
    ph_batch_result end = {.failed = b->n};
    run->observer = show_block_progress;
    run->context = b;
    run->times = NULL;
    if (run->timed)
        run->times = b->t;
    if (a->device != NULL)
        end = device_runner_find()->advance(a->device, run, &all, why, CASES_WHY);
    else if (run->timed)
        (void)ph_batch_step_each(run->integrator.flow, &all, b->t, &end.failed);
    else
        end = ph_batch_run(&run->integrator, &all, run->step, run->steps, show_block_progress, b);
    if (end.stopped)
        return 0;
    if (end.status != PH_OK && why[0] == '\0' && !run->timed)
        (void)snprintf(
            why, CASES_WHY, "step %" PRIu64 ", from t = %.10g, failed: %s: use a smaller step",
            end.step + 1, even_time(0.0, (double)end.step, run->step), ph_status_text(end.status));
    return end.failed;
}

/* A program that feeds the tool through a pipe gets this long, in milliseconds, to fill a block
 * of many steps: it may have to wait for its core. */
#define WAIT_MS 20
/* The parts of a case. */
enum { INERTIA, TENSOR, ATTITUDE, ROTVEC, MOMENTUM, VELOCITY, PARTS };
static const char *const part_names[PARTS] = {"inertia", "tensor",   "attitude",
                                              "rotvec",  "momentum", "velocity"};

typedef struct cases {
    const cases_job *job;
    csv *in;
    body_columns columns;
    const body_part *part[PARTS]; /* those that the file has */
    double *x;                    /* the numbers of a case */
    ph_body body;                 /* of the case that is written, with its sample */
    sample sample;
    sample_invariants invariants; /* of this case */
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

/* ---- computing ------------------------------------------------------------------- */

static int fail_not_finite(const cases *c, size_t i)
{
    const cases_block *w = &c->block;
    return fail_run(
        WORDS " %s %llu: the state at t = %g is not finite: use other units or a shorter time",
        c->in->name, c->in->row, w->line[i], w->t[i]);
}

/* Makes a case that has reached its time the current one, to be written. */
static int show_case(cases *c, size_t i, loop *l)
{
    const cases_block *w = &c->block;
    c->body = (ph_body){{w->J[0][i], w->J[1][i], w->J[2][i]}, {1.0, 0.0, 0.0, 0.0}, true};
    if (w->axes != NULL) {
        c->body.axes = w->axes[i];
        c->body.principal = false;
    }
    const ph_state s =
        from_principal(&c->body, (ph_state){{w->q[0][i], w->q[1][i], w->q[2][i], w->q[3][i]},
                                            {w->m[0][i], w->m[1][i], w->m[2][i]}});
    const sample start = sample_of(&c->body, &w->start[i], 0.0);
    sample_invariants_begin(&c->invariants, &start);
    c->sample = sample_of(&c->body, &s, w->t[i]);
    sample_invariants_at(&c->invariants, &c->sample);
    l->now.t = w->t[i];
    if (!sample_finite(&c->sample))
        return fail_not_finite(c, i);
    if (!ph_body_physical(&c->body) && c->unphysical++ == 0)
        c->unphysical_line = w->line[i];
    const file_format *format = NULL;
    if (!c->job->json)
        format = c->rows.rows->format;
    return copied_show(&c->columns.copied, i, format, c->in->name, c->in->row, w->line[i]);
}

/* ---- reading --------------------------------------------------------------------- */

/* Finds the columns of the file: it has to have the inertia and a momentum or velocity. */
static int read_header(cases *c, const char *path)
{
    const cases_job *job = c->job;
    wanted_columns wanted = {.time = TIME_REFUSED,
                             .unnamed = BODY_COLUMNS,
                             .degrees = job->show->choice.degrees,
                             .has_attitude = true};
    if (job->run.timed) {
        wanted.time = TIME_NEEDED;
        wanted.unnamed = BODY_COLUMNS ",t";
    }
    wanted.keys = body_keys(ph_kind_named("body"), NULL, 0, &wanted.count);
    TRY(body_columns_open(&c->columns, path, &wanted));
    c->in = c->columns.in;
    for (int k = 0; k < PARTS; k++)
        c->part[k] = body_columns_part(&c->columns, part_names[k]);
    REFUSE_IF(c->part[INERTIA] == NULL && c->part[TENSOR] == NULL,
              WORDS " line 1: column I1 is missing: write I1,I2,I3 or Ixx,Iyy,Izz,Ixy,Ixz,Iyz",
              c->in->name);
    REFUSE_IF(c->part[MOMENTUM] == NULL && c->part[VELOCITY] == NULL,
              WORDS " line 1: column m1 is missing: write m1,m2,m3 or w1,w2,w3", c->in->name);
    c->x = memory_new(c->columns.width, sizeof *c->x);
    c->field = memory_new(c->columns.copied.count + SAMPLE_FIELDS, sizeof *c->field);
    copied_fields(&c->columns.copied, c->field);
    if (c->part[TENSOR] != NULL)
        c->block.axes = memory_new(CASES_BLOCK, sizeof *c->block.axes);
    return 0;
}

/* Chooses the columns that are written: those of --show, or else the copied ones, the momentum and
 * the attitude. */
static int begin_cases(void *self, loop *l)
{
    static const char results[] = "m1,m2,m3,q0,q1,q2,q3";
    cases *c = self;
    const copied_columns *p = &c->columns.copied;
    show_request show = *c->job->show;
    const char *names = "", *comma = "";
    for (size_t k = 0; k < p->count; k++, comma = ",")
        names = memory_text("%s%s%s", names, comma, p->name[k]);
    if (!c->job->json || p->count == 0) /* the state is in JSON anyway */
        names = memory_text("%s%s%s", names, comma, results);
    if (show.choice.show == NULL)
        show.choice.show = names;
    c->rows.show = &show;
    TRY(rows_begin(&c->rows, &l->now));
    copied_words(p, 0, &c->rows.columns);
    c->row = memory_new(c->rows.columns.count, sizeof *c->row);
    if (c->job->json)
        outfile_print(c->standard, "{\"states\":[");
    return 0;
}

static ph_vec3 vector_of(const double *x)
{
    return vec3(x[0], x[1], x[2]);
}

/* Computes the body and the start of a row. */
static ph_status take_case(const cases *c, ph_body *body, ph_state *start)
{
    const double *x[PARTS];
    for (int k = 0; k < PARTS; k++) {
        if (c->part[k])
            x[k] = c->x + c->part[k]->at;
        else
            x[k] = NULL;
    }
    ph_status status;
    if (x[TENSOR] != NULL)
        status = ph_body_from_tensor(body, symmetric(x[TENSOR]));
    else
        status = ph_body_from_moments(body, vector_of(x[INERTIA]));
    if (status != PH_OK)
        return status;
    if (x[ATTITUDE] != NULL)
        memcpy(&start->q, x[ATTITUDE], sizeof start->q);
    else if (x[ROTVEC] != NULL)
        start->q = ph_rotation_exp(vector_of(x[ROTVEC]));
    if (x[MOMENTUM])
        start->m = vector_of(x[MOMENTUM]);
    else
        start->m = ph_body_momentum(body, vector_of(x[VELOCITY]));
    return ph_check(body, start);
}

/* Adds a case to the block. */
static void add_case(cases *c, const double *row)
{
    cases_block *w = &c->block;
    ph_body body;
    ph_state start = {.q = {1.0, 0.0, 0.0, 0.0}};
    const body_part *wrong = body_columns_take(&c->columns, row, start.q, c->x);
    if (wrong != NULL) {
        c->ended = csv_wrong(c->in, ": %s is not a rotation: write one", wrong->columns);
        return;
    }
    const ph_status status = take_case(c, &body, &start);
    if (status != PH_OK) {
        c->ended = csv_wrong(c->in, ": %s", ph_status_text(status));
        return;
    }
    copied_keep(&c->columns.copied, c->in, row);
    const size_t i = w->n++;
    start.q = ph_quat_unit(start.q);
    w->start[i] = start;
    start = to_principal(&body, start);
    w->q[0][i] = start.q.w, w->q[1][i] = start.q.x;
    w->q[2][i] = start.q.y, w->q[3][i] = start.q.z;
    w->m[0][i] = start.m.x, w->m[1][i] = start.m.y, w->m[2][i] = start.m.z;
    w->J[0][i] = body.J.x, w->J[1][i] = body.J.y, w->J[2][i] = body.J.z;
    if (w->axes != NULL)
        w->axes[i] = body.axes;
    if (c->job->run.timed)
        w->t[i] = c->columns.time_factor * row[c->columns.time];
    else
        w->t[i] = c->job->time;
    w->line[i] = c->in->number;
}

/* Reads cases until the block is full, or until the writer of the cases pauses. So a program at
 * both ends of two pipes gets its results. */
static int read_block(cases *c)
{
    static double row[CSV_COLUMNS];
    cases_block *w = &c->block;
    w->n = c->given = 0;
    (void)json_array_clear(c->columns.copied.texts);
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
            add_case(c, row);
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
    if (c->in->size == 0)
        w->to = -1.0;
    else
        w->to = (double)c->in->bytes / (double)c->in->size;
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
        return show_case(c, c->given++, l);
    if (c->given < w->n) {
        if (c->why[0] != '\0')
            return fail_run(WORDS " %s %llu: %s", c->in->name, c->in->row, w->line[c->given],
                            c->why);
        if (interrupted)
            return EXIT_INTERRUPTED;
        return fail_not_finite(c, c->given);
    }
    REFUSE_IF(c->ended == CSV_WRONG, "%s", c->in->message);
    if (c->ended == CSV_STOPPED)
        return EXIT_INTERRUPTED;
    return LOOP_END;
}

/* ---- writing --------------------------------------------------------------------- */

static bool write_case(void *self, loop *l)
{
    cases *c = self;
    if (!c->job->json)
        return rows_add(&c->rows, l);
    json_t *state = sample_json(&c->sample, -1.0);
    if (state != NULL && (c->columns.copied.count > 0 || c->job->show->choice.show != NULL)) {
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
             " %s %llu, have moments of inertia that no rigid body can have, one exceeds the sum "
             "of the others: check them",
             c->unphysical, c->in->name, c->in->row, c->unphysical_line);
    const int closed = rows_close(&c->rows, "");
    if (closed != 0)
        return closed;
    if (status != 0)
        return status;
    return rows_refused(&c->rows, EXIT_FAILED, "");
}

int cases_run(const cases_job *job, const char *out, outfile *standard)
{
    cases *c = memory_new(1, sizeof *c);
    c->job = job;
    c->standard = standard;
    c->rows =
        (rows_file){.path = text_or(out, "-"), .standard = standard, .about = {.problem = "free"}};
    if (job->json)
        c->rows.path = NULL;
    sample_invariants_begin(&c->invariants, &c->sample); /* their names */
    c->advancing.run = job->run;
    const char *device = argument_added(job->given, "--device");
    if (device != NULL)
        TRY(device_runner_find()->open_bodies(device, &job->run, CASES_BLOCK,
                                              &c->advancing.device));
    progress_begin(out == NULL || strcmp(out, "-") == 0);
    TRY(read_header(c, argument(job->given, "--cases")));
    if (job->json)
        TRY(file_refuse("-"));
    const observer states = {c, begin_cases, write_case, NULL, finish_cases};
    const size_t copied = c->columns.copied.count;
    sample_fields(&c->sample, &c->body, c->field + copied);
    loop l = {.observers = &states,
              .count = 1,
              .now = {0.0, c->field, copied + SAMPLE_FIELDS, c->invariants.all, SAMPLE_INVARIANTS}};
    return loop_each(&l, next_case, c);
}
