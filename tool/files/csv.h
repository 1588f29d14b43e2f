/* csv.h - reads files of rows of numbers, one after the other in constant memory.
 *
 * CSV: a line with the names of the columns, then rows. Or another format that is read
 * (formats/): npy, npz, aem.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tool/files/epoch.h"

typedef enum csv_status {
    CSV_OK,
    CSV_END,     /* no more rows */
    CSV_STOPPED, /* by a signal */
    CSV_WRONG,   /* the message says where and what is wrong, and what to do */
} csv_status;

enum {
    LINE_LONGEST = 4096,  /* bytes of a line, its end not counted */
    CSV_CAPACITY = 65536, /* bytes that are read at once */
    CSV_MESSAGE = 300,
    CSV_COLUMNS = LINE_LONGEST / 2 + 1, /* at most */
    CSV_NAME = 63,                      /* bytes of a column's name, at most */
};

/* Whose motion the rows of a file are, as it says; NULL: it does not. `frame` is the one at rest that the
 * attitude is relative to, and `centre` the name of the body that is orbited. */
typedef struct file_origin {
    const char *object, *object_id, *frame, *centre;
} file_origin;

/* A file of rows that is read, in constant memory. */
typedef struct csv {
    const char *name; /* of the file, for messages */
    const char *row;  /* what a row is called there: "line", or "row" of an array */
    const struct file_format *format;
    void *own;               /* what the format keeps */
    bool array;              /* its rows are numbers, and no text */
    bool unnamed;            /* its columns have no names */
    unsigned long long rows; /* of an array */
    unsigned long long size; /* of the file in bytes; 0: unknown */
    const char *map;         /* all of them, in memory; or NULL */
    size_t columns;
    char header[LINE_LONGEST + 1]; /* the names live in it */
    const char *column[CSV_COLUMNS];
    /* Of a column: its name with the unit that it ends in, NULL if there is none; and the unit that the file
     * says, one of base/unit_names.h, or NULL. */
    const char *label[CSV_COLUMNS], *unit[CSV_COLUMNS];
    char *field[CSV_COLUMNS]; /* of the last row, spaces around them taken away */
    bool words[CSV_COLUMNS];  /* the caller's wish: this column need not be a number */
    bool whole[CSV_COLUMNS];  /* this column of an array has integers, in the last row: */
    int64_t integer[CSV_COLUMNS];
    bool comments;          /* the caller's wish: lines that begin with # are skipped */
    bool units;             /* the caller's wish: names may end in a unit, euler1[deg] */
    char epoch[EPOCH_TEXT]; /* the date of t = 0; empty: unknown */
    file_origin origin;
    /* The caller's wish: frames at rest that attitudes may be relative to. */
    const struct named_frame *frame;
    size_t frames;
    int fd;
    const volatile sig_atomic_t *stop; /* a signal's flag that ends the wait for input */
    unsigned long long number;         /* of the last line or row given, from 1 */
    unsigned long long bytes;          /* read so far */
    bool ended;
    size_t begin, end; /* what is read and not yet given */
    char buffer[CSV_CAPACITY + 1];
    char message[CSV_MESSAGE];
} csv;

/* Opens a file, "-" for standard input, whose rows are read until a signal sets *stop; NULL
 * with a message. It is closed when the command ends, or before. */
csv *csv_open(const char *path, const volatile sig_atomic_t *stop, char message[CSV_MESSAGE]);
void csv_close(void *c); /* NULL is allowed */

/* Reads the header; CSV_END for an empty file. */
csv_status csv_header(csv *c);

/* Reads the next row: its fields, of a CSV; or its numbers, which are finite, one for each column,
 * NaN for words. Empty lines are allowed at the end only. */
csv_status csv_fields(csv *c);
csv_status csv_row(csv *c, double *row);

/* The column of that name, or `columns` if there is none. */
size_t csv_column(const csv *c, const char *name);

/* Finds the columns of `count` names, separated by commas: at[k] is that of name k, or `columns`. Returns
 * how many there are; *missing is the first name that is not there, or NULL. */
size_t csv_find(const csv *c, const char *names, size_t count, size_t *at, const char **missing);

/* Returns true if input stays away for `patience` milliseconds, or if a signal interrupts the wait,
 * before the next row is complete. Invalidates c->field. */
bool csv_waits(csv *c, long patience);

/* Writes the message, after the file and the line read last, if one was. */
__attribute__((format(printf, 2, 3))) csv_status csv_wrong(csv *c, const char *format, ...);

/* For formats: the next line, without its end; the next n bytes, at most CSV_CAPACITY, without
 * taking them, which c->begin += n does; the names of the columns, comma-separated. */
csv_status csv_line(csv *c, char **line);
csv_status csv_bytes(csv *c, size_t n, const char **at);
void csv_name_columns(csv *c, const char *names);

/* For formats: the file says that a column has this unit. Others than those of base/unit_names.h are
 * passed over. */
void csv_set_unit(csv *c, const char *name, const char *unit);
