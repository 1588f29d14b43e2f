/* record.c - rows of numbers: CSV with a header, or a NumPy array without names. */
#define _POSIX_C_SOURCE 200809L
#include "io/record.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "io/npy.h"

#define NUMBER 26 /* bytes of a number in CSV, its comma counted */

record_format record_format_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcasecmp(dot, ".npy") == 0 ? RECORD_NPY : RECORD_CSV;
}

bool record_fits(record_format format, const outfile *out)
{
    return format == RECORD_CSV || out->beside != NULL;
}

void record_begin(record *r, outfile *out, record_format format, const char *names)
{
    *r = (record){.out = out, .format = format, .columns = 1};
    for (const char *c = names; *c != '\0'; c++)
        r->columns += *c == ',';
    if (format == RECORD_CSV) {
        outfile_print(out, "%s\n", names);
        return;
    }
    unsigned char header[NPY_HEADER];
    npy_header(header, 0, r->columns);
    outfile_write(out, header, sizeof header);
}

void record_add(record *r, const double *row)
{
    if (r->format == RECORD_CSV) {
        char text[RECORD_COLUMNS * NUMBER];
        size_t used = 0;
        for (size_t i = 0; i < r->columns; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%.17g",
                                     i == 0 ? "" : ",", row[i]);
        text[used++] = '\n';
        outfile_write(r->out, text, used);
    } else {
        unsigned char bytes[RECORD_COLUMNS * NPY_NUMBER];
        for (size_t i = 0; i < r->columns; i++)
            npy_number(bytes + i * NPY_NUMBER, row[i]);
        outfile_write(r->out, bytes, r->columns * NPY_NUMBER);
    }
    r->count++;
}

void record_end(record *r)
{
    if (r->format != RECORD_NPY)
        return;
    outfile_flush(r->out);
    const unsigned long long size = (unsigned long long)r->columns * NPY_NUMBER;
    if (r->out->whole < NPY_HEADER)
        return;
    r->count = ((unsigned long long)r->out->whole - NPY_HEADER) / size;
    unsigned char header[NPY_HEADER];
    npy_header(header, r->count, r->columns);
    outfile_replace(r->out, header, sizeof header);
}
