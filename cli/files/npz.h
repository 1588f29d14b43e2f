/* npz.h - reads an archive of arrays that numpy.savez has made, as a table: each array is a
 * column of the same length; one of two dimensions gives columns NAME1, NAME2 ..., from NAME0
 * on where they are four, records give columns of their fields' names. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "cli/files/npy_header.h"

enum { NPZ_MESSAGE = 200, NPZ_NAME = 64 };

typedef struct npz npz;

/* Opens the archive in a file, whose descriptor stays the caller's; NULL with a message that
 * follows the file's name: "is ...: save ...". */
npz *npz_open(int fd, unsigned long long size, char message[NPZ_MESSAGE]);
void npz_close(npz *z); /* NULL is allowed */

size_t npz_columns(const npz *z);
unsigned long long npz_rows(const npz *z);
const char *npz_name(const npz *z, size_t column);

/* Reads row i; false if the file cannot be read there. */
bool npz_row(npz *z, unsigned long long i, double *row);
