/* interrupt.h - Ctrl-C as a flag that long work looks at. */
#ifndef POLHODE_CLI_INTERRUPT_H
#define POLHODE_CLI_INTERRUPT_H

#include <signal.h>

/* Set by the first Ctrl-C; the second one ends the tool at once. */
extern volatile sig_atomic_t interrupted;

/* From now on Ctrl-C sets the flag. */
void interrupt_watch(void);

#endif
