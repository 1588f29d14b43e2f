/* format.h - what a file format is: one file, formats/NAME.c, with a descriptor
 * `const file_format format_NAME = {`, which the build finds. */
#pragma once

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
