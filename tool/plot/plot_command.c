/* plot_command.c - a picture of the rows of a run. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <unistd.h>

#include "motion/vec.h"
#include "plot.help.h"
#include "tool/files/file_table.h"
#include "tool/files/memory.h"
#include "tool/output/loop.h"
#include "tool/run/request.h"

enum { LONGEST_TITLE = 159 }; /* bytes */

typedef struct job {
    const char *path; /* of the rows; NULL: an instant is all there is */
    pictures pictures;
} job;

/* The angular momentum in space; false if the rows have none. */
static bool space_momentum(const instant *now, ph_vec3 *out)
{
    const ph_array *q = instant_field(now, "attitude"), *m = instant_field(now, "momentum");
    if (q == NULL || m == NULL || q->width != 4 || m->width != 3)
        return false;
    *out = rotate(field_quat(q, 0), field_vector(m, 0));
    return true;
}

/* Whether the rows of a file are of a free body: its momentum in space does not change. */
static bool is_free(const char *path, const column_choice *choice)
{
    enum { ROWS = 200 };
    table t;
    ph_vec3 first = {0.0, 0.0, 0.0}, now;
    if (!file_is_ordinary(path))
        return false;
    bool same = table_open(&t, path, &interrupted, choice);
    for (int i = 0; i < ROWS && same && table_next(&t) == CSV_OK; i++) {
        same = space_momentum(&t.now, &now);
        if (i == 0)
            first = now;
        same = same && norm(sub(now, first)) <= 1e-6 * norm(first);
    }
    return same;
}

static int begin_picture(void *self, loop *l)
{
    job *j = self;
    TRY(pictures_open(&j->pictures, false));
    j->pictures.seconds = l->epoch != NULL || j->pictures.show->epoch != NULL ||
                          argument(j->pictures.given, "--seconds") != NULL;
    return pictures_begin(&j->pictures, &l->now,
                          j->path != NULL && is_free(j->path, &j->pictures.show->choice), "column");
}

static bool add_row(void *self, loop *l)
{
    return pictures_add(&((job *)self)->pictures, l);
}

static int draw(void *self, loop *l, int status)
{
    (void)l;
    if (status == 0)
        return pictures_draw_plot(&((job *)self)->pictures);
    return status;
}

static int next_once(void *context, loop *l)
{
    (void)context;
    return l->rows == 0 ? 0 : LOOP_END;
}

/* The rows that the run of a snapshot has written, or its state. */
static int draw_snapshot(job *j, loop *l)
{
    run_request r = {0};
    TRY(checkpoint_read(j->path, NULL, NULL, &r));
    j->pictures.title = picture_title(r.problem, r.method);
    if (r.out == NULL || access(r.out, R_OK) == 0 || r.rows_in == NULL)
        j->path = r.out;
    else
        j->path = r.rows_in;
    if (j->path == NULL) {
        l->now = instant_of(r.system);
        return loop_each(l, next_once, NULL);
    }
    const file_format *format = file_format_of(j->path);
    REFUSE_IF(format == NULL || format->read_row == NULL,
              WORDS ": the tool cannot read rows of this format: draw with `run --plot`", j->path);
    return loop_table(l, j->path, j->pictures.show);
}

static int plot_run(const arguments *given, outfile *out)
{
    show_request show = {0};
    job j = {
        .pictures = {.given = given, .option = "--out", .show = &show, .title = "", .told = out}};
    const observer seen = {&j, begin_picture, add_row, NULL, draw};
    loop l = {.observers = &seen, .count = 1};
    const need needs[] = {{"--out", argument(given, "--out") != NULL}};
    REFUSE_IF(given->operands != 1, "plot needs one file of rows, or a snapshot: name it");
    TRY(refuse_missing(given, needs, 1));
    TRY(show_read(&show, given));
    j.path = given->operand[0];
    file_read(j.path);
    if (file_is_snapshot(j.path))
        return draw_snapshot(&j, &l);
    if (strcmp(j.path, "-") != 0)
        j.pictures.title = memory_text("%.*s", text_cut(j.path, LONGEST_TITLE), j.path);
    return loop_table(&l, j.path, &show);
}

const command command_plot = {"plot", plot_help, plot_run};
