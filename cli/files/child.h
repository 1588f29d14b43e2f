/* child.h - other programs, which end when the tool is told to. */
#pragma once

#include <signal.h>
#include <sys/types.h>

enum { CHILD_LOOK = 5 }; /* milliseconds from one look at *stop to the next */

/* Starts a program, found as a shell finds it; its words end with NULL. `given` are its
 * standard input, output and error, /dev/null where negative. Returns 0, or errno. */
int child_start(pid_t *child, const char *const words[], const int given[3]);

/* Waits for its end, and asks for it once *stop is set (NULL: never). Returns its exit
 * status, or -1 if a signal ended it. */
int child_wait(pid_t child, const volatile sig_atomic_t *stop);
