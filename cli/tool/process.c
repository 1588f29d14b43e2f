/* process.c - the process of the tool: Ctrl-C, SIGTERM and SIGHUP as a flag that long work
 * checks; its command line. */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <string.h>

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
