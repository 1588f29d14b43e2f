/* cases.c - many free bodies, a line each: reading, answering, writing. */
#define _POSIX_C_SOURCE 200809L
#include "cases.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/state.h"
#include "files.h"
#include "interrupt.h"
#include "io/advice.h"
#include "io/lines.h"
#include "io/number.h"
#include "io/record.h"
#include "io/sample.h"
#include "progress.h"
#include "report.h"
#include "standard.h"
#include "threads.h"

/* The columns of a case; the file may have them in any order. The time is the last. */
enum column { I1, I2, I3, M1, M2, M3, Q0, Q1, Q2, Q3, T, COLUMNS };
static const char *const column_names[COLUMNS] = {
    [I1] = "I1", [I2] = "I2", [I3] = "I3", [M1] = "m1", [M2] = "m2", [M3] = "m3",
    [Q0] = "q0", [Q1] = "q1", [Q2] = "q2", [Q3] = "q3", [T] = "t",
};
#define HEADER "I1,I2,I3,m1,m2,m3,q0,q1,q2,q3"

typedef struct cases {
    const cases_job *job;
    const char *name; /* of the file, for messages */
    lines in;
    unsigned long long size; /* of the file in bytes, 0 if unknown */
    size_t columns;          /* of the file */
    const char *header;
    enum column order[COLUMNS]; /* which column stands where */
    outfile *out;
    unsigned long long done;       /* cases answered */
    unsigned long long unphysical; /* of these, bodies that no matter has */
    unsigned long long unphysical_line;
    cases_block waiting; /* read and not yet answered */
} cases;

/* ---- answering ------------------------------------------------------------------- */

ph_batch cases_batch(cases_block *b)
{
    return (ph_batch){b->n,
                      {b->q[0], b->q[1], b->q[2], b->q[3]},
                      {b->m[0], b->m[1], b->m[2]},
                      {b->J[0], b->J[1], b->J[2]}};
}

static void write_answer(cases *c, const ph_state *s, const sample *x)
{
    if (c->job->json) {
        outfile_print(c->out, c->done == 0 ? "\n" : ",\n");
        if (!sample_write_json(c->out, x, -1.0))
            c->out->error = ENOMEM;
        return;
    }
    outfile_print(c->out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", s->m.x, s->m.y,
                  s->m.z, s->q.w, s->q.x, s->q.y, s->q.z);
}

static int fail_not_finite(const cases *c, size_t i)
{
    const cases_block *w = &c->waiting;
    return fail_run("%s line %llu: the state at t = %g is not finite: use other units or "
                    "a smaller time",
                    c->name, w->line[i], w->t[i]);
}

/* Answers a case that is at its time. */
static int answer_one(cases *c, size_t i)
{
    const cases_block *w = &c->waiting;
    const ph_body body = {
        {w->J[0][i], w->J[1][i], w->J[2][i]}, {1.0, 0.0, 0.0, 0.0}, true};
    const ph_state s = {{w->q[0][i], w->q[1][i], w->q[2][i], w->q[3][i]},
                        {w->m[0][i], w->m[1][i], w->m[2][i]}};
    const sample there = sample_of(&body, &s, w->t[i]);
    if (!sample_finite(&there))
        return fail_not_finite(c, i);
    if (!ph_body_physical(&body) && c->unphysical++ == 0)
        c->unphysical_line = w->line[i];
    write_answer(c, &s, &there);
    c->done++;
    return 0;
}

/* Answers the cases that wait, all at once. */
static int answer_waiting(cases *c)
{
    cases_block *w = &c->waiting;
    char why[CASES_WHY] = "";
    int wrong = 0;
    if (w->n == 0 || c->out->error != 0)
        return 0;
    w->before = c->done;
    w->to = c->size == 0 ? -1.0 : (double)c->in.bytes / (double)c->size;
    const size_t there = c->job->advance(c->job->context, w, why);
    for (size_t i = 0; i < there && wrong == 0; i++)
        wrong = answer_one(c, i);
    if (wrong == 0 && there < w->n)
        wrong = why[0] != '\0'
                    ? fail_run("%s line %llu: %s", c->name, w->line[there], why)
                : interrupted ? EXIT_INTERRUPTED
                              : fail_not_finite(c, there);
    w->n = 0;
    w->from = w->to;
    return wrong;
}

/* ---- reading --------------------------------------------------------------------- */

static bool is_blank(const char *line)
{
    return line[strspn(line, " \t")] == '\0';
}

/* Fails for the line read last, after the answers to those before it, unless one of
 * these fails first. */
__attribute__((format(printf, 2, 3))) static int fail_line(cases *c, const char *format,
                                                           ...)
{
    char problem[600];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(problem, sizeof problem, format, arguments);
    va_end(arguments);
    const int wrong = answer_waiting(c);
    if (wrong != 0)
        return wrong;
    return fail_usage("%s line %llu%s", c->name, c->in.number,
                      length < 0 ? " is wrong" : problem);
}

/* Fails for a reason that lies in the reading, not in what was read. */
static int fail_read(cases *c, lines_status status)
{
    if (status == LINES_TOO_LONG)
        return fail_line(c, " is longer than %d bytes: write one case per line",
                         LINE_LONGEST);
    const int error = c->in.error, wrong = answer_waiting(c);
    if (wrong != 0)
        return wrong;
    return fail_usage("cannot read " WORDS " (%s): %s", c->name, strerror(error),
                      advice(error, "give a readable file"));
}

/* One name of the header: [*text, end). */
static int read_name(cases *c, const char *text, size_t length, size_t place, bool *seen)
{
    while (length > 0 && (*text == ' ' || *text == '\t')) {
        text++;
        length--;
    }
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    for (enum column i = 0; i < c->columns; i++) {
        if (strlen(column_names[i]) != length ||
            memcmp(column_names[i], text, length) != 0)
            continue;
        if (seen[i])
            return fail_line(c, ": column %s stands twice: write %s", column_names[i],
                             c->header);
        seen[i] = true;
        c->order[place] = i;
        return 0;
    }
    return fail_line(c, ": `%.*s` is no column: write %s",
                     (int)(length < 100 ? length : 100), text, c->header);
}

static int read_header(cases *c)
{
    char *line;
    size_t length;
    const lines_status status = lines_next(&c->in, &line, &length);
    if (status == LINES_STOPPED)
        return EXIT_INTERRUPTED;
    if (status == LINES_END)
        return fail_usage("%s is empty: its first line is %s", c->name, c->header);
    if (status != LINES_OK)
        return fail_read(c, status);

    const char *end = line + length;
    bool seen[COLUMNS] = {false};
    for (size_t place = 0; place < c->columns; place++) {
        const size_t name = strcspn(line, ",");
        const int wrong = read_name(c, line, name, place, seen);
        if (wrong != 0)
            return wrong;
        line += name;
        if (place + 1 < c->columns && *line++ != ',')
            break;
    }
    for (enum column i = 0; i < c->columns; i++) {
        if (!seen[i])
            return fail_line(c, ": column %s is missing: write %s", column_names[i],
                             c->header);
    }
    if (line != end)
        return fail_line(c, ": more than %zu columns: write %s", c->columns, c->header);
    return 0;
}

/* How much of a field is quoted in a message. */
static int quoted(const char *field)
{
    const size_t length = strcspn(field, ","), most = 100;
    return (int)(length < most ? length : most);
}

static int read_case(cases *c, const char *line, size_t length, double x[COLUMNS])
{
    const char *at = line;
    for (size_t place = 0; place < c->columns; place++) {
        const char *name = column_names[c->order[place]];
        const char *after = at;
        const number_status status = number_read(&after, &x[c->order[place]]);
        if (status != NUMBER_OK || (*after != ',' && *after != '\0'))
            return fail_line(c, ": %s `%.*s` %s: write a finite number", name, quoted(at),
                             at, number_problem(status));
        if (place + 1 < c->columns && *after != ',')
            return fail_line(c, " has %zu numbers: write %zu", place + 1, c->columns);
        at = after + 1;
    }
    if (at != line + length + 1)
        return fail_line(c, " has more than %zu numbers: write %zu", c->columns,
                         c->columns);
    return 0;
}

/* Lets a case wait for its answer. */
static int take(cases *c, const double x[COLUMNS])
{
    cases_block *w = &c->waiting;
    ph_body body;
    const ph_state start = {.q = {x[Q0], x[Q1], x[Q2], x[Q3]},
                            .m = {x[M1], x[M2], x[M3]}};
    ph_status status = ph_body_from_moments(&body, vec3(x[I1], x[I2], x[I3]));
    if (status == PH_OK)
        status = ph_check(&body, &start);
    if (status != PH_OK)
        return fail_line(c, ": %s", ph_status_text(status));
    const ph_quat q = ph_quat_unit(start.q);
    const size_t i = w->n++;
    w->q[0][i] = q.w, w->q[1][i] = q.x, w->q[2][i] = q.y, w->q[3][i] = q.z;
    for (int k = 0; k < 3; k++) {
        w->m[k][i] = x[M1 + k];
        w->J[k][i] = x[I1 + k];
    }
    w->t[i] = x[T];
    w->line[i] = c->in.number;
    return 0;
}

/* Answers when a block is full, and when the writer of the cases waits: a program at both
 * ends of two pipes gets its answers. */
static int answer_in_time(cases *c)
{
    const size_t n = c->waiting.n;
    const bool idle = lines_waits(&c->in, n == 0 ? 0 : c->job->patience);
    const int wrong = idle || n == CASES_BLOCK ? answer_waiting(c) : 0;
    if (idle)
        outfile_flush(c->out);
    return wrong;
}

/* Reads cases up to the end, the first error, Ctrl-C, or an output that takes no more. */
static int read_all(cases *c)
{
    unsigned long long blank = 0; /* the first of the blank lines just before */
    while (c->out->error == 0) {
        int wrong = answer_in_time(c);
        if (wrong != 0)
            return wrong;
        char *line;
        size_t length;
        const lines_status status = lines_next(&c->in, &line, &length);
        if (status == LINES_STOPPED || interrupted)
            return EXIT_INTERRUPTED;
        if (status == LINES_END)
            return EXIT_DONE;
        if (status != LINES_OK)
            return fail_read(c, status);
        if (is_blank(line) && strlen(line) == length) {
            blank = blank == 0 ? c->in.number : blank;
            continue;
        }
        if (blank != 0) {
            c->in.number = blank;
            return fail_line(c, " is empty: only the last line may be");
        }
        double x[COLUMNS] = {[T] = c->job->time};
        wrong = read_case(c, line, length, x);
        if (wrong == 0)
            wrong = take(c, x);
        if (wrong != 0)
            return wrong;
        progress_show(c->done, c->waiting.from);
    }
    return EXIT_DONE;
}

/* ---- the files ------------------------------------------------------------------- */

/* Answers into c->out, after the header was read. */
static int run(cases *c)
{
    outfile_print(c->out, "%s",
                  c->job->json ? "{\"states\":[" : "m1,m2,m3,q0,q1,q2,q3\n");
    outfile_begin_rows(c->out);
    int status = read_all(c);
    const int wrong = answer_waiting(c);
    if (status == EXIT_DONE)
        status = wrong;
    progress_end();
    if (c->job->json)
        outfile_print(c->out, "\n]}\n");
    if (c->unphysical > 0)
        warn("%llu of the bodies, the first in %s line %llu, have moments of inertia "
             "that no "
             "matter has, one more than the sum of the others: check them",
             c->unphysical, c->name, c->unphysical_line);
    return status;
}

static int run_into(cases *c, const char *path)
{
    const bool standard = path == NULL || strcmp(path, "-") == 0;
    if (!standard && record_format_of(path) != RECORD_CSV)
        return fail_usage("the answers to cases are CSV, and " WORDS
                          " is named otherwise: name it .csv",
                          path);
    int status = standard ? file_refuse("-") : file_open(path, &c->out);
    if (status != 0)
        return status;
    if (standard)
        c->out = outfile_standard();
    if (c->out == NULL)
        return fail_memory();
    status = read_header(c);
    if (status != 0) {
        outfile_discard(c->out);
        return status;
    }
    status = run(c);
    if (standard)
        return standard_close(c->out, status);
    const int closed = file_close(c->out, path, "");
    return closed == 0 ? status : closed;
}

int cases_answer(const cases_job *job, const char *path, const char *out)
{
    const bool standard = strcmp(path, "-") == 0;
    const int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail_usage("cannot read " WORDS " (%s): %s", path, strerror(errno),
                          advice(errno, "give a readable file"));
    file_read(path);
    cases *c = calloc(1, sizeof *c);
    if (c == NULL) {
        (void)close(fd);
        return fail_memory();
    }
    c->job = job;
    c->name = standard ? "standard input" : path;
    c->columns = job->timed ? COLUMNS : T;
    c->header = job->timed ? HEADER ",t" : HEADER;
    struct stat file;
    if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode))
        c->size = (unsigned long long)file.st_size;
    threads_limit();
    lines_open(&c->in, fd, &interrupted);
    progress_begin(out == NULL || strcmp(out, "-") == 0);
    const int status = run_into(c, out);
    free(c);
    if (!standard)
        (void)close(fd);
    return status;
}
