/* convert.c - rows of a file in another format, or other columns of them. */
#include "cli/command.h"
#include "cli/files/table.h"
#include "cli/input/show.h"
#include "cli/tool.h"
#include "convert.help.h"

/* All rows up to the last, a wrong one, Ctrl-C, or an output that takes no more. */
static int copy_rows(table *from, record *rows)
{
    csv_status status = CSV_OK;
    while (status == CSV_OK && rows->out->error == 0) {
        if (interrupted)
            return EXIT_INTERRUPTED;
        record_add(rows, &from->now);
        REFUSE_IF(rows->refused != NULL, REFUSED_ROW, from->rows, from->now.t,
                  rows->format->text, rows->refused);
        status = table_next(from);
    }
    return status == CSV_WRONG     ? fail_usage("%s", from->message)
           : status == CSV_STOPPED ? EXIT_INTERRUPTED
                                   : 0;
}

static int convert(table *from, const show_request *show, const char *path)
{
    outfile *standard = outfile_standard(), *out = NULL;
    record rows = {0};
    column_set chosen = {0};
    file_about about = {.command = command_words(),
                        .problem = "",
                        .method = "convert",
                        .epoch = show->epoch};
    if (standard == NULL)
        return fail_memory();
    if (about.epoch == NULL && from->in->epoch[0] != '\0')
        about.epoch = from->in->epoch;
    int status = show_columns(show, &from->now, false, &chosen);
    if (status == 0)
        status = rows_open(path, standard, &chosen, &from->now, &about, &out, &rows);
    const bool opened = status == 0;
    if (opened) {
        status = copy_rows(from, &rows);
        record_end(&rows);
    }
    record_free(&rows);
    columns_free(&chosen);
    if (out != NULL && out != standard && !opened) {
        outfile_discard(out);
    } else if (out != NULL && out != standard) {
        const int closed = file_close(out, path, "");
        status = status == 0 ? closed : status;
    }
    return standard_close(standard, status);
}

static int run(const arguments *given)
{
    table from;
    show_request show = {0};
    const need needs[] = {{"--out", argument(given, "--out") != NULL}};
    REFUSE_IF(given->operands != 1, "convert takes one file: name it");
    TRY(refuse_missing(given, needs, 1));
    TRY(show_read(&show, given));
    const char *path = given->operand[0];
    int status =
        table_open(&from, path, &interrupted) ? 0 : fail_usage("%s", from.message);
    if (status == 0) {
        file_read(path);
        const csv_status first = table_next(&from);
        if (first == CSV_OK)
            status = convert(&from, &show, argument(given, "--out"));
        else if (first == CSV_STOPPED)
            status = EXIT_INTERRUPTED;
        else
            status = first == CSV_END
                         ? fail_usage(WORDS " has no rows: name one that has", path)
                         : fail_usage("%s", from.message);
    }
    table_close(&from);
    return status;
}

const command command_convert = {
    .name = "convert",
    .help = convert_help,
    .run = run,
};
