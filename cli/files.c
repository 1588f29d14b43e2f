/* files.c - the files that a command reads and writes: none of them is both. */
#define _POSIX_C_SOURCE 200809L
#include "files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interrupt.h"
#include "report.h"

enum { MOST_INPUTS = 4 }; /* a scenario, and what it names */

static struct {
    size_t count;
    const char *path[MOST_INPUTS];
} inputs;

/* What is at a path, or at that descriptor for "-". */
static bool look(const char *path, int standard, struct stat *there)
{
    const int status =
        strcmp(path, "-") == 0 ? fstat(standard, there) : stat(path, there);
    return status == 0 && S_ISREG(there->st_mode);
}

static bool same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool file_same(const char *one, const char *other)
{
    struct stat a, b;
    return strcmp(one, other) == 0 ||
           (stat(one, &a) == 0 && stat(other, &b) == 0 && same(&a, &b));
}

void files_begin(void)
{
    inputs.count = 0;
}

void file_read(const char *path)
{
    if (inputs.count < MOST_INPUTS)
        inputs.path[inputs.count++] = path;
}

int file_refuse(const char *path)
{
    struct stat in, out;
    for (size_t i = 0; i < inputs.count && look(path, STDOUT_FILENO, &out); i++) {
        if (look(inputs.path[i], STDIN_FILENO, &in) && same(&in, &out))
            return fail_usage(WORDS " is read and would be written, too: write somewhere "
                                    "else",
                              strcmp(path, "-") == 0 ? "standard output" : path);
    }
    return 0;
}

int file_open(const char *path, outfile **out)
{
    const int status = interrupted ? EXIT_INTERRUPTED : file_refuse(path);
    if (status != 0)
        return status;
    *out = outfile_open(path);
    return *out == NULL ? fail_create(path, errno) : 0;
}

int file_close(outfile *out, const char *path, const char *when)
{
    char *partial;
    const int error = outfile_close(out, &partial);
    const int status = error == 0 ? 0 : fail_write(path, error, when, partial);
    free(partial);
    return status;
}

int rows_open(const char *path, outfile *standard, const char *columns, outfile **out,
              record *rows)
{
    const record_format format = record_format_of(path);
    const bool shown = strcmp(path, "-") == 0;
    const int status = shown ? file_refuse(path) : file_open(path, out);
    if (status != 0)
        return status;
    if (shown)
        *out = standard;
    if (!record_fits(format, *out))
        return fail_no_array(path);
    return record_begin(rows, *out, format, columns) ? 0 : fail_memory();
}
