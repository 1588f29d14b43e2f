/* checkpoint.c - a run as a file: the snapshot of its system, with a note in JSON of what was
 * asked for and where its rows are. */
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE   700 /* realpath */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/files/json.h"
#include "cli/files/yaml.h"
#include "cli/input/problem_file.h"
#include "cli/tool.h"
#include "run.h"

enum { NOTE_VERSION = 1 };

struct checkpoint {
    char *bytes;  /* the snapshot */
    json_t *note; /* texts of the request are its */
    ph_system *system;
};

/* A path that does not depend on where it is read, to be freed; or NULL. */
static char *absolute(const char *path)
{
    if (path[0] == '/')
        return strdup(path);
    char *here = realpath(".", NULL);
    if (here == NULL)
        return NULL;
    const size_t size = strlen(here) + strlen(path) + 2;
    char *whole = malloc(size);
    if (whole != NULL)
        (void)snprintf(whole, size, "%s/%s", here, path);
    free(here);
    return whole;
}

static json_t *path_json(const char *path)
{
    char *whole = path ? absolute(path) : NULL;
    json_t *text = whole ? json_string(whole) : json_null();
    free(whole);
    return text;
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
        (void)json_array_append_new(
            frames, json_pack("[sffff]", c->frame[i].name, q.w, q.x, q.y, q.z));
    }
    return json_pack("{ss? sb ss? so}", "columns", c->show, "degrees", (int)c->degrees,
                     "epoch", r->epoch, "frames", frames);
}

static bool take_show(show_request *r, const json_t *note)
{
    column_choice *c = &r->choice;
    const json_t *frames = json_object_get(note, "frames");
    c->show = json_string_value(json_object_get(note, "columns"));
    c->degrees = json_is_true(json_object_get(note, "degrees"));
    r->epoch = json_string_value(json_object_get(note, "epoch"));
    for (size_t i = 0; i < json_array_size(frames) && i < MOST_FRAMES; i++) {
        named_frame *f = &c->frame[c->frames++];
        const char *name;
        if (json_unpack(json_array_get(frames, i), "[sFFFF]", &name, &f->q.w, &f->q.x,
                        &f->q.y, &f->q.z) != 0)
            return false;
        (void)snprintf(f->name, FRAME_NAME, "%s", name);
    }
    return true;
}

static char *note_of(const run_request *r, const run_result *done, const outfile *out,
                     bool in_place)
{
    const bool rows = r->out != NULL && out != NULL;
    json_t *note = json_pack(
        "{si ss ss sf sf so so so so so sf sI sf sf so so so* so* ss? sb sb so so}",
        "run", NOTE_VERSION, "problem", r->problem, "method", r->method, "step", r->step,
        "time", r->time, "steps", word_json(r->steps), "every", word_json(r->every),
        "out", path_json(r->out), "rows_in",
        path_json(rows && !in_place ? out->beside : r->out), "hash",
        word_json(rows ? out->hash : 0), "bytes",
        rows ? (double)(out->whole - out->head) : 0.0, "rows", (json_int_t)done->rows,
        "seconds", done->seconds, "checkpoint_seconds", r->checkpoint_seconds,
        "checkpoint_steps", word_json(r->checkpoint_steps), "show", show_note(&r->show),
        "order", r->order != 0 ? json_integer(r->order) : NULL, "slope",
        r->order != 0 ? json_real(r->slope) : NULL, "until", r->until, "complete",
        (int)done->complete, "met", (int)done->met, "file",
        path_json(problem_file_is(r->problem) ? r->problem : NULL), "file_sum",
        word_json(r->problem_sum));
    char *text = note ? json_dumps(note, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(note);
    return text;
}

int checkpoint_write(const run_request *r, const run_result *done, const outfile *out,
                     bool in_place)
{
    char *note = note_of(r, done, out, in_place);
    ph_system_set_note(r->system, note);
    const size_t size = note ? ph_system_save(r->system, NULL, 0) : 0;
    unsigned char *bytes = note ? malloc(size) : NULL;
    int status = bytes ? 0 : fail_memory();
    outfile *file = NULL;
    if (status == 0) {
        (void)ph_system_save(r->system, bytes, size);
        file = outfile_open(r->checkpoint);
        status = file ? 0 : fail_create(r->checkpoint, errno);
    }
    if (status == 0) {
        outfile_write(file, bytes, size);
        status = file_close(file, r->checkpoint, "");
    }
    ph_system_set_note(r->system, NULL);
    free(bytes);
    free(note);
    return status;
}

static int read_bytes(const char *path, char **bytes, size_t *size)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    REFUSE_IF(fd < 0, WORDS " cannot be read: %s", path, strerror(errno));
    const bool whole = file_bytes(fd, SIZE_MAX / 2, bytes, size);
    (void)close(fd);
    REFUSE_IF(!whole, WORDS " cannot be read to its end", path);
    return 0;
}

static int fail_snapshot(const char *path, ph_status status)
{
    return fail_usage(WORDS ": %s: name the snapshot of a run", path,
                      ph_status_text(status));
}

static const char *text_of(const json_t *note, const char *key)
{
    return json_string_value(json_object_get(note, key)); /* NULL for null */
}

static uint64_t word_of(const json_t *note, const char *key)
{
    const char *text = text_of(note, key);
    return text ? strtoull(text, NULL, 10) : 0;
}

static double number_of(const json_t *note, const char *key)
{
    return json_number_value(json_object_get(note, key));
}

static int take_note(const char *path, checkpoint *c, run_request *r)
{
    const json_t *note = c->note;
    if (note == NULL || number_of(note, "run") != NOTE_VERSION ||
        text_of(note, "problem") == NULL || text_of(note, "method") == NULL)
        return fail_usage(WORDS " is a snapshot, but not of a run of this version: name "
                                "one that --checkpoint wrote",
                          path);
    *r = (run_request){.problem = text_of(note, "problem"),
                       .problem_sum = word_of(note, "file_sum"),
                       .method = text_of(note, "method"),
                       .order = (int)number_of(note, "order"),
                       .slope = number_of(note, "slope"),
                       .system = c->system,
                       .step = number_of(note, "step"),
                       .time = number_of(note, "time"),
                       .steps = word_of(note, "steps"),
                       .out = text_of(note, "out"),
                       .every = word_of(note, "every"),
                       .checkpoint = path,
                       .checkpoint_seconds = number_of(note, "checkpoint_seconds"),
                       .checkpoint_steps = word_of(note, "checkpoint_steps"),
                       .resumed = true,
                       .rows_in = text_of(note, "rows_in"),
                       .rows = (unsigned long long)number_of(note, "rows"),
                       .bytes = (long long)number_of(note, "bytes"),
                       .hash = word_of(note, "hash"),
                       .seconds = number_of(note, "seconds"),
                       .until = text_of(note, "until"),
                       .was_met = json_is_true(json_object_get(note, "met"))};
    if (!take_show(&r->show, json_object_get(note, "show")))
        return fail_snapshot(path, PH_BAD_SNAPSHOT);
    r->finished = ph_system_steps(c->system) >= r->steps ||
                  json_is_true(json_object_get(note, "complete"));
    if (r->every == 0 || ph_system_steps(c->system) > r->steps ||
        (r->checkpoint_seconds == 0.0 && r->checkpoint_steps == 0))
        return fail_snapshot(path, PH_BAD_SNAPSHOT);
    return 0;
}

/* The problem of a file that is as it was. */
static int load_same(const json_t *note, ph_problem *out)
{
    const char *file = text_of(note, "file");
    REFUSE_IF(!problem_file_is(file) ||
                  problem_file_checksum(file) != word_of(note, "file_sum"),
              "the problem's file " WORDS " was removed or changed: start the run again",
              file);
    return problem_file_load(file, out);
}

int checkpoint_read(const char *path, run_request *r, checkpoint **memory)
{
    checkpoint *c = calloc(1, sizeof *c);
    size_t size = 0;
    if (c == NULL)
        return fail_memory();
    *memory = c;
    TRY(read_bytes(path, &c->bytes, &size));
    size_t length = 0;
    const char *text = ph_snapshot_note(c->bytes, size, &length);
    ph_problem own, *p = NULL;
    c->note = text ? json_loadb(text, length, 0, NULL) : NULL;
    if (c->note != NULL && text_of(c->note, "file") != NULL) {
        TRY(load_same(c->note, &own));
        p = &own;
    }
    const ph_status opened = ph_system_open_problem(&c->system, p, c->bytes, size);
    return opened == PH_OK          ? take_note(path, c, r)
           : opened == PH_NO_MEMORY ? fail_memory()
                                    : fail_snapshot(path, opened);
}

void checkpoint_free(checkpoint *memory)
{
    if (memory == NULL)
        return;
    ph_system_free(memory->system);
    json_decref(memory->note);
    free(memory->bytes);
    free(memory);
}
