/* record.h - rows of numbers, or frames of a system, in a file of some format.
 *
 * The end of a file's name says which format it is.
 */
#pragma once

#include "cli/files/format.h"

/* The i-th format, from 0; NULL past the last. */
const file_format *file_format_at(size_t i);

/* The format that a file's name ends in, in capitals or not: CSV without a suffix and for
 * "-", NULL for a suffix that is unknown. */
const file_format *file_format_of(const char *path);

/* Takes note of what is to be written, all of which must last, and says why the format cannot
 * hold it; NULL if it can. The file comes with record_begin. */
const char *record_prepare(record *r, const file_format *format, const column_set *c,
                           const instant *first, const file_about *about);

/* Begins with the head. False without memory. */
bool record_begin(record *r, outfile *out);

/* Adds the rows of an instant, or its frame; or sets r->refused. */
void record_add(record *r, const instant *now);

/* Why the format cannot hold a time after others, as its refuse_time says. */
const char *record_refuse_time(const record *r, double first, double before, double t);

/* Puts the file in order; it holds as many whole rows as were written, or as there is room
 * for. */
void record_end(record *r);

/* Frees what record_begin took; the file is the caller's. */
void record_free(record *r);
