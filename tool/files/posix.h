/* posix.h - what the operating system offers: other programs, clocks, folders and files. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* ---- other programs, which end when the tool is told to --------------------------- */

enum { CHILD_LOOK = 5 }; /* milliseconds from one look at *stop to the next */

/* Starts a program, found as a shell finds it; its words end with NULL. `given` are its
 * standard input, output and error, /dev/null where negative. Returns 0, or errno. */
int child_start(pid_t *child, const char *const words[], const int given[3]);

/* Waits for its end, and asks for it once *stop is set (NULL: never). Returns its exit
 * status, or -1 if a signal ended it. */
int child_wait(pid_t child, const volatile sig_atomic_t *stop);

/* ---- seconds that only grow ------------------------------------------------------- */

/* Seconds since some fixed moment. */
double clock_now(void);

/* Seconds that this process has computed, and that this thread has: others on the same core
 * do not count. */
double clock_work(void);
double clock_thread(void);

/* ---- folders and files ----------------------------------------------------------- */

/* Makes the folder and those above it, where they are missing. Returns 0, or errno. */
int folder_make(const char *path);

/* Reads all of a file, up to `most` bytes, with a zero after them. */
bool file_bytes(int fd, size_t most, char **bytes, size_t *length);
