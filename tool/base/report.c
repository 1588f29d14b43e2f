/* report.c - error messages and warnings; signals, and the command line. */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tool/files/file_text.h"
#include "tool/files/memory.h"

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
    return fail_run("out of memory: close other programs and run the command again");
}

int fail_create(const char *path, int error)
{
    if (error == ENOMEM)
        return fail_memory();
    return fail_usage("cannot create " WORDS " (%s): %s", text_or(path, "standard output"),
                      strerror(error), advice(error, "choose another file"));
}

int fail_write(const char *path, int error, const char *when, const char *partial)
{
    if (interrupted && error == EINTR)
        return EXIT_INTERRUPTED;
    return fail_run("cannot write " WORDS " (%s)%s: %s%s%s", text_or(path, "standard output"),
                    strerror(error), when, advice(error, "choose another file"),
                    text_if(partial != NULL, "; the rows so far are in "), text_or(partial, ""));
}

void warn(const char *format, ...)
{
    if (reported.warnings == WARNINGS)
        return;
    char *line = reported.warning[reported.warnings];
    va_list values;
    va_start(values, format);
    compose(line, format, values);
    va_end(values);
    size_t same = 0;
    while (strcmp(reported.warning[same], line) != 0)
        same++;
    reported.warnings += same == reported.warnings;
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

/* ---- the process: Ctrl-C, SIGTERM and SIGHUP as a flag that long work checks ------ */

volatile sig_atomic_t interrupted;

static void set_handler(int signal_number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler};
    action.sa_flags = flags;
    if (sigemptyset(&action.sa_mask) == 0)
        (void)sigaction(signal_number, &action, NULL);
}

static volatile sig_atomic_t first_signal; /* when it came, in seconds */

/* A second Ctrl-C ends the tool, if it comes a second or more after the first signal: somebody waits in
 * vain. One that comes at once is the same Ctrl-C: a shell and timeout(1) send it to the tool and to
 * its group. Its temporary files would stay. */
static void on_interrupt(int signal_number)
{
    enum { PATIENCE = 2, MASK = 0x3fffffff }; /* time() may count one more than there is between */
    const sig_atomic_t now = (sig_atomic_t)(time(NULL) & MASK);
    if (!interrupted)
        first_signal = now;
    else if (signal_number == SIGINT && now - first_signal >= PATIENCE) {
        set_handler(SIGINT, SIG_DFL, 0);
        (void)raise(SIGINT);
    }
    interrupted = 1;
}

/* What waits for a file, a reader or a writer is woken (no SA_RESTART); those who write go on, so that
 * rows stay whole. */
void interrupt_watch(void)
{
    struct sigaction hang_up;
    set_handler(SIGINT, on_interrupt, 0);
    set_handler(SIGTERM, on_interrupt, 0);
    if (sigaction(SIGHUP, NULL, &hang_up) == 0 && hang_up.sa_handler != SIG_IGN)
        set_handler(SIGHUP, on_interrupt, 0);
}

/* ---- the command line ------------------------------------------------------------ */

static char words[2000];

const char *command_quote(const char *word)
{
    const char *quoted = "";
    if (word[0] != '\0' && strpbrk(word, " \t\n\"'`\\$*?&;|<>()[]{}#~!") == NULL)
        return word;
    for (const char *at = word, *end = at; *end != '\0'; at = end + 1) {
        end = at + strcspn(at, "'");
        quoted =
            memory_text("%s%.*s%s", quoted, (int)(end - at), at, text_if(*end != '\0', "'\\''"));
    }
    return memory_text("'%s'", quoted);
}

void command_words_set(int argc, char **argv)
{
    const char *all = "polhode";
    for (int i = 1; i < argc; i++)
        all = memory_text("%s %s", all, command_quote(argv[i]));
    (void)snprintf(words, sizeof words, "%s", all);
    text_clean(words, strlen(words), false);
}

const char *command_words(void)
{
    return words;
}
