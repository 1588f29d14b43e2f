/* interrupt.h - Ctrl-C, SIGTERM and SIGHUP as a flag that long work looks at. */
#ifndef POLHODE_CLI_INTERRUPT_H
#define POLHODE_CLI_INTERRUPT_H

#include <signal.h>

/* Set by Ctrl-C, SIGTERM or SIGHUP, which are not told apart; a second Ctrl-C ends the tool
 * at once. */
extern volatile sig_atomic_t interrupted;

/* From now on they set the flag; SIGHUP not where it is ignored, as nohup(1) does. */
void interrupt_watch(void);

#endif
