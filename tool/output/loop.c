/* loop.c - the one loop that writes, and the observers that commands share. */
#include "loop.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/choice.h"
#include "base/elementary.h"
#include "base/even_times.h"
#include "base/extremes.h"
#include "motion/vec.h"
#include "system/events.h"
#include "tool/files/file_table.h"
#include "tool/files/memory.h"

/* Whether a system goes to any time, in steps that it chooses on the way. */
static bool chooses_steps(const ph_system *s)
{
    return ph_system_is_adaptive(s) || ph_system_has_parts(s);
}

#define CHECK_STEPS 256 /* from one line of progress to the next */

/* ---- the loop -------------------------------------------------------------------- */

static bool see_row(loop *l)
{
    l->rows++;
    for (const observer *o = l->observers; o < l->observers + l->count; o++) {
        if (o->row != NULL && !o->row(o->self, l))
            return false;
    }
    return true;
}

/* A row of a system, which a look may have brought to another time. */
typedef struct looked {
    loop *at;
    bool good;
} looked;

static bool see_system(void *context, ph_system *s)
{
    looked *x = context;
    x->at->now = instant_of(s);
    x->good = see_row(x->at);
    return x->good;
}

/* The rows up to the end of the last step, at even times, of a system that chooses its steps;
 * and that of an event. */
static bool see_even_rows(loop *l, ph_system *s)
{
    static const double SAME = 0x1p-50;
    const double now = ph_system_time(s), direction = sign_of(l->interval);
    double last = NAN;
    looked x = {l, true};
    for (;;) {
        double time = even_time(0.0, (double)l->rows, l->interval);
        if (fabs(time - now) <= SAME * fabs(now))
            time = now;
        if (!(direction * (now - time) >= 0.0))
            break;
        last = time;
        l->cut = interrupted;
        if (!l->cut)
            l->look = ph_system_observe_at(s, time, see_system, &x);
        if (l->cut || l->look != PH_OK || !x.good)
            return false;
    }
    return !l->event.met || last == now || see_system(&x, s);
}

/* The rows of a step, or of several. */
static bool see_rows(loop *l, ph_system *s, uint64_t step)
{
    looked x = {l, true};
    if (chooses_steps(s) && l->interval != 0.0)
        return see_even_rows(l, s);
    return (step % l->every != 0 && !l->event.met) || see_system(&x, s);
}

/* How much of the run is done. */
static double fraction_done(const loop *l, const ph_system *s, uint64_t step)
{
    if (chooses_steps(s))
        return ph_system_time(s) / l->time;
    return (double)step / (double)l->steps;
}

/* Ends the run on Ctrl-C, and when an observer says so. */
static bool after_step(void *context, ph_system *s)
{
    loop *l = context;
    const uint64_t step = ph_system_steps(s);
    bool rows = false;
    l->overflow = !ph_system_finite(s);
    if (l->overflow)
        return false;
    for (size_t i = 0; i < l->count; i++)
        rows = rows || l->observers[i].row != NULL;
    if (rows && !(l->seen && step == l->first) && !see_rows(l, s, step))
        return false;
    for (size_t i = 0; i < l->count; i++) {
        const observer *o = &l->observers[i];
        if (o->step != NULL && !o->step(o->self, l))
            return false;
    }
    if (l->progress && step > l->first && (step % CHECK_STEPS == 0 || ph_kind_of(s)->rows_of_each))
        progress_show(step, fraction_done(l, s, step));
    return !interrupted;
}

ph_status loop_steps(loop *l)
{
    ph_system *s = l->system;
    const ph_observer o = {after_step, l, 1, NULL, 0};
    l->event = (ph_event){.condition = l->until};
    l->first = ph_system_steps(s);
    if (l->over)
        return ph_system_run(s, 0, &o);
    event_search end = {.event = &l->event, .stops = true};
    if (l->until != NULL)
        return ph_system_search(s, l->time, &o, &end, l->watched, l->watched_count);
    if (l->watched_count > 0)
        return ph_system_search(s, l->time, &o, NULL, l->watched, l->watched_count);
    if (chooses_steps(s))
        return ph_system_run_until(s, l->time, &o);
    return ph_system_run(s, l->steps - l->first, &o);
}

static int begin_all(loop *l)
{
    int status = 0;
    for (const observer *o = l->observers; o < l->observers + l->count; o++) {
        if (status == 0 && o->begin != NULL)
            status = o->begin(o->self, l);
    }
    return status;
}

static int finish_all(loop *l, int status, bool begun)
{
    for (const observer *o = l->observers; o < l->observers + l->count; o++) {
        if (begun && o->finish != NULL)
            status = o->finish(o->self, l, status);
    }
    return status;
}

int loop_run(loop *l, bool shown)
{
    l->now = instant_of(l->system);
    const int status = begin_all(l);
    if (status == 0) {
        l->progress = true;
        progress_begin(shown);
        ph_system_watch(l->system, true);
        l->status = loop_steps(l);
        if (l->status == PH_OK)
            l->status = l->look;
        progress_end();
    }
    return finish_all(l, status, status == 0);
}

int loop_each(loop *l, loop_next *next, void *context)
{
    int status = begin_all(l);
    const bool begun = status == 0;
    while (status == 0) {
        status = next(context, l);
        if (status == 0 && !see_row(l))
            status = LOOP_END;
    }
    progress_end();
    if (status == LOOP_END)
        status = 0;
    return finish_all(l, status, begun);
}

/* The next row of a table; the first was read before. */
static int next_row(void *context, loop *l)
{
    table *from = context;
    csv_status status = CSV_OK;
    if (l->rows > 0)
        status = table_next(from);
    l->now = from->now;
    if (interrupted || status == CSV_STOPPED)
        return EXIT_INTERRUPTED;
    if (status == CSV_WRONG)
        return fail_usage("%s", from->message);
    if (status == CSV_END)
        return LOOP_END;
    return 0;
}

/* Warns of angles that may be in degrees. */
static void check_angles(const table *from)
{
    const csv *in = from->in;
    if (from->doubtful < in->columns)
        warn(WORDS ", column %s: %g " ANGLE_WARNING
                   ": if these are degrees, call the column %s[deg], and the others likewise",
             in->name, in->column[from->doubtful], from->doubt, in->column[from->doubtful]);
}

int loop_table(loop *l, const char *path, const show_request *show)
{
    table from;
    REFUSE_IF(!table_open(&from, path, &interrupted, &show->choice), "%s", from.message);
    file_read(path);
    const csv_status first = table_next(&from);
    l->now = from.now;
    l->epoch = NULL;
    if (from.in->epoch[0] != '\0')
        l->epoch = from.in->epoch;
    l->origin = from.in->origin;
    REFUSE_IF(first == CSV_END, WORDS " has no rows: name a file with rows", path);
    REFUSE_IF(first == CSV_WRONG, "%s", from.message);
    int status = EXIT_INTERRUPTED;
    if (first == CSV_OK)
        status = loop_each(l, next_row, &from);
    check_angles(&from);
    return status;
}

/* ---- rows in a file -------------------------------------------------------------- */

static int open_rows(rows_file *f, const instant *first)
{
    const file_format *format;
    TRY(file_refuse(f->path));
    TRY(format_find(f->path, &format));
    const char *why = record_prepare(f->rows, format, &f->columns, first, &f->about);
    REFUSE_IF(why != NULL, WORDS ": %s %s", f->path, format->text, why);
    if (f->show->epoch != NULL && format->undated)
        warn("--epoch is not written to " WORDS ": %s has no dates, and t counts seconds from the "
             "epoch: to store dates, write an .aem file",
             f->path, format->text);
    f->frames = record_frames(f->rows);
    REFUSE_IF(f->frames && f->columns.choice.show != NULL,
              WORDS ": %s contains the whole state, and --show chooses columns: remove --show",
              f->path, format->text);
    outfile *file = f->standard;
    if (strcmp(f->path, "-") != 0)
        TRY(file_open(f->path, &file));
    f->out = file;
    REFUSE_IF(format->needs_file && file->beside == NULL,
              WORDS " is not a regular file, but %s needs one: choose another file", f->path,
              format->text);
    record_begin(f->rows, file);
    return 0;
}

int rows_begin(rows_file *f, const instant *first)
{
    f->about.command = command_words();
    if (f->about.epoch == NULL)
        f->about.epoch = f->show->epoch;
    if (f->show->object != NULL)
        f->about.origin.object = f->show->object;
    if (f->show->object_id != NULL)
        f->about.origin.object_id = f->show->object_id;
    f->about.aem = f->show->aem;
    f->rows = memory_new(1, sizeof *f->rows);
    memory_at_end(record_free, f->rows);
    TRY(show_columns(f->show, first, f->each, &f->columns));
    if (f->path != NULL)
        return open_rows(f, first);
    return 0;
}

/* How far a body turns from one row to the next: at the slower of its speeds, and by its attitudes,
 * which tell half a turn at most. */
static void note_turn(rows_file *f, const instant *now)
{
    const ph_array *w = instant_field(now, "velocity"), *q = instant_field(now, "attitude");
    const double time = f->last_time, before = f->last_speed;
    double product = 0.0;
    f->last_time = now->t;
    if (w != NULL && w->count == 1 && w->width == 3) {
        f->last_speed = hypot(hypot(*w->data[0], *w->data[1]), *w->data[2]);
        f->turn =
            larger_or_nan(f->turn, smaller_or_nan(f->last_speed, before) * fabs(now->t - time));
    }
    if (q == NULL || q->count != 1 || q->width != 4)
        return;
    for (int k = 0; k < 4; k++) {
        product += f->last_attitude[k] * *q->data[k];
        f->last_attitude[k] = *q->data[k];
    }
    if (product != 0.0)
        f->turn = larger_or_nan(f->turn, 2.0 * ph_acos(smaller_or_nan(fabs(product), 1.0)));
}

bool rows_add(void *self, loop *l)
{
    rows_file *f = self;
    note_turn(f, &l->now);
    if (f->out == NULL)
        return true;
    record_add(f->rows, &l->now);
    return f->out->error == 0 && f->rows->refused == NULL;
}

int rows_close(rows_file *f, const char *when)
{
    static const double FAR = 30.0;
    outfile *file = f->out;
    if (file == NULL)
        return 0;
    if (f->rows->format->interpolated && f->turn * 180.0 / PH_PI > FAR)
        warn(WORDS ": the body turns by up to %.3g degrees between two rows, and readers of %s "
                   "interpolate between rows: write rows at most %g degrees apart",
             f->path, f->turn * 180.0 / PH_PI, f->rows->format->text, FAR);
    record_end(f->rows);
    record_free(f->rows);
    if (file == f->standard) {
        outfile_flush(file);
        const bool gone = file->error == EPIPE; /* the reader; it is reported at the end */
        if (file->error == 0 || gone)
            return 0;
        return fail_write(NULL, file->error, when, NULL);
    }
    f->out = NULL;
    return file_close(file, f->path, when);
}

int rows_refused(const rows_file *f, int status, const char *after)
{
    const record *r = f->rows;
    if (r->refused == NULL)
        return 0;
    return report_error(status, REFUSED_ROW "%s", r->count + 1, r->last,
                        file_format_of(f->path)->text, r->refused, after);
}

/* ---- pictures -------------------------------------------------------------------- */

int pictures_open(pictures *p, bool films)
{
    const arguments *given = p->given;
    if (given == NULL) /* no option asks for pictures */
        return 0;
    const option *o = option_named(given, p->option);
    p->picture = memory_new(given->count, sizeof *p->picture);
    for (size_t i = 0; i < given->count; i++) {
        const char *path = given->given[i].value;
        if (given->given[i].option != o)
            continue;
        REFUSE_IF(plot_format_of(path) == PLOT_NONE,
                  "%s " WORDS " has no known suffix: end the name in .svg, .png or .pdf", p->option,
                  path);
        for (size_t k = 0; k <= p->count; k++) {
            const char *other = k < p->count ? p->picture[k].path : p->out;
            REFUSE_IF(other != NULL && file_same(path, other),
                      "%s " WORDS " is named twice as an output: give each its own file", p->option,
                      path);
        }
        p->picture[p->count++].path = path;
    }
    if (p->count > 0)
        TRY(picture_need_gnuplot(p->option));
    for (size_t i = 0; i < p->count; i++)
        TRY(file_open(p->picture[i].path, &p->picture[i].file));
    const film_maker *maker = film_maker_find();
    if (films && maker != NULL)
        return maker->open(given, &p->film);
    return 0;
}

bool in_seconds(const ph_system *s)
{
    size_t count = 0;
    const double *value;
    if (s == NULL)
        return false;
    const ph_parameter *p = ph_system_parameters(s, &count, &value);
    for (size_t i = 0; i < count; i++)
        if (p[i].unit != NULL && strstr(p[i].unit, "/s") != NULL)
            return true;
    return false;
}

int pictures_begin(pictures *p, const instant *first, bool is_free, const char *what)
{
    nearest near_by = {0};
    const char *paper = argument(p->given, "--paper");
    const run_plot_sheet *sheet = run_plot_sheet_named(paper);
    REFUSE_IF(sheet == NULL, "--paper " WORDS " is not a size: write " RUN_PLOT_SHEETS, paper);
    const bool good = run_plot_begin(&p->plot, first, &p->show->choice, is_free, &near_by);
    p->plot.sheet = sheet;
    p->plot.time = p->time;
    p->plot.seconds = p->seconds || in_seconds(p->system);
    if (good && p->film != NULL)
        TRY(film_maker_find()->begin(p->film, first, p->system));
    if (good)
        return 0;
    return fail_unknown("--show: ", what, &near_by,
                        strcmp(p->option, "--out") == 0 ? "`polhode plot --help`"
                                                        : "`polhode run --help`");
}

bool pictures_add(void *self, loop *l)
{
    pictures *p = self;
    run_plot_add(&p->plot, &l->now);
    if (p->film != NULL)
        film_maker_find()->add(p->film, &l->now);
    return true;
}

int pictures_draw(pictures *p, picture_script *write, const void *context)
{
    for (size_t i = 0; i < p->count; i++) {
        TRY(picture_draw(&p->picture[i], write, context));
        if (p->told != NULL)
            outfile_print(p->told, "%s drawn\n", p->picture[i].path);
    }
    return 0;
}

static bool write_plot(FILE *script, plot_format format, const void *context)
{
    const pictures *p = context;
    return run_plot_write(&p->plot, script, format, p->title);
}

int pictures_draw_film(pictures *p, const char *title)
{
    if (p->film != NULL)
        return film_maker_find()->draw(p->film, title, p->told);
    return 0;
}

int pictures_draw_plot(pictures *p)
{
    const double end = run_plot_path_end(&p->plot);
    TRY(pictures_draw(p, write_plot, p));
    TRY(pictures_draw_film(p, p->title));
    if (p->told != NULL && p->count > 0 && end != p->plot.end)
        outfile_print(p->told, "(the picture shows only the beginning, t = %g to %g)\n",
                      p->plot.begin, end);
    return 0;
}
