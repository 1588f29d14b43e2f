/* rows.h - the rows that a command writes: on standard output, or into a file. */
#ifndef POLHODE_CLI_ROWS_H
#define POLHODE_CLI_ROWS_H

#include "io/record.h"

/* Opens the file, `standard` for "-", and begins the rows in the format that its name
 * ends in. Returns 0, or the exit status of the error it reported; in either case *out,
 * if it is not NULL, is the caller's to close or to discard, and so are the rows. */
int rows_open(const char *path, outfile *standard, const char *columns, outfile **out,
              record *rows);

#endif
