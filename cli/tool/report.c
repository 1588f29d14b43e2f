/* report.c - error messages and warnings. */
#include "tool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/files/text.h"

#define LINE     1024 /* bytes of a message */
#define WARNINGS 8    /* kept at most */

static struct {
    bool failed;
    size_t warnings;
    char warning[WARNINGS][LINE];
} reported;

/* One line of text, whatever was typed. */
static void compose(char line[LINE], const char *format, va_list values)
{
    if (vsnprintf(line, LINE, format, values) < 0)
        line[0] = '\0';
    text_clean(line, strlen(line), false);
}

int report_error(int status, const char *format, ...)
{
    if (interrupted && status == EXIT_USAGE)
        return EXIT_INTERRUPTED;
    if (reported.failed)
        return status;
    reported.failed = true;
    char line[LINE];
    va_list values;
    va_start(values, format);
    compose(line, format, values);
    va_end(values);
    progress_end();
    (void)fprintf(stderr, "polhode: %s\n", line);
    return status;
}

int fail_memory(void)
{
    return fail_run("out of memory: close other programs and run again");
}

int fail_create(const char *path, int error)
{
    if (error == ENOMEM)
        return fail_memory();
    return fail_usage("cannot create " WORDS " (%s): %s",
                      path == NULL ? "standard output" : path, strerror(error),
                      advice(error, "write somewhere else"));
}

int fail_write(const char *path, int error, const char *when, const char *partial)
{
    return fail_run("cannot write " WORDS " (%s)%s: %s%s%s",
                    path == NULL ? "standard output" : path, strerror(error), when,
                    advice(error, "write somewhere else"),
                    partial == NULL ? "" : "; the rows so far are in ",
                    partial == NULL ? "" : partial);
}

void warn(const char *format, ...)
{
    if (reported.warnings == WARNINGS)
        return;
    va_list values;
    va_start(values, format);
    compose(reported.warning[reported.warnings++], format, values);
    va_end(values);
}

void print_warnings(void)
{
    for (size_t i = 0; i < reported.warnings; i++)
        (void)fprintf(stderr, "polhode: warning: %s\n", reported.warning[i]);
}

void report_begin(void)
{
    reported.failed = false;
    reported.warnings = 0;
}

int fail_unknown(const char *place, const char *what, const nearest *n, const char *help)
{
    char text[LINE];
    return fail_usage("%s%s", place, ph_nearest_text(n, what, help, text, sizeof text));
}
