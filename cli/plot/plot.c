/* plot.c - a picture of the rows of a run. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/files/run_plot.h"
#include "cli/files/table.h"
#include "cli/input/show.h"
#include "cli/run/run.h"
#include "cli/tool.h"
#include "plot.help.h"
#include "rotation/vec.h"

typedef struct job {
    show_request show;
    const char *path; /* of the rows */
    char title[PICTURE_TITLE];
    run_plot plot;
    pictures pictures;
} job;

/* The angular momentum in space; false if the rows have none. */
static bool space_momentum(const instant *now, ph_vec3 *out)
{
    const ph_field *q = instant_field(now, "attitude"),
                   *m = instant_field(now, "momentum");
    if (q == NULL || m == NULL || q->width != 4 || m->width != 3)
        return false;
    *out = rotate(field_quat(q, 0), field_vector(m, 0));
    return true;
}

/* Whether the rows of a file are of a free body: its momentum in space does not change. */
static bool is_free(const char *path)
{
    enum { ROWS = 200 };
    table t;
    ph_vec3 first = {0.0, 0.0, 0.0}, now;
    if (!file_is_ordinary(path))
        return false;
    bool same = table_open(&t, path, &interrupted);
    for (int i = 0; i < ROWS && same && table_next(&t) == CSV_OK; i++) {
        same = space_momentum(&t.now, &now);
        if (i == 0)
            first = now;
        same = same && norm(sub(now, first)) <= 1e-6 * norm(first);
    }
    table_close(&t);
    return same;
}

static int begin(job *j, const instant *now, bool free_body)
{
    char word[COLUMN_NAME];
    nearest near_by = {0};
    if (run_plot_begin(&j->plot, now, &j->show.choice, free_body, word, &near_by))
        return 0;
    return near_by.wrong == NULL
               ? fail_memory()
               : fail_unknown("--show: ", "column", &near_by, "`polhode plot --help`");
}

static int add_rows(job *j, table *t)
{
    csv_status status = table_next(t);
    REFUSE_IF(status == CSV_END, WORDS " has no rows: name one that has", j->path);
    if (status == CSV_OK)
        TRY(begin(j, &t->now, is_free(j->path)));
    while (status == CSV_OK && !interrupted) {
        if (!run_plot_add(&j->plot, &t->now))
            return fail_memory();
        status = table_next(t);
    }
    REFUSE_IF(status == CSV_WRONG, "%s", t->message);
    return interrupted ? EXIT_INTERRUPTED : 0;
}

static int read_rows(job *j)
{
    table t;
    int status = table_open(&t, j->path, &interrupted) ? 0 : fail_usage("%s", t.message);
    if (status == 0)
        status = add_rows(j, &t);
    table_close(&t);
    return status;
}

/* The rows that the run of a snapshot has written, or its state. */
static int read_snapshot(job *j)
{
    run_request r = {0};
    checkpoint *memory = NULL;
    char rows[4096] = "";
    int status = checkpoint_read(j->path, &r, &memory);
    if (status == 0) {
        picture_title(j->title, r.problem, r.method);
        if (r.out != NULL) {
            (void)snprintf(rows, sizeof rows, "%s",
                           access(r.out, R_OK) == 0 || r.rows_in == NULL ? r.out
                                                                         : r.rows_in);
        } else {
            const instant now = instant_of(r.system);
            status = begin(j, &now, false);
            if (status == 0 && !run_plot_add(&j->plot, &now))
                status = fail_memory();
        }
    }
    if (status == 0 && rows[0] != '\0' &&
        (file_format_of(rows) == NULL || file_format_of(rows)->read_row == NULL)) {
        status = fail_usage(
            WORDS ": rows of this format are not read: draw with `run --plot`", rows);
    } else if (status == 0 && rows[0] != '\0') {
        const char *snapshot = j->path;
        j->path = rows;
        status = read_rows(j);
        j->path = snapshot;
    }
    checkpoint_free(memory);
    return status;
}

static bool write_script(FILE *script, plot_format format, const void *context)
{
    const job *j = context;
    return run_plot_write(&j->plot, script, format, j->title);
}

static int draw(job *j)
{
    outfile *standard = outfile_standard();
    if (standard == NULL)
        return fail_memory();
    const int status = pictures_draw(&j->pictures, write_script, j, standard);
    const double end = run_plot_path_end(&j->plot);
    if (status == 0 && end != j->plot.end)
        outfile_print(standard, "(paths are drawn for t = %g to %g, the beginning)\n",
                      j->plot.begin, end);
    return standard_close(standard, status);
}

static int run(const arguments *given)
{
    job j = {0};
    const need needs[] = {{"--out", argument(given, "--out") != NULL}};
    REFUSE_IF(given->operands != 1,
              "plot takes one file of rows, or a snapshot: name it");
    TRY(refuse_missing(given, needs, 1));
    TRY(show_read(&j.show, given));
    j.path = given->operand[0];
    (void)snprintf(j.title, sizeof j.title, "%.*s",
                   strcmp(j.path, "-") == 0 ? 0 : text_cut(j.path, PICTURE_TITLE - 1),
                   j.path);
    file_read(j.path);
    int status = pictures_open(&j.pictures, given, "--out", NULL);
    if (status == 0)
        status = file_is_snapshot(j.path) ? read_snapshot(&j) : read_rows(&j);
    if (status == 0)
        status = draw(&j);
    pictures_discard(&j.pictures);
    run_plot_free(&j.plot);
    return status;
}

const command command_plot = {
    .name = "plot",
    .help = plot_help,
    .run = run,
};
