/* standard.c - standard output, and what a closed one means. */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static struct sigaction pipe_action; /* what the tool was started with */

void standard_prepare(void)
{
    /* A closed descriptor would be given to the next file opened: take its place with one
     * on which writing fails. */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", O_RDONLY);
    }
    /* A reader that is gone and a file that is too large are errors of writing. */
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    if (sigemptyset(&ignore.sa_mask) == 0) {
        (void)sigaction(SIGPIPE, &ignore, &pipe_action);
        (void)sigaction(SIGXFSZ, &ignore, NULL);
    }
}

int standard_close(outfile *out, int status)
{
    const int error = outfile_close(out, NULL);
    if (error == 0)
        return status;
    if (error == EPIPE && pipe_action.sa_handler != SIG_IGN) {
        (void)sigaction(SIGPIPE, &pipe_action, NULL);
        (void)raise(SIGPIPE);
    }
    return fail_write(NULL, error, "", NULL);
}
