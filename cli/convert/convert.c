/* convert.c - rows of a file in another format, or other columns of them. */
#include "cli/output/loop.h"
#include "convert.help.h"

static int begin(void *self, loop *l)
{
    rows_file *f = self;
    f->about = (file_about){.problem = "", .method = "convert", .epoch = f->show->epoch};
    if (f->about.epoch == NULL)
        f->about.epoch = l->epoch;
    return rows_begin(f, &l->now);
}

static int finish(void *self, loop *l, int status)
{
    rows_file *f = self;
    (void)l;
    const int closed = rows_close(f, "");
    if (status == 0)
        status = rows_refused(f, EXIT_USAGE, "");
    return status == 0 ? closed : status;
}

static int run(const arguments *given, outfile *out)
{
    show_request show = {0};
    rows_file rows = {.path = argument(given, "--out"), .standard = out, .show = &show};
    const observer file = {&rows, begin, rows_add, NULL, finish, rows_discard};
    loop l = {.observers = &file, .count = 1};
    const need needs[] = {{"--out", rows.path != NULL}};
    REFUSE_IF(given->operands != 1, "convert takes one file: name it");
    TRY(refuse_missing(given, needs, 1));
    TRY(show_read(&show, given));
    return loop_table(&l, given->operand[0]);
}

const command command_convert = {
    .name = "convert",
    .help = convert_help,
    .run = run,
};
