/* files.h - the files that a command reads and writes: none of them is both.
 *
 * The functions return 0, or the exit status of the error that they reported.
 */
#ifndef POLHODE_CLI_FILES_H
#define POLHODE_CLI_FILES_H

#include <stdbool.h>

#include "io/record.h"

/* Nothing is read yet: a tool that runs again in the same process begins so. */
void files_begin(void);

/* Remembers an input, "-" for standard input, so that no output takes its place. The path
 * must last. */
void file_read(const char *path);

/* Fails if an output, "-" for standard output, is one of these inputs. */
int file_refuse(const char *path);

/* Opens an output that is none of the inputs. */
int file_open(const char *path, outfile **out);

/* Closes it; `when` is what is said of the instant at which writing failed, " after step
 * 3", or "". */
int file_close(outfile *out, const char *path, const char *when);

/* Whether two names stand for the same regular file. */
bool file_same(const char *one, const char *other);

/* Opens a file for rows, `standard` for "-", and begins them in the format that its name
 * ends in; frames of a system, where it is not NULL, if the format has these. In any case *out,
 * if it is not NULL, is the caller's to close or to discard, and so are the rows. */
int rows_open(const char *path, outfile *standard, const char *columns,
              const ph_system *frames_of, outfile **out, record *rows);

#endif
