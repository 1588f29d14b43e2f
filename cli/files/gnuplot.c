/* gnuplot.c - gnuplot as a child process that draws a picture. */
#define _POSIX_C_SOURCE 200809L
#include "cli/files/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "cli/files/child.h"

#define CHUNK 16384

int gnuplot_start(void)
{
    static const char *const words[] = {"gnuplot", "--version", NULL};
    pid_t child;
    const int error = child_start(&child, words, (const int[]){-1, -1, -1});
    return error != 0 ? error : child_wait(child, NULL) == 0 ? 0 : GNUPLOT_FAILED;
}

bool gnuplot_found(void)
{
    return gnuplot_start() == 0;
}

/* Everything from a pipe into the picture, until *stop is set. */
static void copy(int from, outfile *picture, const volatile sig_atomic_t *stop)
{
    char chunk[CHUNK];
    while (stop == NULL || !*stop) {
        struct pollfd wait = {.fd = from, .events = POLLIN};
        if (poll(&wait, 1, stop == NULL ? -1 : CHILD_LOOK) <= 0)
            continue;
        const ssize_t n = read(from, chunk, sizeof chunk);
        if (n > 0)
            outfile_write(picture, chunk, (size_t)n);
        else if (n == 0 || errno != EINTR)
            return;
    }
}

/* What gnuplot complains about is not for the user. -d: no settings of the user's. */
int gnuplot_draw(FILE *script, outfile *picture, const volatile sig_atomic_t *stop)
{
    static const char *const words[] = {"gnuplot", "-d", "-", NULL};
    int ends[2];
    if (fflush(script) != 0 || fseek(script, 0, SEEK_SET) != 0 || pipe(ends) != 0)
        return errno;
    pid_t child = -1;
    int error =
        fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
                fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0
            ? child_start(&child, words, (const int[]){fileno(script), ends[1], -1})
            : errno;
    (void)close(ends[1]);
    if (error == 0) {
        copy(ends[0], picture, stop);
        error = child_wait(child, stop) == 0 ? 0 : GNUPLOT_FAILED;
    }
    (void)close(ends[0]);
    return error;
}
