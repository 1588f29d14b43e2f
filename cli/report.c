/* report.c - what the tool says when something is wrong. */
#include "report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "progress.h"

#define LINE     1024 /* bytes of a message */
#define WARNINGS 8    /* kept at most */

static struct {
    bool failed;
    size_t warnings;
    char warning[WARNINGS][LINE];
} told;

/* One line of text: control characters would break it. */
static void compose(char line[LINE], const char *format, va_list arguments)
{
    if (vsnprintf(line, LINE, format, arguments) < 0)
        line[0] = '\0';
    for (char *c = line; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || *c == '\x7f')
            *c = '?';
    }
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

int fail_memory(void)
{
    return fail_run("out of memory: close other programs and run again");
}

int fail_create(const char *path, int error)
{
    if (error == ENOMEM)
        return fail_memory();
    return fail_usage("cannot create " WORDS " (%s): write somewhere else",
                      path == NULL ? "standard output" : path, strerror(error));
}

int fail_write(const char *path, int error)
{
    const char *advice = error == ENOSPC || error == EDQUOT
                             ? "free some space and run again"
                             : "write somewhere else";
    if (path == NULL)
        return fail_run("cannot write standard output (%s): %s", strerror(error), advice);
    return fail_run("cannot write " WORDS " (%s): %s", path, strerror(error), advice);
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

/* ---- the nearest names ----------------------------------------------------------------- */

#define LONGEST_NAME 64
#define SUGGESTIONS  3

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b; a and b
 * are read up to LONGEST_NAME. */
static size_t edit_distance(const char *a, const char *b)
{
    const size_t na = least(strlen(a), LONGEST_NAME), nb = least(strlen(b), LONGEST_NAME);
    size_t d[LONGEST_NAME + 1][LONGEST_NAME + 1];
    for (size_t j = 0; j <= nb; j++)
        d[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        d[i][0] = i;
        for (size_t j = 1; j <= nb; j++) {
            const size_t replaced = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            d[i][j] = least(replaced, least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[na][nb];
}

int fail_unknown(const char *what, const char *wrong, const char *const *names,
                 size_t count, const char *help)
{
    size_t best = LONGEST_NAME + 1;
    for (size_t i = 0; i < count; i++)
        best = least(best, edit_distance(wrong, names[i]));

    /* Those at the least distance, then those one further, in the order of the list. */
    char nearest[LINE] = "";
    size_t used = 0, chosen = 0;
    for (size_t distance = best; distance <= best + 1; distance++) {
        for (size_t i = 0; i < count && chosen < SUGGESTIONS; i++) {
            if (edit_distance(wrong, names[i]) != distance)
                continue;
            const int n = snprintf(nearest + used, sizeof nearest - used, "%s%s",
                                   chosen == 0 ? "" : ", ", names[i]);
            if (n < 0 || (size_t)n >= sizeof nearest - used)
                break;
            used += (size_t)n;
            chosen++;
        }
    }
    if (chosen == 0)
        return fail_usage("there is no %s `" WORDS "`: see %s", what, wrong, help);
    return fail_usage("there is no %s `" WORDS "`: did you mean %s? See %s", what, wrong,
                      nearest, help);
}
