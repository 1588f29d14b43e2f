/* csv.h - a table of numbers under a header of names, read whole. */
#ifndef POLHODE_IO_CSV_H
#define POLHODE_IO_CSV_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#define CSV_MESSAGE 300 /* bytes */

typedef struct csv {
    size_t columns, rows;
    char **name; /* of the columns */
    double *x;   /* row after row */
} csv;

/* Reads a file, "-" for standard input, until a signal sets *stop. False: `message` says
 * where and what is wrong, and what to do. Free it in either case. */
bool csv_read(csv *table, const char *path, const volatile sig_atomic_t *stop,
              char message[CSV_MESSAGE]);
void csv_free(csv *table);

/* The column of that name, or `columns` if there is none. */
size_t csv_column(const csv *table, const char *name);

#endif
