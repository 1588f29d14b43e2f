/* lines.h - the lines of a text file, one after the other, in constant memory.
 *
 * A line ends with LF or CR LF, the last one also with the end of the file; a byte-order
 * mark before the first is skipped. The descriptor belongs to the caller.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#define LINE_LONGEST   4096           /* bytes of a line, its end not counted */
#define LINES_CAPACITY 65536          /* bytes read at once */
#define LINES_MARK     "\xEF\xBB\xBF" /* the byte-order mark of UTF-8 */

typedef enum lines_status {
    LINES_OK,
    LINES_END,      /* no more lines */
    LINES_STOPPED,  /* *stop was set while waiting for input */
    LINES_TOO_LONG, /* a line above LINE_LONGEST */
    LINES_FAILED,   /* reading failed; see error */
} lines_status;

typedef struct lines {
    int fd;
    const volatile sig_atomic_t *stop; /* a signal's flag that ends the wait for input */
    unsigned long long number;         /* of the last line given, from 1 */
    unsigned long long bytes;          /* read so far */
    int error;                         /* errno of LINES_FAILED */
    bool ended;
    size_t begin, end; /* what is read and not yet given */
    char buffer[LINES_CAPACITY + 1];
} lines;

void lines_open(lines *in, int fd, const volatile sig_atomic_t *stop);

/* The next line, without its end and with a NUL after it, and its length (it may hold
 * NULs of its own). It lives until the next call. */
lines_status lines_next(lines *in, char **line, size_t *length);

/* The next n bytes, at most LINES_CAPACITY, without taking them; LINES_END if there are fewer.
 * lines_skip takes them. */
lines_status lines_bytes(lines *in, size_t n, const char **at);
void lines_skip(lines *in, size_t n);

/* Whether the next call has to wait for input. Before saying so it gives the writer so
 * many milliseconds, or until a signal comes. The line given last is gone. */
bool lines_waits(lines *in, long patience);
