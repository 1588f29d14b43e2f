/* exact_cases.c - many bodies at one instant each: CSV in, CSV out, a block at a time, so
 * that files of any length take the same memory. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "polhode/batch.h"

#include "core/state.h"
#include "exact.h"
#include "interrupt.h"
#include "io/lines.h"
#include "io/number.h"
#include "progress.h"
#include "report.h"
#include "standard.h"

/* The columns of a case; the file may have them in any order. */
enum column { I1, I2, I3, M1, M2, M3, Q0, Q1, Q2, Q3, T, COLUMNS };
static const char *const column_names[COLUMNS] = {
    [I1] = "I1", [I2] = "I2", [I3] = "I3", [M1] = "m1", [M2] = "m2", [M3] = "m3",
    [Q0] = "q0", [Q1] = "q1", [Q2] = "q2", [Q3] = "q3", [T] = "t",
};
#define HEADER "I1,I2,I3,m1,m2,m3,q0,q1,q2,q3,t"

/* Cases read and not yet answered: what a block of the library holds several times. */
enum { WAITING = 2048 };

typedef struct waiting {
    size_t n;
    double q[4][WAITING], m[3][WAITING], J[3][WAITING], t[WAITING];
    unsigned long long line[WAITING];
} waiting;

typedef struct cases {
    const char *name; /* of the file, for messages */
    lines in;
    unsigned long long size;    /* of the file in bytes, 0 if unknown */
    enum column order[COLUMNS]; /* which column stands where */
    outfile *out;
    bool json;
    unsigned long long done;       /* cases answered */
    unsigned long long unphysical; /* of these, bodies that no matter has */
    unsigned long long unphysical_line;
    waiting waiting;
} cases;

/* ---- reading --------------------------------------------------------------------- */

static bool is_blank(const char *line)
{
    return line[strspn(line, " \t")] == '\0';
}

/* Fails for a reason that lies in the reading, not in what was read. */
static int fail_read(const cases *c, lines_status status)
{
    if (status == LINES_TOO_LONG)
        return fail_usage("%s line %llu is longer than %d bytes: write one case per line",
                          c->name, c->in.number, LINE_LONGEST);
    return fail_usage("cannot read %s (%s): give a readable file", c->name,
                      strerror(c->in.error));
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
    for (enum column i = 0; i < COLUMNS; i++) {
        if (strlen(column_names[i]) != length ||
            memcmp(column_names[i], text, length) != 0)
            continue;
        if (seen[i])
            return fail_usage("%s line %llu: column %s stands twice: write " HEADER,
                              c->name, c->in.number, column_names[i]);
        seen[i] = true;
        c->order[place] = i;
        return 0;
    }
    return fail_usage("%s line %llu: `%.*s` is no column: write " HEADER, c->name,
                      c->in.number, (int)(length < 100 ? length : 100), text);
}

static int read_header(cases *c)
{
    char *line;
    size_t length;
    const lines_status status = lines_next(&c->in, &line, &length);
    if (status == LINES_STOPPED)
        return EXIT_INTERRUPTED;
    if (status == LINES_END)
        return fail_usage("%s is empty: its first line is " HEADER, c->name);
    if (status != LINES_OK)
        return fail_read(c, status);

    const char *end = line + length;
    bool seen[COLUMNS] = {false};
    for (size_t place = 0; place < COLUMNS; place++) {
        const size_t name = strcspn(line, ",");
        const int wrong = read_name(c, line, name, place, seen);
        if (wrong != 0)
            return wrong;
        line += name;
        if (place + 1 < COLUMNS && *line++ != ',')
            break;
    }
    for (enum column i = 0; i < COLUMNS; i++) {
        if (!seen[i])
            return fail_usage("%s line 1: column %s is missing: write " HEADER, c->name,
                              column_names[i]);
    }
    if (line != end)
        return fail_usage("%s line 1: more than %d columns: write " HEADER, c->name,
                          COLUMNS);
    return 0;
}

/* How much of a field is quoted in a message. */
static int quoted(const char *field)
{
    const size_t length = strcspn(field, ","), most = 100;
    return (int)(length < most ? length : most);
}

static int read_case(const cases *c, const char *line, size_t length, double x[COLUMNS])
{
    const char *at = line;
    for (size_t place = 0; place < COLUMNS; place++) {
        const char *name = column_names[c->order[place]];
        const char *after = at;
        const number_status status = number_read(&after, &x[c->order[place]]);
        if (status != NUMBER_OK || (*after != ',' && *after != '\0'))
            return fail_usage("%s line %llu: %s `%.*s` %s: write a finite number",
                              c->name, c->in.number, name, quoted(at), at,
                              number_problem(status));
        if (place + 1 < COLUMNS && *after != ',')
            return fail_usage("%s line %llu has %zu numbers: write %d", c->name,
                              c->in.number, place + 1, COLUMNS);
        at = after + 1;
    }
    if (at != line + length + 1)
        return fail_usage("%s line %llu has more than %d numbers: write %d", c->name,
                          c->in.number, COLUMNS, COLUMNS);
    return 0;
}

/* ---- answering ------------------------------------------------------------------- */

static void write_answer(cases *c, const ph_body *body, const ph_state *s, double t)
{
    if (c->json) {
        const sample x = sample_of(body, s, t);
        outfile_print(c->out, c->done == 0 ? "\n" : ",\n");
        if (!sample_write_json(c->out, &x))
            c->out->error = ENOMEM;
        return;
    }
    outfile_print(c->out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", s->m.x, s->m.y,
                  s->m.z, s->q.w, s->q.x, s->q.y, s->q.z);
}

/* Answers a case whose state is known; where it is not finite, the run has failed, which
 * is not said where another error was said already. */
static int answer_one(cases *c, size_t i, bool stepped, bool said)
{
    const waiting *w = &c->waiting;
    const ph_body body = {
        {w->J[0][i], w->J[1][i], w->J[2][i]}, {1.0, 0.0, 0.0, 0.0}, true};
    const ph_state s = {{w->q[0][i], w->q[1][i], w->q[2][i], w->q[3][i]},
                        {w->m[0][i], w->m[1][i], w->m[2][i]}};
    const sample there = sample_of(&body, &s, w->t[i]);
    if (!stepped || !sample_finite(&there))
        return said ? EXIT_FAILED
                    : fail_run("%s line %llu: the state at t = %g is not finite: use "
                               "other units "
                               "or a smaller time",
                               c->name, w->line[i], w->t[i]);
    if (!ph_body_physical(&body) && c->unphysical++ == 0)
        c->unphysical_line = w->line[i];
    write_answer(c, &body, &s, w->t[i]);
    c->done++;
    return 0;
}

/* Answers the cases that wait, all at once. */
static int answer_waiting(cases *c, bool said)
{
    waiting *w = &c->waiting;
    const ph_batch all = {w->n,
                          {w->q[0], w->q[1], w->q[2], w->q[3]},
                          {w->m[0], w->m[1], w->m[2]},
                          {w->J[0], w->J[1], w->J[2]}};
    size_t failed = w->n;
    (void)ph_batch_step_each(ph_flow_named("exact"), &all, w->t, &failed);
    int wrong = 0;
    for (size_t i = 0; i < w->n && wrong == 0; i++)
        wrong = answer_one(c, i, i != failed, said);
    w->n = 0;
    return wrong;
}

/* Lets a case wait for its answer. */
static int take(cases *c, const double x[COLUMNS])
{
    waiting *w = &c->waiting;
    ph_body body;
    const ph_state start = {.q = {x[Q0], x[Q1], x[Q2], x[Q3]},
                            .m = {x[M1], x[M2], x[M3]}};
    ph_status status = ph_body_from_moments(&body, vec3(x[I1], x[I2], x[I3]));
    if (status == PH_OK)
        status = ph_check(&body, &start);
    if (status != PH_OK)
        return fail_usage("%s line %llu: %s", c->name, c->in.number,
                          ph_status_text(status));
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

/* Reads cases up to the end, the first error, Ctrl-C, or an output that takes no more. */
static int read_all(cases *c)
{
    unsigned long long blank = 0; /* the first of the blank lines just before */
    while (c->out->error == 0) {
        int wrong = 0;
        if (c->waiting.n == WAITING || lines_waits(&c->in))
            wrong = answer_waiting(c, false);
        if (wrong != 0)
            return wrong;
        if (lines_waits(&c->in))
            outfile_flush(
                c->out); /* a program at both ends of two pipes gets its answers */
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
        if (blank != 0)
            return fail_usage("%s line %llu is empty: only the last line may be", c->name,
                              blank);
        double x[COLUMNS];
        wrong = read_case(c, line, length, x);
        if (wrong == 0)
            wrong = take(c, x);
        if (wrong != 0)
            return wrong;
        progress_show(c->done,
                      c->size == 0 ? -1.0 : (double)c->in.bytes / (double)c->size);
    }
    return EXIT_DONE;
}

/* The same, and the answers to all that was read, also before an error. */
static int answer_all(cases *c)
{
    const int status = read_all(c), wrong = answer_waiting(c, status != EXIT_DONE);
    return status == EXIT_DONE ? wrong : status;
}

/* ---- the command ----------------------------------------------------------------- */

/* Answers into c->out, after the header was read. */
static int run(cases *c)
{
    outfile_print(c->out, "%s", c->json ? "{\"states\":[" : "m1,m2,m3,q0,q1,q2,q3\n");
    const int status = answer_all(c);
    progress_end();
    if (c->json)
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
    c->out = standard ? outfile_standard() : outfile_open(path);
    if (c->out == NULL)
        return fail_create(path, errno);
    int status = read_header(c);
    if (status != 0) {
        outfile_discard(c->out);
        return status;
    }
    status = run(c);
    if (standard)
        return standard_close(c->out, status);
    const int error = outfile_close(c->out);
    return error == 0 ? status : fail_write(path, error);
}

int exact_cases(const char *path, const char *out, bool json)
{
    const bool standard = strcmp(path, "-") == 0;
    const int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail_usage("cannot read " WORDS " (%s): give a readable file", path,
                          strerror(errno));
    cases *c = calloc(1, sizeof *c);
    if (c == NULL) {
        (void)close(fd);
        return fail_memory();
    }
    c->name = standard ? "standard input" : path;
    c->json = json;
    struct stat file;
    if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode))
        c->size = (unsigned long long)file.st_size;
    interrupt_watch();
    lines_open(&c->in, fd, &interrupted);
    progress_begin(out == NULL || strcmp(out, "-") == 0);
    const int status = run_into(c, out);
    free(c);
    if (!standard)
        (void)close(fd);
    return status;
}
