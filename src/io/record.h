/* record.h - rows of numbers, or frames of a system, in a file of some format.
 *
 * The end of a file's name says which format it is.
 */
#pragma once

#include "io/format.h"

/* The i-th format, from 0; NULL past the last. */
const file_format *file_format_at(size_t i);

/* The format that a file's name ends in, in capitals or not: CSV without a suffix and for
 * "-", NULL for a suffix that is unknown. */
const file_format *file_format_of(const char *path);

/* Begins with the head. The system, for a format of frames, is the one to be written; or
 * NULL. False without memory. */
bool record_begin(record *r, outfile *out, const file_format *format, const char *columns,
                  const ph_system *s);

/* Adds one row, or one frame. */
void record_add(record *r, const double *row);
void record_add_frame(record *r, ph_system *s);

/* Puts the head in order; the file holds as many whole rows as were written. */
void record_end(record *r);

/* Frees what record_begin took; the file is the caller's. */
void record_free(record *r);
