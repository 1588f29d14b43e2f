/* run_ensemble.c - `polhode run` of many bodies: rows of all at given times, in memory or in the file
 * of --checkpoint, then the file, the summary and the picture.
 *
 * The rows of a body are written by one thread, and then its status: what has one is done. A
 * snapshot is that memory, mapped, with the start of each body (ensemble_snapshot.c). A run that
 * goes on computes the bodies that are not done. The output of a run with a snapshot is written at
 * the end. Until then a mark, OUTPUT.resume, names the run, so that `polhode resume` writes there
 * for this run alone.
 */
#include "request.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h> /* qsort */
#include <string.h>
#include <unistd.h>

#include "base/choice.h"
#include "base/text.h"
#include "system/find.h"
#include "tool/base/rendering.h"
#include "tool/files/memory.h"
#include "tool/files/rows.h"
#include "tool/output/cases.h"
#include "tool/output/loop.h"

enum { BLOCK = 4096, DEVICE_BLOCK = 1 << 16, QUANTILES = 3 };
static const double QUANTILE[QUANTILES] = {0.05, 0.5, 0.95};

/* What became of a body: not yet done, done, or failed with a status. */
enum { NOT_DONE = STORE_NOT_DONE, DONE = 0 };

#define SECONDS_BETWEEN_RECORDS 1.0

/* What makes rows of a file of the rows in memory. */
typedef struct row_maker {
    double number; /* of the body */
    double *values;
    ph_array *field;
    show_request show;
    rows_file file;
    loop loop;
} row_maker;

typedef struct ensemble_job {
    run_request *r;
    outfile *standard;
    scenario *input; /* of a run that begins: what its bodies are made from */
    model m;
    method_list method;
    model_integrator by;
    const ph_problem *own; /* a problem that is not in the catalog, where a run goes on */
    ph_system *base;
    body_list bodies;
    bool *copies;       /* of each column that can be copied: it is written */
    const double *time; /* of the rows */
    size_t rows;
    column_set columns;
    size_t width;      /* of a row */
    const char *names; /* of the columns that are written, after case,t: ",id,q0" */
    ensemble_store store;
    size_t begun, block; /* bodies before the block that runs, and of that */
    size_t failed, first_failed;
    outfile *arrays; /* an archive, */
    row_maker maker; /* or rows; or neither */
    bool writes_rows;
    bool only_same; /* the output is there already, and must be that of this run */
    bool summary;   /* is printed */
    pictures pictures;
    const char *title;
    void *device; /* of device_runner_find(), or NULL */
    /* Of each condition of --events: how many bodies it held for, and how often. */
    size_t *bodies_met, *windows;
} ensemble_job;

bool ensemble_is(const scenario *input, const arguments *given)
{
    const setting *problem = &input->value[KEY_PROBLEM];
    const char *time = argument(given, "--time");
    if (argument(given, "--scatter") != NULL)
        return true;
    return argument(given, "--cases") != NULL && problem->is_set &&
           !(problem->text != NULL && strcmp(problem->text, "free") == 0 &&
             (time == NULL || strchr(time, ':') == NULL));
}

/* ---- what is asked for ---------------------------------------------------------------- */

/* The times of the rows: those of --time, else the steps that --every or, of a method that chooses
 * them, --step asks for, else the end alone. */
static int read_times(ensemble_job *j)
{
    const setting *v = j->input->value;
    const bool chooses = ph_system_is_adaptive(j->base) || isinf(j->base->longest) ||
                         ph_system_has_parts(j->base),
               range = v[KEY_TIME].text != NULL && strchr(v[KEY_TIME].text, ':') != NULL;
    const bool all = range || v[KEY_EVERY].is_set || chooses;
    double every = 1.0, step = 0.0;
    if (v[KEY_EVERY].is_set)
        every = v[KEY_EVERY].x[0];
    if (all)
        step = every * v[KEY_STEP].x[0];
    time_list times;
    uint64_t steps;
    if (v[KEY_EVERY].is_set)
        TRY(read_every(input_place(j->input, KEY_EVERY), every, &steps));
    if (!chooses)
        TRY(count_steps(input_line(j->input, &v[KEY_STEP]), v[KEY_STEP].x[0], v[KEY_TIME].x[0],
                        &steps));
    TRY(times_of_scenario(&times, step, v[KEY_TIME].x[0]));
    j->rows = (size_t)times.count;
    double *time = memory_new(j->rows, sizeof *time);
    for (size_t i = 0; i < j->rows; i++)
        time[i] = times_at(&times, i);
    j->time = time;
    return 0;
}

static int refuse_options(const ensemble_job *j)
{
    const arguments *given = j->r->given;
    static const char *const of_one[] = {"--serve", "--until", "--film", "--rdf"};
    const bool scatter = argument(given, "--scatter") != NULL;
    TRY(refuse_both(given, "--cases", "--scatter"));
    for (size_t i = 0; i < COUNT(of_one); i++) {
        TRY(refuse_both(given, "--cases", of_one[i]));
        TRY(refuse_both(given, "--scatter", of_one[i]));
    }
    REFUSE_IF(argument(given, "--samples") != NULL && !scatter,
              "--samples can be used only with --scatter: add --scatter, or remove --samples");
    REFUSE_IF(j->r->json && j->r->out != NULL && strcmp(j->r->out, "-") == 0,
              "--json cannot be used with --out -: remove one");
    return 0;
}

/* The format of the rows' file; NULL where there is none. */
static const file_format *format_of(const ensemble_job *j)
{
    if (j->r->out == NULL)
        return NULL;
    return file_format_of(j->r->out);
}

static const char *suffix_of(const ensemble_job *j)
{
    const file_format *format = format_of(j);
    if (format == NULL)
        return "csv";
    return format->suffix;
}

static int open_device(ensemble_job *j)
{
    const char *name = argument_added(j->r->given, "--device");
    if (name != NULL)
        return device_runner_find()->open_ensemble(name, j->base, &j->device);
    return 0;
}

/* Chooses columns of the state. */
static int choose_state(const ensemble_job *j, const char *show, column_set *out)
{
    column_choice choice = j->r->show.choice;
    nearest near_by = {0};
    const instant now = instant_of(j->base);
    choice.show = show;
    if (columns_choose(out, &choice, &now, &near_by))
        return 0;
    return fail_unknown("--show: ", "column", &near_by, "`polhode run --help`");
}

/* Chooses what is written, in the order of --show: columns of the file that are copied, and columns
 * of the state. Without --show these are all of the file, and the attitude and the momentum. */
static int choose_names(ensemble_job *j)
{
    static const char *const ours[] = {"case", "time", "status", "attitude", "momentum"};
    copied_columns *c = &j->bodies.copied;
    const body_list *b = &j->bodies;
    const char *rest = j->r->show.choice.show, *word, *of_state = NULL, *standard = "";
    j->names = "";
    j->copies = memory_new(c->count, sizeof *j->copies);
    for (size_t k = 0; k < c->count; k++) {
        for (size_t i = 0; i < COUNT(ours); i++)
            REFUSE_IF(strcmp(c->name[k], ours[i]) == 0,
                      WORDS
                      " line 1: column %s would occur twice in the output: give it another name",
                      b->place, ours[i]);
        standard = memory_text("%s%s,", standard, c->name[k]);
    }
    if (rest == NULL)
        rest = memory_text("%sq0,q1,q2,q3,m1,m2,m3", standard);
    while ((word = memory_word(&rest)) != NULL) {
        size_t k = 0;
        while (k < c->count && strcmp(c->name[k], word) != 0)
            k++;
        if (k < c->count) {
            j->copies[k] = true;
            j->names = memory_text("%s,%s", j->names, word);
            continue;
        }
        column_set of_word;
        TRY(choose_state(j, word, &of_word));
        for (size_t i = 0; i < of_word.count; i++) /* each row has its time first */
            if (strcmp(of_word.column[i].name, "t") != 0)
                j->names = memory_text("%s,%s", j->names, of_word.column[i].name);
        if (of_state)
            of_state = memory_text("%s,%s", of_state, word);
        else
            of_state = word;
    }
    TRY(choose_state(j, text_or(of_state, "t"), &j->columns)); /* a row has its time at least */
    copied_find_whole(c, b->count);
    for (size_t i = 0; i < b->count && c->count > 0; i++)
        TRY(copied_show(c, i, format_of(j), b->place, b->word, b->first + i));
    return 0;
}

/* What is shown of the bodies: columns and pictures. */
static int choose_columns(ensemble_job *j)
{
    TRY(choose_names(j));
    j->width = j->columns.count;
    j->pictures =
        (pictures){.given = j->r->given, .option = "--plot", .out = j->r->out, .show = &j->r->show};
    if (j->r->out != NULL && !j->r->json)
        j->pictures.told = j->standard;
    j->title = picture_title(j->r->title, ph_system_integrator_name(j->base));
    TRY(pictures_open(&j->pictures, false));
    return open_device(j);
}

static int refuse_format(const ensemble_job *j)
{
    const char *out = j->r->out;
    const file_format *format;
    if (out != NULL && strcmp(out, "-") != 0) {
        TRY(file_refuse(out));
        TRY(format_find(out, &format));
    }
    REFUSE_IF(strcmp(suffix_of(j), "csv") != 0 && strcmp(suffix_of(j), "npy") != 0 &&
                  strcmp(suffix_of(j), "npz") != 0,
              WORDS ": many bodies need csv, npy or npz: choose one", out);
    REFUSE_IF(j->summary && out != NULL && strcmp(out, "-") == 0,
              "--summary cannot be used with --out -: remove one");
    return 0;
}

/* Whether a problem of the catalog has no torque. */
static bool is_free(const setting *problem)
{
    ph_problem_facts facts;
    for (size_t i = 0; problem->text != NULL && ph_problem_at(i, &facts); i++)
        if (strcmp(facts.name, problem->text) == 0)
            return facts.is_free;
    return false;
}

static int read_events(ensemble_job *j)
{
    run_request *r = j->r;
    r->system = j->base;
    TRY(events_read(r));
    if (r->events.count == 0)
        return 0;
    TRY(refuse_both(r->given, "--events", "--device"));
    REFUSE_IF(r->events.path == NULL,
              "--events for many bodies needs a file for the events: add --events-out FILE");
    j->bodies_met = memory_new(r->events.count, sizeof *j->bodies_met);
    j->windows = memory_new(r->events.count, sizeof *j->windows);
    return file_open(r->events.path, &r->events.file);
}

/* Everything that can be wrong but for single bodies. */
static int read_request(ensemble_job *j)
{
    run_request *r = j->r;
    setting *v = j->input->value;
    TRY(refuse_options(j));
    const bool is_exact = is_free(&v[KEY_PROBLEM]) && argument(r->given, "--device") == NULL;
    if (!v[KEY_METHOD].is_set && is_exact && !v[KEY_STEP].is_set) /* reaches any time */
        v[KEY_TOLERANCE] = (setting){.is_set = true, .count = 1, .x = {PH_TOLERANCE_DEFAULT}};
    if (!v[KEY_METHOD].is_set && v[KEY_TOLERANCE].is_set) /* exact, or the one that has lanes */
        v[KEY_METHOD] = (setting){.is_set = true, .text = is_exact ? "exact" : "dop853"};
    TRY(run_read_model(j->input, &j->m, &j->method, &j->by));
    run_default_tolerance(j->input, &j->m, &j->by);
    TRY(model_make(&j->m, &j->by, v[KEY_STEP].x[0], &j->base));
    REFUSE_IF(bath_of(j->base) != NULL,
              "a thermostat cannot be used for many bodies, because all would have the same noise: "
              "run them one by one, each with its own seed");
    REFUSE_IF(instant_of(j->base).fields == 0 || j->m.kind->rows_of_each ||
                  find_field(j->base, "attitude") == NULL,
              "--cases and --scatter need a problem of one body, and %s is not one: remove them",
              model_problem(&j->m));
    TRY(read_times(j));
    r->time = v[KEY_TIME].x[0];
    r->time_text = v[KEY_TIME].text;
    r->title = model_title(&j->m);
    if (problem_file_is(r->problem)) {
        r->problem_sum = problem_file_checksum(r->problem);
        r->code_sum = j->m.code_sum;
        j->own = j->m.own;
    }
    TRY(refuse_format(j));
    TRY(read_events(j));
    TRY(bodies_read(&j->bodies, &j->m, j->base, r->given));
    return choose_columns(j);
}

/* ---- computing ---------------------------------------------------------------------- */

static double *row_of(const ensemble_job *j, size_t body, size_t row)
{
    return j->store.rows + (body * j->rows + row) * j->width;
}

/* Makes bodies of what was asked for; warnings come with the first. */
static int create_block(const ensemble_job *j, size_t from, size_t count, bool warns,
                        ph_ensemble **out)
{
    const body_list *b = &j->bodies;
    ph_message why;
    size_t wrong = 0;
    ph_system_settings all = model_settings(&j->m, &j->by, j->input->value[KEY_STEP].x[0], &why);
    if (!warns)
        all.warn = NULL; /* once is enough */
    ph_each *each = memory_new(b->each_count, sizeof *each);
    for (size_t k = 0; k < b->each_count; k++) {
        each[k] = b->each[k];
        each[k].values += from * each[k].along;
    }
    const ph_status status = ph_ensemble_create(&all, each, b->each_count, count, &wrong, out);
    if (status == PH_OK || status == PH_NO_MEMORY) {
        if (status == PH_OK)
            return 0;
        return fail_memory();
    }
    if (why.setting >= 0 && why.setting < (int)all.setting_count)
        return model_report(&j->m, &why, status, j->by.place);
    return bodies_refuse(b, &j->m, from + wrong, &why);
}

/* Makes bodies that are to run, of the snapshot if there is one. */
static int make_block(const ensemble_job *j, ph_ensemble **out)
{
    if (j->store.file == NULL)
        return create_block(j, j->begun, j->block, false, out);
    ph_system **bodies = memory_block(j->block * sizeof *bodies);
    ph_status status = PH_OK;
    size_t made = 0;
    while (made < j->block && status == PH_OK) {
        status = store_body(&j->store, j->own, j->begun + made, &bodies[made]);
        made += status == PH_OK;
    }
    if (status == PH_OK)
        status = ph_ensemble_of(bodies, made, out);
    else
        while (made > 0)
            ph_system_destroy(bodies[--made]);
    free(bodies);
    if (status == PH_NO_MEMORY)
        return fail_memory();
    REFUSE_IF(status != PH_OK, WORDS ": body %zu in it is invalid (%s): start the run again",
              j->r->checkpoint, j->begun + made, ph_status_text(status));
    return 0;
}

/* Shows all bodies at their start to `look`, or makes sure that they can be made. */
static int visit_starts(const ensemble_job *j, bool warns, store_starts *to,
                        void (*look)(store_starts *to, size_t body, const ph_system *s))
{
    const size_t count = j->bodies.count;
    for (size_t from = 0; from < count && !interrupted; from += BLOCK) {
        const size_t block = smaller_size(count - from, BLOCK);
        ph_ensemble *e = NULL;
        TRY(create_block(j, from, block, warns, &e));
        for (size_t i = 0; i < block && look != NULL; i++)
            look(to, from + i, ph_ensemble_system(e, i));
        ph_ensemble_destroy(e);
    }
    return 0;
}

static bool keep_row(void *context, size_t body, size_t row, ph_system *s)
{
    const ensemble_job *j = context;
    const instant now = instant_of(s);
    columns_row(&j->columns, &now, 0, row_of(j, j->begun + body, row));
    return true;
}

static void keep_end(void *context, size_t body, ph_status status)
{
    const ensemble_job *j = context;
    if (status == PH_OK)
        j->store.status[j->begun + body] = (int64_t)DONE;
    else
        j->store.status[j->begun + body] = (int64_t)status;
}

static bool show_ensemble_progress(void *context, double done)
{
    ensemble_job *j = context;
    const double all = (double)j->begun + done * (double)j->block;
    store_commit(&j->store, SECONDS_BETWEEN_RECORDS);
    progress_show((unsigned long long)all, all / (double)j->bodies.count);
    return !interrupted;
}

/* Runs the bodies of a block. */
static int run_block(ensemble_job *j)
{
    ph_ensemble *e = NULL;
    TRY(make_block(j, &e));
    for (size_t i = 0; i < j->block * j->rows * j->width; i++)
        row_of(j, j->begun, 0)[i] = NAN;
    const ph_ensemble_observer o = {keep_row, show_ensemble_progress, keep_end, j, j->time, j->rows,
                                    false};
    const char *log = "";
    ph_status status;
    if (j->device != NULL)
        status = device_runner_find()->run_ensemble(j->device, e, j->r->time, &o, &log);
    else
        status = ph_ensemble_run(e, j->r->time, &o);
    ph_ensemble_destroy(e);
    store_commit(&j->store, 0.0);
    if (status == PH_DEVICE_BUILD || status == PH_DEVICE_FAILED || status == PH_NO_MEMORY)
        return fail_run("%s (%.*s): remove --device", ph_status_text(status),
                        (int)strcspn(log, "\n"), log);
    for (size_t i = 0; i < j->block && !interrupted; i++) {
        if (j->store.status[j->begun + i] == NOT_DONE)
            return fail_run("body %zu cannot reach the times of the rows (%s): start the run again",
                            j->begun + i, ph_status_text(status));
    }
    return 0;
}

/* Finds the next block of bodies that are not done. Returns false if all are. */
static bool next_block(ensemble_job *j)
{
    const _Atomic int64_t *status = j->store.status;
    const size_t count = j->bodies.count, most = j->device ? (size_t)DEVICE_BLOCK : (size_t)BLOCK;
    for (j->begun += j->block; j->begun < count && status[j->begun] != NOT_DONE; j->begun++)
        ;
    j->block = 0;
    while (j->begun + j->block < count && j->block < most &&
           status[j->begun + j->block] == NOT_DONE)
        j->block++;
    return j->block > 0;
}

static int run_bodies(ensemble_job *j)
{
    const size_t count = j->bodies.count;
    int status = 0;
    progress_begin(j->r->out == NULL);
    while (status == 0 && !interrupted && next_block(j))
        status = run_block(j);
    progress_end();
    for (size_t i = count; i-- > 0;) {
        if (j->store.status[i] > (int64_t)DONE) {
            j->failed++;
            j->first_failed = i;
        }
    }
    return status;
}

/* ---- windows of conditions ------------------------------------------------------------ */

/* Finds the windows of a condition for the bodies of the block, in a run of their own. */
static ph_status find_windows(ensemble_job *j, size_t event, ph_window_list *lists)
{
    const run_events *events = &j->r->events;
    const ph_ensemble_observer o = {.go_on = show_ensemble_progress, .context = j};
    ph_ensemble *e = NULL;
    if (create_block(j, j->begun, j->block, false, &e) != 0)
        return PH_NO_MEMORY;
    double since_j2000;
    ph_status status = PH_OK;
    if (date_of_start(j->r->show.epoch, &since_j2000))
        status = ph_system_set_epoch(ph_ensemble_system(e, 0), since_j2000);
    if (status == PH_OK)
        status = ph_ensemble_windows(e, j->r->time, events->text[event], &o, lists, NULL);
    const ph_event_proof proof = ph_ensemble_event_proof(e);
    if (events->event[event].proof < proof)
        events->event[event].proof = proof;
    ph_ensemble_destroy(e);
    if (status == PH_NO_MEMORY || interrupted)
        return status;
    return PH_OK; /* the rows tell who failed */
}

/* Writes the windows of the block, by body and then by condition, and frees them. */
static void write_windows(ensemble_job *j, ph_window_list *lists)
{
    const run_events *events = &j->r->events;
    for (size_t i = 0; i < j->block; i++) {
        for (size_t k = 0; k < events->count; k++) {
            ph_window_list *l = &lists[k * j->block + i];
            j->bodies_met[k] += l->count > 0;
            j->windows[k] += l->count;
            for (size_t n = 0; n < l->count; n++) {
                outfile_print(events->file, "%zu,", j->begun + i);
                events_write_window(events->file, events->name[k], &l->windows[n]);
            }
            ph_window_list_free(l);
        }
    }
}

/* Writes the table of --events-out: what each body does is computed once more for each condition. */
static int write_events(ensemble_job *j)
{
    run_events *events = &j->r->events;
    if (events->count == 0)
        return 0;
    ph_status status = PH_OK;
    outfile_print(events->file, "case,event,enter,leave,extremum_time,extremum\n");
    progress_begin(j->r->out == NULL);
    for (j->begun = 0; j->begun < j->bodies.count && status == PH_OK && !interrupted;
         j->begun += j->block) {
        j->block = smaller_size(j->bodies.count - j->begun, BLOCK);
        ph_window_list *lists = memory_block(events->count * j->block * sizeof *lists);
        memset(lists, 0, events->count * j->block * sizeof *lists);
        for (size_t k = 0; k < events->count && status == PH_OK; k++)
            status = find_windows(j, k, &lists[k * j->block]);
        write_windows(j, lists);
        free(lists);
    }
    progress_end();
    events_warn(events, NULL, NULL);
    outfile *file = events->file;
    events->file = NULL;
    if (status == PH_NO_MEMORY)
        return fail_memory();
    return file_close(file, events->path, "");
}

static void render_events(rendering *to, const ensemble_job *j)
{
    const run_events *events = &j->r->events;
    json_t *all = json_array();
    for (size_t k = 0; k < events->count; k++) {
        render_text(to, "%s: holds for %zu of %zu bodies, %zu times\n", events->name[k],
                    j->bodies_met[k], j->bodies.count, j->windows[k]);
        json_add(all,
                 json_pack("{ss sI sI}", "event", events->name[k], "bodies",
                           (json_int_t)j->bodies_met[k], "windows", (json_int_t)j->windows[k]));
    }
    render_value(to, "events", all);
    render_value(to, "proved", json_boolean(events_proved(events, NULL, NULL)));
}

/* ---- rows in a file ------------------------------------------------------------------ */

/* Opens the file of rows: case,t and the columns that were chosen, by case and then by time. */
static int open_rows(ensemble_job *j)
{
    row_maker *w = &j->maker;
    copied_columns *copied = &j->bodies.copied;
    const size_t fields = j->width + 1 + copied->count;
    w->values = memory_new(j->width + 1, sizeof *w->values);
    w->field = memory_new(fields, sizeof *w->field);
    copied_fields(copied, w->field + j->width + 1);
    for (size_t k = 0; k < j->width; k++)
        w->field[k] = number_field(j->columns.column[k].name, &w->values[k]);
    w->field[j->width] = number_field("case", &w->number);
    w->show = j->r->show;
    w->show.choice = (column_choice){.show = memory_text("case,t%s", j->names)};
    w->file = (rows_file){.path = text_or(j->r->out, "-"),
                          .standard = j->standard,
                          .show = &w->show,
                          .about = {.problem = ph_system_problem_name(j->base),
                                    .method = ph_system_integrator_name(j->base)}};
    w->loop = (loop){.now = {.field = w->field, .fields = fields}};
    TRY(rows_begin(&w->file, &w->loop.now));
    copied_words(copied, j->width + 1, &w->file.columns);
    return 0;
}

/* Writes the rows that bodies reached. */
static int write_rows(ensemble_job *j)
{
    row_maker *w = &j->maker;
    bool good = true;
    for (size_t i = 0; i < j->bodies.count * j->rows && good; i++) {
        const size_t body = i / j->rows;
        const double *row = row_of(j, body, i % j->rows);
        bool reached = j->store.status[body] != NOT_DONE;
        for (size_t k = 0; k < j->width && reached; k++)
            reached = !isnan(row[k]);
        if (!reached)
            continue;
        w->number = (double)body;
        TRY(copied_show(&j->bodies.copied, body, NULL, "", "", 0));
        memcpy(w->values, row, j->width * sizeof *row);
        w->loop.now.t = j->time[i % j->rows];
        good = rows_add(&w->file, &w->loop);
    }
    return rows_close(&w->file, "");
}

/* Writes an archive: time (T), status (N), and (T, N) of each column, or attitude (T, N, 4) and
 * momentum (T, N, 3); (N) of each column that is copied. */
static int write_arrays(ensemble_job *j)
{
    const size_t count = j->bodies.count, rows = j->rows, numbers = rows * count;
    const bool chosen = j->r->show.choice.show != NULL;
    copied_columns *copied = &j->bodies.copied;
    npz_array *array = memory_new(j->width + 2 + copied->count, sizeof *array);
    double *x = memory_new(numbers, j->width * sizeof *x),
           *own = memory_new(count, copied->count * sizeof *own + 1);
    size_t arrays = 0;
    array[arrays++] = (npz_array){"time", j->time, {rows}, false};
    array[arrays++] = (npz_array){"status", (const void *)j->store.status, {count}, true};
    for (size_t k = 0, width; k < j->width; k += width) {
        npz_array next = {"momentum", x + k * numbers, {rows, count, 3}, false};
        width = 3;
        if (chosen) {
            width = 1;
            next = (npz_array){j->columns.column[k].name, next.x, {rows, count}, false};
        } else if (k == 0) {
            width = 4;
            next = (npz_array){"attitude", next.x, {rows, count, 4}, false};
        }
        double *to = x + k * numbers;
        array[arrays++] = next;
        for (size_t row = 0; row < rows; row++) {
            for (size_t body = 0; body < count; body++, to += width)
                memcpy(to, row_of(j, body, row) + k, width * sizeof *to);
        }
    }
    for (size_t i = 0; i < count; i++) {
        TRY(copied_show(copied, i, file_format_of(j->r->out), "", "", 0));
        for (size_t k = 0; k < copied->count; k++)
            own[k * count + i] = copied->number[k];
    }
    for (size_t k = 0; k < copied->count; k++)
        if (j->copies[k])
            array[arrays++] =
                (npz_array){copied->name[k], own + k * count, {count}, copied->whole[k]};
    npz_write(j->arrays, array, arrays);
    return file_close(j->arrays, j->r->out, "");
}

/* ---- the summary --------------------------------------------------------------------- */

typedef struct moments {
    size_t count;
    double mean, deviation, quantile[QUANTILES];
} moments;

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of a column at a time, over the bodies that came there; `room` for their numbers. */
static moments moments_of(const ensemble_job *j, size_t row, size_t which, double *room)
{
    moments m = {0};
    double squares = 0.0;
    for (size_t i = 0; i < j->bodies.count; i++) {
        const double x = row_of(j, i, row)[which];
        if (j->store.status[i] == NOT_DONE || isnan(x))
            continue;
        const double off = x - m.mean;
        room[m.count++] = x;
        m.mean += off / (double)m.count;
        squares += off * (x - m.mean);
    }
    if (m.count > 1)
        m.deviation = sqrt(squares / (double)(m.count - 1));
    else
        m.deviation = 0.0;
    qsort(room, m.count, sizeof *room, by_size);
    for (int q = 0; q < QUANTILES; q++) {
        if (m.count == 0) {
            m.quantile[q] = NAN;
            continue;
        }
        const double at = QUANTILE[q] * (double)(m.count - 1);
        const size_t below = (size_t)at, above = smaller_size(below + 1, m.count - 1);
        m.quantile[q] = room[below] + (at - (double)below) * (room[above] - room[below]);
    }
    if (m.count == 0)
        m.mean = m.deviation = NAN;
    return m;
}

/* Those of all columns at all times. */
static moments *summarize(const ensemble_job *j)
{
    moments *all = memory_new(j->rows * j->width, sizeof *all);
    double *room = memory_new(j->bodies.count, sizeof *room);
    for (size_t i = 0; i < j->rows * j->width; i++)
        all[i] = moments_of(j, i / j->width, i % j->width, room);
    return all;
}

/* The covariance of the columns at a time, row by row, over bodies that have all of them. */
static json_t *covariance_json(const ensemble_job *j, size_t row, const moments *all)
{
    json_t *rows = json_array();
    for (size_t a = 0; a < j->width; a++) {
        json_t *line = json_array();
        for (size_t b = 0; b < j->width; b++) {
            double sum = 0.0;
            for (size_t i = 0; i < j->bodies.count; i++) {
                const double *x = row_of(j, i, row),
                             both = (x[a] - all[a].mean) * (x[b] - all[b].mean);
                if (j->store.status[i] == NOT_DONE || isnan(both))
                    sum += 0.0;
                else
                    sum += both;
            }
            const size_t count = all[a].count;
            double covariance = 0.0;
            if (count > 1)
                covariance = sum / (double)(count - 1);
            json_add(line, json_finite(covariance));
        }
        json_add(rows, line);
    }
    return rows;
}

/* States the moments of all columns at a time: a line each, or an object of all. */
static void render_moments(rendering *r, const ensemble_job *j, size_t row, const moments *all)
{
    json_t *mean = json_object(), *deviation = json_object(), *quantiles = json_object();
    render_item(r, "times");
    render_data(r, "t bodies", "%g %zu", j->time[row], all->count);
    for (size_t k = 0; k < j->width; k++) {
        const moments *m = &all[k];
        const char *name = j->columns.column[k].name;
        render_text(r, "%-12.8g %-14s %8zu %15.8g %15.8g %15.8g %15.8g %15.8g\n", j->time[row],
                    name, m->count, m->mean, m->deviation, m->quantile[0], m->quantile[1],
                    m->quantile[2]);
        json_put(mean, name, json_finite(m->mean));
        json_put(deviation, name, json_finite(m->deviation));
        json_put(quantiles, name, json_numbers(m->quantile, QUANTILES, 1));
    }
    render_value(r, "mean", mean);
    render_value(r, "deviation", deviation);
    render_value(r, "quantiles", quantiles);
    if (r->as == AS_JSON)
        render_value(r, "covariance", covariance_json(j, row, all));
    render_close(r);
}

static int render_summary(const ensemble_job *j, const moments *all)
{
    rendering r = render_begin_as(j->r->json ? AS_JSON : AS_TEXT, j->standard);
    json_t *columns = json_array();
    for (size_t k = 0; k < j->width; k++)
        json_add(columns, json_string(j->columns.column[k].name));
    render_item(&r, NULL);
    render_data(&r, "problem method bodies failed", "%s %s %zu %zu",
                ph_system_problem_name(j->base), ph_system_integrator_name(j->base),
                j->bodies.count, j->failed);
    render_value(&r, "quantile", json_numbers(QUANTILE, QUANTILES, 1));
    render_value(&r, "columns", columns);
    render_text(&r, "%-12s %-14s %8s %15s %15s %15s %15s %15s\n", "t", "column", "bodies", "mean",
                "deviation", "0.05", "0.5", "0.95");
    for (size_t i = 0; i < j->rows; i++)
        render_moments(&r, j, i, &all[i * j->width]);
    if (j->r->events.count > 0)
        render_events(&r, j);
    return render_end(&r, true, JSON_INDENT(2));
}

/* The bands of the picture. */
typedef struct bands {
    const ensemble_job *j;
    const moments *all;
} bands;

static bool write_bands(FILE *script, plot_format format, const void *context)
{
    const bands *b = context;
    const ensemble_job *j = b->j;
    const time_scale scale =
        time_scale_of(j->r->time_text, in_seconds(j->base), j->time[j->rows - 1] - j->time[0]);
    plot_begin(script, format,
               memory_text("%s: median, 5 %% and 95 %% of %zu bodies", j->title, j->bodies.count));
    time_scale_write(&scale, script);
    plot_data_begin(script);
    (void)fputs("run,t,low,middle,high\n", script);
    for (size_t k = 0; k < j->width; k++) {
        const char *words = column_words(&j->columns.column[k], scale.seconds);
        for (size_t i = 0; i < j->rows; i++) {
            const double *q = b->all[i * j->width + k].quantile;
            (void)fprintf(script, "%s,%.17g,%.17g,%.17g,%.17g\n", words, j->time[i] / scale.size,
                          q[0], q[1], q[2]);
        }
    }
    plot_data_end(script);
    return plot_end(script, "quantiles");
}

/* ---- all of it ----------------------------------------------------------------------- */

/* What was done, where nothing else is printed. */
static void print_end(const ensemble_job *j)
{
    outfile_print(j->standard, "%s by %s: %zu bodies to t = %.10g", j->r->title,
                  ph_system_integrator_name(j->base), j->bodies.count, j->r->time);
    if (j->failed > 0)
        outfile_print(j->standard, ", %zu of them failed on the way", j->failed);
    outfile_print(j->standard, "\n");
}

static int report_end(const ensemble_job *j)
{
    const body_list *b = &j->bodies;
    size_t done = 0;
    for (size_t i = 0; i < b->count; i++)
        done += j->store.status[i] != NOT_DONE;
    if (done < b->count)
        return stopped("interrupted: %zu of %zu bodies are finished%s%s", done, b->count,
                       text_if(j->r->checkpoint != NULL, " and in the snapshot"),
                       checkpoint_advice(j->r));
    if (j->failed == 0)
        return 0;
    const ph_status failed = (ph_status)j->store.status[j->first_failed];
    const char *why = ph_status_text(failed);
    if (failed == PH_NO_CONVERGENCE && ph_system_is_adaptive(j->base))
        why = "no step is short enough for the tolerance";
    return fail_run("%zu of %zu bodies failed, the first of them " WORDS
                    " %s %llu: %s; the other bodies are finished: change the bodies that failed",
                    j->failed, b->count, b->place, b->word, b->first + j->first_failed, why);
}

/* Opens the file before the run: rows go to standard output where nothing else does. */
static int open_output(ensemble_job *j)
{
    j->writes_rows = j->r->out != NULL || (!j->summary && j->pictures.count == 0);
    if (!j->writes_rows)
        return 0;
    outfile *out;
    if (strcmp(suffix_of(j), "npz") == 0) {
        TRY(file_open(j->r->out, &j->arrays));
        out = j->arrays;
    } else {
        TRY(open_rows(j));
        out = j->maker.file.out;
    }
    if (j->only_same)
        out->only_same = true;
    return 0;
}

static int write_all(ensemble_job *j)
{
    const run_request *r = j->r;
    const bool standard = r->out == NULL || strcmp(r->out, "-") == 0;
    if (j->arrays != NULL)
        TRY(write_arrays(j));
    else if (j->writes_rows)
        TRY(write_rows(j));
    if (interrupted)
        return 0;
    const moments *all = NULL;
    if (j->summary || j->pictures.count > 0)
        all = summarize(j);
    TRY(pictures_draw(&j->pictures, write_bands, &(bands){j, all}));
    if (j->summary)
        return render_summary(j, all);
    if (!standard)
        print_end(j);
    return 0;
}

/* ---- with a snapshot ------------------------------------------------------------------ */

#define MARK "polhode resume "

/* The mark of an output, and what stands in it. */
static const char *mark_path(const char *out)
{
    return memory_text("%s.resume", out);
}

static const char *mark_text(uint64_t checksum)
{
    return memory_text(MARK "of the run %016" PRIx64 " writes its output here\n", checksum);
}

/* Marks the place of the output, unless something is there that stays, such as a device. */
static int mark_output(const ensemble_job *j, uint64_t checksum)
{
    const char *out = j->r->out;
    outfile *file;
    if (out == NULL || (file_is_there(out) && !file_is_ordinary(out)))
        return 0;
    const char *path = mark_path(out);
    REFUSE_IF(file_is_there(path) && !file_begins(path, MARK, strlen(MARK)),
              WORDS " exists, and the tool would overwrite it: rename it", path);
    TRY(file_open(path, &file));
    outfile_print(file, "%s", mark_text(checksum));
    return file_close(file, path, "");
}

/* The output is there: its mark goes. */
static void remove_mark(const ensemble_job *j)
{
    const run_request *r = j->r;
    const char *out = text_or(r->was_out, r->out);
    if (out == NULL)
        return;
    const char *path = mark_path(out);
    if (file_is_text(path, mark_text(store_checksum(&j->store))))
        (void)unlink(path);
}

/* The note of a snapshot tells where the output goes. */
bool ensemble_is_unfinished(const char *path)
{
    ensemble_job j = {.r = NULL};
    size_t length;
    if (!store_opens(&j.store, path))
        return false; /* nothing can continue it */
    for (size_t i = 0; i < j.store.bodies; i++)
        if (j.store.status[i] == NOT_DONE)
            return true;
    const char *text = store_note(&j.store, &length), *out = ensemble_note_out(text, length);
    return out != NULL && file_is_text(mark_path(out), mark_text(store_checksum(&j.store)));
}

/* Writes the snapshot, and reads it as a run that goes on does. */
static int begin_snapshot(ensemble_job *j)
{
    run_request *r = j->r;
    store_starts starts = {0};
    const body_list *b = &j->bodies;
    const size_t numbers = j->rows * j->width;
    outfile *file = NULL;
    if (r->out != NULL) { /* it can be written */
        TRY(file_open(r->out, &file));
        outfile_discard(file);
    }
    TRY(visit_starts(j, true, &starts, store_compare));
    char *note = ensemble_note_text(
        r, &(ensemble_note){j->time, j->rows, b->place, b->word, b->first, j->summary, b->copied});
    REFUSE_IF(note == NULL,
              "the snapshot cannot contain the columns that are copied from " WORDS
              ": write plain UTF-8 text in that file",
              b->place);
    const int begun = store_begin(&starts, r->checkpoint, note, b->count, numbers);
    free(note);
    TRY(begun);
    TRY(visit_starts(j, false, &starts, store_add));
    const uint64_t checksum = store_seal(&starts, b->count, numbers);
    if (interrupted)
        return stopped("interrupted: nothing was written");
    TRY(mark_output(j, checksum)); /* before the snapshot, which needs it */
    const int ended = store_end(&starts, r->checkpoint);
    if (ended != 0 && r->out != NULL)
        (void)unlink(mark_path(r->out));
    TRY(ended);
    return store_read(&j->store, r->checkpoint);
}

/* Where the output goes: where the user says now; else where the run was to write it, if that place
 * is free and marked as its own, or has its output already. */
static int choose_output(ensemble_job *j)
{
    run_request *r = j->r;
    bool all = true;
    const char *now = argument(r->given, "--out");
    for (size_t i = 0; i < j->bodies.count && all; i++)
        all = j->store.status[i] != NOT_DONE;
    if (now != NULL || r->out == NULL) {
        REFUSE_IF(now != NULL && (strcmp(now, "-") == 0 || file_same(now, r->checkpoint)),
                  "--out " WORDS ": the rows need a file other than the snapshot: name one", now);
        r->was_out = r->out;
        r->out = now;
        return 0;
    }
    j->only_same = all && file_is_ordinary(r->out);
    if (j->only_same)
        return 0;
    REFUSE_IF(file_is_there(r->out),
              WORDS " exists, but this run did not write it: name the output with --out", r->out);
    REFUSE_IF(!file_is_text(mark_path(r->out), mark_text(store_checksum(&j->store))),
              WORDS " is the output according to the snapshot, but no file of this run is there: "
                    "name the output with --out",
              r->out);
    return 0;
}

/* Reads what a snapshot is of. */
static int read_snapshot(ensemble_job *j)
{
    run_request *r = j->r;
    size_t length;
    ensemble_note n;
    TRY(store_read(&j->store, r->checkpoint));
    const char *text = store_note(&j->store, &length);
    TRY(ensemble_note_read(text, length, r, &n, &j->own));
    const ph_status status = store_body(&j->store, j->own, 0, &j->base);
    if (status == PH_NO_MEMORY)
        return fail_memory();
    REFUSE_IF(status != PH_OK, WORDS ": %s: start the run again", r->checkpoint,
              ph_status_text(status));
    system_keep(j->base);
    j->time = n.time;
    j->rows = n.rows;
    j->summary = n.summary || argument(r->given, "--summary") != NULL || r->json;
    j->bodies = (body_list){.count = j->store.bodies,
                            .copied = n.copied,
                            .place = n.place,
                            .word = n.word,
                            .first = n.first};
    REFUSE_IF(json_array_size(n.copied.texts) != j->store.bodies * n.copied.count,
              WORDS " is not a snapshot of this version: start the run again", r->checkpoint);
    TRY(choose_output(j));
    TRY(refuse_format(j));
    TRY(choose_columns(j));
    REFUSE_IF(bath_of(j->base) != NULL || ph_kind_of(j->base)->rows_of_each ||
                  j->store.numbers != j->rows * j->width,
              WORDS " is not a snapshot of many bodies: start the run again", r->checkpoint);
    return 0;
}

static int run_all(ensemble_job *j)
{
    const bool kept = j->store.file != NULL;
    if (!kept)
        TRY(open_output(j));
    TRY(run_bodies(j));
    if (!interrupted)
        TRY(write_events(j));
    if (kept && !interrupted)
        TRY(open_output(j)); /* until then the snapshot has all */
    if (!kept || !interrupted)
        TRY(write_all(j));
    if (kept && !interrupted)
        remove_mark(j);
    return report_end(j);
}

int ensemble_run(run_request *r, scenario *input, outfile *standard)
{
    ensemble_job *j = memory_new(1, sizeof *j);
    *j = (ensemble_job){.r = r, .input = input, .standard = standard};
    j->summary = argument(r->given, "--summary") != NULL || r->json;
    TRY(read_request(j));
    if (r->checkpoint != NULL) {
        TRY(begin_snapshot(j));
    } else {
        TRY(visit_starts(j, true, NULL, NULL));
        store_open(&j->store, j->bodies.count, j->rows * j->width);
    }
    return run_all(j);
}

int ensemble_resume(run_request *r, outfile *standard)
{
    ensemble_job *j = memory_new(1, sizeof *j);
    *j = (ensemble_job){.r = r, .standard = standard};
    TRY(read_snapshot(j));
    return run_all(j);
}
