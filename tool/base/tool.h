/* tool.h - what the commands of the tool share: errors, Ctrl-C, progress, files.
 *
 * An error line reads `polhode: what is wrong: what to do`; only the first error of a run
 * is printed. Warnings wait until the end and are dropped when there was an error.
 */
#pragma once

#include <jansson.h>
#include <signal.h>

#include "base/nearest.h"
#include "command.h"
#include "tool/files/file_text.h"
#include "tool/files/json.h"
#include "tool/files/picture.h"
#include "tool/files/rows.h"

/* ---- errors: report.c ------------------------------------------------------------ */

enum exit_status {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,        /* the run itself failed */
    EXIT_USAGE = 2,         /* bad usage or bad input */
    EXIT_INTERRUPTED = 130, /* Ctrl-C, SIGTERM or SIGHUP */
};

/* Prints the error line, and returns the exit status. After Ctrl-C bad input is not
 * reported: what was not read to its end may look so. */
__attribute__((format(printf, 2, 3))) int report_error(int status, const char *format, ...);
#define fail_usage(...) report_error(EXIT_USAGE, __VA_ARGS__)
#define fail_run(...)   report_error(EXIT_FAILED, __VA_ARGS__)
#define stopped(...)    report_error(EXIT_INTERRUPTED, __VA_ARGS__)

/* The first of two exit statuses that is an error. */
static inline int first_error(int one, int other)
{
    if (one != 0)
        return one;
    return other;
}

/* Reports that there is no memory left. */
int fail_memory(void);

/* Reports that a file (NULL: standard output) could not be created, and why. */
int fail_create(const char *path, int error);

/* Reports that a file (NULL: standard output) could not be written, and why; `when` ends the
 * statement (" after step 3"), `partial` has the rows until then, or is NULL. */
int fail_write(const char *path, int error, const char *when, const char *partial);

/* Keeps a warning for the end. The same line is printed once. */
__attribute__((format(printf, 1, 2))) void warn(const char *format, ...);

/* Prints the warnings, at the end of a command that neither failed nor was stopped. */
void print_warnings(void);

/* Clears the error flag and the pending warnings. Call it before each command. */
void report_begin(void);

/* An unknown name: fails with the nearest of the names that exist, those that are near. `place` is where it
 * stands ("top.yaml:6: ", or "" for the command line), `what` the kind of thing
 * ("command"), `help` the command that lists them all. */
int fail_unknown(const char *place, const char *what, const nearest *n, const char *help);

/* Returns from a function with an error, if something is wrong. */
#define REFUSE_IF(wrong, ...)                                                                      \
    do {                                                                                           \
        if (wrong)                                                                                 \
            return fail_usage(__VA_ARGS__);                                                        \
    } while (0)

/* Returns from a function with the exit status of an error, if there was one. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        const int failed_with = (call);                                                            \
        if (failed_with != 0)                                                                      \
            return failed_with;                                                                    \
    } while (0)

/* Prints those options of a command that kinds of system have beside those of its own help:
 * options.c. */
typedef void start_printer(outfile *out, const option *o, const char *text);
void options_print_start(const command *c, outfile *out, start_printer *print);

/* ---- Ctrl-C: report.c ----------------------------------------------------------- */

/* Set by Ctrl-C, SIGTERM or SIGHUP, all alike; a second Ctrl-C ends the tool
 * at once. */
extern volatile sig_atomic_t interrupted;

/* From now on these signals set the flag; SIGHUP not where it is ignored, as nohup(1) does. */
void interrupt_watch(void);

/* ---- how far long work has come, on a terminal and after a second: progress.c ---- */

/* `rows_shown`: the rows themselves go to standard output; on a terminal they are
 * progress enough. */
void progress_begin(bool rows_shown);

/* `done` rows, which is this fraction of the work; negative where that is unknown. */
void progress_show(unsigned long long done, double fraction);

/* Erases the progress line so that other text can be printed. progress_show() draws it again. */
void progress_wipe(void);

/* Wipes the line for good. */
void progress_end(void);

/* ---- the command line: report.c -------------------------------------------------- */

/* The words of the command line as a shell would read them; "" unless they were given. */
void command_words_set(int argc, char **argv);
const char *command_words(void);

/* One word, as it must be typed in a shell. */
const char *command_quote(const char *word);

/* ---- the files that a command reads and writes, none of which is both: files.c --- */

/* Nothing is read yet: a tool that runs again in the same process begins so. */
void files_begin(void);

/* Remembers an input, "-" for standard input, so that no output takes its place. The path
 * must last. */
void file_read(const char *path);

/* Fails if an output, "-" for standard output, is one of these inputs. */
int file_refuse(const char *path);

/* Opens an output that is none of the inputs. */
int file_open(const char *path, outfile **out);

/* Closes an output; `when` says when writing failed, " after step 3", or "". */
int file_close(outfile *out, const char *path, const char *when);

/* Reads a whole file of at most `most` bytes. Returns its content, followed by a NUL and valid until the
 * command ends, or NULL with the reason in *why. Pipes and devices are refused. */
char *file_whole(const char *path, size_t most, size_t *length, const char **why);

/* Opens a file of rows and reads its columns; of an empty one the message ends in the words
 * `first_line`, "names the columns". */
int file_columns(const char *path, const char *first_line, csv **file);

/* Whether anything is at a path; an ordinary file, which reading takes nothing from; one that
 * begins with such bytes, at most 16; one of this text and nothing else; a snapshot of a run. */
bool file_is_there(const char *path);
bool file_is_text(const char *path, const char *text);
bool file_is_ordinary(const char *path);
bool file_begins(const char *path, const void *with, size_t size);
bool file_is_snapshot(const char *path);

/* Refuses the name of a file that stands in JSON and in titles, and is no text. */
int file_refuse_name(const char *path);

/* Whether two names stand for the same regular file. */
bool file_same(const char *one, const char *other);

/* The format of a file's name; fails with the names of all if there is none. */
int format_find(const char *path, const file_format **format);

/* A row that its file cannot hold: its number, its time, the format's text and why. */
#define REFUSED_ROW "row %llu, t = %.10g: %s %s"

/* ---- standard output: files.c -------------------------------------------------- */

/* To be called first: a reader that goes away becomes an error of writing, so that files
 * can still be put in order; a standard file that is closed stays closed. */
void standard_prepare(void);

/* Writes a value of JSON, laid out by jansson's flags, and the end of its line; drops its
 * reference. NULL stands for a lack of memory, which is reported. Returns the exit status. */
int put_json(outfile *out, json_t *value, size_t flags);

/* Closes standard output and returns the exit status: `status`, or 1 if writing failed.
 * To be called last: if the reader of a pipe went away, the tool ends here without a
 * word, as other tools do. */
int standard_close(outfile *out, int status);

/* ---- pictures by gnuplot, each a file of its own: files.c ----------------------- */

typedef struct picture {
    const char *path;
    outfile *file; /* NULL once it is closed */
} picture;

/* "PROBLEM by METHOD", both cut to a readable length. */
const char *picture_title(const char *problem, const char *method);

/* Fails if there is no gnuplot; `who` is what needs it. */
int picture_need_gnuplot(const char *who);

/* Writes a gnuplot script about the context; false if that failed. */
typedef bool picture_script(FILE *script, plot_format format, const void *context);

/* Draws and closes it: 0, EXIT_INTERRUPTED, or the exit status of the error it
 * reported. */
int picture_draw(picture *p, picture_script *write, const void *context);
