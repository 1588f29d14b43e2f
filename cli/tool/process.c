/* process.c - the process of the tool: Ctrl-C, SIGTERM and SIGHUP as a flag that long work
 * checks; standard output, and what a closed one means. */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

static void set_handler(int signal_number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler};
    action.sa_flags = flags;
    if (sigemptyset(&action.sa_mask) == 0)
        (void)sigaction(signal_number, &action, NULL);
}

/* What waits for a file, a reader or a writer is woken (no SA_RESTART); those who write
 * go on, so that rows stay whole. A second Ctrl-C finds the default again and ends the tool
 * (SA_RESETHAND); not so a second SIGTERM, as timeout(1) sends two at once, to the tool and
 * to its group. */
void interrupt_watch(void)
{
    struct sigaction hang_up;
    set_handler(SIGINT, on_interrupt, (int)SA_RESETHAND);
    set_handler(SIGTERM, on_interrupt, 0);
    if (sigaction(SIGHUP, NULL, &hang_up) == 0 && hang_up.sa_handler != SIG_IGN)
        set_handler(SIGHUP, on_interrupt, 0);
}

static struct sigaction pipe_action; /* what the tool was started with */

void standard_prepare(void)
{
    /* A closed descriptor would be given to the next file opened: take its place with one
     * on which writing fails. */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", O_RDONLY);
    }
    /* A reader that is gone and a file that is too large are errors of writing. */
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    if (sigemptyset(&ignore.sa_mask) == 0) {
        (void)sigaction(SIGPIPE, &ignore, &pipe_action);
        (void)sigaction(SIGXFSZ, &ignore, NULL);
    }
}

int put_json(outfile *out, json_t *value, size_t flags)
{
    const bool whole = json_write(out, value, flags);
    outfile_print(out, "\n");
    return whole ? 0 : fail_memory();
}

int standard_close(outfile *out, int status)
{
    const int error = outfile_close(out, NULL);
    if (error == 0)
        return status;
    if (error == EPIPE && pipe_action.sa_handler != SIG_IGN) {
        (void)sigaction(SIGPIPE, &pipe_action, NULL);
        (void)raise(SIGPIPE);
    }
    return fail_write(NULL, error, "", NULL);
}

/* ---- the command line ------------------------------------------------------------ */

static char words[2000];

static void add_words(size_t *used, const char *more)
{
    for (; *more != '\0' && *used + 1 < sizeof words; more++)
        words[(*used)++] = *more;
}

void command_words_set(int argc, char **argv)
{
    size_t used = 0;
    for (int i = 0; i < argc; i++) {
        const char *word = i == 0 ? "polhode" : argv[i];
        const bool quoted =
            word[0] == '\0' || strpbrk(word, " \t\n\"'`\\$*?&;|<>()[]{}#~!") != NULL;
        add_words(&used, i == 0 ? "" : quoted ? " '" : " ");
        for (const char *c = word; *c != '\0'; c++)
            add_words(&used, *c == '\'' ? "'\\''" : (char[]){*c, '\0'});
        add_words(&used, quoted ? "'" : "");
    }
    words[used] = '\0';
    text_clean(words, used, false);
}

const char *command_words(void)
{
    return words;
}
