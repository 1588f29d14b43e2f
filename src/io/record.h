/* record.h - rows of numbers, or frames of a system, in a file of some format.
 *
 * A format is one file, formats/NAME.c, with a descriptor `const file_format format_NAME = {`;
 * the build finds it. The end of a file's name says which one it is.
 */
#ifndef POLHODE_IO_RECORD_H
#define POLHODE_IO_RECORD_H

#include "io/outfile.h"
#include "polhode/system.h"

typedef struct file_format file_format;

typedef struct record {
    outfile *out; /* the caller's */
    const file_format *format;
    size_t columns;
    double *numbers;          /* room for a row */
    char *bytes;              /* room for a row or frame as it is written */
    unsigned long long count; /* rows or frames added */
} record;

struct file_format {
    const char *suffix; /* of a file's name, without the dot: "csv" */
    const char *text;   /* for people: "a NumPy array" */
    bool needs_file;    /* a regular file: its head is written again at the end */

    /* Bytes that a row of so many numbers takes at most, or a frame of the system. */
    size_t (*room)(size_t columns, const ph_system *s);
    /* Writes what comes before the rows; the columns are named comma-separated. */
    void (*begin)(record *r, const char *columns);
    /* Writes a row; or a frame, where the format holds those: one of them is NULL. */
    void (*row)(record *r, const double *row);
    void (*frame)(record *r, ph_system *s);
    /* Puts the head in order; NULL where there is nothing to do. */
    void (*end)(record *r);
};

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

#endif
