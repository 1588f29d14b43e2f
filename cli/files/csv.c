/* csv.c - reads tables of numbers, CSV and npy. */
#define _POSIX_C_SOURCE 200809L
#include "cli/files/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files/advice.h"
#include "cli/files/number.h"
#include "cli/files/text.h"

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
    if (c != NULL)
        npz_close(c->archive);
    free(c);
}

csv_status csv_wrong(csv *c, const char *format, ...)
{
    const int used = c->in.number == 0
                         ? snprintf(c->message, CSV_MESSAGE, "%.100s", c->name)
                         : snprintf(c->message, CSV_MESSAGE, "%.100s %s %llu", c->name,
                                    c->row, c->in.number);
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
    static const char space[] = " \t\r";
    size_t count = 0;
    for (bool more = true; more; count++) {
        char *end = line + strcspn(line, ","), *last = end;
        more = *end == ',';
        line += strspn(line, space);
        while (last > line && strchr(space, last[-1]) != NULL)
            last--;
        *last = '\0';
        if (count < CSV_COLUMNS)
            field[count] = line;
        line = end + 1;
    }
    return count;
}

/* ---- arrays ---------------------------------------------------------------------- */

static csv_status wrong_file(csv *c, const char *why)
{
    (void)snprintf(c->message, CSV_MESSAGE, "%.90s %.200s", c->name, why);
    return CSV_WRONG;
}

static csv_status read_array_header(csv *c)
{
    const char *at;
    npy_header *h = &c->shape;
    c->array = true;
    c->row = "row";
    if (lines_bytes(&c->in, NPY_PROLOGUE + 4, &at) == LINES_OK) {
        const size_t length = npy_header_length(at, NPY_PROLOGUE + 4);
        if (length > 0 && lines_bytes(&c->in, length, &at) == LINES_OK &&
            npy_header_read(h, at, length) && (h->records || !h->flat)) {
            lines_skip(&c->in, length);
            c->unnamed = !h->records;
            c->rows = h->rows;
            c->columns = h->columns;
            for (size_t i = 0; i < c->columns; i++) {
                c->column[i] = h->records ? h->name[i] : NULL;
                c->bytes += npy_size(h->type[h->records ? i : 0]);
            }
            return CSV_OK;
        }
    }
    return wrong_file(c, "is no array of rows of doubles, or of records of doubles: "
                         "save numpy.ascontiguousarray(x, '<f8')");
}

static csv_status read_archive_header(csv *c)
{
    char message[NPZ_MESSAGE];
    c->array = true;
    c->row = "row";
    c->archive = npz_open(c->in.fd, c->size, message);
    if (c->archive == NULL)
        return wrong_file(c, message);
    c->in.ended = true; /* it is read by places */
    c->in.begin = c->in.end;
    c->rows = npz_rows(c->archive);
    c->columns = npz_columns(c->archive);
    if (c->columns > CSV_COLUMNS)
        return wrong_file(c, "has too many columns: save fewer");
    for (size_t i = 0; i < c->columns; i++)
        c->column[i] = npz_name(c->archive, i);
    return CSV_OK;
}

static csv_status finite_numbers(csv *c, const double *row)
{
    for (size_t i = 0; i < c->columns; i++) {
        if (!isfinite(row[i]) && !c->words[i])
            return csv_wrong(c, ": number %zu is not finite: write a finite number",
                             i + 1);
    }
    return CSV_OK;
}

static csv_status read_archive_row(csv *c, double *row)
{
    if (c->in.number == c->rows)
        return CSV_END;
    if (*c->in.stop)
        return CSV_STOPPED;
    c->in.number++;
    c->in.bytes =
        (unsigned long long)((double)c->size * (double)c->in.number / (double)c->rows);
    return npz_row(c->archive, c->in.number - 1, row)
               ? finite_numbers(c, row)
               : csv_wrong(c, " cannot be read: save the archive again");
}

static csv_status read_array_row(csv *c, double *row)
{
    const char *at;
    const npy_header *h = &c->shape;
    const csv_status status = status_of(c, lines_bytes(&c->in, c->bytes, &at));
    if (status == CSV_END && c->in.number == c->rows && c->in.begin == c->in.end)
        return CSV_END;
    c->in.number++;
    if (status == CSV_END || (status == CSV_OK && c->in.number > c->rows))
        return csv_wrong(c, ": the header has %llu rows: save the array again", c->rows);
    for (size_t i = 0; status == CSV_OK && i < c->columns; i++) {
        const npy_type type = h->type[h->records ? i : 0];
        row[i] = npy_number(type, at);
        at += npy_size(type);
    }
    lines_skip(&c->in, status == CSV_OK ? c->bytes : 0);
    return status == CSV_OK ? finite_numbers(c, row) : status;
}

/* ---- messages -------------------------------------------------------------------- */

/* The next row of a message, or for NULL its head. */
static csv_status read_message(csv *c, double *row)
{
    char *line;
    size_t length;
    double numbers[AEM_COLUMNS];
    for (;;) {
        const csv_status status = next_line(c, &line, &length);
        if (status == CSV_END)
            return aem_end(&c->attitudes) ? CSV_END
                                          : csv_wrong(c, "%s", c->attitudes.wrong);
        if (status != CSV_OK)
            return status;
        const aem_status read = aem_line(&c->attitudes, line, numbers);
        if (read == AEM_WRONG)
            return csv_wrong(c, "%s", c->attitudes.wrong);
        if (read == AEM_ROW)
            memcpy(row, numbers, c->columns * sizeof *row);
        if (read == (row == NULL ? AEM_BEGIN : AEM_ROW))
            return CSV_OK;
    }
}

static csv_status read_message_header(csv *c)
{
    c->array = c->is_message = true;
    const csv_status status = read_message(c, NULL);
    if (status != CSV_OK)
        return status;
    (void)snprintf(c->header, sizeof c->header, "%s", aem_columns(&c->attitudes));
    c->columns = split(c->header, c->field);
    for (size_t i = 0; i < c->columns; i++)
        c->column[i] = c->field[i];
    return CSV_OK;
}

/* ---- rows ------------------------------------------------------------------------ */

/* Whether every column has a name that other files can have: of characters that are shown, no
 * comma among them, and not twice. */
static csv_status check_names(csv *c)
{
    for (size_t i = 0; i < c->columns && !c->unnamed; i++) {
        const char *name = c->column[i];
        const size_t length = strlen(name);
        if (length == 0)
            return csv_wrong(c, ": column %zu has no name: write one", i + 1);
        if (length > CSV_NAME)
            return csv_wrong(c, ": the name of column %zu is too long: write %d bytes",
                             i + 1, CSV_NAME);
        if (!text_is_plain(name) || strchr(name, ',') != NULL ||
            strstr(name, LINES_MARK) != NULL)
            return csv_wrong(
                c,
                ": the name of column %zu has a comma, a control character, "
                "a byte-order mark or bytes that are no UTF-8: write another",
                i + 1);
        if (csv_column(c, name) < i)
            return csv_wrong(c, ": column %.60s stands twice: leave one out", name);
    }
    return CSV_OK;
}

static csv_status read_header(csv *c)
{
    char *line;
    const char *at;
    static const char archive[] = "PK\3\4";
    if (lines_bytes(&c->in, strlen(NPY_MAGIC), &at) == LINES_OK &&
        memcmp(at, NPY_MAGIC, strlen(NPY_MAGIC)) == 0)
        return read_array_header(c);
    if (lines_bytes(&c->in, strlen(archive), &at) == LINES_OK &&
        memcmp(at, archive, strlen(archive)) == 0)
        return read_archive_header(c);
    if (lines_bytes(&c->in, strlen(AEM_BEGINNING), &at) == LINES_OK &&
        memcmp(at, AEM_BEGINNING, strlen(AEM_BEGINNING)) == 0)
        return read_message_header(c);
    size_t length;
    const csv_status status = next_line(c, &line, &length);
    if (status != CSV_OK)
        return status;
    memcpy(c->header, line, length + 1);
    const size_t columns = split(c->header, c->field);
    c->columns = columns < CSV_COLUMNS ? columns : CSV_COLUMNS; /* more have no names */
    for (size_t i = 0; i < c->columns; i++)
        c->column[i] = c->field[i];
    return CSV_OK;
}

csv_status csv_header(csv *c)
{
    const csv_status status = read_header(c);
    return status == CSV_OK ? check_names(c) : status;
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
    if (c->is_message)
        return read_message(c, row);
    if (c->archive != NULL)
        return read_archive_row(c, row);
    if (c->array)
        return read_array_row(c, row);
    const csv_status status = csv_fields(c);
    for (size_t i = 0; status == CSV_OK && i < c->columns; i++) {
        const char *end = c->field[i];
        row[i] = NAN;
        if (c->words[i])
            continue;
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
            const size_t before = *rows * c->columns, now = room * c->columns;
            double *more = realloc(*x, now * sizeof *more);
            if (more == NULL)
                return csv_wrong(c, ": no memory left: write fewer rows");
            memset(more + before, 0, (now - before) * sizeof *more);
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
