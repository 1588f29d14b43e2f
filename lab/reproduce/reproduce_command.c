/* reproduce_command.c - the figures and tables of the papers computed, drawn and judged, each in a
 * process of its own and several at once, and the page about them.
 *
 * A process leaves NAME.csv, the pictures and, last of all, NAME.json, which the parent
 * reads; how far it is it writes into memory that both share. The parent passes Ctrl-C on.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h> /* qsort */
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/choice.h"
#include "base/extremes.h"
#include "lab/papers/data.h"
#include "lab/papers/figure_list.h"
#include "lab/papers/result.h"
#include "reproduce.help.h"
#include "tool/base/rendering.h"
#include "tool/base/tool.h"
#include "tool/files/memory.h"
#include "tool/files/posix.h"

#define INDEX          "index.html"
#define DEFAULT_FOLDER "reproduced"

enum {
    MOST_FIGURES = 256,
    MOST_WORKERS = 64,
    WAIT_MS = 20,      /* for a worker */
    NOT_COMPUTED = 100 /* exit status of a worker: others may do better */
};

typedef struct worker {
    pid_t process; /* 0: none */
    result *of;
} worker;

typedef struct job {
    figure_effort effort;
    bool fresh; /* also what is finished */
    const char *folder;
    rendering r;
    int status;   /* of the first thing that went wrong */
    size_t count; /* figures that there are; their results in the folder */
    const ph_figure *const *figures;
    result *results;
    size_t chosen, choice[MOST_FIGURES]; /* those asked for, by their places in the results */
    size_t tasks;                        /* those of them to be computed */
    result *task[MOST_FIGURES];
    size_t begun, ended, finished;
    double weight, weight_ended; /* of the tasks, in seconds */
    size_t workers;              /* figures computed at once */
    worker worker[MOST_WORKERS];
    volatile double *fraction; /* that each of them has done; shared memory */
} job;

static void set_status(job *j, int status)
{
    if (j->status == 0)
        j->status = status;
}

static void print_verdict(const job *j, const result *r, const char *note)
{
    if (j->r.as != AS_TEXT)
        return;
    progress_wipe();
    outfile_print(j->r.out, "%-24s %-15s %s\n", r->figure->name,
                  verdict_text(claims_verdict(&r->claims)), note);
    outfile_flush(j->r.out);
}

/* ---- a figure, in a process of its own ------------------------------------------- */

typedef struct reporter {
    volatile double *fraction;
    pid_t parent;
} reporter;

static bool send_progress(void *context, double fraction)
{
    const reporter *r = context;
    *r->fraction = fraction;
    return !interrupted && getppid() == r->parent;
}

static int fail_compute(const ph_figure *f, const char *what, const char *why)
{
    (void)fail_run("%s could not be computed: %s%s", f->name, what, why);
    return NOT_COMPUTED;
}

static int compute_figure(const job *j, result *r, const char *path, reporter *to)
{
    const ph_figure *f = r->figure;
    figure_work work = {.effort = j->effort, .report = send_progress, .context = to};
    const bool computed = figure_compute(f, &work, &r->numbers);
    if (!computed) {
        if (work.error == NULL)
            return EXIT_INTERRUPTED;
        return fail_compute(f, work.error, "");
    }
    outfile *out = outfile_open(path);
    int error = errno;
    if (out != NULL) {
        table_write_csv(&r->numbers, out);
        error = outfile_close(out, NULL);
    }
    if (error == 0)
        return 0;
    return fail_compute(f, "its numbers could not be written: ", strerror(error));
}

typedef struct drawing {
    const ph_figure *figure;
    const char *csv, *folder;
} drawing;

static bool write_script(FILE *script, plot_format format, const void *context)
{
    const drawing *d = context;
    return figure_draw(d->figure, d->csv, script, format);
}

static int draw_figure(const drawing *d, const char *ending)
{
    picture p = {.path = result_path(d->figure, d->folder, ending)};
    TRY(file_open(p.path, &p.file));
    const int status = picture_draw(&p, write_script, d);
    outfile_discard(p.file); /* this process ends without */
    return status;
}

static int finish_figure(const job *j, result *r, double seconds)
{
    const int error = result_finish(r, j->folder, j->effort, seconds);
    if (error == 0)
        return 0;
    return fail_write(j->folder, error, "", NULL);
}

/* Returns the exit status of the process. */
static int work_on_figure(const job *j, const ph_figure *f, reporter *to)
{
    const double begun = clock_now();
    result r = {.figure = f};
    const drawing d = {f, result_path(f, j->folder, "csv"), j->folder};
    TRY(compute_figure(j, &r, d.csv, to));
    const double seconds = clock_now() - begun;
    if (f->plot != NULL) {
        TRY(draw_figure(&d, "svg"));
        TRY(draw_figure(&d, "png"));
    }
    figure_judge(f, &r.numbers, &r.claims);
    return finish_figure(j, &r, seconds);
}

/* ---- all of them ----------------------------------------------------------------- */

static double weight_of(const job *j, const result *r)
{
    return larger_or_nan(r->figure->seconds[j->effort], 0.1);
}

static void leave(void)
{
    _exit(fail_memory());
}

/* False if no process could be started. */
static bool begin_worker(job *j, size_t i)
{
    result *r = j->task[j->begun];
    reporter to = {&j->fraction[i], getpid()};
    j->fraction[i] = 0.0;
    const pid_t process = fork();
    if (process == 0) {
        memory_handler(leave); /* the page is the parent's */
        _exit(work_on_figure(j, r->figure, &to));
    }
    j->worker[i] = (worker){process > 0 ? process : 0, r};
    j->begun += process > 0;
    return process > 0;
}

/* A worker that has ended, with a status of wait; false: no more are to be begun. */
static bool end_worker(job *j, worker *w, int wait_status)
{
    const ph_figure *f = w->of->figure;
    int status;
    if (WIFEXITED(wait_status))
        status = WEXITSTATUS(wait_status);
    else
        status = fail_compute(f, "its process ended ", "unexpectedly");
    w->process = 0;
    j->ended++;
    j->weight_ended += weight_of(j, w->of);
    result_read(w->of, f, j->folder);
    if (status == 0) {
        print_verdict(j, w->of, memory_text("%.3g s", w->of->seconds));
        j->finished++;
    } else if (status != EXIT_INTERRUPTED) {
        set_status(j, status == NOT_COMPUTED ? EXIT_FAILURE : status);
    }
    return status == 0 || status == NOT_COMPUTED;
}

/* Waits a little, and shows how far all of it is. */
static void wait_for_workers(const job *j)
{
    (void)poll(NULL, 0, WAIT_MS);
    double done = j->weight_ended;
    for (size_t i = 0; i < j->workers; i++) {
        if (j->worker[i].process != 0)
            done += j->fraction[i] * weight_of(j, j->worker[i].of);
    }
    progress_show(j->ended, done / j->weight);
}

/* Gives every idle worker a figure and waits for the others, until nothing is left. False
 * with errno set if a process could not be started. */
static bool work_all(job *j)
{
    bool more = true, started = true;
    int error = 0;
    for (size_t busy = 1; busy > 0;) {
        busy = 0;
        for (size_t i = 0; i < j->workers; i++) {
            worker *w = &j->worker[i];
            int status;
            if (w->process != 0 && (interrupted || !more))
                (void)kill(w->process, SIGTERM);
            if (w->process != 0 && waitpid(w->process, &status, WNOHANG) > 0)
                more = end_worker(j, w, status) && more;
            if (w->process == 0 && j->begun < j->tasks && started && more && !interrupted) {
                started = begin_worker(j, i);
                error = errno;
            }
            busy += w->process != 0;
        }
        if (busy > 0)
            wait_for_workers(j);
    }
    errno = error;
    return started;
}

static int by_weight(const void *a, const void *b)
{
    const result *const *x = a, *const *y = b;
    const double difference =
        (*y)->figure->seconds[FIGURE_FULL] - (*x)->figure->seconds[FIGURE_FULL];
    return (difference > 0.0) - (difference < 0.0);
}

/* Those that are not finished, the longest first; the others are named. A file that says
 * something else than the judge of this program says of its numbers is written anew. */
static void select_tasks(job *j)
{
    for (size_t i = 0; i < j->chosen; i++) {
        result *r = &j->results[j->choice[i]];
        if (j->fresh || !result_current(r, j->effort)) {
            j->task[j->tasks++] = r;
            j->weight += weight_of(j, r);
            continue;
        }
        print_verdict(j, r, r->judged_otherwise ? "judged anew" : "kept");
        if (r->judged_otherwise)
            set_status(j, finish_figure(j, r, r->seconds));
    }
    qsort((void *)j->task, j->tasks, sizeof *j->task, by_weight);
}

static int compute_all(job *j)
{
    const size_t size = MOST_WORKERS * sizeof *j->fraction;
    select_tasks(j);
    outfile_flush(j->r.out);
    progress_begin(false);
    void *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    j->fraction = shared;
    const bool good = shared != MAP_FAILED && work_all(j);
    const int error = errno;
    if (shared != MAP_FAILED)
        (void)munmap(shared, size);
    progress_end();
    if (!good && !interrupted)
        set_status(j, fail_run("no process could be started (%s): %s", strerror(error),
                               advice(error, "close other programs and run again")));
    if (interrupted)
        return stopped("interrupted after %zu of %zu figures: these are kept, and the "
                       "same command computes the others",
                       j->finished, j->tasks);
    return j->status;
}

/* States the verdicts: for people where the page is, as they have seen them before. */
static int render_verdicts(job *j)
{
    char reason[REASON_TEXT];
    rendering *r = &j->r;
    render_words(r, "name\tpaper\tverdict\twhy");
    for (size_t i = 0; i < j->chosen && r->as != AS_TEXT; i++) {
        const result *x = &j->results[j->choice[i]];
        if (!x->finished)
            continue;
        render_words(r, "`%s`\t%s\t%s\t%s", x->figure->name, figure_text_of(x->figure)->cite,
                     verdict_text(claims_verdict(&x->claims)), claims_reason(&x->claims, reason));
        if (r->as == AS_JSON)
            json_add(r->all, result_json(x));
    }
    if (r->as == AS_TEXT)
        render_text(r, "\n%s/" INDEX " written\n", j->folder);
    else
        render_table(r);
    return render_end(r, false, JSON_INDENT(1));
}

/* The folder, and the page in it: what cannot be written is found before anything is
 * computed. The page is about all figures that are finished in the folder, in this run or
 * before. */
static int reproduce(job *j)
{
    outfile *page = NULL;
    const int error = folder_make(j->folder);
    if (error != 0)
        return fail_create(j->folder, error);
    const char *path = memory_text("%s/" INDEX, j->folder);
    int status = file_open(path, &page);
    if (status == EXIT_INTERRUPTED)
        (void)stopped("interrupted before the first figure: run the same command again");
    TRY(status);
    j->results = memory_new(j->count, sizeof *j->results);
    for (size_t i = 0; i < j->count; i++)
        result_read(&j->results[i], j->figures[i], j->folder);
    status = compute_all(j);
    page_write(page, j->results, j->count);
    int shown = file_close(page, path, "");
    if (shown == 0)
        shown = render_verdicts(j);
    return first_error(status, shown);
}

/* ---- the data, without computing anything ---------------------------------------- */

/* The numbers of a datum as text; up to the first that is missing. */
static const char *numbers_text(const datum *d)
{
    const char *text = "";
    for (size_t k = 0; k < d->count && k < DATUM_VALUES; k++)
        text = memory_text("%s%s%.15g", text, before_item(k, ","), d->used[k]);
    return text;
}

/* States what the chosen figures use, and what is printed. Returns 1 if these differ. */
static int render_ledger(job *j)
{
    rendering *r = &j->r;
    int status = 0;
    render_words(r, "figure\tdatum\tused\tprinted\twhere\tagrees");
    for (size_t i = 0; i < j->chosen; i++) {
        datum data[DATA_MOST];
        const ph_figure *f = j->figures[j->choice[i]];
        const size_t count = figure_data(f, data);
        for (size_t k = 0; k < count; k++) {
            const datum *d = &data[k];
            const bool agrees = datum_difference(d) <= 1.0;
            render_item(r, "data");
            render_cells(r, "figure datum used printed where ?agrees", "%s\t%s\t%s\t%s\t%s\t%s",
                         f->name, d->name, numbers_text(d), d->printed, d->where,
                         yes_or_no(agrees));
            render_close(r);
            if (!agrees && status == 0)
                status = fail_run("%s: %s is %s, but the paper prints %s (%s): correct one of them",
                                  f->name, d->name, numbers_text(d), d->printed, d->where);
        }
    }
    render_table(r);
    const int written = render_end(r, false, JSON_INDENT(1));
    return first_error(status, written);
}

/* ---- the command line ------------------------------------------------------------ */

/* Adds the figure of that name, if it was not chosen before. */
static int choose_figure(job *j, const char *name)
{
    nearest near_by = {.wrong = name};
    size_t found = 0, k = 0;
    for (; found < j->count && strcmp(name, j->figures[found]->name) != 0; found++)
        ph_nearest_add(&near_by, "%s", j->figures[found]->name);
    if (found == j->count)
        return fail_unknown("", "figure", &near_by, "`polhode list figures`");
    while (k < j->chosen && j->choice[k] != found)
        k++;
    j->choice[k] = found;
    j->chosen += k == j->chosen;
    return 0;
}

static int read_jobs(job *j, const arguments *given)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    double jobs = positive_or_one((double)cores);
    if (argument(given, "--jobs") != NULL)
        TRY(argument_numbers(given, "--jobs", 1, &jobs));
    REFUSE_IF(argument(given, "--jobs") != NULL && !(jobs >= 1.0 && jobs <= 1024.0),
              "--jobs is outside its range: write a number from 1 to 1024");
    j->workers = (size_t)smaller_or_nan(jobs, MOST_WORKERS);
    return 0;
}

static int reproduce_run(const arguments *given, outfile *out)
{
    const char *folder = argument(given, "--out");
    job j = {
        .effort = argument(given, "--quick") != NULL ? FIGURE_QUICK : FIGURE_FULL,
        .fresh = argument(given, "--fresh") != NULL,
        .folder = text_or(folder, DEFAULT_FOLDER),
        .r = render_begin(given, out),
    };
    TRY(refuse_both(given, "--json", "--markdown"));
    TRY(read_jobs(&j, given));
    j.figures = figure_list(&j.count);
    assert(j.count <= MOST_FIGURES);
    for (size_t i = 0; i < given->operands; i++)
        TRY(choose_figure(&j, given->operand[i]));
    for (; given->operands == 0 && j.chosen < j.count; j.chosen++)
        j.choice[j.chosen] = j.chosen;
    if (argument(given, "--data") != NULL)
        return render_ledger(&j);
    TRY(picture_need_gnuplot("reproduce"));
    return reproduce(&j);
}

const command command_reproduce = {"reproduce", reproduce_help, reproduce_run};
