/* report.h - what the tool says when something is wrong: one line on standard error.
 *
 * An error line reads `polhode: what is wrong: what to do`; only the first error of a run
 * is printed. Warnings wait until the end and are dropped when there was an error.
 */
#ifndef POLHODE_CLI_REPORT_H
#define POLHODE_CLI_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "io/nearest.h"

enum exit_status {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,        /* the run itself failed */
    EXIT_USAGE = 2,         /* bad usage or bad input */
    EXIT_INTERRUPTED = 130, /* Ctrl-C, SIGTERM or SIGHUP */
};

/* The user's own words in a message, cut to a readable length. */
#define WORDS "%.100s"

/* Print the error line and return the exit status of its kind. After Ctrl-C bad input is
 * not reported: what was not read to its end may look so. */
__attribute__((format(printf, 1, 2))) int fail_usage(const char *format, ...);
__attribute__((format(printf, 1, 2))) int fail_run(const char *format, ...);

/* The error line of a run that Ctrl-C has stopped. */
__attribute__((format(printf, 1, 2))) int stopped(const char *format, ...);

/* Says that there is no memory left. */
int fail_memory(void);

/* Says that a file (NULL: standard output) could not be created, and why. */
int fail_create(const char *path, int error);

/* Says that a file (NULL: standard output) could not be written, and why; `when` ends the
 * statement (" after step 3"), `partial` has the rows until then, or is NULL. */
int fail_write(const char *path, int error, const char *when, const char *partial);

/* Keeps a warning for the end. */
__attribute__((format(printf, 1, 2))) void warn(const char *format, ...);

/* Prints the warnings, unless there was an error. */
void print_warnings(void);

/* Nothing is reported yet. */
void report_begin(void);

/* An unknown name: fails with the nearest of the names that exist. `place` is where it
 * stands ("top.yaml:6: ", or "" for the command line), `what` the kind of thing
 * ("command"), `help` the command that lists them all. */
int fail_unknown(const char *place, const char *what, const nearest *n, const char *help);

/* Returns from a function with the exit status of an error, if there was one. */
#define TRY(call)                                                                        \
    do {                                                                                 \
        const int failed_with = (call);                                                  \
        if (failed_with != 0)                                                            \
            return failed_with;                                                          \
    } while (0)

#endif
