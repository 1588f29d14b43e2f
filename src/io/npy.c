/* npy.c - NumPy's format for arrays.
 *
 * Version 1.0: "\x93NUMPY", 1, 0, the length of the rest of the header as two bytes, low
 * one first, then a Python dictionary, blanks, and a line end.
 * https://numpy.org/neps/nep-0001-npy-format
 */
#include "io/npy.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BYTE 8

void npy_header(unsigned char header[NPY_HEADER], unsigned long long row_count,
                size_t columns)
{
    static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    const size_t before = sizeof magic + 2, rest = NPY_HEADER - before;
    memcpy(header, magic, sizeof magic);
    header[sizeof magic] = (unsigned char)(rest & 0xFF);
    header[sizeof magic + 1] = (unsigned char)(rest >> BYTE);

    char text[NPY_HEADER];
    const int length = snprintf(
        text, rest, "{'descr': '<f8', 'fortran_order': False, 'shape': (%llu, %zu), }",
        row_count, columns);
    memset(header + before, ' ', rest);
    memcpy(header + before, text, length > 0 ? (size_t)length : 0);
    header[NPY_HEADER - 1] = '\n';
}

void npy_number(unsigned char bytes[NPY_NUMBER], double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    for (int i = 0; i < NPY_NUMBER; i++)
        bytes[i] = (unsigned char)(bits >> (BYTE * i) & 0xFF);
}
