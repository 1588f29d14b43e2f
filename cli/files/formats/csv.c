/* csv.c - rows as CSV under the names of the columns, with seventeen digits, so that every
 * number reads back as it was. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/files/record.h"

enum { NUMBER = 27 }; /* bytes of a number, its comma and the line's end counted */

static size_t room(const record *r)
{
    return r->columns->count * NUMBER;
}

static bool begin(record *r)
{
    char *names = columns_names(r->columns);
    if (names == NULL)
        return false;
    outfile_write(r->out, names, strlen(names));
    outfile_write(r->out, "\n", 1);
    free(names);
    return true;
}

/* A row with words among its numbers, of any length; written piece by piece into one. */
static void write_words(record *r, const double *row)
{
    char *text = NULL;
    size_t size = 1, used = 0;
    for (size_t i = 0; i < r->columns->count; i++) {
        const char *const *words = r->columns->column[i].words;
        size += NUMBER + (words == NULL ? 0 : strlen(*words));
    }
    text = malloc(size);
    if (text == NULL) {
        r->out->error = ENOMEM;
        return;
    }
    for (size_t i = 0; i < r->columns->count; i++) {
        const char *const *words = r->columns->column[i].words,
                          *comma = i == 0 ? "" : ",";
        used += words == NULL
                    ? (size_t)snprintf(text + used, size - used, "%s%.17g", comma, row[i])
                    : (size_t)snprintf(text + used, size - used, "%s%s", comma, *words);
    }
    text[used++] = '\n';
    outfile_write(r->out, text, used);
    free(text);
}

static void write_row(record *r, const double *row)
{
    size_t used = 0;
    for (size_t i = 0; i < r->columns->count; i++) {
        if (r->columns->column[i].words != NULL) {
            write_words(r, row);
            return;
        }
    }
    for (size_t i = 0; i < r->columns->count; i++)
        used += (size_t)snprintf(r->bytes + used, NUMBER, "%s%.17g", i == 0 ? "" : ",",
                                 row[i]);
    r->bytes[used++] = '\n';
    outfile_write(r->out, r->bytes, used);
}

const file_format format_csv = {
    .suffix = "csv",
    .text = "CSV",
    .continues = true,
    .room = room,
    .begin = begin,
    .row = write_row,
};
