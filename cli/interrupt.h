/* interrupt.h - Ctrl-C and SIGTERM as a flag that long work looks at. */
#ifndef POLHODE_CLI_INTERRUPT_H
#define POLHODE_CLI_INTERRUPT_H

#include <signal.h>

/* Set by Ctrl-C or SIGTERM, which are not told apart; a second Ctrl-C ends the tool at
 * once. */
extern volatile sig_atomic_t interrupted;

/* From now on they set the flag. */
void interrupt_watch(void);

/* From now on they do nothing: for a process whose parent looks at the flag. */
void interrupt_ignore(void);

#endif
