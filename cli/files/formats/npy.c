/* npy.c - rows as a NumPy array: a two-dimensional one of little-endian doubles, without the
 * names of the columns.
 *
 * Version 1.0: "\x93NUMPY", 1, 0, the length of the rest of the header as two bytes, low
 * one first, then a Python dictionary, blanks, and a line end.
 * https://numpy.org/neps/nep-0001-npy-format
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cli/files/record.h"

enum { HEADER = 128, NUMBER = 8, BYTE = 8 }; /* a header is a multiple of 64 bytes */

static size_t room(const record *r)
{
    return r->columns->count * NUMBER;
}

/* The header of an array of the rows that were added. */
static void make_header(unsigned char header[HEADER], const record *r)
{
    static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    const size_t before = sizeof magic + 2, rest = HEADER - before;
    memcpy(header, magic, sizeof magic);
    header[sizeof magic] = (unsigned char)(rest & 0xFF);
    header[sizeof magic + 1] = (unsigned char)(rest >> BYTE);

    char text[HEADER];
    const int length = snprintf(
        text, rest, "{'descr': '<f8', 'fortran_order': False, 'shape': (%llu, %zu), }",
        r->count, r->columns->count);
    memset(header + before, ' ', rest);
    memcpy(header + before, text, length > 0 ? (size_t)length : 0);
    header[HEADER - 1] = '\n';
}

static bool begin(record *r)
{
    unsigned char header[HEADER];
    make_header(header, r);
    outfile_write(r->out, header, sizeof header);
    return true;
}

static void write_row(record *r, const double *row)
{
    for (size_t i = 0; i < r->columns->count; i++) {
        uint64_t bits;
        memcpy(&bits, &row[i], sizeof bits);
        for (size_t k = 0; k < NUMBER; k++)
            r->bytes[i * NUMBER + k] = (char)(bits >> (BYTE * k) & 0xFF);
    }
    outfile_write(r->out, r->bytes, r->columns->count * NUMBER);
}

static void end(record *r)
{
    unsigned char header[HEADER];
    outfile_flush(r->out);
    if (r->out->whole < HEADER)
        return;
    r->count =
        ((unsigned long long)r->out->whole - HEADER) / (r->columns->count * NUMBER);
    make_header(header, r);
    outfile_replace(r->out, header, sizeof header);
}

const file_format format_npy = {
    .suffix = "npy",
    .text = "a NumPy array",
    .needs_file = true,
    .continues = true,
    .room = room,
    .begin = begin,
    .row = write_row,
    .end = end,
};
