/* csv.c - rows as CSV under the names of the columns, with seventeen digits, so that every
 * number reads back as it was. */
#include <math.h>
#include <string.h>

#include "tool/files/file_text.h"
#include "tool/files/rows.h"

static void begin_csv(record *r)
{
    outfile_begin_piece(r->out);
    for (size_t i = 0; i < r->columns->count; i++)
        outfile_print(r->out, "%s%s", before_item(i, ","), r->columns->column[i].name);
    outfile_write(r->out, "\n", 1);
    outfile_end_piece(r->out);
}

/* A word of any length stands for a number where the column has words. */
static void write_row(record *r, const double *row)
{
    outfile_begin_piece(r->out);
    for (size_t i = 0; i < r->columns->count; i++) {
        const char *const *words = r->columns->column[i].words, *comma = before_item(i, ",");
        outfile_write(r->out, comma, strlen(comma));
        if (words == NULL)
            outfile_print(r->out, "%.17g", row[i]);
        else
            outfile_write(r->out, *words, strlen(*words));
    }
    outfile_write(r->out, "\n", 1);
    outfile_end_piece(r->out);
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
            return csv_wrong(c, ": %.60s `%.100s` %s: write a finite number", c->column[i],
                             c->field[i], number_problem(read));
    }
    return status;
}

const file_format format_csv = {
    .suffix = "csv",
    .text = "CSV",
    .undated = true,
    .continues = true,
    .begin = begin_csv,
    .row = write_row,
    .read_head = read_head,
    .read_row = read_row,
};
