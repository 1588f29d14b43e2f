/* record.c - rows of numbers, or frames of a system, in a file of some format. */
#define _POSIX_C_SOURCE 200809L
#include "cli/files/record.h"

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

const char *record_prepare(record *r, const file_format *format, const column_set *c,
                           const instant *first, const file_about *about)
{
    *r = (record){.format = format, .columns = c, .first = *first, .about = about};
    return format->refuse == NULL ? NULL : format->refuse(r);
}

bool record_begin(record *r, outfile *out)
{
    r->out = out;
    r->numbers = calloc(r->columns->count + 1, sizeof *r->numbers);
    r->bytes = malloc(r->format->room(r) + 1);
    if (r->numbers == NULL || r->bytes == NULL || !r->format->begin(r))
        return false;
    outfile_begin_rows(out);
    return true;
}

void record_add(record *r, const instant *now)
{
    if (record_frames(r)) {
        r->format->frame(r, now);
        r->count++;
        return;
    }
    const size_t rows = columns_rows(r->columns, now);
    for (size_t i = 0; i < rows; i++) {
        columns_row(r->columns, now, i, r->numbers);
        r->format->row(r, r->numbers);
        r->count++;
    }
}

void record_end(record *r)
{
    if (r->out != NULL && r->format->end != NULL)
        r->format->end(r);
}

void record_free(record *r)
{
    if (r->own != NULL && r->format->free != NULL)
        r->format->free(r);
    free(r->numbers);
    free(r->bytes);
    *r = (record){.count = r->count};
}
