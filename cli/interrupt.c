/* interrupt.c - Ctrl-C and SIGTERM as a flag that long work looks at. */
#define _POSIX_C_SOURCE 200809L
#include "interrupt.h"

#include <stddef.h>

volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

static void answer(const struct sigaction *action)
{
    (void)sigaction(SIGINT, action, NULL);
    (void)sigaction(SIGTERM, action, NULL);
}

/* Writing goes on after the signal, so that rows stay whole (SA_RESTART); a second one of
 * its kind finds the default again and ends the tool (SA_RESETHAND). */
void interrupt_watch(void)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    action.sa_flags = (int)(SA_RESTART | SA_RESETHAND);
    if (sigemptyset(&action.sa_mask) == 0)
        answer(&action);
}

void interrupt_ignore(void)
{
    struct sigaction action = {.sa_handler = SIG_IGN};
    if (sigemptyset(&action.sa_mask) == 0)
        answer(&action);
}
