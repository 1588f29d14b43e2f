/* rows.c - the rows that a command writes: on standard output, or into a file. */
#include "rows.h"

#include <errno.h>
#include <string.h>

#include "report.h"

int rows_open(const char *path, outfile *standard, const char *columns, outfile **out,
              record *rows)
{
    const record_format format = record_format_of(path);
    *out = strcmp(path, "-") == 0 ? standard : outfile_open(path);
    if (*out == NULL)
        return fail_create(path, errno);
    if (!record_fits(format, *out))
        return fail_no_array(path);
    return record_begin(rows, *out, format, columns) ? 0 : fail_memory();
}
