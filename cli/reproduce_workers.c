/* reproduce_workers.c - figures computed in processes of their own, several at once.
 *
 * A worker writes NAME.csv and ends. It says how far it is, and is told to stop, through
 * memory that all share; Ctrl-C and SIGTERM are the parent's, which tells the workers.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/extremes.h"
#include "io/clock.h"
#include "reproduce.h"
#include "tool.h"

enum { MOST_WORKERS = 64, TROUBLE = 200 };

#define LOOK_MS 20 /* between two looks at the workers */

/* How a worker ends. */
enum { WORKER_DONE, WORKER_STOPPED, WORKER_TROUBLE };

typedef struct slot {
    volatile double fraction;
    char trouble[TROUBLE];
} slot;

typedef struct shared {
    volatile sig_atomic_t stop;
    slot slot[MOST_WORKERS];
} shared;

typedef struct worker {
    pid_t process; /* 0: none */
    const ph_figure *figure;
    double begun;
} worker;

typedef struct crew {
    const reproduce_request *r;
    shared *shared;
    size_t workers, begun, done;
    int error;                  /* errno of the fork that failed */
    double weight, weight_done; /* of all figures, in seconds */
    worker worker[MOST_WORKERS];
} crew;

static shared *share(void)
{
    FILE *f = tmpfile();
    if (f == NULL)
        return NULL;
    shared *s = NULL;
    if (ftruncate(fileno(f), (off_t)sizeof *s) == 0) {
        void *at =
            mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(f), 0);
        s = at == MAP_FAILED ? NULL : at;
    }
    (void)fclose(f);
    return s;
}

/* ---- in the worker --------------------------------------------------------------- */

typedef struct station {
    shared *shared;
    slot *slot;
    pid_t parent;
} station;

static bool report(void *context, double fraction)
{
    const station *s = context;
    s->slot->fraction = fraction;
    return s->shared->stop == 0 && getppid() == s->parent;
}

static int trouble(slot *s, const char *format, const char *what)
{
    (void)snprintf(s->trouble, sizeof s->trouble, format, what);
    return WORKER_TROUBLE;
}

static int write_numbers(const ph_figure *f, const char *folder, const table *t, slot *s)
{
    char *path = result_path(f, folder, "csv");
    outfile *out = path == NULL ? NULL : outfile_open(path);
    int error = errno;
    free(path);
    if (out != NULL) {
        table_write_csv(t, out);
        error = outfile_close(out, NULL);
    }
    return error == 0
               ? WORKER_DONE
               : trouble(s, "its numbers could not be written: %s", strerror(error));
}

static int work(const reproduce_request *r, const ph_figure *f, station *at)
{
    figure_work job = {.effort = r->effort,
                       .seed = figure_seed(f->name),
                       .report = report,
                       .context = at};
    table t = {0};
    const bool computed = f->compute(f, &job, &t);
    int status = WORKER_DONE;
    if (t.exhausted)
        status = trouble(at->slot, "%s", "there is no memory left");
    else if (!computed && job.trouble != NULL)
        status = trouble(at->slot, "%s", job.trouble);
    else if (!computed)
        status = WORKER_STOPPED;
    else
        status = write_numbers(f, r->folder, &t, at->slot);
    table_free(&t);
    return status;
}

/* ---- in the parent --------------------------------------------------------------- */

static bool begin(crew *c, size_t i, const ph_figure *f)
{
    slot *s = &c->shared->slot[i];
    memset(s, 0, sizeof *s);
    station at = {.shared = c->shared, .slot = s, .parent = getpid()};
    const pid_t process = fork();
    if (process < 0) {
        c->error = errno;
        return false;
    }
    if (process == 0) {
        interrupt_ignore();
        threads_limit();
        _exit(work(c->r, f, &at));
    }
    c->worker[i] = (worker){process, f, clock_now()};
    c->begun++;
    return true;
}

static double weight_of(const crew *c, const ph_figure *f)
{
    return larger_or_nan(f->seconds[c->r->effort], 0.1);
}

static void show(const crew *c)
{
    double done = c->weight_done;
    for (size_t i = 0; i < c->workers; i++) {
        if (c->worker[i].process != 0)
            done += c->shared->slot[i].fraction * weight_of(c, c->worker[i].figure);
    }
    progress_show(c->done, done / c->weight);
}

/* Looks whether the worker has ended; `wanted` becomes false if `done` says so. */
static void look(crew *c, size_t i, reproduce_done *done, void *context, bool *wanted)
{
    worker *w = &c->worker[i];
    int status;
    const pid_t ended = waitpid(w->process, &status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR))
        return;
    const ph_figure *f = w->figure;
    w->process = 0;
    const bool orderly = ended > 0 && WIFEXITED(status);
    if (orderly && WEXITSTATUS(status) == WORKER_STOPPED)
        return;
    c->done++;
    c->weight_done += weight_of(c, f);
    const char *why = NULL;
    if (!orderly || WEXITSTATUS(status) != WORKER_DONE)
        why = orderly && WEXITSTATUS(status) == WORKER_TROUBLE
                  ? c->shared->slot[i].trouble
                  : "its process ended unexpectedly";
    if (!done(context, f, clock_now() - w->begun, why))
        *wanted = false;
}

static bool all_idle(const crew *c)
{
    for (size_t i = 0; i < c->workers; i++) {
        if (c->worker[i].process != 0)
            return false;
    }
    return true;
}

/* Gives every idle worker a figure and looks after the others, until nothing is left. */
static bool keep_working(crew *c, const ph_figure *const *figures, size_t count,
                         reproduce_done *done, void *context)
{
    bool wanted = true, started = true;
    while ((wanted && started && !interrupted && c->begun < count) || !all_idle(c)) {
        if (interrupted || !wanted)
            c->shared->stop = 1;
        for (size_t i = 0; i < c->workers; i++) {
            if (c->worker[i].process != 0)
                look(c, i, done, context, &wanted);
            if (c->worker[i].process == 0 && c->begun < count && started && wanted &&
                !interrupted)
                started = begin(c, i, figures[c->begun]);
        }
        show(c);
        (void)nanosleep(&(struct timespec){0, LOOK_MS * 1000000L}, NULL);
    }
    return started && !interrupted;
}

bool reproduce_compute(const reproduce_request *r, const ph_figure *const *figures,
                       size_t count, reproduce_done *done, void *context)
{
    crew c = {.r = r, .shared = share()};
    if (c.shared == NULL)
        return false;
    c.workers = r->jobs < MOST_WORKERS ? r->jobs : MOST_WORKERS;
    for (size_t i = 0; i < count; i++)
        c.weight += weight_of(&c, figures[i]);
    progress_begin(false);
    const bool good = keep_working(&c, figures, count, done, context);
    progress_end();
    (void)munmap(c.shared, sizeof *c.shared);
    errno = c.error;
    return good;
}
