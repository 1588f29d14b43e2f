/* csv.c - a table of numbers under a header of names, read whole. */
#define _POSIX_C_SOURCE 200809L
#include "io/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/advice.h"
#include "io/lines.h"
#include "io/number.h"

typedef struct reader {
    csv *table;
    const char *path;
    char *message;
    lines *in;
    size_t capacity; /* rows that fit */
} reader;

__attribute__((format(printf, 2, 3))) static bool wrong(const reader *r,
                                                        const char *format, ...)
{
    const int used =
        snprintf(r->message, CSV_MESSAGE, "%.100s:%llu: ", r->path, r->in->number);
    va_list arguments;
    va_start(arguments, format);
    if (used > 0 && used < CSV_MESSAGE)
        (void)vsnprintf(r->message + used, (size_t)(CSV_MESSAGE - used), format,
                        arguments);
    va_end(arguments);
    return false;
}

static bool no_memory(const reader *r)
{
    return wrong(r, "no memory left: write fewer rows");
}

/* ---- the header ------------------------------------------------------------------ */

static bool add_name(reader *r, const char *text, size_t length)
{
    while (length > 0 && (*text == ' ' || *text == '\t')) {
        text++;
        length--;
    }
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    csv *t = r->table;
    char *name = strndup(text, length);
    char **more = realloc(t->name, (t->columns + 1) * sizeof *more);
    if (more != NULL)
        t->name = more;
    if (name == NULL || more == NULL) {
        free(name);
        return no_memory(r);
    }
    const bool twice = csv_column(t, name) < t->columns;
    t->name[t->columns++] = name;
    if (length == 0)
        return wrong(r, "column %zu has no name: write one", t->columns);
    return !twice || wrong(r, "column %.60s stands twice: leave one out", name);
}

static bool read_header(reader *r, const char *line)
{
    for (;;) {
        const size_t length = strcspn(line, ",");
        if (!add_name(r, line, length))
            return false;
        if (line[length] == '\0')
            return true;
        line += length + 1;
    }
}

/* ---- the rows -------------------------------------------------------------------- */

static bool make_room(reader *r)
{
    csv *t = r->table;
    if (t->rows < r->capacity)
        return true;
    const size_t capacity = r->capacity * 2 + 64, row = t->columns * sizeof *t->x;
    double *more = capacity <= (size_t)-1 / row ? realloc(t->x, capacity * row) : NULL;
    if (more == NULL)
        return no_memory(r);
    t->x = more;
    r->capacity = capacity;
    return true;
}

static bool read_row(reader *r, const char *line)
{
    csv *t = r->table;
    if (!make_room(r))
        return false;
    double *x = t->x + t->rows * t->columns;
    for (size_t i = 0; i < t->columns; i++) {
        const char *end = line;
        const number_status status = number_read(&end, &x[i]);
        if (status != NUMBER_OK || (*end != ',' && *end != '\0'))
            return wrong(r, "%.60s: `%.*s` %s: write a finite number", t->name[i],
                         (int)strcspn(line, ",") % LINE_LONGEST, line,
                         number_problem(status));
        if ((*end == ',') != (i + 1 < t->columns))
            return wrong(r, "%s than %zu numbers: write one for each column",
                         *end == ',' ? "more" : "fewer", t->columns);
        line = end + 1;
    }
    t->rows++;
    return true;
}

static bool read_lines(reader *r)
{
    char *line;
    size_t length;
    lines_status status;
    while ((status = lines_next(r->in, &line, &length)) == LINES_OK) {
        if (strlen(line) != length)
            return wrong(r, "a NUL is no part of a table: leave it out");
        if (line[strspn(line, " \t")] == '\0')
            continue;
        if (!(r->table->columns == 0 ? read_header(r, line) : read_row(r, line)))
            return false;
    }
    if (status == LINES_TOO_LONG)
        return wrong(r, "the line is longer than %d bytes: write one row per line",
                     LINE_LONGEST);
    if (status == LINES_FAILED)
        return wrong(r, "reading failed (%s): give a readable file",
                     strerror(r->in->error));
    if (status == LINES_STOPPED)
        return wrong(r, "reading was interrupted: run again");
    return r->table->rows > 0 || wrong(r, "there are no rows: write one for each body");
}

/* ---- the file -------------------------------------------------------------------- */

bool csv_read(csv *table, const char *path, const volatile sig_atomic_t *stop,
              char message[CSV_MESSAGE])
{
    const bool standard = strcmp(path, "-") == 0;
    const int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    *table = (csv){0};
    if (fd < 0) {
        (void)snprintf(message, CSV_MESSAGE, "cannot read %.100s (%s): %s", path,
                       strerror(errno), advice(errno, "give a readable file"));
        return false;
    }
    reader r = {.table = table,
                .path = standard ? "standard input" : path,
                .message = message,
                .in = malloc(sizeof *r.in)};
    bool done = false;
    if (r.in == NULL) {
        (void)snprintf(message, CSV_MESSAGE, "no memory left: end other programs");
    } else {
        lines_open(r.in, fd, stop);
        done = read_lines(&r);
    }
    free(r.in);
    if (!standard)
        (void)close(fd);
    return done;
}

void csv_free(csv *table)
{
    for (size_t i = 0; i < table->columns; i++)
        free(table->name[i]);
    free(table->name);
    free(table->x);
}

size_t csv_column(const csv *table, const char *name)
{
    size_t i = 0;
    while (i < table->columns && strcmp(table->name[i], name) != 0)
        i++;
    return i;
}
