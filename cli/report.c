/* report.c - what the tool says when something is wrong. */
#include "report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "interrupt.h"
#include "io/advice.h"
#include "io/nearest.h"
#include "io/text.h"
#include "progress.h"

#define LINE     1024 /* bytes of a message */
#define WARNINGS 8    /* kept at most */

static struct {
    bool failed;
    size_t warnings;
    char warning[WARNINGS][LINE];
} told;

/* One line of text, whatever was typed. */
static void compose(char line[LINE], const char *format, va_list arguments)
{
    if (vsnprintf(line, LINE, format, arguments) < 0)
        line[0] = '\0';
    text_clean(line, strlen(line), false);
}

static void print_error(const char *format, va_list arguments)
{
    if (told.failed)
        return;
    told.failed = true;
    char line[LINE];
    compose(line, format, arguments);
    progress_end();
    (void)fprintf(stderr, "polhode: %s\n", line);
}

int fail_usage(const char *format, ...)
{
    if (interrupted)
        return EXIT_INTERRUPTED;
    va_list arguments;
    va_start(arguments, format);
    print_error(format, arguments);
    va_end(arguments);
    return EXIT_USAGE;
}

int fail_run(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_error(format, arguments);
    va_end(arguments);
    return EXIT_FAILED;
}

int stopped(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_error(format, arguments);
    va_end(arguments);
    return EXIT_INTERRUPTED;
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

int fail_no_array(const char *path)
{
    return fail_usage(WORDS " is no regular file, as .npy needs: write somewhere else",
                      path);
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
    if (told.warnings == WARNINGS)
        return;
    va_list arguments;
    va_start(arguments, format);
    compose(told.warning[told.warnings++], format, arguments);
    va_end(arguments);
}

void print_warnings(void)
{
    for (size_t i = 0; i < told.warnings && !told.failed; i++)
        (void)fprintf(stderr, "polhode: warning: %s\n", told.warning[i]);
}

void report_begin(void)
{
    told.failed = false;
    told.warnings = 0;
}

/* ---- the nearest names ----------------------------------------------------------- */

int fail_unknown(const char *place, const char *what, const char *wrong,
                 const char *const *names, size_t count, const char *help)
{
    const char *nearest[NEAREST_MOST];
    size_t distance;
    const size_t chosen = nearest_names(wrong, names, count, nearest, &distance);
    if (chosen == 0)
        return fail_usage("%sthere is no %s `" WORDS "`: see %s", place, what, wrong,
                          help);
    char list[LINE] = "";
    size_t used = 0;
    for (size_t i = 0; i < chosen && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                 i == 0 ? "" : ", ", nearest[i]);
    return fail_usage("%sthere is no %s `" WORDS "`: did you mean %s? See %s", place,
                      what, wrong, list, help);
}
