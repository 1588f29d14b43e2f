/* reproduce.c - the figures and tables of the papers computed, drawn and judged, each in a
 * process of its own and several at once, and the page about them.
 *
 * A process leaves NAME.csv, the pictures and, last of all, NAME.json, which the parent
 * reads; how far it is it writes to a pipe. The parent passes Ctrl-C on.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/extremes.h"
#include "cli/command.h"
#include "cli/figure_list.h"
#include "cli/files/advice.h"
#include "cli/files/clock.h"
#include "cli/files/folder.h"
#include "cli/files/json.h"
#include "cli/grid.h"
#include "cli/tool.h"
#include "papers/result.h"
#include "reproduce.help.h"

#define INDEX          "index.html"
#define DEFAULT_FOLDER "reproduced"

typedef struct reproduce_request {
    size_t figures;
    const ph_figure **figure; /* which */
    figure_effort effort;
    bool fresh; /* also what is finished */
    bool json, markdown;
    const char *folder;
    size_t jobs; /* figures computed at once */
} reproduce_request;

enum {
    MOST_WORKERS = 64,
    WAIT_MS = 20,      /* for a report */
    NOT_COMPUTED = 100 /* exit status of a worker: others may do better */
};

typedef struct worker {
    pid_t process; /* 0: none */
    const ph_figure *figure;
    double fraction; /* done */
} worker;

typedef struct job {
    const reproduce_request *r;
    outfile *standard;
    int status; /* of the first thing that went wrong */
    const ph_figure **figure;
    size_t figures, begun, ended, finished;
    double weight, weight_ended; /* of the figures, in seconds */
    int reports[2];              /* a pipe */
    size_t workers;
    worker worker[MOST_WORKERS];
} job;

static void set_status(job *j, int status)
{
    if (j->status == 0)
        j->status = status;
}

static bool text_wanted(const job *j)
{
    return !j->r->json && !j->r->markdown;
}

static void print_verdict(const job *j, const result *r, const char *note)
{
    if (!text_wanted(j))
        return;
    progress_wipe();
    outfile_print(j->standard, "%-24s %-15s %s\n", r->figure->name,
                  verdict_text(findings_verdict(&r->findings)), note);
    outfile_flush(j->standard);
}

typedef struct report {
    size_t worker;
    double fraction;
} report;

typedef struct reporter {
    int pipe;
    size_t worker;
    pid_t parent;
} reporter;

static bool send_progress(void *context, double fraction)
{
    const reporter *r = context;
    const report message = {r->worker, fraction};
    const ssize_t written = write(r->pipe, &message, sizeof message);
    (void)written; /* into a full pipe: the next one will do */
    return !interrupted && getppid() == r->parent;
}

static int fail_compute(const ph_figure *f, const char *what, const char *why)
{
    (void)fail_run("%s could not be computed: %s%s", f->name, what, why);
    return NOT_COMPUTED;
}

static int compute(const reproduce_request *q, result *r, const char *csv, reporter *to)
{
    const ph_figure *f = r->figure;
    figure_work work = {.effort = q->effort, .report = send_progress, .context = to};
    const bool computed = figure_compute(f, &work, &r->numbers);
    if (r->numbers.exhausted)
        return fail_compute(f, "there is no memory left", "");
    if (!computed)
        return work.error == NULL ? EXIT_INTERRUPTED : fail_compute(f, work.error, "");
    outfile *out = outfile_open(csv);
    int error = errno;
    if (out != NULL) {
        table_write_csv(&r->numbers, out);
        error = outfile_close(out, NULL);
    }
    return error == 0
               ? 0
               : fail_compute(f, "its numbers could not be written: ", strerror(error));
}

typedef struct drawing {
    const ph_figure *figure;
    const char *csv;
} drawing;

static bool write_script(FILE *script, plot_format format, const void *context)
{
    const drawing *d = context;
    return figure_draw(d->figure, d->csv, script, format);
}

static int draw(const drawing *d, const char *folder, const char *ending)
{
    char *path = result_path(d->figure, folder, ending);
    picture p = {0};
    int status = path == NULL ? fail_memory() : picture_open(&p, path);
    if (status == 0)
        status = picture_draw(&p, write_script, d);
    picture_discard(&p);
    free(path);
    return status;
}

/* Returns the exit status of the process. */
static int work(const reproduce_request *q, const ph_figure *f, reporter *to)
{
    const double begun = clock_now();
    result r = {.figure = f};
    char *csv = result_path(f, q->folder, "csv");
    const drawing d = {f, csv};
    int status = csv == NULL ? fail_memory() : compute(q, &r, csv, to);
    const double seconds = clock_now() - begun;
    if (status == 0 && f->plot != NULL)
        status = draw(&d, q->folder, "svg");
    if (status == 0 && f->plot != NULL)
        status = draw(&d, q->folder, "png");
    if (status == 0) {
        figure_judge(f, &r.numbers, &r.findings);
        const int error = result_finish(&r, q->folder, q->effort, seconds);
        status = error == 0 ? 0 : fail_write(q->folder, error, "", NULL);
    }
    result_free(&r);
    free(csv);
    return status;
}

static double weight_of(const job *j, const ph_figure *f)
{
    return larger_or_nan(f->seconds[j->r->effort], 0.1);
}

/* False if no process could be started. */
static bool begin(job *j, size_t i)
{
    const ph_figure *f = j->figure[j->begun];
    reporter to = {.pipe = j->reports[1], .worker = i, .parent = getpid()};
    const pid_t process = fork();
    if (process == 0) {
        _exit(work(j->r, f, &to));
    }
    j->worker[i] = (worker){.process = process > 0 ? process : 0, .figure = f};
    j->begun += process > 0;
    return process > 0;
}

/* A worker that has ended, with a status of wait; false: no more are to be begun. */
static bool end(job *j, worker *w, int wait_status)
{
    const ph_figure *f = w->figure;
    const int status = WIFEXITED(wait_status)
                           ? WEXITSTATUS(wait_status)
                           : fail_compute(f, "its process ended ", "unexpectedly");
    w->process = 0;
    j->ended++;
    j->weight_ended += weight_of(j, f);
    if (status == 0) {
        char note[64];
        result r;
        result_read(&r, f, j->r->folder);
        (void)snprintf(note, sizeof note, "%.3g s", r.seconds);
        print_verdict(j, &r, note);
        result_free(&r);
        j->finished++;
    } else if (status != EXIT_INTERRUPTED) {
        set_status(j, status == NOT_COMPUTED ? EXIT_FAILURE : status);
    }
    return status == 0 || status == NOT_COMPUTED;
}

/* Waits for reports, and shows how far all of it is. */
static void read_reports(job *j)
{
    report message;
    struct pollfd waiting = {.fd = j->reports[0], .events = POLLIN};
    (void)poll(&waiting, 1, WAIT_MS);
    while (read(j->reports[0], &message, sizeof message) == (ssize_t)sizeof message)
        j->worker[message.worker].fraction = message.fraction;
    double done = j->weight_ended;
    for (size_t i = 0; i < j->workers; i++) {
        if (j->worker[i].process != 0)
            done += j->worker[i].fraction * weight_of(j, j->worker[i].figure);
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
                more = end(j, w, status) && more;
            if (w->process == 0 && j->begun < j->figures && started && more &&
                !interrupted) {
                started = begin(j, i);
                error = errno;
            }
            busy += w->process != 0;
        }
        if (busy > 0)
            read_reports(j);
    }
    errno = error;
    return started;
}

static bool open_pipe(int ends[2])
{
    if (pipe(ends) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        if (fcntl(ends[i], F_SETFL, O_NONBLOCK) != 0 ||
            fcntl(ends[i], F_SETFD, FD_CLOEXEC) != 0)
            return false;
    }
    return true;
}

static int by_weight(const void *a, const void *b)
{
    const ph_figure *const *x = a, *const *y = b;
    const double difference = (*y)->seconds[FIGURE_FULL] - (*x)->seconds[FIGURE_FULL];
    return (difference > 0.0) - (difference < 0.0);
}

/* Those that are not finished, the longest first; the others are named. */
static void select_figures(job *j)
{
    for (size_t i = 0; i < j->r->figures; i++) {
        const ph_figure *f = j->r->figure[i];
        result r;
        result_read(&r, f, j->r->folder);
        if (!j->r->fresh && result_current(&r, j->r->effort)) {
            print_verdict(j, &r, "kept");
        } else {
            j->figure[j->figures++] = f;
            j->weight += weight_of(j, f);
        }
        result_free(&r);
    }
    qsort((void *)j->figure, j->figures, sizeof *j->figure, by_weight);
}

static int compute_all(job *j)
{
    j->workers = j->r->jobs < MOST_WORKERS ? j->r->jobs : MOST_WORKERS;
    j->figure = calloc(j->r->figures + 1, sizeof *j->figure);
    if (j->figure == NULL)
        return fail_memory();
    select_figures(j);
    outfile_flush(j->standard);
    progress_begin(false);
    const bool good = open_pipe(j->reports) && work_all(j);
    const int error = errno;
    progress_end();
    free((void *)j->figure);
    if (!good && !interrupted)
        set_status(j, fail_run("no process could be started (%s): %s", strerror(error),
                               advice(error, "close other programs and run again")));
    return interrupted
               ? stopped("interrupted after %zu of %zu figures: they are kept, and the "
                         "same command goes on",
                         j->finished, j->figures)
               : j->status;
}

/* The page about all figures that are finished in the folder, in this run or before. */
static int write_page(outfile *out, const char *path, const char *folder)
{
    size_t count;
    const ph_figure *const *all = figure_list(&count);
    result *results = calloc(count + 1, sizeof *results);
    if (results == NULL) {
        outfile_discard(out);
        return fail_memory();
    }
    for (size_t i = 0; i < count; i++)
        result_read(&results[i], all[i], folder);
    page_write(out, results, count);
    for (size_t i = 0; i < count; i++)
        result_free(&results[i]);
    free(results);
    return file_close(out, path, "");
}

static void print_markdown(outfile *out, const result *r)
{
    char reason[REASON_TEXT];
    outfile_print(out, "| `%s` |", r->figure->name);
    markdown_cell(out, figure_text_of(r->figure)->cite);
    markdown_cell(out, verdict_text(findings_verdict(&r->findings)));
    markdown_cell(out, findings_reason(&r->findings, reason));
    outfile_print(out, "\n");
}

static int show(job *j)
{
    json_t *array = j->r->json ? json_array() : NULL;
    if (j->r->markdown)
        outfile_print(j->standard,
                      "| name | paper | verdict | why |\n|---|---|---|---|\n");
    for (size_t i = 0; i < j->r->figures && !text_wanted(j); i++) {
        result r;
        result_read(&r, j->r->figure[i], j->r->folder);
        if (r.finished && j->r->markdown)
            print_markdown(j->standard, &r);
        else if (r.finished)
            (void)json_array_append_new(array, result_json(&r));
        result_free(&r);
    }
    if (j->r->json && !json_write(j->standard, array, JSON_INDENT(1)))
        return fail_memory();
    if (j->r->json)
        outfile_print(j->standard, "\n");
    if (text_wanted(j))
        outfile_print(j->standard, "\n%s/" INDEX " written\n", j->r->folder);
    return 0;
}

/* The folder, and the page in it: what cannot be written is found before anything is
 * computed. */
static int open_page(const char *folder, char **path, outfile **page)
{
    const int error = folder_make(folder);
    if (error != 0)
        return fail_create(folder, error);
    *path = folder_file(folder, INDEX);
    return *path == NULL ? fail_memory() : file_open(*path, page);
}

/* Returns the exit status. */
static int reproduce_run(const reproduce_request *r)
{
    job j = {.r = r, .standard = outfile_standard()};
    char *path = NULL;
    outfile *page = NULL;
    int status = j.standard == NULL ? fail_memory() : picture_need_gnuplot("reproduce");
    if (status == 0)
        status = open_page(r->folder, &path, &page);
    if (status == EXIT_INTERRUPTED)
        (void)stopped(
            "interrupted before the first figure: the same command begins anew");
    if (status == 0) {
        status = compute_all(&j);
        const int written = write_page(page, path, r->folder),
                  shown = written == 0 ? show(&j) : written;
        status = status != 0 ? status : shown;
    }
    free(path);
    return j.standard == NULL ? status : standard_close(j.standard, status);
}

/* The figure of that name, or NULL after saying that there is none. */
static const ph_figure *find(const char *name)
{
    size_t count;
    const ph_figure *const *all = figure_list(&count);
    nearest near_by = {.wrong = name};
    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, all[i]->name) == 0)
            return all[i];
        ph_nearest_add(&near_by, "%s", all[i]->name);
    }
    (void)fail_unknown("", "figure", &near_by, "`polhode list figures`");
    return NULL;
}

/* Those named, each once, or all of them. */
static int choose(reproduce_request *r, const arguments *given)
{
    size_t count;
    const ph_figure *const *all = figure_list(&count);
    r->figure = calloc(count + given->operands + 1, sizeof *r->figure);
    if (r->figure == NULL)
        return fail_memory();
    for (size_t i = 0; i < given->operands; i++) {
        const ph_figure *f = find(given->operand[i]);
        if (f == NULL)
            return EXIT_USAGE;
        size_t k = 0;
        while (k < r->figures && r->figure[k] != f)
            k++;
        r->figure[k] = f;
        r->figures += k == r->figures;
    }
    for (size_t i = 0; i < count && given->operands == 0; i++)
        r->figure[r->figures++] = all[i];
    return 0;
}

static int read_jobs(reproduce_request *r, const arguments *given)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    double jobs = cores > 0 ? (double)cores : 1.0;
    if (argument(given, "--jobs") != NULL) {
        const int status = argument_numbers(given, "--jobs", 1, &jobs);
        if (status != 0)
            return status;
        if (!(jobs >= 1.0 && jobs <= 1024.0))
            return fail_usage("--jobs is not from 1 to 1024: write the number of cores");
    }
    r->jobs = (size_t)jobs;
    return 0;
}

static int run(const arguments *given)
{
    reproduce_request r = {
        .effort = argument(given, "--quick") != NULL ? FIGURE_QUICK : FIGURE_FULL,
        .fresh = argument(given, "--fresh") != NULL,
        .json = argument(given, "--json") != NULL,
        .markdown = argument(given, "--markdown") != NULL,
        .folder =
            argument(given, "--out") != NULL ? argument(given, "--out") : DEFAULT_FOLDER,
    };
    int status = refuse_both(given, "--json", "--markdown");
    if (status == 0)
        status = read_jobs(&r, given);
    if (status == 0)
        status = choose(&r, given);
    if (status == 0)
        status = reproduce_run(&r);
    free((void *)r.figure);
    return status;
}

const command command_reproduce = {
    .rank = 6,
    .name = "reproduce",
    .help = reproduce_help,
    .run = run,
};
