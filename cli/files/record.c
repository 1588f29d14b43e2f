/* record.c - rows of numbers, or frames of a system, in a file of some format. */
#define _POSIX_C_SOURCE 200809L
#include "cli/files/record.h"

#include <errno.h>
#include <math.h>
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
    const file_format *format = r->format;
    r->out = out;
    r->numbers = calloc(r->columns->count + 1, sizeof *r->numbers);
    r->bytes = malloc(format->room(r) + 1);
    if (r->numbers == NULL || r->bytes == NULL || !format->begin(r))
        return false;
    if (!format->at_end) /* half of what is written at the end is none */
        outfile_begin_rows(out);
    return true;
}

const char *record_refuse_time(const record *r, double first, double before, double t)
{
    return r->format->refuse_time == NULL ? NULL
                                          : r->format->refuse_time(r, first, before, t);
}

void record_add(record *r, const instant *now)
{
    const bool first = r->count == 0;
    r->start = first ? now->t : r->start;
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

static bool no_room(int error)
{
    return error == ENOSPC || error == EDQUOT || error == EFBIG || error == ENOMEM;
}

/* What is written at the end, and does not fit, is written again with fewer rows: with those
 * that the bytes in the file are enough for, then less by and by. */
void record_end(record *r)
{
    outfile *out = r->out;
    if (out == NULL || r->format->end == NULL)
        return;
    bool tried = out->error == 0;
    r->format->end(r);
    outfile_flush(out);
    while (r->format->at_end && no_room(out->error) && r->count > 0) {
        const unsigned long long fit =
                                     (unsigned long long)out->whole / r->format->room(r),
                                 less = r->count - 1 - r->count / 64;
        if (tried)
            r->count = fit < less ? fit : less;
        tried = true;
        outfile_again(out);
        if (r->count > 0)
            r->format->end(r);
        outfile_flush(out);
    }
}

void record_free(record *r)
{
    if (r->own != NULL && r->format->free != NULL)
        r->format->free(r);
    free(r->numbers);
    free(r->bytes);
    *r = (record){.count = r->count, .refused = r->refused, .last = r->last};
}
