/* lines.c - the lines of a text file, one after the other, in constant memory. */
#define _POSIX_C_SOURCE 200809L
#include "cli/files/lines.h"

#include <errno.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

void lines_open(lines *in, int fd, const volatile sig_atomic_t *stop)
{
    in->fd = fd;
    in->stop = stop;
    in->number = 0;
    in->bytes = 0;
    in->error = 0;
    in->ended = false;
    in->begin = 0;
    in->end = 0;
}

static char *line_end(lines *in)
{
    return memchr(in->buffer + in->begin, '\n', in->end - in->begin);
}

/* Waits until there is input, or SIGINT, SIGTERM or SIGHUP comes. The signals are let in only while
 * waiting, so that none can slip between the look at the flag and the wait. */
static lines_status wait_for_input(lines *in)
{
    if (in->fd >= FD_SETSIZE)
        return LINES_OK;
    sigset_t interrupt, before;
    if (sigemptyset(&interrupt) != 0 || sigaddset(&interrupt, SIGINT) != 0 ||
        sigaddset(&interrupt, SIGTERM) != 0 || sigaddset(&interrupt, SIGHUP) != 0 ||
        sigprocmask(SIG_BLOCK, &interrupt, &before) != 0)
        return LINES_OK;
    while (!*in->stop) {
        fd_set readable;
        FD_ZERO(&readable);
        FD_SET(in->fd, &readable);
        if (pselect(in->fd + 1, &readable, NULL, NULL, NULL, &before) >= 0 ||
            errno != EINTR)
            break;
    }
    const bool stopped = *in->stop != 0;
    if (sigprocmask(SIG_SETMASK, &before, NULL) != 0)
        return LINES_OK;
    return stopped ? LINES_STOPPED : LINES_OK;
}

static lines_status fill(lines *in)
{
    memmove(in->buffer, in->buffer + in->begin, in->end - in->begin);
    in->end -= in->begin;
    in->begin = 0;

    ssize_t n;
    do {
        const lines_status waited = wait_for_input(in);
        if (waited != LINES_OK)
            return waited;
        n = read(in->fd, in->buffer + in->end, LINES_CAPACITY - in->end);
    } while (n < 0 && errno == EINTR);
    if (n < 0) {
        in->error = errno;
        return LINES_FAILED;
    }
    in->ended = n == 0;
    in->end += (size_t)n;
    in->bytes += (unsigned long long)n;
    return LINES_OK;
}

/* Whether there is something to read, if only the end of the file. */
static bool readable_within(const lines *in, long milliseconds)
{
    if (in->fd >= FD_SETSIZE)
        return false;
    fd_set readable;
    FD_ZERO(&readable);
    FD_SET(in->fd, &readable);
    const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    return pselect(in->fd + 1, &readable, NULL, NULL, &time, NULL) > 0;
}

/* Too much for a line, though it has no end yet. */
static bool overlong(const lines *in)
{
    return in->end - in->begin > LINE_LONGEST + 1;
}

bool lines_waits(lines *in, long patience)
{
    while (!in->ended && line_end(in) == NULL && !overlong(in)) {
        if (!readable_within(in, patience))
            return true;
        if (fill(in) != LINES_OK) /* and will not be when the line is asked for */
            return false;
    }
    return false;
}

lines_status lines_next(lines *in, char **line, size_t *length)
{
    const size_t mark_length = strlen(LINES_MARK);

    char *end = line_end(in);
    while (end == NULL && !in->ended) {
        if (overlong(in)) {
            in->number++;
            return LINES_TOO_LONG;
        }
        const lines_status status = fill(in);
        if (status != LINES_OK)
            return status;
        end = line_end(in);
    }
    char *first = in->buffer + in->begin;
    if (end == NULL) {
        end = in->buffer + in->end;
        if (end == first)
            return LINES_END;
        in->begin = in->end;
    } else {
        in->begin = (size_t)(end - in->buffer) + 1;
    }

    in->number++;
    while (in->number == 1 && (size_t)(end - first) >= mark_length &&
           memcmp(first, LINES_MARK, mark_length) == 0)
        first += mark_length;
    if (end > first && end[-1] == '\r')
        end--;
    if (end - first > LINE_LONGEST)
        return LINES_TOO_LONG;
    *end = '\0';
    *line = first;
    *length = (size_t)(end - first);
    return LINES_OK;
}

lines_status lines_bytes(lines *in, size_t n, const char **at)
{
    lines_status status = LINES_OK;
    while (status == LINES_OK && !in->ended && in->end - in->begin < n)
        status = fill(in);
    *at = in->buffer + in->begin;
    return status == LINES_OK && in->end - in->begin < n ? LINES_END : status;
}

void lines_skip(lines *in, size_t n)
{
    in->begin += n;
}
