/* record.c - rows of numbers: CSV with a header, or a NumPy array without names. */
#define _POSIX_C_SOURCE 200809L
#include "io/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/npy.h"

#define NUMBER 27 /* bytes of a number in CSV, its comma and the line's end counted */

record_format record_format_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    if (dot != NULL && strcasecmp(dot, ".npy") == 0)
        return RECORD_NPY;
    return dot != NULL && strcasecmp(dot, ".xyz") == 0 ? RECORD_XYZ : RECORD_CSV;
}

bool record_fits(record_format format, const outfile *out)
{
    return format != RECORD_NPY || out->beside != NULL;
}

bool record_begin(record *r, outfile *out, record_format format, const char *names)
{
    *r = (record){.out = out, .format = format, .columns = 1};
    for (const char *c = names; *c != '\0'; c++)
        r->columns += *c == ',';
    r->row = malloc(r->columns * NUMBER);
    if (r->row == NULL)
        return false;
    if (format == RECORD_CSV) {
        outfile_write(out, names, strlen(names));
        outfile_write(out, "\n", 1);
    } else if (format == RECORD_NPY) {
        unsigned char header[NPY_HEADER];
        npy_header(header, 0, r->columns);
        outfile_write(out, header, sizeof header);
    }
    outfile_begin_rows(out);
    return true;
}

void record_add(record *r, const double *row)
{
    size_t used = 0;
    for (size_t i = 0; i < r->columns; i++) {
        if (r->format == RECORD_CSV) {
            used += (size_t)snprintf(r->row + used, NUMBER, "%s%.17g", i == 0 ? "" : ",",
                                     row[i]);
        } else {
            npy_number((unsigned char *)r->row + used, row[i]);
            used += NPY_NUMBER;
        }
    }
    if (r->format == RECORD_CSV)
        r->row[used++] = '\n';
    outfile_write(r->out, r->row, used);
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

void record_free(record *r)
{
    free(r->row);
    r->row = NULL;
}
