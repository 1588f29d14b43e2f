/* csv.c - reads CSV. */
#define _POSIX_C_SOURCE 200809L
#include "io/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/advice.h"
#include "io/number.h"

csv *csv_open(const char *path, const volatile sig_atomic_t *stop,
              char message[CSV_MESSAGE])
{
    const bool standard = strcmp(path, "-") == 0;
    const int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    csv *c = fd < 0 ? NULL : calloc(1, sizeof *c);
    if (c == NULL) {
        (void)snprintf(message, CSV_MESSAGE, "cannot read %.100s (%s): %s", path,
                       strerror(errno), advice(errno, "give a readable file"));
        if (fd >= 0 && !standard)
            (void)close(fd);
        return NULL;
    }
    struct stat file;
    if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode))
        c->size = (unsigned long long)file.st_size;
    c->name = standard ? "standard input" : path;
    lines_open(&c->in, fd, stop);
    return c;
}

void csv_close(csv *c)
{
    if (c != NULL && c->in.fd != STDIN_FILENO)
        (void)close(c->in.fd);
    free(c);
}

csv_status csv_wrong(csv *c, const char *format, ...)
{
    const int used =
        snprintf(c->message, CSV_MESSAGE, "%.100s line %llu", c->name, c->in.number);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(c->message + used, (size_t)(CSV_MESSAGE - used), format, arguments);
    va_end(arguments);
    return CSV_WRONG;
}

static csv_status next_line(csv *c, char **line, size_t *length)
{
    switch (lines_next(&c->in, line, length)) {
    case LINES_OK:
        if (strlen(*line) != *length)
            return csv_wrong(c, ": a NUL is no part of a table: leave it out");
        return CSV_OK;
    case LINES_END:
        return CSV_END;
    case LINES_STOPPED:
        (void)csv_wrong(c, ": reading was interrupted: run again");
        return CSV_STOPPED;
    case LINES_TOO_LONG:
        return csv_wrong(c, " is longer than %d bytes: write one row per line",
                         LINE_LONGEST);
    case LINES_FAILED:
        break;
    }
    (void)snprintf(c->message, CSV_MESSAGE, "cannot read %.100s (%s): %s", c->name,
                   strerror(c->in.error), advice(c->in.error, "give a readable file"));
    return CSV_WRONG;
}

/* Cuts a line at its commas; returns how many fields there are, CSV_COLUMNS of them kept. */
static size_t split(char *line, char *field[CSV_COLUMNS])
{
    size_t count = 0;
    for (bool more = true; more; count++) {
        char *end = line + strcspn(line, ","), *last = end;
        more = *end == ',';
        line += strspn(line, " \t");
        while (last > line && (last[-1] == ' ' || last[-1] == '\t'))
            last--;
        *last = '\0';
        if (count < CSV_COLUMNS)
            field[count] = line;
        line = end + 1;
    }
    return count;
}

csv_status csv_header(csv *c)
{
    char *line;
    size_t length;
    const csv_status status = next_line(c, &line, &length);
    if (status != CSV_OK)
        return status;
    memcpy(c->header, line, length + 1);
    const size_t columns = split(c->header, c->field);
    for (; c->columns < columns && c->columns < CSV_COLUMNS; c->columns++) {
        const char *name = c->field[c->columns];
        if (name[0] == '\0')
            return csv_wrong(c, ": column %zu has no name: write one", c->columns + 1);
        if (csv_column(c, name) < c->columns)
            return csv_wrong(c, ": column %.60s stands twice: leave one out", name);
        c->column[c->columns] = name;
    }
    return CSV_OK;
}

csv_status csv_fields(csv *c)
{
    char *line;
    size_t length;
    unsigned long long empty = 0; /* the first of the empty lines before */
    for (;;) {
        const csv_status status = next_line(c, &line, &length);
        if (status != CSV_OK)
            return status;
        if (line[strspn(line, " \t")] != '\0')
            break;
        empty = empty == 0 ? c->in.number : empty;
    }
    if (empty != 0) {
        c->in.number = empty;
        return csv_wrong(c, " is empty: only the last line may be");
    }
    const size_t count = split(line, c->field);
    return count == c->columns ? CSV_OK
                               : csv_wrong(c,
                                           " has %zu field%s: write %zu, one for each "
                                           "column",
                                           count, count == 1 ? "" : "s", c->columns);
}

csv_status csv_row(csv *c, double *row)
{
    const csv_status status = csv_fields(c);
    for (size_t i = 0; status == CSV_OK && i < c->columns; i++) {
        const char *end = c->field[i];
        const number_status read = number_read(&end, &row[i]);
        if (read != NUMBER_OK || *end != '\0')
            return csv_wrong(c, ": %.60s `%.100s` %s: write a finite number",
                             c->column[i], c->field[i], number_problem(read));
    }
    return status;
}

csv_status csv_rows(csv *c, double **x, size_t *rows)
{
    size_t room = 0;
    csv_status status = CSV_OK;
    *x = NULL;
    for (*rows = 0; status == CSV_OK; *rows += status == CSV_OK) {
        if (*rows == room) {
            room = 2 * room + 64;
            double *more = realloc(*x, room * c->columns * sizeof *more);
            if (more == NULL)
                return csv_wrong(c, ": no memory left: write fewer rows");
            *x = more;
        }
        status = csv_row(c, *x + *rows * c->columns);
    }
    return status;
}

size_t csv_column(const csv *c, const char *name)
{
    size_t i = 0;
    while (i < c->columns && strcmp(c->column[i], name) != 0)
        i++;
    return i;
}
