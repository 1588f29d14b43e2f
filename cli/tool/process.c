/* process.c - the process of the tool: Ctrl-C, SIGTERM and SIGHUP as a flag that long work
 * checks; its command line. */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <stdio.h>
#include <string.h>

#include "cli/files/memory.h"

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

void command_words_set(int argc, char **argv)
{
    const char *all = "polhode";
    for (int i = 1; i < argc; i++) {
        const bool quoted = argv[i][0] == '\0' ||
                            strpbrk(argv[i], " \t\n\"'`\\$*?&;|<>()[]{}#~!") != NULL;
        const char *word = "";
        for (const char *at = argv[i], *end = at; *end != '\0'; at = end + 1) {
            end = at + strcspn(at, "'");
            word = memory_text("%s%.*s%s", word, (int)(end - at), at,
                               *end == '\0' ? "" : "'\\''");
        }
        all = memory_text(quoted ? "%s '%s'" : "%s %s", all, word);
    }
    (void)snprintf(words, sizeof words, "%s", all);
    text_clean(words, strlen(words), false);
}

const char *command_words(void)
{
    return words;
}
