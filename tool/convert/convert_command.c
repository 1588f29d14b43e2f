/* convert_command.c - rows of a file, or snapshots one after the other in a file, in another format, or
 * other columns of them. */
#include <stdint.h>

#include "convert.help.h"
#include "system/kind.h"
#include "tool/output/loop.h"

static int begin_rows(void *self, loop *l)
{
    rows_file *f = self;
    file_about *about = &f->about;
    *about = (file_about){
        .problem = "", .method = "convert", .epoch = f->show->epoch, .origin = l->origin};
    if (l->system != NULL) {
        f->each = ph_kind_of(l->system)->rows_of_each;
        about->problem = ph_system_problem_name(l->system);
        about->method = ph_system_integrator_name(l->system);
        about->step = ph_system_step(l->system);
        about->parameter = ph_system_parameters(l->system, &about->parameters, &about->value);
    }
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
    return first_error(status, closed);
}

/* ---- snapshots ------------------------------------------------------------------- */

typedef struct snapshots {
    const char *path;
    const char *bytes; /* of those that are left */
    size_t left;
} snapshots;

/* The bytes of the next one, by the length that stands in its head; else all that are left. */
static size_t next_length(const snapshots *x)
{
    enum { AT = 12, END = AT + 8, BYTE = 8 }; /* as in src/system/snapshot.c */
    uint64_t length = 0;
    for (size_t k = END; k-- > AT && x->left >= END;)
        length = length << BYTE | (unsigned char)x->bytes[k];
    if (length > 0 && length < x->left)
        return (size_t)length;
    return x->left;
}

static int next_system(void *context, loop *l)
{
    snapshots *x = context;
    if (x->left == 0)
        return LOOP_END;
    const size_t length = next_length(x);
    ph_status status;
    if (l->system == NULL)
        status = ph_system_from_snapshot(x->bytes, length, &l->system);
    else
        status = ph_system_restore(l->system, x->bytes, length);
    REFUSE_IF(status != PH_OK, WORDS ", snapshot %llu: %s: write the snapshot again", x->path,
              l->rows + 1, ph_status_text(status));
    if (interrupted)
        return EXIT_INTERRUPTED;
    x->bytes += length;
    x->left -= length;
    l->now = instant_of(l->system);
    return 0;
}

/* The first one was read before the loop, for its tables. */
static int next_row(void *context, loop *l)
{
    if (l->rows == 0)
        return 0;
    return next_system(context, l);
}

static int convert_snapshots(loop *l, const char *path)
{
    snapshots x = {path, NULL, 0};
    const char *why = "";
    x.bytes = file_whole(path, SIZE_MAX / 2, &x.left, &why);
    REFUSE_IF(x.bytes == NULL, WORDS " cannot be read (%s): name another file", path, why);
    int status = next_system(&x, l);
    if (status == 0)
        status = loop_each(l, next_row, &x);
    ph_system_destroy(l->system);
    return status;
}

static int convert_run(const arguments *given, outfile *out)
{
    show_request show = {0};
    rows_file rows = {.path = argument(given, "--out"), .standard = out, .show = &show};
    const observer file = {&rows, begin_rows, rows_add, NULL, finish};
    loop l = {.observers = &file, .count = 1};
    const need needs[] = {{"--out", rows.path != NULL}};
    REFUSE_IF(given->operands != 1, "convert needs one file: name it");
    TRY(refuse_missing(given, needs, 1));
    TRY(show_read(&show, given));
    const char *path = given->operand[0];
    if (file_is_snapshot(path))
        return convert_snapshots(&l, path);
    return loop_table(&l, path, &show);
}

const command command_convert = {"convert", convert_help, convert_run};
