/* record.c - rows of numbers, or frames of a system, in a file of some format. */
#define _POSIX_C_SOURCE 200809L
#include "io/record.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "found_format.h"

const file_format *file_format_at(size_t i)
{
    return i < sizeof format_rows / sizeof format_rows[0] ? format_rows[i] : NULL;
}

const file_format *file_format_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    const char *suffix = dot == NULL || dot[1] == '\0' ? "csv" : dot + 1;
    size_t i = 0;
    while (file_format_at(i) != NULL && strcasecmp(suffix, format_rows[i]->suffix) != 0)
        i++;
    return file_format_at(i);
}

bool record_begin(record *r, outfile *out, const file_format *format, const char *columns,
                  const ph_system *s)
{
    *r = (record){.out = out, .format = format, .columns = 1};
    for (const char *c = columns; *c != '\0'; c++)
        r->columns += *c == ',';
    r->numbers = calloc(r->columns, sizeof *r->numbers);
    r->bytes = malloc(format->room(r->columns, s));
    if (r->numbers == NULL || r->bytes == NULL)
        return false;
    format->begin(r, columns);
    outfile_begin_rows(out);
    return true;
}

void record_add(record *r, const double *row)
{
    r->format->row(r, row);
    r->count++;
}

void record_add_frame(record *r, ph_system *s)
{
    r->format->frame(r, s);
    r->count++;
}

void record_end(record *r)
{
    if (r->format != NULL && r->format->end != NULL)
        r->format->end(r);
}

void record_free(record *r)
{
    free(r->numbers);
    free(r->bytes);
    *r = (record){.count = r->count};
}
