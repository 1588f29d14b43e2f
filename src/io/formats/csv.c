/* csv.c - rows as CSV under the names of the columns, with seventeen digits, so that every
 * number reads back as it was. */
#include <stdio.h>
#include <string.h>

#include "io/format.h"

enum { NUMBER = 27 }; /* bytes of a number, its comma and the line's end counted */

static size_t room(size_t columns, const ph_system *s)
{
    (void)s;
    return columns * NUMBER;
}

static void begin(record *r, const char *columns)
{
    outfile_write(r->out, columns, strlen(columns));
    outfile_write(r->out, "\n", 1);
}

static void write_row(record *r, const double *row)
{
    size_t used = 0;
    for (size_t i = 0; i < r->columns; i++)
        used += (size_t)snprintf(r->bytes + used, NUMBER, "%s%.17g", i == 0 ? "" : ",",
                                 row[i]);
    r->bytes[used++] = '\n';
    outfile_write(r->out, r->bytes, used);
}

const file_format format_csv = {
    .suffix = "csv",
    .text = "CSV",
    .room = room,
    .begin = begin,
    .row = write_row,
};
