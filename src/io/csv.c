/* csv.c - reads tables of numbers, CSV and npy. */
#define _POSIX_C_SOURCE 200809L
#include "io/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
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
    c->row = "line";
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
    const int used = snprintf(c->message, CSV_MESSAGE, "%.100s %s %llu", c->name, c->row,
                              c->in.number);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(c->message + used, (size_t)(CSV_MESSAGE - used), format, arguments);
    va_end(arguments);
    return CSV_WRONG;
}

/* What became of an attempt to read. */
static csv_status status_of(csv *c, lines_status read)
{
    switch (read) {
    case LINES_OK:
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

static csv_status next_line(csv *c, char **line, size_t *length)
{
    const csv_status status = status_of(c, lines_next(&c->in, line, length));
    return status == CSV_OK && strlen(*line) != *length
               ? csv_wrong(c, ": a NUL is no part of a table: leave it out")
               : status;
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

/* ---- arrays: https://numpy.org/neps/nep-0001-npy-format ------------------------------ */

static const char magic[] = "\x93NUMPY";
enum { MAGIC = sizeof magic - 1, PROLOGUE = MAGIC + 2, DOUBLE = 8, BYTE = 8 };

/* A number of n bytes, the low one first. */
static uint64_t little_endian(const char *at, size_t n)
{
    uint64_t x = 0;
    for (size_t k = n; k-- > 0;)
        x = x << BYTE | (unsigned char)at[k];
    return x;
}

/* The fields of a record, ('NAME', '<f8') one after the other; the names live in the text. */
static bool read_fields(csv *c, char *text)
{
    for (char *at = text; (at = strstr(at, "('")) != NULL && c->columns < CSV_COLUMNS;) {
        char *name = at + 2, *end = strchr(name, '\'');
        if (end == NULL || strncmp(end, "', '<f8')", strlen("', '<f8')")) != 0)
            return false;
        *end = '\0';
        if (csv_column(c, name) < c->columns)
            return false;
        c->column[c->columns++] = name;
        at = end + 1;
    }
    return c->columns > 0;
}

/* {'descr': '<f8', 'fortran_order': False, 'shape': (3, 10), }, or a list of fields and
 * the shape (3,). */
static bool read_dictionary(csv *c, char *text)
{
    static const char plain[] = "'descr': '<f8'", records[] = "'descr': [",
                      by_rows[] = "'fortran_order': False", shape[] = "'shape': (";
    char *size = strstr(text, shape), *end;
    c->unnamed = strstr(text, plain) != NULL;
    if (size == NULL || strstr(text, by_rows) == NULL)
        return false;
    size += strlen(shape);
    c->rows = strtoull(size, &end, 10);
    if (end == size || *end != ',')
        return false;
    if (!c->unnamed)
        return strncmp(end, ",)", 2) == 0 && strstr(text, records) != NULL &&
               read_fields(c, strstr(text, records));
    c->columns = (size_t)strtoull(end + 1, &end, 10);
    return *end == ')' && c->columns > 0 && c->columns < CSV_COLUMNS;
}

static csv_status read_array_header(csv *c)
{
    const char *at;
    c->array = true;
    c->row = "row";
    if (lines_bytes(&c->in, PROLOGUE + 4, &at) == LINES_OK) {
        const size_t width = at[MAGIC] == 1 ? 2 : 4, before = PROLOGUE + width;
        const uint64_t length = little_endian(at + PROLOGUE, width);
        if (length <= LINE_LONGEST &&
            lines_bytes(&c->in, before + length, &at) == LINES_OK) {
            memcpy(c->header, at + before, length);
            c->header[length] = '\0';
            lines_skip(&c->in, before + length);
            if (read_dictionary(c, c->header))
                return CSV_OK;
        }
    }
    (void)snprintf(c->message, CSV_MESSAGE,
                   "%.100s is no array of rows of doubles, or of records of doubles: "
                   "save numpy.ascontiguousarray(x, '<f8')",
                   c->name);
    return CSV_WRONG;
}

static csv_status read_array_row(csv *c, double *row)
{
    const char *at;
    const csv_status status = status_of(c, lines_bytes(&c->in, c->columns * DOUBLE, &at));
    if (status == CSV_END && c->in.number == c->rows && c->in.begin == c->in.end)
        return CSV_END;
    c->in.number++;
    if (status == CSV_END || (status == CSV_OK && c->in.number > c->rows))
        return csv_wrong(c, ": the header has %llu rows: save the array again", c->rows);
    for (size_t i = 0; status == CSV_OK && i < c->columns; i++) {
        const uint64_t bits = little_endian(at + i * DOUBLE, DOUBLE);
        memcpy(&row[i], &bits, sizeof row[i]);
        if (!isfinite(row[i]))
            return csv_wrong(c, ": number %zu is not finite: write a finite number",
                             i + 1);
    }
    lines_skip(&c->in, status == CSV_OK ? c->columns * DOUBLE : 0);
    return status;
}

/* ---- rows ------------------------------------------------------------------------ */

csv_status csv_header(csv *c)
{
    char *line;
    const char *at;
    if (lines_bytes(&c->in, MAGIC, &at) == LINES_OK && memcmp(at, magic, MAGIC) == 0)
        return read_array_header(c);
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
    if (c->array)
        return csv_wrong(c, ": this is an array, not CSV: write CSV");
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
    if (c->array)
        return read_array_row(c, row);
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
    while (i < c->columns && (c->unnamed || strcmp(c->column[i], name) != 0))
        i++;
    return i;
}
