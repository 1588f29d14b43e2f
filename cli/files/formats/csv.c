/* csv.c - rows as CSV under the names of the columns, with seventeen digits, so that every
 * number reads back as it was. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/files/rows.h"
#include "cli/files/text.h"

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

/* A word of any length stands for a number where the column has words. */
static void write_row(record *r, const double *row)
{
    size_t size = 1, used = 0;
    char *text = r->bytes;
    for (size_t i = 0; i < r->columns->count; i++) {
        const char *const *words = r->columns->column[i].words;
        size += NUMBER + (words == NULL ? 0 : strlen(*words));
    }
    if (size > room(r) + 1 && (text = malloc(size)) == NULL) {
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
    if (text != r->bytes)
        free(text);
}

static csv_status read_head(csv *c)
{
    char *line;
    const csv_status status = csv_line(c, &line);
    if (status == CSV_OK)
        csv_name_columns(c, line);
    return status;
}

static csv_status read_row(csv *c, double *row)
{
    const csv_status status = csv_fields(c);
    for (size_t i = 0; status == CSV_OK && i < c->columns; i++) {
        const char *end = c->field[i];
        row[i] = NAN;
        if (c->words[i])
            continue;
        const number_status read = number_read(&end, &row[i]);
        if (read != NUMBER_OK || *end != '\0')
            return csv_wrong(c, ": %.60s `%.100s` %s: write a finite number",
                             c->column[i], c->field[i], number_problem(read));
    }
    return status;
}

const file_format format_csv = {
    .suffix = "csv",
    .text = "CSV",
    .continues = true,
    .room = room,
    .begin = begin,
    .row = write_row,
    .read_head = read_head,
    .read_row = read_row,
};
