/* csv.h - reads tables of numbers, one row after the other in constant memory.
 *
 * CSV: a line with the names of the columns, then rows; empty lines are allowed at the end
 * only. Or an array that NumPy has saved (npy): of doubles in rows, without names, or of
 * records of doubles, whose fields are the columns; or an archive of arrays (npz).
 * Or an attitude ephemeris message (aem.h). */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "cli/files/aem.h"
#include "cli/files/npz.h"

/* ---- the lines of a text file, one after the other, in constant memory ------------ */

#define LINE_LONGEST   4096  /* bytes of a line, its end not counted */
#define LINES_CAPACITY 65536 /* bytes read at once */

typedef enum lines_status {
    LINES_OK,
    LINES_END,      /* no more lines */
    LINES_STOPPED,  /* *stop was set while waiting for input */
    LINES_TOO_LONG, /* a line above LINE_LONGEST */
    LINES_FAILED,   /* reading failed; see error */
} lines_status;

typedef struct lines {
    int fd;
    const volatile sig_atomic_t *stop; /* a signal's flag that ends the wait for input */
    unsigned long long number;         /* of the last line given, from 1 */
    unsigned long long bytes;          /* read so far */
    int error;                         /* errno of LINES_FAILED */
    bool ended;
    size_t begin, end; /* what is read and not yet given */
    char buffer[LINES_CAPACITY + 1];
} lines;

void lines_open(lines *in, int fd, const volatile sig_atomic_t *stop);

/* The next line, without its end and with a NUL after it, and its length (it may hold
 * NULs of its own). It lives until the next call. */
lines_status lines_next(lines *in, char **line, size_t *length);

/* The next n bytes, at most LINES_CAPACITY, without taking them; LINES_END if there are fewer.
 * lines_skip takes them. */
lines_status lines_bytes(lines *in, size_t n, const char **at);
void lines_skip(lines *in, size_t n);

/* Whether the next call has to wait for input. Before saying so it gives the writer so
 * many milliseconds, or until a signal comes. The line given last is gone. */
bool lines_waits(lines *in, long patience);

/* ---- reads tables of numbers, one row after the other in constant memory ---------- */

enum {
    CSV_MESSAGE = 300,
    CSV_COLUMNS = LINE_LONGEST / 2 + 1, /* at most */
    CSV_NAME = 63,                      /* bytes of a column's name, at most */
};

typedef enum csv_status {
    CSV_OK,
    CSV_END,     /* no more rows */
    CSV_STOPPED, /* by a signal */
    CSV_WRONG,   /* the message says where and what is wrong, and what to do */
} csv_status;

typedef struct csv {
    const char *name; /* of the file, for messages */
    const char *row;  /* what a row is called there: "line", or "row" of an array */
    bool array;       /* an npy file */
    bool unnamed;     /* its columns have no names */
    unsigned long long rows; /* of an array */
    npy_header shape;        /* of an npy file */
    size_t bytes;            /* of a row of it */
    npz *archive;            /* of an npz file, or NULL */
    bool is_message;         /* an attitude ephemeris message */
    aem attitudes;           /* as far as it was read */
    lines in;
    unsigned long long size; /* of the file in bytes; 0: unknown */
    size_t columns;
    char header[LINE_LONGEST + 1]; /* the names live in it */
    const char *column[CSV_COLUMNS];
    char *field[CSV_COLUMNS]; /* of the last row, spaces around them taken away */
    bool words[CSV_COLUMNS];  /* the caller's wish: this column need not be a number */
    char message[CSV_MESSAGE];
} csv;

/* Opens a file, "-" for standard input, whose rows are read until a signal sets *stop; NULL
 * with a message. */
csv *csv_open(const char *path, const volatile sig_atomic_t *stop,
              char message[CSV_MESSAGE]);
void csv_close(csv *c); /* NULL is allowed */

/* Reads the header; CSV_END for an empty file. */
csv_status csv_header(csv *c);

/* Reads the next row: its fields, of a CSV; or its numbers, which are finite, one for each column, NaN for
 * words. */
csv_status csv_fields(csv *c);
csv_status csv_row(csv *c, double *row);

/* Reads all rows: *x is one memory block, row after row, to be freed in any case. */
csv_status csv_rows(csv *c, double **x, size_t *rows);

/* The column of that name, or `columns` if there is none. */
size_t csv_column(const csv *c, const char *name);

/* Writes the message, after the file and the line read last. */
__attribute__((format(printf, 2, 3))) csv_status csv_wrong(csv *c, const char *format,
                                                           ...);
