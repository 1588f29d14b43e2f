/* npy.h - NumPy's format for arrays: a two-dimensional one of little-endian doubles. */
#ifndef POLHODE_IO_NPY_H
#define POLHODE_IO_NPY_H

#include <stddef.h>

#define NPY_HEADER 128 /* bytes; the format asks for a multiple of 64 */
#define NPY_NUMBER 8   /* bytes */

/* The header of an array of that shape, row after row. */
void npy_header(unsigned char header[NPY_HEADER], unsigned long long row_count,
                size_t columns);

/* A number as the array holds it. */
void npy_number(unsigned char bytes[NPY_NUMBER], double x);

#endif
