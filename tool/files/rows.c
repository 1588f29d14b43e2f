/* rows.c - files of rows: of what format they are, how they are written and read. */
#define _GNU_SOURCE /* ppoll */
#include "tool/files/rows.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/choice.h"

#include "base/unit_names.h"
#include "found_format.h"
#include "tool/files/file_text.h"
#include "tool/files/memory.h"

const file_format *file_format_at(size_t i)
{
    if (i < COUNT(format_rows))
        return format_rows[i];
    return NULL;
}

const file_format *file_format_of(const char *path)
{
    const char *dot = strrchr(text_or(strrchr(path, '/'), path), '.'), *suffix = "csv";
    if (dot != NULL && dot[1] != '\0')
        suffix = dot + 1;
    size_t i = 0;
    while (file_format_at(i) != NULL && strcasecmp(suffix, format_rows[i]->suffix) != 0)
        i++;
    return file_format_at(i);
}

const char *record_prepare(record *r, const file_format *format, const column_set *c,
                           const instant *first, const file_about *about)
{
    *r = (record){.format = format, .columns = c, .first = *first, .about = about};
    if (format->refuse == NULL)
        return NULL;
    return format->refuse(r);
}

void record_begin(record *r, outfile *out)
{
    const file_format *format = r->format;
    r->out = out;
    r->width = r->columns->count;
    r->numbers = memory_new(r->width, sizeof *r->numbers);
    if (format->at_end)
        r->waiting = tmpfile();
    else
        r->waiting = NULL;
    if (format->at_end && r->waiting == NULL)
        out->error = errno;
    if (format->begin != NULL)
        format->begin(r);
    if (!format->at_end) /* half of what is written at the end is none */
        outfile_begin_rows(out);
}

const char *record_refuse_time(const record *r, double first, double before, double t)
{
    if (r->format->refuse_time == NULL)
        return NULL;
    return r->format->refuse_time(r, first, before, t);
}

void record_add(record *r, const instant *now)
{
    const bool first = r->count == 0;
    if (r->out->error != 0)
        return;
    if (first)
        r->start = now->t;
    r->refused = record_refuse_time(r, r->start, first ? NAN : r->last, now->t);
    r->last = now->t;
    if (r->refused != NULL)
        return;
    if (record_frames(r)) {
        r->format->frame(r, now);
        r->count += r->refused == NULL;
        return;
    }
    const size_t rows = columns_rows(r->columns, now);
    for (size_t i = 0; i < rows; i++) {
        columns_row(r->columns, now, i, r->numbers);
        r->format->row(r, r->numbers);
        r->count++;
    }
}

void record_keep(record *r, const double *row)
{
    if (fwrite(row, sizeof *row, r->width, r->waiting) != r->width)
        r->out->error = errno == 0 ? ENOSPC : errno;
}

/* Maps the rows that wait, and counts those that are whole: the disk they are on may be full, too. */
static void map_rows(record *r)
{
    struct stat file = {0};
    const size_t row = r->width * sizeof *r->kept;
    (void)fflush(r->waiting);
    (void)fstat(fileno(r->waiting), &file);
    const unsigned long long whole = (unsigned long long)file.st_size / row;
    if (!(r->count < whole))
        r->count = whole;
    r->mapped = r->count * row;
    void *map = r->numbers;
    if (r->mapped > 0)
        map = mmap(NULL, r->mapped, PROT_READ, MAP_PRIVATE, fileno(r->waiting), 0);
    if (map != MAP_FAILED)
        r->kept = map;
    else
        r->out->error = errno, r->mapped = 0;
}

/* What is written at the end, and does not fit, is written again with fewer rows: with those
 * that the bytes in the file are enough for, then less by and by. */
static void write_at_end(record *r)
{
    outfile *out = r->out;
    bool tried = out->error == 0;
    if (tried)
        r->format->end(r);
    outfile_flush(out);
    while ((out->error == ENOSPC || out->error == EDQUOT || out->error == EFBIG ||
            out->error == ENOMEM) &&
           r->count > 0) {
        const double fit = (double)r->count * (double)out->written / (double)out->asked;
        unsigned long long fewer = r->count - 1 - r->count / 64;
        if (fit < (double)fewer)
            fewer = (unsigned long long)fit;
        if (tried)
            r->count = fewer;
        tried = true;
        outfile_again(out);
        if (r->count > 0)
            r->format->end(r);
        outfile_flush(out);
    }
}

void record_end(record *r)
{
    if (r->out != NULL && r->waiting != NULL) {
        map_rows(r);
        if (r->kept != NULL)
            write_at_end(r);
    } else if (r->out != NULL && !r->format->at_end && r->format->end != NULL) {
        r->format->end(r);
    }
}

void record_free(void *of)
{
    record *r = of;
    if (r->own != NULL && r->format->free != NULL)
        r->format->free(r);
    if (r->mapped > 0)
        (void)munmap((void *)r->kept, r->mapped);
    if (r->waiting != NULL)
        (void)fclose(r->waiting);
    *r = (record){.count = r->count, .refused = r->refused, .last = r->last};
}

/* ---- reading: bytes and lines ----------------------------------------------------- */

static void cannot_read(char message[CSV_MESSAGE], const char *path)
{
    (void)snprintf(message, CSV_MESSAGE, "cannot read %.100s (%s): %s", path, strerror(errno),
                   advice(errno, "give a readable file"));
}

csv *csv_open(const char *path, const volatile sig_atomic_t *stop, char message[CSV_MESSAGE])
{
    int fd = STDIN_FILENO;
    if (strcmp(path, "-") != 0)
        fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        cannot_read(message, path);
        return NULL;
    }
    csv *c = memory_new(1, sizeof *c);
    memory_at_end(csv_close, c);
    struct stat file;
    if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode))
        c->size = (unsigned long long)file.st_size;
    c->name = text_of_path(path, "standard input");
    c->row = "line";
    c->fd = fd;
    c->stop = stop;
    return c;
}

void csv_close(void *file)
{
    csv *c = file;
    if (c != NULL && c->fd > STDIN_FILENO)
        (void)close(c->fd);
    if (c != NULL && c->map != NULL)
        (void)munmap((void *)c->map, c->size);
    if (c != NULL)
        c->fd = -1, c->map = NULL;
}

csv_status csv_wrong(csv *c, const char *format, ...)
{
    int used = snprintf(c->message, CSV_MESSAGE, "%.100s", c->name);
    if (c->number > 0)
        used += snprintf(c->message + used, (size_t)(CSV_MESSAGE - used), " %s %llu", c->row,
                         c->number);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(c->message + used, (size_t)(CSV_MESSAGE - used), format, arguments);
    va_end(arguments);
    return CSV_WRONG;
}

/* Waits until there is input, or SIGINT, SIGTERM or SIGHUP comes; true if one did. The signals are
 * let in only while waiting, so that none can slip between the look at the flag and the wait. */
static bool stopped_waiting(const csv *c)
{
    sigset_t interrupt, before;
    struct pollfd input = {.fd = c->fd, .events = POLLIN};
    if (sigemptyset(&interrupt) != 0 || sigaddset(&interrupt, SIGINT) != 0 ||
        sigaddset(&interrupt, SIGTERM) != 0 || sigaddset(&interrupt, SIGHUP) != 0 ||
        sigprocmask(SIG_BLOCK, &interrupt, &before) != 0)
        return false;
    while (!*c->stop && ppoll(&input, 1, NULL, &before) < 0 && errno == EINTR)
        continue;
    const bool stopped = *c->stop != 0;
    return sigprocmask(SIG_SETMASK, &before, NULL) == 0 && stopped;
}

static csv_status fill(csv *c)
{
    memmove(c->buffer, c->buffer + c->begin, c->end - c->begin);
    c->end -= c->begin;
    c->begin = 0;
    ssize_t n;
    do {
        if (stopped_waiting(c)) {
            (void)csv_wrong(c, ": reading was interrupted: run the command again");
            return CSV_STOPPED;
        }
        n = read(c->fd, c->buffer + c->end, CSV_CAPACITY - c->end);
    } while (n < 0 && errno == EINTR);
    if (n < 0) {
        cannot_read(c->message, c->name);
        return CSV_WRONG;
    }
    c->ended = n == 0;
    c->end += (size_t)n;
    c->bytes += (unsigned long long)n;
    return CSV_OK;
}

/* The end of the next line; or NULL. */
static char *line_end(csv *c)
{
    return memchr(c->buffer + c->begin, '\n', c->end - c->begin);
}

/* Whether there is no whole line yet, though more may come, and it is not too long for one. */
static bool needs_more(csv *c)
{
    return !c->ended && c->end - c->begin <= LINE_LONGEST + 1 && line_end(c) == NULL;
}

bool csv_waits(csv *c, long patience)
{
    bool filled = true; /* if not, it will not be when the line is asked for */
    while (filled && needs_more(c)) {
        struct pollfd input = {.fd = c->fd, .events = POLLIN};
        if (poll(&input, 1, (int)patience) <= 0)
            return true;
        filled = fill(c) == CSV_OK;
    }
    return false;
}

/* A line ends with LF or CR LF, the last one also with the end of the file; a byte-order mark
 * before the first is skipped. */
static csv_status read_line(csv *c, char **line)
{
    const size_t mark_length = strlen(TEXT_MARK);
    csv_status status = CSV_OK;
    while (status == CSV_OK && needs_more(c))
        status = fill(c);
    char *first = c->buffer + c->begin, *end = line_end(c);
    if (status == CSV_OK && c->begin == c->end)
        status = CSV_END;
    if (status != CSV_OK)
        return status;
    if (end == NULL)
        c->begin = c->end;
    else
        c->begin = (size_t)(end - c->buffer) + 1;
    if (end == NULL)
        end = c->buffer + c->end;
    c->number++;
    while (c->number == 1 && (size_t)(end - first) >= mark_length &&
           memcmp(first, TEXT_MARK, mark_length) == 0)
        first += mark_length;
    if (end > first && end[-1] == '\r')
        end--;
    *line = first;
    if (end - first > LINE_LONGEST)
        return csv_wrong(c, " is longer than %d bytes: write one row per line", LINE_LONGEST);
    *end = '\0';
    if (strlen(first) == (size_t)(end - first))
        return CSV_OK;
    return csv_wrong(c, ": a table cannot contain a NUL character: remove it");
}

csv_status csv_line(csv *c, char **line)
{
    csv_status status = read_line(c, line);
    while (status == CSV_OK && c->comments && **line == '#')
        status = read_line(c, line);
    return status;
}

csv_status csv_bytes(csv *c, size_t n, const char **at)
{
    csv_status status = CSV_OK;
    while (status == CSV_OK && !c->ended && c->end - c->begin < n)
        status = fill(c);
    *at = c->buffer + c->begin;
    if (status == CSV_OK && c->end - c->begin < n)
        return CSV_END;
    return status;
}

/* ---- reading: columns and rows ---------------------------------------------------- */

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

void csv_name_columns(csv *c, const char *names)
{
    (void)snprintf(c->header, sizeof c->header, "%s", names);
    c->columns = smaller_size(split(c->header, c->field), CSV_COLUMNS); /* more have no names */
    for (size_t i = 0; i < c->columns; i++)
        c->column[i] = c->field[i];
    c->unnamed = false;
}

/* Whether every column has a name that other files can have: of characters that are shown, no
 * comma among them, and not twice. */
static csv_status check_names(csv *c)
{
    for (size_t i = 0; i < c->columns && !c->unnamed; i++) {
        const char *name = c->column[i];
        const size_t length = strlen(name);
        if (length == 0)
            return csv_wrong(c, ": column %zu has no name: write its name", i + 1);
        if (length > CSV_NAME)
            return csv_wrong(c, ": the name of column %zu is too long: write at most %d bytes",
                             i + 1, CSV_NAME);
        if (!text_is_plain(name) || strchr(name, ',') != NULL || strstr(name, TEXT_MARK) != NULL)
            return csv_wrong(c,
                             ": the name of column %zu has a comma, a control character, a "
                             "byte-order mark or bytes that are not UTF-8: write another name",
                             i + 1);
        if (csv_column(c, name) < i)
            return csv_wrong(c, ": column %.*s occurs twice: remove one", text_cut(name, 60), name);
    }
    return CSV_OK;
}

void csv_set_unit(csv *c, const char *name, const char *unit)
{
    const ph_unit *known = ph_unit_find(unit, strlen(unit), NULL);
    const size_t i = csv_column(c, name);
    if (i < c->columns && known != NULL)
        c->unit[i] = known->name;
}

/* Takes the units that names end in, "euler1[deg]", from them. */
static void take_units(csv *c)
{
    for (size_t i = 0; i < c->columns && !c->unnamed; i++) {
        const char *name = c->column[i], *open = strchr(name, '[');
        const size_t length = strlen(text_or(open, ""));
        if (length < 3 || open == name || open[length - 1] != ']')
            continue;
        const ph_unit *u = ph_unit_find(open + 1, length - 2, NULL);
        if (u == NULL)
            continue;
        c->unit[i] = u->name;
        c->label[i] = name;
        c->column[i] = memory_text("%.*s", (int)(open - name), name);
    }
}

/* The format that the first bytes are of; CSV has none that tell. */
static const file_format *format_of_bytes(csv *c)
{
    const file_format *f;
    const char *at;
    for (size_t i = 0; (f = file_format_at(i)) != NULL; i++) {
        const size_t n = strlen(text_or(f->magic, ""));
        if (n > 0 && csv_bytes(c, n, &at) == CSV_OK && memcmp(at, f->magic, n) == 0)
            return f;
    }
    return file_format_of("-");
}

csv_status csv_header(csv *c)
{
    c->format = format_of_bytes(c);
    c->array = c->format->magic != NULL;
    const csv_status status = c->format->read_head(c);
    if (status == CSV_OK && c->units)
        take_units(c);
    if (status == CSV_OK)
        return check_names(c);
    return status;
}

csv_status csv_fields(csv *c)
{
    char *line;
    unsigned long long empty = 0; /* the first of the empty lines before */
    if (c->array)
        return csv_wrong(c, ": this is an array, not CSV: write a CSV file");
    csv_status status = csv_line(c, &line);
    for (; status == CSV_OK && line[strspn(line, " \t")] == '\0'; status = csv_line(c, &line)) {
        if (empty == 0)
            empty = c->number;
    }
    if (status != CSV_OK)
        return status;
    if (empty != 0) {
        c->number = empty;
        return csv_wrong(c, " is empty: remove it, because only the last line may be empty");
    }
    const size_t count = split(line, c->field);
    if (count == c->columns)
        return CSV_OK;
    return csv_wrong(c, " has %zu field%s: write %zu, one for each column", count, plural(count),
                     c->columns);
}

csv_status csv_row(csv *c, double *row)
{
    const csv_status status = c->format->read_row(c, row);
    for (size_t i = 0; status == CSV_OK && i < c->columns; i++) {
        if (!isfinite(row[i]) && !c->words[i])
            return csv_wrong(c, ": number %zu is not finite: write a finite number", i + 1);
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

size_t csv_find(const csv *c, const char *names, size_t count, size_t *at, const char **missing)
{
    size_t found = 0;
    *missing = NULL;
    for (size_t k = 0; k < count; k++) {
        const char *name = memory_word(&names);
        at[k] = csv_column(c, name);
        if (at[k] < c->columns)
            found++;
        else if (*missing == NULL)
            *missing = name;
    }
    return found;
}
