/* record.h - rows of numbers: CSV with a header, or a NumPy array without names; or frames
 * of molecules, which xyz.h writes. */
#ifndef POLHODE_IO_RECORD_H
#define POLHODE_IO_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "io/outfile.h"

typedef enum record_format { RECORD_CSV, RECORD_NPY, RECORD_XYZ } record_format;

typedef struct record {
    outfile *out; /* the caller's */
    record_format format;
    size_t columns;
    char *row;                /* room for one */
    unsigned long long count; /* rows or frames added */
} record;

/* The format that a file's name ends in: .npy or .xyz in any case, else CSV. */
record_format record_format_of(const char *path);

/* Whether the file can hold the format: the shape of an array is written last, at its
 * beginning, so that the file must be a regular one. */
bool record_fits(record_format format, const outfile *out);

/* Begins with the header: the names of the columns, comma-separated; none of frames.
 * False without memory. */
bool record_begin(record *r, outfile *out, record_format format, const char *names);

/* One row. CSV has seventeen digits, so that every number reads back as it was. */
void record_add(record *r, const double *row);

/* Puts the header in order; the file holds as many whole rows as were written. */
void record_end(record *r);

/* What record_begin took; the file is the caller's. */
void record_free(record *r);

#endif
