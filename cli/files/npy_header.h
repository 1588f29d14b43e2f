/* npy_header.h - the header of an array that NumPy has saved, and its numbers.
 *
 * https://numpy.org/neps/nep-0001-npy-format
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NPY_MAGIC "\x93NUMPY"

enum { NPY_LONGEST = 4096, NPY_PROLOGUE = 8, NPY_FIELDS = 512 };

/* A number of an element: little-endian doubles, floats and signed integers. */
typedef enum npy_type { NPY_NONE, NPY_F8, NPY_F4, NPY_I8, NPY_I4 } npy_type;

typedef struct npy_header {
    size_t length;             /* bytes before the data */
    unsigned long long rows;   /* the first dimension */
    size_t columns;            /* the second, 1 if there is none; or fields of a record */
    bool flat;                 /* there is no second */
    bool records;              /* the columns have names */
    npy_type type[NPY_FIELDS]; /* of the columns; of an array without names the first */
    const char *name[NPY_FIELDS]; /* within the text */
    char text[NPY_LONGEST + 1];
} npy_header;

/* How many bytes of the beginning of a file make its header; 0 if it is none, or longer than
 * NPY_LONGEST. `size` bytes are there, at least NPY_PROLOGUE + 4. */
size_t npy_header_length(const char *bytes, size_t size);

/* Reads a whole header; false if the array is none of rows of numbers. */
bool npy_header_read(npy_header *h, const char *bytes, size_t length);

/* The bytes of a number, and its value. */
size_t npy_size(npy_type type);
double npy_number(npy_type type, const char *at);

/* A whole number of n bytes, the low one first. */
uint64_t little_endian(const char *at, size_t n);
