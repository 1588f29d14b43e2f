/* npz.h - an archive of arrays of any shape, as NumPy reads it. */
#pragma once

#include "cli/files/outfile.h"

typedef struct npz_array {
    const char *name;
    const void *x;   /* numbers of eight bytes, the last index counting fastest */
    size_t shape[4]; /* up to a zero */
    bool whole;      /* they are integers, else doubles */
} npz_array;

void npz_write(outfile *out, const npz_array *array, size_t count);
