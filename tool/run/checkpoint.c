/* checkpoint.c - the snapshot of a run. */
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE   700 /* realpath */
#include "request.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tool/files/epoch.h"
#include "tool/files/memory.h"
#include "tool/files/posix.h"
#include "tool/input/input.h"
#include "tool/input/own_coefficients.h"

enum { NOTE_VERSION = 1, ENSEMBLE_NOTE_VERSION = 1, MOST_ORDER = 100 };
#define MOST_COUNT 0x1p53 /* of steps, rows and bytes: doubles count exactly */

/* A path that does not depend on where it is read; NULL of NULL, and where there is none. */
static const char *absolute(const char *path)
{
    if (path == NULL || path[0] == '/')
        return path;
    char *here = realpath(".", NULL);
    if (here == NULL)
        return NULL;
    const char *whole = memory_text("%s/%s", here, path);
    free(here);
    return whole;
}

static const char *file_of(const run_request *r)
{
    if (r->problem_path != NULL)
        return r->problem_path;
    if (problem_file_is(r->problem))
        return r->problem;
    return NULL;
}

int checkpoint_refuse(const run_request *r)
{
    const char *const paths[] = {r->out, file_of(r)};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        const char *whole = absolute(paths[i]);
        if (whole != NULL)
            TRY(file_refuse_name(whole));
    }
    return 0;
}

uint64_t run_evaluations(const run_request *r)
{
    const uint64_t counted = ph_system_evaluations(r->system);
    if (ph_system_is_adaptive(r->system))
        return counted;
    return counted + r->evaluations_before;
}

/* 64 bits as text, which no reader of JSON rounds. */
static json_t *word_json(uint64_t x)
{
    return json_sprintf("%" PRIu64, x);
}

/* What rows are made of. */
static json_t *show_note(const show_request *r)
{
    const column_choice *c = &r->choice;
    json_t *frames = json_array();
    for (size_t i = 0; i < c->frames; i++) {
        const ph_quat q = c->frame[i].q;
        json_add(frames, json_pack("[sffff]", c->frame[i].name, q.w, q.x, q.y, q.z));
    }
    return json_pack("{ss? sb ss? so}", "columns", c->show, "degrees", (int)c->degrees, "epoch",
                     r->epoch, "frames", frames);
}

static char *note_of(const run_request *r)
{
    json_t *order = NULL, *slope = NULL, *sums = NULL;
    if (r->order != 0) {
        order = json_integer((json_int_t)r->order);
        slope = json_real(r->slope);
    }
    if (r->averages != NULL)
        sums = averages_save(r->averages);
    json_t *note = json_pack(
        "{si ss ss sf sf so sf so so ss? ss? so sI sI sf sf so so so* so* ss? sb sb ss? so so so*}",
        "run", NOTE_VERSION, "problem", r->problem, "method", r->method, "step", r->step,
        "tolerance", r->tolerance, "evaluations", word_json(run_evaluations(r)), "time", r->time,
        "steps", word_json(r->steps), "every", word_json(r->every), "out", absolute(r->out),
        "rows_in", absolute(r->rows_in), "hash", word_json(r->hash), "bytes", (json_int_t)r->bytes,
        "rows", (json_int_t)r->rows, "seconds", r->seconds, "checkpoint_seconds",
        r->checkpoint_seconds, "checkpoint_steps", word_json(r->checkpoint_steps), "show",
        show_note(&r->show), "order", order, "slope", slope, "until", r->until, "complete",
        (int)r->finished, "met", (int)r->met, "file", absolute(file_of(r)), "file_sum",
        word_json(r->problem_sum), "code_sum", word_json(r->code_sum), "averages", sums);
    char *text = json_dumps(note, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(note);
    return text;
}

/* ---- many bodies ------------------------------------------------------------------ */

/* Whether words can stand in a row of CSV. */
static bool are_words(const json_t *texts)
{
    const json_t *text;
    size_t i;
    json_array_foreach(texts, i, text)
    {
        const char *word = json_string_value(text);
        if (word == NULL || !text_is_plain(word) || strchr(word, ',') != NULL)
            return false;
    }
    return true;
}

char *ensemble_note_text(const run_request *r, const ensemble_note *n)
{
    json_t *times = json_array(), *names = json_array();
    if (!are_words(n->copied.texts))
        return NULL;
    for (size_t k = 0; k < n->copied.count; k++)
        json_add(names, json_string(n->copied.name[k]));
    for (size_t i = 0; i < n->rows; i++)
        json_add(times, json_real(n->time[i]));
    json_t *note =
        json_pack("{si ss sf so ss? so ss? so so sb sb ss ss sI so sO?}", "bodies",
                  ENSEMBLE_NOTE_VERSION, "title", r->title, "time", r->time, "times", times, "out",
                  absolute(r->out), "show", show_note(&r->show), "file", absolute(file_of(r)),
                  "file_sum", word_json(r->problem_sum), "code_sum", word_json(r->code_sum), "json",
                  (int)r->json, "summary", (int)n->summary, "place", n->place, "word", n->word,
                  "first", (json_int_t)n->first, "copied", names, "words", n->copied.texts);
    char *text = json_dumps(note, JSON_COMPACT | JSON_REAL_PRECISION(17)); /* NULL of NULL */
    json_decref(note);
    return text;
}

/* ---- the snapshot of one system --------------------------------------------------- */

int checkpoint_write(const run_request *r)
{
    REFUSE_IF(outfile_is_open(r->checkpoint),
              WORDS " is named twice as an output: give each its own file", r->checkpoint);
    char *note = note_of(r);
    ph_system_set_note(r->system, note);
    const size_t size = ph_system_save(r->system, NULL, 0);
    unsigned char *bytes = memory_block(size);
    (void)ph_system_save(r->system, bytes, size);
    ph_system_set_note(r->system, NULL);
    outfile *file = outfile_open(r->checkpoint);
    int status;
    if (file == NULL) {
        status = fail_create(r->checkpoint, errno);
    } else {
        outfile_write(file, bytes, size);
        status = file_close(file, r->checkpoint, "");
    }
    free(bytes);
    free(note);
    return status;
}

static int fail_snapshot(const char *path, ph_status status)
{
    const char *advised = "name the snapshot of a run";
    if (status == PH_OTHER_SNAPSHOT || status == PH_UNKNOWN_NAME)
        advised = "this tool does not know its problem, method or kind of system: use the version "
                  "of polhode that wrote it";
    return fail_usage(WORDS ": %s: %s", path, ph_status_text(status), advised);
}

/* ---- reading: a note that was altered has a valid checksum, too ------------------- */

/* A text without control characters, or NULL. */
static const char *text_of(const json_t *note, const char *key)
{
    const char *text = json_string_value(json_object_get(note, key));
    if (text != NULL && text_is_plain(text))
        return text;
    return NULL;
}

/* Whether there is a null, or a text that was taken. */
static bool is_taken(const json_t *note, const char *key, const char *text)
{
    return text != NULL || json_is_null(json_object_get(note, key));
}

static bool take_word(const json_t *note, const char *key, uint64_t *x)
{
    const char *text = text_of(note, key);
    if (text == NULL || text[0] == '\0' || text[strspn(text, "0123456789")] != '\0')
        return false;
    errno = 0;
    *x = strtoull(text, NULL, 10);
    return errno == 0;
}

static double number_of(const json_t *note, const char *key)
{
    return json_number_value(json_object_get(note, key));
}

/* A whole number that doubles count exactly. */
static bool take_whole(const json_t *note, const char *key, uint64_t *x)
{
    const double given = number_of(note, key);
    if (given >= 0.0 && given <= MOST_COUNT)
        *x = (uint64_t)given;
    else
        *x = 0;
    return (double)*x == given;
}

/* Paths are absolute. */
static bool take_path(const json_t *note, const char *key, const char **path)
{
    *path = text_of(note, key);
    return is_taken(note, key, *path) && (*path == NULL || **path == '/');
}

static bool take_show(show_request *r, const json_t *note)
{
    column_choice *c = &r->choice;
    const json_t *frames = json_object_get(note, "frames");
    epoch date;
    c->show = text_of(note, "columns");
    c->degrees = json_is_true(json_object_get(note, "degrees"));
    r->epoch = text_of(note, "epoch");
    if (json_array_size(frames) > MOST_FRAMES || !is_taken(note, "columns", c->show) ||
        !is_taken(note, "epoch", r->epoch) || (r->epoch != NULL && !epoch_read(&date, r->epoch)))
        return false;
    for (size_t i = 0; i < json_array_size(frames); i++) {
        named_frame *f = &c->frame[c->frames++];
        const char *name;
        if (json_unpack(json_array_get(frames, i), "[sFFFF]", &name, &f->q.w, &f->q.x, &f->q.y,
                        &f->q.z) != 0 ||
            !frame_is(name, f->q))
            return false;
        (void)snprintf(f->name, FRAME_NAME, "%s", name);
    }
    return true;
}

/* The names are those of the system; the problem of a file is called by the end of its path. */
static bool has_names(const run_request *r)
{
    const char *problem = ph_system_problem_name(r->system);
    if (r->problem == NULL || r->method == NULL ||
        strcmp(r->method, ph_system_integrator_name(r->system)) != 0)
        return false;
    if (r->problem_path == NULL)
        return strcmp(r->problem, problem) == 0;
    const size_t length = strlen(r->problem), whole = strlen(r->problem_path);
    return whole >= length && strcmp(r->problem_path + whole - length, r->problem) == 0 &&
           (whole == length || r->problem_path[whole - length - 1] == '/');
}

/* As many steps as the time has, and no fewer than were done. */
static bool has_steps(const run_request *r)
{
    uint64_t steps;
    if (chooses_steps(r))
        return r->steps == UINT64_MAX && isfinite(r->time) && isfinite(r->step) &&
               r->step * r->time >= 0.0;
    return r->step == ph_system_step(r->system) && ph_system_steps(r->system) <= r->steps &&
           count_steps("the note of the snapshot: ", r->step, r->time, &steps) == 0 &&
           steps == r->steps;
}

/* Everything that the tool could have written of this system, and nothing else. */
static bool take_note(const json_t *note, run_request *r)
{
    r->problem = text_of(note, "problem");
    r->method = text_of(note, "method");
    r->slope = number_of(note, "slope");
    r->step = number_of(note, "step");
    r->tolerance = number_of(note, "tolerance");
    r->time = number_of(note, "time");
    r->checkpoint_seconds = number_of(note, "checkpoint_seconds");
    r->seconds = number_of(note, "seconds");
    r->until = text_of(note, "until");
    r->met = json_is_true(json_object_get(note, "met"));
    r->sums = json_object_get(note, "averages");
    (void)take_word(note, "code_sum", &r->code_sum);
    (void)take_word(note, "evaluations", &r->evaluations_before);
    if (!take_path(note, "file", &r->problem_path) || !take_path(note, "out", &r->out) ||
        !take_path(note, "rows_in", &r->rows_in) || !take_word(note, "file_sum", &r->problem_sum) ||
        !take_word(note, "steps", &r->steps) || !take_word(note, "every", &r->every) ||
        !take_word(note, "checkpoint_steps", &r->checkpoint_steps) ||
        !take_word(note, "hash", &r->hash) || !take_whole(note, "order", &r->order) ||
        !take_whole(note, "rows", &r->rows) || !take_whole(note, "bytes", &r->bytes) ||
        !has_names(r) || !has_steps(r) || !take_show(&r->show, json_object_get(note, "show")))
        return false;
    r->finished =
        ph_system_steps(r->system) >= r->steps || json_is_true(json_object_get(note, "complete"));
    return (r->out == NULL) == (r->rows_in == NULL) &&
           (r->out == NULL || file_format_of(r->out) != NULL) &&
           is_taken(note, "until", r->until) && r->order <= MOST_ORDER &&
           (r->order == 0 || strstr(r->method, CUSTOM_WORD) != NULL) && r->every >= 1 &&
           (double)r->every <= MOST_COUNT && r->seconds >= 0.0 && r->checkpoint_seconds >= 0.0 &&
           (r->checkpoint_steps == 0) == (r->checkpoint_seconds > 0.0);
}

/* The problem of a file that is as it was, which the user names now or ran before. */
static int load_same(const json_t *note, const char *named, ph_problem *out)
{
    const char *file = text_or(named, text_of(note, "file"));
    uint64_t sum, code = 0;
    REFUSE_IF(file == NULL || (named == NULL && file[0] != '/') || !problem_file_is(file) ||
                  !take_word(note, "file_sum", &sum) || problem_file_checksum(file) != sum,
              "the problem's file " WORDS
              " was removed or changed: start the run again, or give the old file with --problem",
              text_or(file, ""));
    (void)take_word(note, "code_sum", &code); /* older snapshots have none */
    return problem_file_load(file, named == NULL, &code, out);
}

/* The problem that a note needs beside those of the catalog; NULL: none. */
static int load_problem(const json_t *note, const char *named, const ph_problem **p)
{
    const bool has_file = json_is_string(json_object_get(note, "file"));
    REFUSE_IF(named != NULL && !has_file,
              "--problem " WORDS ": the problem of this run is not in a file: remove --problem",
              named);
    *p = NULL;
    if (!has_file)
        return 0;
    ph_problem *own = memory_new(1, sizeof *own);
    *p = own;
    return load_same(note, named, own);
}

/* Takes the times of the rows, which are in order, none after the end. */
static bool take_times(const json_t *times, double end, ensemble_note *n)
{
    double *x = memory_new(json_array_size(times), sizeof *x);
    n->rows = json_array_size(times);
    n->time = x;
    for (size_t i = 0; i < n->rows; i++) {
        const json_t *t = json_array_get(times, i);
        x[i] = json_number_value(t);
        if (!json_is_number(t) || x[i] * end < 0.0 || fabs(x[i]) > fabs(end) ||
            (i > 0 && fabs(x[i]) < fabs(x[i - 1])))
            return false;
    }
    return n->rows > 0;
}

/* Takes the columns that are copied; false if these are none. */
static bool take_copied(const json_t *note, copied_columns *c)
{
    const json_t *names = json_object_get(note, "copied");
    c->texts = json_object_get(note, "words");
    c->name = memory_new(json_array_size(names), sizeof *c->name);
    c->word = memory_new(json_array_size(names), sizeof *c->word);
    c->number = memory_new(json_array_size(names), sizeof *c->number);
    c->whole = memory_new(json_array_size(names), sizeof *c->whole);
    for (; c->count < json_array_size(names); c->count++)
        c->name[c->count] = json_string_value(json_array_get(names, c->count));
    return are_words(names) && are_words(c->texts);
}

const char *ensemble_note_out(const char *text, size_t length)
{
    const char *out;
    json_t *note = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    memory_at_end(json_drop, note);
    if (take_path(note, "out", &out))
        return out;
    return NULL;
}

int ensemble_note_read(const char *text, size_t length, run_request *r, ensemble_note *n,
                       const ph_problem **own)
{
    json_t *note = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    uint64_t first = 0;
    memory_at_end(json_drop, note); /* texts of the request are its */
    r->title = text_of(note, "title");
    r->time = number_of(note, "time");
    r->json = r->json || json_is_true(json_object_get(note, "json"));
    *n = (ensemble_note){.place = text_of(note, "place"),
                         .word = text_of(note, "word"),
                         .summary = json_is_true(json_object_get(note, "summary"))};
    const bool good = number_of(note, "bodies") == ENSEMBLE_NOTE_VERSION && r->title != NULL &&
                      n->place != NULL && n->word != NULL && take_whole(note, "first", &first) &&
                      isfinite(r->time) && take_times(json_object_get(note, "times"), r->time, n) &&
                      take_path(note, "out", &r->out) &&
                      take_path(note, "file", &r->problem_path) && take_copied(note, &n->copied) &&
                      take_show(&r->show, json_object_get(note, "show"));
    n->first = first;
    REFUSE_IF(!good, WORDS " is not a snapshot of this version: start the run again",
              r->checkpoint);
    return load_problem(note, argument(r->given, "--problem"), own);
}

/* ---- a run that is not finished ----------------------------------------------------- */

/* NULL for NULL, and for what is no note. */
static json_t *note_read(const char *text, size_t length)
{
    if (text == NULL)
        return NULL;
    return json_loadb(text, length, 0, NULL);
}

bool checkpoint_is_settled(const run_request *r)
{
    return r->finished && r->was_out == NULL && (r->out == NULL || strcmp(r->out, r->rows_in) == 0);
}

bool checkpoint_is_unfinished(const char *path)
{
    size_t size = 0, length = 0;
    const char *why, *bytes = file_whole(path, SIZE_MAX / 2, &size, &why);
    if (bytes == NULL)
        return false;
    const char *text = ph_snapshot_note(bytes, size, &length);
    json_t *note = note_read(text, length);
    run_request r = {.finished = json_is_true(json_object_get(note, "complete"))};
    const bool is_run = json_is_integer(json_object_get(note, "run")) &&
                        take_path(note, "out", &r.out) && take_path(note, "rows_in", &r.rows_in) &&
                        (r.out == NULL) == (r.rows_in == NULL),
               unfinished = is_run && !checkpoint_is_settled(&r);
    json_decref(note);
    return unfinished;
}

const char *checkpoint_advice(const run_request *r)
{
    if (r->checkpoint == NULL)
        return "";
    return memory_text("; continue with `polhode resume %s`", command_quote(r->checkpoint));
}

int checkpoint_read(const char *path, const char *problem, const char *out, run_request *r)
{
    size_t size = 0, length = 0;
    const char *why, *bytes = file_whole(path, SIZE_MAX / 2, &size, &why);
    REFUSE_IF(bytes == NULL, WORDS " cannot be read (%s): name the snapshot of a run", path, why);
    const char *text = ph_snapshot_note(bytes, size, &length);
    const ph_problem *own;
    ph_system *system = NULL;
    json_t *note = note_read(text, length);
    memory_at_end(json_drop, note); /* texts of the request are its */
    TRY(load_problem(note, problem, &own));
    const ph_status opened = ph_system_from_snapshot_of(own, bytes, size, &system);
    if (opened != PH_OK) {
        if (opened == PH_NO_MEMORY)
            return fail_memory();
        return fail_snapshot(path, opened);
    }
    system_keep(system);
    REFUSE_IF(number_of(note, "run") != NOTE_VERSION,
              WORDS
              " is a snapshot, but not of a run of this version: name one that --checkpoint wrote",
              path);
    *r = (run_request){.system = system, .checkpoint = path, .title = "", .resumed = true};
    if (!take_note(note, r))
        return fail_snapshot(path, PH_BAD_SNAPSHOT);
    if (problem != NULL)
        r->problem_path = problem;
    if (out == NULL)
        return 0;
    const file_format *format;
    REFUSE_IF(r->out == NULL, "--out " WORDS ": this run writes no rows: remove --out", out);
    TRY(format_find(out, &format));
    REFUSE_IF(format != file_format_of(r->out),
              "--out " WORDS ": the rows so far are %s: end the name in .%s", out,
              file_format_of(r->out)->text, file_format_of(r->out)->suffix);
    r->was_out = r->out;
    r->out = out;
    return checkpoint_refuse(r);
}
